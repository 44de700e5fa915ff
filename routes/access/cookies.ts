import { isTrusted, peerOf } from '../http/address.ts'
import { cookieOf } from '../http/cookie.ts'
import type { App } from '../http/handler.ts'
import type { Exchange } from '../http/reply.ts'

/** The cookies of people, of paired devices, and of the browsers of guests who have ordered. */
export type SecretCookie = 'session' | 'device' | 'guest'

// The longest that browsers keep a cookie.
const DEVICE_S = 400 * 86_400

// A day: a guest may cancel an order and order again during a long evening.
const GUEST_S = 86_400

/** The secret in a cookie of a request; undefined when it is missing, repeated or not one that this server has made. */
export function secretOf(app: App, exchange: Exchange, cookie: SecretCookie): string | undefined {
  return matchOf(app, exchange, cookie)?.[1]
}

/** Of how many of its orders a guest's browser has received the response. */
export function ordersKnown(app: App, exchange: Exchange): number {
  return Number(matchOf(app, exchange, 'guest')?.[2] ?? 0)
}

/** The value of the Set-Cookie header that keeps the secret of a guest's browser and how many of its orders it knows about. */
export function keepGuest(app: App, exchange: Exchange, secret: string, known: number): string {
  return keepSecret(app, exchange, 'guest', known === 0 ? secret : `${secret}.${known}`)
}

function matchOf(app: App, exchange: Exchange, cookie: SecretCookie): RegExpExecArray | null {
  const value = cookieOf(exchange.request, nameOf(cookie, isHttps(app, exchange))) ?? ''
  return (cookie === 'guest' ? /^([\w-]{43})(?:\.(\d{1,6}))?$/ : /^([\w-]{43})$/).exec(value)
}

/** The value of the Set-Cookie header that keeps a secret in a browser; with null, the one that removes it. */
export function keepSecret(app: App, exchange: Exchange, cookie: SecretCookie, secret: string | null): string {
  const isSecure = isHttps(app, exchange)
  return [
    `${nameOf(cookie, isSecure)}=${secret ?? ''}`,
    // Browsers accept `__Host-` only for all paths.
    `Path=${isSecure ? '' : app.basePath}/`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
    ...(secret === null
      ? ['Max-Age=0']
      : cookie === 'session'
        ? []
        : [`Max-Age=${cookie === 'device' ? DEVICE_S : GUEST_S}`]),
  ].join('; ')
}

/** Whether the browser uses https, as a trusted proxy says. */
export function isHttps({ trustedProxies }: App, { request }: Exchange): boolean {
  return request.headers['x-forwarded-proto'] === 'https' && isTrusted(trustedProxies, peerOf(request.socket))
}

/** Over https a name that no other host and no page over http can set. */
function nameOf(cookie: SecretCookie, isSecure: boolean): string {
  return isSecure ? `__Host-servery_${cookie}` : `servery_${cookie}`
}
