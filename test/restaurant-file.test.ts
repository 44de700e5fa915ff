import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import fc from 'fast-check'
import { parseRestaurantFile, writeRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { restaurant as anyRestaurant } from './support/arbitraries.ts'
import { restaurantFileIn, servery } from './support/commands.ts'
import { root, temporaryFolder } from './support/folders.ts'
import { importInto, openShop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests bend restaurants into every shape
type Bendable = any

interface Report {
  problems: { pointer: string; message: string; title?: string }[]
  warnings: { pointer: string; message: string }[]
}

async function importJson(t: TestContext, file: string, restaurant: unknown, ...more: string[]) {
  const path = restaurantFileIn(temporaryFolder(t), restaurant)
  const { code, stdout } = await servery(file, ['import', path, '--json', ...more])
  return { code, report: JSON.parse(stdout) as Report }
}

/** The problems of a small restaurant after `bend` has changed it, as "pointer: message". */
function problemsOf(bend: (restaurant: Bendable) => void): string[] {
  const restaurant: Bendable = smallRestaurant()
  bend(restaurant)
  return parseRestaurantFile(JSON.stringify(restaurant)).problems.map(
    ({ pointer, message }) => `${pointer}: ${message}`,
  )
}

test('everything is checked before anything is written, and ten faults give ten problems, each with its pointer', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, smallRestaurant())
  const bad: Bendable = smallRestaurant()
  bad.site.timezone = 'Europe/Porto'
  bad.modifier_groups[0].min_select = 5
  bad.modifier_groups[1].modifiers[0].price = -1
  bad.categories[0].items[0].titel = 'Soup of the day'
  bad.categories[0].items[1].modifier_groups[0].id = 77
  bad.categories[0].items[2].id = 1
  bad.categories[1].items[0].variations[0].price = 3.0001
  bad.locations[0].currency = 'CLF'
  bad.locations[0].opening_hours = { mon: { open: '9:00', close: '17:00' } }
  delete bad.locations[0].code
  bad.locations[0].title = 'Changed'
  const { code, report } = await importJson(t, file, bad)
  assert.equal(code, 1)
  assert.deepEqual(report.problems.map(({ pointer }) => pointer).sort(), [
    '/categories/0/items/0/titel',
    '/categories/0/items/1/modifier_groups/0/id',
    '/categories/0/items/2/id',
    '/categories/1/items/0/variations/0/price',
    '/locations/0/code',
    '/locations/0/currency',
    '/locations/0/opening_hours/mon/open',
    '/modifier_groups/0/max_select',
    '/modifier_groups/1/modifiers/0/price',
    '/site/timezone',
  ])
  const { stdout } = await servery(file, ['export'])
  assert.equal(JSON.parse(stdout).locations[0].title, 'One')
})

test('import --check writes nothing and does not even create a file', async t => {
  const file = join(temporaryFolder(t), 'none.db')
  const { code, report } = await importJson(t, file, smallRestaurant(), '--check')
  assert.deepEqual([code, report], [0, { problems: [], warnings: [] }])
  assert.equal((await servery(file, ['orders'])).code, 1)
})

test('a file that is missing or not JSON is refused, with the position of the error', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  const { code, report } = await importJson(t, file, '{\n  "site": {\n    "title": }\n}')
  assert.equal(code, 1)
  assert.match(report.problems[0]?.message ?? '', /not valid JSON: line 3, column 14 /)
  const missing = await servery(file, ['import', join(temporaryFolder(t), 'missing.json')])
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /cannot be read \(ENOENT\)/)
})

test('a file that is not UTF-8 is refused', async t => {
  const path = join(temporaryFolder(t), 'latin1.json')
  writeFileSync(path, Buffer.from(JSON.stringify(smallRestaurant({ title: 'Café' })), 'latin1'))
  const { code, stdout } = await servery(join(temporaryFolder(t), 'test.db'), ['import', path, '--json'])
  assert.deepEqual([code, JSON.parse(stdout).problems[0].message], [1, 'is not UTF-8 text; save it as UTF-8'])
})

test('import warns about a catalogue without a published location', async t => {
  const { code, report } = await importJson(t, join(temporaryFolder(t), 'test.db'), {})
  assert.deepEqual([code, report.warnings.map(({ pointer }) => pointer)], [0, ['/locations']])
})

test('a restaurant is read from standard input when the file is "-"', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  const { code, stdout } = await servery(file, ['import', '-'], { input: JSON.stringify(smallRestaurant()) })
  assert.equal(code, 0)
  assert.match(stdout, /Imported 1 location, 2 menu sections and 4 items/)
})

