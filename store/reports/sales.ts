import type { Db } from '../file/open.ts'
import type { Channel, ServiceMode } from '../terms/channels.ts'
import { timeZone } from '../terms/clock.ts'
import type { LocationId } from '../terms/ids.ts'
import { type InCurrency, type Period, sold } from './period.ts'

/**
 * What orders came to, as they stand now, in minor units. total = subtotal − discounts + serviceCharge + deliveryFee +
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

/** Sales at one rate of tax. net + untaxed + tax = total. */
export interface TaxedSales extends InCurrency {
  /** Millionths. No tax is a rate of 0. */
  ratePpm: number
  isIncluded: boolean
  orders: number
  /** What the tax was taken on, without the tax. */
  net: number
  /** Charges and fees that bear none. */
  untaxed: number
  tax: number
  total: number
}

const sums = `currency, exponent, count(*) AS orders, sum(subtotal_minor) AS subtotal, sum(discount_minor) AS discounts,
  sum(service_charge_minor) AS serviceCharge, sum(delivery_fee_minor) AS deliveryFee,
  sum(iif(prices_include_tax, 0, tax_minor)) AS taxAdded, sum(grand_total_minor) AS total, sum(tax_minor) AS tax`

const QUARTER = 900_000

/** What was sold, in all and by what divides it; each by currency. */
export function sales(db: Db) {
  const selectAll = db.prepare<Period, Sales>(
    `SELECT ${sums} FROM orders WHERE ${sold} GROUP BY currency, exponent ORDER BY currency`,
  )
  const selectDays = db.prepare<Period, Sales & { date: string }>(
    `SELECT business_date AS date, ${sums} FROM orders WHERE ${sold}
      GROUP BY currency, exponent, business_date ORDER BY currency, business_date`,
  )
  // A zone's offset changes on a quarter of an hour only, so all orders of a quarter are of the same hour on the wall.
  const selectQuarters = db.prepare<Period, Sales & { quarter: number; locationId: LocationId }>(
    `SELECT location_id AS locationId, placed_at / ${QUARTER} AS quarter, ${sums} FROM orders WHERE ${sold}
      GROUP BY currency, exponent, location_id, quarter ORDER BY currency, location_id, quarter`,
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
  const selectTax = db.prepare<Period, Omit<TaxedSales, 'isIncluded'> & { isIncluded: number }>(
    `SELECT currency, exponent, coalesce(tax_ppm, 0) AS ratePpm, prices_include_tax AS isIncluded, count(*) AS orders,
            sum(subtotal_minor - discount_minor + service_charge_minor * service_charge_taxable
                + delivery_fee_minor * delivery_fee_taxable - iif(prices_include_tax, tax_minor, 0)) AS net,
            sum(service_charge_minor * (1 - service_charge_taxable)
                + delivery_fee_minor * (1 - delivery_fee_taxable)) AS untaxed,
            sum(tax_minor) AS tax, sum(grand_total_minor) AS total
       FROM orders WHERE ${sold}
      GROUP BY currency, exponent, ratePpm, isIncluded ORDER BY currency, ratePpm, isIncluded`,
  )

  /** By the hour of the clock on the location's wall; the night belongs to the end of the day that it ends. */
  function hours(period: Period): (Sales & { hour: number })[] {
    const zones = new Map(selectZones.all().map(({ id, ...zone }) => [id, zone]))
    const found = new Map<string, Sales & { hour: number }>()
    let firstHour = 23
    for (const { quarter, locationId, ...part } of selectQuarters.all(period)) {
      const { timezone = 'UTC', dayStartsAt = '00:00' } = zones.get(locationId) ?? {}
      const hour = Number(
        timeZone(timezone)
          .at(quarter * QUARTER)
          .time.slice(0, 2),
      )
      firstHour = Math.min(firstHour, Number(dayStartsAt.slice(0, 2)))
      const key = `${part.currency} ${hour}`
      const before = found.get(key)
      if (before) addSales(before, part)
      else found.set(key, { hour, ...part })
    }
    const place = ({ hour }: { hour: number }) => (hour - firstHour + 24) % 24
    return [...found.values()].sort((a, b) => compareText(a.currency, b.currency) || place(a) - place(b))
  }

  return {
    all: (period: Period): Sales[] => selectAll.all(period),
    days: (period: Period) => selectDays.all(period),
    hours,
    channels: (period: Period) => selectChannels.all(period),
    modes: (period: Period) => selectModes.all(period),
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
