/** A ticket as the server draws it. `rev` changes whenever its HTML does. */
export interface DrawnTicket {
  id: string
  rev: string
  /** Empty if the ticket is drawn in this revision already. */
  html: string
  /** The id of the element that it is in; empty: the board itself. */
  list: string
}

/** What the server says about the board. */
export interface Answer {
  version: string
  /** Null when nothing has changed. */
  board: { script: string; parts: Map<string, string>; tickets: DrawnTicket[] } | null
}

/** Reads an answer. Throws on everything that is not one, such as the error page of a proxy. */
export function parseAnswer(value: unknown): Answer {
  const { version, script, parts, tickets } = fieldsOf(value)
  if (!isName(version)) throw new Error('the answer has no version')
  if (tickets === undefined) return { version: String(version), board: null }
  if (!Array.isArray(tickets)) throw new Error('the answer has no tickets')
  return {
    version: String(version),
    board: {
      script: typeof script === 'string' ? script : '',
      parts: new Map(Object.entries(fieldsOf(parts)).map(([id, html]) => [id, textOf(html)])),
      tickets: tickets.map(ticketOf),
    },
  }
}

function ticketOf(value: unknown): DrawnTicket {
  const { id, rev, html, list } = fieldsOf(value)
  if (!isName(id) || !isName(rev)) throw new Error('a ticket has no number')
  return {
    id: String(id),
    rev: String(rev),
    html: html === undefined ? '' : textOf(html),
    list: list === undefined ? '' : textOf(list),
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('the answer is not an object')
  return { ...value }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('the answer lacks a text')
  return value
}

function isName(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}
