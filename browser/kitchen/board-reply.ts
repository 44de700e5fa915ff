/** A ticket as the server sends it. `rev` changes whenever its HTML does. */
export interface DrawnTicket {
  id: string
  rev: string
  /** Empty if the board that is drawn already has the ticket in this revision. */
  html: string
  /** The id of the element that it is in; empty: the board itself. */
  list: string
}

/** The server's reply to a request for the board. */
export interface BoardReply {
  version: string
  /** Null when nothing has changed. */
  board: { script: string; parts: Map<string, string>; tickets: DrawnTicket[] } | null
}

/** Reads a reply. Throws if it is not one, for example if it is the error page of a proxy. */
export function parseBoardReply(value: unknown): BoardReply {
  const { version, script, parts, tickets } = fieldsOf(value)
  if (!isId(version)) throw new Error('the reply has no version')
  if (tickets === undefined) return { version: String(version), board: null }
  if (!Array.isArray(tickets)) throw new Error('the reply has no tickets')
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
  if (!isId(id) || !isId(rev)) throw new Error('a ticket has no id or revision')
  return {
    id: String(id),
    rev: String(rev),
    html: html === undefined ? '' : textOf(html),
    list: list === undefined ? '' : textOf(list),
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('the reply is not an object')
  return { ...value }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('the reply lacks a text')
  return value
}

function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}
