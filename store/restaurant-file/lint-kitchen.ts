import { inOrderOfTrial, type Kitchen, ruleFor } from '../kitchen/routing.ts'
import { channels, serviceModes } from '../terms/channels.ts'
import type { CategoryId, ItemId, StationId } from '../terms/ids.ts'
import type { Warn } from './lint.ts'
import { some } from './lint-dishes.ts'
import type { LocationEntry, RestaurantFile } from './restaurant-file.ts'

/** Finds probable mistakes in the kitchen and the stock of a location. */
export function lintKitchenAndStock(file: RestaurantFile, location: LocationEntry, pointer: string, warn: Warn): void {
  lintRouting(file, location, pointer, warn)
  for (const [index, { title, recipe }] of location.stock.entries()) {
    const place = `${pointer}/stock/${index}/recipe`
    if (recipe.length === 0) warn(place, `no dish is made of "${title}", so no order ever takes any of it`)
  }
}

function lintRouting(file: RestaurantFile, location: LocationEntry, pointer: string, warn: Warn): void {
  const kitchen = kitchenOf(file, location)
  if (!kitchen) {
    if (location.routing.length > 0)
      warn(`${pointer}/routing`, 'has rules, but no station is active: no ticket is made')
    return
  }
  const active = new Set(kitchen.stations.map(({ id }) => id))
  for (const [index, { stations }] of location.routing.entries()) {
    if (stations.length > 0 && !stations.some(id => active.has(id as StationId))) {
      warn(`${pointer}/routing/${index}`, `all of its stations are closed; its lines go to "${kitchen.fallback.title}"`)
    }
  }
  // A single station without rules needs none, and a default station is for the dishes without a rule.
  if (kitchen.stations.length === 1 && location.routing.length === 0) return
  if (location.stations.some(({ active, is_default }) => active && is_default)) return

  const kinds = channels.flatMap(channel => [null, ...serviceModes].map(mode => ({ channel, mode })))
  const unmatched = file.categories
    .flatMap(({ published, items }) => (published ? items : []))
    .filter(item => item.published && location.items.find(({ id }) => id === item.id)?.enabled !== false)
    .filter(({ id }) => kinds.some(kind => !ruleFor(kitchen, id as ItemId, kind)))
  if (unmatched.length === 0) return
  warn(
    `${pointer}/routing`,
    `no rule matches every order of ${some(unmatched.map(({ title }) => title))}; what none matches goes to "${kitchen.fallback.title}"`,
  )
}

/** The kitchen that a location of a restaurant file will have. */
function kitchenOf(file: RestaurantFile, location: LocationEntry): Kitchen | undefined {
  const stations = location.stations
    .filter(({ active }) => active)
    .map(({ id, title, is_default }) => ({ id: id as StationId, title, is_default }))
    .sort((a, b) => a.id - b.id)
  const fallback = stations.find(({ is_default }) => is_default) ?? stations[0]
  if (!fallback) return undefined
  const rules = location.routing.map(rule => ({
    id: rule.id,
    priority: rule.priority,
    itemId: rule.item as ItemId | null,
    categoryId: rule.category as CategoryId | null,
    channel: rule.channel,
    mode: rule.service_mode,
    stations: rule.stations as StationId[],
  }))
  const categoryOf = new Map(
    file.categories.flatMap(({ id, items }) => items.map(item => [item.id as ItemId, id as CategoryId] as const)),
  )
  return { stations, fallback, rules: inOrderOfTrial(rules), categoryOf }
}
