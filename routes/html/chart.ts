import { type Html, html } from './html.ts'

/** One value of a chart. Values are drawn as they are; `text` is how people read them. */
export interface Mark {
  label: string
  value: number
  text: string
  /** The same some weeks before. */
  before?: { value: number; text: string } | undefined
}

/** How tall an upright chart is, in CSS pixels, and where its lowest and its highest line are. */
const HEIGHT = 240
const FLOOR = 206
const CEILING = 22

const ROW = 44
const CELL = 34

// More labels would overlap on a phone.
const MOST_LABELS = 8

/**
 * Steps of 1, 2 or 5 times a power of ten from 0 (or from below the lowest value) to the highest value or above: three to
 * six of them.
 */
export function niceTicks(lowest: number, highest: number): number[] {
  const most = Math.max(highest, 0)
  const least = Math.min(lowest, 0)
  const span = most - least || 1
  const power = 10 ** Math.floor(Math.log10(span / 4))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(each => span / each <= 5) ?? span
  const first = Math.floor(least / step)
  const last = Math.max(Math.ceil(most / step), first + 1)
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

/** Horizontal bars, one below the other, each with its label and its value: for names. */
export function bars(title: string, marks: Mark[]): Html {
  const most = Math.max(...marks.flatMap(mark => [mark.value, mark.before?.value ?? 0]).map(Math.abs), 0) || 1
  const share = (value: number) => percent(Math.abs(value) / most)
  return html`<svg class="chart bars" role="img" height="${marks.length * ROW}"><title>${title}</title>
${marks.map(({ label, value, text, before }, index) => {
  const top = index * ROW
  return html`<g><text x="0" y="${top + 18}">${shortened(label)}</text>
<text class="value" x="100%" y="${top + 18}" text-anchor="end">${text}</text>
<rect class="track" x="0" y="${top + 25}" width="100%" height="10" rx="3"/>
<rect class="${value < 0 ? 'below' : 'bar'}" x="0" y="${top + 25}" width="${share(value)}" height="10" rx="3"/>
${before && html`<rect class="before" x="0" y="${top + 22}" width="${share(before.value)}" height="16" rx="3"/>`}</g>`
})}
</svg>`
}

/** Upright bars side by side: for hours and for the days of a month. `tickText` writes the values of the scale. */
export function columns(title: string, marks: Mark[], tickText: (value: number) => string): Html {
  const { scale, y } = scaleOf(marks, tickText)
  const slot = 100 / (marks.length || 1)
  const column = (index: number, value: number, width: number, kind: string, text: string) => {
    const [top, bottom] = value >= 0 ? [y(value), y(0)] : [y(0), y(value)]
    const left = slot * (index + (1 - width) / 2)
    return html`<rect class="${kind}" x="${round(left)}%" y="${round(top)}" width="${round(slot * width)}%" height="${round(bottom - top)}" rx="2"><title>${text}</title></rect>`
  }
  return html`<svg class="chart upright" role="img" height="${HEIGHT}"><title>${title}</title>
${scale}
${marks.map(({ label, value, text, before }, index) => [
  before && column(index, before.value, 0.86, 'before', `${label}: ${before.text}`),
  column(index, value, before ? 0.5 : 0.72, 'bar', `${label}: ${text}`),
])}
${axis(marks, slot)}
</svg>`
}

/** A line from value to value: for many days. What was before is a dashed one. */
export function line(title: string, marks: Mark[], tickText: (value: number) => string): Html {
  const { scale, y } = scaleOf(marks, tickText)
  const slot = 100 / (marks.length || 1)
  const x = (index: number) => `${round(slot * (index + 0.5))}%`
  const drawn = (values: (number | undefined)[], kind: string) =>
    values.slice(1).map((value, index) => {
      const last = values[index]
      if (value === undefined || last === undefined) return undefined
      return html`<line class="${kind}" x1="${x(index)}" y1="${round(y(last))}" x2="${x(index + 1)}" y2="${round(y(value))}"/>`
    })
  return html`<svg class="chart upright" role="img" height="${HEIGHT}"><title>${title}</title>
${scale}
${drawn(
  marks.map(({ before }) => before?.value),
  'line-before',
)}
${drawn(
  marks.map(({ value }) => value),
  'line',
)}
${marks.length === 1 && html`<circle class="bar" cx="50%" cy="${round(y(marks[0]?.value ?? 0))}" r="4"/>`}
${axis(marks, slot)}
</svg>`
}

/** A grid of fields that are the stronger the higher their value: for hours of weekdays. `undefined` is an empty field. */
export function heat(
  title: string,
  {
    rows,
    columns: heads,
    mark,
  }: { rows: string[]; columns: string[]; mark(row: number, column: number): Mark | undefined },
): Html {
  const marks = rows.map((_, row) => heads.map((_, column) => mark(row, column)))
  const most = Math.max(...marks.flat().map(each => each?.value ?? 0), 0) || 1
  const slot = 100 / (heads.length || 1)
  const top = 24
  return html`<svg class="chart heat" role="img" height="${top + rows.length * CELL}"><title>${title}</title>
${labelled(heads).map(
  ([label, index]) => html`<text x="${round(slot * (index + 0.5))}%" y="14" text-anchor="middle">${label}</text>`,
)}
${rows.map((label, row) => [
  html`<text x="-8" y="${top + row * CELL + 21}" text-anchor="end">${label}</text>`,
  heads.map((_, index) => {
    const each = marks[row]?.[index]
    return html`<rect class="${each ? 'bar' : 'track'}" x="${round(slot * index)}%" y="${top + row * CELL}" width="${round(slot * 0.94)}%" height="${CELL - 3}" rx="3" fill-opacity="${each && round(0.14 + 0.86 * (Math.max(0, each.value) / most))}">${each && html`<title>${each.label}: ${each.text}</title>`}</rect>`
  }),
])}
</svg>`
}

/** The lines and values of an upright scale, and where a value is on it. */
function scaleOf(marks: Mark[], tickText: (value: number) => string) {
  const values = marks.flatMap(({ value, before }) => [value, before?.value ?? value])
  const ticks = niceTicks(Math.min(...values, 0), Math.max(...values, 0))
  const [least = 0, most = 1] = [ticks[0], ticks.at(-1)]
  const y = (value: number) => FLOOR - ((value - least) / (most - least)) * (FLOOR - CEILING)
  const scale = ticks.map(
    tick =>
      html`<line class="${tick === 0 ? 'floor' : 'grid'}" x1="0" x2="100%" y1="${round(y(tick))}" y2="${round(y(tick))}"/>
<text x="-8" y="${round(y(tick)) + 4}" text-anchor="end">${tickText(tick)}</text>`,
  )
  return { scale, y }
}

function axis(marks: Mark[], slot: number): Html[] {
  return labelled(marks.map(({ label }) => label)).map(
    ([label, index]) =>
      html`<text x="${round(slot * (index + 0.5))}%" y="${FLOOR + 22}" text-anchor="middle">${label}</text>`,
  )
}

/** The labels that have room, with their places. */
function labelled(labels: string[]): [label: string, index: number][] {
  const every = Math.ceil(labels.length / MOST_LABELS)
  return labels.map((label, index): [string, number] => [label, index]).filter(([, index]) => index % every === 0)
}

// Beside a value on a phone there is no room for more.
function shortened(label: string): string {
  const characters = [...label]
  return characters.length > 26 ? `${characters.slice(0, 25).join('')}…` : label
}

function percent(share: number): string {
  return `${round(100 * share)}%`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
