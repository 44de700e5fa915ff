import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { restaurant } from '../examples/demo.ts'
import { practice } from '../examples/practice/practice.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import { openStore } from '../store/store.ts'
import { timeZone, weekdayOf } from '../store/terms/clock.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { servery } from './support/commands.ts'
import { root, temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { accepted } from './support/refusals.ts'
import { importInto, openShop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

/** A place with all that practice plays with: hours past midnight, every mode, a kitchen and a store room. */
function bistro() {
  const hours = { open: '12:00', close: '01:00' }
  return smallRestaurant({
    timezone: 'Europe/Berlin',
    opening_hours: {
      tue: hours,
      wed: hours,
      thu: hours,
      fri: hours,
      sat: hours,
      sun: { open: '12:00', close: '17:00' },
    },
    service_modes: ['dine_in', 'takeaway', 'delivery', 'qr'],
    delivery_fee: 3,
    stations: [{ id: 1, title: 'Stove' }],
    stock: [{ id: 1, title: 'Steaks', on_hand: 25, low_at: 5, recipe: [{ item: 3, qty: 1 }] }],
  })
}

// A Friday evening; the weeks before it have the night on which the clock was put back.
const now = '2026-11-06T19:30Z'

function practised(file: string, seed = 'test', days = 14) {
  const clock = heldClock(now)
  importInto(file, bistro(), {}, clock)
  const store = openStore(file, { clock, create: false, busyMs: 1000 })
  const told = practice(store, { days, seed })
  return { store, told }
}

function rows(file: string, sql: string): Record<string, unknown>[] {
  const db = new Database(file, { readonly: true })
  try {
    return db.prepare<[], Record<string, unknown>>(sql).all()
  } finally {
    db.close()
  }
}

test('practice fills a file with plausible days', t => {
  const file = join(temporaryFolder(t), 'test.db')
  const { store, told } = practised(file)
  t.after(() => store.close())
  assert.ok(!isRefused(told))
  assert.deepEqual([told.from, told.to], ['2026-10-23', '2026-11-06'])
  assert.ok(told.orders > 400, String(told.orders))
  assert.deepEqual(store.audit.all(), [])

  const orders = rows(file, 'SELECT id, placed_at AS at, business_date AS date, status FROM orders ORDER BY id') as {
    id: number
    at: number
    date: string
    status: string
  }[]
  const zone = timeZone('Europe/Berlin')
  const last = Date.parse(now)
  for (const [index, { at, date }] of orders.entries()) {
    assert.ok(at <= last && at >= (orders[index - 1]?.at ?? 0), 'one after the other, and none to come')
    assert.notEqual(weekdayOf(date), 'mon')
    const { time } = zone.at(at)
    const closes = weekdayOf(date) === 'sun' ? time < '17:00' : true
    assert.ok((time >= '12:00' && closes) || (time < '01:00' && weekdayOf(date) !== 'sun'), `${date} ${time}`)
  }
  const whole = { from: told.from, to: told.to, locationId: null }
  const { reports } = store
  assert.equal(reports.modes(whole).length, 4)
  assert.ok(reports.channels(whole).length >= 4)
  const byHour = new Map(reports.hours(whole).map(row => [row.hour, row.orders]))
  for (const peak of [13, 20]) assert.ok((byHour.get(peak) ?? 0) > 2 * (byHour.get(16) ?? 0), `${peak}:00 is busy`)
  const byDay = new Map(reports.days(whole).map(row => [row.date, row.orders]))
  assert.ok((byDay.get('2026-10-31') ?? 0) > (byDay.get('2026-10-27') ?? 0), 'Saturdays are busier than Tuesdays')
  assert.ok(reports.items(whole).some(row => row.variationId !== null))
  assert.ok(reports.modifiers(whole).length > 3)
  assert.ok(reports.cancelled(whole).every(({ reason }) => reason !== null))
  assert.ok(reports.cancelled(whole).length > 0)
  assert.ok(reports.payments(whole).some(({ refunded }) => refunded > 0))
  const [steaks] = reports.stock(whole)
  assert.ok(steaks && steaks.sold > 0 && steaks.delivered > 0 && steaks.change === steaks.onHand)
  // It is Friday night: there is something to do in the kitchen, and the days before are done.
  assert.ok(accepted(store.kitchen.list(null)).tickets.length > 0)
  assert.ok(
    orders.filter(({ status }) => status === 'completed').length > 0.9 * (orders.length - (byDay.get(told.to) ?? 0)),
  )
})

test('the same seed produces the same days, and another seed different ones', t => {
  const folder = temporaryFolder(t)
  const tables = ['orders', 'order_line', 'ledger', 'stock_movement', 'ticket', 'ticket_item']
  const [first, again, other] = ['a', 'a', 'b'].map((seed, index) => {
    const file = join(folder, `${index}.db`)
    practised(file, seed, 4).store.close()
    return tables.map(table => rows(file, `SELECT * FROM ${table}`))
  })
  assert.deepEqual(again, first)
  assert.notDeepEqual(other, first)
})

test('practice refuses a file that already has an order, and leaves it unchanged', async t => {
  const shop = await openShop(t, { restaurant: bistro() })
  await shop.order({ location_id: 1, items: [{ item_id: 1, qty: 1 }] })
  const { code, stderr } = await servery(shop.file, ['practice', '--days', '3'])
  assert.equal(code, 1)
  assert.match(stderr, /already has an order; practice only fills a file without orders/)
  assert.equal(shop.rows('SELECT count(*) AS orders FROM orders')[0]?.orders, 1)

  const empty = join(temporaryFolder(t), 'empty.db')
  importInto(empty, null)
  const filled = await servery(empty, ['practice', '--days', '1', '--seed', 'x', '--json'])
  assert.equal(filled.code, 0, filled.stderr)
  const again = await servery(empty, ['practice', '--days', '1'])
  assert.match(again.stderr, /already has \d+ orders/)
})

test('practice sends nothing to endpoints, and doctor mentions that a file is for practice', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, bistro())
  await servery(file, ['webhooks', 'add', 'https://example.com/hook'])
  assert.equal(rows(file, 'SELECT * FROM webhook_endpoint').length, 1)
  const { stdout } = await servery(file, ['practice', '--days', '2'])
  assert.match(stdout, /^Filled .*test\.db with \d+ orders from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\. Try:\n/)
  assert.deepEqual([rows(file, 'SELECT * FROM webhook_event'), rows(file, 'SELECT * FROM webhook_attempt')], [[], []])
  const doctor = await servery(file, ['doctor'])
  assert.equal(doctor.code, 0)
  assert.match(doctor.stdout, /make-believe orders of .* serve real guests from another file/)
})

