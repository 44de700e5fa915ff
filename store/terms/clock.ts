/** The two clocks of a process; an argument wherever time matters, so that tests can control it. */
export interface Clock {
  /** The wall clock: UTC milliseconds. It may jump when it is set. */
  now(): number
  /** Milliseconds that never decrease, for measuring durations. */
  elapsed(): number
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() }

/** Local date and time. */
export interface WallClock {
  /** YYYY-MM-DD */
  date: string
  /** HH:MM:SS */
  time: string
}

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

const DAY = 86_400_000

// Every zone's offset changes on a quarter of an hour, so one look-up serves all instants of that quarter.
const QUARTER = 900_000

// More than a month of quarters, which a page or a report may ask for again and again.
const MOST_OFFSETS = 4000

export interface TimeZone {
  name: string
  /** The local time at an instant (UTC milliseconds). */
  at(instant: number): WallClock
  /** The instant of this local time; the first if there are two; the next if it is skipped because the clock is set forward. */
  instantOf(date: string, time: string): number
}

const zones = new Map<string, TimeZone>()

/** True for a name of the IANA time zone database that this system knows. */
export function isTimeZone(name: string): boolean {
  // Newer runtimes also accept offsets such as "+01:00", which are not zone names.
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false
  const known = Intl.supportedValuesOf('timeZone')
  if (known.includes(name)) return true
  // The platform ignores case, but clients compare names exactly. Older names are not in its list.
  const isMisspelt = known.some(each => each.toLowerCase() === name.toLowerCase())
  if (isMisspelt || !/^[A-Z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The zone of that name. Throws a RangeError for one that `isTimeZone` refuses. */
export function timeZone(name: string): TimeZone {
  let zone = zones.get(name)
  if (!zone) {
    zone = createZone(name)
    zones.set(name, zone)
  }
  return zone
}

function createZone(name: string): TimeZone {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: name,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  // By the number of the quarter.
  const offsets = new Map<number, number>()

  function offsetAt(instant: number): number {
    const quarter = Math.floor(instant / QUARTER)
    const known = offsets.get(quarter)
    if (known !== undefined) return known
    const start = quarter * QUARTER
    const part: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(start)) part[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
    const offset = Date.UTC(year, month - 1, day, hour, minute, second) - start
    if (offsets.size >= MOST_OFFSETS) offsets.clear()
    offsets.set(quarter, offset)
    return offset
  }

  return {
    name,
    at(instant) {
      const shown = new Date(instant + offsetAt(instant)).toISOString()
      return { date: shown.slice(0, 10), time: shown.slice(11, 19) }
    },
    instantOf(date, time) {
      const shown = Date.parse(`${date}T${time}Z`)
      // The offset a day before and a day after are the only two candidates around a change of the clock.
      const candidates = [shown - offsetAt(shown - DAY), shown - offsetAt(shown + DAY)]
      const exact = candidates.filter(instant => instant + offsetAt(instant) === shown)
      return exact.length > 0 ? Math.min(...exact) : Math.max(...candidates)
    },
  }
}

/** Whether a text is a date of the calendar, as YYYY-MM-DD. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const instant = Date.parse(`${text}T00:00:00Z`)
  // Dates that do not exist, such as 30 February, would otherwise become another day.
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text)
}

/**
 * An instant as people and `--json` write it: with an offset ("2026-11-20T19:42Z", "2026-11-20T18:42:07.000Z",
 * "2026-11-20 19:42+01:00"), as local time in a time zone ("2026-11-20 19:42"), or as a time of day, which
 * means the next or the last occurrence of that local time ("18:00"). Undefined for anything else.
 */
export function parseInstant(
  text: string,
  { zone, now, day }: { zone: string; now: number; day: 'next' | 'last' },
): number | undefined {
  const wall = timeZone(zone)
  const ofDay = /^([01]?\d|2[0-3]):[0-5]\d$/.exec(text.trim())?.[0]
  if (ofDay !== undefined) {
    const { date: today } = wall.at(now)
    const on = (date: string) => wall.instantOf(date, `${ofDay.padStart(5, '0')}:00`)
    if (day === 'next') return on(today) > now ? on(today) : on(dayAfter(today))
    return on(today) <= now ? on(today) : on(dayBefore(today))
  }
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(\.\d{1,3})?(Z|[+-]\d\d:\d\d)?$/.exec(text.trim())
  if (!match) return undefined
  const [, date = '', minutes = '', seconds = ':00', fraction = '', offset] = match
  const shown = Date.parse(`${date}T${minutes}${seconds}Z`)
  if (!isDate(date) || Number.isNaN(shown) || !new Date(shown).toISOString().startsWith(`${date}T${minutes}`)) {
    return undefined
  }
  if (offset !== undefined) {
    const instant = Date.parse(`${date}T${minutes}${seconds}${fraction}${offset}`)
    return Number.isNaN(instant) ? undefined : instant
  }
  return wall.instantOf(date, `${minutes}${seconds}`) + Number(`${fraction}00`.slice(1, 4))
}

/** The day of the week of a calendar date (YYYY-MM-DD). */
export function weekdayOf(date: string): Weekday {
  const sundayFirst = new Date(`${date}T00:00:00Z`).getUTCDay()
  return weekdays[(sundayFirst + 6) % 7] as Weekday
}

/** The calendar date before this one. */
export function dayBefore(date: string): string {
  return daysAfter(date, -1)
}

/** The calendar date after this one. */
export function dayAfter(date: string): string {
  return daysAfter(date, 1)
}

/** The calendar date so many days after this one; a negative number for days before it. */
export function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)
}

/** The number of days from one calendar date to another, both included. */
export function daysFrom(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY + 1
}

/**
 * The business date: the local date, but the day before while the local time is earlier than `dayStartsAt`
 * (HH:MM). It compares local times, because subtracting hours from an instant is wrong when the clock changes (E5).
 */
export function businessDate(wall: WallClock, dayStartsAt: string): string {
  return wall.time < dayStartsAt ? dayBefore(wall.date) : wall.date
}

/** The instant a number of calendar months before another, at the same time of day (UTC); in a shorter month, on its last day. */
export function monthsBefore(instant: number, months: number): number {
  const date = new Date(instant)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() - months)
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}
