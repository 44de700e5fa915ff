import { timeZone, weekdayOf } from '../store/terms/clock.ts'

/** An instant as the wall clock of a zone shows it, to the minute: "2026-11-20 19:42". */
export function minuteText(instant: number, zone: string): string {
  return secondText(instant, zone).slice(0, -3)
}

/** An instant as the wall clock of a zone shows it, with the zone: "2026-11-20 19:42 (Europe/Lisbon)". */
export function zonedText(instant: number, zone: string): string {
  return `${minuteText(instant, zone)} (${zone})`
}

/** An instant as the wall clock of a zone shows it, to the second: "2026-11-20 19:42:07". */
export function secondText(instant: number, zone: string): string {
  const { date, time } = timeZone(zone).at(instant)
  return `${date} ${time}`
}

/** An instant in JSON: "2026-11-20T18:42:07.000Z". */
export function instantJson(instant: number): string {
  return new Date(instant).toISOString()
}

const WEEK = 7 * 86_400_000

const dayNames = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

/** "since 18:05" for today, "since Tuesday" within a week, else "since 2026-11-03". */
export function sinceText(since: number, zone: string, now: number): string {
  const { date, time } = timeZone(zone).at(since)
  const today = timeZone(zone).at(now).date
  if (date === today) return `since ${time.slice(0, 5)}`
  const weekAgo = new Date(Date.parse(today) - WEEK).toISOString().slice(0, 10)
  return `since ${date > weekAgo && date < today ? dayNames[weekdayOf(date)] : date}`
}
