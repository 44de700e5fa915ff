import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { MenuPart } from '../store/catalogue/availability.ts'
import type { ItemId, LocationId } from '../store/terms/ids.ts'
import { chance, drawn, pick, restaurant, some } from './support/arbitraries.ts'
import { beside } from './support/beside.ts'
import { heldClock } from './support/held-clock.ts'
import type { ExpectedMenu, ExpectedMenuItem, RestaurantFile } from './support/independent-calculation.ts'
import { holdsForAll } from './support/property.ts'
import { type Answer, openShop, type Shop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const UNAVAILABLE = 'One of the items is no longer available.'
const OPTION = 'A selected option is not available.'

/** Two branches that sell the given categories; `location` changes the first. */
function twoBranches(categories: unknown[], groups: unknown[] = [], location: Record<string, unknown> = {}) {
  return {
    site: { title: 'Test', timezone: 'UTC' },
    modifier_groups: groups,
    categories,
    locations: [
      { id: 1, code: 'ONE', title: 'One', currency: 'USD', timezone: 'UTC', ...location },
      { id: 2, code: 'TWO', title: 'Two', currency: 'USD', timezone: 'UTC' },
    ],
  }
}

async function menuOf(shop: Shop, location = 1): Promise<ExpectedMenu> {
  const { status, body, text } = await shop.get(`/locations/${location}/menu`)
  assert.equal(status, 200, text)
  return body.data
}

/** The categories of a menu with the ids of their items. */
async function shape(shop: Shop, location = 1): Promise<[category: number, items: number[]][]> {
  const { categories } = await menuOf(shop, location)
  return categories.map(({ id, items }) => [id, items.map(item => item.id)])
}

async function itemOf(shop: Shop, id: number, location = 1): Promise<ExpectedMenuItem> {
  const { categories } = await menuOf(shop, location)
  const item = categories.flatMap(({ items }) => items).find(candidate => candidate.id === id)
  assert.ok(item, `item ${id} is not on the menu of location ${location}`)
  return item
}

/** The title and pointer of every error of a refused order. */
function faultsOf({ status, body, text }: Answer): [title: string, pointer: string][] {
  assert.equal(status, 400, text)
  return body.errors.map((error: { title: string; source: { pointer: string } }) => [error.title, error.source.pointer])
}

const orderOf = (item: number, location = 1, more: object = {}) => ({
  location_id: location,
  items: [{ item_id: item, qty: 1, ...more }],
})

/** What a location that says nothing of it shows of the fields beyond section 2. */
const plainLocation = {
  address: null,
  phone: null,
  opening_periods: {},
  closed_dates: [],
  accepts_orders: 1,
  takeaway_tax_rate: null,
  prices_include_tax: 0,
  service_charge_rate: 0,
  service_charge_modes: ['dine_in', 'qr'],
  service_charge_taxable: 1,
  delivery_fee: 0,
  free_delivery_from: null,
  delivery_fee_taxable: 0,
  promotions: [],
}

test('a location has every field of section 2 in its exact type, and an unpublished one is never returned', async t => {
  const hours = { mon: { open: '12:00', close: '23:00' }, sat: { open: '18:30', close: '02:00' } }
  const plain = { title: 'Plain', currency: 'JPY', timezone: 'Asia/Tokyo' }
  const shop = await openShop(t, {
    restaurant: smallRestaurant(
      {},
      {
        locations: [
          {
            id: 7,
            code: 'RIB',
            title: 'Ribeira',
            currency: 'EUR',
            timezone: 'Europe/Lisbon',
            service_modes: ['qr', 'dine_in'],
            opening_hours: { ...hours, sun: null, tue: {} },
            tax_rate: 8.25,
          },
          { id: 3, code: 'OFF', published: false, ...plain },
          { id: 5, code: 'TYO', ...plain },
          { id: 6, code: 'FREE', ...plain, tax_rate: 0 },
        ],
      },
    ),
  })
  const { status, body } = await shop.get('/locations')
  assert.equal(status, 200)
  const bare = { ...plain, ...plainLocation, service_modes: [], opening_hours: {} }
  assert.deepEqual(body, {
    data: [
      {
        id: 7,
        code: 'RIB',
        title: 'Ribeira',
        currency: 'EUR',
        timezone: 'Europe/Lisbon',
        service_modes: ['qr', 'dine_in'],
        opening_hours: hours,
        tax_rate: 8.25,
        ...plainLocation,
        opening_periods: { mon: [hours.mon], sat: [hours.sat] },
      },
      { id: 5, code: 'TYO', ...bare, tax_rate: null },
      { id: 6, code: 'FREE', ...bare, tax_rate: 0 },
    ],
  })
  for (const answer of [await shop.get('/locations/3/menu'), await shop.order(orderOf(1, 3))]) {
    assert.equal(answer.status, 404)
    assert.deepEqual(answer.body, { errors: [{ title: 'Unknown location', code: 'UNKNOWN_LOCATION' }] })
  }
})

test('a menu has every field of section 2 in its exact type, with null or an empty list where an item has no value', async t => {
  const shop = await openShop(t, {
    restaurant: {
      ...twoBranches(
        [
          {
            id: 4,
            title: 'Sandes & more',
            items: [
              {
                id: 9,
                title: 'Francesinha 🥪',
                description: 'Com "molho"',
                price: 12.5,
                image: 'images/francesinha.jpg',
                prep_time_minutes: 15,
                calories: 1300,
                spice_level: 5,
                is_alcohol: true,
                variations: [
                  { id: 2, title: 'Meia', price: 8.555, is_default: true },
                  { id: 1, title: 'Inteira', price: 12 },
                ],
                modifier_groups: [{ id: 3 }],
                allergens: [
                  { id: 8, presence: 'contains' },
                  { id: 6, presence: 'may_contain' },
                ],
              },
              { id: 1, title: 'Pão', price: 0 },
              { id: 2, title: 'Água', price: 1, prep_time_minutes: 0, calories: 0, spice_level: 0 },
            ],
          },
        ],
        [
          {
            id: 3,
            title: 'Extras',
            selection_type: 'multiple',
            is_required: true,
            min_select: 2,
            max_select: 5,
            free_quantity: 1,
            modifiers: [
              { id: 5, title: 'Ovo', price: 1.5, is_default: true, max_quantity: 3 },
              { id: 4, title: 'Queijo', price: 0 },
            ],
          },
        ],
      ),
      allergens: [
        { id: 6, title: 'Glúten' },
        { id: 8, title: 'Leite' },
      ],
    },
  })
  const { body } = await shop.get('/locations/2/menu')
  const translations = {}
  const beyond = { number: null, labels: [], minimum_age: null, tax_rate: null, takeaway_tax_rate: null, translations }
  const nothing = {
    ...beyond,
    description: null,
    has_variations: 0,
    image: null,
    prep_time_minutes: null,
    calories: null,
    spice_level: null,
    is_alcohol: 0,
    variations: [],
    modifier_groups: [],
    allergens: [],
  }
  assert.deepEqual(body, {
    data: {
      location_id: 2,
      languages: [],
      categories: [
        {
          id: 4,
          title: 'Sandes & more',
          description: null,
          translations,
          items: [
            {
              ...beyond,
              id: 9,
              title: 'Francesinha 🥪',
              description: 'Com "molho"',
              price: 12.5,
              has_variations: 1,
              image: 'images/francesinha.jpg',
              prep_time_minutes: 15,
              calories: 1300,
              spice_level: 5,
              is_alcohol: 1,
              variations: [
                { id: 2, title: 'Meia', price: 8.56, is_default: 1, modifier_prices: [], translations },
                { id: 1, title: 'Inteira', price: 12, is_default: 0, modifier_prices: [], translations },
              ],
              modifier_groups: [
                {
                  id: 3,
                  title: 'Extras',
                  selection_type: 'multiple',
                  is_required: 1,
                  min_select: 2,
                  max_select: 5,
                  free_quantity: 1,
                  translations,
                  modifiers: [
                    { id: 5, title: 'Ovo', price: 1.5, is_default: 1, max_quantity: 3, allergens: [], translations },
                    {
                      id: 4,
                      title: 'Queijo',
                      price: 0,
                      is_default: 0,
                      max_quantity: null,
                      allergens: [],
                      translations,
                    },
                  ],
                },
              ],
              allergens: [
                { id: 8, title: 'Leite', presence: 'contains', translations },
                { id: 6, title: 'Glúten', presence: 'may_contain', translations },
              ],
            },
            { id: 1, title: 'Pão', price: 0, ...nothing },
            { id: 2, title: 'Água', price: 1, ...nothing, prep_time_minutes: 0, calories: 0, spice_level: 0 },
          ],
        },
      ],
    },
  })
})

test('a location shows all that it takes to work out a total, its periods and its closed dates', async t => {
  const periods = [
    { open: '12:00', close: '15:00' },
    { open: '19:00', close: '01:30' },
  ]
  const closed = [{ from: '2026-12-24', until: '2026-12-26', title: 'Christmas' }]
  const happyHour = { id: 4, title: 'Happy hour', weekdays: ['mon'], from: '17:00', until: '19:00' }
  const shop = await openShop(t, {
    restaurant: twoBranches([], [], {
      address: 'Rua da Ribeira 12\nPorto',
      phone: '+351 222 000 111',
      opening_periods: { mon: periods, tue: [] },
      closed_dates: closed,
      takeaway_tax_rate: 5.5,
      prices_include_tax: true,
      service_charge_rate: 12.5,
      service_charge_modes: ['qr'],
      service_charge_taxable: false,
      delivery_fee: 2.505,
      free_delivery_from: 40,
      delivery_fee_taxable: true,
      promotions: [
        { ...happyHour, percent: 12.5, min_subtotal: 10, service_mode: 'dine_in', valid_from: '2026-01-01' },
        { id: 3, title: 'Web', amount: 5, channel: 'web', valid_until: '2026-12-31' },
        { id: 5, title: 'Over', amount: 5, active: false },
      ],
    }),
  })
  const [location] = (await shop.get('/locations')).body.data
  const anything = { channel: null, service_mode: null, weekdays: [], from: null, until: null }
  assert.deepEqual(location, {
    id: 1,
    code: 'ONE',
    title: 'One',
    currency: 'USD',
    timezone: 'UTC',
    service_modes: [],
    opening_hours: { mon: { open: '12:00', close: '01:30' } },
    tax_rate: null,
    address: 'Rua da Ribeira 12\nPorto',
    phone: '+351 222 000 111',
    opening_periods: { mon: periods },
    closed_dates: closed,
    accepts_orders: 1,
    takeaway_tax_rate: 5.5,
    prices_include_tax: 1,
    service_charge_rate: 12.5,
    service_charge_modes: ['qr'],
    service_charge_taxable: 0,
    delivery_fee: 2.51,
    free_delivery_from: 40,
    delivery_fee_taxable: 1,
    promotions: [
      {
        ...anything,
        id: 3,
        title: 'Web',
        channel: 'web',
        valid_from: null,
        valid_until: '2026-12-31',
        min_subtotal: 0,
        percent: null,
        amount: 5,
      },
      {
        ...anything,
        ...happyHour,
        service_mode: 'dine_in',
        valid_from: '2026-01-01',
        valid_until: null,
        min_subtotal: 10,
        percent: 12.5,
        amount: null,
      },
    ],
  })
})

test('accepts_orders is 0 while a location is paused, and 1 again by itself at the end of a timed pause', async t => {
  const clock = heldClock('2026-11-20T18:00:00Z')
  const shop = await openShop(t, { clock, restaurant: twoBranches([]) })
  const accepted = async () =>
    (await shop.get('/locations')).body.data.map((location: { accepts_orders: number }) => location.accepts_orders)
  assert.deepEqual(await accepted(), [1, 1])
  const end = Date.parse('2026-11-20T19:00:00Z')
  shop.execute(`INSERT INTO pause VALUES (1, ${clock.now()}, ${end}, 'Ana'), (2, ${clock.now()}, NULL, 'Ana');
    UPDATE revision SET catalogue = catalogue + 1`)
  assert.deepEqual(await accepted(), [0, 0])
  clock.set('2026-11-20T18:59:59Z')
  assert.deepEqual(await accepted(), [0, 0])
  clock.set('2026-11-20T19:00:00Z')
  assert.deepEqual(await accepted(), [1, 0])
})

test('a menu shows numbers, labels, ages, translations, prices by size and the allergens of options', async t => {
  const en = (title: string) => ({ en: { title } })
  const shop = await openShop(t, {
    restaurant: {
      ...twoBranches(
        [
          {
            id: 1,
            title: 'Pizza',
            description: 'Do forno',
            translations: { en: { title: 'Pizza', description: 'From the oven' } },
            items: [
              {
                id: 7,
                number: 'F3',
                title: 'Queijo',
                price: 8,
                labels: [2, 1],
                minimum_age: 18,
                translations: { en: { title: 'Cheese' } },
                allergens: [{ id: 1, presence: 'contains' }],
                variations: [
                  { id: 1, title: 'Pequena', price: 8, translations: en('Small') },
                  { id: 2, title: 'Grande', price: 12 },
                ],
                modifier_groups: [{ id: 1 }],
              },
            ],
          },
        ],
        [
          {
            id: 1,
            title: 'Extras',
            selection_type: 'multiple',
            translations: en('More'),
            modifiers: [
              {
                id: 1,
                title: 'Ovo',
                price: 1,
                variation_prices: [{ variation: 2, price: 1.505 }],
                allergens: [{ id: 1, presence: 'may_contain' }],
                translations: en('Egg'),
              },
              { id: 2, title: 'Alho', price: 0.5, variation_prices: [{ variation: 2, price: 0 }] },
            ],
          },
        ],
      ),
      site: { title: 'Test', timezone: 'UTC', languages: ['pt', 'en'] },
      labels: [
        { id: 1, code: 'vegetarian', title: 'Vegetariano', translations: en('Vegetarian') },
        { id: 2, code: 'new', title: 'Novo' },
      ],
      allergens: [{ id: 1, title: 'Leite', translations: en('Milk') }],
    },
  })
  const milk = { id: 1, title: 'Leite', translations: en('Milk') }
  const menu = await menuOf(shop)
  assert.deepEqual(menu.languages, ['pt', 'en'])
  const [category] = menu.categories
  assert.deepEqual(category?.description, 'Do forno')
  assert.deepEqual(category?.translations, { en: { title: 'Pizza', description: 'From the oven' } })
  const item = await itemOf(shop, 7)
  assert.equal(item.number, 'F3')
  assert.equal(item.minimum_age, 18)
  assert.deepEqual(item.translations, { en: { title: 'Cheese', description: null } })
  assert.deepEqual(item.labels, [
    { id: 2, code: 'new', title: 'Novo', translations: {} },
    { id: 1, code: 'vegetarian', title: 'Vegetariano', translations: en('Vegetarian') },
  ])
  assert.deepEqual(item.allergens, [{ ...milk, presence: 'contains' }])
  assert.deepEqual(item.variations, [
    { id: 1, title: 'Pequena', price: 8, is_default: 0, modifier_prices: [], translations: en('Small') },
    {
      id: 2,
      title: 'Grande',
      price: 12,
      is_default: 0,
      modifier_prices: [
        { modifier_id: 1, price: 1.51 },
        { modifier_id: 2, price: 0 },
      ],
      translations: {},
    },
  ])
  const [group] = item.modifier_groups
  assert.deepEqual(group?.translations, en('More'))
  const plain = { is_default: 0, max_quantity: null }
  assert.deepEqual(group?.modifiers, [
    {
      ...plain,
      id: 1,
      title: 'Ovo',
      price: 1,
      allergens: [{ ...milk, presence: 'may_contain' }],
      translations: en('Egg'),
    },
    { ...plain, id: 2, title: 'Alho', price: 0.5, allergens: [], translations: {} },
  ])
  const [line] = (
    await shop.order(orderOf(7, 1, { variation_id: 2, modifiers: [{ modifier_id: 1 }, { modifier_id: 2 }] }))
  ).body.data.items
  assert.deepEqual([line.unit_price, line.modifiers_total], [12, 1.51])
})

test('an item has the rates of its class, else of the class of its category, else of its location (decision C8)', async t => {
  const shop = await openShop(t, {
    restaurant: {
      ...twoBranches(
        [
          {
            id: 1,
            title: 'Food',
            tax_class: 1,
            items: [dish(1), dish(2, { tax_class: 2 }), dish(3, { tax_class: 3 })],
          },
          { id: 2, title: 'Rest', items: [dish(4)] },
        ],
        [],
        {
          tax_rate: 19,
          takeaway_tax_rate: 7,
          tax_rates: [
            { tax_class: 1, rate: 13, takeaway_rate: 5 },
            { tax_class: 2, rate: 0 },
          ],
        },
      ),
      tax_classes: [1, 2, 3].map(id => ({ id, title: `Class ${id}` })),
    },
  })
  const rates = async (location: number) =>
    Promise.all([1, 2, 3, 4].map(id => itemOf(shop, id, location))).then(items =>
      items.map(item => [item.tax_rate, item.takeaway_tax_rate]),
    )
  assert.deepEqual(await rates(1), [
    [13, 5],
    [0, 0],
    [19, 7],
    [19, 7],
  ])
  assert.deepEqual(await rates(2), [
    [null, null],
    [null, null],
    [null, null],
    [null, null],
  ])
})

const dish = (id: number, more: object = {}) => ({ id, title: `Dish ${id}`, price: 5, ...more })

// Dish 1 is in question, dish 2 stands beside it so that the category stays.
const hidden: [title: string, dish: object, location: Record<string, unknown>, hiddenAt: number[]][] = [
  ['an unpublished item is absent', { published: false }, {}, [1, 2]],
  ['an item switched off for the location is absent there', {}, { items: [{ id: 1, enabled: false }] }, [1]],
  ['an item 86ed at the location is absent there', {}, { items: [{ id: 1, available: false }] }, [1]],
  ['an item 86ed everywhere is absent', { available: false }, {}, [1, 2]],
  [
    'an item 86ed everywhere is absent also where its location says it is there',
    { available: false },
    { items: [{ id: 1, available: true }] },
    [1, 2],
  ],
  ['an item with an exception that says nothing is there', {}, { items: [{ id: 1 }] }, []],
]

test('an item that availability rules 1 to 3 hide is not on the menu and cannot be ordered (section 2, decision D1)', async t => {
  const shop = await openShop(t)
  const { importRestaurant } = beside(t, shop)
  for (const [title, changes, location, hiddenAt] of hidden) {
    await t.test(title, async () => {
      const category = { id: 1, title: 'Food', items: [dish(1, changes), dish(2)] }
      importRestaurant(twoBranches([category], [], location), 'every 86')
      for (const at of [1, 2]) {
        const isHidden = hiddenAt.includes(at)
        assert.deepEqual(await shape(shop, at), [[1, isHidden ? [2] : [1, 2]]], `location ${at}`)
        const answer = await shop.order(orderOf(1, at))
        if (isHidden) assert.deepEqual(faultsOf(answer), [[UNAVAILABLE, '/items/0/item_id']])
        else assert.equal(answer.status, 201)
      }
    })
  }
})

test('a category that is unpublished or has no orderable item is absent with everything in it', async t => {
  const shop = await openShop(t, {
    restaurant: twoBranches(
      [
        { id: 1, title: 'Secret', published: false, items: [dish(1)] },
        { id: 2, title: 'Empty' },
        { id: 3, title: 'Only here', items: [dish(3), dish(4, { published: false })] },
        { id: 4, title: 'Food', items: [dish(5)] },
      ],
      [],
      { items: [{ id: 3, enabled: false }] },
    ),
  })
  assert.deepEqual(await shape(shop, 1), [[4, [5]]])
  assert.deepEqual(await shape(shop, 2), [
    [3, [3]],
    [4, [5]],
  ])
  assert.deepEqual(faultsOf(await shop.order(orderOf(1))), [[UNAVAILABLE, '/items/0/item_id']])
})

test('a location with an empty menu has an empty list of categories', async t => {
  const shop = await openShop(t, { restaurant: twoBranches([{ id: 1, title: 'Empty' }]) })
  assert.deepEqual(await menuOf(shop), { location_id: 1, languages: [], categories: [] })
})

test('a branch price overrides the base price; 0 is a real price and null inherits (section 2 rule 4, decision C4)', async t => {
  const sizes = [1, 2, 3].map(id => ({ id, title: `Size ${id}`, price: 7 }))
  const shop = await openShop(t, {
    restaurant: twoBranches([{ id: 1, title: 'Food', items: [dish(1, { variations: sizes }), dish(2), dish(3)] }], [], {
      items: [
        { id: 1, price: 6.5 },
        { id: 2, price: 0 },
        { id: 3, price: null },
      ],
      variations: [
        { id: 1, price: 9 },
        { id: 2, price: 0 },
        { id: 3, price: null },
      ],
    }),
  })
  const prices = async (location: number) => {
    const { categories } = await menuOf(shop, location)
    return categories[0]?.items.map(({ price, variations }) => [price, ...variations.map(size => size.price)])
  }
  assert.deepEqual(await prices(1), [[6.5, 9, 0, 7], [0], [5]])
  assert.deepEqual(await prices(2), [[5, 7, 7, 7], [5], [5]])

  const charged = async (location: number, item: number, variation_id?: number) => {
    const { body } = await shop.order(orderOf(item, location, { variation_id }))
    return body.data.items[0].unit_price
  }
  assert.deepEqual(await Promise.all([1, 2, 3].map(id => charged(1, 1, id))), [9, 0, 7])
  assert.deepEqual(await Promise.all([1, 2, 3].map(id => charged(1, id))), [6.5, 0, 5])
  assert.deepEqual(await Promise.all([1, 2, 3].map(id => charged(2, id))), [5, 5, 5])
})

test('categories, items and their parts appear in their display order, and a new order takes effect at the next request', async t => {
  const letters = ['', 'b', 'c', 'a']
  const arrange = (ids: number[]) => ({
    ...twoBranches(
      ids.map(category => ({
        id: category,
        title: `Category ${category}`,
        items: ids.map(id =>
          dish(category * 10 + id, {
            variations: ids.map(size => ({ id: category * 100 + id * 10 + size, title: letters[size], price: 1 })),
            modifier_groups: ids.map(group => ({ id: group })),
            allergens: ids.map(allergen => ({ id: allergen, presence: 'contains' })),
          }),
        ),
      })),
      [3, 1, 2].map(group => ({
        id: group,
        title: `Group ${group}`,
        selection_type: 'multiple',
        modifiers: ids.map(id => ({ id: group * 10 + id, title: letters[id], price: 1 })),
      })),
    ),
    allergens: [1, 2, 3].map(id => ({ id, title: `Allergen ${id}` })),
    locations: ids.map(id => ({ id, code: `L${id}`, title: `L ${id}`, currency: 'USD', timezone: 'UTC' })),
  })
  const shop = await openShop(t, { restaurant: arrange([2, 3, 1]) })
  const { importRestaurant } = beside(t, shop)
  for (const ids of [
    [2, 3, 1],
    [3, 1, 2],
    [1, 2, 3],
  ]) {
    importRestaurant(arrange(ids))
    const under = (parent: number) => ids.map(id => parent * 10 + id)
    const { body } = await shop.get('/locations')
    assert.deepEqual(idsOf(body.data), ids)
    const { categories } = await menuOf(shop)
    assert.deepEqual(idsOf(categories), ids)
    for (const { id: category, items } of categories) {
      assert.deepEqual(idsOf(items), under(category))
      for (const { id, variations, modifier_groups, allergens } of items) {
        assert.deepEqual(idsOf(variations), under(id))
        assert.deepEqual(idsOf(modifier_groups), ids)
        assert.deepEqual(idsOf(allergens), ids)
        for (const group of modifier_groups) assert.deepEqual(idsOf(group.modifiers), under(group.id))
      }
    }
  }
})

function idsOf(list: { id: number }[]): number[] {
  return list.map(({ id }) => id)
}

type Limits = [isRequired: number, min: number, max: number]

// A group of three modifiers, each at most twice, and how it is used on the item.
const overrides: [title: string, group: object, use: object, shown: Limits][] = [
  ['nothing said: optional, and no limit', {}, {}, [0, 0, 0]],
  ['a required group needs one', { is_required: true }, {}, [1, 1, 0]],
  ['a minimum makes the group required', { min_select: 2 }, {}, [1, 2, 0]],
  ['a single group is limited to one', { selection_type: 'single' }, {}, [0, 0, 1]],
  ['a maximum of 0 in a single group becomes one', { selection_type: 'single', max_select: 0 }, {}, [0, 0, 1]],
  ['an item may ask for more', { min_select: 1, max_select: 2 }, { min_select: 2, max_select: 3 }, [1, 2, 3]],
  ['an override of 0 makes the group optional on the item', { is_required: true }, { min_select: 0 }, [0, 0, 0]],
  ['an override makes an optional group required', {}, { min_select: 1 }, [1, 1, 0]],
  ['an item may lift the maximum', { max_select: 1 }, { max_select: 0 }, [0, 0, 0]],
  ['each limit may be overridden by itself', { min_select: 1, max_select: 3 }, { max_select: 1 }, [1, 1, 1]],
  ['an override of null is none', { min_select: 1, max_select: 3 }, { min_select: null, max_select: null }, [1, 1, 3]],
]

test('the menu shows the limits of a group as the item sets them, and orders must keep them (section 2, decision D4)', async t => {
  const shop = await openShop(t, { settings: { 'orders.limit': '1000' } })
  const { importRestaurant } = beside(t, shop)
  for (const [title, group, use, shown] of overrides) {
    await t.test(title, async () => {
      const modifiers = [1, 2, 3].map(id => ({ id, title: `M${id}`, price: 1, max_quantity: 2 }))
      const plain = { id: 2, min_select: 0, max_select: 0 }
      importRestaurant(
        twoBranches(
          [
            {
              id: 1,
              title: 'Food',
              items: [dish(1, { modifier_groups: [{ id: 2, ...use }] }), dish(2, { modifier_groups: [plain] })],
            },
          ],
          [{ id: 2, title: 'G', selection_type: 'multiple', modifiers, ...group }],
        ),
      )
      const [of1] = (await itemOf(shop, 1)).modifier_groups
      assert.deepEqual([of1?.is_required, of1?.min_select, of1?.max_select], shown)
      const [of2] = (await itemOf(shop, 2)).modifier_groups
      assert.deepEqual([of2?.is_required, of2?.min_select], [0, 0], 'what another item does with the group is its own')

      const [, min, max] = shown
      for (let count = 0; count <= 6; count++) {
        const units = [1, 1, 2, 2, 3, 3].slice(0, count).map(modifier_id => ({ modifier_id }))
        const answer = await shop.order(orderOf(1, 1, { modifiers: units }))
        if (count < min) assert.deepEqual(faultsOf(answer), [['A required option is missing.', '/items/0/modifiers']])
        else if (max > 0 && count > max) {
          assert.deepEqual(faultsOf(answer), [['Too many options are selected.', '/items/0/modifiers']])
        } else assert.equal(answer.status, 201, `${count} units: ${answer.text}`)
      }
    })
  }
})

const gone = { id: 1, title: 'Gone', price: 1, published: false }
const there = { id: 2, title: 'There', price: 1 }

const unsatisfiable: [title: string, group: object, use: object, shown: number[][] | 'absent'][] = [
  ['an unpublished modifier is absent from its group', { modifiers: [gone, there] }, {}, [[2]]],
  ['an optional group without an orderable modifier is left out', { modifiers: [gone] }, {}, []],
  ['an optional group without any modifier is left out', {}, {}, []],
  [
    'a required group without an orderable modifier takes its item with it',
    { modifiers: [gone], is_required: true },
    {},
    'absent',
  ],
  ['an override that requires such a group does, too', { modifiers: [gone] }, { min_select: 1 }, 'absent'],
  [
    'an override that frees such a group brings the item back',
    { modifiers: [gone], is_required: true },
    { min_select: 0 },
    [],
  ],
  [
    'a minimum that the orderable modifiers cannot reach takes the item with it',
    { modifiers: [gone, { ...there, max_quantity: 1 }], min_select: 2 },
    {},
    'absent',
  ],
  [
    'a minimum that they just reach does not',
    { modifiers: [gone, { ...there, max_quantity: 2 }], min_select: 2 },
    {},
    [[2]],
  ],
  ['a modifier without a limit of its own reaches any minimum', { modifiers: [gone, there], min_select: 5 }, {}, [[2]]],
]

test('an item can be ordered only while every required group can be satisfied (decision D1)', async t => {
  const shop = await openShop(t)
  const { importRestaurant } = beside(t, shop)
  for (const [title, group, use, shown] of unsatisfiable) {
    await t.test(title, async () => {
      importRestaurant(
        twoBranches(
          [{ id: 1, title: 'Food', items: [dish(1, { modifier_groups: [{ id: 2, ...use }] }), dish(2)] }],
          [{ id: 2, title: 'G', selection_type: 'multiple', ...group }],
        ),
      )
      if (shown === 'absent') {
        assert.deepEqual(await shape(shop), [[1, [2]]])
        const answer = await shop.order(orderOf(1, 1, { modifiers: [{ modifier_id: 2, qty: 5 }] }))
        assert.deepEqual(faultsOf(answer), [[UNAVAILABLE, '/items/0/item_id']])
      } else {
        const { modifier_groups } = await itemOf(shop, 1)
        assert.deepEqual(
          modifier_groups.map(({ modifiers }) => idsOf(modifiers)),
          shown,
        )
        const hiddenChoice = await shop.order(
          orderOf(1, 1, { modifiers: [{ modifier_id: 1 }, { modifier_id: 2, qty: 2 }] }),
        )
        assert.deepEqual(faultsOf(hiddenChoice)[0], [OPTION, '/items/0/modifiers/0/modifier_id'])
      }
    })
  }
})

test('an unpublished variation is absent and refused, and an item whose variations are all unpublished is sold without one', async t => {
  const sizes = [
    { id: 1, title: 'Small', price: 3, published: false },
    { id: 2, title: 'Large', price: 4 },
  ]
  const items = [
    dish(1, { variations: sizes }),
    dish(2, { variations: [{ id: 3, title: 'Old', price: 3, published: false }] }),
  ]
  const shop = await openShop(t, { restaurant: twoBranches([{ id: 1, title: 'Food', items }]) })
  assert.deepEqual(idsOf((await itemOf(shop, 1)).variations), [2])
  const { has_variations, variations } = await itemOf(shop, 2)
  assert.deepEqual([has_variations, variations], [0, []])
  for (const [item, variation_id] of [
    [1, 1],
    [2, 3],
  ] as const) {
    const answer = await shop.order(orderOf(item, 1, { variation_id }))
    assert.deepEqual(faultsOf(answer), [[UNAVAILABLE, '/items/0/variation_id']])
  }
})

test('anything that a later import leaves out is off the menu and refused until an import names it again', async t => {
  const shop = await openShop(t)
  const { importRestaurant } = beside(t, shop)
  const whole = smallRestaurant()
  const before = await shop.get('/locations/1/menu')
  const [mains, drinks] = whole.categories
  const latte = { ...drinks?.items[0], variations: [{ id: 2, title: 'Large', price: 4 }] }
  const extras = { ...whole.modifier_groups[0], modifiers: [{ id: 2, title: 'Cheese', price: 0.75 }] }
  importRestaurant({
    ...whole,
    allergens: [],
    modifier_groups: [extras],
    categories: [
      { ...mains, items: [{ id: 2, title: 'Burger', price: 12.5, modifier_groups: [{ id: 1 }] }] },
      { ...drinks, items: [latte] },
    ],
  })
  assert.deepEqual(await shape(shop), [
    [1, [2]],
    [2, [4]],
  ])
  assert.deepEqual(faultsOf(await shop.order(orderOf(1))), [[UNAVAILABLE, '/items/0/item_id']])
  assert.deepEqual(faultsOf(await shop.order(orderOf(4, 1, { variation_id: 1 }))), [
    [UNAVAILABLE, '/items/0/variation_id'],
  ])
  assert.deepEqual(faultsOf(await shop.order(orderOf(2, 1, { modifiers: [{ modifier_id: 1 }] }))), [
    [OPTION, '/items/0/modifiers/0/modifier_id'],
  ])
  importRestaurant({ ...whole, locations: [] })
  assert.deepEqual((await shop.get('/locations')).body, { data: [] })
  assert.equal((await shop.get('/locations/1/menu')).status, 404)
  assert.equal((await shop.order(orderOf(1))).status, 404)

  importRestaurant(whole)
  const after = await shop.get('/locations/1/menu')
  assert.deepEqual(after.body, before.body)
  assert.equal(after.headers.get('etag'), before.headers.get('etag'))
})

const precisions: [currency: string, prices: number[], shown: number[]][] = [
  ['USD', [0.004, 0.005, 1.994, 1.995, 2.675, 12.5], [0, 0.01, 1.99, 2, 2.68, 12.5]],
  ['JPY', [0.499, 0.5, 1.499, 1.5, 980, 12.5], [0, 1, 1, 2, 980, 13]],
  ['KWD', [0.004, 0.005, 1.994, 1.995, 2.675, 12.5], [0.004, 0.005, 1.994, 1.995, 2.675, 12.5]],
]

test('each price finer than the currency is rounded half up, and the menu shows what is charged (decision C2)', async t => {
  const shop = await openShop(t)
  const { importRestaurant } = beside(t, shop)
  for (const [currency, prices, shown] of precisions) {
    await t.test(currency, async () => {
      const items = prices.map((price, index) =>
        dish(index + 1, {
          price,
          variations: [{ id: index + 1, title: 'Size', price }],
          modifier_groups: [{ id: 1 }],
        }),
      )
      const modifiers = prices.map((price, index) => ({ id: index + 1, title: 'M', price }))
      const group = { id: 1, title: 'G', selection_type: 'multiple', modifiers }
      importRestaurant(twoBranches([{ id: 1, title: 'Food', items }], [group], { currency }))
      for (const [index, price] of shown.entries()) {
        const item = await itemOf(shop, index + 1)
        assert.deepEqual(
          [item.price, item.variations[0]?.price, item.modifier_groups[0]?.modifiers[index]?.price],
          [price, price, price],
        )
        const modifiers = [{ modifier_id: index + 1, qty: 3 }]
        const { body } = await shop.order(orderOf(index + 1, 1, { variation_id: index + 1, modifiers }))
        const [line] = body.data.items
        const inMinor = (amount: number) => Math.round(amount * 1000)
        assert.equal(line.unit_price, price)
        assert.equal(inMinor(line.modifiers_total), 3 * inMinor(price), 'three times the rounded price')
      }
    })
  }
})

test('an 86 with an end is lifted at that instant; one without an end stays until somebody lifts it', async t => {
  const clock = heldClock('2026-11-20T18:00:00Z')
  const shop = await openShop(t, {
    clock,
    restaurant: twoBranches([{ id: 1, title: 'Food', items: [1, 2, 3, 4].map(id => dish(id)) }]),
  })
  const { availability } = beside(t, shop)
  const at = (time: string) => Date.parse(`2026-11-20T${time}Z`)
  const [one, two, three, here] = [1 as ItemId, 2 as ItemId, 3 as ItemId, 1 as LocationId]
  const untouched = await shop.get('/locations/1/menu')

  assert.equal(availability.off({ kind: 'item', id: one }, null, at('19:00:00')), undefined)
  assert.equal(availability.off({ kind: 'item', id: two }, here, at('20:00:00')), undefined)
  assert.equal(availability.off({ kind: 'item', id: three }, null, null), undefined)
  const expected: [time: string, items: number[], elsewhere: number[]][] = [
    ['18:00:00', [4], [2, 4]],
    ['18:59:59.999', [4], [2, 4]],
    ['19:00:00', [1, 4], [1, 2, 4]],
    ['19:59:59.999', [1, 4], [1, 2, 4]],
    ['20:00:00', [1, 2, 4], [1, 2, 4]],
    ['23:59:59', [1, 2, 4], [1, 2, 4]],
  ]
  for (const [time, items, elsewhere] of expected) {
    clock.set(at(time))
    for (const [location, shown] of [
      [1, items],
      [2, elsewhere],
    ] as const) {
      assert.deepEqual(await shape(shop, location), [[1, shown]], `location ${location} at ${time}`)
      for (const id of [1, 2, 3, 4]) {
        const { status } = await shop.order(orderOf(id, location))
        assert.equal(status, shown.includes(id) ? 201 : 400, `item ${id} at location ${location} at ${time}`)
      }
    }
  }
  availability.on({ kind: 'item', id: three }, null)
  const again = await shop.get('/locations/1/menu')
  assert.deepEqual(again.body, untouched.body)
  assert.equal(again.headers.get('etag'), untouched.headers.get('etag'))
})

test('an order at the instant at which an 86 ends is accepted, even if nobody has read the menu since', async t => {
  const clock = heldClock('2026-11-20T18:00:00Z')
  const shop = await openShop(t, { clock })
  const { availability } = beside(t, shop)
  availability.off({ kind: 'item', id: 1 as ItemId }, null, Date.parse('2026-11-20T19:00:00Z'))
  clock.set('2026-11-20T18:59:59.999Z')
  assert.deepEqual(faultsOf(await shop.order(orderOf(1))), [[UNAVAILABLE, '/items/0/item_id']])
  clock.set('2026-11-20T19:00:00Z')
  assert.equal((await shop.order(orderOf(1))).status, 201)
})

test('a change by another process shows at the next request in the menu, the locations and the prices of orders', async t => {
  const shop = await openShop(t)
  const { importRestaurant, availability } = beside(t, shop)
  const before = { menu: await shop.get('/locations/1/menu'), locations: await shop.get('/locations') }

  const changed = smallRestaurant({ title: 'Renamed', tax_rate: 10, items: [{ id: 1, price: 6.66 }] })
  importRestaurant(changed)
  const first = await shop.order(orderOf(1))
  assert.deepEqual([first.body.data.subtotal, first.body.data.tax_total], [6.66, 0.67])
  assert.equal((await itemOf(shop, 1)).price, 6.66)
  assert.equal((await shop.get('/locations')).body.data[0].title, 'Renamed')

  const soup = 1 as ItemId
  availability.off({ kind: 'item', id: soup }, null, null)
  assert.deepEqual(faultsOf(await shop.order(orderOf(1))), [[UNAVAILABLE, '/items/0/item_id']])
  assert.deepEqual(await shape(shop), [
    [1, [2, 3]],
    [2, [4]],
  ])
  availability.on({ kind: 'item', id: soup }, null)
  assert.equal((await shop.order(orderOf(1))).status, 201)

  importRestaurant(smallRestaurant())
  const after = { menu: await shop.get('/locations/1/menu'), locations: await shop.get('/locations') }
  assert.deepEqual([after.menu.body, after.locations.body], [before.menu.body, before.locations.body])
})

test('an ETag changes when the content of the response does, and only then (decision A7)', async t => {
  const { categories, modifier_groups, allergens } = smallRestaurant()
  const restaurant = (changes: object = {}) => ({
    ...twoBranches(categories, modifier_groups, { tax_rate: 8.25, ...changes }),
    allergens,
  })
  const shop = await openShop(t, { restaurant: restaurant() })
  const other = beside(t, shop)
  const paths = ['/locations', '/locations/1/menu', '/locations/2/menu']
  const tags = () => Promise.all(paths.map(async path => (await shop.get(path)).headers.get('etag')))
  const initial = await tags()
  for (const tag of initial) assert.match(String(tag), /^"[\w-]+"$/)

  const unrelated: [what: string, change: () => unknown][] = [
    ['an order', () => shop.order(orderOf(1))],
    ['a setting', () => other.settings.set('orders.limit', '77')],
    ['an export imported again', () => other.importCatalogue(other.exportCatalogue())],
    ['the same file imported again', () => other.importRestaurant(restaurant())],
    [
      'a promotion that is not active',
      () => other.importRestaurant(restaurant({ promotions: [{ id: 1, title: 'P', percent: 5, active: false }] })),
    ],
    [
      'an unpublished item',
      () =>
        other.importRestaurant({
          ...restaurant(),
          categories: [...categories, { id: 9, title: 'New', items: [dish(9, { published: false })] }],
        }),
    ],
    ['a price of a branch that is none', () => other.importRestaurant(restaurant({ items: [{ id: 1, price: 6 }] }))],
  ]
  for (const [what, change] of unrelated) {
    await change()
    assert.deepEqual(await tags(), initial, `after ${what}`)
    for (const [index, path] of paths.entries()) {
      const known = await shop.get(path, { 'If-None-Match': String(initial[index]) })
      assert.deepEqual([known.status, known.text], [304, ''], `${path} after ${what}`)
    }
  }

  other.importRestaurant(restaurant({ items: [{ id: 1, price: 6.01 }] }))
  const [locations, here, elsewhere] = await tags()
  assert.deepEqual(
    [locations, elsewhere],
    [initial[0], initial[2]],
    'a price at one branch is none of the other’s business',
  )
  assert.notEqual(here, initial[1])
  assert.equal((await shop.get('/locations/1/menu', { 'If-None-Match': String(initial[1]) })).status, 200)

  other.importRestaurant(restaurant({ promotions: [{ id: 1, title: 'P', percent: 5 }] }))
  assert.deepEqual((await tags()).slice(1), initial.slice(1))
  assert.notEqual((await tags())[0], initial[0])

  other.importRestaurant(restaurant({ title: 'Renamed' }))
  assert.deepEqual((await tags()).slice(1), initial.slice(1))
  assert.notEqual((await tags())[0], initial[0])
})

/** The fewest units that a group asks for, or undefined when its modifiers can't reach that. */
function fewest({ min_select, modifiers }: ExpectedMenuItem['modifier_groups'][number]): object[] {
  const entries: object[] = []
  let left = min_select
  for (const { id, max_quantity } of modifiers) {
    if (left === 0) break
    const qty = Math.min(left, max_quantity ?? left)
    entries.push({ modifier_id: id, qty })
    left -= qty
  }
  assert.equal(left, 0, 'the menu shows a group that cannot be satisfied')
  return entries
}

/** Some of the random prices are at the very bound of an order's total (decision A8); that one has tests of its own. */
function isDearerThanAnyOrder({ price, variations }: ExpectedMenuItem): boolean {
  return Math.max(price, ...variations.map(variation => variation.price)) > 1_000_000
}

const HOUR = 3_600_000

/** What each restaurant lacks: parts of its menu that are 86'd, for an hour or for good, and parts that have run out. */
const shortages = drawn(draw => (parts: MenuPart[], locations: number[]) => ({
  off: some(draw, parts, 12).map(part => ({
    part,
    location: chance(draw, 50) ? null : ((pick(draw, locations) ?? null) as LocationId | null),
    isTimed: chance(draw, 50),
  })),
  out: locations.map(location => ({ location, parts: some(draw, parts, 8) })),
  isAnHourLater: chance(draw, 50),
}))

/** A restaurant whose locations have run out of something that these parts of the menu are made of. */
function withStock(file: RestaurantFile, out: { location: number; parts: MenuPart[] }[]) {
  return {
    ...file,
    locations: file.locations?.map(location => {
      const at = out.findIndex(each => each.location === location.id)
      const recipe = out[at]?.parts.map(({ kind, id }) => ({ [kind]: id, qty: 1 })) ?? []
      return { ...location, stock: [{ id: at + 1, title: 'Stock', on_hand: 0, recipe }] }
    }),
  }
}

const everyDish = (file: RestaurantFile) => (file.categories ?? []).flatMap(({ items }) => items ?? [])
const everyOption = (file: RestaurantFile) => (file.modifier_groups ?? []).flatMap(({ modifiers }) => modifiers ?? [])

/** All that can be 86'd or run out by itself. A dish in sizes is left to those: it can be ordered without one (decision D2). */
function partsOf(file: RestaurantFile): MenuPart[] {
  const dishes = everyDish(file)
  const parts: [MenuPart['kind'], number[]][] = [
    ['item', idsOf(dishes.filter(({ variations = [] }) => variations.length === 0))],
    ['variation', idsOf(dishes.flatMap(({ variations = [] }) => variations))],
    ['modifier', idsOf(everyOption(file))],
  ]
  return parts.flatMap(([kind, ids]) => ids.map(id => ({ kind, id }) as MenuPart))
}

test('for any restaurant, items on the menu can be ordered and all others are refused (decisions D1 and D9)', async t => {
  const clock = heldClock('2026-11-20T19:42:00Z')
  const shop = await openShop(t, { clock, settings: { 'orders.limit': '1000000000' } })
  const start = clock.now()
  const { importRestaurant, availability } = beside(t, shop)
  let ordered = 0
  let refused = 0
  let lacking = 0

  const runs = await holdsForAll(fc.tuple(restaurant(), shortages), 60, async ([file, shortagesOf]) => {
    const { off, out, isAnHourLater } = shortagesOf(partsOf(file), idsOf(file.locations ?? []))
    clock.set(start)
    importRestaurant(withStock(file, out), 'every 86')
    for (const { part, location, isTimed } of off) {
      assert.equal(availability.off(part, location, isTimed ? start + HOUR : null), undefined)
    }
    if (isAnHourLater) clock.set(start + HOUR)
    const lacksAt = (location: number) => [
      ...off
        .filter(each => (each.location === null || each.location === location) && !(each.isTimed && isAnHourLater))
        .map(({ part }) => part),
      ...out.filter(each => each.location === location).flatMap(({ parts }) => parts),
    ]
    const { body } = await shop.get('/locations')
    const shownLocations = new Set<number>(idsOf(body.data))
    const everyItem = everyDish(file)
    const everyModifier = everyOption(file)

    for (const { id: location } of file.locations ?? []) {
      const menu = await shop.get(`/locations/${location}/menu`)
      assert.equal(menu.status, shownLocations.has(location) ? 200 : 404)
      if (!shownLocations.has(location)) {
        assert.equal((await shop.order(orderOf(everyItem[0]?.id ?? 1, location))).status, 404)
        continue
      }
      const categories: ExpectedMenu['categories'] = menu.body.data.categories
      assert.ok(
        categories.every(({ items }) => items.length > 0),
        'an empty category',
      )
      const shown = new Map(categories.flatMap(({ items }) => items).map(item => [item.id, item]))
      const lacked = lacksAt(location)
      for (const { kind, id } of lacked) {
        const items = [...shown.values()]
        const present =
          kind === 'item'
            ? items
            : kind === 'variation'
              ? items.flatMap(item => item.variations)
              : items.flatMap(item => item.modifier_groups.flatMap(({ modifiers }) => modifiers))
        assert.ok(!idsOf(present).includes(id), `${kind} ${id} is on the menu of location ${location}`)
      }
      lacking += lacked.length
      const good: object[] = []
      const bad: [body: object, fault: [title: string, pointer: string]][] = []

      for (const { id, variations = [] } of everyItem) {
        const item = shown.get(id)
        if (!item) {
          bad.push([orderOf(id, location), [UNAVAILABLE, '/items/0/item_id']])
          continue
        }
        if (isDearerThanAnyOrder(item)) continue
        const needed = item.modifier_groups.flatMap(fewest)
        good.push(orderOf(id, location, { modifiers: needed }))
        for (const { id: size } of variations) {
          const sized = orderOf(id, location, { modifiers: needed, variation_id: size })
          if (item.variations.some(variation => variation.id === size)) good.push(sized)
          else bad.push([sized, [UNAVAILABLE, '/items/0/variation_id']])
        }
        const choices = new Set(item.modifier_groups.flatMap(({ modifiers }) => idsOf(modifiers)))
        for (const { id: modifier } of everyModifier) {
          if (choices.has(modifier)) continue
          const strange = [...needed, { modifier_id: modifier }]
          bad.push([
            orderOf(id, location, { modifiers: strange }),
            [OPTION, `/items/0/modifiers/${strange.length - 1}/modifier_id`],
          ])
        }
        for (const group of item.modifier_groups) {
          const others = item.modifier_groups.filter(candidate => candidate !== group).flatMap(fewest)
          for (const { id: modifier } of group.modifiers) {
            if (group.min_select <= 1)
              good.push(orderOf(id, location, { modifiers: [...others, { modifier_id: modifier }] }))
          }
        }
      }
      const [accepted, turnedAway] = await Promise.all([
        Promise.all(good.map(order => shop.order(order))),
        Promise.all(bad.map(([order]) => shop.order(order))),
      ])
      for (const [index, answer] of accepted.entries()) {
        assert.equal(answer.status, 201, `${JSON.stringify(good[index])}\n${answer.text}`)
      }
      for (const [index, answer] of turnedAway.entries()) {
        assert.deepEqual(faultsOf(answer), [bad[index]?.[1]], JSON.stringify(bad[index]?.[0]))
      }
      ordered += good.length
      refused += bad.length
    }
  })
  t.diagnostic(
    `${runs} restaurants: ${ordered} things that their menus show, ${refused} that they hide; ${lacking} off or out`,
  )
  assert.ok(ordered > runs && refused > runs && lacking > runs)
})
