import { refusalText } from '../../display/refusal.ts'
import { isRefused, type Refusal } from '../../store/terms/refusal.ts'
import { html } from '../html/html.ts'
import { bucketOf, callerAddress } from '../http/address.ts'
import type { App, Call, Caller, Handler } from '../http/handler.ts'
import type { Reply } from '../http/reply.ts'
import { field } from '../page/field.ts'
import { readForm } from '../page/form.ts'
import { page } from '../page/page.ts'
import type { Find } from './kept-form.ts'
import { alone, goOn, startSession } from './log-in.ts'
import { words } from './words/log-in.ts'

/** GET {basePath}/setup: where the first owner enters the code that the start has printed. */
export const readSetup: Handler = (app, call) => setupPage(app, call, {})

/** POST {basePath}/setup: adds the first owner and logs them in. */
export function setUp(find: Find): Handler {
  return async (app, call) => {
    const { exchange } = call
    const { store, writer, throttle, passwords, setup } = app
    const read = await readForm(call, { once: ['code', 'name', 'password'] })
    if (!read.ok) return read.reply
    const [code, name, password] = [read.form.text('code'), read.form.text('name'), read.form.text('password')]
    const tried = { code, name }
    if (store.staff.hasOwner()) return setupPage(app, call, tried)
    const trier = { address: bucketOf(callerAddress(exchange.request, app.trustedProxies)) }
    const seconds = throttle.take(trier)
    if (seconds > 0) return setupPage(app, call, { ...tried, refusal: { refused: 'wait before trying', seconds } })
    if (!setup.isRight(code)) return setupPage(app, call, { ...tried, refusal: { refused: 'wrong code' } })
    throttle.succeeded(trier)

    const checked = await passwords.hashPassword(password, name)
    if (isRefused(checked)) return setupPage(app, call, { ...tried, refusal: checked })
    const owner = await writer.chore('addFirstOwner', name, checked)
    if (isRefused(owner)) return setupPage(app, call, { ...tried, refusal: owner })
    const secret = await startSession(app, exchange, { person: owner, checked, deviceId: null })
    if (isRefused(secret)) return { kind: 'redirect', to: app.link('/login') }
    return goOn(app, call, find, { secret, next: '', kept: undefined })
  }
}

type SetupRefusal = Refusal<
  'wait before trying' | 'wrong code' | 'invalid password' | 'too many log-ins' | 'text' | 'name taken' | 'has owner'
>

function setupPage(
  app: App,
  call: Call<Caller>,
  { code, name, refusal }: { code?: string; name?: string; refusal?: SetupRefusal },
): Reply {
  if (app.store.staff.hasOwner()) return { kind: 'redirect', to: app.link('/login') }
  const view = alone(app, call)
  const w = words[view.language]
  const text = refusal && refusalText(refusal, view.language)
  const isAbout = (...codes: SetupRefusal['refused'][]) =>
    refusal && codes.includes(refusal.refused) ? text : undefined
  const isBusy = refusal?.refused === 'wait before trying' || refusal?.refused === 'too many log-ins'
  return page(view, {
    title: w.setUp,
    status: refusal === undefined ? 200 : isBusy ? 429 : 422,
    body: html`<p>${w.setUpHelp}</p>
${isBusy && html`<p class="note bad" role="alert">${text}</p>`}
<form method="post" action="${view.link('/setup')}" class="card fields">
${field({ label: w.setUpCode, name: 'code', value: code, autocomplete: 'off', maxlength: 20, isFirst: true, help: w.setUpCodeHelp, wrong: isAbout('wrong code') })}
${field({ label: w.yourName, name: 'name', value: name, autocomplete: 'username', wrong: isAbout('text', 'name taken') })}
${field({ label: w.newPassword, name: 'password', type: 'password', autocomplete: 'new-password', help: w.newPasswordHelp, wrong: isAbout('invalid password') })}
<button class="primary">${w.start}</button>
</form>`,
  })
}
