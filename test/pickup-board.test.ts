import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { OrderDetails } from '../store/ordering/details.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import type { OrderId, TableId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { assertFits, assertUsable, openWindow, withoutBrowser } from './support/browser.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn, pairDevice } from './support/log-in.ts'
import { orderOf, pizzeria, salad, water } from './support/pizzeria.ts'
import { accepted } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'
import { shownAtPassNow } from './support/shown.ts'

const location = { stock: [], tables: [{ id: 1, title: 'Window' }] }

async function openBoard(t: TestContext, settings: Record<string, string> = {}) {
  const clock = heldClock('2026-11-20T18:00:00Z')
  const shop = await openShop(t, { restaurant: pizzeria(location), clock, settings })
  return { shop, clock, device: pairDevice(shop, 'board') }
}

function ordered({ store }: Shop, order: object = orderOf(salad), details: OrderDetails = {}) {
  const draft = parseDraft({ customer: { name: 'Rui Costa' }, ...order })
  assert.ok(!isRefused(draft))
  return accepted(store.orders.place(draft, 'pos', details)).id
}

function bumpAll({ store }: Shop, order: OrderId): void {
  for (const { id } of store.kitchen.ofOrder(order)) accepted(store.kitchen.bump(id, null))
}

function boardOf({ store }: Shop) {
  const { preparing, ready } = store.pass.board(1 as never, store.settings.current().boardMinutes)
  return { preparing, ready: ready.map(({ number }) => number) }
}

function callAgain({ store }: Shop, order: OrderId): void {
  const shown = shownAtPassNow(store, order, 'call')
  accepted(store.pass.act({ act: 'call', order, batch: null, ref: null, shown }, 1 as never))
}

const handOver = ({ store }: Shop, order: OrderId) => accepted(store.move(order, 'fulfil', {}))

test('guests see the numbers that are being prepared, the oldest first, and those that are ready, the newest first', async t => {
  const { shop, clock } = await openBoard(t)
  const orders = [1, 2, 3, 4].map(() => ordered(shop))
  for (const order of [orders[2], orders[0]]) {
    clock.pass(1000)
    bumpAll(shop, order as OrderId)
  }
  assert.deepEqual(boardOf(shop), { preparing: [2, 4], ready: [1, 3] })
})

test('the board has no orders of tables, no deliveries, and no orders that the kitchen is not preparing now', async t => {
  const { shop } = await openBoard(t)
  const atTable = ordered(shop, orderOf(salad), { tableId: 1 as TableId })
  const delivery = ordered(shop, { ...orderOf(salad), channel: 'delivery' })
  ordered(shop, orderOf(water))
  ordered(shop, orderOf(salad), { isHeld: true })
  assert.deepEqual(boardOf(shop), { preparing: [], ready: [] })
  for (const order of [atTable, delivery]) bumpAll(shop, order)
  assert.deepEqual(boardOf(shop), { preparing: [], ready: [] })
})

test('an order that was placed yesterday for today is on the board while it is prepared; one that nobody finishes leaves it after 12 hours', async t => {
  const { shop, clock } = await openBoard(t)
  ordered(shop, orderOf(salad), { wantedAt: clock.now() + 24 * 3_600_000, isInsisted: true })
  clock.pass(24 * 3_600_000)
  shop.store.kitchen.fireDue()
  assert.deepEqual(boardOf(shop).preparing, [1])
  clock.pass(12 * 3_600_000)
  assert.deepEqual(boardOf(shop).preparing, [])
})

test('a number leaves the board when it is handed over, or some minutes after it was ready or was last called', async t => {
  const { shop, clock } = await openBoard(t, { 'board.minutes': '5' })
  const [first, second] = [ordered(shop), ordered(shop)]
  bumpAll(shop, first)
  bumpAll(shop, second)
  clock.pass(4 * 60_000)
  callAgain(shop, second)
  assert.deepEqual(boardOf(shop).ready, [2, 1])
  clock.pass(2 * 60_000)
  assert.deepEqual(boardOf(shop).ready, [2])
  handOver(shop, second)
  assert.deepEqual(boardOf(shop).ready, [])
  assert.equal(shop.store.pass.at(1 as never).ready.length, 1, 'the pass still has what nobody has fetched')
})

test('the board follows the kitchen, shows numbers and no names, and highlights what is called again', {
  skip: withoutBrowser,
}, async t => {
  const { shop, device, clock } = await openBoard(t)
  logIn(shop, 'owner')
  const order = ordered(shop)
  const { page, site } = await openWindow(t, shop.port, { cookie: device.cookie, width: 1920, height: 1080 })
  await page.goto(`${site}/`)
  assert.equal(page.url(), `${site}/board`)
  const [preparing, ready] = [page.locator('#preparing'), page.locator('#ready')]
  await preparing.getByText('1', { exact: true }).waitFor()
  bumpAll(shop, order)
  await ready.locator('[data-newest]', { hasText: '1' }).waitFor()
  assert.equal(await preparing.innerText(), '')
  clock.pass(60_000)
  callAgain(shop, order)
  await ready.getByText('called again').waitFor()
  assert.doesNotMatch(await page.locator('body').innerText(), /Rui|Salad/)
  await assertUsable(page)
  for (const [width, height] of [
    [1080, 1920],
    [390, 844],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height })
    await assertFits(page)
  }
  handOver(shop, order)
  await ready.getByText('1', { exact: true }).waitFor({ state: 'detached' })
})

test('a board without a connection says that it is not up to date, and recovers without help', {
  skip: withoutBrowser,
}, async t => {
  const { shop, device } = await openBoard(t)
  const { page, site, context } = await openWindow(t, shop.port, { cookie: device.cookie })
  await page.clock.install()
  await page.goto(`${site}/board`)
  const banner = page.getByText('This board is not up to date')
  await banner.waitFor({ state: 'hidden' })
  await context.setOffline(true)
  await page.clock.runFor(14_000)
  await banner.waitFor()
  await context.setOffline(false)
  const order = ordered(shop)
  await page.clock.runFor(3000)
  await page.locator('#preparing').getByText(String(order), { exact: true }).waitFor()
  await banner.waitFor({ state: 'hidden' })
})

test('only a paired board sees the board, and it sees nothing else', async t => {
  const { shop, device } = await openBoard(t)
  const kitchen = pairDevice(shop, 'kitchen')
  const status = async (path: string, headers: Record<string, string>) =>
    (await fetch(`${shop.url}${path}`, { headers: { ...headers, Accept: 'text/html' }, redirect: 'manual' })).status
  assert.equal(await status('/board', device.headers), 200)
  assert.equal(await status('/board', kitchen.headers), 403)
  assert.equal(await status('/kitchen', device.headers), 403)
  assert.equal(await status('/kitchen/pass', device.headers), 403)
  assert.equal(await status('/board', {}), 303)
})
