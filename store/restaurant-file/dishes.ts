import {
  flag,
  id,
  list,
  nullable,
  oneOf,
  optional,
  type Place,
  placed,
  price,
  published,
  record,
  recordId,
  required,
  text,
  textLike,
  title,
  whole,
} from './format.ts'
import type { GroupEntry, RestaurantFile } from './restaurant-file.ts'
import { titles, titlesAndDescriptions } from './translations.ts'

// The dishes of a restaurant file: categories, items, their sizes (variations) and options (modifiers).

const description = nullable(text(2000))
const taxClass = nullable(recordId)
const allergens = optional(list(record({ id, presence: required(oneOf(['contains', 'may_contain'])) })), [])

const modifier = record({
  id,
  title,
  price: required(price),
  variation_prices: optional(list(record({ variation: required(recordId), price: required(price) })), []),
  is_default: optional(flag, false),
  max_quantity: nullable(whole(1)),
  published,
  allergens,
  translations: titles,
})

export const modifierGroup = record({
  id,
  title,
  selection_type: required(oneOf(['multiple', 'single'])),
  is_required: optional(flag, false),
  min_select: optional(whole(0), 0),
  max_select: optional(whole(0), 0),
  free_quantity: optional(whole(0), 0),
  translations: titles,
  modifiers: optional(list(modifier), []),
})

const variation = record({
  id,
  title,
  price: required(price),
  is_default: optional(flag, false),
  published,
  translations: titles,
})

export const item = record({
  id,
  number: nullable(text(20)),
  title,
  description,
  price: required(price),
  tax_class: taxClass,
  published,
  available: nullable(flag),
  image: nullable(textLike(isImagePath, 'must be a path below SITE_ROOT such as images/soup.jpg')),
  prep_time_minutes: nullable(whole(0)),
  calories: nullable(whole(0)),
  spice_level: nullable(whole(0, 5)),
  is_alcohol: optional(flag, false),
  minimum_age: nullable(whole(0, 99)),
  labels: optional(list(recordId), []),
  variations: optional(list(variation), []),
  modifier_groups: optional(list(record({ id, min_select: nullable(whole(0)), max_select: nullable(whole(0)) })), []),
  allergens,
  translations: titlesAndDescriptions,
})

export const category = record({
  id,
  title,
  description,
  tax_class: taxClass,
  published,
  translations: titlesAndDescriptions,
  items: optional(list(item), []),
})

function isImagePath(value: string): boolean {
  const isRelative = /^[^/\\:?#\0]+(\/[^/\\:?#\0]+)*$/.test(value)
  return isRelative && !value.split('/').some(part => part === '..' || part === '.') && value.length <= 500
}

/** Applies the rules of decision D4 to each group, which can change it, and to each use of it on an item. */
export function checkGroups(file: RestaurantFile, root: Place): void {
  const groups = new Map<number, GroupEntry>()
  for (const [group, place] of placed(file.modifier_groups, root.at('modifier_groups'))) {
    if (group.selection_type === 'single') group.max_select ||= 1
    if (group.is_required) group.min_select ||= 1
    group.is_required = group.min_select >= 1
    checkRange(group, group, place)
    groups.set(group.id, group)
  }
  for (const [{ items }, categoryPlace] of placed(file.categories, root.at('categories'))) {
    for (const [entry, itemPlace] of placed(items, categoryPlace.at('items'))) {
      for (const [link, place] of placed(entry.modifier_groups, itemPlace.at('modifier_groups'))) {
        const group = groups.get(link.id)
        if (!group) continue
        if (group.selection_type === 'single' && link.max_select === 0) link.max_select = 1
        const isOverridden = link.min_select !== null || link.max_select !== null
        const range = {
          min_select: link.min_select ?? group.min_select,
          max_select: link.max_select ?? group.max_select,
        }
        if (isOverridden) checkRange(group, range, place)
      }
    }
  }
}

function checkRange(group: GroupEntry, range: { min_select: number; max_select: number }, place: Place): void {
  if (group.selection_type === 'single' && range.min_select > 1) {
    place.at('min_select').report('must be 0 or 1, because the group lets a guest choose a single option')
  } else if (group.selection_type === 'single' && range.max_select > 1) {
    place.at('max_select').report('must be 1, because the group lets a guest choose a single option')
  } else if (range.max_select !== 0 && range.max_select < range.min_select) {
    place.at('max_select').report(`is less than min_select (${range.min_select})`)
  }
  let most = 0
  for (const { max_quantity } of group.modifiers) most += max_quantity ?? Number.POSITIVE_INFINITY
  if (range.min_select > most) {
    place.at('min_select').report(`is more than the ${most} that all its modifiers together allow`)
  }
}
