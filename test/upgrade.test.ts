import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { claimForServing, openDatabase, SCHEMA_VERSION, UnusableFile } from '../store/file/open.ts'
import { servery } from './support/commands.ts'
import { root, temporaryFolder } from './support/folders.ts'
import { importInto } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const options = { create: true, busyMs: 100 }

/** A file as version 1 left it: its shape and two orders. */
function oldFile(file: string): void {
  const db = new Database(file)
  db.exec(readFileSync(join(root, 'test/fixtures/schema-1.sql'), 'utf8'))
  db.pragma(`application_id = ${0x53767279}`)
  db.pragma('user_version = 1')
  db.exec(`
    INSERT INTO location VALUES (1, 'ONE', 'One', 1, 'USD', 'UTC', '[]', '{}', 82500, 0, 0, '[]', 1, 0, NULL, 0, '04:00', 0);
    INSERT INTO orders VALUES (1, 1, 1, 'api', 'web', NULL, NULL, 'placed', NULL, 'USD', 2, 600, 0, 0, 0, 50, 650, 82500,
      0, 0, 1, 0, NULL, NULL, 'Ana', NULL, NULL, 1763640000000, '2025-11-20');
    INSERT INTO orders VALUES (2, 2, 1, 'api', 'web', NULL, NULL, 'placed', NULL, 'USD', 2, 0, 0, 0, 0, 0, 0, 82500,
      0, 0, 1, 0, NULL, NULL, NULL, NULL, NULL, 1763640001000, '2025-11-20');
    INSERT INTO order_line VALUES (1, 1, 1, NULL, 'Soup', 1000, 600, 0, 600, NULL, NULL);`)
  db.close()
}

// A column that was added later stands elsewhere in the text of its table.
const altered = new Set([
  'orders',
  'order_line',
  'revision',
  'allergen',
  'modifier_group',
  'modifier',
  'category',
  'item',
  'variation',
  'location',
])

