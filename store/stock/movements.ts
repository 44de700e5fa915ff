import type { Db } from '../file/open.ts'
import type { OrderId, StockId } from '../terms/ids.ts'

/** Why stock changed: counted, delivered, thrown away, sold with an order, or returned by one. */
export type MovementKind = 'set' | 'add' | 'waste' | 'sold' | 'returned'

export interface Movement {
  stockId: StockId
  kind: MovementKind
  /** Millionths of the unit: what it adds; negative: what it takes. */
  qty: number
  orderId: OrderId | null
  note: string | null
  /** Who did it by hand, by name. */
  actor?: string
  /** Made by the form that caused it: a movement by hand with the same reference is recorded once. */
  clientRef?: string | undefined
  at: number
}

/**
 * The only code that changes how much is on hand: each change is stored as a movement, so that what is on hand is always
 * their sum (decision E3). Called inside the transaction of what causes it; quantities are millionths of the unit.
 */
export function stockMovements(db: Db) {
  const selectOnHand = db.prepare<[StockId], number>('SELECT on_hand_micro FROM stock_item WHERE id = ?').pluck()
  const change = db.prepare<[number, StockId]>('UPDATE stock_item SET on_hand_micro = on_hand_micro + ? WHERE id = ?')
  const takeWhatIsThere = db.prepare<{ id: StockId; qty: number }>(
    'UPDATE stock_item SET on_hand_micro = on_hand_micro - @qty WHERE id = @id AND on_hand_micro >= @qty',
  )
  const insert = db.prepare<[StockId, MovementKind, number, OrderId | null, string | null, number]>(
    'INSERT INTO stock_movement (stock_id, kind, qty_micro, order_id, note, at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const insertByHand = db.prepare<Omit<Movement, 'clientRef'> & { actor: string; clientRef: string | null }>(
    `INSERT INTO stock_movement (stock_id, kind, qty_micro, order_id, note, at, actor, client_ref)
     VALUES (@stockId, @kind, @qty, @orderId, @note, @at, @actor, @clientRef)`,
  )

  const selectByRef = db.prepare<[StockId, string], { id: number; kind: MovementKind; qty: number }>(
    'SELECT id, kind, qty_micro AS qty FROM stock_movement WHERE stock_id = ? AND client_ref = ?',
  )

  function move(movement: Movement): void {
    const { stockId, kind, qty, orderId, note, actor, at } = movement
    change.run(qty, stockId)
    if (actor === undefined) insert.run(stockId, kind, qty, orderId, note, at)
    else insertByHand.run({ ...movement, actor, clientRef: movement.clientRef ?? null })
  }

  return {
    onHand: (id: StockId): number => selectOnHand.get(id) ?? 0,

    move,

    /** The movement of a stock item that has a reference. */
    byRef: (id: StockId, clientRef: string) => selectByRef.get(id, clientRef),

    /** Stores the movement of a sale; `take` subtracts its amount before the transaction ends. */
    noteSale(id: StockId, qty: number, orderId: OrderId, at: number): void {
      insert.run(id, 'sold', -qty, orderId, null, at)
    },

    /** Subtracts from what is on hand, or does nothing when that is too little: checked and done in one statement. */
    take: (id: StockId, qty: number): boolean => takeWhatIsThere.run({ id, qty }).changes === 1,

    /** Makes what is on hand equal to what was counted. */
    count(id: StockId, counted: number, note: string | null, at: number): void {
      const difference = counted - (selectOnHand.get(id) ?? 0)
      if (difference !== 0) move({ stockId: id, kind: 'set', qty: difference, orderId: null, note, at })
    },
  }
}
