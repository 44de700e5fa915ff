import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { momentsOf } from '../display/order-moments.ts'
import type { OrderDetails } from '../store/ordering/details.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import { parseEdit } from '../store/ordering/edit-draft.ts'
import type { Pass } from '../store/ordering/pass.ts'
import type { PassActName } from '../store/ordering/pass-acts.ts'
import type { LocationId, OrderId, TicketId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { assertUsable, assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn, pairDevice } from './support/log-in.ts'
import { eventsOf, listen, orderOf, pizza, pizzeria, salad } from './support/pizzeria.ts'
import { accepted } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'
import { shownAtPassNow } from './support/shown.ts'

const takeaway = { service_mode: 'takeaway' }

async function openPass(t: TestContext, settings: Record<string, string> = {}) {
  const clock = heldClock('2026-11-20T18:00:00Z')
  const shop = await openShop(t, { restaurant: pizzeria({ stock: [] }), clock, settings })
  return { shop, clock, device: pairDevice(shop, 'kitchen') }
}

function ordered({ store }: Shop, order: object, details: OrderDetails = {}) {
  const draft = parseDraft(order)
  assert.ok(!isRefused(draft))
  return accepted(store.orders.place(draft, 'pos', details))
}

function bumpAll({ store }: Shop, order: number): void {
  for (const { id, state } of store.kitchen.ofOrder(order as OrderId))
    if (state === 'open') accepted(store.kitchen.bump(id, null))
}

/** Sends an act as the script of the page does. */
async function act(shop: Shop, { headers }: { headers: Record<string, string> }, fields: Record<string, string>) {
  const shown = shownAtPassNow(shop.store, Number(fields.ticket), fields.act as PassActName)
  const body = new URLSearchParams({ ref: randomBytes(16).toString('hex'), shown, ...fields })
  const sent = { method: 'POST', headers: { ...headers, Accept: 'application/json' }, body }
  const response = await fetch(`${shop.url}/kitchen/pass/act`, sent)
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : undefined }
}

/** The numbers of the orders in each list of the pass. */
function listsOf({ store }: Shop) {
  const { kitchen, ready, out, later } = store.pass.at(1 as never)
  return Object.fromEntries(
    Object.entries({ kitchen, ready, out, later }).map(([name, list]) => [name, list.map(({ number }) => number)]),
  )
}

const fulfilment = (shop: Shop, id: number) => shop.store.orderBook.byId(id)?.fulfillmentStatus

test('the pass shows each order as a whole, with what each station has done of it, and ready orders in a list of their own', {
  skip: withoutBrowser,
}, async t => {
  const { shop, device } = await openPass(t)
  const { page, site } = await openWindow(t, shop.port, { cookie: device.cookie })
  await page.goto(`${site}/kitchen/pass`)
  await page.getByText('No orders in the kitchen.').waitFor()
  ordered(shop, { ...orderOf(pizza(2), salad), ...takeaway, notes: 'Allergic to nuts' })
  const card = page.getByRole('article', { name: '1' })
  await card.getByText('Allergic to nuts').waitFor()
  const ticks = () => card.locator('li').filter({ hasText: 'Pizza' }).locator('.tick').allTextContents()
  assert.deepEqual(await ticks(), ['Oven not done yet', 'Pass not done yet'])
  accepted(shop.store.kitchen.bump(1 as TicketId, null))
  await card.getByText('Oven done').waitFor()
  accepted(shop.store.kitchen.bump(2 as TicketId, null))
  await page.locator('#ready').getByRole('article', { name: '1' }).getByText('New').waitFor()
  await page.getByText('No orders in the kitchen.').waitFor()
  await assertUsable(page)

  await card.getByRole('button', { name: 'Hand over' }).click()
  await card.waitFor({ state: 'detached' })
  assert.equal(fulfilment(shop, 1), 'fulfilled')
  const [{ actor, what } = {}] = shop.store.activity({ orderId: 1 as OrderId }, 1)
  assert.deepEqual([what, actor], ['order fulfilled', { kind: 'device', id: device.id, name: 'A kitchen' }])
})

