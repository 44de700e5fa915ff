import assert from 'node:assert/strict'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import Database from 'better-sqlite3'
import type { CDPSession, Page } from 'playwright-core'
import { orderNumber } from '../../display/order.ts'
import { type Random, random } from '../../examples/practice/random.ts'
import { hostName, openWindow, withoutBrowser } from '../support/browser.ts'
import { servery } from '../support/commands.ts'
import { demoRestaurant } from '../support/demo-restaurant.ts'
import { temporaryFolder } from '../support/folders.ts'
import { pairDevice } from '../support/log-in.ts'
import type { Program } from '../support/program.ts'
import { withStore } from '../support/store.ts'
import { until } from '../support/until.ts'
import { type Wall, wallBefore } from '../support/wall.ts'
import { api } from '../support/wire.ts'
import { served } from './serving.ts'

const CUTS = Number(process.env.CUTS ?? 500)
// How often both screens of a station are silent until the server raises an alarm.
const ALARMS = 4
// A screen that says that it is live has heard of everything before, and looks at its clock every second.
const TRUE_WITHIN_MS = 14_000

// The server raises an alarm for a ticket after 20 s, and looks once a second.
const ALARM_WITHIN_MS = 25_000

const options = { skip: withoutBrowser, timeout: 60 * 60_000 }

interface Kitchen {
  file: string
  token: string
  by: Random
  program: Program
  startedAt: number
  /** The servers that have ended. */
  ended: { startedAt: number; endedAt: number; logged: Record<string, unknown>[] }[]
}

/** A tablet in the kitchen, behind a network of its own and with a clock of its own. */
interface Tablet {
  station: number
  page: Page
  wall: Wall
  tools: CDPSession
  /** The references of all that was pressed, and of what was refused. */
  pressed: Set<string>
  refused: Set<string>
}

async function openKitchen(t: TestContext, by: Random): Promise<Kitchen> {
  const folder = temporaryFolder(t)
  const { file, token } = demoRestaurant(join(folder, 'friday.db'))
  const program = await served(t, file, { environment: { HOSTS: hostName } })
  return { file, token, by, program, startedAt: Date.now(), ended: [] }
}

async function end(kitchen: Kitchen, signal: NodeJS.Signals): Promise<number | null> {
  const { code, logged } = await kitchen.program.end(signal)
  kitchen.ended.push({ startedAt: kitchen.startedAt, endedAt: Date.now(), logged })
  return code
}

/** Starts the server again at the same port. */
async function restart(t: TestContext, kitchen: Kitchen): Promise<void> {
  const environment = { HOSTS: hostName, PORT: String(kitchen.program.port) }
  kitchen.program = await served(t, kitchen.file, { environment })
  kitchen.startedAt = Date.now()
}

async function openTablet(t: TestContext, kitchen: Kitchen, station: number): Promise<Tablet> {
  const { file, program } = kitchen
  const execute = () => {}
  const url = `http://127.0.0.1:${program.port}`
  const { cookie } = withStore(file, store => pairDevice({ store, execute, url }, 'kitchen'))
  const wall = await wallBefore(t, program.port)
  const { page, site, context } = await openWindow(t, wall.port, { cookie })
  const refused = new Set<string>()
  page.on('response', response => {
    const ref = new URLSearchParams(response.request().postData() ?? '').get('ref')
    if (response.status() === 409 && ref) refused.add(ref)
  })
  await page.clock.install()
  await page.goto(`${site}/kitchen?stations=${station}`)
  await page.getByText(/^Live/).waitFor()
  const tools = await context.newCDPSession(page)
  await tools.send('Debugger.enable')
  return { station, page, wall, tools, pressed: new Set(), refused }
}

/** Places an order of two dishes, each for both stations, at the server itself. */
async function order({ program, token }: Kitchen): Promise<void> {
  const dish = { item_id: 303, variation_id: 3031, qty: 1 }
  const body = JSON.stringify({ location_id: 1, items: [dish, dish] })
  // A connection of its own: the server may have closed an idle one a moment ago.
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Connection: 'close' }
  const response = await fetch(`http://127.0.0.1:${program.port}${api}/orders`, { method: 'POST', headers, body })
  assert.equal(response.status, 201, await response.text())
}

async function placeOrders(kitchen: Kitchen, count: number): Promise<void> {
  for (let placed = 0; placed < count; placed++) await order(kitchen)
}

const buttons = { ticket: '.ticket .bump', line: '.ticket [data-line] button', recall: '#recent button' }

