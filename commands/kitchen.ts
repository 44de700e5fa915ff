import { lineText, orderNumber } from '../display/order.ts'
import { stateMarks, ticketFacts, ticketJson } from '../display/ticket.ts'
import type { ShownItem, ShownTicket } from '../store/ordering/bump.ts'
import type { StationId, TicketId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type Command, done, positive, refused } from './command.ts'
import { oneLine } from './layout.ts'

export const kitchen: Command = {
  usage: 'kitchen [STATION_ID]',
  summary: 'list the open tickets of all stations or of one, oldest first',
  run({ args: [name, ...rest], clock, store }) {
    const station = positive(name)
    if (rest.length > 0 || (name !== undefined && station === undefined)) return undefined
    const listed = store().kitchen.list(station === undefined ? null : (station as StationId))
    if (isRefused(listed)) return refused(listed)
    const { tickets, more } = listed
    const now = clock.now()
    const texts = [...tickets.map(ticket => ticketText(ticket, now)), ...(more > 0 ? [`And ${more} more.`] : [])]
    return done(
      texts.length === 0 ? 'No open tickets.' : texts.join('\n\n'),
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
    if (isRefused(bumped)) return refused(bumped)
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
    if (isRefused(recalled)) return refused(recalled)
    return done(ticketText(recalled.ticket, clock.now()), ticketJson(recalled.ticket, clock.now()))
  },
}

function ticketText(ticket: ShownTicket, now: number): string {
  const lines = ticket.items.flatMap((item, index) => itemText(item, index + 1))
  const notes = ticket.orderNotes ? [`  note: ${oneLine(ticket.orderNotes)}`] : []
  return [ticketFacts(ticket, now).join('  '), ...lines, ...notes].join('\n')
}

function itemText(item: ShownItem, position: number): string[] {
  const { state, notes, modifiers } = item
  return [
    `  ${position}. ${stateMarks[state]} ${lineText(item)}${state === 'void' ? '  (removed)' : ''}`,
    ...modifiers.map(({ title, qty }) => `         + ${qty > 1 ? `${qty} × ` : ''}${title}`),
    ...(notes ? [`         "${oneLine(notes)}"`] : []),
  ]
}
