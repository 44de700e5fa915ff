import { timeline } from '../../../display/activity.ts'
import { deedText } from '../../../display/deed.ts'
import { endingText } from '../../../display/delivery.ts'
import { addressText, orderNumber } from '../../../display/order.ts'
import { channelText, modeText, sourceText, tableText } from '../../../display/terms.ts'
import type { Order } from '../../../store/ordering/order.ts'
import { type Deed, MOST_ACTIVITY } from '../../../store/people/activity.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { documentOf, page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { totalTable } from '../order-total.ts'
import { printButtons, sentNote } from '../printers/printer.ts'
import { words } from '../words/order.ts'
import { words as tableWords } from '../words/table-bill.ts'
import { accountCard } from './order-account.ts'
import { allergensOf } from './order-allergens.ts'
import { kitchenCard } from './order-kitchen.ts'
import { type Failed, type Shown, stepsCard } from './order-steps.ts'
import { cancelTwice, capital, progressOf } from './orders.ts'

/** GET {basePath}/office/orders/:orderId: one order, with everything that can be done with it. */
export const readOrder: Handler<PersonCaller> = (app, call) => {
  const order = orderOf(app, call)
  return order ? orderPage(app, call, order) : refuse('NOT_FOUND')
}

/** GET {basePath}/office/orders/:orderId/print: the order on paper of 80 mm. */
export const readReceipt: Handler<PersonCaller> = (app, call) => {
  const order = orderOf(app, call)
  if (!order) return refuse('NOT_FOUND')
  const view = viewOf(app, call)
  const w = words[view.language]
  const number = orderNumber(order.number)
  const location = app.store.catalogue.current().locations.find(({ id }) => id === order.locationId)
  const about = [
    order.tableTitle === null
      ? order.mode && modeText(order.mode, view.language)
      : tableText(order.tableTitle, view.language),
    order.customer.name,
  ]
  const body = html`<body class="receipt"><main>
<p class="actions no-print"><a class="button" href="${view.link(`/office/orders/${order.id}`)}">${number}</a><button class="button primary" type="button" data-print="" hidden="">${w.printNow}</button></p>
<div class="actions no-print">${printButtons(app, view, order.locationId, 'receipt', order.id)}</div>
${sentNote(view, call)}
<div class="paper"><p><strong>${view.siteTitle}</strong><br>${[location?.title, location?.address].filter(Boolean).join(', ')}</p>
<h1>${number}</h1>
<p>${view.formats.dateTime(order.placedAt)}<br>${about.filter(Boolean).join(' · ')}</p>
${totalTable(view, order, app.store.payments.standing(order.id))}
<p><strong>${w.noTaxDocument}</strong></p></div>
</main></body>`
  return { kind: 'html', status: 200, html: documentOf(view, number, body) }
}

/** The order in the path of a call. */
export function orderOf({ store }: App, { parameters }: Call<PersonCaller>): Order | undefined {
  const { orderId = '' } = parameters
  return /^[1-9]\d{0,14}$/.test(orderId) ? store.orderBook.byId(Number(orderId)) : undefined
}

/** The page of an order. After an act that was refused, it says why at the form of the act, which keeps what was typed. */
export function orderPage(app: App, call: Call<PersonCaller>, order: Order, failed?: Failed): Reply {
  const { store } = app
  const view = viewOf(app, call)
  const w = words[view.language]
  const entries = store.payments.entries(order.id)
  const standing = store.payments.standing(order.id)
  const shown: Shown = { store, view, order, entries, standing, seen: store.lastAct(order.id), failed }
  const { text, kind } = progressOf(view, order)
  const hasChanged = failed?.refusal?.refused === 'order changed'
  return page(view, {
    title: orderNumber(order.number),
    room: 'orders',
    status: failed ? (hasChanged ? 409 : 422) : 200,
    aside: html`<span class="state ${kind}">${text}</span>`,
    body: html`<p class="small"><a href="${view.link('/office/orders')}">${w.orders}</a></p>
${failed === undefined && doneNote(view, call, order)}
${hasChanged && changesSince(shown, failed.seen)}
${twiceNote(shown)}
<div class="columns order">
<div class="stack">
<section class="card stack">
<div class="head"><h2>${w.lines}</h2><p class="actions">
${isOpen(order) && html`<a class="button" href="${view.link(`/office/orders/${order.id}/edit`)}">${w.edit}</a>`}
<a class="button" href="${view.link(`/office/orders/${order.id}/print`)}">${w.print}</a></p></div>
${totalTable(view, order, standing)}
${allergens(shown)}
</section>
${stepsCard(shown)}
</div>
<div class="stack">
${accountCard(shown)}
<section class="card">${facts(shown)}</section>
${kitchenCard(shown)}
</div>
</div>
${history(shown)}
${deliveries(shown)}`,
  })
}

export function isOpen({ status }: Order): boolean {
  return status === 'placed' || status === 'confirmed'
}

const deeds = {
  confirm: 'order confirmed',
  complete: 'order completed',
  'out-for-delivery': 'order sent out',
  fulfil: 'order fulfilled',
  cancel: 'order cancelled',
  edit: 'order edited',
  pay: 'payment taken',
  refund: 'refund given',
  credit: 'credit given',
  void: 'payment voided',
  bump: 'ticket bumped',
  recall: 'ticket recalled',
  fire: 'ticket fired',
} as const satisfies Record<string, Deed>

