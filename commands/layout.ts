import { type Cell, type Column, type Table, tableOf, valueText, words } from '../display/cell.ts'

/** A list in columns two spaces apart: words are left-aligned, figures right-aligned, with their units after them. */
export function table({ heads, rows, sums }: Table): string {
  const body = sums ? [...rows, sums] : rows
  const width = Math.max(heads.length, ...body.map(row => row.length))
  const columns = Array.from({ length: width }, (_, index) => {
    const cells = body.map(row => row[index])
    return aligned(heads.length === 0 ? undefined : (heads[index] ?? ''), cells)
  })
  const texts = columns[0]?.map((_, line) => columns.map(column => column[line] ?? '').join('  ')) ?? []
  return texts.map(line => line.trimEnd()).join('\n')
}

/** Rows in columns, with headings. */
export function list<Row>(columns: Column<Row>[], rows: Row[]): string {
  return table(tableOf(columns, rows))
}

/** Rows of words in columns, without headings. */
export function lines(rows: string[][]): string {
  return table({ heads: [], rows: rows.map(row => row.map(words)), sums: null })
}

/** The texts of one column, padded to the same width. */
function aligned(head: string | undefined, cells: (Cell | undefined)[]): string[] {
  const isFigure = cells.some(cell => cell && cell.kind !== 'words')
  const values = cells.map(cell => (cell ? oneLine(valueText(cell)) : ''))
  const units = cells.map(cell => (cell && cell.kind !== 'words' && cell.unit ? ` ${cell.unit}` : ''))
  const unitWidth = Math.max(0, ...units.map(unit => unit.length))
  const valueWidth = Math.max(0, (head?.length ?? 0) - unitWidth, ...values.map(value => value.length))
  const texts = values.map((value, index) => {
    const shown = isFigure ? value.padStart(valueWidth) : value.padEnd(valueWidth)
    return shown + (units[index] ?? '').padEnd(unitWidth)
  })
  const width = valueWidth + unitWidth
  return head === undefined ? texts : [isFigure ? head.padStart(width) : head.padEnd(width), ...texts]
}

/** A guest's text on one line, so that it cannot imitate a line of our output. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ⏎ ')
}

/**
 * A text that is safe for a terminal: control characters and bidirectional controls are shown by their code points. Line
 * breaks are unchanged.
 */
export function printable(text: string): string {
  return text.replace(/(?!\r?\n|\r$)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, escaped)
}

/** One JSON value on a line, with control characters, line separators and bidirectional controls escaped. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
