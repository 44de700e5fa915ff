import router from 'find-my-way'
import { refusalOfAccess } from './access/token.ts'
import { health } from './api/health.ts'
import { listLocations } from './api/locations.ts'
import { readMenu } from './api/menu.ts'
import { createOrder } from './api/orders.ts'
import { callerAddress } from './http/address.ts'
import type { App, Route } from './http/handler.ts'
import { type Head, pathOf, readHead } from './http/head.ts'
import type { RefusalCode } from './http/refusal.ts'
import { type Exchange, type Reply, refuse, send } from './http/reply.ts'

type Entry = [method: 'GET' | 'POST', path: string, handler: Route['handler'], failure: Route['failure']]

/** The whole surface of the API, below {base_url} of section 1. */
const api: Entry[] = [
  ['GET', '/v1/restaurant/locations', listLocations, 'SERVER_ERROR'],
  ['GET', '/v1/restaurant/locations/:locationId/menu', readMenu, 'SERVER_ERROR'],
  ['POST', '/v1/restaurant/orders', createOrder, 'ORDER_FAILED'],
]

const monitoring: Entry[] = [['GET', '/healthz', health, 'SERVER_ERROR']]

/**
 * Returns the one way that every request takes: request line, route, access, handler, answer, in the order of
 * decision A1. `basePath` is where the site is installed ("" or "/shop").
 */
export function requestRunner(app: App, basePath: string): (exchange: Exchange) => void {
  const routes = routeTable(basePath)

  return function run(exchange) {
    const { request } = exchange
    const { method = '', url = '' } = request
    const head = readHead(request)
    if (!isAddressed(exchange, head)) return send(exchange, refuse('BAD_REQUEST'))
    const misframed = refusalOfFraming(exchange)
    if (misframed) return send(exchange, refuse(misframed))
    if (url === '*' && method === 'OPTIONS') return send(exchange, { kind: 'allow', methods: routes.methods })
    const path = pathOf(url)
    if (path === undefined) return send(exchange, refuse('BAD_REQUEST'))

    const found = routes.find(method, path)
    if (!found) return send(exchange, answerWithoutRoute(method, routes.methodsOf(path)))
    const { route, params } = found

    try {
      app.store.refresh()
      const refusal = route.access === 'token' ? refusalOfAccess(app.store, head) : null
      if (refusal === 'INVALID_TOKEN')
        app.log.repeated('tokens refused', { from: callerAddress(request, app.trustedProxies) })
      if (refusal) return send(exchange, refuse(refusal, refusal === 'INVALID_TOKEN' ? challenge : []))
      if (route.access === 'token') noteTokenUse(app, exchange)

      const reply = route.handler(app, { exchange, head, params })
      if (!(reply instanceof Promise)) return send(exchange, reply)
      reply.then(later => later && send(exchange, later)).catch(error => fail(app, exchange, route, error))
    } catch (error) {
      fail(app, exchange, route, error)
    }
  }
}

/** The cause goes to the log, and the caller gets a request id to ask about. */
function fail({ log }: App, exchange: Exchange, { failure }: Route, error: unknown): void {
  const { method, url = '' } = exchange.request
  log.error('request failed', error, { request: exchange.id, method, path: pathOf(url) })
  send(exchange, refuse(failure))
}

const challenge = ['WWW-Authenticate', 'Bearer']

/** HTTP/1 with exactly one Host, which only HTTP/1.0 may leave out (RFC 9112). */
function isAddressed({ request }: Exchange, { host }: Head): boolean {
  if (request.httpVersionMajor !== 1) return false
  const [one, ...others] = host
  if (one === undefined) return request.httpVersionMinor === 0
  return others.length === 0 && /^[\w.~!$&'()*+,;=:%[\]-]*$/.test(one)
}

/** Of the transfer codings only "chunked", and only in HTTP/1.1: others would leave in doubt where the body ends (RFC 9112). */
function refusalOfFraming({ request }: Exchange): RefusalCode | null {
  const coding = request.headers['transfer-encoding']?.toLowerCase()
  if (coding === undefined || (coding === 'chunked' && request.httpVersionMinor === 1)) return null
  return /^\s*(x-)?(gzip|compress|deflate)\s*,\s*chunked\s*$/.test(coding) ? 'NOT_IMPLEMENTED' : 'BAD_REQUEST'
}

function answerWithoutRoute(method: string, allowed: string[]): Reply {
  if (allowed.length === 0) return refuse('NOT_FOUND')
  if (method === 'OPTIONS') return { kind: 'allow', methods: allowed }
  return refuse('METHOD_NOT_ALLOWED', ['Allow', allowed.join(', ')])
}

/** Writes down that the token was used, but never in the way of an answer (decision B2). */
function noteTokenUse({ store, trustedProxies, log }: App, { request, id }: Exchange): void {
  if (!store.token.takeTurnToNote()) return
  const from = callerAddress(request, trustedProxies)
  setImmediate(() => {
    try {
      store.token.noteUse(from)
    } catch (error) {
      log.error('token use not noted', error, { request: id })
    }
  })
}

function routeTable(basePath: string) {
  // A path must be spelt as it is in the table: no decoding, no second slash, no slash at the end.
  const table = router({ caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 16 * 1024 })
  const methods = ['GET', 'HEAD', 'POST'] as const

  function add(prefix: string, access: Route['access'], entries: Entry[]): void {
    for (const [method, path, handler, failure] of entries) {
      const route: Route = { handler, access, failure }
      for (const each of method === 'GET' ? (['GET', 'HEAD'] as const) : ([method] as const)) {
        table.on(each, `${prefix}${path}`, () => {}, route)
      }
    }
  }
  add(`${basePath}/api/index.php`, 'token', api)
  add('', 'all', monitoring)

  function find(
    method: string,
    path: string,
  ): { route: Route; params: Record<string, string | undefined> } | undefined {
    const known = methods.find(each => each === method)
    // No path of ours has an escape, a backslash or an empty segment in it, so whoever sends one means another path.
    if (!known || path.includes('%') || path.includes('\\') || path.includes('//')) return undefined
    const found = table.find(known, path)
    return found ? { route: found.store, params: found.params } : undefined
  }

  return {
    methods: [...methods, 'OPTIONS'],
    find,
    /** The methods that a path knows; none when there is no such path. */
    methodsOf(path: string): string[] {
      const known = methods.filter(method => find(method, path))
      return known.length > 0 ? [...known, 'OPTIONS'] : []
    },
  }
}
