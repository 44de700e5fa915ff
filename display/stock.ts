import type { ShelfItem } from '../store/stock/inventory.ts'
import { type Column, count, quantity, words } from './cell.ts'

/** Quantities on hand are in millionths. */
const STOCK_DECIMALS = 6

export const stockColumns: Column<ShelfItem>[] = [
  { key: 'location_id', head: 'location', cell: item => count(item.locationId) },
  { key: 'id', head: 'id', cell: item => count(item.id) },
  { key: 'title', head: 'stock', cell: item => words(item.title) },
  { key: 'on_hand', head: 'on hand', cell: item => quantity(item.onHand, STOCK_DECIMALS, item.unit) },
  { key: 'level', head: '', cell: item => words(item.onHand < 0 ? 'count it' : item.isLow ? 'low' : null) },
  { key: 'blocks', head: '', cell: item => words(blockText(item)) },
]

/** What is off the menu for lack of stock; empty if nothing is. */
export function blockText({ blocks }: ShelfItem): string {
  return blocks.length === 0 ? '' : `off the menu: ${blocks.join(', ')}`
}

export function stockJson({ id, locationId, title, unit, onHand, lowAt, isLow, blocks }: ShelfItem) {
  const inUnits = (qty: number) => qty / 10 ** STOCK_DECIMALS
  return {
    id,
    location_id: locationId,
    title,
    unit,
    on_hand: inUnits(onHand),
    low_at: lowAt === null ? null : inUnits(lowAt),
    is_low: isLow,
    blocks,
  }
}
