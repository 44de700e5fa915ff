import type { Cell } from '../../../display/cell.ts'
import { refusalText } from '../../../display/refusal.ts'
import { mostDays, type ReportName, reportNames, type ShownReport } from '../../../display/report.ts'
import { channelText } from '../../../display/terms.ts'
import { type Period, periodBefore, shiftOf } from '../../../store/reports/period.ts'
import { type Channel, channels } from '../../../store/terms/channels.ts'
import { dayBefore, daysAfter, weekdayOf, weekdays } from '../../../store/terms/clock.ts'
import { isRefused, type Refusal } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { Query } from '../../html/link.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { locationOf } from '../money/money.ts'
import { heads, ownHeads, reportTitles, words } from '../words/reports.ts'
import { cellText, picture, pictures, type ReportRow } from './report-picture.ts'

/** What the address of the page asks for. */
interface Wanted {
  name: ReportName
  from: string
  to: string
  location: string
  channel: Channel | undefined
  isCompared: boolean
}

const ROWS_SHOWN = 200

// One compares already; in the others no row has a counterpart in another week.
const notCompared: ReportName[] = ['comparison', 'cancelled', 'entries']

/** GET {basePath}/office/reports: a report as a picture and a table, by the filters in the address. */
export const readReports: Handler<PersonCaller> = async (app, call) => {
  const wanted = wantedOf(call)
  if (!wanted) return refuse('NOT_FOUND')
  const view = viewOf(app, call)
  const period = periodOf(app, wanted)
  if (isRefused(period)) return reportsPage(app, view, wanted, { refusal: period })
  const { name, isCompared } = wanted
  // The picture of a summary: the hours of one day, or the days of more.
  const drawn = name !== 'summary' ? name : period.from === period.to ? 'hours' : 'days'
  const names = drawn === name ? [name] : [name, drawn]
  const [now, before = []] = await readAll(app, names, isCompared ? [period, periodBefore(period)] : [period])
  const [shown] = now ?? []
  const picture = { name: drawn, shown: now?.at(-1), before: before.at(-1) }
  return reportsPage(
    app,
    view,
    { ...wanted, from: period.from, to: period.to },
    { period, shown, before: before[0], picture },
  )
}

/** Reads some reports of each period, in one turn of the reading thread. */
async function readAll(app: App, names: ReportName[], periods: Period[]): Promise<ShownReport[][]> {
  const read = await app.reader.read(
    'reports',
    periods.flatMap(period => names.map((name): [ReportName, Period] => [name, period])),
  )
  return periods.map((_, index) => read.slice(index * names.length, (index + 1) * names.length))
}

/** GET {basePath}/office/reports/csv: the same report as a file for a spreadsheet. */
export const downloadReport: Handler<PersonCaller> = async (app, call) => {
  const wanted = wantedOf(call)
  if (!wanted) return refuse('NOT_FOUND')
  const period = periodOf(app, wanted)
  if (isRefused(period)) return reportsPage(app, viewOf(app, call), wanted, { refusal: period })
  const csv = await app.reader.read('reportCsv', wanted.name, period)
  return {
    kind: 'bytes',
    type: 'text/csv; charset=utf-8',
    // Without the mark, spreadsheets take the text for another encoding.
    bytes: Buffer.from(`\ufeff${csv}\r\n`),
    fileName: `${wanted.name}-${period.from}-${period.to}.csv`,
  }
}

function wantedOf({ exchange }: Call<PersonCaller>): Wanted | undefined {
  const query = queryOf(exchange.request)
  const one = (name: string) => (query.get(name) ?? '').trim().slice(0, 100)
  const name = one('report') === '' ? 'summary' : reportNames.find(known => known === one('report'))
  const channel = channels.find(known => known === one('channel'))
  if (!name || (one('channel') !== '' && !channel)) return undefined
  return {
    name,
    from: one('from'),
    to: one('to'),
    location: one('location'),
    channel,
    isCompared: one('compare') !== '' && !notCompared.includes(name),
  }
}

function periodOf({ store }: App, { name, from, to, location, channel }: Wanted) {
  const place = store.catalogue.current().locations.find(({ id }) => String(id) === location)
  if (location !== '' && !place) return { refused: 'unknown location', location: Number(location) } as Refusal
  return store.reports.period({
    from: from === '' ? undefined : from,
    to: to === '' ? undefined : to,
    locationId: place?.id,
    channel,
    mostDays: mostDays[name],
  })
}

