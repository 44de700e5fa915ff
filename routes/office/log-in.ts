import { newSecret } from '../../store/people/secret.ts'
import { isRefused, type Refusal } from '../../store/terms/refusal.ts'
import { keepSecret } from '../access/cookies.ts'
import { personOf } from '../access/person.ts'
import { html } from '../html/html.ts'
import { bucketOf, callerAddress } from '../http/address.ts'
import type { App, Call, Caller, Handler } from '../http/handler.ts'
import type { Exchange, Reply } from '../http/reply.ts'
import { readForm } from '../page/form.ts'
import { page } from '../page/page.ts'
import { viewOf } from '../page/view.ts'
import { words } from './words/log-in.ts'

/** GET {basePath}/login: the form for owners and managers. */
export const readLogIn: Handler = (app, call) => logInPage(app, call, {})

/** POST {basePath}/login: starts a session for a name and a password. */
export const logIn: Handler = async (app, call) => {
  const read = await readForm(call, { once: ['name', 'password'] })
  if (!read.ok) return read.reply
  const name = read.form.text('name')
  const secret = await sessionFor(app, call.exchange, name, read.form.text('password'))
  if (isRefused(secret)) return logInPage(app, call, { name, refusal: secret })
  return { kind: 'redirect', to: app.link('/office'), cookies: [keepSecret(app, call.exchange, 'session', secret)] }
}

/** POST {basePath}/logout: ends the session of this browser. */
export const logOut: Handler = async (app, { exchange }) => {
  const caller = personOf(app, exchange)
  if (caller) await app.writer.act(caller.actor, 'endSession', caller.session.id)
  const to = app.link(caller?.device ? '/pin' : '/login')
  return { kind: 'redirect', to, cookies: [keepSecret(app, exchange, 'session', null)] }
}

type LogInRefusal = Refusal<'wait before trying' | 'wrong log-in' | 'too many log-ins'>

function logInPage(app: App, call: Call<Caller>, { name, refusal }: { name?: string; refusal?: LogInRefusal }): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const why =
    refusal && (refusal.refused === 'wrong log-in' ? w.wrong : 'seconds' in refusal ? w.wait(refusal.seconds) : w.busy)
  return page(view, {
    title: w.logIn,
    status: refusal === undefined ? 200 : refusal.refused === 'wrong log-in' ? 422 : 429,
    body: html`<form method="post" class="card">
${why !== undefined && html`<p class="note bad" role="alert">${why}</p>`}
<label>${w.name} <input name="name" value="${name}" autocomplete="username" autocapitalize="none" required=""></label>
<label>${w.password} <input name="password" type="password" autocomplete="current-password" required=""></label>
<button class="button primary">${w.logIn}</button>
</form>
<p class="quiet">${w.forgotten}</p>`,
  })
}

/** Checks a name and a password and starts a session. Returns the secret for its cookie. */
async function sessionFor(
  app: App,
  exchange: Exchange,
  name: string,
  password: string,
): Promise<string | LogInRefusal> {
  const { store, writer, throttle, passwords, trustedProxies } = app
  const address = callerAddress(exchange.request, trustedProxies)
  const trier = { name: name.trim().toLowerCase().slice(0, 80), address: bucketOf(address) }
  const seconds = throttle.take(trier)
  if (seconds > 0) return { refused: 'wait before trying', seconds }

  const person = store.staff.named(name)
  const known = (person && store.staff.credentials(person.id)?.password) ?? null
  const matches = await passwords.matches(password, known)
  if (isRefused(matches)) return matches
  if (!matches || !person || known === null) return { refused: 'wrong log-in' }

  const secret = newSecret()
  const started = await writer.act({ kind: 'staff', id: person.id, name: person.name }, 'logIn', {
    staffId: person.id,
    checked: known,
    deviceId: null,
    secret,
    replaces: personOf(app, exchange)?.session.id ?? null,
    address,
    userAgent: exchange.request.headers['user-agent'] ?? '',
  })
  if (isRefused(started)) return started
  throttle.succeeded(trier)
  return secret
}
