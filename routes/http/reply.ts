import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import type { Session } from '../../store/people/sessions.ts'
import type { Fault } from '../../store/terms/faults.ts'
import type { Html } from '../html/html.ts'
import type { Address } from '../html/link.ts'
import { endGently } from './linger.ts'
import { acceptsGzip, isKnown, type Prepared } from './prepared.ts'
import { type RefusalCode, type RefusalFormat, refusals } from './refusal.ts'
import { openFile } from './site-file.ts'

/** Everything that a handler may reply. */
export type Reply =
  | { kind: 'prepared'; prepared: Prepared; headers?: string[] }
  | { kind: 'json'; status: 200 | 201 | 400 | 409; body: unknown; headers?: string[] }
  /** JSON that is written already. */
  | { kind: 'json text'; status: 201; text: string }
  /** A page. `cookies` are the values of Set-Cookie headers; after `reloadS` seconds a browser loads it again. */
  | { kind: 'html'; status: PageStatus; html: Html; cookies?: string[]; reloadS?: number }
  /** Sends a browser to another page with GET (303). 201: only tells a script where the page is, which goes there by itself. */
  | { kind: 'redirect'; to: Address; status?: 201; cookies?: string[] }
  /** Bytes made for this request; with a name they are saved as a file instead of shown. */
  | { kind: 'bytes'; type: string; bytes: Buffer; fileName?: string }
  /** A file by its real path: an image of the site, or, with a name, one that is saved and that nobody else may keep. */
  | { kind: 'file'; path: string; type: string; fileName?: string }
  | { kind: 'allow'; methods: string[] }
  | { kind: 'faults'; faults: Fault[]; headers?: string[] }
  | Refusal

/** 422: a form that is shown again, with what is wrong in it; 409: what it was about has changed. */
export type PageStatus = 200 | 401 | 403 | 404 | 409 | 422 | 429 | 500 | 503

export interface Refusal {
  kind: 'refusal'
  code: RefusalCode
  headers: string[]
}

/** A request on its way through the server, and the response that is owed to it. */
export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  id: string
  /** The client waits for a "100 Continue" before it sends the body. */
  awaitsContinue: boolean
  /** Part of the body may still be on its way. */
  hasUnreadBody: boolean
  /** It came when the server was already stopping. */
  isTooLate: boolean
  /** The connection must not be used again. */
  isLast: boolean
  refusals: RefusalFormat
  /** The manager who has allowed this one request by a PIN. */
  approval?: Session['person']
  /** A form that was kept and stands for the body. */
  sent?: Buffer
  /** The fields of the form that was read, to offer them again if the request fails. */
  form?: URLSearchParams
}

/** The only code that writes to a response. A reply that takes a while resolves once it has been sent or given up. */
export function send(exchange: Exchange, reply: Reply): void | Promise<void> {
  switch (reply.kind) {
    case 'prepared':
      return sendPrepared(exchange, reply.prepared, reply.headers)
    case 'json':
      return sendJson(exchange, reply.status, [...noStore, ...(reply.headers ?? [])], reply.body)
    case 'json text':
      return sendText(exchange, reply.status, noStore, json, reply.text)
    case 'html':
      return sendHtml(exchange, reply.status, [...cookieHeaders(reply.cookies), ...reloadHeader(reply)], reply.html)
    case 'redirect':
      return write(exchange, reply.status ?? 303, [
        ...noStore,
        ...cookieHeaders(reply.cookies),
        'Location',
        reply.to.text,
        'Content-Length',
        '0',
      ])
    case 'bytes':
      return sendBytes(exchange, 200, [...noStore, ...dispositionOf(reply.fileName)], reply.type, reply.bytes)
    case 'file':
      return sendFile(exchange, reply)
    case 'allow':
      return write(exchange, 204, ['Allow', reply.methods.join(', ')])
    case 'refusal':
      return sendRefusal(exchange, reply)
    case 'faults':
      return sendJson(exchange, 400, reply.headers ?? [], { errors: reply.faults.map(errorOf) })
    default:
      return reply satisfies never
  }
}

export function refuse(code: RefusalCode, headers: string[] = []): Refusal {
  return { kind: 'refusal', code, headers }
}

const json = 'application/json; charset=utf-8'

const noStore = ['Cache-Control', 'no-store']

function errorOf({ title, pointer, group }: Fault) {
  const error = { title, code: 'INVALID_ORDER' }
  if (pointer === null) return error
  return { ...error, source: group === undefined ? { pointer } : { pointer, modifier_group_id: group } }
}

function sendRefusal(exchange: Exchange, { code, headers }: Refusal): void {
  const [status] = refusals[code]
  const { refusals: format } = exchange
  if (format === 'json') sendJson(exchange, status, headers, refusalBody(code))
  else sendHtml(exchange, status, headers, format(exchange, code))
}

function refusalBody(code: RefusalCode): unknown {
  return { errors: [{ title: refusals[code][1], code }] }
}

function sendJson(exchange: Exchange, status: number, headers: string[], body: unknown): void {
  sendText(exchange, status, headers, json, JSON.stringify(body))
}

