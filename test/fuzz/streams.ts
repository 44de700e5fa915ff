import type fc from 'fast-check'
import { between, chance, type Draw, drawn, pick, shuffled, times, upTo } from '../support/arbitraries.ts'
import { api } from '../support/wire.ts'
import { legible } from './json.ts'
import { inChunks } from './order-requests.ts'

// What a client writes on a socket: good requests one after the other, and what becomes of them on a bad day.

export interface Stream {
  bytes: Buffer
  /** Where the client makes a pause, as offsets in ascending order. */
  pauses: number[]
  /**
   * `stays`: reads until it has all its answers. `ends`: says at once that it has no more to send, and reads on.
   * `leaves`: is gone after its last byte, without a word.
   */
  client: 'stays' | 'ends' | 'leaves'
}

interface Request {
  line: string
  headers: string[]
  body: Buffer
}

/** Streams of one to five requests. Every order has notes that no other has. */
export function stream(token: string): fc.Arbitrary<Stream> {
  return drawn(draw => {
    const count = pick(draw, [1, 1, 2, 3, 5])
    const name = upTo(draw, 2 ** 31 - 1).toString(36)
    const parts = times(count, index => bytesOf(spoilt(draw, request(draw, token, `order ${index + 1} of ${name}`))))
    if (chance(draw, 12)) parts.splice(upTo(draw, parts.length), 0, pick(draw, GARBAGE) ?? GARBAGE_LINE)
    if (chance(draw, 10))
      parts.splice(upTo(draw, parts.length), 0, Buffer.from(pick(draw, ['\r\n', '\r\n\r\n', '\n', '\r'])))
    let bytes: Buffer = Buffer.concat(parts)
    for (let left = chance(draw, 18) ? between(draw, 1, 3) : 0; left > 0; left--) bytes = damaged(draw, bytes)
    const pauses = times(pick(draw, [0, 0, 1, 2, 5, 12]), () => upTo(draw, bytes.length))
    const client = pick(draw, ['stays', 'stays', 'stays', 'stays', 'ends', 'ends', 'leaves'] as const)
    return { bytes: legible(bytes), pauses: pauses.sort((a, b) => a - b), client }
  })
}

