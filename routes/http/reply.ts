import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Fault } from '../../store/terms/faults.ts'
import { endGently } from './linger.ts'
import type { Prepared } from './prepared.ts'
import { type RefusalCode, refusals } from './refusal.ts'

/** Everything that a handler may answer. */
export type Reply =
  | { kind: 'prepared'; prepared: Prepared }
  | { kind: 'json'; status: 200 | 201; body: unknown }
  | { kind: 'allow'; methods: string[] }
  | { kind: 'refusal'; code: RefusalCode; headers: string[] }
  | { kind: 'faults'; faults: Fault[] }

/** A request on its way through the server, and the response that is owed to it. */
export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  id: string
  /** The client waits for a "100 Continue" before it sends the body. */
  awaitsContinue: boolean
  /** Part of the body may still be on its way. */
  hasUnreadBody: boolean
  /** The connection must not be used again. */
  isLast: boolean
}

/** The only code that writes to a response. */
export function send(exchange: Exchange, reply: Reply): void {
  switch (reply.kind) {
    case 'prepared':
      sendPrepared(exchange, reply.prepared)
      return
    case 'json':
      sendJson(exchange, reply.status, ['Cache-Control', 'no-store'], reply.body)
      return
    case 'allow':
      write(exchange, 204, ['Allow', reply.methods.join(', ')])
      return
    case 'refusal':
      sendJson(exchange, refusals[reply.code][0], reply.headers, refusalBody(reply.code))
      return
    case 'faults': {
      const errors = reply.faults.map(({ title, pointer }) =>
        pointer === null ? { title, code: 'INVALID_ORDER' } : { title, code: 'INVALID_ORDER', source: { pointer } },
      )
      sendJson(exchange, 400, [], { errors })
      return
    }
    default:
      reply satisfies never
  }
}

export function refuse(code: RefusalCode, headers: string[] = []): Reply {
  return { kind: 'refusal', code, headers }
}

function refusalBody(code: RefusalCode): unknown {
  return { errors: [{ title: refusals[code][1], code }] }
}

function sendJson(exchange: Exchange, status: number, headers: string[], body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body))
  write(exchange, status, [...headers, ...jsonHeaders(bytes)], bytes)
}

function jsonHeaders(bytes: Buffer): string[] {
  return ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(bytes.length)]
}

/** Answers with the prepared bytes, compressed if the client likes, or with 304 if it has them already (decision A7). */
function sendPrepared(exchange: Exchange, prepared: Prepared): void {
  const { headers } = exchange.request
  const variant = prepared.variantFor(headers['accept-encoding'])
  const known = headers['if-none-match']
  if (known !== undefined && prepared.isKnown(known)) write(exchange, 304, variant.headersWithoutBody)
  else write(exchange, 200, variant.headers, variant.bytes)
}

function write(exchange: Exchange, status: number, headers: string[], body?: Buffer): void {
  const { response } = exchange
  if (response.headersSent || response.destroyed) return
  const sent = ['X-Request-Id', exchange.id, ...headers]
  if (exchange.hasUnreadBody) exchange.isLast = true
  if (exchange.isLast) sent.push('Connection', 'close')
  response.writeHead(status, sent)
  response.end(body)
}

/** Answers what never became a request, straight to its socket, and closes that. */
export function refuseConnection(socket: Socket, id: string, code: RefusalCode): void {
  const [status, title] = refusals[code]
  const body = Buffer.from(JSON.stringify({ errors: [{ title, code }] }))
  const head = [
    `HTTP/1.1 ${status} ${code}`,
    `X-Request-Id: ${id}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ]
  const headers = jsonHeaders(body)
  for (let i = 0; i < headers.length; i += 2) head.push(`${headers[i]}: ${headers[i + 1]}`)
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
  endGently(socket)
}
