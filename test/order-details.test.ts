import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import type { OrderDetails } from '../store/ordering/details.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import { openStore } from '../store/store.ts'
import type { Source } from '../store/terms/channels.ts'
import type { OrderId, OrderLineId, TableId, TicketId } from '../store/terms/ids.ts'
import { servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { orderOf, pizza, pizzeria, salad, water } from './support/pizzeria.ts'
import { accepted, why } from './support/refusals.ts'
import { importInto } from './support/shop.ts'

// A Thursday.
const now = Date.parse('2025-11-20T18:00:00Z')
const at = (text: string) => Date.parse(`${text}Z`)
const MINUTE = 60_000

const location = {
  stock: [],
  opening_periods: { thu: [{ open: '17:00', close: '23:00' }], fri: [{ open: '17:00', close: '02:00' }] },
  delivery_fee: 4,
  free_delivery_from: 30,
  minimum_delivery: 9,
  delivery_zones: [
    { id: 1, title: 'Near', postcodes: ['4050', '4051'], fee: 2, minimum: 12 },
    { id: 2, title: 'Far', postcodes: ['SW1A 1AA', '4050-9'], fee: 6 },
  ],
  tables: [
    { id: 1, title: 'Terrace 1' },
    { id: 2, title: 'Terrace 2' },
  ],
}

/** A pizza takes 20 minutes, a salad what is usual. */
function restaurant() {
  const file = pizzeria(location)
  const [food] = file.categories
  Object.assign(food?.items[0] ?? {}, { prep_time_minutes: 20 })
  return file
}

function openRestaurant(t: TestContext) {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, restaurant())
  const clock = heldClock(now)
  const store = openStore(file, { clock, create: false, busyMs: 1000 })
  t.after(store.close)
  function place(details: OrderDetails, order: object = orderOf(pizza(), salad), source: Source = 'pos') {
    return store.orders.place(accepted(parseDraft(order)), source, details)
  }
  return { file, clock, store, place }
}

test('an order keeps its table with the title of then, and a table that the location does not have is refused', t => {
  const { store, place } = openRestaurant(t)
  const placed = accepted(place({ tableId: 2 as TableId }))
  accepted(place({ tableId: 2 as TableId }))
  accepted(place({}))
  assert.deepEqual([placed.tableId, placed.tableTitle], [2, 'Terrace 2'])
  assert.deepEqual(store.orderBook.byId(placed.id), placed)
  assert.match(why(place({ tableId: 3 as TableId })), /This location has no table 3/)
  assert.equal(store.kitchen.ticket(1 as TicketId)?.tableTitle, 'Terrace 2')
  const period = accepted(store.reports.period({ from: '2025-11-20', to: '2025-11-20' }))
  assert.deepEqual(
    store.reports.tables(period).map(({ table, orders, total }) => [table, orders, total]),
    [
      ['Terrace 2', 2, 3000],
      [null, 1, 1500],
    ],
  )
})

test('the same attempt gives the order that exists, once, and is refused with other contents', t => {
  const { store, place } = openRestaurant(t)
  const attemptId = 'a5b1c9'
  const placed = accepted(place({ attemptId, totalMilli: 15_000 }))
  const again = accepted(place({ attemptId }))
  assert.deepEqual([again.id, again.lines.length, store.orderBook.last().length], [placed.id, 2, 1])
  for (const other of [
    place({ attemptId }, orderOf(pizza())),
    place({ attemptId, tableId: 1 as TableId }),
    place({ attemptId }, orderOf(pizza(), salad), 'admin'),
  ])
    assert.match(why(other), /attempt a5b1c9 was already used for an order with different contents/)
  accepted(store.move(placed.id, 'cancel', { reason: 'left' }))
  assert.equal(accepted(place({ attemptId })).status, 'cancelled')
  assert.match(why(place({ attemptId: ' ' })), /attempt must not be empty/)
  assert.equal(store.orderBook.last().length, 1)
})

test('an order whose total is not the one that was shown is not placed, and the refusal has the total of now', t => {
  const { store, place } = openRestaurant(t)
  for (const totalMilli of [14_990, 15_001, 0]) {
    assert.match(why(place({ totalMilli })), /The order now costs 15.00 EUR\./, String(totalMilli))
  }
  assert.deepEqual([store.orderBook.last(), store.kitchen.since(0)], [[], []])
  accepted(place({ totalMilli: 15_000 }))
})

