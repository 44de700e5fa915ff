import { quoted } from '../../../display/language.ts'
import { priceText } from '../../../display/price.ts'
import { refusalText } from '../../../display/refusal.ts'
import { modeText } from '../../../display/terms.ts'
import type { Item, Menu, Modifier, ModifierGroup } from '../../../store/catalogue/catalogue.ts'
import type { Off, StaffDish } from '../../../store/catalogue/staff-menu.ts'
import { type DraftLine, LONGEST_CUSTOMER_FIELD, LONGEST_NOTES } from '../../../store/ordering/draft.ts'
import type { Preview } from '../../../store/ordering/place.ts'
import { minorUnits } from '../../../store/terms/money.ts'
import { isRefused, type Refusal } from '../../../store/terms/refusal.ts'
import { LONGEST_REMARK } from '../../../store/terms/remark.ts'
import { type Html, html } from '../../html/html.ts'
import type { Address } from '../../html/link.ts'
import type { App } from '../../http/handler.ts'
import type { View } from '../../page/view.ts'
import { menuAt } from '../menu/menu.ts'
import { offText } from '../menu/menu-state.ts'
import { totalTable } from '../order-total.ts'
import { words } from '../words/till.ts'
import { type Cart, type CartLine, linesJson, type Sheet, type Texts } from './till-cart.ts'

/** What the till shows. */
export interface TillPage {
  cart: Cart
  /** A dish whose options are being chosen. */
  sheet?: Sheet | undefined
  /** Why the last press did not do what it should. */
  problem?: Refusal | 'not a time' | undefined
  /** A dish that was typed and not found. */
  find?: { text: string; why: string } | undefined
  /** What the order would cost, or why it cannot be placed; undefined while it is empty. */
  price?: Preview | Refusal | 'not a time' | undefined
}

const path = '/office/till'

/** One form: every button sends the whole order, and the server answers with the page after that press. */
export function tillBody(app: App, view: View, menu: Menu, till: TillPage): Html {
  const { cart, sheet, price } = till
  const total = price === undefined || price === 'not a time' || isRefused(price) ? undefined : price.priced.grandTotal
  const { exponent, id } = menu.location
  const scaled = total === undefined ? '' : total * 10 ** (3 - exponent)
  return html`${locationChips(app, view, menu)}
<form method="post" action="${view.link(path, { location: id })}" id="till" class="till" data-inplace="">
<button class="sr" name="do" value="enter" tabindex="-1" aria-hidden="true"></button>
<input type="hidden" name="lines" value="${JSON.stringify(linesJson(cart.lines))}">
<input type="hidden" name="attempt" value="${cart.attempt}">
<input type="hidden" name="shown" value="${scaled}">
<div class="stack">${sheet ? sheetCard(view, menu, sheet, till.problem) : dishes(app, view, menu, till, total)}</div>
<div class="stack" id="order">${orderCard(app, view, menu, till, total)}</div>
</form>`
}

function locationChips({ store }: App, view: View, menu: Menu): Html | false {
  const { locations } = store.catalogue.current()
  return (
    locations.length > 1 &&
    html`<nav class="chips">${locations.map(({ id, title }) => html`<a class="chip" href="${view.link(path, { location: id })}" aria-current="${id === menu.location.id && 'true'}">${title}</a>`)}</nav>`
  )
}

/** Reasons that guests and staff should see; what is switched off here for good is left out. */
const forNow: Off['why'][] = ['taken off', 'stock', 'no size left', 'too few options']

function dishes(app: App, view: View, menu: Menu, { cart, find }: TillPage, total: number | undefined): Html {
  const w = words[view.language]
  const { exponent, currency, id } = menu.location
  const count = cart.lines.reduce((sum, { qtyMilli }) => sum + qtyMilli, 0) / 1000
  const money = total === undefined ? '–' : view.formats.money(total, exponent, currency)
  const link = (element: string) => view.link(path, { location: id }, element)
  const toOrder =
    cart.lines.length > 0 && html`<a class="chip to-order" href="${link('order')}">${w.toCart(count, money)}</a>`
  return html`${findField(view, find, true)}${dishSections(app, view, menu, link, toOrder)}`
}

