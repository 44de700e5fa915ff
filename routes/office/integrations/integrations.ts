import type { Menu } from '../../../store/catalogue/catalogue.ts'
import type { Settings } from '../../../store/settings.ts'
import { isHttps } from '../../access/cookies.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { refusals } from '../../http/refusal.ts'
import { refuse } from '../../http/reply.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/integrations.ts'
import { integrationTabs } from './integration-tabs.ts'

const switches = {
  module: { key: 'api.module_enabled', code: 'MODULE_DISABLED', isOn: (settings: Settings) => settings.moduleEnabled },
  api: { key: 'api.enabled', code: 'API_DISABLED', isOn: (settings: Settings) => settings.apiEnabled },
} as const

/** GET {basePath}/office/integrations: the two switches of section 1 and the token of section 5. */
export const readIntegrations: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  return page(view, {
    title: w.title,
    room: 'integrations',
    body: html`${integrationTabs(view, 'api')}
<section class="card stack">
<div><p class="quiet">${w.clientGets}</p>${clientGets(app, view)}</div>
<ul class="switches">${[switchRow(app, view, 'module'), switchRow(app, view, 'api')]}</ul>
<dl class="facts"><dt>${w.baseAddress}</dt><dd><code>${baseAddress(app, call)}</code></dd></dl>
</section>
${tokenCard(app, view)}`,
  })
}

/** POST {basePath}/office/integrations/switch: switches the module or the API on or off. */
export const switchApi: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['switch', 'to'] })
  if (!read.ok) return read.reply
  const name = read.form.choice('switch', ['module', 'api'])
  const to = read.form.choice('to', ['on', 'off'])
  if (!name || !to) return refuse('BAD_REQUEST')
  await app.writer.act(call.caller.actor, 'setSetting', switches[name].key, to)
  return { kind: 'redirect', to: app.link('/office/integrations') }
}

/** POST {basePath}/office/integrations/token: makes a new token, which replaces the old one at once (decision B2). */
export const generateToken: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, {})
  if (!read.ok) return read.reply
  const { actor, session } = call.caller
  app.shownOnce.put(session.id, 'token', await app.writer.act(actor, 'generateToken'))
  return { kind: 'redirect', to: app.link('/office/integrations/token') }
}

/** GET {basePath}/office/integrations/token: the new token, once, and how to try it. */
export const showToken: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const token = app.shownOnce.take(call.caller.session.id, 'token')
  const { moduleEnabled, apiEnabled } = app.store.settings.current()
  return page(view, {
    title: w.newToken,
    room: 'integrations',
    body: html`${token === undefined ? html`<p class="note">${w.wasShown}</p>` : shownSecret(view, token, w.shownOnce)}
${
  token !== undefined &&
  html`<section class="card stack"><h2>${w.tryIt}</h2>
${!(moduleEnabled && apiEnabled) && html`<p class="quiet">${w.tryLater}</p>`}
${curlLines(app, call, token, view)}</section>`
}
<p><a class="button" href="${view.link('/office/integrations')}">${w.back}</a></p>`,
  })
}

/** A new secret with a button that copies it. */
export function shownSecret(view: View, secret: string, help: string): Html {
  const w = words[view.language]
  return html`<section class="note done shown-once"><p>${help}</p>
<code id="shown-once">${secret}</code>
<button type="button" class="button" data-copy="shown-once" data-copied="${w.copied}" hidden="">${w.copy}</button></section>`
}

function clientGets(app: App, view: View): Html {
  const w = words[view.language]
  const settings = app.store.settings.current()
  const off = Object.values(switches).find(({ isOn }) => !isOn(settings))
  if (off) return html`<p class="state bad"><code>${refusals[off.code][0]} ${off.code}</code></p>`
  const unknown = html`<p><span class="state off"><code>401 INVALID_TOKEN</code> ${w.withoutToken}</span></p>`
  if (!app.store.token.use()) return html`<p class="state bad"><code>401 INVALID_TOKEN</code></p>`
  return html`<p><span class="state done"><code>200</code> ${w.withToken}: ${w.answers}</span></p>${unknown}`
}

/** What has to be done next before a client gets in. */
function nextStep({ store }: App): keyof typeof switches | 'token' | undefined {
  const { moduleEnabled, apiEnabled } = store.settings.current()
  if (!moduleEnabled) return 'module'
  if (!apiEnabled) return 'api'
  return store.token.use() ? undefined : 'token'
}

