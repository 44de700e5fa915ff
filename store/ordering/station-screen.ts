import type { Db } from '../file/open.ts'
import { cautionsOf } from '../kitchen/caution.ts'
import type { Tickets } from '../kitchen/tickets.ts'
import type { Actor } from '../people/actor.ts'
import type { LocationId, OrderId, OrderLineId, StationId, TicketId } from '../terms/ids.ts'
import { isRefused } from '../terms/refusal.ts'
import { groupBy } from '../terms/rows.ts'
import type { Acted, OrderState } from './act.ts'
import { type ShownTicket, selectTickets, shownAs, shownTickets, type TicketRow } from './shown-ticket.ts'
import { isOpen } from './status.ts'
import type { TicketWork } from './ticket-work.ts'

/** The acts of a station's screen on a ticket (decision 055). */
export const screenActs = ['done', 'recall', 'acknowledge', 'dismiss', 'fire'] as const
export type ScreenActName = (typeof screenActs)[number]

/** One act on a screen. */
export interface ScreenAct {
  act: ScreenActName
  ticket: TicketId
  /** Null: the whole ticket. Only `done` and `recall` have a line. */
  line: OrderLineId | null
  /** The idempotency key of the act, unguessable: the act is done once. */
  ref: string
  /** `noticeAt` of the ticket as it was shown, so that a later notice of voided lines is not dismissed. */
  notice: number | null
  /** `shownAs` of the ticket as it was shown. */
  shown: string
}

/** The result of an act. */
interface ActDone {
  ticket: ShownTicket
  /** What the next act of this screen on the ticket must name in `shown`, unless it draws a new board first. */
  shown: string
}

/** The tickets of a station. */
export interface StationBoard {
  /** Open tickets first, the oldest first; then the held ones, by the time at which they fire. */
  tickets: StationTicket[]
  /** How many more there are than the bounds allow. */
  more: number
  /** The twenty that were done last, the newest first. */
  recent: StationTicket[]
  /** The sequence number of the last event that changed these tickets (decision 043); 0: there is none. */
  seq: number
}

/** A ticket on a screen. */
export interface StationTicket extends ShownTicket {
  /** The other stations that prepare part of the same order. */
  alsoAt: string[]
  /** The notes that must be acknowledged before the ticket is bumped: about allergies, and from guests. */
  cautions: string[]
}

// A kitchen that never bumps its tickets must not make its screens slow.
const MOST_SHOWN = 200
const MOST_HELD = 100
const MOST_RECENT = 20

// Longer than an evening. A notice that nobody has dismissed by then concerns no dish that is still being made.
const NOTICE_MS = 12 * 3_600_000

export interface ScreenContext {
  tickets: Tickets
  work: TicketWork
  now(): number
}

/** Says that a screen has shown an open ticket since the ticket came to its station at `openedAt`. Instants are UTC milliseconds. */
export interface SeenTicket {
  id: TicketId
  openedAt: number
  seenAt: number
  /** The device. */
  by: Actor
}

