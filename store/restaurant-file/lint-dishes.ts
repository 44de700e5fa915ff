import type { Warn } from './lint.ts'
import type { RestaurantFile } from './restaurant-file.ts'

/** Finds allergens that nothing is declared to contain. */
export function lintDeclared(file: RestaurantFile, warn: Warn): void {
  const modifiers = file.modifier_groups.flatMap(group => group.modifiers)
  const items = file.categories.flatMap(category => category.items)
  const declared = new Set([...items, ...modifiers].flatMap(({ allergens }) => allergens.map(({ id }) => id)))
  for (const [index, { id, title }] of file.allergens.entries()) {
    if (!declared.has(id)) warn(`/allergens/${index}`, `no dish and no option is declared to contain "${title}"`)
  }
}

/** Finds sizes for which an option that has prices by size lacks one. */
export function lintPricesBySize(file: RestaurantFile, warn: Warn): void {
  const items = file.categories.flatMap(category => (category.published ? category.items : []))
  for (const [groupIndex, group] of file.modifier_groups.entries()) {
    const sizes = items
      .filter(item => item.published && item.modifier_groups.some(({ id }) => id === group.id))
      .flatMap(item => item.variations.filter(({ published }) => published).map(size => ({ item, size })))
    for (const [index, modifier] of group.modifiers.entries()) {
      if (!modifier.published || modifier.variation_prices.length === 0) continue
      const priced = new Set(modifier.variation_prices.map(({ variation }) => variation))
      const unpriced = sizes.filter(({ size }) => !priced.has(size.id))
      if (unpriced.length === 0) continue
      warn(
        `/modifier_groups/${groupIndex}/modifiers/${index}/variation_prices`,
        `"${modifier.title}" has no price for ${some(unpriced.map(({ item, size }) => `${item.title} (${size.title})`))}`,
      )
    }
  }
}

/** Finds dishes that are not translated while others of their category are. */
export function lintTranslations(file: RestaurantFile, warn: Warn): void {
  for (const language of file.site.languages.slice(1)) {
    for (const [index, category] of file.categories.entries()) {
      const items = category.published ? category.items.filter(({ published }) => published) : []
      const missing = items.filter(item => !Object.hasOwn(item.translations, language))
      if (missing.length === 0 || missing.length === items.length) continue
      const named = some(missing.map(({ title }) => title))
      warn(`/categories/${index}/items`, `some of them are translated into ${language}, but not ${named}`)
    }
  }
}

/** The first of several titles, and how many more there are. */
export function some(titles: string[]): string {
  const named = titles.slice(0, 3).map(title => `"${title}"`)
  return titles.length > named.length
    ? `${named.join(', ')} and ${titles.length - named.length} more`
    : named.join(', ')
}
