import { refusalText } from '../../../display/refusal.ts'
import { modeText } from '../../../display/terms.ts'
import { type GuestKind, guestKinds, modesOfKind } from '../../../store/guests/switches.ts'
import type { LocationEntry } from '../../../store/restaurant-file/restaurant-file.ts'
import type { ServiceMode } from '../../../store/terms/channels.ts'
import type { LocationId, TableId } from '../../../store/terms/ids.ts'
import { isRefused, type Refusal } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { field } from '../../page/field.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { addressesOf } from '../addresses.ts'
import { settingsTabs } from '../settings/settings-tabs.ts'
import { words } from '../words/guests.ts'
import { gapsOf } from './gaps.ts'

const here = '/office/guests'

const MOST_UPSOLD = 3

/** A refused form: the minutes that the person typed, and why they were refused. */
interface Typed {
  minutes?: string
  refusal?: Refusal
}

/** GET {basePath}/office/guests: where and how guests can order by themselves, and what is still missing for it. */
export const readGuests: Handler<PersonCaller> = (app, call) => guestsPage(app, call, {})

/** POST {basePath}/office/guests: turns kinds of guests' pages on and off, for the site and for each location and mode. */
export const changeGuests: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { repeated: ['kinds', 'modes'] })
  if (!read.ok) return read.reply
  const { actor } = call.caller
  const kinds = read.form.all('kinds')
  const wanted = new Set(read.form.all('modes'))
  const switches = Object.fromEntries(guestKinds.map(kind => [`guests.${kind}`, kinds.includes(kind) ? 'on' : 'off']))
  await app.writer.act(actor, 'setSettings', switches)
  for (const { id } of app.store.restaurant().locations) {
    for (const kind of guestKinds) {
      const modes = modesOfKind[kind].filter(mode => wanted.has(modeValue(id, kind, mode)))
      const before = app.store.guestSwitches.modesAt(id as LocationId, kind)
      if (modes.join() !== before.join()) await app.writer.act(actor, 'setGuestModes', id as LocationId, kind, modes)
    }
  }
  return { kind: 'redirect', to: app.link(here, { saved: 'yes' }) }
}

/** POST {basePath}/office/guests/rules: whether staff confirm first orders, how long guests may cancel, which dishes are offered. */
export const changeGuestRules: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['confirmFirst', 'cancelMinutes'], repeated: ['upsell'] })
  if (!read.ok) return read.reply
  const { form } = read
  const minutes = form.text('cancelMinutes').trim()
  const dishes = new Set(form.all('upsell').filter(id => id !== ''))
  const refusal = await app.writer.act(call.caller.actor, 'setSettings', {
    'guests.confirm_first': form.text('confirmFirst') === 'on' ? 'on' : 'off',
    'guests.cancel_minutes': minutes,
    'guests.upsell': [...dishes].join(','),
  })
  if (isRefused(refusal)) {
    return refusal.key === 'guests.cancel_minutes' ? guestsPage(app, call, { minutes, refusal }) : refuse('BAD_REQUEST')
  }
  return { kind: 'redirect', to: app.link(here, { saved: 'yes' }) }
}

/** POST {basePath}/office/guests/codes: gives one table, or all of a location, a new code. The old one stops working at once. */
export const resetTableCodes: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['location', 'table'] })
  if (!read.ok) return read.reply
  const [location, table] = [read.form.text('location'), read.form.text('table')]
  const refusal = await app.writer.act(
    call.caller.actor,
    'resetTableCodes',
    Number(location) as LocationId,
    table === '' ? null : (Number(table) as TableId),
  )
  if (isRefused(refusal)) return guestsPage(app, call, { refusal })
  return { kind: 'redirect', to: app.link(here, { reset: location }, 'codes') }
}

function modeValue(location: number, kind: GuestKind, mode: ServiceMode): string {
  return `${location} ${kind} ${mode}`
}

function guestsPage(app: App, call: Call<PersonCaller>, typed: Typed): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const query = queryOf(call.exchange.request)
  const { locations } = app.store.restaurant()
  const { refusal } = typed
  const isOfField = refusal?.refused === 'invalid setting'
  return page(view, {
    title: w.title,
    room: 'settings',
    status: refusal ? 422 : 200,
    body: html`${settingsTabs(view, 'guests')}
${refusal && !isOfField && html`<p class="note bad" role="alert">${refusalText(refusal, view.language)}</p>`}
${!refusal && query.has('saved') && html`<p class="note done" role="status">${w.saved}</p>`}
<p class="quiet">${w.intro}</p>
${
  locations.length === 0
    ? html`<div class="card empty"><p>${w.noLocation}</p><p><a class="button primary" href="${view.link('/office/menu/file')}">${w.toFile}</a></p></div>`
    : html`${gaps(app, call, view)}
${switchesForm(app, view, locations)}
<div class="columns">${rulesForm(app, view, typed)}${addressesCard(app, call, view)}</div>
${codesCard(app, view, locations, query)}`
}`,
  })
}

function gaps(app: App, call: Call<PersonCaller>, view: View): Html | undefined {
  const found = gapsOf(app, call.exchange, view)
  if (found.length === 0) return undefined
  const w = words[view.language]
  return html`<section class="card stack tight off-list"><h2>${w.missing}</h2><ul>${found.map(
    ({ text, to }) =>
      html`<li><span>${text}</span>${to && html`<a class="button" href="${to.address}">${to.label}</a>`}</li>`,
  )}</ul></section>`
}

