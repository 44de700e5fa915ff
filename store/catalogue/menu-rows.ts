import type { Db } from '../file/open.ts'
import type {
  AllergenId,
  CategoryId,
  GroupId,
  ItemId,
  LabelId,
  LocationId,
  ModifierId,
  TaxClassId,
  VariationId,
} from '../terms/ids.ts'
import { groupBy } from '../terms/rows.ts'
import type { Unavailable } from './availability.ts'
import type { Allergen, Label, Translations } from './catalogue.ts'

export interface CategoryRow {
  id: CategoryId
  title: string
  description: string | null
  taxClassId: TaxClassId | null
  translations: Translations
}
export interface ItemRow {
  id: ItemId
  categoryId: CategoryId
  number: string | null
  title: string
  description: string | null
  priceMilli: number
  /** The item's own, else that of its category. */
  taxClassId: TaxClassId | null
  image: string | null
  prepTimeMinutes: number | null
  calories: number | null
  spiceLevel: number | null
  isAlcohol: number
  minimumAge: number | null
  translations: Translations
}
export interface VariationRow {
  id: VariationId
  itemId: ItemId
  title: string
  priceMilli: number
  isDefault: number
  translations: Translations
}
export interface GroupRow {
  id: GroupId
  itemId: ItemId
  title: string
  selectionType: 'single' | 'multiple'
  minSelect: number
  maxSelect: number
  freeQuantity: number
  translations: Translations
}
export interface ModifierRow {
  id: ModifierId
  groupId: GroupId
  title: string
  priceMilli: number
  isDefault: number
  maxQuantity: number | null
  translations: Translations
}
/** An allergen without its presence, which belongs to each dish and option. */
type AllergenRow = Omit<Allergen, 'presence'>
export interface AllergenLink {
  allergenId: AllergenId
  presence: Allergen['presence']
}

/** The rows of the menus of all locations: published records only, in display order, and what differs by location. */
export interface MenuRows {
  languages: string[]
  categories: CategoryRow[]
  items: Map<CategoryId, ItemRow[]>
  variations: Map<ItemId, VariationRow[]>
  groups: Map<ItemId, GroupRow[]>
  modifiers: Map<GroupId, ModifierRow[]>
  variationPrices: Map<ModifierId, { variationId: VariationId; priceMilli: number }[]>
  allergens: Map<AllergenId, AllergenRow>
  itemAllergens: Map<ItemId, AllergenLink[]>
  modifierAllergens: Map<ModifierId, AllergenLink[]>
  labels: Map<LabelId, Label>
  itemLabels: Map<ItemId, { labelId: LabelId }[]>
  itemExceptions: Map<LocationId, { itemId: ItemId; enabled: number; priceMilli: number | null }[]>
  variationExceptions: Map<LocationId, { variationId: VariationId; priceMilli: number | null }[]>
  taxRates: Map<LocationId, { taxClassId: TaxClassId; ratePpm: number; takeawayPpm: number | null }[]>
  /** The 86 list. Location 0: everywhere. */
  unavailable: { kind: Unavailable['kind']; id: number; locationId: number; untilAt: number | null }[]
}

type RowOf<Key extends keyof MenuRows> = MenuRows[Key] extends Map<unknown, (infer Row)[]> ? Row : never

/** A row as it is stored: its translations are JSON or NULL. */
type Kept<Row> = Omit<Row, 'translations'> & { translations: string | null }

const untranslated: Translations = {}

function translated<Row extends { translations: string | null }>(rows: Row[]) {
  return rows.map(({ translations, ...row }) => ({
    ...row,
    translations: translations === null ? untranslated : JSON.parse(translations),
  }))
}