interface Read {
  refusal?: Refusal
  period?: Period
  shown?: ShownReport | undefined
  before?: ShownReport | undefined
  /** The report that is drawn: the same, but of a summary its hours or days. */
  picture?: { name: ReportName; shown: ShownReport | undefined; before: ShownReport | undefined }
}

function reportsPage(app: App, view: View, wanted: Wanted, read: Read): Reply {
  const w = words[view.language]
  const { refusal, period, shown } = read
  const csv = view.link('/office/reports/csv', queryFor(wanted))
  const title = reportTitles[view.language][wanted.name]
  return page(view, {
    title: w.title,
    room: 'reports',
    status: refusal ? 422 : 200,
    aside: html`<div class="actions"><button class="button" type="button" data-print="" hidden="">${w.print}</button>
<a class="button" href="${csv}">${w.csv}</a></div>`,
    body: html`<nav class="chips" aria-label="${w.which}">${reportNames.map(
      name =>
        html`<a class="chip" href="${view.link('/office/reports', queryFor({ ...wanted, name }))}" aria-current="${name === wanted.name && 'page'}">${reportTitles[view.language][name]}</a>`,
    )}</nav>
${filters(app, view, wanted, refusal)}
${
  period &&
  html`<h2>${title}, ${w.before(view.formats.day(period.from), view.formats.day(period.to))}</h2>
<p class="quiet">${[view.siteTitle, placeTitle(app, wanted), wanted.channel && channelText(wanted.channel, view.language)].filter(Boolean).join(' · ')}</p>`
}
${
  shown &&
  period &&
  (shown.sections.length === 0
    ? html`<p class="card empty">${w.nothing}</p>`
    : shown.sections.map(({ currency }) => section(view, wanted.name, currency, period, read)))
}
<p class="quiet small">${w.notFiscal}</p>`,
  })
}

function placeTitle({ store }: App, { location }: Wanted): string | undefined {
  return store.catalogue.current().locations.find(({ id }) => String(id) === location)?.title
}

function queryFor({ name, from, to, location, channel, isCompared }: Wanted): Query {
  return { report: name, from, to, location, channel, compare: isCompared ? 1 : null }
}

function filters(app: App, view: View, wanted: Wanted, refusal: Refusal | undefined): Html {
  const w = words[view.language]
  const { locations } = app.store.catalogue.current()
  const chosen = (isChosen: boolean) => isChosen && true
  return html`<nav class="chips no-print" aria-label="${w.periods}">${presets(app, wanted).map(
    ({ key, from, to }) =>
      html`<a class="chip" href="${view.link('/office/reports', queryFor({ ...wanted, from, to }))}" aria-current="${from === wanted.from && to === wanted.to && 'true'}">${w[key]}</a>`,
  )}</nav>
<form class="row card filters no-print" method="get" action="${view.link('/office/reports')}">
<input type="hidden" name="report" value="${wanted.name}">
${refusal && html`<p class="note bad whole" role="alert">${refusalText(refusal, view.language)}</p>`}
<div class="field"><label for="from">${w.from}</label><input id="from" name="from" type="date" value="${wanted.from}"></div>
<div class="field"><label for="to">${w.to}</label><input id="to" name="to" type="date" value="${wanted.to}"></div>
${
  locations.length > 1 &&
  html`<div class="field"><label for="location">${w.location}</label><select id="location" name="location">
<option value="">${w.allLocations}</option>${locations.map(
    ({ id, title }) =>
      html`<option value="${id}" selected="${chosen(String(id) === wanted.location)}">${title}</option>`,
  )}</select></div>`
}
<div class="field"><label for="channel">${w.channel}</label><select id="channel" name="channel">
<option value="">${w.allChannels}</option>${channels.map(
    channel =>
      html`<option value="${channel}" selected="${chosen(channel === wanted.channel)}">${channelText(channel, view.language)}</option>`,
  )}</select></div>
${
  !notCompared.includes(wanted.name) &&
  html`<label class="choice"><input type="checkbox" name="compare" value="1" checked="${chosen(wanted.isCompared)}"> ${w.compare}</label>`
}
<button class="button primary">${w.show}</button></form>`
}

/** The usual periods, by the business date of the location that is chosen. */
function presets(app: App, { location }: Wanted) {
  const place = locationOf(app, new URLSearchParams(location === '' ? {} : { location }))
  const period = app.store.reports.period({ locationId: place?.id })
  const today = isRefused(period) ? '1970-01-01' : period.to
  const monday = daysAfter(today, -weekdays.indexOf(weekdayOf(today)))
  const first = `${today.slice(0, 8)}01`
  const lastOfMonth = dayBefore(first)
  return [
    { key: 'today', from: today, to: today },
    { key: 'yesterday', from: dayBefore(today), to: dayBefore(today) },
    { key: 'thisWeek', from: monday, to: today },
    { key: 'lastWeek', from: daysAfter(monday, -7), to: dayBefore(monday) },
    { key: 'thisMonth', from: first, to: today },
    { key: 'lastMonth', from: `${lastOfMonth.slice(0, 8)}01`, to: lastOfMonth },
  ] as const
}

