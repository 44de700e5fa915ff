import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { connections } from './connections.ts'
import type { App } from './handler.ts'
import { requestRunner } from './index.ts'
import { type Limits, usualLimits } from './limits.ts'
import type { RefusalCode } from './refusal.ts'
import { type Exchange, refuse, refuseConnection, send, stopDraining } from './reply.ts'

// A flood of connections must not fill the log as well.
const TELL_DROPPED_MS = 60_000

/** The HTTP server of an app, and how it is brought to an end. */
export interface HttpServer {
  server: Server
  /** Takes no new requests, and resolves once every request in flight is answered or has had its time. */
  drain(): Promise<void>
}

/** Makes the HTTP server: turns what comes in on a socket into exchanges and runs them. */
export function httpServer(app: App, basePath: string, limits: Limits = usualLimits): HttpServer {
  const run = requestRunner(app, basePath)
  const open = connections(limits, app.trustedProxies, noteDropped)
  // A request id is unique for the process, and the start of it for the server's life.
  const prefix = randomBytes(6).toString('base64url')
  let requests = 0
  let isDraining = false

  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutS * 1000,
    requestTimeout: limits.requestTimeoutS * 1000,
    keepAliveTimeout: limits.keepAliveS * 1000,
    connectionsCheckingInterval: 1000,
    // A request without Host is refused in the API's own words.
    requireHostHeader: false,
  })
  // It counts while a request comes in, too, and must not be the first to end that.
  server.timeout = Math.max(limits.unreadTimeoutS, limits.requestTimeoutS + 5) * 1000

  let dropped = 0
  function noteDropped(): void {
    dropped++
    if (dropped === 1)
      app.log.info('connections dropped', { sockets: limits.sockets, perAddress: limits.socketsPerAddress })
    else if (dropped === 2) setTimeout(tellDropped, TELL_DROPPED_MS).unref()
  }
  function tellDropped(): void {
    app.log.info('connections dropped', { more: dropped - 1 })
    dropped = 0
  }

  function nextId(): string {
    return `${prefix}-${(++requests).toString(36)}`
  }

  function begin(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): Exchange {
    const { headers, socket } = request
    const connection = open.of(socket)
    const length = headers['content-length']
    if (connection) connection.requests++
    const exchange: Exchange = {
      request,
      response,
      id: nextId(),
      awaitsContinue,
      hasUnreadBody: headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0'),
      isLast: isDraining || (connection !== undefined && connection.requests >= limits.requestsPerSocket),
    }
    connection?.exchanges.add(exchange)
    response.once('close', () => connection?.exchanges.delete(exchange))
    return exchange
  }

  /** Whether an answer that is on its way ends the connection: nothing after it could be answered. */
  function isClosing(socket: Socket): boolean {
    if (!socket.writable) return true
    for (const { isLast } of open.of(socket)?.exchanges ?? []) if (isLast) return true
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
  server.on('connection', open.admit)

  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket
    const unanswered = [...(open.of(socket)?.exchanges ?? [])].filter(({ response }) => !response.writableEnded)
    const whole = unanswered.filter(({ request }) => request.complete)
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    // What came before the fault were good requests: they keep their answers, and the connection ends after the last.
    else if (whole.length > 0) endAfter(whole)
    // It is refused already, and only the rest of its body was waited for.
    else if (unanswered[0]?.response.headersSent) stopDraining(unanswered[0])
    else if (!isClosing(socket)) refuseConnection(socket, nextId(), faultOf(error))
  })

  return {
    server,
    async drain() {
      isDraining = true
      for (const [socket, { exchanges }] of open) {
        endAfter([...exchanges].filter(({ response }) => !response.headersSent))
        if (socket.bytesRead === 0) socket.destroy()
      }
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      // Somewhat more than a request may take.
      const timer = setTimeout(() => server.closeAllConnections(), (limits.requestTimeoutS + 1) * 1000)
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
