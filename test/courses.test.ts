import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { OrderDetails } from '../store/ordering/details.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import { parseEdit } from '../store/ordering/edit-draft.ts'
import type { OrderId, TicketId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn } from './support/log-in.ts'
import { eventsOf, listen, orderOf, pizza, pizzeria, salad, ticketsOf, water } from './support/pizzeria.ts'
import { accepted } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'

const evening = '2026-11-20T18:00:00Z'
const takeaway = { service_mode: 'takeaway' }

async function openPizzeria(t: TestContext, settings: Record<string, string> = {}) {
  const clock = heldClock(evening)
  return { shop: await openShop(t, { restaurant: pizzeria({ stock: [] }), settings, clock }), clock }
}

/** Places an order at the till. */
function ordered({ store }: Shop, order: object, details: OrderDetails = {}) {
  const draft = parseDraft(order)
  assert.ok(!isRefused(draft))
  return accepted(store.orders.place(draft, 'pos', details))
}

/** Edits the first order. */
function edit({ store }: Shop, wanted: object) {
  return store.edit(1 as OrderId, parseEdit(JSON.stringify(wanted)).edit)
}

function totalOf({ store }: Shop, id: number): number {
  return store.orderBook.byId(id)?.grandTotal ?? 0
}

function states(shop: Shop, order: OrderId | number = 1): string[] {
  return ticketsOf(shop, order as OrderId).map(
    ({ station, state, batch, lines }) => `${batch} ${station} ${state}: ${lines}`,
  )
}

const fulfilment = (shop: Shop, id = 1) => shop.store.orderBook.byId(id)?.fulfillmentStatus

test('the kitchen gets an order in a mode of kitchen.when_paid once it is paid, whatever its source (decision 057)', async t => {
  const { shop, clock } = await openPizzeria(t, { 'kitchen.when_paid': 'takeaway,delivery' })
  listen(shop)
  const { body } = await shop.order({ ...orderOf(pizza()), ...takeaway })
  assert.equal(body.data.fulfillment_status, 'pending')
  assert.deepEqual(states(shop), ['1 Oven held: Pizza open', '1 Pass held: Pizza open'])
  assert.equal(shop.store.kitchen.ofOrder(1 as OrderId)[0]?.heldFor, 'payment')
  clock.pass(3_600_000)
  assert.equal(shop.store.kitchen.isAnyDue(), false, 'no time fires what waits for a payment')

  const grandTotal = totalOf(shop, 1)
  accepted(shop.store.payments.pay(1 as OrderId, { amount: grandTotal - 1, method: 'cash' }))
  assert.equal(fulfilment(shop), 'pending', 'a part of the price is not enough')
  accepted(shop.store.payments.pay(1 as OrderId, { amount: 1, method: 'cash' }))
  assert.deepEqual(states(shop), ['1 Oven open: Pizza open', '1 Pass open: Pizza open'])
  assert.equal(fulfilment(shop), 'in_kitchen')
  assert.equal(
    shop.store.kitchen.ofOrder(1 as OrderId)[0]?.openedAt,
    clock.now(),
    'it came to the station when it was paid',
  )
  const changes = eventsOf(shop).filter(({ type }) => type === 'order.status_changed')
  assert.deepEqual(
    changes.map(({ data }) => [data.previous_fulfillment_status, data.fulfillment_status]),
    [['pending', 'in_kitchen']],
  )
})

test('orders in other modes, without a mode, or with nothing to pay do not wait for a payment', async t => {
  const { shop } = await openPizzeria(t, { 'kitchen.when_paid': 'takeaway' })
  const free = { discount: { reason: 'on the house', percentPpm: 1_000_000 } }
  assert.equal(
    (await shop.order({ ...orderOf(pizza()), service_mode: 'dine_in' })).body.data.fulfillment_status,
    'in_kitchen',
  )
  assert.equal((await shop.order(orderOf(pizza()))).body.data.fulfillment_status, 'in_kitchen')
  assert.equal(ordered(shop, { ...orderOf(pizza()), ...takeaway }, free).fulfillmentStatus, 'in_kitchen')
  assert.equal((await shop.order({ ...orderOf(water), ...takeaway })).body.data.fulfillment_status, null)
})

test('without the setting, the kitchen does not wait for payments', async t => {
  const { shop } = await openPizzeria(t)
  assert.equal((await shop.order({ ...orderOf(pizza()), ...takeaway })).body.data.fulfillment_status, 'in_kitchen')
})

