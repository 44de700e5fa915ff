import type { Db } from '../file/open.ts'
import { kitchenMemory, type TicketEvent } from '../kitchen/memory.ts'
import type { HeldFor, TicketLineState, TicketState, Tickets } from '../kitchen/tickets.ts'
import type { OrderId, OrderLineId, StationId, TicketId } from '../terms/ids.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
import { groupBy } from '../terms/rows.ts'
import type { Acted, Acts, OrderState } from './act.ts'
import { fulfilmentOf, isOpen } from './status.ts'

/** A ticket as a station shows it. */
export interface ShownTicket {
  id: TicketId
  station: string
  stationId: StationId
  state: TicketState
  batch: number
  openedAt: number
  /** Of a held ticket, when it is fired automatically; null: only when a person fires it. */
  fireAt: number | null
  /** Whether its lines were added after the order was placed. */
  isAdded: boolean
  /** What a held ticket waits for besides its time or a person; null: nothing else. */
  heldFor: HeldFor | null
  orderId: OrderId
  orderNumber: number
  orderNotes: string | null
  mode: string | null
  tableTitle: string | null
  /** When the guest wants it; null: as soon as possible. */
  wantedAt: number | null
  deliveryAddress: string | null
  deliveryPostcode: string | null
  /** The location's time zone. */
  timezone: string
  items: ShownItem[]
}

export interface ShownItem {
  lineId: OrderLineId
  state: TicketLineState
  qtyMilli: number
  name: string
  notes: string | null
  modifiers: { title: string; qty: number }[]
}

// The list needs a bound, because a kitchen that never bumps its tickets would make it grow without end.
const MOST_SHOWN = 200

// Fired at a time, so that orders do not wait long after a pause; the next check fires the rest.
const MOST_FIRED = 50

// A cook who has begun must see that a ticket was voided. After a while the notice is no longer needed.
const VOID_SHOWN_MS = 15 * 60_000

type TicketRow = Omit<ShownTicket, 'items' | 'isAdded'> & { isAdded: number }
interface ItemRow extends Omit<ShownItem, 'modifiers'> {
  ticketId: TicketId
  modifiers: string | null
}
interface InSight {
  stationId: StationId | null
  voidSince: number
}

/** A change of a ticket: the lines that it applies to, and how it is written. */
interface Change {
  lines: OrderLineId[]
  write(order: OrderState, at: number): void
}

export interface KitchenContext {
  acts: Acts
  tickets: Tickets
  now(): number
  siteZone(): string
}

