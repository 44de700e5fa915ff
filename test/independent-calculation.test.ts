import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { brokenOrder, instant, order, restaurant } from './support/arbitraries.ts'
import {
  type Expected,
  type ExpectedOrder,
  expectedLocations,
  expectedMenu,
  expectedOrder,
  type LocationRecord,
  type PromotionRecord,
  type RestaurantFile,
  wallClock,
} from './support/independent-calculation.ts'
import { pricingVectors, taxVectors } from './support/vectors.ts'

const FRIDAY_EVENING = Date.UTC(2026, 10, 20, 19, 42)

function accepted(answer: Expected): ExpectedOrder {
  assert.equal(answer.status, 201, JSON.stringify(answer))
  return answer.order
}

for (const vector of pricingVectors()) {
  test(`${vector.id}: ${vector.title}`, () => {
    const placed = accepted(expectedOrder(vector.restaurant, vector.body, vector.instant))
    const { subtotal, discount_total, tax_total, service_charge, delivery_fee, grand_total } = placed
    assert.deepEqual(
      { subtotal, discount_total, tax_total, service_charge, delivery_fee, grand_total },
      vector.expected,
    )
    assert.deepEqual(
      placed.items.map(({ qty, unit_price, modifiers_total, line_total }) => ({
        qty,
        unit_price,
        modifiers_total,
        line_total,
      })),
      vector.expectedLines,
    )
  })
}

for (const vector of taxVectors()) {
  test(`${vector.id}: ${vector.title}`, () => {
    const placed = accepted(expectedOrder(vector.restaurant, vector.body, vector.instant))
    const { subtotal, discount_total, tax_total, service_charge, delivery_fee, grand_total } = placed
    assert.deepEqual(
      { subtotal, discount_total, tax_total, service_charge, delivery_fee, grand_total },
      vector.expected,
    )
    assert.deepEqual(placed.tax_lines, vector.expectedTaxLines)
  })
}

/** A pizza in two sizes with a required base and free toppings, a soup, a dish that is switched off and one that is 86'd. */
function pizzeria(changes: Partial<LocationRecord> = {}): RestaurantFile {
  return {
    site: { title: 'Pizzeria', timezone: 'Asia/Tokyo' },
    allergens: [{ id: 9, title: 'Gluten' }],
    modifier_groups: [
      {
        id: 1,
        title: 'Base',
        selection_type: 'single',
        is_required: true,
        modifiers: [
          { id: 1, title: 'Thin', price: 0, is_default: true },
          { id: 2, title: 'Thick', price: 0.505 },
          { id: 3, title: 'Gone', price: 0, published: false },
        ],
      },
      {
        id: 2,
        title: 'Toppings',
        selection_type: 'multiple',
        max_select: 3,
        free_quantity: 1,
        modifiers: [
          { id: 4, title: 'Olives', price: 1, max_quantity: 2 },
          { id: 5, title: 'Truffle', price: 3.5 },
        ],
      },
      {
        id: 3,
        title: 'Sauces',
        selection_type: 'multiple',
        modifiers: [{ id: 6, title: 'Off', price: 1, published: false }],
      },
    ],
    categories: [
      {
        id: 2,
        title: 'Pizza',
        items: [
          {
            id: 7,
            title: 'Margherita',
            price: 8,
            variations: [
              { id: 2, title: 'Large', price: 11.255, is_default: true },
              { id: 1, title: 'Old', price: 1, published: false },
            ],
            modifier_groups: [{ id: 2, min_select: 1 }, { id: 1 }, { id: 3 }],
            allergens: [{ id: 9, presence: 'contains' }],
          },
          { id: 8, title: 'Calzone', price: 9, available: false },
          { id: 5, title: 'Folded', price: 9, modifier_groups: [{ id: 3, min_select: 1 }] },
        ],
      },
      { id: 3, title: 'Hidden', published: false, items: [{ id: 6, title: 'Secret', price: 1 }] },
      {
        id: 1,
        title: 'Soups',
        items: [
          { id: 1, title: 'Soup', price: 5, variations: [{ id: 3, title: 'Bowl', price: 7 }] },
          { id: 2, title: 'Broth', price: 5 },
        ],
      },
    ],
    locations: [
      {
        id: 1,
        code: 'ONE',
        title: 'One',
        currency: 'EUR',
        timezone: 'Europe/Lisbon',
        opening_hours: { mon: { open: '12:00', close: '02:00' }, sun: null },
        items: [
          { id: 2, enabled: false },
          { id: 1, price: 0 },
        ],
        ...changes,
      },
      { id: 2, code: 'TWO', title: 'Two', published: false, currency: 'EUR', timezone: 'Europe/Lisbon' },
    ],
  }
}

