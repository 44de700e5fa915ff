import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { claimForServing } from '../store/file/claim.ts'
import { UnusableFile } from '../store/file/failures.ts'
import { openDatabase } from '../store/file/open.ts'
import { SCHEMA_VERSION, shapeDifferences } from '../store/file/shape.ts'
import { servery } from './support/commands.ts'
import { root, temporaryFolder } from './support/folders.ts'
import { importInto } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const options = { create: true, busyMs: 100 }

/** A file of an older version of the program: with the shape that a fixture has and what the statements put into it. */
function makeFile(
  file: string,
  { fixture, version, rows = '' }: { fixture: string; version: number; rows?: string },
): void {
  const db = new Database(file)
  db.exec(readFileSync(join(root, 'test/fixtures', fixture), 'utf8'))
  db.pragma(`application_id = ${0x53767279}`)
  db.pragma(`user_version = ${version}`)
  db.exec(rows)
  db.close()
}

const twoOrders = `
    INSERT INTO location VALUES (1, 'ONE', 'One', 1, 'USD', 'UTC', '[]', '{}', 82500, 0, 0, '[]', 1, 0, NULL, 0, '04:00', 0);
    INSERT INTO orders VALUES (1, 1, 1, 'api', 'web', NULL, NULL, 'placed', NULL, 'USD', 2, 600, 0, 0, 0, 50, 650, 82500,
      0, 0, 1, 0, NULL, NULL, 'Ana', NULL, NULL, 1763640000000, '2025-11-20');
    INSERT INTO orders VALUES (2, 2, 1, 'api', 'web', NULL, NULL, 'placed', NULL, 'USD', 2, 0, 0, 0, 0, 0, 0, 82500,
      0, 0, 1, 0, NULL, NULL, NULL, NULL, NULL, 1763640001000, '2025-11-20');
    INSERT INTO order_line VALUES (1, 1, 1, NULL, 'Soup', 1000, 600, 0, 600, NULL, NULL);`