/** The work of the kitchen: the tickets that it sees, marking their items as done, holding and firing them (decision E2). */
export function kitchen(db: Db, { acts, tickets, now, siteZone }: KitchenContext) {
  const ticketColumns = `ticket.id, station.title AS station, station_id AS stationId, ticket.state, batch,
    opened_at AS openedAt, fire_at AS fireAt, held_for AS heldFor,
    EXISTS (SELECT 1 FROM ticket_event WHERE ticket_id = ticket.id AND what = 'added') AS isAdded, order_id AS orderId, number AS orderNumber, orders.notes AS orderNotes, mode, table_title AS tableTitle,
    wanted_at AS wantedAt, delivery_address AS deliveryAddress, delivery_postcode AS deliveryPostcode, timezone`
  // Each state is selected separately, in the order of the index and with its own condition: otherwise SQLite reads every void
  // ticket of the past, or sorts every open one.
  const openIds = `SELECT id FROM ticket WHERE state <> 'done' AND state = 'open' AND closed_at IS NULL
                      AND (@stationId IS NULL OR station_id = @stationId)`
  const voidIds = `SELECT id FROM ticket WHERE state <> 'done' AND state = 'void' AND closed_at >= @voidSince
                      AND (@stationId IS NULL OR station_id = @stationId)`
  const heldIds = openIds.replaceAll(`'open'`, `'held'`)
  const rows = `SELECT ${ticketColumns}
       FROM ticket JOIN station ON station.id = station_id JOIN orders ON orders.id = order_id
            JOIN location ON location.id = orders.location_id`
  const selectInSight = db.prepare<InSight & { most: number }, TicketRow>(
    `${rows}
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
  const selectTicket = db.prepare<[TicketId], TicketRow>(`${rows} WHERE ticket.id = ?`)
  const selectTickets = db.prepare<[string], TicketRow>(
    `${rows} WHERE ticket.id IN (SELECT value FROM json_each(?)) ORDER BY ticket.id`,
  )
  const selectOfOrder = db.prepare<[OrderId], TicketRow>(`${rows} WHERE ticket.order_id = ? ORDER BY ticket.id`)
  const selectDue = db
    .prepare<[number, number], TicketId>(
      `SELECT id FROM ticket WHERE state = 'held' AND fire_at <= ? AND held_for IS NULL ORDER BY fire_at, id LIMIT ?`,
    )
    .pluck()
  const memory = kitchenMemory(db)
  const selectItems = db.prepare<[string], ItemRow>(
    `SELECT ticket_id AS ticketId, line_id AS lineId, state, qty_milli AS qtyMilli, name, notes, modifiers
       FROM ticket_item JOIN order_line ON order_line.id = line_id
      WHERE ticket_id IN (SELECT value FROM json_each(?)) ORDER BY ticket_id, line_id`,
  )
  const stationExists = db.prepare<[StationId], number>('SELECT 1 FROM station WHERE id = ?').pluck()

  function withItems(rows: TicketRow[]): ShownTicket[] {
    const items = groupBy(selectItems.all(JSON.stringify(rows.map(({ id }) => id))), ({ ticketId }) => ticketId)
    return rows.map(row => ({ ...row, isAdded: row.isAdded === 1, items: (items.get(row.id) ?? []).map(itemOf) }))
  }

  /**
   * Changes a ticket, and with it the order's fulfilment; only the latter causes an event (decision F1). `what` is the act of a
   * person; null: the ticket's time has come. `changed` returns null if nothing would change; then nothing is written.
   */
  function work(
    id: TicketId,
    what: 'ticket bumped' | 'ticket recalled' | 'ticket held' | 'ticket fired' | null,
    changed: (ticket: ShownTicket) => Change | Refusal | null,
  ): Acted<{ ticket: ShownTicket }> {
    const found = selectTicket.get(id)
    if (!found) return { refused: 'unknown ticket', ticket: id }
    return acts.run(found.orderId, order => {
      if (!isOpen(order.status)) return { refused: 'order closed', order: order.number, status: order.status }
      const ticket = shown(id)
      if (!ticket) return { refused: 'unknown ticket', ticket: id }
      const wanted = changed(ticket)
      if (isRefused(wanted)) return wanted
      if (wanted === null) return { order, ticket }
      const before = order.fulfillmentStatus
      if (before === 'out_for_delivery' || before === 'fulfilled') {
        return { refused: 'left the kitchen', ticket: id, fulfilment: before }
      }
      wanted.write(order, acts.moment(order).at)
      const fulfillmentStatus = fulfilmentOf(tickets.states(order.id), before)
      const after = fulfillmentStatus === before ? order : acts.save({ ...order, fulfillmentStatus })
      if (what === null) acts.recordByItself(order, after)
      else acts.record(order, after, { what, subject: subjectOf(ticket, wanted.lines) })
      return { order: after, ticket: shown(id) ?? ticket }
    })
  }

  function setLines(ticketId: TicketId, lines: OrderLineId[], state: TicketLineState): Change {
    const items = lines.map(lineId => ({ ticketId, lineId, state }))
    return { lines, write: (order, at) => tickets.setItems(order.id, items, at) }
  }

  function fire(id: TicketId, what: 'ticket fired' | null) {
    const write = what === null ? tickets.fireByItself : tickets.fire
    return work(id, what, ({ state }) =>
      state === 'held' ? { lines: [], write: (_, at) => write(id, at) } : { refused: 'not held', ticket: id, state },
    )
  }

  function shown(id: TicketId): ShownTicket | undefined {
    const row = selectTicket.get(id)
    return row && withItems([row])[0]
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
      const today = withItems(selectTickets.all(JSON.stringify([...then.keys()])))
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

    /** The tickets of an order, in the order in which they were made. */
    ofOrder: (orderId: OrderId): ShownTicket[] => withItems(selectOfOrder.all(orderId)),

    /** The events of an order's tickets, in their order. */
    eventsOfOrder: memory.ofOrder,

    ticket: shown,

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

function itemOf({ ticketId: _, modifiers, ...item }: ItemRow): ShownItem {
  return { ...item, modifiers: modifiers === null ? [] : (JSON.parse(modifiers) as ShownItem['modifiers']) }
}

/** "ticket 7", or "ticket 7: Soup" when only that line of several was changed. */
function subjectOf({ id, items }: ShownTicket, lines: OrderLineId[]): string {
  const line = items.length > 1 && lines.length === 1 ? items.find(({ lineId }) => lineId === lines[0]) : undefined
  return `ticket ${id}${line ? `: ${line.name}` : ''}`
}
