import assert from 'node:assert/strict'
import { copyFileSync, existsSync, openSync, readFileSync, renameSync, statSync, symlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { readConfiguration } from '../configuration.ts'
import { CannotStart, type Serving, serve } from '../server.ts'
import { jsonLog } from '../store/log.ts'
import type { StockId } from '../store/terms/ids.ts'
import { temporaryFolder } from './support/folders.ts'
import { orderOf, pizzeria, salad } from './support/pizzeria.ts'
import { openShop } from './support/shop.ts'

/** A file as a process leaves it that dies after so many orders: with a log that nobody has brought in. */
async function fileOfTheDead(t: TestContext, orders: number): Promise<string> {
  const shop = await openShop(t, { restaurant: pizzeria() })
  shop.store.shelf.change(1 as StockId, 'add', 1000, 'what the mill delivered')
  for (let i = 0; i < orders; i++) {
    assert.equal((await shop.order({ ...orderOf(salad), notes: 'by the window' })).status, 201)
  }
  const file = join(temporaryFolder(t), 'left.db')
  copyFileSync(shop.file, file)
  copyFileSync(`${shop.file}-wal`, `${file}-wal`)
  return file
}

interface Started extends Serving {
  logged: Record<string, unknown>[]
  /** The line of an event, once it is logged. */
  line(event: string): Promise<Record<string, unknown>>
}

async function start(t: TestContext, file: string): Promise<Started> {
  const logged: Record<string, unknown>[] = []
  const log = jsonLog(lines => {
    for (const line of lines.trimEnd().split('\n')) logged.push(JSON.parse(line))
  }, Date.now)
  const { configuration } = readConfiguration({ PORT: '0', DATABASE_FILE: file })
  const serving = await serve(configuration, { log })
  let isStopped = false
  async function stop(): Promise<void> {
    if (!isStopped) await serving.stop()
    isStopped = true
  }
  t.after(stop)
  return {
    ...serving,
    stop,
    logged,
    async line(event) {
      for (;;) {
        const found = logged.find(line => line.event === event)
        if (found) return found
        await new Promise(resolve => setTimeout(resolve, 10))
      }
    },
  }
}

test('a start after a crash logs it and then that the whole file is sound; the next start logs neither', async t => {
  const file = await fileOfTheDead(t, 3)
  const size = statSync(`${file}-wal`).size
  const { line, logged, stop } = await start(t, file)
  const recovered = await line('recovered')
  assert.deepEqual([recovered.bytesLeftBehind, recovered.lastOrder, recovered.problems], [size, 3, 0])
  assert.deepEqual((await line('checked')).file, file)
  assert.deepEqual(
    logged.map(({ event }) => event),
    ['recovered', 'serving', 'checked'],
  )
  await stop()

  const again = await start(t, file)
  await again.line('serving')
  assert.deepEqual(
    again.logged.map(({ event }) => event),
    ['serving'],
  )
})

test('a start is refused while only the log of a database is there, also behind a symbolic link, and the log is kept', async t => {
  const file = await fileOfTheDead(t, 3)
  const log = readFileSync(`${file}-wal`)
  const link = join(temporaryFolder(t), 'servery.db')
  symlinkSync(file, link)
  renameSync(file, `${file}-moved`)
  for (const name of [file, link]) {
    await assert.rejects(start(t, name), (error: unknown) => {
      assert.ok(error instanceof CannotStart)
      assert.match(error.message, /^There is no database at \S+, but its log \S+left\.db-wal is there, /)
      return true
    })
  }
  assert.equal(existsSync(file), false)
  assert.deepEqual(readFileSync(`${file}-wal`), log)

  renameSync(`${file}-moved`, file)
  assert.equal((await (await start(t, link)).line('recovered')).lastOrder, 3)
})

test('a server that is stopped while checking a recovered file ends at once', async t => {
  const file = await fileOfTheDead(t, 1)
  const { stop } = await start(t, file)
  await stop()
  assert.equal(statSync(`${file}-wal`, { throwIfNoEntry: false }), undefined)
})

test('inconsistencies among the newest orders of a recovered file are reported, and the file is served', async t => {
  const file = await fileOfTheDead(t, 2)
  const db = new Database(file)
  db.exec("UPDATE orders SET subtotal_minor = 1 WHERE id = 2; UPDATE orders SET status = 'completed' WHERE id = 1")
  copyFileSync(`${file}-wal`, `${file}-kept`)
  db.close()
  copyFileSync(`${file}-kept`, `${file}-wal`)
  const { line, logged } = await start(t, file)
  assert.equal((await line('recovered')).problems, 4)
  assert.deepEqual(
    logged.filter(({ event }) => event === 'recovered with a problem').map(({ error }) => error),
    [
      '/orders/2 the subtotal is not the sum of its lines',
      '/orders/2 the grand total is not the sum of its parts',
      '/orders/1 is completed, but not fully paid',
      '/orders/1 is completed or cancelled, but has an open ticket',
    ],
  )
})

/** Overwrites the middle of the page of a recovered file that a text is in. */
function damage(file: string, text: string): void {
  const db = new Database(file)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const size = Number(db.pragma('page_size', { simple: true }))
  copyFileSync(file, `${file}-whole`)
  db.close()
  const page = Math.floor(readFileSync(`${file}-whole`).indexOf(text) / size)
  assert.ok(page > 0)
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(size / 2, 0xa5), 0, size / 2, page * size)
  // What is left behind may be anything that is not empty: a log without a header holds nothing.
  copyFileSync(file, `${file}-wal`)
}

test('a recovered file whose newest orders are damaged is refused, with advice', async t => {
  const file = await fileOfTheDead(t, 2)
  damage(file, 'by the window')
  await assert.rejects(start(t, file), (error: unknown) => {
    assert.ok(error instanceof CannotStart)
    assert.match(error.message, /^The database .*left\.db is damaged\. Restore the last backup/)
    return true
  })
})

test('damage that only the full check of a recovered file finds is reported as soon as it is found', async t => {
  const file = await fileOfTheDead(t, 1)
  damage(file, 'what the mill delivered')
  const { line } = await start(t, file)
  const told = await line('the file is damaged')
  assert.match(String(told.error), /; docs\/recovery\.md says what to do$/)
})
