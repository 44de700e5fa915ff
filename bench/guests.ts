// What guests with their phones cost: two hundred who order at a human pace beside orders through the API, two thousand status pages
// that stay open, and how soon the pages can be used on a slow phone in a slow network. npm run bench:guests. README.md explains what
// is measured and why.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { type Browser, chromium, type Page } from 'playwright-core'
import { restaurant } from '../examples/demo.ts'
import type { LocationId } from '../store/terms/ids.ts'
import { demoRestaurant } from '../test/support/demo-restaurant.ts'
import { guest, openToGuests } from '../test/support/guest.ts'
import { pairDevice } from '../test/support/log-in.ts'
import { startProgram } from '../test/support/program.ts'
import { withStore } from '../test/support/store.ts'
import { arrivals } from './arrivals.ts'
import { folderOnDisk } from './folder.ts'
import type { Evening, Measured, Setup } from './guests/phones.ts'
import { median, percentile } from './percentile.ts'
import { printTable, targetList } from './report.ts'
import { orderRequest } from './restaurant.ts'
import { processorSeconds } from './soak/watch.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 60)
const GUESTS = Number(process.env.BENCH_GUESTS ?? 200)
const PAGES = Number(process.env.BENCH_PAGES ?? 2000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const ORDERS_A_SECOND = 20
const SLOWER = 4
// The browser's own "Slow 4G".
const network = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 }
const hostName = 'servery.test'
const base = '/order/1'

// Notes when the button that orders was pressed, and counts layout shifts. A text, because a compiled function would need what the
// compiler adds.
const watchPage = `
  addEventListener('click', () => sessionStorage.setItem('pressed', Date.now()), true)
  window.shift = 0
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value
  }).observe({ type: 'layout-shift', buffered: true })`

// From the press to the frame that first shows the status page.
const sincePressed = `new Promise(resolve => new PerformanceObserver(list => {
  const [painted] = list.getEntriesByName('first-contentful-paint')
  if (painted) resolve(performance.timeOrigin + painted.startTime - Number(sessionStorage.getItem('pressed')))
}).observe({ type: 'paint', buffered: true }))`

const folder = folderOnDisk('bench')
const targets = targetList()
// Open at any hour, and with the dishes of the demo, some 60. The second location, whose status pages stay open, has a kitchen, too.
const always = { opening_hours: {}, opening_periods: null, closed_dates: [] }
const line = [{ id: 100, title: 'Line', is_default: true, active: true }]
const demo = restaurant()
const { file, token } = demoRestaurant(join(folder, 'guests.db'), {
  ...demo,
  locations: demo.locations.map(location => ({ ...location, ...always, ...(location.id === 2 && { stations: line }) })),
} as typeof demo)
const [dishes, dishesThere] = withStore(file, store => {
  openToGuests({ store })
  return [1, 2].map(id => [
    ...(store.catalogue
      .current()
      .menu(id as LocationId)
      ?.items.values() ?? []),
  ])
}).map(items =>
  items.filter(({ groups, variations }) => groups.length + variations.length === 0).map(({ id }) => Number(id)),
)
const program = await startProgram(file, { environment: { HOSTS: hostName, TRUSTED_PROXIES: '127.0.0.1' } })
const url = `http://127.0.0.1:${program.port}`
const screen = withStore(file, store => pairDevice({ store, execute, url }, 'kitchen'))
// The first page after a start loads what pages need.
await guest({ url }).get(base)
await measureEvenings()
await measurePhone()
await program.end('SIGTERM')
targets.show()

function execute(sql: string): void {
  const db = new Database(file)
  db.exec(sql)
  db.close()
}

/** The same evening without and with status pages that stay open, and these alone. */
async function measureEvenings(): Promise<void> {
  const setup: Setup = {
    port: program.port,
    base,
    dishes: dishes ?? [],
    placed: { base: '/order/2', dish: dishesThere?.[0] ?? 0, pages: PAGES },
  }
  const path = fileURLToPath(new URL('guests/phones.ts', import.meta.url))
  const phones = fork(path, [JSON.stringify(setup)], { serialization: 'advanced' })
  const ended = once(phones, 'exit').then(([code]) => {
    throw new Error(`the phones ended with ${code}`)
  })
  // Whoever waits for a message gets the error.
  ended.catch(() => {})
  const message = async () => (await Promise.race([once(phones, 'message'), ended]))[0]
  await message()

  async function spend(evening: Evening, rate: number): Promise<Result> {
    const before = processorSeconds(program.child.pid ?? 0)
    const began = performance.now()
    const orders = rate > 0 ? ordersThroughApi(rate, evening.seconds) : undefined
    const board = askForBoard(evening.seconds)
    const answer = message()
    phones.send(evening)
    const { times, refusals }: Measured = await answer
    const used = processorSeconds(program.child.pid ?? 0) - before
    const seconds = (performance.now() - began) / 1000
    const { latencies = [], failures = new Map() } = (await orders) ?? {}
    return {
      share: used / seconds,
      times: { ...times, 'an order through the API': [...latencies], 'a kitchen screen': await board },
      refused: [...Object.entries(refusals), ...failures],
    }
  }

  const without = await spend({ guests: GUESTS, pages: 0, seconds: SECONDS }, ORDERS_A_SECOND)
  show(`${GUESTS} guests, and ${ORDERS_A_SECOND} orders/s through the API`, without)
  const alone = await spend({ guests: 0, pages: PAGES, seconds: Math.ceil(SECONDS / 2) }, 0)
  show(`${PAGES} status pages that stay open`, alone)
  const both = await spend({ guests: GUESTS, pages: PAGES, seconds: SECONDS }, ORDERS_A_SECOND)
  show('Both', both)
  phones.disconnect()

  targets.atMost('menu: p99', percentile(without.times.menu ?? [], 0.99), 50, ' ms')
  targets.atMost(`menu beside ${PAGES} status pages: p99`, percentile(both.times.menu ?? [], 0.99), 50, ' ms')
  targets.atMost(`share of a processor for ${PAGES} status pages`, alone.share * 100, 25, ' %')
  for (const what of ['an order through the API', 'a kitchen screen']) {
    const [before = 0, after = 0] = [without, both].map(({ times }) => percentile(times[what] ?? [], 0.99))
    targets.atMost(`${what} beside ${PAGES} status pages: p99`, after / before, 1.5)
  }
  targets.atMost(
    'refused or failed requests',
    without.refused.length + alone.refused.length + both.refused.length,
    0,
    '',
  )
}

