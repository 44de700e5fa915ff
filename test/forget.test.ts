import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { openDatabase } from '../store/file/open.ts'
import { clearRemnants } from '../store/file/remnants.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import { parseEdit } from '../store/ordering/edit-draft.ts'
import type { OrderId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { orderOf, pizza, pizzeria, salad } from './support/pizzeria.ts'
import { why } from './support/refusals.ts'
import { importInto } from './support/shop.ts'
import { withStore } from './support/store.ts'

const DAY = 86_400_000
const now = Date.parse('2026-11-20T12:00:00Z')

// A word of a guest in every place that one can write to.
const word = 'Zebedee'
const guest = { name: `${word} Quick`, phone: '+351 912 345 678', email: `${word}@example.com` }
const other = { name: 'Ana Other', phone: '912345670', email: 'ana@example.com' }

const draft = (customer: unknown, words = word) => ({
  ...orderOf({ ...pizza(), notes: `${words} likes it hot` }, { ...salad, notes: `no ${words}` }),
  service_mode: `at ${words}'s place`,
  notes: `ring at ${words}`,
  customer,
})

/** A file with orders of guests, so many days old. */
function fileWith(t: TestContext, orders: { customer: unknown; daysAgo: number; words?: string }[]): string {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, pizzeria({ stock: [] }))
  const clock = heldClock(now)
  withStore(
    file,
    store => {
      for (const { customer, daysAgo, words } of orders) {
        clock.set(now - daysAgo * DAY)
        const parsed = parseDraft(draft(customer, words))
        assert.ok(!isRefused(parsed) && !isRefused(store.orders.place(parsed, 'pos')))
      }
    },
    { clock },
  )
  return file
}

const numbers = (orders: { number: number }[]) => orders.map(({ number }) => number)

test('what a guest wrote leaves the file to its last byte, and the money stays to the cent', t => {
  const many = Array.from({ length: 60 }, () => ({ customer: guest, daysAgo: 2 }))
  const file = fileWith(t, [...many, { customer: other, daysAgo: 2, words: 'Other' }])
  const db = new Database(file)
  t.after(() => db.close())
  db.exec(`
    UPDATE orders SET delivery_address = '${word} Street 5', delivery_postcode = '${word}-1' WHERE id < 61;
    INSERT INTO webhook_event VALUES (1, 'msg_1', 'order.placed', 1, '{}', 0, 0), (2, 'msg_2', 'order.placed', 61, '{}', 0, 0);
    INSERT INTO webhook_attempt (event_id, endpoint_id, url, state, response)
      VALUES (1, 1, 'https://a.example/', 'received', CAST('thanks, ${word}' AS BLOB)), (2, 1, 'https://a.example/', 'received', CAST('Other' AS BLOB));
  `)
  const money = () => [
    db.prepare('SELECT id, number, grand_total_minor, tax_minor, placed_at, business_date, mode FROM orders').all(),
    db.prepare('SELECT id, name, qty_milli, total_minor, modifiers FROM order_line').all(),
    db.prepare('SELECT * FROM ledger').all(),
    db.prepare('SELECT * FROM ticket_item').all(),
  ]
  const before = money()
  withStore(file, store => {
    // A longer name moves its row elsewhere.
    const edit = parseEdit(JSON.stringify({ customer: { name: `${word} `.repeat(40) } })).edit
    for (let id = 1; id <= 60; id += 7) assert.equal(why(store.edit(id as OrderId, edit)), 'done')
    const found = store.guestData.find({ phone: guest.phone })
    assert.ok(!isRefused(found))
    assert.deepEqual([found.orders.length, found.open.length], [60, 0])
    assert.equal(store.guestData.delete(found.orders), 60)
    assert.equal(store.clearRemnants(), 'none')
  })
  const bytes = [file, `${file}-wal`].filter(existsSync).map(each => readFileSync(each).toString('latin1'))
  const left = bytes.flatMap(each =>
    [...each.matchAll(/.{0,20}(Zebedee|912 ?345 ?678).{0,20}/gi)].map(match => match[0]),
  )
  assert.deepEqual(left, [])
  assert.match(bytes.join(), /Ana Other/)
  assert.deepEqual(money(), before)
  assert.deepEqual(db.prepare('SELECT response FROM webhook_attempt ORDER BY id').pluck().all(), [
    null,
    Buffer.from('Other'),
  ])
  assert.deepEqual(
    db.prepare('SELECT notes, customer_name AS name, service_mode AS mode FROM orders WHERE id = 61').get(),
    { notes: 'ring at Other', name: 'Ana Other', mode: `at Other's place` },
  )
  const rows = db.prepare(`SELECT what, subject, was, became FROM activity ORDER BY id DESC LIMIT 1`).all()
  assert.deepEqual(rows, [{ what: 'guest data deleted', subject: null, was: null, became: '60 orders' }])
})