function withoutComments(sql: string | null): string {
  return (sql ?? '').replaceAll(/--.*$/gm, '').replaceAll(/[\s"]+/g, ' ')
}

/** Every table, column, key, index and trigger of a file, as one value. */
function shapeOf(db: Database.Database): unknown {
  const objects = db
    .prepare<[], { type: string; name: string; sql: string | null }>(
      "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name",
    )
    .all()
  return objects.map(({ type, name, sql }) =>
    type === 'table'
      ? {
          name,
          info: db.pragma(`table_list('${name}')`),
          columns: db.pragma(`table_xinfo('${name}')`),
          references: db.pragma(`foreign_key_list('${name}')`),
          indexes: db.pragma(`index_list('${name}')`),
          sql: altered.has(name) ? null : withoutComments(sql),
        }
      : { type, name, sql: withoutComments(sql) },
  )
}

test('a file of version 1 is upgraded to the schema of a fresh one', t => {
  const folder = temporaryFolder(t)
  oldFile(join(folder, 'old.db'))
  const upgraded = openDatabase(join(folder, 'old.db'), options)
  const fresh = openDatabase(join(folder, 'fresh.db'), options)
  t.after(() => {
    upgraded.close()
    fresh.close()
  })
  assert.equal(upgraded.pragma('user_version', { simple: true }), SCHEMA_VERSION)
  assert.deepEqual(shapeOf(upgraded), shapeOf(fresh))
  assert.equal(upgraded.pragma('foreign_keys', { simple: true }), 1)
})

test('a file of version 2 is upgraded to the schema of a fresh one and keeps its 86 list and its tickets', t => {
  const folder = temporaryFolder(t)
  const old = new Database(join(folder, 'old.db'))
  old.exec(readFileSync(join(root, 'test/fixtures/schema-2.sql'), 'utf8'))
  old.pragma(`application_id = ${0x53767279}`)
  old.pragma('user_version = 2')
  old.exec(`
    INSERT INTO location VALUES (1, 'ONE', 'One', 1, 'USD', 'UTC', '[]', '{}', 82500, 0, 0, '[]', 1, 0, NULL, 0, '04:00', 0);
    INSERT INTO category VALUES (1, 'Mains', 1, 0);
    INSERT INTO item VALUES (1, 1, 'Soup', NULL, 6000, 1, NULL, NULL, NULL, NULL, 0, 0);
    INSERT INTO unavailable VALUES (1, 0, 1763640000000, NULL);
    INSERT INTO station VALUES (1, 1, 'Grill', 1, 1, 0);
    INSERT INTO orders (id, number, location_id, source, channel, status, currency, exponent, subtotal_minor, discount_minor,
        service_charge_minor, delivery_fee_minor, tax_minor, grand_total_minor, prices_include_tax, service_charge_ppm,
        service_charge_taxable, delivery_fee_taxable, placed_at, business_date)
      VALUES (1, 1, 1, 'api', 'web', 'placed', 'USD', 2, 600, 0, 0, 0, 50, 650, 0, 0, 1, 0, 1763640000000, '2025-11-20');
    INSERT INTO order_line VALUES (1, 1, 1, NULL, 'Soup', 1000, 600, 0, 600, NULL, NULL, NULL);
    INSERT INTO ticket VALUES (1, 1, 1, 1, 'open', 1763640000000, NULL);
    INSERT INTO ticket_item VALUES (1, 1, 'open');`)
  old.close()
  const upgraded = openDatabase(join(folder, 'old.db'), options)
  const fresh = openDatabase(join(folder, 'fresh.db'), options)
  t.after(() => {
    upgraded.close()
    fresh.close()
  })
  assert.deepEqual(shapeOf(upgraded), shapeOf(fresh))
  assert.deepEqual(upgraded.prepare('SELECT kind, target_id, location_id, since_at FROM unavailable').all(), [
    { kind: 'item', target_id: 1, location_id: 0, since_at: 1763640000000 },
  ])
  assert.deepEqual(upgraded.prepare('SELECT id, state, fire_at FROM ticket').all(), [
    { id: 1, state: 'open', fire_at: null },
  ])
  assert.throws(() => upgraded.exec("INSERT INTO ticket_item VALUES (2, 1, 'open')"), /FOREIGN KEY/)
})

test('an upgraded file has the constraints of a fresh one', t => {
  const folder = temporaryFolder(t)
  oldFile(join(folder, 'old.db'))
  const upgraded = openDatabase(join(folder, 'old.db'), options)
  t.after(() => upgraded.close())
  const refused: [string, RegExp][] = [
    ["INSERT INTO ticket (order_id, station_id, batch, state, opened_at) VALUES (1, 9, 1, 'open', 0)", /FOREIGN KEY/],
    ["INSERT INTO recipe_line VALUES (1, 'dish', 1, 1, 0)", /CHECK/],
    ["INSERT INTO recipe_line VALUES (1, 'item', 1, 0, 0)", /CHECK/],
    ["INSERT INTO stock_movement (stock_id, kind, qty_micro, at) VALUES (1, 'lost', 1, 0)", /CHECK/],
    ["INSERT INTO ledger VALUES (1, 2, 'charge', 1, NULL, NULL, NULL, NULL, 0, '2026-01-01')", /CHECK/],
    ["INSERT INTO ledger VALUES (1, 2, 'credit', 1, NULL, NULL, NULL, NULL, 0, '2026-01-01')", /CHECK/],
    ['UPDATE ledger SET amount_minor = 0', /append-only/],
    ["INSERT INTO unavailable VALUES ('dish', 1, 0, 0, NULL, NULL)", /CHECK/],
    ["INSERT INTO item VALUES (1, 9, 'Soup', NULL, 0, 1, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL, -1, NULL)", /CHECK/],
    ["INSERT INTO category VALUES (1, 'Mains', 1, 0, NULL, 9, NULL)", /FOREIGN KEY/],
    ["UPDATE orders SET stock_taken = 'yes'", /cannot store TEXT/],
    ['UPDATE orders SET stock_taken = NULL', /NOT NULL/],
  ]
  for (const [sql, message] of refused) assert.throws(() => upgraded.exec(sql), message, sql)
})

test('a copy of the file, readable by its owner alone, is made before the upgrade', t => {
  const file = join(temporaryFolder(t), 'old.db')
  oldFile(file)
  openDatabase(file, options).close()
  const copy = new Database(`${file}.version-1`, { readonly: true })
  t.after(() => copy.close())
  assert.equal(copy.pragma('user_version', { simple: true }), 1)
  assert.equal(copy.prepare('SELECT count(*) FROM orders').pluck().get(), 2)
  assert.equal(statSync(`${file}.version-1`).mode & 0o777, 0o600)
})

test('orders placed before the upgrade have a charge of their grand total afterwards', t => {
  const file = join(temporaryFolder(t), 'old.db')
  oldFile(file)
  const db = openDatabase(file, options)
  t.after(() => db.close())
  assert.deepEqual(db.prepare('SELECT order_id, kind, amount_minor, business_date FROM ledger').all(), [
    { order_id: 1, kind: 'charge', amount_minor: 650, business_date: '2025-11-20' },
    { order_id: 2, kind: 'charge', amount_minor: 0, business_date: '2025-11-20' },
  ])
})

test('a failed upgrade leaves the file as it was', t => {
  const file = join(temporaryFolder(t), 'old.db')
  oldFile(file)
  const broken = new Database(file)
  broken.exec('CREATE TABLE stock_movement (id)')
  const before = shapeOf(broken)
  broken.close()
  assert.throws(() => openDatabase(file, options))
  const db = new Database(file)
  t.after(() => db.close())
  assert.deepEqual(shapeOf(db), before)
  assert.equal(db.pragma('user_version', { simple: true }), 1)
})

test('a file that is being served is not upgraded', t => {
  const file = join(temporaryFolder(t), 'old.db')
  oldFile(file)
  const claim = claimForServing(file)
  t.after(() => claim.release())
  assert.throws(() => openDatabase(file, options), UnusableFile)
  assert.equal(existsSync(`${file}.version-1`), false)
})

test('a file of the current version is opened without making a copy', async t => {
  const file = join(temporaryFolder(t), 'new.db')
  importInto(file, smallRestaurant())
  const { code } = await servery(file, ['orders'])
  assert.equal(code, 0)
  assert.equal(existsSync(`${file}.version-1`), false)
})
