import { tableText } from '../../display/terms.ts'
import type { Allergen } from '../../store/catalogue/catalogue.ts'
import type { Quote } from '../../store/guests/quote.ts'
import type { GuestOrder } from '../../store/ordering/guest-orders.ts'
import { type Html, html } from '../html/html.ts'
import type { App, Call, Caller } from '../http/handler.ts'
import type { Reply } from '../http/reply.ts'
import { linesJson } from '../office/till/till-cart.ts'
import { allergensOfLine, avoidedBy } from './allergens.ts'
import { type Checkout, needsOf, type Problem, type Texts } from './checkout-form.ts'
import { type GuestView, guestPage, guestView } from './guest-page.ts'
import { orderTable } from './order-table.ts'
import type { Setting } from './setting.ts'
import { laterTimes } from './times.ts'
import { closureOf, opensText, waitAt } from './wait.ts'
import { words as ofCart } from './words/cart.ts'
import { words } from './words/checkout.ts'

interface Shown {
  checkout: Checkout
  /** Undefined: the order cannot be placed as it is. */
  quote: Quote | undefined
  problem?: Problem
  /** Orders of this browser that it may not know of. */
  arrived: GuestOrder[]
  cookies?: string[]
}

/** The checkout of an empty cart. */
export function emptyPage(view: GuestView, setting: Setting): Reply {
  const w = words[view.language]
  return guestPage(view, setting, {
    title: w.title,
    back: { to: view.at(), label: w.toMenu },
    body: html`<h1>${w.empty}</h1><p><a class="button primary" href="${view.at()}">${w.toMenu}</a></p>`,
  })
}

/** The page on which an order is placed: the fields, the price, and the button that says that the order has to be paid. */
export function checkoutPage(app: App, call: Call<Caller>, setting: Setting, shown: Shown): Reply {
  const { checkout, quote, problem, arrived, cookies = [] } = shown
  const view = guestView(app, call, setting)
  const { avoided } = avoidedBy(app, call.exchange, setting)
  const w = words[view.language]
  const closure = closureOf(app, setting)
  const times = laterTimes(app, view, setting)
  const isPossible = quote !== undefined && (!closure || (closure.why === 'closed' && times.length > 0))
  const body = html`<h1>${w.title}</h1>
<div id="checkout">
${arrived.map(order => arrivedNote(app, view, order))}
${
  problem !== undefined &&
  html`<div class="note bad" role="alert" id="problem"><p><b>${w.notPlaced}</b> ${problem.text}</p>${problem.repair === true && html`<a class="button" href="${view.at('/cart')}">${w.repair}</a>`}</div>`
}
${
  quote &&
  html`<form class="stack" method="post" action="${view.at('/place')}" data-place="" data-sending="${w.sending}" data-unsent="${w.unsent}">
${kept(checkout, quote, problem)}
${mode(view, setting, checkout)}
${fields(view, setting, checkout, problem)}
${when(app, view, setting, { checkout, times, isOpen: !closure, problem })}
${alcohol(view, setting, checkout)}
<section class="card"><h2>${w.total}</h2>${total(view, setting, quote, avoided)}</section>
${!isPossible && closure && problem === undefined && html`<p class="note" role="status">${closure.why === 'closed' ? w.closed(opensText(view, closure)) : w.paused}</p>`}
<p class="note" data-said="" role="status" hidden=""></p>
${isPossible && html`<button class="primary place">${pressed(view, setting, checkout)} <span class="num">${money(view, quote)}</span></button>`}
</form>`
}
</div>`
  const back = { to: view.at('/cart'), label: w.back }
  return guestPage(view, setting, { title: w.title, body, back, cookies, ...(problem && { status: 422 }) })
}

/** A note that an order has arrived, for a guest whose browser did not receive the response. */
function arrivedNote({ store, link }: App, view: GuestView, { orderId, token }: GuestOrder): Html | undefined {
  const w = words[view.language]
  const order = store.orderBook.byId(orderId)
  return (
    order &&
    html`<div class="note" role="status"><p>${w.arrived(order.number)}</p><a class="button" href="${link(`/o/${token}`, { lang: view.tongue })}">${w.seeOrder}</a></div>`
  )
}

/**
 * The page for an order whose mode was switched off after the guest had chosen it. The guest chooses another one here and keeps what
 * they wrote. The new price is shown before anything is ordered.
 */
export function modeGonePage(view: GuestView, setting: Setting, { cart, texts, attempt }: Checkout): Reply {
  const w = words[view.language]
  const names = ofCart[view.language]
  const kept = {
    attempt,
    lines: JSON.stringify(linesJson(cart.lines)),
    postcode: cart.postcode ?? '',
    shown: '',
    ...texts,
  }
  const body = html`<h1>${w.title}</h1>
<form id="checkout" class="stack" method="post" action="${view.at('/place')}">
<div class="note bad" role="alert" id="problem"><p><b>${w.notPlaced}</b> ${names.modeGone(names[cart.mode])}</p></div>
${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="actions">${setting.modes.map(mode => html`<button name="mode" value="${mode}">${names[mode]}</button>`)}</div>
</form>`
  return guestPage(view, setting, { title: w.title, body, back: { to: view.at('/cart'), label: w.back }, status: 422 })
}

