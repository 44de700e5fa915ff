import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { random } from '../../examples/practice/random.ts'
import { timeZone } from '../../store/terms/clock.ts'
import { type Acknowledged, flawsOf } from '../support/acknowledged.ts'
import { servery } from '../support/commands.ts'
import { restaurantIn } from '../support/demo-restaurant.ts'
import { temporaryFolder } from '../support/folders.ts'
import type { Program } from '../support/program.ts'
import { type Menu, orderFrom } from '../support/random-order.ts'
import { receiver } from '../support/receivers.ts'
import { until } from '../support/until.ts'
import { environmentForReceivers } from '../support/webhook-log.ts'
import { api } from '../support/wire.ts'
import { type FalseClock, falseClockIn, whyNoClock } from './false-clock.ts'
import { served } from './serving.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SITE = 'Europe/Lisbon'

const options = whyNoClock === undefined ? {} : { skip: whyNoClock }

interface Restaurant {
  file: string
  clock: FalseClock
  environment: Record<string, string>
  acknowledged: Acknowledged[]
  /** Starts the server by the clock of the restaurant. It is gone after the test. */
  start(): Promise<Serving>
  /** Runs a command by the same clock, and answers what it prints. */
  run(...args: string[]): Promise<{ code: number | null; stdout: string }>
  /** What a command prints with --json. */
  // biome-ignore lint/suspicious/noExplicitAny: commands of every kind are looked into
  json(...args: string[]): Promise<any>
  rows(sql: string): Record<string, unknown>[]
}

interface Serving extends Program {
  /** Orders something from an address, a new one each time unless it is given. */
  order(address?: string): Promise<Answer>
  /** So many orders at once, all of which must be created. */
  orders(count: number): Promise<Answer['body'][]>
  menu(): Promise<Menu>
}

interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: orders and errors are looked into
  body: any
}

/** The restaurant with a clock of its own, which shows half past five tomorrow morning: a new business day. */
function restaurantWithClock(t: TestContext, more: Record<string, string> = {}): Restaurant {
  const folder = temporaryFolder(t)
  const { file, token } = restaurantIn(folder)
  const clock = falseClockIn(folder)
  const tomorrow = new Date(Date.now() + DAY).toISOString().slice(0, 10)
  clock.set(timeZone(SITE).instantOf(tomorrow, '05:30:00'))
  const environment = { ...clock.environment, TRUSTED_PROXIES: '127.0.0.1/32', ...more }
  const acknowledged: Acknowledged[] = []
  const by = random('clock')
  let addresses = 0

  async function start(): Promise<Serving> {
    const server = await served(t, file, { environment })
    const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
      const headers = { 'X-Api-Token': token, 'Content-Type': 'application/json', ...init.headers }
      const response = await fetch(`http://127.0.0.1:${server.port}${api}${path}`, { ...init, headers })
      return { status: response.status, headers: response.headers, body: await response.json() }
    }
    const menu = async (): Promise<Menu> => (await ask('/locations/1/menu')).body.data
    const first = await menu()

    async function order(address?: string): Promise<Answer> {
      const from = address ?? `10.0.${addresses >> 8}.${addresses++ & 255}`
      const body = JSON.stringify(orderFrom(1, first, by))
      const answer = await ask('/orders', { method: 'POST', headers: { 'X-Forwarded-For': from }, body })
      const { data } = answer.body
      if (answer.status === 201) acknowledged.push({ ...data, lines: data.items.length })
      return answer
    }
    async function orders(count: number): Promise<Answer['body'][]> {
      const answers = await Promise.all(Array.from({ length: count }, () => order()))
      for (const { status, body } of answers) assert.equal(status, 201, JSON.stringify(body))
      return answers.map(({ body }) => body.data)
    }
    return { ...server, order, orders, menu }
  }

  async function run(...args: string[]): Promise<{ code: number | null; stdout: string }> {
    const { code, stdout, stderr } = await servery(file, args, { environment })
    assert.ok(code !== 2 && code !== null, stderr)
    return { code, stdout }
  }

  return {
    file,
    clock,
    environment,
    acknowledged,
    start,
    run,
    json: async (...args) => JSON.parse((await run(...args, '--json')).stdout),
    rows(sql) {
      const db = new Database(file, { readonly: true })
      try {
        return db.prepare<[], Record<string, unknown>>(sql).all()
      } finally {
        db.close()
      }
    },
  }
}

/** What the clock on the site's wall shows. */
function wallAt(instant: number): string {
  const { date, time } = timeZone(SITE).at(instant)
  return `${date} ${time}`
}

const jumps: [name: string, by: number][] = [
  ['back an hour', -HOUR],
  ['forward a day', DAY],
  ['back that day', -DAY],
  ['forward that hour', HOUR],
]