interface Compared {
  shown: ShownReport
  before?: ShownReport | undefined
  period: Period
}

/** The rows of a report in one currency, each with its main figure before; rows that were only before come last. */
function comparedRows(name: ReportName, currency: string | null, { shown, before, period }: Compared): ReportRow[] {
  const { by, figure } = pictures[name]
  const rowsOf = (report: ShownReport | undefined) => {
    const table = report?.sections.find(each => each.currency === currency)?.table
    return (table?.rows ?? []).map(row => new Map(row.map((cell, index) => [table?.keys?.[index] ?? '', cell])))
  }
  const now = rowsOf(shown)
  if (!before) return now.map(cells => ({ cells, before: null }))
  // Days are compared by their place in the period, and all others by their names.
  const earlier = rowsOf(before).map(cells => {
    const date = cells.get('date')
    return date?.kind === 'words' && date.value !== null
      ? new Map([...cells, ['date', { ...date, value: daysAfter(date.value, shiftOf(period)) }]])
      : cells
  })
  const keyOf = (cells: Map<string, Cell>) => JSON.stringify(by.map(key => cells.get(key)?.value))
  const values = new Map(earlier.map(cells => [keyOf(cells), Number(cells.get(figure)?.value ?? 0)]))
  const found = new Set(now.map(keyOf))
  const gone = earlier.filter(cells => !found.has(keyOf(cells)))
  return [
    ...now.map(cells => ({ cells, before: values.get(keyOf(cells)) ?? 0 })),
    ...gone.map(cells => ({ cells: emptied(cells), before: values.get(keyOf(cells)) ?? 0 })),
  ]
}

/** A row without its figures. */
function emptied(cells: Map<string, Cell>): Map<string, Cell> {
  const zero = ([key, cell]: [string, Cell]): [string, Cell] =>
    cell.kind === 'words' || key.endsWith('_id') ? [key, cell] : [key, { ...cell, value: 0 }]
  return new Map([...cells].map(zero))
}

function section(view: View, name: ReportName, currency: string | null, period: Period, read: Read): Html {
  const { shown, before } = read
  const table = shown?.sections.find(each => each.currency === currency)?.table
  if (!shown || !table) return html``
  const w = words[view.language]
  const rows = comparedRows(name, currency, { shown, before, period })
  const isCompared = before !== undefined || name === 'comparison'
  return html`<section class="card stack">${currencyHead(shown, currency)}${drawing(view, currency, period, read)}${isCompared && legend(view, period)}
${name === 'summary' ? summaryTables(view, currency, { shown, before, period }) : reportTable(view, name, { rows, currency, keys: table.keys ?? [], sums: table.sums })}
${rows.length > ROWS_SHOWN && html`<p class="quiet small">${w.more(ROWS_SHOWN, rows.length)}</p>`}</section>`
}

function drawing(view: View, currency: string | null, period: Period, { picture: drawn }: Read): Html | undefined {
  if (!drawn?.shown) return undefined
  const { name, shown, before } = drawn
  const rows = comparedRows(name, currency, { shown, before, period }).map(row =>
    name === 'comparison' ? { ...row, before: Number(row.cells.get('total_before')?.value ?? 0) } : row,
  )
  return picture(view, name, reportTitles[view.language][name], { rows, currency, period })
}

function currencyHead(shown: ShownReport, currency: string | null): Html | undefined {
  return shown.sections.length > 1 ? html`<h3>${currency}</h3>` : undefined
}

function legend(view: View, period: Period): Html {
  const w = words[view.language]
  const then = periodBefore(period)
  return html`<p class="legend"><span>${w.now}</span><span class="was">${w.before(view.formats.day(then.from), view.formats.day(then.to))}</span></p>`
}

function headOf(view: View, name: ReportName, key: string): string {
  const known: Record<string, string> = heads[view.language]
  return ownHeads[view.language][name]?.[key] ?? known[key] ?? key
}

interface Tabled {
  rows: ReportRow[]
  currency: string | null
  keys: string[]
  sums: Cell[] | null
}

