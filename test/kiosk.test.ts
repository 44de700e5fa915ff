import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ItemId, LocationId } from '../store/terms/ids.ts'
import { assertUsableEverywhere, openWindow, type Window, withoutBrowser } from './support/browser.ts'
import { fieldsOf, guest } from './support/guest.ts'
import { heldClock } from './support/held-clock.ts'
import { pairDevice } from './support/log-in.ts'
import { accepted } from './support/refusals.ts'
import { openShop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const here = 1 as LocationId
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map(day => [day, { open: '11:00', close: '22:00' }])

/** A restaurant in two languages with a kiosk that is on, at noon, and a paired screen. */
async function openKiosk(t: TestContext) {
  const clock = heldClock('2026-11-21T12:00:00Z')
  const restaurant = {
    ...smallRestaurant({ opening_hours: Object.fromEntries(everyDay) }),
    site: { title: 'Tasca', timezone: 'UTC', languages: ['en', 'pt'] },
  }
  const shop = await openShop(t, { restaurant, clock, settings: { 'guests.kiosk': 'on' } })
  accepted(shop.store.guestSwitches.set(here, 'kiosk', ['dine_in', 'takeaway']))
  return { shop, clock, ...pairDevice(shop, 'kiosk') }
}

type Kiosk = Awaited<ReturnType<typeof openKiosk>>

/** A window of the kiosk whose clock the test moves. */
async function openScreen(t: TestContext, { shop, cookie }: Kiosk): Promise<Window> {
  const window = await openWindow(t, shop.port, { cookie, width: 1080, height: 1500 })
  await window.page.clock.install()
  await window.page.goto(`${window.site}/kiosk`)
  return window
}

/** Touches the screen. From here on only the test moves its clock, however slow the machine is. */
async function touchAndHoldTime({ page }: Window): Promise<void> {
  const touch = () => page.mouse.click(500, 1200)
  await touch()
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000))
  await touch()
}

/** Begins in Portuguese with an allergen to avoid, and puts a soup into the cart. */
async function beginInPortuguese({ page }: Window): Promise<void> {
  await page.getByRole('link', { name: 'Português' }).click()
  await page.getByText('Tem de evitar alguma coisa?').click()
  await page.getByLabel('Glúten').check()
  await page.getByRole('button', { name: 'Levar' }).click()
  await page.getByRole('link', { name: 'Soup' }).click()
  await page.getByRole('button', { name: '+ Quantidade' }).click()
  await page.locator('.choices .primary').click()
  await page.locator('#cart').waitFor()
}

/** What the browser keeps besides its pairing, and that it runs scripts. */
async function keptBy({ context }: Window): Promise<string[]> {
  const cookies = await context.cookies()
  return cookies.map(({ name }) => name).filter(name => name !== 'servery_device' && name !== 'script')
}

const start = 'Where will you eat?'

test('a guest chooses language, allergens and how to eat, and nothing of it is left for the next one, not even by going back', {
  skip: withoutBrowser,
}, async t => {
  const kiosk = await openKiosk(t)
  const window = await openScreen(t, kiosk)
  const { page, site } = window
  assert.deepEqual(await keptBy(window), [])
  await assertUsableEverywhere(page, 'kiosk-start')
  await beginInPortuguese(window)
  assert.equal(await page.locator('html').getAttribute('lang'), 'pt')
  await page.locator('.warnings').first().waitFor()
  assert.deepEqual((await keptBy(window)).sort(), ['avoid', 'cart', 'guest_language', 'kiosk_guest'])

  for (const path of ['', '/dish/1', '/cart']) {
    await page.goto(`${site}/kiosk${path}`)
    const filledIn = page.locator(
      'input:not([type=hidden], [type=checkbox], [type=radio], [autocomplete=off]), form:not([autocomplete=off]) textarea',
    )
    assert.equal(await filledIn.count(), 0, `the browser could fill in a field of ${path}`)
  }
  await page.goto(`${site}/kiosk/cart`)
  await page.locator('.lines a.button').click()
  await page.getByRole('link', { name: 'Comandos na metade inferior' }).click()
  await page.waitForURL(/low=1/)
  assert.equal(await page.locator('.choices input[name=line]').count(), 1, 'the guest still changes the same line')
  await page.goto(`${site}/kiosk/cart`)
  const above = await page
    .locator('a:visible, button:visible')
    .evaluateAll(all =>
      all.filter(each => each.getBoundingClientRect().top < innerHeight / 2).map(each => each.outerHTML),
    )
  assert.deepEqual(above, [])

  await page.getByRole('button', { name: 'Recomeçar' }).click()
  await page.getByText(start).waitFor()
  assert.deepEqual(await keptBy(window), [])
  for (let times = 0; times < 8; times++) {
    await page.goBack()
    const text = await page.locator('body').innerText()
    if (page.url() === 'about:blank') break
    assert.match(text, /Where will you eat\?|Onde vai comer\?/)
    assert.doesNotMatch(text, /Soup/)
  }
})