/** A file as version 1 was released: its shape and two orders. */
function oldFile(file: string): void {
  makeFile(file, { fixture: 'schema-1.sql', version: 1, rows: twoOrders })
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
  'staff',
  'device',
  'stock_movement',
  'webhook_attempt',
  'ticket',
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
  makeFile(join(folder, 'old.db'), {
    fixture: 'schema-2.sql',
    version: 2,
    rows: `
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
    INSERT INTO ticket_item VALUES (1, 1, 'open');`,
  })
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

test('a file of version 4 is upgraded to the schema of a fresh one and keeps the tickets that are open and the history of the kitchen', t => {
  const folder = temporaryFolder(t)
  makeFile(join(folder, 'old.db'), {
    fixture: 'schema-4.sql',
    version: 4,
    rows: `
    INSERT INTO location (id, code, title, published, currency, timezone, service_modes, opening_hours, prices_include_tax,
        service_charge_ppm, delivery_fee_milli, service_charge_modes, service_charge_taxable, delivery_fee_taxable, day_starts_at, position)
      VALUES (1, 'ONE', 'One', 1, 'USD', 'UTC', '[]', '{}', 0, 0, 0, '[]', 1, 0, '04:00', 0);
    INSERT INTO station VALUES (1, 1, 'Grill', 1, 1, 0);
    INSERT INTO orders (id, number, location_id, source, channel, status, currency, exponent, subtotal_minor, discount_minor,
        service_charge_minor, delivery_fee_minor, tax_minor, grand_total_minor, prices_include_tax, service_charge_ppm,
        service_charge_taxable, delivery_fee_taxable, placed_at, business_date)
      VALUES (1, 1, 1, 'api', 'web', 'placed', 'USD', 2, 600, 0, 0, 0, 50, 650, 0, 0, 1, 0, 1763640000000, '2025-11-20');
    INSERT INTO order_line (id, order_id, item_id, name, qty_milli, unit_minor, modifiers_minor, total_minor)
      VALUES (1, 1, 1, 'Soup', 1000, 600, 0, 600);
    INSERT INTO ticket VALUES (1, 1, 1, 1, 'open', 1763640000000, NULL, NULL);
    INSERT INTO ticket_item VALUES (1, 1, 'open');
    INSERT INTO ticket_event VALUES (1, 1, NULL, 'opened', 1763640000000, NULL, NULL, NULL);
    INSERT INTO activity VALUES (1, 1763640000000, 'staff', 1, 'Ana', 'order placed', 1, NULL, NULL, '6.50 USD');`,
  })
  const upgraded = openDatabase(join(folder, 'old.db'), options)
  const fresh = openDatabase(join(folder, 'fresh.db'), options)
  t.after(() => {
    upgraded.close()
    fresh.close()
  })
  assert.deepEqual(shapeOf(upgraded), shapeOf(fresh))
  assert.deepEqual(upgraded.prepare('SELECT id, state, seen_at, notice_at FROM ticket').all(), [
    { id: 1, state: 'open', seen_at: null, notice_at: null },
  ])
  assert.deepEqual(upgraded.prepare('SELECT seq, what, client_ref FROM ticket_event').all(), [
    { seq: 1, what: 'opened', client_ref: null },
  ])
  assert.deepEqual(upgraded.prepare('SELECT id, actor_kind, actor, what, became FROM activity').all(), [
    { id: 1, actor_kind: 'staff', actor: 'Ana', what: 'order placed', became: '6.50 USD' },
  ])
  upgraded.exec(
    "INSERT INTO activity (at, actor_kind, actor, what, order_id) VALUES (0, 'guest', 'guest', 'order cancelled', 1)",
  )
  assert.throws(() => upgraded.exec('DELETE FROM activity'), /append-only/)
})

for (const marked of [1, 2]) {
  test(`a file of the first schema, from before the webhooks and marked as version ${marked}, gets the shape of a fresh one`, t => {
    const folder = temporaryFolder(t)
    const file = join(folder, 'old.db')
    // What an earlier version of the upgrade made of such a file: the later tables without those of the webhooks.
    const later = marked === 1 ? '' : readFileSync(join(root, 'store/migrations/0002_after_order.sql'), 'utf8')
    makeFile(file, { fixture: 'schema-first.sql', version: marked, rows: twoOrders + later })
    const upgraded = openDatabase(file, options)
    const fresh = openDatabase(join(folder, 'fresh.db'), options)
    t.after(() => {
      upgraded.close()
      fresh.close()
    })
    assert.deepEqual(shapeOf(upgraded), shapeOf(fresh))
    assert.deepEqual(shapeDifferences(upgraded), [])
    assert.equal(upgraded.prepare('SELECT count(*) FROM ledger').pluck().get(), 2)
    assert.deepEqual(upgraded.prepare('SELECT * FROM revision').all(), [
      { id: 1, catalogue: 1, webhooks: 1, settings: 1 },
    ])
  })
}

test('indexes and triggers that an early file of version 2 lacks or has otherwise are made anew', t => {
  const file = join(temporaryFolder(t), 'old.db')
  makeFile(file, {
    fixture: 'schema-2.sql',
    version: 2,
    rows: `DROP INDEX ticket_in_sight; CREATE INDEX ticket_in_sight ON ticket (station_id, id) WHERE state <> 'done';
      DROP INDEX ledger_by_day; CREATE INDEX ledger_by_day ON ledger (at);
      DROP TRIGGER ledger_is_never_replaced;`,
  })
  const upgraded = openDatabase(file, options)
  t.after(() => upgraded.close())
  assert.deepEqual(shapeDifferences(upgraded), [])
})

test('an upgrade leaves alone what somebody else has added to the file', t => {
  const file = join(temporaryFolder(t), 'old.db')
  makeFile(file, {
    fixture: 'schema-2.sql',
    version: 2,
    rows: 'CREATE TABLE regular (name); CREATE INDEX mine ON orders (notes)',
  })
  const upgraded = openDatabase(file, options)
  t.after(() => upgraded.close())
  const names = shapeDifferences(upgraded).map(({ name }) => name)
  assert.deepEqual(names, ['regular', 'mine'])
})

for (const [flaw, rows, reason] of [
  ['lacks a column', 'ALTER TABLE orders DROP COLUMN cancel_reason', 'it has another table orders than Servery needs'],
  [
    'has a CHECK less',
    `DROP TABLE recipe_line; CREATE TABLE recipe_line (stock_id INTEGER NOT NULL REFERENCES stock_item (id),
      kind TEXT NOT NULL, target_id INTEGER NOT NULL, qty_milli INTEGER NOT NULL, position INTEGER NOT NULL,
      PRIMARY KEY (stock_id, kind, target_id)) STRICT, WITHOUT ROWID`,
    'it has another table recipe_line than Servery needs',
  ],
  ['lacks a table', 'DROP TABLE recipe_line', 'it lacks the table recipe_line'],
  [
    'has a table that a later version makes',
    'CREATE TABLE staff (name)',
    'it does not fit (table staff already exists)',
  ],
] as const) {
  test(`a file of version 2 that ${flaw} is refused with a sentence and left as it was`, async t => {
    const file = join(temporaryFolder(t), 'old.db')
    makeFile(file, { fixture: 'schema-2.sql', version: 2, rows })
    const { code, stderr } = await servery(file, ['orders'])
    const sentence =
      `The database ${file} cannot be upgraded: ${reason}. It was left as it was. ` +
      `Go back to the version of Servery that wrote it.\n`
    assert.deepEqual([code, stderr], [1, sentence])
    const db = new Database(file)
    t.after(() => db.close())
    assert.equal(db.pragma('user_version', { simple: true }), 2)
    assert.equal(db.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'activity'").pluck().get(), 0)
    assert.equal(existsSync(`${file}.version-2`), false)
  })
}

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
  assert.throws(() => openDatabase(file, options), UnusableFile)
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

test('doctor finds what is defined otherwise than by schema.sql, and warns of what somebody else has added', async t => {
  const file = join(temporaryFolder(t), 'new.db')
  importInto(file, smallRestaurant())
  const db = new Database(file)
  db.exec(`
    DROP INDEX orders_by_day; CREATE INDEX orders_by_day ON orders (placed_at);
    DROP TRIGGER ledger_is_never_shortened;
    CREATE TRIGGER ledger_is_never_shortened BEFORE DELETE ON ledger WHEN 0 BEGIN SELECT 1; END;
    DROP TABLE recipe_line;
    CREATE TABLE recipe_line (
      stock_id INTEGER NOT NULL REFERENCES stock_item (id), kind TEXT NOT NULL, target_id INTEGER NOT NULL,
      qty_milli INTEGER NOT NULL CHECK (qty_milli > 0), position INTEGER NOT NULL, PRIMARY KEY (stock_id, kind, target_id)
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE station ADD COLUMN colour TEXT;
    CREATE TABLE regular (name);`)
  db.close()
  const { code, stdout } = await servery(file, ['doctor', '--json'])
  assert.equal(code, 1)
  const { problems, warnings } = JSON.parse(stdout) as Record<'problems' | 'warnings', { message: string }[]>
  const messages = (list: { message: string }[]) => list.map(({ message }) => message.split(';')[0])
  assert.deepEqual(messages(problems), [
    'has another table station than Servery needs',
    'has another table recipe_line than Servery needs',
    'has another index orders_by_day than Servery needs',
    'has another trigger ledger_is_never_shortened than Servery needs',
  ])
  assert.ok(messages(warnings).includes('has the table regular, which Servery does not know'))
})
