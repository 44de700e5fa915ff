import type { Db } from '../file/open.ts'
import { recipeTarget } from '../restaurant-file/kitchen-and-stock.ts'
import type { GroupEntry, ItemEntry, LocationEntry, RestaurantFile } from '../restaurant-file/restaurant-file.ts'
import { stockMovements } from '../stock/movements.ts'
import type { Clock } from '../terms/clock.ts'
import type { StockId } from '../terms/ids.ts'
import { hoursOf } from '../terms/opening.ts'

/**
 * Returns the function that makes the catalogue equal to a restaurant file, as a part of the transaction that is open. The
 * file must be without problems. What it leaves out is unpublished or detached, never deleted, because orders point at it, and
 * with `isComplete` not exported any more, either; live state stays as it is unless the file names it (docs/restaurant-file.md).
 */
export function catalogueWriter(db: Db, clock: Clock): (file: RestaurantFile, isComplete: boolean) => void {
  const hideAll = ['category', 'item', 'location', 'promotion', 'station'].map(table =>
    db.prepare(`UPDATE ${table} SET position = -1`),
  )
  const forgetAll = [
    'UPDATE tax_class SET position = NULL',
    'UPDATE label SET position = NULL',
    'UPDATE allergen SET position = NULL',
    'UPDATE modifier_group SET position = NULL',
    'UPDATE modifier SET group_id = NULL',
    // What an export shows must not point at classes and languages that the file no longer has.
    'UPDATE category SET published = 0, tax_class_id = NULL, translations = NULL',
    'UPDATE item SET published = 0, tax_class_id = NULL, translations = NULL',
    'UPDATE variation SET item_id = NULL',
    'UPDATE location SET published = 0',
    'UPDATE promotion SET active = 0',
    'UPDATE station SET active = 0, is_default = 0',
    'UPDATE stock_item SET position = NULL',
    'UPDATE dining_table SET position = NULL',
    'DELETE FROM routing_rule',
    'DELETE FROM recipe_line',
    'DELETE FROM item_modifier_group',
    'DELETE FROM item_allergen',
    'DELETE FROM item_label',
    'DELETE FROM modifier_allergen',
    'DELETE FROM modifier_variation_price',
    'DELETE FROM location_tax_rate',
    'DELETE FROM delivery_zone',
    'DELETE FROM location_item',
    'DELETE FROM location_variation',
  ].map(sql => db.prepare(sql))

  const saveSetting = upsert(db, 'setting', 'key, value')
  const forgetSetting = db.prepare<[string]>('DELETE FROM setting WHERE key = ?')
  const saveTaxClass = upsert(db, 'tax_class', 'id, title, position')
  const saveLabel = upsert(db, 'label', 'id, code, title, translations, position')
  const saveAllergen = upsert(db, 'allergen', 'id, title, translations, position')
  const saveGroup = upsert(
    db,
    'modifier_group',
    'id, title, selection_type, min_select, max_select, free_quantity, translations, position',
  )
  const saveModifier = upsert(
    db,
    'modifier',
    'id, group_id, title, price_milli, is_default, max_quantity, published, translations, position',
  )
  const saveModifierAllergen = upsert(db, 'modifier_allergen', 'modifier_id, allergen_id, presence, position')
  const saveVariationPrice = upsert(db, 'modifier_variation_price', 'modifier_id, variation_id, price_milli')
  const saveCategory = upsert(db, 'category', 'id, title, description, tax_class_id, published, translations, position')
  const saveItem = upsert(
    db,
    'item',
    `id, category_id, number, title, description, price_milli, tax_class_id, published, image, prep_time_minutes, calories,
     spice_level, is_alcohol, minimum_age, translations, position`,
  )
  const saveVariation = upsert(
    db,
    'variation',
    'id, item_id, title, price_milli, is_default, published, translations, position',
  )
  const saveItemGroup = upsert(db, 'item_modifier_group', 'item_id, group_id, min_select, max_select, position')
  const saveItemAllergen = upsert(db, 'item_allergen', 'item_id, allergen_id, presence, position')
  const saveItemLabel = upsert(db, 'item_label', 'item_id, label_id, position')
  const saveLocation = upsert(
    db,
    'location',
    `id, code, title, published, address, phone, currency, timezone, service_modes, opening_hours, opening_periods,
     closed_dates, tax_ppm, takeaway_tax_ppm, prices_include_tax, service_charge_ppm, service_charge_modes,
     service_charge_taxable, delivery_fee_milli, free_delivery_from_milli, delivery_fee_taxable, minimum_delivery_milli,
     day_starts_at, position`,
  )
  const saveTaxRate = upsert(db, 'location_tax_rate', 'location_id, tax_class_id, rate_ppm, takeaway_ppm')
  const saveZone = upsert(db, 'delivery_zone', 'id, location_id, title, postcodes, fee_milli, minimum_milli, position')
  const saveTable = upsert(db, 'dining_table', 'id, location_id, title, position')
  const saveLocationItem = upsert(db, 'location_item', 'location_id, item_id, enabled, price_milli')
  const saveLocationVariation = upsert(db, 'location_variation', 'location_id, variation_id, price_milli')
  const savePromotion = upsert(
    db,
    'promotion',
    `id, location_id, title, active, channel, service_mode, weekdays, from_time, until_time, valid_from, valid_until,
     min_subtotal_milli, percent_ppm, amount_milli, position`,
  )
  const saveStation = upsert(db, 'station', 'id, location_id, title, is_default, active, position')
  const saveRule = upsert(
    db,
    'routing_rule',
    'id, location_id, priority, item_id, category_id, channel, service_mode, stations, position',
  )
  const saveStock = upsert(db, 'stock_item', 'id, location_id, title, unit, low_at_milli, position')
  const saveRecipe = upsert(db, 'recipe_line', 'stock_id, kind, target_id, qty_milli, position')
  const movements = stockMovements(db)
  const switchOff = db.prepare<{ item: number; location: number; now: number }>(
    `INSERT INTO unavailable (kind, target_id, location_id, since_at) VALUES ('item', @item, @location, @now)
     ON CONFLICT DO UPDATE SET until_at = NULL`,
  )
  const switchOn = db.prepare<[number, number]>(
    `DELETE FROM unavailable WHERE kind = 'item' AND target_id = ? AND location_id = ?`,
  )

  /** `location` 0 is everywhere; `available` null is as it was. */
  function setAvailability(item: number, location: number, available: boolean | null): void {
    if (available === true) switchOn.run(item, location)
    if (available === false) switchOff.run({ item, location, now: clock.now() })
  }

  function importGroup(position: number, group: GroupEntry): void {
    saveGroup({ ...translated(group), position })
    for (const [at, modifier] of group.modifiers.entries()) {
      saveModifier({ ...translated(modifier), group_id: group.id, price_milli: modifier.price, position: at })
      for (const [index, allergen] of modifier.allergens.entries()) {
        saveModifierAllergen({ ...allergen, modifier_id: modifier.id, allergen_id: allergen.id, position: index })
      }
    }
  }

  function importItem(category: number, position: number, item: ItemEntry): void {
    saveItem({
      ...translated(item),
      category_id: category,
      price_milli: item.price,
      tax_class_id: item.tax_class,
      position,
    })
    for (const [at, variation] of item.variations.entries()) {
      saveVariation({ ...translated(variation), item_id: item.id, price_milli: variation.price, position: at })
    }
    for (const [at, label] of item.labels.entries()) saveItemLabel({ item_id: item.id, label_id: label, position: at })
    for (const [at, group] of item.modifier_groups.entries()) {
      saveItemGroup({ ...group, item_id: item.id, group_id: group.id, position: at })
    }
    for (const [at, allergen] of item.allergens.entries()) {
      saveItemAllergen({ ...allergen, item_id: item.id, allergen_id: allergen.id, position: at })
    }
    setAvailability(item.id, 0, item.available)
  }

  function importLocation(position: number, location: LocationEntry): void {
    saveLocation({
      ...location,
      opening_hours: location.opening_periods ? hoursOf(location.opening_periods) : location.opening_hours,
      tax_ppm: location.tax_rate,
      takeaway_tax_ppm: location.takeaway_tax_rate,
      service_charge_ppm: location.service_charge_rate,
      delivery_fee_milli: location.delivery_fee,
      free_delivery_from_milli: location.free_delivery_from,
      minimum_delivery_milli: location.minimum_delivery,
      position,
    })
    for (const { tax_class, rate, takeaway_rate } of location.tax_rates) {
      saveTaxRate({ location_id: location.id, tax_class_id: tax_class, rate_ppm: rate, takeaway_ppm: takeaway_rate })
    }
    for (const [at, zone] of location.delivery_zones.entries()) {
      saveZone({ ...zone, location_id: location.id, fee_milli: zone.fee, minimum_milli: zone.minimum, position: at })
    }
    for (const [at, table] of location.tables.entries()) {
      saveTable({ ...table, location_id: location.id, position: at })
    }
    for (const item of location.items) {
      saveLocationItem({ ...item, location_id: location.id, item_id: item.id, price_milli: item.price })
      setAvailability(item.id, location.id, item.available)
    }
    for (const variation of location.variations) {
      saveLocationVariation({ location_id: location.id, variation_id: variation.id, price_milli: variation.price })
    }
    for (const [at, promotion] of location.promotions.entries()) {
      savePromotion({
        ...promotion,
        location_id: location.id,
        from_time: promotion.from,
        until_time: promotion.until,
        min_subtotal_milli: promotion.min_subtotal,
        percent_ppm: promotion.percent,
        amount_milli: promotion.amount,
        position: at,
      })
    }
  }

  function importHouse(location: LocationEntry): void {
    for (const [position, station] of location.stations.entries()) {
      saveStation({ ...station, location_id: location.id, position })
    }
    for (const [position, rule] of location.routing.entries()) {
      saveRule({ ...rule, location_id: location.id, item_id: rule.item, category_id: rule.category, position })
    }
    for (const [position, stock] of location.stock.entries()) {
      saveStock({ ...stock, location_id: location.id, low_at_milli: stock.low_at, position })
      for (const [at, line] of stock.recipe.entries()) {
        const named = recipeTarget(line)
        if (named) {
          saveRecipe({
            stock_id: stock.id,
            kind: named.kind,
            target_id: named.target,
            qty_milli: line.qty,
            position: at,
          })
        }
      }
      if (stock.on_hand !== null) {
        movements.count(stock.id as StockId, stock.on_hand * 1000, 'restaurant file', clock.now())
      }
    }
  }

  return (file, isComplete) => {
    for (const statement of [...forgetAll, ...(isComplete ? hideAll : [])]) statement.run()
    for (const [key, value] of Object.entries(file.site)) {
      if (value !== null) saveSetting({ key: `site.${key}`, value })
      else if (isComplete) forgetSetting.run(`site.${key}`)
    }
    for (const [position, taxClass] of file.tax_classes.entries()) saveTaxClass({ ...taxClass, position })
    for (const [position, label] of file.labels.entries()) saveLabel({ ...translated(label), position })
    for (const [position, allergen] of file.allergens.entries()) saveAllergen({ ...translated(allergen), position })
    for (const [position, group] of file.modifier_groups.entries()) importGroup(position, group)
    for (const [position, category] of file.categories.entries()) {
      saveCategory({ ...translated(category), tax_class_id: category.tax_class, position })
      for (const [at, item] of category.items.entries()) importItem(category.id, at, item)
    }
    for (const { id, variation_prices } of file.modifier_groups.flatMap(group => group.modifiers)) {
      for (const { variation, price } of variation_prices) {
        saveVariationPrice({ modifier_id: id, variation_id: variation, price_milli: price })
      }
    }
    for (const [position, location] of file.locations.entries()) {
      importLocation(position, location)
      importHouse(location)
    }
  }
}

/** An entry as it is kept: without any translation, nothing is. */
function translated<Entry extends { translations: object }>(entry: Entry) {
  return Object.keys(entry.translations).length > 0 ? entry : { ...entry, translations: null }
}

/** Returns the function that inserts a row, or makes the row with the same key equal to it; other members are ignored. */
function upsert(db: Db, table: string, list: string): (row: Record<string, unknown>) => void {
  const columns = list.split(/,\s+/)
  // Never the id, though it is the same: SQLite would look through every order and movement for those that refer to it.
  const changed = columns.filter(column => column !== 'id')
  const statement = db.prepare<Record<string, unknown>>(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(column => `@${column}`).join(', ')})
     ON CONFLICT DO UPDATE SET ${changed.map(column => `${column} = excluded.${column}`).join(', ')}`,
  )
  return row => void statement.run(Object.fromEntries(columns.map(column => [column, stored(row[column])])))
}

/** Flags are kept as 0 and 1, lists and objects as JSON. */
function stored(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
