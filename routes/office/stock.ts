import { randomUUID } from 'node:crypto'
import { orderNumber } from '../../display/order.ts'
import { refusalText } from '../../display/refusal.ts'
import type { ShelfAct, ShelfItem, ShelfMovement } from '../../store/stock/inventory.ts'
import { MICRO } from '../../store/stock/recipes.ts'
import { parseDecimal } from '../../store/terms/decimal.ts'
import type { StockId } from '../../store/terms/ids.ts'
import { isRefused, type Refusal } from '../../store/terms/refusal.ts'
import { type Html, html } from '../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../http/handler.ts'
import { queryOf } from '../http/head.ts'
import { type Reply, refuse } from '../http/reply.ts'
import { readForm } from '../page/form.ts'
import { page } from '../page/page.ts'
import { type View, viewOf } from '../page/view.ts'
import { locationOf } from './menu/menu-state.ts'
import { words } from './words/stock.ts'

/** GET {basePath}/office/stock: the count sheet of a location, what is low, and what it takes off the menu. */
export const readStock: Handler<PersonCaller> = (app, call) => {
  const query = queryOf(call.exchange.request)
  return stockPage(app, call, query, { saved: Number(query.get('saved')) })
}

/** POST {basePath}/office/stock: counts one item, adds a delivery to it, or takes out what was thrown away. The same form sent twice is booked once. */
export const changeStock: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['stock', 'act', 'was', 'attempt', 'quantity', 'reason'] })
  if (!read.ok) return read.reply
  const { text, choice } = read.form
  const id = Number(text('stock')) as StockId
  const act = choice('act', ['set', 'add', 'waste'])
  if (!act) return refuse('BAD_REQUEST')
  const item = app.store.shelf.list().find(each => each.id === id)
  const query = new URLSearchParams({ location: String(item?.locationId ?? '') })
  const input = { id, act, quantity: text('quantity'), reason: text('reason'), was: Number(text('was')) }

  const milli = parseDecimal(input.quantity.trim().replace(',', '.'), 3)
  if (milli === undefined) return stockPage(app, call, query, { input })
  if (act === 'waste' && input.reason.trim() === '') return stockPage(app, call, query, { input })
  const was = act === 'set' && Number.isSafeInteger(input.was) && text('was') !== '' ? input.was : null
  const note = act === 'waste' ? input.reason.trim() : null
  const clientRef = act !== 'set' && text('attempt') !== '' ? text('attempt') : undefined
  const refusal = await app.writer.act(call.caller.actor, 'changeStock', id, act, milli * 1000, note, was, clientRef)
  if (isRefused(refusal)) {
    app.store.refresh()
    return stockPage(app, call, query, { input, refusal })
  }
  return { kind: 'redirect', to: app.link('/office/stock', { location: item?.locationId, saved: id }, `stock-${id}`) }
}

interface Input {
  id: StockId
  act: ShelfAct
  quantity: string
  reason: string
  was: number
}

interface Shown {
  /** The row that was just saved. */
  saved?: number
  /** What could not be saved, and why; without a refusal, it cannot be read. */
  input?: Input
  refusal?: Refusal
}

function stockPage(app: App, call: Call<PersonCaller>, query: URLSearchParams, shown: Shown): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const location = locationOf(app, query)
  const items = app.store.shelf.list().filter(item => item.locationId === location?.id)
  const status = shown.refusal?.refused === 'stock moved' ? 409 : shown.input ? 422 : 200
  const aside = html`<a class="button" href="${view.link('/office/stock/movements', { location: location?.id })}">${w.movements}</a>`
  return page(view, {
    title: w.title,
    room: 'stock',
    status,
    aside,
    body: html`${placeChips(app, view, location?.id)}
${items.length === 0 ? html`<p class="card empty">${w.none}</p>` : html`<div id="attention" class="stack tight">${attention(view, items)}</div>${sheet(app, view, items, shown)}`}`,
  })
}

function placeChips(app: App, view: View, shown: number | undefined): Html | undefined {
  const { locations } = app.store.restaurant()
  const kept = new Set<number>(app.store.shelf.list().map(({ locationId }) => locationId))
  const places = locations.filter(({ id }) => kept.has(id) || id === shown)
  if (places.length < 2) return undefined
  return html`<nav class="chips" aria-label="${words[view.language].places}">${places.map(
    ({ id, title }) =>
      html`<a class="chip" href="${view.link('/office/stock', { location: id })}" aria-current="${id === shown && 'true'}">${title}</a>`,
  )}</nav>`
}

