import type { Db } from '../file/open.ts'
import type { EntryKind, Method } from '../ledger/ledger.ts'
import type { LocationId, OrderId } from '../terms/ids.ts'
import { booked, type InCurrency, inPeriod, type Period } from './period.ts'

/** One entry of the ledger, with its order. */
export interface Booking extends InCurrency {
  /** The business date of the entry. */
  date: string
  /** UTC milliseconds. */
  at: number
  orderId: OrderId
  number: number
  /** The business date of the order. */
  orderDate: string
  locationId: LocationId
  entry: number
  kind: EntryKind
  method: Method | null
  amount: number
  note: string | null
}

/** Every entry that was recorded in a period, in the order of time. */
export function bookings(db: Db): (period: Period) => Booking[] {
  const columns = `ledger.business_date AS date, at, orders.id AS orderId, number, orders.business_date AS orderDate,
    location_id AS locationId, entry, kind, method, amount_minor AS amount, note, currency, exponent`
  // A charge has the same day as its order, and the ledger's index leaves it out.
  const select = db.prepare<Period, Booking>(
    `SELECT ${columns} FROM orders CROSS JOIN ledger ON order_id = orders.id AND entry = 1 WHERE ${inPeriod}
      UNION ALL SELECT ${columns} FROM ledger CROSS JOIN orders ON orders.id = order_id WHERE ${booked}
      ORDER BY currency, at, orderId, entry`,
  )
  return period => select.all(period)
}