/** Where a dish is typed. */
export function findField(view: View, find: TillPage['find'], isFirst = false): Html {
  const w = words[view.language]
  return html`<div class="field"><label for="find">${w.find}</label><div class="find-orders"><input id="find" name="find" autocomplete="off" maxlength="100" value="${find?.text}" autofocus="${isFirst}" aria-describedby="find-help" aria-invalid="${find && 'true'}"><button class="button" name="do" value="enter">${w.add}</button></div>
${find ? html`<p class="wrong" id="find-help" role="alert">${find.why}</p>` : html`<p class="help" id="find-help">${w.findHelp}</p>`}</div>`
}

/** The dishes of a menu as buttons, section by section, with those that are sold out. `link` leads to an element of the page. */
export function dishSections(
  app: App,
  view: View,
  menu: Menu,
  link: (element: string) => Address,
  firstChip?: Html | false,
): Html {
  const w = words[view.language]
  const categories = (menuAt(app, menu.location.id)?.categories ?? [])
    .map(({ entry, dishes }) => ({
      entry,
      dishes: dishes.filter(({ entry: { id }, off }) => menu.items.has(id as Item['id']) || isOffForNow(off)),
    }))
    .filter(({ dishes }) => dishes.length > 0)
  return html`<nav class="chips along" aria-label="${w.categories}">
${firstChip}
${categories.map(({ entry }) => html`<a class="chip" href="${link(`section-${entry.id}`)}">${entry.title}</a>`)}</nav>
${categories.map(
  ({ entry, dishes }) => html`<section id="section-${entry.id}" class="stack tight"><h2>${entry.title}</h2>
<div class="dishes">${dishes.map(dish => dishButton(view, menu, dish))}</div></section>`,
)}`
}

function isOffForNow(off: Off[]): boolean {
  return off.length > 0 && off.every(({ why }) => forNow.some(known => known === why))
}

function dishButton(view: View, menu: Menu, { entry, price, off }: StaffDish): Html {
  const w = words[view.language]
  const { exponent, currency } = menu.location
  const item = menu.items.get(entry.id as Item['id'])
  const least = item?.variations.length ? Math.min(...item.variations.map(size => size.price)) : undefined
  const money = view.formats.money(least ?? item?.price ?? minorUnits(price, exponent), exponent, currency)
  const shown = least === undefined ? money : w.from(money)
  const why = item ? undefined : off[0] ? offText(view, off[0]) : w.soldOut
  return html`<button class="dish-button" name="do" value="dish:${entry.id}" disabled="${!item}"><span class="name">${entry.title}</span>
<span class="small quiet">${entry.number !== null && `${entry.number} · `}${why === undefined ? shown : `${w.soldOut}: ${why}`}</span></button>`
}

/** The sizes and options of a dish, its quantity and a note. */
export function sheetCard(view: View, menu: Menu, { item, index, line }: Sheet, problem: TillPage['problem']): Html {
  const w = words[view.language]
  const { exponent, currency } = menu.location
  const money = (minor: number) => view.formats.money(minor, exponent, currency)
  const chosen = new Map(line.modifiers.map(({ id, qty }) => [id, qty]))
  return html`<section class="card stack sheet"><h2>${item.title}</h2>
<input type="hidden" name="sheet" value="${item.id}${index === undefined ? '' : `:${index}`}">
${problem !== undefined && problemNote(view, problem, [item.title])}
${
  item.variations.length > 0 &&
  html`<fieldset class="field"><legend>${w.size}</legend><div class="options">${item.variations.map(
    size =>
      html`<label class="choice"><input type="radio" name="size" value="${size.id}" checked="${size.id === line.variationId}" autofocus="${size.id === line.variationId}"> <span>${size.title}</span> <span class="num">${money(size.price)}</span></label>`,
  )}</div></fieldset>`
}
${item.groups.map(group => groupField(view, group, chosen, optionPrice(money, line)))}
<div class="fields two">
<div class="field"><label for="quantity">${w.quantity}</label><input id="quantity" name="quantity" inputmode="decimal" maxlength="7" autocomplete="off" value="${priceText(line.qtyMilli, line.qtyMilli % 1000 === 0 ? 0 : 3, view.language)}"></div>
<div class="field"><label for="note">${w.lineNote}</label><input id="note" name="note" maxlength="${LONGEST_NOTES}" autocomplete="off" value="${line.notes}"></div>
</div>
<div class="actions"><button class="button primary" name="do" value="put">${index === undefined ? w.put : w.change}</button><button class="button" name="do" value="back">${w.back}</button></div>
</section>`
}

