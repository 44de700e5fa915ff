import { connect } from 'node:net'
import type { TestContext } from 'node:test'
import type { Shop } from './shop.ts'

export interface WireAnswer {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  bytes: Buffer
  /** The JSON body, or undefined when there is none, it is a page or it is compressed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape, and fail if one has another shape
  body: any
}

/** A connection on which a test writes arbitrary bytes, well formed or not. */
export interface Wire {
  send(bytes: string | Buffer): void
  /** Sends bytes like a client that reads nothing before it has sent all of them. */
  sendFirst(bytes: string | Buffer): void
  /** Ends the sending side; responses can still come. */
  finish(): void
  /** The next response, "100 Continue" included. `to` is the method, because a response to HEAD has no body. */
  answer(to?: string): Promise<WireAnswer>
  /** Everything that comes until the server closes the connection. */
  rest(): Promise<string>
}

// Reached only if the server does not do what the test waits for.
const GIVE_UP_MS = 8000

/** Opens a connection to a server on this machine, from any of its addresses. It is gone after the test. */
export function openWire(t: TestContext, port: number, from = '127.0.0.1'): Wire {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true }).pause()
  let received = Buffer.alloc(0)
  let end: 'none' | 'closed' | 'given up' = 'none'
  let wake = () => {}
  let isSendingFirst = false

  socket.on('data', chunk => {
    received = Buffer.concat([received, chunk])
    wake()
  })
  socket.on('end', () => socket.end())
  socket.on('error', () => {})
  socket.on('close', () => {
    if (end === 'none') end = 'closed'
    wake()
  })
  socket.setTimeout(GIVE_UP_MS, () => {
    end = 'given up'
    socket.destroy()
  })
  t.after(() => socket.destroy())

  function read(): void {
    if (!isSendingFirst) socket.resume()
  }
  const more = () =>
    new Promise<void>(resolve => {
      wake = resolve
      read()
    })

  return {
    send(bytes) {
      socket.write(bytes)
      read()
    },
    sendFirst(bytes) {
      isSendingFirst = true
      socket.pause().write(bytes, () => {
        isSendingFirst = false
        read()
      })
    },
    finish() {
      socket.end()
      read()
    },
    async answer(to = 'GET') {
      for (;;) {
        const answer = firstAnswer(received, to)
        if (answer) {
          received = received.subarray(answer.size)
          return answer
        }
        if (end !== 'none') throw new Error(`${end} after ${JSON.stringify(received.toString('latin1'))}`)
        await more()
      }
    },
    async rest() {
      while (end === 'none') await more()
      if (end === 'given up') throw new Error('the server did not close the connection')
      return received.toString('latin1')
    },
  }
}

function firstAnswer(received: Buffer, to: string): (WireAnswer & { size: number }) | undefined {
  const blank = received.indexOf('\r\n\r\n')
  if (blank === -1) return undefined
  const [statusLine = '', ...lines] = received.toString('latin1', 0, blank).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const headers = Object.fromEntries(
    lines.map(line => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const isBodyless = to === 'HEAD' || status < 200 || status === 204 || status === 304
  if (!isBodyless && headers['content-length'] === undefined) throw new Error(`no Content-Length: ${statusLine}`)
  const size = blank + 4 + (isBodyless ? 0 : Number(headers['content-length']))
  if (received.length < size) return undefined
  const bytes = received.subarray(blank + 4, size)
  const isPage = headers['content-type']?.startsWith('text/html')
  const isJson = bytes.length > 0 && headers['content-encoding'] === undefined && !isPage
  return { status, headers, bytes, body: isJson ? JSON.parse(bytes.toString()) : undefined, size }
}

export const api = '/api/index.php/v1/restaurant'

/** A good order for the small restaurant. */
export const goodOrder = { location_id: 1, items: [{ item_id: 1, qty: 1 }] }

/** The parts of a request, each in place of that of a good order. */
export interface Parts {
  line?: string
  host?: string[]
  access?: string[]
  type?: string[]
  framing?: string[]
  headers?: string[]
  body?: string | Buffer
}

/** The bytes of a good order with the given parts replaced. Text is sent as Latin-1, byte by byte. */
export function postOf({ token }: Pick<Shop, 'token'>, parts: Parts = {}): Buffer {
  const body = parts.body ?? JSON.stringify(goodOrder)
  const {
    line = `POST ${api}/orders HTTP/1.1`,
    host = ['Host: shop.example'],
    access = [`Authorization: Bearer ${token}`],
    type = ['Content-Type: application/json'],
    framing = [`Content-Length: ${Buffer.from(body).length}`],
    headers = [],
  } = parts
  const lines = [line, ...host, ...access, ...type, ...framing, ...headers]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)])
}

/** The bytes of a GET, or of another request without a body. */
export function getOf(shop: Pick<Shop, 'token'>, target = `${api}/locations`, parts: Parts = {}): Buffer {
  return postOf(shop, { line: `GET ${target} HTTP/1.1`, type: [], framing: [], body: '', ...parts })
}

/** A body in one chunk. */
export function chunked(body: string): string {
  return `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`
}

export function orderCount(shop: Pick<Shop, 'rows'>): number {
  return Number(shop.rows('SELECT count(*) AS count FROM orders')[0]?.count)
}