test('an order that is cooked when paid and wanted for later waits for the payment and the time, whichever comes first', async t => {
  const { shop, clock } = await openPizzeria(t, { 'kitchen.when_paid': 'takeaway' })
  const wantedAt = clock.now() + 60 * 60_000
  const later = { wantedAt, isInsisted: true }
  for (const id of [1, 2]) {
    const { grandTotal } = ordered(shop, { ...orderOf(salad), ...takeaway }, later)
    if (id === 1) accepted(shop.store.payments.pay(1 as OrderId, { amount: grandTotal, method: 'card' }))
  }
  assert.deepEqual(
    [1, 2].map(id => shop.store.kitchen.ofOrder(id as OrderId).map(({ state, heldFor }) => [state, heldFor])[0]),
    [
      ['held', null],
      ['held', 'payment'],
    ],
  )
  clock.set(wantedAt)
  shop.store.kitchen.fireDue()
  assert.equal(fulfilment(shop, 1), 'in_kitchen')
  assert.equal(fulfilment(shop, 2), 'pending')
  const grandTotal = totalOf(shop, 2)
  accepted(shop.store.payments.pay(2 as OrderId, { amount: grandTotal, method: 'card' }))
  assert.equal(fulfilment(shop, 2), 'in_kitchen')
})

test('staff can fire a ticket that waits for a payment, and lines that are added to an unpaid order wait again', async t => {
  const { shop } = await openPizzeria(t, { 'kitchen.when_paid': 'takeaway' })
  const { grandTotal } = ordered(shop, { ...orderOf(salad), ...takeaway })
  accepted(shop.store.kitchen.fire(1 as TicketId))
  assert.equal(fulfilment(shop), 'in_kitchen')
  accepted(edit(shop, { add: [pizza()] }))
  assert.deepEqual(states(shop), ['1 Pass open: Salad open', '2 Oven held: Pizza open', '2 Pass held: Pizza open'])
  accepted(shop.store.payments.pay(1 as OrderId, { amount: grandTotal, method: 'cash' }))
  assert.equal(shop.store.kitchen.ofOrder(1 as OrderId)[1]?.state, 'held')
  const added = shop.store.orderBook.byId(1)?.lines[1]
  assert.ok(added)
  accepted(edit(shop, { remove: [added.id] }))
  assert.equal(fulfilment(shop), 'in_kitchen', 'what waited is void, and the rest is being made')
})

test('a later course has tickets of its own, held until a person fires them', async t => {
  const { shop } = await openPizzeria(t)
  const order = ordered(shop, orderOf(salad, pizza()), { later: [1] })
  assert.equal(order.fulfillmentStatus, 'in_kitchen')
  assert.deepEqual(states(shop), ['1 Pass open: Salad open', '2 Pass held: Pizza open', '2 Oven held: Pizza open'])
  const [, oven, pass] = shop.store.kitchen.ofOrder(order.id)
  assert.ok(oven && pass)
  assert.equal(oven.isAdded, false)
  accepted(shop.store.kitchen.bump(1 as TicketId, null))
  assert.equal(fulfilment(shop), 'pending', 'the next course is neither being made nor ready')
  for (const { id } of [oven, pass]) accepted(shop.store.kitchen.fire(id))
  assert.equal(fulfilment(shop), 'in_kitchen')
  accepted(edit(shop, { add: [salad] }))
  const added = shop.store.kitchen.ofOrder(order.id)[3]
  assert.deepEqual([added?.batch, added?.isAdded], [3, true])
})

test('an order with only a later course waits for a person, and so does an order that is held', async t => {
  const { shop } = await openPizzeria(t)
  assert.equal(ordered(shop, orderOf(pizza()), { later: [0] }).fulfillmentStatus, 'pending')
  assert.equal(ordered(shop, orderOf(pizza()), { isHeld: true }).fulfillmentStatus, 'pending')
  assert.deepEqual(states(shop, 1), states(shop, 2))
  assert.equal(states(shop, 1)[0], '1 Oven held: Pizza open')
})

test('the till keeps lines for a later course, and the page of the order fires it', {
  skip: withoutBrowser,
}, async t => {
  const { shop } = await openPizzeria(t)
  const { cookie } = logIn(shop, 'staff', 'Ana')
  const { page, site } = await openWindow(t, shop.port, { cookie, width: 390, height: 844 })
  await page.goto(`${site}/office/till`)
  await page.getByRole('button', { name: /^Salad/ }).click()
  await page.getByRole('button', { name: /^Cake/ }).click()
  await page.getByRole('button', { name: 'Add to the order' }).click()
  await page.getByRole('button', { name: 'Cake (Slice) as a later course' }).click()
  await page.getByText('The kitchen makes what is marked').waitFor()
  await assertUsableEverywhere(page, 'till-later')
  await page.getByRole('button', { name: 'Change Cake (Slice)' }).click()
  await page.getByLabel('Note for the kitchen').fill('one candle')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByRole('button', { name: /^Place the order/ }).click()
  await page.getByText('The order is placed.').waitFor()
  assert.deepEqual(states(shop), ['1 Pass open: Salad open', '2 Pass held: Cake (Slice) open'])
  await page.getByRole('button', { name: /Fire now/ }).click()
  await page.getByText('held').waitFor({ state: 'detached' })
  assert.deepEqual(states(shop), ['1 Pass open: Salad open', '2 Pass open: Cake (Slice) open'])
})
