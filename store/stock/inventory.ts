import type { Db } from '../file/open.ts'
import type { Deed, Noting } from '../people/activity.ts'
import type { LocationId, StockId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'
import { refuseRemarks } from '../terms/remark.ts'
import { stockMovements } from './movements.ts'
import { changesMenu, LARGEST_STOCK, MICRO } from './recipes.ts'

/** A stock item with what is on hand; quantities are millionths of its unit. */
export interface ShelfItem {
  id: StockId
  locationId: LocationId
  title: string
  unit: string
  onHand: number
  lowAt: number | null
  isLow: boolean
  /** The titles of everything of which one unit needs more than is on hand. */
  blocks: string[]
}

export type ShelfAct = 'set' | 'add' | 'waste'

export interface ShelfContext extends Noting {
  now(): number
  markMenuChanged(): void
}

const deedOf: Record<ShelfAct, Deed> = { set: 'stock counted', add: 'stock delivered', waste: 'stock wasted' }

// People weigh and count with three decimals.
const FINEST = 1000

/** Counting, receiving and wasting stock by hand, and listing what is on hand. */
export function shelf(db: Db, { now, markMenuChanged, note: noteAct }: ShelfContext) {
  const movements = stockMovements(db)
  const selectAll = db.prepare<[], Omit<ShelfItem, 'isLow' | 'blocks'>>(
    `SELECT id, location_id AS locationId, title, unit, on_hand_micro AS onHand, low_at_milli * 1000 AS lowAt
       FROM stock_item WHERE position IS NOT NULL ORDER BY location_id, position, id`,
  )
  const selectPortions = db.prepare<[StockId], { portion: number; title: string }>(
    `SELECT qty_milli * 1000 AS portion,
            CASE kind WHEN 'item' THEN (SELECT title FROM item WHERE id = target_id)
                      WHEN 'modifier' THEN (SELECT title FROM modifier WHERE id = target_id)
                      ELSE (SELECT coalesce(item.title || ' (' || variation.title || ')', variation.title)
                              FROM variation LEFT JOIN item ON item.id = item_id WHERE variation.id = target_id)
            END AS title
       FROM recipe_line WHERE stock_id = ? ORDER BY position`,
  )
  const selectOne = db.prepare<[StockId], { title: string; unit: string }>(
    'SELECT title, unit FROM stock_item WHERE id = ? AND position IS NOT NULL',
  )

  function shown(row: Omit<ShelfItem, 'isLow' | 'blocks'>): ShelfItem {
    const blocked = selectPortions.all(row.id).filter(({ portion }) => row.onHand < portion)
    return {
      ...row,
      isLow: row.lowAt !== null && row.onHand <= row.lowAt,
      blocks: blocked.map(({ title }) => title),
    }
  }

  const write = db.transaction((id: StockId, act: ShelfAct, qty: number, note: string | null): Refusal | undefined => {
    const isWhole = Number.isSafeInteger(qty / FINEST) && qty <= LARGEST_STOCK * MICRO
    if (!isWhole || qty < (act === 'set' ? 0 : FINEST)) return { refused: 'invalid quantity', most: LARGEST_STOCK }
    const refusal = refuseRemarks({ note })
    if (refusal) return refusal
    const item = selectOne.get(id)
    if (!item) return { refused: 'unknown stock item', stock: id }
    const before = movements.onHand(id)
    const after = act === 'set' ? qty : act === 'add' ? before + qty : before - qty
    if (act === 'waste' && after < 0) return { refused: 'more than on hand', ...item, onHand: before }
    if (after > LARGEST_STOCK * MICRO) return { refused: 'too much stock', most: LARGEST_STOCK }
    if (after === before) return undefined
    const at = now()
    movements.move({ stockId: id, kind: act, qty: after - before, orderId: null, note, at })
    const amount = (micro: number) => `${micro / MICRO} ${item.unit}`
    noteAct(
      { what: deedOf[act], subject: `stock ${id} ${item.title}`, was: amount(before), became: amount(after) },
      { at },
    )
    const portions = selectPortions.all(id).map(({ portion }) => portion)
    if (changesMenu(portions, before, after)) markMenuChanged()
    return undefined
  })

  return {
    /** All stock items that the restaurant has now, by location. */
    list: (): ShelfItem[] => selectAll.all().map(shown),

    /**
     * Sets what is on hand to what was counted, adds a delivery, or subtracts what was thrown away. `qty` is in millionths
     * of the unit, with at most three decimals of it. Refuses 0 except for `set`, to throw away more than is on hand, and
     * more than `LARGEST_STOCK`.
     */
    change: (id: StockId, act: ShelfAct, qty: number, note: string | null): Refusal | undefined =>
      write.immediate(id, act, qty, note),
  }
}
