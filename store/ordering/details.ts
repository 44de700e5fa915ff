import { createHash } from 'node:crypto'
import type { Location } from '../catalogue/catalogue.ts'
import { type GuestKind, isEnteredByStaff, type ServiceMode, type Source } from '../terms/channels.ts'
import { businessDate, dayAfter, timeZone } from '../terms/clock.ts'
import type { LocationId, TableId } from '../terms/ids.ts'
import { openingAt } from '../terms/opening.ts'
import type { Refusal } from '../terms/refusal.ts'
import { flawOfText } from '../terms/text.ts'
import type { GivenDiscount } from './discount.ts'
import { type Draft, effectiveMode } from './draft.ts'
import type { GuestOrigin } from './guest-orders.ts'
import type { Order } from './order.ts'
import type { PricedOrder } from './pricing.ts'

/**
 * What an order from our own pages or from the till has besides its draft (decisions G3, G4, G8). Every member is optional.
 * The API accepts none of them.
 */
export interface OrderDetails {
  /** The same for every attempt to place one order, so that it is placed once. */
  attemptId?: string | undefined
  /** The grand total that was shown, in thousandths of the major unit. */
  totalMilli?: number | undefined
  tableId?: TableId | undefined
  address?: string | undefined
  postcode?: string | undefined
  /** When the guest wants it (UTC milliseconds); left out: as soon as possible. */
  wantedAt?: number | undefined
  /** Staff accept the order although the location is closed at the wanted time. */
  isInsisted?: boolean | undefined
  /** Its tickets are held until a person fires them. */
  isHeld?: boolean | undefined
  /** The indexes of lines of a later course, whose tickets are held until a person fires them. */
  later?: readonly number[] | undefined
  /** Ignored for an order that is not entered by staff. */
  discount?: GivenDiscount | undefined
  /** Required for an order from the guests' own pages, and absent from any other. */
  guest?: GuestOrigin | undefined
}

/** Why details are refused. */
export type DetailsRefusal = Refusal<
  | 'text'
  | 'attempt used'
  | 'other total'
  | 'unknown table'
  | 'wanted time'
  | 'not delivered there'
  | 'below minimum'
  | 'invalid percent'
  | 'invalid amount'
  | 'not offered'
  | 'detail missing'
>

/** The details that are stored with an order. */
export type KeptDetails = Pick<Order, 'tableId' | 'tableTitle' | 'wantedAt' | 'deliveryAddress' | 'deliveryPostcode'>

/** The stored details of an order that has none. */
export const noDetails: KeptDetails = {
  tableId: null,
  tableTitle: null,
  wantedAt: null,
  deliveryAddress: null,
  deliveryPostcode: null,
}

const LONGEST_ATTEMPT = 100
const LONGEST_ADDRESS = 255
const LONGEST_POSTCODE = 20
const DAYS_AHEAD = 14
const MINUTE = 60_000

/** The details to store with an order of this source at a location, or why they are refused. */
export function keptDetails(
  details: OrderDetails,
  source: Source,
  location: Location,
  now: number,
): KeptDetails | DetailsRefusal {
  const { tableId, address, postcode, wantedAt } = details
  const refusal =
    refuseTexts(details) ?? (wantedAt === undefined ? undefined : refuseTime(details, source, location, now))
  if (refusal) return refusal
  const table = location.tables.find(({ id }) => id === tableId)
  if (tableId !== undefined && !table) return { refused: 'unknown table', table: tableId, location: location.id }
  return {
    tableId: table?.id ?? null,
    tableTitle: table?.title ?? null,
    wantedAt: wantedAt ?? null,
    deliveryAddress: address?.trim() ?? null,
    deliveryPostcode: postcode?.trim() ?? null,
  }
}

function refuseTexts({ attemptId, address, postcode }: OrderDetails): Refusal<'text'> | undefined {
  for (const [field, text, most] of [
    ['attempt', attemptId, LONGEST_ATTEMPT],
    ['address', address, LONGEST_ADDRESS],
    ['postcode', postcode, LONGEST_POSTCODE],
  ] as const) {
    const flaw = text === undefined ? null : flawOfText(text, { least: 1, most })
    if (flaw) return { refused: 'text', field, flaw }
  }
  return undefined
}

/**
 * Accepts a future minute, up to 14 days ahead (for guests on the same business date), at which the location is open unless staff
 * insist (decision G8).
 */
function refuseTime(
  { wantedAt = 0, isInsisted = false, guest }: OrderDetails,
  source: Source,
  location: Location,
  now: number,
): Refusal<'wanted time'> | undefined {
  const zone = timeZone(location.timezone)
  let last = zone.at(now).date
  for (let days = 0; days < DAYS_AHEAD; days++) last = dayAfter(last)
  const dayOf = (instant: number) => businessDate(zone.at(instant), location.dayStartsAt)
  const why =
    wantedAt % MINUTE !== 0
      ? 'not a minute'
      : wantedAt <= now
        ? 'past'
        : zone.at(wantedAt).date > last || (guest && dayOf(wantedAt) > dayOf(now))
          ? 'too far ahead'
          : !openingAt(wantedAt, location).isOpen && !(isInsisted && isEnteredByStaff(source))
            ? 'closed'
            : undefined
  return why && { refused: 'wanted time', at: wantedAt, timezone: location.timezone, why }
}

