import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** A response as bytes that are made once and sent many times, also compressed. */
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

/** Prepares a JSON response, which clients check for changes before they use it again (decision A7). */
export function prepare(body: unknown): Prepared {
  return prepareBytes(Buffer.from(JSON.stringify(body)), 'application/json; charset=utf-8', [
    'Cache-Control',
    'no-cache',
  ])
}

/** Prepares bytes of a type. The ETag is strong: the same bytes have the same one, also after a restart. */
export function prepareBytes(bytes: Buffer, type: string, headers: string[]): Prepared {
  const tag = hash('sha256', bytes, 'buffer').toString('base64url').slice(0, 22)
  const plain = variant(bytes, `"${tag}"`, [])
  let compressed: Variant | undefined

  function variant(content: Buffer, etag: string, encoding: string[]): Variant {
    const headersWithoutBody = ['ETag', etag, ...headers, 'Vary', 'Accept-Encoding']
    const contentHeaders = ['Content-Type', type, 'Content-Length', String(content.length)]
    return { bytes: content, headers: [...headersWithoutBody, ...encoding, ...contentHeaders], headersWithoutBody }
  }

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

/** Whether an Accept-Encoding has gzip, by name or by `*`, with a weight above 0. */
export function acceptsGzip(header: string): boolean {
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
