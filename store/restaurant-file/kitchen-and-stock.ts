import { LARGEST_STOCK, type RecipeKind, recipeKinds } from '../stock/recipes.ts'
import { channels, serviceModes } from '../terms/channels.ts'
import {
  decimal,
  flag,
  id,
  list,
  nullable,
  oneOf,
  optional,
  type Place,
  record,
  recordId,
  required,
  text,
  title,
  whole,
} from './format.ts'
import type { LocationEntry, RestaurantFile } from './restaurant-file.ts'

// The parts of a restaurant file that guests never see. Quantities are thousandths of the unit.

const LARGEST_PORTION = 1_000_000

export const station = record({ id, title, is_default: optional(flag, false), active: optional(flag, true) })

export const routingRule = record({
  id,
  priority: optional(whole(0), 0),
  item: nullable(recordId),
  category: nullable(recordId),
  channel: nullable(oneOf(channels)),
  service_mode: nullable(oneOf(serviceModes)),
  stations: optional(list(recordId), []),
})

const recipeLine = record({
  item: nullable(recordId),
  variation: nullable(recordId),
  modifier: nullable(recordId),
  qty: required(decimal(3, { most: LARGEST_PORTION, positive: true })),
})

export const stockItem = record({
  id,
  title,
  unit: optional(text(20), 'piece'),
  on_hand: nullable(decimal(3, { most: LARGEST_STOCK })),
  low_at: nullable(decimal(3, { most: LARGEST_STOCK })),
  recipe: optional(list(recipeLine), []),
})

/** What a recipe line is for; undefined unless it names exactly one part of the menu. */
export function recipeTarget(
  line: LocationEntry['stock'][number]['recipe'][number],
): { kind: RecipeKind; target: number } | undefined {
  const named = recipeKinds.flatMap(kind => {
    const target = line[kind]
    return target === null ? [] : [{ kind, target }]
  })
  return named.length === 1 ? named[0] : undefined
}

/** Reports references of stations, rules and recipes that are unknown, duplicate, or of another location. */
export function checkKitchenAndStock(file: RestaurantFile, root: Place): void {
  const items = file.categories.flatMap(category => category.items)
  const known: Record<RecipeKind | 'category', Set<number>> = {
    category: new Set(file.categories.map(entry => entry.id)),
    item: new Set(items.map(entry => entry.id)),
    variation: new Set(items.flatMap(entry => entry.variations).map(entry => entry.id)),
    modifier: new Set(file.modifier_groups.flatMap(group => group.modifiers).map(entry => entry.id)),
  }
  function checkKnown(kind: keyof typeof known, named: number | null, place: Place): void {
    if (named !== null && named !== 0 && !known[kind].has(named)) {
      place.at(kind).report(`there is no ${kind} ${named} in this file`)
    }
  }

  for (const [index, location] of file.locations.entries()) {
    const place = root.at('locations').at(index)
    const stations = new Set(location.stations.map(entry => entry.id))
    const defaults = location.stations.filter(entry => entry.is_default)
    if (defaults.length > 1) place.at('stations').report('has more than one is_default')

    for (const [at, rule] of location.routing.entries()) {
      const rulePlace = place.at('routing').at(at)
      checkKnown('item', rule.item, rulePlace)
      checkKnown('category', rule.category, rulePlace)
      for (const [position, named] of rule.stations.entries()) {
        const where = rulePlace.at('stations').at(position)
        if (rule.stations.indexOf(named) < position) where.report(`names station ${named} a second time`)
        else if (named !== 0 && !stations.has(named)) where.report(`there is no station ${named} at this location`)
      }
    }

    for (const [at, stock] of location.stock.entries()) {
      const used = new Set<string>()
      for (const [position, line] of stock.recipe.entries()) {
        const linePlace = place.at('stock').at(at).at('recipe').at(position)
        for (const kind of recipeKinds) checkKnown(kind, line[kind], linePlace)
        const named = recipeTarget(line)
        if (!named) {
          linePlace.report('must name exactly one item, variation or modifier')
          continue
        }
        const { kind, target } = named
        if (used.has(`${kind} ${target}`)) linePlace.at(kind).report(`names ${kind} ${target} a second time`)
        used.add(`${kind} ${target}`)
      }
    }
  }
}