test('a later course is grey, and one press at the pass fires it at all of its stations; what is added later is no course', {
  skip: withoutBrowser,
}, async t => {
  const { shop, device } = await openPass(t)
  ordered(shop, orderOf(salad, pizza()), { later: [1] })
  const { page, site } = await openWindow(t, shop.port, { cookie: device.cookie, width: 390, height: 844 })
  await page.goto(`${site}/kitchen/pass`)
  await page.getByText('Course 2: held').waitFor()
  await page.getByRole('button', { name: 'Fire now' }).click()
  await page.getByText('Course 2', { exact: true }).waitFor()
  assert.deepEqual(
    shop.store.kitchen.ofOrder(1 as OrderId).map(({ state }) => state),
    ['open', 'open', 'open'],
  )
  accepted(shop.store.edit(1 as OrderId, parseEdit(JSON.stringify({ add: [salad] })).edit))
  await page.getByText('Added later').waitFor()
  assert.equal(await page.getByText('Course 3').count(), 0)
  await assertUsable(page)
})

test('a first course that is done is shown as new among the ready orders until the next course is fired', {
  skip: withoutBrowser,
}, async t => {
  const { shop, clock, device } = await openPass(t)
  ordered(shop, orderOf(salad, pizza()), { later: [1] })
  ordered(shop, { ...orderOf(salad), ...takeaway })
  const { page, site } = await openWindow(t, shop.port, { cookie: device.cookie })
  await page.goto(`${site}/kitchen/pass`)
  await page.locator('#kitchen').getByRole('article', { name: '1' }).waitFor()
  clock.pass(60_000)
  bumpAll(shop, 2)
  clock.pass(60_000)
  bumpAll(shop, 1)
  assert.deepEqual(listsOf(shop), { kitchen: [], ready: [2, 1], out: [], later: [] })
  const [, first] = shop.store.pass.at(1 as never).ready
  assert.deepEqual([first?.fulfillmentStatus, first?.since], ['pending', clock.now()])
  const card = page.locator('#ready').getByRole('article', { name: '1' })
  await card.getByText('Course ready').waitFor()
  await card.getByText('New', { exact: true }).waitFor()
  assert.equal(await card.getByRole('button', { name: 'Hand over' }).count(), 0)
  assert.equal(await card.locator('[data-held]').getByRole('button', { name: 'Fire now' }).count(), 1)
  await assertUsable(page)

  await card.getByRole('button', { name: 'Fire now' }).click()
  await page.locator('#kitchen').getByRole('article', { name: '1' }).waitFor()
  assert.equal(await page.getByText('Course ready').count(), 0)
  clock.pass(60_000)
  bumpAll(shop, 1)
  await card.getByRole('button', { name: 'Hand over' }).waitFor()
  await page.locator('#ready [data-ticket="1"][data-fresh]').waitFor()
})

test('the pass says how many ready orders it does not show because they are older than twelve hours', async t => {
  const { shop, clock, device } = await openPass(t)
  const alarms = async () => {
    const response = await fetch(`${shop.url}/kitchen/pass`, { headers: { ...device.headers, Accept: 'text/html' } })
    return /<div id="alarms"[^>]*>(.*?)<\/div>/s.exec(await response.text())?.[1] ?? ''
  }
  for (const id of [1, 2, 3]) {
    ordered(shop, orderOf(salad))
    bumpAll(shop, id)
  }
  assert.doesNotMatch(await alarms(), /not shown here/)
  clock.pass(12 * 3_600_000)
  ordered(shop, orderOf(salad))
  bumpAll(shop, 4)
  assert.deepEqual(listsOf(shop).ready, [4])
  assert.match(await alarms(), /3 more orders are ready or out for delivery but not shown here/)
  accepted(shop.store.move(1 as OrderId, 'fulfil'))
  assert.equal(shop.store.pass.at(1 as never).moreAtPass, 2)
})

