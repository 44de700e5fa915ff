import { isDate } from '../terms/clock.ts'
import type { Finding } from '../terms/finding.ts'
import { flawOfText, textFlawText } from '../terms/text.ts'

/** Where a value stands, and where to say what is wrong with it. */
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
 * How one kind of value stands in a JSON document. `read` returns a harmless stand-in for what is wrong, after reporting
 * it, so that one reading finds every problem; `write` is its inverse.
 */
export interface Format<T> {
  read(value: unknown, place: Place): T
  write(value: T): unknown
}

export type Value<F> = F extends Format<infer T> ? T : never

/** A member of a record: it must be there, or it stands for something when it is not. */
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

/** null or left out: nothing. */
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

/** An object of known members. A key that is not among them is a problem: it is usually a typing mistake. */
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

/** A list that names nothing twice. */
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

/** A value that is written as it is read, when `flaw` finds nothing wrong with it. */
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

/** The end of a sentence about a value: what it is, where that is short enough to help. */
function shown(value: unknown): string {
  if (value === undefined || (typeof value === 'object' && value !== null)) return ''
  const text = typeof value === 'string' && value.length > 40 ? `${value.slice(0, 40)}…` : value
  return `; it is ${JSON.stringify(text)}`
}

/** How to write a figure that is written as people write it, and not as JSON does. */
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

/** A text that `isRight` accepts; `message` says what is expected otherwise. */
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

/** The id of a record. What is no id reads as 0, which no record has. */
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

/** A number of at most so many decimals, kept as a whole number of its smallest parts: 12.5 with 3 is 12500. */
export function decimal(decimals: number, bounds: { most: number; positive?: boolean }): Format<number> {
  const parts = 10 ** decimals
  const range = bounds.positive ? `more than 0 and at most ${bounds.most}` : `from 0 to ${bounds.most}`
  return {
    read(value, place) {
      if (typeof value === 'number') {
        const kept = Math.round(value * parts)
        // Division rounds correctly, so it gives back exactly the numbers that so many decimals can write.
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

// What occurs in many places of a restaurant file. Prices become thousandths, rates millionths (decision C2).

// What the largest order can hold, in a currency of two decimals (decision A8).
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
