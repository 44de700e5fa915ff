import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Item, Location } from '../../store/catalogue/catalogue.ts'
import type { Quote } from '../../store/guests/quote.ts'
import { modesOfKind } from '../../store/guests/switches.ts'
import type { OrderDetails } from '../../store/ordering/details.ts'
import { type Draft, type DraftLine, parseLine } from '../../store/ordering/draft.ts'
import type { PricedLine, PricedOrder } from '../../store/ordering/pricing.ts'
import { type ServiceMode, serviceModes } from '../../store/terms/channels.ts'
import { collectFaults, type Fault } from '../../store/terms/faults.ts'
import { isRefused, type Refusal } from '../../store/terms/refusal.ts'
import { isAtMost, isStorable } from '../../store/terms/text.ts'
import { cookieOf } from '../http/cookie.ts'
import type { App } from '../http/handler.ts'
import type { Exchange } from '../http/reply.ts'
import { guestCookie } from './guest-page.ts'
import type { Setting } from './setting.ts'

/**
 * What a guest is going to order. It comes from a cookie of the guest's browser (decision 059), so it may contain anything: its shape
 * is checked here, and its dishes and options are checked each time it is priced.
 */
export interface Cart {
  lines: DraftLine[]
  /** One of the modes of the setting. */
  mode: ServiceMode
  /** A mode that the guest had chosen and that is no longer offered, so they have to choose again; null: none. */
  lost: ServiceMode | null
  /** The postcode of a delivery, on which its fee depends; null: not known yet. */
  postcode: string | null
  /** Whether more dishes were already offered to the guest. */
  isUpsold: boolean
}

/** The parts of a cart that decide whether and where it is delivered. */
type PlacedCart = Pick<Cart, 'mode' | 'postcode'>

/** The limits of a cart: lines, portions in a line, and characters in the note of a line. */
const MOST_CART_LINES = 40
export const MOST_OF_A_DISH = 99
export const LONGEST_LINE_NOTE = 140
const LONGEST_POSTCODE = 20

// Browsers keep cookies of up to 4,096 characters, including their name and attributes.
const LONGEST_COOKIE = 3500
const LARGEST_JSON = 32 * 1024

const KEPT_S = 6 * 3600

/** The cart in the cookie of a request; an empty one if the cookie is missing or does not contain a cart. */
export function readCart({ request }: Exchange, { modes, kind }: Setting): Cart {
  const [first] = modes as [ServiceMode]
  const empty: Cart = { lines: [], mode: first, lost: null, postcode: null, isUpsold: false }
  const value = unpacked(cookieOf(request, 'cart'))
  if (!Array.isArray(value)) return empty
  const [mode, postcode, isUpsold, given] = value
  if (!Array.isArray(given) || given.length > MOST_CART_LINES) return empty
  const faults = collectFaults()
  const lines = given.map(line => parseLine(lineBody(line), '', faults))
  if (faults.list.length > 0 || !lines.every(isLine)) return empty
  const chosen = modesOfKind[kind].find(each => each === serviceModes[mode])
  return {
    lines,
    mode: modes.find(each => each === chosen) ?? first,
    lost: chosen === undefined || modes.includes(chosen) ? null : chosen,
    postcode: isPostcode(postcode) ? postcode : null,
    isUpsold: isUpsold === 1,
  }
}

/** Turns a line of the cookie, [item, size, quantity, note, option, its quantity, …], into a line as the API takes it. */
function lineBody(line: unknown): unknown {
  if (!Array.isArray(line)) return line
  const [item, size, qty, notes, ...options] = line
  const modifiers = options.flatMap((id, at) => (at % 2 === 0 ? [{ modifier_id: id, qty: options[at + 1] }] : []))
  return { item_id: item, variation_id: size, qty, notes, modifiers }
}

function isLine({ qtyMilli, notes }: DraftLine): boolean {
  return qtyMilli % 1000 === 0 && qtyMilli <= MOST_OF_A_DISH * 1000 && isAtMost(notes ?? '', LONGEST_LINE_NOTE)
}

export function isPostcode(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && isAtMost(value, LONGEST_POSTCODE) && isStorable(value)
}

