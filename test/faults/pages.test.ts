import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { restaurantIn } from '../support/demo-restaurant.ts'
import { temporaryFolder } from '../support/folders.ts'
import { logIn } from '../support/log-in.ts'
import { withStore } from '../support/store.ts'
import { type Fault, inject, withInjection } from './injection.ts'
import { served } from './serving.ts'

/** A form of each part of the office: its path and fields. */
const forms: [path: string, fields: Record<string, string>][] = [
  ['/office/menu/off', { item: '303', kind: 'item', id: '303', location: '1', where: 'here', until: 'open' }],
  ['/office/stock', { stock: '1', act: 'add', quantity: '2', reason: '' }],
  ['/office/money/drawer', { location: '1', kind: 'paid_in', sum: '5', reason: 'change', attempt: 'a' }],
  ['/office/settings', { title: 'Other', timezone: 'Europe/Lisbon', depleteAt: 'confirmed' }],
  ['/office/settings/limits', { orders: '7', seconds: '70' }],
  ['/office/integrations/switch', { switch: 'api', to: 'off' }],
  ['/office/integrations/webhooks/add', { url: 'https://example.com/hook' }],
  ['/office/staff', { name: 'Eva', role: 'staff' }],
  ['/office/menu/copy', { id: '303' }],
]

const disks: { what: string; faults: Fault[] }[] = [
  { what: 'full', faults: ['pwrite64:error=ENOSPC'] },
  { what: 'read-only', faults: ['pwrite64:error=EROFS'] },
  { what: 'broken', faults: ['fsync,fdatasync:error=EIO'] },
]

for (const { what, faults } of disks) {
  test(
    `while the disk is ${what}, a form gets a page that says so, changes nothing, and can be sent again from there`,
    withInjection,
    async t => {
      const { file } = restaurantIn(temporaryFolder(t))
      const { child, port, end } = await served(t, file)
      const url = `http://127.0.0.1:${port}`
      const { headers } = withStore(file, store => logIn({ store, url, execute: sql => executeIn(file, sql) }, 'owner'))
      const send = (path: string, fields: URLSearchParams) =>
        fetch(`${url}${path}`, {
          method: 'POST',
          redirect: 'manual',
          // A connection of its own: the server may have closed an idle one a moment ago.
          headers: { ...headers, Accept: 'text/html', Connection: 'close' },
          body: fields,
        })
      const before = contentsOf(file)
      const { end: mend } = await inject(t, child, file, faults)
      const pages = new Map<string, string>()
      for (const [path, fields] of forms) {
        const response = await send(path, new URLSearchParams(fields))
        const page = await response.text()
        assert.equal(response.status, 500, `${path}: ${page}`)
        assert.match(page, /The disk is full or cannot be written. Nothing was changed./, path)
        pages.set(path, page)
        // What is shown without a change still is.
        assert.equal(
          (await fetch(`${url}/office/orders`, { headers: { ...headers, Accept: 'text/html' } })).status,
          200,
        )
      }
      await mend()
      assert.deepEqual(contentsOf(file), before)
      for (const [path, page] of pages) {
        const again = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
        const response = await send(path, new URLSearchParams(again.map(([, name = '', value = '']) => [name, value])))
        assert.equal(response.status, 303, `${path}: ${await response.text()}`)
      }
      assert.equal((await end('SIGTERM')).code, 0)
      assert.deepEqual(
        withStore(file, store => store.audit.all()),
        [],
      )
    },
  )
}

function executeIn(file: string, sql: string): void {
  const db = new Database(file)
  try {
    db.exec(sql)
  } finally {
    db.close()
  }
}

/** Every row of a file, except when sessions were last seen. */
function contentsOf(file: string): Record<string, unknown[]> {
  const db = new Database(file, { readonly: true })
  try {
    const tables = db
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'session'")
      .pluck()
      .all()
    return Object.fromEntries(tables.map(name => [name, db.prepare(`SELECT * FROM "${name}"`).all()]))
  } finally {
    db.close()
  }
}
