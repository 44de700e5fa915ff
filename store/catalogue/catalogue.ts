import type { Db } from '../file/open.ts'
import type { Kitchen } from '../kitchen/routing.ts'
import { kitchenReader } from '../kitchen/stations.ts'
import { recipeReader, type StockedRecipes } from '../stock/recipe-book.ts'
import type { Recipes } from '../stock/recipes.ts'
import type { Channel, ServiceMode } from '../terms/channels.ts'
import type { Clock, Weekday } from '../terms/clock.ts'
import type {
  AllergenId,
  CategoryId,
  GroupId,
  ItemId,
  LocationId,
  ModifierId,
  PromotionId,
  TaxClassId,
  VariationId,
} from '../terms/ids.ts'
import { type Exponent, exponentOf, minorUnits } from '../terms/money.ts'
import { groupBy } from '../terms/rows.ts'

export type OpeningHours = Partial<Record<Weekday, { open: string; close: string }>>

/** A published location. Amounts are minor units of its currency. */
export interface Location {
  id: LocationId
  code: string
  title: string
  currency: string
  exponent: Exponent
  timezone: string
  serviceModes: ServiceMode[]
  openingHours: OpeningHours
  /** The location's own rate, in millionths; null: none. */
  taxPpm: number | null
  /** The location's own rate in the modes takeaway and delivery; null: as `taxPpm` (decision C8). */
  takeawayTaxPpm: number | null
  pricesIncludeTax: boolean
  serviceChargePpm: number
  serviceChargeModes: ServiceMode[]
  serviceChargeTaxable: boolean
  deliveryFee: number
  freeDeliveryFrom: number | null
  deliveryFeeTaxable: boolean
  dayStartsAt: string
  promotions: Promotion[]
}

/** The rates of one dish at one location, in millionths; null: none (decision C8). */
export interface TaxRates {
  inHouse: number | null
  /** In the modes takeaway and delivery. */
  takeaway: number | null
}

export interface Promotion {
  id: PromotionId
  title: string
  channel: Channel | null
  serviceMode: ServiceMode | null
  /** Empty: every day. */
  weekdays: Weekday[]
  from: string | null
  /** Exclusive. Earlier than `from`: past midnight. */
  until: string | null
  validFrom: string | null
  validUntil: string | null
  minSubtotal: number
  discount: { percentPpm: number } | { amount: number }
}

/** What one location sells right now, in display order: exactly what may be ordered (decision D1). */
export interface Menu {
  location: Location
  categories: { id: CategoryId; title: string; items: Item[] }[]
  items: ReadonlyMap<ItemId, Item>
}

export interface Item {
  id: ItemId
  title: string
  description: string | null
  price: number
  image: string | null
  prepTimeMinutes: number | null
  calories: number | null
  spiceLevel: number | null
  isAlcohol: boolean
  taxPpm: TaxRates
  variations: Variation[]
  groups: ModifierGroup[]
  allergens: Allergen[]
  /** Every modifier of the groups, by its id. */
  options: ReadonlyMap<ModifierId, { modifier: Modifier; group: ModifierGroup }>
}

export interface Allergen {
  id: AllergenId
  title: string
  presence: 'contains' | 'may_contain'
}

export interface Variation {
  id: VariationId
  title: string
  price: number
  isDefault: boolean
}

/** A group as it is on one item: its own minimum and maximum applied. Required means a minimum of at least 1 (D4). */
export interface ModifierGroup {
  id: GroupId
  title: string
  selectionType: 'single' | 'multiple'
  minSelect: number
  /** 0: no limit. */
  maxSelect: number
  freeQuantity: number
  modifiers: Modifier[]
}

export interface Modifier {
  id: ModifierId
  title: string
  price: number
  /** What it costs instead on a line with one of these sizes. */
  variationPrices: ReadonlyMap<VariationId, number>
  isDefault: boolean
  maxQuantity: number | null
}

/** The published locations and their menus at one moment. Never changes; a later moment has another one. */
export interface Catalogue {
  locations: Location[]
  /** The image paths of all published items, wherever those are on the menu. */
  images: ReadonlySet<string>
  menu(id: LocationId): Menu | undefined
  /** The menu as if nothing had run out, for an order that gives back what it changes. */
  menuInFullStock(id: LocationId): Menu | undefined
  /** Where a location's food is made, published or not; undefined where no station is active. */
  kitchen(id: LocationId): Kitchen | undefined
  /** What a location's dishes are made of, published or not; undefined where no stock is kept. */
  recipes(id: LocationId): Recipes | undefined
}

