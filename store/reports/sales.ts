import type { Db } from '../file/open.ts'
import type { Channel, ServiceMode } from '../terms/channels.ts'
import { timeZone, type Weekday, weekdayOf, weekdays } from '../terms/clock.ts'
import type { LocationId, TableId } from '../terms/ids.ts'
import { type InCurrency, type Period, sold } from './period.ts'

/**
 * The sums of orders in their present state, in minor units. total = subtotal − discounts + serviceCharge + deliveryFee +
 * taxAdded; `tax` is all tax in it, added to the prices or included in them.
 */
export interface Sales extends InCurrency {
  orders: number
  subtotal: number
  discounts: number
  serviceCharge: number
  deliveryFee: number
  taxAdded: number
  total: number
  tax: number
}

/**
 * Sales at one rate of tax, by decision C8: net + tax is what the lines and taxed charges at this rate cost. Charges and fees
 * that are not taxed are in the row of their location's own rate: net + untaxed + tax = total.
 */
export interface TaxedSales extends InCurrency {
  /** Millionths. No tax is a rate of 0. */
  ratePpm: number
  isIncluded: boolean
  /** Orders with something at this rate. */
  orders: number
  /** The taxed amount, without the tax. */
  net: number
  /** Charges and fees that are not taxed. */
  untaxed: number
  tax: number
  total: number
}

const sums = `currency, exponent, count(*) AS orders, sum(subtotal_minor) AS subtotal, sum(discount_minor) AS discounts,
  sum(service_charge_minor) AS serviceCharge, sum(delivery_fee_minor) AS deliveryFee,
  sum(iif(prices_include_tax, 0, tax_minor)) AS taxAdded, sum(grand_total_minor) AS total, sum(tax_minor) AS tax`

/** Sales in a local hour of a business day of the week: an order at 01:00 on Sunday is in the hour 1 of Saturday. */
export interface WeekdaySales extends Sales {
  weekday: Weekday
  hour: number
}

const QUARTER = 900_000

