import type { Db } from '../file/open.ts'
import type { Deed, Noting } from '../people/activity.ts'
import type { LocationId, StockId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'
import { refuseRemarks } from '../terms/remark.ts'
import { type MovementKind, stockMovements } from './movements.ts'
import { changesMenu, LARGEST_STOCK, MICRO, type RecipeKind } from './recipes.ts'

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

/** A stock item of which one unit of a part of the menu needs more than is on hand. */
export interface Shortage {
  locationId: LocationId
  kind: RecipeKind
  /** The part of the menu. */
  id: number
  stockId: StockId
  title: string
  unit: string
  /** Millionths of the unit. */
  onHand: number
}

/** One change of what is on hand. */
export interface ShelfMovement {
  id: number
  stockId: StockId
  title: string
  unit: string
  kind: MovementKind
  /** Millionths of the unit; negative: what it took. */
  qty: number
  /** The number of the order that caused it; null: a person or an import. */
  orderNumber: number | null
  note: string | null
  /** Who did it; null: an order, an import, or from before that was recorded. */
  actor: string | null
  at: number
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
export function shelf(db: Db, { now, markMenuChanged, actor, note: noteAct }: ShelfContext) {
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
  const selectShortages = db.prepare<[], Shortage>(
    `SELECT location_id AS locationId, kind, target_id AS id, stock_id AS stockId, title, unit, on_hand_micro AS onHand
       FROM recipe_line JOIN stock_item ON stock_item.id = stock_id
      WHERE stock_item.position IS NOT NULL AND on_hand_micro < qty_milli * 1000 ORDER BY stock_id`,
  )
  const selectMovements = db.prepare<{ since: number; stock: StockId | null; most: number }, ShelfMovement>(
    `SELECT movement.id, stock_id AS stockId, title, unit, kind, qty_micro AS qty, orders.number AS orderNumber, note,
            actor, at
       FROM stock_movement AS movement JOIN stock_item ON stock_item.id = stock_id
       LEFT JOIN orders ON orders.id = order_id
      WHERE at >= @since AND (@stock IS NULL OR stock_id = @stock) ORDER BY at DESC, movement.id DESC LIMIT @most`,
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

  const write = db.transaction(({ id, act, qty, note, was, clientRef }: ShelfChange): Refusal | undefined => {
    const isWhole = Number.isSafeInteger(qty / FINEST) && qty <= LARGEST_STOCK * MICRO
    if (!isWhole || qty < (act === 'set' ? 0 : FINEST)) return { refused: 'invalid quantity', most: LARGEST_STOCK }
    const refusal = refuseRemarks({ note, reference: clientRef })
    if (refusal) return refusal
    const item = selectOne.get(id)
    if (!item) return { refused: 'unknown stock item', stock: id }
    const earlier = clientRef === undefined ? undefined : movements.byRef(id, clientRef)
    if (earlier) {
      const isSame = earlier.kind === act && Math.abs(earlier.qty) === qty
      return isSame ? undefined : { refused: 'reference used', reference: clientRef ?? '', entry: earlier.id }
    }
    const before = movements.onHand(id)
    if (was !== null && was !== before && qty !== before)
      return { refused: 'stock moved', ...item, was, onHand: before }
    const after = act === 'set' ? qty : act === 'add' ? before + qty : before - qty
    if (act === 'waste' && after < 0) return { refused: 'more than on hand', ...item, onHand: before }
    if (after > LARGEST_STOCK * MICRO) return { refused: 'too much stock', most: LARGEST_STOCK }
    if (after === before) return undefined
    const at = now()
    movements.move({
      stockId: id,
      kind: act,
      qty: after - before,
      orderId: null,
      note,
      actor: actor().name,
      clientRef,
      at,
    })
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

    /** What is too little for one unit of a part of the menu. */
    shortages: (): Shortage[] => selectShortages.all(),

    /** The changes since an instant, newest first: at most `most`, of one stock item or (null) of all. */
    movements: (since: number, stock: StockId | null, most: number): ShelfMovement[] =>
      selectMovements.all({ since, stock, most }),

    /**
     * Sets what is on hand to what was counted, adds a delivery, or subtracts what was thrown away. `qty` is in millionths
     * of the unit, with at most three decimals of it. Refuses 0 except for `set`, to throw away more than is on hand, and
     * more than `LARGEST_STOCK`. With `was`, what the person saw on hand, refuses if that has changed since. A repeated
     * `clientRef` is booked only once, and refused if it belongs to something else.
     */
    change: (
      id: StockId,
      act: ShelfAct,
      qty: number,
      note: string | null,
      was: number | null = null,
      clientRef?: string,
    ): Refusal | undefined => write.immediate({ id, act, qty, note, was, clientRef }),
  }
}

interface ShelfChange {
  id: StockId
  act: ShelfAct
  qty: number
  note: string | null
  was: number | null
  clientRef: string | undefined
}
