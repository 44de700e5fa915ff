import { quoted } from '../../../display/language.ts'
import { orderNumber } from '../../../display/order.ts'
import { priceText } from '../../../display/price.ts'
import type { Menu } from '../../../store/catalogue/catalogue.ts'
import { LONGEST_CUSTOMER_FIELD, LONGEST_NOTES } from '../../../store/ordering/draft.ts'
import { type Edit, parseEdit } from '../../../store/ordering/edit-draft.ts'
import type { Order, OrderLine } from '../../../store/ordering/order.ts'
import { isRefused, type Refusal } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { totalTable } from '../order-total.ts'
import { type Pressed, pressed } from '../till/till.ts'
import {
  type Cart,
  cartOf,
  defaultLine,
  emptyCart,
  hasKnownChoices,
  linesJson,
  type Texts,
  tillFields,
} from '../till/till-cart.ts'
import {
  cartLine,
  discountFields,
  dishNames,
  dishSections,
  findField,
  problemNote,
  sheetCard,
} from '../till/till-page.ts'
import { words } from '../words/edit-order.ts'
import { changesSince, isOpen, orderOf } from './order.ts'

const fields = {
  once: [...tillFields.once, 'seen', 'email', 'replaces'],
  repeated: ['remove'],
  prefixes: tillFields.prefixes,
} as const

/** What the page shows: the lines to add are a cart, whose texts are the order's details. */
interface Shown extends Pressed {
  order: Order
  seen: number
  email: string
  remove: string[]
  /** The line that the dish on the sheet replaces, once it is finished. */
  replaces?: string
  /** The total was not the one that the person had seen. */
  isNewTotal?: boolean
  /** What others have changed since this last act is shown. */
  changedSince?: number
}

/** GET {basePath}/office/orders/:orderId/edit: what can be changed about an order. */
export const readEdit: Handler<PersonCaller> = (app, call) => {
  const order = orderOf(app, call)
  if (!order) return refuse('NOT_FOUND')
  const { view, menu } = placeOf(app, call, order)
  if (!isOpen(order) || !menu) return { kind: 'redirect', to: app.link(`/office/orders/${order.id}`) }
  const cart = { ...emptyCart(), texts: textsOf(view, order) }
  const shown = { order, cart, seen: app.store.lastAct(order.id), email: order.customer.email ?? '', remove: [] }
  return editPage(app, view, menu, shown)
}

/**
 * POST {basePath}/office/orders/:orderId/edit: one press of a button. All but `save` only change the form and show what the order would
 * cost; `save` is refused if the order has changed since the form was made, or if the new total is not the one that was shown.
 */
export const editOrder: Handler<PersonCaller> = async (app, call) => {
  const order = orderOf(app, call)
  if (!order) return refuse('NOT_FOUND')
  const { view, menu } = placeOf(app, call, order)
  const read = await readForm(call, fields)
  if (!read.ok) return read.reply
  if (!menu) return { kind: 'redirect', to: app.link(`/office/orders/${order.id}`) }
  const { form } = read
  if (!hasKnownChoices(form)) return refuse('BAD_REQUEST')
  const kept = { order, seen: Number(form.text('seen')), email: form.text('email'), remove: form.all('remove') }
  const cart = cartOf(form)
  const [act = '', lineId = ''] = form.text('do').split(':')
  if (act === 'save') return save(app, call, view, menu, { ...kept, cart }, form.text('shown'))
  const line = act === 'replace' ? order.lines.find(({ id }) => String(id) === lineId) : undefined
  if (line) return editPage(app, view, menu, { ...kept, ...replacing(menu, cart, line), replaces: lineId })
  const after = pressed(view, menu, cart, form)
  const replaces = form.text('replaces')
  if (replaces === '' || act === 'back') return editPage(app, view, menu, { ...kept, ...after })
  if (after.sheet) return editPage(app, view, menu, { ...kept, ...after, replaces })
  return editPage(app, view, menu, { ...kept, ...after, remove: [...kept.remove, replaces] })
}

function placeOf(app: App, call: Call<PersonCaller>, { locationId }: Order) {
  return { view: viewOf(app, call), menu: app.store.catalogue.current().menu(locationId) }
}

