import Database from 'better-sqlite3'
import { withStore } from './store.ts'

/** The part of an order with a 201 response that can be compared with the file. */
export interface Acknowledged {
  id: number
  order_number: string
  location_id: number
  grand_total: number
  lines: number
}

/**
 * The problems of a file after a test, a sentence each: those that doctor finds, gaps in the numbers from ORD-000001, incomplete
 * orders, and acknowledged orders that are missing or differ from their response. Opening the file recovers it, so the server
 * must have ended.
 */
export function flawsOf(file: string, acknowledged: Acknowledged[]): string[] {
  return withStore(file, ({ health, audit }) => [
    ...[...health().problems, ...audit.all()]
      // The machine's disk and clock are not the file's fault.
      .filter(({ pointer }) => pointer !== '/disk' && pointer !== '/clock')
      .map(({ pointer, message }) => `${pointer} ${message}`),
    // Read before the store closes: the last connection to close deletes the log, but a read-only one leaves it.
    ...flawsOfOrders(file, acknowledged),
  ])
}

interface Row {
  id: number
  number: number
  location_id: number
  exponent: number
  grand_total_minor: number
  lines: number
  written: number
  charged: number | null
}

function flawsOfOrders(file: string, acknowledged: Acknowledged[]): string[] {
  const db = new Database(file, { readonly: true })
  try {
    const rows = db
      .prepare<[], Row>(
        `SELECT id, number, location_id, exponent, grand_total_minor,
                (SELECT count(*) FROM order_line WHERE order_id = orders.id AND removed_at IS NULL) AS lines,
                (SELECT sum(total_minor) FROM order_line WHERE order_id = orders.id AND removed_at IS NULL)
                  = subtotal_minor AS written,
                (SELECT amount_minor FROM ledger WHERE order_id = orders.id AND kind = 'charge') AS charged
           FROM orders ORDER BY id`,
      )
      .all()
    const flaws = rows.flatMap(({ id, number, lines, written, charged }, index) => [
      ...(number === index + 1 ? [] : [`order ${id} has number ${number}, but is order no. ${index + 1}`]),
      ...(lines > 0 && written === 1 && charged !== null ? [] : [`order ${id} is incomplete`]),
    ])
    const byId = new Map(rows.map(row => [row.id, row]))
    for (const { id, order_number, location_id, grand_total, lines } of acknowledged) {
      const row = byId.get(id)
      const isThere =
        row?.number === Number(order_number.slice('ORD-'.length)) &&
        row.location_id === location_id &&
        row.lines === lines &&
        row.grand_total_minor === Math.round(grand_total * 10 ** row.exponent)
      if (!isThere)
        flaws.push(`order ${id} (${order_number}) got 201 and is missing or different: ${JSON.stringify(row)}`)
    }
    return flaws
  } finally {
    db.close()
  }
}