const cases: [rule: string, bend: (restaurant: Bendable) => void, problem: RegExp][] = [
  ['an unknown key is a problem', r => (r.sites = {}), /^\/sites: is not a known member/],
  ['an id is required', r => delete r.categories[0].id, /^\/categories\/0\/id: is required/],
  [
    'an id is a positive integer',
    r => (r.categories[0].id = 0),
    /^\/categories\/0\/id: must be a whole number from 1 to/,
  ],
  ['an id is not a text', r => (r.categories[0].id = '1'), /^\/categories\/0\/id: must be a whole number/],
  [
    'item ids are unique across categories',
    r => (r.categories[1].items[0].id = 1),
    /\/categories\/1\/items\/0\/id: is the id of another item/,
  ],
  [
    'modifier ids are unique across groups',
    r => (r.modifier_groups[1].modifiers[0].id = 1),
    /is the id of another modifier/,
  ],
  ['variation ids are unique', r => (r.categories[1].items[0].variations[1].id = 1), /is the id of another variation/],
  [
    'location ids are unique',
    r => r.locations.push(r.locations[0]),
    /\/locations\/1\/id: is the id of another location/,
  ],
  [
    'a group stands at most once on an item',
    r => r.categories[0].items[1].modifier_groups.push({ id: 1 }),
    /names modifier group 1 a second time/,
  ],
  ['an allergen must be in the file', r => (r.allergens = []), /there is no allergen 1 in this file/],
  [
    'an exception must be for an item of the file',
    r => (r.locations[0].items = [{ id: 50 }]),
    /\/locations\/0\/items\/0\/id: there is no item 50/,
  ],
  [
    'an exception must be for a variation of the file',
    r => (r.locations[0].variations = [{ id: 50, price: 1 }]),
    /there is no variation 50/,
  ],
  ['a title is required', r => delete r.categories[0].items[0].title, /\/categories\/0\/items\/0\/title: is required/],
  ['a title is not empty', r => (r.categories[0].title = ' '), /must not be empty/],
  ['a text can be stored', r => (r.categories[0].title = 'a\0b'), /cannot be stored/],
  ['a price is required', r => delete r.categories[0].items[0].price, /\/price: is required/],
  ['a price is a number', r => (r.categories[0].items[0].price = '6'), /\/price: must be a number/],
  ['a price has at most 3 decimals', r => (r.categories[0].items[0].price = 1.2345), /has more than 3 decimals/],
  ['a rate has at most 4 decimals', r => (r.locations[0].tax_rate = 8.12345), /has more than 4 decimals/],
  ['a flag is true or false', r => (r.categories[0].published = 1), /must be true or false/],
  ['a list is a list', r => (r.categories = {}), /^\/categories: must be a list/],
  ['a record is an object', r => (r.categories[0] = 5), /^\/categories\/0: must be an object/],
  ['the selection type is known', r => (r.modifier_groups[0].selection_type = 'many'), /must be multiple or single/],
  [
    'the presence of an allergen is known',
    r => (r.categories[0].items[0].allergens[0].presence = 'traces'),
    /must be contains or may_contain/,
  ],
  ['spice_level is 0 to 5', r => (r.categories[0].items[0].spice_level = 6), /must be a whole number from 0 to 5/],
  ['a time zone must exist', r => (r.locations[0].timezone = 'Mars/Olympus'), /is not a time zone/],
  ['a currency must be active', r => (r.locations[0].currency = 'DEM'), /is not an active ISO 4217/],
  ['a currency with 4 decimals is refused', r => (r.locations[0].currency = 'UYW'), /is not an active ISO 4217/],
  ['a service mode is known', r => (r.locations[0].service_modes = ['drive_in']), /must be dine_in or takeaway/],
  ['a service mode is named once', r => (r.locations[0].service_modes = ['qr', 'qr']), /names something twice/],
  [
    'opening hours are keyed by mon to sun',
    r => (r.locations[0].opening_hours = { monday: null }),
    /is not a known member; known are mon, tue/,
  ],
  [
    'opening hours are times of day',
    r => (r.locations[0].opening_hours = { mon: { open: '24:00', close: '10:00' } }),
    /must be a time of day/,
  ],
  [
    'a group is not required beyond what its modifiers allow',
    r =>
      Object.assign(r.modifier_groups[0], {
        min_select: 3,
        modifiers: [{ id: 1, title: 'Egg', price: 1, max_quantity: 2 }],
      }),
    /min_select: is more than the 2 that all its modifiers together allow/,
  ],
  [
    'a maximum is not below the minimum',
    r => Object.assign(r.modifier_groups[0], { min_select: 3, max_select: 2 }),
    /max_select: is less than min_select \(3\)/,
  ],
  [
    'an override is not below the minimum',
    r => (r.categories[0].items[1].modifier_groups[0] = { id: 1, min_select: 5 }),
    /\/modifier_groups\/0\/max_select: is less than min_select \(5\)/,
  ],
  ['a single group has a maximum of 1', r => (r.modifier_groups[1].max_select = 2), /max_select: must be 1/],
  [
    'a promotion has a percentage or an amount',
    r => (r.locations[0].promotions = [{ id: 1, title: 'P' }]),
    /either percent or amount/,
  ],
  [
    'a promotion does not have both',
    r => (r.locations[0].promotions = [{ id: 1, title: 'P', percent: 5, amount: 1 }]),
    /either percent or amount/,
  ],
  [
    'a percentage is more than 0',
    r => (r.locations[0].promotions = [{ id: 1, title: 'P', percent: 0 }]),
    /more than 0 and at most 100/,
  ],
  [
    'a percentage is at most 100',
    r => (r.locations[0].promotions = [{ id: 1, title: 'P', percent: 100.5 }]),
    /more than 0 and at most 100/,
  ],
  [
    'a promotion can run',
    r => (r.locations[0].promotions = [{ id: 1, title: 'P', percent: 5, from: '10:00', until: '10:00' }]),
    /never run/,
  ],
  [
    'a promotion does not end before it begins',
    r =>
      (r.locations[0].promotions = [
        { id: 1, title: 'P', percent: 5, valid_from: '2026-02-02', valid_until: '2026-02-01' },
      ]),
    /is before valid_from/,
  ],
  [
    'a date is on the calendar',
    r => (r.locations[0].promotions = [{ id: 1, title: 'P', percent: 5, valid_from: '2026-02-30' }]),
    /must be a date/,
  ],
  [
    'an image is a path below the folder of the site',
    r => (r.categories[0].items[0].image = '../secret.jpg'),
    /must be a path below SITE_ROOT/,
  ],
  [
    'one station of a location may be the default',
    r =>
      (r.locations[0].stations = [
        { id: 1, title: 'Grill', is_default: true },
        { id: 2, title: 'Bar', is_default: true },
      ]),
    /^\/locations\/0\/stations: has more than one is_default/,
  ],
  [
    'a routing rule names stations of its own location',
    r => (r.locations[0].routing = [{ id: 1, stations: [7] }]),
    /^\/locations\/0\/routing\/0\/stations\/0: there is no station 7 at this location/,
  ],
  [
    'a routing rule names items of the file',
    r => (r.locations[0].routing = [{ id: 1, item: 99 }]),
    /^\/locations\/0\/routing\/0\/item: there is no item 99 in this file/,
  ],
  [
    'a recipe line names exactly one thing',
    r => (r.locations[0].stock = [{ id: 1, title: 'Dough', recipe: [{ item: 1, modifier: 1, qty: 1 }] }]),
    /^\/locations\/0\/stock\/0\/recipe\/0: must name exactly one item, variation or modifier/,
  ],
  [
    'a recipe names nothing twice',
    r =>
      (r.locations[0].stock = [
        {
          id: 1,
          title: 'Dough',
          recipe: [
            { item: 1, qty: 1 },
            { item: 1, qty: 2 },
          ],
        },
      ]),
    /^\/locations\/0\/stock\/0\/recipe\/1\/item: names item 1 a second time/,
  ],
  [
    'a recipe takes more than nothing',
    r => (r.locations[0].stock = [{ id: 1, title: 'Dough', recipe: [{ item: 1, qty: 0 }] }]),
    /^\/locations\/0\/stock\/0\/recipe\/0\/qty: must be a number more than 0/,
  ],
  [
    'a tax class of a category must be in the file',
    r => (r.categories[0].tax_class = 7),
    /^\/categories\/0\/tax_class: there is no tax class 7 in this file$/,
  ],
  [
    'a tax class of an item must be in the file',
    r => (r.categories[0].items[0].tax_class = 7),
    /^\/categories\/0\/items\/0\/tax_class: there is no tax class 7 in this file$/,
  ],
  [
    'a location has rates for tax classes of the file',
    r => (r.locations[0].tax_rates = [{ tax_class: 7, rate: 5 }]),
    /^\/locations\/0\/tax_rates\/0\/tax_class: there is no tax class 7 in this file$/,
  ],
  [
    'a location has one rate for a tax class',
    r => {
      r.tax_classes = [{ id: 1, title: 'Drinks' }]
      r.locations[0].tax_rates = [
        { tax_class: 1, rate: 5 },
        { tax_class: 1, rate: 6 },
      ]
    },
    /^\/locations\/0\/tax_rates\/1\/tax_class: names tax class 1 a second time$/,
  ],
  [
    'a tax rate is a percentage',
    r => (r.locations[0].takeaway_tax_rate = 101),
    /^\/locations\/0\/takeaway_tax_rate: must be a number from 0 to 100; it is 101$/,
  ],
  [
    'tax class ids are unique',
    r =>
      (r.tax_classes = [
        { id: 1, title: 'Food' },
        { id: 1, title: 'Drinks' },
      ]),
    /^\/tax_classes\/1\/id: is the id of another tax class \(1\)$/,
  ],
  [
    'a label must be in the file',
    r => (r.categories[0].items[0].labels = [3]),
    /^\/categories\/0\/items\/0\/labels\/0: there is no label 3 in this file$/,
  ],
  [
    'a label stands at most once on an item',
    r => {
      r.labels = [{ id: 3, code: 'vegan', title: 'Vegan' }]
      r.categories[0].items[0].labels = [3, 3]
    },
    /^\/categories\/0\/items\/0\/labels\/1: names label 3 a second time$/,
  ],
  [
    'the codes of labels are unique',
    r =>
      (r.labels = [
        { id: 1, code: 'vegan', title: 'Vegan' },
        { id: 2, code: 'vegan', title: 'Plants' },
      ]),
    /^\/labels\/1\/code: "vegan" is the code of another label$/,
  ],
  [
    'an allergen of a modifier must be in the file',
    r => (r.modifier_groups[0].modifiers[0].allergens = [{ id: 9, presence: 'contains' }]),
    /^\/modifier_groups\/0\/modifiers\/0\/allergens\/0\/id: there is no allergen 9 in this file$/,
  ],
  [
    'a price for a size is for a size of the file',
    r => (r.modifier_groups[0].modifiers[0].variation_prices = [{ variation: 99, price: 1 }]),
    /^\/modifier_groups\/0\/modifiers\/0\/variation_prices\/0\/variation: there is no variation 99 in this file$/,
  ],
  [
    'a modifier has one price for a size',
    r =>
      (r.modifier_groups[0].modifiers[0].variation_prices = [
        { variation: 1, price: 1 },
        { variation: 1, price: 2 },
      ]),
    /variation_prices\/1\/variation: names variation 1 a second time$/,
  ],
  [
    'a minimum age is a number of years',
    r => (r.categories[0].items[0].minimum_age = 180),
    /minimum_age: must be a whole number from 0 to 99; it is 180$/,
  ],
  [
    'a language is a language tag in its usual spelling',
    r => (r.site.languages = ['pt', 'EN']),
    /^\/site\/languages\/1: must be a language such as en or pt-BR; it is "EN"$/,
  ],
  [
    'a translation is in a language of the site',
    r => {
      r.site.languages = ['pt', 'en']
      r.categories[0].items[0].translations = { de: { title: 'Suppe' } }
    },
    /^\/categories\/0\/items\/0\/translations\/de: is not a language of this restaurant; \/site\/languages has pt, en$/,
  ],
  [
    'nothing is translated where the site declares no languages',
    r => (r.modifier_groups[0].modifiers[1].translations = { de: { title: 'Käse' } }),
    /^\/modifier_groups\/0\/modifiers\/1\/translations\/de: .* \/site\/languages has none$/,
  ],
  [
    'the first language is that of the titles themselves',
    r => {
      r.site.languages = ['pt', 'en']
      r.allergens[0].translations = { pt: { title: 'Glúten' } }
    },
    /^\/allergens\/0\/translations\/pt: is the language of the titles themselves/,
  ],
  [
    'a translation says something',
    r => {
      r.site.languages = ['pt', 'en']
      r.categories[0].translations = { en: {} }
    },
    /^\/categories\/0\/translations\/en: must translate something$/,
  ],
  [
    'an option and a size have no description to translate',
    r => {
      r.site.languages = ['pt', 'en']
      r.categories[1].items[0].variations[0].translations = { en: { title: 'Small', description: 'Not much' } }
    },
    /^\/categories\/1\/items\/0\/variations\/0\/translations\/en\/description: is not a known member/,
  ],
  [
    'a period has an end',
    r => (r.locations[0].opening_periods = { mon: [{ open: '12:00' }] }),
    /^\/locations\/0\/opening_periods\/mon\/0\/close: is required$/,
  ],
  [
    'periods of a day do not overlap',
    r =>
      (r.locations[0].opening_periods = {
        mon: [
          { open: '19:00', close: '23:00' },
          { open: '12:00', close: '19:01' },
        ],
      }),
    /^\/locations\/0\/opening_periods\/mon\/0: overlaps the period from 12:00 to 19:01 of mon$/,
  ],
  [
    'a period past midnight does not overlap the next morning',
    r =>
      (r.locations[0].opening_periods = {
        sun: [{ open: '20:00', close: '02:00' }],
        mon: [{ open: '01:59', close: '03:00' }],
      }),
    /^\/locations\/0\/opening_periods\/mon\/0: overlaps the period from 20:00 to 02:00 of sun$/,
  ],
  [
    'opening_hours and opening_periods do not stand together',
    r =>
      Object.assign(r.locations[0], {
        opening_hours: { mon: { open: '12:00', close: '23:00' } },
        opening_periods: { mon: [{ open: '12:00', close: '23:00' }] },
      }),
    /^\/locations\/0\/opening_periods: cannot stand beside opening_hours/,
  ],
  [
    'closed dates do not end before they begin',
    r => (r.locations[0].closed_dates = [{ from: '2026-12-26', until: '2026-12-24', title: 'Christmas' }]),
    /^\/locations\/0\/closed_dates\/0\/until: 2026-12-24 is before from \(2026-12-26\)$/,
  ],
  [
    'a postcode is in one delivery zone',
    r =>
      (r.locations[0].delivery_zones = [
        { id: 1, title: 'Centre', postcodes: ['4050'] },
        { id: 2, title: 'River', postcodes: ['4000', '4050'] },
      ]),
    /^\/locations\/0\/delivery_zones\/1\/postcodes\/1: 4050 is already in the zone "Centre"$/,
  ],
  [
    'delivery zone ids are unique across locations',
    r => {
      r.locations[0].delivery_zones = [{ id: 1, title: 'Centre' }]
      r.locations.push({ ...r.locations[0], id: 2, tables: [] })
    },
    /^\/locations\/1\/delivery_zones\/0\/id: is the id of another delivery zone \(1\)$/,
  ],
  [
    'table ids are unique across locations',
    r => {
      r.locations[0].tables = [{ id: 1, title: 'Window 1' }]
      r.locations.push({ ...r.locations[0], id: 2 })
    },
    /^\/locations\/1\/tables\/0\/id: is the id of another table \(1\)$/,
  ],
  [
    'a table has a title',
    r => (r.locations[0].tables = [{ id: 1, title: ' ' }]),
    /^\/locations\/0\/tables\/0\/title: must not be empty/,
  ],
]