test(
  'when the clock is set while the server runs, orders go on and the order limit is neither lifted nor prolonged',
  options,
  async t => {
    const { file, clock, acknowledged, run, start } = restaurantWithClock(t)
    const LIMIT = 5
    const WINDOW_S = 6
    await run('settings', 'set', 'orders.limit', String(LIMIT))
    await run('settings', 'set', 'orders.limit_window_s', String(WINDOW_S))
    const server = await start()
    await server.orders(20)
    for (const [name, by] of jumps) {
      const address = `192.0.2.${acknowledged.length & 255}`
      const fill = async () => {
        for (let i = 0; i < LIMIT; i++) assert.equal((await server.order(address)).status, 201, name)
      }
      const assertShut = async () => {
        const { status, headers } = await server.order(address)
        assert.equal(status, 429, name)
        const wait = Number(headers.get('retry-after'))
        assert.ok(wait >= 1 && wait <= WINDOW_S, `${name}: Retry-After ${wait}`)
      }
      await fill()
      const filledAt = performance.now()
      await assertShut()
      clock.set(clock.now() + by)
      await assertShut()
      for (const { placed_at } of await server.orders(20)) {
        const off = Date.parse(`${placed_at}Z`) - Date.parse(`${wallAt(clock.now())}Z`)
        assert.ok(Math.abs(off) < 5000, `${name}: ${placed_at} at ${wallAt(clock.now())}`)
      }
      await pause(filledAt + WINDOW_S * 1000 + 100 - performance.now())
      await fill()
      await assertShut()
    }
    const { code, logged } = await server.end('SIGTERM')
    assert.equal(code, 0)
    assert.deepEqual(
      logged.filter(({ level }) => level === 'error'),
      [],
    )
    assert.deepEqual(flawsOf(file, acknowledged), [])
    t.diagnostic(`times set: ${jumps.length}; orders answered 201: ${acknowledged.length}, lost: 0, gaps: 0`)
  },
)

test(
  'when the clock is set between two runs, numbers continue, reports add up, and orders are found',
  options,
  async t => {
    const { file, clock, acknowledged, start, json, rows } = restaurantWithClock(t)
    const right = clock.now()
    const each = 15
    const runs: { at: number; isEarlierThanLast: boolean }[] = [
      { at: right, isEarlierThanLast: false },
      { at: right - HOUR, isEarlierThanLast: true },
      { at: right + DAY, isEarlierThanLast: false },
      { at: right + HOUR, isEarlierThanLast: true },
    ]
    for (const [index, { at, isEarlierThanLast }] of runs.entries()) {
      clock.set(at)
      const server = await start()
      const placed = await server.orders(each)
      // The one that came last is the first in every list, whatever time it was placed at.
      const newest = Math.max(...placed.map(({ id }) => id))
      assert.equal(newest, each * (index + 1))
      const last = await json('orders', '--last', String(each))
      assert.deepEqual(
        last.map(({ id }: { id: number }) => id),
        Array.from({ length: each }, (_, back) => newest - back),
      )
      const found = await json('find', '--at', wallAt(at).slice(0, 16))
      assert.deepEqual(
        found.map(({ id }: { id: number }) => id),
        last.map(({ id }: { id: number }) => id),
      )
      const { problems } = await json('doctor')
      assert.deepEqual(
        problems.map(({ pointer, message }: Record<string, string>) => [pointer, message?.replace(/\(.*\)/, '(…)')]),
        isEarlierThanLast ? [['/clock', 'is earlier than the last order (…); set the clock right']] : [],
      )
      const { code } = index % 2 === 0 ? await server.end('SIGTERM') : await server.end('SIGKILL')
      assert.equal(code, index % 2 === 0 ? 0 : null)
    }

    const days = timeZone(SITE)
    const period = ['--from', days.at(right - DAY).date, '--to', days.at(right + 2 * DAY).date]
    const [summary] = (await json('report', 'summary', ...period)).rows
    const perDay = (await json('report', 'days', ...period)).rows as Record<string, number>[]
    const [ledger] = rows('SELECT count(*) AS entries, sum(amount_minor) / 100.0 AS charged FROM ledger')
    const sum = (key: string) => perDay.reduce((total, row) => total + Math.round((row[key] ?? 0) * 100), 0) / 100
    assert.equal(perDay.length, 3, 'an hour before and a day after are other business days')
    assert.deepEqual(
      [summary.orders, summary.total, summary.orders_charges],
      [sum('orders'), sum('total'), sum('total')],
    )
    assert.deepEqual([ledger?.entries, ledger?.charged], [summary.orders, summary.orders_charges])
    assert.equal(summary.days_balance, summary.orders_balance)
    assert.deepEqual(flawsOf(file, acknowledged), [])
    t.diagnostic(`runs: ${runs.length}; orders answered 201: ${acknowledged.length}, lost: 0, gaps: 0`)
  },
)

test('when the clock is set back, the kitchen keeps the sequence in which orders arrived', options, async t => {
  const { clock, start, json } = restaurantWithClock(t)
  const server = await start()
  await server.orders(5)
  clock.set(clock.now() - HOUR)
  await server.orders(5)
  const tickets: { order_id: number; minutes_waiting: number }[] = await json('kitchen')
  const orders = tickets.map(ticket => ticket.order_id)
  assert.ok(new Set(orders).size > 5, 'tickets of both times are open')
  assert.deepEqual(
    orders,
    [...orders].sort((a, b) => a - b),
  )
  for (const ticket of tickets) assert.ok(ticket.minutes_waiting >= 0)
  await server.end('SIGTERM')
})

