import type { DeviceRole } from '../../store/people/devices.ts'
import { type Role, roles } from '../../store/people/staff.ts'
import type { Access, App, Denied, DeviceCaller, PersonCaller } from '../http/handler.ts'
import type { Head } from '../http/head.ts'
import { type Exchange, type Refusal, refuse } from '../http/reply.ts'
import { approvalPage } from './approve.ts'
import { deviceOf, personOf, pinDeviceOf, sessionOf } from './caller.ts'
import { keptForm } from './kept-form.ts'
import { logInPage } from './log-in.ts'
import { pinPage } from './pin.ts'

// Who may call a page, for the table of routes:
//
//   owner       owners, logged in with their password
//   manager     managers and owners, logged in with their password; for one act, one of them who gives a PIN on a paired device
//   staff       everybody who is logged in: also staff, with their PIN, on a paired till or kitchen screen
//   device(…)   a paired device of one of these roles, with or without a person who is logged in on it
//
// The handler gets the caller and records what it does with `app.writer.act(caller.actor, …)`. Somebody who is not logged in gets
// the log-in page, and afterwards the page that was asked for; what a form had been filled with is kept. A program gets 401.
//
// What a page asks for by itself carries the header Servery-Refresh, so that it does not keep somebody logged in who has left.

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
    if (!found) {
      if (!asksForPage(exchange) || exchange.request.method === 'POST') return refuse('NOT_LOGGED_IN')
      return { kind: 'denied', reply: { kind: 'redirect', to: app.link('/pair') } }
    }
    if (!wanted.some(role => role === found.role)) return refuse('NOT_ALLOWED')
    const session = sessionOf(app, exchange)
    const person = session?.deviceId === found.id ? session.person : null
    const actor = person
      ? ({ kind: 'staff', id: person.id, name: person.name } as const)
      : ({ kind: 'device', id: found.id, name: found.title } as const)
    return { kind: 'device', device: found, person, actor }
  }
}

function person(least: Role): Access<PersonCaller> {
  const isEnough = (role: Role) => roles.indexOf(role) <= roles.indexOf(least)

  return (app, exchange, head) => {
    const caller = personOf(app, exchange)
    if (!caller) return notLoggedIn(app, exchange, head)
    if (isEnough(caller.person.role)) return caller
    const { approval } = exchange
    if (approval && isEnough(approval.role)) {
      return { ...caller, person: approval, actor: { kind: 'staff', id: approval.id, name: approval.name } }
    }
    const isAct = exchange.request.method === 'POST' && asksForPage(exchange)
    if (!isAct || !caller.device || least !== 'manager') return refuse('NOT_ALLOWED')
    return denied(async () => approvalPage(app, { exchange, caller }, { kept: await keptForm(exchange, head) }))
  }
}

/** The way in: from a GET, the address of the log-in page; from a form, that page itself with what was filled in. */
function notLoggedIn(app: App, exchange: Exchange, head: Head): Denied | Refusal {
  if (!asksForPage(exchange)) return refuse('NOT_LOGGED_IN')
  const pinDevice = pinDeviceOf(app, exchange)
  if (exchange.request.method !== 'POST') {
    const { url = '/' } = exchange.request
    const next = url.startsWith(`${app.basePath}/`) ? url.slice(app.basePath.length) : '/'
    const to = pinDevice ? '/pin' : app.store.staff.hasOwner() ? '/login' : '/setup'
    return { kind: 'denied', reply: { kind: 'redirect', to: app.link(to, { next }) } }
  }
  return denied(async () => {
    const kept = await keptForm(exchange, head)
    const call = { exchange, caller: { kind: 'everybody' } } as const
    if (pinDevice) return pinPage(app, call, pinDevice, { kept, status: 401 })
    return logInPage(app, call, { kept, status: 401 })
  })
}

function denied(reply: () => NonNullable<Denied['reply']>): Denied {
  return { kind: 'denied', reply: reply() }
}

/** Whether a browser wants to show what comes back; the requests of scripts and programs do not say so. */
function asksForPage({ request }: Exchange): boolean {
  return request.headers.accept?.includes('text/html') === true
}
