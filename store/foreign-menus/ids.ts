import type { Keys } from './menu.ts'

const kinds = ['categories', 'items', 'variations', 'modifier_groups', 'modifiers', 'locations', 'stock'] as const
export type IdKind = (typeof kinds)[number]

/** Which id each thing of a foreign file got, by its keys; the ids of what has gone stay taken. */
export type KeptIds = Record<IdKind, Map<string, number>>

/** The same made for each kind. */
export function perKind<T>(make: (kind: IdKind) => T): Record<IdKind, T> {
  return {
    categories: make('categories'),
    items: make('items'),
    variations: make('variations'),
    modifier_groups: make('modifier_groups'),
    modifiers: make('modifiers'),
    locations: make('locations'),
    stock: make('stock'),
  }
}

/** Kept ids as JSON, and back. Undefined for anything else. */
export function writeIds(ids: KeptIds): Record<string, Record<string, number>> {
  return Object.fromEntries(kinds.map(kind => [kind, Object.fromEntries(ids[kind])]))
}

export function readIds(value: unknown): KeptIds | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const ids: KeptIds = perKind(() => new Map())
  for (const [name, entries] of Object.entries(value)) {
    const kind = kinds.find(known => known === name)
    if (kind === undefined || typeof entries !== 'object' || entries === null) return undefined
    for (const [key, id] of Object.entries(entries)) {
      if (!Number.isSafeInteger(id) || Number(id) < 1) return undefined
      ids[kind].set(key, Number(id))
    }
  }
  return ids
}

/**
 * Gives each entry the id that it had, or the next that is free. What identifies an entry for certain is looked for first for
 * all of them, so that a dish of the same title cannot take another's id. Remembers the keys under the ids. `largest` is the
 * largest id that is taken besides.
 */
export function giveIds<T>(
  known: Map<string, number>,
  largest: number,
  entries: T[],
  keysOf: (entry: T) => Keys,
): Map<T, number> {
  const given = new Map<T, number>()
  const used = new Set<number>()
  const keyed = entries.map(entry => ({ entry, keys: keysOf(entry) }))
  const levels = keyed.reduce((most, { keys }) => Math.max(most, keys.length), 0)
  for (let level = 0; level < levels; level++) {
    for (const { entry, keys } of keyed) {
      const id = keys[level]?.map(key => known.get(key)).find(each => each !== undefined && !used.has(each))
      if (id === undefined || given.has(entry)) continue
      given.set(entry, id)
      used.add(id)
    }
  }
  let last = largest
  for (const id of known.values()) last = Math.max(last, id)
  for (const { entry, keys } of keyed) {
    const id = given.get(entry) ?? ++last
    given.set(entry, id)
    for (const [level, alternatives] of keys.entries()) {
      // What is certain follows the thing; what is likely stays with the first that had it.
      for (const key of alternatives) if (level === 0 || !known.has(key)) known.set(key, id)
    }
  }
  return given
}
