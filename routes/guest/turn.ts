import { cookieOf } from '../http/cookie.ts'
import type { App } from '../http/handler.ts'
import type { Exchange } from '../http/reply.ts'
import { guestCookie } from './guest-page.ts'
import { kioskBase } from './kiosk-frame.ts'

// Seconds after which a turn ends at the latest. The script ends it much sooner.
export const TURN_S = 3600

/** The secret of a guest's turn at a kiosk (decision 062); undefined: nobody has started. */
export function turnOf({ request }: Exchange): string | undefined {
  const turn = cookieOf(request, 'kiosk_guest')
  return turn !== undefined && /^[\w-]{43}$/.test(turn) ? turn : undefined
}

/** The Set-Cookie header that begins a turn. */
export function keepTurn(app: App, exchange: Exchange, turn: string): string {
  return guestCookie(app, exchange, { base: kioskBase }, 'kiosk_guest', turn, TURN_S)
}