function unpacked(text: string | undefined): unknown {
  if (text === undefined || text.length > LONGEST_COOKIE) return undefined
  try {
    const bytes = inflateRawSync(Buffer.from(text, 'base64url'), { maxOutputLength: LARGEST_JSON })
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The Set-Cookie header that keeps a cart for the pages of its setting; undefined: the cart is too large for a cookie. */
export function keepCart(app: App, exchange: Exchange, setting: Setting, cart: Cart): string | undefined {
  const { lines, mode, lost, postcode, isUpsold } = cart
  const rows = lines.map(({ itemId, variationId, qtyMilli, notes, modifiers }) => [
    itemId,
    variationId,
    qtyMilli / 1000,
    notes,
    ...modifiers.flatMap(({ id, qty }) => [id, qty]),
  ])
  const json = JSON.stringify([serviceModes.indexOf(lost ?? mode), postcode, isUpsold ? 1 : 0, rows])
  const text = deflateRawSync(json, { level: 9 }).toString('base64url')
  if (lines.length > MOST_CART_LINES || json.length > LARGEST_JSON || text.length > LONGEST_COOKIE) return undefined
  return guestCookie(app, exchange, setting, 'cart', text, KEPT_S)
}

/** The Set-Cookie header that removes the cart. */
export function forgetCart(app: App, exchange: Exchange, setting: Setting): string {
  return guestCookie(app, exchange, setting, 'cart', '', 0)
}

/** The key of a line in a form: a hash of its contents without the quantity, so that a form in another tab cannot change another dish. */
export function keyOf({ itemId, variationId, notes, modifiers }: DraftLine): string {
  const contents = JSON.stringify([itemId, variationId, notes, modifiers])
  return createHash('sha256').update(contents).digest('base64url').slice(0, 12)
}

/**
 * The lines with another one added. If there is one with the same dish and choices, only its quantity grows. `replaced` is the key of
 * a line whose place the new one takes.
 */
export function withLine(lines: DraftLine[], line: DraftLine, replaced?: string): DraftLine[] {
  const key = keyOf(line)
  const place = lines.findIndex(each => keyOf(each) === (replaced ?? key))
  const others = replaced === undefined ? lines : lines.filter((_, at) => at !== place)
  const same = others.findIndex(each => keyOf(each) === key)
  const twin = others[same]
  if (!twin) return replaced !== undefined && place >= 0 ? lines.with(place, line) : [...others, line]
  return others.with(same, { ...twin, qtyMilli: twin.qtyMilli + line.qtyMilli })
}

/** The lines without those that were ordered. What the guest added in another tab meanwhile stays. */
export function withoutLines(lines: DraftLine[], ordered: DraftLine[]): DraftLine[] {
  return lines.flatMap(line => {
    const same = ordered.filter(each => keyOf(each) === keyOf(line))
    const qtyMilli = same.reduce((left, each) => left - each.qtyMilli, line.qtyMilli)
    return qtyMilli > 0 ? [{ ...line, qtyMilli }] : []
  })
}

/** The number of portions in a cart. */
export function countOf({ lines }: Cart): number {
  return lines.reduce((sum, { qtyMilli }) => sum + qtyMilli / 1000, 0)
}

/** A cart as an order, without the guest's name and notes. */
export function draftOf({ location }: Setting, { lines, mode }: Pick<Cart, 'lines' | 'mode'>): Draft {
  const customer = { name: null, phone: null, email: null }
  return { locationId: location.id, channel: 'web', serviceMode: mode, notes: null, customer, lines }
}

/** The details on which the price of a cart depends. */
export function detailsOf({ mode, postcode }: Pick<Cart, 'mode' | 'postcode'>): OrderDetails {
  return mode === 'delivery' && postcode !== null ? { postcode } : {}
}

/** A line of a cart with its current price. */
export interface QuotedLine {
  line: DraftLine
  key: string
  /** The dish, also if it is sold out; undefined: it is no longer on the menu. */
  item: Item | undefined
  /** What it costs; undefined: it cannot be ordered as it is. */
  priced: PricedLine | undefined
  /** Why it cannot be ordered; empty if it can. */
  faults: Fault[]
}

export interface QuotedCart {
  lines: QuotedLine[]
  /** The price of the lines that can be ordered; undefined: there are none, or `refusal` says why they have no price. */
  quote: Quote | undefined
  /** Why the order as a whole is refused, such as a postcode to which nothing is delivered. */
  refusal: Refusal | undefined
}

/**
 * Prices a cart by the code that prices orders. Lines that cannot be ordered get their faults, and the others are priced without them.
 */
export function quoteCart({ store }: App, setting: Setting, cart: Cart): QuotedCart {
  const lines: QuotedLine[] = cart.lines.map(line => ({
    line,
    key: keyOf(line),
    item: setting.whole.items.get(line.itemId),
    priced: undefined,
    faults: [],
  }))
  let details = detailsOf(cart)
  let refusal: Refusal | undefined
  for (;;) {
    const good = lines.filter(({ faults }) => faults.length === 0)
    if (good.length === 0) return { lines, quote: undefined, refusal }
    const draft = draftOf(setting, { ...cart, lines: good.map(({ line }) => line) })
    const quote = store.quote(draft, setting.source, details)
    if (!isRefused(quote)) {
      for (const [index, each] of good.entries()) each.priced = quote.priced.lines[index]
      return { lines, quote, refusal }
    }
    if (quote.refused === 'not delivered there' && details.postcode !== undefined) {
      // The guest still sees what the dishes cost.
      refusal = quote
      details = {}
      continue
    }
    if (quote.refused !== 'faults' || !blame(good, quote.faults)) return { lines, quote: undefined, refusal: quote }
  }
}

/** Adds each fault to the line that it is about. Returns false if none is about a line. */
function blame(lines: QuotedLine[], faults: Fault[]): boolean {
  let isBlamed = false
  for (const fault of faults) {
    const index = /^\/items\/(\d+)/.exec(fault.pointer ?? '')?.[1]
    const line = index === undefined ? undefined : lines[Number(index)]
    if (!line) continue
    line.faults.push(fault)
    isBlamed = true
  }
  return isBlamed
}

/** How much is missing to the minimum order of a delivery, in minor units; 0 while its postcode is not known. */
export function lackingOf(cart: PlacedCart, { location, subtotal, discountTotal }: PricedOrder): number {
  if (cart.mode !== 'delivery' || isPostcodeMissing(location, cart)) return 0
  return Math.max(0, (location.minimumDelivery ?? 0) - (subtotal - discountTotal))
}

/** Whether the postcode of a delivery has to be entered first, because the fee and the minimum order depend on it. */
export function isPostcodeMissing({ deliveryZones }: Location, { mode, postcode }: PlacedCart): boolean {
  return mode === 'delivery' && deliveryZones.length > 0 && postcode === null
}

/** The price of a cart that can be ordered as it is; undefined: the guest has to change something in it first. */
export function readyQuote(cart: Cart, { lines, quote, refusal }: QuotedCart): Quote | undefined {
  if (!quote || refusal || cart.lost || lines.some(({ faults }) => faults.length > 0)) return undefined
  const { priced } = quote
  return lackingOf(cart, priced) > 0 || isPostcodeMissing(priced.location, cart) ? undefined : quote
}