test('orders for later, and those that wait for a payment, are in a list of their own, the next first', async t => {
  const { shop, clock } = await openPass(t, { 'kitchen.when_paid': 'takeaway' })
  const at = (minutes: number) => ({ wantedAt: clock.now() + minutes * 60_000, isInsisted: true })
  ordered(shop, orderOf(salad), at(90))
  ordered(shop, orderOf(salad), at(60))
  ordered(shop, { ...orderOf(salad), ...takeaway })
  ordered(shop, orderOf(pizza()))
  assert.deepEqual(listsOf(shop), { kitchen: [4], ready: [], out: [], later: [2, 1, 3] })
  const [, , waiting] = shop.store.pass.at(1 as never).later
  assert.equal(waiting?.courses[0]?.heldFor, 'payment')
  clock.pass(50 * 60_000)
  shop.store.kitchen.fireDue()
  assert.deepEqual(listsOf(shop).kitchen, [2, 4])
})

test('the order that has waited longest to be handed over is first, also after a recall; deliveries are sent out, then delivered', async t => {
  const { shop, clock, device } = await openPass(t)
  for (const order of [orderOf(salad), orderOf(salad), { ...orderOf(salad), channel: 'delivery' }]) ordered(shop, order)
  for (const id of [2, 1, 3]) {
    clock.pass(60_000)
    bumpAll(shop, id)
  }
  assert.deepEqual(listsOf(shop).ready, [2, 1, 3])
  accepted(shop.store.kitchen.recall(2 as TicketId))
  clock.pass(60_000)
  bumpAll(shop, 2)
  assert.deepEqual(listsOf(shop).ready, [1, 3, 2])
  assert.equal((await act(shop, device, { act: 'out', ticket: '3' })).status, 200)
  assert.deepEqual([listsOf(shop).ready, listsOf(shop).out], [[1, 2], [3]])
  assert.equal((await act(shop, device, { act: 'fulfil', ticket: '3' })).status, 200)
  assert.deepEqual(listsOf(shop).out, [])
})

test('an act at the pass that is sent again is no error and changes nothing; an impossible one is refused with a sentence', async t => {
  const { shop, device, clock } = await openPass(t)
  listen(shop)
  ordered(shop, orderOf(salad))
  const early = await act(shop, device, { act: 'fulfil', ticket: '1' })
  assert.equal(early.status, 409)
  assert.match(early.body.refused, /ticket 1/i)
  assert.deepEqual((await act(shop, device, { act: 'call', ticket: '1' })).body, {
    refused: 'This order is not ready yet.',
  })
  assert.equal((await act(shop, device, { act: 'fulfil', ticket: '9' })).status, 409)
  const bad = await act(shop, device, { act: 'eat', ticket: '1' })
  assert.deepEqual([bad.status, typeof bad.body.refused], [400, 'string'])
  bumpAll(shop, 1)
  const before = eventsOf(shop).length
  for (const _ of [1, 2]) assert.equal((await act(shop, device, { act: 'call', ticket: '1' })).status, 200)
  assert.equal(eventsOf(shop).length, before, 'a call is no change of the order')
  const calls = () => shop.store.activity({ orderId: 1 as OrderId }, 20).filter(({ what }) => what === 'order called')
  assert.equal(calls().length, 1)
  clock.pass(10_000)
  await act(shop, device, { act: 'call', ticket: '1' })
  assert.equal(calls().length, 2)
  for (const _ of [1, 2]) assert.equal((await act(shop, device, { act: 'fulfil', ticket: '1' })).status, 200)
  const changes = eventsOf(shop).slice(before)
  assert.deepEqual(
    changes.map(({ type }) => type),
    ['order.status_changed', 'order.updated'],
  )
})

