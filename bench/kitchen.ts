// How long a ticket takes from the API's 201 to the screens of the kitchen, what waiting screens cost an order, how long a browser on
// a slow tablet takes to draw a full board, and whether a screen's memory grows. npm run bench:kitchen. README.md explains what is
// measured and why.

import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { demoRestaurant } from '../test/support/demo-restaurant.ts'
import { type PairedDevice, pairDevice } from '../test/support/log-in.ts'
import { type Program, startProgram } from '../test/support/program.ts'
import { withStore } from '../test/support/store.ts'
import { api, postOf } from '../test/support/wire.ts'
import { arrivals } from './arrivals.ts'
import { folderOnDisk } from './folder.ts'
import { median, percentile } from './percentile.ts'
import { printTable, targetList } from './report.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 30)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const ORDERS_A_SECOND = 20
const SCREENS = 10
const WAITING_SCREENS = 50
// A kitchen that keeps up: tickets that are older are done.
const OPEN_TICKETS = 40
const TICKETS_DRAWN = 100
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
const orderBody = JSON.stringify({
  location_id: 1,
  channel: 'takeaway',
  items: [{ item_id: 303, variation_id: 3031, qty: 1 }],
})

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
  agent: Agent
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
  const agent = new Agent({ keepAlive: true })
  return {
    program,
    token,
    screens,
    agent,
    async end() {
      agent.destroy()
      await program.end('SIGTERM')
    },
  }
}

/** From the 201 of an order to its ticket in the pages of ten screens. */
async function measurePush(browser: Browser): Promise<void> {
  const kitchen = await openKitchen('push', SCREENS)
  const pages = await Promise.all(
    Array.from({ length: SCREENS }, (_, index) => openScreen(browser, kitchen, { index, station: (index % 2) + 1 })),
  )
  const answeredAt = new Map<number, number>()
  const end = performance.now() + SECONDS * 1000
  const sent: Promise<void>[] = []
  const bumping = keepUp(kitchen, () => performance.now() < end)
  for (let due = performance.now(); due < end; due += 1000 / ORDERS_A_SECOND) {
    await sleep(Math.max(0, due - performance.now()))
    sent.push(order(kitchen).then(number => void answeredAt.set(number, performance.timeOrigin + performance.now())))
  }
  await Promise.all(sent)
  await sleep(1000)
  await bumping

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
  console.log(`### From 201 to the screen, ms: ${ORDERS_A_SECOND} orders/s, ${SCREENS} screens\n`)
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

/** Marks the oldest tickets as done while more than a kitchen has open at a time are. */
async function keepUp(kitchen: Kitchen, isGoingOn: () => boolean): Promise<void> {
  while (isGoingOn()) {
    await sleep(250)
    const { tickets } = await board(kitchen)
    for (const { id, html } of tickets.slice(0, Math.max(0, tickets.length - OPEN_TICKETS))) {
      await act(kitchen, 'done', id, html)
    }
  }
}

interface BoardAnswer {
  version: string
  tickets: { id: number; html: string }[]
}

async function board(kitchen: Kitchen, drawn = ''): Promise<BoardAnswer> {
  const query = drawn === '' ? '' : `&drawn=${encodeURIComponent(drawn)}`
  const { text } = await send(kitchen, 'GET', `/kitchen/board?stations=1,2${query}`)
  return { tickets: [], ...JSON.parse(text) }
}

/** A screen without a browser: it reads no more of the answers than it must, to leave the processor to the server. */
async function wait(kitchen: Kitchen, index: number, isGoingOn: () => boolean): Promise<void> {
  let drawn = ''
  while (isGoingOn()) {
    const query = drawn === '' ? '' : `&drawn=${encodeURIComponent(drawn)}`
    const { text } = await send(kitchen, 'GET', `/kitchen/board?stations=1,2${query}`, '', {
      Cookie: cookieOf(kitchen, index),
    })
    drawn = /^\{"version":"([^"]+)"/.exec(text)?.[1] ?? ''
    // As browser/kitchen/live.ts.
    await sleep(50)
  }
}

/** Presses a ticket as `html` shows it. */
async function act(kitchen: Kitchen, what: string, ticket: number, html: string): Promise<void> {
  const shown = /name="shown" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const body = new URLSearchParams({
    act: what,
    ticket: String(ticket),
    shown,
    ref: `bench ${what} ${ticket}`,
  }).toString()
  await send(kitchen, 'POST', '/kitchen/act', body, {
    'Content-Type': 'application/x-www-form-urlencoded',
    Origin: `http://127.0.0.1:${kitchen.program.port}`,
  })
}

