import { randomBytes } from 'node:crypto'
import { refusalText } from '../../../display/refusal.ts'
import type { EndpointCounts } from '../../../store/outbox/delivery-log.ts'
import { type Endpoint, withoutQuery } from '../../../store/outbox/endpoints.ts'
import { type OrderEventType, orderEventTypes } from '../../../store/outbox/order-event.ts'
import { generateSecret } from '../../../store/outbox/secrets.ts'
import type { EndpointId } from '../../../store/terms/ids.ts'
import { isRefused, type Refusal } from '../../../store/terms/refusal.ts'
import { deliveryOf } from '../../../webhooks/message.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words as shared } from '../words/integrations.ts'
import { words } from '../words/webhooks.ts'
import { attemptState } from './deliveries.ts'
import { integrationTabs } from './integration-tabs.ts'
import { shownSecret } from './integrations.ts'

const here = '/office/integrations/webhooks'
const DAY_MS = 86_400_000

/** What was refused in a form, with the person's input. */
interface Wrong {
  url?: { typed: string; refusal: Refusal }
  secret?: Refusal
}

/** GET {basePath}/office/integrations/webhooks: who receives events, which, and how they are signed (section 6). */
export const readWebhooks: Handler<PersonCaller> = (app, call) => webhooksPage(app, call, {})

/** POST {basePath}/office/integrations/webhooks/add: adds an endpoint. */
export const addEndpoint: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['url'] })
  if (!read.ok) return read.reply
  const typed = read.form.text('url').trim()
  const added = await app.writer.act(call.caller.actor, 'addEndpoint', typed)
  return isRefused(added) ? webhooksPage(app, call, { url: { typed, refusal: added } }) : back(app)
}

/** POST {basePath}/office/integrations/webhooks/endpoints/:id: tests, pauses, resumes or removes an endpoint. */
export const changeEndpoint: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['act'] })
  if (!read.ok) return read.reply
  const endpoint = app.store.webhooks.endpoints.byId(Number(call.parameters.id) as EndpointId)
  // Somebody else may have removed it meanwhile; the page shows that.
  if (!endpoint) return back(app)
  const { actor } = call.caller
  switch (read.form.text('act')) {
    case 'test':
      return testEndpoint(app, endpoint)
    case 'pause':
      await app.writer.act(actor, 'pauseEndpoint', endpoint.id, true)
      return back(app)
    case 'resume':
      await app.writer.act(actor, 'pauseEndpoint', endpoint.id, false)
      return back(app)
    case 'remove':
      await app.writer.act(actor, 'removeEndpoint', endpoint.id)
      return back(app)
    default:
      return refuse('BAD_REQUEST')
  }
}

/** Makes one attempt with an event that is marked as a test, and leads to its request and response. */
async function testEndpoint(app: App, endpoint: Endpoint): Promise<Reply> {
  const attempt = await app.writer.chore('startTestDelivery', endpoint)
  const ending = await app.deliver(deliveryOf(attempt, app.store.webhooks.keys()))
  await app.writer.chore('endDelivery', attempt.id, ending)
  return { kind: 'redirect', to: app.link(`/office/integrations/deliveries/${attempt.id}`) }
}

/** POST {basePath}/office/integrations/webhooks/events: selects which events are sent. */
export const selectEvents: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { repeated: ['type'] })
  if (!read.ok) return read.reply
  const refusal = await app.writer.act(call.caller.actor, 'selectEvents', read.form.all('type'))
  return refusal ? refuse('BAD_REQUEST') : back(app)
}

