import { bucketOf, callerAddress } from '../http/address.ts'
import type { Access, DeviceCaller } from '../http/handler.ts'
import { pathOf } from '../http/head.ts'
import { refuse } from '../http/reply.ts'

/**
 * A printer in use, by the secret in its path: `…/printers/SECRET`. Wrong secrets are limited for each address, separately from
 * log-ins, because a printer that was removed goes on asking.
 */
export const printer: Access<DeviceCaller> = (app, { request }) => {
  const [, secret] = /\/printers\/([\w-]{43})$/.exec(pathOf(request.url ?? '') ?? '') ?? []
  const device = secret === undefined ? undefined : app.store.devices.find(secret)
  if (device?.role === 'printer') {
    return { kind: 'device', device, person: null, actor: { kind: 'device', id: device.id, name: device.title } }
  }
  const from = callerAddress(request, app.trustedProxies)
  app.log.repeated('printers refused', { from })
  const wait = app.throttle.take({ address: `printer ${bucketOf(from)}` })
  return wait > 0 ? refuse('TOO_MANY_LOG_INS', ['Retry-After', String(wait)]) : refuse('NOT_LOGGED_IN')
}
