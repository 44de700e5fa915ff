import { isUtf8 } from 'node:buffer'
import { type Delimiter, readCsv } from './file/csv.ts'
import { type Row, type Table, tableOf } from './file/table.ts'
import { UnreadableMenu } from './file/unreadable.ts'
import { sheetsOf } from './file/workbook.ts'
import { isLoyverseHeader } from './loyverse.ts'
import { isSquareHeader } from './square.ts'
import { isUberMenu } from './uber-eats.ts'

/** The kinds of file that can be converted, as people call them. */
export const menuKinds = {
  square: 'Square item library',
  loyverse: 'Loyverse item list',
  'uber-eats': 'Uber Eats menu',
  text: 'text list',
} as const
export type MenuKind = keyof typeof menuKinds

export function isMenuKind(value: unknown): value is MenuKind {
  return typeof value === 'string' && Object.hasOwn(menuKinds, value)
}

export type Recognised =
  | { kind: 'square' | 'loyverse'; table: Table }
  | { kind: 'uber-eats'; document: unknown }
  | { kind: 'text'; text: string }

/** The largest file that is converted, in bytes. Loyverse's own limit is 5 MB. */
export const MOST_BYTES = 16 * 1024 * 1024

// What a file of another kind begins with, and what to do with it instead.
const otherKinds: [start: string, sentence: string][] = [
  ['%PDF', 'is a PDF; copy its text into a text file, one dish a line'],
  ['\x89PNG', 'is a picture; type its dishes into a text file, one a line'],
  ['\xff\xd8\xff', 'is a picture; type its dishes into a text file, one a line'],
  ['\xd0\xcf\x11\xe0', 'is a workbook of the old kind; save it as .xlsx or .csv'],
  ['\x1f\x8b', 'is compressed; unpack it first'],
  ['\xff\xfe', 'is UTF-16; save it as UTF-8'],
  ['\xfe\xff', 'is UTF-16; save it as UTF-8'],
]

/** Tells what a file is by its bytes and its header, never by its name. Refuses what cannot be converted. */
export function recognise(bytes: Buffer): Recognised {
  if (bytes.length > MOST_BYTES) throw new UnreadableMenu(`is larger than ${MOST_BYTES / 1024 / 1024} MiB`)
  const start = bytes.toString('latin1', 0, 4)
  const other = otherKinds.find(([magic]) => start.startsWith(magic))
  if (other) throw new UnreadableMenu(other[1])
  if (start.startsWith('PK')) return recogniseWorkbook(bytes)
  if (!isUtf8(bytes)) throw new UnreadableMenu('is not a UTF-8 text; save it as UTF-8 (in Excel: "CSV UTF-8")')
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  if (text.includes('\0')) throw new UnreadableMenu('is not a text')
  const first = text.trimStart()
  if (first === '') throw new UnreadableMenu('is empty')
  if (first.startsWith('{') || first.startsWith('[')) return { kind: 'uber-eats', document: uberDocument(text) }
  if (first.startsWith('<'))
    throw new UnreadableMenu('is a web page or XML; copy its text into a text file, one dish a line')
  return recogniseCsv(text) ?? { kind: 'text', text }
}

/** The kind of a menu that can be converted, or undefined. */
export function kindOfMenu(bytes: Buffer): MenuKind | undefined {
  try {
    return recognise(bytes).kind
  } catch (error) {
    if (error instanceof UnreadableMenu) return undefined
    throw error
  }
}

function recogniseTable(rows: Row[]): Recognised | undefined {
  const square = tableOf(rows, isSquareHeader)
  if (square) return { kind: 'square', table: square }
  const loyverse = tableOf(rows, isLoyverseHeader)
  return loyverse && { kind: 'loyverse', table: loyverse }
}

function recogniseWorkbook(bytes: Buffer): Recognised {
  for (const rows of sheetsOf(bytes)) {
    const found = recogniseTable(rows)
    if (found) return found
  }
  throw new UnreadableMenu('is a workbook without the columns of a Square or Loyverse export in any sheet')
}

const delimiters: Delimiter[] = [',', ';', '\t']
const ROWS_TO_TRY = 20

function recogniseCsv(text: string): Recognised | undefined {
  // The start is enough to find the header, and cheap to read several times.
  for (const delimiter of delimiters) {
    if (!recogniseTable(readCsv(text, delimiter, ROWS_TO_TRY))) continue
    const rows = readCsv(text, delimiter)
    const found = recogniseTable(rows)
    if (found && 'table' in found) refuseCutOff(text, found.table)
    return found
  }
  if (delimiters.some(delimiter => isTabular(readCsv(text, delimiter, ROWS_TO_TRY)))) {
    throw new UnreadableMenu('is a table, but without the columns of a Square or Loyverse export')
  }
  return undefined
}

function isTabular(rows: Row[]): boolean {
  const [first, second] = rows
  const columns = first?.cells.length ?? 0
  return columns >= 4 && second?.cells.length === columns
}

/** A download that broke off ends within a row. */
function refuseCutOff(text: string, { columns, rows }: Table): void {
  const last = rows.at(-1)
  if (last && last.cells.length < columns.length && !/[\r\n]$/.test(text)) {
    throw new UnreadableMenu(`is cut off: row ${last.number} has ${last.cells.length} of ${columns.length} cells`)
  }
}

function uberDocument(text: string): unknown {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw new UnreadableMenu('is not valid JSON; it may be cut off')
  }
  if (isUberMenu(document)) return document
  const isOurs = typeof document === 'object' && document !== null && 'locations' in document
  throw new UnreadableMenu(
    isOurs ? 'looks like a restaurant file already; import it without --from' : 'is JSON, but not an Uber Eats menu',
  )
}