test('an act at the pass applies only to the order that was shown, not to another one with its id, nor after it was back in the kitchen', async t => {
  const { shop, device, clock } = await openPass(t)
  ordered(shop, orderOf(salad))
  bumpAll(shop, 1)
  const stale = { act: 'fulfil', ticket: '1', shown: shownAtPassNow(shop.store, 1, 'fulfil') }
  const call = { act: 'call', ticket: '1', shown: shownAtPassNow(shop.store, 1, 'call') }
  accepted(shop.store.kitchen.recall(1 as TicketId))
  clock.pass(60_000)
  bumpAll(shop, 1)
  for (const shown of [stale.shown, '']) {
    const { status, body } = await act(shop, device, { ...stale, shown })
    assert.deepEqual([status, /changed since/.test(body.refused)], [409, true])
  }
  assert.equal((await act(shop, device, call)).status, 200, 'it is ready, and still the same order')
  // As after a backup was restored: the id belongs to an order that was placed at another time.
  shop.execute('UPDATE orders SET placed_at = placed_at + 1')
  assert.equal((await act(shop, device, call)).status, 409)
  assert.equal(fulfilment(shop, 1), 'ready')
  for (const _ of [1, 2]) assert.equal((await act(shop, device, { act: 'fulfil', ticket: '1' })).status, 200)
  assert.equal((await act(shop, device, stale)).status, 200, 'what is already as wanted is no error')
})

test('a mistaken hand-over is taken back at the pass, also of an order that was paid and so completed', {
  skip: withoutBrowser,
}, async t => {
  const { shop, clock, device } = await openPass(t)
  listen(shop)
  for (const _ of [1, 2]) ordered(shop, { ...orderOf(salad), ...takeaway })
  accepted(shop.store.payments.pay(1 as OrderId, { amount: 500, method: 'cash' }))
  for (const id of [1, 2]) bumpAll(shop, id)
  const { page, site } = await openWindow(t, shop.port, { cookie: device.cookie })
  await page.goto(`${site}/kitchen/pass`)
  const ready = page.locator('#ready').getByRole('article', { name: '1' })
  await ready.getByRole('button', { name: 'Hand over' }).click()
  await page.getByText('Handed over lately').click()
  const left = page.locator('#recent li').filter({ hasText: 'Salad' })
  await left.waitFor()
  assert.equal(await ready.count(), 0)
  assert.equal(shop.store.orderBook.byId(1)?.status, 'completed')
  await assertUsable(page)

  clock.pass(60_000)
  const before = eventsOf(shop).length
  await left.getByRole('button', { name: 'Bring back' }).click()
  await ready.getByRole('button', { name: 'Hand over' }).waitFor()
  await page.getByText('Nothing has been handed over yet.').waitFor()
  const { status, fulfillmentStatus } = shop.store.orderBook.byId(1) ?? {}
  assert.deepEqual([status, fulfillmentStatus], ['completed', 'ready'])
  assert.deepEqual(
    eventsOf(shop)
      .slice(before)
      .map(({ type, data }) => [type, data.status, data.previous_fulfillment_status, data.fulfillment_status]),
    [
      ['order.status_changed', 'completed', 'fulfilled', 'ready'],
      ['order.updated', 'completed', undefined, undefined],
    ],
  )
  const times = () => {
    const placedAt = shop.store.orderBook.byId(1)?.placedAt ?? 0
    const activity = shop.store.activity({ orderId: 1 as OrderId }, 20)
    return momentsOf(placedAt, shop.store.kitchen.ofOrder(1 as OrderId), activity).handedOver
  }
  assert.equal(times(), null)
  assert.deepEqual(
    shop.store.pass
      .board(1 as never, 10)
      .ready.map(({ number }) => number)
      .sort(),
    [1, 2],
  )

  clock.pass(60_000)
  await ready.getByRole('button', { name: 'Hand over' }).click()
  await left.waitFor()
  assert.equal(times(), clock.now())
})

