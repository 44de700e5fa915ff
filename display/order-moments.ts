import { departures } from '../store/ordering/departures.ts'
import type { ShownTicket } from '../store/ordering/shown-ticket.ts'
import type { Activity } from '../store/people/activity.ts'
import { sentences } from './language.ts'

/** When an order reached each step in the kitchen (UTC milliseconds); null: not yet, or not known. */
export interface OrderMoments {
  placed: number
  /** When screens had shown all of its tickets. */
  seen: number | null
  /** When all of its tickets were done. */
  done: number | null
  /** When it was handed over or sent out. */
  handedOver: number | null
}

/** `activity` is that of the order, newest first. */
export function momentsOf(placedAt: number, tickets: ShownTicket[], activity: Activity[]): OrderMoments {
  const made = tickets.filter(({ state }) => state !== 'void')
  const last = (instants: (number | null)[]) =>
    instants.length === 0 || instants.includes(null) ? null : Math.max(...instants.map(instant => instant ?? 0))
  return {
    placed: placedAt,
    seen: last(made.map(({ seenAt }) => seenAt)),
    done: last(made.map(({ closedAt }) => closedAt)),
    handedOver: departures(activity.toReversed())[0]?.at ?? null,
  }
}

export const momentWords = sentences({
  placed: { en: 'placed', de: 'eingegangen', pt: 'recebido' },
  seen: { en: 'seen', de: 'gesehen', pt: 'visto' },
  done: { en: 'done', de: 'fertig', pt: 'pronto' },
  handedOver: { en: 'handed over', de: 'ausgegeben', pt: 'entregue' },
})
