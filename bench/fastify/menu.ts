import type { Database } from 'better-sqlite3'

export interface LocationRow {
  id: number
  code: string
  title: string
  currency: string
  timezone: string
  service_modes: string
  opening_hours: string
  tax_ppm: number | null
  prices_include_tax: number
  service_charge_ppm: number
  service_charge_modes: string
  service_charge_taxable: number
  delivery_fee_milli: number
  free_delivery_from_milli: number | null
  delivery_fee_taxable: number
  day_starts_at: string
}

interface ItemRow {
  id: number
  category_id: number
  title: string
  description: string | null
  price_milli: number
  image: string | null
  prep_time_minutes: number | null
  calories: number | null
  spice_level: number | null
  is_alcohol: number
}
interface VariationRow {
  id: number
  item_id: number
  title: string
  price_milli: number
  is_default: number
}
interface GroupRow {
  id: number
  item_id: number
  title: string
  selection_type: string
  min_select: number
  max_select: number
  free_quantity: number
}
interface ModifierRow {
  id: number
  group_id: number
  title: string
  price_milli: number
  is_default: number
  max_quantity: number | null
}
interface AllergenRow {
  id: number
  item_id: number
  title: string
  presence: string
}

/** The currencies of the demo have two decimals. */
export const cents = (milli: number): number => Math.round(milli / 10)
export const major = (minor: number): number => minor / 100

/** Reads locations and menus from the tables for every request. */
export function menus(db: Database) {
  const selectLocations = db.prepare<[], LocationRow>(
    'SELECT * FROM location WHERE published = 1 ORDER BY position, id',
  )
  const selectLocation = db.prepare<[number], LocationRow>('SELECT * FROM location WHERE id = ? AND published = 1')
  const selectCategories = db.prepare<[], { id: number; title: string }>(
    'SELECT id, title FROM category WHERE published = 1 ORDER BY position, id',
  )
  const selectItems = db.prepare<{ location: number; now: number }, ItemRow>(
    `SELECT item.id, category_id, title, description, coalesce(branch.price_milli, item.price_milli) AS price_milli,
            image, prep_time_minutes, calories, spice_level, is_alcohol
       FROM item LEFT JOIN location_item AS branch ON branch.item_id = item.id AND branch.location_id = @location
      WHERE published = 1 AND coalesce(branch.enabled, 1) = 1
        AND NOT EXISTS (SELECT 1 FROM unavailable
                         WHERE kind = 'item' AND target_id = item.id AND location_id IN (0, @location) AND (until_at IS NULL OR until_at > @now))
      ORDER BY position, item.id`,
  )
  const selectVariations = db.prepare<[number], VariationRow>(
    `SELECT id, item_id, title, coalesce(branch.price_milli, variation.price_milli) AS price_milli, is_default
       FROM variation LEFT JOIN location_variation AS branch ON variation_id = variation.id AND location_id = ?
      WHERE published = 1 AND item_id IS NOT NULL ORDER BY position, id`,
  )
  const selectGroups = db.prepare<[], GroupRow>(
    `SELECT modifier_group.id, item_id, title, selection_type, free_quantity,
            coalesce(link.min_select, modifier_group.min_select) AS min_select,
            coalesce(link.max_select, modifier_group.max_select) AS max_select
       FROM item_modifier_group AS link JOIN modifier_group ON modifier_group.id = group_id ORDER BY link.position`,
  )
  const selectModifiers = db.prepare<[], ModifierRow>(
    `SELECT id, group_id, title, price_milli, is_default, max_quantity
       FROM modifier WHERE published = 1 AND group_id IS NOT NULL ORDER BY position, id`,
  )
  const selectAllergens = db.prepare<[], AllergenRow>(
    `SELECT allergen.id, item_id, title, presence
       FROM item_allergen AS link JOIN allergen ON allergen.id = allergen_id ORDER BY link.position`,
  )

  function itemJson(item: ItemRow, variations: VariationRow[], groups: GroupRow[], allergens: AllergenRow[]) {
    return (modifiers: Map<number, ModifierRow[]>) => ({
      id: item.id,
      title: item.title,
      description: item.description,
      price: major(cents(item.price_milli)),
      has_variations: Number(variations.length > 0),
      image: item.image,
      prep_time_minutes: item.prep_time_minutes,
      calories: item.calories,
      spice_level: item.spice_level,
      is_alcohol: item.is_alcohol,
      variations: variations.map(({ id, title, price_milli, is_default }) => ({
        id,
        title,
        price: major(cents(price_milli)),
        is_default,
      })),
      modifier_groups: groups
        .filter(group => modifiers.has(group.id))
        .map(group => ({
          id: group.id,
          title: group.title,
          selection_type: group.selection_type,
          is_required: Number(group.min_select > 0),
          min_select: group.min_select,
          max_select: group.max_select,
          free_quantity: group.free_quantity,
          modifiers: (modifiers.get(group.id) ?? []).map(({ id, title, price_milli, is_default, max_quantity }) => ({
            id,
            title,
            price: major(cents(price_milli)),
            is_default,
            max_quantity,
          })),
        })),
      allergens: allergens.map(({ id, title, presence }) => ({ id, title, presence })),
    })
  }

  return {
    locations: () =>
      selectLocations.all().map(row => ({
        id: row.id,
        code: row.code,
        title: row.title,
        currency: row.currency,
        timezone: row.timezone,
        service_modes: JSON.parse(row.service_modes),
        opening_hours: JSON.parse(row.opening_hours),
        tax_rate: row.tax_ppm === null ? null : row.tax_ppm / 10_000,
      })),

    location: (id: number): LocationRow | undefined => selectLocation.get(id),

    menu(location: number) {
      const items = groupBy(selectItems.all({ location, now: Date.now() }), row => row.category_id)
      const variations = groupBy(selectVariations.all(location), row => row.item_id)
      const groups = groupBy(selectGroups.all(), row => row.item_id)
      const modifiers = groupBy(selectModifiers.all(), row => row.group_id)
      const allergens = groupBy(selectAllergens.all(), row => row.item_id)

      const isOrderable = (item: ItemRow) =>
        (groups.get(item.id) ?? []).every(group => group.min_select === 0 || modifiers.has(group.id))
      const categories = selectCategories.all().map(({ id, title }) => ({
        id,
        title,
        items: (items.get(id) ?? [])
          .filter(isOrderable)
          .map(item =>
            itemJson(
              item,
              variations.get(item.id) ?? [],
              groups.get(item.id) ?? [],
              allergens.get(item.id) ?? [],
            )(modifiers),
          ),
      }))
      return { location_id: location, categories: categories.filter(category => category.items.length > 0) }
    },
  }
}

function groupBy<Row>(rows: Row[], key: (row: Row) => number): Map<number, Row[]> {
  const groups = new Map<number, Row[]>()
  for (const row of rows) {
    const group = groups.get(key(row))
    if (group) group.push(row)
    else groups.set(key(row), [row])
  }
  return groups
}
