import { METHODS } from 'node:http'
import { expectedOrder, type RestaurantFile } from '../support/independent-calculation.ts'
import { api } from '../support/wire.ts'
import { parsed } from './order-requests.ts'

// What a stream of bytes asks of the server, read by the letter of RFC 9112 and with no mercy: what this reader does
// not take for a request must not be taken for one by the server.

/** One whole request in a stream, and what is due to it. */
export interface Asked {
  method: string
  target: string
  /** The path that docs/openapi.yaml describes for it; where there is none, one that nobody describes. */
  path: string
  /** The statuses that it may be answered. */
  due: readonly number[]
  /** Of an order that is due 201. */
  notes: string | null
  /** The connection ends after the answer, so whatever follows is not asked. */
  isLast: boolean
}

export interface Reading {
  asked: Asked[]
  /**
   * How the stream ends: `clean` after a whole request, `open` within one, `closed` by a request that is its last, or
   * with a `fault` that no request may have.
   */
  end: 'clean' | 'open' | 'closed' | 'fault'
  /** The statuses with which the end may be refused; it need not be, when an answer before it ends the connection. */
  refusals: readonly number[]
}

/** What one must know of a shop to tell what it answers. */
export interface Known {
  restaurant: RestaurantFile
  token: string
  /** UTC milliseconds. */
  instant: number
}

const HEADER = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e\x80-\xff]*)$/
// Several spaces around the target are the one liberty that the platform's parser takes; RFC 9112 allows it.
const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) +([!-~]+) +HTTP\/(1\.[01])$/
const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]"
const QUOTED = '"(?:[\\t\\x20!#-[\\]-~\\x80-\\xff]|\\\\[\\t\\x20-~\\x80-\\xff])*"'
const CHUNK = new RegExp(`^([0-9A-Fa-f]{1,16})(?:;${TOKEN}+(?:=(?:${TOKEN}+|${QUOTED}))?)*$`)
/** Also extensions that lack a name or a value: the platform's parser takes some of them, and they mean nothing. */
const LOOSE_CHUNK = new RegExp(`^([0-9A-Fa-f]{1,16})(?:;${TOKEN}*(?:=${TOKEN}*(?:${QUOTED})?)?)*$`)
const LARGEST_BODY = 256 * 1024
/** What the server takes of a head; near it, it is not for this reader to say. */
const HEAD_BYTES = 7 * 1024
/** What the server takes of what a chunk says of itself. */
const EXTENSION_BYTES = 16 * 1024

/** The start page, which docs/openapi.yaml does not describe. */
export const START_PAGE = '/'

/** A path that no operation has. */
const NOWHERE = '/nowhere'

const FRAMING = /^(content-length|transfer-encoding)$/i

const TARGET = /^(\/|\*|[a-z]+:\/\/)/i

