import type { Item, Modifier, ModifierGroup } from '../../store/catalogue/catalogue.ts'
import type { DraftLine } from '../../store/ordering/draft.ts'
import { priceLine } from '../../store/ordering/pricing.ts'
import { newSecret } from '../../store/people/secret.ts'
import { collectFaults, type Fault, faultTitles } from '../../store/terms/faults.ts'
import { keepSecret, secretOf } from '../access/cookies.ts'
import { type Html, html } from '../html/html.ts'
import type { App, Call, Caller } from '../http/handler.ts'
import { queryOf } from '../http/head.ts'
import { type Reply, refuse } from '../http/reply.ts'
import { readForm } from '../page/form.ts'
import { allergenLines, areOptionsSilent, avoidedBy, warnings } from './allergens.ts'
import { keepCart, keyOf, LONGEST_LINE_NOTE, MOST_OF_A_DISH, readCart, withLine } from './cart.ts'
import {
  type Chosen,
  choiceFields,
  chosenIn,
  fieldsOf,
  firstChoice,
  hasChoices,
  mostOf,
  mostOfOption,
} from './choices.ts'
import { type GuestView, guestPage, guestView, said, textOf } from './guest-page.ts'
import { imageOf, marks, money } from './menu.ts'
import type { GuestHandler, Setting } from './setting.ts'
import { refusalOf } from './times.ts'
import { closureText, stateNote } from './wait.ts'
import { words } from './words/menu.ts'

/**
 * GET {base}/dish/:id: a dish with its choices. Choices in the query are shown with the price that the server calculates for them.
 * `line` in the query is the key of the line of the cart that the guest is changing.
 */
export const readDish: GuestHandler = (app, call, setting) => {
  const item = dishOf(setting, call)
  if (!item) return refuse('NOT_FOUND')
  const query = queryOf(call.exchange.request)
  const line = query.get('line') ?? ''
  const kept = readCart(call.exchange, setting).lines.find(each => each.itemId === item.id && keyOf(each) === line)
  const replaced = kept && line
  if (hasChoices(query)) return dishPage(app, call, setting, item, { ...chosenIn(fieldsOf(query), item), replaced })
  return dishPage(app, call, setting, item, { line: kept ?? firstChoice(item), replaced })
}

/** POST {base}/dish/:id: adds the dish with its choices to the cart, or shows beside each group what is wrong (422). */
export const addDish: GuestHandler = async (app, call, setting) => {
  const item = dishOf(setting, call)
  if (!item) return refuse('NOT_FOUND')
  const read = await readForm(call, choiceFields)
  if (!read.ok) return read.reply
  const chosen = chosenIn(read.form, item)
  const key = read.form.text('line')
  const replaced = key === '' ? undefined : key
  const shown = { ...chosen, replaced, isSent: true }
  const { priced } = priceOf(setting, chosen.line)
  const isWrong = Object.values(chosen.wrong).includes(true)
  if (!priced || isWrong || refusalOf(app, { now: app.clock.now() }, setting))
    return dishPage(app, call, setting, item, shown)

  const cart = readCart(call.exchange, setting)
  const lines = withLine(cart.lines, chosen.line, replaced)
  if (lines.some(({ qtyMilli }) => qtyMilli > MOST_OF_A_DISH * 1000)) {
    return dishPage(app, call, setting, item, { ...shown, wrong: { ...chosen.wrong, quantity: true } })
  }
  const cookie = keepCart(app, call.exchange, setting, { ...cart, lines })
  if (cookie === undefined) return dishPage(app, call, setting, item, { ...shown, isFull: true })
  const { link } = app
  const to =
    replaced === undefined ? link(setting.base, { added: item.id }, `dish-${item.id}`) : link(`${setting.base}/cart`)
  return { kind: 'redirect', to, cookies: [cookie, ...firstSecret(app, call, setting)] }
}

/**
 * The Set-Cookie header that gives a browser its secret, if it has none. It comes with the first dish that is opened, so that all tabs
 * order with the same one, even if two of them add their first dish at the same instant.
 */
function firstSecret(app: App, { exchange }: Call<Caller>, { kind }: Setting): string[] {
  const isNew = kind !== 'kiosk' && secretOf(app, exchange, 'guest') === undefined
  return isNew ? [keepSecret(app, exchange, 'guest', newSecret())] : []
}

function dishOf({ whole, menu }: Setting, { parameters }: Call<Caller>): Item | undefined {
  const found = [...whole.items.values()].find(({ id }) => String(id) === parameters.id)
  return found && (menu.items.get(found.id) ?? found)
}

/** The price of a line as it would be ordered, or what is wrong with it. The mode is left out: only the tax depends on it. */
function priceOf({ menu }: Setting, line: DraftLine) {
  const faults = collectFaults()
  const priced = priceLine(line, menu, { mode: null, ownPpm: null }, '', faults)
  return { priced: faults.list.length === 0 ? priced : undefined, faults: faults.list }
}