/** The catalogue in memory, read again only after it has changed in the file, a timed 86 has run out or the clock was set back. */
export function catalogue(db: Db, clock: Clock) {
  const read = reader(db)
  const revision = db.prepare<[], number>('SELECT catalogue FROM revision').pluck()
  const advance = db.prepare('UPDATE revision SET catalogue = catalogue + 1')
  let loaded: { catalogue: Catalogue; revision: number; validFrom: number; validUntil: number } | undefined

  return {
    /** The catalogue as of the last look at the file. */
    current(): Catalogue {
      const instant = clock.now()
      if (!loaded || instant >= loaded.validUntil || instant < loaded.validFrom) {
        loaded = { ...read(instant), revision: revision.get() ?? 0, validFrom: instant }
      }
      return loaded.catalogue
    },

    /** Marks the catalogue as changed, for this process and all others; called in the transaction that changes it. */
    markChanged(): void {
      advance.run()
      loaded = undefined
    },

    /** Forgets the catalogue in memory if the one in the file is another, because something in the file has changed. */
    reload(): void {
      if (loaded && revision.get() !== loaded.revision) loaded = undefined
    },
  }
}

interface CategoryRow {
  id: CategoryId
  title: string
  taxClassId: TaxClassId | null
}
interface ItemRow
  extends Omit<Item, 'price' | 'isAlcohol' | 'taxPpm' | 'variations' | 'groups' | 'allergens' | 'options'> {
  categoryId: CategoryId
  taxClassId: TaxClassId | null
  priceMilli: number
  isAlcohol: number
}
interface VariationRow extends Omit<Variation, 'price' | 'isDefault'> {
  itemId: ItemId
  priceMilli: number
  isDefault: number
}
interface ModifierRow extends Omit<Modifier, 'price' | 'variationPrices' | 'isDefault'> {
  groupId: GroupId
  priceMilli: number
  isDefault: number
}
interface VariationPriceRow {
  modifierId: ModifierId
  variationId: VariationId
  priceMilli: number
}
interface GroupRow extends Omit<ModifierGroup, 'modifiers'> {
  itemId: ItemId
}
interface AllergenRow extends Allergen {
  itemId: ItemId
}
interface LocationRow {
  id: LocationId
  code: string
  title: string
  currency: string
  timezone: string
  serviceModes: string
  openingHours: string
  taxPpm: number | null
  takeawayTaxPpm: number | null
  pricesIncludeTax: number
  serviceChargePpm: number
  serviceChargeModes: string
  serviceChargeTaxable: number
  deliveryFeeMilli: number
  freeDeliveryFromMilli: number | null
  deliveryFeeTaxable: number
  dayStartsAt: string
}
interface TaxRateRow {
  locationId: LocationId
  taxClassId: TaxClassId
  ratePpm: number
  takeawayPpm: number | null
}
interface PromotionRow {
  id: PromotionId
  locationId: LocationId
  title: string
  channel: Channel | null
  serviceMode: ServiceMode | null
  weekdays: string
  from: string | null
  until: string | null
  validFrom: string | null
  validUntil: string | null
  minSubtotalMilli: number | null
  percentPpm: number | null
  amountMilli: number | null
}

/** The rows that the menus of all locations are made of. */
interface Rows {
  categories: CategoryRow[]
  items: Map<CategoryId, ItemRow[]>
  variations: Map<ItemId, VariationRow[]>
  groups: Map<ItemId, GroupRow[]>
  modifiers: Map<GroupId, ModifierRow[]>
  variationPrices: Map<ModifierId, VariationPriceRow[]>
  allergens: Map<ItemId, AllergenRow[]>
}

/** What differs at one location. */
interface Exceptions {
  items: Map<ItemId, { enabled: number; priceMilli: number | null }>
  variations: Map<VariationId, { priceMilli: number | null }>
  taxRates: Map<TaxClassId, TaxRateRow>
  unavailable: Set<ItemId>
  stock: StockedRecipes | undefined
}

