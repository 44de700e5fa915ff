import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import type { Log } from '../../store/log.ts'
import { connections } from './connections.ts'
import type { Limits } from './limits.ts'
import { endGently } from './linger.ts'
import type { RefusalCode } from './refusal.ts'
import { type Exchange, refuse, refuseConnection, send } from './reply.ts'

const MOST_HEADERS = 200

/** The HTTP server of an app, and how to stop it. */
export interface HttpServer {
  server: Server
  /** Accepts no new requests, and resolves once every request in progress has its response or has timed out. */
  drain(): Promise<void>
}

/** What the listener needs besides the function that runs an exchange. */
export interface ListenerOptions {
  trustedProxies: BlockList
  log: Log
  limits: Limits
}

/** Makes the HTTP server: turns requests into exchanges and runs them. */
export function httpServer(
  run: (exchange: Exchange) => void,
  { trustedProxies, log, limits }: ListenerOptions,
): HttpServer {
  const open = connections(limits, trustedProxies, noteDropped)
  // A request id is unique in this process; its beginning identifies the process.
  const prefix = randomBytes(6).toString('base64url')
  let requests = 0
  let isDraining = false

  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutS * 1000,
    requestTimeout: limits.requestTimeoutS * 1000,
    keepAliveTimeout: limits.keepAliveS * 1000,
    connectionsCheckingInterval: 1000,
    // A request without Host is refused with the API's own error.
    requireHostHeader: false,
  })
  server.maxHeadersCount = MOST_HEADERS + 1
  // A client that has finished sending still waits for its responses; by default the platform closes the connection at once.
  Object.assign(server, { httpAllowHalfOpen: true })
  // This timeout also runs while a request arrives, and must not end before the timeout of the request. A client that has read part of
  // a response since the platform's last check gets the same time again.
  server.timeout = Math.max(limits.unreadTimeoutS / 2, limits.requestTimeoutS + 2) * 1000

  function noteDropped(): void {
    log.repeated('connections dropped', { sockets: limits.sockets, perAddress: limits.socketsPerAddress })
  }

  function nextId(): string {
    return `${prefix}-${(++requests).toString(36)}`
  }

  function begin(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): Exchange {
    const { headers, socket } = request
    const connection = open.of(socket)
    const length = headers['content-length']
    // The headers that the platform dropped may include the one that announces a body.
    const hasUnreadBody =
      hasTooManyHeaders(request) ||
      headers['transfer-encoding'] !== undefined ||
      (length !== undefined && length !== '0')
    const exchange: Exchange = {
      request,
      response,
      id: nextId(),
      awaitsContinue,
      hasUnreadBody,
      refusals: 'json',
      isTooLate: isDraining,
      isLast:
        isDraining ||
        !response.shouldKeepAlive ||
        wantsClose(request) ||
        // Where a request in another version ends is in doubt.
        request.httpVersionMajor !== 1 ||
        // The platform loses what follows a request for another protocol in the same packet.
        headers.upgrade !== undefined ||
        // Without a body to ask for, or with other responses first, the platform closes the connection by itself.
        (awaitsContinue && !(hasUnreadBody && response.socket)) ||
        (connection !== undefined && connection.requests + 1 >= limits.requestsPerSocket),
    }
    if (connection) {
      open.begin(connection, exchange)
      response.once('close', () => open.end(connection, exchange))
    }
    return exchange
  }

  /** Whether a response in progress ends the connection, so that no later request can get a response. */
  function isClosing(socket: Socket): boolean {
    if (!socket.writable) return true
    for (const { isLast } of open.of(socket)?.exchanges ?? []) if (isLast) return true
    return false
  }

  function accept(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    // An order must not be created if its response cannot be sent.
    if (isClosing(request.socket)) return
    const exchange = begin(request, response, awaitsContinue)
    if (request.socket.destroyed) return
    if (hasTooManyHeaders(request)) send(exchange, refuse('HEADERS_TOO_LARGE'))
    else if (awaitsContinue && !asksOnlyToContinue(request)) send(exchange, refuse('EXPECTATION_FAILED'))
    else run(exchange)
  }

  /** Ends a connection on which something arrived that is not a request. */
  function endWithFault(socket: Socket, code: RefusalCode): void {
    const pending = [...(open.of(socket)?.exchanges ?? [])]
    const whole = pending.filter(({ request }) => request.complete)
    // The requests before the fault were valid: they get their responses, and the connection ends after the last one.
    if (whole.length > 0) endAfter(whole)
    // Unless it has already been refused and only the rest of its body was outstanding.
    else if (!pending.some(({ response }) => response.headersSent)) refuseConnection(socket, nextId(), code)
  }

  server.on('request', (request, response) => accept(request, response, false))
  server.on('checkContinue', (request, response) => accept(request, response, true))
  server.on('checkExpectation', (request, response) => accept(request, response, true))
  server.on('connection', (socket: Socket) => {
    // The platform calls this after the last response.
    socket.destroySoon = () => endGently(socket)
    open.admit(socket)
  })

  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else endWithFault(socket, faultOf(error))
  })
  server.on('connect', (_, stream) => {
    const socket = stream as Socket
    // From here on the platform no longer manages the socket.
    socket.on('error', () => {})
    socket.once('timeout', () => socket.destroy())
    endWithFault(socket, 'BAD_REQUEST')
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
      // A little longer than a request may take.
      const timer = setTimeout(() => server.closeAllConnections(), (limits.requestTimeoutS + 1) * 1000)
      await closed
      clearTimeout(timer)
    },
  }
}

/** For HTTP/1.0 the platform looks only for "keep-alive", but "close" beside it wins (RFC 9112, section 9.3). */
function wantsClose({ httpVersionMinor, headers }: IncomingMessage): boolean {
  return httpVersionMinor === 0 && /(^|,)\s*close\s*(,|$)/i.test(headers.connection ?? '')
}

/** The platform counts only the bytes of names and values, and drops headers beyond a maximum number. */
function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > 2 * MOST_HEADERS
}

/** The platform accepts any header that contains "100-continue"; only that exact value is valid. */
function asksOnlyToContinue({ headers }: IncomingMessage): boolean {
  return String(headers.expect)
    .split(',')
    .every(expectation => expectation.trim().toLowerCase() === '100-continue')
}

/** Ends a connection after the response to the last of these requests; ending it earlier would lose the other responses. */
function endAfter(exchanges: Exchange[]): void {
  const last = exchanges.at(-1)
  // More faults may arrive while the request is handled.
  if (!last || last.isLast) return
  last.isLast = true
  // Its head may already have been written without `Connection: close`.
  last.response.once('close', () => last.request.socket.destroySoon())
}

/** What a client did that never became a request. */
function faultOf(error: NodeJS.ErrnoException): RefusalCode {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'HEADERS_TOO_LARGE'
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'REQUEST_TIMEOUT'
  if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 'PAYLOAD_TOO_LARGE'
  return 'BAD_REQUEST'
}