/** The hidden fields of the form, so that sending it again means the same order at the same price. */
function kept({ cart, attempt }: Checkout, { priced }: Quote, problem: Problem | undefined): Html {
  const { grandTotal, location } = priced
  return html`<input type="hidden" name="attempt" value="${attempt}">
<input type="hidden" name="lines" value="${JSON.stringify(linesJson(cart.lines))}">
<input type="hidden" name="mode" value="${cart.mode}">
${problem?.field !== 'postcode' && html`<input type="hidden" name="postcode" value="${cart.postcode ?? ''}">`}
<input type="hidden" name="shown" value="${grandTotal * 10 ** (3 - location.exponent)}">`
}

function money(view: GuestView, { priced }: Quote): string {
  const { exponent, currency } = priced.location
  return view.formats.money(priced.grandTotal, exponent, currency)
}

/** The text of the button: that the order has to be paid, and where. */
function pressed(view: GuestView, { table }: Setting, { cart }: Checkout): string {
  const w = words[view.language]
  if (cart.mode === 'delivery') return w.obligesAtDoor
  return table ? w.obligesAtTable : w.obliges
}

function mode(view: GuestView, { table, modes }: Setting, { cart }: Checkout): Html {
  const w = words[view.language]
  const names = { dine_in: w.dineIn, takeaway: w.takeaway, delivery: w.delivery, qr: w.dineIn }
  const text = table ? w.atTable(tableText(table.title, view.language)) : names[cart.mode]
  return html`<p class="how"><b>${text}</b>${cart.postcode !== null && cart.mode === 'delivery' && html` ${cart.postcode}`} ${modes.length > 1 && html`<a href="${view.at('/cart')}">${w.change}</a>`}</p>`
}

function fields(view: GuestView, setting: Setting, { cart, texts }: Checkout, problem: Problem | undefined): Html {
  const w = words[view.language]
  const needs = needsOf(setting, cart)
  const one = (
    name: keyof Texts,
    given: { label: string; help?: string; type?: 'text' | 'tel'; auto: string; most: number; isOptional?: boolean },
  ) => {
    const wrong = problem?.field === name ? problem.text : undefined
    const described = wrong !== undefined ? 'problem' : given.help !== undefined && `${name}-help`
    return html`<div class="field"><label for="${name}">${given.label}${given.isOptional === true && html` <span class="quiet small">${w.optional}</span>`}</label>
<input id="${name}" name="${name}" type="${given.type ?? 'text'}" maxlength="${given.most}" autocomplete="${given.auto}" required="${given.isOptional !== true}" value="${texts[name]}" aria-invalid="${wrong !== undefined && 'true'}" aria-describedby="${described}">
${given.help !== undefined && html`<p class="help" id="${name}-help">${given.help}</p>`}</div>`
  }
  return html`${needs.name && one('name', { label: w.name, ...(cart.mode !== 'delivery' && { help: w.nameHelp }), auto: 'name', most: 255 })}
${needs.phone && one('phone', { label: w.phone, help: w.phoneHelp, type: 'tel', auto: 'tel', most: 255 })}
${needs.address && one('address', { label: w.address, auto: 'street-address', most: 255 })}
${problem?.field === 'postcode' && html`<div class="field"><label for="postcode">${w.postcode}</label><input id="postcode" name="postcode" value="${cart.postcode ?? ''}" maxlength="20" autocomplete="postal-code" required="" aria-invalid="true" aria-describedby="problem"></div>`}
${needs.notes && one('notes', { label: w.notes, auto: 'off', most: 1000, isOptional: true })}`
}

function when(
  app: App,
  view: GuestView,
  setting: Setting,
  {
    checkout,
    times,
    isOpen,
    problem,
  }: { checkout: Checkout; times: number[]; isOpen: boolean; problem: Problem | undefined },
): Html | false {
  const w = words[view.language]
  const wait = waitAt(app, setting.location.id)
  const soon = wait ? `${w.soon} (${w.wait(wait.from, wait.to)})` : w.soon
  if (!needsOf(setting, checkout.cart).time) return isOpen && html`<p class="wait">${soon}</p>`
  const option = (value: string, label: string) =>
    html`<option value="${value}" selected="${checkout.texts.at === value}">${label}</option>`
  return html`<div class="field"><label for="at">${w.when}</label><select id="at" name="at" aria-invalid="${problem?.field === 'at' && 'true'}" aria-describedby="${problem?.field === 'at' && 'problem'}">
${isOpen && option('', soon)}
${times.map(time => option(String(time), w.today(view.formats.time(time))))}
</select></div>`
}

function alcohol(view: GuestView, { whole }: Setting, { cart }: Checkout): Html | false {
  const items = cart.lines.flatMap(({ itemId }) => whole.items.get(itemId) ?? [])
  const ages = items.flatMap(({ minimumAge }) => minimumAge ?? [])
  if (ages.length === 0 && !items.some(({ isAlcohol }) => isAlcohol)) return false
  return html`<p class="note">${words[view.language].alcohol(ages.length === 0 ? null : Math.max(...ages))}</p>`
}

/** The total line by line; of each dish what it contains, as in the cart, because a guest must know that before ordering. */
function total(view: GuestView, { whole }: Setting, { priced }: Quote, avoided: Allergen[]): Html {
  const { exponent, currency, serviceChargePpm, pricesIncludeTax } = priced.location
  const order = {
    ...priced,
    status: 'placed',
    exponent,
    currency,
    serviceChargePpm,
    pricesIncludeTax,
    manualDiscount: null,
  } as const
  return orderTable(view, view.tongue, order, whole, ({ itemId, modifiers }) => {
    const item = whole.items.get(itemId)
    return item && allergensOfLine(view, item, modifiers, avoided)
  })
}
