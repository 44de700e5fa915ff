// How long a ticket takes from the API's 201 to the screens of the kitchen, what waiting screens cost an order, how long a browser on
// a slow tablet takes to draw a full board, and whether a screen's memory grows. npm run bench:kitchen. README.md explains what is
// measured and why.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { type Client, client } from '../test/support/client.ts'
import { demoRestaurant } from '../test/support/demo-restaurant.ts'
import { type PairedDevice, pairDevice } from '../test/support/log-in.ts'
import { type Program, startProgram } from '../test/support/program.ts'
import { withStore } from '../test/support/store.ts'
import { postOf } from '../test/support/wire.ts'
import { arrivals } from './arrivals.ts'
import { type Server, start } from './child.ts'
import { folderOnDisk } from './folder.ts'
import { median, percentile } from './percentile.ts'
import { printTable, targetList } from './report.ts'
import type { Screens } from './screens.ts'
import { processorSeconds } from './soak/watch.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 30)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const ORDERS_A_SECOND = 20
const SCREENS = 10
// Of these screens: real pages in a browser. Each wants a processor of its own, like a tablet.
const PAGES = Number(process.env.BENCH_PAGES ?? 2)
const WAITING_SCREENS = 50
// A kitchen that keeps up: tickets that are older are done.
const OPEN_TICKETS = 40
const TICKETS_DRAWN = 100
// The orders of so long are not counted: the code of the server and of the pages is compiled with them.
const WARM_UP_MS = 3000
const SLOWER = 6
const HOURS = 12

// No secure context, as in a restaurant.
const hostName = 'servery.test'

// Notes when the ticket of each order was first drawn, in milliseconds since 1970. A text, because a compiled function would need
// what the compiler adds.
const watchTickets = `
  window.drawnAt = {}
  new MutationObserver(() => {
    for (const found of document.querySelectorAll('.ticket .number')) {
      const number = found.textContent.match(/\\d+/)?.[0]
      if (number === undefined || number in window.drawnAt) continue
      window.drawnAt[number] = 0
      requestAnimationFrame(() => { window.drawnAt[number] = performance.timeOrigin + performance.now() })
    }
  }).observe(document, { childList: true, subtree: true })`

// For two stations, and without a note that a cook must acknowledge.
const orderBody = {
  location_id: 1,
  channel: 'takeaway',
  items: [{ item_id: 303, variation_id: 3031, qty: 1 }],
}

const folder = folderOnDisk('bench')
const targets = targetList()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [`--host-resolver-rules=MAP ${hostName} 127.0.0.1`, '--js-flags=--expose-gc'],
})

await measurePush(browser)
await measureWaiting()
await measureDrawing(browser)
await measureNight(browser)
await browser.close()
targets.show()

interface Kitchen {
  program: Program
  token: string
  /** Each is a device of its own, because the server holds only few requests of one. */
  screens: PairedDevice[]
  client: Client
  end(): Promise<void>
}

async function openKitchen(name: string, count = 1): Promise<Kitchen> {
  const { file, token } = demoRestaurant(join(folder, `${name}.db`))
  const program = await startProgram(file, { environment: { HOSTS: hostName } })
  const execute = (sql: string) => {
    const db = new Database(file)
    db.exec(sql)
    db.close()
  }
  const url = `http://127.0.0.1:${program.port}`
  const screens = withStore(file, store =>
    Array.from({ length: count }, () => pairDevice({ store, execute, url }, 'kitchen')),
  )
  const orders = client({ port: program.port, token, connections: 8 })
  return {
    program,
    token,
    screens,
    client: orders,
    async end() {
      orders.close()
      await program.end('SIGTERM')
    },
  }
}

