import { callerAddress } from '../http/address.ts'
import type { Access, App } from '../http/handler.ts'
import type { Head } from '../http/head.ts'
import { type Exchange, refuse } from '../http/reply.ts'

const caller = { kind: 'token' } as const

/** Accepts requests that have the API token. Checks the module switch, the API switch and the token, in that order (A1). */
export const token: Access<typeof caller> = (app, exchange, head) => {
  const { store, log, trustedProxies } = app
  const { moduleEnabled, apiEnabled } = store.settings.current()
  if (!moduleEnabled) return refuse('MODULE_DISABLED')
  if (!apiEnabled) return refuse('API_DISABLED')
  const credential = credentialOf(head)
  if (credential === undefined || !store.token.matches(credential)) {
    log.repeated('tokens refused', { from: callerAddress(exchange.request, trustedProxies) })
    return refuse('INVALID_TOKEN', ['WWW-Authenticate', 'Bearer'])
  }
  noteUse(app, exchange)
  return caller
}

/**
 * The token that a request presents (decision B1): that of a Bearer `Authorization`, otherwise that of `X-Api-Token`.
 * Undefined when it is missing, repeated or malformed.
 */
function credentialOf({ authorization, apiToken }: Head): string | undefined {
  if (authorization.length > 1 || apiToken.length > 1) return undefined
  const bearer = /^bearer(?:$| +(.*)$)/i.exec(authorization[0] ?? '')
  const credential = bearer ? bearer[1] : apiToken[0]
  return credential !== undefined && /^[!-~]+$/.test(credential) ? credential : undefined
}

/** Records that the token was used, without failing the request (decision B2). */
function noteUse({ store, writer, trustedProxies, log }: App, { request, id }: Exchange): void {
  if (!store.token.takeTurnToNote()) return
  const from = callerAddress(request, trustedProxies)
  writer.chore('noteTokenUse', from).catch(error => log.error('token use not noted', error, { request: id }))
}
