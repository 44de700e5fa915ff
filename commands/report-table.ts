import { decimalText } from '../store/terms/money.ts'

/** One word or figure of a report. Figures with decimals are whole numbers of the last of them. */
export type Cell =
  | { kind: 'words'; value: string | null }
  | { kind: 'count'; value: number | null }
  /** Shown with all its decimals, as money is. */
  | { kind: 'amount'; value: number; exponent: number }
  /** Shown with the decimals that it needs. */
  | { kind: 'quantity'; value: number; exponent: number }

export interface Column<Row> {
  /** Its name in CSV and JSON. */
  key: string
  /** Its name for people. */
  head: string
  cell(row: Row): Cell
  /** Whether its figures make sense as a sum. */
  adds?: boolean
}

export const words = (value: string | null): Cell => ({ kind: 'words', value })
export const count = (value: number | null): Cell => ({ kind: 'count', value })
export const amount = (value: number, exponent: number): Cell => ({ kind: 'amount', value, exponent })
export const quantity = (value: number, exponent: number): Cell => ({ kind: 'quantity', value, exponent })

/** A cell as people read it. */
export function cellText(cell: Cell): string {
  if (cell.kind === 'amount') return decimalText(cell.value, cell.exponent)
  if (cell.kind === 'quantity') return String(cell.value / 10 ** cell.exponent)
  return String(cell.value ?? '')
}

export function cellJson(cell: Cell): string | number | null {
  return 'exponent' in cell ? cell.value / 10 ** cell.exponent : cell.value
}

// Spreadsheets take a cell that begins so for a formula, wherever it came from. Full-width forms count in some of them.
const formula = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/u

/** A table as RFC 4180 has it, without the last line break. Texts can not become formulas; figures are plain decimals. */
export function csv(keys: string[], rows: Cell[][]): string {
  const lines = rows.map(cells => cells.map(cell => (cell.kind === 'words' ? csvText(cell.value) : cellText(cell))))
  return [keys, ...lines].map(fields => fields.join(',')).join('\r\n')
}

function csvText(value: string | null): string {
  if (value === null) return ''
  const harmless = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Rows in columns: words to the left, figures to the right, and a line of sums under them when there is more than one. */
export function figures<Row>(columns: Column<Row>[], rows: Row[]): string {
  const body = rows.map(row => columns.map(column => column.cell(row)))
  const sums = columns.map((column, index): Cell => {
    const cells = body.map(cells => cells[index])
    const first = cells[0]
    if (!column.adds || !first || first.kind === 'words') return words(index === 0 ? 'Total' : null)
    return { ...first, value: cells.reduce((sum, cell) => sum + Number(cell?.value), 0) }
  })
  const isSummed = body.length > 1 && columns.some(({ adds }) => adds)
  const lines = [
    columns.map(({ head }) => head),
    ...[...body, ...(isSummed ? [sums] : [])].map(row => row.map(cellText)),
  ]
  const isFigure = columns.map((_, index) => body[0]?.[index]?.kind !== 'words')
  return aligned(lines, isFigure)
}

/** Columns two spaces apart, those that `isRight` says with their ends below each other. */
export function aligned(lines: string[][], isRight: boolean[]): string {
  const widths: number[] = []
  for (const line of lines) {
    for (const [index, cell] of line.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length)
  }
  return lines
    .map(line =>
      line
        .map((cell, index) => (isRight[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