/** Shows a line of the order as the sheet of its dish; it is added as a new line, and the old one is removed. */
function replacing(menu: Menu, cart: Cart, line: OrderLine): Pressed {
  const item = menu.items.get(line.itemId)
  if (!item) return { cart }
  const { variationId, qtyMilli, notes } = line
  const modifiers = line.modifiers.filter(({ id }) => item.options.has(id)).map(({ id, qty }) => ({ id, qty }))
  return {
    cart,
    sheet: { item, index: undefined, line: { ...defaultLine(item), variationId, qtyMilli, notes, modifiers } },
  }
}

function textsOf({ language }: View, { customer, notes, manualDiscount, exponent }: Order): Texts {
  const scale = 10 ** (3 - exponent)
  const discount = manualDiscount && {
    reason: manualDiscount.reason,
    ...('amount' in manualDiscount
      ? { discount: 'amount', value: priceText(manualDiscount.amount * scale, exponent, language) }
      : { discount: 'percent', value: String(manualDiscount.percentPpm / 10_000) }),
  }
  return {
    ...emptyCart().texts,
    name: customer.name ?? '',
    phone: customer.phone ?? '',
    notes: notes ?? '',
    ...discount,
  }
}

/** The edit that a form describes, or what is wrong with it. */
function wantedOf({ cart, email, remove }: Shown): Edit | Refusal<'does not fit'> {
  const { name, phone, notes, discount, value, reason } = cart.texts
  const text = (typed: string) => (typed.trim() === '' ? null : typed.trim())
  const figure = Number(value.trim().replace(',', '.') || Number.NaN)
  const amount = Number.isFinite(figure) ? figure : null
  const { edit, problems } = parseEdit(
    JSON.stringify({
      remove: remove.map(Number),
      add: linesJson(cart.lines),
      notes: text(notes),
      customer: { name: text(name), phone: text(phone), email: text(email) },
      discount:
        discount === '' ? null : { reason: reason.trim(), [discount === 'percent' ? 'percent' : 'amount']: amount },
    }),
  )
  return problems.length > 0 ? { refused: 'does not fit', problems } : edit
}

async function save(
  app: App,
  call: Call<PersonCaller>,
  view: View,
  menu: Menu,
  shown: Shown,
  total: string,
): Promise<Reply> {
  const { order, seen } = shown
  const wanted = wantedOf(shown)
  if (isRefused(wanted)) return editPage(app, view, menu, { ...shown, problem: wanted })
  const preview = app.store.previewEdit(order.id, wanted)
  if (!isRefused(preview) && String(preview.order.grandTotal) !== total)
    return editPage(app, view, menu, { ...shown, isNewTotal: true })
  const edited = await app.writer.act(
    call.caller.actor,
    'edit',
    order.id,
    wanted,
    Number.isSafeInteger(seen) ? seen : -1,
  )
  if (!isRefused(edited)) {
    return { kind: 'redirect', to: app.link(`/office/orders/${order.id}`, { done: edited.changed ? 'edit' : null }) }
  }
  const now = app.store.orderBook.byId(order.id) ?? order
  const later = edited.refused === 'order changed' ? { changedSince: seen, seen: app.store.lastAct(order.id) } : {}
  return editPage(app, view, menu, { ...shown, order: now, problem: edited, ...later })
}

function editPage(app: App, view: View, menu: Menu, shown: Shown): Reply {
  const w = words[view.language]
  const { order, cart, sheet, problem, find, changedSince } = shown
  const { store } = app
  const here = `/office/orders/${order.id}/edit`
  const isWrong = problem !== undefined || find !== undefined || shown.isNewTotal === true
  const entries = store.payments.entries(order.id)
  return page(view, {
    title: w.title(orderNumber(order.number)),
    room: 'orders',
    status: changedSince !== undefined ? 409 : isWrong ? 422 : 200,
    aside: html`<a class="button" href="${view.link(`/office/orders/${order.id}`)}">${w.back}</a>`,
    body: html`<form method="post" action="${view.link(here)}" id="edit" class="till" data-inplace="">
<button class="sr" name="do" value="enter" tabindex="-1" aria-hidden="true"></button>
<input type="hidden" name="lines" value="${JSON.stringify(linesJson(cart.lines))}">
<input type="hidden" name="seen" value="${shown.seen}">
${changedSince !== undefined && changesSince({ store, view, order, entries }, changedSince)}
<div class="stack">${
      sheet
        ? sheetCard(view, menu, sheet, problem)
        : html`${lines(view, menu, shown)}
<section class="card stack">${findField(view, find)}<details><summary>${w.addDishes}</summary><div class="stack">${dishSections(app, view, menu, element => view.link(here, {}, element))}</div></details></section>`
    }${sheet && shown.remove.map(id => html`<input type="hidden" name="remove" value="${id}">`)}
${sheet && html`<input type="hidden" name="replaces" value="${shown.replaces}">`}</div>
<div class="stack" id="order">${summary(app, view, menu, shown)}</div>
</form>`,
  })
}