for (const [rule, bend, problem] of cases) {
  test(`restaurant file: ${rule}`, () => {
    const problems = problemsOf(bend)
    assert.ok(
      problems.some(line => problem.test(line)),
      JSON.stringify(problems),
    )
  })
}

test('ten faults in the newer parts are ten problems, and nothing is written', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, smallRestaurant())
  const bad: Bendable = smallRestaurant({ title: 'Changed' })
  bad.site.languages = ['pt', 'pt']
  bad.categories[0].tax_class = 7
  bad.categories[0].items[0].labels = [3]
  bad.categories[0].items[1].translations = { de: { title: 'Frikadelle' } }
  bad.modifier_groups[0].modifiers[0].variation_prices = [{ variation: 99, price: 1 }]
  bad.locations[0].tax_rates = [{ tax_class: 8, rate: 5 }]
  bad.locations[0].opening_periods = {
    mon: [{ open: '12:00' }],
    tue: [
      { open: '12:00', close: '15:00' },
      { open: '14:00', close: '18:00' },
    ],
  }
  bad.locations[0].closed_dates = [{ from: '2026-02-30', until: '2026-03-01', title: 'Carnival' }]
  bad.locations[0].delivery_zones = [{ id: 1, title: 'Centre', fee: -1 }]
  const { code, report } = await importJson(t, file, bad)
  assert.equal(code, 1)
  assert.deepEqual(report.problems.map(({ pointer }) => pointer).sort(), [
    '/categories/0/items/0/labels/0',
    '/categories/0/items/1/translations/de',
    '/categories/0/tax_class',
    '/locations/0/closed_dates/0/from',
    '/locations/0/delivery_zones/0/fee',
    '/locations/0/opening_periods/mon/0/close',
    '/locations/0/opening_periods/tue/1',
    '/locations/0/tax_rates/0/tax_class',
    '/modifier_groups/0/modifiers/0/variation_prices/0/variation',
    '/site/languages',
  ])
  const { stdout } = await servery(file, ['export'])
  assert.equal(JSON.parse(stdout).locations[0].title, 'One')
})

