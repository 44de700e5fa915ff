import {
  type Format,
  nullable,
  optional,
  type Place,
  placed,
  type RecordOf,
  record,
  required,
  type Shape,
  text,
  textLike,
} from './format.ts'
import type { RestaurantFile } from './restaurant-file.ts'

/** A BCP 47 language tag: language, script and region in their usual spelling. */
export const language = textLike(isLanguage, 'must be a language such as en or pt-BR')

/** A title in other languages, by language. */
export const titles = optional(byLanguage({ title: required(text(200)) }), {})

/** A title and a description in other languages, by language; one of the two may be missing. */
export const titlesAndDescriptions = optional(
  byLanguage({ title: nullable(text(200)), description: nullable(text(2000)) }),
  {},
)

function isLanguage(value: string): boolean {
  return /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2}|-\d{3})?$/.test(value)
}

function byLanguage<S extends Shape>(shape: S): Format<Record<string, RecordOf<S>>> {
  const texts = record(shape)
  return {
    read(value, place) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        place.report('must be an object that has languages as its keys')
        return {}
      }
      const entries = Object.entries(value).map(([key, given]) => {
        language.read(key, place.at(key))
        const read = texts.read(given, place.at(key))
        if (Object.values(read).every(each => each === null)) place.at(key).report('must translate something')
        return [key, read]
      })
      return Object.fromEntries(entries)
    },
    write: value => Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, texts.write(entry)])),
  }
}

type Translated = { translations: Record<string, unknown> }

/** Reports translations into languages that the file does not declare, or into that of the titles themselves. */
export function checkTranslations(file: RestaurantFile, root: Place): void {
  const [first, ...others] = file.site.languages

  function check(entries: readonly Translated[], list: Place): void {
    for (const [index, { translations }] of entries.entries()) {
      for (const key of Object.keys(translations)) {
        if (others.includes(key) || !isLanguage(key)) continue
        const place = list.at(index).at('translations').at(key)
        if (key === first) place.report('is the language of the titles themselves (the first of /site/languages)')
        else
          place.report(
            `is not a language of this restaurant; /site/languages has ${file.site.languages.join(', ') || 'none'}`,
          )
      }
    }
  }

  check(file.allergens, root.at('allergens'))
  check(file.labels, root.at('labels'))
  check(file.modifier_groups, root.at('modifier_groups'))
  for (const [group, place] of placed(file.modifier_groups, root.at('modifier_groups'))) {
    check(group.modifiers, place.at('modifiers'))
  }
  check(file.categories, root.at('categories'))
  for (const [category, categoryPlace] of placed(file.categories, root.at('categories'))) {
    check(category.items, categoryPlace.at('items'))
    for (const [item, place] of placed(category.items, categoryPlace.at('items'))) {
      check(item.variations, place.at('variations'))
    }
  }
}
