import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import Database from 'better-sqlite3'
import type { Shop } from '../support/shop.ts'

// What requests leave in a shop's file, seen over one connection that never writes.

type Row = Record<string, string | number | null>

export interface Traces {
  /** Another number as soon as anybody has written anything to the file. */
  version(): number
  /** How many rows every table has. */
  counts(): Record<string, number>
  lastOrder(): number
  /** Notes of the orders with ids above this one, oldest first. */
  notesAfter(id: number): (string | null)[]
  /** Fails unless the file says of this order what its caller was answered, and holds once what belongs to an order. */
  assertAsAnswered(order: unknown): void
}

export function traces(t: TestContext, shop: Pick<Shop, 'file'>): Traces {
  const db = new Database(shop.file, { readonly: true })
  t.after(() => db.close())
  const version = db.prepare<[], number>('PRAGMA data_version').pluck()
  const tables = db
    .prepare<[], string>(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .pluck()
    .all()
  const countAll = db.prepare<[], Record<string, number>>(
    `SELECT ${tables.map(table => `(SELECT count(*) FROM ${table}) AS ${table}`).join(', ')}`,
  )
  const last = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM orders').pluck()
  const notes = db.prepare<[number], string | null>('SELECT notes FROM orders WHERE id > ? ORDER BY id').pluck()
  const selectOrder = db.prepare<[number], Row>('SELECT * FROM orders WHERE id = ?')
  const selectLines = db.prepare<[number], Row>('SELECT * FROM order_line WHERE order_id = ? ORDER BY id')
  const selectBooked = db.prepare<[number], Row>('SELECT kind, amount_minor FROM ledger WHERE order_id = ?')
  const selectEvents = db.prepare<[number], Row>('SELECT type, facts FROM webhook_event WHERE order_id = ?')
  const countTickets = db.prepare<[number], number>('SELECT count(*) FROM ticket WHERE order_id = ?').pluck()
  const countEndpoints = db.prepare<[], number>('SELECT count(*) FROM webhook_endpoint').pluck()

  return {
    version: () => version.get() ?? 0,
    counts: () => countAll.get() ?? {},
    lastOrder: () => last.get() ?? 0,
    notesAfter: id => notes.all(id),

    assertAsAnswered(order) {
      const { id, items, order_number, placed_at, ...answered } = order as Row & { id: number; items: Row[] }
      const row = selectOrder.get(id)
      assert.ok(row, `order ${id} is in the file`)
      const money = (minor: unknown) => Number(minor) / 10 ** Number(row.exponent)
      assert.deepEqual(answered, {
        location_id: row.location_id,
        channel: row.channel,
        status: row.status,
        fulfillment_status: row.fulfillment_status,
        subtotal: money(row.subtotal_minor),
        discount_total: money(row.discount_minor),
        tax_total: money(row.tax_minor),
        service_charge: money(row.service_charge_minor),
        delivery_fee: money(row.delivery_fee_minor),
        grand_total: money(row.grand_total_minor),
        currency: row.currency,
        notes: row.notes,
        tax_lines: storedTaxLines(row).map(({ ratePpm, base, tax }) => ({
          rate: ratePpm / 10_000,
          base: money(base),
          tax: money(tax),
        })),
      })
      assert.equal(order_number, `ORD-${String(row.number).padStart(6, '0')}`)
      assert.match(String(placed_at), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      assert.deepEqual(
        items,
        selectLines.all(id).map(line => ({
          id: line.id,
          item_id: line.item_id,
          variation_id: line.variation_id,
          name_snapshot: line.name,
          qty: Number(line.qty_milli) / 1000,
          unit_price: money(line.unit_minor),
          modifiers_total: money(line.modifiers_minor),
          line_total: money(line.total_minor),
          notes: line.notes,
          modifiers: storedModifiers(line).map(({ id, title, qty, free, price }) => ({
            modifier_id: id,
            title,
            qty,
            free,
            price: money(price),
          })),
        })),
      )
      assert.deepEqual(selectBooked.all(id), [{ kind: 'charge', amount_minor: row.grand_total_minor }])
      assert.equal((countTickets.get(id) ?? 0) > 0, row.fulfillment_status === 'in_kitchen', 'a ticket for the kitchen')
      const events = selectEvents.all(id)
      assert.equal(events.length, countEndpoints.get() === 0 ? 0 : 1, 'one event, when anybody is to be told')
      assert.ok(events.every(({ type }) => type === 'order.placed'))
    },
  }
}

/** The tax lines of an order; without any in the file, all of it is taxed at the rate of the order. */
function storedTaxLines(row: Row): { ratePpm: number; base: number; tax: number }[] {
  if (row.tax_lines !== null) return JSON.parse(String(row.tax_lines))
  const base =
    Number(row.subtotal_minor) -
    Number(row.discount_minor) +
    Number(row.service_charge_taxable) * Number(row.service_charge_minor) +
    Number(row.delivery_fee_taxable) * Number(row.delivery_fee_minor)
  return [{ ratePpm: Number(row.tax_ppm ?? 0), base, tax: Number(row.tax_minor) }]
}

function storedModifiers(line: Row): { id: number; title: string; qty: number; free: number; price: number }[] {
  return line.modifiers === null ? [] : JSON.parse(String(line.modifiers))
}
