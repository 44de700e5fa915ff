import { noPrice, type SoldRow, soldItem } from './branches.ts'
import { plainDescription, plainTitle } from './file/plain-text.ts'
import { isNo, isYes, type Row, refuseChain, type Table } from './file/table.ts'
import {
  categoryOf,
  emptyLocation,
  type ForeignGroup,
  type ForeignLocation,
  type ForeignMenu,
  itemKeys,
  keyOf,
} from './menu.ts'
import { type Price, type PriceStyle, readPrice } from './prices.ts'
import { taxesOf } from './taxes.ts'

/** True for the header of Square's item library, as it is exported today or was before 2024. */
export function isSquareHeader(names: Set<string>): boolean {
  const hasItems = names.has('item name') || (names.has('name') && names.has('variation name'))
  return hasItems && (names.has('token') || names.has('reference handle')) && names.has('price')
}

const perLocation = ['Enabled', 'Price', 'Current Quantity', 'New Quantity', 'Stock Alert Enabled', 'Stock Alert Count']
const modifierColumn = /^Modifier Set - (.+)$/is

/** The texts of all prices, which tell how they are written. */
export function squarePrices({ columns, rows, cell }: Table): Set<string> {
  const priced = columns.filter(name => /^price( |$)/i.test(name))
  return new Set(rows.flatMap(row => priced.map(name => cell(row, name))))
}

/**
 * Reads Square's item library: the rows of one name and category are the sizes of one dish; one size named "Regular" is none.
 * Prices by location become branch prices, modifier sets (of which the file has only names) empty groups.
 */
export function squareMenu(table: Table, style: PriceStyle): ForeignMenu {
  const menu: ForeignMenu = { categories: new Map(), groups: [], locations: locationsOf(table), unknown: [] }
  const groups = groupsOf(table, menu)
  const titles = categoryTitles(table)
  for (const rows of dishesOf(table).values()) {
    const [first] = rows
    if (!first) continue
    const place = `row ${first.number}`
    const title = plainTitle(table.cell(first, 'Customer-facing Name') || nameOf(table, first), place)
    const [path, ...others] = categoriesOf(table, first)
    if (path === undefined) {
      menu.unknown.push({ place, message: `"${title}" has no category; it stands in "Menu".` })
    } else if (others.length > 0) {
      const names = others.map(other => other.join(' > '))
      menu.unknown.push({
        place,
        message: `"${title}" stands in "${path.join(' > ')}" only, not also in ${names.join(', ')}.`,
      })
    }
    const category = plainTitle(path ? titles(path) : '', place) || 'Menu'
    const codes = rows.flatMap(row => codesOf(table, row))
    const dish = {
      keys: itemKeys(codes, category, title),
      title,
      description: plainDescription(table.cell(first, 'Description'), place),
      isAlcohol: rows.some(row => isYes(table.cell(row, 'Contains Alcohol'))),
      groups: groups
        .filter(({ column }) => rows.some(row => isYes(table.cell(row, column))))
        .map(({ group }) => ({ group, min: null, max: null })),
    }
    const item = soldItem(menu, dish, rowsOf(table, rows, menu, style))
    if (item) categoryOf(menu, category, path?.join(' > ')).items.push(item)
  }
  menu.unknown.push(...taxesOf(table))
  return menu
}

function nameOf(table: Table, row: Row): string {
  return table.cell(row, 'Item Name') || table.cell(row, 'Name')
}

/** The rows of each dish. A row without a name belongs to the dish above it. */
function dishesOf(table: Table): Map<string, Row[]> {
  const dishes = new Map<string, Row[]>()
  let key = ''
  for (const row of table.rows) {
    const name = nameOf(table, row)
    if (name !== '') key = `${keyOf(name)}\n${keyOf(categoriesText(table, row))}`
    if (key === '') continue
    const rows = dishes.get(key)
    if (rows) rows.push(row)
    else dishes.set(key, [row])
  }
  return dishes
}

function codesOf(table: Table, row: Row): string[] {
  return [`token ${table.cell(row, 'Token')}`, `handle ${table.cell(row, 'Reference Handle')}`].filter(code =>
    / ./.test(code),
  )
}

function rowsOf(table: Table, rows: Row[], menu: ForeignMenu, style: PriceStyle): SoldRow[] {
  return rows.map((row): SoldRow => {
    const place = `row ${row.number}`
    const values = [1, 2, 3, 4, 5, 6].map(nth => table.cell(row, `Option Value ${nth}`)).filter(value => value !== '')
    const named = plainTitle(table.cell(row, 'Variation Name') || values.join(', '), place)
    const isPlain = named === '' || (rows.length === 1 && keyOf(named) === 'regular')
    const size = isPlain && rows.length === 1 ? null : named || 'Regular'
    const read = (text: string): Price => (text === '' ? noPrice : readPrice(text, style))
    return {
      size,
      keys: [codesOf(table, row)],
      published: !isYes(table.cell(row, 'Archived')) && !isNo(table.cell(row, 'Sellable')),
      price: read(table.cell(row, 'Price')),
      branches: new Map(
        menu.locations.map(location => [
          location,
          {
            enabled: !isNo(table.cell(row, `Enabled ${location.title}`)),
            price: read(table.cell(row, `Price ${location.title}`)),
          },
        ]),
      ),
      place,
    }
  })
}

function locationsOf({ columns }: Table): ForeignLocation[] {
  const names = new Set<string>()
  for (const column of columns) {
    const prefix = perLocation.find(each => column.toLowerCase().startsWith(`${each.toLowerCase()} `))
    if (prefix) names.add(column.slice(prefix.length + 1).trim())
  }
  refuseChain(names)
  return names.size === 0 ? [emptyLocation(null)] : [...names].map(emptyLocation)
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

function categoriesText(table: Table, row: Row): string {
  return table.cell(row, 'Categories') || table.cell(row, 'Category') || table.cell(row, 'Reporting Category')
}

/** The paths of a dish's categories: "Drinks > Hot, Lunch" are two; a backslash takes its meaning from the sign after it. */
function categoriesOf(table: Table, row: Row): string[][] {
  const paths: string[][] = [['']]
  const isOld = table.find('Categories') === undefined
  const text = categoriesText(table, row)
  if (isOld) return text === '' ? [] : [[text]]
  for (const [sign] of text.matchAll(/\\.|[^\\]|\\$/gsu)) {
    const path = paths.at(-1) ?? []
    if (sign === ',') paths.push([''])
    else if (sign === '>') path.push('')
    else path.push(`${path.pop()}${sign.length > 1 && sign.startsWith('\\') ? sign.slice(1) : sign}`)
  }
  return paths.map(path => path.map(part => part.trim()).filter(part => part !== '')).filter(path => path.length > 0)
}

/** Names a category by the last part of its path, or by all of it where two paths end in the same part. */
function categoryTitles(table: Table): (path: string[]) => string {
  const paths = new Map<string, Set<string>>()
  for (const row of table.rows) {
    const path = categoriesOf(table, row)[0] ?? []
    const last = keyOf(path.at(-1) ?? '')
    paths.set(last, (paths.get(last) ?? new Set()).add(keyOf(path.join(' > '))))
  }
  return path => ((paths.get(keyOf(path.at(-1) ?? ''))?.size ?? 0) > 1 ? path.join(' – ') : (path.at(-1) ?? ''))
}