/** Returns the function that reads the rows of the menus at an instant. */
export function menuRows(db: Db): (instant: number) => MenuRows {
  const selectLanguages = db.prepare<[], string>(`SELECT value FROM setting WHERE key = 'site.languages'`).pluck()
  const selectCategories = db.prepare<[], Kept<CategoryRow>>(
    `SELECT id, title, description, tax_class_id AS taxClassId, translations
       FROM category WHERE published = 1 ORDER BY position, id`,
  )
  const selectItems = db.prepare<[], Kept<ItemRow>>(
    `SELECT id, category_id AS categoryId, number, title, description, price_milli AS priceMilli,
            tax_class_id AS taxClassId, image, prep_time_minutes AS prepTimeMinutes, calories,
            spice_level AS spiceLevel, is_alcohol AS isAlcohol, minimum_age AS minimumAge, translations
       FROM item WHERE published = 1 ORDER BY position, id`,
  )
  const selectVariations = db.prepare<[], Kept<VariationRow>>(
    `SELECT id, item_id AS itemId, title, price_milli AS priceMilli, is_default AS isDefault, translations
       FROM variation WHERE published = 1 AND item_id IS NOT NULL ORDER BY position, id`,
  )
  const selectGroups = db.prepare<[], Kept<GroupRow>>(
    `SELECT item_id AS itemId, modifier_group.id, title, selection_type AS selectionType,
            coalesce(link.min_select, modifier_group.min_select) AS minSelect,
            coalesce(link.max_select, modifier_group.max_select) AS maxSelect, free_quantity AS freeQuantity,
            translations
       FROM item_modifier_group AS link JOIN modifier_group ON modifier_group.id = link.group_id
      ORDER BY link.position`,
  )
  const selectModifiers = db.prepare<[], Kept<ModifierRow>>(
    `SELECT id, group_id AS groupId, title, price_milli AS priceMilli, is_default AS isDefault,
            max_quantity AS maxQuantity, translations
       FROM modifier WHERE published = 1 AND group_id IS NOT NULL ORDER BY position, id`,
  )
  const selectVariationPrices = db.prepare<[], { modifierId: ModifierId } & RowOf<'variationPrices'>>(
    `SELECT modifier_id AS modifierId, variation_id AS variationId, price_milli AS priceMilli
       FROM modifier_variation_price`,
  )
  const selectAllergens = db.prepare<[], Kept<AllergenRow>>('SELECT id, title, translations FROM allergen')
  const selectItemAllergens = db.prepare<[], { itemId: ItemId } & AllergenLink>(
    'SELECT item_id AS itemId, allergen_id AS allergenId, presence FROM item_allergen ORDER BY position',
  )
  const selectModifierAllergens = db.prepare<[], { modifierId: ModifierId } & AllergenLink>(
    'SELECT modifier_id AS modifierId, allergen_id AS allergenId, presence FROM modifier_allergen ORDER BY position',
  )
  const selectLabels = db.prepare<[], Kept<Label>>('SELECT id, code, title, translations FROM label')
  const selectItemLabels = db.prepare<[], { itemId: ItemId; labelId: LabelId }>(
    'SELECT item_id AS itemId, label_id AS labelId FROM item_label ORDER BY position',
  )
  const selectItemExceptions = db.prepare<[], { locationId: LocationId } & RowOf<'itemExceptions'>>(
    'SELECT location_id AS locationId, item_id AS itemId, enabled, price_milli AS priceMilli FROM location_item',
  )
  const selectVariationExceptions = db.prepare<[], { locationId: LocationId } & RowOf<'variationExceptions'>>(
    'SELECT location_id AS locationId, variation_id AS variationId, price_milli AS priceMilli FROM location_variation',
  )
  const selectTaxRates = db.prepare<[], { locationId: LocationId } & RowOf<'taxRates'>>(
    `SELECT location_id AS locationId, tax_class_id AS taxClassId, rate_ppm AS ratePpm, takeaway_ppm AS takeawayPpm
       FROM location_tax_rate`,
  )
  const selectUnavailable = db.prepare<[number], MenuRows['unavailable'][number]>(
    `SELECT kind, target_id AS id, location_id AS locationId, until_at AS untilAt
       FROM unavailable WHERE until_at IS NULL OR until_at > ?`,
  )

  return instant => ({
    languages: JSON.parse(selectLanguages.get() ?? '[]'),
    categories: translated(selectCategories.all()),
    items: groupBy(translated(selectItems.all()), row => row.categoryId),
    variations: groupBy(translated(selectVariations.all()), row => row.itemId),
    groups: groupBy(translated(selectGroups.all()), row => row.itemId),
    modifiers: groupBy(translated(selectModifiers.all()), row => row.groupId),
    variationPrices: groupBy(selectVariationPrices.all(), row => row.modifierId),
    allergens: new Map(translated(selectAllergens.all()).map(row => [row.id, row])),
    itemAllergens: groupBy(selectItemAllergens.all(), row => row.itemId),
    modifierAllergens: groupBy(selectModifierAllergens.all(), row => row.modifierId),
    labels: new Map(translated(selectLabels.all()).map(row => [row.id, row])),
    itemLabels: groupBy(selectItemLabels.all(), row => row.itemId),
    itemExceptions: groupBy(selectItemExceptions.all(), row => row.locationId),
    variationExceptions: groupBy(selectVariationExceptions.all(), row => row.locationId),
    taxRates: groupBy(selectTaxRates.all(), row => row.locationId),
    unavailable: selectUnavailable.all(instant),
  })
}