function lines(view: View, menu: Menu, { order, remove }: Shown): Html {
  const w = words[view.language]
  const row = (line: OrderLine) => {
    const options = line.modifiers.map(({ title, qty }) => (qty === 1 ? title : `${qty}\u00a0×\u00a0${title}`))
    return html`<li><div class="what"><strong>${view.formats.number(line.qtyMilli / 1000)}\u00a0×\u00a0${line.name}</strong>
${options.length > 0 && html`<small class="quiet">${options.join(', ')}</small>`}${line.notes !== null && html`<small class="remark">${quoted(line.notes, view.language)}</small>`}</div>
<span class="num">${view.formats.money(line.lineTotal, order.exponent, order.currency)}</span>
<div class="actions"><label class="choice"><input type="checkbox" name="remove" value="${line.id}" checked="${remove.includes(String(line.id))}" data-refresh="" aria-label="${w.removeLine(line.name)}"> ${w.remove}</label>
<button class="plain" name="do" value="replace:${line.id}" aria-label="${w.replaceLine(line.name)}" disabled="${!menu.items.has(line.itemId)}">${w.replace}</button></div></li>`
  }
  return html`<section class="card stack"><h2>${w.lines}</h2><ul class="cart-lines">${order.lines.map(row)}</ul></section>`
}

/** What is added, who it is for, and what the order would cost. */
function summary(app: App, view: View, menu: Menu, shown: Shown): Html {
  const w = words[view.language]
  const { cart, order, email, sheet, problem } = shown
  const names = dishNames(app, menu, cart.lines)
  const wanted = wantedOf(shown)
  const preview = isRefused(wanted) ? wanted : app.store.previewEdit(order.id, wanted)
  // New lines stand at the end.
  const addedTotals = isRefused(preview) ? [] : preview.order.lines.slice(-cart.lines.length)
  const wrong = sheet ? undefined : (problem ?? (isRefused(preview) ? preview : undefined))
  const input = (name: 'name' | 'phone' | 'email' | 'notes', value: string) =>
    html`<div class="field"><label for="${name}">${w[name]}</label><input id="${name}" name="${name}" maxlength="${name === 'notes' ? LONGEST_NOTES : LONGEST_CUSTOMER_FIELD}" autocomplete="off" value="${value}"></div>`
  return html`<section class="card stack">
${wrong !== undefined && problemNote(view, wrong, names)}
${shown.isNewTotal && !isRefused(preview) && html`<p class="note bad" role="alert">${w.isNewTotal(view.formats.money(preview.order.grandTotal, order.exponent, order.currency))}</p>`}
<input type="hidden" name="shown" value="${isRefused(preview) ? '' : preview.order.grandTotal}">
${cart.lines.length > 0 && html`<h2>${w.added}</h2><ul class="cart-lines">${cart.lines.map((line, index) => cartLine(view, menu, line, { index, name: names[index], lineTotal: addedTotals[index]?.lineTotal }))}</ul>`}
<h2>${w.newTotal}</h2>
${!isRefused(preview) && html`${totalTable(view, { ...preview.order, lines: [] })}<p><strong>${differenceText(view, order, preview)}</strong></p>`}
<details><summary>${w.guest}</summary><div class="fields two">${input('name', cart.texts.name)}${input('phone', cart.texts.phone)}${input('email', email)}${input('notes', cart.texts.notes)}</div></details>
${discountFields(view, cart.texts)}
<div class="actions last"><button class="button" name="do" value="enter">${w.update}</button>
${!sheet && html`<button class="button primary" name="do" value="save">${w.save}</button>`}</div></section>`
}

function differenceText(
  view: View,
  { exponent, currency }: Order,
  { changed, difference }: { changed: boolean; difference: number },
): string {
  const w = words[view.language]
  if (!changed) return w.unchanged
  const amount = view.formats.money(Math.abs(difference), exponent, currency)
  return difference === 0 ? w.sameTotal : difference > 0 ? w.more(amount) : w.less(amount)
}