/** The screens of the stations (decision 055): what they show, the acts of cooks on them, and the record of what they have shown. */
export function stationScreens(db: Db, { tickets, work: { apply, run, one, setLines }, now }: ScreenContext) {
  // By the index of stations, so that neither the tickets of the past nor those of other stations are read.
  const selectAtStation = db.prepare<{ stationId: StationId; noticeSince: number }, TicketRow>(
    `${selectTickets}
      WHERE ticket.id IN (
        SELECT id FROM (SELECT id FROM ticket WHERE station_id = @stationId AND state = 'open' AND closed_at IS NULL
                         ORDER BY id LIMIT ${MOST_SHOWN})
        UNION
        SELECT id FROM (SELECT id FROM ticket WHERE notice_at > @noticeSince AND station_id = @stationId
                         ORDER BY notice_at LIMIT ${MOST_SHOWN})
        UNION
        SELECT id FROM (SELECT id FROM ticket WHERE station_id = @stationId AND state = 'held' AND closed_at IS NULL
                         ORDER BY fire_at IS NULL, fire_at, id LIMIT ${MOST_HELD}))
      ORDER BY ticket.state = 'held', iif(ticket.state = 'held', fire_at IS NULL, 0),
               iif(ticket.state = 'held', fire_at, opened_at), ticket.id`,
  )
  const countWaiting = db
    .prepare<[StationId, 'open' | 'held'], number>(
      'SELECT count(*) FROM ticket WHERE station_id = ? AND state = ? AND closed_at IS NULL',
    )
    .pluck()
  const selectRecent = db.prepare<[StationId], TicketRow>(
    `${selectTickets}
      WHERE ticket.id IN (SELECT id FROM ticket WHERE station_id = ? AND state = 'done'
                           ORDER BY closed_at DESC LIMIT ${MOST_RECENT})
      ORDER BY closed_at DESC, ticket.id DESC`,
  )
  const selectOthers = db.prepare<[string], { orderId: OrderId; stationId: StationId; title: string }>(
    `SELECT DISTINCT order_id AS orderId, station_id AS stationId, title
       FROM ticket JOIN station ON station.id = station_id
      WHERE order_id IN (SELECT value FROM json_each(?)) AND state <> 'void' ORDER BY order_id, position, station_id`,
  )
  const selectSeqs = db.prepare<[string], { id: TicketId; seq: number }>(
    `SELECT ticket_id AS id, max(seq) AS seq FROM ticket_event
      WHERE ticket_id IN (SELECT value FROM json_each(?))
        AND what IN ('opened', 'added', 'held', 'fired', 'done', 'recalled', 'void') GROUP BY ticket_id`,
  )
  const selectMenu = db.prepare<[], number>('SELECT catalogue FROM revision').pluck()
  // Seeing a ticket changes no board.
  const selectStamp = db
    .prepare<[], string>(
      `SELECT json_array((SELECT catalogue FROM revision), (SELECT settings FROM revision),
                         (SELECT max(id) FROM activity), (SELECT max(id) FROM orders),
                         (SELECT seq FROM ticket_event WHERE what <> 'seen' OR client_ref IS NOT NULL
                           ORDER BY seq DESC LIMIT 1))`,
    )
    .pluck()
  const { withItems } = shownTickets(db)

  // The tickets of each station as last read. A ticket that has not changed keeps its object.
  const known = new Map<StationId, Map<string, StationTicket>>()

  function stationTickets(stationId: StationId, rows: TicketRow[], seqOf: Map<TicketId, number>): StationTicket[] {
    const orders = [...new Set(rows.map(({ orderId }) => orderId))]
    const stations = groupBy(selectOthers.all(JSON.stringify(orders)), ({ orderId }) => orderId)
    const menu = selectMenu.get()
    const found = rows.map(row => {
      const others = (stations.get(row.orderId) ?? []).filter(other => other.stationId !== row.stationId)
      const alsoAt = others.map(({ title }) => title)
      // Lines change only with an event, and their alcohol marks only with the menu.
      return { row, alsoAt, key: JSON.stringify([row, alsoAt, seqOf.get(row.id), menu]) }
    })
    const before = known.get(stationId)
    const fresh = withItems(found.filter(({ key }) => !before?.has(key)).map(({ row }) => row))
    const read = new Map(fresh.map(ticket => [ticket.id, ticket]))
    const now = new Map<string, StationTicket>()
    for (const { row, alsoAt, key } of found) {
      const ticket = read.get(row.id)
      const same = before?.get(key)
      if (same) now.set(key, same)
      else if (ticket) now.set(key, { ...ticket, alsoAt, cautions: cautionsOf(ticket.source, notesOf(ticket)) })
    }
    known.set(stationId, now)
    return [...now.values()]
  }

  // In one transaction, so that everything is of the same instant.
  const at = db.transaction((stationId: StationId): StationBoard => {
    const shown = selectAtStation.all({ stationId, noticeSince: now() - NOTICE_MS })
    const counted = (state: 'open' | 'held', most: number) => {
      const count = shown.filter(ticket => ticket.state === state).length
      return count < most ? 0 : (countWaiting.get(stationId, state) ?? 0) - count
    }
    // A ticket with a notice may be done, too.
    const recent = selectRecent.all(stationId)
    const rows = new Map([...shown, ...recent].map(row => [row.id, row]))
    const seqs = selectSeqs.all(JSON.stringify([...rows.keys()]))
    const seqOf = new Map(seqs.map(({ id, seq }) => [id, seq]))
    const tickets = new Map(stationTickets(stationId, [...rows.values()], seqOf).map(ticket => [ticket.id, ticket]))
    const these = (list: TicketRow[]) => list.flatMap(({ id }) => tickets.get(id) ?? [])
    return {
      tickets: these(shown),
      more: counted('open', MOST_SHOWN) + counted('held', MOST_HELD),
      recent: these(recent),
      seq: Math.max(0, ...seqOf.values()),
    }
  })

  const see = db.transaction((seen: SeenTicket[]): void => {
    for (const { id, openedAt, seenAt, by } of seen) tickets.see(id, openedAt, seenAt, by)
  })

  /** Does an act on a ticket within its transaction. If its result is already there, nothing changes. */
  function doAct(order: OrderState, ticket: ShownTicket, wanted: ScreenAct): Acted<{ ticket: ShownTicket }> {
    const changedSince = shownAs(ticket) === wanted.shown ? null : ({ refused: 'changed since shown' } as const)
    const { act, line, ref, notice } = wanted
    const { id, state, items } = ticket
    const lines = items.filter(item => line === null || item.lineId === line)
    if (lines.length === 0) return { refused: 'unknown ticket line', ticket: id }
    const idsIn = (state: 'open' | 'done') => lines.filter(item => item.state === state).map(({ lineId }) => lineId)
    switch (act) {
      case 'done': {
        if (idsIn('open').length === 0) return unchanged(order, ticket, ref)
        return (
          changedSince ??
          apply(order, id, 'ticket bumped', () => {
            if (state === 'held') return { refused: 'ticket held', ticket: id }
            const mustAcknowledge = ticket.acknowledgedAt === null && needsAcknowledging(ticket)
            if (mustAcknowledge) return { refused: 'not acknowledged', ticket: id }
            return setLines(id, idsIn('open'), 'done', ref)
          })
        )
      }
      case 'recall': {
        if (idsIn('done').length === 0) return unchanged(order, ticket, ref)
        return changedSince ?? apply(order, id, 'ticket recalled', () => setLines(id, idsIn('done'), 'open', ref))
      }
      case 'acknowledge': {
        const isOver = (state !== 'open' && state !== 'held') || !isOpen(order.status)
        if (isOver || ticket.acknowledgedAt !== null) return unchanged(order, ticket, ref)
        return (
          changedSince ??
          apply(order, id, 'ticket acknowledged', () => ({
            lines: [],
            write: (_, instant) => tickets.acknowledge(id, instant, ref),
          }))
        )
      }
      case 'dismiss': {
        if (ticket.noticeAt === null || ticket.noticeAt !== notice) return unchanged(order, ticket, ref)
        tickets.dismiss(id, now(), ref)
        return { order, ticket: one(id) ?? ticket }
      }
      case 'fire': {
        if (state !== 'held') return unchanged(order, ticket, ref)
        return (
          changedSince ??
          apply(order, id, 'ticket fired', () => ({
            lines: [],
            write: (_, instant) => tickets.fire(id, instant, ref),
          }))
        )
      }
      default:
        return act satisfies never
    }
  }

  /** Records an act whose result is already there: if it is sent again after somebody has undone that result, it must still change nothing. */
  function unchanged(order: OrderState, ticket: ShownTicket, ref: string): Acted<{ ticket: ShownTicket }> {
    tickets.noteAct(ticket.id, now(), ref)
    return { order, ticket }
  }

  return {
    /** A text that changes with everything that a board may show. It is cheap to read. */
    stamp: (): string => selectStamp.get() ?? '',

    /**
     * The tickets of a station: the oldest 200 open ones, 100 held ones and 200 with voided lines. A ticket that has not changed since
     * the last call is the same object.
     */
    at: (stationId: StationId): StationBoard => at(stationId),

    /**
     * Does an act of a screen at a location, once for each `ref`. An act that would change nothing is accepted: two cooks may
     * bump the same line. Refuses a ticket of another location, one that has changed since it was shown, one that is held or not
     * acknowledged, and one whose order has left the kitchen.
     */
    act: (wanted: ScreenAct, locationId: LocationId): Acted<ActDone> =>
      run(wanted.ticket, (order): Acted<ActDone> => {
        const ticket = one(wanted.ticket)
        if (ticket?.locationId !== locationId) return { refused: 'unknown ticket', ticket: wanted.ticket }
        const { shown } = wanted
        if (tickets.isDone(wanted.ref)) return { order, ticket, shown }
        const done = doAct(order, ticket, wanted)
        if (isRefused(done)) return done
        // Bumping a whole ticket also dismisses its voided lines.
        const isNoted = wanted.act === 'done' && wanted.line === null && ticket.noticeAt !== null
        if (isNoted && ticket.noticeAt === wanted.notice) tickets.dismiss(ticket.id, now(), null)
        // Not if others have changed the ticket meanwhile: this screen has not shown that.
        return { ...done, shown: shownAs(ticket) === shown ? shownAs(done.ticket) : shown }
      }),

    /**
     * Records that screens have shown these tickets, even if they are done by now. Tickets that were recorded before, or that were
     * held and fired again, are left as they are.
     */
    noteSeen: (seen: SeenTicket[]): void => see.immediate(seen),
  }
}

function notesOf({ orderNotes, items }: ShownTicket): (string | null)[] {
  return [orderNotes, ...items.filter(({ state }) => state !== 'void').map(({ notes }) => notes)]
}

function needsAcknowledging(ticket: ShownTicket): boolean {
  return cautionsOf(ticket.source, notesOf(ticket)).length > 0
}
