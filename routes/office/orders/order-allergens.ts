import { allergenIn } from '../../../display/allergen.ts'
import type { Language } from '../../../display/language.ts'
import type { OrderLine } from '../../../store/ordering/order.ts'
import type { RestaurantFile } from '../../../store/restaurant-file/restaurant-file.ts'

type Declared = RestaurantFile['categories'][number]['items'][number]['allergens']

interface Declarations {
  dishes: Map<number, Declared>
  options: Map<number, Declared>
  titles: Map<number, RestaurantFile['allergens'][number]>
}

const known = new WeakMap<RestaurantFile, Declarations>()

/** What a restaurant declares, also about dishes that are not on the menu now. Worked out once for each state of it. */
function declarationsOf(restaurant: RestaurantFile): Declarations {
  const found = known.get(restaurant) ?? {
    dishes: new Map(restaurant.categories.flatMap(({ items }) => items.map(({ id, allergens }) => [id, allergens]))),
    options: new Map(
      restaurant.modifier_groups.flatMap(({ modifiers }) => modifiers.map(({ id, allergens }) => [id, allergens])),
    ),
    titles: new Map(restaurant.allergens.map(allergen => [allergen.id, allergen])),
  }
  known.set(restaurant, found)
  return found
}

/** The allergens of ordered lines with their options, as the restaurant declares them now: contained ones, and possible ones. */
export function allergensOf(
  restaurant: RestaurantFile,
  lines: OrderLine[],
  language: Language,
): { contains: string[]; mayContain: string[] } {
  const { dishes, options, titles } = declarationsOf(restaurant)
  const declared = lines.flatMap(({ itemId, modifiers }) => [
    ...(dishes.get(itemId) ?? []),
    ...modifiers.flatMap(({ id }) => options.get(id) ?? []),
  ])
  const titlesOf = (presence: 'contains' | 'may_contain') => {
    const ids = new Set(declared.filter(each => each.presence === presence).map(({ id }) => id))
    return [...ids].flatMap(id => {
      const allergen = titles.get(id)
      if (!allergen) return []
      const { title, translations } = allergenIn(allergen, language)
      return translations[language]?.title ?? title
    })
  }
  const contains = titlesOf('contains')
  return { contains, mayContain: titlesOf('may_contain').filter(title => !contains.includes(title)) }
}