/** POST {basePath}/office/integrations/webhooks/secret: sets, rotates, retires or clears the signing secrets (decision F5). */
export const changeSecret: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['act', 'secret'] })
  if (!read.ok) return read.reply
  const { actor, session } = call.caller
  const act = read.form.text('act')
  switch (act) {
    case 'generate':
    case 'rotate': {
      const made = generateSecret(randomBytes)
      await app.writer.act(actor, act === 'rotate' ? 'rotateSecret' : 'setSecret', made)
      app.shownOnce.put(session.id, 'secret', made)
      return { kind: 'redirect', to: app.link(`${here}/secret`) }
    }
    case 'own': {
      const set = await app.writer.act(actor, 'setSecret', read.form.text('secret'))
      if (isRefused(set)) return webhooksPage(app, call, { secret: set })
      return { kind: 'redirect', to: app.link(here, { weak: set.warning === null ? null : 'yes' }) }
    }
    case 'retire':
      await app.writer.act(actor, 'retireSecrets')
      return back(app)
    case 'clear':
      await app.writer.act(actor, 'clearSecrets')
      return back(app)
    default:
      return refuse('BAD_REQUEST')
  }
}

/** GET {basePath}/office/integrations/webhooks/secret: the new secret, once. */
export const showSecret: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = shared[view.language]
  const secret = app.shownOnce.take(call.caller.session.id, 'secret')
  return page(view, {
    title: w.newSecret,
    room: 'integrations',
    body: html`${secret === undefined ? html`<p class="note">${w.wasShown}</p>` : shownSecret(view, secret, w.secretShownOnce)}
<p><a class="button" href="${view.link(here)}">${w.back}</a></p>`,
  })
}

function back(app: App): Reply {
  return { kind: 'redirect', to: app.link(here) }
}

function webhooksPage(app: App, call: Call<PersonCaller>, wrong: Wrong): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const { endpoints, secrets, log } = app.store.webhooks
  const all = endpoints.list()
  const counts = new Map(log.countsSince(view.now - DAY_MS).map(each => [each.endpointId, each]))
  const isUnsigned = secrets.createdAt().length === 0
  const isWeak = queryOf(call.exchange.request).get('weak') === 'yes'
  return page(view, {
    title: shared[view.language].title,
    room: 'integrations',
    status: wrong.url || wrong.secret ? 422 : 200,
    body: html`${integrationTabs(view, 'webhooks')}
${isUnsigned && all.length > 0 && html`<div class="note"><p>${w.unsigned}</p>${secretForm(view, 'generate', w.generateSecret, 'primary')}</div>`}
${isWeak && html`<p class="note">${w.weak}</p>`}
<section class="card stack"><h2>${w.endpoints}</h2>
${all.length === 0 ? html`<p class="quiet">${w.noEndpoints}</p>` : html`<ul class="endpoints">${all.map(each => endpointRow(app, view, each, counts.get(each.id)))}</ul>`}
${addForm(view, wrong.url, all.length === 0)}</section>
<div class="columns">${eventsCard(view, endpoints.selection())}${secretCard(view, secrets.createdAt(), wrong.secret)}</div>`,
  })
}

function endpointRow(app: App, view: View, { id, url, paused }: Endpoint, counts: EndpointCounts | undefined): Html {
  const w = words[view.language]
  const log = (query: Record<string, string | number>) =>
    view.link('/office/integrations/deliveries', { endpoint: id, ...query })
  const last = counts?.lastEnded ? app.store.webhooks.log.attempt(counts.lastEnded) : undefined
  const button = (act: string, label: string, style = '') =>
    html`<form method="post" action="${view.link(`${here}/endpoints/${id}`)}"><button name="act" value="${act}" class="${style}">${label}</button></form>`
  return html`<li class="stack tight">
<div class="head"><h3><code>${withoutQuery(url)}</code></h3><span class="state ${paused ? 'wait' : 'done'}">${paused ? w.paused : w.active}</span></div>
<dl class="facts"><dt>${w.lastDay}</dt><dd>${
    counts
      ? html`<a href="${log({})}">${w.received(view.formats.number(counts.received))}</a> · <a href="${log({ failed: 'yes' })}">${w.lost(view.formats.number(counts.lost))}</a>`
      : w.nothing
  }</dd>
${last && html`<dt>${w.lastDelivery}</dt><dd>${view.formats.dateTime(last.createdAt)} ${attemptState(view, last)}</dd>`}</dl>
<div class="actions">${button('test', w.test)}${paused && button('resume', w.resume)}
<details><summary>${paused ? w.justRemove : w.pauseOrRemove}</summary><div class="stack tight">${!paused && html`<p class="quiet">${w.pauseHelp}</p>`}
<div class="actions">${!paused && button('pause', w.pause)}${button('remove', w.remove(withoutQuery(url)), 'danger')}</div></div></details></div>
</li>`
}

