import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { parseRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import type { LocationId, OrderId, TicketId } from '../store/terms/ids.ts'
import { assertUsableEverywhere, hostName, openWindow, withoutBrowser } from './support/browser.ts'
import { guest, openToGuests, saidBy } from './support/guest.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn } from './support/log-in.ts'
import { eventsOf, listen, pizzeria } from './support/pizzeria.ts'
import { accepted } from './support/refusals.ts'
import { openShop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const base = '/order/1'

async function openOrder(t: Parameters<typeof openShop>[0], settings: Record<string, string> = {}) {
  const clock = heldClock('2025-11-20T18:00:00Z')
  const shop = await openShop(t, { restaurant: pizzeria({ tables: [{ id: 1, title: 'Terrace 1' }] }), settings, clock })
  openToGuests(shop)
  const ana = guest(shop)
  const { location } = await ana.place(base, { ...(await ana.fill(base, { id: 1 })), name: 'Ana' })
  const path = (location ?? '').split('?')[0] ?? ''
  const version = async () => JSON.parse((await ana.get(`${path}/now`)).text).version
  return { shop, clock, ana, path, version, order: 1 as OrderId }
}

test('the status page says what is happening at each step, and its short text changes with it', async t => {
  const { shop, ana, path, version, order } = await openOrder(t)
  const seen = [await version()]
  const now = async () => {
    seen.push(await version())
    return saidBy(await ana.get(path))
  }
  assert.match(await now(), /In the kitchen Probably ready between 18:\d\d and 18:\d\d/)
  for (const { id } of shop.rows('SELECT id FROM ticket')) accepted(shop.store.kitchen.bump(id as TicketId, null))
  assert.match(await now(), /Ready Come to the counter and say your number\./)
  accepted(shop.store.payments.pay(order, { amount: 1000, method: 'cash' }))
  assert.match(await now(), /Paid/)
  accepted(shop.store.move(order, 'fulfil'))
  assert.match(await now(), /Done Enjoy!/)
  const changes = seen.filter((each, index) => each !== seen[index - 1])
  assert.equal(changes.length, 4)
  const page = await ana.get(path)
  assert.match(page.headers.get('cache-control') ?? '', /no-store/)
  assert.equal(page.headers.get('referrer-policy'), 'same-origin')
  assert.match(page.text, /<meta name="robots" content="noindex">/)
})

test('where the kitchen waits for the payment, the guest is asked to pay first, and nothing has to be confirmed', async t => {
  const { shop, ana, path, order } = await openOrder(t, { 'kitchen.when_paid': 'takeaway' })
  assert.match(saidBy(await ana.get(path)), /Please pay first .*€10\.00 to pay at the counter/)
  accepted(shop.store.payments.pay(order, { amount: 1000, method: 'card' }))
  const paid = saidBy(await ana.get(path))
  assert.match(paid, /In the kitchen Probably ready between .*Paid/)
  assert.doesNotMatch(paid, /Please pay first/)
  assert.deepEqual(shop.store.guestOrders.waiting(), [])
})

test('without script the page loads again by itself, until the order is over', async t => {
  const { shop, ana, path, order } = await openOrder(t)
  assert.equal((await ana.get(path)).headers.get('refresh'), '20')
  ana.cookies.set('script /', { value: '1', path: '/' })
  assert.equal((await ana.get(path)).headers.get('refresh'), null)
  ana.cookies.delete('script /')
  accepted(shop.store.move(order, 'cancel', { reason: 'no dough' }))
  const over = await ana.get(path)
  assert.equal(over.headers.get('refresh'), null)
  assert.match(saidBy(over), /Cancelled This order will not be prepared, and you do not have to pay for it/)
  assert.doesNotMatch(over.text, /no dough/)
})

test('an address that nobody was given shows no order, and guessing and asking without a pause are slowed down', async t => {
  const { ana, path, clock } = await openOrder(t)
  for (const token of ['x', 'a'.repeat(43), '..%2f..', `${path.slice(3)}A`, path.slice(3).toUpperCase()]) {
    assert.equal((await ana.get(`/o/${token}`)).status, 404, token)
  }
  for (let n = 0; n < 100; n++) await ana.get(`/o/${'b'.repeat(43)}/now`)
  assert.equal((await ana.get(`/o/${'c'.repeat(43)}`)).status, 429)
  // Whoever has a right address is not concerned.
  assert.equal((await ana.get(path)).status, 200)
  for (let n = 0; n < 60; n++) await ana.get(`${path}/now`)
  assert.equal((await ana.get(`${path}/now`)).status, 429)
  clock.pass(60_000)
  assert.equal((await ana.get(`${path}/now`)).status, 200)
})

test('every dish and option about which nothing is stated is named, to the guest and in the office', async t => {
  const restaurant = smallRestaurant()
  const shop = await openShop(t, { restaurant, clock: heldClock('2025-11-20T18:00:00Z') })
  openToGuests(shop)
  const ana = guest(shop)
  const order = async (...dishes: Parameters<typeof ana.fill>[1][]) => {
    const { location } = await ana.place(base, { ...(await ana.fill(base, ...dishes)), name: 'Ana' })
    return saidBy(await ana.get((location ?? '').split('?')[0] ?? ''))
  }
  const soup = await order({ id: 1 })
  assert.match(soup, /Allergens May contain Gluten\./)
  assert.doesNotMatch(soup, /Not stated/)
  const mixed = await order({ id: 1 }, { id: 2 }, { id: 3, fields: { 'one-2': '4' } })
  assert.match(
    mixed,
    /May contain Gluten\. Not stated for Burger and Steak\. Not stated for the options that you chose\./,
  )
  const office = await guest(shop, logIn(shop, 'owner').headers).get('/office/orders/2')
  assert.match(saidBy(office), /may contain Gluten, not stated for Burger and Steak, not stated for the options/)

  const [extras, side] = restaurant.modifier_groups
  const egg = { id: 1, title: 'Egg', price: 1.5, allergens: [{ id: 1, presence: 'contains' }] }
  const stated = { ...restaurant, modifier_groups: [{ ...extras, modifiers: [egg] }, side] }
  accepted(shop.store.importCatalogue(parseRestaurantFile(JSON.stringify(stated)).file))
  assert.match(await order({ id: 3, fields: { 'one-2': '4' } }), /Not stated for Steak and Salad\./)
})

test('a poll closes its connection, so that phones do not take those of the kitchen', async t => {
  const { shop, path } = await openOrder(t)
  const raw = await shop.raw(`GET ${path}/now HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
  assert.match(raw, /^HTTP\/1\.1 200 /)
  assert.match(raw, /connection: close/i)
  assert.ok(raw.length < 600, raw)
})

test('only the browser that ordered can cancel, within the time of the setting and while nothing is done', async t => {
  const { shop, clock, ana, path } = await openOrder(t)
  listen(shop)
  assert.doesNotMatch(saidBy(await ana.get(path)), /Cancel this order/)
  assert.equal((await ana.post(`${path}/cancel`, {})).status, 422)
  accepted(shop.store.settings.set('guests.cancel_minutes', '5'))
  const eve = guest(shop)
  assert.doesNotMatch(saidBy(await eve.get(path)), /Cancel this order/)
  assert.equal((await eve.post(`${path}/cancel`, {})).status, 403)
  await eve.fill(base, { id: 2 })
  assert.equal((await eve.post(`${path}/cancel`, {})).status, 403)
  assert.match(saidBy(await ana.get(path)), /You can cancel until 18:05/)
  clock.pass(5 * 60_000)
  assert.equal((await ana.post(`${path}/cancel`, {})).status, 422)
  clock.pass(-60_000)
  const dough = () => shop.rows('SELECT on_hand_micro AS left FROM stock_item')[0]?.left
  const before = Number(dough())
  // Two presses at once, and another one later, lead to the page that says so.
  const presses = await Promise.all([1, 2].map(() => ana.post(`${path}/cancel`, {})))
  assert.deepEqual(
    [...presses, await ana.post(`${path}/cancel`, {})].map(({ status }) => status),
    [303, 303, 303],
  )
  assert.match(saidBy(await ana.get(path)), /Cancelled/)
  const [cancelled] = shop.rows('SELECT status, cancel_reason AS reason FROM orders')
  assert.deepEqual(cancelled, { status: 'cancelled', reason: 'Cancelled by the guest' })
  assert.equal(Number(dough()), before + 250_000)
  assert.deepEqual(
    eventsOf(shop).map(({ type }) => type),
    ['order.status_changed', 'order.updated'],
  )
})

test('a cancellation by a guest is in the activity log without their name, and new for a day that was closed', async t => {
  const { shop, ana, path, order } = await openOrder(t, { 'guests.cancel_minutes': '60' })
  const { headers } = logIn(shop, 'owner')
  const here = 1 as LocationId
  accepted(shop.store.till.closeDay(here, { date: '2025-11-20', counted: null, left: null, note: null }))
  assert.deepEqual(accepted(shop.store.till.day(here)).late, [])
  assert.equal((await ana.post(`${path}/cancel`, {})).status, 303)
  const [{ actor, what, was, became } = {}] = shop.store.activity({ orderId: order }, 1)
  assert.deepEqual(
    [actor, what, was, became],
    [{ kind: 'guest', id: null, name: 'guest' }, 'order cancelled', 'placed, in kitchen', 'cancelled'],
  )
  assert.equal(accepted(shop.store.till.day(here)).late.length, 1)
  for (const [language, row] of [
    ['en', /Guest<\/td>\s*<td>order cancelled<small>placed, in kitchen → cancelled/],
    ['de', /Gast<\/td>\s*<td>Bestellung storniert<small>[^<]* → storniert/],
    ['pt', /Cliente<\/td>\s*<td>Pedido cancelado<small>[^<]* → cancelado/],
  ] as const) {
    const response = await fetch(`${shop.url}/office/settings/activity`, {
      headers: { ...headers, 'Accept-Language': language },
    })
    assert.match(await response.text(), row)
  }
  const report = 'report=staff&from=2025-11-20&to=2025-11-20'
  const work = await fetch(`${shop.url}/office/reports/csv?${report}`, { headers })
  const people = (await work.text()).split('\n').map(row => row.split(',')[1])
  assert.deepEqual(people, ['who', 'guests and others', undefined])
})

test('a guest who has paid is not offered to cancel, and is sent to the staff', async t => {
  const { shop, ana, path, order } = await openOrder(t, { 'guests.cancel_minutes': '60' })
  assert.match(saidBy(await ana.get(path)), /Cancel this order/)
  accepted(shop.store.payments.pay(order, { amount: 400, method: 'card' }))
  assert.doesNotMatch(saidBy(await ana.get(path)), /Cancel this order/)
  const refused = await ana.post(`${path}/cancel`, {})
  assert.equal(refused.status, 422)
  assert.match(saidBy(refused), /too late to cancel this order here\. Please speak to the staff/)
})

test('a guest can no longer cancel once a dish is done or the order has ended', async t => {
  const { shop, ana, path, order } = await openOrder(t, { 'guests.cancel_minutes': '60' })
  const [ticket] = shop.rows('SELECT id FROM ticket')
  accepted(shop.store.kitchen.bump(ticket?.id as TicketId, null))
  const late = await ana.post(`${path}/cancel`, {})
  assert.equal(late.status, 422)
  assert.match(saidBy(late), /too late to cancel/)
  accepted(shop.store.kitchen.recall(ticket?.id as TicketId))
  assert.match(saidBy(await ana.get(path)), /Cancel this order/)
  accepted(shop.store.move(order, 'cancel', { reason: 'no dough' }))
  assert.equal((await ana.post(`${path}/cancel`, {})).status, 303)
  assert.deepEqual(shop.rows('SELECT cancel_reason AS reason FROM orders'), [{ reason: 'no dough' }])
})

test('the status page of a guest and the hash of their browser are gone once their data is deleted', async t => {
  const { shop, ana, path, order } = await openOrder(t)
  accepted(shop.store.payments.pay(order, { amount: 1000, method: 'cash' }))
  for (const { id } of shop.rows('SELECT id FROM ticket')) accepted(shop.store.kitchen.bump(id as TicketId, null))
  accepted(shop.store.move(order, 'fulfil'))
  const found = accepted(shop.store.guestData.find({ placedBefore: Date.parse('2026-01-01') }))
  assert.equal(shop.store.guestData.delete(found.orders), 1)
  assert.equal((await ana.get(path)).status, 404)
  assert.deepEqual(shop.rows('SELECT status_token AS token, browser_sha256 AS browser FROM guest_order'), [
    { token: null, browser: null },
  ])
})

test('a guest orders on a phone, sees the order become ready, and is told when there is no connection', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  openToGuests(shop)
  const { page, site, context } = await openWindow(t, shop.port, { width: 390, height: 844 })
  await page.goto(`${site}${base}/dish/1`)
  await page.locator('main form[method=post] button[type=submit], main form[method=post] button.primary').last().click()
  await page.goto(`${site}${base}/checkout`)
  await assertUsableEverywhere(page, 'guest-checkout')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByLabel('Name').fill('Ana')
  await page.route('**/place', route => route.abort())
  await page.getByRole('button', { name: /^Order and pay at the counter/ }).click()
  await page.getByText('NOT SENT').waitFor()
  assert.equal(shop.rows('SELECT 1 FROM orders').length, 0)
  // The response is lost, the order is not: pressing again leads to it.
  await page.unroute('**/place')
  let sent = 0
  let goOn = () => {}
  const pressedAgain = new Promise<void>(resolve => {
    goOn = resolve
  })
  await page.route('**/place', async route => {
    sent++
    await pressedAgain
    const [url, host] = [route.request().url(), `${hostName}:${shop.port}`]
    await route.fetch({
      url: url.replace(hostName, '127.0.0.1'),
      headers: { ...route.request().headers(), host },
      maxRedirects: 0,
    })
    await route.abort()
  })
  await page.getByRole('button', { name: /^Order and pay at the counter/ }).click()
  await page.getByText('Sending').waitFor()
  await page.getByRole('button', { name: /^Order and pay at the counter/ }).click({ force: true })
  goOn()
  await page.getByText('NOT SENT').waitFor()
  assert.equal(sent, 1, 'a press while it is being sent sends nothing more')
  await page.unroute('**/place')
  const asked: string[] = []
  page.on('request', request => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.getByRole('button', { name: /^Order and pay at the counter/ }).click()
  await page.getByText('In the kitchen').first().waitFor()
  const { pathname } = new URL(page.url())
  const pages = asked.filter(each => !/assets|\/now$/.test(each))
  assert.deepEqual(
    pages,
    [`POST ${base}/place`, `GET ${pathname}`],
    'each costs a phone in a slow network a round trip',
  )
  assert.equal(shop.rows('SELECT 1 FROM orders').length, 1)
  await assertUsableEverywhere(page, 'guest-status')
  await page.setViewportSize({ width: 390, height: 844 })
  for (const { id } of shop.rows('SELECT id FROM ticket')) accepted(shop.store.kitchen.bump(id as TicketId, null))
  await page.getByText('Come to the counter and say your number.').waitFor()
  await assertUsableEverywhere(page, 'guest-ready')
  await context.setOffline(true)
  await page.getByText('No connection.').waitFor()
  await context.setOffline(false)
  await page.getByText('No connection.').waitFor({ state: 'detached' })
})

/** The name of what has the focus. Fails if nothing has it, or if a person would not see it. */
async function focused(page: Page): Promise<string> {
  await page.waitForLoadState()
  const found = await page.evaluate(() => {
    const active = document.activeElement
    if (!(active instanceof HTMLElement) || active === document.body) return { name: '', flaw: 'nothing has the focus' }
    const box = active.getBoundingClientRect()
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    const { outlineStyle, outlineWidth } = getComputedStyle(active)
    const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    const isCovered = !active.contains(document.elementFromPoint(x, y))
    const label = active instanceof HTMLInputElement ? active.labels?.[0]?.innerText : undefined
    return {
      name: (active.getAttribute('aria-label') ?? label ?? active.innerText).trim().replace(/\s+/g, ' '),
      flaw: isOutlined ? (isCovered ? 'it is covered' : '') : 'it has no outline',
    }
  })
  assert.equal(found.flaw, '', `${found.name} at ${page.url()}`)
  return found.name
}

/** Presses the Tab key until something with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = []
  while (!name.test(passed.at(-1) ?? '')) {
    assert.ok(passed.length < 40, `${name} is not reached: ${passed.join(', ')}`)
    await page.keyboard.press('Tab')
    passed.push(await focused(page))
  }
}

test('a guest orders with nothing but a keyboard, and always sees where the focus is', {
  skip: withoutBrowser,
}, async t => {
  const [extras] = pizzeria().modifier_groups
  const restaurant = { ...pizzeria(), modifier_groups: [{ ...extras, min_select: 1, is_required: true }] }
  const shop = await openShop(t, { restaurant, settings: { 'guests.cancel_minutes': '60' } })
  openToGuests(shop)
  const { page, site } = await openWindow(t, shop.port, { width: 390, height: 500 })
  const { keyboard } = page
  const sheet = page.locator('dialog.dish-sheet')
  await page.goto(`${site}${base}`)
  await tabTo(page, /^Pizza/)
  await keyboard.press('Enter')
  await sheet.waitFor()
  await focused(page)
  await keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
  assert.match(await focused(page), /^Pizza/)

  // Without a required option it is refused, and the focus is where that is said.
  await keyboard.press('Enter')
  await sheet.waitFor()
  await tabTo(page, /^Add/)
  await keyboard.press('Enter')
  await sheet.getByRole('alert').first().waitFor()
  assert.match(await focused(page), /^Not added yet/)
  await tabTo(page, /^Basil/)
  await keyboard.press('Space')
  await tabTo(page, /^Add/)
  await keyboard.press('Enter')
  await sheet.waitFor({ state: 'hidden' })
  assert.match(await focused(page), /^Pizza/)

  // A choice by the arrow keys.
  await tabTo(page, /^Cake/)
  await keyboard.press('Enter')
  await sheet.waitFor()
  await tabTo(page, /^Slice/)
  await keyboard.press('ArrowDown')
  assert.match(await focused(page), /^Whole/)
  await sheet.getByText('€30.00', { exact: true }).last().waitFor()
  await tabTo(page, /^Add/)
  await keyboard.press('Enter')
  await sheet.waitFor({ state: 'hidden' })

  await tabTo(page, /^Your order/)
  await keyboard.press('Enter')
  await page.waitForURL('**/cart')
  // The page comes back with the change, and the focus where it was.
  const pizzas = page.locator('.line .count-of').first()
  await tabTo(page, /^One more: Pizza/)
  await keyboard.press('Enter')
  await pizzas.getByText('2', { exact: true }).waitFor()
  assert.match(await focused(page), /^One more: Pizza/)
  await keyboard.press('Shift+Tab')
  await keyboard.press('Enter')
  await pizzas.getByText('1', { exact: true }).waitFor()
  assert.match(await focused(page), /^One less: Pizza/)
  await tabTo(page, /€40\.00$/)
  await keyboard.press('Enter')
  await page.waitForURL('**/checkout')
  await tabTo(page, /^Name/)
  await keyboard.type('  ')
  await tabTo(page, /^Order and pay/)
  await keyboard.press('Enter')
  await page.getByText('Enter your name.').waitFor()
  assert.match(await focused(page), /^Name/)
  await keyboard.type('Ana')
  await page.route('**/place', route => route.abort())
  await tabTo(page, /^Order and pay/)
  await keyboard.press('Enter')
  await page.getByText('NOT SENT').waitFor()
  assert.match(await focused(page), /^Order and pay/)
  await page.unroute('**/place')
  await keyboard.press('Space')
  await page.getByText('Your number').waitFor()

  // What is replaced while it has the focus hands it on.
  await tabTo(page, /^Cancel this order/)
  const [order] = shop.rows('SELECT id, customer_name AS name, grand_total_minor AS total FROM orders')
  assert.deepEqual(order, { id: 1, name: 'Ana', total: 4000 })
  accepted(shop.store.payments.pay(1 as OrderId, { amount: 400, method: 'card' }))
  await page.getByText('€36.00 to pay').waitFor()
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main')
  await tabTo(page, /sound/i)
})
