import type { Db } from '../file/open.ts'
import { businessDate, isDate, timeZone } from '../terms/clock.ts'
import type { LocationId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'
import { type Account, accounts, emptyAccount } from './accounts.ts'
import { dishes } from './dishes.ts'
import type { InCurrency, Period } from './period.ts'
import { compareText, type Sales, sales } from './sales.ts'
import { stockUse } from './stock-use.ts'

/** A period in one currency. What the ledger says of its orders: sales.total = charges + adjustments + chargeVoids. */
export interface Summary extends InCurrency {
  sales: Sales
  cancelled: { orders: number; total: number }
  ofOrders: Account
  ofDays: Account
}

/**
 * What the restaurant sold and took (decision E6). Every report reads one snapshot of the file, so that its figures agree while
 * orders come in.
 */
export function reports(db: Db, now: () => number) {
  const sold = sales(db)
  const consisted = dishes(db)
  const booked = accounts(db)
  const stock = stockUse(db)
  const selectLocations = db.prepare<[], { id: LocationId; timezone: string; dayStartsAt: string }>(
    'SELECT id, timezone, day_starts_at AS dayStartsAt FROM location ORDER BY published DESC, position, id',
  )

  function summary(period: Period): Summary[] {
    const bySales = byCurrency(sold.all(period))
    const byCancelled = byCurrency(booked.cancelledSums(period))
    const { ofOrders, ofDays } = booked.bothSides(period)
    const byOrders = byCurrency(ofOrders)
    const byDays = byCurrency(ofDays)
    const found = new Map([...byOrders, ...byDays])
    return [...found.values()]
      .sort((a, b) => compareText(a.currency, b.currency))
      .map(({ currency, exponent }) => {
        const nothing = { orders: 0, subtotal: 0, discounts: 0, serviceCharge: 0, deliveryFee: 0, taxAdded: 0 }
        const { orders, total } = byCancelled.get(currency) ?? { orders: 0, total: 0 }
        return {
          currency,
          exponent,
          sales: bySales.get(currency) ?? { currency, exponent, ...nothing, total: 0, tax: 0 },
          cancelled: { orders, total },
          ofOrders: byOrders.get(currency) ?? emptyAccount({ currency, exponent }),
          ofDays: byDays.get(currency) ?? emptyAccount({ currency, exponent }),
        }
      })
  }

  function inOneView<Row>(report: (period: Period) => Row[]): (period: Period) => Row[] {
    const transaction = db.transaction(report)
    return period => transaction.deferred(period)
  }

  /**
   * The period from one business date to another, both included; left out, each is today where the location is, or at
   * the first location. Refuses what is not a date, a period that ends before it begins, and an unknown location.
   */
  function period(wanted: {
    from?: string | undefined
    to?: string | undefined
    locationId?: LocationId | undefined
  }): Period | Refusal<'unknown location' | 'invalid date' | 'period reversed'> {
    const locations = selectLocations.all()
    const { locationId = null } = wanted
    const place = locationId === null ? locations[0] : locations.find(({ id }) => id === locationId)
    if (locationId !== null && !place) return { refused: 'unknown location', location: locationId }
    const { timezone, dayStartsAt } = place ?? { timezone: 'UTC', dayStartsAt: '00:00' }
    const today = businessDate(timeZone(timezone).at(now()), dayStartsAt)
    const { from = today, to = today } = wanted
    // A year of another millennium is a typing mistake.
    const wrong = [from, to].find(date => !isDate(date) || !/^[12]/.test(date))
    if (wrong !== undefined) return { refused: 'invalid date', date: wrong }
    return to < from ? { refused: 'period reversed', from, to } : { from, to, locationId }
  }

  return {
    period,
    summary: inOneView(summary),
    days: inOneView(sold.days),
    hours: inOneView(sold.hours),
    channels: inOneView(sold.channels),
    modes: inOneView(sold.modes),
    tables: inOneView(sold.tables),
    items: inOneView(consisted.items),
    modifiers: inOneView(consisted.modifiers),
    tax: inOneView(sold.tax),
    payments: inOneView(booked.payments),
    cancelled: inOneView(booked.cancelled),
    stock: inOneView(stock),
  }
}

export type Reports = ReturnType<typeof reports>

function byCurrency<Row extends InCurrency>(rows: Row[]): Map<string, Row> {
  return new Map(rows.map(row => [row.currency, row]))
}
