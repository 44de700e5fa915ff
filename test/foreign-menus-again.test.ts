import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { type Converted, convertMenu } from '../store/foreign-menus/convert.ts'
import {
  parseRestaurantFile,
  type RestaurantFile,
  writeRestaurantFile,
} from '../store/restaurant-file/restaurant-file.ts'
import { root } from './support/folders.ts'

function fileOf(restaurant: unknown): RestaurantFile {
  return parseRestaurantFile(JSON.stringify(restaurant)).file
}

function first(source: Buffer | string): Converted {
  const conversion = convertMenu(Buffer.from(source), { currency: 'EUR' })
  if (!conversion.ok) assert.fail(conversion.refusal)
  return conversion
}

/** Converts what the same source exports later; `file` is what has become of the first restaurant file. */
function again(before: Converted, source: Buffer | string, file = fileOf(before.restaurant)): Converted {
  const { kind, currency, timeZone, ids } = before
  const conversion = convertMenu(Buffer.from(source), { earlier: { kind, currency, timeZone, ids, file } })
  if (!conversion.ok) assert.fail(conversion.refusal)
  return conversion
}

/** The ids of all dishes and sizes by their titles. */
function ids({ restaurant }: Converted): Record<string, number> {
  const items = fileOf(restaurant).categories.flatMap(category => category.items)
  const entries = items.flatMap(item => [
    [item.title, item.id] as const,
    ...item.variations.map(size => [`${item.title} (${size.title})`, size.id] as const),
  ])
  return Object.fromEntries(entries)
}

for (const name of ['square-items.csv', 'loyverse-items.csv', 'uber-eats-menu.json', 'menu.txt']) {
  test(`converting ${name} a second time changes nothing`, () => {
    const source = readFileSync(join(root, 'examples/moving-in', name))
    const conversion =
      name === 'square-items.csv' ? convertMenu(source, { currency: 'GBP' }) : convertMenu(source, { currency: 'EUR' })
    if (!conversion.ok) assert.fail(conversion.refusal)
    assert.deepEqual(again(conversion, source), conversion)
  })
}

const header = 'Token,Item Name,Variation Name,Categories,Price'

test('a dish keeps its id by its token, whatever becomes of its name, category, price and place', () => {
  const before = first([header, 'a,Soup,Regular,Food,5.00', 'b,Pie,Regular,Food,9.00'].join('\n'))
  const after = again(before, [header, 'b,Steak pie,Regular,Mains,9.50', 'a,Broth,Regular,Starters,5.50'].join('\n'))
  assert.deepEqual(ids(before), { Soup: 1, Pie: 2 })
  assert.deepEqual(ids(after), { 'Steak pie': 2, Broth: 1 })
})

test('a size keeps its id by its token, also when it was the only one or a new one comes before it', () => {
  const before = first([header, 'a,Tea,Small,Food,2.00', 'b,Tea,Large,Food,3.00'].join('\n'))
  const after = again(
    before,
    [header, 'c,Tea,Mini,Food,1.00', 'b,Tea,Big,Food,3.00', 'a,Tea,Small,Food,2.00'].join('\n'),
  )
  assert.deepEqual(ids(after), { Tea: 1, 'Tea (Mini)': 3, 'Tea (Big)': 2, 'Tea (Small)': 1 })
})

test('without a token a dish keeps its id by category and title, and by its title alone when it has moved', () => {
  const before = first('Mains\nSoup … 5,00\nPie … 9,00\n')
  const after = again(before, 'Starters\nSoup … 5,50\n\nMains\nFish … 12,00\nPie … 9,00\n')
  assert.deepEqual(ids(after), { Soup: 1, Fish: 3, Pie: 2 })
})

test('a new dish of the same title in another category does not take the id of the old one', () => {
  const before = first('Lunch\nSalad … 5,00\n')
  const dinner = again(before, 'Dinner\nSalad … 8,00\n\nLunch\nSalad … 5,00\n')
  const items = fileOf(dinner.restaurant).categories.map(({ title, items: [item] }) => [title, item?.id])
  assert.deepEqual(items, [
    ['Dinner', 2],
    ['Lunch', 1],
  ])
})

test('the id of a dish that has gone is not given to another, and is there when the dish comes back', () => {
  const before = first('Food\nSoup … 5,00\nPie … 9,00\n')
  const without = again(before, 'Food\nSoup … 5,00\nFish … 12,00\n')
  const back = again(without, 'Food\nPie … 9,00\nFish … 12,00\nEgg … 2,00\n')
  assert.deepEqual(
    [ids(without), ids(back)],
    [
      { Soup: 1, Fish: 3 },
      { Pie: 2, Fish: 3, Egg: 4 },
    ],
  )
})

test('ids that were added to the restaurant file by hand are not given to others', () => {
  const before = first('Food\nSoup … 5,00\n')
  const edited = fileOf(before.restaurant)
  const [category] = edited.categories
  const [soup] = category?.items ?? []
  assert.ok(category && soup)
  category.items.push({ ...soup, id: 40, title: 'Of the house' })
  const after = again(before, 'Food\nSoup … 5,00\nPie … 9,00\n', fileOf(writeRestaurantFile(edited)))
  assert.deepEqual(ids(after), { Soup: 1, Pie: 41 })
})

test('a source of another kind is not converted with the ids of the first', () => {
  const { kind, currency, timeZone, ids: kept, restaurant } = first('Food\nSoup … 5,00\n')
  const earlier = { kind, currency, timeZone, ids: kept, file: fileOf(restaurant) }
  const conversion = convertMenu(Buffer.from([header, 'a,Soup,Regular,Food,5.00'].join('\n')), { earlier })
  assert.deepEqual(conversion, {
    ok: false,
    refusal: 'is of another kind (square) than what was converted before (text)',
  })
})
