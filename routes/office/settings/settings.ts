import { readFileSync, statSync } from 'node:fs'
import { refusalText } from '../../../display/refusal.ts'
import { modeText } from '../../../display/terms.ts'
import type { SettingKey } from '../../../store/settings.ts'
import { depletionStatuses } from '../../../store/stock/depletion.ts'
import { serviceModes } from '../../../store/terms/channels.ts'
import type { Refusal } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import type { Reply } from '../../http/reply.ts'
import { field } from '../../page/field.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/settings.ts'
import { backupAlarm } from './backups.ts'
import { settingsTabs } from './settings-tabs.ts'

const here = '/office/settings'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const MIB = 1024 * 1024

/** The fields of the two forms, and the setting that each changes. */
const siteFields = {
  title: 'site.title',
  timezone: 'site.timezone',
  depleteAt: 'stock.deplete_at',
  onlyWhenOpen: 'orders.only_when_open',
  whenPaid: 'kitchen.when_paid',
  boardMinutes: 'board.minutes',
} as const satisfies Record<string, SettingKey>
const limitFields = { orders: 'orders.limit', seconds: 'orders.limit_window_s' } as const satisfies Record<
  string,
  SettingKey
>

type FieldName = keyof typeof siteFields | keyof typeof limitFields

/** What the person typed, and why it was refused. */
interface Typed {
  values: Partial<Record<FieldName, string>>
  refused: Partial<Record<FieldName, Refusal>>
}

/** GET {basePath}/office/settings: what holds for the whole site. */
export const readSettings: Handler<PersonCaller> = (app, call) => settingsPage(app, call, { values: {}, refused: {} })

/** POST {basePath}/office/settings: changes the name, the zone, and when orders are taken and stock is. */
export const changeSettings: Handler<PersonCaller> = async (app, call) => {
  const once = ['title', 'timezone', 'depleteAt', 'onlyWhenOpen', 'boardMinutes'] as const
  const read = await readForm(call, { once, repeated: ['whenPaid'] })
  if (!read.ok) return read.reply
  const { text } = read.form
  return change(app, call, siteFields, {
    title: text('title').trim(),
    timezone: text('timezone').trim(),
    depleteAt: text('depleteAt'),
    onlyWhenOpen: text('onlyWhenOpen') === 'on' ? 'on' : 'off',
    whenPaid: read.form.all('whenPaid').join(',') || 'none',
    boardMinutes: text('boardMinutes').trim() || app.store.settings.all()['board.minutes'],
  })
}

/** POST {basePath}/office/settings/limits: changes the order limit of section 8. */
export const changeLimits: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['orders', 'seconds'] })
  if (!read.ok) return read.reply
  const { text } = read.form
  return change(app, call, limitFields, { orders: text('orders').trim(), seconds: text('seconds').trim() })
}

/** Sets all fields of a form, or none if one of them is refused. */
async function change<Name extends FieldName>(
  app: App,
  call: Call<PersonCaller>,
  keys: Record<Name, SettingKey>,
  values: Record<Name, string>,
): Promise<Reply> {
  const names = Object.keys(keys) as Name[]
  const refused: Typed['refused'] = {}
  for (const name of names) {
    const refusal = app.store.settings.flawOf(keys[name], values[name])
    if (refusal) refused[name] = refusal
  }
  if (Object.keys(refused).length > 0) return settingsPage(app, call, { values, refused })
  const wanted = Object.fromEntries(names.map(name => [keys[name], values[name]]))
  await app.writer.act(call.caller.actor, 'setSettings', wanted)
  return { kind: 'redirect', to: app.link(here, { saved: 'yes' }) }
}

function settingsPage(app: App, call: Call<PersonCaller>, typed: Typed): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const isRefused = Object.keys(typed.refused).length > 0
  const isSaved = !isRefused && queryOf(call.exchange.request).get('saved') === 'yes'
  return page(view, {
    title: w.title,
    room: 'settings',
    status: isRefused ? 422 : 200,
    body: html`${settingsTabs(view, 'site')}${backupAlarm(app, view)}
${isSaved && html`<p class="note done" role="status">${w.saved}</p>`}
<div class="columns">${siteForm(app, view, typed)}${limitsCard(app, view, typed)}</div>
<div class="columns">${tablesCard(app, view)}${programCard(app, view)}</div>`,
  })
}

