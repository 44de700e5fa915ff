import type { Db } from '../file/open.ts'
import type { MovementKind } from '../stock/movements.ts'
import { businessDate, dayAfter, timeZone } from '../terms/clock.ts'
import type { LocationId, StockId } from '../terms/ids.ts'
import type { Period } from './period.ts'

/** How stock moved in a period: millionths of the unit. change = delivered + counted − sold + returned − wasted. */
export interface StockUse {
  stockId: StockId
  locationId: LocationId
  title: string
  unit: string
  delivered: number
  /** How much more (negative: less) than expected was counted. */
  counted: number
  sold: number
  returned: number
  wasted: number
  change: number
  /** What is on hand now, not at the end of the period. */
  onHand: number
}

interface Moved {
  stockId: StockId
  kind: MovementKind
  qty: number
}

const columnOf = {
  add: ['delivered', 1],
  set: ['counted', 1],
  sold: ['sold', -1],
  returned: ['returned', 1],
  waste: ['wasted', -1],
} as const satisfies Record<MovementKind, readonly [keyof StockUse, 1 | -1]>

// Longer than any change of the clock, so that all movements between two such margins are on one side of midnight.
const MARGIN = 3 * 3_600_000

/** What stock was used for. Movements have instants; their business date follows from the local time of the location. */
export function stockUse(db: Db) {
  const selectLocations = db.prepare<[], { id: LocationId; timezone: string; dayStartsAt: string }>(
    `SELECT id, timezone, day_starts_at AS dayStartsAt FROM location
      WHERE EXISTS (SELECT 1 FROM stock_item WHERE location_id = location.id) ORDER BY position, id`,
  )
  const selectItems = db.prepare<[LocationId], Pick<StockUse, 'stockId' | 'locationId' | 'title' | 'unit' | 'onHand'>>(
    `SELECT id AS stockId, location_id AS locationId, title, unit, on_hand_micro AS onHand
       FROM stock_item WHERE location_id = ? ORDER BY position IS NULL, position, id`,
  )
  const selectSums = db.prepare<{ locationId: LocationId; from: number; until: number }, Moved>(
    `SELECT stock_id AS stockId, kind, sum(qty_micro) AS qty
       FROM stock_movement CROSS JOIN stock_item ON stock_item.id = stock_id
      WHERE at >= @from AND at < @until AND location_id = @locationId GROUP BY stock_id, kind`,
  )
  const selectEach = db.prepare<{ locationId: LocationId; from: number; until: number }, Moved & { at: number }>(
    `SELECT at, stock_id AS stockId, kind, qty_micro AS qty
       FROM stock_movement CROSS JOIN stock_item ON stock_item.id = stock_id
      WHERE at >= @from AND at < @until AND location_id = @locationId`,
  )

  return (period: Period): StockUse[] =>
    selectLocations.all().flatMap(({ id, timezone, dayStartsAt }) => {
      if (period.locationId !== null && period.locationId !== id) return []
      const zone = timeZone(timezone)
      const start = zone.instantOf(period.from, `${dayStartsAt}:00`)
      const end = zone.instantOf(dayAfter(period.to), `${dayStartsAt}:00`)
      const between = (from: number, until: number) => ({ locationId: id, from, until })
      // If the clock is set back across the start of the day, that start is not a single instant, so movements near it are checked
      // one by one.
      const near = [start, end].flatMap(edge => selectEach.all(between(edge - MARGIN, edge + MARGIN)))
      const moved: Moved[] = near.filter(({ at }) => {
        const date = businessDate(zone.at(at), dayStartsAt)
        return period.from <= date && date <= period.to
      })
      moved.push(...selectSums.all(between(start + MARGIN, end - MARGIN)))

      const rows = new Map<StockId, StockUse>()
      for (const item of selectItems.all(id)) {
        const nothing = { delivered: 0, counted: 0, sold: 0, returned: 0, wasted: 0, change: 0 }
        rows.set(item.stockId, { ...item, ...nothing })
      }
      for (const { stockId, kind, qty } of moved) {
        const row = rows.get(stockId)
        if (!row) continue
        const [column, sign] = columnOf[kind]
        row[column] += sign * qty
        row.change += qty
      }
      return [...rows.values()]
    })
}
