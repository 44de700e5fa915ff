import type { Alarm } from '../../display/alarm.ts'
import type { OpenTicket } from '../../store/kitchen/open-tickets.ts'
import { SHOWN_WITHIN_MS } from '../../store/kitchen/station-backups.ts'
import type { Place } from '../../store/people/devices.ts'
import { printsByItself, printsFor } from '../../store/printing/printers.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../../store/terms/clock.ts'
import type { LocationId, StationId, TicketId } from '../../store/terms/ids.ts'
import { isKnownOpen } from '../../store/terms/opening.ts'
import { groupBy } from '../../store/terms/rows.ts'
import type { Screen } from '../http/screens.ts'
import type { Lookout } from './alarms.ts'

/** How long a screen may be silent. It asks at least every ten seconds. */
export const HEARD_WITHIN_MS = 20_000

export interface StationAlarmsContext {
  store: Store
  clock: Clock
  /** The screens that have asked since the start, each with its stations. */
  rollCall(): Pick<Screen, 'device' | 'stations' | 'silentMs'>[]
}

/**
 * Finds the stations whose screens have been silent for 20 seconds while they are needed, those whose tickets no screen has shown
 * within 20 seconds, and those with neither a screen nor a printer (decision 056). After the server has started, screens have 20
 * seconds to ask.
 */
export function stationAlarms({ store, clock, rollCall }: StationAlarmsContext): Lookout {
  const startedAt = clock.elapsed()
  // By the monotonic clock, because the wall clock may have been set back since a ticket was opened.
  const unseenSince = new Map<TicketId, number>()
  // As first measured, so that an alarm stays the same while it lasts.
  const silentSince = new Map<StationId, number | null>()

  function isLate({ id, openedAt }: OpenTicket): boolean {
    const since = unseenSince.get(id) ?? clock.elapsed()
    return Math.max(clock.now() - openedAt, clock.elapsed() - since) >= SHOWN_WITHIN_MS
  }

  function noteUnseen(open: OpenTicket[]): void {
    const unseen = new Set(open.filter(({ isSeen }) => !isSeen).map(({ id }) => id))
    for (const id of unseenSince.keys()) if (!unseen.has(id)) unseenSince.delete(id)
    for (const id of unseen) if (!unseenSince.has(id)) unseenSince.set(id, clock.elapsed())
  }

  /** Since when no screen of a station has asked (UTC milliseconds); null: since the server started; undefined: one has asked in time. */
  function silence(station: StationId): number | null | undefined {
    const heard = rollCall().filter(({ stations }) => stations.includes(station))
    const silentMs = Math.min(...heard.map(screen => screen.silentMs))
    if (silentMs < HEARD_WITHIN_MS) silentSince.delete(station)
    else if (!silentSince.has(station)) {
      silentSince.set(station, Number.isFinite(silentMs) ? clock.now() - silentMs : null)
    }
    return silentSince.get(station)
  }

  function isOpenNow(id: LocationId): boolean {
    const location = store.catalogue.current().locations.find(each => each.id === id)
    return location !== undefined && isKnownOpen(clock.now(), location)
  }

  function ofPlace({ id: locationId, title, stations }: Place, open: Map<StationId, OpenTicket[]>, isOnly: boolean) {
    const { hasScreen, hasPrinter, hasUnknown } = equipment(store, locationId, rollCall())
    const isUsed = hasUnknown || stations.some(({ id }) => hasScreen(id) || hasPrinter(id))
    const closed = new Set(store.stations.closed().map(({ id }) => id))
    const isOpen = isOpenNow(locationId)
    return stations.flatMap(({ id: stationId, title: name }): Alarm[] => {
      const about = { locationId, stationId, station: isOnly ? name : `${name} (${title})` }
      const tickets = open.get(stationId) ?? []
      const late = tickets.filter(ticket => !ticket.isSeen && isLate(ticket))
      const [oldest] = late
      const alarms: Alarm[] = []
      if (oldest && isUsed) {
        alarms.push({ kind: 'not shown', ...about, order: oldest.orderNumber, more: late.length - 1 })
      }
      if (closed.has(stationId)) return alarms
      if (!hasScreen(stationId)) {
        return hasPrinter(stationId) ? alarms : [...alarms, { kind: 'no screen', ...about }]
      }
      const since = silence(stationId)
      const isSilent = since !== undefined && (isOpen || tickets.length > 0)
      return isSilent ? [...alarms, { kind: 'silent', ...about, since }] : alarms
    })
  }

  return () => {
    const open = store.openTickets()
    noteUnseen(open)
    if (clock.elapsed() - startedAt < HEARD_WITHIN_MS) return []
    const places = store.devices.places().filter(({ stations }) => stations.length > 0)
    const byStation = groupBy(open, ({ stationId }) => stationId)
    return places.flatMap(place => ofPlace(place, byStation, places.length === 1))
  }
}

/**
 * Tells which stations of a location have a screen, or a printer that prints their tickets. A station has a screen if one is paired
 * for it or has shown its board; a tablet that shows the pass does not count.
 */
function equipment(
  { devices, printing }: Store,
  location: LocationId,
  heard: ReturnType<StationAlarmsContext['rollCall']>,
) {
  const screens = devices
    .list()
    .filter(({ role, locationId, endedAt }) => role === 'kitchen' && locationId === location && endedAt === null)
  const printers = printing.printers
    .list()
    .filter(printer => printer.locationId === location && printsByItself(printer))
  return {
    hasScreen: (station: StationId) =>
      screens.some(({ stationId }) => stationId === station) ||
      heard.some(({ stations }) => stations.includes(station)),
    hasPrinter: (station: StationId) => printers.some(printer => printsFor(printer, station)),
    /** Whether there is a screen that has not yet said which stations it shows: tickets may be expected there. */
    hasUnknown: screens.some(
      ({ id, stationId }) => stationId === null && heard.every(({ device }) => device.id !== id),
    ),
  }
}
