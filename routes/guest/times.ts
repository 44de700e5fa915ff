import type { Closure, Location } from '../../store/catalogue/catalogue.ts'
import { businessDate, timeZone } from '../../store/terms/clock.ts'
import { openingAt } from '../../store/terms/opening.ts'
import type { App } from '../http/handler.ts'
import type { Setting } from './setting.ts'
import { closureOf, waitAt } from './wait.ts'

const QUARTER = 15 * 60_000
const MOST_QUARTERS = 96

// How long an order takes at least, while no wait is measured.
const LEAD_MINUTES = 20

/** The later times of today (UTC milliseconds) that guests can choose; none at a table, at a kiosk, and while orders are paused. */
export function laterTimes(app: App, { now }: { now: number }, setting: Setting): number[] {
  const { kind, location } = setting
  if (kind !== 'storefront' || closureOf(app, setting)?.why === 'paused') return []
  return timesToday(location, now, waitAt(app, location.id)?.to ?? LEAD_MINUTES)
}

/** Why guests of a setting can order neither for now nor for later today; undefined: they can. */
export function refusalOf(app: App, view: { now: number }, setting: Setting): Closure | undefined {
  const closure = closureOf(app, setting)
  return closure && laterTimes(app, view, setting).length === 0 ? closure : undefined
}

/** The quarter hours of this business date at which a location is open, from `leadMinutes` after `now` (UTC milliseconds). */
function timesToday(location: Location, now: number, leadMinutes: number): number[] {
  const zone = timeZone(location.timezone)
  const dayOf = (instant: number) => businessDate(zone.at(instant), location.dayStartsAt)
  const today = dayOf(now)
  const first = Math.ceil((now + leadMinutes * 60_000) / QUARTER) * QUARTER
  const times = Array.from({ length: MOST_QUARTERS }, (_, index) => first + index * QUARTER)
  return times.filter(time => dayOf(time) === today && openingAt(time, location).isOpen)
}
