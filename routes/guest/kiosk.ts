import { allergenIn } from '../../display/allergen.ts'
import { nameOfLanguage } from '../../display/language.ts'
import { newSecret } from '../../store/people/secret.ts'
import type { ServiceMode } from '../../store/terms/channels.ts'
import { html } from '../html/html.ts'
import { cookieOf } from '../http/cookie.ts'
import type { App, Handler } from '../http/handler.ts'
import { refuse } from '../http/reply.ts'
import { addressesOf } from '../office/addresses.ts'
import { readForm } from '../page/form.ts'
import { qrImage } from '../page/qr-image.ts'
import { allergensOf } from './allergens.ts'
import { keepCart } from './cart.ts'
import { type GuestView, guestCookie, guestPage, guestView, said } from './guest-page.ts'
import { kioskBase, kioskState } from './kiosk-frame.ts'
import { money, readMenu } from './menu.ts'
import { type GuestHandler, type Setting, settingAt } from './setting.ts'
import { keepTurn, TURN_S, turnOf } from './turn.ts'
import { closureOf, closureText, opensText, waitAt } from './wait.ts'
import { words as around } from './words/guest.ts'
import { words } from './words/kiosk.ts'

// How long after an order the page with its number can be opened. Later guests must not find it.
const NUMBER_MS = 60_000

/** The cookies of a guest at a kiosk. */
const kept = ['kiosk_guest', 'kiosk_low', 'guest_language', 'avoid', 'cart']

/** Lets only a guest who has started reach a page of a kiosk. Everybody else, such as by the back button, gets to the start page. */
export function onceStarted(handler: GuestHandler): GuestHandler {
  return (app, call, setting) =>
    turnOf(call.exchange) ? handler(app, call, setting) : { kind: 'redirect', to: app.link(kioskBase) }
}

/** GET {basePath}/kiosk: the start page, or the menu for a guest who has started. */
export const readKiosk: GuestHandler = (app, call, setting) =>
  turnOf(call.exchange) ? readMenu(app, call, setting) : startPage(app, call, setting)

/** Why a kiosk takes no orders now: as the location, or because every dish is sold out; undefined: it takes them. */
function kioskClosure(app: App, setting: Setting) {
  const closure = closureOf(app, setting)
  if (closure || setting.menu.items.size > 0) return closure
  return { why: 'soldOut', until: null } as const
}

/** What a kiosk says in place of its welcome while it takes no orders. */
function closedText(view: GuestView, closure: NonNullable<ReturnType<typeof kioskClosure>>): string {
  if (closure.why === 'soldOut') return around[view.language].soldOut
  return closure.why === 'closed' ? around[view.language].closed : closureText(view, closure)
}

const startPage: GuestHandler = (app, call, setting) => {
  const view = guestView(app, call, setting)
  const w = words[view.language]
  const closure = kioskClosure(app, setting)
  const modes: Partial<Record<ServiceMode, string>> = { dine_in: w.dineIn, takeaway: w.takeaway }
  const allergens = allergensOf(setting)
  const isTouched = view.cookies.length > 0 || kept.some(name => cookieOf(call.exchange.request, name) !== undefined)
  const tongues = html`<nav class="chips start-tongues" aria-label="${around[view.language].language}">${view.tongues.map(
    tag =>
      html`<a class="chip" href="${view.at('', { lang: tag })}" lang="${tag}" hreflang="${tag}" aria-current="${tag === view.tongue && 'true'}">${nameOfLanguage(tag)}</a>`,
  )}</nav>`
  const wait = waitAt(app, setting.location.id)
  const body = html`<div class="kiosk-start">
<h1><span class="quiet">${view.siteTitle}</span> ${closure ? closedText(view, closure) : w.welcome}</h1>
${tongues}
${
  closure
    ? html`<p class="pay" role="status">${closure.why === 'closed' ? opensText(view, closure) : w.atCounter}</p>`
    : html`<form method="post" action="${view.at('/start')}" class="stack" autocomplete="off">
${
  allergens.length > 0 &&
  html`<details class="card"><summary>${w.allergy}</summary><p class="quiet">${w.allergyHelp}</p><div class="ticks">${allergens.map(
    allergen =>
      html`<label class="choice"><input type="checkbox" name="avoid" value="${allergen.id}">${said(view, allergenIn(allergen, view.tongue))}</label>`,
  )}</div></details>`
}
<fieldset class="stack"><legend>${w.howToEat}</legend><div class="start-modes">${setting.modes.map(mode => html`<button name="mode" value="${mode}">${modes[mode]}</button>`)}</div></fieldset>
<p class="quiet">${w.payLater}${wait && html` ${around[view.language].wait(wait.from, wait.to)}.`}</p>
</form>`
}</div>`
  const state = kioskState(app, closure ? 'closed' : 'open', closure?.until)
  return guestPage(view, setting, {
    title: w.welcome,
    body,
    kiosk: { whenIdle: isTouched ? 'start' : 'nothing', state },
  })
}

