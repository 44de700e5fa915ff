import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** A JSON response as bytes that are made once and sent many times, also compressed. */
export interface Prepared {
  /** The bytes to send to a client with this `Accept-Encoding`. */
  variantFor(acceptEncoding: string | string[] | undefined): Variant
  /** Whether an `If-None-Match` names what would be sent. */
  isKnown(ifNoneMatch: string): boolean
}

interface Variant {
  bytes: Buffer
  headers: string[]
  headersWithoutBody: string[]
}

/** Prepares a response. The ETag is strong: the same bytes have the same one, also after a restart (decision A7). */
export function prepare(body: unknown): Prepared {
  const bytes = Buffer.from(JSON.stringify(body))
  const tag = hash('sha256', bytes, 'buffer').toString('base64url').slice(0, 22)
  const plain = variant(bytes, `"${tag}"`, [])
  let compressed: Variant | undefined

  return {
    variantFor(acceptEncoding) {
      if (acceptEncoding === undefined || !acceptsGzip(String(acceptEncoding))) return plain
      compressed ??= variant(gzipSync(bytes), `"${tag}-gzip"`, ['Content-Encoding', 'gzip'])
      return compressed
    },
    // Both variants have the same content, so a client that has one of them needs no new one.
    isKnown: ifNoneMatch => isKnown(ifNoneMatch, [`"${tag}"`, `"${tag}-gzip"`]),
  }
}

/** Whether an `If-None-Match` has one of these ETags, or is `*`. */
export function isKnown(ifNoneMatch: string, etags: string[]): boolean {
  return ifNoneMatch.split(',').some(entry => {
    const known = entry.trim().replace(/^W\//, '')
    return known === '*' || etags.includes(known)
  })
}

function variant(bytes: Buffer, etag: string, encoding: string[]): Variant {
  const headersWithoutBody = ['ETag', etag, 'Cache-Control', 'no-cache', 'Vary', 'Accept-Encoding']
  const content = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(bytes.length)]
  return { bytes, headers: [...headersWithoutBody, ...encoding, ...content], headersWithoutBody }
}

/** Whether an Accept-Encoding has gzip, by name or by `*`, with a weight above 0. */
function acceptsGzip(header: string): boolean {
  let byWildcard = false
  for (const entry of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = entry.split(';').map(part => part.trim())
    const isWanted = !parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter))
    if (coding === 'gzip' || coding === 'x-gzip') return isWanted
    if (coding === '*') byWildcard = isWanted
  }
  return byWildcard
}

/** Remembers what was prepared for each thing as long as that thing lives. */
export function preparedOnce<T extends object>(bodyOf: (thing: T) => unknown): (thing: T) => Prepared {
  const made = new WeakMap<T, Prepared>()
  return thing => {
    let prepared = made.get(thing)
    if (!prepared) {
      prepared = prepare(bodyOf(thing))
      made.set(thing, prepared)
    }
    return prepared
  }
}
