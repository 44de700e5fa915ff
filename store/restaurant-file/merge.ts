import type { Finding } from '../terms/finding.ts'
import { type Place, placeAt, placed } from './format.ts'
import { withTitle } from './places.ts'
import { checkRestaurant, type ItemEntry, type RestaurantFile } from './restaurant-file.ts'

/** The modes of an import (docs/restaurant-file.md): replace the catalogue, change only prices, or add what is new. */
export const waysToImport = ['replace', 'prices', 'add'] as const
export type WayToImport = (typeof waysToImport)[number]

/** Findings are at places of the imported file. */
export interface Merged {
  /** The restaurant after the import; meaningless if there are problems. */
  file: RestaurantFile
  problems: Finding[]
  warnings: Finding[]
}

/** The present restaurant after the import of a file, which must have no problems of its own. */
export function mergeRestaurants(present: RestaurantFile, brought: RestaurantFile, how: WayToImport): Merged {
  if (how === 'replace') return { file: replaced(present, brought), problems: [], warnings: [] }
  const problems: Finding[] = []
  const warnings: Finding[] = []
  const root = placeAt('', problems)
  compareParts(present, brought, how, root, warnings)
  if (how === 'add') compareLanguages(present, brought, root.at('site').at('languages'))
  const file = how === 'prices' ? repriced(present, brought) : added(present, brought)
  const named = (findings: Finding[]) => findings.map(finding => withTitle(finding, brought))
  if (problems.length > 0) return { file, problems: named(problems), warnings: named(warnings) }
  return { file, problems: problemsTogether(file, brought), warnings: named(warnings) }
}

type Entry = { id: number }

const idsOf = (entries: readonly Entry[]) => new Set(entries.map(({ id }) => id))
const byId = <E extends Entry>(entries: readonly E[]) => new Map(entries.map(entry => [entry.id, entry]))
const itemsOf = ({ categories }: RestaurantFile) => categories.flatMap(({ items }) => items)
const variationsOf = (file: RestaurantFile) => itemsOf(file).flatMap(({ variations }) => variations)

/** The entries whose ids are not among these. */
function fresh<E extends Entry>(entries: readonly E[], taken: readonly Entry[]): E[] {
  const ids = idsOf(taken)
  return entries.filter(({ id }) => !ids.has(id))
}

/** The imported file, and the records that it leaves out: unpublished, and without their parts. */
function replaced(present: RestaurantFile, brought: RestaurantFile): RestaurantFile {
  const left = <E extends Entry>(entries: E[], kept: ReadonlySet<number>) => entries.filter(({ id }) => !kept.has(id))
  const items = idsOf(itemsOf(brought))
  const stations = idsOf(brought.locations.flatMap(location => location.stations))
  const promotions = idsOf(brought.locations.flatMap(location => location.promotions))
  const presentCategories = byId(present.categories)
  const presentLocations = byId(present.locations)

  const itemsLeft = (id: number): ItemEntry[] =>
    left(presentCategories.get(id)?.items ?? [], items).map(item => ({
      ...item,
      published: false,
      tax_class: null,
      labels: [],
      variations: [],
      modifier_groups: [],
      allergens: [],
      translations: {},
    }))
  const stationsLeft = (id: number) =>
    left(presentLocations.get(id)?.stations ?? [], stations).map(station => ({
      ...station,
      is_default: false,
      active: false,
    }))
  const promotionsLeft = (id: number) =>
    left(presentLocations.get(id)?.promotions ?? [], promotions).map(promotion => ({ ...promotion, active: false }))

  return {
    ...brought,
    site: {
      ...brought.site,
      title: brought.site.title ?? present.site.title,
      timezone: brought.site.timezone ?? present.site.timezone,
    },
    categories: withLeft(
      present.categories,
      brought.categories.map(category => ({
        ...category,
        items: withLeft(presentCategories.get(category.id)?.items ?? [], category.items, itemsLeft(category.id)),
      })),
      left(present.categories, idsOf(brought.categories)).map(category => ({
        ...category,
        published: false,
        tax_class: null,
        translations: {},
        items: itemsLeft(category.id),
      })),
    ),
    locations: withLeft(
      present.locations,
      brought.locations.map(location => {
        const known = presentLocations.get(location.id)
        return {
          ...location,
          stations: withLeft(known?.stations ?? [], location.stations, stationsLeft(location.id)),
          promotions: withLeft(known?.promotions ?? [], location.promotions, promotionsLeft(location.id)),
        }
      }),
      left(present.locations, idsOf(brought.locations)).map(location => ({
        ...location,
        published: false,
        tax_rates: [],
        delivery_zones: [],
        tables: [],
        items: [],
        variations: [],
        stations: stationsLeft(location.id),
        routing: [],
        stock: [],
        promotions: promotionsLeft(location.id),
      })),
    ),
  }
}

