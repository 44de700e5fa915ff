import { modeText, tableText } from '../../display/terms.ts'
import { wasNotShownInTime } from '../../store/kitchen/station-backups.ts'
import type { StationBoard, StationTicket } from '../../store/ordering/station-screen.ts'
import type { Device } from '../../store/people/devices.ts'
import { parseInstant } from '../../store/terms/clock.ts'
import type { LocationId, StationId } from '../../store/terms/ids.ts'
import { type Html, html, refreshWithoutScript } from '../html/html.ts'
import type { App, Call, DeviceCaller, Handler } from '../http/handler.ts'
import { queryOf } from '../http/head.ts'
import type { Reply } from '../http/reply.ts'
import type { Ask, Board, Card, Content, Once } from '../http/screens.ts'
import { documentOf } from '../page/page.ts'
import { type View, viewOf } from '../page/view.ts'
import { alarmStrip, alarmsAt, notLiveBanner, screenTools, scriptWords, setUpStrip } from './screen-parts.ts'
import { askFor } from './screen-request.ts'
import { type CardsView, cardOf, formOf } from './ticket.ts'
import { words } from './words/station.ts'

// How many stations one screen may be set to show.
const MOST_STATIONS = 4

// How often the page loads itself again in a browser that runs no script.
const REFRESH_S = 10

/** The stations of a screen; all are of the device's location. */
export interface StationScreen {
  locationId: LocationId
  /** Those that it shows, in the order of the location. */
  chosen: { id: StationId; title: string }[]
  /** Those that can be chosen. */
  stations: { id: StationId; title: string }[]
  /** The station of lines that no rule matches; undefined: the location has no stations. */
  fallback: StationId | undefined
}

/** GET {basePath}/kitchen: the screen of a station, or of up to four: `?stations=1,2`. */
export const readStation: Handler<DeviceCaller> = (app, call) => stationPage(app, call)

/** The stations in the address of a request, else those of the device. */
export function stationScreenOf(app: App, { exchange, caller }: Call<DeviceCaller>): StationScreen {
  const { device } = caller
  const { locationId } = device
  const kitchen = app.store.catalogue.current().kitchen(locationId)
  const stations = kitchen?.stations ?? []
  const wanted = queryOf(exchange.request)
    .getAll('stations')
    .flatMap(text => text.split(','))
  const named = stations.filter(({ id }) => wanted.includes(String(id))).slice(0, MOST_STATIONS)
  const chosen = named.length > 0 ? named : ownOf(device, stations)
  return { locationId, chosen, stations, fallback: kitchen?.fallback.id }
}

function ownOf({ stationId }: Device, stations: StationScreen['stations']): StationScreen['stations'] {
  const own = stations.filter(({ id }) => id === stationId)
  // If the device's station no longer exists, all are shown.
  return own.length > 0 ? own : stations
}

/** A screen's request for the board of its stations. */
export function askOf(app: App, call: Call<DeviceCaller>, screen: StationScreen): Ask {
  return askFor(call, stationBoard(app, viewOf(app, call), screen))
}

/** The stations of a screen, as a query of its addresses. */
function queryFor({ chosen }: StationScreen): { stations: string } {
  return { stations: chosen.map(({ id }) => id).join(',') }
}

function stationBoard(app: App, view: View, screen: StationScreen): Board {
  const { locationId, chosen } = screen
  const { stations } = queryFor(screen)
  return {
    key: `stations ${locationId} ${stations} ${view.language}`,
    locationId,
    stations: chosen.map(({ id }) => id),
    make: (once, last) => contentOf(app, view, screen, { once, last }),
  }
}

interface Making {
  once: Once
  last: Content | undefined
}

function contentOf(app: App, { language, formats }: View, screen: StationScreen, { once, last }: Making): Content {
  const { store } = app
  const settings = store.settings.current()
  const { shown, covered } = stationsShown(app, screen)
  const boardOf = (id: StationId) => once(`station ${id}`, () => store.stationScreens.at(id))
  const boards = shown.map(boardOf)
  const now = app.clock.now()
  const lateElsewhere = stationsBackedUp(app, shown).flatMap(id =>
    boardOf(id).tickets.filter(ticket => ticket.state === 'open' && wasNotShownInTime(ticket, now)),
  )
  const isOfToday = untilNextDay(app, screen.locationId, now)
  const tickets = inOrder([...boards.flatMap(board => board.tickets), ...lateElsewhere]).filter(isOfToday)
  const view: CardsView = {
    language,
    formats,
    now,
    acts: app.link('/kitchen/act', queryFor(screen)),
    hasStations: shown.length > 1 || lateElsewhere.length > 0,
    slowMs: settings.kitchenSlowMs,
    lateMs: settings.kitchenLateMs,
  }
  const open = tickets.filter(({ state }) => state === 'open')
  const look = [view.hasStations, view.slowMs, view.lateMs, formats.date(now)].join(' ')
  const made = new Map(last?.tickets.map(card => [card.of, card]))
  const card = (ticket: StationTicket): Card => {
    const same = made.get(ticket)
    return same?.look === look ? same : { id: ticket.id, of: ticket, look, ...cardOf(view, ticket) }
  }
  return {
    parts: {
      'open-count': html`${words[language].open(open.length)}`,
      counts: countsOf(view, open),
      alarms: alarmsOf(app, view, { screen, boards, covered }),
      recent: recentOf(view, boards),
    },
    tickets: tickets.map(card),
    seq: Math.max(0, ...boards.map(({ seq }) => seq)),
    unseen: open.filter(({ seenAt }) => seenAt === null).map(({ id, openedAt }) => ({ id, openedAt })),
    script: app.assets.script('kitchen'),
  }
}

