import { refusalText } from '../../../display/refusal.ts'
import { type Device, deviceRoles, type Place, type WantedDevice } from '../../../store/people/devices.ts'
import type { DeviceId } from '../../../store/terms/ids.ts'
import { isRefused, type Refusal } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { field } from '../../page/field.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { qrImage } from '../../page/qr-image.ts'
import { type View, viewOf } from '../../page/view.ts'
import { addressesOf } from '../addresses.ts'
import { settingsTabs } from '../settings/settings-tabs.ts'
import { words } from '../words/people.ts'

/** GET {basePath}/office/devices: the paired devices, and the form for another one; `role` in the query chooses its role. */
export const readDevices: Handler<PersonCaller> = (app, call) => {
  const role = queryOf(call.exchange.request).get('role')
  const known = deviceRoles.find(each => each === role)
  return devicesPage(app, call, known ? { wanted: { role: known } } : {})
}

/** POST {basePath}/office/devices: makes a code for a new device and shows it once, as text and as a QR code. */
export const offerPairing: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['title', 'role', 'place'] })
  if (!read.ok) return read.reply
  const { form } = read
  const title = form.text('title')
  const role = deviceRoles.find(each => each === form.text('role'))
  const place = placeIn(app.store.devices.places(), form.text('place'))
  if (!role || !place) return refuse('BAD_REQUEST')
  const wanted: WantedDevice = { title, role, ...place }
  const offered = await app.writer.act(call.caller.actor, 'offerPairing', wanted)
  if (isRefused(offered)) return devicesPage(app, call, { wanted, refusal: offered })

  const view = viewOf(app, call)
  const w = words[view.language]
  const [site] = addressesOf(app, call.exchange)
  const address = `${site.text}/pair?${new URLSearchParams({ code: offered.code })}`
  return page(view, {
    title: w.codeFor(title.trim()),
    room: 'settings',
    body: html`${site.isOnlyHere && html`<p class="note">${w.onlyHere}</p>`}
<div class="card code-card">${qrImage(address, w.qr)}
<p class="code">${offered.code.slice(0, 4)} ${offered.code.slice(4)}</p>
<p><code>${address}</code></p>
<p>${w.codeHelp(view.formats.time(offered.expiresAt))}</p></div>
<p><a class="button" href="${view.link('/office/devices')}">${w.allDevices}</a></p>`,
  })
}

/** POST {basePath}/office/devices/:id/end: ends the use of a device at once. */
export const endDevice: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, {})
  if (!read.ok) return read.reply
  const id = Number(call.parameters.id)
  const ended = await app.writer.act(call.caller.actor, 'endDevice', id as DeviceId)
  if (isRefused(ended)) return devicesPage(app, call, { refusal: ended })
  return { kind: 'redirect', to: app.link('/office/devices') }
}

interface Tried {
  wanted?: Partial<WantedDevice>
  refusal?: Refusal<'text' | 'unknown location' | 'station elsewhere' | 'too many pairings' | 'unknown device'>
}

function devicesPage(app: App, call: Call<PersonCaller>, { wanted, refusal }: Tried): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const devices = app.store.devices.list().filter(({ endedAt }) => endedAt === null)
  const places = app.store.devices.places()
  const text = refusal && refusalText(refusal, view.language)
  const isAboutTitle = refusal?.refused === 'text'
  return page(view, {
    title: w.devices,
    room: 'settings',
    status: refusal ? 422 : 200,
    body: html`${settingsTabs(view, 'devices')}
<p class="quiet">${w.deviceHelp}</p>
${text !== undefined && !isAboutTitle && html`<p class="note bad" role="alert">${text}</p>`}
${devices.length === 0 ? html`<p class="card empty">${w.noDevices}</p>` : deviceTable(view, devices, places)}
<section class="card stack"><h2>${w.pair}</h2>
${places.length === 0 ? html`<p class="quiet">${w.noPlaces}</p>` : pairForm(view, places, wanted, isAboutTitle ? text : undefined)}
</section>`,
  })
}

function deviceTable(view: View, devices: Device[], places: Place[]): Html {
  const w = words[view.language]
  return html`<div class="card list"><table class="cards">
<thead><tr><th scope="col">${w.device}</th><th scope="col">${w.use}</th><th scope="col">${w.place}</th><th scope="col">${w.lastSeen}</th><td></td></tr></thead>
<tbody>${devices.map(
    device => html`<tr><th scope="row">${device.title}</th><td>${w[device.role]}</td><td>${placeName(view, places, device)}</td>
<td>${w.seenAt(device.lastSeenAt === null ? w.never : view.formats.dateTime(device.lastSeenAt))}</td>
<td><form method="post" action="${view.link(`/office/devices/${device.id}/end`)}"><button class="danger" aria-label="${w.revokeNamed(device.title)}">${w.revoke}</button></form></td></tr>`,
  )}</tbody></table></div>`
}

function pairForm(view: View, places: Place[], wanted: Partial<WantedDevice> = {}, wrong: string | undefined): Html {
  const w = words[view.language]
  const { locationId, stationId = null } = wanted
  const chosen = locationId === undefined ? undefined : placeValue({ locationId, stationId })
  const option = (value: string, label: string) =>
    html`<option value="${value}" selected="${value === chosen}">${label}</option>`
  return html`<form method="post" action="${view.link('/office/devices')}" class="fields narrow">
${field({ label: w.pairName, name: 'title', value: wanted.title, autocomplete: 'off', help: w.pairNameHelp, wrong })}
<div class="fields two">
<div class="field"><label for="role">${w.use}</label><select id="role" name="role">
${deviceRoles.map(role => html`<option value="${role}" selected="${role === wanted.role}">${w[role]}</option>`)}</select></div>
<div class="field"><label for="place">${w.place}</label><select id="place" name="place">
${places.map(place => [
  option(String(place.id), `${place.title}, ${w.allStations}`),
  place.stations.map(station => option(`${place.id} ${station.id}`, `${place.title}, ${station.title}`)),
])}</select></div>
</div>
<div class="actions"><button class="primary">${w.makeCode}</button></div>
</form>`
}

function placeValue({ locationId, stationId }: Pick<WantedDevice, 'locationId' | 'stationId'>): string {
  return stationId === null ? String(locationId) : `${locationId} ${stationId}`
}

function placeIn(places: Place[], value: string): Pick<WantedDevice, 'locationId' | 'stationId'> | undefined {
  const all = places.flatMap(({ id, stations }) => [
    { locationId: id, stationId: null },
    ...stations.map(station => ({ locationId: id, stationId: station.id })),
  ])
  return all.find(place => placeValue(place) === value)
}

function placeName({ language }: View, places: Place[], { locationId, stationId, role }: Device): string {
  const place = places.find(({ id }) => id === locationId)
  const station = place?.stations.find(({ id }) => id === stationId)
  const title = place?.title ?? String(locationId)
  return role === 'kitchen' || station ? `${title}, ${station?.title ?? words[language].allStations}` : title
}