/** An imported list with the present entries that it leaves out, each after the entry that it follows now. */
function withLeft<E extends Entry>(present: readonly Entry[], brought: readonly E[], left: readonly E[]): E[] {
  const all = [...brought]
  for (const entry of left) {
    const before = present[present.findIndex(({ id }) => id === entry.id) - 1]
    all.splice(all.findIndex(({ id }) => id === before?.id) + 1, 0, entry)
  }
  return all
}

/**
 * The present restaurant with the imported prices of dishes, sizes, options, options by size, and branches. Prices that the
 * imported file leaves out are unchanged.
 */
function repriced(present: RestaurantFile, brought: RestaurantFile): RestaurantFile {
  const items = byId(itemsOf(brought))
  const modifiers = byId(brought.modifier_groups.flatMap(group => group.modifiers))
  const locations = byId(brought.locations)
  type Priced = { id: number; price: number | null }

  function priced<E extends Entry>(entries: E[], given: readonly { id: number; price: number }[]): E[] {
    const prices = byId(given)
    return entries.map(entry => ({ ...entry, ...(prices.has(entry.id) && { price: prices.get(entry.id)?.price }) }))
  }
  const known = (entries: readonly Priced[]) =>
    entries.flatMap(({ id, price }) => (price === null ? [] : [{ id, price }]))

  return {
    ...present,
    modifier_groups: present.modifier_groups.map(group => ({
      ...group,
      modifiers: group.modifiers.map(modifier => {
        const given = modifiers.get(modifier.id)
        if (!given) return modifier
        const bySize = [...modifier.variation_prices, ...given.variation_prices]
        const sizes = new Map(bySize.map(({ variation, price }) => [variation, price]))
        const prices = [...sizes].map(([variation, price]) => ({ variation, price }))
        return { ...modifier, price: given.price, variation_prices: prices }
      }),
    })),
    categories: present.categories.map(category => ({
      ...category,
      items: category.items.map(item => {
        const given = items.get(item.id)
        return given ? { ...item, price: given.price, variations: priced(item.variations, given.variations) } : item
      }),
    })),
    locations: present.locations.map(location => {
      const given = locations.get(location.id)
      if (!given) return location
      const newItems = fresh(known(given.items), location.items)
      return {
        ...location,
        items: [
          ...priced(location.items, known(given.items)),
          ...newItems.map(entry => ({ ...entry, enabled: true, available: null })),
        ],
        variations: [
          ...priced(location.variations, known(given.variations)),
          ...fresh(known(given.variations), location.variations),
        ],
      }
    }),
  }
}

/**
 * The present restaurant and all imported records with new ids, including sizes of present dishes and options of present
 * groups; a branch's exceptions for new dishes, sizes and tax classes are added with them.
 */
