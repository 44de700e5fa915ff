import { tableText } from '../../display/terms.ts'
import type { Allergen, Item } from '../../store/catalogue/catalogue.ts'
import type { DraftLine } from '../../store/ordering/draft.ts'
import { faultTitles } from '../../store/terms/faults.ts'
import { type Html, html } from '../html/html.ts'
import type { App, Call, Caller } from '../http/handler.ts'
import { type Reply, refuse } from '../http/reply.ts'
import { readForm } from '../page/form.ts'
import { allergensOfLine, avoidedBy } from './allergens.ts'
import {
  type Cart,
  isPostcode,
  isPostcodeMissing,
  keepCart,
  keyOf,
  lackingOf,
  MOST_OF_A_DISH,
  type QuotedCart,
  type QuotedLine,
  quoteCart,
  readCart,
  readyQuote,
} from './cart.ts'
import { type GuestView, guestPage, guestView, said, textOf } from './guest-page.ts'
import { deliveryTerms, money } from './menu.ts'
import type { GuestHandler, Setting } from './setting.ts'
import { laterTimes } from './times.ts'
import { guestTotal } from './total.ts'
import { closureOf, stateNote } from './wait.ts'
import { words } from './words/cart.ts'
import { words as around } from './words/guest.ts'
import { words as ofMenu } from './words/menu.ts'

/** GET {base}/cart: what the guest is going to order, with its price, and what has to be changed before it can be ordered. */
export const readCartPage: GuestHandler = (app, call, setting) => {
  const cart = readCart(call.exchange, setting)
  return cartPage(app, call, setting, cart)
}

const acts = ['more', 'fewer', 'remove', 'mode', 'postcode'] as const

/** POST {base}/cart: changes a line, the service mode or the postcode. */
export const changeCart: GuestHandler = async (app, call, setting) => {
  const read = await readForm(call, { once: ['act', 'line', 'mode', 'postcode'] })
  if (!read.ok) return read.reply
  const { form } = read
  const act = form.choice('act', acts)
  const cart = readCart(call.exchange, setting)
  const line = cart.lines.find(each => keyOf(each) === form.text('line'))
  switch (act) {
    case 'more':
    case 'fewer':
    case 'remove': {
      const lines = line ? withQuantity(cart.lines, line, act) : cart.lines
      return kept(app, call, setting, { ...cart, lines })
    }
    case 'mode': {
      const mode = form.choice('mode', setting.modes)
      return mode ? kept(app, call, setting, { ...cart, mode, lost: null }) : refuse('BAD_REQUEST')
    }
    case 'postcode': {
      const postcode = form.text('postcode').trim()
      if (!isPostcode(postcode)) return cartPage(app, call, setting, cart, { wrongPostcode: postcode })
      return kept(app, call, setting, { ...cart, postcode })
    }
    default:
      return refuse('BAD_REQUEST')
  }
}

function withQuantity(lines: DraftLine[], line: DraftLine, act: 'more' | 'fewer' | 'remove'): DraftLine[] {
  const by = { more: 1000, fewer: -1000, remove: -line.qtyMilli }[act]
  const qtyMilli = Math.min(MOST_OF_A_DISH * 1000, line.qtyMilli + by)
  return lines.flatMap(each => (each === line ? (qtyMilli > 0 ? [{ ...line, qtyMilli }] : []) : [each]))
}

function kept(app: App, call: Call<Caller>, setting: Setting, cart: Cart): Reply {
  const cookie = keepCart(app, call.exchange, setting, cart)
  // On this page, only a long postcode can make the cart larger.
  if (cookie === undefined) return cartPage(app, call, setting, cart, { isFull: true })
  return { kind: 'redirect', to: app.link(`${setting.base}/cart`), cookies: [cookie] }
}

interface Wrong {
  wrongPostcode?: string
  isFull?: boolean
}

