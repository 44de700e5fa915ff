import assert from 'node:assert/strict'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
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
// Long enough for the screen to say that it is not live, and for an alarm.
const LONG_CUTS = 4
const LONG_MS = 26_000

const options = { skip: withoutBrowser, timeout: 60 * 60_000 }

interface Kitchen {
  file: string
  token: string
  by: Random
  program: Program
  /** The log lines of servers that have ended. */
  logged: Record<string, unknown>[]
}

/** A tablet in the kitchen, behind a network of its own. */
interface Tablet {
  station: number
  page: Page
  wall: Wall
  tools: CDPSession
  /** The references of all acts that it has tried to send, and of those that were refused. */
  sent: Set<string>
  refused: Set<string>
}

async function openKitchen(t: TestContext, by: Random): Promise<Kitchen> {
  const folder = temporaryFolder(t)
  const { file, token } = demoRestaurant(join(folder, 'friday.db'))
  return { file, token, by, program: await served(t, file, { environment: { HOSTS: hostName } }), logged: [] }
}

/** Starts the server again at the same port. */
async function restart(t: TestContext, kitchen: Kitchen): Promise<void> {
  const environment = { HOSTS: hostName, PORT: String(kitchen.program.port) }
  kitchen.program = await served(t, kitchen.file, { environment })
}

async function openTablet(t: TestContext, kitchen: Kitchen, station: number): Promise<Tablet> {
  const { file, program } = kitchen
  const execute = () => {}
  const url = `http://127.0.0.1:${program.port}`
  const { cookie } = withStore(file, store => pairDevice({ store, execute, url }, 'kitchen'))
  const wall = await wallBefore(t, program.port)
  const { page, site, context } = await openWindow(t, wall.port, { cookie })
  const sent = new Set<string>()
  const refused = new Set<string>()
  const refOf = (body: string | null) => new URLSearchParams(body ?? '').get('ref')
  page.on('request', request => {
    const ref = new URL(request.url()).pathname.endsWith('/kitchen/act') ? refOf(request.postData()) : null
    if (ref) sent.add(ref)
  })
  page.on('response', response => {
    const ref = response.status() === 409 ? refOf(response.request().postData()) : null
    if (ref) refused.add(ref)
  })
  await page.goto(`${site}/kitchen?stations=${station}`)
  await page.getByText(/^Live/).waitFor()
  const tools = await context.newCDPSession(page)
  await tools.send('Debugger.enable')
  return { station, page, wall, tools, sent, refused }
}