/** What was sold, in total and divided; each by currency. */
export function sales(db: Db) {
  const selectAll = db.prepare<Period, Sales>(
    `SELECT ${sums} FROM orders WHERE ${sold} GROUP BY currency, exponent ORDER BY currency`,
  )
  const selectDays = db.prepare<Period, Sales & { date: string }>(
    `SELECT business_date AS date, ${sums} FROM orders WHERE ${sold}
      GROUP BY currency, exponent, business_date ORDER BY currency, business_date`,
  )
  // The offset of a time zone changes only on a quarter of an hour, so all orders of a quarter have the same local hour.
  const selectQuarters = db.prepare<Period, Sales & { quarter: number; locationId: LocationId; date: string }>(
    `SELECT location_id AS locationId, business_date AS date, placed_at / ${QUARTER} AS quarter, ${sums} FROM orders
      WHERE ${sold} GROUP BY currency, exponent, location_id, business_date, quarter ORDER BY currency, location_id, quarter`,
  )
  const selectZones = db.prepare<[], { id: LocationId; timezone: string; dayStartsAt: string }>(
    'SELECT id, timezone, day_starts_at AS dayStartsAt FROM location',
  )
  const selectChannels = db.prepare<Period, Sales & { channel: Channel }>(
    `SELECT channel, ${sums} FROM orders WHERE ${sold} GROUP BY currency, exponent, channel ORDER BY currency, total DESC, channel`,
  )
  const selectModes = db.prepare<Period, Sales & { mode: ServiceMode | null }>(
    `SELECT mode, ${sums} FROM orders WHERE ${sold} GROUP BY currency, exponent, mode ORDER BY currency, total DESC, mode`,
  )
  const selectTables = db.prepare<Period, Sales & { tableId: TableId | null; table: string | null }>(
    `SELECT table_id AS tableId, table_title AS "table", ${sums} FROM orders WHERE ${sold}
      GROUP BY currency, exponent, table_id, table_title ORDER BY currency, total DESC, table_title, table_id`,
  )
  // An order at one rate is summed up by its totals; one at several keeps what was taken at each of them.
  const selectTax = db.prepare<Period, Omit<TaxedSales, 'isIncluded'> & { isIncluded: number }>(
    `WITH sale AS (
       SELECT currency, exponent, coalesce(tax_ppm, 0) AS own, prices_include_tax AS isIncluded, tax_lines,
              tax_minor AS tax, subtotal_minor - discount_minor + service_charge_minor * service_charge_taxable
                + delivery_fee_minor * delivery_fee_taxable AS base,
              service_charge_minor * (1 - service_charge_taxable)
                + delivery_fee_minor * (1 - delivery_fee_taxable) AS untaxed
         FROM orders WHERE ${sold}),
     part AS (
       SELECT currency, exponent, own AS ratePpm, isIncluded, count(*) AS orders, sum(base) AS base, sum(untaxed) AS untaxed,
              sum(tax) AS tax
         FROM sale WHERE tax_lines IS NULL GROUP BY currency, exponent, own, isIncluded
       UNION ALL
       SELECT currency, exponent, line.value ->> 'ratePpm', isIncluded, 1, line.value ->> 'base', 0, line.value ->> 'tax'
         FROM sale, json_each(tax_lines) AS line WHERE tax_lines IS NOT NULL
       UNION ALL
       SELECT currency, exponent, own, isIncluded, 0, 0, untaxed, 0 FROM sale WHERE tax_lines IS NOT NULL AND untaxed <> 0)
     SELECT currency, exponent, ratePpm, isIncluded, sum(orders) AS orders, sum(base - iif(isIncluded, tax, 0)) AS net,
            sum(untaxed) AS untaxed, sum(tax) AS tax, sum(base + untaxed + iif(isIncluded, 0, tax)) AS total
       FROM part GROUP BY currency, exponent, ratePpm, isIncluded ORDER BY currency, ratePpm, isIncluded`,
  )

  /** By local hour of the location and by a key of the business date; the hours after midnight are the last of their day. */
  function byHour<Key extends object>(
    period: Period,
    keyOf: (date: string) => Key,
  ): (Sales & Key & { hour: number })[] {
    const zones = new Map(selectZones.all().map(({ id, ...zone }) => [id, zone]))
    const found = new Map<string, Sales & Key & { hour: number }>()
    let firstHour = 23
    for (const { quarter, locationId, date, ...part } of selectQuarters.all(period)) {
      const { timezone = 'UTC', dayStartsAt = '00:00' } = zones.get(locationId) ?? {}
      const hour = Number(
        timeZone(timezone)
          .at(quarter * QUARTER)
          .time.slice(0, 2),
      )
      firstHour = Math.min(firstHour, Number(dayStartsAt.slice(0, 2)))
      const key = { ...keyOf(date), hour }
      const name = `${part.currency} ${Object.values(key)}`
      const before = found.get(name)
      if (before) addSales(before, part)
      else found.set(name, { ...key, ...part })
    }
    const place = ({ hour }: { hour: number }) => (hour - firstHour + 24) % 24
    return [...found.values()].sort((a, b) => compareText(a.currency, b.currency) || place(a) - place(b))
  }

  return {
    all: (period: Period): Sales[] => selectAll.all(period),
    days: (period: Period) => selectDays.all(period),
    hours: (period: Period) => byHour(period, () => ({})),
    weekdays: (period: Period): WeekdaySales[] =>
      byHour(period, date => ({ weekday: weekdayOf(date) })).sort(
        (a, b) => compareText(a.currency, b.currency) || weekdays.indexOf(a.weekday) - weekdays.indexOf(b.weekday),
      ),
    channels: (period: Period) => selectChannels.all(period),
    modes: (period: Period) => selectModes.all(period),
    tables: (period: Period) => selectTables.all(period),
    tax: (period: Period): TaxedSales[] =>
      selectTax.all(period).map(row => ({ ...row, isIncluded: row.isIncluded === 1 })),
  }
}

function addSales(total: Sales, part: Sales): void {
  total.orders += part.orders
  total.subtotal += part.subtotal
  total.discounts += part.discounts
  total.serviceCharge += part.serviceCharge
  total.deliveryFee += part.deliveryFee
  total.taxAdded += part.taxAdded
  total.total += part.total
  total.tax += part.tax
}

/** The order in which SQLite sorts text. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
