import type { StockedRecipes } from '../stock/recipe-book.ts'
import type { GroupId, ItemId } from '../terms/ids.ts'
import { minorUnits } from '../terms/money.ts'
import type { Unavailable } from './availability.ts'
import type { Allergen, Category, Item, Location, Menu, Modifier, ModifierGroup, Variation } from './catalogue.ts'
import type { AllergenLink, GroupRow, ItemRow, MenuRows, ModifierRow, VariationRow } from './menu-rows.ts'

/** What a location sells, for the menu and for orders (decisions D1 and D9). Without stock nothing runs out. */
export function menuOf(location: Location, rows: MenuRows, stock: StockedRecipes | undefined): Menu {
  const minor = (milli: number) => minorUnits(milli, location.exponent)
  const { id } = location
  const itemExceptions = new Map(rows.itemExceptions.get(id)?.map(row => [row.itemId, row]))
  const variationExceptions = new Map(rows.variationExceptions.get(id)?.map(row => [row.variationId, row]))
  const unavailable: Record<Unavailable['kind'], Set<number>> = {
    item: new Set(),
    variation: new Set(),
    modifier: new Set(),
  }
  for (const { kind, id: target, locationId } of rows.unavailable) {
    if (locationId === id || locationId === 0) unavailable[kind].add(target)
  }
  const ownRates = { inHouse: location.taxPpm, takeaway: location.takeawayTaxPpm ?? location.taxPpm }
  const ratesOfClass = new Map(
    rows.taxRates
      .get(id)
      ?.map(row => [row.taxClassId, { inHouse: row.ratePpm, takeaway: row.takeawayPpm ?? row.ratePpm }]),
  )
  const modifiersOf = new Map<GroupId, Modifier[]>()
  const items = new Map<ItemId, Item>()

  function orderableItem(row: ItemRow, category: { taxClassId: ItemRow['taxClassId'] }): Item | undefined {
    const exception = itemExceptions.get(row.id)
    if (exception?.enabled === 0 || unavailable.item.has(row.id)) return undefined
    const sizes = rows.variations.get(row.id) ?? []
    const orderableSizes = sizes.filter(size => !unavailable.variation.has(size.id) && !isOutOfStock(size))
    if (sizes.length > 0 ? orderableSizes.length === 0 : stock?.lacks('item', row.id)) return undefined
    const groups: ModifierGroup[] = []
    for (const group of rows.groups.get(row.id) ?? []) {
      const modifiers = orderableModifiers(group.id)
      if (group.minSelect > mostOf(modifiers)) return undefined
      if (modifiers.length > 0) groups.push(groupOf(group, modifiers))
    }
    const taxClass = row.taxClassId ?? category.taxClassId
    const classRates = taxClass === null ? undefined : ratesOfClass.get(taxClass)
    const { categoryId: _, taxClassId: __, priceMilli, isAlcohol, ...same } = row
    return {
      ...same,
      price: minor(exception?.priceMilli ?? priceMilli),
      isAlcohol: isAlcohol === 1,
      taxPpm: classRates ?? ownRates,
      isTaxedByClass: classRates !== undefined,
      variations: orderableSizes.map(variationOf),
      groups,
      allergens: allergensOf(rows.itemAllergens.get(row.id)),
      labels: (rows.itemLabels.get(row.id) ?? []).flatMap(({ labelId }) => rows.labels.get(labelId) ?? []),
      options: new Map(groups.flatMap(group => group.modifiers.map(modifier => [modifier.id, { modifier, group }]))),
    }
  }

  /** A size without its own recipe uses the item's (decision E3). */
  function isOutOfStock({ id, itemId }: VariationRow): boolean {
    if (!stock) return false
    return stock.recipes.variation.has(id) ? stock.lacks('variation', id) : stock.lacks('item', itemId)
  }

  function variationOf({ itemId: _, priceMilli, isDefault, ...same }: VariationRow): Variation {
    const price = variationExceptions.get(same.id)?.priceMilli ?? priceMilli
    return { ...same, price: minor(price), isDefault: isDefault === 1 }
  }

  /** The modifiers of a group, made once for all its items. */
  function orderableModifiers(id: GroupId): Modifier[] {
    let made = modifiersOf.get(id)
    if (!made) {
      made = (rows.modifiers.get(id) ?? [])
        .filter(row => !unavailable.modifier.has(row.id) && !stock?.lacks('modifier', row.id))
        .map(modifierOf)
      modifiersOf.set(id, made)
    }
    return made
  }

  function modifierOf({ groupId: _, priceMilli, isDefault, ...same }: ModifierRow): Modifier {
    return {
      ...same,
      price: minor(priceMilli),
      variationPrices: new Map(
        rows.variationPrices.get(same.id)?.map(row => [row.variationId, minor(row.priceMilli)] as const),
      ),
      isDefault: isDefault === 1,
      allergens: allergensOf(rows.modifierAllergens.get(same.id)),
    }
  }

  function allergensOf(links: AllergenLink[] = []): Allergen[] {
    return links.flatMap(({ allergenId, presence }) => {
      const allergen = rows.allergens.get(allergenId)
      return allergen ? [{ ...allergen, presence }] : []
    })
  }

  const categories: Category[] = []
  for (const category of rows.categories) {
    const orderable: Item[] = []
    for (const row of rows.items.get(category.id) ?? []) {
      const item = orderableItem(row, category)
      if (!item) continue
      orderable.push(item)
      items.set(item.id, item)
    }
    const { taxClassId: _, ...same } = category
    if (orderable.length > 0) categories.push({ ...same, items: orderable })
  }
  return { location, languages: rows.languages, categories, items }
}

function groupOf({ itemId: _, ...group }: GroupRow, modifiers: Modifier[]): ModifierGroup {
  return { ...group, modifiers }
}

/** The largest number of units of these modifiers on one line. */
function mostOf(modifiers: Modifier[]): number {
  let most = 0
  for (const { maxQuantity } of modifiers) most += maxQuantity ?? Number.POSITIVE_INFINITY
  return most
}