/** Tells whether a ticket concerns its station now: those that are held for a later business day are only at the pass (decision 057). */
function untilNextDay({ store }: App, locationId: LocationId, now: number): (ticket: StationTicket) => boolean {
  const location = store.catalogue.current().locations.find(({ id }) => id === locationId)
  const nextDay = location && parseInstant(location.dayStartsAt, { zone: location.timezone, now, day: 'next' })
  return ({ state, fireAt }) => state !== 'held' || fireAt === null || fireAt < (nextDay ?? Number.POSITIVE_INFINITY)
}

/** The stations whose tickets a screen shows: its own, and those that it covers (store/kitchen/covers.ts). */
function stationsShown({ store, clock }: App, screen: StationScreen): { shown: StationId[]; covered: string[] } {
  const { locationId, chosen, fallback } = screen
  if (fallback === undefined) return { shown: [], covered: [] }
  const own = chosen.map(({ id }) => id)
  const shown = store.stationCovers.shownBy(own, { locationId, fallback }, clock.now())
  const covered = shown.filter(id => !own.includes(id)).map(id => store.stationCovers.title(id))
  return { shown, covered }
}

/** The stations whose backups these are: what their own screens have not shown in time appears here, too (decision 056). */
function stationsBackedUp({ store }: App, shown: StationId[]): StationId[] {
  const backedUp = store.stationBackups.list().filter(({ backupId }) => shown.includes(backupId))
  return backedUp.map(({ stationId }) => stationId).filter(id => !shown.includes(id))
}

/** Open tickets first, the oldest first; then the held ones, by the time at which they fire. */
function inOrder(tickets: StationTicket[]): StationTicket[] {
  const place = ({ state, openedAt, fireAt }: StationTicket) =>
    state === 'held' ? [1, fireAt ?? Number.POSITIVE_INFINITY] : [0, openedAt]
  return tickets.toSorted((a, b) => {
    const [[isHeldA = 0, atA = 0], [isHeldB = 0, atB = 0]] = [place(a), place(b)]
    return isHeldA - isHeldB || (atA === atB ? 0 : atA - atB) || a.id - b.id
  })
}

/** The all-day counts: how many of each dish and each option the open tickets still need. */
function countsOf({ language, formats }: CardsView, open: StationTicket[]): Html {
  const dishes = new Map<string, number>()
  const options = new Map<string, number>()
  const add = (counts: Map<string, number>, title: string, qty: number) =>
    counts.set(title, (counts.get(title) ?? 0) + qty)
  for (const item of open.flatMap(({ items }) => items)) {
    if (item.state !== 'open') continue
    add(dishes, item.name, item.qtyMilli)
    for (const { title, qty } of item.modifiers) add(options, title, qty * item.qtyMilli)
  }
  if (dishes.size === 0) return html``
  const most = (counts: Map<string, number>) =>
    [...counts].sort(([a, most], [b, next]) => next - most || a.localeCompare(b, language))
  const count = (mark: string, title: string, milli: number) =>
    html`${mark}${title} <b>${formats.number(milli / 1000)}</b>`
  const list = (counts: Map<string, number>, mark: string) =>
    html`<ul>${most(counts).map(([title, milli]) => html`<li>${count(mark, title, milli)}</li>`)}</ul>`
  // While it is closed, it shows only as many as fit in one line.
  return html`<summary>${most(dishes).map(([title, milli]) => html`<span>${count('', title, milli)}</span> `)}</summary><div class="sheet">${list(dishes, '')}${options.size > 0 && list(options, '+ ')}</div>`
}

interface Alarming {
  screen: StationScreen
  boards: StationBoard[]
  covered: string[]
}

