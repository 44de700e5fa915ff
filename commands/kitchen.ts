import { lineText, orderNumber } from '../display/order.ts'
import { stateMarks, ticketFacts, ticketJson } from '../display/ticket.ts'
import type { ShownItem, ShownTicket } from '../store/ordering/bump.ts'
import { parseId, type TicketId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type Command, done, misused, positive, refused } from './command.ts'
import { oneLine } from './layout.ts'
import { stationNamed } from './names.ts'

export const kitchen: Command = {
  usage: 'kitchen [STATION] [--watch]',
  summary: 'list the open tickets of all stations or of one (id or name), oldest first; --watch follows until Ctrl-C',
  takes: ['STATION?'],
  options: { watch: { type: 'boolean' } },
  run({ args: [name], clock, store }) {
    const station = name === undefined ? null : stationNamed(store(), name)
    if (typeof station === 'string') return refused(station)
    const listed = store().kitchen.list(station)
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
  summary: 'mark a ticket, or one of its lines by its place on the ticket, as done',
  takes: ['TICKET', 'LINE?'],
  run({ args: [name, place], clock, store }) {
    const id = parseId<TicketId>(positive(name))
    const position = positive(place)
    if (id === undefined) return misused(notTicket(name))
    if (place !== undefined && position === undefined)
      return misused(`"${place}" is not the place of a line; count from 1.`)
    const line = position === undefined ? undefined : store().kitchen.ticket(id)?.items[position - 1]
    if (position !== undefined && !line) return refused(`There is no line ${position} on a ticket ${id}.`)
    const bumped = store().kitchen.bump(id, line?.lineId ?? null)
    if (isRefused(bumped)) return refused(bumped)
    const { ticket, order } = bumped
    const left = ticket.items.filter(({ state }) => state === 'open').length
    const rest = left > 0 ? `${left} of its lines ${left === 1 ? 'is' : 'are'} still open.` : 'All of it is done.'
    const ready = order.fulfillmentStatus === 'ready' ? ` ${orderNumber(order.number)} is ready.` : ''
    return done(`Ticket ${id}: ${rest}${ready}`, ticketJson(ticket, clock.now()))
  },
}

export const recall: Command = {
  usage: 'recall TICKET',
  summary: 'mark everything on a ticket that is done as open again',
  takes: ['TICKET'],
  run({ args: [name], clock, store }) {
    const id = parseId<TicketId>(positive(name))
    if (id === undefined) return misused(notTicket(name))
    const recalled = store().kitchen.recall(id)
    if (isRefused(recalled)) return refused(recalled)
    return done(ticketText(recalled.ticket, clock.now()), ticketJson(recalled.ticket, clock.now()))
  },
}

function notTicket(name: string | undefined): string {
  return `"${name}" is not the number of a ticket; "kitchen" lists them.`
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