/** Presses one of the buttons of a kind that a tablet shows, if there are any. */
async function press({ page, pressed }: Tablet, kind: keyof typeof buttons, which: number): Promise<void> {
  const refs: string[] = await page.evaluate(
    ([selector, which]) => {
      const before = Object.keys(localStorage)
      const found = document.querySelectorAll<HTMLButtonElement>(selector)
      found[which % Math.max(1, found.length)]?.click()
      const added = Object.keys(localStorage).filter(key => key.startsWith('act ') && !before.includes(key))
      return added.map(key => key.slice(key.lastIndexOf(' ') + 1))
    },
    [buttons[kind], which] as const,
  )
  for (const ref of refs) pressed.add(ref)
}

interface Press {
  kind: keyof typeof buttons
  which: number
  afterMs: number
}

function somePress(by: Random): Press {
  const kind = by.percent(70) ? 'ticket' : by.percent(70) ? 'line' : 'recall'
  return { kind, which: by.between(0, 3), afterMs: by.between(0, 400) }
}

async function cook(tablet: Tablet, presses: Press[]): Promise<void> {
  for (const { kind, which, afterMs } of presses) {
    await pause(afterMs)
    await press(tablet, kind, which)
  }
}

interface Shown {
  isLive: boolean
  /** How many presses wait to be sent. */
  waiting: number
  tickets: number[]
}

async function shownOn({ page }: Tablet): Promise<Shown> {
  return page.evaluate(() => ({
    isLive: document.body.dataset.live === 'yes',
    waiting: Object.keys(localStorage).filter(key => key.startsWith('act ')).length,
    tickets: [...document.querySelectorAll<HTMLElement>('#board .ticket')]
      .map(({ dataset }) => Number(dataset.ticket))
      .sort((a, b) => a - b),
  }))
}

function rowsOf<Row>(file: string, sql: string, ...values: unknown[]): Row[] {
  const db = new Database(file, { readonly: true })
  try {
    return db.prepare<unknown[], Row>(sql).all(...values)
  } finally {
    db.close()
  }
}

function openTickets(file: string, station: number): number[] {
  const rows = rowsOf<{ id: number }>(
    file,
    `SELECT id FROM ticket WHERE station_id = ? AND state = 'open' ORDER BY id`,
    station,
  )
  return rows.map(({ id }) => id)
}

/** Waits until a tablet says that it is live, has sent everything, and shows exactly the open tickets of its station. */
async function showsAll({ file }: Kitchen, tablet: Tablet): Promise<void> {
  const wanted = () => ({ isLive: true, waiting: 0, tickets: openTickets(file, tablet.station) })
  let shown = await shownOn(tablet)
  for (const deadline = Date.now() + 60_000; !isDeepStrictEqual(shown, wanted()); shown = await shownOn(tablet)) {
    if (Date.now() > deadline) assert.deepEqual(shown, wanted(), `station ${tablet.station}`)
    await pause(100)
  }
}

/** The tickets that a tablet does not show while it says that it is live, although nothing has happened to them lately. */
async function concealedBy({ file }: Kitchen, tablet: Tablet): Promise<number[]> {
  const quiet = rowsOf<{ id: number }>(
    file,
    `SELECT id FROM ticket WHERE station_id = ? AND state = 'open'
        AND NOT EXISTS (SELECT 1 FROM ticket_event WHERE ticket_id = ticket.id AND at > ?)`,
    tablet.station,
    Date.now() - TRUE_WITHIN_MS,
  )
  const { isLive, tickets } = await shownOn(tablet)
  const stillOpen = openTickets(file, tablet.station)
  return isLive ? quiet.map(({ id }) => id).filter(id => stillOpen.includes(id) && !tickets.includes(id)) : []
}

/** What is wrong with what was pressed: presses that are lost, and lines that were done twice. */
function flawsOfPresses({ file }: Kitchen, tablets: Tablet[]): string[] {
  const known = new Set(
    rowsOf<{ ref: string }>(file, 'SELECT client_ref AS ref FROM ticket_event WHERE client_ref IS NOT NULL').map(
      ({ ref }) => ref,
    ),
  )
  const lost = tablets.flatMap(({ pressed, refused }) =>
    [...pressed].filter(ref => !known.has(ref) && !refused.has(ref)),
  )
  const twice = rowsOf<{ line: number }>(
    file,
    `SELECT line_id AS line FROM ticket_event WHERE line_id IS NOT NULL GROUP BY ticket_id, line_id
     HAVING sum(what = 'done') > 1 + sum(what = 'recalled')`,
  )
  return [...lost.map(ref => `${ref} is lost`), ...twice.map(({ line }) => `line ${line} was done twice`)]
}

