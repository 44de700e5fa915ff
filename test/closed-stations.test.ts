import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { parseRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import type { LocationId, OrderId, StationId } from '../store/terms/ids.ts'
import { servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { orderOf, pizza, pizzeria, salad, ticketsOf } from './support/pizzeria.ts'
import { accepted, why } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'

const [oven, pass, bar] = [1, 2, 3] as StationId[]
const stations = [
  { id: 1, title: 'Oven' },
  { id: 2, title: 'Pass', is_default: true },
  { id: 3, title: 'Bar' },
]
const restaurant = pizzeria({ stock: [], stations, timezone: 'Europe/Lisbon', day_starts_at: '04:00' })

async function openPizzeria(t: TestContext) {
  const clock = heldClock('2026-11-20T20:00:00Z')
  return { shop: await openShop(t, { restaurant, clock }), clock }
}

/** The stations that get a pizza now. */
async function stationsOfPizza(shop: Shop): Promise<unknown[]> {
  const { body } = await shop.order(orderOf(pizza()))
  return ticketsOf(shop, body.data.id).map(({ station }) => station)
}

function close({ store }: Shop, from = oven, to = bar, until?: number | null) {
  return store.stations.close(from as StationId, to as StationId, until)
}

test('a closed station gets no new lines: another prepares them until the next business day starts, and then it opens automatically', async t => {
  const { shop, clock } = await openPizzeria(t)
  assert.equal(close(shop), undefined)
  assert.deepEqual(await stationsOfPizza(shop), ['Bar', 'Pass'])
  assert.equal(shop.store.stations.closed()[0]?.until, Date.parse('2026-11-21T04:00:00Z'))
  clock.set('2026-11-21T04:00:00Z')
  assert.deepEqual(shop.store.stations.closed(), [])
  assert.deepEqual(await stationsOfPizza(shop), ['Oven', 'Pass'])
})

test('a station can be closed until a time or until a person opens it, and a second closing replaces the first', async t => {
  const { shop, clock } = await openPizzeria(t)
  close(shop, oven, bar, clock.now() + 60_000)
  close(shop, oven, bar, null)
  clock.set('2026-12-24T20:00:00Z')
  assert.deepEqual(await stationsOfPizza(shop), ['Bar', 'Pass'])
  assert.equal(shop.store.stations.open(oven as StationId), undefined)
  assert.deepEqual(await stationsOfPizza(shop), ['Oven', 'Pass'])
  const deeds = shop.store.activity({}, 3).map(({ what, subject, became }) => [what, subject, became])
  assert.deepEqual(deeds, [
    ['station opened', 'station 1 Oven', null],
    ['station closed', 'station 1 Oven', 'station 3 Bar'],
    ['station closed', 'station 1 Oven', 'station 3 Bar until 2026-11-20T20:01:00.000Z'],
  ])
})

test('if the stand-in of a closed station is closed, too, its own stand-in prepares the line, and no station gets it twice', async t => {
  const { shop } = await openPizzeria(t)
  close(shop, oven, bar)
  close(shop, bar, pass)
  assert.deepEqual(await stationsOfPizza(shop), ['Pass'])
})

test('the default station can be closed, too: lines that no rule matches go to its stand-in', async t => {
  const { shop } = await openPizzeria(t)
  close(shop, pass, bar)
  const { body } = await shop.order(orderOf(salad))
  assert.deepEqual(
    ticketsOf(shop, body.data.id).map(({ station }) => station),
    ['Bar'],
  )
})

test('a station cannot be closed in favour of itself, in a circle, of an inactive one, or until a time that has passed', async t => {
  const { shop, clock } = await openPizzeria(t)
  close(shop, oven, bar)
  assert.match(why(close(shop, bar, oven)), /The dishes of "Bar" cannot go to "Oven"/)
  assert.match(why(close(shop, pass, pass)), /cannot go to "Pass"/)
  assert.match(why(close(shop, pass, 9 as StationId)), /no station 9/)
  assert.match(why(close(shop, 9 as StationId, bar)), /no station 9/)
  assert.match(why(close(shop, pass, bar, clock.now())), /already passed/)
  assert.equal(shop.store.stations.closed().length, 1)
})

test('an import never loses a line: if the stand-in is gone, the default station prepares it', async t => {
  const { shop } = await openPizzeria(t)
  close(shop, oven, bar)
  const without = pizzeria({
    stock: [],
    stations: stations.slice(0, 2),
    timezone: 'Europe/Lisbon',
    day_starts_at: '04:00',
  })
  const { file } = parseRestaurantFile(JSON.stringify(without))
  accepted(shop.store.importCatalogue(file))
  assert.deepEqual(await stationsOfPizza(shop), ['Pass'])
  shop.store.stations.open(oven as StationId)
  assert.deepEqual(await stationsOfPizza(shop), ['Oven', 'Pass'])
})

test('the open tickets of a closed or removed station are shown where its dishes are prepared now', async t => {
  const { shop } = await openPizzeria(t)
  const shownAt = (id: StationId) => {
    const { fallback } = shop.store.catalogue.current().kitchen(1 as LocationId) ?? {}
    assert.ok(fallback)
    const place = { locationId: 1 as LocationId, fallback: fallback.id }
    return shop.store.stationCovers.shownBy([id], place, shop.clock.now()).sort()
  }
  await shop.order(orderOf(pizza()))
  close(shop, oven, bar)
  assert.deepEqual(shownAt(bar as StationId), [oven, bar])
  assert.deepEqual(shownAt(pass as StationId), [pass])
  assert.equal(shop.store.kitchen.ofOrder(1 as OrderId)[0]?.stationId, oven, 'the ticket itself stays where it was')
  const { file } = parseRestaurantFile(JSON.stringify(pizzeria({ stock: [], stations: stations.slice(0, 2) })))
  accepted(shop.store.importCatalogue(file))
  assert.deepEqual(shownAt(pass as StationId), [oven, pass, bar])
})

test('the station command closes, lists and opens stations', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  const menu = join(temporaryFolder(t), 'menu.json')
  writeFileSync(menu, JSON.stringify(restaurant))
  await servery(file, ['import', menu])
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await servery(file, ['station', ...args])
    return { code, text: `${stdout}${stderr}` }
  }
  assert.match((await run()).text, /Every station is open/)
  assert.match((await run('Oven', 'close')).text, /--to is missing/)
  assert.match((await run('Oven', 'shut')).text, /open or close/)
  assert.match((await run('Oven', 'close', '--to', 'Bar', '--until', 'soon')).text, /is not a time/)
  assert.match(
    (await run('Oven', 'close', '--to', 'Bar')).text,
    /^Oven is closed until .* 04:00 \(Europe\/Lisbon\); Bar prepares/,
  )
  assert.match((await run('Oven', 'close', '--to', 'Bar', '--until', 'opened')).text, /until it is opened/)
  assert.match((await run('Oven', 'open')).text, /Every station is open/)
  assert.equal((await run('Oven', 'close', '--to', 'Oven')).code, 1)
})
