import type { Db } from '../file/open.ts'
import type { RestaurantFile } from '../restaurant-file/restaurant-file.ts'
import { groupBy } from '../terms/rows.ts'

type Row = Record<string, string | number | null>

// The names of columns that hold flags or JSON, in every table.
const flags = new Set([
  'published',
  'is_default',
  'is_alcohol',
  'is_required',
  'enabled',
  'active',
  'prices_include_tax',
  'service_charge_taxable',
  'delivery_fee_taxable',
])
const json = new Set([
  'service_modes',
  'service_charge_modes',
  'opening_hours',
  'opening_periods',
  'closed_dates',
  'postcodes',
  'weekdays',
  'stations',
  'translations',
])

/**
 * Returns the function that exports the catalogue as a restaurant file, without live state: importing its result changes
 * nothing. Records that an imported file left out are exported as unpublished, or not at all if they are detached or their
 * import was undone (a position below 0).
 */
export function catalogueExport(db: Db): () => RestaurantFile {
  const site = db.prepare<[], { key: string; value: string }>(
    `SELECT substr(key, 6) AS key, value FROM setting WHERE key IN ('site.title', 'site.timezone')`,
  )
  const languages = db.prepare<[], string>(`SELECT value FROM setting WHERE key = 'site.languages'`).pluck()
  const taxClasses = db.prepare<[], Row>(
    'SELECT id, title FROM tax_class WHERE position IS NOT NULL ORDER BY position, id',
  )
  const labels = db.prepare<[], Row>(
    `SELECT id, code, title, coalesce(translations, '{}') AS translations
       FROM label WHERE position IS NOT NULL ORDER BY position, id`,
  )
  const allergens = db.prepare<[], Row>(
    `SELECT id, title, coalesce(translations, '{}') AS translations
       FROM allergen WHERE position IS NOT NULL ORDER BY position, id`,
  )
  const groups = db.prepare<[], Row>(
    `SELECT id, title, selection_type, min_select >= 1 AS is_required, min_select, max_select, free_quantity,
            coalesce(translations, '{}') AS translations
       FROM modifier_group WHERE position IS NOT NULL ORDER BY position, id`,
  )
  const modifiers = db.prepare<[], Row>(
    `SELECT group_id, id, title, price_milli AS price, is_default, max_quantity, published,
            coalesce(translations, '{}') AS translations
       FROM modifier WHERE group_id IS NOT NULL ORDER BY position, id`,
  )
  const variationPrices = db.prepare<[], Row>(
    `SELECT modifier_id, variation_id AS variation, price_milli AS price
       FROM modifier_variation_price ORDER BY variation_id`,
  )
  const modifierAllergens = db.prepare<[], Row>(
    'SELECT modifier_id, allergen_id AS id, presence FROM modifier_allergen ORDER BY position',
  )
  const categories = db.prepare<[], Row>(
    `SELECT id, title, description, tax_class_id AS tax_class, published, coalesce(translations, '{}') AS translations
       FROM category WHERE position >= 0 ORDER BY position, id`,
  )
  const items = db.prepare<[], Row>(
    `SELECT category_id, id, number, title, description, price_milli AS price, tax_class_id AS tax_class, published,
            NULL AS available, image, prep_time_minutes, calories, spice_level, is_alcohol, minimum_age,
            coalesce(translations, '{}') AS translations
       FROM item WHERE position >= 0 ORDER BY position, id`,
  )
  const variations = db.prepare<[], Row>(
    `SELECT item_id, id, title, price_milli AS price, is_default, published,
            coalesce(translations, '{}') AS translations
       FROM variation WHERE item_id IS NOT NULL ORDER BY position, id`,
  )
  const itemGroups = db.prepare<[], Row>(
    'SELECT item_id, group_id AS id, min_select, max_select FROM item_modifier_group ORDER BY position',
  )
  const itemAllergens = db.prepare<[], Row>(
    'SELECT item_id, allergen_id AS id, presence FROM item_allergen ORDER BY position',
  )
  const itemLabels = db.prepare<[], { item_id: number; label_id: number }>(
    'SELECT item_id, label_id FROM item_label ORDER BY position',
  )
  const locations = db.prepare<[], Row>(
    `SELECT id, code, title, published, address, phone, currency, timezone, service_modes,
            iif(opening_periods IS NULL, opening_hours, '{}') AS opening_hours, opening_periods, closed_dates,
            tax_ppm AS tax_rate, takeaway_tax_ppm AS takeaway_tax_rate, prices_include_tax, service_charge_ppm AS service_charge_rate, service_charge_modes, service_charge_taxable,
            delivery_fee_milli AS delivery_fee, free_delivery_from_milli AS free_delivery_from, delivery_fee_taxable,
            minimum_delivery_milli AS minimum_delivery, day_starts_at
       FROM location WHERE position >= 0 ORDER BY position, id`,
  )
  const taxRates = db.prepare<[], Row>(
    `SELECT location_id, tax_class_id AS tax_class, rate_ppm AS rate, takeaway_ppm AS takeaway_rate
       FROM location_tax_rate JOIN tax_class ON tax_class.id = tax_class_id ORDER BY position, tax_class_id`,
  )
  const zones = db.prepare<[], Row>(
    `SELECT location_id, id, title, postcodes, fee_milli AS fee, minimum_milli AS minimum
       FROM delivery_zone ORDER BY position, id`,
  )
  const tables = db.prepare<[], Row>(
    'SELECT location_id, id, title FROM dining_table WHERE position IS NOT NULL ORDER BY position, id',
  )
  const locationItems = db.prepare<[], Row>(
    `SELECT location_id, item_id AS id, enabled, NULL AS available, price_milli AS price
       FROM location_item WHERE enabled = 0 OR price_milli IS NOT NULL ORDER BY item_id`,
  )
  const locationVariations = db.prepare<[], Row>(
    'SELECT location_id, variation_id AS id, price_milli AS price FROM location_variation WHERE price_milli IS NOT NULL ORDER BY variation_id',
  )
  const stations = db.prepare<[], Row>(
    'SELECT location_id, id, title, is_default, active FROM station WHERE position >= 0 ORDER BY position, id',
  )
  const routing = db.prepare<[], Row>(
    `SELECT location_id, id, priority, item_id AS item, category_id AS category, channel, service_mode, stations
       FROM routing_rule ORDER BY position, id`,
  )
  const stock = db.prepare<[], Row>(
    `SELECT location_id, id, title, unit, NULL AS on_hand, low_at_milli AS low_at
       FROM stock_item WHERE position IS NOT NULL ORDER BY position, id`,
  )
  const recipes = db.prepare<[], Row>(
    `SELECT stock_id, iif(kind = 'item', target_id, NULL) AS item, iif(kind = 'variation', target_id, NULL) AS variation,
            iif(kind = 'modifier', target_id, NULL) AS modifier, qty_milli AS qty
       FROM recipe_line ORDER BY stock_id, position`,
  )
  const promotions = db.prepare<[], Row>(
    `SELECT location_id, id, title, active, channel, service_mode, weekdays, from_time AS "from", until_time AS "until",
            valid_from, valid_until, min_subtotal_milli AS min_subtotal, percent_ppm AS percent, amount_milli AS amount
       FROM promotion WHERE position >= 0 ORDER BY position, id`,
  )

  const describe = db.transaction(() => {
    const modifiersOf = children(modifiers.all(), 'group_id')
    const variationPricesOf = children(variationPrices.all(), 'modifier_id')
    const modifierAllergensOf = children(modifierAllergens.all(), 'modifier_id')
    const labelsOf = groupBy(itemLabels.all(), row => row.item_id)
    const taxRatesOf = children(taxRates.all(), 'location_id')
    const zonesOf = children(zones.all(), 'location_id')
    const tablesOf = children(tables.all(), 'location_id')
    const variationsOf = children(variations.all(), 'item_id')
    const groupsOf = children(itemGroups.all(), 'item_id')
    const allergensOf = children(itemAllergens.all(), 'item_id')
    const itemsOf = children(items.all(), 'category_id')
    const locationItemsOf = children(locationItems.all(), 'location_id')
    const locationVariationsOf = children(locationVariations.all(), 'location_id')
    const stationsOf = children(stations.all(), 'location_id')
    const routingOf = children(routing.all(), 'location_id')
    const stockOf = children(stock.all(), 'location_id')
    const recipeOf = children(recipes.all(), 'stock_id')
    const promotionsOf = children(promotions.all(), 'location_id')
    return {
      site: {
        title: null,
        timezone: null,
        ...Object.fromEntries(site.all().map(({ key, value }) => [key, value])),
        languages: JSON.parse(languages.get() ?? '[]'),
      },
      tax_classes: taxClasses.all().map(described),
      labels: labels.all().map(described),
      allergens: allergens.all().map(described),
      modifier_groups: groups.all().map(group => ({
        ...described(group),
        modifiers: modifiersOf(group.id).map(modifier => ({
          ...modifier,
          variation_prices: variationPricesOf(modifier.id),
          allergens: modifierAllergensOf(modifier.id),
        })),
      })),
      categories: categories.all().map(category => ({
        ...described(category),
        items: itemsOf(category.id).map(item => ({
          ...item,
          labels: (labelsOf.get(Number(item.id)) ?? []).map(row => row.label_id),
          variations: variationsOf(item.id),
          modifier_groups: groupsOf(item.id),
          allergens: allergensOf(item.id),
        })),
      })),
      locations: locations.all().map(location => ({
        ...described(location),
        tax_rates: taxRatesOf(location.id),
        delivery_zones: zonesOf(location.id),
        tables: tablesOf(location.id),
        items: locationItemsOf(location.id),
        variations: locationVariationsOf(location.id),
        stations: stationsOf(location.id),
        routing: routingOf(location.id),
        stock: stockOf(location.id).map(entry => ({ ...entry, recipe: recipeOf(entry.id) })),
        promotions: promotionsOf(location.id),
      })),
    }
  })
  // The columns above are the members of the format; a test imports an export and compares.
  return () => describe() as unknown as RestaurantFile
}

/** Rows grouped by the parent that a column names, without that column. */
function children(rows: Row[], parent: string): (id: unknown) => Record<string, unknown>[] {
  const byParent = new Map<unknown, Record<string, unknown>[]>()
  for (const { [parent]: id, ...row } of rows) {
    const siblings = byParent.get(id) ?? []
    siblings.push(described(row))
    byParent.set(id, siblings)
  }
  return id => byParent.get(id) ?? []
}

function described(row: Row): Record<string, unknown> {
  const members = Object.entries(row).map(([column, value]) => {
    if (flags.has(column)) return [column, value === 1]
    return [column, json.has(column) ? JSON.parse(String(value)) : value]
  })
  return Object.fromEntries(members)
}
