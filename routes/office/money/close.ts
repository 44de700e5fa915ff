import { formats } from '../../../display/formats.ts'
import { refusalText } from '../../../display/refusal.ts'
import type { Location } from '../../../store/catalogue/catalogue.ts'
import { newSecret } from '../../../store/people/secret.ts'
import type { InCurrency } from '../../../store/reports/period.ts'
import { isDate } from '../../../store/terms/clock.ts'
import type { LocationId } from '../../../store/terms/ids.ts'
import { decimalText } from '../../../store/terms/money.ts'
import { isRefused } from '../../../store/terms/refusal.ts'
import { LONGEST_REMARK } from '../../../store/terms/remark.ts'
import type { Close, CountedCash } from '../../../store/till/closes.ts'
import { type DayFigures, sumOf } from '../../../store/till/figures.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/money.ts'
import { type CashInput, cashFields, noCash, readCash, typedAmount } from './cash-form.ts'
import {
  cashFacts,
  closeList,
  closePath,
  figureCards,
  locationChips,
  locationOf,
  methodTable,
  moneyText,
  type SheetView,
} from './money.ts'

const CLOSES_LISTED = 400

interface Entered {
  date: string
  cash: CashInput
  left: string
  note: string
  attempt: string
}

interface Wrong {
  cash?: string
  left?: string
  note?: string
  other?: string
}

/** GET {basePath}/office/money/close: the form that closes a day, with what it consists of. */
export const readClosing: Handler<PersonCaller> = (app, call) => {
  const query = queryOf(call.exchange.request)
  const location = locationOf(app, query)
  const date = query.get('date') ?? ''
  if (!location || !isDate(date)) return refuse('NOT_FOUND')
  return closingPage(app, call, location, { date, cash: noCash, left: '', note: '', attempt: newSecret() })
}

/** POST {basePath}/office/money/close: closes the day. The same form sent twice makes one close. */
export const closeDay: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, {
    once: ['location', 'date', 'sum', 'left', 'note', 'attempt'],
    prefixes: ['piece-'],
  })
  if (!read.ok) return read.reply
  const { form } = read
  const location = locationOf(app, new URLSearchParams({ location: form.text('location') }))
  const date = form.text('date')
  if (!location || !isDate(date)) return refuse('NOT_FOUND')
  const view = viewOf(app, call)
  const w = words[view.language]
  const entered: Entered = {
    date,
    cash: { sum: form.text('sum'), pieces: form.below('piece-') },
    left: form.text('left'),
    note: form.text('note'),
    attempt: form.text('attempt'),
  }
  const wrong = (what: Wrong) => closingPage(app, call, location, entered, what)
  const given = readCash(view, entered.cash, location)
  if (typeof given === 'string') return wrong({ cash: given })
  const left = entered.left.trim() === '' ? null : typedAmount(entered.left, location)
  if (left === undefined) return wrong({ left: w.notAmount(decimalText(15_000, location.exponent)) })
  const note = entered.note.trim() === '' ? null : entered.note.trim()
  const closing = { date, counted: given.counted, left, note, clientRef: entered.attempt }
  const close = await app.writer.act(call.caller.actor, 'closeDay', location.id, closing)
  if (!isRefused(close)) {
    return { kind: 'redirect', to: view.link(closePath(location.id, close.number), { done: 1 }) }
  }
  const text = refusalText(close, view.language)
  if (close.refused === 'invalid amount' || close.refused === 'invalid pieces') return wrong({ cash: text })
  if (close.refused === 'more than counted') return wrong({ left: text })
  if (close.refused === 'text' && close.field === 'note') return wrong({ note: text })
  return wrong({ other: text })
}

/** GET {basePath}/office/money/closes/:location/:number: a close as it was made. It is the same every time, also on paper. */
export const readClose: Handler<PersonCaller> = (app, call) => {
  const [location, number] = [Number(call.parameters.location), Number(call.parameters.number)]
  const close = app.store.till.close(location as LocationId, number)
  if (isRefused(close)) return refuse('NOT_FOUND')
  const view = viewOf(app, call)
  const w = words[view.language]
  const isNew = queryOf(call.exchange.request).get('done') !== null
  return page(view, {
    title: w.closeNumber(close.number, view.formats.day(close.date)),
    room: 'money',
    aside: html`<div class="actions"><button class="button" type="button" data-print="" hidden="">${w.print}</button>
<a class="button plain" href="${view.link('/office/money', { location })}">${w.back}</a></div>`,
    body: html`${isNew && html`<p class="note done no-print" role="status">${w.justClosed}</p>`}${closeSheet(view, close)}`,
  })
}

