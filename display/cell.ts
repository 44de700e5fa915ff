import { decimalText } from '../store/terms/money.ts'

/** One word or figure of a list. Figures with decimals are integers of the last decimal. */
export type Cell =
  | { kind: 'words'; value: string | null }
  | { kind: 'count'; value: number | null; unit?: string }
  /** Shown with all its decimals, like money; its unit is a currency. */
  | { kind: 'amount'; value: number; exponent: number; unit?: string }
  /** Shown without trailing zeros. */
  | { kind: 'quantity'; value: number; exponent: number; unit?: string }

/** A column of a list, the same on a page, in a terminal, in CSV and in JSON. */
export interface Column<Row> {
  /** Its name in CSV and JSON. */
  key: string
  /** Its name for people. */
  head: string
  cell(row: Row): Cell
  /** Whether its figures can be added up. */
  adds?: boolean
}

export const words = (value: string | null): Cell => ({ kind: 'words', value })
export const count = (value: number | null, unit?: string): Cell => ({ kind: 'count', value, ...(unit && { unit }) })
export const amount = (value: number, exponent: number, unit?: string): Cell => ({
  kind: 'amount',
  value,
  exponent,
  ...(unit && { unit }),
})
export const quantity = (value: number, exponent: number, unit?: string): Cell => ({
  kind: 'quantity',
  value,
  exponent,
  ...(unit && { unit }),
})

/** The text of a cell, without its unit. */
export function valueText(cell: Cell): string {
  if (cell.kind === 'amount') return decimalText(cell.value, cell.exponent)
  if (cell.kind === 'quantity') return String(cell.value / 10 ** cell.exponent)
  return String(cell.value ?? '')
}

export function cellJson(cell: Cell): string | number | null {
  return 'exponent' in cell ? cell.value / 10 ** cell.exponent : cell.value
}

/** A list that is ready for layout: its headings (none: []), its rows, and a row of sums below them. */
export interface Table {
  /** The keys of its columns, where it was made of columns. */
  keys?: string[]
  heads: string[]
  rows: Cell[][]
  sums: Cell[] | null
}

export function tableOf<Row>(columns: Column<Row>[], rows: Row[]): Table {
  const cells = rows.map(row => columns.map(column => column.cell(row)))
  return {
    keys: columns.map(({ key }) => key),
    heads: columns.map(({ head }) => head),
    rows: cells,
    sums: sumsOf(columns, cells),
  }
}

/** Null if there are fewer than two rows. */
function sumsOf<Row>(columns: Column<Row>[], rows: Cell[][]): Cell[] | null {
  if (rows.length < 2 || !columns.some(({ adds }) => adds)) return null
  return columns.map(({ adds }, index) => {
    const cells = rows.map(row => row[index])
    const first = cells[0]
    if (!adds || !first || first.kind === 'words') return words(index === 0 ? 'Total' : null)
    return { ...first, value: cells.reduce((sum, cell) => sum + Number(cell?.value), 0) }
  })
}