const soup = { item_id: 1, qty: 1 }
const largeSoup = { item_id: 1, qty: 1, variation_id: 3 }
const pizza = (...modifiers: (number | [id: number, qty: number])[]) => ({
  item_id: 7,
  qty: 1,
  modifiers: modifiers.map(entry =>
    typeof entry === 'number' ? { modifier_id: entry } : { modifier_id: entry[0], qty: entry[1] },
  ),
})

test('the independent menu has the items that can be ordered, in display order, with effective limits and rounded prices', () => {
  const menu = expectedMenu(pizzeria(), 1)
  assert.deepEqual(
    menu?.categories.map(({ id, items }) => [id, items.map(item => item.id)]),
    [
      [2, [7]],
      [1, [1]],
    ],
  )
  const [margherita] = menu?.categories[0]?.items ?? []
  assert.deepEqual(margherita?.variations, [
    { id: 2, title: 'Large', price: 11.26, is_default: 1, modifier_prices: [], translations: {} },
  ])
  assert.deepEqual(
    margherita?.modifier_groups.map(group => [
      group.id,
      group.is_required,
      group.min_select,
      group.max_select,
      group.modifiers.map(modifier => [modifier.id, modifier.price, modifier.max_quantity]),
    ]),
    [
      [
        2,
        1,
        1,
        3,
        [
          [4, 1, 2],
          [5, 3.5, null],
        ],
      ],
      [
        1,
        1,
        1,
        1,
        [
          [1, 0, null],
          [2, 0.51, null],
        ],
      ],
    ],
  )
  assert.deepEqual(margherita?.allergens, [{ id: 9, title: 'Gluten', presence: 'contains', translations: {} }])
  assert.equal(menu?.categories[1]?.items[0]?.price, 0)
  assert.equal(expectedMenu(pizzeria(), 2), null)
})

test('the independent locations are the published ones, without closed days', () => {
  assert.deepEqual(expectedLocations(pizzeria({ tax_rate: 8.25, service_modes: ['qr'] })), [
    {
      id: 1,
      code: 'ONE',
      title: 'One',
      currency: 'EUR',
      timezone: 'Europe/Lisbon',
      service_modes: ['qr'],
      opening_hours: { mon: { open: '12:00', close: '02:00' } },
      tax_rate: 8.25,
      address: null,
      phone: null,
      opening_periods: { mon: [{ open: '12:00', close: '02:00' }] },
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
    },
  ])
})

test('the independent order names its lines, keeps its texts and is stamped in the time zone of the site', () => {
  const notes = '🍕 \u202ex'
  const placed = accepted(
    expectedOrder(
      pizzeria(),
      {
        location_id: 1,
        channel: 'phone',
        service_mode: '',
        notes,
        items: [{ ...pizza(5, 1, 4), variation_id: 2, qty: 2, notes: '' }, soup],
      },
      FRIDAY_EVENING,
    ),
  )
  assert.deepEqual(placed, {
    location_id: 1,
    channel: 'phone',
    status: 'placed',
    fulfillment_status: null,
    subtotal: 24.52,
    discount_total: 0,
    tax_total: 0,
    service_charge: 0,
    delivery_fee: 0,
    grand_total: 24.52,
    currency: 'EUR',
    notes,
    placed_at: '2026-11-21 04:42:00',
    tax_lines: [{ rate: 0, base: 24.52, tax: 0 }],
    items: [
      {
        item_id: 7,
        variation_id: 2,
        name_snapshot: 'Margherita (Large)',
        qty: 2,
        unit_price: 11.26,
        modifiers_total: 1,
        line_total: 24.52,
        notes: null,
        modifiers: [
          { modifier_id: 5, title: 'Truffle', qty: 1, free: 1, price: 3.5 },
          { modifier_id: 1, title: 'Thin', qty: 1, free: 0, price: 0 },
          { modifier_id: 4, title: 'Olives', qty: 1, free: 0, price: 1 },
        ],
      },
      {
        item_id: 1,
        variation_id: null,
        name_snapshot: 'Soup',
        qty: 1,
        unit_price: 0,
        modifiers_total: 0,
        line_total: 0,
        notes: null,
        modifiers: [],
      },
    ],
  })
})

