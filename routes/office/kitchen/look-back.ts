import { formats } from '../../../display/formats.ts'
import { orderNumber } from '../../../display/order.ts'
import { refusalText } from '../../../display/refusal.ts'
import { ticketEventText } from '../../../display/terms.ts'
import { cautionsOf } from '../../../store/kitchen/caution.ts'
import type { NamedEvent } from '../../../store/kitchen/memory.ts'
import { isPassChange } from '../../../store/kitchen/tickets.ts'
import type { Pass } from '../../../store/ordering/pass.ts'
import type { ShownTicket } from '../../../store/ordering/shown-ticket.ts'
import type { Place } from '../../../store/people/devices.ts'
import { parseInstant, timeZone } from '../../../store/terms/clock.ts'
import { isRefused } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { pastPass } from '../../kitchen/pass.ts'
import { cardOf } from '../../kitchen/ticket.ts'
import { words as ofPass } from '../../kitchen/words/pass.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/look-back.ts'

const path = '/office/kitchen/look-back'
const MINUTE = 60_000

interface Wanted {
  place: Place | undefined
  /** Undefined: all stations of the location. */
  station: Place['stations'][number] | undefined
  /** The pass instead of the stations. */
  isPass: boolean
  /** As in the address. */
  at: string
  /** UTC milliseconds; undefined: `at` is not a time in the past. */
  instant: number | undefined
  zone: string
}

/** GET {basePath}/office/kitchen/look-back: the screen of a station or the pass as it was at an instant, and what happened around that time (decision 056). */
export const readLookBack: Handler<PersonCaller> = async (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const wanted = wantedOf(app, view, call)
  const { instant, place, station, zone } = wanted
  const then = instant === undefined ? undefined : await app.reader.read('kitchenAt', instant)
  const isPassShown = wanted.isPass && place !== undefined && instant !== undefined && !isRefused(then)
  const pass = isPassShown ? await app.reader.read('passAt', place.id, instant) : undefined
  const why = then === undefined ? w.wrongTime : isRefused(then) ? refusalText(then, view.language) : undefined
  const shown = then === undefined || isRefused(then) || instant === undefined ? undefined : { ...then, instant }
  const isHere = ({ stationId, what }: NamedEvent) =>
    station
      ? stationId === station.id && !isPassChange(what)
      : place?.stations.some(({ id }) => id === stationId) === true
  return page(view, {
    title: w.title,
    room: 'kitchen',
    status: then === undefined ? 422 : 200,
    aside: html`<a class="button" href="${view.link('/office/kitchen', { location: place?.id })}">${w.kitchen}</a>`,
    body: html`${chooser(app, view, wanted, why)}
${shown && steps(view, wanted, shown.instant)}
${
  shown && [
    pass ? passThen(app, view, wanted, shown.instant, pass) : board(app, view, wanted, shown.instant, shown.tickets),
    happened(view, zone, shown.instant, shown.events.filter(isHere)),
  ]
}`,
  })
}

function wantedOf({ store, clock }: App, view: View, { exchange }: Call<PersonCaller>): Wanted {
  const query = queryOf(exchange.request)
  const places = store.devices.places()
  const stationId = Number(query.get('station'))
  const holds = ({ stations }: Place) => stations.some(({ id }) => id === stationId)
  const place = places.find(holds) ?? places.find(({ id }) => id === Number(query.get('location'))) ?? places[0]
  const zone = store.catalogue.current().locations.find(({ id }) => id === place?.id)?.timezone ?? view.zone
  const now = clock.now()
  const at = (query.get('at') ?? '').trim().slice(0, 40)
  const instant = at === '' ? now : parseInstant(at, { zone, now, day: 'last' })
  return {
    place,
    station: place?.stations.find(({ id }) => id === stationId),
    isPass: query.get('station') === 'pass',
    at,
    instant: instant !== undefined && instant <= now ? instant : undefined,
    zone,
  }
}

function linkTo({ link }: View, { place, station, isPass }: Wanted, instant: number) {
  return link(path, {
    location: place?.id,
    station: isPass ? 'pass' : station?.id,
    at: new Date(instant).toISOString(),
  })
}

