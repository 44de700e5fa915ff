import { timeZone } from '../store/terms/clock.ts'

/** An instant as the wall clock of a zone shows it, to the minute: "2026-11-20 19:42". */
export function minuteText(instant: number, zone: string): string {
  return secondText(instant, zone).slice(0, -3)
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