function reader(db: Db) {
  const selectLocations = db.prepare<[], LocationRow>(
    `SELECT id, code, title, currency, timezone, service_modes AS serviceModes, opening_hours AS openingHours,
            tax_ppm AS taxPpm, takeaway_tax_ppm AS takeawayTaxPpm, prices_include_tax AS pricesIncludeTax,
            service_charge_ppm AS serviceChargePpm, service_charge_modes AS serviceChargeModes,
            service_charge_taxable AS serviceChargeTaxable,
            delivery_fee_milli AS deliveryFeeMilli, free_delivery_from_milli AS freeDeliveryFromMilli,
            delivery_fee_taxable AS deliveryFeeTaxable, day_starts_at AS dayStartsAt
       FROM location WHERE published = 1 ORDER BY position, id`,
  )
  const selectTaxRates = db.prepare<[], TaxRateRow>(
    `SELECT location_id AS locationId, tax_class_id AS taxClassId, rate_ppm AS ratePpm, takeaway_ppm AS takeawayPpm
       FROM location_tax_rate`,
  )
  const selectPromotions = db.prepare<[], PromotionRow>(
    `SELECT id, location_id AS locationId, title, channel, service_mode AS serviceMode, weekdays,
            from_time AS "from", until_time AS "until", valid_from AS validFrom, valid_until AS validUntil,
            min_subtotal_milli AS minSubtotalMilli, percent_ppm AS percentPpm, amount_milli AS amountMilli
       FROM promotion WHERE active = 1 ORDER BY id`,
  )
  const selectCategories = db.prepare<[], CategoryRow>(
    'SELECT id, title, tax_class_id AS taxClassId FROM category WHERE published = 1 ORDER BY position, id',
  )
  const selectItems = db.prepare<[], ItemRow>(
    `SELECT id, category_id AS categoryId, title, description, price_milli AS priceMilli, image,
            prep_time_minutes AS prepTimeMinutes, calories, spice_level AS spiceLevel, is_alcohol AS isAlcohol,
            tax_class_id AS taxClassId
       FROM item WHERE published = 1 ORDER BY position, id`,
  )
  const selectVariations = db.prepare<[], VariationRow>(
    `SELECT id, item_id AS itemId, title, price_milli AS priceMilli, is_default AS isDefault
       FROM variation WHERE published = 1 AND item_id IS NOT NULL ORDER BY position, id`,
  )
  const selectGroups = db.prepare<[], GroupRow>(
    `SELECT item_id AS itemId, modifier_group.id, title, selection_type AS selectionType,
            coalesce(link.min_select, modifier_group.min_select) AS minSelect,
            coalesce(link.max_select, modifier_group.max_select) AS maxSelect, free_quantity AS freeQuantity
       FROM item_modifier_group AS link JOIN modifier_group ON modifier_group.id = link.group_id
      ORDER BY link.position`,
  )
  const selectModifiers = db.prepare<[], ModifierRow>(
    `SELECT id, group_id AS groupId, title, price_milli AS priceMilli, is_default AS isDefault,
            max_quantity AS maxQuantity
       FROM modifier WHERE published = 1 AND group_id IS NOT NULL ORDER BY position, id`,
  )
  const selectVariationPrices = db.prepare<[], VariationPriceRow>(
    `SELECT modifier_id AS modifierId, variation_id AS variationId, price_milli AS priceMilli
       FROM modifier_variation_price`,
  )
  const selectAllergens = db.prepare<[], AllergenRow>(
    `SELECT item_id AS itemId, allergen.id, title, presence
       FROM item_allergen AS link JOIN allergen ON allergen.id = link.allergen_id ORDER BY link.position`,
  )
  const selectItemExceptions = db.prepare<
    [],
    { locationId: LocationId; itemId: ItemId; enabled: number; priceMilli: number | null }
  >('SELECT location_id AS locationId, item_id AS itemId, enabled, price_milli AS priceMilli FROM location_item')
  const selectVariationExceptions = db.prepare<
    [],
    { locationId: LocationId; variationId: VariationId; priceMilli: number | null }
  >('SELECT location_id AS locationId, variation_id AS variationId, price_milli AS priceMilli FROM location_variation')
  const selectUnavailable = db.prepare<[number], { itemId: ItemId; locationId: number; untilAt: number | null }>(
    `SELECT target_id AS itemId, location_id AS locationId, until_at AS untilAt
       FROM unavailable WHERE kind = 'item' AND (until_at IS NULL OR until_at > ?)`,
  )

  const readKitchens = kitchenReader(db)
  const readRecipes = recipeReader(db)

  /** Reads everything at one instant, and says until when it stays true by itself. */
  return db.transaction((instant: number): { catalogue: Catalogue; validUntil: number } => {
    const rows: Rows = {
      categories: selectCategories.all(),
      items: groupBy(selectItems.all(), row => row.categoryId),
      variations: groupBy(selectVariations.all(), row => row.itemId),
      groups: groupBy(selectGroups.all(), row => row.itemId),
      modifiers: groupBy(selectModifiers.all(), row => row.groupId),
      variationPrices: groupBy(selectVariationPrices.all(), row => row.modifierId),
      allergens: groupBy(selectAllergens.all(), row => row.itemId),
    }
    const taxRates = groupBy(selectTaxRates.all(), row => row.locationId)
    const promotions = groupBy(selectPromotions.all(), row => row.locationId)
    const itemExceptions = groupBy(selectItemExceptions.all(), row => row.locationId)
    const variationExceptions = groupBy(selectVariationExceptions.all(), row => row.locationId)
    const unavailable = selectUnavailable.all(instant)
    const kitchens = readKitchens()
    const stocked = readRecipes()

    const locations = selectLocations.all().map(row => locationOf(row, promotions.get(row.id) ?? []))
    const byId = new Map(locations.map(location => [location.id, location]))
    const menus = new Map<LocationId, Menu>()

    function makeMenu(location: Location, stock: StockedRecipes | undefined): Menu {
      const { id } = location
      return menuOf(location, rows, {
        items: new Map(itemExceptions.get(id)?.map(row => [row.itemId, row])),
        variations: new Map(variationExceptions.get(id)?.map(row => [row.variationId, row])),
        taxRates: new Map(taxRates.get(id)?.map(row => [row.taxClassId, row])),
        unavailable: new Set(
          unavailable.filter(row => row.locationId === id || row.locationId === 0).map(row => row.itemId),
        ),
        stock,
      })
    }

    function menu(id: LocationId): Menu | undefined {
      const location = byId.get(id)
      if (!location) return undefined
      let made = menus.get(id)
      if (!made) {
        made = makeMenu(location, stocked.get(id))
        menus.set(id, made)
      }
      return made
    }

    function menuInFullStock(id: LocationId): Menu | undefined {
      const location = byId.get(id)
      return location && makeMenu(location, undefined)
    }

    const ends = unavailable.map(row => row.untilAt ?? Number.POSITIVE_INFINITY)
    const images = [...rows.items.values()].flatMap(items => items.flatMap(({ image }) => image ?? []))
    const catalogue: Catalogue = {
      locations,
      images: new Set(images),
      menu,
      menuInFullStock,
      kitchen: id => kitchens.get(id),
      recipes: id => stocked.get(id)?.recipes,
    }
    return { catalogue, validUntil: Math.min(...ends, Number.POSITIVE_INFINITY) }
  })
}

