import { isUtf8 } from 'node:buffer'
import type { ServerResponse } from 'node:http'
import type { Head } from './head.ts'
import type { Exchange } from './reply.ts'

/** The largest body in bytes (decision A8). */
const LARGEST_BODY = 256 * 1024

// Each chunk costs the platform some microseconds, whatever its size: the largest body in single bytes would delay everybody.
const MOST_CHUNKS = 16_384

// A page has dozens of fields, a list of lines hundreds.
const MOST_FIELDS = 1000

export type BodyType = 'application/json' | 'application/x-www-form-urlencoded'

/** Whether a body is announced as this type, in UTF-8 and not compressed. */
export function isAnnouncedAs(expected: BodyType, exchange: Exchange, { contentType }: Head): boolean {
  const encoding = exchange.request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return false
  if (contentType.length !== 1) return false
  const [type = '', ...parameters] = (contentType[0] as string).toLowerCase().split(';')
  if (type.trim() !== expected) return false
  const charsets = parameters.map(parameter => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
  return charsets.every(charset => charset === undefined || charset === 'utf-8' || charset === 'utf8')
}

/** The complete body, or why there is none: it is too large, or the client has disconnected. */
export type ReadBody = { ok: true; bytes: Buffer } | { ok: false; reason: 'too large' | 'gone' }

/** Reads the body of a request of at most so many bytes, and tells a client that waits for it to go ahead first. */
export function readBody(exchange: Exchange, most: number = LARGEST_BODY): Promise<ReadBody> {
  const { request, response, sent } = exchange
  if (sent) return Promise.resolve({ ok: true, bytes: sent })
  if (Number(request.headers['content-length'] ?? 0) > most) {
    return Promise.resolve({ ok: false, reason: 'too large' })
  }
  if (exchange.awaitsContinue) {
    exchange.awaitsContinue = false
    askForBody(response)
  }
  return new Promise(resolve => {
    // One growing buffer: a chunk that is kept by itself takes hundreds of bytes, even if it has only one.
    let buffer: Buffer = Buffer.alloc(0)
    let size = 0
    let chunks = 0
    request.on('data', (chunk: Buffer) => {
      const end = size + chunk.length
      if (end > most || ++chunks > MOST_CHUNKS) {
        request.removeAllListeners('data')
        request.pause()
        resolve({ ok: false, reason: 'too large' })
        return
      }
      if (size === 0) buffer = chunk
      else {
        if (end > buffer.length) {
          const larger = Buffer.allocUnsafeSlow(Math.min(most, Math.max(end, 2 * buffer.length)))
          buffer.copy(larger, 0, 0, size)
          buffer = larger
        }
        chunk.copy(buffer, size)
      }
      size = end
    })
    request.once('end', () => {
      exchange.hasUnreadBody = false
      resolve({ ok: true, bytes: buffer.subarray(0, size) })
    })
    request.once('error', () => resolve({ ok: false, reason: 'gone' }))
    request.once('close', () => {
      // Resolving twice costs a microsecond, and every request closes.
      if (!request.readableEnded) resolve({ ok: false, reason: 'gone' })
    })
  })
}

/** Asks for the body once it is this response's turn; before that, the request for it would end up inside another response. */
function askForBody(response: ServerResponse): void {
  if (response.socket) response.writeContinue()
  else response.once('socket', () => response.headersSent || response.writeContinue())
}

/** The JSON value in a body, which a byte order mark may precede; undefined when it is not UTF-8, empty or not JSON. */
export function parseJson(bytes: Buffer): { value: unknown } | undefined {
  if (!isUtf8(bytes)) return undefined
  try {
    const text = bytes.toString('utf8')
    return { value: JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) }
  } catch {
    return undefined
  }
}

/**
 * The fields of a form (application/x-www-form-urlencoded) in their order, with repeated names kept. Undefined when there are
 * more than `most`, or they are not UTF-8 with correct percent escapes.
 */
export function parseForm(bytes: Buffer, most = MOST_FIELDS): URLSearchParams | undefined {
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString('utf8')
  if (text.split('&', most + 1).length > most) return undefined
  try {
    // The parser below would insert replacement characters for wrong escapes.
    decodeURIComponent(text)
    return new URLSearchParams(text)
  } catch {
    return undefined
  }
}
