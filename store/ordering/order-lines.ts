import type { OrderId, OrderLineId } from '../ids.ts'
import type { Db } from '../open.ts'
import type { OrderLine } from './orders.ts'
import type { PricedLine } from './pricing.ts'

/** The lines of orders, written inside the transaction of what causes them. */
export function orderLines(db: Db) {
  const insertLine = db.prepare<Record<string, unknown>>(
    `INSERT INTO order_line (order_id, item_id, variation_id, name, qty_milli, unit_minor, modifiers_minor, total_minor,
       notes, modifiers)
     VALUES (@orderId, @itemId, @variationId, @name, @qtyMilli, @unitPrice, @modifiersTotal, @lineTotal,
       @notes, @modifiers)`,
  )
  const removeLine = db.prepare<[number, OrderLineId]>('UPDATE order_line SET removed_at = ? WHERE id = ?')

  return {
    add: (orderId: OrderId, lines: PricedLine[]): OrderLine[] =>
      lines.map(line => {
        const modifiers = line.modifiers.length > 0 ? JSON.stringify(line.modifiers) : null
        const id = insertLine.run({ ...line, orderId, modifiers }).lastInsertRowid as OrderLineId
        return { ...line, id }
      }),

    remove(lines: Pick<OrderLine, 'id'>[], at: number): void {
      for (const { id } of lines) removeLine.run(at, id)
    },
  }
}
