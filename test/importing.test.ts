import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { changesBetween } from '../store/restaurant-file/changes.ts'
import { mergeRestaurants, waysToImport } from '../store/restaurant-file/merge.ts'
import {
  parseRestaurantFile,
  type RestaurantFile,
  writeRestaurantFile,
} from '../store/restaurant-file/restaurant-file.ts'
import type { Store } from '../store/store.ts'
import { restaurant as anyRestaurant } from './support/arbitraries.ts'
import { restaurantFileIn, servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { accepted, why } from './support/refusals.ts'
import { importInto, openShop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'
import { withStore } from './support/store.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests bend restaurants into every shape
type Bendable = any

function withDatabase(file: string, use: (db: Database.Database) => void): void {
  const db = new Database(file)
  try {
    use(db)
  } finally {
    db.close()
  }
}

function parsed(restaurant: unknown): RestaurantFile {
  const { file, problems } = parseRestaurantFile(JSON.stringify(restaurant))
  assert.deepEqual(problems, [])
  return file
}

const exported = (store: Store) => JSON.stringify(writeRestaurantFile(store.exportCatalogue()))

test('any restaurant brought into itself stays as it is, in each way', () => {
  fc.assert(
    fc.property(anyRestaurant(), restaurant => {
      const file = parsed(restaurant)
      for (const how of waysToImport) {
        const merged = mergeRestaurants(file, file, how)
        assert.deepEqual([merged.problems, merged.warnings], [[], []], how)
        assert.deepEqual(writeRestaurantFile(merged.file), writeRestaurantFile(file), how)
        assert.deepEqual(changesBetween(file, merged.file), [], how)
      }
    }),
    { numRuns: 50 },
  )
})

test('any import can be undone, step by step, and lists a change whenever the export becomes another', t => {
  const folder = temporaryFolder(t)
  let runs = 0
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyRestaurant(), fc.constantFrom(...waysToImport)), { minLength: 1, maxLength: 4 }),
      imports => {
        withStore(
          join(folder, `${runs++}.db`),
          store => {
            const steps: string[] = []
            for (const [restaurant, how] of imports) {
              const before = exported(store)
              const { file: expected } = mergeRestaurants(store.exportCatalogue(), parsed(restaurant), how)
              const done = store.importCatalogue(parsed(restaurant), how)
              if ('refused' in done) {
                assert.equal(exported(store), before)
                continue
              }
              assert.equal(
                done.changes.length > 0,
                exported(store) !== before,
                `${how}: ${JSON.stringify(done.changes)}`,
              )
              assert.deepEqual(changesBetween(store.exportCatalogue(), expected), [])
              if (done.changes.length > 0) steps.push(before)
            }
            for (const before of steps.reverse()) {
              accepted(store.undoImport())
              assert.equal(exported(store), before)
            }
            assert.equal(why(store.undoImport()), 'There is no change of the menu that can be undone.')
          },
          { create: true },
        )
      },
    ),
    { numRuns: 25 },
  )
})

/** Imports a restaurant in a way, as a person does. */
async function bringIn(t: TestContext, file: string, restaurant: unknown, ...more: string[]) {
  return servery(file, ['import', restaurantFileIn(temporaryFolder(t), restaurant), ...more])
}

function shopFile(t: TestContext, restaurant: unknown = smallRestaurant()): string {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, restaurant)
  return file
}

const catalogueOf = (file: string): Bendable => withStore(file, store => JSON.parse(exported(store)))

const branchPrices = {
  items: [
    { id: 1, price: 7 },
    { id: 2, enabled: false },
  ],
  variations: [{ id: 2, price: 5 }],
}

