import type { Item, Location, Menu, ModifierGroup, Promotion, Variation } from '../catalogue/catalogue.ts'
import type { ServiceMode } from '../terms/channels.ts'
import { dayBefore, type WallClock, weekdayOf } from '../terms/clock.ts'
import type { ItemId, ModifierId, VariationId } from '../terms/ids.ts'
import { LARGEST_AMOUNT, share } from '../terms/money.ts'
import { type Draft, type DraftLine, effectiveMode } from './draft.ts'
import { collectFaults, type Fault, type Faults } from './faults.ts'

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

export type Priced = { ok: true; order: PricedOrder } | { ok: false; faults: Fault[] }

const MILLION = 1_000_000

/**
 * Looks up and prices a whole order on the menu of its location, at a moment on that location's wall clock.
 * Refused with every fault of its lines, at most 20 (decisions A2, A3, D1 to D4).
 */
export function priceOrder(draft: Draft, menu: Menu, wall: WallClock): Priced {
  const faults = collectFaults()
  const lines: PricedLine[] = []
  for (const [index, draftLine] of draft.lines.entries()) {
    const line = priceLine(draftLine, menu, `/items/${index}`, faults)
    if (line) lines.push(line)
  }
  if (faults.list.length > 0) return { ok: false, faults: faults.list }

  const order = { location: menu.location, lines, ...totals(draft, lines, menu.location, wall) }
  if (!isWithinBounds(order)) {
    faults.add('tooLarge', '/items')
    return { ok: false, faults: faults.list }
  }
  return { ok: true, order }
}

/** Looks up and prices one line; `pointer` says where it stands. Undefined, with its faults, when it can not be ordered. */
export function priceLine(draft: DraftLine, menu: Menu, pointer: string, faults: Faults): PricedLine | undefined {
  const item = menu.items.get(draft.itemId)
  if (!item) {
    faults.add('unavailableItem', `${pointer}/item_id`)
    return undefined
  }
  const variation = item.variations.find(({ id }) => id === draft.variationId)
  if (!variation && draft.variationId !== null) faults.add('unavailableItem', `${pointer}/variation_id`)
  const modifiers = priceModifiers(draft, item, pointer, faults)

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
  }
}

/** The line as kitchen and receipt show it (decision D3). */
function nameOf(item: Item, variation: Variation | undefined): string {
  return variation ? `${item.title} (${variation.title})` : item.title
}

/** Applies the rules of the item's groups (D4) and the free units (C5), walking the choices in the order sent. */
function priceModifiers(draft: DraftLine, item: Item, pointer: string, faults: Faults): PricedModifier[] {
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
    priced.push({ id, title: modifier.title, group: group.title, qty, free, price: modifier.price })
  }

  for (const group of item.groups) {
    const chosen = ofGroup.get(group) ?? 0
    if (chosen < group.minSelect) faults.add('missingOption', `${pointer}/modifiers`)
    else if (chosen > mostOf(group)) faults.add('tooManyOptions', `${pointer}/modifiers`)
  }
  return priced
}

function mostOf(group: ModifierGroup): number {
  if (group.selectionType === 'single') return 1
  return group.maxSelect === 0 ? Number.POSITIVE_INFINITY : group.maxSelect
}

function totals(draft: Draft, lines: PricedLine[], location: Location, wall: WallClock) {
  const mode = effectiveMode(draft)
  let subtotal = 0
  for (const line of lines) subtotal += line.lineTotal

  const { promotion, discountTotal } = bestPromotion(draft, mode, subtotal, location, wall)
  const net = subtotal - discountTotal

  const charged = mode !== null && location.serviceChargeModes.includes(mode)
  const delivered = mode === 'delivery' && !(location.freeDeliveryFrom !== null && net >= location.freeDeliveryFrom)
  const deliveryFee = delivered ? location.deliveryFee : 0
  const charges = { deliveryFee, serviceChargePpm: charged ? location.serviceChargePpm : 0 }
  return { mode, subtotal, discountTotal, promotion, deliveryFee, ...sumUp(net, charges, location) }
}

/** The rest of decision C4: what comes on top of the net price of the food. */
export function sumUp(
  net: number,
  { deliveryFee, serviceChargePpm }: { deliveryFee: number; serviceChargePpm: number },
  terms: Pick<Location, 'serviceChargeTaxable' | 'deliveryFeeTaxable' | 'taxPpm' | 'pricesIncludeTax'>,
) {
  const serviceCharge = share(net, serviceChargePpm, MILLION)
  const taxable = net + (terms.serviceChargeTaxable ? serviceCharge : 0) + (terms.deliveryFeeTaxable ? deliveryFee : 0)
  const rate = terms.taxPpm ?? 0
  const taxTotal = terms.pricesIncludeTax ? share(taxable, rate, MILLION + rate) : share(taxable, rate, MILLION)
  const grandTotal = net + serviceCharge + deliveryFee + (terms.pricesIncludeTax ? 0 : taxTotal)
  return { serviceCharge, taxTotal, grandTotal }
}

/** The largest matching promotion, the lowest id of equals; never more than the subtotal (decision C4). */
function bestPromotion(draft: Draft, mode: ServiceMode | null, subtotal: number, location: Location, wall: WallClock) {
  let best: { promotion: Promotion | null; discountTotal: number } = { promotion: null, discountTotal: 0 }
  // They come in the order of their ids.
  for (const promotion of location.promotions) {
    if (promotion.channel !== null && promotion.channel !== draft.channel) continue
    if (promotion.serviceMode !== null && promotion.serviceMode !== mode) continue
    if (subtotal < promotion.minSubtotal || !isRunning(promotion, wall)) continue
    const { discount } = promotion
    const wanted = 'amount' in discount ? discount.amount : share(subtotal, discount.percentPpm, MILLION)
    const discountTotal = Math.min(wanted, subtotal)
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

/** The bound of decision A8 on every amount of an order. */
export function isWithinBounds(order: Pick<PricedOrder, 'grandTotal' | 'subtotal' | 'lines'>): boolean {
  return (
    order.grandTotal <= LARGEST_AMOUNT &&
    order.subtotal <= LARGEST_AMOUNT &&
    order.lines.every(line => line.unitPrice <= LARGEST_AMOUNT && line.modifiersTotal <= LARGEST_AMOUNT)
  )
}
