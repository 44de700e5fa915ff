import { refusalText } from '../../../display/refusal.ts'
import { KEPT_BY_HAND } from '../../../store/backups.ts'
import type { Refusal } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { field } from '../../page/field.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/settings.ts'
import { settingsTabs } from './settings-tabs.ts'

const here = '/office/settings/backups'

const MIB = 1024 * 1024

interface Typed {
  kept?: string
  refused?: Refusal
}

/** GET {basePath}/office/settings/backups: the backups that the server makes (decision 052), and how one is restored. */
export const readBackups: Handler<PersonCaller> = (app, call) => backupsPage(app, call, {})

/** POST {basePath}/office/settings/backups: sets the hour of the nightly backup and how many are kept. */
export const changeBackups: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['hour', 'kept'] })
  if (!read.ok) return read.reply
  const { actor } = call.caller
  const kept = read.form.text('kept').trim()
  const hour = read.form.text('hour')
  const refused = app.store.settings.flawOf('backup.kept', kept) ?? app.store.settings.flawOf('backup.hour', hour)
  if (refused) return backupsPage(app, call, { kept, refused })
  await app.writer.act(actor, 'setSettings', { 'backup.kept': kept, 'backup.hour': hour })
  return { kind: 'redirect', to: app.link(here) }
}

/** POST {basePath}/office/settings/backups/now: begins to make one. */
export const makeBackup: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, {})
  if (!read.ok) return read.reply
  // While one is being made, the page shows that.
  app.backups.makeNow(call.caller.actor)
  return { kind: 'redirect', to: app.link(here) }
}

/** GET {basePath}/office/settings/backups/:id: the file of a backup, for an owner, because it contains everything. */
export const downloadBackup: Handler<PersonCaller> = (app, { parameters }) => {
  const found = app.backups.list().find(({ id }) => String(id) === parameters.id)
  if (!found) return refuse('NOT_FOUND')
  return { kind: 'file', path: app.backups.pathOf(found), type: 'application/vnd.sqlite3', fileName: found.name }
}

function backupsPage(app: App, call: Call<PersonCaller>, typed: Typed): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  return page(view, {
    title: w.title,
    room: 'settings',
    status: typed.refused ? 422 : 200,
    body: html`${settingsTabs(view, 'backups')}
<section id="backups" class="stack" data-live="5">${stateNotes(app, view)}${backupList(app, view)}</section>
<div class="columns"><form method="post" action="${view.link(`${here}/now`)}" class="card stack"><h2>${w.makeNow}</h2><p class="quiet">${w.sameDisk}</p>
<dl class="facts"><dt>${w.folder}</dt><dd><code>${app.backups.folder}</code></dd></dl><div><button>${w.makeNow}</button></div></form>
${nightlyForm(app, view, typed)}</div>
${restoreCard(view)}`,
  })
}

/** Says that the last backup was not made, and why; undefined if it was. */
export function backupAlarm(app: App, view: View): Html | undefined {
  const w = words[view.language]
  const { failure } = app.backups.state()
  if (!failure) return undefined
  return html`<div class="note bad" role="alert"><div><p><a href="${view.link(here)}"><strong>${w.alarm(view.formats.dateTime(failure.at))}</strong></a></p>
<p>${refusalText(failure.why, view.language)}</p><p>${w.alarmHelp}</p></div></div>`
}

/** What needs the person: a failed backup, or none at night. */
function stateNotes(app: App, view: View): Html {
  const w = words[view.language]
  const { since } = app.backups.state()
  return html`${since !== null && html`<p class="note">${w.underWay(view.formats.time(since))}</p>`}
${backupAlarm(app, view)}
${app.store.settings.current().backupHour === null && html`<p class="note">${w.noNightly}</p>`}`
}

function backupList(app: App, view: View): Html {
  const w = words[view.language]
  const all = app.backups.list()
  if (all.length === 0) return html`<p class="card empty">${w.noBackups}</p>`
  const isOwner = view.person?.role === 'owner'
  const rows = all.map(
    ({
      id,
      name,
      how,
      startedAt,
      bytes,
      isThere,
    }) => html`<tr><td>${view.formats.dateTime(startedAt)}<small>${how === 'nightly' ? w.byNight : w.byHand}</small></td>
<td class="num">${w.mebibytes(view.formats.number(Math.max(1, Math.round((bytes ?? 0) / MIB))))}</td>
<td><code>${name}</code>${!isThere && html`<small>${w.missing}</small>`}</td>
<td>${isOwner && isThere && html`<a href="${view.link(`${here}/${id}`)}" aria-label="${w.download}: ${name}">${w.download}</a>`}</td></tr>`,
  )
  return html`<div class="card list"><table class="cards"><thead><tr><th scope="col">${w.made}</th><th scope="col" class="num">${w.size}</th><th scope="col">${w.backupFile}</th><th scope="col"><span class="sr">${w.download}</span></th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function nightlyForm(app: App, view: View, { kept, refused }: Typed): Html {
  const w = words[view.language]
  const set = app.store.settings.all()
  const hour = (value: string, label: string) =>
    html`<option value="${value}" selected="${set['backup.hour'] === value}">${label}</option>`
  const hours = Array.from({ length: 24 }, (_, each) => hour(String(each), `${String(each).padStart(2, '0')}:00`))
  const isOff = set['backup.hour'] === 'off'
  return html`<form method="post" action="${view.link(here)}" class="card fields"><h2>${w.nightly}</h2>
<div class="fields two"><div class="field"><label for="hour">${w.hour}</label><select id="hour" name="hour">${[hour('off', w.never), ...hours]}</select></div>
${field({ label: w.kept, name: 'kept', value: kept ?? set['backup.kept'], inputmode: 'numeric', autocomplete: 'off', wrong: refused && refusalText(refused, view.language) })}</div>
<p class="quiet">${w.keptHelp(KEPT_BY_HAND)}</p>
<div><button class="${isOff ? 'primary' : ''}">${w.save}</button></div></form>`
}

function restoreCard(view: View): Html {
  const w = words[view.language]
  const steps = [w.restoreStop, w.restoreMove, w.restoreCopy, w.restoreStart]
  return html`<section class="card stack tight"><h2>${w.restore}</h2><ol class="steps">${steps.map(step => html`<li>${step}</li>`)}</ol>
<p>${w.restoreLost}</p><p class="quiet">${w.restoreGuide}</p></section>`
}