/** The alarms of the location and of this board, and notes that say which of its stations are closed and which others it covers. */
function alarmsOf(app: App, view: CardsView, { screen, boards, covered }: Alarming): Html {
  const w = words[view.language]
  const more = boards.reduce((sum, board) => sum + board.more, 0)
  const closed = app.store.stations.closed().filter(({ id }) => screen.chosen.some(station => station.id === id))
  const notes = closed.map(({ title, toTitle, until }) =>
    w.closed({ station: title, to: toTitle, until: until === null ? null : view.formats.timeFrom(until, view.now) }),
  )
  if (covered.length > 0) notes.push(w.covers(view.formats.list(covered)))
  const wrong = alarmsAt(app, view, screen.locationId)
  if (more > 0) wrong.push(`${w.more(more)}. ${w.moreHelp}`)
  return html`${alarmStrip(wrong)}${notes.map(note => html`<p class="note">${note}</p>`)}`
}

const MOST_RECENT = 20

function recentOf(view: CardsView, boards: StationBoard[]): Html {
  const w = words[view.language]
  const recent = boards
    .flatMap(board => board.recent)
    .sort((a, b) => (b.closedAt ?? 0) - (a.closedAt ?? 0) || b.id - a.id)
    .slice(0, MOST_RECENT)
  return html`<summary>${w.recent}</summary>${
    recent.length === 0
      ? html`<p class="quiet">${w.nothingRecent}</p>`
      : html`<ul>${recent.map(ticket => {
          const { orderNumber, mode, tableTitle, closedAt, items } = ticket
          const where =
            tableTitle !== null
              ? tableText(tableTitle, view.language)
              : mode === null
                ? ''
                : modeText(mode, view.language)
          const dishes = items.map(({ name, qtyMilli }) => `${view.formats.number(qtyMilli / 1000)} ${name}`)
          return html`<li><strong>${orderNumber}</strong> ${where} ${view.formats.time(closedAt ?? 0)} <span class="quiet">${dishes.join(', ')}</span> ${formOf(view, ticket, html`<button name="act" value="recall">${w.recall}</button>`)}</li>`
        })}</ul>`
  }`
}

/** Lets a person choose the stations of this screen. */
function choiceOf({ language, link }: View, { stations, chosen }: StationScreen): Html {
  const w = words[language]
  const isChosen = (id: StationId) => chosen.some(station => station.id === id)
  return html`<details class="tools"><summary>${w.stations}</summary><form class="sheet" method="get" action="${link('/kitchen')}">
<fieldset><legend>${w.stationsHelp(MOST_STATIONS)}</legend>${stations.map(
    ({ id, title }) =>
      html`<label class="choice"><input type="checkbox" name="stations" value="${id}" checked="${isChosen(id)}">${title}</label>`,
  )}</fieldset>
<button>${w.show}</button>
</form></details>`
}

/** The page of a screen; `refused` says why an act without script was refused. */
export function stationPage(app: App, call: Call<DeviceCaller>, refused?: string): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const screen = stationScreenOf(app, call)
  const { chosen, stations } = screen
  const { version, content } = app.screens.show(askOf(app, call, screen))
  const query = queryFor(screen)
  const title = chosen.map(station => station.title).join(' · ') || view.siteTitle
  const { timezone } = app.store.catalogue.current().locations.find(({ id }) => id === screen.locationId) ?? {
    timezone: view.zone,
  }
  const { parts } = content
  const body = html`<body class="kitchen" data-board="${view.link('/kitchen/board', query)}" data-acts="${view.link('/kitchen/act', query)}" data-version="${version}" data-now="${view.now}" data-zone="${timezone}">
${notLiveBanner(view)}
${refreshWithoutScript(REFRESH_S, view.link('/kitchen', { ...query, drawn: version }))}
<header class="kitchen-bar">
<h1>${title}</h1>
<span class="open-count" id="open-count">${parts['open-count']}</span>
<details id="counts" aria-label="${w.counts}">${parts.counts}</details>
<a class="button" href="${view.link('/kitchen/pass')}">${w.pass}</a>
${screenTools(view)}
${stations.length > 1 && choiceOf(view, screen)}
</header>
${setUpStrip(view)}
<div id="alarms" role="status">${refused !== undefined && html`<p class="note bad" role="alert">${refused}</p>`}${parts.alarms}</div>
<main id="board" class="board">
${content.tickets.map(ticket => ticket.html)}
<p class="empty">${stations.length === 0 ? w.noStations : w.noTickets}</p>
</main>
<footer class="recent"><details id="recent">${parts.recent}</details></footer>
${scriptWords(view)}
</body>`
  return { kind: 'html', status: refused === undefined ? 200 : 409, html: documentOf(view, title, body, 'kitchen') }
}
