import { endingText, signedText } from '../../../display/delivery.ts'
import { orderNumber } from '../../../display/order.ts'
import { attemptStateText } from '../../../display/terms.ts'
import type { AttemptDetails, AttemptFilter, LoggedAttempt } from '../../../store/outbox/delivery-log.ts'
import { withoutQuery } from '../../../store/outbox/endpoints.ts'
import { orderEventTypes } from '../../../store/outbox/order-event.ts'
import { parseInstant } from '../../../store/terms/clock.ts'
import type { AttemptId, EndpointId, OrderId } from '../../../store/terms/ids.ts'
import { deliveryOf } from '../../../webhooks/message.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/deliveries.ts'
import { words as shared } from '../words/integrations.ts'
import { integrationTabs } from './integration-tabs.ts'

const here = '/office/integrations/deliveries'

const A_PAGE = 50

/** What a person looks for, as the address of the page has it. */
const fields = ['search', 'endpoint', 'type', 'failed', 'since', 'until'] as const
type Wanted = Record<(typeof fields)[number], string>

/** GET {basePath}/office/integrations/deliveries: the delivery log of section 6. */
export const readDeliveries: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const query = queryOf(call.exchange.request)
  const wanted = Object.fromEntries(fields.map(field => [field, query.get(field) ?? ''])) as Wanted
  const before = numberIn(query.get('before')) as AttemptId | undefined
  const filter = filterOf(app, view, wanted)
  const found = filter ? app.store.webhooks.log.list({ ...filter, ...(before && { before }) }, A_PAGE + 1) : []
  const shown = found.slice(0, A_PAGE)
  const isFiltered = fields.some(field => wanted[field] !== '')
  const next = found.length > A_PAGE ? shown.at(-1)?.id : undefined
  return page(view, {
    title: shared[view.language].title,
    room: 'integrations',
    body: html`${integrationTabs(view, 'deliveries')}
${filterForm(app, view, wanted, isFiltered)}
<section id="log" class="stack" data-live="${before === undefined && '5'}">
${shown.length === 0 ? html`<p class="card empty">${isFiltered ? w.noMatch : w.none}</p>` : attemptTable(app, view, shown)}
</section>
<div class="actions">${before !== undefined && html`<a class="button" href="${view.link(here, wanted)}">${w.newest}</a>`}
${next !== undefined && html`<a class="button" href="${view.link(here, { ...wanted, before: next })}">${w.older}</a>`}</div>
<p class="quiet small">${w.kept}</p>`,
  })
}

/** GET {basePath}/office/integrations/deliveries/:id: one attempt, with its request and response. */
export const readDelivery: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const id = numberIn(call.parameters.id ?? '') as AttemptId | undefined
  const attempt = id === undefined ? undefined : app.store.webhooks.log.attempt(id)
  const back = html`<p><a class="button" href="${view.link(here)}">${w.back}</a></p>`
  if (!attempt) {
    return page(view, { title: w.gone, room: 'integrations', status: 404, body: html`<p>${w.goneHelp}</p>${back}` })
  }
  return page(view, {
    title: attempt.type,
    room: 'integrations',
    aside: attemptState(view, attempt),
    body: html`<dl class="card facts">
<dt>${w.time}</dt><dd>${view.formats.exactTime(attempt.startedAt ?? attempt.createdAt)}</dd>
${attempt.orderId !== null && html`<dt>${w.order}</dt><dd>${orderLink(app, view, attempt.orderId)}</dd>`}
<dt>${w.endpoint}</dt><dd><code>${attempt.url}</code></dd>
${attempt.tookMs !== null && html`<dt>${w.took}</dt><dd>${w.milliseconds(view.formats.number(attempt.tookMs))}</dd>`}
${attempt.signatures !== null && html`<dt>${w.signed}</dt><dd>${signedText(attempt, view.language)}</dd>`}
<dt>${w.delivery}</dt><dd><code>${attempt.deliveryId}</code></dd></dl>
<div class="columns"><section class="card stack tight"><h2>${w.request}</h2>${requestOf(view, attempt)}</section>
<section class="card stack tight"><h2>${w.response}</h2>${responseOf(view, attempt)}</section></div>
${back}`,
  })
}

/** The state of an attempt in shape and words: "received, HTTP 204", "lost: the connection was refused". */
export function attemptState(view: View, attempt: LoggedAttempt): Html {
  const style = { pending: 'wait', started: 'wait', received: 'done', lost: 'bad' }[attempt.state]
  const ending = endingText(attempt, view.language)
  return html`<span class="state ${style}">${attemptStateText(attempt.state, view.language)}${ending !== '' && `: ${ending}`}</span>`
}

/** An order by its number, with a link to it. */
export function orderLink(app: App, view: View, id: OrderId): Html {
  const order = app.store.orderBook.byId(id)
  return html`<a href="${view.link(`/office/orders/${id}`)}">${order ? orderNumber(order.number) : id}</a>`
}

