import { type Amount, amountText, decimalText } from '../store/terms/money.ts'
import { zonedText } from './instant.ts'
import { type Language, locales } from './language.ts'

/** How pages write money, numbers and instants. */
export interface Formats {
  /** An amount in minor units: "€12.50". */
  money(minor: number, exponent: number, currency: string): string
  /** A number with at most three decimals. */
  number(value: number): string
  /** A share, such as 0.125: "12.5%". */
  percent(share: number): string
  /** The time of day: "20:14". */
  time(instant: number): string
  /** The time of day, with the date unless that is the date of `now`: "20:14" or "Sat, 21 Nov, 20:14". */
  timeFrom(instant: number, now: number): string
  /** The time of day to the second: "20:14:05". */
  clock(instant: number): string
  /** The day: "Sat, 21 Nov 2026". */
  date(instant: number): string
  /** The day of the week: "Saturday". */
  weekday(instant: number): string
  /** A calendar day such as "2026-11-21", in the same way. */
  day(date: string): string
  /** Day and time. */
  dateTime(instant: number): string
  /** Day and time to the second. */
  exactTime(instant: number): string
  list(parts: string[]): string
}

const made = new Map<string, Formats>()

/** The formats of a language, for instants in a time zone. */
export function formats(language: Language, zone: string): Formats {
  const key = `${language} ${zone}`
  const found = made.get(key) ?? make(locales[language], zone)
  made.set(key, found)
  return found
}

function make(locale: string, zone: string): Formats {
  const currencies = new Map<string, Intl.NumberFormat>()
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const instants = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: zone, hourCycle: 'h23', ...options })
  const dayOptions = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
  const timeOptions = { hour: '2-digit', minute: '2-digit' } as const
  const time = instants(timeOptions)
  const clock = instants({ ...timeOptions, second: '2-digit' })
  const date = instants(dayOptions)
  const dayAndTime = instants({ weekday: 'short', day: 'numeric', month: 'short', ...timeOptions })
  const dateTime = instants({ ...dayOptions, ...timeOptions })
  const exactTime = instants({ ...dayOptions, ...timeOptions, second: '2-digit' })
  const day = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...dayOptions })
  const weekday = instants({ weekday: 'long' })
  const list = new Intl.ListFormat(locale)

  function currencyFormat(currency: string, exponent: number): Intl.NumberFormat {
    const key = `${currency} ${exponent}`
    let format = currencies.get(key)
    if (!format) {
      format = new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        minimumFractionDigits: exponent,
        maximumFractionDigits: exponent,
      })
      currencies.set(key, format)
    }
    return format
  }

  return {
    // A decimal text has no rounding error.
    money: (minor, exponent, currency) =>
      currencyFormat(currency, exponent).format(decimalText(minor, exponent) as Intl.StringNumericLiteral),
    number: value => number.format(value),
    percent: share => percent.format(share),
    time: instant => time.format(instant),
    timeFrom: (instant, now) => (date.format(instant) === date.format(now) ? time : dayAndTime).format(instant),
    clock: instant => clock.format(instant),
    date: instant => date.format(instant),
    weekday: instant => weekday.format(instant),
    day: text => day.format(Date.parse(text)),
    dateTime: instant => dateTime.format(instant),
    exactTime: instant => exactTime.format(instant),
    list: parts => list.format(parts),
  }
}

/** How a sentence writes amounts, instants and numbers. */
export interface Writing {
  money(amount: Amount): string
  /** An instant as the wall clock of a zone shows it. */
  moment(instant: number, zone: string): string
  /** A calendar day such as "2026-11-21". */
  day(date: string): string
  /** A number with all its decimals. */
  number(value: number): string
}

/** English is also the language of the terminal, where figures stay plain: "12.50 EUR", "2026-11-21 20:14 (Europe/Lisbon)". */
export const writing: Record<Language, Writing> = {
  en: {
    money: ({ minor, exponent, currency }) => amountText(minor, exponent, currency),
    moment: zonedText,
    day: date => date,
    number: String,
  },
  de: writingIn('de'),
  pt: writingIn('pt'),
}

function writingIn(language: Language): Writing {
  const number = new Intl.NumberFormat(locales[language], { maximumFractionDigits: 6 })
  return {
    money: ({ minor, exponent, currency }) => formats(language, 'UTC').money(minor, exponent, currency),
    moment: (instant, zone) => formats(language, zone).dateTime(instant),
    day: date => formats(language, 'UTC').day(date),
    number: value => number.format(value),
  }
}
