import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderId } from '../store/terms/ids.ts'
import { beside } from './support/beside.ts'
import { heldClock } from './support/held-clock.ts'
import { type Answer, openShop, type Shop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const TITLE = {
  unavailable: 'One of the items is no longer available.',
  json: 'The request body is not valid JSON.',
  notAnOrder: 'The request body is not an order.',
  location: 'A valid location_id is required.',
  noItems: 'The order has no items.',
  tooLarge: 'The order is too large.',
  line: 'An order line is not valid.',
  quantity: 'The quantity of an item is not valid.',
  option: 'A selected option is not available.',
  optionQuantity: 'The quantity of an option is not valid.',
  missing: 'A required option is missing.',
  tooMany: 'Too many options are selected.',
  details: 'The order details are not valid.',
} as const

type Faults = [kind: keyof typeof TITLE, pointer: string, group?: number][]

const soup = { item_id: 1, qty: 1 }
const order = (...items: unknown[]) => ({ location_id: 1, items })
const burger = (...modifiers: unknown[]) => ({ item_id: 2, qty: 1, modifiers })
const egg = { modifier_id: 1 }
const cheese = { modifier_id: 2 }
const fries = { modifier_id: 3 }

function assertRefused({ status, body, text }: Answer, faults: Faults, about = ''): void {
  assert.equal(status, 400, `${about} ${text}`)
  const errors = faults.map(([kind, pointer, group]) => {
    const source = { pointer, ...(group !== undefined && { modifier_group_id: group }) }
    return { title: TITLE[kind], code: 'INVALID_ORDER', source }
  })
  assert.deepEqual(body, { errors }, about)
}

async function place(shop: Shop, body: unknown) {
  const answer = await shop.order(body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}

function countOf(shop: Shop): unknown {
  const [counted] = shop.rows(
    'SELECT (SELECT count(*) FROM orders) AS orders, (SELECT count(*) FROM order_line) AS lines',
  )
  return counted
}

const manyOrders = { 'orders.limit': '100000' }

test('a created order is returned with 201 and every field of section 2 in its exact type', async t => {
  const shop = await openShop(t, {
    clock: heldClock('2026-11-20T19:42:05.999Z'),
    settings: { 'site.timezone': 'UTC' },
    restaurant: smallRestaurant({ promotions: [{ id: 1, title: 'Ten', percent: 10 }], service_charge_rate: 5 }),
  })
  const { status, headers, body } = await shop.order({
    location_id: 1,
    channel: 'phone',
    service_mode: 'Dine-In',
    notes: 'Table 4',
    customer: { name: 'Ana', phone: '+351 912 345 678', email: 'ana@example.test' },
    items: [
      { item_id: 4, qty: 2, variation_id: 2, notes: 'hot' },
      { ...burger({ modifier_id: 2, qty: 2 }), qty: 1.5 },
    ],
  })
  assert.equal(status, 201)
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.deepEqual(body, {
    data: {
      id: 1,
      order_number: 'ORD-000001',
      location_id: 1,
      channel: 'phone',
      status: 'placed',
      fulfillment_status: null,
      subtotal: 27.88,
      discount_total: 2.79,
      tax_total: 2.17,
      service_charge: 1.25,
      delivery_fee: 0,
      grand_total: 28.51,
      currency: 'USD',
      notes: 'Table 4',
      placed_at: '2026-11-20 19:42:05',
      tax_lines: [{ rate: 8.25, base: 26.34, tax: 2.17 }],
      items: [
        {
          id: 1,
          item_id: 4,
          variation_id: 2,
          name_snapshot: 'Latte (Large)',
          qty: 2,
          unit_price: 4,
          modifiers_total: 0,
          line_total: 8,
          notes: 'hot',
          modifiers: [],
        },
        {
          id: 2,
          item_id: 2,
          variation_id: null,
          name_snapshot: 'Burger',
          qty: 1.5,
          unit_price: 12.5,
          modifiers_total: 0.75,
          line_total: 19.88,
          notes: null,
          modifiers: [{ modifier_id: 2, title: 'Cheese', qty: 2, free: 1, price: 0.75 }],
        },
      ],
    },
  })
})

test('only location and items are required; every optional member may be null, and a text may be empty (decision A8)', async t => {
  const shop = await openShop(t)
  const bare = await place(shop, order(soup))
  assert.deepEqual(
    [bare.channel, bare.notes, bare.items[0].notes, bare.items[0].variation_id],
    ['web', null, null, null],
  )
  const optional = ['notes', 'service_mode', 'customer', 'channel']
  const bodies = [
    {
      ...order({ ...soup, notes: null, variation_id: null, modifiers: null }),
      ...Object.fromEntries(optional.map(key => [key, null])),
    },
    { ...order({ ...soup, notes: '', modifiers: [] }), notes: '', service_mode: '', customer: {} },
    { ...order(soup), customer: { name: null, phone: null, email: null } },
    { ...order(soup), customer: { name: '', phone: '', email: '' } },
  ]
  for (const body of bodies) {
    const { id, order_number, items, ...rest } = await place(shop, body)
    assert.deepEqual({ ...rest, placed_at: '' }, { ...withoutIds(bare), placed_at: '' })
    assert.equal(items[0].notes, null)
  }
  const stored = shop.rows(
    'SELECT DISTINCT notes, service_mode, mode, customer_name, customer_phone, customer_email FROM orders',
  )
  assert.deepEqual(stored, [
    { notes: null, service_mode: null, mode: null, customer_name: null, customer_phone: null, customer_email: null },
  ])
  await place(shop, order(burger({ modifier_id: 2, qty: null }, { modifier_id: 2 })))
})

function withoutIds({ id, order_number, items, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest
}

test('submitted prices, totals, states, ids and unknown fields are ignored (section 4.3 rule 1, decision A9)', async t => {
  const shop = await openShop(t)
  const honest = await place(shop, order(soup, burger(cheese, egg)))
  const lies = {
    price: 0.01,
    unit_price: 0.01,
    line_total: 0,
    modifiers_total: 0,
    total: 0,
    name_snapshot: 'Free',
    id: 99,
  }
  const cunning = await place(shop, {
    ...order({ ...soup, ...lies }, { ...burger({ ...cheese, ...lies }, egg), ...lies }),
    id: 99,
    order_number: 'ORD-000099',
    status: 'completed',
    fulfillment_status: 'fulfilled',
    placed_at: '2001-01-01 00:00:00',
    currency: 'JPY',
    source: 'admin',
    paid: true,
    subtotal: 0,
    discount_total: 18,
    grand_total: 0,
  })
  assert.deepEqual([cunning.id, cunning.order_number, cunning.status], [honest.id + 1, 'ORD-000002', 'placed'])
  const money = ({ subtotal, discount_total, grand_total, currency }: Record<string, unknown>) => [
    subtotal,
    discount_total,
    grand_total,
    currency,
  ]
  assert.deepEqual(money(cunning), money(honest))
  assert.deepEqual(
    cunning.items.map(({ id, ...line }: { id: unknown }) => line),
    honest.items.map(({ id, ...line }: { id: unknown }) => line),
  )
})

test('a __proto__ or constructor member is ignored like any unknown field (decision A9)', async t => {
  const shop = await openShop(t)
  assertRefused(await shop.order(`{"__proto__":{"location_id":1,"items":[{"item_id":1,"qty":1}]}}`), [
    ['location', '/location_id'],
    ['noItems', '/items'],
  ])
  assertRefused(await shop.order('{"location_id":1,"items":[{"__proto__":{"item_id":1},"qty":1}]}'), [
    ['line', '/items/0/item_id'],
  ])
  const { status } = await shop.order(
    `{"constructor":{"prototype":{"notes":"x"}},"location_id":1,"items":[{"item_id":1,"qty":1,"__proto__":{"qty":5}}]}`,
  )
  assert.equal(status, 201)
  assert.equal((await place(shop, order(soup))).notes, null)
})

test('sending the same body twice creates two orders: there is no idempotency key (section 4.3 rule 4)', async t => {
  const shop = await openShop(t)
  const body = order(soup, burger())
  const [first, second] = [await place(shop, body), await place(shop, body)]
  assert.deepEqual([first.order_number, second.order_number], ['ORD-000001', 'ORD-000002'])
  assert.notEqual(first.id, second.id)
  assert.deepEqual(countOf(shop), { orders: 2, lines: 4 })
})

test('one item that is no longer available refuses the whole order and writes nothing (section 4.3 rule 6)', async t => {
  const shop = await openShop(t)
  shop.execute(
    `INSERT INTO unavailable (kind, target_id, location_id, since_at) VALUES ('item', 2, 1, 0); UPDATE revision SET catalogue = catalogue + 1`,
  )
  assertRefused(await shop.order(order(soup, burger())), [['unavailable', '/items/1/item_id']])
  assert.deepEqual(countOf(shop), { orders: 0, lines: 0 })
})

const wrongIds = [undefined, null, '1', '', true, 1.5, 2 ** 53, 1e300, [], [1], {}]
const wrongQuantities = [undefined, null, '1', true, 0, -1, 0.0001, 0.0005, 1.0005, 999.001, 1000, 1e308, [], [1], {}]
const wrongTexts = [5, 0, true, false, [], {}, ['x'], 'a\0', '\ud83d', 'a\udf55b']
const tooLong = (longest: number) => ['x'.repeat(longest + 1), '🍕'.repeat(longest + 1)]
const modifier = (entry: unknown) => order(soup, burger(cheese, entry))

// Each value makes the body wrong in one place.
const wrong: [title: string, values: unknown[], body: (value: unknown) => unknown, fault: Faults[number]][] = [
  ['the root must be an object', [null, [], [1], 5, 'x', true], value => JSON.stringify(value), ['notAnOrder', '']],
  [
    'location_id must be an integer',
    wrongIds,
    location_id => ({ location_id, items: [soup] }),
    ['location', '/location_id'],
  ],
  [
    'location_id must be at least 1',
    [0, -1],
    location_id => ({ location_id, items: [soup] }),
    ['location', '/location_id'],
  ],
  [
    'items must be a list that is not empty',
    [undefined, null, {}, [], 'x', 5, true, { length: 1 }],
    items => ({ location_id: 1, items }),
    ['noItems', '/items'],
  ],
  ['a line must be an object', [null, 5, 'x', true, [], [soup]], line => order(soup, line), ['line', '/items/1']],
  ['item_id must be an integer', wrongIds, item_id => order(soup, { item_id, qty: 1 }), ['line', '/items/1/item_id']],
  [
    'variation_id must be an integer',
    wrongIds.filter(value => value != null),
    variation_id => order(soup, { ...soup, variation_id }),
    ['line', '/items/1/variation_id'],
  ],
  [
    'qty must be more than 0, at most 999, with at most 3 decimals',
    wrongQuantities,
    qty => order(soup, { item_id: 1, qty }),
    ['quantity', '/items/1/qty'],
  ],
  [
    'the notes of a line must be text of at most 1,000 characters',
    [...wrongTexts, ...tooLong(1000)],
    notes => order(soup, { ...soup, notes }),
    ['line', '/items/1/notes'],
  ],
  [
    'modifiers must be a list',
    [{}, 'x', 5, true, false, 0, ''],
    modifiers => order(soup, { ...soup, modifiers }),
    ['line', '/items/1/modifiers'],
  ],
  [
    'a modifier must be an object',
    [null, 5, 'x', true, [], [egg]],
    modifier,
    ['option', '/items/1/modifiers/1/modifier_id'],
  ],
  [
    'modifier_id must be an integer',
    wrongIds,
    modifier_id => modifier({ modifier_id }),
    ['option', '/items/1/modifiers/1/modifier_id'],
  ],
  [
    'the qty of a modifier must be an integer from 1 to 99',
    [0, -1, 1.5, 100, 1e21, '1', true, false, [], {}],
    qty => modifier({ ...egg, qty }),
    ['optionQuantity', '/items/1/modifiers/1/qty'],
  ],
  [
    'notes must be text of at most 1,000 characters',
    [...wrongTexts, ...tooLong(1000)],
    notes => ({ ...order(soup), notes }),
    ['details', '/notes'],
  ],
  [
    'service_mode must be text of at most 50 characters',
    [...wrongTexts, ...tooLong(50)],
    service_mode => ({ ...order(soup), service_mode }),
    ['details', '/service_mode'],
  ],
  [
    'customer must be an object',
    ['x', '', 5, 0, true, false, [], [{}]],
    customer => ({ ...order(soup), customer }),
    ['details', '/customer'],
  ],
  ...['name', 'phone', 'email'].map((field): (typeof wrong)[number] => [
    `customer ${field} must be text of at most 255 characters`,
    [...wrongTexts, ...tooLong(255)],
    value => ({ ...order(soup), customer: { [field]: value } }),
    ['details', `/customer/${field}`],
  ]),
  [
    'an email must look like one',
    [
      'ana',
      '@',
      'ana@',
      '@example.test',
      'an a@example.test',
      'ana@ex ample',
      'a@b@c',
      `${'a'.repeat(250)}@${'b'.repeat(5)}`,
      ' ana@example.test',
      'ana@example.test\n',
    ],
    email => ({ ...order(soup), customer: { email } }),
    ['details', '/customer/email'],
  ],
]

test('a body of the wrong shape is refused with the title for it and a pointer to the place (decisions A2, A3, A8)', async t => {
  const shop = await openShop(t)
  for (const [title, values, body, fault] of wrong) {
    await t.test(title, async () => {
      for (const value of values) {
        const sent = body(value)
        const about = typeof sent === 'string' ? sent : JSON.stringify(sent)
        assertRefused(await shop.order(about), [fault], about.slice(0, 200))
      }
    })
  }
  assert.deepEqual(countOf(shop), { orders: 0, lines: 0 })
})

test('a body that is not JSON is refused without a pointer (decisions A2, A3)', async t => {
  const shop = await openShop(t)
  const good = JSON.stringify(order(soup))
  const bodies: (string | Buffer)[] = [
    '',
    ' ',
    good.slice(0, -1),
    `${good}}`,
    `${good}${good}`,
    good.replace('"qty":1', '"qty":01'),
    good.replace('"qty":1', '"qty":NaN'),
    good.replace('"qty":1', "'qty':1"),
    good.replace('"qty":1', '"qty":1,'),
    `\uFEFF\uFEFF${good}`,
    Buffer.concat([
      Buffer.from(good.slice(0, -1)),
      Buffer.from(',"notes":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]),
    Buffer.concat([
      Buffer.from(good.slice(0, -1)),
      Buffer.from(',"notes":"'),
      Buffer.from([0xc0, 0xaf]),
      Buffer.from('"}'),
    ]),
    Buffer.from(good, 'utf16le'),
  ]
  for (const body of bodies) {
    const answer = await shop.order(body)
    assert.equal(answer.status, 400, String(body))
    assert.deepEqual(answer.body, { errors: [{ title: TITLE.json, code: 'INVALID_ORDER' }] }, String(body))
  }
})

test('the pointer for a missing member names where it belongs (decision A3)', async t => {
  const shop = await openShop(t)
  assertRefused(await shop.order({}), [
    ['location', '/location_id'],
    ['noItems', '/items'],
  ])
  assertRefused(await shop.order(order({}, { modifiers: [{}] })), [
    ['line', '/items/0/item_id'],
    ['quantity', '/items/0/qty'],
    ['line', '/items/1/item_id'],
    ['quantity', '/items/1/qty'],
    ['option', '/items/1/modifiers/0/modifier_id'],
  ])
})

test('all faults of shape are listed: the location, then the lines in order, then channel to customer (decision A3)', async t => {
  const shop = await openShop(t)
  const answer = await shop.order({
    customer: { email: 'ana', phone: 5, name: '\0' },
    notes: 5,
    service_mode: {},
    channel: [],
    items: [
      { modifiers: [{ qty: 0 }, 5, { modifier_id: 1, qty: 100 }], notes: 5, qty: 0, variation_id: 'x', item_id: 'x' },
      null,
      soup,
      { ...soup, modifiers: {} },
    ],
    location_id: 0,
  })
  assertRefused(answer, [
    ['location', '/location_id'],
    ['line', '/items/0/item_id'],
    ['line', '/items/0/variation_id'],
    ['quantity', '/items/0/qty'],
    ['line', '/items/0/notes'],
    ['option', '/items/0/modifiers/0/modifier_id'],
    ['optionQuantity', '/items/0/modifiers/0/qty'],
    ['option', '/items/0/modifiers/1/modifier_id'],
    ['optionQuantity', '/items/0/modifiers/2/qty'],
    ['line', '/items/1'],
    ['line', '/items/3/modifiers'],
    ['details', '/service_mode'],
    ['details', '/notes'],
    ['details', '/customer/name'],
    ['details', '/customer/phone'],
    ['details', '/customer/email'],
  ])
})

test('all faults of the lines are listed: for each line the item, the variation, the modifiers in order, then the groups (decisions A3, D4)', async t => {
  const shop = await openShop(t)
  const answer = await shop.order(
    order(
      { item_id: 99, qty: 1, variation_id: 99, modifiers: [{ modifier_id: 99 }] },
      {
        ...burger({ modifier_id: 3 }, { modifier_id: 1, qty: 3 }, { modifier_id: 99 }, { modifier_id: 2, qty: 2 }),
        variation_id: 1,
      },
      { item_id: 3, qty: 1, modifiers: [egg] },
      soup,
      { item_id: 4, qty: 1, variation_id: 99 },
    ),
  )
  assertRefused(answer, [
    ['unavailable', '/items/0/item_id'],
    ['unavailable', '/items/1/variation_id'],
    ['option', '/items/1/modifiers/0/modifier_id'],
    ['optionQuantity', '/items/1/modifiers/1/qty'],
    ['option', '/items/1/modifiers/2/modifier_id'],
    ['tooMany', '/items/1/modifiers', 1],
    ['option', '/items/2/modifiers/0/modifier_id'],
    ['missing', '/items/2/modifiers', 2],
    ['unavailable', '/items/4/variation_id'],
  ])
})

test('only the first 20 faults are listed, whether of shape or of lines (decision A3)', async t => {
  const shop = await openShop(t)
  const first = (kind: keyof typeof TITLE, member: string): Faults =>
    Array.from({ length: 20 }, (_, index) => [kind, `/items/${index}/${member}`])
  const repeated = (line: unknown) => ({ ...order(...Array(21).fill(line)), notes: 5 })
  assertRefused(await shop.order(repeated({ item_id: 1, qty: 0 })), first('quantity', 'qty'))
  const unknown = order(...Array(21).fill({ item_id: 99, qty: 1 }))
  assertRefused(await shop.order(unknown), first('unavailable', 'item_id'))
})

test('the shape of the whole body is checked before the location, and the location before the lines (decision A1)', async t => {
  const shop = await openShop(t)
  const elsewhere = { location_id: 99, items: [{ item_id: 99, qty: 1 }] }
  assertRefused(await shop.order({ ...elsewhere, notes: 5 }), [['details', '/notes']])
  const { status, body } = await shop.order(elsewhere)
  assert.equal(status, 404)
  assert.deepEqual(body, { errors: [{ title: 'Unknown location', code: 'UNKNOWN_LOCATION' }] })
  const misshapen = order({ item_id: 99, qty: 1 }, { item_id: 1, qty: 0 })
  assertRefused(await shop.order(misshapen), [['quantity', '/items/1/qty']])
})

test('100 lines and 50 modifier entries are accepted, and one more is too many (decision A8)', async t => {
  const shop = await openShop(t, { settings: manyOrders, restaurant: withoutGroupLimits() })
  await place(shop, order(...Array(100).fill(soup)))
  assertRefused(await shop.order(order(...Array(101).fill(soup))), [['tooLarge', '/items']])
  const { items } = await place(shop, order(burger(...Array(50).fill({ modifier_id: 2, qty: 99 }))))
  assert.equal(items[0].modifiers_total, 49 * 99 * 0.75 + 98 * 0.75, 'of 4,950 units one is free')
  assertRefused(await shop.order(order(soup, burger(...Array(51).fill(cheese)))), [['tooLarge', '/items/1/modifiers']])
})

/** The small restaurant, where any number of extras may be chosen. */
function withoutGroupLimits() {
  const restaurant = smallRestaurant()
  const [extras, side] = restaurant.modifier_groups
  return { ...restaurant, modifier_groups: [{ ...extras, max_select: 0 }, side] }
}

test('a quantity has at most three decimals and is returned as sent (decisions A8, C6)', async t => {
  const shop = await openShop(t)
  for (const [sent, qty, total] of [
    ['0.001', 0.001, 0.01],
    ['0.333', 0.333, 2],
    ['2.675', 2.675, 16.05],
    ['1.005', 1.005, 6.03],
    ['1.0', 1, 6],
    ['1e0', 1, 6],
    ['1500e-3', 1.5, 9],
    ['998.999', 998.999, 5993.99],
    ['999', 999, 5994],
  ] as const) {
    const { items } = await place(shop, `{"location_id":1,"items":[{"item_id":1,"qty":${sent}}]}`)
    assert.deepEqual([items[0].qty, items[0].line_total], [qty, total], sent)
  }
})

test('a total of 9,999,999,999 minor units is accepted, and one more is too large (decision A8)', async t => {
  const items = [
    { id: 1, title: 'Ship', price: 99_999_999.99 },
    { id: 2, title: 'Screw', price: 0.01 },
  ]
  const categories = [{ id: 1, title: 'Shipyard', items }]
  const at = (location: object) => smallRestaurant({ tax_rate: null, ...location }, { categories, modifier_groups: [] })
  const shop = await openShop(t, { restaurant: at({}) })
  const { importRestaurant } = beside(t, shop)
  const ship = { item_id: 1, qty: 1 }
  assert.equal((await place(shop, order(ship))).grand_total, 99_999_999.99)
  assertRefused(await shop.order(order(ship, { item_id: 2, qty: 1 })), [['tooLarge', '/items']])
  assertRefused(await shop.order(order({ ...ship, qty: 1.001 })), [['tooLarge', '/items']])
  for (const more of [{ tax_rate: 0.0001 }, { service_charge_rate: 0.0001 }, { delivery_fee: 0.01 }]) {
    importRestaurant(at(more))
    const details = { service_mode: 'delivery_fee' in more ? 'delivery' : 'dine_in' }
    assertRefused(await shop.order({ ...order(ship), ...details }), [['tooLarge', '/items']], JSON.stringify(more))
  }
  importRestaurant(at({ tax_rate: 23, prices_include_tax: true }))
  assert.equal((await place(shop, order(ship))).grand_total, 99_999_999.99)
})

test('lengths are counted in code points, and a text is returned as it was sent (decision A8)', async t => {
  const shop = await openShop(t)
  const ofLine = '🍕'.repeat(1000)
  const longest = {
    ...order({ ...soup, notes: ofLine }),
    notes: '🧀'.repeat(1000),
    service_mode: '🛵'.repeat(50),
    customer: { name: '名'.repeat(255), phone: '5'.repeat(255), email: `${'📧'.repeat(243)}@example.tld` },
  }
  const placed = await place(shop, longest)
  assert.deepEqual([placed.notes, placed.items[0].notes], [longest.notes, ofLine])
  const [stored] = shop.rows('SELECT service_mode, customer_name, customer_phone, customer_email FROM orders')
  const { name, phone, email } = longest.customer
  assert.deepEqual(stored, {
    service_mode: longest.service_mode,
    customer_name: name,
    customer_phone: phone,
    customer_email: email,
  })

  const texts = [
    ' ',
    '  padded\t',
    'a\nb\r\nc',
    '\u202eשלום',
    'e\u0301 ≠ é',
    '\u0001\u007f\u2028',
    '<b>"&\'',
    '👩‍👩‍👧',
    '\uFEFF',
    '\uFFFD',
  ]
  for (const text of texts) {
    const { notes, items } = await place(shop, { ...order({ ...soup, notes: text }), notes: text })
    assert.deepEqual([notes, items[0].notes], [text, text])
  }
})

test('a body of 256 KiB is accepted, and one more byte is too large (decision A8)', async t => {
  const shop = await openShop(t)
  const fill = (bytes: number) => JSON.stringify(order(soup)).padEnd(bytes)
  await place(shop, fill(256 * 1024))
  const { status, body } = await shop.order(fill(256 * 1024 + 1))
  assert.equal(status, 413)
  assert.equal(body.errors[0].code, 'PAYLOAD_TOO_LARGE')
})

test('an integer may be written as 1.0 or 1e0, and the last of duplicate keys wins (decision A9)', async t => {
  const shop = await openShop(t)
  const bodies = [
    '{"location_id":1.0,"items":[{"item_id":1e0,"qty":1}]}',
    '{"location_id":10e-1,"items":[{"item_id":1.000,"qty":1,"variation_id":null}]}',
    '{"location_id":99,"items":[],"items":[{"item_id":99,"qty":0,"item_id":1,"qty":1}],"location_id":1}',
    `\uFEFF${JSON.stringify(order(soup))}`,
    ` \n\t\r${JSON.stringify(order(soup), null, 2)}\n`,
  ]
  for (const body of bodies) {
    const { items } = await place(shop, body)
    assert.deepEqual([items.length, items[0].item_id, items[0].qty], [1, 1, 1], body)
  }
})

test('a channel that is not one of the four, of any JSON type, becomes web (section 4.3, decision A10)', async t => {
  const shop = await openShop(t, { settings: manyOrders })
  for (const channel of ['web', 'phone', 'takeaway', 'delivery']) {
    assert.equal((await place(shop, { ...order(soup), channel })).channel, channel)
  }
  const others = [
    'constructor',
    '__proto__',
    'WEB',
    'Phone',
    ' delivery',
    '',
    'qr',
    5,
    0,
    1.5,
    true,
    false,
    null,
    {},
    [],
    ['phone'],
  ]
  for (const channel of others) {
    assert.equal((await place(shop, { ...order(soup), channel })).channel, 'web', JSON.stringify(channel))
  }
  const counted = shop.rows(
    'SELECT channel, count(*) AS orders FROM orders GROUP BY channel ORDER BY orders DESC, channel',
  )
  assert.deepEqual(counted[0], { channel: 'web', orders: others.length + 1 })
})

// What a location with a service charge for dining in and a delivery fee makes of a service mode and a channel.
const modes: [serviceMode: string | null, channel: string, mode: string | null][] = [
  ['dine_in', 'web', 'dine_in'],
  ['Dine In', 'web', 'dine_in'],
  [' DINE-IN\t', 'delivery', 'dine_in'],
  ['delivery', 'web', 'delivery'],
  ['Delivery', 'takeaway', 'delivery'],
  ['takeaway', 'delivery', 'takeaway'],
  ['take away', 'delivery', 'delivery'],
  ['QR', 'phone', 'qr'],
  ['dine__in', 'web', null],
  ['curbside', 'delivery', 'delivery'],
  ['curbside', 'takeaway', 'takeaway'],
  ['curbside', 'phone', null],
  [null, 'delivery', 'delivery'],
  [null, 'web', null],
]

test('the mode follows a known service_mode, whatever its spelling, and otherwise the channel (decision C4)', async t => {
  const shop = await openShop(t, {
    restaurant: smallRestaurant({
      tax_rate: null,
      service_charge_rate: 10,
      service_charge_modes: ['dine_in', 'qr'],
      delivery_fee: 2.5,
    }),
  })
  for (const [service_mode, channel, mode] of modes) {
    const { service_charge, delivery_fee } = await place(shop, { ...order(soup), service_mode, channel })
    const expected = { dine_in: [0.6, 0], qr: [0.6, 0], delivery: [0, 2.5] }[mode ?? ''] ?? [0, 0]
    assert.deepEqual([service_charge, delivery_fee], expected, `${service_mode} by ${channel}`)
  }
  assert.deepEqual(
    shop.rows('SELECT service_mode, channel, mode FROM orders ORDER BY id').map(row => Object.values(row)),
    modes,
  )
})

const currencies: [code: string, price: number, total: number, tax: number][] = [
  ['USD', 4.7, 14.1, 1.16],
  ['JPY', 970, 2910, 240],
  ['KWD', 1.235, 3.705, 0.306],
  ['EUR', 0.1, 0.3, 0.02],
]

test('amounts are JSON numbers in major units of the location’s currency, which the order states (decision C6)', async t => {
  const shop = await openShop(t)
  const { importRestaurant } = beside(t, shop)
  for (const [currency, price, subtotal, tax] of currencies) {
    importRestaurant(smallRestaurant({ currency, items: [{ id: 1, price }] }))
    const placed = await place(shop, order({ ...soup, qty: 3 }))
    assert.deepEqual([placed.currency, placed.subtotal, placed.tax_total], [currency, subtotal, tax])
  }
  const { text } = await shop.order(order({ ...soup, qty: 3 }))
  assert.match(text, /"subtotal":0\.3,/)
})

test('an order keeps the prices and rates it was placed with when the catalogue changes (decision C7)', async t => {
  const restaurant = smallRestaurant({
    currency: 'EUR',
    tax_rate: 13,
    prices_include_tax: true,
    service_charge_rate: 5,
    service_charge_taxable: false,
    delivery_fee: 2.5,
    delivery_fee_taxable: true,
    promotions: [
      { id: 7, title: 'Ten', percent: 10 },
      { id: 8, title: 'Two euros', amount: 2, min_subtotal: 30 },
    ],
  })
  const shop = await openShop(t, { restaurant, clock: heldClock('2026-11-20T19:42:00Z') })
  const { importRestaurant, settings, orderBook } = beside(t, shop)
  const rows = () => [shop.rows('SELECT * FROM orders ORDER BY id'), shop.rows('SELECT * FROM order_line ORDER BY id')]
  const { id } = await place(shop, {
    ...order(
      { ...burger(cheese, { modifier_id: 1, qty: 2 }, cheese), notes: 'rare' },
      { item_id: 4, qty: 0.5, variation_id: 2 },
    ),
    service_mode: 'delivery',
  })
  await place(shop, { ...order({ ...soup, qty: 2.5 }), service_mode: 'dine_in' })
  const before = rows()

  const kept = orderBook.byId(id as OrderId)
  assert.ok(kept)
  const { lines, placedAt, businessDate, customer, ...rest } = kept
  assert.deepEqual(rest, {
    id,
    number: 1,
    locationId: 1,
    source: 'api',
    channel: 'web',
    serviceMode: 'delivery',
    mode: 'delivery',
    status: 'placed',
    fulfillmentStatus: null,
    currency: 'EUR',
    exponent: 2,
    subtotal: 1825,
    discountTotal: 183,
    serviceCharge: 0,
    deliveryFee: 250,
    taxTotal: 218,
    taxLines: [{ ratePpm: 130_000, base: 1892, tax: 218 }],
    grandTotal: 1892,
    taxPpm: 130_000,
    pricesIncludeTax: true,
    serviceChargePpm: 50_000,
    serviceChargeTaxable: false,
    deliveryFeeTaxable: true,
    promotion: { id: 7, title: 'Ten', discount: { percentPpm: 100_000 } },
    manualDiscount: null,
    notes: null,
    cancelReason: null,
    tableId: null,
    tableTitle: null,
    wantedAt: null,
    deliveryAddress: null,
    deliveryPostcode: null,
  })
  const line = { notes: null, modifiers: [], taxPpm: 130_000 }
  assert.deepEqual(
    lines.map(({ id: lineId, ...each }) => each),
    [
      {
        itemId: 2,
        variationId: null,
        name: 'Burger',
        qtyMilli: 1000,
        unitPrice: 1250,
        modifiersTotal: 375,
        lineTotal: 1625,
        notes: 'rare',
        taxPpm: 130_000,
        modifiers: [
          { id: 2, title: 'Cheese', group: 'Extras', qty: 1, free: 1, price: 75 },
          { id: 1, title: 'Egg', group: 'Extras', qty: 2, free: 0, price: 150 },
          { id: 2, title: 'Cheese', group: 'Extras', qty: 1, free: 0, price: 75 },
        ],
      },
      {
        ...line,
        itemId: 4,
        variationId: 2,
        name: 'Latte (Large)',
        qtyMilli: 500,
        unitPrice: 400,
        modifiersTotal: 0,
        lineTotal: 200,
      },
    ],
  )

  const edited = JSON.parse(
    JSON.stringify(restaurant)
      .replaceAll(/"title":"/g, '"title":"New ')
      .replaceAll(/"price":\d+/g, '"price":9'),
  )
  importRestaurant({
    ...edited,
    locations: [{ ...edited.locations[0], currency: 'JPY', tax_rate: null, timezone: 'Asia/Tokyo', promotions: [] }],
  })
  importRestaurant({ locations: [] })
  settings.set('site.timezone', 'Asia/Tokyo')
  assert.deepEqual(rows(), before)
  assert.deepEqual(orderBook.byId(id as OrderId), kept)
})

test('an item with variations that is ordered without one costs the base price and records no variation (section 4.3 rule 2, decision D2)', async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant({ variations: [{ id: 1, price: 3.3 }] }) })
  const { importRestaurant } = beside(t, shop)
  const sizeless = async () => {
    const { items } = await place(shop, order({ item_id: 4, qty: 1 }))
    return [items[0].unit_price, items[0].variation_id, items[0].name_snapshot]
  }
  assert.deepEqual(await sizeless(), [3, null, 'Latte'])
  importRestaurant(smallRestaurant({ items: [{ id: 4, price: 2.2 }] }))
  assert.deepEqual(await sizeless(), [2.2, null, 'Latte'])
})

test('a variation of another item, or for an item without any, is refused as no longer available (decision D2)', async t => {
  const restaurant = smallRestaurant()
  restaurant.categories[0]?.items.push({
    id: 9,
    title: 'Wine',
    price: 5,
    variations: [{ id: 9, title: 'Glass', price: 5 }],
  } as never)
  const shop = await openShop(t, { restaurant })
  for (const [item_id, variation_id] of [
    [4, 9],
    [9, 1],
    [1, 1],
    [4, 99],
    [4, 0],
    [4, -1],
  ]) {
    assertRefused(await shop.order(order(soup, { item_id, qty: 1, variation_id })), [
      ['unavailable', '/items/1/variation_id'],
    ])
  }
})

test('a line is named Title or Title (Variation), even when the title contains parentheses (decision D3)', async t => {
  const items = [{ id: 1, title: 'Chef’s (daily)', price: 5, variations: [{ id: 1, title: 'XL (45 cm)', price: 7 }] }]
  const shop = await openShop(t, {
    restaurant: smallRestaurant({}, { categories: [{ id: 1, title: 'Food', items }], modifier_groups: [] }),
  })
  const placed = await place(shop, order({ ...soup, variation_id: 1 }, soup))
  assert.deepEqual(
    placed.items.map((line: { name_snapshot: string }) => line.name_snapshot),
    ['Chef’s (daily) (XL (45 cm))', 'Chef’s (daily)'],
  )
})

const steak = (...modifiers: unknown[]) => ({ item_id: 3, qty: 1, modifiers })

// The burger takes up to 4 extras, the first of them free, of which 2 eggs; the steak takes exactly one side.
const choices: [title: string, line: object, outcome: number | Faults][] = [
  ['no choice in an optional group: its default is not added', burger(), 0],
  ['up to the maximum of a group', burger(egg, egg, cheese, cheese), 1.5 + 0.75 + 0.75],
  ['above the maximum of a group', burger({ modifier_id: 2, qty: 5 }), [['tooMany', '/items/0/modifiers', 1]]],
  [
    'above it when summed over entries',
    burger(cheese, cheese, cheese, egg, cheese),
    [['tooMany', '/items/0/modifiers', 1]],
  ],
  ['up to max_quantity', burger({ modifier_id: 1, qty: 2 }), 1.5],
  ['above max_quantity', burger({ modifier_id: 1, qty: 3 }), [['optionQuantity', '/items/0/modifiers/0/qty']]],
  [
    'above max_quantity when summed over entries, at the entry that goes beyond',
    burger(egg, cheese, egg, egg),
    [['optionQuantity', '/items/0/modifiers/3/qty']],
  ],
  ['far above max_quantity is one fault', burger(egg, egg, egg, egg), [['optionQuantity', '/items/0/modifiers/2/qty']]],
  ['a required choice left out', steak(), [['missing', '/items/0/modifiers', 2]]],
  ['a required choice left out with the modifiers', { item_id: 3, qty: 1 }, [['missing', '/items/0/modifiers', 2]]],
  ['one unit in a single group', steak(fries), 0],
  ['two units in a single group', steak({ modifier_id: 3, qty: 2 }), [['tooMany', '/items/0/modifiers', 2]]],
  ['two entries in a single group', steak(fries, fries), [['tooMany', '/items/0/modifiers', 2]]],
  ['two modifiers of a single group', steak(fries, { modifier_id: 4 }), [['tooMany', '/items/0/modifiers', 2]]],
  ['a modifier of a group the item lacks', steak(fries, egg), [['option', '/items/0/modifiers/1/modifier_id']]],
  [
    'a modifier that does not exist does not count for any group',
    steak({ modifier_id: 99 }),
    [
      ['option', '/items/0/modifiers/0/modifier_id'],
      ['missing', '/items/0/modifiers', 2],
    ],
  ],
  [
    'a modifier on an item without groups',
    { ...soup, modifiers: [egg] },
    [['option', '/items/0/modifiers/0/modifier_id']],
  ],
  ['the first units sent are the free ones: the dear one first', burger(egg, cheese), 0.75],
  ['the first units sent are the free ones: the cheap one first', burger(cheese, egg), 1.5],
  ['one entry may straddle the free units', burger({ modifier_id: 2, qty: 3 }), 1.5],
]

test('the rules of modifier groups are enforced, and the first units sent are the free ones (decisions D4, C5)', async t => {
  const restaurant = smallRestaurant()
  for (const option of restaurant.modifier_groups[0]?.modifiers ?? []) Object.assign(option, { is_default: true })
  const shop = await openShop(t, { restaurant })
  for (const [title, line, outcome] of choices) {
    await t.test(title, async () => {
      const answer = await shop.order(order(line))
      if (typeof outcome === 'number') assert.equal(answer.body.data?.items[0].modifiers_total, outcome, answer.text)
      else assertRefused(answer, outcome)
    })
  }
})

test('an order outside opening hours, or in a mode that the location does not list, is accepted (decision D5)', async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant({ opening_hours: {}, service_modes: ['dine_in'] }) })
  await place(shop, { ...order(soup), service_mode: 'delivery' })
})

test('order numbers are consecutive, and a refused order leaves no gap (decision D6)', async t => {
  const shop = await openShop(t, { settings: manyOrders })
  const refused = [
    order({ item_id: 99, qty: 1 }),
    order(steak()),
    { location_id: 99, items: [soup] },
    order({ ...soup, qty: 0 }),
    '{',
  ]
  let expected = 1
  for (const bad of refused) {
    assert.notEqual((await shop.order(bad)).status, 201)
    assert.equal((await place(shop, order(soup))).order_number, `ORD-${String(expected).padStart(6, '0')}`)
    expected++
  }
  const together = await Promise.all(
    Array.from({ length: 40 }, (_, index) => shop.order(index % 2 === 0 ? order(soup, soup) : refused[index % 4])),
  )
  const numbers = together.filter(({ status }) => status === 201).map(({ body }) => body.data.order_number)
  assert.deepEqual(
    numbers.sort(),
    Array.from({ length: 20 }, (_, index) => `ORD-${String(expected + index).padStart(6, '0')}`),
  )
  assert.deepEqual(countOf(shop), { orders: 25, lines: 45 })
})

test('ORD-000001 follows ORD-999999, even within one batch of orders (decision D6)', async t => {
  const shop = await openShop(t)
  await place(shop, order(soup))
  shop.execute('UPDATE orders SET number = 999996')
  assert.equal((await place(shop, order(soup))).order_number, 'ORD-999997')
  const together = await Promise.all(Array.from({ length: 4 }, () => place(shop, order(soup))))
  const byId = together.sort((a, b) => a.id - b.id).map(({ order_number }) => order_number)
  assert.deepEqual(byId, ['ORD-999998', 'ORD-999999', 'ORD-000001', 'ORD-000002'])
  assert.equal((await place(shop, order(soup))).order_number, 'ORD-000003')
})

test('all branches share one sequence of numbers (decision D6)', async t => {
  const [one] = smallRestaurant().locations
  const shop = await openShop(t, {
    restaurant: smallRestaurant({}, { locations: [one, { ...one, id: 2, code: 'TWO', currency: 'JPY' }] }),
  })
  assert.equal((await place(shop, order(soup))).order_number, 'ORD-000001')
  const elsewhere = await place(shop, { ...order(soup), location_id: 2 })
  assert.deepEqual([elsewhere.order_number, elsewhere.location_id, elsewhere.currency], ['ORD-000002', 2, 'JPY'])
  assert.equal((await place(shop, order(soup))).order_number, 'ORD-000003')
})

test('placed_at is Y-m-d H:i:s in the site’s current time zone, and the file keeps UTC (decision D7)', async t => {
  const clock = heldClock('2026-10-25T00:59:59.999Z')
  const shop = await openShop(t, { clock, restaurant: smallRestaurant({ timezone: 'Asia/Tokyo' }) })
  const { settings } = beside(t, shop)
  const placedAt: [zone: string, instant: string, shown: string][] = [
    ['UTC', '2026-10-25T00:59:59.999Z', '2026-10-25 00:59:59'],
    ['Europe/Lisbon', '2026-10-25T00:59:59.999Z', '2026-10-25 01:59:59'],
    ['Europe/Lisbon', '2026-10-25T01:00:00Z', '2026-10-25 01:00:00'],
    ['America/New_York', '2026-03-08T06:59:59Z', '2026-03-08 01:59:59'],
    ['America/New_York', '2026-03-08T07:00:00Z', '2026-03-08 03:00:00'],
    ['Asia/Kathmandu', '2026-12-31T18:15:00Z', '2027-01-01 00:00:00'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '2026-04-05 01:30:00'],
    ['America/St_Johns', '2026-07-04T02:30:01Z', '2026-07-04 00:00:01'],
    ['America/St_Johns', '2026-03-08T05:29:59Z', '2026-03-08 01:59:59'],
    ['America/St_Johns', '2026-03-08T05:30:00Z', '2026-03-08 03:00:00'],
    ['Australia/Lord_Howe', '2026-10-03T15:29:59Z', '2026-10-04 01:59:59'],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '2026-10-04 02:30:00'],
  ]
  for (const [zone, instant, shown] of placedAt) {
    assert.equal(settings.set('site.timezone', zone), undefined)
    clock.set(instant)
    assert.equal((await place(shop, order(soup))).placed_at, shown, `${instant} in ${zone}`)
  }
  assert.deepEqual(
    shop.rows('SELECT placed_at FROM orders ORDER BY id').map(row => row.placed_at),
    placedAt.map(([, instant]) => Date.parse(instant)),
  )
})

