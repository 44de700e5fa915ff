import { actDetails, actorText } from '../../../display/activity.ts'
import { deedText } from '../../../display/deed.ts'
import type { Activity, ActivityFilter } from '../../../store/people/activity.ts'
import { parseInstant } from '../../../store/terms/clock.ts'
import type { OrderId } from '../../../store/terms/ids.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { field } from '../../page/field.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { orderLink } from '../integrations/deliveries.ts'
import { words } from '../words/settings.ts'
import { settingsTabs } from './settings-tabs.ts'

const here = '/office/settings/activity'

const A_PAGE = 50

const fields = ['by', 'since', 'order'] as const
type Wanted = Record<(typeof fields)[number], string>

/** GET {basePath}/office/settings/activity: who did what, newest first (decision G6). */
export const readActivity: Handler<PersonCaller> = async (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const query = queryOf(call.exchange.request)
  const wanted = Object.fromEntries(fields.map(name => [name, query.get(name)?.trim() ?? ''])) as Wanted
  const before = Number(query.get('before') ?? Number.NaN)
  const orderId = orderOf(app, wanted.order)
  const since = parseInstant(wanted.since, { zone: view.zone, now: view.now, day: 'last' })
  const filter: ActivityFilter = {
    ...(wanted.by !== '' && { by: wanted.by }),
    ...(since !== undefined && { since }),
    ...(orderId && { orderId }),
    ...(Number.isSafeInteger(before) && { before }),
  }
  const found = orderId === null ? [] : await app.reader.read('activity', filter, A_PAGE + 1)
  const shown = found.slice(0, A_PAGE)
  const isFiltered = fields.some(name => wanted[name] !== '')
  return page(view, {
    title: w.title,
    room: 'settings',
    body: html`${settingsTabs(view, 'activity')}
${filterForm(view, wanted, isFiltered, orderId === null)}
${shown.length === 0 ? html`<p class="card empty">${isFiltered ? w.noMatch : w.noActivity}</p>` : activityTable(app, view, shown)}
<div class="actions">${Number.isSafeInteger(before) && html`<a class="button" href="${view.link(here, wanted)}">${w.newest}</a>`}
${found.length > A_PAGE && html`<a class="button" href="${view.link(here, { ...wanted, before: shown.at(-1)?.id })}">${w.older}</a>`}</div>`,
  })
}

function activityTable(app: App, view: View, shown: Activity[]): Html {
  const w = words[view.language]
  const rows = shown.map(
    entry => html`<tr><td>${view.formats.exactTime(entry.at)}</td><td>${actorText(entry.actor, view.language)}</td>
<td>${deedText(entry.what, view.language)}<small>${actDetails(entry, view.zone, view.language)}</small></td>
<td>${entry.orderId !== null && orderLink(app, view, entry.orderId)}</td></tr>`,
  )
  return html`<div class="card list scroll"><table class="cards"><thead><tr><th scope="col">${w.time}</th><th scope="col">${w.who}</th><th scope="col">${w.what}</th><th scope="col">${w.order}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function filterForm(view: View, wanted: Wanted, isFiltered: boolean, isUnknown: boolean): Html {
  const w = words[view.language]
  return html`<form action="${view.link(here)}" class="card row">
${field({ label: w.who, name: 'by', value: wanted.by, autocomplete: 'off', isOptional: true })}
<div class="field"><label for="since">${w.since}</label><input id="since" name="since" type="datetime-local" value="${wanted.since}"></div>
${field({ label: w.numberOrId, name: 'order', value: wanted.order, autocomplete: 'off', isOptional: true, wrong: isUnknown ? w.unknownOrder : undefined })}
<div class="actions"><button class="primary">${w.show}</button>${isFiltered && html`<a class="button" href="${view.link(here)}">${w.showAll}</a>`}</div></form>`
}

/** The order that is named by its number or its id; undefined: none is named, null: there is none. */
function orderOf(app: App, text: string): OrderId | null | undefined {
  if (text === '') return undefined
  const number = /^(?:ORD-)?(\d{1,6})$/i.exec(text)?.[1]
  const byNumber = number === undefined ? undefined : app.store.orderBook.byNumber(Number(number))
  return (byNumber ?? app.store.orderBook.byId(Number(text)))?.id ?? null
}
