import type { Item, Location, Menu, ModifierGroup, Promotion, TaxRates, Variation } from '../catalogue/catalogue.ts'
import type { ServiceMode } from '../terms/channels.ts'
import { dayBefore, type WallClock, weekdayOf } from '../terms/clock.ts'
import { collectFaults, type Faults } from '../terms/faults.ts'
import type { ItemId, ModifierId, VariationId } from '../terms/ids.ts'
import { LARGEST_AMOUNT, share } from '../terms/money.ts'
import type { Refusal } from '../terms/refusal.ts'
import { worthOf } from './discount.ts'
import { type Draft, type DraftLine, effectiveMode } from './draft.ts'
import type { ManualDiscount } from './order.ts'
import { basesByRate, type TaxedAmount, type TaxLine } from './tax.ts'

/** An order with its money, as decision C4 calculates it. Amounts are minor units of the location's currency. */
export interface PricedOrder {
  location: Location
  mode: ServiceMode | null
  lines: PricedLine[]
  subtotal: number
  discountTotal: number
  promotion: Promotion | null
  serviceCharge: number
  deliveryFee: number
  /** The location's own rate in this mode, in millionths; null: none. */
  taxPpm: number | null
  taxLines: TaxLine[]
  taxTotal: number
  grandTotal: number
}

export interface PricedLine {
  itemId: ItemId
  variationId: VariationId | null
  name: string
  qtyMilli: number
  unitPrice: number
  modifiers: PricedModifier[]
  modifiersTotal: number
  lineTotal: number
  notes: string | null
  /** The rate that the line is taxed at, in millionths. */
  taxPpm: number
}

/** A chosen modifier of one unit of the line: `qty` of it, of which `free` cost nothing (decision C5). */
export interface PricedModifier {
  id: ModifierId
  title: string
  group: string
  qty: number
  free: number
  price: number
}

const MILLION = 1_000_000

/**
 * Looks up and prices a whole order on the menu of its location, at a time of that location's wall clock. Refused with every
 * fault of its lines, at most 20 (decisions A2, A3, D1 to D4).
 */
export function priceOrder(draft: Draft, menu: Menu, wall: WallClock): PricedOrder | Refusal<'faults'> {
  const faults = collectFaults()
  const lines: PricedLine[] = []
  const mode = effectiveMode(draft)
  const ownPpm = ownRateIn(mode, menu.location)
  for (const [index, draftLine] of draft.lines.entries()) {
    const line = priceLine(draftLine, menu, { mode, ownPpm }, `/items/${index}`, faults)
    if (line) lines.push(line)
  }
  if (faults.list.length > 0) return { refused: 'faults', faults: faults.list }

  const order = { location: menu.location, mode, lines, ...totals(draft, mode, lines, menu.location, wall) }
  if (!isWithinBounds(order)) {
    faults.add('tooLarge', '/items')
    return { refused: 'faults', faults: faults.list }
  }
  return order
}

/**
 * Looks up and prices one line of an order with this mode and this tax rate of the location; `pointer` is its place in the
 * body. When the line cannot be ordered, adds its faults and returns undefined.
 */
export function priceLine(
  draft: DraftLine,
  menu: Menu,
  { mode, ownPpm }: { mode: ServiceMode | null; ownPpm: number | null },
  pointer: string,
  faults: Faults,
): PricedLine | undefined {
  const item = menu.items.get(draft.itemId)
  if (!item) {
    faults.add('unavailableItem', `${pointer}/item_id`)
    return undefined
  }
  const variation = item.variations.find(({ id }) => id === draft.variationId)
  if (!variation && draft.variationId !== null) faults.add('unavailableItem', `${pointer}/variation_id`)
  const modifiers = priceModifiers(draft, item, variation, pointer, faults)

  const unitPrice = variation ? variation.price : item.price
  let modifiersTotal = 0
  for (const { qty, free, price } of modifiers) modifiersTotal += (qty - free) * price
  return {
    itemId: item.id,
    variationId: variation?.id ?? null,
    name: nameOf(item, variation),
    qtyMilli: draft.qtyMilli,
    unitPrice,
    modifiers,
    modifiersTotal,
    lineTotal: share(unitPrice + modifiersTotal, draft.qtyMilli, 1000),
    notes: draft.notes,
    taxPpm: (item.isTaxedByClass ? rateIn(mode, item.taxPpm) : ownPpm) ?? 0,
  }
}