/**
 * The location with the delivery fee and the minimum order of the zone that contains the postcode. Among the entries that the
 * postcode begins with, the longest one decides. Where there are zones, a delivery to a postcode in none of them is refused.
 */
export function deliveringTo(
  location: Location,
  draft: Draft,
  { deliveryPostcode }: KeptDetails,
): Location | Refusal<'not delivered there'> {
  const { deliveryZones } = location
  if (deliveryPostcode === null || deliveryZones.length === 0 || effectiveMode(draft) !== 'delivery') return location
  const wanted = folded(deliveryPostcode)
  const entries = deliveryZones.flatMap(zone => zone.postcodes.map(postcode => ({ zone, start: folded(postcode) })))
  const matches = entries.filter(({ start }) => start !== '' && wanted.startsWith(start))
  const zone = matches.sort((a, b) => b.start.length - a.start.length)[0]?.zone
  if (!zone) return { refused: 'not delivered there', postcode: deliveryPostcode }
  return { ...location, deliveryFee: zone.fee, minimumDelivery: zone.minimum ?? location.minimumDelivery }
}

/**
 * Refuses an order of a guest in a mode that is not offered on their kind of pages, or without the details that the mode needs: a
 * name on the storefront unless the guest eats there, a phone number and an address for a delivery, and its postcode where there are
 * zones (decision 060).
 */
export function refuseGuest(
  draft: Draft,
  { guest, address, postcode, tableId }: OrderDetails,
  location: Location,
  offered: (location: LocationId, kind: GuestKind) => readonly ServiceMode[],
): Refusal<'not offered' | 'detail missing'> | undefined {
  if (!guest) return undefined
  const mode = effectiveMode(draft)
  const isServed = mode !== null && (location.serviceModes.length === 0 || location.serviceModes.includes(mode))
  if (!isServed || !offered(location.id, guest.kind).includes(mode)) return { refused: 'not offered', mode }
  const isAtTable = guest.kind === 'qr'
  if (isAtTable !== (tableId !== undefined)) return { refused: 'not offered', mode }
  const isDelivered = mode === 'delivery'
  const needed = [
    ['name', guest.kind === 'storefront' && mode !== 'dine_in', draft.customer.name],
    ['phone', isDelivered, draft.customer.phone],
    ['address', isDelivered, address],
    ['postcode', isDelivered && location.deliveryZones.length > 0, postcode],
  ] as const
  const missing = needed.find(([, isNeeded, text]) => isNeeded && (text ?? '').trim() === '')
  return missing && { refused: 'detail missing', detail: missing[0] }
}

/** A postcode without spaces, hyphens and lower case: "1100-437", "1100 437" and "1100437" are the same. */
function folded(postcode: string): string {
  return postcode.replace(/[\s\p{Pd}]/gu, '').toUpperCase()
}

/** Refuses a delivery below the minimum order of its zone or location. */
export function refuseMinimum(
  { location, mode, subtotal, discountTotal }: PricedOrder,
  { postcode, guest }: OrderDetails,
): Refusal<'below minimum'> | undefined {
  const { minimumDelivery, exponent, currency } = location
  const isToAddress = postcode !== undefined || guest !== undefined
  if (mode === 'delivery' && isToAddress && subtotal - discountTotal < (minimumDelivery ?? 0)) {
    return { refused: 'below minimum', minimum: { minor: minimumDelivery ?? 0, exponent, currency } }
  }
  return undefined
}

/** Refuses a total other than the one that was shown (G4). */
export function refuseTotal(
  { location, grandTotal }: PricedOrder,
  { totalMilli }: OrderDetails,
): Refusal<'other total'> | undefined {
  const { exponent, currency } = location
  if (totalMilli !== undefined && totalMilli !== grandTotal * 10 ** (3 - exponent)) {
    return { refused: 'other total', total: { minor: grandTotal, exponent, currency } }
  }
  return undefined
}

/** A digest of an attempt's contents (decision G3), which do not include the total that was shown. */
export function digestOf(draft: Draft, source: Source, details: OrderDetails): Buffer {
  const { tableId, address, postcode, wantedAt, discount, later, guest } = details
  const contents: unknown[] = [source, draft, tableId, address, postcode, wantedAt, discount]
  if (later?.length) contents.push(later)
  // A browser that has somehow learnt the attempt id of another one must not be redirected to that guest's status page.
  if (guest) contents.push(guest.kind, guest.browser?.toString('hex'))
  return createHash('sha256').update(JSON.stringify(contents)).digest()
}
