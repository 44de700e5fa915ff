import { type Alarm, alarmText, isWarning } from '../../../display/alarm.ts'
import { pauseText } from '../../../display/availability.ts'
import { sinceText } from '../../../display/instant.ts'
import { refusalText } from '../../../display/refusal.ts'
import type { StationWork } from '../../../store/kitchen/waits.ts'
import type { Place } from '../../../store/people/devices.ts'
import type { LocationId, StationId } from '../../../store/terms/ids.ts'
import type { Refusal } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import type { Screen } from '../../http/screens.ts'
import { HEARD_WITHIN_MS } from '../../kitchen/station-alarms.ts'
import { type Form, readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { capital } from '../orders/orders.ts'
import { words } from '../words/kitchen.ts'

const MINUTE = 60_000

const path = '/office/kitchen'

/** GET {basePath}/office/kitchen: the open work and the screens of each station of a location, and the wait that guests are told (decision 056). */
export const readKitchen: Handler<PersonCaller> = (app, call) => {
  const id = Number(queryOf(call.exchange.request).get('location'))
  return kitchenPage(app, call, id)
}

// How long a pause or a busy time lasts, in minutes; `open`: until a person ends it.
const lengths = ['30', '60', '120', 'open'] as const
const minutes = ['10', '20', '30'] as const

function endOf(app: App, form: Form<'for'>): number | null | undefined {
  const length = form.choice('for', lengths)
  if (length === undefined) return undefined
  return length === 'open' ? null : app.clock.now() + Number(length) * MINUTE
}

/** POST {basePath}/office/kitchen/busy: adds minutes to the wait of a location for a while, or ends that. */
export const changeBusy: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['location', 'minutes', 'for'] })
  if (!read.ok) return read.reply
  const { form } = read
  const id = Number(form.text('location')) as LocationId
  const more = form.choice('minutes', [...minutes, 'none'])
  const until = endOf(app, form)
  if (more === undefined || (more !== 'none' && until === undefined)) return refuse('BAD_REQUEST')
  const { actor } = call.caller
  const refusal =
    more === 'none'
      ? await app.writer.act(actor, 'endBusy', id)
      : await app.writer.act(actor, 'beginBusy', id, Number(more), until)
  return changed(app, call, id, refusal)
}

/** POST {basePath}/office/kitchen/pause: stops guests' orders at a location for a while, or accepts them again. */
export const changePause: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['location', 'act', 'for'] })
  if (!read.ok) return read.reply
  const { form } = read
  const id = Number(form.text('location')) as LocationId
  const act = form.choice('act', ['pause', 'resume'])
  const until = endOf(app, form)
  if (act === undefined || (act === 'pause' && until === undefined)) return refuse('BAD_REQUEST')
  const { actor } = call.caller
  const refusal =
    act === 'resume'
      ? await app.writer.act(actor, 'resumeOrders', id)
      : await app.writer.act(actor, 'pauseOrders', id, until ?? null)
  return changed(app, call, id, refusal)
}

/** POST {basePath}/office/kitchen/backup: sets the station whose screens also show what a station's own have not shown in time. */
export const changeBackup: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['location', 'station', 'backup'] })
  if (!read.ok) return read.reply
  const { text } = read.form
  const backup = text('backup') === '' ? null : (Number(text('backup')) as StationId)
  const refusal = await app.writer.act(
    call.caller.actor,
    'setStationBackup',
    Number(text('station')) as StationId,
    backup,
  )
  return changed(app, call, Number(text('location')), refusal)
}

/** POST {basePath}/office/kitchen/close: sends the dishes of a station to another one until the next day starts. */
export const closeStation: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['location', 'station', 'to'] })
  if (!read.ok) return read.reply
  const { text } = read.form
  const [station, to] = [Number(text('station')) as StationId, Number(text('to')) as StationId]
  const refusal = await app.writer.act(call.caller.actor, 'closeStation', station, to)
  return changed(app, call, Number(text('location')), refusal)
}

