import { type Place, placed } from './format.ts'
import type { RestaurantFile } from './restaurant-file.ts'

// An invalid id was reported and is read as 0, which no record has.

/** Reports ids that are not unique among records of their kind in the whole file. */
export function checkIds(file: RestaurantFile, root: Place): void {
  function unique(kind: string) {
    const seen = new Set<number>()
    return (entries: { id: number }[], list: Place) => {
      for (const [{ id }, place] of placed(entries, list)) {
        if (id !== 0 && seen.has(id)) place.at('id').report(`is the id of another ${kind} (${id})`)
        seen.add(id)
      }
    }
  }
  unique('tax class')(file.tax_classes, root.at('tax_classes'))
  unique('label')(file.labels, root.at('labels'))
  unique('allergen')(file.allergens, root.at('allergens'))

  unique('modifier group')(file.modifier_groups, root.at('modifier_groups'))
  const modifiers = unique('modifier')
  for (const [group, place] of placed(file.modifier_groups, root.at('modifier_groups'))) {
    modifiers(group.modifiers, place.at('modifiers'))
  }

  unique('category')(file.categories, root.at('categories'))
  const items = unique('item')
  const variations = unique('variation')
  for (const [category, categoryPlace] of placed(file.categories, root.at('categories'))) {
    items(category.items, categoryPlace.at('items'))
    for (const [item, place] of placed(category.items, categoryPlace.at('items'))) {
      variations(item.variations, place.at('variations'))
    }
  }

  unique('location')(file.locations, root.at('locations'))
  const zones = unique('delivery zone')
  const tables = unique('table')
  const promotions = unique('promotion')
  const stations = unique('station')
  const rules = unique('routing rule')
  const stock = unique('stock item')
  for (const [location, place] of placed(file.locations, root.at('locations'))) {
    zones(location.delivery_zones, place.at('delivery_zones'))
    tables(location.tables, place.at('tables'))
    promotions(location.promotions, place.at('promotions'))
    stations(location.stations, place.at('stations'))
    rules(location.routing, place.at('routing'))
    stock(location.stock, place.at('stock'))
  }
}

/** Reports references to records that are not in the file, and duplicates within one list. */
export function checkReferences(file: RestaurantFile, root: Place): void {
  const everyItem = file.categories.flatMap(({ items }) => items)
  const known = {
    'tax class': idsOf(file.tax_classes),
    label: idsOf(file.labels),
    allergen: idsOf(file.allergens),
    'modifier group': idsOf(file.modifier_groups),
    item: idsOf(everyItem),
    variation: idsOf(everyItem.flatMap(({ variations }) => variations)),
  }
  type Kind = keyof typeof known

  function checkKnown(kind: Kind, id: number | null, place: Place): void {
    if (id !== null && id !== 0 && !known[kind].has(id)) place.report(`there is no ${kind} ${id} in this file`)
  }

  /** `member` is the one that refers; undefined: the entries themselves are the ids. */
  function checkList<Entry>(
    kind: Kind,
    entries: Entry[],
    idOf: (entry: Entry) => number,
    list: Place,
    member?: string,
  ) {
    const named = new Set<number>()
    for (const [entry, entryPlace] of placed(entries, list)) {
      const id = idOf(entry)
      const place = member === undefined ? entryPlace : entryPlace.at(member)
      if (id !== 0 && named.has(id)) place.report(`names ${kind} ${id} a second time`)
      else checkKnown(kind, id, place)
      named.add(id)
    }
  }
  const itself = (id: number) => id
  const ownId = ({ id }: { id: number }) => id

  for (const [group, groupPlace] of placed(file.modifier_groups, root.at('modifier_groups'))) {
    for (const [modifier, place] of placed(group.modifiers, groupPlace.at('modifiers'))) {
      checkList('allergen', modifier.allergens, ownId, place.at('allergens'), 'id')
      const sizes = place.at('variation_prices')
      checkList('variation', modifier.variation_prices, ({ variation }) => variation, sizes, 'variation')
    }
  }
  for (const [category, categoryPlace] of placed(file.categories, root.at('categories'))) {
    checkKnown('tax class', category.tax_class, categoryPlace.at('tax_class'))
    for (const [item, place] of placed(category.items, categoryPlace.at('items'))) {
      checkKnown('tax class', item.tax_class, place.at('tax_class'))
      checkList('label', item.labels, itself, place.at('labels'))
      checkList('modifier group', item.modifier_groups, ownId, place.at('modifier_groups'), 'id')
      checkList('allergen', item.allergens, ownId, place.at('allergens'), 'id')
    }
  }
  for (const [location, place] of placed(file.locations, root.at('locations'))) {
    checkList('tax class', location.tax_rates, rate => rate.tax_class, place.at('tax_rates'), 'tax_class')
    checkList('item', location.items, ownId, place.at('items'), 'id')
    checkList('variation', location.variations, ownId, place.at('variations'), 'id')
  }
}

function idsOf(entries: { id: number }[]): Set<number> {
  return new Set(entries.map(({ id }) => id))
}
