import fc from 'fast-check'
import { between, brokenOrder, chance, type Draw, drawn, order, pick, times } from '../support/arbitraries.ts'
import {
  type ExpectedOrder,
  expectedOrder,
  type Fault,
  type RestaurantFile,
} from '../support/independent-calculation.ts'
import { api } from '../support/wire.ts'
import { bytesOf, type ChangeKind, changed, legible, textOf, treeOf } from './json.ts'

// POST requests whose bodies are orders, or nearly, or not at all, announced and framed in many ways, each with what
// must become of it.

const LARGEST_BODY = 256 * 1024

/** What a request must be answered, by the contract and decisions A1 to A10. */
export type Due =
  | { status: 201; order: ExpectedOrder }
  | { status: 400; faults: Fault[] }
  | { status: 404 | 413 | 415 }
  /** It does not say in one way where its body ends: whatever else is wrong with it, it is no order. */
  | { status: 'no request'; answers: readonly (number | undefined)[] }

export interface OrderRequest {
  head: string[]
  body: Buffer
  /** The body as it stands on the wire. */
  framed: Buffer
  isAnnouncedAsJson: boolean
  /** When its body never ends, the client says that it has no more to send. */
  isCutOff: boolean
  isMisframed: boolean
}

interface Announced {
  headers: readonly string[]
  isJson: boolean
}

const JSON_TYPES = [
  'Content-Type: application/json',
  'content-type: application/json; charset=utf-8',
  'CONTENT-TYPE:  Application/JSON ;  Charset="UTF-8"',
  'Content-Type: application/json;charset=utf8',
  'Content-Type: application/json; profile="x"',
] as const

const GOOD: Announced = { headers: [JSON_TYPES[0]], isJson: true }

const announced = (isJson: boolean, ...headers: string[]): Announced => ({ headers, isJson })

const ANNOUNCED: readonly [Announced, ...Announced[]] = [
  GOOD,
  ...JSON_TYPES.map(header => announced(true, header)),
  announced(true, JSON_TYPES[0], 'Content-Encoding: identity'),
  announced(false),
  announced(false, 'Content-Type:'),
  announced(false, 'Content-Type: text/plain'),
  announced(false, 'Content-Type: application/jsonp'),
  announced(false, 'Content-Type: application/json-patch+json'),
  announced(false, 'Content-Type: multipart/form-data; boundary=application/json'),
  announced(false, 'Content-Type: application/json; charset=utf-16le'),
  announced(false, 'Content-Type: application/json; charset=latin1'),
  announced(false, JSON_TYPES[0], JSON_TYPES[0]),
  announced(false, 'Content-Type: application/json, application/json'),
  announced(false, JSON_TYPES[0], 'Content-Encoding: gzip'),
  announced(false, JSON_TYPES[0], 'Content-Encoding: br, identity'),
]

/** Requests to order something of this restaurant, of which about half should succeed. */
export function orderRequest(restaurant: RestaurantFile): fc.Arbitrary<OrderRequest> {
  const body = fc.oneof(
    { weight: 9, arbitrary: order(restaurant) },
    { weight: 1, arbitrary: brokenOrder(restaurant) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 5 }) },
  )
  const change = drawn(draw => (value: unknown) => requestOf(draw, value))
  return fc.tuple(body, change).map(([value, changed]) => changed(value))
}

const CHANGES: readonly (readonly [ChangeKind, ...ChangeKind[]])[] = [
  ['harmless', 'unknown'],
  ['harmless', 'unknown'],
  ['harmless', 'unknown'],
  ['harmless', 'unknown', 'harmful'],
  ['harmful'],
]

function requestOf(draw: Draw, value: unknown): OrderRequest {
  let tree = treeOf(value)
  const kinds = pick(draw, CHANGES) ?? ['harmless']
  for (let left = pick(draw, [0, 1, 1, 2, 4, 8]); left > 0; left--) tree = changed(draw, tree, kinds)
  let body = bytesOf(draw, textOf(tree), 10)
  if (chance(draw, 1)) {
    const length = LARGEST_BODY + pick(draw, [-1, 0, 1, 5000])
    body = Buffer.concat([body, Buffer.alloc(Math.max(0, length - body.length), ' ')])
  }
  const said = chance(draw, 85) ? GOOD : pick(draw, ANNOUNCED)
  return { ...framed(draw, body, said), body: legible(body), isAnnouncedAsJson: said.isJson }
}