function sendHtml(exchange: Exchange, status: number, headers: string[], html: Html): void {
  const bytes = Buffer.from(html.text)
  const sent = [...headers, ...noStore, ...guards, 'Vary', 'Accept-Encoding']
  const type = 'text/html; charset=utf-8'
  const isCompressed = acceptsGzip(String(exchange.request.headers['accept-encoding'] ?? ''))
  // Level 1: these bytes are sent once, and a slower level saves few of them.
  if (isCompressed)
    sendBytes(exchange, status, [...sent, 'Content-Encoding', 'gzip'], type, gzipSync(bytes, { level: 1 }))
  else sendBytes(exchange, status, sent, type, bytes)
}

function cookieHeaders(cookies: string[] = []): string[] {
  return cookies.flatMap(cookie => ['Set-Cookie', cookie])
}

function reloadHeader({ reloadS }: { reloadS?: number }): string[] {
  return reloadS === undefined ? [] : ['Refresh', String(reloadS)]
}

// What a browser must not do with a page: guess its type, load or run anything from elsewhere, make HTML of text in a script,
// show the page inside another site, or tell other sites its address. "no-referrer" would hide the origin of our own forms.
const guards = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'same-origin',
  'Content-Security-Policy',
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types servery',
  ].join('; '),
]

/** Sends a text, which costs less than its bytes: the platform then writes head and body in one piece. */
function sendText(exchange: Exchange, status: number, headers: string[], type: string, text: string): void {
  write(exchange, status, [...headers, ...contentHeaders(type, Buffer.byteLength(text))], text)
}

function sendBytes(exchange: Exchange, status: number, headers: string[], type: string, bytes: Buffer): void {
  write(exchange, status, [...headers, ...contentHeaders(type, bytes.length)], bytes)
}

function contentHeaders(type: string, length: number): string[] {
  return ['Content-Type', type, 'Content-Length', String(length)]
}

function dispositionOf(fileName: string | undefined): string[] {
  if (fileName === undefined) return []
  return ['Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`]
}

/** Sends prepared bytes, compressed if the client accepts that, or 304 if it has them already (decision A7). */
function sendPrepared(exchange: Exchange, prepared: Prepared, more: string[] = []): void {
  const { headers } = exchange.request
  const variant = prepared.variantFor(headers['accept-encoding'])
  const known = headers['if-none-match']
  if (known !== undefined && prepared.isKnown(known)) write(exchange, 304, [...variant.headersWithoutBody, ...more])
  else write(exchange, 200, [...variant.headers, ...more], variant.bytes)
}

// A file may be an SVG image, which can hold scripts: opened by itself it may run none.
const fileGuards = [
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; sandbox",
]

/** Sends a file in pieces, as fast as the client takes them, or 304 if the client has it already. */
async function sendFile(exchange: Exchange, { path, type, fileName }: Reply & { kind: 'file' }): Promise<void> {
  const { request, response } = exchange
  // Of all the files that a client asks for at once, only one is open.
  await turnOf(response)
  const file = await openFile(path)
  if (!file) return sendRefusal(exchange, refuse('NOT_FOUND'))
  const { handle, size, etag } = file
  try {
    const keeping = fileName === undefined ? ['Cache-Control', 'public, max-age=300'] : noStore
    const headers = ['ETag', etag, ...keeping, ...dispositionOf(fileName), ...fileGuards]
    const known = request.headers['if-none-match']
    if (known !== undefined && isKnown(known, [etag])) return write(exchange, 304, headers)
    headers.push(...contentHeaders(type, size))
    if (request.method === 'HEAD') return write(exchange, 200, headers)
    if (!writeHead(exchange, 200, headers)) return
    const source = handle.createReadStream({ end: size - 1, autoClose: false })
    await pipeline(source, response, { end: false })
    // A file that was cut short meanwhile cannot be finished.
    if (source.bytesRead === size) response.end()
    else response.destroy()
  } catch (error) {
    // A client may go away in the middle.
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error
  } finally {
    await handle.close()
  }
}

/** Resolves when all responses before this one on its connection have been sent. */
async function turnOf(response: ServerResponse): Promise<void> {
  if (!response.socket) await once(response, 'socket')
}

function write(exchange: Exchange, status: number, headers: string[], body?: Buffer | string): void {
  if (writeHead(exchange, status, headers)) exchange.response.end(body)
}

/** Writes the status and headers, unless that was done already or the client is gone. Returns whether the body may follow. */
function writeHead(exchange: Exchange, status: number, headers: string[]): boolean {
  const { response } = exchange
  if (response.headersSent || response.destroyed) return false
  const sent = ['X-Request-Id', exchange.id, ...headers]
  if (exchange.hasUnreadBody) exchange.isLast = true
  if (exchange.isLast) sent.push('Connection', 'close')
  response.writeHead(status, sent)
  return true
}

/** Refuses what never became a request, straight to its socket, and closes that. */
export function refuseConnection(socket: Socket, id: string, code: RefusalCode): void {
  const [status] = refusals[code]
  const body = Buffer.from(JSON.stringify(refusalBody(code)))
  const head = [
    `HTTP/1.1 ${status} ${code}`,
    `X-Request-Id: ${id}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ]
  const headers = contentHeaders(json, body.length)
  for (let i = 0; i < headers.length; i += 2) head.push(`${headers[i]}: ${headers[i + 1]}`)
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
  endGently(socket)
}
