import type { Db } from '../file/open.ts'
import type { OrderId, StockId } from '../terms/ids.ts'
import { type MovementKind, stockMovements } from './movements.ts'
import { addDemand, changesMenu, type Demand, demandOf, type Portion, type Recipes } from './recipes.ts'

/** The statuses at which orders can take their stock (decision E3). */
export const depletionStatuses = ['placed', 'confirmed', 'completed'] as const
export type DepleteAt = (typeof depletionStatuses)[number]

// Beyond this, sums of quantities are no longer exact; no store room has that much.
const LARGEST_DEMAND = 1e15

/** What lines take together, and the indexes of the lines for which there is too little on hand. */
export interface Fit {
  demand: Demand
  /** What is then left on hand of everything that a line needs. */
  left: Demand
  short: number[]
}

/**
 * Stock as orders use it (decision E3). All functions are called inside the transaction of the order, in which nothing else
 * writes, so that what `fit` finds is still there for `deduct`. Functions that write return whether the menu changes.
 */
export function orderStock(db: Db) {
  const movements = stockMovements(db)
  const selectHeld = db.prepare<[OrderId], { stockId: StockId; qty: number }>(
    `SELECT stock_id AS stockId, -sum(qty_micro) AS qty FROM stock_movement
      WHERE order_id = ? AND kind IN ('sold', 'returned') GROUP BY stock_id ORDER BY stock_id`,
  )

  function move(
    kind: MovementKind,
    demand: Demand,
    times: 1 | -1,
    recipes: Recipes | undefined,
    about: { orderId: OrderId; at: number; note?: string | null },
  ): boolean {
    let changed = false
    for (const [stockId, qty] of demand) {
      if (qty === 0) continue
      const before = movements.onHand(stockId)
      const { orderId, at, note = null } = about
      movements.move({ stockId, kind, qty: times * qty, orderId, note, at })
      changed = changesMenu(recipes?.portions.get(stockId), before, before + times * qty) || changed
    }
    return changed
  }

  /**
   * The sales of one transaction, in which nothing else writes: what is on hand is read once and written once, however many
   * orders share the transaction. `deduct` must be called last.
   */
  function sales() {
    const levels: Demand = new Map()
    const sold = new Map<StockId, { from: number; portions: number[] | undefined }>()

    function levelOf(stockId: StockId): number {
      let level = levels.get(stockId)
      if (level === undefined) {
        level = movements.onHand(stockId)
        levels.set(stockId, level)
      }
      return level
    }

    return {
      /**
       * Adds up what lines take, in their order; a line for which too little is left takes nothing. `returned` is about to
       * be put back, and counts as on hand.
       */
      fit(lines: Portion[], recipes: Recipes, returned?: Demand): Fit {
        const left: Demand = new Map()
        const demand: Demand = new Map()
        const short: number[] = []
        for (const [index, line] of lines.entries()) {
          const taken = demandOf(line, recipes)
          let isShort = false
          for (const [stockId, qty] of taken) {
            if (!left.has(stockId)) left.set(stockId, levelOf(stockId) + (returned?.get(stockId) ?? 0))
            if (qty > (left.get(stockId) ?? 0)) isShort = true
          }
          if (isShort) {
            short.push(index)
            continue
          }
          addDemand(left, taken, -1)
          addDemand(demand, taken)
        }
        return { demand, left, short }
      },

      /** Sells to an order what `fit` found on hand. */
      sell({ demand, left }: Fit, recipes: Recipes, orderId: OrderId, at: number): void {
        for (const [stockId, qty] of demand) {
          const after = left.get(stockId) ?? 0
          if (!sold.has(stockId)) sold.set(stockId, { from: after + qty, portions: recipes.portions.get(stockId) })
          levels.set(stockId, after)
          movements.noteSale(stockId, qty, orderId, at)
        }
      },

      /** Deducts what was sold from what is on hand. Returns whether that changes the menu. Throws when there is too little. */
      deduct(): boolean {
        let changed = false
        for (const [stockId, { from, portions }] of sold) {
          const to = levels.get(stockId) ?? 0
          if (!movements.take(stockId, from - to)) throw new Error(`stock item ${stockId} is not enough after all`)
          changed = changesMenu(portions, from, to) || changed
        }
        return changed
      },
    }
  }

  return {
    sales,

    /** Records what has been served, however little was on hand. */
    use: (demand: Demand, recipes: Recipes, orderId: OrderId, at: number): boolean =>
      move('sold', demand, -1, recipes, { orderId, at }),

    /** Puts back what an order had taken. */
    giveBack: (demand: Demand, recipes: Recipes | undefined, orderId: OrderId, at: number): boolean =>
      move('returned', demand, 1, recipes, { orderId, at }),

    /** Records stock on hand as wasted. */
    waste: (demand: Demand, recipes: Recipes | undefined, orderId: OrderId, at: number, note: string): boolean =>
      move('waste', demand, -1, recipes, { orderId, at, note }),

    /** Turns what an order had taken into waste: it is gone, but was not sold. What is on hand stays the same. */
    rebookAsWaste(demand: Demand, orderId: OrderId, at: number, note: string): void {
      move('returned', demand, 1, undefined, { orderId, at, note })
      move('waste', demand, -1, undefined, { orderId, at, note })
    },

    /** What an order has taken: sold to it and not returned. */
    heldBy: (orderId: OrderId): Demand => new Map(selectHeld.all(orderId).map(({ stockId, qty }) => [stockId, qty])),
  }
}

export type OrderStock = ReturnType<typeof orderStock>
export type Sales = ReturnType<OrderStock['sales']>

/** What lines take in all. */
export function demandOfAll(lines: Portion[], recipes: Recipes): Demand {
  const demand: Demand = new Map()
  for (const line of lines) addDemand(demand, demandOf(line, recipes))
  return demand
}

/** Whether sums with a demand are exact. */
export function isCountable(demand: Demand): boolean {
  return [...demand.values()].every(qty => qty <= LARGEST_DEMAND)
}