/** What is low, and what that takes off the menu. */
function attention(view: View, items: ShelfItem[]): Html {
  const w = words[view.language]
  const low = items.filter(({ isLow, onHand }) => isLow || onHand < 0)
  const blocked = [...new Set(items.flatMap(({ blocks }) => blocks))]
  const shown = low.map(item => `${item.title} (${amountText(view, item.onHand, item.unit)})`)
  return html`${low.length > 0 && html`<p class="note">${w.low(low.length, view.formats.list(shown))}</p>`}
${blocked.length > 0 && html`<p class="note bad">${w.blocked(view.formats.list(blocked))}</p>`}`
}

function sheet(app: App, view: View, items: ShelfItem[], shown: Shown): Html {
  const w = words[view.language]
  return html`<section class="card list stock-sheet">
<div class="head"><h2>${w.sheet}</h2><p class="quiet small">${w.sheetHelp}</p></div>
<ul>${items.map(item => row(app, view, item, shown))}</ul>
</section>`
}

function row(app: App, view: View, item: ShelfItem, { saved, input, refusal }: Shown): Html {
  const w = words[view.language]
  const { id, title, unit, onHand, isLow, blocks } = item
  const own = input?.id === id ? input : undefined
  const why = own && problemText(app, view, item, own, refusal)
  const wrong = (act: ShelfAct) => own?.act === act && html`<p class="wrong" id="wrong-${id}" role="alert">${why}</p>`
  const typed = (act: ShelfAct) => (own?.act === act ? own.quantity : '')
  const invalid = (act: ShelfAct) => own?.act === act && 'true'
  const described = (act: ShelfAct) => own?.act === act && `wrong-${id}`
  const hidden = (act: ShelfAct) =>
    html`<input type="hidden" name="stock" value="${id}"><input type="hidden" name="act" value="${act}">${act !== 'set' && html`<input type="hidden" name="attempt" value="${randomUUID()}">`}`
  return html`<li id="stock-${id}" class="stock-row">
<div><h3><a href="${view.link('/office/stock/movements', { stock: id })}">${title}</a></h3>
${onHand < 0 ? html`<span class="state bad">${w.isWrong}</span>` : isLow && html`<span class="state wait">${w.isLow}</span>`}
${saved === id && html`<span class="state done" role="status">${w.saved}</span>`}
${blocks.length > 0 && html`<p class="quiet small">${w.blocked(view.formats.list(blocks))}</p>`}</div>
<div class="num"><span class="sr">${w.onHand}</span> ${amountText(view, onHand, unit)}</div>
<form method="post" action="${view.link('/office/stock')}" data-row="stock-${id} attention" class="field">
${hidden('set')}<input type="hidden" name="was" value="${onHand}">
<div class="together"><input name="quantity" aria-label="${w.counted(title)}" inputmode="decimal" autocomplete="off" value="${typed('set')}" aria-invalid="${invalid('set')}" aria-describedby="${described('set')}">
<button>${w.save}</button></div>${wrong('set')}</form>
<details open="${own !== undefined && own.act !== 'set'}"><summary>${w.more}</summary>
<div class="columns">
<form method="post" action="${view.link('/office/stock')}" data-row="stock-${id} attention" class="field">${hidden('add')}
<label for="add-${id}">${w.delivered} (${unit})</label>
<div class="together"><input id="add-${id}" name="quantity" inputmode="decimal" autocomplete="off" value="${typed('add')}" aria-invalid="${invalid('add')}" aria-describedby="${described('add')}"><button>${w.add}</button></div>${wrong('add')}</form>
<form method="post" action="${view.link('/office/stock')}" data-row="stock-${id} attention" class="field">${hidden('waste')}
<label for="waste-${id}">${w.wasted} (${unit})</label>
<input id="waste-${id}" name="quantity" inputmode="decimal" autocomplete="off" value="${typed('waste')}" aria-invalid="${invalid('waste')}" aria-describedby="${described('waste')}">
<label for="reason-${id}">${w.reason}</label>
<div class="together"><input id="reason-${id}" name="reason" maxlength="200" placeholder="${w.reasonHint}" value="${own?.reason ?? ''}"><button>${w.takeOut}</button></div>${wrong('waste')}</form>
</div></details>
</li>`
}