/** POST {basePath}/office/kitchen/open: opens a station that was closed. */
export const openStation: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['location', 'station'] })
  if (!read.ok) return read.reply
  const { text } = read.form
  const refusal = await app.writer.act(call.caller.actor, 'openStation', Number(text('station')) as StationId)
  return changed(app, call, Number(text('location')), refusal)
}

function changed(app: App, call: Call<PersonCaller>, location: number, refusal: Refusal | undefined): Reply {
  if (refusal) return kitchenPage(app, call, location, refusal)
  return { kind: 'redirect', to: app.link(path, { location }) }
}

function kitchenPage(app: App, call: Call<PersonCaller>, wanted: number, refusal?: Refusal): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const places = app.store.devices.places()
  const place = places.find(({ id }) => id === wanted) ?? places[0]
  const isManager = view.person !== null && view.person.role !== 'staff'
  // The body of the page lists the alarms.
  return page(
    { ...view, alarms: [] },
    {
      title: w.title,
      room: 'kitchen',
      status: refusal ? 422 : 200,
      aside: html`<div class="actions">
<a class="button" href="${view.link(`${path}/look-back`, { location: place?.id })}">${w.lookBack}</a>
${isManager && html`<a class="button" href="${view.link('/office/devices')}">${w.devices}</a> <a class="button" href="${view.link('/office/printers')}">${w.printers}</a>`}</div>`,
      body: html`${places.length > 1 && placeChips(view, places, place)}
${refusal && html`<p class="note bad" role="alert">${refusalText(refusal, view.language)}</p>`}
${place && place.stations.length > 0 ? kitchenOf(app, view, place) : html`<p class="card empty">${w.noKitchen}</p>${place && pauseCard(app, view, place)}`}`,
    },
  )
}

function placeChips(view: View, places: Place[], shown: Place | undefined): Html {
  return html`<nav class="chips" aria-label="${words[view.language].places}">${places.map(
    ({ id, title }) =>
      html`<a class="chip" href="${view.link(path, { location: id })}" aria-current="${id === shown?.id && 'true'}">${title}</a>`,
  )}</nav>`
}

function kitchenOf(app: App, view: View, place: Place): Html {
  const { alarms } = view
  const here = alarms.filter(({ locationId }) => locationId === place.id)
  return html`<section id="stations" class="stack" data-live="5" aria-label="${words[view.language].stations}">
${alarmList(view)}
<div class="columns">${app.store.waits.stations(place.id).map(work => stationCard(app, view, work, here))}</div>
</section>
<section id="guests" class="columns" data-live="5" aria-label="${words[view.language].guests}">
${busyCard(app, view, place)}
${pauseCard(app, view, place)}
</section>
${place.stations.length > 1 && html`<div class="columns">${closingCard(app, view, place)}${backupCard(app, view, place)}</div>`}`
}

/** All alarms and warnings, the alarms first. */
function alarmList({ alarms, language, formats, person, link }: View): Html | false {
  const isManager = person !== null && person.role !== 'staff'
  const printer = (id: number) =>
    html`<a class="button" href="${link(`/office/printers/${id}`)}">${words[language].printer}</a>`
  const inOrder = alarms.toSorted((a, b) => Number(isWarning(a)) - Number(isWarning(b)))
  return (
    inOrder.length > 0 &&
    html`<ul class="stack tight" aria-label="${words[language].alarms}">${inOrder.map(
      alarm =>
        html`<li class="note ${isWarning(alarm) ? '' : 'bad'}">${alarmText(alarm, language, formats)}${alarm.kind === 'printer' && isManager && printer(alarm.printer)}</li>`,
    )}</ul>`
  )
}

