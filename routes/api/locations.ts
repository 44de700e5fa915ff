import type { Catalogue, Location, Promotion } from '../../store/catalogue/catalogue.ts'
import { type Exponent, majorUnits, percentOf } from '../../store/terms/money.ts'
import type { Handler } from '../http/handler.ts'
import { preparedOnce } from '../http/prepared.ts'

const prepareLocations = preparedOnce((catalogue: Catalogue) => ({
  data: catalogue.locations.map(location => locationJson(location, catalogue.acceptsOrders(location.id))),
}))

/** GET /v1/restaurant/locations: the published locations (section 4.1). */
export const listLocations: Handler = ({ store }) => ({
  kind: 'prepared',
  prepared: prepareLocations(store.catalogue.current()),
})

function locationJson(location: Location, acceptsOrders: boolean) {
  const { exponent, freeDeliveryFrom } = location
  return {
    id: location.id,
    code: location.code,
    title: location.title,
    currency: location.currency,
    timezone: location.timezone,
    service_modes: location.serviceModes,
    opening_hours: location.openingHours,
    tax_rate: percentOf(location.taxPpm),
    // Beyond section 2: what a client needs to show the total before it orders, and more about the place.
    address: location.address,
    phone: location.phone,
    opening_periods: location.openingPeriods,
    closed_dates: location.closedDates,
    accepts_orders: Number(acceptsOrders),
    takeaway_tax_rate: percentOf(location.takeawayTaxPpm),
    prices_include_tax: Number(location.pricesIncludeTax),
    service_charge_rate: percentOf(location.serviceChargePpm),
    service_charge_modes: location.serviceChargeModes,
    service_charge_taxable: Number(location.serviceChargeTaxable),
    delivery_fee: majorUnits(location.deliveryFee, exponent),
    free_delivery_from: freeDeliveryFrom === null ? null : majorUnits(freeDeliveryFrom, exponent),
    delivery_fee_taxable: Number(location.deliveryFeeTaxable),
    promotions: location.promotions.map(promotion => promotionJson(promotion, exponent)),
  }
}

function promotionJson(promotion: Promotion, exponent: Exponent) {
  const { discount } = promotion
  return {
    id: promotion.id,
    title: promotion.title,
    channel: promotion.channel,
    service_mode: promotion.serviceMode,
    weekdays: promotion.weekdays,
    from: promotion.from,
    until: promotion.until,
    valid_from: promotion.validFrom,
    valid_until: promotion.validUntil,
    min_subtotal: majorUnits(promotion.minSubtotal, exponent),
    percent: 'percentPpm' in discount ? percentOf(discount.percentPpm) : null,
    amount: 'amount' in discount ? majorUnits(discount.amount, exponent) : null,
  }
}