/** The one of two rates that applies in a mode: food that is taken away may be taxed differently (decision C8). */
function rateIn(mode: ServiceMode | null, rates: TaxRates): number | null {
  return mode === 'takeaway' || mode === 'delivery' ? rates.takeaway : rates.inHouse
}

/** The location's own rate in a mode (decision C8). */
function ownRateIn(mode: ServiceMode | null, { taxPpm, takeawayTaxPpm }: Location): number | null {
  return rateIn(mode, { inHouse: taxPpm, takeaway: takeawayTaxPpm ?? taxPpm })
}

/** The name of the line for the kitchen and the receipt (decision D3). */
function nameOf(item: Item, variation: Variation | undefined): string {
  return variation ? `${item.title} (${variation.title})` : item.title
}

/** Applies the rules of the item's groups (D4) and the free units (C5), walking the choices in the order sent. */
function priceModifiers(
  draft: DraftLine,
  item: Item,
  variation: Variation | undefined,
  pointer: string,
  faults: Faults,
): PricedModifier[] {
  if (draft.modifiers.length === 0 && item.groups.length === 0) return []
  const priced: PricedModifier[] = []
  const ofGroup = new Map<ModifierGroup, number>()
  const ofModifier = new Map<ModifierId, number>()

  for (const [index, { id, qty }] of draft.modifiers.entries()) {
    const option = item.options.get(id)
    if (!option) {
      faults.add('unavailableOption', `${pointer}/modifiers/${index}/modifier_id`)
      continue
    }
    const { modifier, group } = option
    const before = ofModifier.get(id) ?? 0
    const most = modifier.maxQuantity ?? Number.POSITIVE_INFINITY
    if (before <= most && before + qty > most) {
      faults.add('invalidOptionQuantity', `${pointer}/modifiers/${index}/qty`)
    }
    ofModifier.set(id, before + qty)
    const chosen = ofGroup.get(group) ?? 0
    ofGroup.set(group, chosen + qty)
    const free = Math.min(qty, Math.max(0, group.freeQuantity - chosen))
    const price = (variation && modifier.variationPrices.get(variation.id)) ?? modifier.price
    priced.push({ id, title: modifier.title, group: group.title, qty, free, price })
  }

  for (const group of item.groups) {
    const chosen = ofGroup.get(group) ?? 0
    if (chosen < group.minSelect) faults.add('missingOption', `${pointer}/modifiers`, group.id)
    else if (chosen > mostOf(group)) faults.add('tooManyOptions', `${pointer}/modifiers`, group.id)
  }
  return priced
}

function mostOf(group: ModifierGroup): number {
  if (group.selectionType === 'single') return 1
  return group.maxSelect === 0 ? Number.POSITIVE_INFINITY : group.maxSelect
}

function totals(draft: Draft, mode: ServiceMode | null, lines: PricedLine[], location: Location, wall: WallClock) {
  let subtotal = 0
  for (const line of lines) subtotal += line.lineTotal

  const { promotion, discountTotal } = bestPromotion(draft, mode, subtotal, location, wall)
  const net = subtotal - discountTotal

  const delivered = mode === 'delivery' && !(location.freeDeliveryFrom !== null && net >= location.freeDeliveryFrom)
  const deliveryFee = delivered ? location.deliveryFee : 0
  const charges = { deliveryFee, serviceChargePpm: isCharged(mode, location) ? location.serviceChargePpm : 0 }
  const taxPpm = ownRateIn(mode, location)
  const sums = sumUp(lines, subtotal, discountTotal, charges, { ...location, taxPpm })
  return { subtotal, discountTotal, promotion, deliveryFee, taxPpm, ...sums }
}

/** The terms of an order besides its prices: those of its location, or those that the order was placed with. */
export interface Terms {
  serviceChargeTaxable: boolean
  deliveryFeeTaxable: boolean
  pricesIncludeTax: boolean
  /** The location's own rate in the mode of the order. */
  taxPpm: number | null
}