function switchRow(app: App, view: View, name: keyof typeof switches): Html {
  const w = words[view.language]
  const { code, isOn } = switches[name]
  const on = isOn(app.store.settings.current())
  const style = nextStep(app) === name ? 'primary' : ''
  const [title, help] = name === 'module' ? [w.moduleSwitch, w.moduleHelp] : [w.apiSwitch, w.apiHelp]
  return html`<li><div><h2>${title}</h2><p class="quiet">${help}</p></div>
<p class="state ${on ? 'done' : 'bad'}">${on ? w.on : html`${w.off}: <code>${refusals[code][0]} ${code}</code>`}</p>
<form method="post" action="${view.link('/office/integrations/switch')}"><input type="hidden" name="switch" value="${name}">
<button name="to" value="${on ? 'off' : 'on'}" class="${style}" aria-label="${on ? w.switchOff : w.switchOn}: ${title}">${on ? w.switchOff : w.switchOn}</button></form></li>`
}

function tokenCard(app: App, view: View): Html {
  const w = words[view.language]
  const use = app.store.token.use()
  const form = (label: string, style: string) =>
    html`<form method="post" action="${view.link('/office/integrations/token')}"><button class="${style}">${label}</button></form>`
  if (!use) {
    return html`<section class="card stack"><h2>${w.token}</h2><p class="note">${w.noToken}</p>${form(w.generateFirst, nextStep(app) === 'token' ? 'primary' : '')}</section>`
  }
  const { createdAt, lastUsedAt, lastUsedFrom } = use
  return html`<section class="card stack"><h2>${w.token}</h2>
<dl class="facts"><dt>${w.made}</dt><dd>${view.formats.dateTime(createdAt)}</dd>
<dt>${w.lastUsed}</dt><dd>${lastUsedAt === null ? w.never : view.formats.dateTime(lastUsedAt)}</dd>
${lastUsedFrom !== null && html`<dt>${w.from}</dt><dd><code>${lastUsedFrom}</code></dd>`}</dl>
<p class="quiet">${w.tokenHidden}</p>
<details><summary>${w.generateNew}</summary><div class="stack tight"><p>${w.oldStops}</p>${form(w.generateNew, 'danger')}</div></details>
</section>`
}

/** {base_url} of section 1, as this browser reaches the server. */
function baseAddress(app: App, { exchange }: Call<PersonCaller>): string {
  const scheme = isHttps(app, exchange) ? 'https' : 'http'
  const { host = '' } = exchange.request.headers
  // It becomes part of a line for a shell.
  const isPlain = /^[\w.:[\]-]+$/.test(host)
  return `${scheme}://${isPlain ? host : 'localhost'}${app.basePath}/api/index.php`
}

/** Lines for a terminal that call each operation with the token. */
function curlLines(app: App, call: Call<PersonCaller>, token: string, view: View): Html[] {
  const w = words[view.language]
  const base = `${baseAddress(app, call)}/v1/restaurant`
  const curl = `curl -H 'Authorization: Bearer ${token}'`
  const { locations, menu } = app.store.catalogue.current()
  const [location] = locations
  const lines: [what: string, line: string][] = [[w.tryLocations, `${curl} ${base}/locations`]]
  if (location) {
    lines.push([w.tryMenu, `${curl} ${base}/locations/${location.id}/menu`])
    const order = JSON.stringify(smallOrder(menu(location.id), location.id))
    lines.push([w.tryOrder, `${curl} -H 'Content-Type: application/json' -d '${order}' ${base}/orders`])
  }
  return lines.map(([what, line]) => html`<div><p class="quiet">${what}</p><pre>${line}</pre></div>`)
}

/** One dish that can be ordered without a choice. */
function smallOrder(menu: Menu | undefined, location: number) {
  const dishes = [...(menu?.items.values() ?? [])]
  const dish = dishes.find(({ groups }) => groups.every(({ minSelect }) => minSelect === 0)) ?? dishes[0]
  const [size] = dish?.variations ?? []
  return { location_id: location, items: [{ item_id: dish?.id ?? 1, ...(size && { variation_id: size.id }), qty: 1 }] }
}