test("without a file, practice uses the demo's and never the restaurant's", async t => {
  const folder = temporaryFolder(t)
  const environment: NodeJS.ProcessEnv = { ...process.env }
  delete environment.DATABASE_FILE
  const line = ['--import', import.meta.resolve('tsx'), join(root, 'cli.ts'), 'practice', '--days', '1']
  const child = spawn(process.execPath, line, { cwd: folder, env: environment, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
  assert.equal(existsSync(join(folder, 'data/servery.db')), false)
  assert.ok(rows(join(folder, 'data/demo.db'), 'SELECT id FROM orders').length > 0)
  assert.equal(rows(join(folder, 'data/demo.db'), 'SELECT id FROM location').length, restaurant().locations.length)
})

test('practice leaves a demo with orders alone and fills another file', async t => {
  const folder = temporaryFolder(t)
  const environment: NodeJS.ProcessEnv = { ...process.env }
  delete environment.DATABASE_FILE
  const line = ['--import', import.meta.resolve('tsx'), join(root, 'cli.ts')]
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [...line, ...args], { cwd: folder, env: environment, stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    return code
  }
  const countIn = (name: string) => rows(join(folder, name), 'SELECT count(*) AS orders FROM orders')[0]?.orders
  mkdirSync(join(folder, 'data'))
  importInto(join(folder, 'data/demo.db'), smallRestaurant())
  const store = openStore(join(folder, 'data/demo.db'), { clock: heldClock(now), create: false, busyMs: 1000 })
  const draft = parseDraft({ location_id: 1, items: [{ item_id: 1, qty: 1 }] })
  assert.ok(!isRefused(draft))
  store.orders.place(draft, 'api')
  store.close()
  assert.equal(await run('practice', '--days', '1'), 0)
  assert.equal(countIn('data/demo.db'), 1)
  assert.ok(Number(countIn('data/practice.db')) > 0)
  assert.equal(await run('practice', '--days', '1'), 1)
})

test('a wrong call of practice is refused with the reason', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, null)
  for (const args of [['x'], ['--days', '0'], ['--days', 'x']]) {
    assert.equal((await servery(file, ['practice', ...args])).code, 2, args.join(' '))
  }
  assert.match((await servery(file, ['practice', '--days', '367'])).stderr, /At most 366 days/)
  const hidden = join(temporaryFolder(t), 'hidden.db')
  importInto(hidden, smallRestaurant({ published: false }))
  const store = openStore(hidden, { clock: heldClock(now), create: false, busyMs: 1000 })
  t.after(() => store.close())
  assert.deepEqual(practice(store, { days: 1, seed: '' }), { refused: 'nothing published' })
})