function switchesForm({ store }: App, view: View, locations: LocationEntry[]): Html {
  const w = words[view.language]
  const { guests } = store.settings.current()
  const modesAt = (id: number, kind: GuestKind) => store.guestSwitches.modesAt(id as LocationId, kind)
  const modeLabel = (mode: ServiceMode) => (mode === 'qr' ? w.atTable : capital(modeText(mode, view.language)))
  const place = (kind: GuestKind, { id, title, published }: LocationEntry) => {
    const on = modesAt(id, kind)
    return html`<fieldset class="stack tight"><legend>${title}${!published && html` <span class="quiet small">${w.unpublished}</span>`}</legend>
<div class="marks">${modesOfKind[kind].map(mode => html`<label class="choice"><input type="checkbox" name="modes" value="${modeValue(id, kind, mode)}" checked="${on.includes(mode)}">${modeLabel(mode)}</label>`)}</div></fieldset>`
  }
  return html`<form method="post" action="${view.link(here)}" class="stack"><div class="columns">${guestKinds.map(
    kind => html`<section class="card stack"><div><h2>${w[kind]}</h2><p class="quiet small">${w[`${kind}Help`]}</p></div>
<label class="choice"><input type="checkbox" name="kinds" value="${kind}" checked="${guests[kind]}"><strong>${w.isOn}</strong></label>
${locations.map(location => place(kind, location))}</section>`,
  )}</div><div><button class="primary">${w.save}</button></div></form>`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function rulesForm({ store }: App, view: View, { minutes, refusal }: Typed): Html {
  const w = words[view.language]
  const { guestRules, guestsUpsell } = store.settings.current()
  const dishes = store.restaurant().categories.flatMap(({ items }) => items.filter(({ published }) => published))
  const wrong = refusal?.refused === 'invalid setting' ? refusalText(refusal, view.language) : undefined
  const dishField = (index: number) =>
    html`<div class="field"><label class="sr" for="upsell-${index}">${w.dish(index + 1)}</label><select id="upsell-${index}" name="upsell"><option value="">${w.none}</option>${dishes.map(
      ({ id, title }) => html`<option value="${id}" selected="${id === guestsUpsell[index]}">${title}</option>`,
    )}</select></div>`
  return html`<form method="post" action="${view.link(`${here}/rules`)}" class="card fields"><h2>${w.rules}</h2>
<div><label class="choice"><input type="checkbox" name="confirmFirst" value="on" checked="${guestRules.confirmFirst}" aria-describedby="confirm-help">${w.confirmFirst}</label>
<p class="quiet small" id="confirm-help">${w.confirmFirstHelp}</p></div>
${field({ label: w.cancelMinutes, name: 'cancelMinutes', value: minutes ?? String(guestRules.cancelMinutes), inputmode: 'numeric', autocomplete: 'off', help: w.cancelHelp, wrong })}
<fieldset class="stack tight"><legend>${w.upsell}</legend><p class="quiet small">${w.upsellHelp}</p>${Array.from({ length: MOST_UPSOLD }, (_, index) => dishField(index))}</fieldset>
<div><button>${w.save}</button></div></form>`
}

function addressesCard(app: App, call: Call<PersonCaller>, view: View): Html {
  const w = words[view.language]
  const [best, ...others] = addressesOf(app, call.exchange)
  const addresses = [best, ...others.filter(({ isOnlyHere }) => !isOnlyHere)]
  const all = (path: string) => addresses.map(({ text }) => html`<li><code>${text}${path}</code></li>`)
  return html`<section class="card stack"><h2>${w.addresses}</h2><p class="quiet small">${w.addressesHelp}</p>
<dl class="facts"><dt>${w.storefront}</dt><dd><ul>${all('/order')}</ul></dd>
<dt>${w.qr}</dt><dd>${w.eachTable}</dd>
<dt>${w.kiosk}</dt><dd><code>/kiosk</code>, ${w.onPaired}</dd></dl>
<p class="actions"><a class="button" href="${view.link('/office/print')}">${w.printables}</a><a class="button" href="${view.link('/office/devices', { role: 'kiosk' })}">${w.pairKiosk}</a></p></section>`
}

function codesCard({ store }: App, view: View, locations: LocationEntry[], query: URLSearchParams): Html | undefined {
  const w = words[view.language]
  const places = locations.flatMap(location => {
    const tables = store.tableCodes.list(location.id as LocationId)
    return tables.length > 0 ? [{ location, tables }] : []
  })
  if (places.length === 0) return undefined
  const form = (location: number, table: number | null, button: Html) =>
    html`<form method="post" action="${view.link(`${here}/codes`)}"><input type="hidden" name="location" value="${location}"><input type="hidden" name="table" value="${table}">${button}</form>`
  const reset = query.get('reset')
  return html`<section class="card stack tight" id="codes"><h2>${w.codes}</h2><p class="quiet small">${w.codesHelp}</p>
${reset !== null && html`<p class="note done" role="status"><span>${w.resetDone}</span><a class="button" href="${view.link('/office/print/tables', { location: reset })}">${w.printNew}</a></p>`}
${places.map(
  ({
    location,
    tables,
  }) => html`<details open="${String(location.id) === reset}"><summary>${location.title} <span class="quiet">${tables.length}</span></summary>
<table><thead><tr><th scope="col">${w.table}</th><th scope="col">${w.since}</th><td></td></tr></thead><tbody>${tables.map(
    ({ id, title, since }) =>
      html`<tr><th scope="row">${title}</th><td>${since === null ? w.noCode : view.formats.dateTime(since)}</td><td>${since !== null && form(location.id, id, html`<button aria-label="${w.resetOf(title)}">${w.reset}</button>`)}</td></tr>`,
  )}</tbody></table>
${form(location.id, null, html`<button class="danger">${w.resetAll(location.title)}</button>`)}</details>`,
)}</section>`
}
