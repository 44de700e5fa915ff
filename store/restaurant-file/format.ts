import { isDate } from '../terms/clock.ts'
import type { Finding } from '../terms/finding.ts'
import { flawOfText, textFlawText } from '../terms/text.ts'

/** The place of a value in the document, where its problems are reported. */
export interface Place {
  pointer: string
  report(message: string): void
  at(key: string | number): Place
}

export function placeAt(pointer: string, findings: Finding[]): Place {
  return {
    pointer,
    report: message => void findings.push({ pointer, message }),
    at: key => placeAt(`${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`, findings),
  }
}

/**
 * How one kind of value is written in a JSON document. `read` reports a wrong value and returns a harmless placeholder, so that
 * one pass finds every problem; `write` is its inverse.
 */
export interface Format<T> {
  read(value: unknown, place: Place): T
  write(value: T): unknown
}

export type Value<F> = F extends Format<infer T> ? T : never

/** A member of a record: required, or with a default. */
export interface Member<T> extends Format<T> {
  required: boolean
  missing(): T
}

export function required<T>(format: Format<T>): Member<T> {
  return { ...format, required: true, missing: () => format.read(undefined, placeAt('', [])) }
}

export function optional<T>(format: Format<T>, missing: T): Member<T> {
  return { ...format, required: false, missing: () => missing }
}

/** Null if it is null or missing. */
export function nullable<T>(format: Format<T>): Member<T | null> {
  return {
    required: false,
    missing: () => null,
    read: (value, place) => (value === null ? null : format.read(value, place)),
    write: value => (value === null ? null : format.write(value)),
  }
}

export type Shape = Record<string, Member<unknown>>
export type RecordOf<S extends Shape> = { [Key in keyof S]: S[Key] extends Member<infer T> ? T : never }

/** An object of known members. An unknown key is a problem, because it is usually a typing mistake. */
export function record<S extends Shape>(shape: S): Format<RecordOf<S>> {
  const keys = Object.keys(shape)
  return {
    read(value, place) {
      const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
      if (!isRecord) place.report('must be an object')
      const given = new Map(isRecord ? Object.entries(value) : [])
      for (const key of given.keys()) {
        if (!Object.hasOwn(shape, key)) place.at(key).report(`is not a known member; known are ${keys.join(', ')}`)
      }
      const members = Object.entries(shape).map(([key, member]) => {
        if (given.has(key)) return [key, member.read(given.get(key), place.at(key))]
        if (member.required && isRecord) place.at(key).report('is required')
        return [key, member.missing()]
      })
      return Object.fromEntries(members)
    },
    write(value) {
      const members = Object.entries(shape).flatMap(([key, member]) => {
        const written = member.write(value[key])
        const isSaid = member.required || JSON.stringify(written) !== JSON.stringify(member.write(member.missing()))
        return isSaid ? [[key, written]] : []
      })
      return Object.fromEntries(members)
    },
  }
}

export function list<T>(format: Format<T>): Format<T[]> {
  return {
    read(value, place) {
      if (Array.isArray(value)) return value.map((entry, index) => format.read(entry, place.at(index)))
      place.report('must be a list')
      return []
    },
    write: value => value.map(format.write),
  }
}

/** A list without duplicates. */
export function uniqueList<T extends string>(format: Format<T>): Format<T[]> {
  const entries = list(format)
  return {
    read(value, place) {
      const values = entries.read(value, place)
      if (new Set(values).size === values.length) return values
      const isClean = Array.isArray(value) && values.every((entry, index) => entry === value[index])
      if (isClean) place.report('names something twice')
      return [...new Set(values)]
    },
    write: entries.write,
  }
}

/** A value that is written in the form in which it is read; `flaw` returns what is wrong with it. */
function plain<T>(standIn: T, flaw: (value: unknown) => string | null): Format<T> {
  return {
    read(value, place) {
      const message = flaw(value)
      if (message === null) return value as T
      place.report(`${message}${shown(value)}`)
      return standIn
    },
    write: value => value,
  }
}

/** The end of a message about a value: the value itself, if it is short enough to help. */
function shown(value: unknown): string {
  if (value === undefined || (typeof value === 'object' && value !== null)) return ''
  const text = typeof value === 'string' && value.length > 40 ? `${value.slice(0, 40)}…` : value
  return `; it is ${JSON.stringify(text)}`
}

/** A hint for a number that is not written as JSON requires, such as "8,90". */
function spelling(value: unknown): string {
  if (typeof value !== 'string' || !/^\d+([.,]\d+)?$/.test(value)) return ''
  return `; write ${value.replace(',', '.')}, with a point and without quotes`
}

export function text(most: number, least = 1): Format<string> {
  return plain('', value => {
    if (typeof value !== 'string') return 'must be a text'
    const flaw = flawOfText(value, { least, most })
    return flaw && textFlawText(flaw)
  })
}

/** A text that `isRight` accepts; `message` says what is expected. */
export function textLike(isRight: (value: string) => boolean, message: string): Format<string> {
  return plain('', value => (typeof value === 'string' && isRight(value) ? null : message))
}

export const flag: Format<boolean> = plain(false, value =>
  typeof value === 'boolean' ? null : 'must be true or false',
)

export function whole(least: number, most = 1_000_000): Format<number> {
  return plain(least, value =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
      ? null
      : `must be a whole number from ${least} to ${most}`,
  )
}

/** The id of a record. An invalid id is read as 0, which no record has. */
export const recordId: Format<number> = plain(0, value =>
  Number.isSafeInteger(value) && Number(value) >= 1
    ? null
    : `must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
)

export function oneOf<const T extends string>(values: readonly T[]): Format<T> {
  return plain(values[0] as T, value =>
    values.some(known => known === value) ? null : `must be ${values.join(' or ')}`,
  )
}

/** A number with a limited number of decimals, stored as an integer of its smallest unit: 12.5 with 3 decimals is 12500. */
export function decimal(decimals: number, bounds: { most: number; positive?: boolean }): Format<number> {
  const parts = 10 ** decimals
  const range = bounds.positive ? `more than 0 and at most ${bounds.most}` : `from 0 to ${bounds.most}`
  return {
    read(value, place) {
      if (typeof value === 'number') {
        const kept = Math.round(value * parts)
        // Division rounds correctly, so it returns exactly the numbers that can be written with so many decimals.
        const isExact = kept / parts === value
        const isInRange = (bounds.positive ? value > 0 : value >= 0) && value <= bounds.most
        if (isExact && isInRange) return Math.abs(kept)
        if (isInRange) {
          place.report(`has more than ${decimals} decimals${shown(value)}`)
          return 0
        }
      }
      place.report(`must be a number ${range}${shown(value)}${spelling(value)}`)
      return 0
    },
    write: value => value / parts,
  }
}

// Values that occur in many places of a restaurant file. Prices are thousandths, rates millionths (decision C2).

// The largest amount of an order, in a currency of two decimals (decision A8).
export const LARGEST_PRICE = 99_999_999.99

export const id = required(recordId)
export const title = required(text(200))
export const price = decimal(3, { most: LARGEST_PRICE })
export const percent = decimal(4, { most: 100 })
export const published = optional(flag, true)
export const timeOfDay = textLike(
  value => /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
  'must be a time of day such as 17:30',
)
export const date = textLike(isDate, 'must be a date such as 2026-12-31')

/** The entries of a list, each with its place. */
export function* placed<T>(entries: readonly T[], place: Place): Generator<[entry: T, place: Place]> {
  for (const [index, entry] of entries.entries()) yield [entry, place.at(index)]
}
