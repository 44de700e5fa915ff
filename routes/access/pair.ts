import { refusalText } from '../../display/refusal.ts'
import { isRefused } from '../../store/terms/refusal.ts'
import { html } from '../html/html.ts'
import { bucketOf, callerAddress } from '../http/address.ts'
import type { App, Call, Caller, Handler } from '../http/handler.ts'
import { queryOf } from '../http/head.ts'
import type { PageStatus, Reply } from '../http/reply.ts'
import { field } from '../page/field.ts'
import { readForm } from '../page/form.ts'
import { page } from '../page/page.ts'
import { keepSecret } from './cookies.ts'
import type { Find } from './kept-form.ts'
import { alone } from './log-in.ts'
import { words } from './words/log-in.ts'

/** GET {basePath}/pair: where a new device enters its code. The QR code of the office leads here with the code filled in. */
export const readPair: Handler = (app, call) => {
  const code = queryOf(call.exchange.request).get('code') ?? ''
  return pairPage(app, call, { code: code.slice(0, 20) })
}

/** POST {basePath}/pair: makes the browser a paired device. */
export function pair(find: Find): Handler {
  return async (app, call) => {
    const { exchange } = call
    const read = await readForm(call, { once: ['code'] })
    if (!read.ok) return read.reply
    const code = read.form.text('code')
    const view = alone(app, call)
    const w = words[view.language]
    const trier = { address: bucketOf(callerAddress(exchange.request, app.trustedProxies)) }
    const seconds = app.throttle.take(trier)
    if (seconds > 0) {
      const wrong = refusalText({ refused: 'wait before trying', seconds }, view.language)
      return pairPage(app, call, { code, wrong, status: 429 })
    }
    const paired = await app.writer.chore('pairDevice', code)
    if (isRefused(paired)) return pairPage(app, call, { code, wrong: refusalText(paired, view.language), status: 422 })
    app.throttle.succeeded(trier)
    const { title, role } = paired.device
    const wanted = role === 'till' ? '/pin' : `/${role}`
    const home = find('GET', `${app.basePath}${wanted}`) ? wanted : '/pin'
    return page(view, {
      title: w.paired,
      // Whoever is logged in here has paired it, and does not work on it.
      cookies: [keepSecret(app, exchange, 'device', paired.secret), keepSecret(app, exchange, 'session', null)],
      body: html`<p class="note done">${w.pairedAs(title)}</p>
<p><a class="button primary" href="${view.link(home)}">${w.goOn}</a></p>`,
    })
  }
}

function pairPage(
  app: App,
  call: Call<Caller>,
  { code, wrong, status = 200 }: { code: string; wrong?: string; status?: PageStatus },
): Reply {
  const view = alone(app, call)
  const w = words[view.language]
  return page(view, {
    title: w.pair,
    status,
    body: html`<form method="post" action="${view.link('/pair')}" class="card fields">
${field({ label: w.code, name: 'code', value: code, autocomplete: 'off', maxlength: 20, isFirst: true, wrong })}
<button class="primary">${w.pairButton}</button>
</form>
<p class="quiet small">${w.pairHelp}</p>`,
  })
}
