import type { Db } from '../file/open.ts'
import type { PricedModifier } from '../ordering/pricing.ts'
import type { ItemId, ModifierId, OrderLineId, VariationId } from '../terms/ids.ts'
import { share } from '../terms/money.ts'
import { type InCurrency, type Period, sold } from './period.ts'
import { compareText } from './sales.ts'

/** What was sold of an item, or of one of its variations. The amounts add up to the subtotal of the sales. */
export interface DishSales extends InCurrency {
  itemId: ItemId
  variationId: VariationId | null
  /** As the last of these orders calls it. */
  name: string
  lines: number
  qtyMilli: number
  amount: number
}

/**
 * What was sold of a modifier. One row of each currency has no modifier: the dishes at their own price. With it the amounts
 * add up to the subtotal of the sales.
 */
export interface ModifierSales extends InCurrency {
  modifierId: ModifierId | null
  group: string | null
  /** As the last of these orders calls it. */
  title: string | null
  /** Thousandths of units: how often it was chosen times how many dishes. */
  qtyMilli: number
  /** The part of them that was included in the price (decision C5). */
  freeMilli: number
  amount: number
}

interface SameLines extends InCurrency {
  modifiers: string | null
  qtyMilli: number
  modifiersTotal: number
  lines: number
  amount: number
  last: number
}

/** The items and modifiers of the sales. Lines that an edit has removed are not included. */
export function dishes(db: Db) {
  // CROSS JOIN makes SQLite start with the orders of the period.
  const linesSold = `FROM orders CROSS JOIN order_line ON order_line.order_id = orders.id
      WHERE ${sold} AND order_line.removed_at IS NULL`
  // Most of the time goes into sorting lines into groups, so they are sorted without what can be looked up afterwards.
  const selectDishes = db.prepare<Period, Omit<DishSales, 'name'> & { last: OrderLineId }>(
    `SELECT currency, max(exponent) AS exponent, item_id AS itemId, variation_id AS variationId,
            max(order_line.id) AS last, count(*) AS lines, sum(qty_milli) AS qtyMilli, sum(total_minor) AS amount
       ${linesSold}
      GROUP BY currency, item_id, variation_id ORDER BY currency, amount DESC, item_id, variation_id`,
  )
  const selectName = db.prepare<[OrderLineId], string>('SELECT name FROM order_line WHERE id = ?').pluck()
  // Guests often make the same choices, so there are far fewer groups than lines.
  const selectSameLines = db.prepare<Period, SameLines>(
    `SELECT currency, max(exponent) AS exponent, modifiers, qty_milli AS qtyMilli, modifiers_minor AS modifiersTotal, count(*) AS lines,
            sum(total_minor) AS amount, max(order_line.id) AS last ${linesSold}
      GROUP BY currency, modifiers, qty_milli ORDER BY last`,
  )

  function modifiers(period: Period): ModifierSales[] {
    const found = new Map<string, ModifierSales>()
    function rowOf({ currency, exponent }: InCurrency, id: ModifierId | null): ModifierSales {
      const key = `${currency} ${id}`
      let row = found.get(key)
      if (!row) {
        row = {
          currency,
          exponent,
          modifierId: id,
          group: null,
          title: null,
          qtyMilli: 0,
          freeMilli: 0,
          amount: 0,
        }
        found.set(key, row)
      }
      return row
    }
    for (const same of selectSameLines.all(period)) {
      const chosen: PricedModifier[] = same.modifiers === null ? [] : JSON.parse(same.modifiers)
      const dish = rowOf(same, null)
      dish.qtyMilli += same.lines * same.qtyMilli
      dish.amount += same.amount - same.lines * share(same.modifiersTotal, same.qtyMilli, 1000)
      // A line is rounded once, so its choices share the rounded whole: each gets what the sum so far grows by.
      let soFar = 0
      for (const { id, title, group, qty, free, price } of chosen) {
        const row = rowOf(same, id)
        const before = share(soFar, same.qtyMilli, 1000)
        soFar += (qty - free) * price
        row.title = title
        row.group = group
        row.qtyMilli += same.lines * same.qtyMilli * qty
        row.freeMilli += same.lines * same.qtyMilli * free
        row.amount += same.lines * (share(soFar, same.qtyMilli, 1000) - before)
      }
    }
    return [...found.values()].sort(
      (a, b) =>
        compareText(a.currency, b.currency) ||
        Number(a.modifierId !== null) - Number(b.modifierId !== null) ||
        b.amount - a.amount ||
        Number(a.modifierId) - Number(b.modifierId),
    )
  }

  return {
    items: (period: Period): DishSales[] =>
      selectDishes.all(period).map(({ last, ...row }) => ({ ...row, name: selectName.get(last) ?? '' })),

    modifiers,
  }
}