interface Result {
  /** Of one processor, by all threads of the server. */
  share: number
  times: Record<string, number[]>
  refused: [what: string, count: number][]
}

function show(title: string, { share, times, refused }: Result): void {
  console.log(`### ${title}, ms\n`)
  const rows = Object.entries(times).filter(([, all]) => all.length > 0)
  printTable(
    ['', 'requests', 'p50', 'p99'],
    rows.map(([what, all]) => [
      what,
      String(all.length),
      percentile(all, 0.5).toFixed(1),
      percentile(all, 0.99).toFixed(1),
    ]),
  )
  console.log(`\nserver: ${(share * 100).toFixed(1)} % of a processor; refused: ${JSON.stringify(refused)}\n`)
}

function ordersThroughApi(rate: number, seconds: number) {
  const request = () => orderRequest(token)
  return arrivals({ port: program.port, request, status: 201, rate, seconds, connections: 'kept' })
}

/** Milliseconds in which a kitchen screen gets its board, twice a second. The bar, because it has few tickets. */
async function askForBoard(seconds: number): Promise<number[]> {
  const times: number[] = []
  const headers = { ...screen.headers, Accept: 'application/json', 'Servery-Refresh': 'yes' }
  for (let asked = 0; asked < seconds * 2; asked++) {
    const began = performance.now()
    const response = await fetch(`${url}/kitchen/board?stations=4`, { headers })
    await response.text()
    if (!response.ok) throw new Error(`the kitchen screen got ${response.status}`)
    times.push(performance.now() - began)
    await sleep(Math.max(0, 500 - (performance.now() - began)))
  }
  return times
}

/** A slow phone in a slow network: the first menu, a tap, and the way from the checkout to the confirmed order. Medians. */
async function measurePhone(): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [`--host-resolver-rules=MAP ${hostName} 127.0.0.1`],
  })
  const visits: Visit[] = []
  for (let round = 0; round < ROUNDS; round++) visits.push(await visit(browser))
  await browser.close()
  const of = (what: keyof Visit) => median(visits.map(each => each[what]))
  console.log(`### A phone ${SLOWER} times slower, in a slow 4G network: medians of ${ROUNDS} visits\n`)
  printTable(
    ['menu usable, ms', 'bytes, KB', 'layout shift', 'a tap answered, ms', 'checkout to confirmed order, ms'],
    [
      [
        of('usable').toFixed(),
        of('kilobytes').toFixed(),
        of('shift').toFixed(3),
        of('tap').toFixed(),
        of('confirmed').toFixed(),
      ],
    ],
  )
  targets.atMost('first menu usable', of('usable'), 1500, ' ms')
  targets.atMost('first menu without pictures', of('kilobytes'), 60, ' KB')
  targets.atMost('layout shift of the menu', of('shift'), 0.05, '')
  targets.atMost('a tap answered', of('tap'), 100, ' ms')
  targets.atMost('from the checkout to the confirmed order', of('confirmed'), 1000, ' ms')
}

interface Visit {
  usable: number
  kilobytes: number
  shift: number
  tap: number
  confirmed: number
}

/** A guest who comes for the first time, with an empty cache. */
async function visit(browser: Browser): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const page = await context.newPage()
  const tools = await context.newCDPSession(page)
  await tools.send('Network.enable')
  await tools.send('Network.emulateNetworkConditions', network)
  // A route of the browser's driver would turn the cache off.
  await tools.send('Network.setBlockedURLs', { urls: ['*/images/*'] })
  await tools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  let bytes = 0
  tools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await page.addInitScript(watchPage)
  const site = `http://${hostName}:${program.port}`
  const began = performance.now()
  await page.goto(`${site}${base}`, { waitUntil: 'domcontentloaded' })
  const usable = performance.now() - began
  await page.waitForLoadState('load')
  const shift = Number(await page.evaluate('window.shift'))
  const kilobytes = bytes / 1024

  const tap = await longestInteraction(page, () => page.locator('.dish a').first().tap())
  await page.goto(`${site}${base}/dish/${dishes?.[0]}`)
  await page.locator('main button.primary').last().tap()
  await page.locator('#cart').waitFor()
  await page.goto(`${site}${base}/checkout`)
  await page.locator('input[name=name]').fill('Ana')
  await page.locator('form[action$="/place"] button.primary').tap()
  await page.waitForURL(/\/o\//)
  const confirmed = Number(await page.evaluate(sincePressed))
  await context.close()
  return { usable, kilobytes, shift, tap, confirmed }
}

/** Milliseconds from a press to the frame that shows its effect, as the browser reports it. */
async function longestInteraction(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(
    'window.taps = []; new PerformanceObserver(list => { for (const { duration } of list.getEntries()) window.taps.push(duration) }).observe({ type: "event", durationThreshold: 16, buffered: true })',
  )
  await act()
  await sleep(1000)
  return Math.max(16, ...((await page.evaluate('window.taps')) as number[]))
}
