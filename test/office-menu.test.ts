import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restaurant } from '../examples/demo.ts'
import { writeRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn } from './support/log-in.ts'
import { openShop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const demo = () => ({ restaurant: writeRestaurantFile(restaurant()) })
const francesinha = (variation: number) => ({
  location_id: 1,
  items: [{ item_id: 303, variation_id: variation, qty: 1 }],
})

test('staff take a dish off the menu in two taps, and the API refuses it at once', {
  skip: withoutBrowser,
}, async t => {
  // In the evening: after midnight, "until tomorrow" ends on the same day, and no day is named.
  const shop = await openShop(t, { ...demo(), clock: heldClock('2026-11-20T19:00:00Z') })
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'staff', 'Ana').cookie, width: 390 })
  assert.equal((await shop.order(francesinha(3032))).status, 201)
  await page.goto(`${site}/office/menu`)
  await page.getByRole('link', { name: 'Take off… Francesinha' }).click()
  await assertUsableEverywhere(page, 'menu-off')
  await page.getByRole('button', { name: 'Until tomorrow' }).first().click()

  assert.equal((await shop.order(francesinha(3032))).status, 400)
  const row = page.locator('#dish-303')
  assert.match(await row.innerText(), /taken off by Ana since \d\d:\d\d, back \w+ \d\d:\d\d/)
  await assertUsableEverywhere(page, 'menu')

  await page.getByRole('button', { name: 'Put back Francesinha' }).click()
  assert.equal((await shop.order(francesinha(3032))).status, 201)
})

test('a size and an option are off here or everywhere, until a time that is checked, without script', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, demo())
  const { cookie } = logIn(shop, 'staff', 'Ana')
  const { page, site } = await openWindow(t, shop.port, { cookie, javaScriptEnabled: false })
  await page.goto(`${site}/office/menu/off?item=303&location=1`)
  const half = page.locator('.part', { hasText: 'Half' })
  await half.locator('summary').click()
  await half.getByLabel('Back at').fill('25:00')
  await half.getByRole('button', { name: 'Take off' }).click()
  assert.equal(await half.getByLabel('Back at').inputValue(), '25:00')
  assert.equal(await half.getByRole('alert').innerText(), 'This is not a time. Write it like 18:00.')
  await page.getByRole('link', { name: 'Everywhere' }).click()
  await half.getByRole('button', { name: 'Until put back' }).click()

  const [entry] = shop.store.availability.list()
  assert.deepEqual([entry?.title, entry?.locationId, entry?.until, entry?.actor], ['Half', null, null, 'Ana'])
  assert.equal((await shop.order(francesinha(3031))).status, 400)
  assert.equal((await shop.order(francesinha(3032))).status, 201)
})

test('the menu says why each dish is off, finds a dish by its name, and shows staff nothing that only managers may do', async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant({ items: [{ id: 1, enabled: false }] }) })
  const read = async (role: 'staff' | 'manager', path: string) =>
    (await fetch(`${shop.url}${path}`, { headers: logIn(shop, role).headers })).text()
  const menu = await read('staff', '/office/menu')
  assert.match(menu, /Soup[\s\S]*switched off here/)
  assert.doesNotMatch(menu, /menu\/(dish|prices|new|file|order)/)
  const found = await read('staff', '/office/menu?find=LATT')
  assert.match(found, /Latte/)
  assert.doesNotMatch(found, /Burger/)
  assert.match(await read('manager', '/office/menu'), /menu\/prices/)
  const refused = await fetch(`${shop.url}/office/menu/undo`, {
    method: 'POST',
    headers: logIn(shop, 'staff').headers,
    body: new URLSearchParams({ at: '1' }),
  })
  assert.equal(refused.status, 403)
})
