import assert from 'node:assert/strict'
import test from 'node:test'
import type { OrderId } from '../store/terms/ids.ts'
import { guest, openToGuests, saidBy } from './support/guest.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn } from './support/log-in.ts'
import { eventsOf, listen, pizzeria, ticketsOf } from './support/pizzeria.ts'
import { accepted } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'

const pizza = { id: 1 }
const salad = { id: 2 }

async function openTables(t: Parameters<typeof openShop>[0], settings: Record<string, string> = {}) {
  const tables = [
    { id: 1, title: 'Terrace 1' },
    { id: 2, title: 'Terrace 2' },
  ]
  const clock = heldClock('2025-11-20T18:00:00Z')
  const shop = await openShop(t, { restaurant: pizzeria({ tables }), settings, clock })
  const codes = openToGuests(shop)
  const ana = logIn(shop, 'manager', 'Ana')
  const order = async (table: string, dish = pizza) => {
    const phone = guest(shop)
    const base = `/t/${codes.get(table)}`
    const { status, location } = await phone.place(base, await phone.fill(base, dish))
    assert.equal(status, 303)
    return { phone, page: location ?? '', read: async () => saidBy(await phone.get(location ?? '')) }
  }
  const office = async (path: string, fields?: Record<string, string> | [string, string][]) => {
    const response = await fetch(`${shop.url}${path}`, {
      method: fields ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { ...ana.headers, Accept: 'text/html' },
      ...(fields && { body: new URLSearchParams(fields) }),
    })
    return { status: response.status, text: await response.text() }
  }
  return { shop, clock, codes, order, office }
}

const states = (shop: Shop, id: number) => ticketsOf(shop, id).map(({ state }) => state)

test("staff confirm a table's first order before it is prepared; the next ones go to the kitchen until all is paid", async t => {
  const { shop, order, office } = await openTables(t)
  listen(shop)
  const first = await order('Terrace 1')
  assert.deepEqual(states(shop, 1), ['held', 'held'])
  assert.match(await first.read(), /confirm it in a moment.*Nothing is prepared before that/)
  assert.deepEqual(shop.rows('SELECT source, mode, table_title AS at, fulfillment_status AS state FROM orders'), [
    { source: 'qr', mode: 'qr', at: 'Terrace 1', state: 'pending' },
  ])
  const list = await office('/office/orders')
  assert.match(saidBy(list), /Terrace 1 ordered for the first time.*ORD-000001.*1 × Pizza/)
  // Another phone at the same table, and another table, wait, too.
  await order('Terrace 1', salad)
  await order('Terrace 2')
  assert.deepEqual([states(shop, 2), states(shop, 3)], [['held'], ['held', 'held']])

  assert.equal((await office('/office/orders/1/confirm', { seen: '0' })).status, 303)
  assert.deepEqual(states(shop, 1), ['open', 'open'])
  assert.match(await first.read(), /In the kitchen/)
  assert.deepEqual(
    [states(shop, 2), states(shop, 3)],
    [['held'], ['held', 'held']],
    'each order is confirmed by itself',
  )
  await order('Terrace 1', salad)
  assert.deepEqual(states(shop, 4), ['open'])
  assert.deepEqual(
    eventsOf(shop)
      .filter(({ data }) => data.id === 1)
      .map(({ type }) => type),
    ['order.placed', 'order.status_changed', 'order.updated'],
  )
  assert.equal((await office('/office/orders/2/cancel', { seen: '0', reason: 'nobody sits there' })).status, 303)
  // All that was accepted is paid: the next guests are confirmed again.
  for (const id of [1, 4]) {
    const balance = shop.store.orderList.these([id as OrderId])[0]?.balance ?? 0
    accepted(shop.store.payments.pay(id as OrderId, { amount: balance, method: 'cash' }))
  }
  await order('Terrace 1', salad)
  assert.deepEqual(states(shop, 5), ['held'])
})