/** GET {basePath}/office/money/closes: the closes of a location, newest first. */
export const readCloses: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const location = locationOf(app, queryOf(call.exchange.request))
  if (!location) return refuse('NOT_FOUND')
  const closes = app.store.till.closes(location.id, CLOSES_LISTED)
  return page(view, {
    title: w.closes,
    room: 'money',
    aside: html`<a class="button plain" href="${view.link('/office/money', { location: location.id })}">${w.back}</a>`,
    body: html`${locationChips(app, view, '/office/money/closes', location.id)}
${closes.length === 0 ? html`<p class="card empty">${w.noCloses}</p>` : html`<div class="card">${closeList(view, closes)}</div>`}`,
  })
}

async function closingPage(
  app: App,
  call: Call<PersonCaller>,
  location: Location,
  entered: Entered,
  wrong?: Wrong,
): Promise<Reply> {
  const view = viewOf(app, call)
  const w = words[view.language]
  const { date, cash, left, note, attempt } = entered
  const day = await app.reader.read('tillDay', location.id, date)
  if (isRefused(day) || (date > day.place.today && !wrong)) return refuse('NOT_FOUND')
  if (day.closedAs !== null && !wrong) {
    return { kind: 'redirect', to: view.link(closePath(location.id, day.closedAs)) }
  }
  return page(view, {
    title: w.closeTitle(view.formats.day(date)),
    room: 'money',
    status: wrong ? 422 : 200,
    body: html`<p class="quiet">${location.title}${date === day.place.today && html` · ${w.stillRunning}`}</p>
${
  wrong?.other !== undefined &&
  html`<p class="note bad" role="alert"><span>${wrong.other}</span>
${day.closedAs !== null && html`<a class="button" href="${view.link(closePath(location.id, day.closedAs))}">${w.show}</a>`}</p>`
}
${day.unpaid.map(row => html`<p class="note">${w.unpaidOfDay(w.orders(row.orders), moneyText(view, row.balance, row))}</p>`)}
${figureCards(view, day)}
<form class="card fields" method="post" action="${view.link('/office/money/close')}">
<input type="hidden" name="location" value="${location.id}"><input type="hidden" name="date" value="${date}">
<input type="hidden" name="attempt" value="${attempt}">
<h2>${w.countCash}</h2>
<p class="quiet">${w.countCashHelp}</p>
<details><summary>${w.seeExpected}</summary>${cashFacts(view, day.cash)}</details>
${cashFields(view, location, cash, wrong?.cash)}
<div class="fields two"><div class="field"><label for="left">${w.stays} (${location.currency})</label>
<input id="left" name="left" inputmode="decimal" autocomplete="off" value="${left}" aria-invalid="${wrong?.left !== undefined && 'true'}" aria-describedby="left-help">
<p class="${wrong?.left === undefined ? 'help' : 'wrong'}" id="left-help">${wrong?.left ?? w.staysHelp}</p></div>
<div class="field"><label for="note">${w.note} (${w.isOptional})</label>
<input id="note" name="note" maxlength="${LONGEST_REMARK}" autocomplete="off" value="${note}" aria-invalid="${wrong?.note !== undefined && 'true'}" aria-describedby="${wrong?.note !== undefined && 'note-wrong'}">
${wrong?.note !== undefined && html`<p class="wrong" id="note-wrong">${wrong.note}</p>`}</div></div>
<p class="quiet">${w.closeHelp}</p>
<p class="actions"><button class="button primary">${w.close}</button>
<a class="button plain" href="${view.link('/office/money', { location: location.id })}">${w.back}</a></p>
</form>`,
  })
}