test('periods that touch, that last a day, or that run into the next week do not overlap', () => {
  const weeks = [
    {
      mon: [
        { open: '12:00', close: '15:00' },
        { open: '15:00', close: '23:00' },
      ],
    },
    { mon: [{ open: '00:00', close: '00:00' }], tue: [{ open: '00:00', close: '00:00' }] },
    { sun: [{ open: '20:00', close: '02:00' }], mon: [{ open: '02:00', close: '03:00' }] },
    { mon: [], tue: null },
  ]
  for (const week of weeks) {
    assert.deepEqual(
      problemsOf(r => (r.locations[0].opening_periods = week)),
      [],
    )
  }
})

test('restaurant file: the root must be an object', () => {
  for (const source of ['[]', 'null', '5', '"x"']) {
    assert.deepEqual(parseRestaurantFile(source).problems, [{ pointer: '', message: 'must be an object' }], source)
  }
})

test('empty lists of stations, routing and stock are accepted', () => {
  assert.deepEqual(
    problemsOf(r => Object.assign(r.locations[0], { stations: [], routing: [], stock: [] })),
    [],
  )
})

test('is_required raises a minimum of 0 to 1, and a minimum makes a group required', async t => {
  const restaurant: Bendable = smallRestaurant()
  restaurant.modifier_groups[0].min_select = 1
  restaurant.categories[0].items.push({
    id: 9,
    title: 'Plain steak',
    price: 1,
    modifier_groups: [{ id: 2, min_select: 0 }],
  })
  const shop = await openShop(t, { restaurant })
  const { items } = (await shop.get('/locations/1/menu')).body.data.categories[0]
  const group = (id: number) => items.find((item: { id: number }) => item.id === id).modifier_groups[0]
  const shown = ({ is_required, min_select, max_select }: Record<string, number>) => [
    is_required,
    min_select,
    max_select,
  ]
  assert.deepEqual(shown(group(2)), [1, 1, 4])
  assert.deepEqual(shown(group(3)), [1, 1, 1])
  assert.deepEqual(shown(group(9)), [0, 0, 1])
})

