import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LocationId, OrderId, TicketId } from '../store/terms/ids.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn, pairDevice } from './support/log-in.ts'
import { orderOf, pizza, pizzeria, salad } from './support/pizzeria.ts'
import { accepted } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'
import { until } from './support/until.ts'

const MINUTE = 60_000
const here = 1 as LocationId

/** A pizzeria at 19:30 that has finished four orders, with two that are open. */
async function openEvening(t: Parameters<typeof openShop>[0], location: Record<string, unknown> = {}) {
  const clock = heldClock('2026-11-20T19:00:00Z')
  const shop = await openShop(t, { clock, restaurant: pizzeria({ stock: [], ...location }) })
  for (const minutes of [4, 6, 8, 10]) {
    assert.equal((await shop.order(orderOf(pizza(), salad))).status, 201)
    clock.pass(minutes * MINUTE)
    for (const { id } of shop.rows("SELECT id FROM ticket WHERE state = 'open'"))
      accepted(shop.store.kitchen.bump(id as TicketId, null))
  }
  for (const _ of [1, 2]) await shop.order(orderOf(pizza(2), salad))
  clock.pass(2 * MINUTE)
  return { shop, clock }
}

/** The text of a part of a page, without script. */
async function fetchKitchen(shop: Shop, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${shop.url}/office/kitchen`, { headers: { ...headers, Accept: 'text/html' } })
  assert.equal(response.status, 200)
  return (await response.text()).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
}

test('the Kitchen page shows for each station what is open, how old it is and how long tickets took', async t => {
  const { shop } = await openEvening(t)
  const text = await fetchKitchen(shop, logIn(shop, 'staff').headers)
  assert.match(text, /Oven .*?2 tickets, 2 lines .*?Oldest 2 min .*?4 tickets: typically 6 min, 9 of 10 within 10 min/)
  assert.match(text, /Pass .*?2 tickets, 4 lines .*?Oldest 2 min/)
  assert.match(text, /Guests are told to wait 5 to 10 minutes\./)
  assert.match(text, /Guests can order now\. While orders are paused, they cannot; staff still can\./)
})

test('one tap makes a location busy or pauses it, and another one ends that', { skip: withoutBrowser }, async t => {
  const { shop, clock } = await openEvening(t)
  for (const javaScriptEnabled of [true, false]) {
    const { cookie } = logIn(shop, 'manager')
    const { page, site } = await openWindow(t, shop.port, { cookie, javaScriptEnabled })
    await page.goto(`${site}/office/kitchen`)
    await page.getByRole('button', { name: '+20 min' }).click()
    await page.getByText('Guests are told to wait 25 to 30 minutes.').waitFor()
    const [busy] = shop.store.busy.list()
    assert.deepEqual([busy?.minutes, busy?.until], [20, clock.now() + 60 * MINUTE])
    await page.getByRole('button', { name: 'Pause orders' }).click()
    await page.getByText(/Orders paused since/).waitFor()
    assert.equal(shop.store.pauses.list()[0]?.until, clock.now() + 30 * MINUTE)
    if (javaScriptEnabled) await assertUsableEverywhere(page, 'office-kitchen-busy')
    await page.getByRole('button', { name: 'Take orders again' }).click()
    await page.getByRole('button', { name: 'No longer busy' }).click()
    await page.getByText('Guests are told to wait 5 to 10 minutes.').waitFor()
    assert.deepEqual([shop.store.busy.list(), shop.store.pauses.list()], [[], []])
    await page.getByLabel('For Oven').selectOption('Pass')
    await page.getByRole('button', { name: 'Save: Oven' }).click()
    await until(() => shop.store.stationBackups.list().length === 1)
    assert.deepEqual(shop.store.stationBackups.list(), [{ stationId: 1, backupId: 2 }])
    shop.store.stationBackups.set(1 as never, null)
  }
  assert.equal(shop.store.busy.begin(here, 10), undefined)
  clock.pass(60 * MINUTE)
  assert.doesNotMatch(await fetchKitchen(shop, logIn(shop, 'staff').headers), /10 minutes longer since/)
})

test('a look back shows the kitchen as it was, with the events around that time, and can be stepped through', {
  skip: withoutBrowser,
}, async t => {
  const { shop } = await openEvening(t)
  const { cookie } = logIn(shop, 'staff')
  const { page, site } = await openWindow(t, shop.port, { cookie, javaScriptEnabled: false })
  await page.goto(`${site}/office/kitchen/look-back?station=1&at=2026-11-20T19:13`)
  const cards = page.locator('article.ticket')
  assert.equal(await cards.count(), 1)
  assert.match(await cards.innerText(), /^3\s+3:00[\s\S]*1\s+Pizza/)
  assert.equal(await cards.getByRole('button').count(), 0, 'the past cannot be changed')
  const rows = page.locator('tbody tr')
  assert.match(await rows.first().innerText(), /19:10:00\s+ORD-000002\s+Oven: done/)
  assert.match(await rows.last().innerText(), /19:18:00\s+ORD-000004\s+Oven: opened/)
  await page.getByRole('link', { name: '5 minutes later' }).click()
  assert.match(await cards.innerText(), /^4\s+0:00/)
  await page.getByRole('link', { name: '1 minute earlier' }).click()
  assert.match(await cards.innerText(), /^3\s+7:00/)

  await page.getByLabel('Station').selectOption('')
  await page.getByLabel('When').fill('2026-11-20T19:29')
  await page.getByRole('button', { name: 'Show' }).click()
  assert.equal(await cards.count(), 4, 'two orders at both stations')
  assert.equal(await page.getByRole('link', { name: '5 minutes later' }).count(), 0)
  const withScript = await openWindow(t, shop.port, { cookie })
  await withScript.page.goto(page.url())
  await assertUsableEverywhere(withScript.page, 'office-kitchen-look-back')

  await page.getByLabel('When').fill('2026-11-20T18:59')
  await page.getByRole('button', { name: 'Show' }).click()
  assert.match(await page.getByRole('alert').innerText(), /begins at/)
  await page.goto(`${site}/office/kitchen/look-back?at=2026-11-20T23:00`)
  assert.match(await page.getByRole('alert').innerText(), /a time in the past/)
})

test('a look back reaches each minute of the hour that the change to winter time repeats', async t => {
  // At 02:00 summer time, 01:00 UTC, the clocks of Lisbon go back to 01:00.
  const clock = heldClock('2026-10-25T00:30:00Z')
  const shop = await openShop(t, { clock, restaurant: pizzeria({ stock: [], timezone: 'Europe/Lisbon' }) })
  await shop.order(orderOf(salad))
  clock.set('2026-10-25T01:20:00Z')
  await shop.order(orderOf(pizza()))
  clock.set('2026-10-25T03:00:00Z')
  const { headers } = logIn(shop, 'staff')
  const ordersAt = async (at: string) => {
    const address = `${shop.url}/office/kitchen/look-back?${new URLSearchParams({ at })}`
    const text = await (await fetch(address, { headers: { ...headers, Accept: 'text/html' } })).text()
    const next = /href="[^"]*at=([^"&]+)"[^>]*>5 minutes later/.exec(text)?.[1]
    const numbers = [...text.matchAll(/id="number-\d+">(\d+)/g)].map(([, number]) => number)
    return { orders: new Set(numbers).size, next: decodeURIComponent(next ?? '') }
  }
  assert.equal((await ordersAt('2026-10-25T01:30')).orders, 1, 'the first 01:30')
  let at = '2026-10-25T01:30'
  for (let steps = 0; steps < 12; steps++) at = (await ordersAt(at)).next
  assert.equal(Date.parse(at), Date.parse('2026-10-25T01:30:00Z'), 'twelve steps later it is 01:30 again')
  assert.equal((await ordersAt(at)).orders, 2)
})

test('the page of an order says when it was placed, seen, done and handed over', async t => {
  const { shop, clock } = await openEvening(t)
  const { headers } = logIn(shop, 'staff')
  const device = pairDevice(shop, 'kitchen')
  const moments = async () => {
    const response = await fetch(`${shop.url}/office/orders/5`, { headers: { ...headers, Accept: 'text/html' } })
    return /placed \d\d:\d\d:\d\d[^<]*/.exec(await response.text())?.[0]
  }
  assert.equal(await moments(), 'placed 19:28:00')
  const board = `${shop.url}/kitchen/board?stations=1,2&drawn=`
  const { version } = await (await fetch(`${board}x`, { headers: device.headers })).json()
  await fetch(`${board}${version}`, { method: 'HEAD', headers: device.headers })
  await until(() => shop.rows('SELECT id FROM ticket WHERE order_id = 5 AND seen_at IS NULL').length === 0)
  assert.equal(await moments(), 'placed 19:28:00 · seen 19:30:00')
  clock.pass(9 * MINUTE + 1000)
  for (const { id } of shop.rows('SELECT id FROM ticket WHERE order_id = 5'))
    accepted(shop.store.kitchen.bump(id as TicketId, null))
  clock.pass(2 * MINUTE)
  accepted(shop.store.move(5 as OrderId, 'fulfil'))
  assert.equal(await moments(), 'placed 19:28:00 · seen 19:30:00 · done 19:39:01 · handed over 19:41:01')
})