/** POST {basePath}/kiosk/start: begins a guest's turn with an empty cart, a service mode and the allergens to avoid. */
export const startKiosk: GuestHandler = async (app, { exchange, head }, setting) => {
  const read = await readForm({ exchange, head }, { once: ['mode'], repeated: ['avoid'] })
  if (!read.ok) return read.reply
  const mode = setting.modes.find(each => each === read.form.text('mode'))
  if (!mode) return refuse('BAD_REQUEST')
  const to = app.link(kioskBase)
  if (kioskClosure(app, setting)) return { kind: 'redirect', to }
  const wanted = read.form.all('avoid')
  const avoided = allergensOf(setting).filter(({ id }) => wanted.includes(String(id)))
  const cart = keepCart(app, exchange, setting, { lines: [], mode, lost: null, postcode: null, isUpsold: false })
  const cookies = [
    keepTurn(app, exchange, newSecret()),
    guestCookie(app, exchange, setting, 'avoid', avoided.map(({ id }) => id).join('.'), TURN_S),
  ]
  return { kind: 'redirect', to, cookies: cart === undefined ? cookies : [...cookies, cart] }
}

/** POST {basePath}/kiosk/end: ends a guest's turn: removes the cart, the language and all other cookies. */
export const endKiosk: Handler = async (app, call) => {
  const read = await readForm(call, {})
  if (!read.ok) return read.reply
  const cookies = kept.map(name => guestCookie(app, call.exchange, { base: kioskBase }, name, '', 0))
  return { kind: 'redirect', to: app.link(kioskBase), cookies }
}

/** GET {basePath}/kiosk/now: whether orders are taken, as the JSON `{ state }`, for the script of the kiosk. */
export const readKioskNow: Handler = (app, { caller }) => {
  if (caller.kind !== 'device') return refuse('NOT_FOUND')
  const setting = settingAt(app, 'kiosk', { locationId: caller.device.locationId, table: null, base: kioskBase })
  const closure = setting && kioskClosure(app, setting)
  const state = setting ? kioskState(app, closure ? 'closed' : 'open', closure?.until) : kioskState(app, 'off')
  return { kind: 'bytes', type: 'application/json; charset=utf-8', bytes: Buffer.from(JSON.stringify({ state })) }
}

/** GET {basePath}/kiosk/done/:token: the number of an order that was placed at a kiosk less than a minute ago. */
export const readKioskDone: GuestHandler = (app, call, setting) => {
  const { store, clock } = app
  const { token = '' } = call.parameters
  const guest = store.guestOrders.byToken(token)
  const order = guest && store.orderBook.byId(guest.orderId)
  const isShown = guest?.kind === 'kiosk' && clock.now() - guest.placedAt < NUMBER_MS
  if (!order || !isShown) return { kind: 'redirect', to: app.link(kioskBase) }
  const view = guestView(app, call, setting)
  const w = words[view.language]
  const { balance } = store.payments.standing(order.id)
  const wait = waitAt(app, setting.location.id)
  const [site] = addressesOf(app, call.exchange)
  const body = html`<div class="kiosk-start">
<h1 class="number"><span class="quiet">${w.yourNumber}</span> <b>${order.number}</b></h1>
<p class="pay">${balance > 0 ? w.payNow(money(view, setting.location, balance)) : w.nothingToPay}</p>
${wait && html`<p>${around[view.language].wait(wait.from, wait.to)}</p>`}
${!site.isOnlyHere && html`<figure class="follow">${qrImage(`${site.text}/o/${token}`, w.follow)}<figcaption>${w.follow}</figcaption></figure>`}
<button form="kiosk-end" class="primary">${w.done}</button></div>`
  return guestPage(view, setting, { title: w.yourNumber, body, kiosk: { whenIdle: 'number' } })
}
