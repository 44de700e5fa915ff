import type { RestaurantFile } from './restaurant-file.ts'

export type Thing =
  | 'restaurant'
  | 'tax class'
  | 'label'
  | 'allergen'
  | 'option group'
  | 'option'
  | 'menu section'
  | 'item'
  | 'size'
  | 'location'
  | 'tax rate'
  | 'delivery zone'
  | 'item at a location'
  | 'size at a location'
  | 'table'
  | 'station'
  | 'routing rule'
  | 'stock item'
  | 'promotion'

/** How one record differs between two restaurants. Records within an added or unpublished one are not listed. */
export interface Change {
  kind: (typeof changeKinds)[number]
  thing: Thing
  id: number
  title: string
  /** The record that it belongs to: the item of a size, the location of a station. */
  of: string | null
  /** The changed members by their names in the file; prices are thousandths, rates millionths, references titles. */
  fields: { field: string; was: unknown; became: unknown }[]
  /** The allergens that guests are informed of now and would no longer be. */
  lostAllergens: string[]
}

export const changeKinds = ['added', 'changed', 'unpublished', 'removed'] as const

/** "2 added, 1 changed" */
export function countsOf(changes: Change[]): string {
  const counts = changeKinds.map(kind => ({ kind, count: changes.filter(change => change.kind === kind).length }))
  return counts.flatMap(({ kind, count }) => (count > 0 ? `${count} ${kind}` : [])).join(', ')
}

/** The lists that are members of each kind of record, with the kinds of their entries. */
const lists: { [Each in Thing]?: Readonly<Record<string, Thing>> } = {
  restaurant: {
    tax_classes: 'tax class',
    labels: 'label',
    allergens: 'allergen',
    modifier_groups: 'option group',
    categories: 'menu section',
    locations: 'location',
  },
  'option group': { modifiers: 'option' },
  'menu section': { items: 'item' },
  item: { variations: 'size' },
  location: {
    tax_rates: 'tax rate',
    delivery_zones: 'delivery zone',
    items: 'item at a location',
    variations: 'size at a location',
    tables: 'table',
    stations: 'station',
    routing: 'routing rule',
    stock: 'stock item',
    promotions: 'promotion',
  },
}

/** The kinds of a location's exceptions, which have neither their own ids nor an order. */
const exceptions = new Map<Thing, Thing>([
  ['tax rate', 'tax class'],
  ['item at a location', 'item'],
  ['size at a location', 'size'],
])

/** The kind of record that a member refers to by id. */
const named = new Map<string, Thing>([
  ['tax_class', 'tax class'],
  ['labels', 'label'],
  ['allergens', 'allergen'],
  ['modifier_groups', 'option group'],
  ['stations', 'station'],
  ['category', 'menu section'],
  ['item', 'item'],
  ['variation', 'size'],
  ['modifier', 'option'],
])

// Live state, which does not belong to the catalogue, and members that repeat others.
const ignored = new Set(['id', 'available', 'on_hand', 'is_required'])

interface Part {
  thing: Thing
  id: number
  title: string
  owner: Part | null
  isOn: boolean
  fields: Map<string, unknown>
  /** The ids of each list, in order. */
  orders: Map<string, number[]>
}

type Parts = Map<string, Part>

/** All differences between two restaurants except live state; empty if they are equal. */
export function changesBetween(present: RestaurantFile, next: RestaurantFile): Change[] {
  const before = partsOf(present)
  const after = partsOf(next)
  const changes: Change[] = []
  for (const [key, now] of after) {
    const was = before.get(key)
    if (was) changes.push(...changesOf(was, now, before, after))
    else if (!now.owner || before.has(keyOf(now.owner))) changes.push(change('added', now))
  }
  for (const [key, was] of before) {
    if (after.has(key)) continue
    const owner = was.owner && after.get(keyOf(was.owner))
    const isOwnerGone = was.owner !== null && (!owner || (was.owner.isOn && !owner.isOn))
    if (!isOwnerGone) changes.push(change('removed', was))
  }
  return changes
}