/** From the 201 of an order to its ticket in the pages of a kitchen of ten screens. */
async function measurePush(browser: Browser): Promise<void> {
  const kitchen = await openKitchen('push', SCREENS + 1)
  const stationOf = (index: number) => (index % 2) + 1
  const pages = await Promise.all(
    Array.from({ length: PAGES }, (_, index) => openScreen(browser, kitchen, { index, station: stationOf(index) })),
  )
  const others = Array.from({ length: SCREENS - PAGES }, (_, index) => PAGES + index)
  const besides = [
    await startScreens(
      kitchen,
      others.map(index => ({ index, stations: String(stationOf(index)) })),
    ),
    await keepUp(kitchen, SCREENS),
  ]
  const answeredAt = new Map<number, number>()
  const begin = performance.now() + WARM_UP_MS
  const end = begin + SECONDS * 1000
  const sent: Promise<void>[] = []
  for (let due = performance.now(); due < end; due += 1000 / ORDERS_A_SECOND) {
    await sleep(Math.max(0, due - performance.now()))
    const isCounted = due >= begin
    sent.push(
      order(kitchen).then(number => {
        if (isCounted) answeredAt.set(number, performance.timeOrigin + performance.now())
      }),
    )
  }
  await Promise.all(sent)
  const last = Math.max(...answeredAt.keys())
  // A page that never draws it counts below.
  for (const page of pages) await page.waitForFunction(`window.drawnAt[${last}] > 0`).catch(() => {})
  for (const beside of besides) await beside.stop()

  const delays: number[] = []
  let missing = 0
  for (const page of pages) {
    const drawnAt: Record<number, number> = await page.evaluate('window.drawnAt')
    for (const [number, at] of answeredAt) {
      const drawn = drawnAt[number]
      if (drawn === undefined) missing++
      else delays.push(Math.max(0, drawn - at))
    }
    await page.context().close()
  }
  await kitchen.end()
  console.log(
    `### From 201 to the screen, ms: ${ORDERS_A_SECOND} orders/s, ${SCREENS} screens, ${PAGES} of them in a browser\n`,
  )
  printTable(
    ['orders', 'tickets drawn', 'p50', 'p99', 'longest', 'never drawn'],
    [
      [
        String(answeredAt.size),
        String(delays.length),
        percentile(delays, 0.5).toFixed(),
        percentile(delays, 0.99).toFixed(),
        percentile(delays, 1).toFixed(),
        String(missing),
      ],
    ],
  )
  targets.atMost('from 201 to the ticket on a screen: p99', percentile(delays, 0.99), 200, ' ms')
  targets.atMost('tickets that a screen never drew', missing, 0, '')
}

/** Screens without a browser, each by the index of its device. */
function startScreens(kitchen: Kitchen, screens: { index: number; stations: string }[]): Promise<Server> {
  const parameters: Screens = {
    port: kitchen.program.port,
    screens: screens.map(({ index, stations }) => ({ cookie: cookieOf(kitchen, index), stations })),
  }
  return start('./screens.ts', parameters, { log: process.stderr.fd })
}

/** Cooks who keep up, with a device of their own. */
function keepUp(kitchen: Kitchen, index: number): Promise<Server> {
  const parameters: Screens = {
    port: kitchen.program.port,
    screens: [{ cookie: cookieOf(kitchen, index), stations: '1,2' }],
    keepAtMost: OPEN_TICKETS,
  }
  return start('./screens.ts', parameters, { log: process.stderr.fd })
}

async function openScreen(browser: Browser, kitchen: Kitchen, { index = 0, station = 1 } = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await logIn(context, kitchen, index)
  const page = await context.newPage()
  await page.addInitScript(watchTickets)
  await page.goto(`${siteOf(kitchen)}/kitchen?stations=${station}`)
  return page
}

async function logIn(context: BrowserContext, kitchen: Kitchen, index = 0): Promise<void> {
  const [name = '', value = ''] = cookieOf(kitchen, index).split('=')
  await context.addCookies([{ name, value, url: siteOf(kitchen), httpOnly: true, sameSite: 'Lax' }])
}

function cookieOf({ screens }: Kitchen, index: number): string {
  const screen = screens[index]
  if (!screen) throw new Error(`there is no screen ${index}`)
  return screen.cookie
}