const UNAVAILABLE = 'One of the items is no longer available.'
const OPTION = 'A selected option is not available.'
const OPTION_QUANTITY = 'The quantity of an option is not valid.'
const MISSING = 'A required option is missing.'
const TOO_MANY = 'Too many options are selected.'
const TOO_LARGE = 'The order is too large.'
const LINE = 'An order line is not valid.'
const QUANTITY = 'The quantity of an item is not valid.'
const DETAILS = 'The order details are not valid.'

const refusals: [title: string, body: unknown, faults: [title: string, pointer: string, group?: number][]][] = [
  ['a list', [], [['The request body is not an order.', '']]],
  [
    'an empty object',
    {},
    [
      ['A valid location_id is required.', '/location_id'],
      ['The order has no items.', '/items'],
    ],
  ],
  [
    'every part of the body wrong at once',
    {
      location_id: '1',
      items: [
        null,
        { item_id: 1.5, variation_id: '2', qty: null, notes: 'a\ud800', modifiers: {} },
        {
          item_id: 1,
          qty: 1,
          modifiers: [null, { qty: 0 }, { modifier_id: 1, qty: null }, { modifier_id: 1, qty: 100 }],
        },
      ],
      channel: 5,
      service_mode: 'x'.repeat(51),
      notes: 'a\0',
      customer: { name: 5, phone: 'x'.repeat(256), email: 'ana' },
    },
    [
      ['A valid location_id is required.', '/location_id'],
      [LINE, '/items/0'],
      [LINE, '/items/1/item_id'],
      [LINE, '/items/1/variation_id'],
      [QUANTITY, '/items/1/qty'],
      [LINE, '/items/1/notes'],
      [LINE, '/items/1/modifiers'],
      [OPTION, '/items/2/modifiers/0/modifier_id'],
      [OPTION, '/items/2/modifiers/1/modifier_id'],
      [OPTION_QUANTITY, '/items/2/modifiers/1/qty'],
      [OPTION_QUANTITY, '/items/2/modifiers/3/qty'],
      [DETAILS, '/service_mode'],
      [DETAILS, '/notes'],
      [DETAILS, '/customer/name'],
      [DETAILS, '/customer/phone'],
      [DETAILS, '/customer/email'],
    ],
  ],
  [
    'a malformed line, without checking the well-formed ones',
    {
      location_id: 99,
      items: [
        { item_id: 99, qty: 1 },
        { ...soup, qty: 0 },
      ],
    },
    [[QUANTITY, '/items/1/qty']],
  ],
  [
    'more than 100 lines, together with their own faults',
    { location_id: 1, items: [...Array(100).fill(soup), { ...soup, qty: 1000 }] },
    [
      [TOO_LARGE, '/items'],
      [QUANTITY, '/items/100/qty'],
    ],
  ],
  [
    'more than 50 modifier entries, together with their own faults',
    { location_id: 1, items: [{ ...soup, modifiers: [...Array(50).fill({ modifier_id: 1 }), 5] }] },
    [
      [TOO_LARGE, '/items/0/modifiers'],
      [OPTION, '/items/0/modifiers/50/modifier_id'],
    ],
  ],
  [
    'an order with many faults, of which it lists 20',
    { location_id: 1, items: Array(30).fill({ ...soup, qty: 0 }) },
    Array.from({ length: 20 }, (_, index): [string, string] => [QUANTITY, `/items/${index}/qty`]),
  ],
  [
    'hidden items and variations of other items',
    {
      location_id: 1,
      items: [
        ...[2, 5, 6, 8, 99, 0, -1].map(item_id => ({
          item_id,
          qty: 1,
          variation_id: 99,
          modifiers: [{ modifier_id: 99 }],
        })),
        { ...soup, variation_id: 2 },
        { ...pizza(1, 4), variation_id: 1 },
      ],
    },
    [
      [UNAVAILABLE, '/items/0/item_id'],
      [UNAVAILABLE, '/items/1/item_id'],
      [UNAVAILABLE, '/items/2/item_id'],
      [UNAVAILABLE, '/items/3/item_id'],
      [UNAVAILABLE, '/items/4/item_id'],
      [UNAVAILABLE, '/items/5/item_id'],
      [UNAVAILABLE, '/items/6/item_id'],
      [UNAVAILABLE, '/items/7/variation_id'],
      [UNAVAILABLE, '/items/8/variation_id'],
    ],
  ],
  [
    'wrong modifiers entry by entry, then group by group in display order, not counting unavailable ones',
    {
      location_id: 1,
      items: [pizza(3, [4, 1], 6, [4, 1], [4, 1], [4, 1]), pizza(1, 2), { ...soup, modifiers: [{ modifier_id: 4 }] }],
    },
    [
      [OPTION, '/items/0/modifiers/0/modifier_id'],
      [OPTION, '/items/0/modifiers/2/modifier_id'],
      [OPTION_QUANTITY, '/items/0/modifiers/4/qty'],
      [TOO_MANY, '/items/0/modifiers', 2],
      [MISSING, '/items/0/modifiers', 1],
      [MISSING, '/items/1/modifiers', 2],
      [TOO_MANY, '/items/1/modifiers', 1],
      [OPTION, '/items/2/modifiers/0/modifier_id'],
    ],
  ],
]

