import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { AnswerHeaders } from '../support/openapi.ts'

// A client that takes nothing for granted: it reads answers by the letter of HTTP/1.1, and fails on everything else.

/** An answer as it stood on the wire. */
export interface Heard {
  status: number
  /** By name in lower case. */
  headers: Record<string, string>
  bytes: Buffer
}

export interface Line {
  send(bytes: Buffer): void
  /** Ends the sending side; answers can still come. */
  finish(): void
  /** Goes away without a word. */
  leave(): void
  readonly heard: Heard[]
  /** What came that is no whole answer. */
  readonly rest: Buffer
  readonly isClosed: boolean
  /** Whether a "100 Continue" has come since the last answer. */
  readonly isAskedToGoOn: boolean
  /** Resolves to true once `isEnough` holds, looked at whenever something happens on the line; to false after `ms`. */
  until(isEnough: () => boolean, ms: number): Promise<boolean>
}

/** Opens a connection. `methods` says what is asked, in order: an answer to HEAD has no body. Without it, all is GET. */
export function dial(port: number, methods: readonly string[] = []): Line {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  const heard: Heard[] = []
  let rest = Buffer.alloc(0)
  let fault: unknown
  let isClosed = false
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const look of waiting) look()
  }
  let isAskedToGoOn = false

  function listen(isOver: boolean): void {
    try {
      for (;;) {
        const answer = firstAnswer(rest, methods[heard.length] ?? 'GET', isOver)
        if (!answer) break
        rest = rest.subarray(answer.size)
        if (answer.status === 100) isAskedToGoOn = true
        else {
          heard.push({ status: answer.status, headers: answer.headers, bytes: answer.bytes })
          isAskedToGoOn = false
        }
      }
    } catch (error) {
      fault ??= new Error(`${error} after ${heard.map(({ status }) => status)} in ${shown(rest)}`)
    }
    wake()
  }

  socket.on('data', chunk => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    listen(false)
  })
  socket.on('end', () => {
    listen(true)
    socket.end()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
    wake()
  })

  return {
    send: bytes => void (socket.writable && socket.write(bytes)),
    finish: () => void socket.end(),
    leave: () => void socket.destroy(),
    heard,
    get rest() {
      return rest
    },
    get isAskedToGoOn() {
      return isAskedToGoOn
    },
    get isClosed() {
      return isClosed
    },
    until(isEnough, ms) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => end(false), ms)
        function end(outcome: boolean): void {
          clearTimeout(timer)
          waiting.delete(look)
          if (fault) reject(fault)
          else resolve(outcome)
        }
        function look(): void {
          if (fault || isEnough()) end(true)
        }
        waiting.add(look)
        look()
      })
    },
  }
}

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [\t\x20-\x7e]*$/
const HEADER = new RegExp(`^(${TOKEN}): ?([\\t\\x20-\\x7e]*)$`)

/**
 * The first answer in what was received, or undefined while it is not whole. Throws when it is no answer of HTTP/1.1.
 * `isOver`: nothing will follow.
 */
function firstAnswer(received: Buffer, method: string, isOver: boolean): (Heard & { size: number }) | undefined {
  const blank = received.indexOf('\r\n\r\n')
  if (blank === -1) {
    const start = received.toString('latin1', 0, 9)
    assert.ok('HTTP/1.1 '.startsWith(start.slice(0, 9)), `no answer begins like this: ${JSON.stringify(start)}`)
    return undefined
  }
  const [first = '', ...lines] = received.toString('latin1', 0, blank).split('\r\n')
  const status = Number(STATUS_LINE.exec(first)?.[1])
  assert.ok(status, `no status line: ${JSON.stringify(first)}`)
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name = '', value = ''] = HEADER.exec(line) ?? []
    assert.ok(name !== '', `no header: ${JSON.stringify(line)}`)
    assert.equal(headers[name.toLowerCase()], undefined, `two headers ${name}`)
    headers[name.toLowerCase()] = value.trim()
  }
  assert.equal(headers['transfer-encoding'], undefined, 'every answer says how long it is')
  // What began as HEAD and is no request has no method, so its refusal has a body; only the end of it all tells.
  const isInDoubt = method === 'HEAD' && status === 400 && headers.connection === 'close'
  if (isInDoubt && !isOver) return undefined
  const isHead = method === 'HEAD' && !(isInDoubt && received.length > blank + 4)
  const isBodyless = isHead || status < 200 || status === 204 || status === 304
  const length = headers['content-length']
  if (!isBodyless) assert.match(length ?? '', /^\d+$/, `Content-Length of ${first}`)
  const size = blank + 4 + (isBodyless ? 0 : Number(length))
  if (received.length < size) return undefined
  return { status, headers, bytes: received.subarray(blank + 4, size), size }
}

/** The JSON of an answer; undefined when it has no body. Throws when it has another. */
export function bodyOf({ bytes }: Heard): unknown {
  return bytes.length === 0 ? undefined : JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
}

export const headersOf = ({ headers }: Heard): AnswerHeaders => headers

/** A caller who stays on one connection as long as the server does, and dials again then. */
export interface Caller {
  /** Sends a request and answers what it is answered; undefined when the connection ends without an answer. */
  ask(request: Buffer, how?: { method?: string; finish?: boolean }): Promise<Heard | undefined>
  hangUp(): void
}

// Only a server that does not answer lets this pass.
export const PATIENCE_MS = 10_000
// Less than the time after which the server ends an idle connection.
const IDLE_MS = 3000

export function caller(port: number): Caller {
  let line: Line | undefined
  let methods: string[] = []
  let usedAt = 0

  return {
    async ask(request, { method = 'POST', finish = false } = {}) {
      if (line && performance.now() - usedAt > IDLE_MS) {
        line.leave()
        line = undefined
      }
      if (!line) {
        methods = []
        line = dial(port, methods)
      }
      const current = line
      const before = current.heard.length
      methods.push(method)
      current.send(request)
      if (finish) current.finish()
      const isOver = await current.until(() => current.heard.length > before || current.isClosed, PATIENCE_MS)
      assert.ok(isOver, `no answer within ${PATIENCE_MS} ms to ${shown(request)}`)
      const answer = current.heard[before]
      usedAt = performance.now()
      if (!answer || answer.headers.connection === 'close' || finish) {
        line = undefined
        const isClosed = await current.until(() => current.isClosed, PATIENCE_MS)
        current.leave()
        assert.ok(isClosed, `the connection was not closed after ${shown(request)}`)
        assert.equal(current.heard.length, answer ? before + 1 : before, `two answers to ${shown(request)}`)
        assert.equal(current.rest.length, 0, `something came after the last answer to ${shown(request)}`)
      }
      return answer
    },
    hangUp() {
      line?.leave()
      line = undefined
    },
  }
}

export const shown = (bytes: Buffer): string => {
  const text = JSON.stringify(bytes.toString('latin1'))
  return text.length > 3000 ? `${text.slice(0, 2000)} … ${text.slice(-500)} (${bytes.length} bytes)` : text
}