test('after 45 seconds without a touch the kiosk asks, and 15 seconds later it starts afresh', {
  skip: withoutBrowser,
}, async t => {
  const window = await openScreen(t, await openKiosk(t))
  const { page } = window
  await beginInPortuguese(window)
  await touchAndHoldTime(window)
  const question = page.getByRole('dialog', { name: 'Ainda aí está?' })
  await page.clock.runFor(44_000)
  assert.equal(await question.isVisible(), false)
  await page.mouse.click(500, 1200)
  await page.clock.runFor(44_000)
  assert.equal(await question.isVisible(), false)
  await page.clock.runFor(2_000)
  await question.waitFor()
  await question.getByRole('button', { name: 'Sim, continuar' }).click()
  await page.clock.runFor(44_000)
  assert.equal(await question.isVisible(), false)
  await page.clock.runFor(2_000)
  await question.waitFor()
  await page.clock.runFor(13_000)
  assert.ok((await keptBy(window)).includes('cart'))
  await page.clock.runFor(3_000)
  await page.getByText(start).waitFor()
  assert.deepEqual(await keptBy(window), [])

  // A language that somebody only tried goes as well, and then nothing more happens.
  await page.getByRole('link', { name: 'Português' }).click()
  await page.getByText('Onde vai comer?').waitFor()
  await page.clock.runFor(46_000)
  await page.getByText(start).waitFor()
  assert.deepEqual(await keptBy(window), [])
})

test('without a connection the kiosk says so, leaves its page only when the server is there, and comes back by itself', {
  skip: withoutBrowser,
}, async t => {
  const window = await openScreen(t, await openKiosk(t))
  const { page, context } = window
  await page.getByRole('button', { name: 'Eat here' }).click()
  await page.getByRole('link', { name: 'Soup' }).waitFor()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Soup' }).click()
  const note = page.getByRole('alert').getByText('No connection')
  await note.waitFor()
  assert.match(page.url(), /\/kiosk$/)
  await context.setOffline(false)
  await page.clock.runFor(11_000)
  await note.waitFor({ state: 'hidden' })
  await context.setOffline(true)
  await page.clock.runFor(11_000)
  await note.waitFor()
  await context.setOffline(false)
  await page.clock.runFor(11_000)
  await note.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Soup' }).click()
  await page.locator('.choices').waitFor()
})

test('the kiosk closes with the location, when orders are paused, when all is sold out and when it is switched off, and opens again by itself', {
  skip: withoutBrowser,
}, async t => {
  const kiosk = await openKiosk(t)
  const { shop, clock } = kiosk
  const { page } = await openScreen(t, kiosk)
  const begins = page.getByRole('button', { name: 'Take away' })
  await begins.waitFor()
  const look = () => page.clock.runFor(11_000)

  clock.set('2026-11-21T22:30:00Z')
  await look()
  await page.getByText(/Opens .*11:00/).waitFor()
  assert.equal(await begins.count(), 0)
  clock.set('2026-11-22T11:00:00Z')
  await look()
  await begins.waitFor()

  const actor = { kind: 'staff', id: null, name: 'Ana' } as const
  accepted(await shop.writer.act(actor, 'pauseOrders', here, null))
  await look()
  await page.getByText('We take no orders at the moment').waitFor()
  accepted(await shop.writer.act(actor, 'resumeOrders', here))
  await look()
  await begins.waitFor()

  const dishes = shop.rows('SELECT id FROM item').map(({ id }) => ({ kind: 'item', id: id as ItemId }) as const)
  for (const dish of dishes) accepted(shop.store.availability.off(dish, null, null))
  await look()
  await page.getByText('Everything is sold out at the moment.').waitFor()
  assert.equal(await begins.count(), 0)
  for (const dish of dishes.slice(0, 1)) accepted(shop.store.availability.on(dish, null))
  await look()
  await begins.waitFor()

  accepted(await shop.writer.act(actor, 'setSetting', 'guests.kiosk', 'off'))
  await look()
  await page.getByText('This kiosk takes no orders at the moment').waitFor()
  accepted(await shop.writer.act(actor, 'setSetting', 'guests.kiosk', 'on'))
  await look()
  await begins.waitFor()
})