test('what was delivered or sent out by mistake comes back one step; a press that is sent again or too late changes nothing', async t => {
  const { shop, clock, device } = await openPass(t)
  ordered(shop, { ...orderOf(salad), channel: 'delivery' })
  bumpAll(shop, 1)
  const recall = () => ({
    act: 'recall',
    ticket: '1',
    shown: shownAtPassNow(shop.store, 1, 'recall'),
    ref: 'r'.repeat(20),
  })
  const steps = []
  for (const name of ['out', 'fulfil', 'recall', 'fulfil', 'recall', 'recall']) {
    clock.pass(60_000)
    assert.equal((await act(shop, device, { act: name, ticket: '1' })).status, 200)
    steps.push(fulfilment(shop, 1))
  }
  assert.deepEqual(steps, [
    'out_for_delivery',
    'fulfilled',
    'out_for_delivery',
    'fulfilled',
    'out_for_delivery',
    'ready',
  ])
  await act(shop, device, { act: 'out', ticket: '1' })
  await act(shop, device, { act: 'fulfil', ticket: '1' })
  const press = recall()
  for (const _ of [1, 2]) assert.equal((await act(shop, device, press)).status, 200)
  assert.equal(fulfilment(shop, 1), 'out_for_delivery')
  clock.pass(60_000)
  await act(shop, device, { act: 'fulfil', ticket: '1' })
  assert.equal((await act(shop, device, { ...press, ref: 's'.repeat(20) })).status, 409)
  assert.equal(fulfilment(shop, 1), 'fulfilled')
})