function siteForm(app: App, view: View, { values, refused }: Typed): Html {
  const w = words[view.language]
  const set = app.store.settings.all()
  const depleteAt = values.depleteAt ?? set['stock.deplete_at']
  const moments: Record<(typeof depletionStatuses)[number], string> = {
    placed: w.whenPlaced,
    confirmed: w.whenConfirmed,
    completed: w.whenCompleted,
  }
  const options = depletionStatuses.map(
    status => html`<option value="${status}" selected="${status === depleteAt}">${moments[status]}</option>`,
  )
  const whenPaid = (values.whenPaid ?? set['kitchen.when_paid']).split(',')
  const wrong = (name: FieldName) => {
    const refusal = refused[name]
    return refusal && refusalText(refusal, view.language)
  }
  return html`<form method="post" action="${view.link(here)}" class="card fields"><h2>${w.site}</h2>
${field({ label: w.siteTitle, name: 'title', value: values.title ?? set['site.title'], autocomplete: 'off', wrong: wrong('title') })}
${field({ label: w.timezone, name: 'timezone', value: values.timezone ?? set['site.timezone'], autocomplete: 'off', help: w.timezoneHelp, wrong: wrong('timezone') })}
<div class="field"><label for="depleteAt">${w.depleteAt}</label><select id="depleteAt" name="depleteAt">${options}</select></div>
<label class="choice"><input type="checkbox" name="onlyWhenOpen" value="on" checked="${(values.onlyWhenOpen ?? set['orders.only_when_open']) === 'on'}">${w.onlyWhenOpen}</label>
<fieldset class="field"><legend>${w.whenPaid}</legend><p class="help">${w.whenPaidHelp}</p>${serviceModes.map(
    mode =>
      html`<label class="choice"><input type="checkbox" name="whenPaid" value="${mode}" checked="${whenPaid.includes(mode)}">${modeText(mode, view.language)}</label>`,
  )}${wrong('whenPaid') !== undefined && html`<p class="wrong" role="alert">${wrong('whenPaid')}</p>`}</fieldset>
${field({ label: w.boardMinutes, name: 'boardMinutes', value: values.boardMinutes ?? set['board.minutes'], inputmode: 'numeric', autocomplete: 'off', wrong: wrong('boardMinutes') })}
<div><button class="primary">${w.save}</button></div></form>`
}

function limitsCard(app: App, view: View, { values, refused }: Typed): Html {
  const w = words[view.language]
  const set = app.store.settings.all()
  const number = (name: 'orders' | 'seconds', label: string) => {
    const refusal = refused[name]
    return field({
      label,
      name,
      value: values[name] ?? set[limitFields[name]],
      inputmode: 'numeric',
      autocomplete: 'off',
      wrong: refusal && refusalText(refusal, view.language),
    })
  }
  if (view.person?.role !== 'owner') {
    return html`<section class="card stack"><h2>${w.limits}</h2><p class="quiet">${w.limitsHelp}</p>
<dl class="facts"><dt>${w.orders}</dt><dd>${set['orders.limit']}</dd><dt>${w.seconds}</dt><dd>${set['orders.limit_window_s']}</dd></dl><p class="quiet">${w.ownerOnly}</p></section>`
  }
  return html`<form method="post" action="${view.link(`${here}/limits`)}" class="card fields"><h2>${w.limits}</h2><p class="quiet">${w.limitsHelp}</p>
<div class="fields two">${number('orders', w.orders)}${number('seconds', w.seconds)}</div><div><button>${w.save}</button></div></form>`
}

function tablesCard(app: App, view: View): Html {
  const w = words[view.language]
  const { locations } = app.store.restaurant()
  const of = ({ title, tables }: (typeof locations)[number]) =>
    html`<details><summary>${title} <span class="quiet">${tables.length === 0 ? w.noTables : tables.length}</span></summary>
${
  tables.length > 0 &&
  html`<table><thead><tr><th scope="col">${w.code}</th><th scope="col">${w.table}</th></tr></thead><tbody>${tables.map(
    table => html`<tr><td><code>${table.id}</code></td><td>${table.title}</td></tr>`,
  )}</tbody></table>`
}</details>`
  return html`<section class="card stack tight"><h2>${w.tables}</h2><p class="quiet">${w.tablesHelp}</p>${locations.map(of)}</section>`
}

function programCard(app: App, view: View): Html {
  const w = words[view.language]
  const file = app.backups.databaseFile
  const size = view.formats.number(Math.ceil(statSync(file).size / MIB))
  return html`<section class="card stack tight"><h2>${w.program}</h2><dl class="facts">
<dt>${w.version}</dt><dd>Servery ${version}</dd>
<dt>${w.file}</dt><dd><code>${file}</code></dd>
<dt>${w.size}</dt><dd>${w.mebibytes(size)}</dd></dl></section>`
}