test('check and import warn about legal but surely unintended values, and exit with 0', async t => {
  const restaurant: Bendable = smallRestaurant()
  restaurant.modifier_groups[1].modifiers[1].is_default = true
  restaurant.categories[1].items[0].variations[0].is_default = false
  restaurant.categories[0].items[0].variations = [
    { id: 11, title: 'Cup', price: 4, is_default: true },
    { id: 12, title: 'Bowl', price: 6, is_default: true },
  ]
  restaurant.categories[0].items[0].image = 'images/none.jpg'
  restaurant.locations[0].items = [
    { id: 1, price: 6 },
    { id: 2, enabled: false },
  ]
  restaurant.locations[0].variations = [{ id: 11, price: 4 }]
  const file = join(temporaryFolder(t), 'test.db')
  const { code, report } = await importJson(t, file, restaurant)
  assert.equal(code, 0)
  assert.deepEqual(report.problems, [])
  const expected = [
    ['/modifier_groups/1', /has 2 defaults, but at most 1 can be selected/],
    ['/categories/0/items/0/variations', /has 2 default variations/],
    ['/categories/0/items/0/image', /there is no file images\/none\.jpg/],
    ['/categories/0/items/1', /no published location offers it/],
    ['/categories/1/items/0/variations', /has no default variation/],
    ['/locations/0/items/0/price', /equals the base price/],
    ['/locations/0/variations/0/price', /equals the base price/],
  ] as const
  for (const [index, [pointer, message]] of expected.entries()) {
    assert.equal(report.warnings[index]?.pointer, pointer)
    assert.match(report.warnings[index]?.message ?? '', message)
  }
  assert.equal(report.warnings.length, expected.length)

  const checked = await servery(file, ['check', '--json'])
  assert.equal(checked.code, 0)
  assert.deepEqual(JSON.parse(checked.stdout), report)
})