test('import --how prices changes prices of what is there, base, size, option, option by size and branch, and nothing else', async t => {
  const present: Bendable = smallRestaurant(branchPrices)
  present.modifier_groups[0].modifiers[0].variation_prices = [{ variation: 1, price: 1 }]
  const file = shopFile(t, present)
  const list: Bendable = structuredClone(present)
  list.site.title = 'Other'
  list.categories[0].title = 'Other'
  list.categories[0].items.reverse()
  list.categories[0].items[2].price = 6.5
  list.categories[0].items[2].published = false
  list.categories[1].items[0].variations[1].price = 4.4
  list.modifier_groups[0].modifiers[0].price = 1.7
  list.modifier_groups[0].modifiers[0].variation_prices = [{ variation: 2, price: 2 }]
  list.modifier_groups[0].max_select = 9
  list.modifier_groups[1].modifiers.pop()
  list.locations[0].tax_rate = 7
  list.locations[0].items = [{ id: 1, price: 8 }, { id: 2 }, { id: 3, price: 21 }]
  const { code } = await bringIn(t, file, list, '--how', 'prices')
  assert.equal(code, 0)

  present.categories[0].items[0].price = 6.5
  present.categories[1].items[0].variations[1].price = 4.4
  present.modifier_groups[0].modifiers[0].price = 1.7
  present.modifier_groups[0].modifiers[0].variation_prices.push({ variation: 2, price: 2 })
  present.locations[0].items = [
    { id: 1, price: 8 },
    { id: 2, enabled: false },
    { id: 3, price: 21 },
  ]
  assert.deepEqual(catalogueOf(file), catalogueOf(shopFile(t, present)))
})

test('import --how add brings in what is not there yet, and leaves everything else as it is', async t => {
  const file = shopFile(t)
  const more: Bendable = smallRestaurant()
  more.allergens.push({ id: 2, title: 'Nuts' })
  more.modifier_groups[0].modifiers.push({ id: 9, title: 'Bacon', price: 2 })
  more.modifier_groups[0].title = 'Other'
  more.categories[0].items[0].price = 99
  more.categories[0].items[0].allergens = []
  const cake = { id: 9, title: 'Cake', price: 4, allergens: [{ id: 2, presence: 'contains' }] }
  more.categories[0].items.splice(1, 2, cake)
  more.categories[1].items[0].variations.push({ id: 9, title: 'Huge', price: 5 })
  more.categories.push({ id: 9, title: 'Sweets', items: [{ id: 10, title: 'Pudding', price: 3 }] })
  more.locations[0].items = [
    { id: 1, price: 50 },
    { id: 9, price: 4.5 },
  ]
  more.locations[0].tables = [{ id: 1, title: 'Terrace' }]
  more.locations.push({ id: 2, code: 'TWO', title: 'Two', currency: 'EUR', timezone: 'UTC' })
  const { code } = await bringIn(t, file, more, '--how', 'add')
  assert.equal(code, 0)

  const expected: Bendable = smallRestaurant()
  expected.allergens.push({ id: 2, title: 'Nuts' })
  expected.modifier_groups[0].modifiers.push({ id: 9, title: 'Bacon', price: 2 })
  expected.categories[0].items.push(cake)
  expected.categories[1].items[0].variations.push({ id: 9, title: 'Huge', price: 5 })
  expected.categories.push(more.categories[2])
  expected.locations[0].items = [{ id: 9, price: 4.5 }]
  expected.locations[0].tables = more.locations[0].tables
  expected.locations.push(more.locations[1])
  assert.deepEqual(catalogueOf(file), catalogueOf(shopFile(t, expected)))
})

