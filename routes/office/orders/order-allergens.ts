import { allergenIn } from '../../../display/allergen.ts'
import type { Language } from '../../../display/language.ts'
import type { OrderLine } from '../../../store/ordering/order.ts'
import type { RestaurantFile } from '../../../store/restaurant-file/restaurant-file.ts'

type Dish = RestaurantFile['categories'][number]['items'][number]
type Option = RestaurantFile['modifier_groups'][number]['modifiers'][number]

interface Declarations {
  dishes: Map<number, Dish>
  options: Map<number, Option>
  /** Whether any option of the restaurant has allergens. */
  hasOptionsDeclared: boolean
  titles: Map<number, RestaurantFile['allergens'][number]>
}

const known = new WeakMap<RestaurantFile, Declarations>()

/** What a restaurant declares, also about dishes that are not on the menu now. Worked out once for each state of it. */
function declarationsOf(restaurant: RestaurantFile): Declarations {
  const options = restaurant.modifier_groups.flatMap(({ modifiers }) => modifiers)
  const found = known.get(restaurant) ?? {
    dishes: new Map(restaurant.categories.flatMap(({ items }) => items.map(item => [item.id, item]))),
    options: new Map(options.map(option => [option.id, option])),
    hasOptionsDeclared: options.some(({ allergens }) => allergens.length > 0),
    titles: new Map(restaurant.allergens.map(allergen => [allergen.id, allergen])),
  }
  known.set(restaurant, found)
  return found
}

/** What is known about the allergens of an order. All titles are in the language of the reader. */
export interface KnownAllergens {
  contains: string[]
  mayContain: string[]
  /** Dishes and options about which nothing is declared: they may contain anything. */
  unknown: string[]
  /** Whether options were ordered where the restaurant declares nothing about any option; they are not in `unknown` then. */
  areOptionsUnknown: boolean
}

/** The allergens of ordered lines with their options, as the restaurant declares them now. */
export function allergensOf(restaurant: RestaurantFile, lines: OrderLine[], language: Language): KnownAllergens {
  const { dishes, options, hasOptionsDeclared, titles } = declarationsOf(restaurant)
  const parts = lines.flatMap(({ itemId, name, modifiers }) => [
    partOf(dishes.get(itemId), name, language),
    ...modifiers.map(({ id, title }) => ({ ...partOf(options.get(id), title, language), isOption: true })),
  ])
  const declared = parts.flatMap(({ allergens }) => allergens)
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
  const silent = parts.filter(({ allergens, isOption }) => allergens.length === 0 && (!isOption || hasOptionsDeclared))
  return {
    contains,
    mayContain: titlesOf('may_contain').filter(title => !contains.includes(title)),
    unknown: [...new Set(silent.map(({ title }) => title))],
    areOptionsUnknown: !hasOptionsDeclared && parts.some(({ isOption }) => isOption),
  }
}

/** A dish or an option of an order. What is no longer in the restaurant file keeps the name that it was ordered with. */
function partOf(declared: Dish | Option | undefined, name: string, language: Language) {
  const title = declared ? (declared.translations[language]?.title ?? declared.title) : name
  return { title, allergens: declared?.allergens ?? [], isOption: false }
}