const businessDates: [zone: string, dayStartsAt: string, instant: string, date: string][] = [
  ['UTC', '04:00', '2026-11-20T03:59:59.999Z', '2026-11-19'],
  ['UTC', '04:00', '2026-11-20T04:00:00Z', '2026-11-20'],
  ['UTC', '00:00', '2026-11-20T00:00:00Z', '2026-11-20'],
  ['UTC', '04:00', '2027-01-01T03:59:59Z', '2026-12-31'],
  ['UTC', '04:00', '2028-03-01T03:59:59Z', '2028-02-29'],
  ['Asia/Tokyo', '04:00', '2026-11-20T18:59:59Z', '2026-11-20'],
  ['Asia/Tokyo', '04:00', '2026-11-20T19:00:00Z', '2026-11-21'],
  ['America/New_York', '04:00', '2026-11-20T08:59:59Z', '2026-11-19'],
  ['Europe/Lisbon', '05:30', '2026-07-04T04:29:59Z', '2026-07-03'],
  ['Europe/Lisbon', '05:30', '2026-07-04T04:30:00Z', '2026-07-04'],
  // Berlin puts the clock forward at 2:00 on 29 March, and back at 3:00 on 25 October.
  ['Europe/Berlin', '04:00', '2026-03-29T01:59:59Z', '2026-03-28'],
  ['Europe/Berlin', '04:00', '2026-03-29T02:00:00Z', '2026-03-29'],
  ['Europe/Berlin', '04:00', '2026-10-25T02:59:59Z', '2026-10-24'],
  ['Europe/Berlin', '04:00', '2026-10-25T03:00:00Z', '2026-10-25'],
  ['Europe/Berlin', '02:30', '2026-03-29T00:59:59Z', '2026-03-28'],
  ['Europe/Berlin', '02:30', '2026-03-29T01:00:00Z', '2026-03-29'],
  ['Europe/Berlin', '02:30', '2026-10-25T00:30:00Z', '2026-10-25'],
  ['Europe/Berlin', '02:30', '2026-10-25T01:00:00Z', '2026-10-24'],
  ['Europe/Berlin', '02:30', '2026-10-25T01:30:00Z', '2026-10-25'],
  // New York puts it forward at 2:00 on 8 March, and back at 2:00 on 1 November.
  ['America/New_York', '04:00', '2026-03-08T07:59:59Z', '2026-03-07'],
  ['America/New_York', '04:00', '2026-03-08T08:00:00Z', '2026-03-08'],
  ['America/New_York', '04:00', '2026-11-01T08:59:59Z', '2026-10-31'],
  ['America/New_York', '04:00', '2026-11-01T09:00:00Z', '2026-11-01'],
]

test('the business date is the date on the location’s wall clock, or the day before until day_starts_at, even on nights when clocks change (decision E5)', async t => {
  const clock = heldClock(0)
  const shop = await openShop(t, { clock, settings: { ...manyOrders, 'site.timezone': 'Pacific/Kiritimati' } })
  const { importRestaurant } = beside(t, shop)
  for (const [timezone, day_starts_at, instant, date] of businessDates) {
    importRestaurant(smallRestaurant({ timezone, day_starts_at }, { site: {} }))
    clock.set(instant)
    const { id } = await place(shop, order(soup))
    const [row] = shop.rows('SELECT business_date FROM orders WHERE id = ?', id)
    assert.equal(row?.business_date, date, `${instant} in ${timezone} from ${day_starts_at}`)
  }
})
