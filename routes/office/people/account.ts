import { refusalText } from '../../../display/refusal.ts'
import type { Credentials } from '../../../store/people/staff.ts'
import { isRefused, type Refusal } from '../../../store/terms/refusal.ts'
import { keepSecret } from '../../access/cookies.ts'
import { startSession } from '../../access/log-in.ts'
import { html } from '../../html/html.ts'
import { bucketOf, callerAddress } from '../../http/address.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { field } from '../../page/field.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { viewOf } from '../../page/view.ts'
import { words } from '../words/people.ts'
import { sessionTable } from './sessions.ts'
import { roleName } from './staff.ts'

/** GET {basePath}/office/account: one's own password, PIN and sessions. */
export const readAccount: Handler<PersonCaller> = (app, call) => accountPage(app, call, {})

/** POST {basePath}/office/account/password: changes one's own password. Every session ends, and this browser gets a new one. */
export const changePassword: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['old-password', 'password'] })
  if (!read.ok) return read.reply
  const { exchange, caller } = call
  // Whoever holds a till has only seen a PIN.
  if (caller.session.deviceId !== null) return refuse('NOT_ALLOWED')
  const known = await checkCurrent(app, call, 'password', read.form.text('old-password'))
  if (isRefused(known)) return accountPage(app, call, { about: 'password', isCurrent: true, refusal: known })
  const hashed = await app.passwords.hashPassword(read.form.text('password'), known.name)
  const set = isRefused(hashed) ? hashed : await app.writer.act(caller.actor, 'setPassword', known.id, hashed)
  if (isRefused(set)) return accountPage(app, call, { about: 'password', refusal: set })
  if (isRefused(hashed)) return undefined
  const secret = await startSession(app, exchange, { person: known, checked: hashed, deviceId: null })
  if (isRefused(secret)) return { kind: 'redirect', to: app.link('/login') }
  const cookies = [keepSecret(app, exchange, 'session', secret)]
  return { kind: 'redirect', to: app.link('/office/account', { done: 'password' }), cookies }
}

/** POST {basePath}/office/account/pin: changes one's own PIN. */
export const changePin: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['old-password', 'pin'] })
  if (!read.ok) return read.reply
  const { exchange, caller } = call
  const { deviceId } = caller.session
  const known = await checkCurrent(app, call, deviceId === null ? 'password' : 'pin', read.form.text('old-password'))
  if (isRefused(known)) return accountPage(app, call, { about: 'pin', isCurrent: true, refusal: known })
  const hashed = await app.passwords.hashPin(read.form.text('pin'))
  if (isRefused(hashed)) return accountPage(app, call, { about: 'pin', refusal: hashed })
  const set = await app.writer.act(caller.actor, 'setPin', known.id, hashed)
  if (isRefused(set)) return accountPage(app, call, { about: 'pin', refusal: set })
  const to = app.link('/office/account', { done: 'pin' })
  if (deviceId === null) return { kind: 'redirect', to }
  const secret = await startSession(app, exchange, { person: known, checked: hashed, deviceId })
  if (isRefused(secret)) return { kind: 'redirect', to: app.link('/pin') }
  return { kind: 'redirect', to, cookies: [keepSecret(app, exchange, 'session', secret)] }
}

/** POST {basePath}/office/account/sessions: ends one of one's own sessions. */
export const endOwnSession: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['session'] })
  if (!read.ok) return read.reply
  const { person, session, actor } = call.caller
  const wanted = read.form.text('session')
  const own = app.store.sessions.list().find(each => each.person.id === person.id && String(each.id) === wanted)
  if (own) await app.writer.act(actor, 'endSession', own.id)
  return { kind: 'redirect', to: app.link(own?.id === session.id ? '/' : '/office/account') }
}

type AccountRefusal = Refusal<
  | 'wait before trying'
  | 'wrong log-in'
  | 'wrong PIN'
  | 'too many log-ins'
  | 'invalid password'
  | 'invalid PIN'
  | 'unknown staff'
  | 'no password for staff'
>

/** Checks what the person has now, so that a browser that was left open is not enough to take an account over. */
async function checkCurrent(
  { store, throttle, passwords, trustedProxies }: App,
  { exchange, caller }: Call<PersonCaller>,
  kind: 'password' | 'pin',
  text: string,
): Promise<
  Credentials | Refusal<'wait before trying' | 'wrong log-in' | 'wrong PIN' | 'too many log-ins' | 'unknown staff'>
> {
  const { id, name } = caller.person
  const trier = { name: `${kind} of ${id}`, address: bucketOf(callerAddress(exchange.request, trustedProxies)) }
  const seconds = throttle.take(trier)
  if (seconds > 0) return { refused: 'wait before trying', seconds }
  const known = store.staff.credentials(id)
  const matches = await passwords.matches(text, known?.[kind] ?? null)
  if (isRefused(matches)) {
    throttle.notTried(trier)
    return matches
  }
  if (!matches) return { refused: kind === 'pin' ? 'wrong PIN' : 'wrong log-in' }
  throttle.succeeded(trier)
  return known ?? { refused: 'unknown staff', name }
}

interface Tried {
  about?: 'password' | 'pin'
  /** Whether the refusal is about what the person has now. */
  isCurrent?: boolean
  refusal?: AccountRefusal
}

function accountPage(app: App, call: Call<PersonCaller>, { about, isCurrent = false, refusal }: Tried): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const { person, session } = call.caller
  const isByPin = session.deviceId !== null
  const done = queryOf(call.exchange.request).get('done')
  const text = refusal?.refused === 'wrong log-in' ? w.wrongPassword : refusal && refusalText(refusal, view.language)
  const wrong = (form: 'password' | 'pin', current: boolean) =>
    about === form && isCurrent === current ? text : undefined
  const sessions = app.store.sessions.list().filter(each => each.person.id === person.id)
  return page(view, {
    title: w.account,
    aside: html`<span class="quiet">${person.name}, ${roleName(view, person.role)}</span>`,
    status: refusal ? 422 : 200,
    body: html`${(done === 'password' || done === 'pin') && html`<p class="note done" role="status">${done === 'pin' ? w.pinChanged : w.passwordChanged}</p>`}
<div class="columns">
${
  !isByPin &&
  html`<section class="card stack"><h2>${w.changePassword}</h2><form method="post" action="${view.link('/office/account/password')}" class="fields">
${field({ label: w.currentPassword, name: 'old-password', type: 'password', autocomplete: 'current-password', wrong: wrong('password', true) })}
${field({ label: w.newPassword, name: 'password', type: 'password', autocomplete: 'new-password', help: w.changePasswordHelp, wrong: wrong('password', false) })}
<div class="actions"><button class="primary">${w.change}</button></div></form></section>`
}
<section class="card stack"><h2>${w.changePin}</h2><form method="post" action="${view.link('/office/account/pin')}" class="fields">
${field({ id: 'old-for-pin', label: isByPin ? w.currentPin : w.currentPassword, name: 'old-password', type: 'password', autocomplete: isByPin ? 'off' : 'current-password', wrong: wrong('pin', true) })}
${field({ label: w.newPin, name: 'pin', type: 'password', autocomplete: 'off', inputmode: 'numeric', maxlength: 6, wrong: wrong('pin', false) })}
<div class="actions"><button>${w.change}</button></div></form></section>
</div>
<h2>${w.sessions}</h2>
${sessionTable(app, view, sessions, session.id, '/office/account/sessions')}`,
  })
}