test('after the order its number is shown for 30 seconds, then nobody finds it again at the kiosk', {
  skip: withoutBrowser,
}, async t => {
  const kiosk = await openKiosk(t)
  const { shop, clock, id } = kiosk
  const window = await openScreen(t, kiosk)
  const { page } = window
  await beginInPortuguese(window)
  await page.locator('#cart a').click()
  await page.locator('.cart .primary, .primary.place').first().click()
  await page.locator('button.place').click()
  await page.getByRole('heading', { name: 'O seu número' }).waitFor()
  const [order] = shop.rows(
    'SELECT number, source, service_mode AS mode, kind, device_id AS device FROM orders JOIN guest_order ON order_id = orders.id',
  )
  assert.deepEqual(order, { number: 1, source: 'storefront', mode: 'takeaway', kind: 'kiosk', device: id })
  assert.match(await page.locator('h1').innerText(), /1$/)
  await page.getByText(/Pague .*12,99.* ao balcão/).waitFor()
  await assertUsableEverywhere(page, 'kiosk-number')
  const address = page.url()

  await touchAndHoldTime(window)
  await page.clock.runFor(28_000)
  assert.equal(page.url(), address)
  await page.clock.runFor(4_000)
  await page.getByText(start).waitFor()
  assert.deepEqual(await keptBy(window), [])
  await page.goBack()
  assert.doesNotMatch(await page.locator('body').innerText(), /O seu número|Your number|Soup/)
  await page.getByRole('button', { name: 'Eat here' }).click()
  await page.getByRole('link', { name: 'Soup' }).waitFor()
  clock.pass(61_000)
  await page.goto(address)
  await page.getByRole('link', { name: 'Soup' }).waitFor()
  assert.doesNotMatch(page.url(), /done/)
  assert.equal(shop.rows('SELECT * FROM orders').length, 1)
})

test('nobody gets past the start page of a kiosk without starting, and no other screen is one', async t => {
  const { shop, headers } = await openKiosk(t)
  const ask = (path: string, more: Record<string, string> = {}, body?: URLSearchParams) =>
    fetch(`${shop.url}${path}`, {
      redirect: 'manual',
      headers: { ...headers, Accept: 'text/html', ...more },
      ...(body && { method: 'POST', body }),
    })
  for (const path of ['/kiosk/dish/1', '/kiosk/cart', `/kiosk/done/${'x'.repeat(43)}`]) {
    const answer = await ask(path)
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/kiosk'], path)
  }
  const added = await ask('/kiosk/dish/1', {}, new URLSearchParams({ quantity: '1' }))
  assert.deepEqual([added.status, added.headers.getSetCookie()], [303, []])
  assert.equal((await ask('/kiosk/start', {}, new URLSearchParams({ mode: 'delivery' }))).status, 400)
  for (const other of [pairDevice(shop, 'till'), pairDevice(shop, 'kitchen')]) {
    assert.notEqual((await ask('/kiosk', other.headers)).status, 200)
    assert.notEqual((await ask('/kiosk/now', other.headers)).status, 200)
  }
  assert.equal((await ask('/kiosk/now')).status, 200)
})

test('when the response to an order at a kiosk is lost, ordering once more in the same turn leads to the same number', async t => {
  const { shop, cookie } = await openKiosk(t)
  const turn = guest(shop, { Cookie: cookie })
  assert.equal((await turn.post('/kiosk/start', { mode: 'takeaway' })).status, 303)
  const fields = await turn.fill('/kiosk', { id: 1 })
  const before = new Map(turn.cookies)
  const placed = await turn.place('/kiosk', fields)
  assert.match(placed.location ?? '', /^\/kiosk\/done\//)
  const next = await turn.fill('/kiosk', { id: 1 })
  assert.notEqual(next.attempt, fields.attempt, 'after the response the next order is another one')

  turn.cookies.clear()
  for (const [key, kept] of before) turn.cookies.set(key, kept)
  const reopened = fieldsOf(await turn.get('/kiosk/checkout'))
  assert.equal((await turn.place('/kiosk', reopened)).location, placed.location)
  assert.equal(shop.rows('SELECT 1 FROM orders').length, 1)
})
