import { orderNumber } from '../routes/api/orders.ts'
import type { ShownItem, ShownTicket } from '../store/ordering/bump.ts'
import type { StationId, TicketId } from '../store/terms/ids.ts'
import { type Command, done, oneLine, positive, refused } from './command.ts'

export const kitchen: Command = {
  usage: 'kitchen [STATION_ID]',
  summary: 'list the open tickets of all stations or of one, oldest first',
  run({ args: [name, ...rest], clock, store }) {
    const station = positive(name)
    if (rest.length > 0 || (name !== undefined && station === undefined)) return undefined
    if (station !== undefined && !store().kitchen.stationExists(station)) {
      return refused(`There is no station ${station}.`)
    }
    const tickets = store().kitchen.list(station === undefined ? null : (station as StationId))
    const now = clock.now()
    return done(
      tickets.length === 0 ? 'No open tickets.' : tickets.map(ticket => ticketText(ticket, now)).join('\n\n'),
      tickets.map(ticket => ticketJson(ticket, now)),
    )
  },
}

export const bump: Command = {
  usage: 'bump TICKET [LINE]',
  summary: 'say that a ticket, or one line of it by its place on the ticket, is done',
  run({ args: [name, place, ...rest], clock, store }) {
    const id = positive(name)
    const position = positive(place)
    if (id === undefined || rest.length > 0 || (place !== undefined && position === undefined)) return undefined
    const line = position === undefined ? undefined : store().kitchen.ticket(id as TicketId)?.items[position - 1]
    if (position !== undefined && !line) return refused(`There is no line ${position} on a ticket ${id}.`)
    const bumped = store().kitchen.bump(id as TicketId, line?.lineId ?? null)
    if (!bumped.ok) return refused(bumped.why)
    const { ticket, order } = bumped
    const left = ticket.items.filter(({ state }) => state === 'open').length
    const rest_ = left > 0 ? `${left} of its lines ${left === 1 ? 'is' : 'are'} still open.` : 'All of it is done.'
    const ready = order.fulfillmentStatus === 'ready' ? ` ${orderNumber(order.number)} is ready.` : ''
    return done(`Ticket ${id}: ${rest_}${ready}`, ticketJson(ticket, clock.now()))
  },
}

export const recall: Command = {
  usage: 'recall TICKET',
  summary: 'take back that a ticket, or anything on it, is done',
  run({ args: [name, ...rest], clock, store }) {
    const id = positive(name)
    if (id === undefined || rest.length > 0) return undefined
    const recalled = store().kitchen.recall(id as TicketId)
    if (!recalled.ok) return refused(recalled.why)
    return done(ticketText(recalled.ticket, clock.now()), ticketJson(recalled.ticket, clock.now()))
  },
}

function minutesWaiting({ openedAt }: ShownTicket, now: number): number {
  return Math.max(0, Math.floor((now - openedAt) / 60_000))
}

function ticketText(ticket: ShownTicket, now: number): string {
  const { id, station, state, orderNumber: number, orderNotes, mode, batch } = ticket
  const minutes = minutesWaiting(ticket, now)
  const facts = [
    `Ticket ${id}`,
    station,
    orderNumber(number),
    ...(mode ? [mode.replaceAll('_', ' ')] : []),
    ...(batch > 1 ? ['added later'] : []),
    state === 'open' ? `${minutes} min` : state.toUpperCase(),
  ]
  const lines = ticket.items.flatMap((item, index) => itemText(item, index + 1))
  return [facts.join('  '), ...lines, ...(orderNotes ? [`  note: ${oneLine(orderNotes)}`] : [])].join('\n')
}

function itemText({ state, qtyMilli, name, notes, modifiers }: ShownItem, position: number): string[] {
  const mark = { open: ' ', done: '✓', void: '✗' }[state]
  return [
    `  ${position}. ${mark} ${qtyMilli / 1000} × ${name}${state === 'void' ? '  (removed)' : ''}`,
    ...modifiers.map(({ title, qty }) => `         + ${qty > 1 ? `${qty} × ` : ''}${title}`),
    ...(notes ? [`         "${oneLine(notes)}"`] : []),
  ]
}

function ticketJson(ticket: ShownTicket, now: number) {
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
    opened_at: new Date(ticket.openedAt).toISOString(),
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
