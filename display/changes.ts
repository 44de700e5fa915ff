import { type Change, changeKinds } from '../store/restaurant-file/changes.ts'
import { decimalText } from '../store/terms/money.ts'
import { type Column, count, words } from './cell.ts'
import { writing } from './formats.ts'
import { type Language, sentences } from './language.ts'
import { memberText, thingText } from './member.ts'

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

/** "loses the allergen Nuts; price 8.50 → 8.90". Without a language, members have their names in the file, as in the terminal. */
export function detailsText({ fields, lostAllergens }: Change, language?: Language): string {
  const w = changeWords[language ?? 'en']
  const nameOf = (member: string) => (language === undefined ? member : memberText(member, language))

  /** A value as text; of a list or an object, all its values. */
  function valueText(member: string, value: unknown): string {
    if (value === null || value === undefined || value === '') return w.none
    if (typeof value === 'boolean') return value ? w.yes : w.no
    if (typeof value === 'number') return figureText(member, value, language ?? 'en')
    if (typeof value !== 'object') return String(value)
    const isList = Array.isArray(value)
    const parts = Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([key, each]) => {
        const isClear = isList || clear.has(key)
        return (isClear ? '' : `${nameOf(key)} `) + valueText(isList ? member : key, each)
      })
    return parts.length === 0 ? w.none : parts.join(isList ? ', ' : ' ')
  }

  const lost = lostAllergens.map(w.loses)
  const changed = fields.map(({ field, was, became }) =>
    was === null && became === null
      ? nameOf(field)
      : `${nameOf(field)} ${valueText(field, was)} → ${valueText(field, became)}`,
  )
  return [...lost, ...changed].join('; ')
}

// Limits, days and languages are not clear without the names of their members.
const clear = new Set(['id', 'title', 'variation', 'item', 'modifier', 'presence', 'price', 'qty'])

function figureText(member: string, value: number, language: Language): string {
  const { number } = writing[language]
  if (prices.has(member)) {
    const price = value % 10 === 0 ? decimalText(value / 10, 2) : decimalText(value, 3)
    return language === 'en' ? price : price.replace('.', ',')
  }
  if (rates.has(member)) return `${number(value / 10_000)} %`
  return number(quantities.has(member) ? value / 1000 : value)
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
export function changesText(changes: Change[], language: Language = 'en'): string {
  const w = changeWords[language]
  if (changes.length === 0) return w.nothing
  const kinds = changeKinds.flatMap(kind => {
    const ofKind = changes.filter(change => change.kind === kind)
    const things = [...new Set(ofKind.map(({ thing }) => thing))]
    const counts = things.map(thing => {
      const count = ofKind.filter(change => change.thing === thing).length
      return thing === 'restaurant' ? w.itself : `${count} ${thingText(thing, count, language)}`
    })
    return counts.length === 0 ? [] : [`${w[kind]}: ${counts.join(', ')}`]
  })
  const losing = changes.filter(({ lostAllergens }) => lostAllergens.length > 0).map(({ title }) => title)
  return [
    `${kinds.join('; ').replace(/^./, first => first.toUpperCase())}.`,
    ...(losing.length > 0 ? [w.fewerAllergens(losing.join(', '))] : []),
    ...consequences(changes, language),
  ].join(' ')
}

/** What a change of the restaurant stops or shifts for guests at once. */
function consequences(changes: Change[], language: Language): string[] {
  const w = changeWords[language]
  return changes.flatMap(({ kind, thing, id, fields }) => {
    if (thing === 'location' && (kind === 'unpublished' || kind === 'removed')) return w.noLongerPublished(id)
    const zone = thing === 'restaurant' && fields.find(({ field }) => field === 'timezone')
    return zone ? w.otherZone(`${zone.was ?? w.none}`, `${zone.became ?? w.none}`) : []
  })
}

/** "item: added" */
export function changeName({ kind, thing }: Pick<Change, 'kind' | 'thing'>, language: Language): string {
  return `${thingText(thing, 1, language)}: ${changeWords[language][kind]}`
}

const changeWords = sentences({
  none: { en: 'none', de: 'keine Angabe', pt: 'nada' },
  yes: { en: 'yes', de: 'ja', pt: 'sim' },
  no: { en: 'no', de: 'nein', pt: 'não' },
  loses: {
    en: (title: string) => `loses the allergen ${title}`,
    de: title => `verliert das Allergen ${title}`,
    pt: title => `perde o alergénio ${title}`,
  },
  nothing: { en: 'Nothing changes.', de: 'Es ändert sich nichts.', pt: 'Nada muda.' },
  added: { en: 'added', de: 'neu', pt: 'adicionado' },
  changed: { en: 'changed', de: 'geändert', pt: 'alterado' },
  unpublished: { en: 'unpublished', de: 'nicht mehr veröffentlicht', pt: 'já não publicado' },
  removed: { en: 'removed', de: 'entfernt', pt: 'removido' },
  itself: { en: 'the restaurant itself', de: 'das Restaurant selbst', pt: 'o próprio restaurante' },
  fewerAllergens: {
    en: (titles: string) => `Fewer allergens are shown for ${titles}.`,
    de: titles => `Weniger Allergene werden angezeigt für ${titles}.`,
    pt: titles => `São indicados menos alergénios em ${titles}.`,
  },
  noLongerPublished: {
    en: (id: number) => `Location ${id} is no longer published.`,
    de: id => `Standort ${id} ist nicht mehr veröffentlicht.`,
    pt: id => `O local ${id} deixa de estar publicado.`,
  },
  otherZone: {
    en: (was: string, became: string) => `The site's time zone changes from ${was} to ${became}.`,
    de: (was, became) => `Die Zeitzone der Website ändert sich von ${was} zu ${became}.`,
    pt: (was, became) => `O fuso horário do site muda de ${was} para ${became}.`,
  },
})
