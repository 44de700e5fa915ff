import { type Channel, channels, type ServiceMode, serviceModes } from '../terms/channels.ts'
import { collectFaults, type Faults } from '../terms/faults.ts'
import { type ItemId, type LocationId, type ModifierId, parseId, type VariationId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'
import { isAtMost, isStorable } from '../terms/text.ts'

/** An order as the caller requests it: well formed, but not yet looked up in a menu. */
export interface Draft {
  locationId: LocationId
  channel: Channel
  serviceMode: string | null
  notes: string | null
  customer: { name: string | null; phone: string | null; email: string | null }
  lines: DraftLine[]
}

export interface DraftLine {
  itemId: ItemId
  variationId: VariationId | null
  /** Thousandths. */
  qtyMilli: number
  notes: string | null
  modifiers: DraftModifier[]
}

export interface DraftModifier {
  id: ModifierId
  qty: number
}

// The bounds of decision A8; lengths are code points.
export const MOST_LINES = 100
const MOST_MODIFIERS = 50
const LARGEST_QTY_MILLI = 999_000
const LARGEST_MODIFIER_QTY = 99
export const LONGEST_NOTES = 1000
const LONGEST_SERVICE_MODE = 50
export const LONGEST_CUSTOMER_FIELD = 255

/**
 * Reads the body of section 4.3 into a draft: checks the shape and bounds of all its parts, but nothing that needs the menu.
 * Unknown members are ignored, prices and totals included (A9). Refused with every fault of the shape, at most 20, in the
 * order of decision A3.
 */
export function parseDraft(body: unknown): Draft | Refusal<'faults'> {
  const faults = collectFaults()
  if (!isObject(body)) {
    faults.add('notAnOrder', '')
    return { refused: 'faults', faults: faults.list }
  }
  const locationId = parseId<LocationId>(body.location_id)
  if (locationId === undefined || locationId < 1) faults.add('invalidLocation', '/location_id')
  const lines = parseLines(body.items, faults)
  const serviceMode = parseText(body.service_mode, LONGEST_SERVICE_MODE, 'invalidDetails', '/service_mode', faults)
  const notes = parseText(body.notes, LONGEST_NOTES, 'invalidDetails', '/notes', faults)
  const customer = parseCustomer(body.customer, faults)
  if (locationId === undefined || faults.list.length > 0) return { refused: 'faults', faults: faults.list }
  return { locationId, channel: parseChannel(body.channel), serviceMode, notes, customer, lines }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseLines(value: unknown, faults: Faults): DraftLine[] {
  if (!Array.isArray(value) || value.length === 0) {
    faults.add('noItems', '/items')
    return []
  }
  if (value.length > MOST_LINES) faults.add('tooLarge', '/items')
  return value.map((line, index) => parseLine(line, `/items/${index}`, faults))
}

const noLine: DraftLine = { itemId: 0 as ItemId, variationId: null, qtyMilli: 0, notes: null, modifiers: [] }

/** Reads one order line; `pointer` is its place in the body. */
export function parseLine(value: unknown, pointer: string, faults: Faults): DraftLine {
  if (!isObject(value)) {
    faults.add('invalidLine', pointer)
    return noLine
  }
  const itemId = parseId<ItemId>(value.item_id)
  if (itemId === undefined) faults.add('invalidLine', `${pointer}/item_id`)
  const variationId = parseId<VariationId>(value.variation_id) ?? null
  if (variationId === null && value.variation_id != null) faults.add('invalidLine', `${pointer}/variation_id`)
  const qtyMilli = parseQty(value.qty)
  if (qtyMilli === undefined) faults.add('invalidQuantity', `${pointer}/qty`)
  return {
    itemId: itemId ?? noLine.itemId,
    variationId,
    qtyMilli: qtyMilli ?? noLine.qtyMilli,
    notes: parseText(value.notes, LONGEST_NOTES, 'invalidLine', `${pointer}/notes`, faults),
    modifiers: parseModifiers(value.modifiers, `${pointer}/modifiers`, faults),
  }
}

/** Thousandths of a quantity with at most three decimals, or undefined for anything else. */
function parseQty(value: unknown): number | undefined {
  if (typeof value !== 'number') return undefined
  const milli = Math.round(value * 1000)
  // Division rounds correctly, so it gives back exactly the numbers that three decimals can write.
  return milli > 0 && milli <= LARGEST_QTY_MILLI && milli / 1000 === value ? milli : undefined
}

function parseModifiers(value: unknown, pointer: string, faults: Faults): DraftModifier[] {
  if (value == null) return []
  if (!Array.isArray(value)) {
    faults.add('invalidLine', pointer)
    return []
  }
  if (value.length > MOST_MODIFIERS) faults.add('tooLarge', pointer)
  return value.map((entry, index) => parseModifier(entry, `${pointer}/${index}`, faults))
}

function parseModifier(value: unknown, pointer: string, faults: Faults): DraftModifier {
  const id = isObject(value) ? parseId<ModifierId>(value.modifier_id) : undefined
  if (id === undefined) faults.add('unavailableOption', `${pointer}/modifier_id`)
  const qty = isObject(value) ? (value.qty ?? 1) : 1
  if (isModifierQty(qty)) return { id: id ?? (0 as ModifierId), qty }
  faults.add('invalidOptionQuantity', `${pointer}/qty`)
  return { id: 0 as ModifierId, qty: 1 }
}

function isModifierQty(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= LARGEST_MODIFIER_QTY
}

/** Any other value of any type becomes `web` (section 4.3, decision A10). */
function parseChannel(value: unknown): Channel {
  return channels.find(channel => channel === value) ?? 'web'
}

/** An optional text: absent, null and "" are all null (A8). */
function parseText(
  value: unknown,
  longest: number,
  fault: 'invalidLine' | 'invalidDetails',
  pointer: string,
  faults: Faults,
): string | null {
  if (value == null || value === '') return null
  if (typeof value === 'string' && isAtMost(value, longest) && isStorable(value)) return value
  faults.add(fault, pointer)
  return null
}

function parseCustomer(value: unknown, faults: Faults): Draft['customer'] {
  if (value != null && !isObject(value)) {
    faults.add('invalidDetails', '/customer')
    return { name: null, phone: null, email: null }
  }
  const name = parseCustomerField(value?.name, '/customer/name', faults)
  const phone = parseCustomerField(value?.phone, '/customer/phone', faults)
  const email = parseCustomerField(value?.email, '/customer/email', faults)
  if (email !== null && !isEmail(email)) faults.add('invalidDetails', '/customer/email')
  return { name, phone, email }
}

function parseCustomerField(value: unknown, pointer: string, faults: Faults): string | null {
  return parseText(value, LONGEST_CUSTOMER_FIELD, 'invalidDetails', pointer, faults)
}

/** Whether a text looks like an email address (A8). */
export function isEmail(value: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(value)
}

/**
 * How the guest gets the food (decision C4): `service_mode` when it is one of the four known modes in any spelling, else what
 * the channel implies, else null.
 */
export function effectiveMode(draft: Pick<Draft, 'channel' | 'serviceMode'>): ServiceMode | null {
  const spelt = draft.serviceMode?.trim().toLowerCase().replace(/[ -]/g, '_')
  const mode = serviceModes.find(known => known === spelt)
  if (mode) return mode
  return draft.channel === 'takeaway' || draft.channel === 'delivery' ? draft.channel : null
}
