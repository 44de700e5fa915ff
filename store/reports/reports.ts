import type { Db } from '../file/open.ts'
import type { Channel } from '../terms/channels.ts'
import { businessDate, daysAfter, daysFrom, isDate, timeZone } from '../terms/clock.ts'
import type { LocationId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'
import { type Account, accounts, emptyAccount } from './accounts.ts'
import { bookings } from './bookings.ts'
import { dishes } from './dishes.ts'
import { type InCurrency, type Period, periodBefore, shiftOf, type WantedPeriod } from './period.ts'
import { compareText, type Sales, sales } from './sales.ts'
import { staffWork } from './staff-work.ts'
import { stockUse } from './stock-use.ts'

/** A period in one currency. What the ledger says of its orders: sales.total = charges + adjustments + chargeVoids. */
export interface Summary extends InCurrency {
  sales: Sales
  cancelled: { orders: number; total: number }
  ofOrders: Account
  ofDays: Account
}

/** The sales of a day and of the same weekday some weeks before. */
export interface Comparison extends InCurrency {
  date: string
  dateBefore: string
  orders: number
  ordersBefore: number
  total: number
  totalBefore: number
  /** total − totalBefore */
  change: number
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
  const work = staffWork(db)
  const single = bookings(db)
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

  /** Day by day with the week before or, of a longer period, with as many weeks as it has begun. */
  function comparison(period: Period): Comparison[] {
    const shift = shiftOf(period)
    const now = sold.days(period)
    const before = sold.days(periodBefore(period))
    const found = new Map<string, Comparison>()
    function dayOf({ currency, exponent }: InCurrency, date: string): Comparison {
      const key = `${currency} ${date}`
      const none = { orders: 0, ordersBefore: 0, total: 0, totalBefore: 0, change: 0 }
      const day = found.get(key) ?? { currency, exponent, date, dateBefore: daysAfter(date, -shift), ...none }
      found.set(key, day)
      return day
    }
    for (const row of now) {
      const day = dayOf(row, row.date)
      day.orders = row.orders
      day.total = row.total
      day.change += row.total
    }
    for (const row of before) {
      const day = dayOf(row, daysAfter(row.date, shift))
      day.ordersBefore = row.orders
      day.totalBefore = row.total
      day.change -= row.total
    }
    return [...found.values()].sort((a, b) => compareText(a.currency, b.currency) || compareText(a.date, b.date))
  }

  function inOneView<Row>(report: (period: Period) => Row[]): (period: WantedPeriod) => Row[] {
    const transaction = db.transaction(report)
    return period => transaction.deferred({ channel: null, ...period })
  }

  /**
   * The period from one business date to another, both included; left out, each is today where the location is, or at
   * the first location. Refuses what is not a date, a period that ends before it begins or has more than `mostDays`, and an
   * unknown location.
   */
  function period(wanted: {
    from?: string | undefined
    to?: string | undefined
    locationId?: LocationId | undefined
    channel?: Channel | undefined
    mostDays?: number | undefined
  }): Period | Refusal<'unknown location' | 'invalid date' | 'period reversed' | 'period too long'> {
    const locations = selectLocations.all()
    const { locationId = null, channel = null, mostDays } = wanted
    const place = locationId === null ? locations[0] : locations.find(({ id }) => id === locationId)
    if (locationId !== null && !place) return { refused: 'unknown location', location: locationId }
    const { timezone, dayStartsAt } = place ?? { timezone: 'UTC', dayStartsAt: '00:00' }
    const today = businessDate(timeZone(timezone).at(now()), dayStartsAt)
    const { from = today, to = today } = wanted
    // A year of another millennium is a typing mistake.
    const wrong = [from, to].find(date => !isDate(date) || !/^[12]/.test(date))
    if (wrong !== undefined) return { refused: 'invalid date', date: wrong }
    if (to < from) return { refused: 'period reversed', from, to }
    if (mostDays !== undefined && daysFrom(from, to) > mostDays) return { refused: 'period too long', most: mostDays }
    return { from, to, locationId, channel }
  }

  return {
    period,
    summary: inOneView(summary),
    days: inOneView(sold.days),
    hours: inOneView(sold.hours),
    weekdays: inOneView(sold.weekdays),
    comparison: inOneView(comparison),
    channels: inOneView(sold.channels),
    modes: inOneView(sold.modes),
    tables: inOneView(sold.tables),
    items: inOneView(consisted.items),
    modifiers: inOneView(consisted.modifiers),
    tax: inOneView(sold.tax),
    payments: inOneView(booked.payments),
    cancelled: inOneView(booked.cancelled),
    staff: inOneView(work),
    entries: inOneView(single),
    stock: inOneView(stock),
  }
}

export type Reports = ReturnType<typeof reports>

function byCurrency<Row extends InCurrency>(rows: Row[]): Map<string, Row> {
  return new Map(rows.map(row => [row.currency, row]))
}
