import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Actor } from '../store/people/actor.ts'
import { openStore } from '../store/store.ts'
import type { LocationId, OrderId, OrderLineId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { orderOf, pizza, pizzeria, salad, water } from './support/pizzeria.ts'
import { accepted, why } from './support/refusals.ts'
import { importInto, openShop } from './support/shop.ts'

const here = 1 as LocationId
const ana: Actor = { kind: 'staff', id: 1, name: 'Ana' }
const nothing = { name: undefined, phone: undefined, email: undefined }
const asItIs = { remove: [], add: [], notes: undefined, customer: nothing, discount: undefined }
const uncounted = { counted: null, left: null }

/** Food at 13 %, drinks at 23 %, included in the prices; no kitchen and no stock. */
const taxed = () => ({
  ...pizzeria({
    prices_include_tax: true,
    tax_rate: 13,
    day_starts_at: '04:00',
    stations: [],
    routing: [],
    stock: [],
    tax_rates: [{ tax_class: 1, rate: 23 }],
  }),
  tax_classes: [{ id: 1, title: 'Drinks' }],
})

function withDrinksTaxed() {
  const restaurant = taxed()
  const [food, drinks] = restaurant.categories
  return { ...restaurant, categories: [food, { ...drinks, tax_class: 1 }] }
}

test('a day is closed with its sales, tax, payments and cash, and the drawer begins the next day with what was left', async t => {
  const clock = heldClock('2026-11-20T09:00:00Z')
  const shop = await openShop(t, { restaurant: withDrinksTaxed(), clock })
  const act = shop.writer.act
  accepted(
    await act(ana, 'enterCash', here, {
      kind: 'float',
      counted: [
        { value: 5000, pieces: 2 },
        { value: 200, pieces: 25 },
      ],
    }),
  )
  await shop.order(orderOf(pizza(2), water))
  await shop.order(orderOf(salad))
  await shop.order(orderOf(pizza()))
  accepted(await act(ana, 'pay', 1 as OrderId, { amount: 2200, method: 'cash' }))
  accepted(await act(ana, 'pay', 2 as OrderId, { amount: 300, method: 'card' }))
  accepted(await act(ana, 'move', 3 as OrderId, 'cancel', { reason: 'nobody came' }))
  accepted(await act(ana, 'enterCash', here, { kind: 'paid_out', counted: 1250, note: 'ice' }))
  accepted(await act(ana, 'enterCash', here, { kind: 'paid_in', counted: 2000, note: 'change from the bank' }))
  clock.set('2026-11-20T23:00:00Z')
  const close = accepted(
    await act(ana, 'closeDay', here, { date: '2026-11-20', counted: 17_900, left: 15_000, note: 'a coin is missing' }),
  )

  const [{ figures }] = close.parts
  assert.deepEqual([close.number, close.date, close.actor.name, close.at], [1, '2026-11-20', 'Ana', clock.now()])
  const [sales] = figures.sales
  assert.deepEqual([sales?.orders, sales?.total, sales?.cancelledOrders, sales?.cancelledTotal], [2, 2700, 1, 1000])
  assert.deepEqual(
    figures.tax.map(({ ratePpm, net, tax, total }) => [ratePpm, net, tax, total]),
    [
      [130_000, 2212, 288, 2500],
      [230_000, 163, 37, 200],
    ],
  )
  assert.deepEqual(
    figures.takings.map(({ method, taken }) => [method, taken]),
    [
      ['cash', 2200],
      ['card', 300],
    ],
  )
  assert.deepEqual(close.unpaid, [{ currency: 'EUR', exponent: 2, orders: 1, balance: 200 }])
  const { opening, taken, paidIn, paidOut, expected, counted, difference, left } = close.cash
  assert.deepEqual([opening, taken, paidIn, paidOut, expected], [15_000, 2200, 2000, 1250, 17_950])
  assert.deepEqual([counted, difference, left, close.cash.note], [17_900, -50, 15_000, 'a coin is missing'])

  clock.set('2026-11-21T10:00:00Z')
  const today = accepted(shop.store.till.day(here))
  assert.deepEqual([today.date, today.cash.opening, today.cash.expected], ['2026-11-21', 15_000, 15_000])
  const deeds = shop
    .rows('SELECT what, actor, became FROM activity ORDER BY id')
    .map(row => Object.values(row).join(' '))
  assert.deepEqual(
    deeds.filter(deed => /^(drawer|cash|day)/.test(deed)),
    [
      'drawer opened Ana 150.00 EUR',
      'cash paid out Ana 12.50 EUR',
      'cash paid in Ana 20.00 EUR',
      'day closed Ana close 1',
    ],
  )
})

test('what is recorded after a close counts in the next one, which names the day that it belongs to', async t => {
  const clock = heldClock('2026-11-20T20:00:00Z')
  const shop = await openShop(t, { restaurant: withDrinksTaxed(), clock })
  const { store } = shop
  const { body } = await shop.order(orderOf(pizza(), water))
  accepted(store.payments.pay(1 as OrderId, { amount: 1200, method: 'cash' }))
  accepted(store.till.closeDay(here, { date: '2026-11-20', counted: 1200, left: 0 }))

  // Still the same business day: an order that comes after the close, and cash that is paid out.
  clock.set('2026-11-21T01:30:00Z')
  await shop.order(orderOf(salad))
  accepted(store.payments.pay(2 as OrderId, { amount: 500, method: 'cash' }))
  accepted(store.till.enter(here, { kind: 'paid_out', counted: 300, note: 'taxi' }))
  const night = accepted(store.till.day(here))
  assert.deepEqual([night.date, night.closedAs, night.cash.expected], ['2026-11-20', 1, 200])
  assert.deepEqual(
    night.late.map(({ date, figures }) => [date, figures.sales[0]?.total, figures.takings[0]?.taken]),
    [['2026-11-20', 500, 500]],
  )

  // The next day an order of the closed day is edited: its water is removed, and nothing else costs the same.
  clock.set('2026-11-21T12:00:00Z')
  const water1 = body.data.items[1].id as OrderLineId
  accepted(store.edit(1 as OrderId, { ...asItIs, remove: [water1] }))
  accepted(store.payments.refund(1 as OrderId, { amount: 200, method: 'cash' }))
  await shop.order(orderOf(pizza()))
  const close = accepted(store.till.closeDay(here, { date: '2026-11-21', ...uncounted }))
  assert.deepEqual(
    close.parts.map(({ date, figures }) => [date, figures.sales[0]?.orders, figures.sales[0]?.total]),
    [
      ['2026-11-21', 1, 1000],
      ['2026-11-20', 1, 300],
    ],
  )
  assert.deepEqual(
    close.parts[1]?.figures.tax.map(({ ratePpm, total }) => [ratePpm, total]),
    [
      [130_000, 500],
      [230_000, -200],
    ],
  )
  assert.deepEqual(close.parts[1]?.figures.accounts[0]?.adjustments, 0, 'the edit was recorded on the 21st')
  assert.equal(close.parts[0].figures.accounts[0]?.adjustments, -200)
  const { carried, taken, expected } = close.cash
  assert.deepEqual([carried, taken, expected], [200, -200, 0])
  assert.deepEqual(accepted(store.till.day(here)).late, [])
})

test('an edit that moves an amount to another tax rate without changing the total is counted, too', async t => {
  const clock = heldClock('2026-11-20T20:00:00Z')
  const shop = await openShop(t, { restaurant: withDrinksTaxed(), clock })
  const { store } = shop
  const { body } = await shop.order(orderOf(salad, salad))
  accepted(store.till.closeDay(here, { date: '2026-11-20', ...uncounted }))
  clock.set('2026-11-22T12:00:00Z')
  const add = [1, 2, 3, 4, 5].map(() => ({ itemId: 3, variationId: null, qtyMilli: 1000, notes: null, modifiers: [] }))
  const dish = [{ itemId: 2, variationId: null, qtyMilli: 1000, notes: null, modifiers: [] }]
  const edit = { ...asItIs, remove: body.data.items.map(({ id }: { id: number }) => id), add: [...add, ...dish] }
  accepted(store.edit(1 as OrderId, { ...edit, discount: { reason: 'late', amountMilli: 5000 } } as never))
  assert.equal(store.payments.standing(1 as OrderId).due, 1000)
  assert.equal(store.payments.entries(1 as OrderId).length, 1, 'the account does not show it')
  const [own, later] = accepted(store.till.closeDay(here, { date: '2026-11-22', ...uncounted })).parts
  assert.deepEqual(own.figures.sales, [])
  assert.equal(later?.date, '2026-11-20')
  assert.equal(later?.figures.sales[0]?.total, 0)
  assert.equal(later?.figures.tax.length, 2)
})

test('a close never changes, whatever happens to its orders, its location and the site', async t => {
  const clock = heldClock('2026-11-20T20:00:00Z')
  const shop = await openShop(t, { restaurant: withDrinksTaxed(), clock })
  const { store } = shop
  await shop.order(orderOf(pizza(), water))
  accepted(store.till.closeDay(here, { date: '2026-11-20', counted: 0, left: null }))
  const before = JSON.stringify(store.till.close(here, 1))
  accepted(store.move(1 as OrderId, 'cancel', { reason: 'gone' }))
  store.settings.set('site.title', 'Other')
  shop.execute(`UPDATE location SET title = 'Elsewhere', currency = 'USD', day_starts_at = '10:00'`)
  clock.set('2026-12-24T20:00:00Z')
  assert.equal(JSON.stringify(store.till.close(here, 1)), before)
  for (const sql of [
    `UPDATE day_close SET cash = '{}'`,
    'DELETE FROM day_close',
    'INSERT OR REPLACE INTO day_close SELECT * FROM day_close',
    'UPDATE drawer SET amount_minor = 1',
  ]) {
    if (sql.includes('drawer')) accepted(store.till.enter(here, { kind: 'paid_in', counted: 5, note: 'found' }))
    assert.throws(() => shop.execute(sql), /never change|without gaps|append-only/, sql)
  }
  assert.equal(JSON.stringify(store.till.close(here, 1)), before)
})

test('of two who close the same day at once, one makes the close and the other is told its number', async t => {
  const clock = heldClock('2026-11-23T20:00:00Z')
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, taxed(), {}, clock)
  const stores = [1, 2].map(() => openStore(file, { clock, create: false, busyMs: 5000 }))
  t.after(() => {
    for (const store of stores) store.close()
  })
  for (const date of ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23']) {
    const results = stores.map(store => store.till.closeDay(here, { date, ...uncounted }))
    const [first, second] = results
    assert.ok(!isRefused(first))
    assert.match(why(second), new RegExp(`${date} is already closed, by close ${first?.number}\\.`))
  }
  const shop = await openShop(t, { restaurant: taxed(), clock })
  const racers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => {
      const date = `2026-11-2${1 + (index % 2)}`
      return shop.writer.act(ana, 'closeDay', here, { date, ...uncounted })
    }),
  )
  assert.deepEqual(
    racers.filter(result => !isRefused(result)).map(result => !isRefused(result) && result.number),
    [1, 2],
  )
  for (const store of [stores[0], shop.store]) {
    const numbers = store?.till.closes(here, 10).map(({ number }) => number) ?? []
    assert.deepEqual(
      numbers,
      Array.from(numbers, (_, index) => numbers.length - index),
    )
  }
})

