import { type Cell, valueText } from './cell.ts'

// Spreadsheets treat a cell that begins with one of these as a formula, some of them also with full-width forms.
const formula = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/u

// Spreadsheets of many European locales separate fields by semicolons, and some guess tabs. Both ignore quotes that are not
// at the start of such a field, so the text after such a separator could begin a cell, too.
const formulaWithin = /([;\t\r\n][\s\0]*)(?=[=+\-@＝＋－＠])/gu
const needsQuotes = /[",;\t\r\n]/

/** A table as in RFC 4180, without the last line break. Texts cannot become formulas; figures are plain decimals. */
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
