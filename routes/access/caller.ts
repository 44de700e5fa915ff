import type { Device } from '../../store/people/devices.ts'
import type { Session } from '../../store/people/sessions.ts'
import { callerAddress } from '../http/address.ts'
import type { App, PersonCaller } from '../http/handler.ts'
import type { Exchange } from '../http/reply.ts'
import { secretOf } from './cookies.ts'

/** The person who is logged in, if anybody. */
export function personOf(app: App, exchange: Exchange): PersonCaller | undefined {
  const session = sessionOf(app, exchange)
  if (!session) return undefined
  const { person } = session
  const actor = { kind: 'staff', id: person.id, name: person.name } as const
  const device = session.deviceId === null ? null : (deviceOf(app, exchange) ?? null)
  return { kind: 'person', person, session, device, actor }
}

/** The session of a request; a log-in by PIN is valid only on the device where it was made. */
export function sessionOf(app: App, exchange: Exchange): Session | undefined {
  const { store, writer, log, trustedProxies } = app
  const secret = secretOf(app, exchange, 'session')
  const session = secret === undefined ? undefined : store.sessions.find(secret)
  if (!session || (session.deviceId !== null && deviceOf(app, exchange)?.id !== session.deviceId)) return undefined
  // What a page asks for by itself says nothing about the person.
  const isByItself = exchange.request.headers['servery-refresh'] !== undefined
  if (!isByItself && store.sessions.takeTurnToNote(session.id)) {
    const from = callerAddress(exchange.request, trustedProxies)
    writer.chore('noteSessionSeen', session.id, from).catch(error => log.error('session use not noted', error))
  }
  return session
}

/** The paired device of a request, if it is still in use. */
export function deviceOf(app: App, exchange: Exchange): Device | undefined {
  const { store, writer, log } = app
  const secret = secretOf(app, exchange, 'device')
  const found = secret === undefined ? undefined : store.devices.find(secret)
  if (found && store.devices.takeTurnToNote(found.id)) {
    writer.chore('noteDeviceSeen', found.id).catch(error => log.error('device use not noted', error))
  }
  return found
}

/** The paired device of a request, if people log in on it with a PIN. */
export function pinDeviceOf(app: App, exchange: Exchange): Device | undefined {
  const found = deviceOf(app, exchange)
  return found?.role === 'till' || found?.role === 'kitchen' ? found : undefined
}
