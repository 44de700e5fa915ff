import { createHash } from 'node:crypto'
import { parseRestaurantFile } from '../restaurant-file/restaurant-file.ts'
import type { Converted, EarlierConversion } from './convert.ts'
import { readIds, writeIds } from './ids.ts'
import { isMenuKind } from './recognise.ts'

/** The text of a restaurant file, as a conversion writes it. */
export function restaurantText(restaurant: unknown): string {
  return `${JSON.stringify(restaurant, null, 2)}\n`
}

/** What a conversion leaves beside its restaurant file, so that the next one keeps the ids (docs/moving-in.md). */
export function recordText({ kind, currency, timeZone, ids }: Converted, restaurant: string): string {
  const record = { kind, currency, timezone: timeZone, sha256: digest(restaurant), ids: writeIds(ids) }
  return `${JSON.stringify(record, null, 2)}\n`
}

export interface Earlier extends EarlierConversion {
  /** Whether its restaurant file is not as it was written. */
  isEdited: boolean
}

/**
 * Reads what an earlier conversion left: its record, and its restaurant file as it is now. Undefined when the two are not
 * what a conversion writes.
 */
export function readEarlier(record: string, restaurant: string): Earlier | undefined {
  const members = membersOf(record)
  const kind = members.get('kind')
  const currency = members.get('currency')
  const zone = members.get('timezone')
  const ids = readIds(members.get('ids'))
  const { file, problems } = parseRestaurantFile(restaurant)
  if (!isMenuKind(kind) || typeof currency !== 'string' || !ids || problems.length > 0) return undefined
  const timeZone = typeof zone === 'string' ? zone : null
  return { kind, currency, timeZone, ids, file, isEdited: members.get('sha256') !== digest(restaurant) }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function membersOf(text: string): Map<string, unknown> {
  try {
    const document: unknown = JSON.parse(text)
    return new Map(typeof document === 'object' && document !== null ? Object.entries(document) : [])
  } catch {
    return new Map()
  }
}
