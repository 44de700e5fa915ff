import { createHash } from 'node:crypto'
import { refusalText } from '../../display/refusal.ts'
import type { Quote } from '../../store/guests/quote.ts'
import type { GuestOrder } from '../../store/ordering/guest-orders.ts'
import { newSecret, sha256 } from '../../store/people/secret.ts'
import { parseDecimal } from '../../store/terms/decimal.ts'
import { isRefused, type Refusal } from '../../store/terms/refusal.ts'
import { keepGuest, ordersKnown, secretOf } from '../access/cookies.ts'
import type { Address } from '../html/link.ts'
import { bucketOf, callerAddress } from '../http/address.ts'
import type { App, Call, Caller } from '../http/handler.ts'
import { type Reply, refuse } from '../http/reply.ts'
import { readForm } from '../page/form.ts'
import { type Cart, forgetCart, keepCart, quoteCart, readCart, readyQuote, withoutLines } from './cart.ts'
import { type Checkout, checkoutOf, fields, orderOf, type Problem, type Texts, texts } from './checkout-form.ts'
import { checkoutPage, emptyPage, modeGonePage } from './checkout-page.ts'
import { type GuestView, guestView } from './guest-page.ts'
import type { GuestHandler, Setting } from './setting.ts'
import { keepTurn, turnOf } from './turn.ts'
import { opensText } from './wait.ts'
import { words } from './words/checkout.ts'

const noTexts: Texts = { name: '', phone: '', address: '', notes: '', at: '' }

/**
 * GET {base}/checkout, and GET {base}/place when the guest reloads that page: the order line by line with its price, and the fields
 * that the guest fills in. Leads to the cart while the order cannot be placed as it is.
 */
export const readCheckout: GuestHandler = (app, call, setting) => {
  const view = guestView(app, call, setting)
  const cart = readCart(call.exchange, setting)
  if (cart.lines.length === 0) return emptyPage(view, setting)
  const quote = readyQuote(cart, quoteCart(app, setting, cart))
  // The cart says what is missing or wrong, and lets the guest change it.
  if (!quote) return { kind: 'redirect', to: view.at('/cart') }
  const isKiosk = setting.kind === 'kiosk'
  const secret = (isKiosk ? turnOf(call.exchange) : secretOf(app, call.exchange, 'guest')) ?? newSecret()
  const known = isKiosk ? 0 : ordersKnown(app, call.exchange)
  const cookies = isKiosk ? [] : [keepGuest(app, call.exchange, secret, known)]
  const checkout = { cart, texts: noTexts, attempt: attemptOf(secret, known, setting, cart) }
  return checkoutPage(app, call, setting, { checkout, quote, arrived: ordersOf(app, secret).slice(known), cookies })
}

/**
 * The attempt id of the next order of a browser, or of a turn at a kiosk (decision G3). Two tabs with the same cart have the same id
 * until the browser has received the response to that order. Nobody can guess it without the secret of the browser or of the turn.
 */
function attemptOf(
  secret: string,
  known: number,
  { base }: Setting,
  { lines, mode }: Pick<Cart, 'lines' | 'mode'>,
): string {
  return createHash('sha256')
    .update(JSON.stringify([secret, known, base, mode, lines]))
    .digest('base64url')
}

function ordersOf({ store }: App, secret: string): GuestOrder[] {
  return store.guestOrders.ofBrowser(sha256(secret))
}

/**
 * POST {base}/place: places the order and redirects to its status page; a script (header Servery-Script) is told its address by 201.
 * Sending the form again leads to the same page. If something has changed since the guest saw the page, it is shown again (422) with
 * the change, and nothing is ordered.
 */
export const placeOrder: GuestHandler = async (app, call, setting) => {
  const read = await readForm(call, fields)
  if (!read.ok) return read.reply
  const checkout = checkoutOf(read.form, setting)
  if (!checkout) return refuse('BAD_REQUEST')
  const secret = secretOf(app, call.exchange, 'guest')
  if (secret === undefined && setting.kind !== 'kiosk') return again(app, call, setting, checkout, 'no cookies')
  const shown = read.form.text('shown')
  const order = orderOf(checkout, setting, parseDecimal(shown, 0), {
    kind: setting.kind,
    token: newSecret(),
    browser: secret === undefined || setting.kind === 'kiosk' ? null : sha256(secret),
    ...(setting.table && { tableCode: setting.base.slice('/t/'.length) }),
    ...(call.caller.kind === 'device' && { deviceId: call.caller.device.id }),
  })
  if (isRefused(order)) return again(app, call, setting, checkout, order)
  const bucket = bucketOfGuest(app, call, setting)
  const placed = await app.writer.place({ ...order, source: setting.source, bucket })
  if (isRefused(placed)) {
    const isUnseen = placed.refused === 'other total' && shown === ''
    return again(app, call, setting, checkout, isUnseen ? 'unseen total' : placed)
  }
  const guest = app.store.guestOrders.byOrder(placed.id)
  if (!guest) return refuse('NOT_FOUND')
  const view = guestView(app, call, setting)
  // The next guest at the kiosk must not find anything of this order.
  if (setting.kind === 'kiosk') {
    const cookies = [forgetCart(app, call.exchange, setting), keepTurn(app, call.exchange, newSecret())]
    return statusAt(call, view.at(`/done/${guest.token}`), cookies)
  }
  const to = app.link(`/o/${guest.token}`, { lang: view.tongue })
  const known = secret === undefined ? [] : [keepGuest(app, call.exchange, secret, ordersOf(app, secret).length)]
  return statusAt(call, to, [keepRest(app, call, setting, checkout), ...known])
}