/** A close on paper. It depends on nothing but the close and the language. */
function closeSheet({ language }: View, close: Close): Html {
  const { place, number, date, actor, at, parts, cash, unpaid } = close
  const w = words[language]
  const view = { language, formats: formats(language, place.timezone) }
  const [own, ...later] = parts
  return html`<article class="card sheet stack" id="close">
<header><p class="large">${place.site}</p><p>${place.title}${place.address !== null && html`<br>${place.address}`}</p>
<p><strong>${w.closeNumber(number, view.formats.day(date))}</strong><br>${w.closedBy(actor.name, view.formats.dateTime(at))} (${place.timezone})</p></header>
${figuresOf(view, own.figures)}
${unpaid.map(row => html`<p>${w.unpaidOfDay(w.orders(row.orders), moneyText(view, row.balance, row))}</p>`)}
${later.map(part => html`<section class="stack tight"><h2>${w.recordedLater(view.formats.day(part.date))}</h2>${figuresOf(view, part.figures)}</section>`)}
${later.length > 0 && html`<section class="stack tight"><h2>${w.withLater}</h2>${figuresOf(view, sumOf(parts.map(({ figures }) => figures)))}</section>`}
${cashSection(view, cash)}
<p class="small">${w.notFiscalShort}</p>
</article>`
}

function figuresOf(view: SheetView, figures: DayFigures): Html {
  const w = words[view.language]
  const { sales, tax, takings, accounts } = figures
  if (sales.length + takings.length + tax.length === 0) return html`<p class="quiet">${w.nothingSold}</p>`
  return html`${sales.map(row => {
    const fact = (name: string, minor: number, isAlways = false) =>
      (isAlways || minor !== 0) && html`<dt>${name}</dt><dd class="num">${moneyText(view, minor, row)}</dd>`
    const credits = accounts.find(({ currency }) => currency === row.currency)?.credits ?? 0
    return html`<dl class="facts sums">
<dt>${w.ordersSold}</dt><dd class="num">${row.orders}</dd>
${fact(w.subtotal, row.subtotal)}${fact(w.discounts, -row.discounts, true)}${fact(w.serviceCharge, row.serviceCharge)}
${fact(w.deliveryFee, row.deliveryFee)}${fact(w.taxAdded, row.taxAdded)}
<dt class="total">${w.sales}</dt><dd class="num total">${moneyText(view, row.total, row)}</dd>
${fact(w.taxInIt, row.tax, true)}
<dt>${w.cancelled} (${row.cancelledOrders})</dt><dd class="num">${moneyText(view, row.cancelledTotal, row)}</dd>
${fact(w.credits, credits)}
</dl>`
  })}
${tax.length > 0 && taxTable(view, figures)}
${takings.length > 0 && methodTable(view, figures, w.methods)}`
}

function taxTable(view: SheetView, { tax }: DayFigures): Html {
  const w = words[view.language]
  const cell = (minor: number, row: InCurrency) => html`<td class="num">${moneyText(view, minor, row)}</td>`
  const hasUntaxed = tax.some(({ untaxed }) => untaxed !== 0)
  return html`<table class="plain-list small"><caption>${w.tax}</caption>
<thead><tr><th>${w.rate}</th><th class="num">${w.net}</th>${hasUntaxed && html`<th class="num">${w.untaxed}</th>`}<th class="num">${w.taxAmount}</th><th class="num">${w.gross}</th></tr></thead>
<tbody>${tax.map(
    row => html`<tr><th scope="row">${view.formats.number(row.ratePpm / 10_000)} %</th>
${cell(row.net, row)}${hasUntaxed && cell(row.untaxed, row)}${cell(row.tax, row)}${cell(row.total, row)}</tr>`,
  )}</tbody></table>`
}

function cashSection(view: SheetView, cash: CountedCash): Html {
  const w = words[view.language]
  const fact = (name: string, minor: number | null) =>
    html`<dt>${name}</dt><dd class="num">${minor === null ? w.notCounted : moneyText(view, minor, cash)}</dd>`
  return html`<section class="stack tight"><h2>${w.drawer}</h2>
${cash.float !== null && cash.float !== cash.carried && html`<dl class="facts sums">${fact(w.carried, cash.carried)}</dl>`}
${cashFacts(view, cash)}
<dl class="facts sums">${fact(w.counted, cash.counted)}${cash.difference !== null && fact(w.difference, cash.difference)}${fact(w.left, cash.left)}</dl>
${cash.pieces !== null && cash.pieces.length > 0 && html`<p class="small quiet">${view.formats.list(cash.pieces.map(({ value, pieces }) => `${pieces} × ${moneyText(view, value, cash)}`))}</p>`}
${cash.note !== null && html`<p>${w.note}: ${cash.note}</p>`}</section>`
}
