import { orderNumber } from '../../../display/order.ts'
import { parsePrice } from '../../../display/price.ts'
import { channelText, fulfilmentText, modeText, sourceText, statusText, tableText } from '../../../display/terms.ts'
import type { Search } from '../../../store/ordering/order-book.ts'
import { COUNTED, type ListedOrder, type OrderFilter } from '../../../store/ordering/order-list.ts'
import type { Store } from '../../../store/store.ts'
import { channels } from '../../../store/terms/channels.ts'
import { parseInstant, timeZone } from '../../../store/terms/clock.ts'
import type { LocationId, OrderId } from '../../../store/terms/ids.ts'
import { isRefused } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import type { Reply } from '../../http/reply.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/orders.ts'
import { ordersToConfirm } from './table-bill.ts'

const flags = ['open', 'unpaid', 'late', 'today'] as const
type Flag = (typeof flags)[number]

/** What the address of the list says. */
interface Wanted {
  flags: Set<Flag>
  /** All orders; without it and without flags, the open ones. */
  all: boolean
  channel: string
  location: string
  /** Only orders before this id. */
  before: number | undefined
  /** A search, instead of the list. */
  text: string
  total: string
  at: string
}

const MOST_FOUND = 50

// A client whose response was lost knows roughly when it sent the order.
const AROUND_MS = 5 * 60_000

const path = '/office/orders'

/** GET {basePath}/office/orders: the orders, newest first, by filters or by a search. */
export const readOrders: Handler<PersonCaller> = (app, call) => {
  const query = queryOf(call.exchange.request)
  const one = (name: string) => (query.get(name) ?? '').trim().slice(0, 200)
  const before = Number(one('before'))
  const wanted: Wanted = {
    flags: new Set(flags.filter(flag => one(flag) === '1')),
    all: one('all') === '1',
    channel: channels.find(known => known === one('channel')) ?? '',
    location: /^\d{1,15}$/.test(one('location')) ? one('location') : '',
    before: Number.isSafeInteger(before) && before > 0 ? before : undefined,
    text: one('q'),
    total: one('total'),
    at: one('at'),
  }
  const isSearch = wanted.text !== '' || wanted.total !== '' || wanted.at !== ''
  return isSearch ? found(app, call, wanted) : list(app, call, wanted)
}

function filterOf({ flags, all, channel, location }: Wanted): OrderFilter {
  return {
    isOpen: flags.has('open') || (flags.size === 0 && !all),
    isUnpaid: flags.has('unpaid'),
    isLate: flags.has('late'),
    isToday: flags.has('today'),
    channel: channels.find(known => known === channel),
    locationId: location === '' ? undefined : (Number(location) as LocationId),
  }
}

function list(app: App, call: Call<PersonCaller>, wanted: Wanted): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const { orderList } = app.store
  const { orders, olderThan, isCutShort } = orderList.page(filterOf(wanted), wanted.before)
  const isNewest = wanted.before === undefined
  const isOpenOnly = wanted.flags.size === 0 && !wanted.all
  return page(view, {
    title: w.orders,
    room: 'orders',
    aside: html`<div class="actions">
${isNewest && html`<button class="button" type="button" data-chime-switch="orders" aria-pressed="false" hidden="">${w.sound}</button>`}
<a class="button primary" href="${view.link('/office/till')}">${w.newOrder}</a></div>`,
    body: html`${searchForm(app, view, wanted)}
<section id="orders" class="stack" data-live="${isNewest && 4}" data-chime="${isNewest && orderList.newestByGuests()}">
${isNewest && ordersToConfirm(app, view)}
${chips(app, view, wanted)}
${
  orders.length > 0
    ? table(app, view, orders)
    : html`<p class="card empty">${isOpenOnly && !isCutShort ? w.noneOpen : w.none}</p>`
}
${
  (!isNewest || olderThan !== null) &&
  html`<p class="actions">
${!isNewest && html`<a class="button" href="${view.link(path, queryFor(wanted))}">${w.newest}</a>`}
${olderThan !== null && html`<a class="button" href="${view.link(path, { ...queryFor(wanted), before: olderThan })}">${isCutShort ? w.lookBack : w.older}</a>`}
</p>`
}
</section>`,
  })
}

