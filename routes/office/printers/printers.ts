import { randomUUID } from 'node:crypto'
import { languageNames, languages } from '../../../display/language.ts'
import { charactersText, printOccasionText, protocolText } from '../../../display/printer.ts'
import { refusalText } from '../../../display/refusal.ts'
import type { Place } from '../../../store/people/devices.ts'
import {
  type Characters,
  characterSets,
  type Printer,
  printOccasions,
  protocols,
  usualColumns,
  type WantedPrinter,
} from '../../../store/printing/printers.ts'
import { isRefused, type Refusal } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { field } from '../../page/field.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { settingsTabs } from '../settings/settings-tabs.ts'
import { words } from '../words/printers.ts'
import { stateOf } from './printer-state.ts'

const here = '/office/printers'

/** GET {basePath}/office/printers: the printers with their state, and the form for another one. */
export const readPrinters: Handler<PersonCaller> = (app, call) => printersPage(app, call, {})

/** POST {basePath}/office/printers: adds a printer. The next page shows its address once. */
export const addPrinter: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, {
    once: ['title', 'protocol', 'location', 'width', 'columns', 'prints', 'attempt'],
  })
  if (!read.ok) return read.reply
  const { text, choice } = read.form
  const protocol = choice('protocol', protocols)
  const prints = choice('prints', printOccasions)
  const width = choice('width', ['80', '58'])
  const place = app.store.devices.places().find(({ id }) => String(id) === text('location'))
  const attempt = text('attempt').slice(0, 100)
  if (!protocol || !prints || !width || !place || attempt === '') return refuse('BAD_REQUEST')
  const widthMm = width === '80' ? 80 : 58
  const columns = text('columns').trim()
  const wanted: WantedPrinter = {
    title: text('title'),
    locationId: place.id,
    protocol,
    widthMm,
    columns: columns === '' ? usualColumns[widthMm] : Number(columns),
    characters: 'plain',
    prints,
    stations: [],
  }
  const { actor, session } = call.caller
  const added = await app.writer.act(actor, 'addPrinter', wanted, attempt)
  if (isRefused(added)) return printersPage(app, call, { wanted: { ...wanted, typed: columns }, refusal: added })
  if (added.secret !== null) app.shownOnce.put(session.id, 'printer', `${added.id} ${added.secret}`)
  return { kind: 'redirect', to: app.link(`${here}/${added.id}`) }
}

/** POST {basePath}/office/printers/language: the language of what is printed in the kitchen. */
export const chooseKitchenLanguage: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['language'] })
  if (!read.ok) return read.reply
  const language = read.form.choice('language', languages)
  if (!language) return refuse('BAD_REQUEST')
  await app.writer.act(call.caller.actor, 'setSetting', 'kitchen.language', language)
  return { kind: 'redirect', to: app.link(here) }
}

interface Tried {
  wanted?: WantedPrinter & { typed: string }
  refusal?: Refusal
}

function printersPage(app: App, call: Call<PersonCaller>, tried: Tried): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const printers = app.store.printing.printers.list()
  const places = app.store.devices.places()
  return page(view, {
    title: w.title,
    room: 'settings',
    status: tried.refusal ? 422 : 200,
    body: html`${settingsTabs(view, 'printers')}
<p class="quiet">${w.help}</p>
${printers.length === 0 ? html`<p class="card empty">${w.none}</p>` : printerTable(app, view, printers, places)}
<div class="columns">
<section class="card stack"><h2>${w.add}</h2>
${places.length === 0 ? html`<p class="quiet">${w.noPlaces}</p>` : addForm(view, places, tried)}
</section>
${languageForm(app, view)}
</div>`,
  })
}

function printerTable(app: App, view: View, printers: Printer[], places: Place[]): Html {
  const w = words[view.language]
  const row = (printer: Printer) => {
    const place = places.find(({ id }) => id === printer.locationId)
    const path = view.link(`${here}/${printer.id}`)
    return html`<tr><th scope="row"><a href="${path}">${printer.title}</a><small>${place?.title ?? printer.locationId} · ${protocolText[printer.protocol]}</small></th>
<td>${printOccasionText[printer.prints][view.language]}</td>
<td>${stateOf(app, view, printer)}</td>
<td class="num">${app.store.printing.unfinished(printer.id).length}</td></tr>`
  }
  return html`<div class="card list"><table class="cards">
<thead><tr><th scope="col">${w.printer}</th><th scope="col">${w.prints}</th><th scope="col">${w.state}</th><th scope="col" class="num">${w.waiting}</th></tr></thead>
<tbody>${printers.map(row)}</tbody></table></div>`
}

function addForm(view: View, places: Place[], { wanted, refusal }: Tried): Html {
  const w = words[view.language]
  const text = refusal && refusalText(refusal, view.language)
  const isColumns = refusal?.refused === 'invalid columns'
  const isTitle = refusal?.refused === 'text'
  return html`<form method="post" action="${view.link(here)}" class="fields">
<input type="hidden" name="attempt" value="${randomUUID()}">
${text !== undefined && !isColumns && !isTitle && html`<p class="note bad" role="alert">${text}</p>`}
${field({ label: w.name, name: 'title', value: wanted?.title, autocomplete: 'off', maxlength: 80, help: w.nameHelp, wrong: isTitle ? text : undefined })}
<div class="fields two">
${select(
  w.protocol,
  'protocol',
  protocols.map(each => [each, protocolText[each]]),
  wanted?.protocol,
)}
${select(
  w.location,
  'location',
  places.map(({ id, title }) => [String(id), title]),
  wanted && String(wanted.locationId),
)}
${select(
  w.paper,
  'width',
  [
    ['80', '80 mm'],
    ['58', '58 mm'],
  ],
  wanted && String(wanted.widthMm),
)}
${field({ label: w.columns, name: 'columns', value: wanted?.typed, inputmode: 'numeric', maxlength: 4, isOptional: true, help: w.columnsHelp, wrong: isColumns ? text : undefined })}
</div>
${select(
  w.prints,
  'prints',
  printOccasions.map(each => [each, printOccasionText[each][view.language]]),
  wanted?.prints,
)}
<div class="actions"><button class="primary">${w.addButton}</button></div>
</form>`
}

function languageForm(app: App, view: View): Html {
  const w = words[view.language]
  const { kitchenLanguage } = app.store.settings.current()
  return html`<section class="card"><form method="post" action="${view.link(`${here}/language`)}" class="row">
${select(
  w.language,
  'language',
  languages.map(each => [each, languageNames[each]]),
  kitchenLanguage,
)}
<button>${w.save}</button></form></section>`
}

/** A field with a fixed list of values and their names. */
export function select(label: string, name: string, options: [value: string, text: string][], chosen?: string): Html {
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${options.map(
    ([value, text]) => html`<option value="${value}" selected="${value === chosen}">${text}</option>`,
  )}</select></div>`
}

/** The choice of a printer's characters. */
export function charactersField({ language }: View, chosen: Characters): Html {
  const options = characterSets.map((each): [string, string] => [each, charactersText[each][language]])
  return select(words[language].characters, 'characters', options, chosen)
}
