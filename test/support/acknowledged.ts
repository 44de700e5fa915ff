import Database from 'better-sqlite3'
import { openStore } from '../../store/store.ts'
import { systemClock } from '../../store/terms/clock.ts'

/** An order that was answered 201, as far as it can be looked up in the file. */
export interface Acknowledged {
  id: number
  order_number: string
  location_id: number
  grand_total: number
  lines: number
}

/**
 * What is wrong with a file after a night, a sentence each: what Servery's own doctor finds, numbers that do not follow each
 * other from ORD-000001, orders by halves, and orders that were answered 201 and are not there as they were answered.
 * The server must have ended: the file is recovered by opening it.
 */
export function flawsOf(file: string, acknowledged: Acknowledged[]): string[] {
  const store = openStore(file, { clock: systemClock, create: false, busyMs: 5000 })
  try {
    const problems = [...store.maintenance.examine().problems, ...store.audit.all()]
    return [
      ...problems
        // What the machine has on its disk and clock is not the file's fault.
        .filter(({ pointer }) => pointer !== '/disk' && pointer !== '/clock')
        .map(({ pointer, message }) => `${pointer} ${message}`),
      ...flawsOfOrders(file, acknowledged),
    ]
  } finally {
    store.close()
  }
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
      ...(number === index + 1 ? [] : [`order ${id} has number ${number}, but is the ${index + 1}. order`]),
      ...(lines > 0 && written === 1 && charged !== null ? [] : [`order ${id} is there by halves`]),
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
        flaws.push(`order ${id} (${order_number}) was answered 201 and is lost or another: ${JSON.stringify(row)}`)
    }
    return flaws
  } finally {
    db.close()
  }
}
