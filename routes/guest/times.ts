import type { Location } from '../../store/catalogue/catalogue.ts'
import { businessDate, timeZone } from '../../store/terms/clock.ts'
import { openingAt } from '../../store/terms/opening.ts'

const QUARTER = 15 * 60_000
const MOST_QUARTERS = 96

/** The quarters of an hour of this business date at which a location is open, from `leadMinutes` after now (UTC milliseconds). */
export function timesToday(location: Location, now: number, leadMinutes: number): number[] {
  const zone = timeZone(location.timezone)
  const dayOf = (instant: number) => businessDate(zone.at(instant), location.dayStartsAt)
  const first = Math.ceil((now + leadMinutes * 60_000) / QUARTER) * QUARTER
  const times = Array.from({ length: MOST_QUARTERS }, (_, index) => first + index * QUARTER)
  return times.filter(time => dayOf(time) === dayOf(now) && openingAt(time, location).isOpen)
}