function cartPage(app: App, call: Call<Caller>, setting: Setting, cart: Cart, wrong: Wrong = {}): Reply {
  const view = guestView(app, call, setting)
  const w = words[view.language]
  const title = around[view.language].yourOrder
  const back = { to: view.at(), label: w.keepChoosing }
  if (cart.lines.length === 0) {
    const body = html`<h1>${title}</h1><p class="card empty">${w.empty} <a href="${view.at()}">${w.keepChoosing}</a></p>`
    return guestPage(view, setting, { title, body, back })
  }
  const quoted = quoteCart(app, setting, cart)
  const { quote } = quoted
  const isBroken = quoted.lines.some(({ faults }) => faults.length > 0)
  const offers = cart.isUpsold ? [] : offersFor(app, setting, cart)
  // Dishes are offered once, whatever the guest does then.
  const cookie = offers.length > 0 ? keepCart(app, call.exchange, setting, { ...cart, isUpsold: true }) : undefined
  const lacking = quote ? lackingOf(cart, quote.priced) : 0
  // While the location is closed, guests can still order for later today.
  const isTaken = !closureOf(app, setting) || laterTimes(app, view, setting).length > 0
  const ready = isTaken ? readyQuote(cart, quoted) : undefined
  const { avoided } = avoidedBy(app, call.exchange, setting)
  const body = html`<h1>${title}</h1>
${stateNote(app, view, setting)}
${isBroken && html`<p class="note" role="status">${w.repair}</p>`}
${quoted.refusal?.refused === 'faults' && html`<p class="note bad" role="alert">${w.tooLarge}</p>`}
${wrong.isFull && html`<p class="note bad" role="alert">${ofMenu[view.language].full}</p>`}
<ul class="lines">${quoted.lines.map(line => lineRow(view, setting, line, avoided))}</ul>
${modeChoice(view, setting, cart)}
${cart.mode === 'delivery' && !cart.lost && deliveryPart(view, setting, cart, { quoted, lacking, wrong })}
${offers.length > 0 && upsellPart(view, setting, offers)}
${quote && !cart.lost && guestTotal(view, quote.priced)}`
  return guestPage(view, setting, {
    title,
    body,
    back,
    status: wrong.wrongPostcode !== undefined || wrong.isFull ? 422 : 200,
    cookies: cookie === undefined ? [] : [cookie],
    bar: ready
      ? html`<nav class="cart" aria-label="${title}"><a class="button primary" href="${view.at('/checkout')}"><span>${w.next}</span> <span class="num">${money(view, setting.location, ready.priced.grandTotal)}</span></a></nav>`
      : undefined,
  })
}

function lineRow(view: GuestView, setting: Setting, quoted: QuotedLine, avoided: Allergen[]): Html {
  const w = words[view.language]
  const { line, key, item, priced } = quoted
  const name = (item && textOf(view, item)) ?? w.aDish
  const size = item?.variations.find(({ id }) => id === line.variationId)
  const ofDish = html`<span class="sr"> ${name}</span>`
  const button = (act: 'more' | 'fewer', label: string, text: string) =>
    html`<button name="act" value="${act}" aria-label="${label}">${text}</button>`
  const remove = html`<button class="plain" name="act" value="remove">${w.remove}${ofDish}</button>`
  const edit = (text: string) =>
    item && html`<a class="button plain" href="${view.at(`/dish/${item.id}`, { line: key })}">${text}${ofDish}</a>`
  return html`<li class="${priced ? 'line' : 'line broken'}">
<div class="what"><b>${item ? said(view, item) : w.aDish}</b>${size && html` · ${said(view, size)}`}
${item && priced && choicesOf(view, setting, item, priced.modifiers)}
${item && priced && allergensOfLine(view, item, priced.modifiers, avoided)}
${line.notes !== null && html`<span class="quiet small">“${line.notes}”</span>`}
${!priced && html`<p class="wrong">${reasonOf(view, setting, quoted)}</p>`}</div>
<span class="num price">${priced && money(view, setting.location, priced.lineTotal)}</span>
<form method="post" action="${view.at('/cart')}" class="actions"><input type="hidden" name="line" value="${key}">
${
  priced
    ? html`${button('fewer', w.fewer(name), '−')}<b class="num count-of">${line.qtyMilli / 1000}</b>${button('more', w.more(name), '+')}${edit(w.edit)}${remove}`
    : html`<span>${line.qtyMilli / 1000} ×</span>${line.qtyMilli > 1000 && isShort(quoted) && button('fewer', w.fewer(name), '−')}${isReparable(setting, quoted) && edit(w.chooseAgain)}${remove}`
}</form>
</li>`
}

function choicesOf(
  view: GuestView,
  { location }: Setting,
  item: Item,
  modifiers: NonNullable<QuotedLine['priced']>['modifiers'],
): Html {
  const w = words[view.language]
  return html`<ul class="small quiet">${modifiers.map(({ id, title, qty, free, price }) => {
    const modifier = item.options.get(id)?.modifier
    const paid = (qty - free) * price
    const cost = price === 0 ? '' : paid === 0 ? w.included : `+${money(view, location, paid)}`
    const partly = price > 0 && free > 0 && paid > 0 ? `, ${w.someIncluded(free)}` : ''
    return html`<li>${qty > 1 && `${qty} × `}${modifier ? said(view, modifier) : title} ${cost}${partly}</li>`
  })}</ul>`
}