test('the same press twice makes one close and one entry', async t => {
  const clock = heldClock('2026-11-20T20:00:00Z')
  const shop = await openShop(t, { restaurant: taxed(), clock })
  const { till } = shop.store
  const out = { kind: 'paid_out', counted: 500, note: 'ice', clientRef: 'press-1' } as const
  assert.deepEqual(till.enter(here, out), till.enter(here, out))
  assert.match(why(till.enter(here, { ...out, counted: 600 })), /The reference press-1 belongs to entry 1/)
  const closing = { date: '2026-11-20', ...uncounted, clientRef: 'press-2' }
  assert.deepEqual(till.closeDay(here, closing), till.closeDay(here, closing))
  assert.match(why(till.closeDay(here, { ...closing, clientRef: 'press-3' })), /already closed, by close 1/)
  assert.deepEqual(shop.rows('SELECT count(*) AS n FROM drawer'), [{ n: 1 }])
})

test('days are closed one after the other, those without any record are passed over, and none before it begins', async t => {
  const clock = heldClock('2026-11-20T20:00:00Z')
  const shop = await openShop(t, { restaurant: taxed(), clock })
  const { till } = shop.store
  const close = (date: string) => why(till.closeDay(here, { date, ...uncounted }))
  await shop.order(orderOf(salad))
  assert.match(close('2026-11-21'), /2026-11-21 has not begun/)
  assert.match(close('20 November'), /is not a date/)
  assert.deepEqual(till.open(here), ['2026-11-20'])
  assert.equal(close('2026-11-20'), 'done')
  clock.set('2026-11-21T20:00:00Z')
  await shop.order(orderOf(salad))
  clock.set('2026-11-24T20:00:00Z')
  assert.deepEqual(till.open(here), ['2026-11-21', '2026-11-24'])
  assert.match(close('2026-11-24'), /2026-11-21 is still open\. Close it first\./)
  assert.equal(close('2026-11-21'), 'done')
  assert.equal(close('2026-11-24'), 'done')
  assert.deepEqual(till.open(here), [])
  // A day before the first close can be closed late.
  assert.equal(close('2026-11-19'), 'done')
  assert.deepEqual(
    till.closes(here, 9).map(({ number, date }) => [number, date]),
    [
      [4, '2026-11-19'],
      [3, '2026-11-24'],
      [2, '2026-11-21'],
      [1, '2026-11-20'],
    ],
  )
})

