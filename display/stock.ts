import type { ShelfItem } from '../store/stock/inventory.ts'
import { type Column, count, quantity, words } from './cell.ts'
import { type Language, sentences } from './language.ts'

/** Quantities on hand are in millionths. */
const STOCK_DECIMALS = 6

export const stockColumns: Column<ShelfItem>[] = [
  { key: 'location_id', head: 'location', cell: item => count(item.locationId) },
  { key: 'id', head: 'id', cell: item => count(item.id) },
  { key: 'title', head: 'stock', cell: item => words(item.title) },
  { key: 'on_hand', head: 'on hand', cell: item => quantity(item.onHand, STOCK_DECIMALS, item.unit) },
  { key: 'level', head: '', cell: item => words(levelText(item)) },
  { key: 'blocks', head: '', cell: item => words(blockText(item)) },
]

/** What is off the menu for lack of stock; empty if nothing is. */
export function blockText({ blocks }: Pick<ShelfItem, 'blocks'>, language: Language = 'en'): string {
  return blocks.length === 0 ? '' : stockWords[language].blocks(blocks.join(', '))
}

/** Whether staff should look at an item; null if not. */
export function levelText(
  { onHand, isLow }: Pick<ShelfItem, 'onHand' | 'isLow'>,
  language: Language = 'en',
): string | null {
  const { miscounted, low } = stockWords[language]
  return onHand < 0 ? miscounted : isLow ? low : null
}

const stockWords = sentences({
  miscounted: { en: 'count it', de: 'bitte zählen', pt: 'contar' },
  low: { en: 'low', de: 'knapp', pt: 'a acabar' },
  blocks: {
    en: (titles: string) => `off the menu: ${titles}`,
    de: titles => `nicht auf der Karte: ${titles}`,
    pt: titles => `fora da ementa: ${titles}`,
  },
})

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
