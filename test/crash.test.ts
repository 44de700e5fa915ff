import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import Database from 'better-sqlite3'
import type { LocationId, StationId } from '../store/terms/ids.ts'
import { runToEnd, servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { orderOf, pizza, pizzeria, salad } from './support/pizzeria.ts'
import { accepted } from './support/refusals.ts'
import { importInto } from './support/shop.ts'
import { withStore } from './support/store.ts'

const tables = [
  'orders',
  'order_line',
  'ticket',
  'ticket_item',
  'ledger',
  'stock_item',
  'stock_movement',
  'webhook_event',
  'ticket_event',
  'print_job',
  'printed_until',
]

/** Two printers, for which jobs are to be made. */
function addPrinters(file: string): void {
  withStore(file, store => {
    for (const title of ['One', 'Two']) {
      const wanted = { title, locationId: 1 as LocationId, protocol: 'star', widthMm: 80, columns: 48 } as const
      const usual = { characters: 'plain', prints: 'every ticket', stations: [] as StationId[] } as const
      accepted(store.printing.printers.add({ ...wanted, ...usual }, null))
    }
  })
}

/** All that is kept of orders, and whether the sums agree. */
function contentsOf(file: string): unknown {
  const db = new Database(file)
  try {
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
    return tables.map(table => db.prepare(`SELECT * FROM ${table}`).all())
  } finally {
    db.close()
  }
}

for (const act of ['place', 'edit', 'pay', 'cancel', 'print']) {
  test(`kill -9 between any two writes of ${act} leaves none of them in the file`, async t => {
    const folder = temporaryFolder(t)
    const start = join(folder, 'start.db')
    importInto(start, pizzeria())
    const endpoint = new Database(start)
    endpoint.exec("INSERT INTO webhook_endpoint (url, paused, created_at) VALUES ('https://127.0.0.1:9/', 0, 0)")
    endpoint.close()
    if (act === 'print') addPrinters(start)
    if (act !== 'place') {
      const input = JSON.stringify(orderOf(pizza(2, 1), salad))
      assert.equal((await servery(start, ['place', '--file', '-', '--source', 'pos'], { input })).code, 0)
    }
    const before = contentsOf(start)
    let isDone = false
    let kills = 0
    for (let n = 1; !isDone; n += 4) {
      // A few at once, because most of the time goes into starting.
      const ends = await Promise.all(
        [n, n + 1, n + 2, n + 3].map(async each => {
          const file = join(folder, `${each}.db`)
          copyFileSync(start, file)
          const { stdout } = await runToEnd(['test/support/crash-child.ts', file, act, String(each)])
          return { file, stdout }
        }),
      )
      for (const { file, stdout } of ends) {
        if (stdout === '') {
          kills++
          assert.deepEqual(contentsOf(file), before)
        } else {
          assert.equal(stdout, 'done\n')
          assert.notDeepEqual(contentsOf(file), before)
          isDone = true
        }
      }
    }
    assert.ok(kills >= 5, `${kills} writes`)
  })
}