/** What an option costs with the chosen size. */
function optionPrice(money: (minor: number) => string, { variationId }: DraftLine) {
  return (modifier: Modifier) => {
    const price = (variationId && modifier.variationPrices.get(variationId)) ?? modifier.price
    return price === 0 ? '' : `+ ${money(price)}`
  }
}

function groupField(
  view: View,
  group: ModifierGroup,
  chosen: Map<number, number>,
  priceOf: (modifier: Modifier) => string,
): Html {
  const w = words[view.language]
  const { minSelect, maxSelect, freeQuantity, selectionType, modifiers } = group
  const isSingle = selectionType === 'single'
  const rules = isSingle
    ? [minSelect > 0 && w.required]
    : [minSelect > 0 && w.atLeast(minSelect), maxSelect > 0 && w.upTo(maxSelect)]
  const hints = [...rules, freeQuantity > 0 && w.free(freeQuantity)].filter(Boolean).join(', ')
  const isNone = !modifiers.some(({ id }) => chosen.has(id))
  return html`<fieldset class="field"><legend>${group.title} <span class="small quiet">${hints}</span></legend><div class="options">
${isSingle && minSelect === 0 && html`<label class="choice"><input type="radio" name="one-${group.id}" value="" checked="${isNone}"> ${w.none}</label>`}
${modifiers.map(modifier => {
  const { id, title, maxQuantity } = modifier
  const price = html`<span class="num">${priceOf(modifier)}</span>`
  if (isSingle)
    return html`<label class="choice"><input type="radio" name="one-${group.id}" value="${id}" checked="${chosen.has(id)}"> <span>${title}</span> ${price}</label>`
  if (maxQuantity === 1 || maxSelect === 1)
    return html`<label class="choice"><input type="checkbox" name="some-${id}" value="1" checked="${chosen.has(id)}"> <span>${title}</span> ${price}</label>`
  return html`<label class="choice"><input class="count-field" type="number" name="some-${id}" min="0" max="${maxQuantity ?? 99}" value="${chosen.get(id) ?? 0}"> <span>${title}</span> ${price}</label>`
})}
</div></fieldset>`
}

/** Why the last press did not do what it should. `names` are those of the dishes of the lines. */
export function problemNote(view: View, problem: NonNullable<TillPage['problem']>, names: string[]): Html {
  return html`<p class="note bad" role="alert">${problemText(view, problem, names)}</p>`
}

function problemText({ language }: View, problem: NonNullable<TillPage['problem']>, names: string[]): string {
  const w = words[language]
  if (problem === 'not a time') return w.notTime
  if (problem.refused === 'attempt used') return w.alreadyPlaced
  if (problem.refused === 'unknown table') return w.noSuchTable
  if (problem.refused !== 'faults') return refusalText(problem, language)
  const sentences = problem.faults.map(fault => {
    const name = names[Number(/^\/(?:items|add)\/(\d+)/.exec(fault.pointer ?? '')?.[1])]
    const text = refusalText({ refused: 'faults', faults: [{ ...fault, pointer: null }] }, language)
    return name ? `${name}: ${text}` : text
  })
  return sentences.join('\n')
}