function added(present: RestaurantFile, brought: RestaurantFile): RestaurantFile {
  const items = itemsOf(present)
  const variations = variationsOf(present)
  const modifiers = present.modifier_groups.flatMap(group => group.modifiers)
  const newSizes = idsOf(fresh(variationsOf(brought), variations))
  const newTaxClasses = idsOf(fresh(brought.tax_classes, present.tax_classes))
  const broughtGroups = byId(brought.modifier_groups)
  const broughtModifiers = byId(brought.modifier_groups.flatMap(group => group.modifiers))
  const broughtCategories = byId(brought.categories)
  const broughtItems = byId(itemsOf(brought))
  const broughtLocations = byId(brought.locations)

  return {
    site: {
      title: present.site.title ?? brought.site.title,
      timezone: present.site.timezone ?? brought.site.timezone,
      languages: [...new Set([...present.site.languages, ...brought.site.languages])],
    },
    tax_classes: [...present.tax_classes, ...fresh(brought.tax_classes, present.tax_classes)],
    labels: [...present.labels, ...fresh(brought.labels, present.labels)],
    allergens: [...present.allergens, ...fresh(brought.allergens, present.allergens)],
    modifier_groups: [
      ...present.modifier_groups.map(group => ({
        ...group,
        modifiers: [
          ...group.modifiers.map(modifier => {
            const given = broughtModifiers.get(modifier.id)?.variation_prices ?? []
            const prices = given.filter(({ variation }) => newSizes.has(variation))
            return { ...modifier, variation_prices: [...modifier.variation_prices, ...prices] }
          }),
          ...fresh(broughtGroups.get(group.id)?.modifiers ?? [], modifiers),
        ],
      })),
      ...fresh(brought.modifier_groups, present.modifier_groups),
    ],
    categories: [
      ...present.categories.map(category => ({
        ...category,
        items: [
          ...category.items.map(item => ({
            ...item,
            variations: [...item.variations, ...fresh(broughtItems.get(item.id)?.variations ?? [], variations)],
          })),
          ...fresh(broughtCategories.get(category.id)?.items ?? [], items),
        ],
      })),
      ...fresh(brought.categories, present.categories).map(category => ({
        ...category,
        items: fresh(category.items, items),
      })),
    ],
    locations: [
      ...present.locations.map(location => {
        const given = broughtLocations.get(location.id)
        if (!given) return location
        return {
          ...location,
          tax_rates: [...location.tax_rates, ...given.tax_rates.filter(rate => newTaxClasses.has(rate.tax_class))],
          delivery_zones: [...location.delivery_zones, ...fresh(given.delivery_zones, location.delivery_zones)],
          items: [...location.items, ...fresh(given.items, items)],
          variations: [...location.variations, ...fresh(given.variations, variations)],
          tables: [...location.tables, ...fresh(given.tables, location.tables)],
          stations: [...location.stations, ...fresh(given.stations, location.stations)],
          routing: [...location.routing, ...fresh(given.routing, location.routing)],
          stock: [...location.stock, ...fresh(given.stock, location.stock)],
          promotions: [...location.promotions, ...fresh(given.promotions, location.promotions)],
        }
      }),
      ...fresh(brought.locations, present.locations),
    ],
  }
}

/** A record with an id, and its parent. */
interface Part {
  kind: string
  entry: { id: number; title?: string }
  place: Place
  owner: { kind: string; id: number } | null
  hasPrice: boolean
}

function* partsOf(file: RestaurantFile, root: Place): Generator<Part> {
  function* each(
    kind: string,
    entries: readonly Part['entry'][],
    place: Place,
    owner: Part['owner'] = null,
    hasPrice = false,
  ): Generator<Part> {
    for (const [entry, at] of placed(entries, place)) yield { kind, entry, place: at, owner, hasPrice }
  }
  for (const [group, place] of placed(file.modifier_groups, root.at('modifier_groups'))) {
    yield* each('modifier', group.modifiers, place.at('modifiers'), { kind: 'group', id: group.id }, true)
  }
  for (const [category, categoryPlace] of placed(file.categories, root.at('categories'))) {
    yield* each('item', category.items, categoryPlace.at('items'), null, true)
    for (const [item, place] of placed(category.items, categoryPlace.at('items'))) {
      yield* each('variation', item.variations, place.at('variations'), { kind: 'item', id: item.id }, true)
    }
  }
  for (const [location, place] of placed(file.locations, root.at('locations'))) {
    const owner = { kind: 'location', id: location.id }
    yield* each('delivery zone', location.delivery_zones, place.at('delivery_zones'), owner)
    yield* each('table', location.tables, place.at('tables'), owner)
    yield* each('station', location.stations, place.at('stations'), owner)
    yield* each('routing rule', location.routing, place.at('routing'), owner)
    yield* each('stock item', location.stock, place.at('stock'), owner)
    yield* each('promotion', location.promotions, place.at('promotions'), owner)
  }
}