/** A host in a target in absolute form that URLs may not have, or not every parser of URLs takes. */
const ODD_AUTHORITY = /^[a-z]+:\/\/[^/?#]*[^\w.:/?#-]/i

/** White space as it stands behind the value of a header. */
const BEHIND = /[\t ]+$/

type Headers = Map<string, string[]>

/** Reads a stream from its start. */
export function readStrictly(stream: Buffer, shop: Known): Reading {
  const text = stream.toString('latin1')
  const asked: Asked[] = []
  let at = 0
  const ending = (end: Reading['end'], refusals: readonly number[] = [400, 431]): Reading => ({ asked, end, refusals })

  for (;;) {
    // Line ends before a request line are to be ignored.
    while (text[at] === '\r' || text[at] === '\n') at++
    if (at === text.length) return ending('clean')
    const blank = text.indexOf('\r\n\r\n', at)
    if (blank === -1) return ending('open')
    if (blank - at > HEAD_BYTES) return ending('fault')
    const [line = '', ...headerLines] = text.slice(at, blank).split('\r\n')
    const request = REQUEST_LINE.exec(line)
    const headers = headersIn(headerLines)
    if (!request || !headers) return ending('fault')
    const [, method = '', target = '', version = ''] = request
    if (!METHODS.includes(method)) return ending('fault')
    // A tunnel is not to be had.
    if (method === 'CONNECT') return ending('fault', [400, 404, 405])
    // What is no target to the parser never becomes a request; behind others it ends the connection after their answers.
    if (!TARGET.test(target)) return ending('fault')
    at = blank + 4

    // Who is answered whatever his body is may be so before it has come in, or is found to have no end.
    const early = dueTo({ method, target, version, headers, body: null }, shop)
    const framing = framingOf(headers, version)
    if (framing === 'fault') return ending('fault', [400, 401, 403, 404, 405, 413, 415, 417, 431, 501, ...early.due])
    const body = framing === 'chunked' ? dechunked(text, at) : cut(text, at, framing)
    if (body === 'open' || body === 'fault') return ending(body, [400, 408, 413, 431, ...early.due])
    const isLast = endsConnection(headers, version)
    const due = dueTo({ method, target, version, headers, body: body.bytes }, shop)
    if (body.isLoose || isOddHost(headers) || ODD_AUTHORITY.test(target)) due.due = [...due.due, 400]
    if (expectsMore(headers)) due.due = [...due.due, 417]
    asked.push({ method, target, ...due, isLast })
    at = body.end
    if (isLast) return ending('closed')
  }
}

function headersIn(lines: readonly string[]): Headers | undefined {
  const headers: Headers = new Map()
  for (const line of lines) {
    const [, name = '', value = ''] = HEADER.exec(line) ?? []
    if (name === '') return undefined
    const key = name.toLowerCase()
    const text = value.replace(/^[\t ]+/, '')
    // Behind a length or a coding the platform's parser takes no tab, which RFC 9112 would allow.
    const isSpoilt = FRAMING.test(name) && BEHIND.exec(text)?.[0].includes('\t')
    headers.set(key, [...(headers.get(key) ?? []), isSpoilt ? text : text.replace(BEHIND, '')])
  }
  return headers
}

/** How a body ends: after so many bytes, or in chunks. */
function framingOf(headers: Headers, version: string): number | 'chunked' | 'fault' {
  const lengths = headers.get('content-length') ?? []
  const codings = headers.get('transfer-encoding') ?? []
  if (codings.length > 0) {
    const isChunked = codings.length === 1 && codings[0]?.toLowerCase() === 'chunked'
    return isChunked && lengths.length === 0 && version === '1.1' ? 'chunked' : 'fault'
  }
  const [length = '0'] = lengths
  return lengths.length <= 1 && /^\d{1,15}$/.test(length) ? Number(length) : 'fault'
}

type Body = { bytes: Buffer; end: number; isLoose: boolean } | 'open' | 'fault'

function cut(text: string, at: number, length: number): Body {
  const end = at + length
  return end > text.length ? 'open' : { bytes: Buffer.from(text.slice(at, end), 'latin1'), end, isLoose: false }
}

function dechunked(text: string, start: number): Body {
  const parts: string[] = []
  let at = start
  let isLoose = false
  for (;;) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd === -1) return 'open'
    const line = text.slice(at, lineEnd)
    const size = LOOSE_CHUNK.exec(line)?.[1]
    if (!CHUNK.test(line)) isLoose = true
    if (size === undefined || Number.parseInt(size, 16) > 2 ** 32 || lineEnd - at > EXTENSION_BYTES) return 'fault'
    at = lineEnd + 2
    const length = Number.parseInt(size, 16)
    if (length === 0) break
    if (at + length + 2 > text.length) return 'open'
    parts.push(text.slice(at, at + length))
    if (text.slice(at + length, at + length + 2) !== '\r\n') return 'fault'
    at += length + 2
  }
  for (;;) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd === -1) return 'open'
    const line = text.slice(at, lineEnd)
    at = lineEnd + 2
    if (line === '') return { bytes: Buffer.from(parts.join(''), 'latin1'), end: at, isLoose }
    // Who says again where the body ends is not to be trusted.
    const name = HEADER.exec(line)?.[1]
    if (name === undefined || FRAMING.test(name)) return 'fault'
  }
}

const isGoAhead = (expectation: string): boolean => expectation.toLowerCase() === '100-continue'

/** Whether more is expected than to be asked for the body: one who sees that refuses, one who does not goes ahead. */
function expectsMore(headers: Headers): boolean {
  const expectations = headers.get('expect') ?? []
  return expectations.some(isGoAhead) && !expectations.every(isGoAhead)
}