test('a drawer refuses what is no amount, no note or coin, and cash in or out without a reason', async t => {
  const clock = heldClock('2026-11-20T20:00:00Z')
  const shop = await openShop(t, { restaurant: taxed(), clock })
  const { till } = shop.store
  const pieces = (value: number, count: number) => [{ value, pieces: count }]
  for (const counted of [-1, 1.5, Number.NaN, 10_000_000_000]) {
    assert.match(why(till.enter(here, { kind: 'float', counted })), /An amount in EUR must be/)
  }
  assert.match(
    why(till.enter(here, { kind: 'paid_out', counted: 0, note: 'x' })),
    /An amount in EUR must be more than 0/,
  )
  for (const [value, count] of [
    [300, 1],
    [500, -1],
    [500, 0.5],
    [500, 100_001],
  ] as const) {
    assert.match(
      why(till.enter(here, { kind: 'count', counted: pieces(value, count) })),
      /Of each note and coin in EUR/,
    )
  }
  for (const note of [undefined, null, '', ' ', 'x'.repeat(201)]) {
    assert.match(
      why(till.enter(here, { kind: 'paid_in', counted: 100, ...(note !== undefined && { note }) })),
      /The reason/,
    )
  }
  assert.match(why(till.enter(7 as LocationId, { kind: 'float', counted: 0 })), /no location 7/)
  assert.match(why(till.closeDay(here, { date: '2026-11-20', counted: 100, left: 101 })), /Only 1\.00 EUR was counted/)
  assert.deepEqual(shop.rows('SELECT * FROM drawer'), [])
  assert.equal(why(till.enter(here, { kind: 'float', counted: 0 })), 'done')
  const count = accepted(till.enter(here, { kind: 'count', counted: pieces(1000, 3), note: null }))
  assert.deepEqual([count.amount, count.expected], [3000, 0])
  assert.equal(why(till.closeDay(here, { date: '2026-11-20', ...uncounted })), 'done')
  assert.match(why(till.enter(here, { kind: 'float', counted: 0 })), /already closed/)
})

test('doctor notices a close that was taken out of the file, or changed in it', async t => {
  const clock = heldClock('2026-11-20T20:00:00Z')
  const shop = await openShop(t, { restaurant: taxed(), clock })
  const { till, audit } = shop.store
  for (const date of ['2026-11-19', '2026-11-20']) accepted(till.closeDay(here, { date, ...uncounted }))
  assert.deepEqual(audit.all(), [])
  shop.execute(`DROP TRIGGER day_close_is_never_deleted; DROP TRIGGER day_close_is_never_changed;
    DELETE FROM day_close WHERE number = 1; UPDATE day_close SET cash = json_set(cash, '$.taken', 5)`)
  assert.deepEqual(audit.all(), [
    { pointer: '/locations/1', message: 'a day close is missing' },
    { pointer: '/locations/1', message: 'the cash of a day close does not add up' },
  ])
})