/** Places an order whose dish is for both stations, at the server itself. */
async function order({ program, token }: Kitchen): Promise<void> {
  const body = JSON.stringify({ location_id: 1, items: [{ item_id: 303, variation_id: 3031, qty: 1 }] })
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${program.port}${api}/orders`, { method: 'POST', headers, body })
  assert.equal(response.status, 201, await response.text())
}

/** Presses the button of one of the tickets that a tablet shows, if there are any. */
async function bump({ page }: Tablet, which: number): Promise<void> {
  await page.evaluate(number => {
    const buttons = document.querySelectorAll<HTMLButtonElement>('.ticket .bump')
    buttons[number % Math.max(1, buttons.length)]?.click()
  }, which)
}

/** What a tablet shows, by ticket. */
async function shownOn({ page }: Tablet): Promise<number[]> {
  const ids: string[] = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#board .ticket')].map(({ dataset }) => dataset.ticket ?? ''),
  )
  return ids.map(Number).sort((a, b) => a - b)
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

/** Waits until a tablet says that it is live and shows exactly the open tickets of its station. */
async function showsAll({ file }: Kitchen, tablet: Tablet): Promise<void> {
  await tablet.page.locator('#not-live').waitFor({ state: 'hidden', timeout: 60_000 })
  let shown: number[] = []
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    shown = await shownOn(tablet)
    if (String(shown) === String(openTickets(file, tablet.station))) return
    await pause(200)
  }
  assert.deepEqual(shown, openTickets(file, tablet.station), `station ${tablet.station}`)
}

/** What is wrong with what tablets have sent: acts that are lost, and lines that were done twice. */
function flawsOfActs({ file }: Kitchen, tablets: Tablet[]): string[] {
  const known = new Set(
    rowsOf<{ ref: string }>(file, 'SELECT client_ref AS ref FROM ticket_event WHERE client_ref IS NOT NULL').map(
      ({ ref }) => ref,
    ),
  )
  const lost = tablets.flatMap(({ sent, refused }) => [...sent].filter(ref => !known.has(ref) && !refused.has(ref)))
  const twice = rowsOf<{ line: number }>(
    file,
    `SELECT line_id AS line FROM ticket_event WHERE line_id IS NOT NULL GROUP BY ticket_id, line_id
     HAVING sum(what = 'done') > 1 + sum(what = 'recalled')`,
  )
  return [...lost.map(ref => `${ref} is lost`), ...twice.map(({ line }) => `line ${line} was done twice`)]
}

/** The alarms that were logged, each with its instant. */
function alarmsOf({ logged, program }: Kitchen): { at: number; what: string }[] {
  const lines = [...logged, ...program.logged()].filter(({ event }) => event === 'alarm')
  return lines.map(({ time, what }) => ({ at: Date.parse(String(time)), what: String(what) }))
}

interface Late {
  number: number
  station: string
  openedAt: number
  seenAt: number
}

/** The tickets that no screen has shown in time while no alarm stood; it may have begun with an older ticket. */
function concealed(kitchen: Kitchen): Late[] {
  const late = rowsOf<Late>(
    kitchen.file,
    `SELECT number, title AS station, opened_at AS openedAt, coalesce(seen_at, ${Date.now()}) AS seenAt
       FROM ticket JOIN orders ON orders.id = order_id JOIN station ON station.id = station_id
      WHERE coalesce(seen_at, closed_at, ${Date.now()}) > opened_at + 25000 AND station_id IN (1, 2)`,
  )
  // An alarm names the oldest ticket, and stands until that is shown.
  const alarms = alarmsOf(kitchen).map(({ at, what }) => {
    const named = late.find(({ number, station }) => what.startsWith(`${station} has not shown ${orderNumber(number)}`))
    return { at, station: named?.station, until: named?.seenAt ?? at }
  })
  return late.filter(
    ({ station, openedAt, seenAt }) =>
      !alarms.some(alarm => alarm.station === station && alarm.at < seenAt && alarm.until > openedAt),
  )
}

interface Cut {
  /** How many of a hundred cuts are of this kind. */
  share: number
  cut(t: TestContext, kitchen: Kitchen, tablet: Tablet): Promise<void>
}

const cuts: Cut[] = [
  {
    share: 40,
    async cut(_t, { by }, { wall }) {
      wall.become('silent')
      await pause(by.between(50, 900))
      wall.become('open')
    },
  },
  {
    share: 25,
    async cut(_t, { by }, { wall }) {
      wall.become('502')
      await pause(by.between(50, 900))
      wall.become('open')
    },
  },
  {
    // A tablet that sleeps runs no script, and its monotonic clock goes on.
    share: 20,
    async cut(_t, { by }, { tools }) {
      await tools.send('Debugger.pause')
      await pause(by.between(100, 1500))
      await tools.send('Debugger.resume').catch(() => {})
    },
  },
  {
    share: 10,
    async cut(_t, { by }, { page }) {
      const ms = by.between(-7_200_000, 7_200_000)
      await page.evaluate(by => {
        const { now } = Date
        Date.now = () => now() + by
      }, ms)
    },
  },
  {
    share: 5,
    async cut(t, kitchen) {
      kitchen.logged.push(...(await kitchen.program.end('SIGKILL')).logged)
      await restart(t, kitchen)
    },
  },
]

/** The kind of cut for a number below 100. */
function indexFor(draw: number): number {
  let below = 0
  return cuts.findIndex(({ share }) => {
    below += share
    return draw < below
  })
}

test(
  `over ${CUTS} cuts every ticket is drawn or an alarm stands, no bump is lost, and nothing is bumped twice`,
  options,
  async t => {
    const seed = process.env.SEED ?? String(Date.now())
    t.diagnostic(`SEED=${seed}`)
    const by = random(seed)
    const kitchen = await openKitchen(t, by)
    const tablets = [await openTablet(t, kitchen, 1), await openTablet(t, kitchen, 1), await openTablet(t, kitchen, 2)]
    const [grill, beside] = tablets as [Tablet, Tablet, Tablet]
    const done: Record<string, number> = {}

    for (let round = 0; round < CUTS; round++) {
      await order(kitchen)
      const tablet = by.pick(tablets as [Tablet])
      const index = indexFor(by.between(0, 99))
      const cutting = cuts[index]?.cut(t, kitchen, tablet)
      // The cooks go on meanwhile; two of them press the same ticket.
      const which = by.between(0, 3)
      await Promise.all([
        cutting,
        ...(by.percent(70) ? tablets : [grill, beside])
          .filter(each => each !== tablet || index !== 2)
          .map(each => bump(each, which)),
      ])
      done[index] = (done[index] ?? 0) + 1
      if (round % Math.ceil(CUTS / LONG_CUTS) === 0) await beSilentForLong(kitchen, [grill, beside])
    }

    for (const tablet of tablets) await showsAll(kitchen, tablet)
    for (const { page } of tablets)
      await page
        .getByText(/not sent/i)
        .filter({ visible: true })
        .first()
        .waitFor({ state: 'detached' })
    await pause(2000)
    assert.deepEqual(flawsOfActs(kitchen, tablets), [])
    assert.deepEqual(concealed(kitchen), [])
    assert.ok(alarmsOf(kitchen).length >= LONG_CUTS, 'no alarm stood')
    assert.ok(
      tablets.some(({ sent }) => sent.size > CUTS / 10),
      'nothing was bumped',
    )
    t.diagnostic(`cuts by kind (silent, 502, asleep, clock, kill -9): ${JSON.stringify(done)}`)
    t.diagnostic(`acts: ${tablets.map(({ sent }) => sent.size).join(' + ')}; alarms: ${alarmsOf(kitchen).length}`)
  },
)

/** Both screens of a station hear nothing for so long that they say so, and an alarm names the ticket that they do not show. */
async function beSilentForLong(kitchen: Kitchen, tablets: Tablet[]): Promise<void> {
  for (const { wall } of tablets) wall.become('silent')
  await order(kitchen)
  await pause(LONG_MS)
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
    for (let count = 0; count < 5; count++) await order(kitchen)
    await showsAll(kitchen, tablet)
    const backup = join(temporaryFolder(t), 'backup.db')
    assert.equal((await servery(file, ['backup', backup])).code, 0)
    for (const left of [4, 3, 2]) {
      await bump(tablet, 0)
      await until(() => openTickets(file, 1).length === left)
      await showsAll(kitchen, tablet)
    }
    await order(kitchen)
    await showsAll(kitchen, tablet)

    assert.equal((await kitchen.program.end('SIGTERM')).code, 0)
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