test('classes without a rate, sizes without a price, half translated categories, past holidays and unused allergens are warned of', async t => {
  const restaurant: Bendable = smallRestaurant()
  restaurant.site.languages = ['en', 'pt']
  restaurant.tax_classes = [
    { id: 1, title: 'Food' },
    { id: 2, title: 'Drinks' },
  ]
  restaurant.allergens.push({ id: 2, title: 'Milk' }, { id: 3, title: 'Fish' })
  restaurant.modifier_groups[0].modifiers[1].allergens = [{ id: 2, presence: 'contains' }]
  restaurant.modifier_groups[0].modifiers[0].variation_prices = [{ variation: 2, price: 2 }]
  restaurant.categories[1].items[0].modifier_groups = [{ id: 1 }]
  restaurant.categories[0].items[0].translations = { pt: { title: 'Sopa' } }
  restaurant.categories[1].items[0].translations = { pt: { title: 'Galão' } }
  restaurant.locations[0].tax_rates = [{ tax_class: 1, rate: 5 }]
  restaurant.locations[0].closed_dates = [
    { from: '2020-12-24', until: '2020-12-26', title: 'Christmas' },
    { from: '2020-12-24', until: '9999-12-31', title: 'For good' },
  ]
  const { code, report } = await importJson(t, join(temporaryFolder(t), 'test.db'), restaurant)
  assert.equal(code, 0)
  assert.deepEqual(
    report.warnings.map(({ pointer, message }) => `${pointer}: ${message}`),
    [
      '/allergens/2: no dish and no option is declared to contain "Fish"',
      '/modifier_groups/0/modifiers/0/variation_prices: "Egg" has no price for "Latte (Small)"',
      '/categories/0/items: some of them are translated into pt, but not "Burger", "Steak"',
      `/locations/0/tax_rates: has no rate for the tax class "Drinks", so its dishes are taxed at the location's own`,
      '/locations/0/closed_dates/0: "Christmas" was over on 2020-12-26; remove it or give it its next dates',
    ],
  )
})