/** Orders that match a search. It may look through every order, so it has the reading thread. */
async function found(app: App, call: Call<PersonCaller>, wanted: Wanted): Promise<Reply> {
  const view = viewOf(app, call)
  const w = words[view.language]
  const { orderBook, orderList } = app.store
  const number = /^(?:ORD-)?0*(\d{1,6})$/i.exec(wanted.text)?.[1]
  const numbered = number === undefined ? undefined : orderBook.byNumber(Number(number))
  const search = searchOf(app, wanted)
  if ('wrong' in search) {
    return page(view, {
      title: w.orders,
      room: 'orders',
      status: 422,
      body: searchForm(app, view, wanted, search.wrong),
    })
  }
  const result = search.skip ? { found: [], hasMore: false } : await app.reader.read('findOrders', search, MOST_FOUND)
  // Such as punctuation only: nothing matches it.
  const { found, hasMore } = isRefused(result) ? { found: [], hasMore: false } : result
  const orders = orderList.these([...new Set([...(numbered ? [numbered.id] : []), ...found])])
  return page(view, {
    title: w.orders,
    room: 'orders',
    aside: html`<a class="button" href="${view.link(path)}">${w.backToList}</a>`,
    body: html`${searchForm(app, view, wanted)}
<p role="status">${w.found(orders.length, hasMore)}</p>
${orders.length > 0 && table(app, view, orders)}`,
  })
}

/** What is looked for: a text with digits only is the end of a phone number, any other one a part of a name or dish. */
function searchOf({ store, clock }: App, wanted: Wanted): (Search & { skip?: boolean }) | { wrong: 'total' | 'at' } {
  const { text, total, at } = wanted
  const { timezone } = store.settings.current()
  const totalMilli = total === '' ? undefined : parsePrice(total)
  if (total !== '' && totalMilli === undefined) return { wrong: 'total' }
  const instant =
    at === '' ? undefined : parseInstant(at.replace('T', ' '), { zone: timezone, now: clock.now(), day: 'last' })
  if (at !== '' && instant === undefined) return { wrong: 'at' }
  const digits = text.replace(/\D/g, '')
  const isPhone = /^[\d\s()+/.-]+$/.test(text)
  const isNumber = /^ORD-\d{1,6}$/i.test(text)
  const isTooShort = isPhone && digits.length < 3
  const { channel, locationId } = filterOf(wanted)
  return {
    channel,
    locationId,
    ...(instant !== undefined && { placed: { from: instant - AROUND_MS, until: instant + AROUND_MS + 60_000 } }),
    ...(totalMilli !== undefined && { totalMilli }),
    ...(text !== '' && (isPhone ? { phone: text } : { words: text })),
    skip: isNumber || isTooShort,
  }
}

function chips({ store }: App, view: View, wanted: Wanted): Html {
  const w = words[view.language]
  const same = { channel: wanted.channel, location: wanted.location }
  const { orderList } = store
  const isOpenOnly = wanted.flags.size === 0 && !wanted.all
  const chip = (flag: Flag) => {
    const isOn = wanted.flags.has(flag) || (flag === 'open' && isOpenOnly)
    // From the open orders, another filter starts anew.
    const next = new Set(isOpenOnly ? (['open'] as Flag[]) : wanted.flags)
    if (isOn) next.delete(flag)
    else next.add(flag)
    const to = { ...wanted, flags: next, all: next.size === 0 }
    const count = orderList.count({ ...filterOf({ ...wanted, flags: new Set([flag]), all: false }) })
    return html`<a class="chip" href="${view.link(path, queryFor(to))}" aria-current="${isOn && 'true'}">${w[flag]} <span class="num">${count >= COUNTED ? `${COUNTED - 1}+` : count}</span></a>`
  }
  return html`<nav class="chips" aria-label="${w.filters}">
${flags.map(chip)}
<a class="chip" href="${view.link(path, { ...same, all: 1 })}" aria-current="${wanted.all && 'true'}">${w.all}</a>
${wanted.channel !== '' && html`<a class="chip" aria-current="true" href="${view.link(path, queryFor({ ...wanted, channel: '' }))}">${channelText(wanted.channel, view.language)} ✕</a>`}
${wanted.location !== '' && html`<a class="chip" aria-current="true" href="${view.link(path, queryFor({ ...wanted, location: '' }))}">${locationTitle(store, wanted.location)} ✕</a>`}
</nav>`
}

