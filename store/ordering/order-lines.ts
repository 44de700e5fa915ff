import type { Db } from '../file/open.ts'
import type { OrderId, OrderLineId } from '../terms/ids.ts'
import type { OrderLine } from './orders.ts'
import type { PricedLine } from './pricing.ts'

/** The lines of orders, written inside the transaction of what causes them. */
export function orderLines(db: Db) {
  const insertLine = db.prepare<Record<string, unknown>>(
    `INSERT INTO order_line (order_id, item_id, variation_id, name, qty_milli, unit_minor, modifiers_minor, total_minor,
       notes, modifiers, tax_ppm)
     VALUES (@orderId, @itemId, @variationId, @name, @qtyMilli, @unitPrice, @modifiersTotal, @lineTotal,
       @notes, @modifiers, @taxPpm)`,
  )
  const removeLine = db.prepare<[number, OrderLineId]>('UPDATE order_line SET removed_at = ? WHERE id = ?')

  // Field by field: to spread one object into another takes longer than to write it to the file.
  function write(orderId: OrderId, ownPpm: number, line: PricedLine): OrderLine {
    const id = insertLine.run({
      orderId,
      itemId: line.itemId,
      variationId: line.variationId,
      name: line.name,
      qtyMilli: line.qtyMilli,
      unitPrice: line.unitPrice,
      modifiersTotal: line.modifiersTotal,
      lineTotal: line.lineTotal,
      notes: line.notes,
      modifiers: line.modifiers.length > 0 ? JSON.stringify(line.modifiers) : null,
      taxPpm: line.taxPpm === ownPpm ? null : line.taxPpm,
    }).lastInsertRowid as OrderLineId
    return Object.assign(line, { id })
  }

  return {
    /** Writes lines of an order whose own rate of tax is `taxPpm`. */
    add: (orderId: OrderId, { taxPpm }: { taxPpm: number | null }, lines: PricedLine[]): OrderLine[] =>
      lines.map(line => write(orderId, taxPpm ?? 0, line)),

    remove(lines: Pick<OrderLine, 'id'>[], at: number): void {
      for (const { id } of lines) removeLine.run(at, id)
    },
  }
}
