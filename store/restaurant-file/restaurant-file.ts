import type { Finding } from '../terms/finding.ts'
import { checkLocations, location, zone } from './branches.ts'
import { category, checkGroups, modifierGroup } from './dishes.ts'
import {
  id,
  list,
  nullable,
  optional,
  type Place,
  placeAt,
  placed,
  record,
  required,
  text,
  title,
  uniqueList,
  type Value,
} from './format.ts'
import { parseJson } from './json-text.ts'
import { checkKitchenAndStock } from './kitchen-and-stock.ts'
import { withTitle } from './places.ts'
import { checkIds, checkReferences } from './references.ts'
import { checkTranslations, language, titles } from './translations.ts'

// The format of docs/restaurant-file.md as data, and the rules between its parts.

const nothingOfTheSite = { title: null, timezone: null, languages: [] }

const restaurantFile = record({
  site: optional(
    record({ title: nullable(text(200)), timezone: nullable(zone), languages: optional(uniqueList(language), []) }),
    nothingOfTheSite,
  ),
  tax_classes: optional(list(record({ id, title })), []),
  labels: optional(list(record({ id, code: required(text(50)), title, translations: titles })), []),
  allergens: optional(list(record({ id, title, translations: titles })), []),
  modifier_groups: optional(list(modifierGroup), []),
  categories: optional(list(category), []),
  locations: optional(list(location), []),
})

/** A whole restaurant: what `import` reads and `export` writes. Prices are thousandths, rates millionths. */
export type RestaurantFile = Value<typeof restaurantFile>
export type LocationEntry = RestaurantFile['locations'][number]
export type ItemEntry = RestaurantFile['categories'][number]['items'][number]
export type GroupEntry = RestaurantFile['modifier_groups'][number]

/**
 * Reads the text of a restaurant file and finds all its problems, each with its JSON Pointer. If there are problems, the
 * returned restaurant has placeholders in their places and is only good for further checks.
 */
export function parseRestaurantFile(source: string): { file: RestaurantFile; problems: Finding[] } {
  const problems: Finding[] = []
  const root = placeAt('', problems)
  const document = parseJson(source, root)
  const file = restaurantFile.read(document === undefined ? {} : document, root)
  checkRestaurant(file, root)
  return { file, problems: problems.map(problem => withTitle(problem, document)) }
}

/** Reports contradictions between the parts of a restaurant, and applies decision D4 to its groups. */
export function checkRestaurant(file: RestaurantFile, root: Place): void {
  checkIds(file, root)
  checkReferences(file, root)
  checkLabels(file, root)
  checkGroups(file, root)
  checkTranslations(file, root)
  checkLocations(file, root)
  checkKitchenAndStock(file, root)
}

/** The inverse of `parseRestaurantFile`. Members that equal their defaults are left out, as a person would write the file. */
export function writeRestaurantFile(file: RestaurantFile): unknown {
  return restaurantFile.write(file)
}

/** Reports duplicate codes, because clients identify labels by their codes. */
function checkLabels(file: RestaurantFile, root: Place): void {
  const codes = new Set<string>()
  for (const [{ code }, place] of placed(file.labels, root.at('labels'))) {
    if (code !== '' && codes.has(code)) place.at('code').report(`"${code}" is the code of another label`)
    codes.add(code)
  }
}
