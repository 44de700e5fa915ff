import type { GroupEntry, ItemEntry, LocationEntry, RestaurantFile } from '../restaurant-file/restaurant-file.ts'
import type { Shortage } from '../stock/inventory.ts'
import type { MenuPart, Unavailable } from './availability.ts'

/** Why a part of the menu cannot be ordered at a location. */
export type Off =
  | { why: 'taken off'; entry: Unavailable }
  | { why: 'stock'; shortage: Shortage }
  | { why: 'not published' }
  /** The menu section of a dish. */
  | { why: 'section not published' }
  | { why: 'not offered here' }
  | { why: 'no size left' }
  /** Fewer options of a group can be chosen than the dish needs. */
  | { why: 'too few options'; group: string }

/** The menu of one location as its staff see it, also what guests cannot order now. Prices are thousandths. */
export interface StaffMenu {
  location: LocationEntry
  categories: { entry: RestaurantFile['categories'][number]; dishes: StaffDish[] }[]
  groups: StaffGroup[]
}

export interface StaffPart<Entry> {
  entry: Entry
  /** At this location. */
  price: number
  /** Empty: it can be ordered. */
  off: Off[]
}

export interface StaffDish extends StaffPart<ItemEntry> {
  sizes: StaffPart<ItemEntry['variations'][number]>[]
}

export interface StaffGroup {
  entry: GroupEntry
  options: StaffPart<GroupEntry['modifiers'][number]>[]
}

/**
 * The menu of a location with the reasons why dishes, sizes and options are off: a dish can be ordered exactly if it has none
 * (decisions D1 and D9). Undefined for an unknown location.
 */
export function staffMenu(
  { categories, modifier_groups, locations }: RestaurantFile,
  locationId: number,
  live: { unavailable: Unavailable[]; shortages: Shortage[] },
): StaffMenu | undefined {
  const location = locations.find(({ id }) => id === locationId)
  if (!location) return undefined
  const exceptions = new Map(location.items.map(entry => [entry.id, entry]))
  const sizePrices = new Map(location.variations.map(({ id, price }) => [id, price]))
  const hasOwnRecipe = new Set(location.stock.flatMap(({ recipe }) => recipe.map(line => line.variation)))
  const reasons = new Map<string, Off[]>()
  const add = (part: { kind: MenuPart['kind']; id: number }, off: Off) => {
    const key = `${part.kind} ${part.id}`
    reasons.set(key, [...(reasons.get(key) ?? []), off])
  }
  for (const entry of live.unavailable) {
    if (entry.locationId === null || entry.locationId === locationId) add(entry, { why: 'taken off', entry })
  }
  for (const shortage of live.shortages) {
    if (shortage.locationId === locationId) add(shortage, { why: 'stock', shortage })
  }
  const liveReasons = (kind: MenuPart['kind'], id: number) => reasons.get(`${kind} ${id}`) ?? []
  const unpublished = ({ published }: { published: boolean }): Off[] => (published ? [] : [{ why: 'not published' }])

  const groups = modifier_groups.map(entry => ({
    entry,
    options: entry.modifiers.map(option => ({
      entry: option,
      price: option.price,
      off: [...unpublished(option), ...liveReasons('modifier', option.id)],
    })),
  }))
  const most = new Map(groups.map(({ entry, options }) => [entry.id, mostOf(options)]))
  const groupsById = new Map(modifier_groups.map(group => [group.id, group]))

  function dishOf(entry: ItemEntry, isSectionPublished: boolean): StaffDish {
    const exception = exceptions.get(entry.id)
    const own = liveReasons('item', entry.id)
    const ofStock = own.filter(({ why }) => why === 'stock')
    const sizes = entry.variations.map(size => {
      const ofSize = liveReasons('variation', size.id)
      return {
        entry: size,
        price: sizePrices.get(size.id) ?? size.price,
        // A size without its own recipe uses the dish's (decision E3).
        off: [...unpublished(size), ...ofSize, ...(hasOwnRecipe.has(size.id) ? [] : ofStock)],
      }
    })
    const offered = sizes.filter(size => size.entry.published)
    const off: Off[] = [...unpublished(entry)]
    if (!isSectionPublished) off.push({ why: 'section not published' })
    if (exception?.enabled === false) off.push({ why: 'not offered here' })
    off.push(...own.filter(({ why }) => why === 'taken off'))
    if (offered.length === 0) off.push(...ofStock)
    else if (offered.every(size => size.off.length > 0)) off.push({ why: 'no size left' })
    for (const link of entry.modifier_groups) {
      const group = groupsById.get(link.id)
      const least = link.min_select ?? group?.min_select ?? 0
      if (group && least > (most.get(link.id) ?? 0)) off.push({ why: 'too few options', group: group.title })
    }
    return { entry, price: exception?.price ?? entry.price, off, sizes }
  }

  return {
    location,
    categories: categories.map(entry => ({
      entry,
      dishes: entry.items.map(item => dishOf(item, entry.published)),
    })),
    groups,
  }
}

/** The largest number of units of the options that can be ordered. */
function mostOf(options: StaffGroup['options']): number {
  let most = 0
  for (const { entry, off } of options) if (off.length === 0) most += entry.max_quantity ?? Number.POSITIVE_INFINITY
  return most
}