/** Whether the only problem of a line is that less is left than its quantity. */
function isShort({ faults }: QuotedLine): boolean {
  return faults.every(({ pointer }) => /^\/items\/\d+$/.test(pointer ?? ''))
}

/** Whether the line can be ordered with other choices. */
function isReparable({ menu }: Setting, { item }: QuotedLine): boolean {
  return item !== undefined && menu.items.has(item.id)
}

function reasonOf(view: GuestView, { menu }: Setting, quoted: QuotedLine): string {
  const w = words[view.language]
  const { item, faults } = quoted
  if (!item) return w.gone
  if (!menu.items.has(item.id)) return w.soldOut
  const [fault] = faults
  if (isShort(quoted)) return w.tooFew
  if (fault?.title === faultTitles.unavailableItem) return w.sizeGone
  return fault?.title === faultTitles.unavailableOption ? w.optionGone : w.choicesChanged
}

function modeChoice(view: GuestView, { modes, table }: Setting, cart: Cart): Html | null {
  const w = words[view.language]
  if (table) return html`<p>${w.toTable(tableText(table.title, view.language))}</p>`
  if (modes.length < 2 && !cart.lost) return html`<p class="quiet">${w[cart.mode]}</p>`
  return html`<form method="post" action="${view.at('/cart')}" class="modes"><h2>${w.howToEat}</h2>${cart.lost && html`<p class="note bad" role="alert">${w.modeGone(w[cart.lost])}</p>`}<input type="hidden" name="act" value="mode">
<div class="actions">${modes.map(mode => html`<button name="mode" value="${mode}" aria-pressed="${String(mode === cart.mode && !cart.lost)}">${w[mode]}</button>`)}</div></form>`
}

function deliveryPart(
  view: GuestView,
  { location }: Setting,
  cart: Cart,
  { quoted: { quote, refusal }, lacking, wrong }: { quoted: QuotedCart; lacking: number; wrong: Wrong },
): Html {
  const w = words[view.language]
  const problem =
    wrong.wrongPostcode !== undefined
      ? w.wrongPostcode
      : refusal?.refused === 'not delivered there'
        ? w.notDelivered(refusal.postcode)
        : undefined
  const net = quote ? quote.priced.subtotal - quote.priced.discountTotal : 0
  const { freeDeliveryFrom } = location
  const untilFree = quote && quote.priced.deliveryFee > 0 && freeDeliveryFrom !== null ? freeDeliveryFrom - net : 0
  return html`<section class="stack tight"><p class="small">${deliveryTerms(view, location)}</p>
${
  location.deliveryZones.length > 0 &&
  html`<form method="post" action="${view.at('/cart')}" class="row"><input type="hidden" name="act" value="postcode"><div class="field"><label for="postcode">${w.postcode}</label><input id="postcode" name="postcode" value="${wrong.wrongPostcode ?? cart.postcode ?? ''}" maxlength="20" autocomplete="postal-code" required="" aria-invalid="${problem !== undefined && 'true'}" aria-describedby="postcode-help">${problem !== undefined && html`<p class="wrong" role="alert">${problem}</p>`}<p class="help" id="postcode-help">${w.postcodeHelp}</p></div><button>${w.check}</button></form>`
}
${isPostcodeMissing(location, cart) && problem === undefined && html`<p class="note" role="status">${w.postcodeFirst}</p>`}
${lacking > 0 && html`<p class="note" role="status">${w.belowMinimum(money(view, location, lacking), money(view, location, lacking + net))}</p>`}
${lacking === 0 && untilFree > 0 && html`<p class="small">${w.untilFree(money(view, location, untilFree))}</p>`}</section>`
}

/** The dishes to offer to a guest: those of the setting `guests.upsell` that can be ordered and are not in the cart. */
function offersFor({ store }: App, { menu }: Setting, { lines }: Cart): Item[] {
  const ids = store.settings.current().guestsUpsell.filter(id => lines.every(({ itemId }) => itemId !== id))
  return ids.flatMap(id => menu.items.get(id) ?? [])
}

/** The offered dishes beside an equally large "No, thanks"; nothing is chosen for the guest. */
function upsellPart(view: GuestView, { location }: Setting, offers: Item[]): Html {
  const w = words[view.language]
  return html`<section class="card stack tight" id="offers"><h2>${w.upsell}</h2><div class="actions">
${offers.map(item => {
  const prices = item.variations.length > 0 ? item.variations.map(({ price }) => price) : [item.price]
  return html`<a class="button" href="${view.at(`/dish/${item.id}`)}">${w.addOne(textOf(view, item) ?? '', money(view, location, Math.min(...prices)))}</a>`
})}
<a class="button" href="${view.at('/cart')}">${w.noThanks}</a></div></section>`
}