/** The names of the dishes of lines, also of dishes that cannot be ordered now. */
export function dishNames(app: App, menu: Menu, lines: DraftLine[]): string[] {
  const dishes = menuAt(app, menu.location.id)?.categories.flatMap(category => category.dishes) ?? []
  const titles = new Map<number, string>(dishes.map(({ entry }) => [entry.id, entry.title]))
  return lines.map(({ itemId }) => titles.get(itemId) ?? '')
}

/** The order so far, who it is for, what it costs, and its last button. */
function orderCard(app: App, view: View, menu: Menu, till: TillPage, total: number | undefined): Html {
  const w = words[view.language]
  const { cart, sheet, problem, price } = till
  const { exponent, currency } = menu.location
  if (cart.lines.length === 0 && !sheet) {
    return html`<section class="card stack"><h2>${w.order}</h2><p class="quiet">${w.empty}</p></section>${kept(cart.texts)}`
  }
  const names = dishNames(app, menu, cart.lines)
  const hasCourses = app.store.catalogue.current().kitchen(menu.location.id) !== undefined
  // The order says why it cannot be placed, unless the last press already does.
  const wrong = sheet ? undefined : (problem ?? (price === 'not a time' || isRefused(price) ? price : undefined))
  const priced = price === undefined || price === 'not a time' || isRefused(price) ? undefined : price.priced
  const sums = price !== undefined && price !== 'not a time' && !isRefused(price) && totals(view, menu, price)
  return html`<section class="card stack"><div class="head"><h2>${w.order}</h2><button class="button plain" name="do" value="clear">${w.clear}</button></div>
${wrong !== undefined && problemNote(view, wrong, names)}
<ul class="cart-lines">${cart.lines.map((line, index) => cartLine(view, menu, line, { index, name: names[index], lineTotal: priced?.lines[index]?.lineTotal, hasCourses }))}</ul>
${hasCourses && cart.lines.some(({ isLater }) => isLater) && html`<p class="small quiet">${w.laterHelp}</p>`}
${sums}
${detailFields(view, menu, cart)}
<div class="actions last"><button class="button" name="do" value="enter">${w.update}</button>
${!sheet && html`<button class="button primary" name="do" value="place" disabled="${cart.lines.length === 0}">${total === undefined ? w.placeUnpriced : w.place(view.formats.money(total, exponent, currency))}</button>`}</div>
</section>`
}

/** The details of an order that has no lines yet. */
function kept(texts: Texts): Html[] {
  return Object.entries(texts).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}

/** How a line of an order is shown. */
interface LinePlace {
  index: number
  /** The name of its dish, which may be sold out. */
  name: string | undefined
  lineTotal: number | undefined
  /** Whether it can be kept for a later course. */
  hasCourses?: boolean
}

/** One line of an order. */
export function cartLine(
  view: View,
  menu: Menu,
  line: CartLine,
  { index, name: dish, lineTotal, hasCourses = false }: LinePlace,
): Html {
  const w = words[view.language]
  const item = menu.items.get(line.itemId)
  const size = item?.variations.find(({ id }) => id === line.variationId)
  const name = item ? (size ? `${item.title} (${size.title})` : item.title) : `${dish} (${w.soldOut})`
  const options = line.modifiers.map(({ id, qty }) => {
    const title = item?.options.get(id)?.modifier.title ?? w.soldOut
    return qty === 1 ? title : `${qty}\u00a0×\u00a0${title}`
  })
  const { exponent, currency } = menu.location
  return html`<li><div class="what"><strong>${name}</strong>
${options.length > 0 && html`<small class="quiet">${options.join(', ')}</small>`}${line.notes !== null && html`<small class="remark">${quoted(line.notes, view.language)}</small>`}</div>
<span class="num">${lineTotal !== undefined && view.formats.money(lineTotal, exponent, currency)}</span>
<div class="actions"><button name="do" value="less:${index}" aria-label="${w.less(name)}">−</button><span class="num">${view.formats.number(line.qtyMilli / 1000)}</span><button name="do" value="more:${index}" aria-label="${w.more(name)}">+</button>
<button class="plain" name="do" value="change:${index}" aria-label="${w.changeLine(name)}" disabled="${!item}">${w.change}</button>
${hasCourses && html`<button name="do" value="later:${index}" aria-label="${w.laterLine(name)}" aria-pressed="${line.isLater ? 'true' : 'false'}">${w.later}</button>`}</div></li>`
}