for (const [title, body, faults] of refusals) {
  test(`the independent calculation refuses ${title}`, () => {
    assert.deepEqual(expectedOrder(pizzeria(), body, FRIDAY_EVENING), {
      status: 400,
      faults: faults.map(([title, pointer, group]) => ({ title, pointer, ...(group !== undefined && { group }) })),
    })
  })
}

test('an unknown or unpublished location is 404, before the lines are checked', () => {
  for (const location_id of [2, 3, Number.MAX_SAFE_INTEGER]) {
    const body = { location_id, items: [{ item_id: 99, qty: 1 }] }
    assert.deepEqual(expectedOrder(pizzeria(), body, FRIDAY_EVENING), { status: 404 })
  }
})

test('an order may reach 9,999,999,999 minor units including tax, and not one more', () => {
  const dear = (tax_rate: number | null): RestaurantFile =>
    pizzeria({ tax_rate, variations: [{ id: 3, price: 123_001.23 }] })
  const body = { location_id: 1, items: [{ ...largeSoup, qty: 813 }] }
  assert.equal(accepted(expectedOrder(dear(null), body, FRIDAY_EVENING)).grand_total, 99_999_999.99)
  const tooLarge = { status: 400, faults: [{ title: TOO_LARGE, pointer: '/items' }] }
  assert.deepEqual(expectedOrder(dear(0.0001), body, FRIDAY_EVENING), tooLarge)
  const beyond = { location_id: 1, items: [{ ...largeSoup, qty: 813.001 }] }
  const promotions = [{ id: 1, title: 'All of it', percent: 100 }]
  const free = pizzeria({ variations: [{ id: 3, price: 123_001.23 }], promotions })
  assert.deepEqual(expectedOrder(free, beyond, FRIDAY_EVENING), tooLarge)
})

/** The discount on a soup of 7.00 at these wall-clock times in Lisbon, under one promotion of 1.00. */
function discounts(promotion: Partial<PromotionRecord>, times: string[], details: object = {}): number[] {
  const promotions = [{ id: 1, title: 'One off', amount: 1, ...promotion }]
  const body = { location_id: 1, items: [largeSoup], ...details }
  return times.map(time => {
    const placed = expectedOrder(pizzeria({ promotions }), body, Date.parse(`${time}Z`))
    return accepted(placed).discount_total
  })
}

// Lisbon keeps UTC in winter; 20 November 2026 is a Friday.
const windows: [title: string, promotion: Partial<PromotionRecord>, open: string[], shut: string[]][] = [
  [
    'until is exclusive',
    { from: '17:00', until: '19:00' },
    ['2026-11-20T17:00:00', '2026-11-20T18:59:59'],
    ['2026-11-20T16:59:59', '2026-11-20T19:00:00'],
  ],
  [
    'a window past midnight belongs to the day it starts',
    { from: '22:00', until: '02:00', weekdays: ['fri'], valid_from: '2026-11-20', valid_until: '2026-11-20' },
    ['2026-11-20T22:00:00', '2026-11-21T00:00:00', '2026-11-21T01:59:59'],
    ['2026-11-20T01:59:59', '2026-11-20T21:59:59', '2026-11-21T02:00:00', '2026-11-21T22:00:00', '2026-11-27T22:00:00'],
  ],
  [
    'only from: until midnight',
    { from: '22:00', weekdays: ['fri'] },
    ['2026-11-20T23:59:59'],
    ['2026-11-20T21:59:59', '2026-11-21T00:00:00'],
  ],
  [
    'only until: from midnight',
    { until: '02:00', weekdays: ['fri'] },
    ['2026-11-20T00:00:00'],
    ['2026-11-20T02:00:00', '2026-11-21T00:00:00'],
  ],
  ['until midnight', { from: '22:00', until: '00:00' }, ['2026-11-20T23:59:59'], ['2026-11-20T00:00:00']],
  [
    'dates are inclusive; no weekdays are all of them',
    { valid_from: '2026-11-20', valid_until: '2026-11-21', weekdays: [] },
    ['2026-11-20T00:00:00', '2026-11-21T23:59:59'],
    ['2026-11-19T23:59:59', '2026-11-22T00:00:00'],
  ],
  [
    'the wall clock is the branch’s own, also in summer',
    { from: '17:00', until: '18:00' },
    ['2026-07-04T16:00:00', '2026-07-04T16:59:59'],
    ['2026-07-04T17:00:00'],
  ],
  ['not when inactive', { active: false }, [], ['2026-11-20T12:00:00']],
  ['from its subtotal on', { min_subtotal: 7 }, ['2026-11-20T12:00:00'], []],
  ['not below its subtotal', { min_subtotal: 7.01 }, [], ['2026-11-20T12:00:00']],
]

