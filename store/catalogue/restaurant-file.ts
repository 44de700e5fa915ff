import { channels, serviceModes } from '../terms/channels.ts'
import { isDate, isTimeZone, type Weekday, weekdays } from '../terms/clock.ts'
import type { Finding } from '../terms/finding.ts'
import { exponentOf } from '../terms/money.ts'
import type { OpeningHours } from './catalogue.ts'
import {
  decimal,
  type Format,
  flag,
  list,
  nullable,
  oneOf,
  optional,
  type Place,
  placeAt,
  record,
  recordId,
  required,
  text,
  textLike,
  type Value,
  whole,
} from './format.ts'
import { checkHouse, routingRule, station, stockItem } from './kitchen-and-stock.ts'

// The format of docs/restaurant-file.md, top to bottom as data. Prices become thousandths, rates millionths (C2).

// What the largest order can hold, in a currency of two decimals (decision A8).
const LARGEST_PRICE = 99_999_999.99

const id = required(recordId)
const title = required(text(200))
const price = decimal(3, { most: LARGEST_PRICE })
const percent = decimal(4, { most: 100 })
const published = optional(flag, true)
const timeOfDay = textLike(value => /^([01]\d|2[0-3]):[0-5]\d$/.test(value), 'must be a time of day such as 17:30')
const date = textLike(isDate, 'must be a date such as 2026-12-31')
const zone = textLike(isTimeZone, 'is not a time zone this system knows, such as Europe/Lisbon')
const modes = uniqueList(oneOf(serviceModes))

const openingHours: Format<OpeningHours> = {
  read(value, place) {
    const week = record(Object.fromEntries(weekdays.map(day => [day, nullable(dayHours)]))).read(value, place)
    const open = Object.entries(week).filter(([, hours]) => hours !== null)
    return Object.fromEntries(open)
  },
  write: value => value,
}

const openAndClose = record({ open: required(timeOfDay), close: required(timeOfDay) })

/** The contract lets an empty object mean closed, as null does. */
const dayHours: Format<OpeningHours[Weekday] | null> = {
  read(value, place) {
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
    return isEmpty ? null : openAndClose.read(value, place)
  },
  write: value => value,
}

const modifier = record({
  id,
  title,
  price: required(price),
  is_default: optional(flag, false),
  max_quantity: nullable(whole(1)),
  published,
})

const modifierGroup = record({
  id,
  title,
  selection_type: required(oneOf(['multiple', 'single'])),
  is_required: optional(flag, false),
  min_select: optional(whole(0), 0),
  max_select: optional(whole(0), 0),
  free_quantity: optional(whole(0), 0),
  modifiers: optional(list(modifier), []),
})

const variation = record({ id, title, price: required(price), is_default: optional(flag, false), published })

const item = record({
  id,
  title,
  description: nullable(text(2000)),
  price: required(price),
  published,
  available: nullable(flag),
  image: nullable(textLike(isImagePath, 'must be a path below SITE_ROOT such as images/soup.jpg')),
  prep_time_minutes: nullable(whole(0)),
  calories: nullable(whole(0)),
  spice_level: nullable(whole(0, 5)),
  is_alcohol: optional(flag, false),
  variations: optional(list(variation), []),
  modifier_groups: optional(list(record({ id, min_select: nullable(whole(0)), max_select: nullable(whole(0)) })), []),
  allergens: optional(list(record({ id, presence: required(oneOf(['contains', 'may_contain'])) })), []),
})

const category = record({ id, title, published, items: optional(list(item), []) })

const promotion = record({
  id,
  title,
  active: optional(flag, true),
  channel: nullable(oneOf(channels)),
  service_mode: nullable(oneOf(serviceModes)),
  weekdays: optional(uniqueList(oneOf(weekdays)), []),
  from: nullable(timeOfDay),
  until: nullable(timeOfDay),
  valid_from: nullable(date),
  valid_until: nullable(date),
  min_subtotal: nullable(price),
  percent: nullable(decimal(4, { most: 100, positive: true })),
  amount: nullable(decimal(3, { most: LARGEST_PRICE, positive: true })),
})

const location = record({
  id,
  code: required(text(20)),
  title,
  published,
  currency: required(
    textLike(value => exponentOf(value) !== undefined, 'is not an active ISO 4217 currency code, such as EUR'),
  ),
  timezone: required(zone),
  service_modes: optional(modes, []),
  opening_hours: optional(openingHours, {}),
  tax_rate: nullable(percent),
  prices_include_tax: optional(flag, false),
  service_charge_rate: optional(percent, 0),
  service_charge_modes: optional(modes, ['dine_in', 'qr']),
  service_charge_taxable: optional(flag, true),
  delivery_fee: optional(price, 0),
  free_delivery_from: nullable(price),
  delivery_fee_taxable: optional(flag, false),
  day_starts_at: optional(timeOfDay, '04:00'),
  items: optional(
    list(record({ id, enabled: optional(flag, true), available: nullable(flag), price: nullable(price) })),
    [],
  ),
  variations: optional(list(record({ id, price: nullable(price) })), []),
  stations: optional(list(station), []),
  routing: optional(list(routingRule), []),
  stock: optional(list(stockItem), []),
  promotions: optional(list(promotion), []),
})

