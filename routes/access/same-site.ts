import { isIP } from 'node:net'
import type { App, Guard } from '../http/handler.ts'
import { type Exchange, refuse } from '../http/reply.ts'
import { isHttps } from './cookies.ts'

/**
 * Guards the pages (decision 047): they are served only under known names, so that no other site can have its name resolved to this
 * server and read them (DNS rebinding), and their forms are accepted only from their own pages.
 */
export const pagesOnly: Guard = (app, exchange) => {
  const { method, headers } = exchange.request
  if (!isKnownHost(headers.host, app.hosts)) return refuse('UNKNOWN_HOST')
  if (method === 'POST' && !isFromOwnPage(app, exchange)) return refuse('CROSS_SITE')
  return undefined
}

/** An address, a name that is only valid in a local network, or one that is configured. */
function isKnownHost(host: string | undefined, hosts: App['hosts']): boolean {
  if (host === undefined) return false
  const name = host.toLowerCase().replace(/:\d*$/, '')
  if (isIP(name) !== 0 || isIP(name.replace(/^\[(.*)\]$/, '$1')) === 6) return true
  return name !== '' && (!name.includes('.') || name.endsWith('.local') || hosts.has(name))
}

/**
 * Browsers say where a request comes from in `Sec-Fetch-Site`, but not to a server on plain http that is not localhost. Then there is
 * `Origin`. A request with neither is not from a form.
 */
function isFromOwnPage(app: App, exchange: Exchange): boolean {
  const { host, origin, 'sec-fetch-site': site } = exchange.request.headers
  if (site !== undefined) return site === 'same-origin'
  return origin !== undefined && origin === `${isHttps(app, exchange) ? 'https' : 'http'}://${host?.toLowerCase()}`
}
