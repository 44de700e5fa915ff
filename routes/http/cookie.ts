import type { IncomingMessage } from 'node:http'

/** The value of a cookie of a request. Undefined if it is missing, sent twice, or has other characters than tokens have. */
export function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  const values = (headers.cookie ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(`${name}=`))
    .map(pair => pair.slice(name.length + 1))
  const [value] = values
  return values.length === 1 && value !== undefined && /^[\w.~-]+$/.test(value) ? value : undefined
}
