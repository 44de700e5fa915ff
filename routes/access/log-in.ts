import { refusalText } from '../../display/refusal.ts'
import type { Hashed } from '../../store/people/password.ts'
import { newSecret } from '../../store/people/secret.ts'
import type { DeviceId, StaffId } from '../../store/terms/ids.ts'
import { isRefused, type Refusal } from '../../store/terms/refusal.ts'
import { type Html, html } from '../html/html.ts'
import { bucketOf, callerAddress } from '../http/address.ts'
import type { App, Call, Caller, Handler } from '../http/handler.ts'
import type { Exchange, PageStatus, Reply } from '../http/reply.ts'
import { field } from '../page/field.ts'
import { type Form, readForm } from '../page/form.ts'
import { page } from '../page/page.ts'
import { type View, viewOf } from '../page/view.ts'
import { personOf, pinDeviceOf } from './caller.ts'
import { keepSecret } from './cookies.ts'
import { type Find, type KeptForm, keptFields, targetOf } from './kept-form.ts'
import { words } from './words/log-in.ts'

/** GET {basePath}/login: the form for owners and managers. */
export const readLogIn: Handler = (app, call) => {
  if (!app.store.staff.hasOwner()) return { kind: 'redirect', to: app.link('/setup') }
  return logInPage(app, call, { next: nextOf(call.exchange) })
}

/** POST {basePath}/login: starts a session for a name and a password, and leads to where the person wanted to go. */
export function logIn(find: Find): Handler {
  return async (app, call) => {
    const read = await readForm(call, { once: ['name', 'password', 'next', 'to', 'kept'] })
    if (!read.ok) return read.reply
    const { form } = read
    const [name, next, kept] = [form.text('name'), form.text('next'), keptIn(form)]
    const secret = await sessionFor(app, call.exchange, name, form.text('password'))
    if (isRefused(secret)) return logInPage(app, call, { name, next, kept, refusal: secret })
    return goOn(app, call, find, { secret, next, kept })
  }
}

/** POST {basePath}/logout: ends the session of this browser. */
export const logOut: Handler = async (app, { exchange }) => {
  const caller = personOf(app, exchange)
  if (caller) await app.writer.act(caller.actor, 'endSession', caller.session.id)
  const to = app.link(pinDeviceOf(app, exchange) ? '/pin' : '/login')
  return { kind: 'redirect', to, cookies: [keepSecret(app, exchange, 'session', null)] }
}

export type LogInRefusal = Refusal<'wait before trying' | 'wrong log-in' | 'wrong PIN' | 'too many log-ins'>

/** What the page of a log-in shows besides its fields. */
export interface WayIn {
  name?: string
  /** Where the person wanted to go. */
  next?: string
  kept?: KeptForm | undefined
  refusal?: LogInRefusal
  status?: PageStatus
}

export function logInPage(app: App, call: Pick<Call<Caller>, 'exchange' | 'caller'>, wayIn: WayIn): Reply {
  const view = alone(app, call)
  const w = words[view.language]
  return page(view, {
    title: w.logIn,
    status: statusOf(wayIn),
    body: html`${noteOf(view, wayIn)}
<form method="post" action="${view.link('/login')}" class="card fields">
${handedOn(wayIn)}
${field({ label: w.name, name: 'name', value: wayIn.name, autocomplete: 'username', isFirst: true })}
${field({ label: w.password, name: 'password', type: 'password', autocomplete: 'current-password' })}
<button class="primary">${w.logIn}</button>
</form>
${pinDeviceOf(app, call.exchange) && html`<p><a class="button plain" href="${view.link('/pin')}">${w.withPin}</a></p>`}
<p class="quiet small">${w.forgotten}</p>`,
  })
}

/** A view without the navigation, also for somebody who is logged in. */
export function alone(app: App, { exchange }: Pick<Call<Caller>, 'exchange'>): View {
  return viewOf(app, { exchange, caller: { kind: 'everybody' } })
}

