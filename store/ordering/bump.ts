import type { Db } from '../file/open.ts'
import { kitchenMemory, type TicketEvent } from '../kitchen/memory.ts'
import type { Tickets } from '../kitchen/tickets.ts'
import type { OrderId, OrderLineId, StationId, TicketId } from '../terms/ids.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
import type { Acted } from './act.ts'
import { type ShownItem, type ShownTicket, selectTickets, shownTickets, type TicketRow } from './shown-ticket.ts'
import type { Change, TicketDeed, TicketWork } from './ticket-work.ts'

// The list needs a bound, because a kitchen that never bumps its tickets would make it grow without end.
const MOST_SHOWN = 200

// Fired at a time, so that orders do not wait long after a pause; the next check fires the rest.
const MOST_FIRED = 50

// A cook who has begun must see that a ticket was voided. After a while the notice is no longer needed.
const VOID_SHOWN_MS = 15 * 60_000

interface InSight {
  stationId: StationId | null
  voidSince: number
}

export interface KitchenContext {
  tickets: Tickets
  work: TicketWork
  now(): number
  siteZone(): string
}

/** The work of the kitchen: the tickets that it sees, marking their items as done, holding and firing them (decision E2). */
export function kitchen(db: Db, { tickets, work: { apply, run, one, setLines }, now, siteZone }: KitchenContext) {
  // Each state is selected separately, in the order of the index and with its own condition: otherwise SQLite reads every void
  // ticket of the past, or sorts every open one.
  const openIds = `SELECT id FROM ticket WHERE state <> 'done' AND state = 'open' AND closed_at IS NULL
                      AND (@stationId IS NULL OR station_id = @stationId)`
  const voidIds = `SELECT id FROM ticket WHERE state <> 'done' AND state = 'void' AND closed_at >= @voidSince
                      AND (@stationId IS NULL OR station_id = @stationId)`
  const heldIds = openIds.replaceAll(`'open'`, `'held'`)
  const selectInSight = db.prepare<InSight & { most: number }, TicketRow>(
    `${selectTickets}
      WHERE ticket.id IN (SELECT id FROM (${openIds} ORDER BY id LIMIT @most)
                           UNION ALL
                          SELECT id FROM (${voidIds} ORDER BY id LIMIT @most)
                           UNION ALL
                          SELECT id FROM (${heldIds} ORDER BY fire_at, id LIMIT @most))
      ORDER BY ticket.state = 'held', iif(ticket.state = 'held', fire_at, NULL), ticket.id LIMIT @most`,
  )
  const countInSight = db
    .prepare<InSight, number>(
      `SELECT (SELECT count(*) FROM (${openIds})) + (SELECT count(*) FROM (${voidIds}))
            + (SELECT count(*) FROM (${heldIds}))`,
    )
    .pluck()
  const selectThese = db.prepare<[string], TicketRow>(
    `${selectTickets} WHERE ticket.id IN (SELECT value FROM json_each(?)) ORDER BY ticket.id`,
  )
  const selectOfOrder = db.prepare<[OrderId], TicketRow>(
    `${selectTickets} WHERE ticket.order_id = ? ORDER BY ticket.id`,
  )
  const selectDue = db
    .prepare<[number, number], TicketId>(
      `SELECT id FROM ticket WHERE state = 'held' AND fire_at <= ? AND held_for IS NULL ORDER BY fire_at, id LIMIT ?`,
    )
    .pluck()
  const memory = kitchenMemory(db)
  const { withItems } = shownTickets(db)
  const stationExists = db.prepare<[StationId], number>('SELECT 1 FROM station WHERE id = ?').pluck()

  const work = (
    id: TicketId,
    what: TicketDeed,
    changed: (ticket: ShownTicket) => Change | Refusal | null,
  ): Acted<{ ticket: ShownTicket }> => run(id, order => apply(order, id, what, changed))

  function fire(id: TicketId, what: 'ticket fired' | null) {
    const write = what === null ? tickets.fireByItself : tickets.fire
    return work(id, what, ({ state }) =>
      state === 'held' ? { lines: [], write: (_, at) => write(id, at) } : { refused: 'not held', ticket: id, state },
    )
  }

  return {
    /**
     * The open tickets of a station or (null) of all, and those that were voided in the last 15 minutes, the oldest first, then
     * the held ones, the next first: 200 of them, and how many more there are. Refuses an unknown station.
     */
    list(stationId: StationId | null): { tickets: ShownTicket[]; more: number } | Refusal<'unknown station'> {
      if (stationId !== null && stationExists.get(stationId) === undefined) {
        return { refused: 'unknown station', station: stationId }
      }
      const inSight = { stationId, voidSince: now() - VOID_SHOWN_MS }
      const seen = selectInSight.all({ ...inSight, most: MOST_SHOWN })
      const all = seen.length < MOST_SHOWN ? seen.length : (countInSight.get(inSight) ?? 0)
      return { tickets: withItems(seen), more: all - seen.length }
    },

    /**
     * What `list` would have shown at an instant, without its bound, from the kitchen's history; the notes of an order and the
     * planned time of a held ticket are the current ones. Refuses an unknown station, and an instant before the history begins.
     */
    at(stationId: StationId | null, instant: number): ShownTicket[] | Refusal<'unknown station' | 'not remembered'> {
      if (stationId !== null && stationExists.get(stationId) === undefined) {
        return { refused: 'unknown station', station: stationId }
      }
      const start = memory.start()
      if (start === undefined || instant < start)
        return { refused: 'not remembered', since: start ?? null, timezone: siteZone() }
      const voidSince = instant - VOID_SHOWN_MS
      const then = memory.at(instant, voidSince)
      for (const [id, { state, closedAt }] of then) {
        const isInSight = state === 'void' ? (closedAt ?? 0) >= voidSince : state !== 'done'
        if (!isInSight) then.delete(id)
      }
      const today = withItems(selectThese.all(JSON.stringify([...then.keys()])))
      return today
        .filter(ticket => stationId === null || ticket.stationId === stationId)
        .map(ticket => {
          const { state = ticket.state, openedAt = ticket.openedAt, lines } = then.get(ticket.id) ?? {}
          const items = ticket.items.map(item => ({ ...item, state: lines?.get(item.lineId) ?? item.state }))
          return { ...ticket, state, openedAt, items }
        })
        .sort((a, b) => Number(a.state === 'held') - Number(b.state === 'held'))
    },

    /**
     * The events after a sequence number, at most 1,000 in their order; 0 is the beginning. Sequence numbers have no gaps, so a
     * screen can tell whether it has missed any.
     */
    since: (seq: number): TicketEvent[] => memory.since(seq),

    /** The events from one instant to another, at most the last 500, in their order, with what they are about. */
    around: memory.around,

    /** The tickets of an order, in the order in which they were made. */
    ofOrder: (orderId: OrderId): ShownTicket[] => withItems(selectOfOrder.all(orderId)),

    /** The events of an order's tickets, in their order. */
    eventsOfOrder: memory.ofOrder,

    ticket: one,

    /** Marks a line of a ticket, or (null) all its open lines, as done. */
    bump: (id: TicketId, lineId: OrderLineId | null) =>
      work(id, 'ticket bumped', ({ items, state }) => {
        if (state === 'held') return { refused: 'ticket held', ticket: id }
        const open = items.filter(item => item.state === 'open')
        if (open.length === 0) return { refused: 'nothing open', ticket: id }
        if (lineId === null) return setLines(id, idsOf(open), 'done')
        const line = items.find(item => item.lineId === lineId)
        if (!line) return { refused: 'unknown ticket line', ticket: id }
        if (line.state !== 'open') return { refused: 'line not open', ticket: id, name: line.name, state: line.state }
        return setLines(id, [lineId], 'done')
      }),

    /** Reopens every done line of a ticket. */
    recall: (id: TicketId) =>
      work(id, 'ticket recalled', ({ items }) => {
        const done = items.filter(item => item.state === 'done')
        if (done.length === 0) return { refused: 'nothing done', ticket: id }
        return setLines(id, idsOf(done), 'open')
      }),

    /**
     * Holds an open ticket until an instant (UTC milliseconds) or (null) until a person fires it; a ticket that is already held
     * gets the new time. Refuses an instant that has passed.
     */
    hold: (id: TicketId, fireAt: number | null): Acted<{ ticket: ShownTicket }> =>
      work(id, 'ticket held', ({ state, fireAt: before, timezone }) => {
        if (state !== 'open' && state !== 'held') return { refused: 'nothing open', ticket: id }
        if (fireAt !== null && fireAt <= now()) return { refused: 'time has passed', until: fireAt, timezone }
        if (state === 'held' && fireAt === before) return null
        return { lines: [], write: (_, at) => tickets.hold(id, { fireAt }, at) }
      }),

    /** Sends a held ticket to its station. */
    fire: (id: TicketId): Acted<{ ticket: ShownTicket }> => fire(id, 'ticket fired'),

    /** Whether the time of a held ticket has come. */
    isAnyDue: (): boolean => selectDue.get(now(), 1) !== undefined,

    /** Fires held tickets whose time has come, at most 50; returns how many. */
    fireDue(): number {
      const due = selectDue.all(now(), MOST_FIRED)
      return due.filter(id => !isRefused(fire(id, null))).length
    },
  }
}

function idsOf(items: ShownItem[]): OrderLineId[] {
  return items.map(({ lineId }) => lineId)
}