/** Says where a body ends: by its length or in chunks, nearly always; else in no way, in two, or wrongly. */
function framed(
  draw: Draw,
  body: Buffer,
  { headers }: Announced,
): Pick<OrderRequest, 'head' | 'framed' | 'isCutOff' | 'isMisframed'> {
  const length = `Content-Length: ${body.length}`
  const chunkedHeader = 'Transfer-Encoding: chunked'
  const given = { framed: body, isCutOff: false, isMisframed: false }
  const misframed = { ...given, isMisframed: true }
  const head = (...framing: string[]) => (chance(draw, 50) ? [...headers, ...framing] : [...framing, ...headers])
  const kind = between(draw, 0, 99)
  if (kind < 65) return { ...given, head: head(length) }
  if (kind < 93) return { ...given, head: head(chunkedHeader), framed: inChunks(draw, body) }
  return pick(draw, [
    () => ({ ...misframed, head: head(length, chunkedHeader), framed: inChunks(draw, body) }),
    () => ({ ...misframed, head: head(length, length) }),
    () => ({ ...misframed, head: head(`Content-Length: ${body.length}, ${body.length}`) }),
    () => ({
      ...misframed,
      head: head(`Content-Length: ${pick(draw, ['-1', '+5', '0x5', '', ' ', '1e1', '9'.repeat(30)])}`),
    }),
    () => ({ ...misframed, head: head('Transfer-Encoding: chunked, chunked'), framed: inChunks(draw, body) }),
    () => ({ ...misframed, head: head('Transfer-Encoding: xchunked'), framed: inChunks(draw, body) }),
    () => ({ ...misframed, head: head('Transfer-Encoding: identity'), framed: inChunks(draw, body) }),
    () => ({ ...misframed, head: head(`Content-Length: ${body.length + 1 + between(draw, 0, 9)}`), isCutOff: true }),
    () => {
      const chunks = inChunks(draw, body)
      return {
        ...misframed,
        head: head(chunkedHeader),
        framed: chunks.subarray(0, between(draw, 0, chunks.length - 1)),
        isCutOff: true,
      }
    },
  ])()
}

/** A body in chunks of any size, some with extensions, some followed by trailers. */
export function inChunks(draw: Draw, body: Buffer): Buffer {
  const parts: Buffer[] = []
  const add = (text: string) => parts.push(Buffer.from(text, 'latin1'))
  const extension = () => (chance(draw, 10) ? pick(draw, [';a', ';a=1', ';a="b c"', ';a;b=2']) : '')
  // Many small chunks now and then, but not of a quarter of a megabyte.
  const sizes = pick(draw, [[1, 2, 3], [7, 64], [1000], [100_000]])
  for (let at = 0; at < body.length; ) {
    const size = Math.min(body.length - at, Math.max(pick(draw, sizes) ?? 1, Math.ceil(body.length / 300)))
    const digits = pick(draw, [size.toString(16), size.toString(16).toUpperCase(), `00${size.toString(16)}`])
    add(`${digits}${extension()}\r\n`)
    parts.push(body.subarray(at, at + size))
    add('\r\n')
    at += size
  }
  add(`${pick(draw, ['0', '0', '000'])}${extension()}\r\n`)
  for (const line of times(chance(draw, 10) ? 2 : 0, index => `X-Trailer-${index}: Authorization`)) add(`${line}\r\n`)
  add('\r\n')
  return Buffer.concat(parts)
}

/** The bytes of a request, with the token that it needs. */
export function bytesOfRequest({ head, framed: body }: OrderRequest, token: string): Buffer {
  const lines = [`POST ${api}/orders HTTP/1.1`, 'Host: shop.example', `Authorization: Bearer ${token}`, ...head]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}

/** What a request must be answered at this instant (UTC milliseconds). */
export function dueTo(request: OrderRequest, restaurant: RestaurantFile, instant: number): Due {
  const { body, isAnnouncedAsJson, isMisframed, isCutOff } = request
  // Who is refused for another reason may be so before the end of the body is found to be missing.
  if (isMisframed) return { status: 'no request', answers: isCutOff ? [400, 413, 415] : [400] }
  if (!isAnnouncedAsJson) return { status: 415 }
  if (body.length > LARGEST_BODY) return { status: 413 }
  const json = parsed(body)
  if (!json) return { status: 400, faults: [{ title: 'The request body is not valid JSON.', pointer: null }] }
  return expectedOrder(restaurant, json.value, instant)
}

/** The value of a body of JSON in UTF-8, with or without one byte order mark. */
export function parsed(body: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) }
  } catch {
    return undefined
  }
}
