import type { Cell } from '../../../display/cell.ts'
import { locales } from '../../../display/language.ts'
import type { ReportName } from '../../../display/report.ts'
import { actorKindText, channelText, entryKindText, methodText, modeText } from '../../../display/terms.ts'
import type { Actor } from '../../../store/people/actor.ts'
import type { WantedPeriod } from '../../../store/reports/period.ts'
import { dayAfter, daysFrom, type Weekday, weekdays } from '../../../store/terms/clock.ts'
import { groupBy } from '../../../store/terms/rows.ts'
import { bars, columns, heat, line, type Mark } from '../../html/chart.ts'
import { type Html, html } from '../../html/html.ts'
import type { View } from '../../page/view.ts'
import { words } from '../words/reports.ts'

/** A report as it is compared: each row with its cells by key, and the main figure of the same row before. */
export interface ReportRow {
  cells: Map<string, Cell>
  before: number | null
}

/** What a report's picture shows: which column names its rows, and which is its main figure. */
export const pictures: Record<ReportName, { by: string[]; figure: string }> = {
  summary: { by: [], figure: 'total' },
  days: { by: ['date'], figure: 'total' },
  comparison: { by: ['date'], figure: 'total' },
  hours: { by: ['hour'], figure: 'total' },
  weekdays: { by: ['weekday', 'hour'], figure: 'total' },
  channels: { by: ['channel'], figure: 'total' },
  modes: { by: ['mode'], figure: 'total' },
  tables: { by: ['table', 'table_id'], figure: 'total' },
  items: { by: ['name', 'item_id', 'variation_id'], figure: 'amount' },
  modifiers: { by: ['title', 'modifier_id'], figure: 'amount' },
  tax: { by: ['rate', 'prices'], figure: 'total' },
  payments: { by: ['method'], figure: 'taken' },
  cancelled: { by: ['reason'], figure: 'total' },
  staff: { by: ['who'], figure: 'taken' },
  entries: { by: ['kind'], figure: 'amount' },
  stock: { by: ['stock_id', 'title'], figure: 'sold' },
}

const MOST_BARS = 15
const MOST_COLUMNS = 31

// Beyond a year and a bit, the days of a month are one point.
const MOST_DAYS = 400

/** The text of a cell on a page. */
export function cellText(view: View, key: string, cell: Cell | undefined, currency: string | null): string {
  if (!cell || cell.value === null) return ''
  const { formats } = view
  if (cell.kind === 'amount') {
    return currency === null
      ? formats.number(cell.value / 10 ** cell.exponent)
      : formats.money(cell.value, cell.exponent, currency)
  }
  if (cell.kind === 'quantity') return formats.number(cell.value / 10 ** cell.exponent)
  // The ids of dishes and orders are names, and not figures.
  if (cell.kind === 'count') return key.endsWith('_id') ? String(cell.value) : formats.number(cell.value)
  return wordText(view, key, cell.value)
}

function wordText({ language, formats }: View, key: string, value: string): string {
  const w = words[language]
  switch (key) {
    case 'channel':
      return channelText(value, language)
    case 'mode':
      return value === 'none' ? w.none : modeText(value, language)
    case 'method':
      return methodText(value, language)
    case 'kind':
      return entryKindText(value, language)
    case 'weekday':
      return weekdayText(language, weekdays.indexOf(value as Weekday))
    case 'table':
      return value === 'none' ? w.none : value
    case 'date':
    case 'date_before':
    case 'order_date':
      return formats.day(value)
    case 'at':
      return formats.dateTime(Date.parse(value))
    case 'who':
      if (value === 'guests and others') return w.others
      return value.replace(/(?<= \()(device|token|command)(?=\)$)/, kind =>
        actorKindText(kind as Actor['kind'], language),
      )
    case 'title':
      return value === 'the dishes themselves' ? w.dishes : value
    case 'prices':
      return value === 'include tax' ? w.includeTax : w.excludeTax
    default:
      return value
  }
}

function weekdayText(language: View['language'], index: number): string {
  // 5 January 2026 was a Monday.
  return new Intl.DateTimeFormat(locales[language], { weekday: 'short', timeZone: 'UTC' }).format(
    Date.UTC(2026, 0, 5 + index),
  )
}

