import type { Db } from '../file/open.ts'
import type { TicketState, Tickets } from '../kitchen/tickets.ts'
import type { OrderId, OrderLineId, StationId, TicketId } from '../terms/ids.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
import { groupBy } from '../terms/rows.ts'
import type { Acted, Acts } from './act.ts'
import { fulfilmentOf, isOpen } from './status.ts'

/** A ticket as the people at a station read it. */
export interface ShownTicket {
  id: TicketId
  station: string
  stationId: StationId
  state: TicketState
  batch: number
  openedAt: number
  orderId: OrderId
  orderNumber: number
  orderNotes: string | null
  mode: string | null
  items: ShownItem[]
}

export interface ShownItem {
  lineId: OrderLineId
  state: TicketState
  qtyMilli: number
  name: string
  notes: string | null
  modifiers: { title: string; qty: number }[]
}

// Nobody reads further than this; a list without a bound is what a kitchen that never bumps would make of it.
const MOST_SHOWN = 200

// A cook who has begun must see that a ticket was voided; after a while everybody has.
const VOID_SHOWN_MS = 15 * 60_000

type TicketRow = Omit<ShownTicket, 'items'>
interface ItemRow extends Omit<ShownItem, 'modifiers'> {
  ticketId: TicketId
  modifiers: string | null
}
interface InSight {
  stationId: StationId | null
  voidSince: number
}

