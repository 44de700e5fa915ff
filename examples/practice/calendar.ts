import type { Location } from '../../store/catalogue/catalogue.ts'
import { dayAfter, dayBefore, timeZone, type Weekday, weekdayOf } from '../../store/terms/clock.ts'
import { type Random, random } from './random.ts'

/** A day on which a location was open, as instants. */
export interface OpenDay {
  date: string
  opensAt: number
  closesAt: number
  /** The instants of its orders, ascending. */
  arrivals: { at: number; isEvening: boolean }[]
}

const MINUTE = 60_000

/** The demand of each weekday, from a quiet Monday to a busy Saturday. */
const business: Record<Weekday, number> = { mon: 0.7, tue: 0.75, wed: 0.85, thu: 1, fri: 1.35, sat: 1.5, sun: 1.1 }

const ORDERS_A_DAY = 65

// No orders come in the last minutes before closing.
const LAST_ORDERS = 20

/** Minutes from midnight to a "HH:MM" of the wall clock. */
function minutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/** The demand at a minute after midnight, with peaks at 13:00 and 20:15. */
function hunger(minute: number): number {
  const peak = (middle: number, width: number) => Math.exp(-(((minute - middle) / width) ** 2))
  return peak(13 * 60, 50) + 1.4 * peak(20 * 60 + 15, 75) + 0.08
}

/** So many consecutive dates up to `last`, ascending. */
export function datesUntil(last: string, count: number): string[] {
  const dates = [last]
  while (dates.length < count) dates.unshift(dayBefore(dates[0] ?? last))
  return dates
}

/** A simulated day at a location; undefined if it was closed. A location without opening hours is open at meal times. */
export function openDay(location: Location, date: string, seed: string): OpenDay | undefined {
  const isUntold = Object.keys(location.openingHours).length === 0
  const hours = isUntold ? { open: '11:30', close: '22:00' } : location.openingHours[weekdayOf(date)]
  if (!hours) return undefined
  const opens = minutes(hours.open)
  const closes = minutes(hours.close) + (hours.close <= hours.open ? 24 * 60 : 0)
  const zone = timeZone(location.timezone)
  const instant = (minute: number, second = 0) => {
    const [day, rest] = minute < 24 * 60 ? [date, minute] : [dayAfter(date), minute - 24 * 60]
    const shown = [Math.floor(rest / 60), rest % 60, second].map(part => String(part).padStart(2, '0')).join(':')
    return zone.instantOf(day, shown)
  }

  const by: Random = random(`${seed} day ${location.id} ${date}`)
  const served = Array.from({ length: Math.max(0, closes - LAST_ORDERS - opens) }, (_, index) => opens + index)
  const count = Math.round(ORDERS_A_DAY * business[weekdayOf(date)] * (0.85 + 0.3 * by.next()))
  const drawn: OpenDay['arrivals'] = []
  for (let guest = 0; guest < count; guest++) {
    const minute = by.weighted(served, hunger)
    if (minute === undefined) continue
    drawn.push({ at: instant(minute, by.between(0, 59)), isEvening: minute >= 18 * 60 })
  }
  drawn.sort((a, b) => a.at - b.at)
  return { date, opensAt: instant(opens), closesAt: instant(closes), arrivals: drawn }
}

/** An instant so many minutes, and some seconds, later. */
export function later(at: number, by: Random, least: number, most: number): number {
  return at + by.between(least * 60, most * 60) * (MINUTE / 60)
}
