import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { App } from './handler.ts'
import { requestRunner } from './index.ts'
import type { RefusalCode } from './refusal.ts'
import { type Exchange, refuse, refuseConnection, send } from './reply.ts'

const HEADER_BYTES = 8 * 1024
const HEADERS_MS = 10_000
const REQUEST_MS = 15_000
const KEEP_ALIVE_MS = 5000

// Longer than a request may take, so that it only ends who takes nothing of an answer off us.
const SILENCE_MS = REQUEST_MS + 5000

// Somewhat more than a request may take.
const DRAIN_MS = REQUEST_MS + 1000

/** The HTTP server of an app, and how it is brought to an end. */
export interface HttpServer {
  server: Server
  /** Takes no new requests, and resolves once every request in flight is answered or has had its time. */
  drain(): Promise<void>
}

/** Makes the HTTP server: turns what comes in on a socket into exchanges and runs them. */
export function httpServer(app: App, basePath: string): HttpServer {
  const run = requestRunner(app, basePath)
  const exchanges = new Map<Socket, Set<Exchange>>()
  // A request id is unique for the process, and the start of it for the server's life.
  const prefix = randomBytes(6).toString('base64url')
  let requests = 0
  let isDraining = false

  const server = createServer({
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 1000,
    // A request without Host is refused in the API's own words.
    requireHostHeader: false,
  })
  server.timeout = SILENCE_MS

  function nextId(): string {
    return `${prefix}-${(++requests).toString(36)}`
  }

  function begin(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): Exchange {
    const { headers, socket } = request
    const length = headers['content-length']
    const exchange: Exchange = {
      request,
      response,
      id: nextId(),
      awaitsContinue,
      hasUnreadBody: headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0'),
      isLast: isDraining,
    }
    const inFlight = exchanges.get(socket)
    inFlight?.add(exchange)
    response.once('close', () => inFlight?.delete(exchange))
    return exchange
  }

  /** Whether an answer that is on its way ends the connection: nothing after it could be answered. */
  function isClosing(socket: Socket): boolean {
    if (!socket.writable) return true
    for (const { isLast } of exchanges.get(socket) ?? []) if (isLast) return true
    return false
  }

  function accept(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    // An order that nobody could be told of must not be created.
    if (isClosing(request.socket)) return
    const exchange = begin(request, response, awaitsContinue)
    if (isDraining) send(exchange, refuse('SHUTTING_DOWN'))
    else run(exchange)
  }

  server.on('request', (request, response) => accept(request, response, false))
  server.on('checkContinue', (request, response) => accept(request, response, true))
  server.on('checkExpectation', (request, response) =>
    send(begin(request, response, true), refuse('EXPECTATION_FAILED')),
  )
  server.on('connection', (socket: Socket) => {
    exchanges.set(socket, new Set())
    socket.once('close', () => exchanges.delete(socket))
  })

  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket
    const unanswered = [...(exchanges.get(socket) ?? [])].filter(({ response }) => !response.writableEnded)
    const whole = unanswered.filter(({ request }) => request.complete)
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    // What came before the fault were good requests: they keep their answers, and the connection ends after the last.
    else if (whole.length > 0) endAfter(whole)
    // It is refused already, and only the rest of its body was waited for.
    else if (unanswered[0]?.response.headersSent) unanswered[0].response.end()
    else if (!isClosing(socket)) refuseConnection(socket, nextId(), faultOf(error))
  })

  return {
    server,
    async drain() {
      isDraining = true
      for (const [socket, inFlight] of exchanges) {
        endAfter([...inFlight].filter(({ response }) => !response.headersSent))
        if (socket.bytesRead === 0) socket.destroy()
      }
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await closed
      clearTimeout(timer)
    },
  }
}

/** Ends a connection after the answer to the last of these requests; an answer before it would cut the others off. */
function endAfter(exchanges: Exchange[]): void {
  const last = exchanges.at(-1)
  if (last) last.isLast = true
}

/** What a client did that never became a request. */
function faultOf(error: NodeJS.ErrnoException): RefusalCode {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'HEADERS_TOO_LARGE'
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'REQUEST_TIMEOUT'
  if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 'PAYLOAD_TOO_LARGE'
  return 'BAD_REQUEST'
}
