import { type Weekday, weekdays } from './clock.ts'

/** When a day opens and closes (HH:MM). A closing that is not after its opening is on the next day. */
export interface Period {
  open: string
  close: string
}

/** The days that are open, each from its first opening to its last closing. */
export type OpeningHours = Partial<Record<Weekday, Period>>

/** The days that are open, each with all of its periods. */
export type OpeningPeriods = Partial<Record<Weekday, Period[]>>

/** Days on which a location is closed, both included (YYYY-MM-DD), whatever its hours are. */
export interface ClosedDates {
  from: string
  until: string
  title: string
}

const DAY = 24 * 60
const WEEK = 7 * DAY

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

/** How long a period lasts, in minutes; one that closes at the time when it opens lasts a whole day. */
function lengthOf({ open, close }: Period): number {
  return (minutesOf(close) - minutesOf(open) + DAY) % DAY || DAY
}

/** The hours of each day from its first opening to its last closing. */
export function hoursOf(periods: OpeningPeriods): OpeningHours {
  const days = weekdays.flatMap(day => {
    const [first, ...others] = periods[day] ?? []
    if (!first) return []
    let { open } = first
    let last = first
    for (const period of others) {
      if (period.open < open) open = period.open
      if (closingOf(period) > closingOf(last)) last = period
    }
    return [[day, { open, close: last.close }]]
  })
  return Object.fromEntries(days)
}

/** The hours of each day as its only period. */
export function periodsOf(hours: OpeningHours): OpeningPeriods {
  return Object.fromEntries(Object.entries(hours).map(([day, period]) => [day, [period]]))
}

/** When a period closes, in minutes after the midnight before it opens. */
function closingOf(period: Period): number {
  return minutesOf(period.open) + lengthOf(period)
}

/** A period that begins before another one has ended. */
interface Overlap {
  day: Weekday
  index: number
  other: { day: Weekday; period: Period }
}

/** The periods of a week that overlap others. The week is a circle: Sunday night runs into Monday. */
export function overlapsOf(periods: OpeningPeriods): Overlap[] {
  const all = weekdays.flatMap((day, at) =>
    (periods[day] ?? []).map((period, index) => {
      const start = at * DAY + minutesOf(period.open)
      return { day, index, period, start, end: start + lengthOf(period) }
    }),
  )
  const [first, ...others] = all.sort((a, b) => a.start - b.start || a.end - b.end)
  if (!first) return []
  let latest = others.reduce((last, each) => (each.end > last.end ? each : last), first)
  let lap = WEEK
  const found: Overlap[] = []
  for (const each of [first, ...others]) {
    if (each.start < latest.end - lap) found.push({ day: each.day, index: each.index, other: latest })
    if (each.end < latest.end - lap) continue
    latest = each
    lap = 0
  }
  return found
}
