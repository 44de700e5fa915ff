import { connect } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { readConfiguration } from '../../configuration.ts'
import { type Serving, serve } from '../../server.ts'
import { jsonLog } from '../../store/log.ts'
import { parseRestaurantFile } from '../../store/restaurant-file/restaurant-file.ts'
import { openStore, type Store } from '../../store/store.ts'
import { type Clock, systemClock } from '../../store/terms/clock.ts'
import { temporaryFolder } from './folders.ts'
import { assertMatches } from './openapi.ts'
import { why } from './refusals.ts'
import { smallRestaurant } from './small-restaurant.ts'
import { withStore } from './store.ts'

export interface Answer {
  status: number
  headers: Headers
  /** The JSON body, or undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape, and fail if one has another shape
  body: any
  text: string
}

export interface Shop extends Serving {
  /** A separate store on the file, because the server's can only read. */
  store: Store
  port: number
  token: string
  file: string
  clock: Clock
  /** The lines that the server logged. */
  logged: Record<string, unknown>[]
  /** A request with the token, unless `headers` say otherwise; `path` is below /api/index.php/v1/restaurant. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** Places an order. A string or bytes are sent unchanged. */
  order(body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Sends bytes over a new socket and returns everything that comes back until the server closes it. */
  raw(bytes: string | Buffer): Promise<string>
  /** Reads the database file over a separate connection. */
  rows(sql: string, ...parameters: unknown[]): Record<string, unknown>[]
  /** Changes the database file over a separate connection, as another process would. */
  execute(sql: string): void
}

export interface ShopOptions {
  /** A restaurant file as a value; the small one by default, null for none. */
  restaurant?: unknown
  settings?: Record<string, string>
  clock?: Clock
  environment?: Record<string, string>
  ordersPerCommit?: number
}

/** Imports a restaurant into a file, without a server. Throws with its problems. */
export function importInto(
  file: string,
  restaurant: unknown,
  settings: Record<string, string> = {},
  clock = systemClock,
): string {
  return withStore(
    file,
    store => {
      if (restaurant !== null) {
        const parsed = parseRestaurantFile(JSON.stringify(restaurant))
        if (parsed.problems.length > 0) throw new Error(JSON.stringify(parsed.problems, null, 1))
        store.importCatalogue(parsed.file)
      }
      for (const [key, value] of Object.entries(settings)) {
        const refusal = store.settings.set(key, value)
        if (refusal) throw new Error(why(refusal))
      }
      return store.token.generate()
    },
    { create: true, clock },
  )
}

export const switchedOn = { 'api.module_enabled': 'on', 'api.enabled': 'on' }

/** Starts the real server on a real file, with the API switched on and a token made. Stopped after the test. */
export async function openShop(t: TestContext, options: ShopOptions = {}): Promise<Shop> {
  const {
    restaurant = smallRestaurant(),
    settings = {},
    clock = systemClock,
    environment = {},
    ordersPerCommit,
  } = options
  const file = join(temporaryFolder(t), 'test.db')
  const token = importInto(file, restaurant, { ...switchedOn, ...settings }, clock)
  const { configuration, problems } = readConfiguration({
    PORT: '0',
    DATABASE_FILE: file,
    // The host name of the browser tests, at which nothing is a secure context, as in a restaurant.
    HOSTS: 'servery.test',
    ...environment,
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const logged: Record<string, unknown>[] = []
  const log = jsonLog(lines => {
    for (const line of lines.trimEnd().split('\n')) logged.push(JSON.parse(line))
  }, Date.now)
  const serving = await serve(configuration, { clock, log, ...(ordersPerCommit && { ordersPerCommit }) })
  let isStopped = false
  async function stop(): Promise<void> {
    if (isStopped) return
    isStopped = true
    await serving.stop()
    log.flush()
  }
  t.after(stop)
  // Any write resolves once the writer thread has started.
  await serving.writer.chore('cutDeliveryLog')
  const store = openStore(file, { clock, create: false, busyMs: 5000 })
  t.after(store.close)

  const port = Number(new URL(serving.url).port)
  const base = `${serving.url}${configuration.basePath}/api/index.php/v1/restaurant`

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined
        ? {}
        : {
            body:
              typeof body === 'string' ? body : body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
          }),
    })
    const text = await response.text()
    // In every test, responses must match docs/openapi.yaml.
    assertMatches(`/api/index.php/v1/restaurant${path}`, method, response.status, response.headers, text)
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
      text,
    }
  }

  return {
    ...serving,
    get store() {
      store.refresh()
      return store
    },
    stop,
    port,
    token,
    file,
    clock,
    logged,
    call,
    get: (path, headers) => call('GET', path, undefined, headers),
    order: (body, headers) => call('POST', '/orders', body, { 'Content-Type': 'application/json', ...headers }),
    raw: bytes => rawExchange(port, bytes),
    rows(sql, ...parameters) {
      const db = new Database(file, { readonly: true })
      try {
        return db.prepare<unknown[], Record<string, unknown>>(sql).all(...parameters)
      } finally {
        db.close()
      }
    },
    execute(sql) {
      const db = new Database(file)
      try {
        db.exec(sql)
      } finally {
        db.close()
      }
    },
  }
}

/** Sends bytes and returns everything that comes back until the peer closes, or is silent for so long. */
export function rawExchange(port: number, bytes: string | Buffer, silentMs = 2000): Promise<string> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    const finish = () => {
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('latin1'))
    }
    socket.setTimeout(silentMs, finish)
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', finish)
    socket.on('close', finish)
    socket.write(bytes)
  })
}