/** Whether a Host is more than a name and a port, of which the server may say that it is none. */
function isOddHost(headers: Headers): boolean {
  return (headers.get('host') ?? []).some(host => !/^[\w.-]*(:\d+)?$/.test(host))
}

function endsConnection(headers: Headers, version: string): boolean {
  const wishes = (headers.get('connection') ?? [])
    .flatMap(value => value.toLowerCase().split(','))
    .map(wish => wish.trim())
  return wishes.includes('close') || (version === '1.0' && !wishes.includes('keep-alive'))
}

/** What is due to a request, in the order of decision A1; `body` null: what is due whatever the body is. */
function dueTo(
  request: { method: string; target: string; version: string; headers: Headers; body: Buffer | null },
  shop: Known,
): Pick<Asked, 'path' | 'due' | 'notes'> {
  const { method, target, version, headers, body } = request
  let known: readonly string[] = []
  let described = NOWHERE
  const refused = (...due: number[]) => ({ path: described, due, notes: null })
  const values = (name: string) => headers.get(name) ?? []
  const hosts = values('host').length
  const isAddressed = hosts === 1 || (hosts === 0 && version === '1.0')
  const expectations = version === '1.1' ? values('expect') : []
  if (expectations.length > 0 && !expectations.some(isGoAhead)) return isAddressed ? refused(417) : refused(400, 417)
  if (!isAddressed) return refused(400)
  if (method === 'OPTIONS' && target === '*') return refused(204)
  if (!/^[!"$-~]+$/.test(target)) return refused(400)
  const path = pathOf(target)
  if (path === undefined) return refused(400)
  if (path === START_PAGE) {
    described = START_PAGE
    if (method === 'OPTIONS') return refused(204)
    // 421: under a name that is not known.
    return method === 'GET' || method === 'HEAD' ? refused(303, 421) : refused(405)
  }

  const isMenu =
    path.length > `${api}/locations//menu`.length && path.startsWith(`${api}/locations/`) && path.endsWith('/menu')
  if (path === `${api}/orders`) known = ['POST']
  else if (path === '/healthz' || path === `${api}/locations` || isMenu) known = ['GET', 'HEAD']
  const isNowhere = isMenu && !/^[!-$&-.0-[\]-~]+$/.test(path.slice(`${api}/locations/`.length, -'/menu'.length))
  if (known.length === 0 || isNowhere) return refused(404)
  described = path
  if (method === 'OPTIONS') return refused(204)
  if (!known.includes(method)) return refused(405)
  if (path === '/healthz') return refused(200)
  if (!hasToken(headers, shop.token)) return refused(401)

  if (method !== 'POST') {
    if (isMenu && path !== `${api}/locations/1/menu`) return refused(404)
    return refused(200, ...(headers.has('if-none-match') ? [304] : []))
  }
  const types = values('content-type')
  const isJson = /^\s*application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(types[0] ?? '')
  if (types.length !== 1 || !isJson) return refused(415)
  if (values('content-encoding').some(coding => coding.toLowerCase() !== 'identity')) return refused(415)
  if (body === null) return refused()
  if (body.length > LARGEST_BODY) return refused(413)
  const json = parsed(body)
  if (!json) return refused(400)
  const expected = expectedOrder(shop.restaurant, json.value, shop.instant)
  return { path: described, due: [expected.status], notes: expected.status === 201 ? expected.order.notes : null }
}

function pathOf(target: string): string | undefined {
  const absolute = /^https?:\/\/([^/?#]+)/i.exec(target)
  if (!target.startsWith('/') && !(absolute && URL.canParse(absolute[0]))) return undefined
  const path = target.slice(absolute?.[0].length ?? 0).split('?')[0] ?? ''
  return path === '' ? '/' : path
}

function hasToken(headers: Headers, token: string): boolean {
  const bearers = headers.get('authorization') ?? []
  const keys = headers.get('x-api-token') ?? []
  if (bearers.length > 1 || keys.length > 1) return false
  const [bearer] = bearers
  if (bearer !== undefined && /^bearer(?: |$)/i.test(bearer)) return bearer.replace(/^bearer */i, '') === token
  return keys[0] === token
}
