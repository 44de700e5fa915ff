import { channels, serviceModes } from '../terms/channels.ts'
import { isTimeZone, type Weekday, weekdays } from '../terms/clock.ts'
import { exponentOf } from '../terms/money.ts'
import { type OpeningHours, type OpeningPeriods, overlapsOf, type Period } from '../terms/opening.ts'
import {
  date,
  decimal,
  type Format,
  flag,
  id,
  LARGEST_PRICE,
  list,
  nullable,
  oneOf,
  optional,
  type Place,
  percent,
  placed,
  price,
  published,
  record,
  recordId,
  required,
  text,
  textLike,
  timeOfDay,
  title,
  uniqueList,
} from './format.ts'
import { routingRule, station, stockItem } from './kitchen-and-stock.ts'
import type { LocationEntry, RestaurantFile } from './restaurant-file.ts'

// The locations of a restaurant file: where, when and at which prices and taxes it sells.

export const zone = textLike(isTimeZone, 'is not a time zone this system knows, such as Europe/Lisbon')
const modes = uniqueList(oneOf(serviceModes))

const period = record({ open: required(timeOfDay), close: required(timeOfDay) })

/** In the contract an empty object means closed, like null. */
const hoursOfDay: Format<Period | null> = {
  read(value, place) {
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
    return isEmpty ? null : period.read(value, place)
  },
  write: value => value,
}

const periodsOfDay: Format<Period[] | null> = {
  read(value, place) {
    const periods = list(period).read(value, place)
    return periods.length > 0 ? periods : null
  },
  write: value => value,
}

/** The opening hours of each weekday; null: closed, and left out. */
function byWeekday<T>(format: Format<T | null>): Format<Partial<Record<Weekday, T>>> {
  const week = record(Object.fromEntries(weekdays.map(day => [day, nullable(format)])))
  return {
    read: (value, place) =>
      Object.fromEntries(Object.entries(week.read(value, place)).filter(([, day]) => day !== null)),
    write: value => value,
  }
}

const openingHours: Format<OpeningHours> = byWeekday(hoursOfDay)
const openingPeriods: Format<OpeningPeriods> = byWeekday(periodsOfDay)

const taxRate = record({ tax_class: required(recordId), rate: required(percent), takeaway_rate: nullable(percent) })

const closedDates = record({ from: required(date), until: required(date), title })

const deliveryZone = record({
  id,
  title,
  postcodes: optional(list(text(20)), []),
  fee: optional(price, 0),
  minimum: nullable(price),
})

const promotion = record({
  id,
  title,
  active: optional(flag, true),
  channel: nullable(oneOf(channels)),
  service_mode: nullable(oneOf(serviceModes)),
  weekdays: optional(uniqueList(oneOf(weekdays)), []),
  from: nullable(timeOfDay),
  until: nullable(timeOfDay),
  valid_from: nullable(date),
  valid_until: nullable(date),
  min_subtotal: nullable(price),
  percent: nullable(decimal(4, { most: 100, positive: true })),
  amount: nullable(decimal(3, { most: LARGEST_PRICE, positive: true })),
})

export const location = record({
  id,
  code: required(text(20)),
  title,
  published,
  address: nullable(text(500)),
  phone: nullable(text(50)),
  currency: required(
    textLike(value => exponentOf(value) !== undefined, 'is not an active ISO 4217 currency code, such as EUR'),
  ),
  timezone: required(zone),
  service_modes: optional(modes, []),
  opening_hours: optional(openingHours, {}),
  opening_periods: nullable(openingPeriods),
  closed_dates: optional(list(closedDates), []),
  tax_rate: nullable(percent),
  takeaway_tax_rate: nullable(percent),
  tax_rates: optional(list(taxRate), []),
  prices_include_tax: optional(flag, false),
  service_charge_rate: optional(percent, 0),
  service_charge_modes: optional(modes, ['dine_in', 'qr']),
  service_charge_taxable: optional(flag, true),
  delivery_fee: optional(price, 0),
  free_delivery_from: nullable(price),
  delivery_fee_taxable: optional(flag, false),
  minimum_delivery: nullable(price),
  delivery_zones: optional(list(deliveryZone), []),
  day_starts_at: optional(timeOfDay, '04:00'),
  items: optional(
    list(record({ id, enabled: optional(flag, true), available: nullable(flag), price: nullable(price) })),
    [],
  ),
  variations: optional(list(record({ id, price: nullable(price) })), []),
  tables: optional(list(record({ id, title })), []),
  stations: optional(list(station), []),
  routing: optional(list(routingRule), []),
  stock: optional(list(stockItem), []),
  promotions: optional(list(promotion), []),
})

/** Checks that the parts of each location agree. */
export function checkLocations(file: RestaurantFile, root: Place): void {
  for (const [entry, place] of placed(file.locations, root.at('locations'))) {
    checkOpening(entry, place)
    checkZones(entry, place.at('delivery_zones'))
    checkPromotions(entry, place.at('promotions'))
  }
}

function checkOpening({ opening_hours, opening_periods, closed_dates }: LocationEntry, place: Place): void {
  const given = opening_periods ?? {}
  if (opening_periods !== null && Object.keys(opening_hours).length > 0) {
    place.at('opening_periods').report('cannot stand beside opening_hours; leave one of the two out')
  }
  const complete = Object.entries(given).filter(([, day]) =>
    day.every(({ open, close }) => open !== '' && close !== ''),
  )
  for (const { day, index, other } of overlapsOf(Object.fromEntries(complete))) {
    const { open, close } = other.period
    place.at('opening_periods').at(day).at(index).report(`overlaps the period from ${open} to ${close} of ${other.day}`)
  }
  for (const [{ from, until }, dates] of placed(closed_dates, place.at('closed_dates'))) {
    if (until !== '' && until < from) dates.at('until').report(`${until} is before from (${from})`)
  }
}

/** Reports postcodes that are in more than one zone. */
function checkZones({ delivery_zones }: LocationEntry, place: Place): void {
  const zoneOf = new Map<string, string>()
  for (const [{ title, postcodes }, zonePlace] of placed(delivery_zones, place)) {
    for (const [postcode, postcodePlace] of placed(postcodes, zonePlace.at('postcodes'))) {
      const other = zoneOf.get(postcode)
      if (other !== undefined && postcode !== '') postcodePlace.report(`${postcode} is already in the zone "${other}"`)
      zoneOf.set(postcode, title)
    }
  }
}

function checkPromotions({ promotions }: LocationEntry, list: Place): void {
  for (const [deal, place] of placed(promotions, list)) {
    if ((deal.percent === null) === (deal.amount === null)) place.report('must have either percent or amount')
    if (deal.until !== null && deal.until !== '' && deal.until === (deal.from ?? '00:00')) {
      place.at('until').report('is the same time as from, so the promotion would never run')
    }
    if (deal.valid_from !== null && deal.valid_until !== null && deal.valid_until < deal.valid_from) {
      if (deal.valid_until !== '') place.at('valid_until').report('is before valid_from')
    }
  }
}