function change(kind: Change['kind'], { thing, id, title, owner }: Part): Change {
  const of = owner && owner.thing !== 'restaurant' ? owner.title : null
  return { kind, thing, id, title, of, fields: [], lostAllergens: [] }
}

function changesOf(was: Part, now: Part, before: Parts, after: Parts): Change[] {
  if (was.isOn && !now.isOn) return [change('unpublished', now)]
  const fields: Change['fields'] = []
  for (const [field, value] of now.fields) {
    const earlier = was.fields.get(field)
    if (JSON.stringify(earlier) === JSON.stringify(value)) continue
    fields.push({ field, was: withTitles(field, earlier, before), became: withTitles(field, value, after) })
  }
  if (was.owner && now.owner && was.owner.id !== now.owner.id) {
    fields.push({ field: 'of', was: was.owner.title, became: now.owner.title })
  }
  for (const [list, order] of now.orders) {
    const earlier = was.orders.get(list) ?? []
    const kept = new Set(order)
    const known = new Set(earlier)
    const moved = earlier.filter(id => kept.has(id)).join() !== order.filter(id => known.has(id)).join()
    if (moved) fields.push({ field: `order of ${list}`, was: null, became: null })
  }
  if (fields.length === 0) return []
  const kept = new Set(allergensOf(now))
  const lost = now.isOn ? allergensOf(was).filter(id => !kept.has(id)) : []
  return [{ ...change('changed', now), fields, lostAllergens: lost.map(id => titleOf('allergen', id, before)) }]
}

function allergensOf(part: Part): number[] {
  const list = part.fields.get('allergens')
  return Array.isArray(list) ? list.map(({ id }: { id: number }) => id) : []
}

/** All records of a restaurant by their keys. */
function partsOf({ site, ...rest }: RestaurantFile): Parts {
  const parts: Parts = new Map()

  function add(thing: Thing, record: Record<string, unknown>, owner: Part | null): void {
    const exceptionOf = exceptions.get(thing)
    const id = Number(record.id ?? record.tax_class ?? 0)
    const title = exceptionOf ? titleOf(exceptionOf, id, parts) : String(record.title ?? '')
    const isOn = record.published !== false && record.active !== false
    const part: Part = { thing, id, title, owner, isOn, fields: new Map(), orders: new Map() }
    parts.set(keyOf(part), part)
    for (const [field, value] of Object.entries(record)) {
      const child = lists[thing]?.[field]
      if (!child || !Array.isArray(value)) {
        if (!ignored.has(field)) part.fields.set(field, field === 'variation_prices' ? bySize(value) : value)
        continue
      }
      if (!exceptions.has(child))
        part.orders.set(
          field,
          value.map(entry => entry.id),
        )
      for (const entry of value) if (!saysNothing(child, entry)) add(child, entry, part)
    }
  }

  add('restaurant', { ...site, ...rest }, null)
  return parts
}

function saysNothing(thing: Thing, { enabled, price }: { enabled?: boolean; price?: number | null }): boolean {
  if (thing === 'item at a location') return enabled !== false && price === null
  return thing === 'size at a location' && price === null
}

/** Prices by size have no order. */
function bySize(prices: unknown): unknown {
  return Array.isArray(prices) ? prices.toSorted((a, b) => a.variation - b.variation) : prices
}

function keyOf({ thing, id, owner }: Part): string {
  return exceptions.has(thing) ? `${thing} ${owner?.id} ${id}` : `${thing} ${id}`
}

function titleOf(thing: Thing, id: number, parts: Parts): string {
  return parts.get(`${thing} ${id}`)?.title ?? String(id)
}

/** A value with titles in place of the ids that it refers to. */
function withTitles(member: string, value: unknown, parts: Parts): unknown {
  if (Array.isArray(value)) return value.map(each => withTitles(member, each, parts))
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, each]) => [
      key,
      withTitles(key === 'id' ? member : key, each, parts),
    ])
    return Object.fromEntries(members)
  }
  const thing = named.get(member)
  return thing && typeof value === 'number' ? titleOf(thing, value, parts) : value
}
