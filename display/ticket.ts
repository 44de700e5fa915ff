import type { ShownTicket } from '../store/ordering/bump.ts'
import { instantJson } from './instant.ts'
import { orderNumber } from './order.ts'

/** The facts above the lines of a ticket: which it is, whose, for whom and since when. */
export function ticketFacts(ticket: ShownTicket, now: number): string[] {
  const { id, station, state, orderNumber: number, mode, batch } = ticket
  return [
    `Ticket ${id}`,
    station,
    orderNumber(number),
    ...(mode ? [mode.replaceAll('_', ' ')] : []),
    ...(batch > 1 ? ['added later'] : []),
    state === 'open' ? `${minutesWaiting(ticket, now)} min` : state.toUpperCase(),
  ]
}

/** How a state of a ticket's line is marked. */
export const stateMarks = { open: ' ', done: '✓', void: '✗' } as const

export function ticketJson(ticket: ShownTicket, now: number) {
  return {
    id: ticket.id,
    station_id: ticket.stationId,
    station: ticket.station,
    state: ticket.state,
    batch: ticket.batch,
    order_id: ticket.orderId,
    order_number: orderNumber(ticket.orderNumber),
    mode: ticket.mode,
    notes: ticket.orderNotes,
    opened_at: instantJson(ticket.openedAt),
    minutes_waiting: minutesWaiting(ticket, now),
    items: ticket.items.map(({ lineId, state, qtyMilli, name, notes, modifiers }) => ({
      line_id: lineId,
      state,
      qty: qtyMilli / 1000,
      name,
      notes,
      modifiers: modifiers.map(({ title, qty }) => ({ title, qty })),
    })),
  }
}

function minutesWaiting({ openedAt }: ShownTicket, now: number): number {
  return Math.max(0, Math.floor((now - openedAt) / 60_000))
}
