import { type Change, changeKinds } from '../store/restaurant-file/changes.ts'
import { decimalText } from '../store/terms/money.ts'
import { type Column, count, words } from './cell.ts'

// Members of a restaurant file that are stored as integers of their smallest unit.
const prices = new Set([
  'price',
  'delivery_fee',
  'free_delivery_from',
  'minimum_delivery',
  'fee',
  'minimum',
  'min_subtotal',
  'amount',
])
const rates = new Set(['tax_rate', 'takeaway_tax_rate', 'rate', 'takeaway_rate', 'service_charge_rate', 'percent'])
const quantities = new Set(['qty', 'low_at'])

/** What an import changes, with a row for each record, the same on a page, in a terminal, in CSV and in JSON. */
export const changeColumns: Column<Change>[] = [
  { key: 'change', head: 'change', cell: ({ kind }) => words(kind) },
  { key: 'thing', head: 'of', cell: ({ thing }) => words(thing) },
  { key: 'id', head: 'id', cell: ({ id }) => count(id || null) },
  { key: 'title', head: 'name', cell: ({ title, of }) => words(of === null ? title : `${title} (${of})`) },
  { key: 'details', head: 'from → to', cell: change => words(detailsText(change)) },
]

/** "loses the allergen Nuts; price 8.50 → 8.90" */
function detailsText({ fields, lostAllergens }: Change): string {
  const lost = lostAllergens.map(title => `loses the allergen ${title}`)
  const changed = fields.map(({ field, was, became }) =>
    was === null && became === null ? field : `${field} ${valueText(field, was)} → ${valueText(field, became)}`,
  )
  return [...lost, ...changed].join('; ')
}

/** A value as text; of a list or an object, all its values. */
function valueText(member: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return figureText(member, value)
  if (typeof value !== 'object') return String(value)
  const isList = Array.isArray(value)
  const parts = Object.entries(value)
    .filter(([, each]) => each !== null)
    .map(
      ([key, each]) =>
        (isList || key === 'id' || key === 'title' ? '' : keyText(key)) + valueText(isList ? member : key, each),
    )
  return parts.length === 0 ? 'none' : parts.join(isList ? ', ' : ' ')
}

/** Titles and prices are clear without their member names; limits, days and languages are not. */
function keyText(key: string): string {
  return ['variation', 'item', 'modifier', 'presence', 'price', 'qty'].includes(key) ? '' : `${key} `
}

function figureText(member: string, value: number): string {
  if (prices.has(member)) return value % 10 === 0 ? decimalText(value / 10, 2) : decimalText(value, 3)
  if (rates.has(member)) return `${value / 10_000} %`
  return String(quantities.has(member) ? value / 1000 : value)
}

/** A change in JSON: prices in major units, rates in percent, as in a restaurant file. */
export function changeJson({ kind, thing, id, title, of, fields, lostAllergens }: Change) {
  return {
    change: kind,
    thing,
    id,
    title,
    of,
    fields: fields.map(({ field, was, became }) => ({
      field,
      was: valueJson(field, was),
      became: valueJson(field, became),
    })),
    lost_allergens: lostAllergens,
  }
}

function valueJson(member: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(each => valueJson(member, each))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, valueJson(key, each)]))
  }
  if (typeof value !== 'number') return value
  if (rates.has(member)) return value / 10_000
  return prices.has(member) || quantities.has(member) ? value / 1000 : value
}

/** "Added: 1 item; changed: 2 items. Fewer allergens are shown for Soup. Location 1 is no longer published."; "Nothing changes." */
export function changesText(changes: Change[]): string {
  if (changes.length === 0) return 'Nothing changes.'
  const kinds = changeKinds.flatMap(kind => {
    const ofKind = changes.filter(change => change.kind === kind)
    const things = [...new Set(ofKind.map(({ thing }) => thing))]
    const counts = things.map(thing => {
      const count = ofKind.filter(change => change.thing === thing).length
      if (thing === 'restaurant') return 'the restaurant itself'
      return `${count} ${count === 1 ? thing : pluralOf(thing)}`
    })
    return counts.length === 0 ? [] : [`${kind}: ${counts.join(', ')}`]
  })
  const losing = changes.filter(({ lostAllergens }) => lostAllergens.length > 0).map(({ title }) => title)
  const warning = losing.length > 0 ? ` Fewer allergens are shown for ${losing.join(', ')}.` : ''
  return [`${kinds.join('; ').replace(/^./, first => first.toUpperCase())}.${warning}`, ...consequences(changes)].join(
    ' ',
  )
}

/** What a change of the restaurant stops or shifts for guests at once. */
function consequences(changes: Change[]): string[] {
  return changes.flatMap(({ kind, thing, id, fields }) => {
    if (thing === 'location' && (kind === 'unpublished' || kind === 'removed')) {
      return `Location ${id} is no longer published.`
    }
    const zone = thing === 'restaurant' && fields.find(({ field }) => field === 'timezone')
    return zone ? `The site's time zone changes from ${zone.was ?? 'none'} to ${zone.became ?? 'none'}.` : []
  })
}

function pluralOf(thing: Change['thing']): string {
  if (thing === 'item at a location') return 'items at locations'
  if (thing === 'size at a location') return 'sizes at locations'
  return thing === 'tax class' ? 'tax classes' : `${thing}s`
}
