import { noPrice, type SoldRow, soldItem } from './branches.ts'
import { plainDescription, plainTitle } from './file/plain-text.ts'
import { isNo, isYes, type Row, refuseChain, type Table } from './file/table.ts'
import {
  categoryOf,
  emptyLocation,
  type ForeignGroup,
  type ForeignItem,
  type ForeignLocation,
  type ForeignMenu,
  type ForeignSize,
  itemKeys,
  keyOf,
} from './menu.ts'
import { type Price, type PriceStyle, readPrice } from './prices.ts'
import { taxesOf } from './taxes.ts'

/** True for the header of Loyverse's item list. */
export function isLoyverseHeader(names: Set<string>): boolean {
  return ['handle', 'sku', 'name', 'category', 'sold by weight'].every(name => names.has(name))
}

const storeColumn = /^(?:Available for sale|Price|In stock|Low stock) \[(.+)\]$/i
const modifierColumn = /^Modifier - ?"?(.+?)"?$/i

/** The texts of all prices, which tell how they are written. */
export function loyversePrices({ columns, rows, cell }: Table): Set<string> {
  const priced = columns.filter(name => /^(default )?price( \[|$)/i.test(name))
  return new Set(rows.flatMap(row => priced.map(name => cell(row, name))))
}

/** What a SKU stands for: the dish or the size, and the row that tells how much of it there is. */
interface Sku {
  item: ForeignItem | undefined
  size: ForeignSize | null
  title: string
  row: Row
}

/**
 * Reads Loyverse's item list: the rows of one handle are the sizes of one dish, or what it is made of. Prices by store become
 * branch prices, included items that are counted the recipes of stock items, modifiers (only names) empty groups. The decimal
 * mark is a point.
 */
export function loyverseMenu(table: Table, style: PriceStyle): ForeignMenu {
  const stores = storesOf(table)
  const menu: ForeignMenu = {
    categories: new Map(),
    groups: [],
    locations: stores.map(({ location }) => location),
    unknown: [],
  }
  const groups = groupsOf(table, menu)
  const skus = new Map<string, Sku>()
  const recipes: { item: ForeignItem; row: Row }[] = []
  const dishes = dishesOf(table)
  const included = new Set(table.rows.map(row => table.cell(row, 'SKU of included item')).filter(sku => sku !== ''))

  for (const rows of dishes) {
    const [first] = rows
    if (!first) continue
    const place = `row ${first.number}`
    const title = plainTitle(table.cell(first, 'Name'), place)
    const named = plainTitle(table.cell(first, 'Category'), place)
    const category = named || 'Menu'
    const sellable = rows.filter(row => row === first || isSize(table, row))
    const sold = sellable.map(row => soldRow(table, row, stores, { ...style, mark: '.' }))
    const isIngredient =
      sellable.every(row => included.has(table.cell(row, 'SKU'))) && sold.every(({ published }) => !published)
    const handle = table.cell(first, 'Handle')
    const dish = {
      keys: itemKeys(handle === '' ? [] : [`handle ${handle}`], category, title),
      title,
      description: plainDescription(table.cell(first, 'Description'), place),
      isAlcohol: false,
      groups: groups
        .filter(({ column }) => rows.some(row => isYes(table.cell(row, column))))
        .map(({ group }) => ({ group, min: null, max: null })),
    }
    const item = isIngredient ? undefined : soldItem(menu, dish, sold)
    for (const [at, row] of sellable.entries()) {
      const sku = table.cell(row, 'SKU')
      const size = item?.sizes.find(({ title: name }) => name === sold[at]?.size) ?? null
      if (sku !== '') skus.set(sku, { item, size, title, row })
    }
    if (!item) continue
    if (rows.some(row => isYes(table.cell(row, 'Sold by weight')))) {
      item.published = false
      menu.unknown.push({
        place,
        message: `"${title}" is sold by weight, which a menu cannot say; it is not published.`,
      })
    }
    if (named === '') menu.unknown.push({ place, message: `"${title}" has no category; it stands in "Menu".` })
    categoryOf(menu, category).items.push(item)
    for (const row of rows) if (table.cell(row, 'SKU of included item') !== '') recipes.push({ item, row })
  }
  for (const { item, row } of recipes)
    addRecipe(table, menu, stores, skus.get(table.cell(row, 'SKU of included item')), item, row)
  const uncounted = [...skus].filter(([sku, { row }]) => isYes(table.cell(row, 'Track stock')) && !included.has(sku))
  if (uncounted.length > 0) {
    const message = `${uncounted.length} counted items are part of no other; their counts are not taken over (docs/stock.md).`
    menu.unknown.push({ place: 'the column Track stock', message })
  }
  menu.unknown.push(...taxesOf(table))
  return menu
}

interface Store {
  location: ForeignLocation
  /** The name of one of its columns. */
  column(name: string): string
}

function storesOf({ columns }: Table): Store[] {
  const names = new Set(columns.flatMap(column => storeColumn.exec(column)?.[1] ?? []))
  refuseChain(names)
  if (names.size === 0) return [{ location: emptyLocation(null), column: name => name }]
  return [...names].map(store => ({ location: emptyLocation(store), column: name => `${name} [${store}]` }))
}

function groupsOf({ columns }: Table, menu: ForeignMenu): { column: string; group: ForeignGroup }[] {
  return columns.flatMap(column => {
    const title = plainTitle(modifierColumn.exec(column)?.[1] ?? '', 'the header')
    if (title === '') return []
    const group = { keys: [[keyOf(title)]], title, isSingle: false, min: 0, max: 0, options: [] }
    menu.groups.push(group)
    return [{ column, group }]
  })
}

/** The rows of each dish: those of one handle, and those without handle and name below them. */
function dishesOf(table: Table): Row[][] {
  const dishes: Row[][] = []
  const byHandle = new Map<string, Row[]>()
  let current: Row[] | undefined
  for (const row of table.rows) {
    const handle = table.cell(row, 'Handle')
    const known = byHandle.get(handle)
    if (known) current = known
    else if (table.cell(row, 'Name') !== '') {
      current = []
      dishes.push(current)
      if (handle !== '') byHandle.set(handle, current)
    }
    current?.push(row)
  }
  return dishes
}

function sizeOf(table: Table, row: Row): string {
  const values = [1, 2, 3].map(nth => table.cell(row, `Option ${nth} value`)).filter(value => value !== '')
  return plainTitle(values.join(' / '), `row ${row.number}`)
}

function isSize(table: Table, row: Row): boolean {
  return sizeOf(table, row) !== '' || (table.cell(row, 'SKU') !== '' && table.cell(row, 'SKU of included item') === '')
}

function soldRow(table: Table, row: Row, stores: Store[], style: PriceStyle): SoldRow {
  const read = (text: string): Price => (text === '' ? noPrice : readPrice(text, style))
  const isSold = ({ column }: Store) => !isNo(table.cell(row, column('Available for sale')))
  const sku = table.cell(row, 'SKU')
  return {
    size: sizeOf(table, row) || null,
    keys: [sku === '' ? [] : [`sku ${sku}`]],
    published: stores.some(isSold),
    price: read(table.cell(row, 'Default price')),
    branches: new Map(
      stores.map(store => [
        store.location,
        { enabled: isSold(store), price: read(table.cell(row, store.column('Price'))) },
      ]),
    ),
    place: `row ${row.number}`,
  }
}

/** Adds what one row says that a dish is made of, at each store that counts it. */
function addRecipe(
  table: Table,
  menu: ForeignMenu,
  stores: Store[],
  part: Sku | undefined,
  item: ForeignItem,
  row: Row,
): void {
  const place = `row ${row.number}`
  const sku = table.cell(row, 'SKU of included item')
  const qty = readPrice(table.cell(row, 'Quantity of included item'), { currency: '', mark: '.' })
  if (!part) {
    menu.unknown.push({ place, message: `"${item.title}" includes the SKU ${sku}, which no row has.` })
  } else if ('flaw' in qty || qty.amount === 0 || qty.amount > 1_000_000_000) {
    menu.unknown.push({ place, message: `"${item.title}" includes "${part.title}" without a usable quantity.` })
  } else if (!isYes(table.cell(part.row, 'Track stock'))) {
    menu.unknown.push({
      place,
      message: `"${item.title}" includes "${part.title}", which is not counted, so it has no recipe.`,
    })
  } else {
    for (const { location, column } of stores) {
      const onHand = readPrice(table.cell(part.row, column('In stock')), { currency: '', mark: '.' })
      if ('flaw' in onHand) {
        const message = `The stock of "${part.title}" cannot be read, so it is not counted at ${location.title ?? 'the branch'}.`
        menu.unknown.push({ place: `row ${part.row.number}`, message })
        continue
      }
      const keys = [[`sku ${sku} ${keyOf(location.title ?? '')}`]]
      let stock = location.stock.find(each => each.keys[0]?.[0] === keys[0]?.[0])
      if (!stock) {
        const lowAt = readPrice(table.cell(part.row, column('Low stock')), { currency: '', mark: '.' })
        stock = {
          keys,
          title: part.title,
          onHand: onHand.amount,
          lowAt: 'amount' in lowAt ? lowAt.amount : null,
          recipe: part.item ? [{ item: part.item, size: part.size, qty: 1000 }] : [],
        }
        location.stock.push(stock)
      }
      const known = stock.recipe.find(line => line.item === item && line.size === null)
      if (known) known.qty += qty.amount
      else stock.recipe.push({ item, size: null, qty: qty.amount })
    }
  }
}
