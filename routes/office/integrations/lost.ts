import { csv } from '../../../display/csv.ts'
import { endingText, lostCsvColumns } from '../../../display/delivery.ts'
import { withoutQuery } from '../../../store/outbox/endpoints.ts'
import type { EndpointId } from '../../../store/terms/ids.ts'
import { html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { page } from '../../page/page.ts'
import { viewOf } from '../../page/view.ts'
import { words } from '../words/deliveries.ts'
import { words as shared } from '../words/integrations.ts'
import { orderLink } from './deliveries.ts'
import { integrationTabs } from './integration-tabs.ts'

const here = '/office/integrations/lost'

const MOST_SHOWN = 200

/** GET {basePath}/office/integrations/lost: the events that no endpoint received, or that one did not, with their orders. */
export const readLost: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const endpointId = endpointOf(app, call)
  const found = app.store.webhooks.log.lost(endpointId, { most: MOST_SHOWN + 1 })
  const shown = found.slice(0, MOST_SHOWN)
  const ids = [...new Set(shown.map(({ orderId }) => orderId))].join(' ')
  const chip = (id: EndpointId | null, label: string) =>
    html`<a class="chip" href="${view.link(here, { endpoint: id })}" aria-current="${endpointId === id && 'true'}">${label}</a>`
  const endpoints = app.store.webhooks.endpoints.list()
  const rows = shown.map(
    ({ orderId, createdAt, type, attempts }) => html`<tr><td>${orderLink(app, view, orderId)}<small>${type}</small></td>
<td>${view.formats.exactTime(createdAt)}</td>
<td>${attempts.map(attempt => html`<div>${endingText(attempt, view.language)}<small>${attempt.url}</small></div>`)}</td></tr>`,
  )
  return page(view, {
    title: shared[view.language].title,
    room: 'integrations',
    body: html`${integrationTabs(view, 'lost')}
<p>${w.neverAgain}</p>
${endpoints.length > 1 && html`<nav class="chips" aria-label="${w.lostTo}">${[chip(null, w.byNobody), ...endpoints.map(({ id, url }) => chip(id, withoutQuery(url)))]}</nav>`}
${
  shown.length === 0
    ? html`<p class="card empty">${w.noLost}</p>`
    : html`<section class="card stack tight"><h2><label for="ids">${w.orderIds}</label></h2>
<textarea id="ids" readonly="" rows="2">${ids}</textarea>
<div class="actions"><button type="button" data-copy="ids" data-copied="${shared[view.language].copied}" hidden="">${shared[view.language].copy}</button>
<a class="button" href="${view.link(`${here}.csv`, { endpoint: endpointId })}">${w.csv}</a></div></section>
${found.length > MOST_SHOWN && html`<p class="quiet">${w.firstOnly(MOST_SHOWN)}</p>`}
<div class="card list scroll"><table class="cards"><caption class="sr">${w.countLost(shown.length)}</caption><thead><tr><th>${w.order}</th><th>${w.time}</th><th>${w.why}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}`,
  })
}

/** GET {basePath}/office/integrations/lost.csv: all of them, for a spreadsheet, with instants in UTC. */
export const downloadLost: Handler<PersonCaller> = (app, call) => {
  const events = app.store.webhooks.log.lost(endpointOf(app, call))
  const table = csv(
    lostCsvColumns.map(({ key }) => key),
    events.map(event => lostCsvColumns.map(({ cell }) => cell(event))),
  )
  return { kind: 'bytes', type: 'text/csv; charset=utf-8', bytes: Buffer.from(`${table}\r\n`), fileName: 'lost.csv' }
}

function endpointOf(app: App, { exchange }: Call<PersonCaller>): EndpointId | null {
  const wanted = queryOf(exchange.request).get('endpoint')
  return app.store.webhooks.endpoints.list().find(({ id }) => String(id) === wanted)?.id ?? null
}