/** The alarms that were logged, each with its instant. */
function alarmsOf({ ended, program }: Kitchen): { at: number; what: string }[] {
  const lines = [...ended.flatMap(({ logged }) => logged), ...program.logged()].filter(({ event }) => event === 'alarm')
  return lines.map(({ time, what }) => ({ at: Date.parse(String(time)), what: String(what) }))
}

interface Unseen {
  number: number
  station: string
  openedAt: number
  seenAt: number
}

/**
 * The tickets that no screen has shown in time while a server ran and no alarm of it stood; it may have begun with an older ticket.
 * A server that has just started gives screens as much time as a ticket gets.
 */
function concealed(kitchen: Kitchen): Unseen[] {
  const now = Date.now()
  const unseen = rowsOf<Unseen>(
    kitchen.file,
    `SELECT number, title AS station, opened_at AS openedAt, coalesce(seen_at, closed_at, ${now}) AS seenAt
       FROM ticket JOIN orders ON orders.id = order_id JOIN station ON station.id = station_id
      WHERE station_id IN (1, 2)`,
  )
  // An alarm names the oldest ticket, and stands until that is shown.
  const alarms = alarmsOf(kitchen).map(({ at, what }) => {
    const named = unseen.find(({ number, station }) =>
      what.startsWith(`${station} has not shown ${orderNumber(number)}`),
    )
    return { at, station: named?.station, until: named?.seenAt ?? at }
  })
  const runs = [...kitchen.ended, { startedAt: kitchen.startedAt, endedAt: now }]
  return unseen.filter(({ station, openedAt, seenAt }) =>
    runs.some(({ startedAt, endedAt }) => {
      const [from, until] = [Math.max(openedAt, startedAt), Math.min(seenAt, endedAt)]
      const stood = alarms.some(
        each => each.station === station && each.at >= startedAt && each.at < until && each.until > from,
      )
      return until - from > ALARM_WITHIN_MS && !stood
    }),
  )
}

interface Cut {
  kind: string
  /** How many of a hundred cuts are of this kind. */
  share: number
  /** Whether the tablet takes presses meanwhile. */
  isAwake: boolean
  cut(by: Random, tablet: Tablet): Promise<void>
}

const cuts: Cut[] = [
  { kind: 'silent', share: 25, isAwake: true, cut: (by, tablet) => cutOff(by, tablet, 'silent') },
  { kind: '502', share: 20, isAwake: true, cut: (by, tablet) => cutOff(by, tablet, '502') },
  { kind: 'silent for long', share: 10, isAwake: true, cut: (by, tablet) => cutOffForLong(by, tablet, 'silent') },
  { kind: '502 for long', share: 10, isAwake: true, cut: (by, tablet) => cutOffForLong(by, tablet, '502') },
  { kind: 'asleep', share: 20, isAwake: false, cut: sleep },
  {
    kind: 'clock set',
    share: 15,
    isAwake: true,
    async cut(by, { page }) {
      const ahead = by.between(-7_200_000, 7_200_000)
      await page.clock.setSystemTime((await page.evaluate(() => Date.now())) + ahead)
    },
  },
]

async function cutOff(by: Random, { wall }: Tablet, as: 'silent' | '502'): Promise<void> {
  wall.become(as)
  await pause(by.between(50, 900))
  wall.become('open')
}

/** So long by the clock of the tablet that it must say so. */
async function cutOffForLong(by: Random, { page, wall }: Tablet, as: 'silent' | '502'): Promise<void> {
  wall.become(as)
  await page.clock.runFor(by.between(TRUE_WITHIN_MS, 30_000))
  assert.ok(await page.locator('#not-live').isVisible(), `the network is ${as}, and the screen does not say so`)
  wall.become('open')
}

/** A tablet that sleeps runs no script. Its monotonic clock goes on, or seems to have gone on when it wakes up. */
async function sleep(by: Random, { page, tools }: Tablet): Promise<void> {
  const [ms, further] = [by.between(100, 800), by.percent(50) ? by.between(1000, 30_000) : 0]
  const asleep = new Promise(resolve => tools.once('Debugger.paused', resolve))
  await tools.send('Debugger.pause')
  await asleep
  await pause(ms)
  await tools.send('Debugger.resume')
  if (further > 0) await page.clock.fastForward(further)
}

async function killServer(t: TestContext, kitchen: Kitchen): Promise<void> {
  await pause(kitchen.by.between(0, 300))
  await end(kitchen, 'SIGKILL')
  await restart(t, kitchen)
}