/** What was just done, as the address says. */
function doneNote(view: View, { exchange }: Call<PersonCaller>, { exponent, currency }: Order): Html | false {
  const w = words[view.language]
  const query = queryOf(exchange.request)
  const done = query.get('done') ?? ''
  const change = Number(query.get('change') ?? 0)
  const deed = Object.entries(deeds).find(([act]) => act === done)?.[1]
  const text = deed && capital(deedText(deed, view.language))
  const isPlaced = done === 'placed'
  const hasChange = Number.isSafeInteger(change) && change > 0
  if (!isPlaced && !text && !hasChange) return false
  return html`<p class="note done" role="status"><span>${isPlaced ? w.placedNow : text && `${text}.`}
${hasChange && html`<strong class="change">${w.change(view.formats.money(change, exponent, currency))}</strong>`}</span>
<a class="button" href="${view.link('/office/till')}">${w.next}</a></p>`
}

function stepsOf({ store, order, entries, view }: Pick<Shown, 'store' | 'view' | 'order' | 'entries'>) {
  const activity = store.activity({ orderId: order.id }, MOST_ACTIVITY)
  return timeline(order, { activity, entries, events: store.kitchen.eventsOfOrder(order.id) }, view.language)
}

/** What others did to the order after the person had opened it. */
export function changesSince(shown: Pick<Shown, 'store' | 'view' | 'order' | 'entries'>, seen: number): Html {
  const { view } = shown
  const w = words[view.language]
  const steps = stepsOf(shown).filter(({ id }) => id !== null && id > seen)
  return html`<div class="note bad" role="alert"><div><p><strong>${w.changedSince}</strong></p>
<ul>${steps.map(({ at, who, what, details }) => html`<li>${[view.formats.time(at), who?.name, what, details].filter(Boolean).join(' · ')}</li>`)}</ul></div></div>`
}

function twiceNote({ store, view, order, seen }: Shown): Html | false {
  const w = words[view.language]
  const first = isOpen(order) ? store.orderList.sentTwice().get(order.id) : undefined
  const other = first === undefined ? undefined : store.orderBook.byId(first)
  if (!other) return false
  const { link } = view
  return html`<div class="note bad"><p>${w.twice(orderNumber(other.number))} <a href="${link(`/office/orders/${other.id}`)}">${orderNumber(other.number)}</a></p>
${cancelTwice(view, order.id, seen)}</div>`
}

function facts({ store, view, order }: Shown): Html {
  const { language, formats } = view
  const w = words[language]
  const location = store.catalogue.current().locations.find(({ id }) => id === order.locationId)
  const { name, phone, email } = order.customer
  const rows: [string, string | null][] = [
    [w.guest, name],
    [w.phone, phone],
    [w.email, email],
    [w.address, addressText(order) || null],
    [w.notes, order.notes],
    [w.table, order.tableTitle],
    [w.wanted, order.wantedAt === null ? null : formats.dateTime(order.wantedAt)],
    [w.mode, order.mode && modeText(order.mode, language)],
    [w.channel, order.channel === order.mode ? null : channelText(order.channel, language)],
    [w.source, sourceText(order.source, language)],
    [w.location, location?.title ?? null],
    [w.placed, formats.exactTime(order.placedAt)],
    [w.cancelReason, order.cancelReason],
  ]
  return html`<dl class="facts">${rows.map(([term, value]) => value !== null && html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>
${order.tableId !== null && html`<p><a class="button" href="${view.link(`/office/tables/${order.tableId}`)}">${tableWords[language].bill}</a></p>`}`
}

function allergens({ store, view, order }: Shown): Html | false {
  const w = words[view.language]
  const found = allergensOf(store.restaurant(), order.lines, view.language)
  const { contains, mayContain, unknown, areOptionsUnknown } = found
  const texts = [
    ...contains,
    ...(mayContain.length > 0 ? [w.mayContain(view.formats.list(mayContain))] : []),
    ...(unknown.length > 0 ? [w.allergensUnknown(view.formats.list(unknown))] : []),
    ...(areOptionsUnknown ? [w.optionsUnknown] : []),
  ]
  return texts.length > 0 && html`<p class="small"><strong>${w.allergens}:</strong> ${texts.join(', ')}</p>`
}

function history(shown: Shown): Html {
  const { view } = shown
  const w = words[view.language]
  return html`<section class="card list"><table class="cards"><caption class="sr">${w.history}</caption>
<thead><tr><th scope="col">${w.history}</th><th scope="col">${w.who}</th><th scope="col">${w.what}</th><th scope="col">${w.details}</th></tr></thead>
<tbody>${stepsOf(shown).map(
    ({ at, who, what, details }) =>
      html`<tr><td class="small">${view.formats.exactTime(at)}</td><td>${who?.name}</td><td>${what}</td><td class="wide">${details}</td></tr>`,
  )}</tbody></table></section>`
}

const MOST_DELIVERIES = 100

function deliveries({ store, view, order }: Shown): Html | false {
  const w = words[view.language]
  const attempts = store.webhooks.log.list({ orderId: order.id }, MOST_DELIVERIES)
  const kinds = { received: 'done', lost: 'bad', pending: 'wait', started: 'wait' } as const
  return (
    attempts.length > 0 &&
    html`<section class="card list"><table class="cards"><caption class="sr">${w.deliveries}</caption>
<thead><tr><th scope="col">${w.deliveries}</th><th scope="col">${w.event}</th><th scope="col">${w.endpoint}</th><th scope="col">${w.result}</th></tr></thead>
<tbody>${attempts.map(
      attempt =>
        html`<tr><td class="small">${view.formats.exactTime(attempt.createdAt)}</td><td>${attempt.type}</td><td class="wide">${attempt.url}</td><td><span class="state ${kinds[attempt.state]}">${w[attempt.state]}</span> <span class="small quiet">${endingText(attempt, view.language)}</span></td></tr>`,
    )}</tbody></table></section>`
  )
}
