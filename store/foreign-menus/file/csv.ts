import { MOST_CELLS, MOST_COLUMNS, MOST_ROWS, type Row } from './table.ts'
import { UnreadableMenu } from './unreadable.ts'

const LONGEST_CELL = 100_000

export type Delimiter = ',' | ';' | '\t'

/**
 * The rows of a CSV text (RFC 4180, with any of three delimiters and line ends). Refuses a text that ends within quotation marks
 * and one with more rows or cells than a menu has. With `most` it reads only the first rows, whatever comes behind them.
 */
export function readCsv(text: string, delimiter: Delimiter, most = Number.POSITIVE_INFINITY): Row[] {
  const special = new RegExp(`[${delimiter}\r\n]`, 'g')
  const rows: Row[] = []
  let cells: string[] = []
  let at = 0
  let count = 0

  while (at <= text.length && rows.length < most) {
    let cell = ''
    if (text[at] === '"') {
      let from = at + 1
      for (;;) {
        let quote = text.indexOf('"', from)
        if (quote === -1) {
          if (most === Number.POSITIVE_INFINITY) {
            throw new UnreadableMenu(`is cut off: a quotation mark in row ${rows.length + 1} is never closed`)
          }
          quote = text.length
        }
        cell += text.slice(from, quote)
        at = quote + 1
        if (text[at] !== '"') break
        cell += '"'
        if (cell.length > LONGEST_CELL) throw tooLong()
        from = at + 1
      }
    }
    special.lastIndex = at
    const end = special.exec(text)?.index ?? text.length
    if (cell.length + end - at > LONGEST_CELL) throw tooLong()
    cells.push(cell + text.slice(at, end))
    if (++count > MOST_CELLS) throw new UnreadableMenu(`has more than ${MOST_CELLS} cells`)
    at = end + 1
    if (text[end] === delimiter) {
      if (cells.length >= MOST_COLUMNS) throw new UnreadableMenu(`has more than ${MOST_COLUMNS} columns`)
      if (at <= text.length) continue
    }
    if (text[end] === '\r' && text[at] === '\n') at++
    // The end of the last line begins no further row.
    const isEnd = end === text.length && cells.length === 1 && cells[0] === ''
    if (!isEnd) rows.push({ number: rows.length + 1, cells })
    if (rows.length > MOST_ROWS) throw new UnreadableMenu(`has more than ${MOST_ROWS} rows`)
    cells = []
  }
  return rows
}

function tooLong(): UnreadableMenu {
  return new UnreadableMenu(`has a cell of more than ${LONGEST_CELL} characters`)
}
