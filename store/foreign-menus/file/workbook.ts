import { unescaped } from './plain-text.ts'
import { MOST_CELLS, MOST_COLUMNS, MOST_ROWS, type Row } from './table.ts'
import { UnreadableMenu } from './unreadable.ts'
import { archive } from './zip.ts'

const MOST_SHEETS = 10

/**
 * The sheets of an XLSX workbook in their order, each as its rows. Numbers are texts with a decimal point, as few digits as
 * tell them apart. Refuses a workbook with macros, a formula in any cell, and one that is larger than a menu (decision 041).
 */
export function* sheetsOf(bytes: Buffer): Generator<Row[]> {
  const files = archive(bytes)
  const names = files.names()
  if (!names.includes('xl/workbook.xml')) throw new UnreadableMenu('is a ZIP archive, but not an XLSX workbook')
  if (names.some(name => /vbaProject\.bin$/i.test(name))) {
    throw new UnreadableMenu('has macros; save it as a workbook without them (.xlsx)')
  }
  const targets = new Map<string, string>()
  for (const { name, attributes } of tagsOf(files.text('xl/_rels/workbook.xml.rels'))) {
    if (name === 'Relationship') targets.set(attributes.get('Id') ?? '', attributes.get('Target') ?? '')
  }
  const strings = names.includes('xl/sharedStrings.xml') ? sharedStrings(files.text('xl/sharedStrings.xml')) : []
  let sheets = 0
  for (const { name, attributes } of tagsOf(files.text('xl/workbook.xml'))) {
    if (name !== 'sheet' || ++sheets > MOST_SHEETS) continue
    const target = targets.get(attributes.get('r:id') ?? '') ?? ''
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`
    if (names.includes(path)) yield rowsOf(files.text(path), strings)
  }
}

interface Tag {
  /** Without a namespace's prefix; an end tag begins with "/". */
  name: string
  attributes: Map<string, string>
  isEmpty: boolean
  /** The text up to the next tag. */
  text: string
}

/** The tags of an XML text in their order. What an office program does not write (a document type) is refused. */
function* tagsOf(xml: string): Generator<Tag> {
  let at = xml.indexOf('<')
  while (at !== -1) {
    if (xml.startsWith('<!', at)) {
      if (!xml.startsWith('<!--', at))
        throw new UnreadableMenu('is a workbook with XML that no spreadsheet program writes')
      const end = xml.indexOf('-->', at)
      at = end === -1 ? -1 : xml.indexOf('<', end)
      continue
    }
    const end = xml.indexOf('>', at)
    if (end === -1) throw new UnreadableMenu('is a damaged workbook: its XML is cut off')
    const next = xml.indexOf('<', end)
    const inside = xml.slice(at + 1, end)
    const [, slash = '', name = ''] = /^(\/?)(?:[\w.-]+:)?([\w.-]*)/.exec(inside) ?? []
    const attributes = new Map<string, string>()
    for (const [, key = '', value = ''] of inside.matchAll(/\s([\w:.-]+)="([^"]*)"/g))
      attributes.set(key, unescaped(value))
    const text = unescaped(xml.slice(end + 1, next === -1 ? undefined : next))
    yield { name: slash + name, attributes, isEmpty: inside.endsWith('/'), text }
    at = next
  }
}

function sharedStrings(xml: string): string[] {
  const strings: string[] = []
  let current = ''
  let isPhonetic = false
  for (const { name, isEmpty, text } of tagsOf(xml)) {
    if (name === 'rPh') isPhonetic = !isEmpty
    else if (name === '/rPh') isPhonetic = false
    else if (name === 't' && !isPhonetic && !isEmpty) current += text
    else if (name === '/si' || (name === 'si' && isEmpty)) {
      strings.push(current)
      current = ''
      if (strings.length > MOST_CELLS) throw new UnreadableMenu(`has more than ${MOST_CELLS} cells`)
    }
  }
  return strings
}

function rowsOf(xml: string, strings: string[]): Row[] {
  const rows: Row[] = []
  let row: Row = { number: 0, cells: [] }
  let column = 0
  let type = ''
  let count = 0
  for (const { name, attributes, isEmpty, text } of tagsOf(xml)) {
    switch (name) {
      case 'row':
        row = { number: wholeOf(attributes.get('r')) ?? row.number + 1, cells: [] }
        rows.push(row)
        column = -1
        if (rows.length > MOST_ROWS) throw new UnreadableMenu(`has more than ${MOST_ROWS} rows`)
        break
      case 'c':
        column = columnOf(attributes.get('r')) ?? column + 1
        type = attributes.get('t') ?? 'n'
        if (column >= MOST_COLUMNS) throw new UnreadableMenu(`has more than ${MOST_COLUMNS} columns`)
        count += Math.max(1, column + 1 - row.cells.length)
        if (count > MOST_CELLS) throw new UnreadableMenu(`has more than ${MOST_CELLS} cells`)
        while (row.cells.length <= column) row.cells.push('')
        break
      case 'f':
        throw new UnreadableMenu(`has a formula in row ${row.number}; save it with values only`)
      case 'v':
      case 't':
        if (!isEmpty && column >= 0) row.cells[column] += textOf(type, name, text, strings)
        break
    }
  }
  return rows
}

function textOf(type: string, tag: string, text: string, strings: string[]): string {
  if (type === 's' && tag === 'v') return strings[wholeOf(text) ?? -1] ?? ''
  // A number is written with all 17 digits of its double (4.9500000000000002); the shortest form is what was typed.
  if (type === 'n' && /^-?[\d.]+(E[+-]?\d+)?$/i.test(text)) return String(Number(text))
  return text
}

function wholeOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : undefined
}

/** The position of a cell by its reference: "AB7" is 27. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^([A-Z]{1,3})\d*$/.exec(reference ?? '')?.[1]
  if (letters === undefined) return undefined
  let position = 0
  for (const letter of letters) position = position * 26 + letter.charCodeAt(0) - 64
  return position - 1
}
