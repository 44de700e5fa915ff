import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LocationId } from '../store/terms/ids.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { logIn, pairDevice } from './support/log-in.ts'
import { accepted } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const here = 1 as LocationId
const tables = [
  { id: 1, title: 'Window' },
  { id: 2, title: 'Terrace' },
]

function sender(shop: Shop) {
  const { headers } = logIn(shop, 'manager', 'Dora')
  return {
    get: (path: string) => fetch(`${shop.url}${path}`, { headers }).then(answer => answer.text()),
    post: (path: string, fields: string[][]) =>
      fetch(`${shop.url}${path}`, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) }),
  }
}

/** The sentences about what is missing on the page. */
function gapsIn(page: string): string[] {
  return [...page.matchAll(/<li><span>([^<]*)<\/span>/g)].map(([, text = '']) => text)
}

test('guests’ pages are turned on by kind, location and service mode without script, and recorded under the person', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant({ tables }) })
  const { cookie } = logIn(shop, 'manager', 'Dora')
  const { page, site } = await openWindow(t, shop.port, { cookie, javaScriptEnabled: false })
  await page.goto(`${site}/office/guests`)
  assert.deepEqual(shop.store.guestSwitches.list(), [])
  const storefront = page.locator('section', { has: page.getByRole('heading', { name: 'Storefront' }) })
  await storefront.getByLabel('On').check()
  await storefront.getByLabel('Takeaway').check()
  await storefront.getByLabel('Delivery').check()
  await page.locator('.primary').click()
  await page.getByText('Saved.').waitFor()
  assert.deepEqual(shop.store.guestSwitches.list(), [
    { locationId: 1, kind: 'storefront', modes: ['takeaway', 'delivery'] },
  ])
  assert.deepEqual(shop.store.settings.current().guests, { storefront: true, qr: false, kiosk: false })
  await storefront.getByLabel('Delivery').uncheck()
  await page.locator('.primary').click()
  await page.getByText('Saved.').waitFor()
  assert.deepEqual(shop.store.guestSwitches.modesAt(here, 'storefront'), ['takeaway'])
  const [newest] = shop.store.activity({}, 1)
  assert.deepEqual(
    [newest?.actor.name, newest?.what, newest?.became],
    ['Dora', 'guest ordering changed', 'storefront takeaway'],
  )
})

test('the page says in words what is missing for what is on, until it is there', async t => {
  const bare = smallRestaurant({ service_modes: ['dine_in', 'qr'] })
  const shop = await openShop(t, { restaurant: bare })
  const { get, post } = sender(shop)
  assert.deepEqual(gapsIn(await get('/office/guests')), [])
  const kinds = ['storefront', 'qr', 'kiosk'].map(kind => ['kinds', kind])
  const modes = ['1 qr qr', '1 kiosk dine_in', '1 kiosk takeaway'].map(mode => ['modes', mode])
  assert.equal((await post('/office/guests', [...kinds, ...modes])).status, 303)
  assert.deepEqual(gapsIn(await get('/office/guests')), [
    'Storefront is on, but no location offers it. Tick one below.',
    'One does not offer “takeaway” in its restaurant file (“service_modes”).',
    'One has no opening hours, so guests could order at any time.',
    'One has no kitchen station, so orders only appear on the page Orders.',
    'One has no tables yet. Add them to the restaurant file (“tables”).',
    'No kiosk is paired with One.',
    'One: 3 dishes have no allergens declared. Guests read “not stated”.',
  ])

  const { store } = shop
  store.importCatalogue({
    ...store.restaurant(),
    locations: store.restaurant().locations.map(location => ({
      ...location,
      service_modes: [],
      tables,
      stations: [{ id: 1 as never, title: 'Grill', is_default: true, active: true }],
      opening_hours: { mon: { open: '11:00', close: '22:00' } },
    })),
  })
  const kiosk = pairDevice(shop, 'kiosk')
  assert.deepEqual(gapsIn(await get('/office/guests')), [
    'Storefront is on, but no location offers it. Tick one below.',
    'One: 2 tables have no code yet.',
    'One: 3 dishes have no allergens declared. Guests read “not stated”.',
  ])
  accepted(store.tableCodes.make(here))
  accepted(store.devices.end(kiosk.id))
  accepted(store.guestSwitches.set(here, 'storefront', ['delivery']))
  assert.deepEqual(gapsIn(await get('/office/guests')), [
    'One has no delivery zones, so it delivers to every address.',
    'No kiosk is paired with One.',
    'One: 3 dishes have no allergens declared. Guests read “not stated”.',
  ])
})

test('the rules for guests’ orders are saved together, and a wrong number of minutes comes back with its reason', async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  const { post } = sender(shop)
  const saved = await post('/office/guests/rules', [
    ['cancelMinutes', '5'],
    ['upsell', '4'],
    ['upsell', ''],
    ['upsell', '4'],
  ])
  assert.equal(saved.status, 303)
  const { guestRules, guestsUpsell } = shop.store.settings.current()
  assert.deepEqual([guestRules, guestsUpsell], [{ confirmFirst: false, cancelMinutes: 5 }, [4]])

  const refused = await post('/office/guests/rules', [
    ['confirmFirst', 'on'],
    ['cancelMinutes', 'soon'],
    ['upsell', '1'],
  ])
  assert.equal(refused.status, 422)
  assert.match(await refused.text(), /value="soon"[^>]*aria-invalid="true"/)
  assert.equal((await post('/office/guests/rules', [['upsell', 'x']])).status, 422)
  assert.deepEqual(shop.store.settings.current().guestsUpsell, [4])
  assert.equal(shop.store.settings.current().guestRules.confirmFirst, false)
})

test('one press gives a table, or all of a location, new codes, and leads to the cards to print', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant({ tables }), settings: { 'guests.qr': 'on' } })
  accepted(shop.store.tableCodes.make(here))
  const { cookie } = logIn(shop, 'manager')
  const { page, site } = await openWindow(t, shop.port, { cookie })
  const codes = () => shop.store.tableCodes.list(here).map(({ code }) => code)
  const [window, terrace] = codes()
  await page.goto(`${site}/office/guests`)
  await page.getByText('One 2').click()
  await page.getByRole('button', { name: 'New code for Terrace' }).click()
  await page.getByText('The old cards no longer work').waitFor()
  assert.equal(codes()[0], window)
  assert.notEqual(codes()[1], terrace)
  await assertUsableEverywhere(page, 'office-guests')
  await page.getByRole('button', { name: 'New codes for all tables of One' }).click()
  await page.getByText('The old cards no longer work').waitFor()
  assert.notEqual(codes()[0], window)
  await page.getByRole('link', { name: 'Print cards', exact: true }).click()
  assert.equal(await page.locator('.table-card').count(), 2)
  assert.ok((await page.locator('.address').first().innerText()).endsWith(codes()[0] ?? '?'))
})