test('a file without the newer parts takes them away, and what is then exported can be imported', async t => {
  const full: Bendable = smallRestaurant({
    tax_rates: [{ tax_class: 1, rate: 5 }],
    opening_periods: { mon: [{ open: '12:00', close: '15:00' }] },
    delivery_zones: [{ id: 1, title: 'Centre', postcodes: ['4050'] }],
    tables: [{ id: 1, title: 'Window 1' }],
  })
  full.site.languages = ['en', 'pt']
  full.tax_classes = [{ id: 1, title: 'Drinks' }]
  full.labels = [{ id: 1, code: 'vegan', title: 'Vegan' }]
  full.categories[1].tax_class = 1
  full.modifier_groups[0].modifiers[0].variation_prices = [{ variation: 2, price: 2 }]
  Object.assign(full.categories[1].items[0], { tax_class: 1, labels: [1], translations: { pt: { title: 'Galão' } } })
  const shop = await openShop(t, { restaurant: full })
  const folder = temporaryFolder(t)
  const less: Bendable = smallRestaurant()
  less.categories.pop()
  assert.equal((await servery(shop.file, ['import', restaurantFileIn(folder, less)])).code, 0)
  const exported = (await servery(shop.file, ['export'])).stdout
  assert.deepEqual(parseRestaurantFile(exported).problems, [])
  assert.doesNotMatch(exported, /tax_class|label|languages|opening_periods|zones|tables|variation_prices/)
  assert.deepEqual(shop.rows('SELECT id, position FROM dining_table'), [{ id: 1, position: null }])
  assert.equal((await servery(shop.file, ['import', restaurantFileIn(folder, full)])).code, 0)
  assert.deepEqual(JSON.parse((await servery(shop.file, ['export'])).stdout).locations[0].tables, [
    { id: 1, title: 'Window 1' },
  ])
})

test('the demo restaurant has neither problems nor warnings', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  const { code, stdout } = await servery(file, ['import', join(root, 'examples/demo-restaurant.json'), '--json'])
  assert.deepEqual([code, JSON.parse(stdout)], [0, { problems: [], warnings: [] }])
})

test('whatever a file leaves out is unpublished, never deleted, and live state stays unless the file sets it', async t => {
  const shop = await openShop(t)
  const folder = temporaryFolder(t)
  await shop.order({ location_id: 1, items: [{ item_id: 4, variation_id: 2, qty: 1 }] })
  await servery(shop.file, ['availability', '1', '1', 'off'])

  const next: Bendable = smallRestaurant()
  next.categories.pop()
  next.categories[0].items.splice(2, 1)
  next.modifier_groups.pop()
  next.modifier_groups[0].modifiers.pop()
  await servery(shop.file, ['import', restaurantFileIn(folder, next)])
  const [mains, ...others] = (await shop.get('/locations/1/menu')).body.data.categories
  assert.deepEqual(others, [])
  // The soup is still 86'd, the steak is gone, the burger lost a modifier.
  assert.deepEqual(
    mains.items.map(({ id }: { id: number }) => id),
    [2],
  )
  assert.deepEqual(
    mains.items[0].modifier_groups[0].modifiers.map(({ id }: { id: number }) => id),
    [1],
  )
  assert.deepEqual(shop.rows('SELECT id, published FROM item ORDER BY id'), [
    { id: 1, published: 1 },
    { id: 2, published: 1 },
    { id: 3, published: 0 },
    { id: 4, published: 0 },
  ])
  const exported = JSON.parse((await servery(shop.file, ['export'])).stdout)
  assert.deepEqual(
    exported.categories.map(({ id, published = true }: Bendable) => [id, published]),
    [
      [1, true],
      [2, false],
    ],
  )

  // It comes back with the next file that has it; `available: true` lifts the 86.
  const again: Bendable = smallRestaurant()
  again.categories[0].items[0].available = true
  again.locations[0].items = [{ id: 1, available: true }]
  await servery(shop.file, ['import', restaurantFileIn(folder, again)])
  const menu = (await shop.get('/locations/1/menu')).body.data
  assert.deepEqual(
    menu.categories.map(({ items }: Bendable) => items.map(({ id }: Bendable) => id)),
    [[1, 2, 3], [4]],
  )
})

test('an item whose variations were all left out is sold without one', async t => {
  const shop = await openShop(t)
  const next: Bendable = smallRestaurant()
  next.categories[1].items[0].variations = []
  await servery(shop.file, ['import', restaurantFileIn(temporaryFolder(t), next)])
  const latte = (await shop.get('/locations/1/menu')).body.data.categories[1].items[0]
  assert.deepEqual([latte.has_variations, latte.variations], [0, []])
  const order = (variation: number | null) =>
    shop.order({ location_id: 1, items: [{ item_id: 4, variation_id: variation, qty: 1 }] })
  assert.equal((await order(1)).body.errors[0].source.pointer, '/items/0/variation_id')
  assert.equal((await order(null)).status, 201)
})

