import type { Device, DeviceRole } from '../../store/people/devices.ts'
import type { Session } from '../../store/people/sessions.ts'
import { type Role, roles } from '../../store/people/staff.ts'
import { callerAddress } from '../http/address.ts'
import type { Access, App, Denied, DeviceCaller, PersonCaller } from '../http/handler.ts'
import { type Exchange, refuse } from '../http/reply.ts'
import { secretOf } from './cookies.ts'

// Who may call a page, for the table of routes:
//
//   owner       owners, logged in with their password
//   manager     managers and owners, logged in with their password
//   staff       everybody who is logged in: also staff, with their PIN, on a paired till or kitchen screen
//   device(…)   a paired device of one of these roles, with or without a person who is logged in on it
//
// The handler gets the caller and records what it does with `app.writer.act(caller.actor, …)`. Without a log-in, GET leads
// to the log-in page and from there back, and POST is refused.

/** Owners only. */
export const owner = person('owner')

/** Managers and owners. */
export const manager = person('manager')

/** Everybody who is logged in. */
export const staff = person('staff')

/** A paired device of one of these roles. */
export function device(...wanted: DeviceRole[]): Access<DeviceCaller> {
  return (app, exchange) => {
    const found = deviceOf(app, exchange)
    if (!found) return denied(app, exchange, '/pair')
    if (!wanted.some(role => role === found.role)) return refuse('NOT_ALLOWED')
    const session = sessionOf(app, exchange)
    const person = session && session.deviceId === found.id ? session.person : null
    const actor = person
      ? ({ kind: 'staff', id: person.id, name: person.name } as const)
      : ({ kind: 'device', id: found.id, name: found.title } as const)
    return { kind: 'device', device: found, person, actor }
  }
}

function person(least: Role): Access<PersonCaller> {
  return (app, exchange) => {
    const caller = personOf(app, exchange)
    if (!caller) return denied(app, exchange, wayIn(app, exchange))
    return roles.indexOf(caller.person.role) <= roles.indexOf(least) ? caller : refuse('NOT_ALLOWED')
  }
}

/** The person who is logged in, if anybody. */
export function personOf(app: App, exchange: Exchange): PersonCaller | undefined {
  const session = sessionOf(app, exchange)
  if (!session) return undefined
  const { person, deviceId } = session
  const found = deviceOf(app, exchange)
  const actor = { kind: 'staff', id: person.id, name: person.name } as const
  return { kind: 'person', person, session, device: deviceId === null ? null : (found ?? null), actor }
}

/** The session of a request; a log-in by PIN is valid only on the device where it was made. */
function sessionOf(app: App, exchange: Exchange): Session | undefined {
  const { store, writer, log, trustedProxies } = app
  const secret = secretOf(app, exchange, 'session')
  const session = secret === undefined ? undefined : store.sessions.find(secret)
  if (!session || (session.deviceId !== null && deviceOf(app, exchange)?.id !== session.deviceId)) return undefined
  if (store.sessions.takeTurnToNote(session.id)) {
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

/** Where one logs in from here. */
function wayIn(app: App, exchange: Exchange): string {
  if (deviceOf(app, exchange)) return '/pin'
  return app.store.staff.hasOwner() ? '/login' : '/setup'
}

function denied(app: App, { request }: Exchange, way: string): Denied | ReturnType<typeof refuse> {
  if (request.method === 'POST') return refuse('NOT_LOGGED_IN')
  const { url = '/' } = request
  const wanted = url.startsWith(`${app.basePath}/`) ? url.slice(app.basePath.length) : '/'
  return { kind: 'denied', reply: { kind: 'redirect', to: app.link(way, { next: wanted }) } }
}
