// The price of an order, calculated by a client before it places the order, from the location and the menu that the API
// returns. docs/calculation.md explains the rules. Copy it into a kiosk or an app: it needs no packages.

type Rates = { tax_rate: number | null; takeaway_tax_rate: number | null }
type Priced = { id: number; price: number }
type Size = Priced & { modifier_prices: { modifier_id: number; price: number }[] }
type Item = Rates & Priced & { variations: Size[]; modifier_groups: { free_quantity: number; modifiers: Priced[] }[] }
type Condition = 'channel' | 'service_mode' | 'from' | 'until' | 'valid_from' | 'valid_until'
type Terms = { weekdays: string[]; min_subtotal: number; percent: number | null; amount: number | null }
type Promotion = Terms & Record<Condition, string | null>

/** The members of a location that a total needs (GET /locations). */
export interface Location extends Rates {
  currency: string
  timezone: string
  prices_include_tax: number
  service_charge_rate: number
  service_charge_modes: string[]
  service_charge_taxable: number
  delivery_fee: number
  free_delivery_from: number | null
  delivery_fee_taxable: number
  promotions: Promotion[]
}

/** The members of a menu that a total needs (GET /locations/{id}/menu). */
export type Menu = { categories: { items: Item[] }[] }

type Option = { modifier_id: number; qty?: number | null }
type Line = { item_id: number; variation_id?: number | null; qty: number; modifiers?: Option[] | null }

/** The members of an order that a total needs (the body of POST /orders). */
export type Order = { channel?: unknown; service_mode?: string | null; items: Line[] }

const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'
const MILLION = 1_000_000

/** A number with at most so many decimals as an integer. Rounding only removes the error of binary fractions. */
const whole = (value: number, decimals: number) => Math.round(value * 10 ** decimals)
const millionths = (percent: number | null) => whole(percent ?? 0, 4)
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)

/** amount × numerator ÷ denominator, rounded half up. BigInt, because the product can exceed what a number holds exactly. */
function share(amount: number, numerator: number, denominator: number): number {
  return Number((2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator)))
}

/** The totals of an order as the response will have them. Throws if something in the order is not on the menu. */
export function totalOf(location: Location, menu: Menu, order: Order, now: Date) {
  const decimals = NO_DECIMALS.includes(location.currency) ? 0 : THREE_DECIMALS.includes(location.currency) ? 3 : 2
  const minor = (amount: number) => whole(amount, decimals)
  const major = (amount: number) => amount / 10 ** decimals
  const channel = ['phone', 'takeaway', 'delivery'].find(known => known === order.channel) ?? 'web'
  const mode = modeOf(order.service_mode ?? '', channel)
  const isTakeaway = mode === 'takeaway' || mode === 'delivery'
  const rateOf = (its: Rates) => (isTakeaway ? (its.takeaway_tax_rate ?? its.tax_rate) : its.tax_rate) ?? 0

  const items = new Map(menu.categories.flatMap(category => category.items).map(item => [item.id, item]))
  const atRate = new Map<number, number>()
  for (const line of order.items) {
    const item = items.get(line.item_id)
    if (!item) throw new Error(`item ${line.item_id} is not on the menu`)
    const lineTotal = share(sum(pricesOfOne(line, item).map(minor)), whole(line.qty, 3), 1000)
    atRate.set(rateOf(item), (atRate.get(rateOf(item)) ?? 0) + lineTotal)
  }
  const subtotal = sum(atRate.values())

  const clock = clockOf(location.timezone, now)
  const discounts = location.promotions
    .filter(its => (its.channel ?? channel) === channel && (its.service_mode ?? mode) === mode)
    .filter(its => subtotal >= minor(its.min_subtotal) && isOpen(its, clock))
    .map(({ amount, percent }) => (amount === null ? share(subtotal, millionths(percent), MILLION) : minor(amount)))
  const discount = Math.min(subtotal, Math.max(0, ...discounts))
  const net = subtotal - discount
  const isCharged = mode !== null && location.service_charge_modes.includes(mode)
  const serviceCharge = isCharged ? share(net, millionths(location.service_charge_rate), MILLION) : 0
  const isFree = location.free_delivery_from !== null && net >= minor(location.free_delivery_from)
  const deliveryFee = mode !== 'delivery' || isFree ? 0 : minor(location.delivery_fee)

  shareDiscount(atRate, subtotal, discount)
  const taxed = serviceCharge * location.service_charge_taxable + deliveryFee * location.delivery_fee_taxable
  if (taxed > 0) atRate.set(rateOf(location), (atRate.get(rateOf(location)) ?? 0) + taxed)
  const contained = (rate: number) => (location.prices_include_tax ? millionths(rate) : 0)
  const taxes = [...atRate]
    .sort(([a], [b]) => b - a)
    .map(([rate, base]) => ({ rate, base, tax: share(base, millionths(rate), MILLION + contained(rate)) }))
  const tax = sum(taxes.map(line => line.tax))
  return {
    subtotal: major(subtotal),
    discount_total: major(discount),
    tax_total: major(tax),
    service_charge: major(serviceCharge),
    delivery_fee: major(deliveryFee),
    grand_total: major(net + serviceCharge + deliveryFee + (location.prices_include_tax ? 0 : tax)),
    tax_lines: taxes.map(line => ({ rate: line.rate, base: major(line.base), tax: major(line.tax) })),
  }
}