function locationOf(row: LocationRow, promotions: PromotionRow[]): Location {
  const exponent = exponentOf(row.currency)
  if (exponent === undefined) throw new Error(`location ${row.id} has the unknown currency ${row.currency}`)
  const minor = (milli: number) => minorUnits(milli, exponent)
  const { deliveryFeeMilli, freeDeliveryFromMilli, ...same } = row
  return {
    ...same,
    exponent,
    serviceModes: JSON.parse(row.serviceModes),
    openingHours: JSON.parse(row.openingHours),
    pricesIncludeTax: row.pricesIncludeTax === 1,
    serviceChargeModes: JSON.parse(row.serviceChargeModes),
    serviceChargeTaxable: row.serviceChargeTaxable === 1,
    deliveryFee: minor(deliveryFeeMilli),
    freeDeliveryFrom: freeDeliveryFromMilli === null ? null : minor(freeDeliveryFromMilli),
    deliveryFeeTaxable: row.deliveryFeeTaxable === 1,
    promotions: promotions.map(({ minSubtotalMilli, percentPpm, amountMilli, ...promotion }) => ({
      ...promotion,
      weekdays: JSON.parse(promotion.weekdays),
      minSubtotal: minor(minSubtotalMilli ?? 0),
      discount: percentPpm !== null ? { percentPpm } : { amount: minor(amountMilli ?? 0) },
    })),
  }
}

