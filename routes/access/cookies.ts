import { isTrusted, peerOf } from '../http/address.ts'
import { cookieOf } from '../http/cookie.ts'
import type { App } from '../http/handler.ts'
import type { Exchange } from '../http/reply.ts'

/** The cookies of people, of paired devices, and of the browsers of guests who have ordered. */
export type SecretCookie = 'session' | 'device' | 'guest'

// The longest that browsers keep a cookie.
const DEVICE_S = 400 * 86_400

// A day: a guest may cancel an order and order again during a long evening.
const GUEST_S = 86_400

/** The secret in a cookie of a request; undefined when it is missing, repeated or not one that this server has made. */
export function secretOf(app: App, exchange: Exchange, cookie: SecretCookie): string | undefined {
  const secret = cookieOf(exchange.request, nameOf(cookie, isHttps(app, exchange)))
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : undefined
}

/** The value of the Set-Cookie header that keeps a secret in a browser; with null, the one that removes it. */
export function keepSecret(app: App, exchange: Exchange, cookie: SecretCookie, secret: string | null): string {
  const isSecure = isHttps(app, exchange)
  return [
    `${nameOf(cookie, isSecure)}=${secret ?? ''}`,
    // Browsers accept `__Host-` only for all paths.
    `Path=${isSecure ? '' : app.basePath}/`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
    ...(secret === null
      ? ['Max-Age=0']
      : cookie === 'session'
        ? []
        : [`Max-Age=${cookie === 'device' ? DEVICE_S : GUEST_S}`]),
  ].join('; ')
}

/** Whether the browser uses https, as a trusted proxy says. */
export function isHttps({ trustedProxies }: App, { request }: Exchange): boolean {
  return request.headers['x-forwarded-proto'] === 'https' && isTrusted(trustedProxies, peerOf(request.socket))
}

/** Over https a name that no other host and no page over http can set. */
function nameOf(cookie: SecretCookie, isSecure: boolean): string {
  return isSecure ? `__Host-servery_${cookie}` : `servery_${cookie}`
}
