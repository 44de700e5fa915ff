import type { Item, Menu } from '../../../store/catalogue/catalogue.ts'
import { priceLine } from '../../../store/ordering/pricing.ts'
import { collectFaults } from '../../../store/terms/faults.ts'
import { isRefused } from '../../../store/terms/refusal.ts'
import { html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/till.ts'
import {
  type Cart,
  cartOf,
  defaultLine,
  emptyCart,
  hasChoices,
  hasKnownChoices,
  orderOfCart,
  type Sheet,
  sheetOf,
  type TillForm,
  tillFields,
  withLine,
} from './till-cart.ts'
import { type TillPage, tillBody } from './till-page.ts'

/** GET {basePath}/office/till: an empty order. */
export const readTill: Handler<PersonCaller> = (app, call) => {
  const menu = menuOf(app, call)
  return menu ? tillPage(app, call, menu, { cart: emptyCart() }) : closed(app, call)
}

/**
 * POST {basePath}/office/till: one press of a button. All but the last only change the order in the form; `place` places it with its
 * attempt id, so that a second press leads to the same order (decision G3).
 */
export const useTill: Handler<PersonCaller> = async (app, call) => {
  const menu = menuOf(app, call)
  if (!menu) return closed(app, call)
  const read = await readForm(call, tillFields)
  if (!read.ok) return read.reply
  const { form } = read
  if (!hasKnownChoices(form)) return refuse('BAD_REQUEST')
  const cart = cartOf(form)
  if (form.text('do') === 'place') return place(app, call, menu, cart)
  return tillPage(app, call, menu, pressed(viewOf(app, call), menu, cart, form))
}

/** The menu of the location in the query, that of the paired till, or the first; undefined if that location is not published. */
function menuOf({ store }: App, { exchange, caller }: Call<PersonCaller>): Menu | undefined {
  const { locations, menu } = store.catalogue.current()
  const wanted = queryOf(exchange.request).get('location') ?? caller.device?.locationId
  const location = wanted === undefined ? locations[0] : locations.find(({ id }) => String(id) === String(wanted))
  return location && menu(location.id)
}

function closed(app: App, call: Call<PersonCaller>): Reply {
  if (queryOf(call.exchange.request).has('location')) return refuse('NOT_FOUND')
  const view = viewOf(app, call)
  const w = words[view.language]
  return page(view, { title: w.title, room: 'till', body: html`<p class="card empty">${w.noLocation}</p>` })
}

export type Pressed = Pick<TillPage, 'cart' | 'sheet' | 'problem' | 'find'>

/** What a press of a button makes of the order. */
export function pressed(view: View, menu: Menu, cart: Cart, form: TillForm): Pressed {
  const [act = '', argument = ''] = form.text('do').split(':')
  const { lines } = cart
  const index = Number(argument)
  const line = lines[index]
  switch (act) {
    case 'dish': {
      const item = [...menu.items.values()].find(({ id }) => String(id) === argument)
      return item ? chosen(cart, item) : { cart }
    }
    case 'more':
      return { cart: line ? { ...cart, lines: lines.with(index, { ...line, qtyMilli: line.qtyMilli + 1000 }) } : cart }
    case 'less': {
      if (!line) return { cart }
      const fewer = { ...line, qtyMilli: line.qtyMilli - 1000 }
      return { cart: { ...cart, lines: fewer.qtyMilli > 0 ? lines.with(index, fewer) : without(lines, index) } }
    }
    case 'later':
      return { cart: line ? { ...cart, lines: lines.with(index, { ...line, isLater: !line.isLater }) } : cart }
    case 'change': {
      const item = line && menu.items.get(line.itemId)
      return item ? { cart, sheet: { item, index, line } } : { cart }
    }
    case 'clear':
      return { cart: emptyCart() }
    case 'back':
      return { cart }
    default: {
      // Enter, wherever the cursor is: what was chosen is added, or the dish that was typed.
      const sheet = sheetOf(form, menu)
      return sheet ? finished(view, menu, cart, sheet) : typed(view, menu, cart, form.text('find').trim())
    }
  }
}

function without<T>(list: T[], index: number): T[] {
  return list.filter((_, at) => at !== index)
}

/** Adds a dish, or first shows what there is to choose. */
function chosen(cart: Cart, item: Item, qtyMilli = 1000): Pressed {
  const line = defaultLine(item, qtyMilli)
  if (hasChoices(item)) return { cart, sheet: { item, index: undefined, line } }
  return { cart: { ...cart, lines: withLine(cart.lines, line) } }
}

/** Puts a dish with its choices into the order, or says what is missing. */
function finished(view: View, menu: Menu, cart: Cart, sheet: Sheet): Pressed {
  const { line, index } = sheet
  const faults = collectFaults()
  const shape = orderOfCart({ ...emptyCart(), lines: [line] }, menu, view.now)
  if (isRefused(shape)) return { cart, sheet, problem: shape }
  priceLine(line, menu, { mode: null, ownPpm: null }, '', faults)
  if (faults.list.length > 0) return { cart, sheet, problem: { refused: 'faults', faults: faults.list } }
  const lines =
    index === undefined
      ? withLine(cart.lines, line)
      : cart.lines.map((old, at) => (at === index ? { ...old, ...line } : old))
  return { cart: { ...cart, lines } }
}

const MOST_NAMED = 8

/** Adds the dish that a person typed, by its number or a part of its name, with a quantity before it: "2 nata". */
function typed(view: View, menu: Menu, cart: Cart, text: string): Pressed {
  const w = words[view.language]
  if (text === '') return { cart }
  const items = [...menu.items.values()]
  const [, quantity, rest = ''] = /^(\d{1,2})\s*[x×*]?\s+(.+)$/i.exec(text) ?? []
  const wanted = (quantity === undefined ? text : rest).toLowerCase()
  const exact = items.filter(({ number, title }) => number?.toLowerCase() === wanted || title.toLowerCase() === wanted)
  const found = exact.length > 0 ? exact : items.filter(({ title }) => title.toLowerCase().includes(wanted))
  const [only] = found
  if (only && found.length === 1) return chosen(cart, only, Number(quantity ?? 1) * 1000)
  const names = found.slice(0, MOST_NAMED).map(({ title }) => title)
  return { cart, find: { text, why: only ? w.severalDishes(view.formats.list(names)) : w.noDish(text) } }
}

/** What an order would cost, or why it cannot be placed; undefined while it is empty. */
function priced({ store }: App, { caller }: Call<PersonCaller>, view: View, menu: Menu, cart: Cart) {
  if (cart.lines.length === 0) return undefined
  const order = orderOfCart({ ...cart, shown: undefined }, menu, view.now)
  if (order === 'not a time' || isRefused(order)) return order
  return store.orders.preview(order.draft, sourceOf(caller), order.details)
}

function sourceOf({ device }: PersonCaller): 'pos' | 'admin' {
  return device?.role === 'till' ? 'pos' : 'admin'
}

function tillPage(app: App, call: Call<PersonCaller>, menu: Menu, shown: Pressed): Reply {
  const view = viewOf(app, call)
  const price = priced(app, call, view, menu, shown.cart)
  const isWrong = shown.problem !== undefined || shown.find !== undefined
  return page(view, {
    title: words[view.language].title,
    room: 'till',
    status: isWrong ? 422 : 200,
    body: tillBody(app, view, menu, { ...shown, price }),
  })
}

async function place(app: App, call: Call<PersonCaller>, menu: Menu, cart: Cart): Promise<Reply> {
  const { caller } = call
  const order = orderOfCart(cart, menu, app.clock.now())
  if (order === 'not a time' || isRefused(order)) return tillPage(app, call, menu, { cart, problem: order })
  const { draft, details } = order
  const placed = await app.writer.place({ draft, source: sourceOf(caller), bucket: null, actor: caller.actor, details })
  if (isRefused(placed)) return tillPage(app, call, menu, { cart, problem: placed })
  return { kind: 'redirect', to: app.link(`/office/orders/${placed.id}`, { done: 'placed' }) }
}