function stationCard(app: App, view: View, work: StationWork, alarms: Alarm[]): Html {
  const w = words[view.language]
  const { stationId, title, openTickets, openLines, oldestAt, doneTickets, median, p90 } = work
  const inMinutes = (ms: number) => Math.ceil(ms / MINUTE)
  const age = oldestAt === null ? 0 : Math.max(0, Math.floor((view.now - oldestAt) / MINUTE))
  const closed = app.store.stations.closed().find(({ id }) => id === stationId)
  const screens = screensOf(app, stationId)
  const { kind, text } = stateOf(
    view,
    screens,
    alarms.filter(alarm => alarm.kind !== 'printer' && alarm.stationId === stationId),
  )
  return html`<article class="card stack tight">
<div class="head"><h2>${title}</h2><span class="state ${closed ? 'off' : kind}">${closed ? w.closed(closed.toTitle) : text}</span></div>
<p><strong>${openTickets === 0 ? w.nothingOpen : w.open(openTickets, openLines)}</strong></p>
<dl class="facts">
${oldestAt !== null && html`<dt>${w.oldest}</dt><dd>${age < 180 ? w.minutes(age) : w.hours(Math.floor(age / 60))}</dd>`}
<dt>${w.lately}</dt><dd>${median === null || p90 === null ? w.nothingDone : w.pace(doneTickets, inMinutes(median), inMinutes(p90))}</dd>
${screens.map(screen => html`<dt>${screen.title}</dt><dd>${screenText(view, screen)}</dd>`)}
</dl>
</article>`
}

/** A screen that shows a station or is paired for it. */
interface StationsScreen {
  title: string
  /** Its last request; undefined: there was none since the server started. */
  heard: Screen | undefined
}

function screensOf({ screens, store }: App, station: StationId): StationsScreen[] {
  const heard = screens.rollCall().filter(({ stations }) => stations.includes(station))
  const paired = store.devices
    .list()
    .filter(({ stationId, role, endedAt }) => stationId === station && role === 'kitchen' && endedAt === null)
    .filter(({ id }) => !heard.some(({ device }) => device.id === id))
  return [
    ...heard.map(screen => ({ title: screen.device.title, heard: screen })),
    ...paired.map(({ title }) => ({ title, heard: undefined })),
  ]
}

function stateOf(view: View, screens: StationsScreen[], alarms: Alarm[]): { kind: string; text: string } {
  const w = words[view.language]
  if (alarms.some(({ kind }) => kind === 'not shown')) return { kind: 'bad', text: w.isLate }
  if (alarms.some(({ kind }) => kind === 'silent')) return { kind: 'bad', text: w.isSilent }
  if (screens.some(({ heard }) => heard && heard.silentMs < HEARD_WITHIN_MS)) return { kind: 'done', text: w.live }
  return alarms.length > 0 ? { kind: 'wait', text: w.noScreen } : { kind: 'off', text: w.isOff }
}

/** "live, no sound", "last heard from at 20:14" */
function screenText(view: View, { heard }: StationsScreen): string {
  const w = words[view.language]
  if (!heard) return w.neverHeard
  const { silentMs, isCurrent, report } = heard
  if (silentMs >= HEARD_WITHIN_MS) return w.heardAt(view.formats.time(view.now - silentMs))
  const flaws = [
    !isCurrent && w.isBehind,
    report.sound === false && w.noSound,
    report.awake === false && w.maySleep,
    report.visible === false && w.isHidden,
  ]
  return [w.live, ...flaws].filter(Boolean).join(', ')
}

function busyCard({ store }: App, view: View, { id }: Place): Html {
  const w = words[view.language]
  const wait = store.waits.quote(id)
  const busy = store.busy.at(id)
  const end = busy && (busy.until === null ? w.untilEnded : w.until(view.formats.time(busy.until)))
  return html`<form method="post" action="${view.link(`${path}/busy`)}" class="card stack">
<input type="hidden" name="location" value="${id}">
<h2>${w.busy}</h2>
${wait && html`<p><strong>${w.wait(wait.from, wait.to)}</strong></p>`}
${busy ? html`<p class="note">${w.isBusy(busy.minutes, sinceText(busy.since, busy.timezone, view.now, view.language), busy.actor)}, ${end}.</p>` : html`<p class="quiet">${w.busyHelp}</p>`}
${lengthField(view, 'busy-for', '60')}
<div class="actions">${minutes.map(more => html`<button class="button" name="minutes" value="${more}" aria-pressed="${busy && String(busy.minutes === Number(more))}">${w.more(Number(more))}</button>`)}
${busy && html`<button class="button" name="minutes" value="none">${w.endBusy}</button>`}</div>
</form>`
}