for (const [title, promotion, open, shut] of windows) {
  test(`a promotion applies: ${title}`, () => {
    assert.deepEqual(
      discounts(promotion, open),
      open.map(() => 1),
    )
    assert.deepEqual(
      discounts(promotion, shut),
      shut.map(() => 0),
    )
  })
}

test('a promotion matches on the recorded channel and on the effective mode separately', () => {
  const noon = ['2026-11-20T12:00:00']
  assert.deepEqual(discounts({ channel: 'delivery' }, noon, { channel: 'delivery', service_mode: 'QR' }), [1])
  assert.deepEqual(discounts({ service_mode: 'delivery' }, noon, { channel: 'delivery', service_mode: 'QR' }), [0])
  assert.deepEqual(discounts({ service_mode: 'dine_in' }, noon, { service_mode: ' Dine-In' }), [1])
  assert.deepEqual(discounts({ service_mode: 'takeaway' }, noon, { channel: 'takeaway', service_mode: 'kerb' }), [1])
  assert.deepEqual(discounts({ channel: 'web' }, noon, { channel: 'kiosk' }), [1])
})

test('the largest discount wins, after each is limited to the subtotal', () => {
  const promotions: PromotionRecord[] = [
    { id: 1, title: 'Half', percent: 50 },
    { id: 2, title: 'Much', amount: 90 },
    { id: 3, title: 'Little', amount: 3 },
  ]
  const at = (list: PromotionRecord[]) =>
    accepted(expectedOrder(pizzeria({ promotions: list }), { location_id: 1, items: [largeSoup] }, FRIDAY_EVENING))
  assert.equal(at(promotions).discount_total, 7)
  assert.equal(at(promotions.filter(({ id }) => id !== 2)).discount_total, 3.5)
})

test('the wall clock is right in half-hour zones and at both clock changes', () => {
  assert.deepEqual(wallClock(Date.UTC(2026, 0, 1, 0, 0), 'Asia/Kathmandu'), { date: '2026-01-01', time: '05:45:00' })
  assert.deepEqual(wallClock(Date.UTC(2026, 2, 29, 0, 59, 59, 999), 'Europe/Lisbon').time, '00:59:59')
  assert.deepEqual(wallClock(Date.UTC(2026, 2, 29, 1), 'Europe/Lisbon').time, '02:00:00')
  assert.deepEqual(wallClock(Date.UTC(2026, 9, 25, 1), 'Europe/Lisbon').time, '01:00:00')
  assert.deepEqual(wallClock(Date.UTC(2026, 6, 4, 4), 'America/New_York'), { date: '2026-07-04', time: '00:00:00' })
})

test('the generators produce mostly valid orders, broken ones that are hardly ever valid, and every kind of refusal', () => {
  const seen = { order: 0, brokenOrder: 0 }
  const titles = new Set<string>()
  const restaurants = fc.sample(restaurant(), { numRuns: 500, seed: 20 })
  restaurants.forEach((sample, seed) => {
    const [at = 0] = fc.sample(instant(sample), { numRuns: 1, seed })
    const [good] = fc.sample(order(sample), { numRuns: 1, seed })
    const [bad] = fc.sample(brokenOrder(sample), { numRuns: 1, seed })
    if (expectedOrder(sample, good, at).status === 201) seen.order += 1
    const refused = expectedOrder(sample, bad, at)
    if (refused.status !== 201) seen.brokenOrder += 1
    if (refused.status === 404) titles.add('Unknown location')
    if (refused.status === 400) for (const { title } of refused.faults) titles.add(title)
  })
  assert.ok(seen.order > 0.6 * restaurants.length, `${seen.order} good orders`)
  assert.ok(seen.brokenOrder >= 0.95 * restaurants.length, `${seen.brokenOrder} refused orders`)
  assert.equal(titles.size, 13, [...titles].join('\n'))
})