test('importing an export changes nothing, not even ETags', async t => {
  const { readFileSync } = await import('node:fs')
  const demo = JSON.parse(readFileSync(join(root, 'examples/demo-restaurant.json'), 'utf8'))
  const shop = await openShop(t, { restaurant: demo })
  const paths = ['/locations', '/locations/1/menu', '/locations/2/menu']
  const state = async () => Promise.all(paths.map(async path => (await shop.get(path)).headers.get('etag')))
  const before = await state()
  const exported = (await servery(shop.file, ['export'])).stdout
  const { code } = await servery(shop.file, ['import', restaurantFileIn(temporaryFolder(t), exported)])
  assert.equal(code, 0)
  assert.deepEqual(await state(), before)
  assert.equal((await servery(shop.file, ['export'])).stdout, exported)
})

test('for any restaurant, writing the file and reading it again gives the same restaurant', () => {
  fc.assert(
    fc.property(anyRestaurant(), restaurant => {
      const first = parseRestaurantFile(JSON.stringify(restaurant))
      assert.deepEqual(first.problems, [])
      const written = JSON.stringify(writeRestaurantFile(first.file))
      assert.deepEqual(parseRestaurantFile(written), first)
    }),
    { numRuns: 200 },
  )
})

test('any content of a file is parsed without an exception, and every problem has a pointer', () => {
  const source = JSON.stringify(smallRestaurant())
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, at) => {
      // Puts an arbitrary value in the place of one of the values of a good file.
      let count = 0
      const bent = JSON.parse(source, (_, member) => (count++ === at % 180 ? value : member))
      const { problems } = parseRestaurantFile(JSON.stringify(bent) ?? 'null')
      for (const { pointer, message } of problems) {
        assert.match(pointer, /^(\/.*)?$/)
        assert.notEqual(message, '')
      }
    }),
    { numRuns: 500 },
  )
})

test('a duplicate key in a restaurant file is a problem, with its pointer and line', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, smallRestaurant())
  const source = `{\n "categories": [\n  {"id": 1, "title": "A", "items": [{"id": 1, "title": "B", "price": 1, "price": 2}]}\n ],\n "categories": []\n}`
  const { code, report } = await importJson(t, file, source)
  assert.equal(code, 1)
  assert.deepEqual(
    report.problems.map(({ pointer, message }) => `${pointer} ${message}`),
    [
      '/categories/0/items/0/price is there a second time, in line 3; keep one of them',
      '/categories is there a second time, in line 5; keep one of them',
    ],
  )
  assert.equal(JSON.parse((await servery(file, ['export'])).stdout).categories.length, 2)
})

test('keys are compared as they are meant, in their own object, and not within texts', () => {
  const repeated = (source: string) =>
    parseRestaurantFile(source)
      .problems.filter(({ message }) => message.includes('a second time'))
      .map(({ pointer }) => pointer)
  assert.deepEqual(repeated('{"a/b": 1, "\\u0061/b": 2}'), ['/a~1b'])
  assert.deepEqual(
    repeated('{"site": {"title": "x"}, "allergens": [{"title": "x"}, {"title": "\\"title\\": {,"}]}'),
    [],
  )
  assert.deepEqual(repeated('[{"a": [{"b": 1}, {"b": 1, "b": 2}]}]'), ['/0/a/1/b'])
})

test('a problem names the dish that has it and what is written there, and says how to write a price', async t => {
  const bad: Bendable = smallRestaurant()
  bad.categories[0].items[1].price = '8,90'
  bad.locations[0].currency = 'CLF'
  const path = restaurantFileIn(temporaryFolder(t), bad)
  const file = join(temporaryFolder(t), 'test.db')
  const { stderr } = await servery(file, ['import', path])
  assert.match(
    stderr,
    /^problem {2}\/categories\/0\/items\/1\/price {2}"Burger": must be a number .*; it is "8,90"; write 8\.90, with a point and without quotes$/m,
  )
  assert.match(stderr, /^problem {2}\/locations\/0\/currency {2}"One": is not an active ISO 4217.*; it is "CLF"$/m)
  const { report } = await importJson(t, file, bad)
  const price = report.problems.find(({ pointer }) => pointer.endsWith('/price'))
  assert.equal(price?.title, 'Burger')
})

test('an exception that a branch had only for what is off for now is not exported', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(
    file,
    smallRestaurant({
      items: [
        { id: 1, available: false },
        { id: 2, price: 9 },
      ],
    }),
  )
  const { stdout } = await servery(file, ['export'])
  assert.deepEqual(JSON.parse(stdout).locations[0].items, [{ id: 2, price: 9 }])
  const { stdout: off } = await servery(file, ['availability', '--json'])
  assert.equal(JSON.parse(off).length, 1)
})
