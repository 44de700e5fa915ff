import { UnreadableMenu } from './unreadable.ts'

// A menu that is larger than these is not one. They bound the time and memory that a conversion takes.
export const MOST_ROWS = 20_000
export const MOST_COLUMNS = 2_000
export const MOST_CELLS = 1_000_000
const MOST_BRANCHES = 100

/** A row of a table, by its number in the file. */
export interface Row {
  number: number
  cells: string[]
}

/** A table with a header. */
export interface Table {
  /** The names of the columns as they stand in the file. */
  columns: string[]
  rows: Row[]
  /** The position of a column by its name without regard to capitals, or undefined. Refuses a name that stands twice. */
  find(name: string): number | undefined
  /** Reads a cell without the space around it; a column that is not there is empty. */
  cell(row: Row, name: string): string
}

const LONGEST_NAME = 300

// Exports put up to five rows of instructions above the header, and somebody may have added one.
const MOST_ROWS_ABOVE = 10

/** The table below the first row that `isHeader` accepts; undefined when none of the first ones is. */
export function tableOf(rows: Row[], isHeader: (names: Set<string>) => boolean): Table | undefined {
  const index = rows.slice(0, MOST_ROWS_ABOVE).findIndex(({ cells }) => isHeader(new Set(cells.map(columnKey))))
  const header = rows[index]
  if (!header) return undefined
  const columns = header.cells.map(name =>
    name
      .slice(0, LONGEST_NAME)
      .replace(/^\uFEFF/, '')
      .trim(),
  )
  const positions = new Map<string, number>()
  const twice = new Set<string>()
  for (const [position, name] of columns.entries()) {
    const key = columnKey(name)
    if (positions.has(key)) twice.add(key)
    else positions.set(key, position)
  }
  function find(name: string): number | undefined {
    const key = columnKey(name)
    if (twice.has(key)) throw new UnreadableMenu(`has the column "${name}" more than once`)
    return positions.get(key)
  }
  const below = rows.slice(index + 1).filter(({ cells }) => cells.some(cell => cell.trim() !== ''))
  for (const { number, cells } of below) {
    if (cells.slice(columns.length).some(cell => cell.trim() !== '')) {
      throw new UnreadableMenu(`has more cells in row ${number} than its header has columns`)
    }
  }
  // A name is looked up for every cell.
  const found = new Map<string, number>()
  function cell(row: Row, name: string): string {
    const position = found.get(name) ?? find(name) ?? columns.length
    found.set(name, position)
    return row.cells[position]?.trim() ?? ''
  }
  return { columns, rows: below, find, cell }
}

/** The name of a column as it is compared. Square marks some with "(locked)". */
function columnKey(name: string): string {
  return name
    .slice(0, LONGEST_NAME)
    .replace(/^\uFEFF/, '')
    .replace(/\(locked\)\s*$/i, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** Refuses the branches of a chain: each has every price of its own. */
export function refuseChain(branches: { size: number }): void {
  if (branches.size > MOST_BRANCHES) throw new UnreadableMenu(`has more than ${MOST_BRANCHES} locations`)
}

/** True for the ways in which tables say yes. */
export function isYes(cell: string): boolean {
  return /^(y|yes|true|1)$/i.test(cell)
}

export function isNo(cell: string): boolean {
  return /^(n|no|false|0)$/i.test(cell)
}