/** Draws a report; `rows` are those of one currency. */
export function picture(
  view: View,
  name: ReportName,
  title: string,
  { rows, currency, period }: { rows: ReportRow[]; currency: string | null; period: WantedPeriod },
): Html | undefined {
  const { by, figure } = pictures[name]
  const exponent = rows.map(({ cells }) => cells.get(figure)).find(cell => cell && 'exponent' in cell)
  const scale = exponent && 'exponent' in exponent ? 10 ** exponent.exponent : 1
  const textOf = (minor: number) =>
    exponent ? cellText(view, figure, { ...exponent, value: minor } as Cell, currency) : String(minor)
  const figureOf = ({ cells }: ReportRow) => Number(cells.get(figure)?.value ?? 0)
  const label = by.find(key => !key.endsWith('_id')) ?? ''
  const markOf = (row: ReportRow, text = cellText(view, label, row.cells.get(label), currency)): Mark => ({
    label: text,
    value: figureOf(row) / scale,
    text: textOf(figureOf(row)),
    before: row.before === null ? undefined : { value: row.before / scale, text: textOf(row.before) },
  })
  const tickText = (value: number) => view.formats.number(value)

  switch (name) {
    case 'days':
    case 'comparison': {
      const marks = timeline(rows, period, { figureOf, textOf, scale })
      return marks.length <= MOST_COLUMNS ? columns(title, marks, tickText) : line(title, marks, tickText)
    }
    case 'hours': {
      const shown = new Map(rows.map(row => [hourOf(row), markOf(row, hourOf(row).slice(0, 2))]))
      const nothing = (hour: string) => ({ label: hour.slice(0, 2), value: 0, text: textOf(0) })
      return columns(
        title,
        hoursOf(rows).map(hour => shown.get(hour) ?? nothing(hour)),
        tickText,
      )
    }
    case 'weekdays': {
      const hours = hoursOf(rows)
      const at = (weekday: string, hour: string) =>
        rows.find(row => row.cells.get('weekday')?.value === weekday && hourOf(row) === hour)
      return heat(title, {
        rows: weekdays.map((_, index) => weekdayText(view.language, index)),
        columns: hours.map(hour => hour.slice(0, 2)),
        mark(day, hour) {
          const row = at(weekdays[day] ?? '', hours[hour] ?? '')
          return row && markOf(row, `${weekdayText(view.language, day)} ${hours[hour]}`)
        },
      })
    }
    default: {
      const marks = inSum(rows, name).map(row => ({
        ...markOf(row, labelOf(row)),
        ...(name === 'stock' && usedOf(view, row)),
      }))
      const largest = marks.sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, MOST_BARS)
      return html`${bars(title, largest)}${marks.length > MOST_BARS && html`<p class="quiet small">${words[view.language].largest(MOST_BARS)}</p>`}`
    }
  }

  function labelOf({ cells }: ReportRow): string {
    const text = cellText(view, label, cells.get(label), currency)
    if (name === 'tax') return `${text} %`
    return text === '' ? words[view.language].withoutReason : text
  }
}

/** Of stock, how much was sold of what there was: units differ, so amounts cannot be compared. */
function usedOf(view: View, { cells }: ReportRow): Pick<Mark, 'value' | 'text'> {
  const quantity = (key: string) => cells.get(key) ?? { kind: 'words', value: null }
  const [sold, left] = [Number(quantity('sold').value), Math.max(0, Number(quantity('on_hand').value))]
  const text = `${cellText(view, 'sold', quantity('sold'), null)} ${cellText(view, 'unit', quantity('unit'), null)}`
  return { value: sold + left === 0 ? 0 : Math.max(0, sold) / (sold + left), text }
}

/** Rows with the same name as one, in reports whose rows are single orders or entries. */
function inSum(rows: ReportRow[], name: ReportName): ReportRow[] {
  if (name !== 'cancelled' && name !== 'entries') return rows
  const { by, figure } = pictures[name]
  return [...groupBy(rows, ({ cells }) => cells.get(by[0] ?? '')?.value).values()].flatMap(group => {
    const [first] = group
    const cell = first?.cells.get(figure)
    if (!first || !cell || cell.kind === 'words') return []
    const value = group.reduce((sum, { cells }) => sum + Number(cells.get(figure)?.value ?? 0), 0)
    return [{ cells: new Map([...first.cells, [figure, { ...cell, value }]]), before: null }]
  })
}

/** Every day of a period, also those without sales; of a long period every month. */
function timeline(
  rows: ReportRow[],
  { from, to }: WantedPeriod,
  { figureOf, textOf, scale }: { figureOf(row: ReportRow): number; textOf(minor: number): string; scale: number },
): Mark[] {
  const isByMonth = daysFrom(from, to) > MOST_DAYS
  const keyOf = (date: string) => (isByMonth ? date.slice(0, 7) : date)
  const sums = new Map<string, { now: number; before: number | null }>()
  for (let date = from; date <= to; date = dayAfter(date)) sums.set(keyOf(date), { now: 0, before: null })
  for (const row of rows) {
    const sum = sums.get(keyOf(String(row.cells.get('date')?.value ?? '')))
    if (!sum) continue
    sum.now += figureOf(row)
    if (row.before !== null) sum.before = (sum.before ?? 0) + row.before
  }
  const isCompared = rows.some(({ before }) => before !== null)
  return [...sums].map(([key, { now, before }]) => ({
    label: isByMonth ? key : String(Number(key.slice(8))),
    value: now / scale,
    text: textOf(now),
    before: isCompared ? { value: (before ?? 0) / scale, text: textOf(before ?? 0) } : undefined,
  }))
}

function hourOf({ cells }: ReportRow): string {
  return String(cells.get('hour')?.value ?? '')
}

/** All hours from the first to the last of a business day. The rows of each weekday are in that order, so midnight may be within. */
function hoursOf(rows: ReportRow[]): string[] {
  const afterMidnight = new Set<string>()
  let [day, latest] = ['', '']
  for (const row of rows) {
    const [weekday, hour] = [String(row.cells.get('weekday')?.value), hourOf(row)]
    if (weekday !== day) [day, latest] = [weekday, hour]
    else if (hour < latest) afterMidnight.add(hour)
    else latest = hour
  }
  const places = rows.map(hourOf).map(hour => Number(hour.slice(0, 2)) + (afterMidnight.has(hour) ? 24 : 0))
  const [first, last] = [Math.min(...places), Math.max(...places)]
  return Array.from({ length: last - first + 1 }, (_, index) => `${String((first + index) % 24).padStart(2, '0')}:00`)
}
