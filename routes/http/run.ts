import { TooManyReads } from '../../reader/reader.ts'
import { bucketOf, callerAddress } from './address.ts'
import type { App } from './handler.ts'
import { type Head, pathOf, readHead } from './head.ts'
import type { RefusalCode } from './refusal.ts'
import { type Exchange, type Reply, refuse, send } from './reply.ts'
import type { Router } from './router.ts'

/**
 * Returns the function that takes a request from its first line to its response: request line, route, access, handler,
 * reply, in the order of decision A1. Refused requests for the API are noted (decision 053). `runOther` takes those that this
 * router has no route for, instead of a refusal.
 */
// No function is made for each request: tsx gives every one its name, at the cost of a microsecond.
export function runner(
  app: App,
  router: Router,
  runOther?: (exchange: Exchange) => void,
): (exchange: Exchange) => void {
  const apiPath = `${app.basePath}/api/`

  return function run(exchange) {
    const { request } = exchange
    const { method = '', url = '' } = request
    const head = readHead(request)
    if (!isAddressed(exchange, head)) return void send(exchange, refuse('BAD_REQUEST'))
    const misframed = refusalOfFraming(exchange)
    if (misframed) return void respond(exchange, refuse(misframed))
    if (url === '*' && method === 'OPTIONS') return void send(exchange, { kind: 'allow', methods: router.methods })
    const path = pathOf(url)
    if (path === undefined) return void send(exchange, refuse('BAD_REQUEST'))

    let failure: RefusalCode = 'SERVER_ERROR'
    try {
      const found = router.find(method, path)
      if (!found) return runOther ? runOther(exchange) : sendWithoutRoute(exchange, path)
      const { route, guard, parameters } = found
      exchange.refusals = found.refusals
      failure = route.failure
      if (exchange.isTooLate) return void send(exchange, refuse('SHUTTING_DOWN'))
      const refusal = guard?.(app, exchange)
      if (refusal) return void send(exchange, refusal)
      app.store.refresh()
      const reply = route.handle(app, exchange, head, parameters)
      if (reply instanceof Promise) void sendLater(exchange, reply, failure)
      else respond(exchange, reply)
    } catch (error) {
      fail(exchange, failure, error)
    }
  }

  async function sendLater(exchange: Exchange, later: Promise<Reply | undefined>, failure: RefusalCode): Promise<void> {
    try {
      const reply = await later
      if (reply) await respond(exchange, reply)
    } catch (error) {
      fail(exchange, failure, error)
    }
  }

  function respond(exchange: Exchange, reply: Reply): void | Promise<void> {
    if (reply.kind === 'refusal' || reply.kind === 'faults') noteRefusal(exchange, reply)
    return send(exchange, reply)
  }

  function noteRefusal({ request, id }: Exchange, reply: Reply & { kind: 'refusal' | 'faults' }): void {
    const path = pathOf(request.url ?? '')
    if (!path?.startsWith(apiPath)) return
    const [fault] = reply.kind === 'faults' ? reply.faults : []
    const code = reply.kind === 'faults' ? 'INVALID_ORDER' : reply.code
    app.refused.note({
      id,
      code,
      fault: fault ?? null,
      request: `${request.method} ${path}`,
      address: bucketOf(callerAddress(request, app.trustedProxies)),
    })
  }

  /** The cause goes to the log, and the caller gets a request id to ask about. */
  function fail(exchange: Exchange, failure: RefusalCode, error: unknown): void {
    if (error instanceof TooManyReads) return void respond(exchange, refuse('TOO_BUSY'))
    const { method, url = '' } = exchange.request
    app.log.error('request failed', error, { request: exchange.id, method, path: pathOf(url) })
    respond(exchange, refuse(exchange.refusals !== 'json' && isOfDisk(error) ? 'DISK_FAILED' : failure))
  }

  function sendWithoutRoute(exchange: Exchange, path: string): void {
    const known = router.methodsAt(path)
    if (!known) {
      // A program that asks for a missing address reads no page.
      const isBrowser = exchange.request.headers.accept?.includes('text/html')
      if (isBrowser) exchange.refusals = router.refusalsAt(path)
      return void respond(exchange, refuse('NOT_FOUND'))
    }
    exchange.refusals = known.refusals
    if (exchange.request.method === 'OPTIONS') send(exchange, { kind: 'allow', methods: known.allowed })
    else respond(exchange, refuse('METHOD_NOT_ALLOWED', ['Allow', known.allowed.join(', ')]))
  }
}

/** Whether SQLite could not write, for a reason that people can do something about. */
function isOfDisk(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^SQLITE_(FULL|READONLY|IOERR|CANTOPEN)/.test(code)
}

/** HTTP/1 with exactly one Host, which only HTTP/1.0 may leave out (RFC 9112). */
function isAddressed({ request }: Exchange, { host }: Head): boolean {
  if (request.httpVersionMajor !== 1) return false
  const [one, ...others] = host
  if (one === undefined) return request.httpVersionMinor === 0
  return others.length === 0 && /^[\w.~!$&'()*+,;=:%[\]-]*$/.test(one)
}

/** Of the transfer codings only "chunked", and only in HTTP/1.1: others leave in doubt where the body ends (RFC 9112). */
function refusalOfFraming({ request }: Exchange): RefusalCode | null {
  const coding = request.headers['transfer-encoding']?.toLowerCase()
  if (coding === undefined || (coding === 'chunked' && request.httpVersionMinor === 1)) return null
  return /^\s*(x-)?(gzip|compress|deflate)\s*,\s*chunked\s*$/.test(coding) ? 'NOT_IMPLEMENTED' : 'BAD_REQUEST'
}
