import type { TicketEvent } from '../store/kitchen/memory.ts'
import type { ShownTicket } from '../store/ordering/shown-ticket.ts'
import { type Column, count, words } from './cell.ts'
import { instantJson, minuteText, secondText } from './instant.ts'
import { type Language, sentences } from './language.ts'
import { orderNumber } from './order.ts'
import { heldForText, modeText, ticketEventText, ticketStateText } from './terms.ts'

/** The facts above the lines of a ticket: its number, order, guest and time. */
export function ticketFacts(ticket: ShownTicket, now: number, language: Language = 'en'): string[] {
  const { id, station, orderNumber: number, mode, batch, isAdded, tableTitle, wantedAt, timezone } = ticket
  const w = ticketWords[language]
  return [
    w.ticket(id),
    station,
    orderNumber(number),
    ...(mode ? [language === 'en' ? mode.replaceAll('_', ' ') : modeText(mode, language)] : []),
    ...(tableTitle === null ? [] : [w.table(tableTitle)]),
    ...(wantedAt === null ? [] : [w.for(minuteText(wantedAt, timezone))]),
    ...(isAdded ? [w.addedLater] : batch > 1 ? [w.laterCourse] : []),
    stateText(ticket, now, language),
  ]
}

function stateText(ticket: ShownTicket, now: number, language: Language): string {
  const { state, fireAt, heldFor, timezone } = ticket
  const w = ticketWords[language]
  if (state === 'open') return w.waiting(minutesWaiting(ticket, now))
  if (state === 'held' && heldFor !== null) return heldForText(heldFor, language).toUpperCase()
  if (state === 'held' && fireAt !== null) return w.heldUntil(minuteText(fireAt, timezone))
  return ticketStateText(state, language).toUpperCase()
}

const ticketWords = sentences({
  ticket: { en: (id: number) => `Ticket ${id}`, de: id => `Bon ${id}`, pt: id => `Talão ${id}` },
  table: { en: (title: string) => `table ${title}`, de: title => `Tisch ${title}`, pt: title => `mesa ${title}` },
  for: { en: (at: string) => `for ${at}`, de: at => `für ${at}`, pt: at => `para ${at}` },
  addedLater: { en: 'added later', de: 'nachbestellt', pt: 'adicionado depois' },
  laterCourse: { en: 'later course', de: 'späterer Gang', pt: 'prato seguinte' },
  waiting: {
    en: (minutes: number) => `${minutes} min`,
    de: minutes => `${minutes} Min.`,
    pt: minutes => `${minutes} min.`,
  },
  heldUntil: {
    en: (at: string) => `HELD until ${at}`,
    de: at => `ZURÜCKGEHALTEN bis ${at}`,
    pt: at => `EM ESPERA até ${at}`,
  },
})

/** The mark of each state of a ticket's line. */
export const stateMarks = { open: ' ', done: '✓', void: '✗' } as const

export function ticketJson(ticket: ShownTicket, now: number) {
  return {
    id: ticket.id,
    station_id: ticket.stationId,
    station: ticket.station,
    state: ticket.state,
    batch: ticket.batch,
    added_later: ticket.isAdded,
    order_id: ticket.orderId,
    order_number: orderNumber(ticket.orderNumber),
    mode: ticket.mode,
    table: ticket.tableTitle,
    wanted_at: ticket.wantedAt === null ? null : instantJson(ticket.wantedAt),
    delivery_address: ticket.deliveryAddress,
    delivery_postcode: ticket.deliveryPostcode,
    notes: ticket.orderNotes,
    opened_at: instantJson(ticket.openedAt),
    waits_for: ticket.state === 'held' ? ticket.heldFor : null,
    comes_at: ticket.state === 'held' && ticket.fireAt !== null ? instantJson(ticket.fireAt) : null,
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

/** The events of the kitchen; instants are shown in a time zone. */
export function ticketEventColumns(zone: string): Column<TicketEvent>[] {
  return [
    { key: 'seq', head: 'number', cell: ({ seq }) => count(seq) },
    { key: 'at', head: 'when', cell: ({ at }) => words(secondText(at, zone)) },
    { key: 'ticket_id', head: 'ticket', cell: ({ ticketId }) => count(ticketId) },
    { key: 'line_id', head: 'line', cell: ({ lineId }) => count(lineId) },
    { key: 'what', head: 'what', cell: ({ what }) => words(ticketEventText(what)) },
    { key: 'by', head: 'by', cell: ({ by }) => words(by) },
  ]
}

export function ticketEventJson({ seq, at, ticketId, lineId, what, by }: TicketEvent) {
  return { seq, at: instantJson(at), ticket_id: ticketId, line_id: lineId, what, by }
}