function queryFor({ flags: set, all, channel, location }: Wanted) {
  return { ...Object.fromEntries([...set].map(flag => [flag, 1])), all: all ? 1 : null, channel, location }
}

function locationTitle({ catalogue }: Store, id: string): string {
  return catalogue.current().locations.find(location => String(location.id) === id)?.title ?? id
}

function searchForm({ store }: App, view: View, wanted: Wanted, wrong?: 'total' | 'at'): Html {
  const w = words[view.language]
  const { locations } = store.catalogue.current()
  const isMore = wanted.total !== '' || wanted.at !== ''
  return html`<search><form method="get" action="${view.link(path)}" class="stack tight">
<div class="find-orders"><label class="sr" for="q">${w.findLabel}</label><input id="q" name="q" type="search" maxlength="200" value="${wanted.text}" placeholder="${w.findLabel}">
<button class="button">${w.find}</button></div>
<details open="${isMore}"><summary class="small">${w.more}</summary>
<div class="fields two">
<div class="field"><label for="total">${w.total}</label><input id="total" name="total" inputmode="decimal" maxlength="20" value="${wanted.total}" aria-describedby="total-help" aria-invalid="${wrong === 'total' && 'true'}">
${wrong === 'total' ? html`<p class="wrong" id="total-help" role="alert">${w.notTotal}</p>` : html`<p class="help" id="total-help">${w.totalHelp}</p>`}</div>
<div class="field"><label for="at">${w.at}</label><input id="at" name="at" maxlength="40" value="${wanted.at}" aria-describedby="at-help" aria-invalid="${wrong === 'at' && 'true'}">
${wrong === 'at' ? html`<p class="wrong" id="at-help" role="alert">${w.notTime}</p>` : html`<p class="help" id="at-help">${w.atHelp}</p>`}</div>
<div class="field"><label for="channel">${w.channel}</label><select id="channel" name="channel"><option value="">${w.any}</option>
${channels.map(channel => html`<option value="${channel}" selected="${channel === wanted.channel}">${channelText(channel, view.language)}</option>`)}</select></div>
${
  locations.length > 1 &&
  html`<div class="field"><label for="location">${w.location}</label><select id="location" name="location"><option value="">${w.any}</option>
${locations.map(({ id, title }) => html`<option value="${id}" selected="${String(id) === wanted.location}">${title}</option>`)}</select></div>`
}
</div>
<p><button class="button">${w.show}</button></p>
</details>
${[...wanted.flags].map(flag => html`<input type="hidden" name="${flag}" value="1">`)}
${wanted.all && html`<input type="hidden" name="all" value="1">`}
</form></search>`
}