const misfits: [rule: string, how: string, bend: (restaurant: Bendable) => void, problems: string[]][] = [
  [
    'prices of what is not there',
    'prices',
    r => {
      r.categories[0].items[1].id = 77
      r.categories[1].items[0].variations[0].id = 78
      r.modifier_groups[0].modifiers[1].id = 79
      r.locations[0].id = 80
      r.locations[0].items = [{ id: 1, price: 2 }]
    },
    [
      '/modifier_groups/0/modifiers/1/id: there is no modifier 79 in the restaurant',
      '/categories/0/items/1/id: there is no item 77 in the restaurant',
      '/categories/1/items/0/variations/0/id: there is no variation 78 in the restaurant',
      '/locations/0/id: there is no location 80 in the restaurant',
    ],
  ],
  [
    'the size of another dish',
    'prices',
    r => (r.categories[0].items[0].variations = r.categories[1].items[0].variations.splice(0, 1)),
    ['/categories/0/items/0/variations/0/id: is the id of a variation of another item in the restaurant'],
  ],
  [
    'the option of another group',
    'add',
    r => {
      r.modifier_groups[0].id = 9
      r.categories[0].items[1].modifier_groups[0].id = 9
    },
    [
      '/modifier_groups/0/modifiers/0/id: is the id of a modifier of another group in the restaurant',
      '/modifier_groups/0/modifiers/1/id: is the id of a modifier of another group in the restaurant',
    ],
  ],
  [
    'titles in another language',
    'add',
    r => (r.site.languages = ['en']),
    ['/site/languages/0: must be pt, because that is the language of the titles in the restaurant'],
  ],
  [
    'what contradicts the present restaurant only together with it',
    'add',
    r => {
      r.labels = [{ id: 2, code: 'vegan', title: 'Vegan' }]
      r.locations[0].stations = [{ id: 2, title: 'Bar', is_default: true }]
      r.categories.unshift({
        id: 7,
        title: 'New',
        items: [{ id: 8, title: 'Pie', price: 1, modifier_groups: [{ id: 1, min_select: 5, max_select: 6 }] }],
      })
      r.modifier_groups[0].modifiers.push({ id: 9, title: 'Bacon', price: 1 })
      r.modifier_groups[0].selection_type = 'multiple'
    },
    [
      '/labels/0/code: "vegan" is the code of another label',
      '/categories/0/items/0/modifier_groups/0/min_select: must be 0 or 1, because the group lets a guest choose a single option',
      '/locations/0/stations: has more than one is_default',
    ],
  ],
]

for (const [rule, how, bend, expected] of misfits) {
  test(`a file that does not fit is refused with all its places, and nothing is written: ${rule}`, async t => {
    const present: Bendable = smallRestaurant({ stations: [{ id: 1, title: 'Grill', is_default: true }] })
    present.site.languages = ['pt']
    present.labels = [{ id: 1, code: 'vegan', title: 'Vegan' }]
    present.modifier_groups[0].selection_type = 'single'
    present.modifier_groups[0].max_select = 1
    const file = shopFile(t, present)
    const before = catalogueOf(file)
    const brought: Bendable = smallRestaurant()
    bend(brought)
    const { code, stdout } = await bringIn(t, file, brought, '--how', how, '--json')
    const { problems } = JSON.parse(stdout)
    assert.equal(code, 1)
    assert.deepEqual(
      problems.map(({ pointer, message }: Bendable) => `${pointer}: ${message}`),
      expected,
    )
    assert.deepEqual(catalogueOf(file), before)
    withStore(file, store =>
      assert.equal(store.activity({}, 10).filter(({ what }) => what === 'menu imported').length, 1),
    )
  })
}

test('an id that has another title in the restaurant is a warning', async t => {
  const file = shopFile(t)
  const brought: Bendable = smallRestaurant()
  brought.categories[0].items[0].title = 'Burrito'
  for (const [how, what] of [
    ['add', 'it stays as it is'],
    ['prices', 'only its price changes'],
  ] as const) {
    const { stdout } = await bringIn(t, file, brought, '--how', how, '--json')
    assert.deepEqual(JSON.parse(stdout).warnings, [
      {
        pointer: '/categories/0/items/0/id',
        message: `is the id of "Soup" in the restaurant; ${what}`,
        title: 'Burrito',
      },
    ])
  }
})