function siteOf({ program }: Kitchen): string {
  return `http://${hostName}:${program.port}`
}

async function order({ client }: Kitchen): Promise<number> {
  const answer = await client.call('POST', '/orders', orderBody)
  if (answer?.status !== 201) throw new Error(`an order got ${answer?.status}: ${JSON.stringify(answer?.body)}`)
  return Number(/\d+/.exec(answer.body.data.order_number)?.[0])
}

/** What screens that wait cost an order: the same orders with none and with fifty, in turns. */
async function measureWaiting(): Promise<void> {
  const kitchen = await openKitchen('waiting', WAITING_SCREENS + 1)
  const { port, child } = kitchen.program
  const seconds = Math.ceil(SECONDS / ROUNDS)
  const orderBytes = postOf(kitchen, { body: JSON.stringify(orderBody) })
  const waiting = Array.from({ length: WAITING_SCREENS }, (_, index) => ({ index, stations: '1,2' }))
  const cooks = await keepUp(kitchen, WAITING_SCREENS)
  const measured = () => ({ latencies: [] as number[], processor: 0 })
  const alone = measured()
  const beside = measured()
  const orders = async (into: ReturnType<typeof measured>) => {
    const before = processorSeconds(child.pid ?? 0)
    const { latencies, failures } = await arrivals({
      port,
      request: () => orderBytes,
      status: 201,
      rate: ORDERS_A_SECOND,
      seconds,
      connections: 'kept',
    })
    if (failures.size > 0) throw new Error([...failures.keys()].join())
    into.latencies.push(...latencies)
    into.processor += processorSeconds(child.pid ?? 0) - before
  }
  await orders(measured())
  for (let round = 0; round < ROUNDS; round++) {
    await orders(alone)
    const screens = await startScreens(kitchen, waiting)
    await sleep(500)
    await orders(beside)
    await screens.stop()
    await sleep(500)
  }
  await cooks.stop()
  await kitchen.end()
  console.log(`\n### An order, ms: ${ORDERS_A_SECOND} orders/s\n`)
  const rows = [
    ['no screens', alone],
    [`${WAITING_SCREENS} waiting screens`, beside],
  ] as const
  printTable(
    ['', 'p50', 'p99', 'processor time of the server per order'],
    rows.map(([name, { latencies, processor }]) => [
      name,
      percentile(latencies, 0.5).toFixed(2),
      percentile(latencies, 0.99).toFixed(2),
      ((processor * 1000) / latencies.length).toFixed(1),
    ]),
  )
  targets.atMost(
    `an order beside ${WAITING_SCREENS} waiting screens: p99`,
    percentile(beside.latencies, 0.99) / percentile(alone.latencies, 0.99),
    1.1,
  )
}

/** How long a tablet's processor takes for a full board, in a browser that is made slower. */
async function measureDrawing(browser: Browser): Promise<void> {
  const kitchen = await openKitchen('drawing')
  for (let count = 0; count < TICKETS_DRAWN; count++) await order(kitchen)
  const page = await openScreen(browser, kitchen)
  const tools = await page.context().newCDPSession(page)
  const whole = { ...(await fullBoard(kitchen)), version: 'another' }
  // Processor time, so that what else runs on this machine does not count.
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await tools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const drawn: Work[] = []
  for (let round = 0; round < 11; round++) {
    // All cards are gone, and come back with one answer.
    await showBoard(page, { ...whole, version: `none ${round}`, tickets: [] })
    await sleep(1500)
    const begin = await workOf(tools)
    await showBoard(page, { ...whole, version: `all ${round}` })
    await sleep(1000)
    const middle = await workOf(tools)
    await sleep(1000)
    const end = await workOf(tools)
    // Without what the page does each second anyway.
    drawn.push(difference(difference(middle, begin), difference(end, middle)))
  }
  await page.context().close()
  await kitchen.end()
  console.log(`\n### A board of ${TICKETS_DRAWN} tickets, drawn by a processor that is ${SLOWER} times slower\n`)
  const of = (name: keyof Work) => median(drawn.map(work => work[name]))
  printTable(
    ['median, ms', 'script', 'style', 'layout', 'all, with reading the cards and painting'],
    [['', of('script').toFixed(), of('style').toFixed(), of('layout').toFixed(), of('all').toFixed()]],
  )
  const counted = median(drawn.map(({ script, style, layout }) => script + style + layout))
  targets.atMost(`${TICKETS_DRAWN} tickets drawn, ${SLOWER} times slower`, counted, 50, ' ms')
}