function reportTable(view: View, name: ReportName, { rows, currency, keys, sums }: Tabled): Html {
  const w = words[view.language]
  const isCompared = rows.some(({ before }) => before !== null)
  const { figure } = pictures[name]
  const isFigure = (key: string) => rows.some(({ cells }) => (cells.get(key)?.kind ?? 'words') !== 'words')
  const isEmpty = (key: string) => isFigure(key) && rows.every(({ cells }) => !cells.get(key)?.value)
  // An id tells apart what has the same name, in the CSV; people read the name. The CSV also has the columns of zeros.
  const shownKeys = keys.filter(key => !key.endsWith('_id') && (key === figure || !isEmpty(key)))
  const kindOf = (key: string) => (isFigure(key) ? 'num' : /^(date|hour|at|order_)/.test(key) ? 'whole' : '')
  const figureText = (value: number, { cells }: ReportRow) => {
    const cell = cells.get(figure)
    return cell && cell.kind !== 'words' ? cellText(view, figure, { ...cell, value }, currency) : ''
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${reportTitles[view.language][name]}"><table class="report">
<thead><tr>${shownKeys.map(key => html`<th class="${kindOf(key)}" scope="col">${headOf(view, name, key)}</th>`)}
${isCompared && html`<th class="num" scope="col">${w.earlier}</th><th class="num" scope="col">${w.change}</th>`}</tr></thead>
<tbody>${rows.slice(0, ROWS_SHOWN).map(
    row => html`<tr>${shownKeys.map(
      key => html`<td class="${kindOf(key)}">${cellText(view, key, row.cells.get(key), currency)}</td>`,
    )}
${isCompared && html`<td class="num">${figureText(row.before ?? 0, row)}</td><td class="num">${figureText(Number(row.cells.get(figure)?.value ?? 0) - (row.before ?? 0), row)}</td>`}</tr>`,
  )}</tbody>
${
  sums &&
  html`<tfoot><tr>${shownKeys.map((key, index) => {
    const cell = sums[keys.indexOf(key)]
    const text = index === 0 ? w.inTotal : cell && cell.kind !== 'words' ? cellText(view, key, cell, currency) : ''
    return html`<td class="${kindOf(key)}">${text}</td>`
  })}${isCompared && html`<td></td><td></td>`}</tr></tfoot>`
}</table></div>`
}

/** One currency of a summary: what was sold and cancelled, and the accounts from both sides. */
function summaryTables(view: View, currency: string | null, { shown, before, period }: Compared): Html {
  const w = words[view.language]
  const [row] = comparedRows('summary', currency, { shown, period })
  const [earlier] = before ? comparedRows('summary', currency, { shown: before, period }) : []
  if (!row) return html``
  const keys = [...row.cells.keys()]
  const text = (key: string, cell = row.cells.get(key)) => cellText(view, key, cell, currency)
  const change = (key: string): string => {
    const [now, then] = [row.cells.get(key), earlier?.cells.get(key)]
    if (!now || now.kind === 'words') return ''
    return cellText(view, key, { ...now, value: Number(now.value) - Number(then?.value ?? 0) }, currency)
  }
  const hasValue = (key: string) => Boolean(row.cells.get(key)?.value || earlier?.cells.get(key)?.value)
  const sold = keys.filter(key => !/^(orders|days)_/.test(key) && (key === 'total' || hasValue(key)))
  const accounts = keys.filter(key => key.startsWith('orders_')).map(key => key.slice('orders_'.length))
  return html`<div class="columns"><div class="scroll" tabindex="0" role="region" aria-label="${w.sold}"><table class="plain-list"><caption>${w.sold}</caption>
${before && html`<thead><tr><td></td><th class="num">${w.now}</th><th class="num">${w.earlier}</th><th class="num">${w.change}</th></tr></thead>`}
<tbody>${sold.map(
    key => html`<tr><th scope="row">${headOf(view, 'summary', key)}</th><td class="num">${text(key)}</td>
${before && html`<td class="num">${earlier ? text(key, earlier.cells.get(key)) : ''}</td><td class="num">${change(key)}</td>`}</tr>`,
  )}</tbody></table></div>
<div class="scroll" tabindex="0" role="region" aria-label="${w.ledger}"><table class="plain-list"><caption>${w.ledger}</caption><thead><tr><td></td><th class="num">${w.ofOrders}</th><th class="num">${w.ofDays}</th></tr></thead>
<tbody>${accounts.map(
    key =>
      html`<tr><th scope="row">${headOf(view, 'summary', key)}</th><td class="num">${text(`orders_${key}`)}</td><td class="num">${text(`days_${key}`)}</td></tr>`,
  )}</tbody></table></div></div>`
}