test('a postcode decides what a delivery costs and from how much on it is made; the API uses the fee of the location', t => {
  const { place } = openRestaurant(t)
  const delivered = (...items: unknown[]) => ({ ...orderOf(...items), service_mode: 'delivery' })
  const fee = (postcode: string, ...items: unknown[]) => accepted(place({ postcode }, delivered(...items))).deliveryFee
  assert.equal(fee(' 4051', pizza(), salad), 200)
  assert.equal(fee('sw1a1aa', pizza()), 600)
  // An entry is also the beginning of longer postcodes, and the longest entry decides.
  assert.equal(fee('4050-123', pizza(2)), 200)
  assert.equal(fee('4050 123', pizza(2)), 200)
  assert.equal(fee('4050-987', pizza(2)), 600)
  assert.match(why(place({ postcode: '405' }, delivered(pizza(2)))), /There is no delivery to 405/)
  assert.equal(fee('4050', pizza(3)), 0)
  assert.match(why(place({ postcode: '4050' }, delivered(pizza()))), /Deliveries there start at 12.00 EUR/)
  assert.match(why(place({ postcode: 'SW1A 1AA' }, delivered(salad))), /Deliveries there start at 9.00 EUR/)
  assert.match(why(place({ postcode: '9999' }, delivered(pizza(2)))), /There is no delivery to 9999/)
  assert.equal(accepted(place({ postcode: '9999' }, orderOf(salad))).deliveryFee, 0)
  assert.equal(accepted(place({}, delivered(salad), 'api')).deliveryFee, 400)
})

test('a wanted time is a minute of the opening hours, today or up to 14 days ahead, unless staff insist', t => {
  const { place } = openRestaurant(t)
  const refusal = (wanted: string, more: OrderDetails = {}, source: Source = 'pos') =>
    why(place({ wantedAt: at(wanted), ...more }, orderOf(salad), source))
  assert.equal(refusal('2025-11-20T22:59'), 'done')
  assert.equal(refusal('2025-11-22T01:59'), 'done')
  assert.match(refusal('2025-11-20T23:00'), /2025-11-20 23:00 \(UTC\) is outside the opening hours/)
  assert.match(refusal('2025-11-20T18:00'), /has already passed/)
  assert.match(refusal('2025-11-20T19:00:30'), /has seconds/)
  assert.equal(refusal('2025-12-04T18:00'), 'done')
  assert.match(refusal('2025-12-05T18:00'), /too far ahead/)
  assert.equal(refusal('2025-11-20T23:30', { isInsisted: true }), 'done')
  assert.match(refusal('2025-11-20T23:30', { isInsisted: true }, 'storefront'), /outside the opening hours/)
})

test('the kitchen gets the tickets of a wanted time when their slowest dish must be begun', t => {
  const { store, clock, place } = openRestaurant(t)
  const placed = accepted(place({ wantedAt: at('2025-11-20T20:00') }, orderOf(pizza(), salad, water)))
  assert.deepEqual([placed.fulfillmentStatus, placed.businessDate], ['pending', '2025-11-20'])
  const tickets = () =>
    [1, 2, 3].flatMap(id => {
      const { state, fireAt } = store.kitchen.ticket(id as TicketId) ?? {}
      return state === undefined ? [] : [[state, ((fireAt ?? 0) - now) / MINUTE]]
    })
  // The oven and the pass both have the pizza.
  assert.deepEqual(tickets(), [
    ['held', 100],
    ['held', 100],
  ])
  const add = [{ itemId: 2, variationId: null, qtyMilli: 1000, notes: null, modifiers: [] }]
  const nothing = { name: undefined, phone: undefined, email: undefined }
  const edit = {
    remove: [] as OrderLineId[],
    add: add as never,
    notes: undefined,
    customer: nothing,
    discount: undefined,
  }
  accepted(store.edit(placed.id, edit))
  assert.deepEqual(tickets()[2], ['held', 105])
  clock.pass(100 * MINUTE)
  assert.equal(store.kitchen.fireDue(), 2)
  assert.equal(store.orderBook.byId(placed.id)?.fulfillmentStatus, 'in_kitchen')
  const soon = accepted(place({ wantedAt: clock.now() + 10 * MINUTE }, orderOf(salad)))
  assert.equal(soon.fulfillmentStatus, 'in_kitchen')
  assert.equal(accepted(place({ isHeld: true })).fulfillmentStatus, 'pending')
  assert.deepEqual(store.audit.all(), [])
})

