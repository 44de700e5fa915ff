import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { StationId, TicketId } from '../store/terms/ids.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn, type PairedDevice, pairDevice } from './support/log-in.ts'
import { orderOf, pizza, pizzeria, salad } from './support/pizzeria.ts'
import { accepted } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'
import { until } from './support/until.ts'

const SECOND = 1000
const [oven, pass] = [1 as StationId, 2 as StationId]
const NOT_SHOWN = 'Oven has not shown ORD-000001.'

/** A kitchen on a Friday at 19:01, whose server has run for a minute. The oven is station 1, the pass 2. */
async function openKitchen(t: TestContext, location: Record<string, unknown> = {}) {
  const clock = heldClock('2026-11-20T19:00:00Z')
  const shop = await openShop(t, { clock, restaurant: pizzeria({ stock: [], ...location }) })
  clock.pass(60 * SECOND)
  const person = logIn(shop, 'staff')

  async function read(path: string): Promise<string> {
    const response = await fetch(`${shop.url}${path}`, { headers: { ...person.headers, Accept: 'text/html' } })
    assert.equal(response.status, 200)
    return response.text()
  }
  const textsIn = (html: string) =>
    html.split(/<\/li>|<br>|<a /).flatMap(part => part.replaceAll(/<[^>]*>/g, '').trim() || [])

  /** The alarms at the top of every page of the office. */
  async function banner(): Promise<string[]> {
    const html = await read('/office/orders')
    return textsIn(/<div id="alarms" role="status">(.*?)(?:<a |<div class="head">)/s.exec(html)?.[1] ?? '')
  }
  /** The alarms and warnings on the Kitchen page. */
  async function listed(): Promise<string[]> {
    const html = await read('/office/kitchen')
    return textsIn(/<ul class="stack tight" aria-label="Alarms">(.*?)<\/ul>/s.exec(html)?.[1] ?? '')
  }
  /** Waits until these are listed. The server looks every second. */
  async function assertListed(...expected: string[]): Promise<void> {
    let found: string[] = []
    for (let tries = 0; tries < 100; tries++) {
      found = await listed()
      if (JSON.stringify(found) === JSON.stringify(expected)) return
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    assert.deepEqual(found, expected)
  }
  return { shop, clock, person, read, banner, assertListed }
}

/** A screen that is paired for a station, as its script talks to the server. */
function screenFor(shop: Shop, station: StationId, device: PairedDevice = pairDevice(shop, 'kitchen')) {
  const title = station === oven ? 'Tablet at the oven' : 'Tablet at the pass'
  shop.execute(`UPDATE device SET station_id = ${station}, title = '${title}' WHERE id = ${device.id}`)
  async function ask(drawn: string, method: 'GET' | 'HEAD' = 'GET') {
    const query = new URLSearchParams({ stations: String(station), drawn })
    const response = await fetch(`${shop.url}/kitchen/board?${query}`, { method, headers: device.headers })
    assert.equal(response.status, 200)
    return response.text()
  }
  /** Asks as one that shows nothing yet. */
  async function board(): Promise<{
    version: string
    parts: { alarms: string }
    tickets: { id: number; html: string }[]
  }> {
    return JSON.parse(await ask('nothing'))
  }
  return {
    device,
    board,
    /** Asks as a screen that shows this version: waits for the next one, at most 10 seconds. */
    hold: (version: string) => ask(version),
    /** Says that it shows the current board. */
    async draw(): Promise<void> {
      await ask((await board()).version, 'HEAD')
    },
  }
}

const logged = (shop: Shop) => shop.logged.filter(({ event }) => event === 'alarm').map(({ what }) => what)

test('a ticket that no screen has shown for 20 seconds is an alarm in the office and on all screens, until one shows it', async t => {
  const { shop, clock, banner, assertListed } = await openKitchen(t)
  const [atOven, atPass] = [screenFor(shop, oven), screenFor(shop, pass)]
  await atOven.draw()
  await atPass.draw()
  assert.equal((await shop.order(orderOf(pizza()))).status, 201)
  await atPass.draw()
  clock.pass(20 * SECOND - 1)
  // This screen asks, but does not show what it gets.
  await atOven.board()
  await atPass.draw()
  await new Promise(resolve => setTimeout(resolve, 1500))
  assert.deepEqual(await banner(), [])
  const held = atPass.hold((await atPass.board()).version)
  clock.pass(1)
  await assertListed(NOT_SHOWN)
  assert.match(await held, new RegExp(NOT_SHOWN), 'a screen that waits is told at once')
  assert.deepEqual(await banner(), [NOT_SHOWN])
  assert.match((await atPass.board()).parts.alarms, new RegExp(NOT_SHOWN))

  assert.equal((await shop.order(orderOf(pizza()))).status, 201)
  clock.pass(20 * SECOND)
  await Promise.all([atOven.board(), atPass.board()])
  await assertListed('Oven has not shown ORD-000001 and 1 other ticket.', 'Pass has not shown ORD-000002.')
  await atOven.draw()
  await atPass.draw()
  await assertListed()
  assert.doesNotMatch((await atPass.board()).parts.alarms, /has not shown/)
  assert.deepEqual(logged(shop), [NOT_SHOWN, 'Pass has not shown ORD-000002.'], 'one line for each alarm')
})

test('a station whose screens have not asked for 20 seconds is an alarm while tickets are open or the location is', async t => {
  const hours = { fri: { open: '12:00', close: '19:10' } }
  const { shop, clock, assertListed } = await openKitchen(t, { opening_hours: hours })
  const [atOven, atPass] = [screenFor(shop, oven), screenFor(shop, pass)]
  await assertListed('No screen of Oven is switched on.', 'No screen of Pass is switched on.')
  await atOven.draw()
  await atPass.draw()
  await assertListed()
  clock.pass(15 * SECOND)
  await atPass.draw()
  clock.pass(5 * SECOND)
  await assertListed('No screen of Oven has been heard from since 19:01.')
  await atOven.draw()
  await assertListed()

  // The location closes at 19:10.
  clock.pass(10 * 60 * SECOND)
  await atPass.draw()
  await assertListed()
  assert.equal((await shop.order(orderOf(pizza()))).status, 201)
  await atPass.draw()
  await assertListed('No screen of Oven has been heard from since 19:01.')
  for (const { id } of shop.rows('SELECT id FROM ticket')) accepted(shop.store.kitchen.bump(id as TicketId, null))
  await assertListed()
})

test('after the server has started, screens have 20 seconds to ask', async t => {
  const clock = heldClock('2026-11-20T19:00:00Z')
  const restaurant = pizzeria({ stock: [], opening_hours: { fri: { open: '12:00', close: '23:00' } } })
  const shop = await openShop(t, { clock, restaurant })
  screenFor(shop, oven)
  await shop.order(orderOf(pizza()))
  clock.pass(20 * SECOND - 1)
  await new Promise(resolve => setTimeout(resolve, 1500))
  assert.deepEqual(logged(shop), [])
  clock.pass(1)
  await until(() => logged(shop).length > 0)
  assert.deepEqual(logged(shop), [
    NOT_SHOWN,
    'No screen of Oven is switched on.',
    'Pass has not shown ORD-000001.',
    'Pass has neither a screen nor a printer.',
  ])
})

test('a station without a screen is a warning on the Kitchen page; where nobody uses screens, there is no other alarm', async t => {
  const { shop, clock, banner, assertListed } = await openKitchen(t)
  assert.equal((await shop.order(orderOf(pizza()))).status, 201)
  clock.pass(60 * SECOND)
  const warnings = ['Oven has neither a screen nor a printer.', 'Pass has neither a screen nor a printer.']
  await assertListed(...warnings)
  assert.deepEqual(await banner(), [])
  const { device } = screenFor(shop, pass)
  await assertListed(
    NOT_SHOWN,
    'Pass has not shown ORD-000001.',
    'No screen of Pass is switched on.',
    warnings[0] ?? '',
  )
  shop.store.devices.end(device.id)
  await assertListed(...warnings)
})

test('a tablet counts as a screen only of the stations that it is paired for or has shown, and not if it shows only the pass', async t => {
  const hours = { fri: { open: '12:00', close: '23:00' } }
  const { shop, clock, assertListed } = await openKitchen(t, { opening_hours: hours })
  const { headers } = pairDevice(shop, 'kitchen')
  const ask = async (path: string) =>
    assert.equal((await fetch(`${shop.url}${path}`, { method: 'HEAD', headers })).status, 200)
  const none = ['Oven has neither a screen nor a printer.', 'Pass has neither a screen nor a printer.']
  assert.equal((await shop.order(orderOf(pizza()))).status, 201)
  clock.pass(20 * SECOND)
  // A screen that has not been heard from since the start may be for one of these stations.
  await assertListed(NOT_SHOWN, 'Pass has not shown ORD-000001.', ...none)
  await ask('/kitchen/pass/board')
  await assertListed(...none)
  await ask('/kitchen/board?stations=1')
  await assertListed(NOT_SHOWN, 'Pass has not shown ORD-000001.', none[1] ?? '')
  clock.pass(20 * SECOND)
  await assertListed(
    NOT_SHOWN,
    'No screen of Oven has been heard from since 19:01.',
    'Pass has not shown ORD-000001.',
    none[1] ?? '',
  )
})

test('a ticket that no screen of its station has shown in time is on the screens of the backup until it is done', async t => {
  const { shop, clock, assertListed } = await openKitchen(t)
  const atPass = screenFor(shop, pass)
  assert.equal(shop.store.stationBackups.set(oven, pass), undefined)
  assert.equal((await shop.order(orderOf(pizza()))).status, 201)
  const idsAtPass = async () => (await atPass.board()).tickets.map(({ id }) => id)
  assert.deepEqual(await idsAtPass(), [2])
  await atPass.draw()
  clock.pass(20 * SECOND)
  await atPass.board()
  await assertListed(NOT_SHOWN, 'Oven has neither a screen nor a printer.')
  assert.deepEqual(await idsAtPass(), [1, 2])
  assert.match((await atPass.board()).tickets[0]?.html ?? '', /Oven/)
  await atPass.draw()
  await assertListed('Oven has neither a screen nor a printer.')
  clock.pass(10 * 60 * SECOND)
  assert.deepEqual(await idsAtPass(), [1, 2])
  accepted(shop.store.kitchen.bump(1 as TicketId, null))
  assert.deepEqual(await idsAtPass(), [2])
})

test('an alarm appears on an open page of the office without a reload, and disappears when it is over', {
  skip: withoutBrowser,
}, async t => {
  const { shop, clock, person } = await openKitchen(t)
  const atOven = screenFor(shop, oven)
  await atOven.draw()
  const { page, site } = await openWindow(t, shop.port, { cookie: person.cookie })
  await page.goto(`${site}/office/orders`)
  assert.equal((await shop.order(orderOf(salad, pizza()))).status, 201)
  clock.pass(20 * SECOND)
  await atOven.board()
  await page.getByText(NOT_SHOWN).waitFor()
  await assertUsableEverywhere(page, 'alarm')
  await page.getByRole('link', { name: 'Look at the kitchen' }).click()
  await page.getByText(NOT_SHOWN).waitFor()
  await assertUsableEverywhere(page, 'office-kitchen-alarm')
  await atOven.draw()
  await page.getByText(NOT_SHOWN).waitFor({ state: 'detached' })
})

test('screens of the kitchen show the first of five alarms and how many more there are, the office the first three', {
  skip: withoutBrowser,
}, async t => {
  const names = ['Oven', 'Pass', 'Grill', 'Bar', 'Cold']
  const stations = names.map((title, index) => ({ id: index + 1, title, is_default: title === 'Pass' }))
  const hours = { fri: { open: '12:00', close: '23:00' } }
  const { shop, person, assertListed } = await openKitchen(t, { stations, opening_hours: hours })
  const screens = stations.map(({ id }) => {
    const device = pairDevice(shop, 'kitchen')
    shop.execute(`UPDATE device SET station_id = ${id} WHERE id = ${device.id}`)
    return device
  })
  await assertListed(...names.map(name => `No screen of ${name} is switched on.`))

  const [atOven] = screens
  const opened = async (path: string, cookie = '') => {
    const { page, site } = await openWindow(t, shop.port, { cookie })
    await page.goto(`${site}${path}`)
    return page
  }
  const pass = await opened('/kitchen/pass', pairDevice(shop, 'kitchen').cookie)
  const strip = pass.locator('#alarms summary')
  await strip.getByText('No screen of Oven is switched on.').waitFor()
  await strip.getByText('+4', { exact: true }).waitFor()
  await strip.click()
  assert.deepEqual(
    await pass.locator('#alarms li').allTextContents(),
    names.slice(1).map(name => `No screen of ${name} is switched on.`),
  )
  await assertUsableEverywhere(pass, 'alarms-pass')
  const office = await opened('/office/orders', person.cookie)
  await office.getByText('2 more alarms').waitFor()

  const station = await opened('/kitchen', atOven?.cookie)
  await station.locator('#alarms summary').getByText('No screen of Pass is switched on.').waitFor()
  await station.locator('#alarms summary').getByText('+3', { exact: true }).waitFor()
  await strip.getByText('+3', { exact: true }).waitFor()
  await office.getByText(/1 more alarm$/).waitFor()
})
