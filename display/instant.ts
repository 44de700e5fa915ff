import { timeZone } from '../store/terms/clock.ts'
import { type Language, locales } from './language.ts'

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

const sinceTexts: Record<Language, { time(time: string): string; day(day: string): string }> = {
  en: { time: time => `since ${time}`, day: day => `since ${day}` },
  de: { time: time => `seit ${time}`, day: day => `seit ${day}` },
  pt: { time: time => `desde as ${time}`, day: day => `desde ${day}` },
}

/** "since 18:05" for today, "since Tuesday" within a week, else "since 2026-11-03". */
export function sinceText(since: number, zone: string, now: number, language: Language = 'en'): string {
  const { date, time } = timeZone(zone).at(since)
  const today = timeZone(zone).at(now).date
  const text = sinceTexts[language]
  if (date === today) return text.time(time.slice(0, 5))
  const weekAgo = new Date(Date.parse(today) - WEEK).toISOString().slice(0, 10)
  const isThisWeek = date > weekAgo && date < today
  if (!isThisWeek && language === 'en') return text.day(date)
  const shape: Intl.DateTimeFormatOptions = isThisWeek ? { weekday: 'long' } : { dateStyle: 'medium' }
  return text.day(new Intl.DateTimeFormat(locales[language], { timeZone: 'UTC', ...shape }).format(Date.parse(date)))
}