async function order(kitchen: Kitchen): Promise<number> {
  const { status, text } = await send(kitchen, 'POST', `${api}/orders`, orderBody, {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${kitchen.token}`,
  })
  if (status !== 201) throw new Error(`an order got ${status}: ${text}`)
  return Number(/"order_number":"ORD-0*(\d+)"/.exec(text)?.[1])
}

function send(
  kitchen: Kitchen,
  method: 'GET' | 'POST',
  path: string,
  body = '',
  more: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const { program, agent } = kitchen
  return new Promise((resolve, reject) => {
    const headers = {
      Accept: 'application/json',
      Cookie: cookieOf(kitchen, 0),
      'Servery-Refresh': 'yes',
      ...(body !== '' && { 'Content-Length': String(Buffer.byteLength(body)) }),
      ...more,
    }
    const sent = request({ agent, host: '127.0.0.1', port: program.port, method, path, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** What screens that wait cost an order: the same orders with none and with fifty, in turns. */
async function measureWaiting(): Promise<void> {
  const kitchen = await openKitchen('waiting', WAITING_SCREENS)
  const alone: number[] = []
  const beside: number[] = []
  const seconds = Math.ceil(SECONDS / ROUNDS)
  const orderBytes = postOf(kitchen, { body: orderBody })
  const orders = async () => {
    const end = performance.now() + seconds * 1000
    const bumping = keepUp(kitchen, () => performance.now() < end)
    const { latencies, failures } = await arrivals({
      port: kitchen.program.port,
      request: () => orderBytes,
      status: 201,
      rate: ORDERS_A_SECOND,
      seconds,
      connections: 'kept',
    })
    if (failures.size > 0) throw new Error([...failures.keys()].join())
    await bumping
    return [...latencies]
  }
  await orders()
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(...(await orders()))
    let isGoingOn = true
    const screens = Array.from({ length: WAITING_SCREENS }, (_, index) => wait(kitchen, index, () => isGoingOn))
    await sleep(500)
    beside.push(...(await orders()))
    isGoingOn = false
    // The next order answers those that still wait.
    await order(kitchen)
    await Promise.all(screens)
  }
  await kitchen.end()
  console.log(`\n### An order, ms: ${ORDERS_A_SECOND} orders/s\n`)
  printTable(
    ['', 'p50', 'p99'],
    [
      ['no screens', alone],
      [`${WAITING_SCREENS} waiting screens`, beside],
    ].map(([name, times]) => [
      String(name),
      percentile(times as number[], 0.5).toFixed(2),
      percentile(times as number[], 0.99).toFixed(2),
    ]),
  )
  targets.atMost(
    `an order beside ${WAITING_SCREENS} waiting screens: p99`,
    percentile(beside, 0.99) / percentile(alone, 0.99),
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
  await tools.send('Performance.enable')
  await tools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const times: number[] = []
  for (let round = 0; round < 11; round++) {
    // All cards are gone, and come back with one answer.
    for (const tickets of [[], whole.tickets]) {
      const before = await workOf(tools)
      await showBoard(page, { ...whole, version: `round ${round} ${tickets.length}`, tickets })
      const cards = page.locator('.ticket')
      if (tickets.length === 0) await cards.first().waitFor({ state: 'detached' })
      else await cards.nth(tickets.length - 1).waitFor()
      await sleep(300)
      if (tickets.length > 0) times.push((await workOf(tools)) - before)
    }
  }
  await page.context().close()
  await kitchen.end()
  console.log(`\n### A board of ${TICKETS_DRAWN} tickets, drawn by a processor that is ${SLOWER} times slower\n`)
  printTable(['median, ms', 'longest, ms'], [[median(times).toFixed(), percentile(times, 1).toFixed()]])
  targets.atMost(`${TICKETS_DRAWN} tickets drawn, ${SLOWER} times slower`, median(times), 50, ' ms')
}

async function fullBoard(kitchen: Kitchen): Promise<BoardAnswer> {
  const { text } = await send(kitchen, 'GET', '/kitchen/board?stations=1')
  return JSON.parse(text)
}

/** Milliseconds that the page's main thread has worked on script, style and layout. */
async function workOf(tools: CDPSession): Promise<number> {
  const { metrics } = await tools.send('Performance.getMetrics')
  const counted = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration']
  return metrics.reduce((sum, { name, value }) => sum + (counted.includes(name) ? value * 1000 : 0), 0)
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