const restaurantFile = record({
  site: optional(record({ title: nullable(text(200)), timezone: nullable(zone) }), { title: null, timezone: null }),
  allergens: optional(list(record({ id, title })), []),
  modifier_groups: optional(list(modifierGroup), []),
  categories: optional(list(category), []),
  locations: optional(list(location), []),
})

/** A whole restaurant: what `import` reads and `export` writes. Prices are thousandths, rates millionths. */
export type RestaurantFile = Value<typeof restaurantFile>
export type LocationEntry = RestaurantFile['locations'][number]
export type ItemEntry = RestaurantFile['categories'][number]['items'][number]
export type GroupEntry = RestaurantFile['modifier_groups'][number]

function isImagePath(value: string): boolean {
  const isRelative = /^[^/\\:?#\0]+(\/[^/\\:?#\0]+)*$/.test(value)
  return isRelative && !value.split('/').some(part => part === '..' || part === '.') && value.length <= 500
}

function uniqueList<T extends string>(format: Format<T>): Format<T[]> {
  const entries = list(format)
  return {
    read(value, place) {
      const values = entries.read(value, place)
      if (new Set(values).size === values.length) return values
      const isClean = Array.isArray(value) && values.every((entry, index) => entry === value[index])
      if (isClean) place.report('names something twice')
      return [...new Set(values)]
    },
    write: entries.write,
  }
}

/**
 * Reads the text of a restaurant file and finds every problem that it has, each with its JSON Pointer. Where there are
 * problems, the restaurant that is answered has stand-ins in their places and is good for nothing but more checks.
 */
export function parseRestaurantFile(source: string): { file: RestaurantFile; problems: Finding[] } {
  const problems: Finding[] = []
  const root = placeAt('', problems)
  const document = parseJson(source, root)
  const file = restaurantFile.read(problems.length > 0 ? {} : document, root)
  checkIds(file, root)
  checkGroups(file, root)
  checkReferences(file, root)
  checkPromotions(file, root)
  checkHouse(file, root)
  return { file, problems }
}

/** The inverse of `parseRestaurantFile`: what equals its default is left out, as a maintainer would write it. */
export function writeRestaurantFile(file: RestaurantFile): unknown {
  return restaurantFile.write(file)
}

function parseJson(source: string, root: Place): unknown {
  const text = source.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch {
    const before = text.slice(0, endOfGoodJson(text)).split('\n')
    const column = (before.at(-1) ?? '').length + 1
    root.report(`is not valid JSON: line ${before.length}, column ${column} is not as JSON wants it`)
    return undefined
  }
}

/** Where a faulty JSON text goes wrong. The platform's message does not always say, but it tells "cut off" from "wrong". */
function endOfGoodJson(text: string): number {
  let good = 0
  let bad = text.length + 1
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (couldGoOn(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return good
}

function couldGoOn(start: string): boolean {
  try {
    JSON.parse(start)
    return true
  } catch (error) {
    const message = String(error)
    return /Unexpected end|Unterminated/.test(message) || message.includes(`at position ${start.length}`)
  }
}

/** Ids are unique per kind across the whole file; a stand-in for a faulty id is no id. */
function checkIds(file: RestaurantFile, root: Place): void {
  function unique(kind: string) {
    const seen = new Set<number>()
    return (entries: { id: number }[], place: Place) => {
      for (const [index, entry] of entries.entries()) {
        if (entry.id !== 0 && seen.has(entry.id))
          place.at(index).at('id').report(`is the id of another ${kind} (${entry.id})`)
        seen.add(entry.id)
      }
    }
  }
  unique('allergen')(file.allergens, root.at('allergens'))

  unique('modifier group')(file.modifier_groups, root.at('modifier_groups'))
  const modifiers = unique('modifier')
  for (const [index, group] of file.modifier_groups.entries()) {
    modifiers(group.modifiers, root.at('modifier_groups').at(index).at('modifiers'))
  }

  unique('category')(file.categories, root.at('categories'))
  const items = unique('item')
  const variations = unique('variation')
  for (const [index, entry] of file.categories.entries()) {
    const place = root.at('categories').at(index).at('items')
    items(entry.items, place)
    for (const [at, { variations: sizes }] of entry.items.entries()) variations(sizes, place.at(at).at('variations'))
  }

  unique('location')(file.locations, root.at('locations'))
  const promotions = unique('promotion')
  const stations = unique('station')
  const rules = unique('routing rule')
  const stock = unique('stock item')
  for (const [index, entry] of file.locations.entries()) {
    const place = root.at('locations').at(index)
    promotions(entry.promotions, place.at('promotions'))
    stations(entry.stations, place.at('stations'))
    rules(entry.routing, place.at('routing'))
    stock(entry.stock, place.at('stock'))
  }
}

/** Applies the rules of decision D4 to each group, which may change it, and to each use of it on an item. */
function checkGroups(file: RestaurantFile, root: Place): void {
  const groups = new Map<number, GroupEntry>()
  for (const [index, group] of file.modifier_groups.entries()) {
    const place = root.at('modifier_groups').at(index)
    if (group.selection_type === 'single') group.max_select ||= 1
    if (group.is_required) group.min_select ||= 1
    group.is_required = group.min_select >= 1
    checkRange(group, group, place)
    groups.set(group.id, group)
  }
  for (const [categoryIndex, { items }] of file.categories.entries()) {
    for (const [itemIndex, entry] of items.entries()) {
      const place = root.at('categories').at(categoryIndex).at('items').at(itemIndex).at('modifier_groups')
      for (const [index, link] of entry.modifier_groups.entries()) {
        const group = groups.get(link.id)
        if (!group) continue
        if (group.selection_type === 'single' && link.max_select === 0) link.max_select = 1
        const isOverridden = link.min_select !== null || link.max_select !== null
        const range = {
          min_select: link.min_select ?? group.min_select,
          max_select: link.max_select ?? group.max_select,
        }
        if (isOverridden) checkRange(group, range, place.at(index))
      }
    }
  }
}

function checkRange(group: GroupEntry, range: { min_select: number; max_select: number }, place: Place): void {
  if (group.selection_type === 'single' && range.min_select > 1) {
    place.at('min_select').report('must be 0 or 1, because the group lets a guest choose a single option')
  } else if (group.selection_type === 'single' && range.max_select > 1) {
    place.at('max_select').report('must be 1, because the group lets a guest choose a single option')
  } else if (range.max_select !== 0 && range.max_select < range.min_select) {
    place.at('max_select').report(`is less than min_select (${range.min_select})`)
  }
  let most = 0
  for (const { max_quantity } of group.modifiers) most += max_quantity ?? Number.POSITIVE_INFINITY
  if (range.min_select > most) {
    place.at('min_select').report(`is more than the ${most} that all its modifiers together allow`)
  }
}

/** What is named must be there, and be named once in its list. */
function checkReferences(file: RestaurantFile, root: Place): void {
  const groups = idsOf(file.modifier_groups)
  const allergens = idsOf(file.allergens)
  const everyItem = file.categories.flatMap(({ items }) => items)
  const items = idsOf(everyItem)
  const variations = idsOf(everyItem.flatMap(entry => entry.variations))

  function check(entries: { id: number }[], known: Set<number>, what: string, place: Place): void {
    const named = new Set<number>()
    for (const [index, entry] of entries.entries()) {
      if (entry.id === 0) continue
      if (named.has(entry.id)) place.at(index).at('id').report(`names ${what} ${entry.id} a second time`)
      else if (!known.has(entry.id)) place.at(index).at('id').report(`there is no ${what} ${entry.id} in this file`)
      named.add(entry.id)
    }
  }
  for (const [categoryIndex, { items: entries }] of file.categories.entries()) {
    for (const [index, entry] of entries.entries()) {
      const place = root.at('categories').at(categoryIndex).at('items').at(index)
      check(entry.modifier_groups, groups, 'modifier group', place.at('modifier_groups'))
      check(entry.allergens, allergens, 'allergen', place.at('allergens'))
    }
  }
  for (const [index, entry] of file.locations.entries()) {
    const place = root.at('locations').at(index)
    check(entry.items, items, 'item', place.at('items'))
    check(entry.variations, variations, 'variation', place.at('variations'))
  }
}

function idsOf(entries: { id: number }[]): Set<number> {
  return new Set(entries.map(({ id: entryId }) => entryId))
}

function checkPromotions(file: RestaurantFile, root: Place): void {
  for (const [locationIndex, entry] of file.locations.entries()) {
    for (const [index, deal] of entry.promotions.entries()) {
      const place = root.at('locations').at(locationIndex).at('promotions').at(index)
      if ((deal.percent === null) === (deal.amount === null)) place.report('must have either percent or amount')
      if (deal.until !== null && deal.until !== '' && deal.until === (deal.from ?? '00:00')) {
        place.at('until').report('is the same time as from, so the promotion would never run')
      }
      if (deal.valid_from !== null && deal.valid_until !== null && deal.valid_until < deal.valid_from) {
        if (deal.valid_until !== '') place.at('valid_until').report('is before valid_from')
      }
    }
  }
}
