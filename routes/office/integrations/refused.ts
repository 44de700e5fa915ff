import { refusalText } from '../../../display/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Handler, PersonCaller } from '../../http/handler.ts'
import { refusals } from '../../http/refusal.ts'
import type { RefusedRequests } from '../../http/refused.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words as shared } from '../words/integrations.ts'
import { words } from '../words/refused.ts'
import { integrationTabs } from './integration-tabs.ts'

const MOST_SHOWN = 100
const MOST_ADDRESSES = 20

/** GET {basePath}/office/integrations/refused: refused API requests of the last day, and who uses up the order limit. */
export const readRefused: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const kinds = app.refused.list().slice(0, MOST_SHOWN)
  return page(view, {
    title: shared[view.language].title,
    room: 'integrations',
    body: html`${integrationTabs(view, 'refused')}
<section id="refused" class="stack" data-live="5"><p class="quiet">${w.help}</p>
${kinds.length === 0 ? html`<p class="card empty">${w.none}</p>` : refusedTable(view, kinds)}</section>
${limitCard(app, view)}`,
  })
}

function refusedTable(view: View, kinds: RefusedRequests[]): Html {
  const w = words[view.language]
  const rows = kinds.map(
    kind => html`<tr><th scope="row">${reasonOf(view, kind)}<small><code>${refusals[kind.code][0]} ${kind.code}</code></small></th>
<td class="num">${view.formats.number(kind.count)} ×</td>
<td><code>${kind.request}</code>${kind.fault?.pointer && html`<small><code>${kind.fault.pointer}</code></small>`}</td>
<td><code>${kind.address}</code></td>
<td>${view.formats.exactTime(kind.lastAt)}<small>${w.logNumber(kind.lastId)}</small></td></tr>`,
  )
  return html`<div class="card list scroll"><table class="cards"><thead><tr><th>${w.reason}</th><th class="num">${w.count}</th><th>${w.place}</th><th>${w.address}</th><th>${w.last}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function reasonOf({ language }: View, { code, fault }: RefusedRequests): string {
  if (fault) return refusalText({ refused: 'faults', faults: [{ title: fault.title, pointer: null }] }, language)
  return words[language].codes[code] ?? refusals[code][1]
}

function limitCard(app: App, view: View): Html {
  const w = words[view.language]
  const { number } = view.formats
  const { ordersLimit, ordersLimitWindowS } = app.store.settings.current()
  const used = app.orderLimit.fullest(MOST_ADDRESSES)
  const rows = used.map(
    ({ bucket, orders }) => html`<tr><th scope="row"><code>${bucket}</code></th>
<td><meter min="0" max="${ordersLimit}" high="${ordersLimit * 0.8}" value="${orders}" aria-label="${bucket}"></meter></td>
<td class="num">${w.used(number(orders), number(ordersLimit))}</td></tr>`,
  )
  return html`<section id="limit" class="card stack" data-live="5"><h2>${w.limit}</h2>
<p class="quiet">${w.limitHelp(number(ordersLimit), number(ordersLimitWindowS / 60))}</p>
${used.length === 0 ? html`<p>${w.unused}</p>` : html`<table><tbody>${rows}</tbody></table>`}</section>`
}
