import assert from 'node:assert/strict'
import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { orderLimit } from '../store/ordering/order-limit.ts'
import type { Actor } from '../store/people/actor.ts'
import { parseRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { systemClock } from '../store/terms/clock.ts'
import type { OrderId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { writer } from '../writer/writer.ts'
import { temporaryFolder } from './support/folders.ts'
import { importInto, openShop, type Shop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'
import { goodOrder, orderCount, postOf } from './support/wire.ts'

const ana: Actor = { kind: 'staff', id: 1, name: 'Ana' }

const ORDER_FAILED = { errors: [{ title: 'The order could not be created.', code: 'ORDER_FAILED' }] }

const healthOf = async ({ url }: Shop): Promise<number> => (await fetch(`${url}/healthz`)).status

const errorsOf = ({ logged }: Shop, event: string) =>
  logged.filter(line => line.level === 'error' && line.event === event)

/** Keeps everybody else from writing to a file until `release`. */
function lock(t: TestContext, file: string): { release(): void } {
  const db = new Database(file)
  t.after(() => db.close())
  db.exec('BEGIN IMMEDIATE')
  return { release: () => void db.exec('ROLLBACK') }
}

const disappearances: [how: string, happen: (file: string) => void][] = [
  ['removed', file => rmSync(file)],
  ['moved away', file => renameSync(file, `${file}.elsewhere`)],
  [
    'replaced by another file',
    file => {
      copyFileSync(file, `${file}.other`)
      renameSync(`${file}.other`, file)
    },
  ],
  ['separated from its log of commits', file => rmSync(`${file}-wal`)],
]
for (const [how, happen] of disappearances) {
  test(`when the file is ${how}, orders get 500 ORDER_FAILED, /healthz says so, and the log says once what to do`, async t => {
    const shop = await openShop(t)
    assert.equal((await shop.order(goodOrder)).status, 201)
    happen(shop.file)
    for (let i = 0; i < 3; i++) {
      const { status, body } = await shop.order(goodOrder)
      assert.deepEqual([status, body], [500, ORDER_FAILED])
    }
    assert.equal(await healthOf(shop), 500)
    assert.equal((await shop.get('/locations/1/menu')).status, 200)
    const [told, ...more] = errorsOf(shop, 'the database file is gone')
    assert.match(String(told?.advice), /docs\/recovery\.md/)
    assert.deepEqual(more, [])
  })
}

test('orders that were refused while the file was elsewhere do not turn up when it is moved back', async t => {
  const shop = await openShop(t)
  const elsewhere = `${shop.file}.elsewhere`
  renameSync(shop.file, elsewhere)
  assert.equal((await shop.order(goodOrder)).status, 500)
  renameSync(elsewhere, shop.file)
  assert.equal((await shop.order(goodOrder)).body.data.order_number, 'ORD-000001')
  assert.equal(orderCount(shop), 1)
  assert.equal(await healthOf(shop), 200)
})

test('while the thread cannot be started, writes are refused and the writer says so; then it is started again', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, smallRestaurant())
  const rename = (from: string, to: string) => {
    const db = new Database(file)
    db.exec(`ALTER TABLE ${from} RENAME TO ${to}`)
    db.close()
  }
  const errors: unknown[] = []
  const log = { info() {}, repeated() {}, error: (_: string, cause: unknown) => void errors.push(cause) }
  const limit = orderLimit(systemClock.elapsed, () => ({ orders: 60, windowS: 300 }))
  rename('order_line', 'elsewhere')
  const writing = writer({ databaseFile: file, clock: systemClock, log, limit, onEvents() {}, onWritten() {} })
  writing.start()
  t.after(writing.stop)
  await assert.rejects(writing.act(ana, 'setSetting', 'site.title', 'Other'), /no such table.*order_line/)
  assert.throws(writing.expectRunning)
  assert.equal(errors.length, 1)
  rename('elsewhere', 'order_line')
  await writing.act(ana, 'setSetting', 'site.title', 'Other')
  writing.expectRunning()
})

test('an order whose client gives up while another process writes is not created', async t => {
  const shop = await openShop(t)
  const { release } = lock(t, shop.file)
  const impatient = connect(shop.port, '127.0.0.1')
  impatient.write(postOf(shop))
  // Once its answer comes, the order before it has been handed to the writer.
  assert.equal((await shop.get('/locations/1/menu')).status, 200)
  const patient = shop.order(goodOrder)
  impatient.resetAndDestroy()
  // The server has seen that before it responds to what comes later.
  for (let i = 0; i < 3; i++) assert.equal((await shop.get('/locations/1/menu')).status, 200)
  release()
  assert.equal((await patient).status, 201)
  assert.equal(orderCount(shop), 1)
})

test('a write by name resolves with what the store returns, after writes that came before it', async t => {
  const shop = await openShop(t)
  const order = shop.order(goodOrder)
  const id = 1 as OrderId
  const { status, body } = await order
  assert.equal(status, 201)
  const amount = Math.round(body.data.grand_total * 100)
  const [first, second] = await Promise.all([
    shop.writer.act(ana, 'pay', id, { amount, method: 'cash' }),
    shop.writer.act(ana, 'pay', id, { amount, method: 'cash' }),
  ])
  assert.ok(!isRefused(first))
  assert.equal(first.standing.balance, 0)
  assert.ok(isRefused(second))
  assert.equal(second.refused, 'nothing to pay')
})

test('while another process writes, a write waits and reads are served', async t => {
  const shop = await openShop(t)
  const { release } = lock(t, shop.file)
  let isDone = false
  const write = shop.writer.act(ana, 'setSetting', 'site.title', 'Waited').then(() => {
    isDone = true
  })
  for (let i = 0; i < 5; i++) assert.equal((await shop.get('/locations/1/menu')).status, 200)
  assert.equal(isDone, false)
  release()
  await write
  assert.equal(shop.store.settings.current().title, 'Waited')
})

test('an import in the server process holds at the next request, its time zone included', async t => {
  const clock = { now: () => Date.parse('2026-11-20T12:00:00Z'), elapsed: () => performance.now() }
  const shop = await openShop(t, { clock })
  assert.equal((await shop.order(goodOrder)).body.data.placed_at, '2026-11-20 12:00:00')
  const restaurant = { ...smallRestaurant(), site: { title: 'Elsewhere', timezone: 'Asia/Tokyo' } }
  const { file, problems } = parseRestaurantFile(JSON.stringify(restaurant))
  assert.deepEqual(problems, [])
  await shop.writer.act(ana, 'importCatalogue', file)
  assert.equal((await shop.order(goodOrder)).body.data.placed_at, '2026-11-20 21:00:00')
})
