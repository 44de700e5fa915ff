import { minuteText } from '../display/instant.ts'
import { addressText, lineText, orderNumber } from '../display/order.ts'
import { stateMarks, ticketEventColumns, ticketEventJson, ticketFacts, ticketJson } from '../display/ticket.ts'
import type { ShownItem, ShownTicket } from '../store/ordering/shown-ticket.ts'
import { parseInstant } from '../store/terms/clock.ts'
import { parseId, type TicketId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import {
  type Command,
  type CommandCall,
  done,
  misused,
  type Outcome,
  optionText,
  positive,
  refused,
} from './command.ts'
import { list, oneLine } from './layout.ts'
import { stationNamed } from './names.ts'

export const kitchen: Command = {
  usage: 'kitchen [STATION] [--watch | --at TIME | --since NUMBER]',
  summary: `list the open tickets of all stations or of one (id or name), oldest first; --watch follows until Ctrl-C
      --at: the tickets at that time; --since: the events after that number (0: from the beginning)`,
  takes: ['STATION?'],
  options: { watch: { type: 'boolean' }, at: { type: 'string' }, since: { type: 'string' } },
  run(call) {
    const { args, options, clock, store } = call
    const [name] = args
    const [at, since] = [options.at, options.since].map(optionText)
    if ([options.watch, at, since].filter(each => each !== undefined).length > 1)
      return misused('Give only one of --watch, --at and --since.')
    if (since !== undefined && name !== undefined) return misused('--since shows all stations; leave STATION out.')
    if (since !== undefined) return happened(call, since)
    const { timezone } = store().settings.current()
    const instant = at === undefined ? undefined : pastInstant(at, timezone, clock.now())
    if (at !== undefined && instant === undefined) return refused(notPast(at, timezone))
    const station = name === undefined ? null : stationNamed(store(), name)
    if (typeof station === 'string') return refused(station)
    const { kitchen: work } = store()
    if (instant !== undefined) {
      const then = work.at(station, instant)
      if (isRefused(then)) return refused(then)
      return shown(then, instant, `No open tickets at ${minuteText(instant, timezone)} (${timezone}).`)
    }
    // A running server does this itself.
    if (work.isAnyDue()) work.fireDue()
    const listed = work.list(station)
    if (isRefused(listed)) return refused(listed)
    return shown(listed.tickets, clock.now(), 'No open tickets.', listed.more)
  },
}

function shown(tickets: ShownTicket[], now: number, nothing: string, more = 0): Outcome {
  const texts = [...tickets.map(ticket => ticketText(ticket, now)), ...(more > 0 ? [`And ${more} more.`] : [])]
  return done(
    texts.length === 0 ? nothing : texts.join('\n\n'),
    tickets.map(ticket => ticketJson(ticket, now)),
  )
}

function happened({ store }: CommandCall, since: string): Outcome {
  const seq = since === '0' ? 0 : positive(since)
  if (seq === undefined) return misused(`--since must be the number of an event, not "${since}".`)
  const events = store().kitchen.since(seq)
  const columns = ticketEventColumns(store().settings.current().timezone)
  return done(events.length === 0 ? 'Nothing since then.' : list(columns, events), events.map(ticketEventJson))
}

function pastInstant(text: string, zone: string, now: number): number | undefined {
  const instant = parseInstant(text, { zone, now, day: 'last' })
  return instant !== undefined && instant <= now ? instant : undefined
}

function notPast(text: string, zone: string): string {
  return `"${text}" is not a time that has passed; write it like 20:15, 2026-11-20 20:15 (${zone}) or 2026-11-20T20:15Z.`
}

export const bump: Command = {
  usage: 'bump TICKET [LINE]',
  summary: 'mark a ticket, or one of its lines (1 is the first), as done',
  takes: ['TICKET', 'LINE?'],
  run({ args: [name, place], clock, store }) {
    const id = parseId<TicketId>(positive(name))
    const position = positive(place)
    if (id === undefined) return misused(notTicket(name))
    if (place !== undefined && position === undefined)
      return misused(`"${place}" is not the number of a line; count from 1.`)
    const line = position === undefined ? undefined : store().kitchen.ticket(id)?.items[position - 1]
    if (position !== undefined && !line) return refused(`There is no line ${position} on ticket ${id}.`)
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
  summary: 'reopen all done lines of a ticket',
  takes: ['TICKET'],
  run({ args: [name], clock, store }) {
    const id = parseId<TicketId>(positive(name))
    if (id === undefined) return misused(notTicket(name))
    const recalled = store().kitchen.recall(id)
    if (isRefused(recalled)) return refused(recalled)
    return done(ticketText(recalled.ticket, clock.now()), ticketJson(recalled.ticket, clock.now()))
  },
}

export const hold: Command = {
  usage: 'hold TICKET [--until TIME]',
  summary: `hold a ticket until "fire", or until a time such as 19:30 or "2026-11-20 19:30"`,
  takes: ['TICKET'],
  options: { until: { type: 'string' } },
  run({ args: [name], options, clock, store }) {
    const id = parseId<TicketId>(positive(name))
    if (id === undefined) return misused(notTicket(name))
    const until = optionText(options.until)
    const zone = store().kitchen.ticket(id)?.timezone ?? store().settings.current().timezone
    const instant = until === undefined ? null : parseInstant(until, { zone, now: clock.now(), day: 'next' })
    if (instant === undefined) {
      return refused(`"${until}" is not a time; write it like 19:30, 2026-11-20 19:30 (${zone}) or 2026-11-20T19:30Z.`)
    }
    const held = store().kitchen.hold(id, instant)
    if (isRefused(held)) return refused(held)
    return done(ticketText(held.ticket, clock.now()), ticketJson(held.ticket, clock.now()))
  },
}

export const fire: Command = {
  usage: 'fire TICKET',
  summary: 'send a held ticket to its station now',
  takes: ['TICKET'],
  run({ args: [name], clock, store }) {
    const id = parseId<TicketId>(positive(name))
    if (id === undefined) return misused(notTicket(name))
    const fired = store().kitchen.fire(id)
    if (isRefused(fired)) return refused(fired)
    return done(ticketText(fired.ticket, clock.now()), ticketJson(fired.ticket, clock.now()))
  },
}

function notTicket(name: string | undefined): string {
  return `"${name}" is not the number of a ticket; "kitchen" lists them.`
}

function ticketText(ticket: ShownTicket, now: number): string {
  const lines = ticket.items.flatMap((item, index) => itemText(item, index + 1))
  const address = addressText(ticket)
  const to = address === '' ? [] : [`  to: ${oneLine(address)}`]
  const notes = ticket.orderNotes ? [`  note: ${oneLine(ticket.orderNotes)}`] : []
  return [oneLine(ticketFacts(ticket, now).join('  ')), ...lines, ...to, ...notes].join('\n')
}

function itemText(item: ShownItem, position: number): string[] {
  const { state, notes, modifiers } = item
  return [
    `  ${position}. ${stateMarks[state]} ${lineText(item)}${state === 'void' ? '  (removed)' : ''}`,
    ...modifiers.map(({ title, qty }) => `         + ${qty > 1 ? `${qty} × ` : ''}${title}`),
    ...(notes ? [`         "${oneLine(notes)}"`] : []),
  ]
}
