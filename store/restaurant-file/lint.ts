import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { timeZone } from '../terms/clock.ts'
import type { Finding } from '../terms/finding.ts'
import { lintDeclared, lintPricesBySize, lintTranslations } from './lint-dishes.ts'
import { lintKitchenAndStock } from './lint-kitchen.ts'
import type { GroupEntry, ItemEntry, LocationEntry, RestaurantFile } from './restaurant-file.ts'

export type Warn = (pointer: string, message: string) => void

/**
 * Finds what is valid in a restaurant but probably a mistake. `siteRoot` is the folder of the images,
 * `now` an instant in UTC milliseconds.
 */
export function lintRestaurant(file: RestaurantFile, siteRoot: string, now: number): Finding[] {
  const warnings: Finding[] = []
  const warn: Warn = (pointer, message) => void warnings.push({ pointer, message })

  if (!file.locations.some(({ published }) => published)) {
    warn('/locations', 'no location is published, so the API has nothing to show')
  }
  const groups = new Map(file.modifier_groups.map(group => [group.id, group]))
  const items = file.categories.flatMap((category, categoryIndex) =>
    category.items.map((item, index) => ({
      item,
      pointer: `/categories/${categoryIndex}/items/${index}`,
      isPublished: category.published && item.published,
    })),
  )
  for (const [index, group] of file.modifier_groups.entries()) {
    lintRange(group, group, `/modifier_groups/${index}`, warn)
    if (group.max_select !== 0 && group.free_quantity > group.max_select) {
      warn(`/modifier_groups/${index}/free_quantity`, `is more than the ${group.max_select} that can be selected`)
    }
  }
  for (const { item, pointer, isPublished } of items) {
    lintItem(item, pointer, groups, siteRoot, warn)
    const isOffered = file.locations.some(location => location.published && offers(location, item))
    if (isPublished && !isOffered) warn(pointer, `"${item.title}" is published, but no published location offers it`)
  }
  lintDeclared(file, warn)
  lintPricesBySize(file, warn)
  lintTranslations(file, warn)
  const prices = new Map(items.map(({ item }) => [item.id, item.price]))
  const variationPrices = new Map(items.flatMap(({ item }) => item.variations).map(({ id, price }) => [id, price]))
  const codes = new Set<string>()
  for (const [index, location] of file.locations.entries()) {
    const pointer = `/locations/${index}`
    lintPrices(location.items, prices, `${pointer}/items`, warn)
    lintPrices(location.variations, variationPrices, `${pointer}/variations`, warn)
    if (codes.has(location.code)) warn(`${pointer}/code`, `"${location.code}" is the code of another location`)
    codes.add(location.code)
    lintTaxRates(file, location, pointer, warn)
    lintClosedDates(location, pointer, now, warn)
    if (location.published) lintKitchenAndStock(file, location, pointer, warn)
  }
  return warnings
}

function offers(location: LocationEntry, item: ItemEntry): boolean {
  return location.items.find(({ id }) => id === item.id)?.enabled !== false
}

function lintItem(
  item: ItemEntry,
  pointer: string,
  groups: Map<number, GroupEntry>,
  siteRoot: string,
  warn: Warn,
): void {
  const sizes = item.variations.filter(({ published }) => published)
  const defaults = sizes.filter(size => size.is_default).length
  if (sizes.length > 0 && defaults !== 1) {
    const found = defaults === 0 ? 'no default variation' : `${defaults} default variations`
    warn(`${pointer}/variations`, `"${item.title}" has ${found}; mark one of them as is_default`)
  }
  if (item.variations.length > 0 && sizes.length === 0) {
    warn(`${pointer}/variations`, `"${item.title}" has no published variation, so it is sold without sizes`)
  }
  if (item.image !== null && !existsSync(join(siteRoot, item.image))) {
    warn(`${pointer}/image`, `there is no file ${item.image} in the folder ${siteRoot} (SITE_ROOT)`)
  }
  for (const [index, { id, min_select, max_select }] of item.modifier_groups.entries()) {
    const group = groups.get(id)
    if (!group || (min_select === null && max_select === null)) continue
    const range = { min_select: min_select ?? group.min_select, max_select: max_select ?? group.max_select }
    lintRange(group, range, `${pointer}/modifier_groups/${index}`, warn)
  }
}

function lintRange(
  group: GroupEntry,
  range: { min_select: number; max_select: number },
  pointer: string,
  warn: Warn,
): void {
  const modifiers = group.modifiers.filter(({ published }) => published)
  const defaults = modifiers.filter(({ is_default }) => is_default).length
  if (range.max_select !== 0 && defaults > range.max_select) {
    warn(pointer, `"${group.title}" has ${defaults} defaults, but at most ${range.max_select} can be selected`)
  }
  let most = 0
  for (const { max_quantity } of modifiers) most += max_quantity ?? Number.POSITIVE_INFINITY
  if (range.min_select > most) {
    warn(
      pointer,
      `"${group.title}" needs ${range.min_select}, but its published modifiers allow ${most}, so its items are hidden`,
    )
  }
}

function lintPrices(
  exceptions: { id: number; price: number | null }[],
  basePrices: Map<number, number>,
  pointer: string,
  warn: Warn,
): void {
  for (const [index, { id, price }] of exceptions.entries()) {
    if (price !== null && price === basePrices.get(id)) {
      warn(`${pointer}/${index}/price`, 'equals the base price; leave it out, so that it follows when that changes')
    }
  }
}

/** A dish of a class without a rate is taxed like one without a class, which is seldom meant (decision C8). */
function lintTaxRates(file: RestaurantFile, location: LocationEntry, pointer: string, warn: Warn): void {
  const rated = new Set(location.tax_rates.map(({ tax_class }) => tax_class))
  for (const { id, title } of file.tax_classes) {
    if (rated.has(id)) continue
    warn(
      `${pointer}/tax_rates`,
      `has no rate for the tax class "${title}", so its dishes are taxed at the location's own`,
    )
  }
}

function lintClosedDates(location: LocationEntry, pointer: string, now: number, warn: Warn): void {
  const today = timeZone(location.timezone).at(now).date
  for (const [index, { until, title }] of location.closed_dates.entries()) {
    if (until < today)
      warn(`${pointer}/closed_dates/${index}`, `"${title}" was over on ${until}; remove it or give it its next dates`)
  }
}