interface BoardAnswer {
  version: string
  tickets: { id: number; html: string }[]
}

async function fullBoard(kitchen: Kitchen): Promise<BoardAnswer> {
  const headers = { Accept: 'application/json', Cookie: cookieOf(kitchen, 0) }
  const response = await fetch(`http://127.0.0.1:${kitchen.program.port}/kitchen/board?stations=1`, { headers })
  return (await response.json()) as BoardAnswer
}

/** Milliseconds of the page's main thread. */
interface Work {
  script: number
  style: number
  layout: number
  /** All tasks. Those after a promise are part of no other figure. */
  all: number
}

async function workOf(tools: CDPSession): Promise<Work> {
  const { metrics } = await tools.send('Performance.getMetrics')
  const of = (name: string) => (metrics.find(metric => metric.name === `${name}Duration`)?.value ?? 0) * 1000
  return { script: of('Script'), style: of('RecalcStyle'), layout: of('Layout'), all: of('Task') }
}

function difference(a: Work, b: Work): Work {
  return { script: a.script - b.script, style: a.style - b.style, layout: a.layout - b.layout, all: a.all - b.all }
}

/** Lets the page have this board, until it gets another. */
async function showBoard(page: Page, board: BoardAnswer): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route('**/kitchen/board*', async route => {
    const isDrawn = new URL(route.request().url()).searchParams.get('drawn') === board.version
    const json = isDrawn ? { version: board.version } : board
    if (isDrawn) await sleep(1000)
    await route.fulfill({ json, headers: { 'Servery-Now': String(Date.now()) } })
  })
  await page.evaluate(`window.dispatchEvent(new Event('online'))`)
}

/** Twelve hours of a screen, by a clock that runs faster: does its memory grow? */
async function measureNight(browser: Browser): Promise<void> {
  const kitchen = await openKitchen('night')
  for (let count = 0; count < 30; count++) await order(kitchen)
  const whole = await fullBoard(kitchen)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await logIn(context, kitchen)
  const page = await context.newPage()
  await page.clock.install()
  await page.goto(`${siteOf(kitchen)}/kitchen?stations=1`)
  let polls = 0
  await page.route('**/kitchen/board*', route => {
    // A ticket comes or goes with every second answer.
    const tickets = whole.tickets.slice(polls++ % 4 < 2 ? 0 : 1)
    return route.fulfill({
      json: { ...whole, version: `poll ${polls}`, tickets },
      headers: { 'Servery-Now': String(Date.now()) },
    })
  })
  const tools = await context.newCDPSession(page)
  const used: number[] = []
  for (let hour = 0; hour <= HOURS; hour++) {
    await tools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await tools.send('Runtime.getHeapUsage')
    used.push(usedSize / 1024 / 1024)
    for (let minute = 0; minute < 60; minute++) await page.clock.runFor(60_000)
  }
  await context.close()
  await kitchen.end()
  const [first = 0, ...later] = used.slice(1)
  const last = later.at(-1) ?? Number.NaN
  console.log(`\n### ${HOURS} hours of a screen: ${polls} answers\n`)
  printTable(['after an hour, MiB', `after ${HOURS}, MiB`], [[first.toFixed(1), last.toFixed(1)]])
  targets.atMost(`memory of a screen after ${HOURS} hours and after one`, last / first, 1.1)
}