/** An order with a discount by staff besides its promotion. Like an edit, it leaves the delivery fee as it is. */
export function reduced(order: PricedOrder, discount: ManualDiscount): PricedOrder {
  const { lines, mode, subtotal, location, deliveryFee, taxPpm } = order
  const discountTotal = Math.min(subtotal, order.discountTotal + worthOf(discount, subtotal))
  const charges = { deliveryFee, serviceChargePpm: isCharged(mode, location) ? location.serviceChargePpm : 0 }
  return { ...order, discountTotal, ...sumUp(lines, subtotal, discountTotal, charges, { ...location, taxPpm }) }
}

function isCharged(mode: ServiceMode | null, { serviceChargeModes }: Location): boolean {
  return mode !== null && serviceChargeModes.includes(mode)
}

/** The rest of decision C4: what is added to the net price of the food, and the tax at each rate (C8). */
export function sumUp(
  lines: TaxedAmount[],
  subtotal: number,
  discountTotal: number,
  { deliveryFee, serviceChargePpm }: { deliveryFee: number; serviceChargePpm: number },
  terms: Terms,
) {
  const net = subtotal - discountTotal
  const serviceCharge = share(net, serviceChargePpm, MILLION)
  const taxedCharges = (terms.serviceChargeTaxable ? serviceCharge : 0) + (terms.deliveryFeeTaxable ? deliveryFee : 0)
  const bases = basesByRate(lines, subtotal, discountTotal)
  const own = terms.taxPpm ?? 0
  if (taxedCharges > 0) bases.set(own, (bases.get(own) ?? 0) + taxedCharges)
  let taxTotal = 0
  const taxLines: TaxLine[] = []
  for (const [ratePpm, base] of bases) {
    const tax = share(base, ratePpm, terms.pricesIncludeTax ? MILLION + ratePpm : MILLION)
    taxLines.push({ ratePpm, base, tax })
    taxTotal += tax
  }
  if (taxLines.length > 1) taxLines.sort((a, b) => b.ratePpm - a.ratePpm)
  const grandTotal = net + serviceCharge + deliveryFee + (terms.pricesIncludeTax ? 0 : taxTotal)
  return { serviceCharge, taxLines, taxTotal, grandTotal }
}

/** The largest matching promotion, of equals the one with the lowest id; at most the subtotal (decision C4). */
function bestPromotion(draft: Draft, mode: ServiceMode | null, subtotal: number, location: Location, wall: WallClock) {
  let best: { promotion: Promotion | null; discountTotal: number } = { promotion: null, discountTotal: 0 }
  // They are ordered by id.
  for (const promotion of location.promotions) {
    if (promotion.channel !== null && promotion.channel !== draft.channel) continue
    if (promotion.serviceMode !== null && promotion.serviceMode !== mode) continue
    if (subtotal < promotion.minSubtotal || !isRunning(promotion, wall)) continue
    const { discount } = promotion
    const discountTotal = Math.min(worthOf(discount, subtotal), subtotal)
    if (discountTotal > best.discountTotal) best = { promotion, discountTotal }
  }
  return best
}

/** Whether a promotion runs at this wall clock. After midnight a window belongs to the day on which it started. */
function isRunning(promotion: Promotion, wall: WallClock): boolean {
  const from = promotion.from ?? '00:00'
  const until = promotion.until ?? '24:00'
  const { date, time } = wall
  if (from <= until) return from <= time && time < until && runsOn(promotion, date)
  return (from <= time && runsOn(promotion, date)) || (time < until && runsOn(promotion, dayBefore(date)))
}

function runsOn({ weekdays, validFrom, validUntil }: Promotion, date: string): boolean {
  return (
    (validFrom === null || validFrom <= date) &&
    (validUntil === null || date <= validUntil) &&
    (weekdays.length === 0 || weekdays.includes(weekdayOf(date)))
  )
}

/** Whether an amount of an order is within the bound of decision A8. */
export function isWithinBounds(order: Pick<PricedOrder, 'grandTotal' | 'subtotal' | 'lines'>): boolean {
  return (
    order.grandTotal <= LARGEST_AMOUNT &&
    order.subtotal <= LARGEST_AMOUNT &&
    order.lines.every(line => line.unitPrice <= LARGEST_AMOUNT && line.modifiersTotal <= LARGEST_AMOUNT)
  )
}
