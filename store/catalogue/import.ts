import type { Db } from '../file/open.ts'
import { recipeTarget } from '../restaurant-file/kitchen-and-stock.ts'
import type { GroupEntry, ItemEntry, LocationEntry, RestaurantFile } from '../restaurant-file/restaurant-file.ts'
import { stockMovements } from '../stock/movements.ts'
import type { Clock } from '../terms/clock.ts'
import type { StockId } from '../terms/ids.ts'
import { hoursOf } from '../terms/opening.ts'

/** A row of a restaurant. */
interface Row {
  table: Table
  key: unknown[]
  rest: unknown[]
}

interface Table {
  /** Inserts a row, or updates the row with the same key. */
  save(values: unknown[]): void
  /** Detaches, closes, hides or deletes a row that is no longer part of the restaurant. */
  forget(key: unknown[]): void
}

/** The difference between two restaurants: rows to forget, rows to save, and the live state that the file names. */
export interface Rewrite {
  forgotten: Row[]
  saved: Row[]
  live: (() => void)[]
}

/**
 * Writes restaurants into the tables. Rows that are no longer part of the restaurant are detached, closed or hidden from
 * exports, never deleted, if orders can refer to them. Only rows that differ are written, so that the lock is held briefly.
 */
export function catalogueWriter(db: Db, clock: Clock) {
  let rows = new Map<string, Row>()
  let live: (() => void)[] = []

  /** Columns are lists; `forgetting` is what is set in a kept row that is no longer part of the restaurant. */
  function table(name: string, keys: string, columns: string, forgetting?: string) {
    const own = keys.split(/,\s+/)
    const others = columns.split(/,\s+/)
    const isKey = own.map(column => `${column} = ?`).join(' AND ')
    const all = [...own, ...others]
    // Never the key, although it is the same: SQLite would search all orders and movements for references to it.
    const save = db.prepare<unknown[]>(
      `INSERT INTO ${name} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})
       ON CONFLICT DO UPDATE SET ${others.map(column => `${column} = excluded.${column}`).join(', ')}`,
    )
    const forget = db.prepare<unknown[]>(
      forgetting ? `UPDATE ${name} SET ${forgetting} WHERE ${isKey}` : `DELETE FROM ${name} WHERE ${isKey}`,
    )
    const itself: Table = {
      save: values => void save.run(...values),
      forget: key => void forget.run(...key),
    }
    return (record: Record<string, unknown>): void => {
      const key = own.map(column => stored(record[column]))
      rows.set(keyOf(name, key), { table: itself, key, rest: others.map(column => stored(record[column])) })
    }
  }

  const hidden = 'position = -1, published = 0'
  // An export must not refer to tax classes and languages that the restaurant no longer has.
  const hiddenAndPlain = `${hidden}, tax_class_id = NULL, translations = NULL`
  const saveSetting = table('setting', 'key', 'value')
  const saveTaxClass = table('tax_class', 'id', 'title, position', 'position = NULL')
  const saveLabel = table('label', 'id', 'code, title, translations, position', 'position = NULL')
  const saveAllergen = table('allergen', 'id', 'title, translations, position', 'position = NULL')
  const saveGroup = table(
    'modifier_group',
    'id',
    'title, selection_type, min_select, max_select, free_quantity, translations, position',
    'position = NULL',
  )
  const saveModifier = table(
    'modifier',
    'id',
    'group_id, title, price_milli, is_default, max_quantity, published, translations, position',
    'group_id = NULL',
  )
  const saveModifierAllergen = table('modifier_allergen', 'modifier_id, allergen_id', 'presence, position')
  const saveVariationPrice = table('modifier_variation_price', 'modifier_id, variation_id', 'price_milli')
  const saveCategory = table(
    'category',
    'id',
    'title, description, tax_class_id, published, translations, position',
    hiddenAndPlain,
  )
  const saveItem = table(
    'item',
    'id',
    `category_id, number, title, description, price_milli, tax_class_id, published, image, prep_time_minutes, calories,
     spice_level, is_alcohol, minimum_age, translations, position`,
    hiddenAndPlain,
  )
  const saveVariation = table(
    'variation',
    'id',
    'item_id, title, price_milli, is_default, published, translations, position',
    'item_id = NULL',
  )
  const saveItemGroup = table('item_modifier_group', 'item_id, group_id', 'min_select, max_select, position')
  const saveItemAllergen = table('item_allergen', 'item_id, allergen_id', 'presence, position')
  const saveItemLabel = table('item_label', 'item_id, label_id', 'position')
  const saveLocation = table(
    'location',
    'id',
    `code, title, published, address, phone, currency, timezone, service_modes, opening_hours, opening_periods,
     closed_dates, tax_ppm, takeaway_tax_ppm, prices_include_tax, service_charge_ppm, service_charge_modes,
     service_charge_taxable, delivery_fee_milli, free_delivery_from_milli, delivery_fee_taxable, minimum_delivery_milli,
     day_starts_at, position`,
    hidden,
  )
  const saveTaxRate = table('location_tax_rate', 'location_id, tax_class_id', 'rate_ppm, takeaway_ppm')
  const saveZone = table('delivery_zone', 'id', 'location_id, title, postcodes, fee_milli, minimum_milli, position')
  const saveTable = table('dining_table', 'id', 'location_id, title, position', 'position = NULL')
  const saveLocationItem = table('location_item', 'location_id, item_id', 'enabled, price_milli')
  const saveLocationVariation = table('location_variation', 'location_id, variation_id', 'price_milli')
  const savePromotion = table(
    'promotion',
    'id',
    `location_id, title, active, channel, service_mode, weekdays, from_time, until_time, valid_from, valid_until,
     min_subtotal_milli, percent_ppm, amount_milli, position`,
    'position = -1, active = 0',
  )
  const saveStation = table(
    'station',
    'id',
    'location_id, title, is_default, active, position',
    'position = -1, active = 0, is_default = 0',
  )
  const saveRule = table(
    'routing_rule',
    'id',
    'location_id, priority, item_id, category_id, channel, service_mode, stations, position',
  )
  const saveStock = table('stock_item', 'id', 'location_id, title, unit, low_at_milli, position', 'position = NULL')
  const saveRecipe = table('recipe_line', 'stock_id, kind, target_id', 'qty_milli, position')
  const movements = stockMovements(db)
  const switchOff = db.prepare<{ item: number; location: number; now: number }>(
    `INSERT INTO unavailable (kind, target_id, location_id, since_at) VALUES ('item', @item, @location, @now)
     ON CONFLICT DO UPDATE SET until_at = NULL`,
  )
  const switchOn = db.prepare<[number, number]>(
    `DELETE FROM unavailable WHERE kind = 'item' AND target_id = ? AND location_id = ?`,
  )

  /** `location` 0: everywhere; `available` null: unchanged. */
  function setAvailability(item: number, location: number, available: boolean | null): void {
    if (available === true) live.push(() => switchOn.run(item, location))
    if (available === false) live.push(() => switchOff.run({ item, location, now: clock.now() }))
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

  function importKitchenAndStock(location: LocationEntry): void {
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
      const { on_hand } = stock
      if (on_hand !== null) {
        live.push(() => movements.count(stock.id as StockId, on_hand * 1000, 'restaurant file', clock.now()))
      }
    }
  }

  /** The rows of a restaurant, each after the rows that it refers to. */
  function rowsOf(file: RestaurantFile): Map<string, Row> {
    rows = new Map()
    live = []
    for (const [key, value] of Object.entries(file.site)) {
      if (value !== null) saveSetting({ key: `site.${key}`, value })
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
      importKitchenAndStock(location)
    }
    return rows
  }

  // Databases of earlier versions have gaps where a file left something out.
  const positions = ['category', 'item', 'location', 'promotion', 'station'].map(name => ({
    name,
    select: db.prepare<[], { id: number; position: number }>(`SELECT id, position FROM ${name} WHERE position >= 0`),
  }))

  return {
    /** The difference between the present restaurant, as it is exported now, and another one. */
    rewrite(present: RestaurantFile, next: RestaurantFile): Rewrite {
      const before = rowsOf(present)
      for (const { name, select } of positions) {
        for (const { id, position } of select.all()) before.get(keyOf(name, [id]))?.rest.splice(-1, 1, position)
      }
      const after = rowsOf(next)
      const differs = ([key, { rest }]: [string, Row]) => JSON.stringify(before.get(key)?.rest) !== JSON.stringify(rest)
      return {
        forgotten: [...before].filter(([key]) => !after.has(key)).map(([, row]) => row),
        saved: [...after].filter(differs).map(([, row]) => row),
        live,
      }
    },

    /** Applies a difference within the open transaction. */
    run({ forgotten, saved, live }: Rewrite): void {
      for (const { table, key } of forgotten) table.forget(key)
      for (const { table, key, rest } of saved) table.save([...key, ...rest])
      for (const change of live) change()
    },
  }
}

function keyOf(table: string, key: unknown[]): string {
  return `${table} ${key.join(' ')}`
}

/** Translations as they are stored; NULL if there are none. */
function translated<Entry extends { translations: object }>(entry: Entry) {
  return Object.keys(entry.translations).length > 0 ? entry : { ...entry, translations: null }
}

/** Flags are stored as 0 and 1, lists and objects as JSON. */
function stored(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