function addForm(view: View, wrong: Wrong['url'], isFirst: boolean): Html {
  const w = words[view.language]
  return html`<form method="post" action="${view.link(`${here}/add`)}" class="stack tight"><p class="quiet" id="url-help">${w.addressHelp}</p>
<div class="row"><div class="field"><label for="url">${w.address}</label>
<input id="url" name="url" type="url" inputmode="url" value="${wrong?.typed}" placeholder="https://" required="" aria-describedby="url-help" aria-invalid="${wrong && 'true'}">
${wrong && html`<p class="wrong" role="alert">${refusalText(wrong.refusal, view.language)}</p>`}</div>
<button class="${isFirst ? 'primary' : ''}">${w.add}</button></div></form>`
}

function eventsCard(view: View, selection: OrderEventType[]): Html {
  const w = words[view.language]
  const meaning: Record<OrderEventType, string> = {
    'order.placed': w.placed,
    'order.updated': w.updated,
    'order.status_changed': w.statusChanged,
  }
  const choices = orderEventTypes.map(
    type =>
      html`<label class="choice"><input type="checkbox" name="type" value="${type}" checked="${selection.includes(type)}"><span><code>${type}</code><br>${meaning[type]}</span></label>`,
  )
  return html`<form method="post" action="${view.link(`${here}/events`)}" class="card stack"><h2>${w.events}</h2>
<div>${choices}</div><p class="quiet">${w.eventsHelp}</p><div><button>${w.save}</button></div></form>`
}

function secretForm(view: View, act: string, label: string, style = ''): Html {
  return html`<form method="post" action="${view.link(`${here}/secret`)}"><button name="act" value="${act}" class="${style}">${label}</button></form>`
}

/** `times`: when the secrets were set, newest first. */
function secretCard(view: View, times: number[], wrong: Refusal | undefined): Html {
  const w = words[view.language]
  const [newest] = times
  return html`<section class="card stack"><h2>${w.secret}</h2>
${
  newest === undefined
    ? html`<p class="state wait">${w.notSigned}</p>${secretForm(view, 'generate', w.generateSecret)}`
    : html`<p class="state done">${w.signedWith(times.length, view.formats.dateTime(newest))}</p><p class="quiet">${w.neverShown}</p>
${times.length > 1 ? html`<p>${w.retireHelp}</p>${secretForm(view, 'retire', w.retire)}` : html`<p class="quiet">${w.rotateHelp}</p>${secretForm(view, 'rotate', w.rotate)}`}`
}
<details open="${wrong !== undefined}"><summary>${w.own}</summary>
<form method="post" action="${view.link(`${here}/secret`)}" class="stack tight"><input type="hidden" name="act" value="own">
<div class="field"><label for="secret">${w.secret}</label>
<input id="secret" name="secret" type="password" autocomplete="off" required="" aria-describedby="secret-help" aria-invalid="${wrong && 'true'}">
<p class="help" id="secret-help">${w.ownHelp}</p>
${wrong && html`<p class="wrong" role="alert">${refusalText(wrong, view.language)}</p>`}</div>
<div><button>${w.setOwn}</button></div></form></details>
${
  newest !== undefined &&
  html`<details><summary>${w.clear}</summary><div class="stack tight"><p>${w.clearHelp}</p>${secretForm(view, 'clear', w.clear, 'danger')}</div></details>`
}
</section>`
}
