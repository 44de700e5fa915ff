import { type ForeignItem, type ForeignLocation, type ForeignMenu, type ForeignSize, type Keys, keyOf } from './menu.ts'
import type { Price } from './prices.ts'

/** A row of a table that sells something: a dish, or one of its sizes. */
export interface SoldRow {
  /** The size; null when the row is the dish itself. */
  size: string | null
  keys: Keys
  published: boolean
  /** What it costs where a branch has no price of its own. */
  price: Price
  branches: Map<ForeignLocation, { enabled: boolean; price: Price }>
  place: string
}

/** A price whose cell is empty, which is not yet a fault: a branch inherits, a base price may come from a branch. */
export const noPrice = { flaw: 'has no price' }

/**
 * Makes one dish of its rows, with the prices of the branches. A price that is not known is never guessed: a row without any
 * is left out, and where a branch's is not known the dish is switched off there. Undefined when no row has a price, or the dish
 * no title.
 */
export function soldItem(
  menu: ForeignMenu,
  dish: Omit<ForeignItem, 'price' | 'sizes' | 'published'>,
  rows: SoldRow[],
): ForeignItem | undefined {
  const titles = new Set<string>()
  const sold = rows.flatMap(row => {
    const { price: own, size, place } = row
    const base = 'amount' in own ? own : firstPrice(row)
    const isKnown = titles.has(keyOf(size ?? ''))
    titles.add(keyOf(size ?? ''))
    if (base && !isKnown && dish.title !== '') return [{ ...row, base: base.amount, hasOwn: 'amount' in own }]
    const name = size === null ? dish.title : `${dish.title} (${size})`
    const flaw = 'flaw' in own && !base ? own.flaw : isKnown ? 'has another row already' : 'has no title'
    menu.unknown.push({ place, message: `"${name}" ${flaw}, so it is left out.` })
    return []
  })
  // The size whose price is the dish's own: the first that is not archived.
  const first = sold.find(({ published }) => published) ?? sold[0]
  if (!first) return undefined
  const isSized = sold.some(({ size }) => size !== null)
  const item: ForeignItem = {
    ...dish,
    price: first.base,
    published: sold.some(({ published }) => published),
    sizes: [],
  }
  const sizes = sold.map(row => {
    const { keys, base: price, published, size } = row
    const entry: ForeignSize = { keys, title: size ?? dish.title, price, published: published || !item.published }
    if (isSized) item.sizes.push(entry)
    return { row, entry }
  })

  for (const location of menu.locations) {
    const here = sizes.map(({ row, entry }) => ({ ...branchOf(row, location), row, entry }))
    const open = here.filter(({ enabled }) => enabled)
    const unpriced = open.filter(({ isKnown }) => !isKnown)
    for (const { entry, flaw } of unpriced) {
      const name = isSized ? `${dish.title} (${entry.title})` : dish.title
      const where = location.title ?? 'this branch'
      menu.unknown.push({
        place: first.place,
        message: `"${name}" ${flaw} at ${where}, so the dish is switched off there.`,
      })
    }
    const enabled = open.length > 0 && unpriced.length === 0
    if (enabled && open.length < here.length) {
      const missing = here.filter(each => !each.enabled).map(({ entry }) => entry.title)
      const message = `"${dish.title}" is not sold as ${missing.join(', ')} at ${location.title}; sizes cannot be switched off by branch.`
      menu.unknown.push({ place: first.place, message })
    }
    const price = branchOf(first, location).price
    if (!enabled || price !== null) location.items.set(item, { enabled, price })
    if (!isSized) continue
    for (const each of here) if (each.price !== null) location.sizes.set(each.entry, each.price)
  }
  return item
}

function firstPrice({ branches }: SoldRow): { amount: number } | undefined {
  const priced = [...branches.values()].filter(({ price }) => 'amount' in price)
  const { price } = priced.find(({ enabled }) => enabled) ?? priced[0] ?? { price: noPrice }
  return 'amount' in price ? price : undefined
}

/** What a row costs at a location: null is the base price. */
function branchOf(row: SoldRow & { base: number; hasOwn: boolean }, location: ForeignLocation) {
  const branch = row.branches.get(location)
  const price = branch?.price ?? noPrice
  const enabled = branch?.enabled ?? true
  if ('amount' in price) {
    return { enabled, isKnown: true, flaw: '', price: price.amount === row.base ? null : price.amount }
  }
  return { enabled, isKnown: price === noPrice && row.hasOwn, flaw: price.flaw, price: null }
}
