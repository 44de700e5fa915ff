import { modesOfKind } from '../../store/guests/switches.ts'
import type { OrderDetails } from '../../store/ordering/details.ts'
import { type Draft, parseDraft } from '../../store/ordering/draft.ts'
import { isRefused, type Refusal } from '../../store/terms/refusal.ts'
import { linesJson, linesOf } from '../office/till/till-cart.ts'
import type { Form } from '../page/form.ts'
import { type Cart, detailsOf, draftOf, isPostcode } from './cart.ts'
import type { Setting } from './setting.ts'

/** The names of the fields that guests fill in themselves. */
export const texts = ['name', 'phone', 'address', 'notes', 'at'] as const
export type Texts = Record<(typeof texts)[number], string>

export const fields = { once: ['attempt', 'lines', 'mode', 'postcode', 'shown', ...texts] } as const
type CheckoutForm = Form<(typeof fields.once)[number]>

/** An order that a guest is about to place. Its form holds all of it, so sending the form again means the same order. */
export interface Checkout {
  cart: Pick<Cart, 'lines' | 'mode' | 'postcode'>
  texts: Texts
  attempt: string
}

/** Why the order was not placed. */
export interface Problem {
  text: string
  field?: keyof Texts | 'postcode'
  /** Whether the guest has to correct it in the cart. */
  repair?: boolean
}

/** The order in a form; undefined for a form that none of our pages sends. Its mode may have been switched off since. */
export function checkoutOf(form: CheckoutForm, { kind }: Setting): Checkout | undefined {
  const attempt = form.text('attempt')
  const mode = modesOfKind[kind].find(each => each === form.text('mode'))
  const lines = linesOf(form.text('lines'))
  const postcode = form.text('postcode').trim()
  if (!/^[\w-]{20,100}$/.test(attempt) || !mode || lines.length === 0) return undefined
  return {
    cart: { lines, mode, postcode: isPostcode(postcode) ? postcode : null },
    texts: Object.fromEntries(texts.map(name => [name, form.text(name)])) as Texts,
    attempt,
  }
}

/** The order to place. Refuses texts that are too long or cannot be stored, and a wanted time that is not a number. */
export function orderOf(
  { cart, texts: given, attempt }: Checkout,
  setting: Setting,
  totalMilli: number | undefined,
  guest: NonNullable<OrderDetails['guest']>,
): { draft: Draft; details: OrderDetails } | Refusal<'faults' | 'wanted time'> {
  const { mode, lines } = cart
  const needs = needsOf(setting, cart)
  const kept = (name: keyof Texts, isNeeded = true) =>
    isNeeded && given[name].trim() !== '' ? given[name].trim() : undefined
  const draft = parseDraft({
    ...draftBody(setting, cart),
    notes: kept('notes'),
    customer: { name: kept('name', needs.name), phone: kept('phone', needs.phone) },
    items: linesJson(lines),
  })
  if (isRefused(draft)) return draft
  const wantedAt = given.at === '' ? undefined : /^\d{1,15}$/.test(given.at) ? Number(given.at) : 0
  const details: OrderDetails = {
    ...detailsOf(cart),
    attemptId: attempt,
    // No total equals -1, so an order without the total that the guest saw is refused.
    totalMilli: totalMilli ?? -1,
    tableId: setting.table?.id,
    address: mode === 'delivery' ? kept('address') : undefined,
    wantedAt: needs.time ? wantedAt : undefined,
    guest,
  }
  return { draft, details }
}

function draftBody(setting: Setting, cart: Checkout['cart']) {
  const { locationId, channel, serviceMode } = draftOf(setting, cart)
  return { location_id: locationId, channel, service_mode: serviceMode }
}

/** Which fields the form has for a mode. All of them are required except the notes. */
export function needsOf({ kind }: Setting, { mode }: Pick<Cart, 'mode'>) {
  const isStorefront = kind === 'storefront'
  return {
    name: isStorefront && mode !== 'dine_in',
    phone: isStorefront && mode === 'delivery',
    address: mode === 'delivery',
    time: isStorefront,
    notes: kind !== 'kiosk',
  }
}