test(
  `over ${CUTS} cuts every ticket is drawn or an alarm stands, no press is lost, and no line is done twice`,
  options,
  async t => {
    const seed = process.env.SEED ?? String(Date.now())
    t.diagnostic(`SEED=${seed}`)
    const by = random(seed)
    const kitchen = await openKitchen(t, by)
    const tablets = [await openTablet(t, kitchen, 1), await openTablet(t, kitchen, 1), await openTablet(t, kitchen, 2)]
    const grill = tablets.slice(0, 2)
    const done: Record<string, number> = {}
    const count = (kind: string) => (done[kind] = (done[kind] ?? 0) + 1)
    const total = () => Object.values(done).reduce((sum, each) => sum + each, 0)
    await placeOrders(kitchen, 4)

    for (let alarms = 0; total() < CUTS; ) {
      if (total() >= (alarms * CUTS) / ALARMS) {
        await beSilentUntilAlarm(kitchen, grill)
        alarms++
      }
      // Every tablet has a fault of its own at the same time. Orders come meanwhile, and the cooks go on: all press the same.
      const chosen = tablets.map(tablet => ({ tablet, its: by.weighted(cuts, ({ share }) => share) as Cut }))
      const faults = chosen.map(({ tablet, its }) => its.cut(by, tablet))
      const presses = Array.from({ length: by.between(1, 3) }, () => somePress(by))
      const isKill = by.percent(15)
      await Promise.all([
        ...faults,
        placeOrders(kitchen, by.between(1, 2)).then(() => (isKill ? killServer(t, kitchen) : undefined)),
        ...chosen.filter(({ its }) => its.isAwake && by.percent(80)).map(({ tablet }) => cook(tablet, presses)),
      ])
      for (const { its } of chosen) count(its.kind)
      if (isKill) count('kill -9')
      for (const tablet of tablets)
        assert.deepEqual(await concealedBy(kitchen, tablet), [], 'a screen says that it is live')
    }

    for (const tablet of tablets) await showsAll(kitchen, tablet)
    assert.deepEqual(flawsOfPresses(kitchen, tablets), [])
    assert.deepEqual(concealed(kitchen), [])
    const pressed = tablets.map(({ pressed }) => pressed.size)
    assert.ok(Math.min(...pressed) > CUTS / 20, `pressed: ${pressed}`)
    t.diagnostic(`cuts: ${JSON.stringify(done)}`)
    t.diagnostic(`pressed: ${pressed.join(' + ')}; refused: ${tablets.map(({ refused }) => refused.size).join(' + ')}`)
    t.diagnostic(`alarms: ${alarmsOf(kitchen).length}`)
  },
)

/** Both screens of a station hear nothing for so long that they say so, and an alarm names the ticket that they do not show. */
async function beSilentUntilAlarm(kitchen: Kitchen, tablets: Tablet[]): Promise<void> {
  const alarms = () => alarmsOf(kitchen).filter(({ what }) => what.includes(' has not shown ')).length
  const before = alarms()
  for (const { wall } of tablets) wall.become('silent')
  await order(kitchen)
  for (const deadline = Date.now() + 40_000; alarms() === before; await pause(200)) {
    assert.ok(Date.now() < deadline, `no alarm is raised: ${JSON.stringify(alarmsOf(kitchen))}`)
  }
  for (const { page } of tablets) {
    assert.ok(await page.locator('#not-live').isVisible(), 'a screen that hears nothing does not say so')
  }
  for (const { wall } of tablets) wall.become('open')
}

test(
  'after a backup is restored, every screen shows its tickets without a reload, and no act of before comes back',
  options,
  async t => {
    const kitchen = await openKitchen(t, random('restored'))
    const { file } = kitchen
    const tablet = await openTablet(t, kitchen, 1)
    await placeOrders(kitchen, 5)
    await showsAll(kitchen, tablet)
    const backup = join(temporaryFolder(t), 'backup.db')
    assert.equal((await servery(file, ['backup', backup])).code, 0)
    for (const left of [4, 3, 2]) {
      await press(tablet, 'ticket', 0)
      await until(() => openTickets(file, 1).length === left)
      await showsAll(kitchen, tablet)
    }
    await order(kitchen)
    await showsAll(kitchen, tablet)

    assert.equal(await end(kitchen, 'SIGTERM'), 0)
    for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    copyFileSync(backup, file)
    await restart(t, kitchen)
    assert.equal(openTickets(file, 1).length, 5)
    await showsAll(kitchen, tablet)
    // Numbers begin again where the backup ends: the new ticket is another one than that of before.
    await order(kitchen)
    await until(() => openTickets(file, 1).length === 6)
    await showsAll(kitchen, tablet)
    assert.equal(openTickets(file, 1).length, 6)
  },
)
