import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LocationId, TicketId } from '../store/terms/ids.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn } from './support/log-in.ts'
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

test('the kitchen of a location shows of each station what is open, how old it is and how long it has taken', async t => {
  const { shop } = await openEvening(t)
  const text = await fetchKitchen(shop, logIn(shop, 'staff').headers)
  assert.match(
    text,
    /Oven .*?2 tickets, 2 lines .*?Oldest 2 min .*?4 tickets: half within 6 min, 9 of 10 within 10 min/,
  )
  assert.match(text, /Pass .*?2 tickets, 4 lines .*?Oldest 2 min/)
  assert.match(text, /Guests are told to wait 5 to 10 minutes\./)
})

test('one tap makes a location busy or pauses it, and one ends that', { skip: withoutBrowser }, async t => {
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