test('an unpaid order of yesterday does not open its table today, and without the setting nothing is confirmed', async t => {
  const { shop, clock, order } = await openTables(t)
  await order('Terrace 1')
  accepted(shop.store.move(1 as OrderId, 'confirm'))
  clock.pass(24 * 3_600_000)
  await order('Terrace 1')
  assert.deepEqual(states(shop, 2), ['held', 'held'])
  accepted(shop.store.settings.set('guests.confirm_first', 'off'))
  await order('Terrace 2')
  assert.deepEqual(states(shop, 3), ['open', 'open'])
})

test('every phone at a table sees only its own order, and the bill of the table has all of them', async t => {
  const { shop, order, office } = await openTables(t, { 'guests.confirm_first': 'off' })
  const one = await order('Terrace 1', pizza)
  const two = await order('Terrace 1', salad)
  await order('Terrace 2', pizza)
  assert.notEqual(one.page, two.page)
  await order('Terrace 2', pizza)
  assert.equal(shop.store.orderList.sentTwice().size, 0, 'two guests at a table may want the same')
  assert.match(await one.read(), /Your number 1 .*1 × Pizza/)
  assert.doesNotMatch(await one.read(), /Salad/)
  assert.doesNotMatch(saidBy(await one.phone.get(two.page)), /Cancel/)

  const bill = await office('/office/tables/1')
  assert.match(saidBy(bill), /Bill of Terrace 1.*ORD-000001.*€10\.00.*ORD-000002.*€5\.00.*Together €15\.00/)
  assert.doesNotMatch(bill.text, /ORD-000003/)
  const attempt = /name="attempt" value="([^"]+)"/.exec(bill.text)?.[1] ?? ''
  const all: [string, string][] = [
    ['attempt', attempt],
    ['method', 'card'],
    ['order', '1:1000'],
    ['order', '2:500'],
  ]
  for (const foreign of [
    [...all, ['order', '3:1000']],
    [...all, ['order', 'x']],
  ] as [string, string][][]) {
    assert.equal((await office('/office/tables/2/pay', foreign)).status, 400)
  }
  const pressed = await Promise.all([office('/office/tables/1/pay', all), office('/office/tables/1/pay', all)])
  assert.deepEqual(
    pressed.map(({ status }) => status),
    [303, 303],
  )
  assert.deepEqual(
    shop.rows(
      "SELECT order_id AS id, amount_minor AS amount, method FROM ledger WHERE kind = 'payment' ORDER BY order_id",
    ),
    [
      { id: 1, amount: -1000, method: 'card' },
      { id: 2, amount: -500, method: 'card' },
    ],
  )
  assert.match(saidBy(await office('/office/tables/1')), /Nothing is to be paid/)
  assert.match(await one.read(), /Paid/)
  // An order that came meanwhile is not paid unseen, and a wrong amount is not taken.
  await order('Terrace 1', salad)
  const late = await office('/office/tables/1/pay', [
    ['attempt', 'another'],
    ['method', 'cash'],
    ['order', '5:900'],
  ])
  assert.equal(late.status, 409)
  assert.match(saidBy(late), /paid or ordered meanwhile.*ORD-000005.*€5\.00/)
})

test('a code that was replaced orders nothing any more, and a code of another table does not either', async t => {
  const { shop, codes } = await openTables(t)
  const phone = guest(shop)
  const base = `/t/${codes.get('Terrace 1')}`
  const fields = await phone.fill(base, salad)
  accepted(shop.store.tableCodes.reset(1 as never, 1 as never))
  assert.equal((await phone.place(base, fields)).status, 404)
  assert.equal((await phone.place('/t/1', fields)).status, 404)
  assert.equal(shop.rows('SELECT 1 FROM orders').length, 0)
  // At another table there is another cart, and the order goes to where the guest sits.
  const other = `/t/${codes.get('Terrace 2')}`
  assert.equal((await phone.place(other, fields)).status, 303)
  assert.deepEqual(shop.rows('SELECT table_title AS at FROM orders'), [{ at: 'Terrace 2' }])
})
