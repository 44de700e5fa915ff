import assert from 'node:assert/strict'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { showReport } from '../display/report.ts'
import { reader, TooManyReads } from '../reader/reader.ts'
import { systemClock } from '../store/terms/clock.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { temporaryFolder } from './support/folders.ts'
import { importInto, openShop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'
import { until } from './support/until.ts'
import { goodOrder } from './support/wire.ts'

/** A reading thread without a server, on the file of a small restaurant, and the errors that it logs. */
function openReader(t: TestContext, idleMs?: number) {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, smallRestaurant())
  const errors: unknown[] = []
  const log = { info() {}, repeated() {}, error: (_: string, cause: unknown) => void errors.push(cause) }
  const reading = reader({ databaseFile: file, clock: systemClock, log, ...(idleMs !== undefined && { idleMs }) })
  t.after(reading.stop)
  return { file, errors, ...reading }
}

function renameTable(file: string, from: string, to: string): void {
  const db = new Database(file)
  db.exec(`ALTER TABLE ${from} RENAME TO ${to}`)
  db.close()
}

test('a slow read returns what the store returns, with everything that was written before it', async t => {
  const shop = await openShop(t)
  const period = shop.store.reports.period({})
  assert.ok(!isRefused(period))
  for (const orders of [1, 2]) {
    assert.equal((await shop.order(goodOrder)).status, 201)
    assert.equal((await shop.reader.read('unpaidOrders', 10)).length, orders)
    assert.deepEqual(await shop.reader.read('report', 'items', period), showReport('items', shop.store.reports, period))
  }
})

test('requests are served while a slow read runs, and a stopping server ends a backup and removes its copy', async t => {
  const shop = await openShop(t)
  // The backup takes about 10 ms for each of these megabytes.
  shop.execute(`INSERT INTO catalogue_version (at, actor, what, document)
    SELECT 0, 'test', 'replace', hex(zeroblob(10000000)) FROM json_each('[1,2,3,4]')`)
  const copy = `${shop.file}.copy`
  let isDone = false
  const rejected = assert.rejects(
    shop.reader.read('backup', copy).finally(() => {
      isDone = true
    }),
    /the reading thread has ended/,
  )
  await until(() => existsSync(`${copy}.partial`))
  for (let i = 0; i < 3; i++) assert.equal((await shop.get('/locations/1/menu')).status, 200)
  assert.equal((await shop.order(goodOrder)).status, 201)
  assert.equal(isDone, false)
  await shop.stop()
  await rejected
  assert.deepEqual(
    readdirSync(join(shop.file, '..')).filter(name => name.includes('copy')),
    [],
  )
  await assert.rejects(shop.reader.read('audit'), /the reading thread has ended/)
})

test('a read that fails rejects with its cause, and the next one is done', async t => {
  const { file, errors, read } = openReader(t)
  assert.deepEqual(await read('audit'), [])
  renameTable(file, 'ledger', 'elsewhere')
  await assert.rejects(read('audit'), /no such table.*ledger/)
  renameTable(file, 'elsewhere', 'ledger')
  assert.deepEqual(await read('audit'), [])
  assert.deepEqual(errors, [])
})

test('while the thread cannot be started, all waiting reads reject with the cause; the next one starts it again', async t => {
  const { file, errors, read } = openReader(t)
  renameTable(file, 'order_line', 'elsewhere')
  const both = await Promise.allSettled([read('audit'), read('exportCatalogue')])
  for (const { status, reason } of both as PromiseRejectedResult[]) {
    assert.equal(status, 'rejected')
    assert.match(reason.message, /no such table.*order_line/)
  }
  assert.equal(errors.length, 1)
  renameTable(file, 'elsewhere', 'order_line')
  assert.deepEqual(await read('audit'), [])
})

test('at most 32 reads wait; one more is refused at once', async t => {
  const { read } = openReader(t)
  const accepted = Array.from({ length: 33 }, () => read('audit'))
  await assert.rejects(read('audit'), TooManyReads)
  await Promise.all(accepted)
  assert.deepEqual(await read('audit'), [])
})

const onlyOnLinux = platform() === 'linux' ? {} : { skip: 'open files are listed only on Linux' }

test('a thread without work closes the file after a while, and the next read opens it again', onlyOnLinux, async t => {
  const { file, read } = openReader(t, 50)
  const isOpen = () => openFiles().includes(file)
  assert.equal(isOpen(), false)
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(await read('audit'), [])
    assert.equal(isOpen(), true)
    await until(() => !isOpen())
  }
})

/** The names of all files that this process has open. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').map(handle => {
    try {
      return readlinkSync(join('/proc/self/fd', handle))
    } catch {
      // The one for this list.
      return ''
    }
  })
}