/** The work of the kitchen: the tickets that it sees, and marking their items as done (decision E2). */
export function kitchen(db: Db, { acts, tickets, now }: { acts: Acts; tickets: Tickets; now: () => number }) {
  const ticketColumns = `ticket.id, station.title AS station, station_id AS stationId, ticket.state, batch,
    opened_at AS openedAt, order_id AS orderId, number AS orderNumber, orders.notes AS orderNotes, mode`
  // Each state by itself, in the order of the index and with its own condition: otherwise SQLite reads every void ticket there
  // ever was, or sorts every open one.
  const openIds = `SELECT id FROM ticket WHERE state <> 'done' AND state = 'open' AND closed_at IS NULL
                      AND (@stationId IS NULL OR station_id = @stationId)`
  const voidIds = `SELECT id FROM ticket WHERE state <> 'done' AND state = 'void' AND closed_at >= @voidSince
                      AND (@stationId IS NULL OR station_id = @stationId)`
  const selectInSight = db.prepare<InSight & { most: number }, TicketRow>(
    `SELECT ${ticketColumns}
       FROM ticket JOIN station ON station.id = station_id JOIN orders ON orders.id = order_id
      WHERE ticket.id IN (SELECT id FROM (${openIds} ORDER BY id LIMIT @most)
                           UNION ALL
                          SELECT id FROM (${voidIds} ORDER BY id LIMIT @most))
      ORDER BY ticket.id LIMIT @most`,
  )
  const countInSight = db
    .prepare<InSight, number>(`SELECT (SELECT count(*) FROM (${openIds})) + (SELECT count(*) FROM (${voidIds}))`)
    .pluck()
  const selectTicket = db.prepare<[TicketId], TicketRow>(
    `SELECT ${ticketColumns}
       FROM ticket JOIN station ON station.id = station_id JOIN orders ON orders.id = order_id WHERE ticket.id = ?`,
  )
  const selectItems = db.prepare<[string], ItemRow>(
    `SELECT ticket_id AS ticketId, line_id AS lineId, state, qty_milli AS qtyMilli, name, notes, modifiers
       FROM ticket_item JOIN order_line ON order_line.id = line_id
      WHERE ticket_id IN (SELECT value FROM json_each(?)) ORDER BY ticket_id, line_id`,
  )
  const stationExists = db.prepare<[StationId], number>('SELECT 1 FROM station WHERE id = ?').pluck()

  function withItems(rows: TicketRow[]): ShownTicket[] {
    const items = groupBy(selectItems.all(JSON.stringify(rows.map(({ id }) => id))), ({ ticketId }) => ticketId)
    return rows.map(row => ({ ...row, items: (items.get(row.id) ?? []).map(itemOf) }))
  }

  /** Changes some items of a ticket, and the order's fulfilment with them; only the latter makes an event (decision F1). */
  function work(
    id: TicketId,
    what: 'ticket bumped' | 'ticket recalled',
    changed: (ticket: ShownTicket) => { lines: OrderLineId[]; state: TicketState } | Refusal,
  ): Acted<{ ticket: ShownTicket }> {
    const found = selectTicket.get(id)
    if (!found) return { refused: 'unknown ticket', ticket: id }
    return acts.run(found.orderId, order => {
      if (!isOpen(order.status)) return { refused: 'order closed', order: order.number, status: order.status }
      const ticket = shown(id)
      if (!ticket) return { refused: 'unknown ticket', ticket: id }
      const wanted = changed(ticket)
      if (isRefused(wanted)) return wanted
      const before = order.fulfillmentStatus
      if (before === 'out_for_delivery' || before === 'fulfilled') {
        return { refused: 'left the kitchen', ticket: id, fulfilment: before }
      }
      const { lines, state } = wanted
      tickets.setItems(
        order.id,
        lines.map(lineId => ({ ticketId: id, lineId, state })),
        acts.moment(order).at,
      )
      const fulfillmentStatus = fulfilmentOf(tickets.states(order.id), before)
      const after = fulfillmentStatus === before ? order : acts.save({ ...order, fulfillmentStatus })
      acts.record(order, after, { what, subject: subjectOf(ticket, lines) })
      return { order: after, ticket: shown(id) ?? ticket }
    })
  }

  function shown(id: TicketId): ShownTicket | undefined {
    const row = selectTicket.get(id)
    return row && withItems([row])[0]
  }

  return {
    /**
     * The open tickets of a station or (null) of all, and those that were voided in the last 15 minutes: the oldest 200,
     * and how many more there are. Refuses an unknown station.
     */
    list(stationId: StationId | null): { tickets: ShownTicket[]; more: number } | Refusal<'unknown station'> {
      if (stationId !== null && stationExists.get(stationId) === undefined) {
        return { refused: 'unknown station', station: stationId }
      }
      const inSight = { stationId, voidSince: now() - VOID_SHOWN_MS }
      const rows = selectInSight.all({ ...inSight, most: MOST_SHOWN })
      const all = rows.length < MOST_SHOWN ? rows.length : (countInSight.get(inSight) ?? 0)
      return { tickets: withItems(rows), more: all - rows.length }
    },

    ticket: shown,

    /** Marks a line of a ticket, or (null) everything that is open on it, as done. */
    bump: (id: TicketId, lineId: OrderLineId | null) =>
      work(id, 'ticket bumped', ({ items }) => {
        const open = items.filter(item => item.state === 'open')
        if (open.length === 0) return { refused: 'nothing open', ticket: id }
        if (lineId === null) return { lines: open.map(item => item.lineId), state: 'done' }
        const line = items.find(item => item.lineId === lineId)
        if (!line) return { refused: 'unknown ticket line', ticket: id }
        if (line.state !== 'open') return { refused: 'line not open', ticket: id, name: line.name, state: line.state }
        return { lines: [lineId], state: 'done' }
      }),

    /** Marks everything on a ticket that is done as open again. */
    recall: (id: TicketId) =>
      work(id, 'ticket recalled', ({ items }) => {
        const done = items.filter(item => item.state === 'done')
        if (done.length === 0) return { refused: 'nothing done', ticket: id }
        return { lines: done.map(item => item.lineId), state: 'open' }
      }),
  }
}

function itemOf({ ticketId: _, modifiers, ...item }: ItemRow): ShownItem {
  return { ...item, modifiers: modifiers === null ? [] : (JSON.parse(modifiers) as ShownItem['modifiers']) }
}

/** "ticket 7", or "ticket 7: Soup" when only that line of several was meant. */
function subjectOf({ id, items }: ShownTicket, lines: OrderLineId[]): string {
  const line = items.length > 1 && lines.length === 1 ? items.find(({ lineId }) => lineId === lines[0]) : undefined
  return `ticket ${id}${line ? `: ${line.name}` : ''}`
}