function pauseCard({ store }: App, view: View, { id }: Place): Html {
  const w = words[view.language]
  const pause = store.pauses.list().find(({ locationId }) => locationId === id)
  return html`<form method="post" action="${view.link(`${path}/pause`)}" class="card stack">
<input type="hidden" name="location" value="${id}">
<h2>${w.pause}</h2>
${pause ? html`<p class="note bad">${capital(pauseText(pause, view.now, view.language))}</p>` : html`<p class="quiet">${w.pauseHelp}</p>`}
${
  pause
    ? html`<p class="actions"><button class="button primary" name="act" value="resume">${w.resume}</button></p>`
    : html`${lengthField(view, 'pause-for', '30')}<p class="actions"><button class="button" name="act" value="pause">${w.pauseNow}</button></p>`
}
</form>`
}

function lengthField(view: View, id: string, usual: (typeof lengths)[number]): Html {
  const w = words[view.language]
  const labels = { 30: w.halfHour, 60: w.oneHour, 120: w.twoHours, open: w.untilEnded }
  return html`<div class="field short"><label for="${id}">${w.howLong}</label><select id="${id}" name="for">${lengths.map(
    length => html`<option value="${length}" selected="${length === usual}">${labels[length]}</option>`,
  )}</select></div>`
}

function closingCard({ store }: App, view: View, { id, stations }: Place): Html {
  const w = words[view.language]
  const closed = store.stations.closed().filter(({ locationId }) => locationId === id)
  const open = stations.filter(station => !closed.some(each => each.id === station.id))
  const choice = (field: string, label: string, name: string, choices: Place['stations']) =>
    html`<div class="field"><label for="${field}">${label}</label><select id="${field}" name="${name}">${choices.map(each => html`<option value="${each.id}">${each.title}</option>`)}</select></div>`
  const start = html`<input type="hidden" name="location" value="${id}">`
  return html`<section class="card stack"><h2>${w.closing}</h2><p class="quiet">${w.closingHelp}</p>
${closed.map(
  each => html`<form method="post" action="${view.link(`${path}/open`)}" class="head">${start}<input type="hidden" name="station" value="${each.id}">
<p><strong>${each.title}</strong>: ${w.closed(each.toTitle)}${each.until !== null && html`, ${w.until(view.formats.dateTime(each.until))}`}</p>
<button class="button" aria-label="${`${w.openAgain}: ${each.title}`}">${w.openAgain}</button></form>`,
)}
${
  open.length > 1 &&
  html`<form method="post" action="${view.link(`${path}/close`)}" class="row">${start}
${choice('close-station', w.closeStation, 'station', open)}${choice('close-to', w.closeTo, 'to', [...open.slice(1), ...open.slice(0, 1)])}
<button class="button">${w.closeNow}</button></form>`
}</section>`
}

function backupCard({ store }: App, view: View, { id, stations }: Place): Html {
  const w = words[view.language]
  const backups = new Map(store.stationBackups.list().map(({ stationId, backupId }) => [stationId, backupId]))
  const row = (station: Place['stations'][number]) => {
    const field = `backup-${station.id}`
    const others = stations.filter(other => other.id !== station.id)
    return html`<form method="post" action="${view.link(`${path}/backup`)}" class="row">
<input type="hidden" name="location" value="${id}"><input type="hidden" name="station" value="${station.id}">
<div class="field"><label for="${field}">${w.backupOf(station.title)}</label><select id="${field}" name="backup">
<option value="">${w.noBackup}</option>
${others.map(other => html`<option value="${other.id}" selected="${backups.get(station.id) === other.id}">${other.title}</option>`)}</select></div>
<button class="button" aria-label="${`${w.save}: ${station.title}`}">${w.save}</button></form>`
  }
  return html`<section class="card stack"><h2>${w.backups}</h2><p class="quiet">${w.backupsHelp}</p>
<div class="columns">${stations.map(row)}</div></section>`
}