interface Shown extends Partial<Chosen> {
  line: DraftLine
  /** The key of the line of the cart that the guest is changing; undefined: they add a new one. */
  replaced: string | undefined
  /** Whether the guest has sent the form, so that the page says what is wrong. */
  isSent?: boolean
  /** Whether the cart had no room for it. */
  isFull?: boolean
}

function dishPage(app: App, call: Call<Caller>, setting: Setting, item: Item, shown: Shown): Reply {
  const view = guestView(app, call, setting)
  const w = words[view.language]
  const { line, isSent = false, isFull = false } = shown
  const { avoided } = avoidedBy(app, call.exchange, setting)
  const isOffered = setting.menu.items.has(item.id)
  const closure = refusalOf(app, view, setting)
  const full = setting.whole.items.get(item.id) ?? item
  const { priced, faults } = priceOf(setting, line)
  const form = isOffered ? choiceForm(view, setting, item, { ...shown, faults: isSent ? faults : [] }) : null
  const isWrong =
    isSent && (!priced || isFull || Object.values(shown.wrong ?? {}).includes(true) || closure !== undefined)
  const body = html`<article class="one-dish" id="one-dish">
${item.image !== null && html`<img class="large" src="${imageOf(view, item.image)}" alt="${textOf(view, item) ?? ''}" width="720" height="405">`}
<h1>${said(view, item)}</h1>
${item.description !== null && html`<p>${said(view, item, 'description')}</p>`}
${warnings(view, full, avoided)}
${marks(view, item)}
${areOptionsSilent(full) && avoided.length === 0 && html`<p class="quiet small">${w.optionsUnknown}</p>`}
${item.calories !== null && html`<p class="quiet small">${w.calories(item.calories)}</p>`}
${isWrong && isOffered && !closure && html`<p class="note bad" role="alert">${isFull ? w.full : w.wrong}</p>`}
${closure && stateNote(app, view, setting)}
${
  form
    ? html`<form method="${closure ? 'get' : 'post'}" action="${view.at(`/dish/${item.id}`)}" class="choices stack" data-price="">${form}
<div class="add"><output class="price num" id="price">${priced ? money(view, setting.location, priced.lineTotal) : w.from(money(view, setting.location, basePrice(item, line)))}</output><button class="plain only-plain" formmethod="get" formnovalidate="">${w.updatePrice}</button>${
        closure
          ? html`<button type="button" class="shut" disabled="">${closureText(view, closure)}</button>`
          : html`<button class="primary">${shown.replaced === undefined ? w.add : w.change}</button>`
      }</div></form>`
    : html`<p class="note" role="status"><b>${w.soldOut}</b></p>`
}
</article>`
  return guestPage(view, setting, {
    title: textOf(view, item) ?? '',
    body,
    status: isWrong ? 422 : 200,
    cookies: firstSecret(app, call, setting),
    back:
      shown.replaced === undefined
        ? { to: view.at('', {}, `dish-${item.id}`), label: w.back }
        : { to: view.at('/cart'), label: words[view.language].backToCart },
  })
}

/** The price of a line without its options, in minor units: of the chosen size, or else of the cheapest one. */
function basePrice({ price, variations }: Item, { variationId, qtyMilli }: DraftLine): number {
  const chosen = variations.find(({ id }) => id === variationId)
  const one = chosen?.price ?? (variations.length > 0 ? Math.min(...variations.map(size => size.price)) : price)
  return one * (qtyMilli / 1000)
}

function choiceForm(
  view: GuestView,
  setting: Setting,
  item: Item,
  { line, wrong, replaced, faults }: Shown & { faults: Fault[] },
): Html {
  const w = words[view.language]
  const { location, whole } = setting
  const full = whole.items.get(item.id) ?? item
  const has = (title: Fault['title'], pointer: RegExp) =>
    faults.some(fault => fault.title === title && pointer.test(fault.pointer ?? ''))
  const sizeWrong = wrong?.size ? w.chooseSize : has(faultTitles.unavailableItem, /variation_id$/) ? w.sizeGone : null
  const isSizeShown = full.variations.length > 0
  const isOptionGone = has(faultTitles.unavailableOption, /./)
  return html`${replaced !== undefined && html`<input type="hidden" name="line" value="${replaced}">`}
${
  isSizeShown &&
  html`<fieldset class="group"><legend>${w.size}</legend>${wrongText(sizeWrong)}
${full.variations.map(size => {
  const offered = item.variations.find(({ id }) => id === size.id)
  return html`<label class="choice"><input type="radio" name="size" value="${size.id}" required="" checked="${offered !== undefined && line.variationId === size.id}" disabled="${!offered}"><span>${said(view, size)}</span><span class="num">${offered ? money(view, location, offered.price) : w.soldOutPart}</span></label>`
})}</fieldset>`
}
${isOptionGone && html`<p class="note bad" role="alert">${w.optionGone}</p>`}
${full.groups.map(group => groupField(view, setting, item, group, line, faults))}
<div class="field"><label for="note">${w.note}</label><input id="note" name="note" value="${line.notes ?? ''}" maxlength="${LONGEST_LINE_NOTE}" autocomplete="off" aria-describedby="note-help" aria-invalid="${wrong?.note && 'true'}">${wrong?.note && html`<p class="wrong">${w.noteWrong(LONGEST_LINE_NOTE)}</p>`}<p class="help" id="note-help">${w.noteHelp}</p></div>
<div class="field short"><label for="quantity">${w.quantity}</label><input id="quantity" name="quantity" type="number" inputmode="numeric" autocomplete="off" min="1" max="${MOST_OF_A_DISH}" required="" value="${line.qtyMilli / 1000}" aria-invalid="${wrong?.quantity && 'true'}">${wrong?.quantity && html`<p class="wrong">${w.quantityWrong(MOST_OF_A_DISH)}</p>`}</div>`
}

