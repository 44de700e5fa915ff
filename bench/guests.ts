// What guests with their phones cost: two hundred who order at a human pace beside orders through the API, and how soon the pages can
// be used on a slow phone in a slow network. npm run bench:guests. README.md explains what is measured and why.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { restaurant } from '../examples/demo.ts'
import type { Menu } from '../store/catalogue/catalogue.ts'
import type { LocationId } from '../store/terms/ids.ts'
import { demoRestaurant } from '../test/support/demo-restaurant.ts'
import { type Guest, guest, openToGuests } from '../test/support/guest.ts'
import { startProgram } from '../test/support/program.ts'
import { withStore } from '../test/support/store.ts'
import { arrivals } from './arrivals.ts'
import { folderOnDisk } from './folder.ts'
import { percentile } from './percentile.ts'
import { printTable, targetList } from './report.ts'
import { orderRequest } from './restaurant.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 60)
const GUESTS = Number(process.env.BENCH_GUESTS ?? 200)
const ORDERS_A_SECOND = 20
const SLOWER = 4
// The browser's own "Slow 4G".
const network = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 }
const hostName = 'servery.test'
const base = '/order/1'

const folder = folderOnDisk('bench')
const targets = targetList()
// Open at any hour, and with the dishes of the demo, some 60.
const always = { opening_hours: {}, opening_periods: null, closed_dates: [] }
const demo = restaurant()
const { file, token } = demoRestaurant(join(folder, 'guests.db'), {
  ...demo,
  locations: demo.locations.map(location => ({ ...location, ...always })),
} as typeof demo)
const dishes = withStore(file, store => {
  openToGuests({ store })
  const menu: Menu | undefined = store.catalogue.current().menu(1 as LocationId)
  return [...(menu?.items.values() ?? [])]
    .filter(({ groups, variations }) => groups.length + variations.length === 0)
    .map(({ id }) => Number(id))
})
const program = await startProgram(file, { environment: { HOSTS: hostName, TRUSTED_PROXIES: '127.0.0.1' } })
// The first page after a start loads what pages need.
await guest({ url: `http://127.0.0.1:${program.port}` }).get(base)
await measureEvening()
await measurePhone()
await program.end('SIGTERM')
targets.show()

/** Guests who read, choose, order and look at their order again and again, each at an address of their own. */
async function measureEvening(): Promise<void> {
  const times = new Map<string, number[]>()
  const refusals = new Map<string, number>()
  const end = performance.now() + SECONDS * 1000
  const timed = async (what: string, request: Promise<{ status: number }>) => {
    const began = performance.now()
    const { status } = await request
    times.set(what, [...(times.get(what) ?? []), performance.now() - began])
    if (status >= 400) refusals.set(`${what} ${status}`, (refusals.get(`${what} ${status}`) ?? 0) + 1)
  }
  const [{ latencies, failures }] = await Promise.all([
    arrivals({
      port: program.port,
      request: () => orderRequest(token),
      status: 201,
      rate: ORDERS_A_SECOND,
      seconds: SECONDS,
      connections: 'kept',
    }),
    ...Array.from({ length: GUESTS }, (_, index) => beGuest(index, end, timed)),
  ])
  console.log(`### ${GUESTS} guests, and ${ORDERS_A_SECOND} orders/s through the API, ms\n`)
  printTable(
    ['', 'requests', 'p50', 'p99'],
    [...times, ['an order through the API', [...latencies]] as const].map(([what, all]) => [
      what,
      String(all.length),
      percentile(all, 0.5).toFixed(1),
      percentile(all, 0.99).toFixed(1),
    ]),
  )
  console.log(`\nrefused: ${JSON.stringify([...refusals, ...failures])}\n`)
  targets.atMost('menu: p99', percentile(times.get('menu') ?? [], 0.99), 50, ' ms')
  targets.atMost('refused or failed requests', [...refusals, ...failures].length, 0, '')
}

type Timed = (what: string, request: Promise<{ status: number }>) => Promise<void>

async function beGuest(index: number, end: number, timed: Timed): Promise<void> {
  const address = `10.${index >> 8}.${index & 255}.1`
  const isOver = () => performance.now() >= end
  // They come one after another.
  await sleep((index / GUESTS) * 10_000)
  while (!isOver()) {
    const phone: Guest = guest({ url: `http://127.0.0.1:${program.port}` }, { 'X-Forwarded-For': address })
    await timed('menu', phone.get(base))
    await think()
    for (const step of [1, 2]) {
      const dish = dishes[(index * 7 + step) % dishes.length]
      await timed('dish', phone.get(`${base}/dish/${dish}`))
      await think()
      await timed('into the cart', phone.post(`${base}/dish/${dish}`, { quantity: '1' }))
    }
    if (isOver()) return
    const fields = await phone.fill(base)
    await think()
    let placed = ''
    await timed(
      'order',
      phone.place(base, { ...fields, name: 'Ana' }).then(page => {
        placed = page.location ?? ''
        return { status: page.status === 303 ? 303 : 400 }
      }),
    )
    for (let look = 0; look < 4 && !isOver(); look++) {
      await timed('status', phone.get(`${placed}/now`))
      await sleep(5000)
    }
  }
}

function think(): Promise<void> {
  return sleep(1000 + Math.random() * 4000)
}

/** A slow phone in a slow network: the first menu, a tap, and the way from the cart to the confirmed order. */
async function measurePhone(): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [`--host-resolver-rules=MAP ${hostName} 127.0.0.1`],
  })
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const page = await context.newPage()
  const tools = await context.newCDPSession(page)
  await tools.send('Network.enable')
  await tools.send('Network.emulateNetworkConditions', network)
  await tools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  let bytes = 0
  tools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await page.addInitScript(
    'window.shift = 0; new PerformanceObserver(list => { for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value }).observe({ type: "layout-shift", buffered: true })',
  )
  const site = `http://${hostName}:${program.port}`
  await page.route(/\/images\//, route => route.abort())
  const began = performance.now()
  await page.goto(`${site}${base}`, { waitUntil: 'domcontentloaded' })
  const usable = performance.now() - began
  await page.waitForLoadState('load')
  const shift = Number(await page.evaluate('window.shift'))
  const menuBytes = bytes

  const tap = await longestInteraction(page, () => page.locator('.dish a').first().tap())
  await page.goto(`${site}${base}/dish/${dishes[0]}`)
  await page.locator('main button.primary').last().tap()
  await page.locator('#cart').waitFor()
  await page.goto(`${site}${base}/checkout`)
  await page.locator('input[name=name]').fill('Ana')
  const sent = performance.now()
  await page.locator('form[action$="/place"] button.primary').tap()
  await page.waitForURL(/\/o\//, { waitUntil: 'domcontentloaded' })
  const confirmed = performance.now() - sent
  await browser.close()
  console.log(`### A phone ${SLOWER} times slower, in a slow 4G network\n`)
  printTable(
    ['menu usable, ms', 'bytes, KB', 'layout shift', 'a tap answered, ms', 'checkout to confirmed order, ms'],
    [[usable.toFixed(), (menuBytes / 1024).toFixed(), shift.toFixed(3), tap.toFixed(), confirmed.toFixed()]],
  )
  targets.atMost('first menu usable', usable, 1500, ' ms')
  targets.atMost('first menu without pictures', menuBytes / 1024, 60, ' KB')
  targets.atMost('layout shift of the menu', shift, 0.05, '')
  targets.atMost('a tap answered', tap, 100, ' ms')
  targets.atMost('from the checkout to the confirmed order', confirmed, 1000, ' ms')
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