function attemptTable(app: App, view: View, attempts: LoggedAttempt[]): Html {
  const w = words[view.language]
  const rows = attempts.map(
    attempt => html`<tr><td class="nowrap"><a href="${view.link(`${here}/${attempt.id}`)}">${view.formats.exactTime(attempt.createdAt)}</a><small>${attempt.type}</small></td>
<td class="nowrap">${attempt.orderId === null ? w.test : orderLink(app, view, attempt.orderId)}</td>
<td>${attemptState(view, attempt)}<small>${attempt.url}</small></td>
<td class="nowrap">${attempt.tookMs !== null && w.milliseconds(view.formats.number(attempt.tookMs))}</td>
<td><code>${attempt.deliveryId}</code><small>${signedText(attempt, view.language)}</small></td></tr>`,
  )
  return html`<div class="card list scroll"><table class="cards"><thead><tr><th>${w.time}</th><th>${w.order}</th><th>${w.result}</th><th>${w.took}</th><th>${w.delivery}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

/** What was sent, as far as it is known: it follows from what is kept, but for the query and the signatures. */
function requestOf(view: View, attempt: AttemptDetails): Html {
  const w = words[view.language]
  const { dispatchedAt, startedAt, signatures } = attempt
  if (dispatchedAt === null || startedAt === null) return html`<p>${w.notSent}</p>`
  const { headers, body } = deliveryOf({ ...attempt, dispatchedAt }, [])
  const path = new URL(attempt.url).pathname
  const unkept = signatures ? { 'webhook-signature': w.notKept, 'X-Restaurant-Signature': w.notKept } : {}
  const lines = Object.entries({ ...headers, ...unkept }).map(([name, value]) => `${name}: ${value}`)
  return html`<pre>${[`POST ${path} HTTP/1.1`, ...lines].join('\n')}</pre>
<pre>${body.toString('utf8')}</pre><p class="quiet small">${w.queryHidden}</p>`
}

function responseOf(view: View, { status, responseHeaders, response }: AttemptDetails): Html {
  const w = words[view.language]
  if (status === null) return html`<p>${w.noResponse}</p>`
  const lines = responseHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${responseHeaders[index + 1]}`] : [],
  )
  const body = response?.toString('utf8') ?? ''
  return html`<pre>${[`HTTP ${status}`, ...lines].join('\n')}</pre>
${body !== '' && html`<pre>${body}</pre>`}<p class="quiet small">${w.responseHelp}</p>`
}

function filterForm(app: App, view: View, wanted: Wanted, isFiltered: boolean): Html {
  const w = words[view.language]
  const option = (value: string, label: string, field: keyof Wanted) =>
    html`<option value="${value}" selected="${wanted[field] === value}">${label}</option>`
  const select = (field: keyof Wanted, label: string, options: Html[]) =>
    html`<div class="field"><label for="${field}">${label}</label><select id="${field}" name="${field}">${options}</select></div>`
  const time = (field: 'since' | 'until', label: string) =>
    html`<div class="field"><label for="${field}">${label}</label><input id="${field}" name="${field}" type="datetime-local" value="${wanted[field]}"></div>`
  const endpoints = app.store.webhooks.endpoints
    .list()
    .map(({ id, url }) => option(String(id), withoutQuery(url), 'endpoint'))
  return html`<details class="card filters" open="${isFiltered}"><summary>${w.filter}</summary><form action="${view.link(here)}" class="fields">
<div class="fields two"><div class="field"><label for="search">${w.search}</label>
<input id="search" name="search" type="search" value="${wanted.search}" autocapitalize="none" spellcheck="false" aria-describedby="search-help"><p class="help" id="search-help">${w.searchHelp}</p></div>
${select('endpoint', w.endpoint, [option('', w.everyEndpoint, 'endpoint'), ...endpoints])}
${select('type', w.event, [option('', w.everyEvent, 'type'), ...[...orderEventTypes, 'webhook.test'].map(type => option(type, type, 'type'))])}
${select('failed', w.result, [option('', w.everyResult, 'failed'), option('yes', w.onlyLost, 'failed')])}
${time('since', w.since)}${time('until', w.until)}</div>
<div class="actions"><button class="primary">${w.show}</button>${isFiltered && html`<a class="button" href="${view.link(here)}">${w.all}</a>`}</div></form></details>`
}

/** What the store is to look for; undefined if nothing can match. */
function filterOf(app: App, view: View, wanted: Wanted): AttemptFilter | undefined {
  const instant = (text: string) => parseInstant(text, { zone: view.zone, now: view.now, day: 'last' })
  const [since, until, endpointId] = [instant(wanted.since), instant(wanted.until), numberIn(wanted.endpoint)]
  const searched = searchOf(app, wanted.search.trim())
  return (
    searched && {
      ...searched,
      ...(endpointId !== undefined && { endpointId: endpointId as EndpointId }),
      ...(wanted.type !== '' && { type: wanted.type }),
      failedOnly: wanted.failed === 'yes',
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
    }
  )
}

/** A delivery by its id, or an order by its number or by the id that the API returns. */
function searchOf(app: App, text: string): Pick<AttemptFilter, 'deliveryId' | 'orderId'> | undefined {
  if (text === '') return {}
  const number = /^ORD-(\d{1,6})$/i.exec(text)?.[1]
  if (number !== undefined) {
    const order = app.store.orderBook.byNumber(Number(number))
    return order && { orderId: order.id }
  }
  const id = numberIn(text)
  return id === undefined ? { deliveryId: text } : { orderId: id as OrderId }
}

function numberIn(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined
}
