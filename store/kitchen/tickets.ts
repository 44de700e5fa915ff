import type { Db } from '../file/open.ts'
import type { OrderId, OrderLineId, StationId, TicketId } from '../terms/ids.ts'

export type TicketState = 'open' | 'done' | 'void'

export interface TicketItem {
  ticketId: TicketId
  lineId: OrderLineId
  state: TicketState
}

/** What a ticket is when its items are these: open while one is, void when all are, else done (decision E2). */
export function stateOfTicket(items: TicketState[]): TicketState {
  if (items.includes('open')) return 'open'
  return items.includes('done') ? 'done' : 'void'
}

/**
 * The tickets of the kitchen: one for each order, station and batch. Everything that writes is called inside the
 * transaction of what causes it.
 */
export function tickets(db: Db) {
  const insertTicket = db.prepare<[OrderId, StationId, number, number]>(
    `INSERT INTO ticket (order_id, station_id, batch, state, opened_at) VALUES (?, ?, ?, 'open', ?)`,
  )
  const insertItem = db.prepare<[TicketId, OrderLineId]>(
    `INSERT INTO ticket_item (ticket_id, line_id, state) VALUES (?, ?, 'open')`,
  )
  const selectLastBatch = db
    .prepare<[OrderId], number>('SELECT coalesce(max(batch), 0) FROM ticket WHERE order_id = ?')
    .pluck()
  const selectStates = db
    .prepare<[OrderId], TicketState>('SELECT state FROM ticket WHERE order_id = ? ORDER BY id')
    .pluck()
  const selectItems = db.prepare<[OrderId], TicketItem>(
    `SELECT ticket_id AS ticketId, line_id AS lineId, ticket_item.state
       FROM ticket JOIN ticket_item ON ticket_id = ticket.id WHERE order_id = ? ORDER BY ticket_id, line_id`,
  )
  const updateItem = db.prepare<[TicketState, TicketId, OrderLineId]>(
    'UPDATE ticket_item SET state = ? WHERE ticket_id = ? AND line_id = ?',
  )
  const updateTicket = db.prepare<{ id: TicketId; state: TicketState; closedAt: number | null }>(
    'UPDATE ticket SET state = @state, closed_at = @closedAt WHERE id = @id',
  )

  return {
    /** Opens the tickets of an order's lines: `routed` has the indexes of `lines` for each station. */
    open(
      orderId: OrderId,
      batch: number,
      routed: ReadonlyMap<StationId, number[]>,
      lines: { id: OrderLineId }[],
      at: number,
    ): void {
      for (const [stationId, indexes] of routed) {
        const ticketId = insertTicket.run(orderId, stationId, batch, at).lastInsertRowid as TicketId
        for (const index of indexes) {
          const line = lines[index]
          if (line) insertItem.run(ticketId, line.id)
        }
      }
    },

    nextBatch: (orderId: OrderId): number => (selectLastBatch.get(orderId) ?? 0) + 1,

    /** The states of an order's tickets. */
    states: (orderId: OrderId): TicketState[] => selectStates.all(orderId),

    /** All items of an order's tickets. */
    items: (orderId: OrderId): TicketItem[] => selectItems.all(orderId),

    /** Brings items into a state, and their tickets into the one that follows from it. */
    setItems(orderId: OrderId, changed: TicketItem[], at: number): void {
      for (const { state, ticketId, lineId } of changed) updateItem.run(state, ticketId, lineId)
      for (const id of new Set(changed.map(({ ticketId }) => ticketId))) {
        const items = selectItems.all(orderId).filter(item => item.ticketId === id)
        const state = stateOfTicket(items.map(item => item.state))
        updateTicket.run({ id, state, closedAt: state === 'open' ? null : at })
      }
    },
  }
}

export type Tickets = ReturnType<typeof tickets>