function modeOf(serviceMode: string, channel: string): string | null {
  const mode = serviceMode.trim().toLowerCase().replaceAll(/[ -]/g, '_')
  if (['dine_in', 'takeaway', 'delivery', 'qr'].includes(mode)) return mode
  return channel === 'takeaway' || channel === 'delivery' ? channel : null
}

/** The prices in one unit of a line: that of the item or its size, and of each option that is not free. */
function pricesOfOne({ variation_id, modifiers }: Line, item: Item): number[] {
  const size = item.variations.find(({ id }) => id === variation_id)
  if (!size && variation_id) throw new Error(`size ${variation_id} is not on the menu`)
  const used = new Map<object, number>()
  const options = (modifiers ?? []).flatMap(({ modifier_id, qty }) => {
    const group = item.modifier_groups.find(({ modifiers: all }) => all.some(({ id }) => id === modifier_id))
    const plain = group?.modifiers.find(({ id }) => id === modifier_id)
    if (!group || !plain) throw new Error(`option ${modifier_id} is not on the menu`)
    const before = used.get(group) ?? 0
    used.set(group, before + (qty ?? 1))
    const charged = Math.max(0, before + (qty ?? 1) - Math.max(before, group.free_quantity))
    const ofSize = size?.modifier_prices.find(each => each.modifier_id === modifier_id)
    return Array<number>(charged).fill((ofSize ?? plain).price)
  })
  return [size?.price ?? item.price, ...options]
}

/** Shares the discount among the tax rates in proportion to their amounts, and the rest by the largest remainders. */
function shareDiscount(atRate: Map<number, number>, subtotal: number, discount: number): void {
  const shares = [...atRate].map(([rate, total]) => {
    const product = BigInt(discount) * BigInt(total)
    return { rate, units: Number(product / BigInt(subtotal || 1)), rest: product % BigInt(subtotal || 1) }
  })
  let left = discount - sum(shares.map(({ units }) => units))
  shares.sort((a, b) => Number(b.rest - a.rest) || b.rate - a.rate)
  for (const { rate, units } of shares) atRate.set(rate, (atRate.get(rate) ?? 0) - units - (left-- > 0 ? 1 : 0))
}

/** Date and time in a time zone, as "2026-11-20 19:42:05", the format of the Swedish locale. */
const clockOf = (timeZone: string, now: Date) => now.toLocaleString('sv-SE', { timeZone })

/** Whether a promotion applies at this time. A window past midnight belongs to the day on which it starts. */
function isOpen({ from, until, weekdays, valid_from, valid_until }: Promotion, clock: string): boolean {
  const [first, last, time] = [from ?? '00:00', until ?? '24:00', clock.slice(11)]
  const runsOver = first > last && time < last
  if (!runsOver && (time < first || (first <= last && time >= last))) return false
  const day = new Date(Date.parse(clock.slice(0, 10)) - (runsOver ? 86_400_000 : 0))
  const weekday = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][day.getUTCDay()] ?? ''
  if (weekdays.length > 0 && !weekdays.includes(weekday)) return false
  const date = day.toISOString().slice(0, 10)
  return date >= (valid_from ?? date) && date <= (valid_until ?? date)
}
