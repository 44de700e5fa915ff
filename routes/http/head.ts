import type { IncomingMessage } from 'node:http'

/**
 * The headers of which a repetition matters, each with all its values: the platform keeps only the first of some and
 * joins others.
 */
export interface Head {
  host: string[]
  authorization: string[]
  apiToken: string[]
  contentType: string[]
}

export function readHead(request: IncomingMessage): Head {
  const head: Head = { host: [], authorization: [], apiToken: [], contentType: [] }
  const { rawHeaders } = request
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    // Lengths first: this runs for every request, and most headers are none of these.
    const length = name.length
    if (length !== 4 && length !== 11 && length !== 12 && length !== 13) continue
    const value = rawHeaders[i + 1] as string
    switch (name.toLowerCase()) {
      case 'host':
        head.host.push(value)
        break
      case 'authorization':
        head.authorization.push(value)
        break
      case 'x-api-token':
        head.apiToken.push(value)
        break
      case 'content-type':
        head.contentType.push(value)
        break
    }
  }
  return head
}

/**
 * The path of a request target, without the query: of the origin form ("/a?b") or the absolute form ("http://host/a").
 * Undefined for anything that RFC 9112 does not allow here.
 */
export function pathOf(target: string): string | undefined {
  if (!/^[!"$-~]+$/.test(target)) return undefined
  let start = 0
  if (!target.startsWith('/')) {
    const authority = /^https?:\/\/([^/?#]+)/i.exec(target)
    if (!authority || !URL.canParse(authority[0])) return undefined
    start = authority[0].length
  }
  const query = target.indexOf('?', start)
  const path = query === -1 ? target.slice(start) : target.slice(start, query)
  return path === '' ? '/' : path
}

/** The query of a request, parsed; empty when it has none. */
export function queryOf({ url: target = '' }: IncomingMessage): URLSearchParams {
  const start = target.indexOf('?')
  return new URLSearchParams(start === -1 ? '' : target.slice(start))
}
