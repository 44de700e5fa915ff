import { dayAfter, dayBefore, timeZone, type Weekday, weekdayOf, weekdays } from './clock.ts'

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
const DAYS_OF_WEEK = 7
const WEEK = DAYS_OF_WEEK * DAY

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

/** How long a period lasts, in minutes; one that closes at its opening time lasts a whole day. */
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

/** Whether a location is open, and the next instant (UTC milliseconds) at which that may change; Infinity: never. */
export interface Opening {
  isOpen: boolean
  until: number
}

// The last date of four digits.
const LAST_DATE = '9999-12-31'

const allDay: Period[] = [{ open: '00:00', close: '00:00' }]

/** What decides when a location is open. */
interface Hours {
  openingPeriods: OpeningPeriods
  closedDates: ClosedDates[]
  timezone: string
}

function hasAny(openingPeriods: OpeningPeriods): boolean {
  return Object.values(openingPeriods).some(periods => periods.length > 0)
}

/** Whether a location is open by its hours. One without hours is not known to be open, and nobody wants an alarm at night. */
export function isKnownOpen(instant: number, hours: Hours): boolean {
  return hasAny(hours.openingPeriods) && openingAt(instant, hours).isOpen
}

/**
 * Whether a location is open at an instant by its periods, in local time. A period belongs to the day on which it
 * opens, also past midnight: a closed date cancels all of its own periods, and none of the day before. A period that begins or
 * ends while the clock changes does so once. A location without any period has no known hours, so it is open on all
 * but its closed dates.
 */
export function openingAt(instant: number, { openingPeriods, closedDates, timezone }: Hours): Opening {
  const zone = timeZone(timezone)
  const today = zone.at(instant).date
  const hasPeriods = hasAny(openingPeriods)
  // A week after each closing has every day of the week; if none opens, no later one does.
  const mostDays = (DAYS_OF_WEEK + 2) * (closedDates.length + 1)
  let isOpen = false
  let next = Number.POSITIVE_INFINITY
  let date = dayBefore(today)
  for (let days = 0; days < mostDays && (date <= today || next === Number.POSITIVE_INFINITY); days++) {
    const closed = closedDates.find(({ from, until }) => from <= date && date <= until)
    const periods = hasPeriods ? (openingPeriods[weekdayOf(date)] ?? []) : allDay
    for (const { open, close } of closed ? [] : periods) {
      const start = zone.instantOf(date, `${open}:00`)
      const end = zone.instantOf(close > open ? date : dayAfter(date), `${close}:00`)
      if (start <= instant && instant < end) isOpen = true
      for (const change of [start, end]) if (change > instant) next = Math.min(next, change)
    }
    const last = closed?.until ?? date
    if (last >= LAST_DATE) break
    date = dayAfter(last)
  }
  return { isOpen, until: next }
}