test('the pass of an earlier time is shown in the office as it was after every act of an evening', {
  skip: withoutBrowser,
}, async t => {
  const { shop, clock, device } = await openPass(t)
  const here = 1 as LocationId
  const { store } = shop
  /** What the cards show; since when something is in the kitchen stands on none. */
  const shownBy = ({ kitchen, ready, out, later }: Pass) => ({
    kitchen: kitchen.map(({ since: _, ...order }) => order),
    ready,
    out,
    later: later.map(({ since: _, ...order }) => order),
  })
  const press = async (name: string, ticket: string, more = {}) =>
    assert.equal((await act(shop, device, { act: name, ticket, ...more })).status, 200)
  const evening = [
    () => ordered(shop, { ...orderOf(salad, pizza(2)), ...takeaway }),
    () => ordered(shop, orderOf(salad, pizza()), { later: [1] }),
    () => ordered(shop, { ...orderOf(salad), channel: 'delivery' }),
    () => accepted(store.kitchen.bump(1 as TicketId, null)),
    () => bumpAll(shop, 1),
    () => bumpAll(shop, 2),
    () => press('call', '1'),
    () => press('fulfil', '1'),
    () => press('recall', '1'),
    () => press('fire', '2', { line: '2' }),
    () => accepted(store.payments.pay(1 as OrderId, { amount: 500, method: 'cash' })),
    () => press('fulfil', '1'),
    () => bumpAll(shop, 3),
    () => accepted(store.kitchen.recall(Number(store.kitchen.ofOrder(3 as OrderId)[0]?.id) as TicketId)),
    () => bumpAll(shop, 3),
    () => press('out', '3'),
    () => accepted(store.edit(2 as OrderId, accepted(parseEdit(JSON.stringify({ add: [salad] }))).edit)),
    () => accepted(store.edit(2 as OrderId, accepted(parseEdit(JSON.stringify({ remove: [3] }))).edit)),
    () => press('fulfil', '3'),
    () => press('recall', '3'),
    () => accepted(store.move(2 as OrderId, 'cancel', { reason: 'left' })),
  ]
  const then: { at: number; shown: unknown }[] = []
  for (const step of evening) {
    clock.pass(60_000)
    await step()
    then.push({ at: clock.now(), shown: shownBy(store.pass.at(here)) })
  }
  clock.pass(3_600_000)
  for (const [index, { at, shown }] of then.entries())
    assert.deepEqual(shownBy(store.pass.past(here, at + 1)), shown, `after act ${index}`)

  const { cookie } = logIn(shop, 'staff')
  const { page, site } = await openWindow(t, shop.port, { cookie })
  await page.goto(`${site}/office/kitchen/look-back?station=pass&at=2026-11-20T18:07`)
  await page.getByRole('heading', { name: /^Pass, .*18:07:00/ }).waitFor()
  const card = page.getByRole('article', { name: '1' })
  assert.match(await card.innerText(), /^1\s+2:00\s+Takeaway[\s\S]*Called at 18:07/)
  assert.equal(await page.getByRole('article').getByRole('button').count(), 0)
  assert.match((await page.getByRole('article', { name: '3' }).getAttribute('class')) ?? '', /at-kitchen$/)
  await assertUsableEverywhere(page, 'look-back-pass')
  const told = async () => (await page.locator('tbody tr').allInnerTexts()).map(row => row.replaceAll(/\s+/g, ' '))
  const atPass = (row: string) => / Pass: (called|handed|sent|brought)/.test(row)
  assert.deepEqual((await told()).filter(atPass), [
    '18:07:00 ORD-000001 Pass: called again A kitchen',
    '18:08:00 ORD-000001 Pass: handed over A kitchen',
    '18:09:00 ORD-000001 Pass: brought back A kitchen',
    '18:12:00 ORD-000001 Pass: handed over A kitchen',
  ])
  assert.deepEqual(shop.rows("SELECT 1 FROM ticket_event WHERE what = 'seen'"), [])
  await page.getByRole('link', { name: '1 minute later' }).click()
  await card.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: '1 minute later' }).click()
  await card.getByText('0:00').waitFor()
  await page.getByRole('link', { name: '5 minutes later' }).click()
  assert.match((await page.getByRole('article', { name: '3' }).getAttribute('class')) ?? '', /at-kitchen slow$/)
  await page.getByLabel('Station').selectOption('Oven')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('heading', { name: /^Oven, / }).waitFor()
  assert.deepEqual(
    (await told()).filter(row => /(over|back|again)/.test(row)),
    [],
    'the pass is no part of a station',
  )
})

test('a number is called once for each press, however late the press is sent again', async t => {
  const { shop, device, clock } = await openPass(t)
  ordered(shop, orderOf(salad))
  bumpAll(shop, 1)
  const call = { act: 'call', ticket: '1', ref: 'r'.repeat(20) }
  for (const _ of [1, 2, 3]) {
    assert.equal((await act(shop, device, call)).status, 200)
    clock.pass(10_000)
  }
  assert.equal(
    shop.store.activity({ orderId: 1 as OrderId }, 20).filter(({ what }) => what === 'order called').length,
    1,
  )
})

test('a pass sees and changes only the orders of its own location, and only screens of the kitchen see it', async t => {
  const { shop, device } = await openPass(t)
  ordered(shop, orderOf(salad))
  bumpAll(shop, 1)
  const elsewhere = shop.store.pass.act(
    { act: 'fulfil', order: 1 as OrderId, batch: null, ref: null, shown: '' },
    2 as never,
  )
  assert.ok(isRefused(elsewhere))
  assert.deepEqual(shop.store.pass.at(2 as never).ready, [])
  const board = pairDevice(shop, 'board')
  for (const [headers, status] of [
    [device.headers, 200],
    [board.headers, 403],
    [{}, 303],
  ] as const) {
    const response = await fetch(`${shop.url}/kitchen/pass`, {
      headers: { ...headers, Accept: 'text/html' },
      redirect: 'manual',
    })
    assert.equal(response.status, status)
  }
})