function totals(view: View, menu: Menu, { priced, discount }: Preview): Html {
  const { location } = menu
  return totalTable(view, {
    ...priced,
    lines: [],
    status: 'placed',
    exponent: location.exponent,
    currency: location.currency,
    serviceChargePpm: location.serviceChargePpm,
    pricesIncludeTax: location.pricesIncludeTax,
    manualDiscount: discount,
  })
}

function detailFields(view: View, menu: Menu, { texts }: Cart): Html {
  const w = words[view.language]
  const { location } = menu
  const input = (name: keyof Texts, label: string, most: number, kind: 'text' | 'tel' = 'text') =>
    html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="${kind}" maxlength="${most}" autocomplete="off" value="${texts[name]}"></div>`
  const option = (name: keyof Texts, value: string, label: string) =>
    html`<option value="${value}" selected="${texts[name] === value}">${label}</option>`
  const tick = (name: keyof Texts, label: string) =>
    html`<label class="choice"><input type="checkbox" name="${name}" checked="${texts[name] === 'on'}"> ${label}</label>`
  const hasGuest = [texts.name, texts.phone, texts.notes, texts.at, texts.phoned].some(text => text !== '')
  const isDelivery = texts.mode === 'delivery'
  return html`<div class="fields two">
<div class="field"><label for="mode">${w.mode}</label><select id="mode" name="mode" data-refresh="">${option('mode', '', w.noMode)}${location.serviceModes.filter(mode => mode !== 'qr').map(mode => option('mode', mode, modeText(mode, view.language)))}</select></div>
${location.tables.length > 0 && html`<div class="field"><label for="table">${w.table}</label><select id="table" name="table">${option('table', '', w.noTable)}${location.tables.map(({ id, title }) => option('table', String(id), title))}</select></div>`}
</div>
<details open="${hasGuest || isDelivery}"><summary>${w.guest}</summary><div class="fields two">
${input('name', w.name, LONGEST_CUSTOMER_FIELD)}
${input('phone', w.phone, LONGEST_CUSTOMER_FIELD, 'tel')}
${input('notes', w.notes, LONGEST_NOTES)}
<div class="field"><label for="at">${w.at}</label><input id="at" name="at" maxlength="40" autocomplete="off" value="${texts.at}" aria-describedby="at-help"><p class="help" id="at-help">${w.atHelp}</p></div>
${location.serviceModes.includes('delivery') && html`${input('address', w.address, 255)}${input('postcode', w.postcode, 20)}`}
</div>${tick('phoned', w.phoned)}${tick('insist', w.insist)}</details>
${discountFields(view, texts)}`
}

/** A discount by staff: how much of what, and why. */
export function discountFields(view: View, texts: Pick<Texts, 'discount' | 'value' | 'reason'>): Html {
  const w = words[view.language]
  const option = (value: string, label: string) =>
    html`<option value="${value}" selected="${texts.discount === value}">${label}</option>`
  return html`<details open="${texts.discount !== ''}"><summary>${w.discount}</summary><div class="fields two">
<div class="field"><label for="discount">${w.discount}</label><select id="discount" name="discount" data-refresh="">${option('', w.discountOff)}${option('percent', w.percent)}${option('amount', w.amount)}</select></div>
<div class="field"><label for="value">${w.value}</label><input id="value" name="value" inputmode="decimal" maxlength="12" autocomplete="off" value="${texts.value}"></div>
<div class="field"><label for="reason">${w.reason}</label><input id="reason" name="reason" maxlength="${LONGEST_REMARK}" autocomplete="off" value="${texts.reason}"></div></div></details>`
}