/** Reports ids that belong to something else in the present restaurant, or, if only prices are imported, to nothing. */
function compareParts(
  present: RestaurantFile,
  brought: RestaurantFile,
  how: 'prices' | 'add',
  root: Place,
  warnings: Finding[],
): void {
  const known = new Map([...partsOf(present, root)].map(part => [`${part.kind} ${part.entry.id}`, part]))
  for (const { kind, entry, place, owner, hasPrice } of partsOf(brought, root)) {
    if (how === 'prices' && !hasPrice) continue
    const other = known.get(`${kind} ${entry.id}`)
    if (!other) {
      if (how === 'prices') place.at('id').report(`there is no ${kind} ${entry.id} in the restaurant`)
    } else if (owner && owner.id !== other.owner?.id) {
      place.at('id').report(`is the id of a ${kind} of another ${owner.kind} in the restaurant`)
    } else if (entry.title !== other.entry.title) {
      const what = how === 'prices' ? 'only its price changes' : 'it stays as it is'
      const message = `is the id of "${other.entry.title}" in the restaurant; ${what}`
      warnings.push({ pointer: place.at('id').pointer, message })
    }
  }
  if (how === 'add') return
  for (const [location, place] of placed(brought.locations, root.at('locations'))) {
    const hasPrices = [...location.items, ...location.variations].some(({ price }) => price !== null)
    const isKnown = present.locations.some(({ id }) => id === location.id)
    if (hasPrices && !isKnown) place.at('id').report(`there is no location ${location.id} in the restaurant`)
  }
}

/** The titles of both must be in the same language. */
function compareLanguages({ site: present }: RestaurantFile, { site: brought }: RestaurantFile, place: Place): void {
  const [here] = present.languages
  const [there] = brought.languages
  if (here !== undefined && there !== undefined && here !== there) {
    place.at(0).report(`must be ${here}, because that is the language of the titles in the restaurant`)
  }
}

/** The findings of a check of the merged restaurant, at their places in the imported file. */
function problemsTogether(file: RestaurantFile, brought: RestaurantFile): Finding[] {
  const found: Finding[] = []
  checkRestaurant(file, placeAt('', found))
  if (found.length === 0) return []
  const origins = new Map<unknown, string>()
  noteOrigins(brought, '', origins)
  for (const list of ['modifier_groups', 'categories', 'locations'] as const) {
    const places = new Map(brought[list].map(({ id }, index) => [id, `/${list}/${index}`]))
    for (const entry of file[list]) {
      const place = places.get(entry.id)
      if (place !== undefined && !origins.has(entry)) origins.set(entry, place)
    }
  }
  return found.map(finding => ({ ...withTitle(finding, file), pointer: originOf(finding.pointer, file, origins) }))
}

function noteOrigins(value: unknown, pointer: string, origins: Map<unknown, string>): void {
  if (typeof value !== 'object' || value === null) return
  origins.set(value, pointer)
  for (const [key, member] of Object.entries(value)) noteOrigins(member, `${pointer}/${key}`, origins)
}

function originOf(pointer: string, file: RestaurantFile, origins: Map<unknown, string>): string {
  let origin = ''
  let value: unknown = file
  for (const step of pointer.split('/').slice(1)) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined
    origin = origins.get(value) ?? `${origin}/${step}`
  }
  return origin
}