test(
  'an 86 with an end is lifted by the clock, and holds again when the clock is set back before its end',
  options,
  async t => {
    const { clock, start, run, json } = restaurantWithClock(t)
    const server = await start()
    const item = (await server.menu()).categories[0]?.items[0]?.id ?? 0
    const isServed = async () =>
      (await server.menu()).categories.some(({ items }) => items.some(({ id }) => id === item))
    const isListed = async () =>
      (await json('availability')).some((entry: { item_id: number }) => entry.item_id === item)
    const right = clock.now()
    await run('availability', '1', String(item), 'off', '--until', wallAt(right + HOUR / 2).slice(0, 16))
    assert.deepEqual([await isServed(), await isListed()], [false, true])
    clock.set(right - HOUR)
    assert.deepEqual([await isServed(), await isListed()], [false, true], 'an hour back')
    clock.set(right + DAY)
    assert.deepEqual([await isServed(), await isListed()], [true, false], 'a day forward')
    clock.set(right)
    assert.deepEqual([await isServed(), await isListed()], [false, true], 'right again')
    clock.set(right + HOUR)
    assert.deepEqual([await isServed(), await isListed()], [true, false], 'after that time')
    await server.end('SIGTERM')
  },
)

test(
  'when the clock is set wrong and corrected, every event is delivered once, stamped by the clock, or recorded as lost',
  options,
  async t => {
    const { url, got, arrival } = await receiver(t)
    const more = environmentForReceivers(temporaryFolder(t))
    const { file, clock, acknowledged, start, run, rows } = restaurantWithClock(t, more)
    assert.equal((await run('webhooks', 'add', url)).code, 0)
    const right = clock.now()
    const server = await start()
    let told = 0
    for (const at of [right, right - HOUR, right + DAY, right]) {
      clock.set(at)
      await server.orders(10)
      told += 10
      await arrival(told)
      for (const { headers, body } of got.slice(told - 10)) {
        const timestamp = Number(headers['webhook-timestamp'])
        assert.ok(Math.abs(timestamp * 1000 - clock.now()) < 15_000, `it says ${timestamp} at ${clock.now() / 1000}`)
        assert.equal(Date.parse(JSON.parse(body.toString()).timestamp), timestamp * 1000)
      }
    }
    assert.equal(new Set(got.map(({ headers }) => headers['webhook-id'])).size, told)
    const states = () => rows('SELECT state, count(*) AS count FROM webhook_attempt GROUP BY state ORDER BY state')
    await until(() => states().length === 1)
    assert.deepEqual(states(), [{ state: 'received', count: told }])
    assert.equal((await server.end('SIGKILL')).code, null)

    // As if it had been killed between the commit of the last ten orders and their attempts.
    function unsend(orders: number): void {
      const db = new Database(file)
      db.exec(`
      UPDATE webhook_attempt SET state = 'pending', started_at = NULL, signatures = NULL, status = NULL, took_ms = NULL,
             response = NULL WHERE id > (SELECT max(id) FROM webhook_attempt) - ${orders};
      UPDATE webhook_event SET dispatched_at = NULL WHERE id > (SELECT max(id) FROM webhook_event) - ${orders};`)
      db.close()
    }
    async function nextRun(at: number): Promise<void> {
      clock.set(at)
      const next = await start()
      await until(() => rows(`SELECT 1 FROM webhook_attempt WHERE state IN ('pending', 'started')`).length === 0)
      assert.equal((await next.end('SIGTERM')).code, 0)
    }
    unsend(10)
    await nextRun(right - HOUR)
    assert.equal(got.length, told + 10, 'what was written in an hour to come is not too old')
    unsend(10)
    await nextRun(right + DAY)
    assert.equal(got.length, told + 10, 'what was written a day ago is not sent any more')
    assert.deepEqual(rows(`SELECT DISTINCT reason FROM webhook_attempt WHERE state = 'lost'`), [
      { reason: 'it waited for more than 5 minutes' },
    ])

    // The log keeps 30 days (decision F8), by the clock.
    const db = new Database(file)
    const age = db.prepare<{ id: number; at: number }>('UPDATE webhook_event SET created_at = @at WHERE id = @id')
    age.run({ id: 1, at: right - 28 * DAY })
    age.run({ id: 2, at: right - 31 * DAY })
    db.close()
    for (const at of [right + DAY, right - HOUR]) await nextRun(at)
    assert.deepEqual(rows('SELECT id FROM webhook_event WHERE id <= 3 ORDER BY id'), [{ id: 1 }, { id: 3 }])
    assert.deepEqual(flawsOf(file, acknowledged), [])
    t.diagnostic(`orders answered 201: ${acknowledged.length}; webhooks delivered: ${told}, twice: 0`)
  },
)