/** The rule of decision D1, for the menu and for orders alike. */
function menuOf(location: Location, rows: Rows, exceptions: Exceptions): Menu {
  const minor = (milli: number) => minorUnits(milli, location.exponent)
  const items = new Map<ItemId, Item>()
  const { stock } = exceptions

  /** A size without a recipe of its own is made by the item's (decision E3). */
  function isOutOfStock({ id, itemId }: VariationRow): boolean {
    if (!stock) return false
    return stock.recipes.variation.has(id) ? stock.lacks('variation', id) : stock.lacks('item', itemId)
  }

  const ownRates: TaxRates = { inHouse: location.taxPpm, takeaway: location.takeawayTaxPpm ?? location.taxPpm }
  const ratesOfClass = new Map(
    [...exceptions.taxRates].map(([id, { ratePpm, takeawayPpm }]) => [
      id,
      { inHouse: ratePpm, takeaway: takeawayPpm ?? ratePpm },
    ]),
  )

  function taxRatesOf(taxClassId: TaxClassId | null): TaxRates {
    return (taxClassId !== null && ratesOfClass.get(taxClassId)) || ownRates
  }

  function orderableItem(row: ItemRow, category: CategoryRow): Item | undefined {
    const exception = exceptions.items.get(row.id)
    if (exception?.enabled === 0 || exceptions.unavailable.has(row.id)) return undefined
    const sizes = rows.variations.get(row.id) ?? []
    const sizesInStock = sizes.filter(size => !isOutOfStock(size))
    if (sizes.length > 0 ? sizesInStock.length === 0 : stock?.lacks('item', row.id)) return undefined
    const groups: ModifierGroup[] = []
    for (const group of rows.groups.get(row.id) ?? []) {
      const modifiers = (rows.modifiers.get(group.id) ?? [])
        .filter(({ id }) => !stock?.lacks('modifier', id))
        .map(orderableModifier)
      if (group.minSelect > mostOf(modifiers)) return undefined
      if (modifiers.length > 0) groups.push(groupOf(group, modifiers))
    }
    const { categoryId: _, taxClassId, priceMilli, isAlcohol, ...same } = row
    return {
      ...same,
      price: minor(exception?.priceMilli ?? priceMilli),
      isAlcohol: isAlcohol === 1,
      taxPpm: taxRatesOf(taxClassId ?? category.taxClassId),
      variations: sizesInStock.map(variationOf),
      groups,
      allergens: (rows.allergens.get(row.id) ?? []).map(({ itemId: _, ...allergen }) => allergen),
      options: new Map(groups.flatMap(group => group.modifiers.map(modifier => [modifier.id, { modifier, group }]))),
    }
  }

  function orderableModifier({ groupId: _, priceMilli, isDefault, ...same }: ModifierRow): Modifier {
    const bySize = rows.variationPrices.get(same.id)?.map(row => [row.variationId, minor(row.priceMilli)] as const)
    return { ...same, price: minor(priceMilli), variationPrices: new Map(bySize), isDefault: isDefault === 1 }
  }

  function variationOf({ itemId: _, priceMilli, isDefault, ...same }: VariationRow): Variation {
    const price = exceptions.variations.get(same.id)?.priceMilli ?? priceMilli
    return { ...same, price: minor(price), isDefault: isDefault === 1 }
  }

  const categories: Menu['categories'] = []
  for (const category of rows.categories) {
    const orderable: Item[] = []
    for (const row of rows.items.get(category.id) ?? []) {
      const item = orderableItem(row, category)
      if (!item) continue
      orderable.push(item)
      items.set(item.id, item)
    }
    if (orderable.length > 0) categories.push({ id: category.id, title: category.title, items: orderable })
  }
  return { location, categories, items }
}

function groupOf({ itemId: _, ...group }: GroupRow, modifiers: Modifier[]): ModifierGroup {
  return { ...group, modifiers }
}

/** How many units of these modifiers one line can have at most. */
function mostOf(modifiers: Modifier[]): number {
  let most = 0
  for (const { maxQuantity } of modifiers) most += maxQuantity ?? Number.POSITIVE_INFINITY
  return most
}