test('diff and import --check show what would change, field by field, and write nothing', async t => {
  const file = shopFile(t, smallRestaurant({ tax_rate: 10 }))
  const before = catalogueOf(file)
  const next: Bendable = smallRestaurant({ tax_rate: 12.5, tables: [{ id: 1, title: 'Terrace' }] })
  next.categories[0].items[0].price = 6.9
  next.categories[0].items[0].allergens = []
  next.categories[0].items.splice(1, 1)
  next.categories[1].items[0].variations.push({ id: 3, title: 'Huge', price: 5 })
  next.modifier_groups[0].modifiers[0].price = 1.7
  next.modifier_groups[0].modifiers.pop()
  const path = restaurantFileIn(temporaryFolder(t), next)
  const expected = [
    'option 1: price 1.5 to 1.7',
    'item 1: price 6 to 6.9, allergens [{"id":"Gluten","presence":"may_contain"}] to []; loses Gluten',
    'item 2 unpublished',
    'size 3 added',
    'location 1: tax_rate 10 to 12.5',
    'table 1 added',
    'option 2 removed',
  ]
  const { code, stdout } = await servery(file, ['diff', path, '--json'])
  assert.equal(code, 0)
  const { problems, warnings, changes } = JSON.parse(stdout)
  const undeclared = { pointer: '/allergens/0', message: 'no dish and no option is declared to contain "Gluten"' }
  assert.deepEqual([problems, warnings], [[], [undeclared]])
  const spelt = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : value)
  const shown = changes.map(({ change, thing, id, fields, lost_allergens }: Bendable) => {
    const differences = fields.map(({ field, was, became }: Bendable) => `${field} ${spelt(was)} to ${spelt(became)}`)
    const lost = lost_allergens.map((title: string) => `; loses ${title}`)
    return change === 'changed' ? `${thing} ${id}: ${differences.join(', ')}${lost}` : `${thing} ${id} ${change}`
  })
  assert.deepEqual(shown, expected)

  const text = (await servery(file, ['diff', path])).stdout
  assert.match(text, /^changed +item +1 +Soup \(Mains\) +loses the allergen Gluten; price 6\.00 → 6\.90; allergens /m)
  assert.match(text, /^changed +location +1 +One +tax_rate 10 % → 12\.5 %$/m)
  assert.match(
    text,
    /^Added: 1 size, 1 table; changed: 1 option, 1 item, 1 location; unpublished: 1 item; removed: 1 option\. Fewer allergens are shown for Soup\./m,
  )
  assert.equal((await servery(file, ['import', path, '--check'])).stdout, text)
  assert.deepEqual(catalogueOf(file), before)
})

test('undo gives the former export and ETags back, and leaves the 86 list, stock, switches and orders as they are', async t => {
  const present = smallRestaurant({
    stock: [{ id: 1, title: 'Bread', on_hand: 40, recipe: [{ item: 2, qty: 1 }] }],
    stations: [{ id: 1, title: 'Grill', is_default: true }],
  })
  const shop = await openShop(t, { restaurant: present })
  const state = async () => ({
    etags: await Promise.all(
      ['/locations', '/locations/1/menu'].map(async path => (await shop.get(path)).headers.get('etag')),
    ),
    exported: exported(shop.store),
  })
  await servery(shop.file, ['availability', '1', '1', 'off'])
  const before = await state()
  const next: Bendable = smallRestaurant({ stations: [{ id: 2, title: 'Bar' }] }, {})
  next.site.title = 'Other'
  next.categories[0].items.splice(1, 1, { id: 9, title: 'Cake', price: 4, available: false })
  next.categories.push({ id: 9, title: 'Sweets', items: [] })
  await bringIn(t, shop.file, next)
  const between = await state()
  assert.notEqual(between.exported, before.exported)
  const ordered = await shop.order({ location_id: 1, items: [{ item_id: 4, qty: 1 }] })
  assert.equal(ordered.status, 201)
  await servery(shop.file, ['settings', 'set', 'orders.limit', '77'])
  await bringIn(t, shop.file, smallRestaurant({ title: 'Third' }))

  const first = await servery(shop.file, ['undo', '--json'])
  assert.equal(first.code, 0)
  const { undone } = JSON.parse(first.stdout)
  assert.equal(undone.how, 'replace')
  assert.deepEqual(await state(), between)
  const second = await servery(shop.file, ['undo'])
  assert.match(second.stdout, /^changed +restaurant +Test +title Other → Test$/m)
  assert.match(second.stdout, /Undid the import \(replace\) of \d{4}-\d\d-\d\d \d\d:\d\d by \S+\.$/m)
  assert.deepEqual(await state(), before)

  assert.deepEqual(shop.rows('SELECT kind, target_id, location_id FROM unavailable ORDER BY target_id'), [
    { kind: 'item', target_id: 1, location_id: 1 },
    { kind: 'item', target_id: 9, location_id: 0 },
  ])
  assert.deepEqual(shop.rows('SELECT on_hand_micro FROM stock_item'), [{ on_hand_micro: 40_000_000 }])
  assert.equal(shop.store.settings.current().ordersLimit, 77)
  assert.deepEqual(shop.rows('SELECT count(*) AS orders FROM orders'), [{ orders: 1 }])
})