test('a guest is found by the end of the phone number or by the email, and only once', t => {
  const file = fileWith(t, [
    { customer: guest, daysAgo: 3 },
    { customer: { ...other, email: 'ZEBEDEE@example.com' }, daysAgo: 2 },
    { customer: { phone: '00351-912345678' }, daysAgo: 2 },
  ])
  withStore(
    file,
    ({ guestData }) => {
      const found = (whose: Parameters<typeof guestData.find>[0]) => {
        const result = guestData.find(whose)
        return isRefused(result) ? why(result) : numbers(result.orders)
      }
      assert.deepEqual(found({ phone: '912 345 678' }), [1, 3])
      assert.deepEqual(found({ phone: '+351912345678' }), [1, 3])
      assert.deepEqual(found({ phone: '345678' }), [1, 3])
      assert.deepEqual(found({ phone: '999345678' }), [])
      assert.match(String(found({ phone: '45678' })), /at least 6 digits/)
      assert.deepEqual(found({ email: 'zebedee@EXAMPLE.com ' }), [1, 2])
      assert.match(String(found({ email: 'zebedee' })), /not an email address/)
      assert.deepEqual(found({ placedBefore: now - 2 * DAY }), [1])

      const result = guestData.find({ email: guest.email })
      assert.ok(!isRefused(result))
      assert.equal(guestData.delete(result.orders), 2)
      assert.deepEqual(found({ email: guest.email }), [])
      assert.deepEqual(found({ phone: '912 345 678' }), [3])
    },
    { clock: heldClock(now) },
  )
})

test('a national number with a leading 0 and an international one find each other', t => {
  const phones = ['01705551234', '+49 170 5551234', '0049 170 5551234', '+49 (0)170 5551234', '02705551234']
  const file = fileWith(
    t,
    phones.map(phone => ({ customer: { phone }, daysAgo: 2 })),
  )
  withStore(
    file,
    ({ guestData }) => {
      for (const phone of phones.slice(0, 4)) {
        const result = guestData.find({ phone })
        assert.deepEqual(isRefused(result) ? why(result) : numbers(result.orders), [1, 2, 3, 4], phone)
      }
      assert.match(why(guestData.find({ phone: '012345' })), /at least 6 digits/)
    },
    { clock: heldClock(now) },
  )
})

test('an order in work keeps its data until it is done or a day old', t => {
  const file = fileWith(t, [
    { customer: guest, daysAgo: 0 },
    { customer: guest, daysAgo: 0 },
    { customer: guest, daysAgo: 2 },
  ])
  withStore(
    file,
    store => {
      assert.equal(why(store.move(2 as OrderId, 'cancel', { reason: 'left' })), 'done')
      const found = store.guestData.find({ phone: guest.phone })
      assert.ok(!isRefused(found))
      assert.deepEqual([numbers(found.orders), numbers(found.open), found.withRemarks], [[2, 3], [1], 1])
    },
    { clock: heldClock(now) },
  )
})

test('the command says what it deleted, what it left and which copies keep the data, and a dry run deletes nothing', async t => {
  const file = fileWith(t, [
    { customer: guest, daysAgo: 500 },
    { customer: other, daysAgo: 1 },
  ])
  const copy = `${file}.version-2`
  copyFileSync(file, copy)
  const trial = await servery(file, ['forget', '--older-than', '1y', '--dry-run'])
  assert.equal(trial.code, 0, trial.stderr)
  assert.match(trial.stdout, /^Would delete names, phones, emails, notes and addresses of 1 order: ORD-000001\.\n$/)
  const forgotten = await servery(file, ['forget', '--older-than', '1y'])
  assert.match(forgotten.stdout, /^Deleted names, .* of 1 order: ORD-000001\.\nBackups .* keep the data\. .*version-2/)
  const again = await servery(file, ['forget', '--older-than', '1y', '--json'])
  assert.deepEqual(JSON.parse(again.stdout), {
    deleted: true,
    orders: [],
    open: [],
    remnants: 'none',
    copies: [copy],
  })
  const wrong = await servery(file, ['forget', '--older-than', 'long'])
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /"long" is not an age/)
})

test('a file that is too large to be rewritten says where copies can still be', t => {
  const db = openDatabase(fileWith(t, []), { create: false, busyMs: 1000 })
  t.after(() => db.close())
  assert.equal(clearRemnants(db, 1000), 'in the file')
  assert.equal(clearRemnants(db), 'none')
})

test('a log that another connection reads keeps what was deleted, and that is said', t => {
  const file = fileWith(t, [{ customer: guest, daysAgo: 2 }])
  const reader = new Database(file)
  t.after(() => reader.close())
  reader.exec('BEGIN; SELECT count(*) FROM orders')
  const db = openDatabase(file, { create: false, busyMs: 10 })
  t.after(() => db.close())
  db.exec('UPDATE orders SET notes = NULL')
  assert.equal(clearRemnants(db), 'in the log')
  reader.exec('ROLLBACK')
  assert.equal(clearRemnants(db), 'none')
})