function problemText(app: App, view: View, item: ShelfItem, input: Input, refusal: Refusal | undefined): string {
  const w = words[view.language]
  if (!refusal) return input.act === 'waste' && input.reason.trim() === '' ? w.reasonMissing : w.wrongQuantity
  switch (refusal.refused) {
    case 'stock moved': {
      const what = recentMovements(app, item.id, refusal.onHand - refusal.was)
      const listed = what.map(movement => movementText(view, movement)).join('; ')
      const sentence = w.moved(
        amountText(view, refusal.was, refusal.unit),
        amountText(view, refusal.onHand, refusal.unit),
      )
      return listed === '' ? sentence : `${listed}. ${sentence}`
    }
    case 'more than on hand':
      return w.moreThanThere(amountText(view, refusal.onHand, refusal.unit))
    case 'reference used':
      return w.alreadyBooked
    case 'invalid quantity':
      return w.wrongQuantity
    default:
      return refusalText(refusal, view.language)
  }
}

/** The newest movements of an item that together explain a difference. */
function recentMovements({ store, clock }: App, id: StockId, difference: number): ShelfMovement[] {
  const explained: ShelfMovement[] = []
  let sum = 0
  for (const movement of store.shelf.movements(clock.now() - WEEK, id, 20)) {
    explained.push(movement)
    sum += movement.qty
    if (sum === difference) return explained.reverse()
  }
  return []
}

/** "20:14 sold: −2 kg" */
function movementText(view: View, movement: ShelfMovement): string {
  const { at, actor, qty, unit } = movement
  const by = actor === null ? '' : ` (${actor})`
  return `${view.formats.time(at)} ${kindText(view, movement)}: ${signed(view, qty, unit)}${by}`
}

function kindText(view: View, { kind }: ShelfMovement): string {
  const w = words[view.language]
  return { set: w.kindSet, add: w.kindAdd, waste: w.kindWaste, sold: w.kindSold, returned: w.kindReturned }[kind]
}

const WEEK = 7 * 86_400_000
const MOST_MOVEMENTS = 200

/** GET {basePath}/office/stock/movements: what has changed in the last week, of one item or of all of a location. */
export const readMovements: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const query = queryOf(call.exchange.request)
  const items = app.store.shelf.list()
  const item = items.find(({ id }) => id === Number(query.get('stock')))
  const location = item?.locationId ?? locationOf(app, query)?.id
  const kept = new Set(items.filter(({ locationId }) => locationId === location).map(({ id }) => id))
  const newest = app.store.shelf.movements(app.clock.now() - WEEK, item?.id ?? null, MOST_MOVEMENTS)
  const movements = newest.filter(({ stockId }) => kept.has(stockId))
  return page(view, {
    title: item ? `${w.movements}: ${item.title}` : w.movements,
    room: 'stock',
    aside: html`<a class="button" href="${view.link('/office/stock', { location })}">${w.back}</a>`,
    body: html`<p class="quiet">${w.lastWeek}. ${newest.length === MOST_MOVEMENTS && w.newest(MOST_MOVEMENTS)}</p>
${
  movements.length === 0
    ? html`<p class="card empty">${w.noMovements}</p>`
    : html`<section class="card list"><table class="cards">
<thead><tr><th>${w.item}</th><th>${w.what}</th><th>${w.who}</th><th>${w.time}</th><th class="num">${w.quantity}</th></tr></thead>
<tbody>${movements.map(movement => movementRow(view, movement))}</tbody></table></section>`
}`,
  })
}

function movementRow(view: View, movement: ShelfMovement): Html {
  const { title, unit, qty, note, actor, at } = movement
  const who = actor ?? (movement.orderNumber === null ? '' : orderNumber(movement.orderNumber))
  return html`<tr><td>${title}</td><td>${kindText(view, movement)}${note !== null && html`<small>${note}</small>`}</td>
<td>${who}</td><td>${view.formats.dateTime(at)}</td><td class="num">${signed(view, qty, unit)}</td></tr>`
}

/** Millionths of a unit: "2.5 kg". */
function amountText({ formats }: View, micro: number, unit: string): string {
  return `${formats.number(micro / MICRO)} ${unit}`
}

function signed(view: View, micro: number, unit: string): string {
  return micro < 0 ? `−${amountText(view, -micro, unit)}` : `+${amountText(view, micro, unit)}`
}