function wrongText(text: string | null): Html | null {
  return text === null ? null : html`<p class="wrong" role="alert">${text}</p>`
}

/** A group with all its options; those that are sold out cannot be chosen. */
function groupField(
  view: GuestView,
  setting: Setting,
  item: Item,
  whole: ModifierGroup,
  line: DraftLine,
  faults: Fault[],
): Html {
  const w = words[view.language]
  const group = item.groups.find(({ id }) => id === whole.id)
  const fault = faults.find(each => each.group === whole.id)
  const wrong = fault && (fault.title === faultTitles.missingOption ? w.tooFew : w.tooMany)
  const isSingle = mostOf(whole) === 1
  const isOptional = whole.minSelect === 0
  const chosen = new Map(line.modifiers.map(({ id, qty }) => [id, qty]))
  // That nothing is stated is said once for the whole dish or group, not beside each option.
  const isDishSilent = areOptionsSilent(setting.whole.items.get(item.id) ?? item)
  const isSilent = whole.modifiers.every(({ allergens }) => allergens.length === 0)
  const isNoneChosen = whole.modifiers.every(({ id }) => !chosen.has(id))
  const options = whole.modifiers.map(modifier => {
    const offered = group?.modifiers.find(({ id }) => id === modifier.id)
    const about = html`<span>${said(view, modifier)}${!isSilent && html` <span class="marks">${allergenLines(view, modifier)}</span>`}</span><span class="num">${offered ? priceOfOption(view, setting, modifier, whole, line) : w.soldOutPart}</span>`
    const count = offered ? (chosen.get(modifier.id) ?? 0) : 0
    const most = mostOfOption(modifier, whole)
    if (isSingle)
      return html`<label class="choice"><input type="radio" name="one-${whole.id}" value="${modifier.id}" required="${!isOptional}" checked="${count > 0}" disabled="${!offered}">${about}</label>`
    if (most === 1)
      return html`<label class="choice"><input type="checkbox" name="some-${modifier.id}" value="1" checked="${count > 0}" disabled="${!offered}">${about}</label>`
    return html`<label class="choice"><input class="count-of" type="number" inputmode="numeric" autocomplete="off" name="some-${modifier.id}" min="0" max="${most}" value="${count}" disabled="${!offered}">${about}</label>`
  })
  return html`<fieldset class="group" id="group-${whole.id}"><legend>${said(view, whole)} <span class="quiet small">${ruleOf(view, whole)}</span></legend>${wrongText(wrong ?? null)}
${isSilent && !isDishSilent && html`<p class="quiet small">${w.optionsUnknown}</p>`}
${isSingle && isOptional && html`<label class="choice"><input type="radio" name="one-${whole.id}" value="" checked="${isNoneChosen}"><span>${w.none}</span></label>`}
${options}</fieldset>`
}

/** What a unit of an option adds to the price of one portion in the chosen size, once the included units of its group are used up. */
function priceOfOption(
  view: GuestView,
  { location }: Setting,
  { price, variationPrices }: Modifier,
  group: ModifierGroup,
  line: DraftLine,
): string {
  const own = (line.variationId !== null ? variationPrices.get(line.variationId) : undefined) ?? price
  const { freeQuantity } = group
  const w = words[view.language]
  if (freeQuantity >= mostOf(group)) return w.included
  if (own === 0) return ''
  const extra = `+${money(view, location, own)}`
  return freeQuantity > 0 ? w.thenExtra(extra) : extra
}

/** How many options of a group can be chosen: "Choose 1", "Choose up to 3, the first 2 are included". */
function ruleOf(view: GuestView, group: ModifierGroup): string {
  const w = words[view.language]
  const { minSelect, freeQuantity } = group
  const most = mostOf(group)
  const rule =
    minSelect === 0
      ? most === 1 || most === Number.POSITIVE_INFINITY
        ? w.ifYouLike
        : w.chooseUpTo(most)
      : minSelect === most
        ? w.chooseExactly(minSelect)
        : most === Number.POSITIVE_INFINITY
          ? w.chooseAtLeast(minSelect)
          : w.chooseBetween(minSelect, most)
  return freeQuantity > 0 ? `${rule}, ${w.free(freeQuantity)}` : rule
}
