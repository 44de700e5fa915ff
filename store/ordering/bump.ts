import type { Db } from '../file/open.ts'
import type { TicketState, Tickets } from '../kitchen/tickets.ts'
import type { OrderId, OrderLineId, StationId, TicketId } from '../terms/ids.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
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

// A cook who has begun must see that a ticket was taken back; after a while everybody has.
const VOID_SHOWN_MS = 15 * 60_000

type TicketRow = Omit<ShownTicket, 'items'>
interface ItemRow extends Omit<ShownItem, 'modifiers'> {
  modifiers: string | null
}

/** The work of the kitchen: what it sees, and what it says is done (decision E2). */
export function kitchen(db: Db, { acts, tickets, now }: { acts: Acts; tickets: Tickets; now: () => number }) {
  const ticketColumns = `ticket.id, station.title AS station, station_id AS stationId, ticket.state, batch,
    opened_at AS openedAt, order_id AS orderId, number AS orderNumber, orders.notes AS orderNotes, mode`
  // Each state by itself and with the index's own condition: else SQLite looks at all that ever was void.
  const selectInSight = db.prepare<{ stationId: number | null; voidSince: number }, TicketRow>(
    `SELECT ${ticketColumns}
       FROM ticket JOIN station ON station.id = station_id JOIN orders ON orders.id = order_id
      WHERE ticket.id IN (SELECT id FROM ticket WHERE state <> 'done' AND state = 'open'
                           UNION ALL
                          SELECT id FROM ticket WHERE state <> 'done' AND state = 'void' AND closed_at >= @voidSince)
        AND (@stationId IS NULL OR station_id = @stationId)
      ORDER BY ticket.id`,
  )
  const selectTicket = db.prepare<[TicketId], TicketRow>(
    `SELECT ${ticketColumns}
       FROM ticket JOIN station ON station.id = station_id JOIN orders ON orders.id = order_id WHERE ticket.id = ?`,
  )
  const selectItems = db.prepare<[TicketId], ItemRow>(
    `SELECT line_id AS lineId, state, qty_milli AS qtyMilli, name, notes, modifiers
       FROM ticket_item JOIN order_line ON order_line.id = line_id WHERE ticket_id = ? ORDER BY line_id`,
  )
  const stationExists = db.prepare<[number], number>('SELECT 1 FROM station WHERE id = ?').pluck()

  function withItems(row: TicketRow): ShownTicket {
    return {
      ...row,
      items: selectItems.all(row.id).map(({ modifiers, ...item }) => ({
        ...item,
        modifiers: modifiers === null ? [] : (JSON.parse(modifiers) as ShownItem['modifiers']),
      })),
    }
  }

  /** Changes some items of a ticket, and the order's fulfilment with them; only that is told to others (decision F1). */
  function work(
    id: TicketId,
    changed: (ticket: ShownTicket) => { lines: OrderLineId[]; state: TicketState } | Refusal,
  ): Acted<{ ticket: ShownTicket }> {
    const found = selectTicket.get(id)
    if (!found) return { refused: 'unknown ticket', ticket: id }
    return acts.run(found.orderId, order => {
      if (!isOpen(order.status)) return { refused: 'order closed', order: order.number, status: order.status }
      const ticket = shown(id) ?? withItems(found)
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
      acts.announce(order, after, 'kitchen')
      return { order: after, ticket: shown(id) ?? ticket }
    })
  }

  function shown(id: TicketId): ShownTicket | undefined {
    const row = selectTicket.get(id)
    return row && withItems(row)
  }

  return {
    /** The open tickets of a station or of all, oldest first, and such as were taken back a moment ago. */
    list: (stationId: StationId | null): ShownTicket[] =>
      selectInSight.all({ stationId, voidSince: now() - VOID_SHOWN_MS }).map(withItems),

    ticket: shown,

    stationExists: (id: number): boolean => stationExists.get(id) === 1,

    /** Says that a line of a ticket, or (null) all that is open on it, is done. */
    bump: (id: TicketId, lineId: OrderLineId | null) =>
      work(id, ({ items }) => {
        const open = items.filter(item => item.state === 'open')
        if (open.length === 0) return { refused: 'nothing open', ticket: id }
        if (lineId === null) return { lines: open.map(item => item.lineId), state: 'done' }
        const line = items.find(item => item.lineId === lineId)
        if (!line) return { refused: 'unknown ticket line', ticket: id }
        if (line.state !== 'open') return { refused: 'line not open', ticket: id, name: line.name, state: line.state }
        return { lines: [lineId], state: 'done' }
      }),

    /** Takes back that anything on a ticket is done. */
    recall: (id: TicketId) =>
      work(id, ({ items }) => {
        const done = items.filter(item => item.state === 'done')
        if (done.length === 0) return { refused: 'nothing done', ticket: id }
        return { lines: done.map(item => item.lineId), state: 'open' }
      }),
  }
}