function chooser(
  { store }: App,
  view: View,
  { place, station, isPass, at, instant, zone }: Wanted,
  why?: string,
): Html {
  const w = words[view.language]
  const places = store.devices.places()
  const wall = instant === undefined ? undefined : timeZone(zone).at(instant)
  const option = (value: number | 'pass', label: string) =>
    html`<option value="${value}" selected="${value === (isPass ? 'pass' : station?.id)}">${label}</option>`
  return html`${
    places.length > 1 &&
    html`<nav class="chips">${places.map(
      ({ id, title }) =>
        html`<a class="chip" href="${view.link(path, { location: id, at: at === '' ? null : at })}" aria-current="${id === place?.id && 'true'}">${title}</a>`,
    )}</nav>`
  }
<form method="get" action="${view.link(path)}" class="card row">
<input type="hidden" name="location" value="${place?.id}">
<div class="field"><label for="station">${w.station}</label><select id="station" name="station"><option value="">${w.allStations}</option>${(place?.stations ?? []).map(({ id, title }) => option(id, title))}${option('pass', ofPass[view.language].title)}</select></div>
<div class="field"><label for="at">${w.when}</label><input id="at" name="at" type="datetime-local" value="${wall ? `${wall.date}T${wall.time.slice(0, 5)}` : ''}" aria-invalid="${why !== undefined && 'true'}" aria-describedby="${why !== undefined && 'at-wrong'}"></div>
<button class="button primary">${w.show}</button>
</form>
${why !== undefined && html`<p class="note bad" role="alert" id="at-wrong">${why}</p>`}`
}

function steps(view: View, wanted: Wanted, instant: number): Html {
  const w = words[view.language]
  const step = (minutes: number) => {
    const to = instant + minutes * MINUTE
    const label = minutes < 0 ? w.earlier(-minutes) : w.later(minutes)
    return to <= view.now && html`<a class="button" href="${linkTo(view, wanted, to)}">${label}</a>`
  }
  return html`<nav class="actions" aria-label="${w.steps}">${[-5, -1, 1, 5].map(step)}</nav>`
}

function passThen(app: App, view: View, { zone }: Wanted, instant: number, pass: Pass): Html {
  const then = { ...view, now: instant, formats: formats(view.language, zone) }
  return html`<section class="stack"><h2>${ofPass[view.language].title}, ${then.formats.exactTime(instant)}</h2>
${pastPass(app, then, pass)}</section>`
}

function board({ store, link }: App, view: View, wanted: Wanted, instant: number, all: ShownTicket[]): Html {
  const w = words[view.language]
  const { place, station, zone } = wanted
  const here = all.filter(ticket => ticket.locationId === place?.id)
  const tickets = here.filter(({ stationId }) => station === undefined || stationId === station.id)
  const { kitchenSlowMs, kitchenLateMs } = store.settings.current()
  const cards = {
    language: view.language,
    formats: formats(view.language, zone),
    acts: link('/kitchen/act'),
    now: instant,
    asOf: instant,
    hasStations: station === undefined,
    slowMs: kitchenSlowMs,
    lateMs: kitchenLateMs,
  }
  const alsoAt = (ticket: ShownTicket) =>
    here.flatMap(other =>
      other.orderId === ticket.orderId && other.stationId !== ticket.stationId ? other.station : [],
    )
  const card = (ticket: ShownTicket) => {
    const notes = [ticket.orderNotes, ...ticket.items.map(item => item.notes)]
    return cardOf(cards, {
      ...ticket,
      alsoAt: [...new Set(alsoAt(ticket))],
      cautions: cautionsOf(ticket.source, notes),
    })
  }
  return html`<section class="stack"><div class="head"><h2>${station?.title ?? w.allStations}, ${formats(view.language, zone).exactTime(instant)}</h2>
<p class="quiet">${w.open(tickets.filter(({ state }) => state === 'open').length)}</p></div>
${tickets.length === 0 ? html`<p class="card empty">${w.nothing}</p>` : html`<div class="past-cards">${tickets.map(ticket => card(ticket).html)}</div>`}</section>`
}

/** Leaves out the events of lines that say the same as an event of their whole ticket. */
function withoutRepeats(events: NamedEvent[]): NamedEvent[] {
  const key = ({ ticketId, what, at }: NamedEvent) => `${ticketId} ${what} ${at}`
  const ofTickets = new Set(events.filter(({ lineId }) => lineId === null).map(key))
  return events.filter(event => event.lineId === null || !ofTickets.has(key(event)))
}

function happened(view: View, zone: string, instant: number, all: NamedEvent[]): Html {
  const events = withoutRepeats(all)
  const w = words[view.language]
  const { clock } = formats(view.language, zone)
  const row = ({ seq, at, orderNumber: number, orderId, station, line, what, by }: NamedEvent) =>
    html`<tr class="${at > instant && 'quiet'}" id="event-${seq}"><td class="small">${clock(at)}</td>
<td><a href="${view.link(`/office/orders/${orderId}`)}">${orderNumber(number)}</a></td><td>${[isPassChange(what) ? ofPass[view.language].title : station, line].filter(Boolean).join(', ')}: ${ticketEventText(what, view.language)}</td><td>${by}</td></tr>`
  return html`<section class="stack tight"><h2>${w.events}</h2>
<div class="card list">${
    events.length === 0
      ? html`<p class="empty">${w.noEvents}</p>`
      : html`<table class="cards"><thead><tr><th scope="col">${w.time}</th><th scope="col">${w.order}</th><th scope="col">${w.what}</th><th scope="col">${w.who}</th></tr></thead>
<tbody>${events.map(row)}</tbody></table>`
  }</div></section>`
}
