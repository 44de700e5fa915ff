import { isHttps } from '../access/cookies.ts'
import type { App } from '../http/handler.ts'
import type { Exchange } from '../http/reply.ts'
import { siteAddresses } from '../http/site-addresses.ts'

/** An address at which this site may be found by other devices. */
export interface SiteAddress {
  /** Without a slash at its end. */
  text: string
  /** It only works on this machine. */
  isOnlyHere: boolean
}

/**
 * The addresses of this site for other devices, the best first: the one that this browser uses, then the others. Those that mean
 * only this machine come last.
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