function table({ store }: App, view: View, orders: ListedOrder[]): Html {
  const w = words[view.language]
  const twice = store.orderList.sentTwice()
  const hasLocations = store.catalogue.current().locations.length > 1
  const today = timeZone(view.zone).at(view.now).date
  const row = (order: ListedOrder) => {
    const isOfToday = timeZone(view.zone).at(order.placedAt).date === today
    const facts = [
      isOfToday ? view.formats.time(order.placedAt) : view.formats.dateTime(order.placedAt),
      sourceText(order.source, view.language),
      order.tableTitle === null
        ? order.mode && modeText(order.mode, view.language)
        : tableText(order.tableTitle, view.language),
      order.wantedAt !== null && w.wanted(view.formats.time(order.wantedAt)),
      hasLocations && locationTitle(store, String(order.locationId)),
    ]
    return html`<tr>
<td><a href="${view.link(`${path}/${order.id}`)}">${orderNumber(order.number)}</a><small>${facts.filter(Boolean).join(' · ')}</small></td>
<td>${order.customer}</td>
<td>${stateOf(store, view, order, twice.get(order.id))}</td>
<td class="wide">${order.lines.map(({ qtyMilli, name }) => `${view.formats.number(qtyMilli / 1000)}\u00a0×\u00a0${name}`).join(', ')}</td>
<td class="num">${view.formats.money(order.grandTotal, order.exponent, order.currency)}${balance(view, order)}</td>
</tr>`
  }
  return html`<div class="card list"><table class="cards">
<thead><tr><th scope="col">${w.order}</th><th scope="col">${w.guest}</th><th scope="col">${w.state}</th><th scope="col">${w.dishes}</th><th scope="col" class="num">${w.total}</th></tr></thead>
<tbody>${orders.map(row)}</tbody></table></div>`
}

/** What needs somebody first: an order sent twice, then a late one, then how far it is. */
function stateOf(store: Store, view: View, order: ListedOrder, twiceOf: OrderId | undefined): Html {
  const w = words[view.language]
  const first = twiceOf === undefined ? undefined : store.orderBook.byId(twiceOf)
  const { text, kind } = progressOf(view, order)
  const state = order.isLate
    ? html`<span class="state bad">${w.isLate(text)}</span>`
    : html`<span class="state ${kind}">${text}</span>`
  if (!first) return state
  return html`<span class="state bad">${w.twice(orderNumber(first.number))}</span> ${state}
${cancelTwice(view, order.id, store.lastAct(order.id))}`
}

/** Cancels an order that was sent twice, in one tap. `seen` is the last act on it. */
export function cancelTwice(view: View, id: OrderId, seen: number): Html {
  const w = words[view.language]
  return html`<form method="post" action="${view.link(`${path}/${id}/cancel`)}"><input type="hidden" name="seen" value="${seen}"><input type="hidden" name="reason" value="${w.sentTwice}"><button class="button danger">${w.cancelTwice}</button></form>`
}

/** How far an order is, in words, and the kind of state that is. */
export function progressOf(
  view: View,
  { status, fulfillmentStatus, placedAt }: Pick<ListedOrder, 'status' | 'fulfillmentStatus' | 'placedAt'>,
): { text: string; kind: 'done' | 'wait' | 'off' } {
  const { language } = view
  const w = words[language]
  const isCompleted = status === 'completed' && (fulfillmentStatus === null || fulfillmentStatus === 'fulfilled')
  if (status === 'cancelled' || isCompleted) {
    return { text: capital(statusText(status, language)), kind: status === 'completed' ? 'done' : 'off' }
  }
  const minutes = Math.max(0, Math.floor((view.now - placedAt) / 60_000))
  const text = capital(fulfillmentStatus ? fulfilmentText(fulfillmentStatus, language) : statusText(status, language))
  const isReady = fulfillmentStatus !== null && fulfillmentStatus !== 'in_kitchen' && fulfillmentStatus !== 'pending'
  if (isReady) return { text, kind: 'done' }
  return { text: minutes < 24 * 60 ? `${text}, ${w.minutes(minutes)}` : text, kind: 'wait' }
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function balance(view: View, { status, balance: open, grandTotal, exponent, currency }: ListedOrder): Html | false {
  const w = words[view.language]
  const amount = view.formats.money(Math.abs(open), exponent, currency)
  if (open < 0) return html`<small>${w.toRefund(amount)}</small>`
  if (open === 0 || status === 'cancelled') return false
  return html`<small>${open === grandTotal ? w.isUnpaid : w.partlyPaid(amount)}</small>`
}