/** A good request, or one that is refused for what it asks and not for how. */
function request(draw: Draw, token: string, notes: string): Request {
  const access = pick(draw, [
    `Authorization: Bearer ${token}`,
    `authorization:bearer  ${token} `,
    `X-Api-Token:\t${token}`,
  ])
  const common = ['Host: shop.example', access]
  if (chance(draw, 70)) return orderRequest(draw, common, notes)
  const target = pick(draw, [
    `${api}/locations`,
    `${api}/locations/1/menu`,
    `${api}/locations?x=1`,
    `http://shop.example${api}/locations`,
    `${api}/locations/2/menu`,
    `${api}/orders`,
    '/healthz',
    '/nowhere',
    '*',
  ])
  const method = pick(draw, ['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'PUT'])
  const body = Buffer.from(chance(draw, 15) ? 'some body' : '')
  const framing = body.length > 0 || method === 'POST' ? [`Content-Length: ${body.length}`] : []
  return { line: `${method} ${target} HTTP/1.1`, headers: [...common, ...framing], body }
}

function orderRequest(draw: Draw, common: string[], notes: string): Request {
  const order = { location_id: 1, items: [{ item_id: 1, qty: 1 }], notes }
  const json = chance(draw, 92)
    ? JSON.stringify(order)
    : pick(draw, ['{}', '', 'null', JSON.stringify({ ...order, location_id: 9 })])
  const body = Buffer.from(`${json}${' '.repeat(pick(draw, [0, 0, 0, 5, 3000]))}`)
  const type = chance(draw, 95) ? 'Content-Type: application/json' : 'Content-Type: text/plain'
  const isChunked = chance(draw, 40)
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
  const headers = shuffled(draw, [...common, type, framing])
  return { line: `POST ${api}/orders HTTP/1.1`, headers, body: isChunked ? inChunks(draw, body) : body }
}

/** What in a chunked body becomes what. */
const CHUNK_FAULTS: readonly [[RegExp, string], ...[RegExp, string][]] = [
  [/^[0-9A-Fa-f]+/, '0x2'],
  [/^[0-9A-Fa-f]+/, '-2'],
  [/^[0-9A-Fa-f]+/, 'fffffffffffffffff'],
  [/^([0-9A-Fa-f]+)/, '$1 '],
  [/^([0-9A-Fa-f]+)/, ' $1'],
  [/^([0-9A-Fa-f]+)/, '$1;'],
  [/^([0-9A-Fa-f]+)/, '$1;a="\x7f\x01"'],
  [/^([0-9A-Fa-f]+)/, `$1;${'a'.repeat(20_000)}`],
  [/\r\n/, '\n'],
  [/\r\n/, '\r'],
  [/0+(;[^\r]*)?\r\n\r\n$/, '0\r\n'],
  [/0+(;[^\r]*)?\r\n\r\n$/, ''],
  [/\r\n\r\n$/, '\r\nContent-Length: 5\r\n\r\n'],
  [/\r\n\r\n$/, '\r\nTransfer-Encoding: chunked\r\n\r\n'],
  [/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'],
  [/\r\n\r\n$/, '\r\nHost: other.example\r\n\r\n'],
  [/\r\n\r\n$/, '\r\n bad trailer\r\n\r\n'],
  [/\r\n\r\n$/, '\r\n\n'],
]

type Spoil = (draw: Draw, request: Request) => void

const add =
  (...lines: [string, ...string[]]): Spoil =>
  (draw, { headers }) =>
    void headers.splice(upTo(draw, headers.length), 0, pick(draw, lines))

const rewrite =
  (change: (draw: Draw, line: string) => string): Spoil =>
  (draw, request) => {
    if (request.headers.length === 0) return
    const at = upTo(draw, request.headers.length - 1)
    request.headers[at] = change(draw, request.headers[at] ?? '')
  }

/** Ways to make of a good request one that is refused, ends the connection or leaves it in doubt where it ends. */
const SPOILS: readonly Spoil[] = [
  add(
    'Connection: close',
    'Connection: keep-alive',
    'connection: Keep-Alive, Close',
    'Connection: upgrade',
    'Connection: x',
  ),
  add(
    'Content-Length: 0',
    'Content-Length: 5',
    'Content-Length: 5, 5',
    'Content-Length: +5',
    'Content-Length:',
    'Content-Length: 99999999999999999999',
  ),
  add(
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: identity',
    'Transfer-Encoding:',
    'Transfer-encoding : chunked',
    'Transfer-Encoding: \x0bchunked',
  ),
  add(
    'Host: other.example',
    'Host:',
    'Expect: 100-continue',
    'Expect: 200-ok',
    'X-Api-Token: other',
    'Authorization: Bearer other',
  ),
  add(
    'Content-Encoding: gzip',
    'Content-Type: text/plain',
    'If-None-Match: *',
    'Upgrade: h2c',
    'TE: trailers',
    'Trailer: Host',
  ),
  add(
    'X-Empty:',
    ': nameless',
    'no colon',
    'X Space: 1',
    'X-Tab\t: 1',
    'X-Nul: a\0b',
    'X-Esc: \x1b',
    'X-Utf: é',
    '\x80: 1',
    ' X-Fold: 1',
    '\tfolded',
  ),
  // Another coding in the place of the one that there is.
  (draw, { headers }) => {
    const at = headers.findIndex(header => header.startsWith('Transfer-Encoding'))
    const codings = [
      'gzip, chunked',
      'x-gzip,chunked',
      'chunked, gzip',
      'chunked, chunked',
      'xchunked',
      '"chunked"',
      'Chunked',
    ]
    if (at >= 0) headers[at] = `Transfer-Encoding: ${pick(draw, codings)}`
  },
  (draw, { headers }) => void headers.push(`X-Long: ${'a'.repeat(pick(draw, [100, 6000, 9000, 20_000]))}`),
  (draw, { headers }) => void headers.splice(upTo(draw, headers.length), 1),
  (draw, { headers }) => void headers.push(pick(draw, headers) ?? 'X: 1'),
  rewrite((_, line) => line.replace(':', ' :')),
  rewrite((draw, line) => line.replace(': ', pick(draw, [':', ':\t ', ':   ', ':\r\n ', ':\n']))),
  rewrite((_, line) => line.toUpperCase()),
  rewrite((draw, line) => `${line}${pick(draw, ['\r', '\n', ' ', '\t', '\r\r', '\n\r', '\0'])}`),
  (draw, request) => {
    request.line = request.line.replace(
      'HTTP/1.1',
      pick(draw, ['HTTP/1.0', 'HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/1.10', 'http/1.1', 'HTTP/1,1', '']),
    )
  },
  (draw, request) => {
    request.line = request.line.replace(
      /^\S+/,
      pick(draw, ['get', 'FOO', 'POST ', 'P\u00d6ST', '', 'CONNECT', 'PRI', 'PATCH', 'QUERY', 'M-SEARCH']),
    )
  },
  (draw, request) => {
    request.line = request.line.replace(
      / \S+ /,
      pick(draw, [
        '  ',
        ' /a b ',
        ' /caf\u00e9 ',
        ' //evil/v1 ',
        ` ${api}/%6frders `,
        ` ${api}/orders/ `,
        ' http://[::bad/ ',
        ' /a#b ',
        '\t/\t',
        ' /\x01 ',
        ` /x/..${api}/orders `,
      ]),
    )
  },
  (draw, request) => {
    request.body = damaged(draw, request.body)
  },
  // Where a chunk's size, its end or the last of them is not as it must be.
  (draw, request) => {
    const text = request.body.toString('latin1')
    const [from, to] = pick(draw, CHUNK_FAULTS)
    request.body = Buffer.from(text.replace(from, to), 'latin1')
  },
]

function spoilt(draw: Draw, request: Request): Request {
  for (let left = chance(draw, 30) ? pick(draw, [1, 1, 2, 3]) : 0; left > 0; left--) pick(draw, SPOILS)?.(draw, request)
  return request
}

function bytesOf({ line, headers, body }: Request): Buffer {
  return Buffer.concat([Buffer.from(`${[line, ...headers].join('\r\n')}\r\n\r\n`, 'latin1'), body])
}

const GARBAGE_LINE = Buffer.from('garbage\r\n')

/** What no client of this API says. */
const GARBAGE = [
  GARBAGE_LINE,
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
  Buffer.from('0\r\n\r\n'),
  Buffer.from('\0\0\0\0'),
  Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
  Buffer.from('{"location_id":1,"items":[{"item_id":1,"qty":1}],"notes":"naked"}'),
  Buffer.from(`POST ${api}/orders HTTP/1.1\r\n`),
  Buffer.from('GET /\r\n'),
  Buffer.from('\xff\xfe'),
  Buffer.alloc(10_000, 'A'),
]

/** Bytes with some of them flipped, gone, doubled or moved. */
function damaged(draw: Draw, bytes: Buffer): Buffer {
  const at = upTo(draw, bytes.length)
  const [start, end] = [bytes.subarray(0, at), bytes.subarray(at)]
  const length = between(draw, 1, 12)
  return pick(draw, [
    () => Buffer.concat([start, end.subarray(length)]),
    () => Buffer.concat([start, end.subarray(0, length), end]),
    () =>
      Buffer.concat([
        start,
        Buffer.from(pick(draw, ['\r', '\n', '\r\n', '\r\n\r\n', '\0', ' ', ':', '0', '\xff', ';', '%']), 'latin1'),
        end,
      ]),
    () => start,
    () => Buffer.concat([end, start]),
    () => {
      const copy = Buffer.from(bytes)
      const place = Math.min(at, copy.length - 1)
      if (copy.length > 0) copy[place] = (copy[place] ?? 0) ^ (1 << upTo(draw, 7))
      return copy
    },
  ])()
}
