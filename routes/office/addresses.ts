import { isHttps } from '../access/cookies.ts'
import type { App } from '../http/handler.ts'
import type { Exchange } from '../http/reply.ts'
import { siteAddresses } from '../http/site-addresses.ts'

/** An address of this site. */
export interface SiteAddress {
  /** The address with the base path, without a slash at its end. */
  text: string
  /** Whether it only works on this machine. */
  isOnlyHere: boolean
}

/**
 * The addresses of this site: first the one that this browser uses, then the others. Those that only work on this machine come last.
 */
export function addressesOf(app: App, exchange: Exchange): [SiteAddress, ...SiteAddress[]] {
  const { headers, socket } = exchange.request
  const here = `${isHttps(app, exchange) ? 'https' : 'http'}://${headers.host}${app.basePath}`
  const texts = new Set([here, ...siteAddresses(app, socket.localPort ?? 80)])
  const all = [...texts].map(text => ({ text, isOnlyHere: isThisMachine(text) }))
  const [first = { text: here, isOnlyHere: isThisMachine(here) }, ...others] = [
    ...all.filter(({ isOnlyHere }) => !isOnlyHere),
    ...all.filter(({ isOnlyHere }) => isOnlyHere),
  ]
  return [first, ...others]
}

function isThisMachine(address: string): boolean {
  return /^https?:\/\/(localhost|127\.|\[::1\])/i.test(address)
}
