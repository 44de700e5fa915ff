import type { Store } from '../../store/store.ts'
import type { Head } from '../http/head.ts'
import type { RefusalCode } from '../http/refusal.ts'

/** Why a request may not use the API, or null: the module switch, the API switch, the token, in that order (A1). */
export function refusalOfAccess(store: Store, head: Head): RefusalCode | null {
  const { moduleEnabled, apiEnabled } = store.settings.current()
  if (!moduleEnabled) return 'MODULE_DISABLED'
  if (!apiEnabled) return 'API_DISABLED'
  const credential = credentialOf(head)
  return credential !== undefined && store.token.matches(credential) ? null : 'INVALID_TOKEN'
}

/**
 * The token that a request presents (decision B1): that of a Bearer `Authorization`, else that of `X-Api-Token`.
 * Undefined when there is none or it is repeated or malformed.
 */
function credentialOf({ authorization, apiToken }: Head): string | undefined {
  if (authorization.length > 1 || apiToken.length > 1) return undefined
  const bearer = /^bearer(?:$| +(.*)$)/i.exec(authorization[0] ?? '')
  const credential = bearer ? bearer[1] : apiToken[0]
  return credential !== undefined && /^[!-~]+$/.test(credential) ? credential : undefined
}