test('undo --check says what undo would do; an import that changes nothing is no step, and the newest 20 are kept', t => {
  const file = shopFile(t)
  withStore(file, store => {
    for (let price = 1; price <= 25; price++) {
      const restaurant: Bendable = smallRestaurant()
      restaurant.categories[0].items[0].price = price
      for (const _ of ['change', 'nothing']) accepted(store.importCatalogue(parsed(restaurant), 'prices'))
    }
    const priceNow = () => store.exportCatalogue().categories[0]?.items[0]?.price
    for (let price = 24; price >= 5; price--) {
      const { changes } = accepted(store.previewUndo())
      assert.equal(changes.length, 1)
      assert.equal(priceNow(), (price + 1) * 1000)
      assert.deepEqual(accepted(store.undoImport()).changes, changes)
      assert.equal(priceNow(), price * 1000)
    }
    assert.equal(why(store.undoImport()), 'There is no change of the menu that can be undone.')
  })
})

test('undo and undo --check say which locations are no longer published, and that the time zone of the site changes', async t => {
  const file = shopFile(t, { ...smallRestaurant({ published: false }), site: { title: 'Test', timezone: 'UTC' } })
  const next: Bendable = smallRestaurant()
  next.site = { title: 'Test', timezone: 'Europe/Lisbon' }
  next.locations.push({ id: 2, code: 'TWO', title: 'Two', currency: 'EUR', timezone: 'UTC' })
  await bringIn(t, file, next)
  for (const args of [['undo', '--check'], ['undo']]) {
    const { stdout } = await servery(file, args)
    for (const sentence of [
      "The site's time zone changes from Europe/Lisbon to UTC.",
      'Location 1 is no longer published.',
      'Location 2 is no longer published.',
    ]) {
      assert.ok(stdout.includes(sentence), `${args.join(' ')}: ${stdout}`)
    }
  }
})

test('a version that cannot be kept takes the import with it', t => {
  const file = shopFile(t)
  withStore(file, store => {
    const before = exported(store)
    withDatabase(file, db =>
      db.exec(`CREATE TRIGGER broken BEFORE INSERT ON catalogue_version BEGIN SELECT raise(ABORT, 'full'); END`),
    )
    assert.throws(() => store.importCatalogue(parsed(smallRestaurant({ title: 'Other' }))), /full/)
    assert.equal(exported(store), before)
    assert.equal(store.activity({}, 10).filter(({ what }) => what === 'menu imported').length, 1)
  })
})

test('import with a way that does not exist is called wrongly', async t => {
  const { code, stderr } = await servery(join(temporaryFolder(t), 'none.db'), ['import', 'x.json', '--how', 'merge'])
  assert.equal(code, 2)
  assert.match(stderr, /--how must be one of replace, prices, add\.$/m)
})
