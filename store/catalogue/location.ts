import type { Db } from '../file/open.ts'
import type { Channel, ServiceMode } from '../terms/channels.ts'
import type { LocationId, PromotionId, ZoneId } from '../terms/ids.ts'
import { exponentOf, minorUnits } from '../terms/money.ts'
import { periodsOf } from '../terms/opening.ts'
import { groupBy } from '../terms/rows.ts'
import type { DiningTable, Location } from './catalogue.ts'

interface LocationRow {
  id: LocationId
  code: string
  title: string
  address: string | null
  phone: string | null
  currency: string
  timezone: string
  serviceModes: string
  openingHours: string
  openingPeriods: string | null
  closedDates: string
  taxPpm: number | null
  takeawayTaxPpm: number | null
  pricesIncludeTax: number
  serviceChargePpm: number
  serviceChargeModes: string
  serviceChargeTaxable: number
  deliveryFeeMilli: number
  freeDeliveryFromMilli: number | null
  deliveryFeeTaxable: number
  minimumDeliveryMilli: number | null
  dayStartsAt: string
}
interface ZoneRow {
  id: ZoneId
  locationId: LocationId
  title: string
  postcodes: string
  feeMilli: number
  minimumMilli: number | null
}
interface TableRow extends DiningTable {
  locationId: LocationId
}
interface PromotionRow {
  id: PromotionId
  locationId: LocationId
  title: string
  channel: Channel | null
  serviceMode: ServiceMode | null
  weekdays: string
  from: string | null
  until: string | null
  validFrom: string | null
  validUntil: string | null
  minSubtotalMilli: number | null
  percentPpm: number | null
  amountMilli: number | null
}

/** Returns the function that reads the published locations, in display order. */
export function locationReader(db: Db): () => Location[] {
  const selectLocations = db.prepare<[], LocationRow>(
    `SELECT id, code, title, address, phone, currency, timezone, service_modes AS serviceModes,
            opening_hours AS openingHours, opening_periods AS openingPeriods, closed_dates AS closedDates,
            tax_ppm AS taxPpm, takeaway_tax_ppm AS takeawayTaxPpm, prices_include_tax AS pricesIncludeTax,
            service_charge_ppm AS serviceChargePpm, service_charge_modes AS serviceChargeModes,
            service_charge_taxable AS serviceChargeTaxable, delivery_fee_milli AS deliveryFeeMilli,
            free_delivery_from_milli AS freeDeliveryFromMilli, delivery_fee_taxable AS deliveryFeeTaxable,
            minimum_delivery_milli AS minimumDeliveryMilli, day_starts_at AS dayStartsAt
       FROM location WHERE published = 1 ORDER BY position, id`,
  )
  const selectPromotions = db.prepare<[], PromotionRow>(
    `SELECT id, location_id AS locationId, title, channel, service_mode AS serviceMode, weekdays,
            from_time AS "from", until_time AS "until", valid_from AS validFrom, valid_until AS validUntil,
            min_subtotal_milli AS minSubtotalMilli, percent_ppm AS percentPpm, amount_milli AS amountMilli
       FROM promotion WHERE active = 1 ORDER BY id`,
  )
  const selectZones = db.prepare<[], ZoneRow>(
    `SELECT id, location_id AS locationId, title, postcodes, fee_milli AS feeMilli, minimum_milli AS minimumMilli
       FROM delivery_zone ORDER BY position, id`,
  )
  const selectTables = db.prepare<[], TableRow>(
    `SELECT id, location_id AS locationId, title FROM dining_table WHERE position IS NOT NULL ORDER BY position, id`,
  )
  return () => {
    const promotions = groupBy(selectPromotions.all(), row => row.locationId)
    const zones = groupBy(selectZones.all(), row => row.locationId)
    const tables = groupBy(selectTables.all(), row => row.locationId)
    return selectLocations
      .all()
      .map(row => locationOf(row, promotions.get(row.id) ?? [], zones.get(row.id) ?? [], tables.get(row.id) ?? []))
  }
}

function locationOf(row: LocationRow, promotions: PromotionRow[], zones: ZoneRow[], tables: TableRow[]): Location {
  const exponent = exponentOf(row.currency)
  if (exponent === undefined) throw new Error(`location ${row.id} has the unknown currency ${row.currency}`)
  const minor = (milli: number) => minorUnits(milli, exponent)
  const { deliveryFeeMilli, freeDeliveryFromMilli, minimumDeliveryMilli, ...same } = row
  const openingHours = JSON.parse(row.openingHours)
  return {
    ...same,
    exponent,
    serviceModes: JSON.parse(row.serviceModes),
    openingHours,
    openingPeriods: row.openingPeriods === null ? periodsOf(openingHours) : JSON.parse(row.openingPeriods),
    closedDates: JSON.parse(row.closedDates),
    pricesIncludeTax: row.pricesIncludeTax === 1,
    serviceChargeModes: JSON.parse(row.serviceChargeModes),
    serviceChargeTaxable: row.serviceChargeTaxable === 1,
    deliveryFee: minor(deliveryFeeMilli),
    freeDeliveryFrom: freeDeliveryFromMilli === null ? null : minor(freeDeliveryFromMilli),
    deliveryFeeTaxable: row.deliveryFeeTaxable === 1,
    minimumDelivery: minimumDeliveryMilli === null ? null : minor(minimumDeliveryMilli),
    deliveryZones: zones.map(({ id, title, postcodes, feeMilli, minimumMilli }) => ({
      id,
      title,
      postcodes: JSON.parse(postcodes),
      fee: minor(feeMilli),
      minimum: minimumMilli === null ? null : minor(minimumMilli),
    })),
    tables: tables.map(({ id, title }) => ({ id, title })),
    promotions: promotions.map(({ locationId: _, minSubtotalMilli, percentPpm, amountMilli, ...promotion }) => ({
      ...promotion,
      weekdays: JSON.parse(promotion.weekdays),
      minSubtotal: minor(minSubtotalMilli ?? 0),
      discount: percentPpm !== null ? { percentPpm } : { amount: minor(amountMilli ?? 0) },
    })),
  }
}
