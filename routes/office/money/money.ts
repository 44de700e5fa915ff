import { orderNumber } from '../../../display/order.ts'
import { drawerKindText, methodText } from '../../../display/terms.ts'
import type { Location } from '../../../store/catalogue/catalogue.ts'
import type { ListedPage } from '../../../store/ordering/order-list.ts'
import type { InCurrency } from '../../../store/reports/period.ts'
import { dayAfter, dayBefore } from '../../../store/terms/clock.ts'
import { isRefused } from '../../../store/terms/refusal.ts'
import type { Cash, Close } from '../../../store/till/closes.ts'
import type { DayFigures } from '../../../store/till/figures.ts'
import type { TillDay } from '../../../store/till/till.ts'
import { type Html, html } from '../../html/html.ts'
import type { Query } from '../../html/link.ts'
import type { App, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { refuse } from '../../http/reply.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/money.ts'

const CLOSES_SHOWN = 6
const UNPAID_SHOWN = 10

/** GET {basePath}/office/money: what a location took on a day, its drawer, what is still to be paid, and the closes. */
export const readMoney: Handler<PersonCaller> = async (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const query = queryOf(call.exchange.request)
  const location = locationOf(app, query)
  if (!location)
    return page(view, { title: w.title, room: 'money', body: html`<p class="card empty">${w.noLocation}</p>` })
  const { id } = location
  const date = query.get('date') ?? undefined
  const reading = app.reader.read('tillDay', id, date)
  const unpaid = app.store.orderList.page({ isUnpaid: true, locationId: id })
  const closes = app.store.till.closes(id, CLOSES_SHOWN)
  const day = await reading
  if (isRefused(day) || day.date > day.place.today) return refuse('NOT_FOUND')
  // Before the first close any day can be it; after that they follow each other.
  const isFirst = closes.length === 0
  const isNext = isFirst || day.open[0] === day.date
  return page(view, {
    title: w.title,
    room: 'money',
    ...(isNext &&
      day.closedAs === null && {
        aside: html`<a class="button primary" href="${view.link('/office/money/close', { location: id, date: day.date })}">${day.date === day.place.today ? w.closeToday : w.closeIt}</a>`,
      }),
    body: html`${enteredNote(view, day, query)}
${locationChips(app, view, '/office/money', id)}
${!isFirst && stateNote(view, day)}
${dayChoice(view, day)}
${figureCards(view, day)}
<div class="columns">
<div class="stack">${methodCard(view, day.figures)}${drawerCard(view, day)}${lateCards(view, day)}</div>
<div class="stack">${unpaidCard(view, id, unpaid)}${closesCard(view, id, closes)}${filesCard(view, day)}</div>
</div>
<p class="quiet small">${w.notFiscal}</p>`,
  })
}

/** The location that a page is about: the one that its query names, else the first. */
export function locationOf({ store }: App, query: URLSearchParams): Location | undefined {
  const { locations } = store.catalogue.current()
  const wanted = query.get('location')
  return wanted === null ? locations[0] : locations.find(({ id }) => String(id) === wanted)
}

/** The choice of a location, where there are several. */
export function locationChips(
  { store }: App,
  view: View,
  path: string,
  current: number | null,
  query: Query = {},
): Html | undefined {
  const { locations } = store.catalogue.current()
  if (locations.length < 2) return undefined
  return html`<nav class="chips" aria-label="${words[view.language].locations}">${locations.map(
    ({ id, title }) =>
      html`<a class="chip" href="${view.link(path, { ...query, location: id })}" aria-current="${id === current && 'true'}">${title}</a>`,
  )}</nav>`
}

export function moneyText(
  { formats }: Pick<View, 'formats'>,
  minor: number,
  { exponent, currency }: InCurrency,
): string {
  return formats.money(minor, exponent, currency)
}

/** What a sheet needs of a view, so that it is the same every time. */
export type SheetView = Pick<View, 'language' | 'formats'>

/** The names and values of what should be in a drawer. */
export function cashFacts(view: SheetView, cash: Cash): Html {
  const w = words[view.language]
  const fact = (name: string, minor: number) =>
    html`<dt>${name}</dt><dd class="num">${moneyText(view, minor, cash)}</dd>`
  return html`<dl class="facts sums">
${fact(cash.float === null ? w.carried : w.float, cash.opening)}
${fact(w.cashTaken, cash.taken)}
${cash.paidIn !== 0 && fact(w.paidIn, cash.paidIn)}
${cash.paidOut !== 0 && fact(w.paidOut, -cash.paidOut)}
<dt class="total">${w.expected}</dt><dd class="num total">${moneyText(view, cash.expected, cash)}</dd>
</dl>`
}

/** The day that is shown, and the ways to others. */
function dayChoice(view: View, { date, place }: TillDay): Html {
  const w = words[view.language]
  const to = (day: string) =>
    view.link('/office/money', { location: place.id, ...(day !== place.today && { date: day }) })
  const name = date === place.today ? w.today(view.formats.day(date)) : view.formats.day(date)
  return html`<div class="head"><h2>${name}</h2>
<nav class="actions no-print" aria-label="${w.day}"><a class="button" href="${to(dayBefore(date))}">‹ ${w.earlier}</a>
${date < place.today && html`<a class="button" href="${to(dayAfter(date))}">${w.later} ›</a><a class="button plain" href="${to(place.today)}">${w.toToday}</a>`}</nav></div>`
}

/** What a form on another page has just entered. */
function enteredNote(view: View, { entries }: TillDay, query: URLSearchParams): Html | undefined {
  const entered = entries.find(({ id }) => String(id) === query.get('entered'))
  if (!entered) return undefined
  const w = words[view.language]
  const { kind, amount, expected } = entered
  const text = moneyText(view, amount, entered)
  if (expected === null)
    return html`<p class="note done" role="status">${w.saved(drawerKindText(kind, view.language), text)}</p>`
  const difference = moneyText(view, amount - expected, entered)
  return html`<p class="${amount === expected ? 'note done' : 'note'}" role="status">${w.countedNow(text, moneyText(view, expected, entered), difference)}</p>`
}

/** Which day has to be closed first, or how the day that is shown was closed. */
function stateNote(view: View, { place, date, closedAs, open }: TillDay): Html | undefined {
  const w = words[view.language]
  const location = place.id
  if (closedAs !== null) {
    const text = date === place.today ? w.closedAs(closedAs) : w.wasClosed(closedAs)
    return html`<p class="note done"><span>${text}</span>
<a class="button" href="${view.link(closePath(location, closedAs))}">${w.show}</a></p>`
  }
  const past = open.filter(each => each < place.today)
  const [first] = past
  if (first === undefined || (first === date && past.length === 1)) return undefined
  return html`<p class="note"><span>${w.openDays(past.length, view.formats.day(first))}</span>
<a class="button primary" href="${view.link('/office/money/close', { location, date: first })}">${w.closeIt}</a></p>`
}

export function closePath(location: number, number: number): string {
  return `/office/money/closes/${location}/${number}`
}

/** What was sold, taken, and is still to be paid: three large figures for each currency. */
export function figureCards(
  view: View,
  { figures, unpaid, place }: Pick<TillDay, 'figures' | 'unpaid' | 'place'>,
): Html {
  const w = words[view.language]
  const currencies = new Map<string, InCurrency>([[place.currency, place]])
  for (const row of [...figures.sales, ...figures.takings, ...unpaid]) currencies.set(row.currency, row)
  const figure = (name: string, value: string, more: string) =>
    html`<div class="card figure"><p class="quiet">${name}</p><p class="large">${value}</p><p class="quiet small">${more}</p></div>`
  return html`<div class="figures">${[...currencies.values()].map(row => {
    const its = <Row extends InCurrency>(rows: Row[]) => rows.filter(({ currency }) => currency === row.currency)
    const [sales] = its(figures.sales)
    const [open] = its(unpaid)
    const taken = its(figures.takings).reduce((sum, each) => sum + each.taken, 0)
    const payments = its(figures.takings).reduce((sum, each) => sum + each.count, 0)
    return [
      figure(w.sold, moneyText(view, sales?.total ?? 0, row), w.orders(sales?.orders ?? 0)),
      figure(w.taken, moneyText(view, taken, row), w.payments(payments)),
      figure(w.unpaidSum, moneyText(view, open?.balance ?? 0, row), `${w.orders(open?.orders ?? 0)} ${w.ofThisDay}`),
    ]
  })}</div>`
}

function methodCard(view: View, figures: DayFigures): Html {
  const w = words[view.language]
  const body = figures.takings.length === 0 ? html`<p class="quiet">${w.nothingTaken}</p>` : methodTable(view, figures)
  return html`<section class="card stack tight"><h2>${w.methods}</h2>${body}</section>`
}

/** The payments by method, with a sum for each currency. What was voided and refunded is named where there is any. */
export function methodTable(view: SheetView, { takings }: Pick<DayFigures, 'takings'>, caption?: string): Html {
  const w = words[view.language]
  const currencies = [...new Set(takings.map(({ currency }) => currency))]
  return html`<table class="plain-list">${caption !== undefined && html`<caption>${caption}</caption>`}
<thead><tr><th>${w.method}</th><th class="num">${w.taken}</th></tr></thead>
<tbody>${takings.map(row => {
    const parts = [
      w.payments(row.count),
      row.voided !== 0 && `${w.voided} ${moneyText(view, row.voided, row)}`,
      row.refunded !== 0 && `${w.refunded} ${moneyText(view, row.refunded, row)}`,
    ]
    return html`<tr><th scope="row">${methodText(row.method, view.language)}<small>${parts.filter(part => part !== false).join(' · ')}</small></th>
<td class="num">${moneyText(view, row.taken, row)}</td></tr>`
  })}</tbody>
<tfoot>${currencies.map(currency => {
    const rows = takings.filter(row => row.currency === currency)
    const [first] = rows
    const taken = rows.reduce((sum, row) => sum + row.taken, 0)
    return html`<tr><th scope="row">${w.inTotal}</th><td class="num">${first && moneyText(view, taken, first)}</td></tr>`
  })}</tfoot></table>`
}

function drawerCard(view: View, day: TillDay): Html {
  const w = words[view.language]
  const { place, date, cash, entries, closedAs } = day
  const to = (kind: string, text: string) =>
    html`<a class="button" href="${view.link('/office/money/drawer', { location: place.id, kind })}">${text}</a>`
  return html`<section class="card stack tight"><h2>${w.drawer}</h2>
${cashFacts(view, cash)}
${date === place.today && html`<p class="actions">${closedAs === null && to('float', w.enterFloat)}${to('paid_in', w.enterIn)}${to('paid_out', w.enterOut)}${to('count', w.enterCount)}</p>`}
${
  entries.length > 0 &&
  html`<table class="plain-list"><caption>${w.entries}</caption>
<thead><tr><th>${w.at}</th><th>${w.what}</th><th class="num">${w.amount}</th></tr></thead>
<tbody>${entries.map(
    entry => html`<tr><td>${view.formats.time(entry.at)}</td>
<td>${drawerKindText(entry.kind, view.language)}<small>${entry.actor.name}${entry.note !== null && html` · ${entry.note}`}</small></td>
<td class="num">${moneyText(view, entry.amount, entry)}</td></tr>`,
  )}</tbody></table>`
}</section>`
}

/** What came for closed days and is in no close yet. */
function lateCards(view: View, { late }: TillDay): Html[] {
  const w = words[view.language]
  return late.map(
    ({ date, figures }) => html`<section class="card stack tight"><h2>${w.recordedLater(view.formats.day(date))}</h2>
<p class="quiet">${w.laterHelp}</p>
${figures.sales.map(row => html`<dl class="facts sums"><dt>${w.sales}</dt><dd class="num">${moneyText(view, row.total, row)}</dd></dl>`)}
${figures.takings.length > 0 && methodTable(view, figures)}</section>`,
  )
}

function unpaidCard(view: View, location: number, { orders, olderThan }: ListedPage): Html {
  const w = words[view.language]
  if (orders.length === 0) {
    return html`<section class="card stack tight"><h2>${w.unpaid}</h2><p class="quiet">${w.nothingUnpaid}</p></section>`
  }
  return html`<section class="card stack tight"><h2>${w.unpaid}</h2>
<table class="plain-list"><thead><tr><th>${w.order}</th><th class="num">${w.toPay}</th></tr></thead>
<tbody>${orders.slice(0, UNPAID_SHOWN).map(
    order => html`<tr><td><a href="${view.link(`/office/orders/${order.id}`)}">${orderNumber(order.number)}</a>
<small>${view.formats.dateTime(order.placedAt)}${order.tableTitle !== null && html` · ${order.tableTitle}`}${order.customer !== null && html` · ${order.customer}`}</small></td>
<td class="num">${moneyText(view, order.balance, order)}</td></tr>`,
  )}</tbody></table>
${
  (orders.length > UNPAID_SHOWN || olderThan !== null) &&
  html`<p><a class="button" href="${view.link('/office/orders', { unpaid: 1, location })}">${w.unpaidMore}</a></p>`
}</section>`
}

function closesCard(view: View, location: number, closes: Close[]): Html {
  const w = words[view.language]
  if (closes.length === 0) {
    return html`<section class="card stack tight"><h2>${w.closes}</h2><p class="quiet">${w.noCloses}</p></section>`
  }
  return html`<section class="card stack tight"><h2>${w.closes}</h2>
${closeList(view, closes)}
${closes.length === CLOSES_SHOWN && html`<p><a class="button" href="${view.link('/office/money/closes', { location })}">${w.allCloses}</a></p>`}</section>`
}

/** Closes, each with its difference. */
export function closeList(view: View, closes: Close[]): Html {
  const w = words[view.language]
  return html`<table class="plain-list"><thead><tr><th>${w.day}</th><th class="num">${w.sales}</th><th class="num">${w.difference}</th></tr></thead>
<tbody>${closes.map(close => {
    const { cash, parts } = close
    const sales = parts[0].figures.sales.find(({ currency }) => currency === cash.currency)
    const { difference } = cash
    return html`<tr><td><a href="${view.link(closePath(close.locationId, close.number))}">${view.formats.day(close.date)}</a>
<small>${w.number} ${close.number} · ${close.actor.name}</small></td>
<td class="num">${moneyText(view, sales?.total ?? 0, cash)}</td>
<td class="num">${difference === null ? html`<span class="quiet">${w.notCounted}</span>` : moneyText(view, difference, cash)}</td></tr>`
  })}</tbody></table>`
}

function filesCard(view: View, { place, date }: TillDay): Html {
  const w = words[view.language]
  const first = `${date.slice(0, 8)}01`
  return html`<section class="card stack tight no-print"><h2>${w.files}</h2>
<p class="quiet">${w.filesHelp}</p>
<form class="row" method="get" action="${view.link('/office/reports/csv')}">
<input type="hidden" name="location" value="${place.id}">
<div class="field"><label for="file-from">${w.from}</label><input id="file-from" name="from" type="date" value="${first}" required=""></div>
<div class="field"><label for="file-to">${w.to}</label><input id="file-to" name="to" type="date" value="${date}" required=""></div>
<div class="field"><label for="file-report">${w.table}</label><select id="file-report" name="report">
<option value="days">${w.fileDays}</option><option value="tax">${w.fileTax}</option><option value="entries">${w.fileEntries}</option></select></div>
<button class="button">${w.download}</button></form></section>`
}
