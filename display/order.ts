import type { Standing } from '../store/ledger/ledger.ts'
import type { Order, OrderLine } from '../store/ordering/order.ts'
import { timeZone } from '../store/terms/clock.ts'
import { type Exponent, majorUnits } from '../store/terms/money.ts'
import { amount, type Column, count, words } from './cell.ts'
import { instantJson, minuteText } from './instant.ts'
import type { Language } from './language.ts'
import { channelText, fulfilmentText, statusText } from './terms.ts'

/** The number of an order as it is shown: ORD-000042. */
export function orderNumber(number: number): string {
  return `ORD-${String(number).padStart(6, '0')}`
}

/** The state of an order: "confirmed, ready". */
export function orderState(
  { status, fulfillmentStatus }: Pick<Order, 'status' | 'fulfillmentStatus'>,
  language: Language = 'en',
): string {
  const text = statusText(status, language)
  const isSaid = fulfillmentStatus !== null && fulfillmentStatus !== status
  return isSaid ? `${text}, ${fulfilmentText(fulfillmentStatus, language)}` : text
}

/** The list of orders; instants are shown in a time zone. */
export function orderColumns(zone: string): Column<Order>[] {
  return [
    { key: 'order_number', head: 'order', cell: order => words(orderNumber(order.number)) },
    { key: 'id', head: 'id', cell: order => count(order.id) },
    { key: 'placed_at', head: 'placed', cell: order => words(minuteText(order.placedAt, zone)) },
    { key: 'location_id', head: 'location', cell: order => count(order.locationId) },
    { key: 'channel', head: 'channel', cell: order => words(channelText(order.channel)) },
    { key: 'status', head: 'state', cell: order => words(orderState(order)) },
    { key: 'grand_total', head: 'total', cell: order => amount(order.grandTotal, order.exponent, order.currency) },
    { key: 'items', head: 'items', cell: order => words(order.lines.map(lineText).join(', ')) },
  ]
}

/** A line in short: "2 × Burger". */
export function lineText({ qtyMilli, name }: Pick<OrderLine, 'qtyMilli' | 'name'>): string {
  return `${qtyMilli / 1000} × ${name}`
}

/** The delivery address of an order: "Rua das Flores 12, 4050"; empty if there is none. */
export function addressText(order: { deliveryAddress: string | null; deliveryPostcode: string | null }): string {
  return [order.deliveryAddress, order.deliveryPostcode].filter(part => part !== null).join(', ')
}

/** The Order of section 2. `placed_at` is in the site's time zone (decision D7). */
export function orderJson(order: Order, siteTimezone: string) {
  const { exponent } = order
  const { date, time } = timeZone(siteTimezone).at(order.placedAt)
  return {
    id: order.id,
    order_number: orderNumber(order.number),
    location_id: order.locationId,
    channel: order.channel,
    status: order.status,
    fulfillment_status: order.fulfillmentStatus,
    subtotal: majorUnits(order.subtotal, exponent),
    discount_total: majorUnits(order.discountTotal, exponent),
    tax_total: majorUnits(order.taxTotal, exponent),
    service_charge: majorUnits(order.serviceCharge, exponent),
    delivery_fee: majorUnits(order.deliveryFee, exponent),
    grand_total: majorUnits(order.grandTotal, exponent),
    currency: order.currency,
    notes: order.notes,
    placed_at: `${date} ${time}`,
    tax_lines: order.taxLines.map(({ ratePpm, base, tax }) => ({
      rate: ratePpm / 10_000,
      base: majorUnits(base, exponent),
      tax: majorUnits(tax, exponent),
    })),
    items: order.lines.map(line => lineJson(line, order)),
  }
}

function lineJson(line: OrderLine, { exponent }: Order) {
  return {
    id: line.id,
    item_id: line.itemId,
    variation_id: line.variationId,
    name_snapshot: line.name,
    qty: line.qtyMilli / 1000,
    unit_price: majorUnits(line.unitPrice, exponent),
    modifiers_total: majorUnits(line.modifiersTotal, exponent),
    line_total: majorUnits(line.lineTotal, exponent),
    notes: line.notes,
    modifiers: line.modifiers.map(({ id, title, qty, free, price }) => ({
      modifier_id: id,
      title,
      qty,
      free,
      price: majorUnits(price, exponent),
    })),
  }
}

/** The API's order with the members that only staff may see. */
export function fullOrderJson(order: Order, { balance, paid }: Standing, siteTimezone: string) {
  const { promotion, manualDiscount, exponent } = order
  return {
    ...orderJson(order, siteTimezone),
    source: order.source,
    service_mode: order.serviceMode,
    mode: order.mode,
    customer: order.customer,
    placed_at_utc: instantJson(order.placedAt),
    business_date: order.businessDate,
    tax_rate: order.taxPpm === null ? null : order.taxPpm / 10_000,
    prices_include_tax: order.pricesIncludeTax,
    service_charge_rate: order.serviceChargePpm / 10_000,
    promotion: promotion && { id: promotion.id, title: promotion.title, ...discountJson(promotion.discount, exponent) },
    manual_discount: manualDiscount && {
      reason: manualDiscount.reason,
      ...discountJson(manualDiscount, exponent),
    },
    table_id: order.tableId,
    table: order.tableTitle,
    wanted_at: order.wantedAt === null ? null : instantJson(order.wantedAt),
    delivery_address: order.deliveryAddress,
    delivery_postcode: order.deliveryPostcode,
    cancel_reason: order.cancelReason,
    paid: majorUnits(paid, exponent),
    balance: majorUnits(balance, exponent),
  }
}

function discountJson(discount: { amount: number } | { percentPpm: number }, exponent: Exponent) {
  return 'amount' in discount
    ? { amount: majorUnits(discount.amount, exponent) }
    : { percent: discount.percentPpm / 10_000 }
}