/** A script would follow a redirect and then open the page once more, so it is only told where the page is. */
function statusAt({ exchange }: Call<Caller>, to: Address, cookies: string[]): Reply {
  const isScript = exchange.request.headers['servery-script'] !== undefined
  return { kind: 'redirect', to, cookies, ...(isScript && { status: 201 }) }
}

/** The Set-Cookie header that removes the ordered dishes from the cart. */
function keepRest(app: App, { exchange }: Call<Caller>, setting: Setting, { cart: ordered }: Checkout): string {
  const cart = readCart(exchange, setting)
  const lines = withoutLines(cart.lines, ordered.lines)
  const kept = lines.length > 0 ? keepCart(app, exchange, setting, { ...cart, lines }) : undefined
  return kept ?? forgetCart(app, exchange, setting)
}

/** The bucket of the order limit in which an order counts (decision G5): its table, kiosk or address. */
function bucketOfGuest({ trustedProxies }: App, { exchange, caller }: Call<Caller>, { table }: Setting): string {
  if (table) return `table ${table.id}`
  if (caller.kind === 'device') return `device ${caller.device.id}`
  return `address ${bucketOf(callerAddress(exchange.request, trustedProxies))}`
}

/** Reasons for not placing an order that are not refusals of the store. */
type Unsent = 'no cookies' | 'unseen total'

/** The page again, with what the guest had filled in, the current price, and why the order was not placed. */
function again(app: App, call: Call<Caller>, setting: Setting, checkout: Checkout, refusal: Refusal | Unsent): Reply {
  const view = guestView(app, call, setting)
  if (!setting.modes.includes(checkout.cart.mode)) return modeGonePage(view, setting, checkout)
  const { quote, lines } = quoteCart(app, setting, { ...checkout.cart, lost: null, isUpsold: true })
  const w = words[view.language]
  const secret = setting.kind === 'kiosk' ? undefined : secretOf(app, call.exchange, 'guest')
  const orders = secret === undefined ? [] : ordersOf(app, secret)
  const arrived = orders.slice(ordersKnown(app, call.exchange))
  const broken = lines.filter(({ faults }) => faults.length > 0)
  if (broken.length > 0 || !quote) {
    const names = [...new Set(broken.map(({ item }) => item?.title ?? w.thisDish))]
    const why = broken.length > 0 ? w.ranOut(view.formats.list(names), names.length) : w.notOffered
    return checkoutPage(app, call, setting, {
      checkout,
      quote: undefined,
      problem: { text: why, repair: true },
      arrived,
    })
  }
  const problem = problemOf(view, quote, refusal)
  if (secret === undefined || typeof refusal === 'string' || refusal.refused !== 'attempt used') {
    return checkoutPage(app, call, setting, { checkout, quote, problem, arrived })
  }
  // The guest now learns of the earlier order. Sending this one again means both.
  const attempt = attemptOf(secret, orders.length, setting, checkout.cart)
  const cookies = [keepGuest(app, call.exchange, secret, orders.length)]
  const shown = { checkout: { ...checkout, attempt }, quote, problem, arrived: orders.slice(-1), cookies }
  return checkoutPage(app, call, setting, shown)
}

/** Why an order was not placed, as a guest understands it, and the field that it is about. */
function problemOf(view: GuestView, { priced }: Quote, refusal: Refusal | Unsent): Problem {
  const w = words[view.language]
  if (refusal === 'no cookies') return { text: w.noCookies }
  if (refusal === 'unseen total') return { text: w.unseenTotal }
  switch (refusal.refused) {
    case 'other total': {
      const { exponent, currency } = priced.location
      return { text: w.otherTotal(view.formats.money(priced.grandTotal, exponent, currency)) }
    }
    case 'takes no orders':
      return { text: refusal.why === 'closed' ? w.closed(opensText(view, refusal)) : w.paused }
    case 'order limit':
      return { text: w.tooMany }
    case 'attempt used':
      return { text: w.attemptUsed, repair: true }
    case 'detail missing':
      return { text: refusalText(refusal, view.language), field: refusal.detail }
    case 'wanted time':
      return { text: w.timePassed, field: 'at' }
    case 'text':
      return { text: refusalText(refusal, view.language), field: refusal.field === 'address' ? 'address' : 'postcode' }
    case 'not delivered there':
      return { text: refusalText(refusal, view.language), field: 'postcode' }
    case 'below minimum':
      return { text: refusalText(refusal, view.language), repair: true }
    case 'faults': {
      const field = texts.find(name => refusal.faults[0]?.pointer?.endsWith(`/${name}`))
      return { text: w.tooLong, ...(field && { field }) }
    }
    default:
      return { text: w.notOffered }
  }
}