export function statusOf({ refusal, status = 200 }: WayIn): PageStatus {
  if (!refusal) return status
  return refusal.refused === 'wrong log-in' || refusal.refused === 'wrong PIN' ? 422 : 429
}

/** Why the person has to log in, or why the log-in was refused. */
export function noteOf({ language }: View, { refusal, kept, status }: WayIn): Html | null {
  const w = words[language]
  if (refusal) return html`<p class="note bad" role="alert">${refusalText(refusal, language)}</p>`
  if (status !== 401) return null
  return html`<p class="note" role="alert">${kept ? w.kept : w.notKept}</p>`
}

/** What the form of a log-in hands on to the next page. */
export function handedOn({ next, kept }: WayIn): Html {
  return html`${keptFields(kept)}${next !== undefined && next !== '' && html`<input type="hidden" name="next" value="${next}">`}`
}

export function keptIn(form: Form<'to' | 'kept'>): KeptForm | undefined {
  const to = form.text('to')
  return to === '' ? undefined : { to, fields: form.text('kept') }
}

/** Where the person wanted to go, below the base path. */
export function nextOf({ request }: Exchange): string {
  const { url = '' } = request
  return new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('next') ?? ''
}

/**
 * After a log-in: the page that offers to send a kept form again, or the page where the person wanted to go. Either must be
 * a page of this site.
 */
export function goOn(
  app: App,
  call: Call<Caller>,
  find: Find,
  { secret, next, kept, home = '/office' }: { secret: string; next: string; kept: KeptForm | undefined; home?: string },
): Reply {
  const cookies = [keepSecret(app, call.exchange, 'session', secret)]
  const again = kept && targetOf(app, find, 'POST', kept.to)
  if (!kept || !again) {
    const to = targetOf(app, find, 'GET', `${app.basePath}${next}`)?.address ?? app.link(home)
    return { kind: 'redirect', to, cookies }
  }
  const view = alone(app, call)
  const w = words[view.language]
  return page(view, {
    title: w.again,
    cookies,
    body: html`<p>${w.againHelp}</p>
<form method="post" action="${again.address}" class="actions">
${[...new URLSearchParams(kept.fields)].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="primary">${w.send}</button>
<a class="button" href="${view.link(home)}">${w.dontSend}</a>
</form>`,
  })
}

/** Checks a name and a password and starts a session. Returns the secret for its cookie. */
async function sessionFor(
  app: App,
  exchange: Exchange,
  name: string,
  password: string,
): Promise<string | LogInRefusal> {
  const { store, throttle, passwords, trustedProxies, log } = app
  const address = bucketOf(callerAddress(exchange.request, trustedProxies))
  const trier = { name: name.trim().toLowerCase().slice(0, 80), address }
  const seconds = throttle.take(trier)
  if (seconds > 0) return { refused: 'wait before trying', seconds }

  const person = store.staff.named(name)
  const known = (person && store.staff.credentials(person.id)?.password) ?? null
  const matches = await passwords.matches(password, known)
  if (isRefused(matches)) {
    throttle.notTried(trier)
    return matches
  }
  if (!matches || !person || known === null) {
    log.repeated('log-ins refused', { from: address })
    return { refused: 'wrong log-in' }
  }
  throttle.succeeded(trier)
  return startSession(app, exchange, { person, checked: known, deviceId: null })
}

/** Starts a session in place of the one that this browser has. Returns the secret for its cookie. */
export async function startSession(
  app: App,
  exchange: Exchange,
  { person, checked, deviceId }: { person: { id: StaffId; name: string }; checked: Hashed; deviceId: DeviceId | null },
): Promise<string | Refusal<'wrong log-in'>> {
  const secret = newSecret()
  const started = await app.writer.act({ kind: 'staff', id: person.id, name: person.name }, 'logIn', {
    staffId: person.id,
    checked,
    deviceId,
    secret,
    replaces: personOf(app, exchange)?.session.id ?? null,
    address: callerAddress(exchange.request, app.trustedProxies),
    userAgent: exchange.request.headers['user-agent'] ?? '',
  })
  return isRefused(started) ? started : secret
}