test('the place command takes the details of an order, and the order and its tickets show them', async t => {
  const { file, store } = openRestaurant(t)
  const path = join(temporaryFolder(t), 'order.json')
  writeFileSync(path, JSON.stringify({ ...orderOf(pizza(2)), service_mode: 'delivery', table_id: 7, attempt_id: 'x' }))
  const wanted = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 11)
  const order = ['place', '--file', path, '--source', 'pos', '--attempt', 'x1', '--total', '22', '--insist']
  const guest = [
    '--at',
    `${wanted}12:00`,
    '--address',
    'Rua das Flores 12',
    '--postcode',
    '4050',
    '--table',
    'terrace 2',
  ]
  const { code, stdout, stderr } = await servery(file, [...order, ...guest])
  assert.deepEqual([code, stdout], [0, 'Placed ORD-000001, id 1: 22.00 EUR, placed, pending.\n'], stderr)
  const shown = `${wanted.slice(0, 10)} 12:00`
  const receipt = (await servery(file, ['order', '1'])).stdout
  assert.match(receipt, new RegExp(`^table Terrace 2\nwanted for ${shown} \\(UTC\\)\nto Rua das Flores 12, 4050$`, 'm'))
  const kitchen = (await servery(file, ['kitchen'])).stdout
  assert.match(
    kitchen,
    new RegExp(`delivery {2}table Terrace 2 {2}for ${shown} {2}HELD until ${shown.slice(0, 10)} 11:40\n`),
  )
  assert.match(kitchen, /\n {2}to: Rua das Flores 12, 4050\n/)
  assert.match((await servery(file, [...order, ...guest])).stdout, /Placed ORD-000001/)
  assert.match((await servery(file, ['place', '--file', path, '--source', 'pos', '--table', '9'])).stderr, /no table 9/)
  assert.equal(store.orderBook.byId(2 as OrderId), undefined)
})

test('an order can be placed with a discount by staff, which costs the same as one that is given afterwards', t => {
  const { store, place } = openRestaurant(t)
  const order = { ...orderOf(pizza(2), salad), service_mode: 'delivery' }
  const draft = accepted(parseDraft(order))
  for (const discount of [
    { reason: 'regular', percentPpm: 125_000 },
    { reason: 'waited long', amountMilli: 3990 },
    { reason: 'all of it', amountMilli: 99_000 },
  ]) {
    const { priced } = accepted(store.orders.preview(draft, 'pos', { postcode: '4050', discount }))
    const placed = accepted(place({ postcode: '4050', discount, totalMilli: priced.grandTotal * 10 }, order))
    const later = accepted(place({ postcode: '4050' }, order))
    const edit = {
      remove: [],
      add: [],
      notes: undefined,
      customer: { name: undefined, phone: undefined, email: undefined },
    }
    accepted(store.edit(later.id, { ...edit, discount }))
    const { id: _, number: __, lines: ___, ...after } = store.orderBook.byId(later.id) ?? placed
    assert.deepEqual(placed, { ...placed, ...after })
    assert.deepEqual(store.orderBook.byId(placed.id), placed)
    const [note] = store.activity({ orderId: placed.id }, 10)
    assert.deepEqual([note?.what, note?.subject], ['order placed', 'discount'])
  }
  assert.match(why(place({ discount: { reason: ' ', percentPpm: 1 } }, order)), /reason must not be empty/)
  assert.match(why(place({ discount: { reason: 'x', percentPpm: 1_000_001 } }, order)), /at most 100/)
  assert.match(why(place({ discount: { reason: 'x', amountMilli: 0 } }, order)), /must be more than 0/)
  const byGuest = accepted(place({ discount: { reason: 'x', percentPpm: 500_000 } }, order, 'storefront'))
  assert.deepEqual([byGuest.manualDiscount, byGuest.discountTotal], [null, 0])
})

test('the preview of an order has its total, writes nothing, and is refused as the order would be', t => {
  const { store, place } = openRestaurant(t)
  const order = { ...orderOf(pizza(2), salad), service_mode: 'delivery' }
  const preview = (details: OrderDetails, wanted: object = order) =>
    store.orders.preview(accepted(parseDraft(wanted)), 'pos', details)
  const { priced } = accepted(preview({ postcode: '4051' }))
  assert.equal(store.orderBook.last().length, 0)
  const placed = accepted(place({ postcode: '4051' }, order))
  assert.deepEqual([priced.grandTotal, priced.taxLines], [placed.grandTotal, placed.taxLines])
  for (const [details, wanted] of [
    [{ postcode: '9999' }, order],
    [{ tableId: 7 as TableId }, order],
    [{ totalMilli: 1 }, order],
    [{}, orderOf({ item_id: 99, qty: 1 })],
  ] as const) {
    assert.notEqual(why(preview(details, wanted)), 'done')
    assert.equal(why(preview(details, wanted)), why(place(details, wanted)))
  }
})
