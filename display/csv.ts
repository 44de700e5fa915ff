import { type Cell, valueText } from './cell.ts'

// Spreadsheets take a cell that begins so for a formula, wherever it came from. Full-width forms count in some of them.
const formula = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/u

// Half of Europe's spreadsheets separate fields by semicolons, some guess at tabs, and both ignore quotes that do not begin
// a field of theirs: what follows such a separator could begin a cell, too.
const formulaWithin = /([;\t\r\n][\s\0]*)(?=[=+\-@＝＋－＠])/gu
const needsQuotes = /[",;\t\r\n]/

/** A table by RFC 4180, without the last line break. Texts cannot become formulas; figures are plain decimals. */
export function csv(keys: string[], rows: Cell[][]): string {
  const lines = rows.map(cells =>
    cells.map(cell => (cell.kind === 'words' ? csvText(cell.value ?? '') : valueText(cell))),
  )
  return [keys, ...lines].map(fields => fields.join(',')).join('\r\n')
}

function csvText(value: string): string {
  const within = value.replace(formulaWithin, "$1'")
  const harmless = formula.test(value) ? `'${within}` : within
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
