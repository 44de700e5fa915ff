import type { Unavailable } from '../store/catalogue/availability.ts'
import type { Pause } from '../store/catalogue/pauses.ts'
import { type Column, words } from './cell.ts'
import { writing } from './formats.ts'
import { instantJson, sinceText } from './instant.ts'
import { type Language, sentences } from './language.ts'
import { partText } from './terms.ts'

/** The 86 list at an instant; instants are shown in a time zone. */
export function unavailableColumns(zone: string, now: number): Column<Unavailable>[] {
  const w = availabilityWords.en
  return [
    { key: 'location_id', head: 'location', cell: ({ locationId }) => words(String(locationId ?? w.everywhere)) },
    { key: 'id', head: 'item', cell: entry => words(keyOf(entry)) },
    { key: 'title', head: '', cell: ({ title }) => words(title) },
    { key: 'of', head: '', cell: entry => words(entry.of === null ? null : w.of(entry.of)) },
    { key: 'since', head: '', cell: ({ since }) => words(sinceText(since, zone, now)) },
    { key: 'by', head: '', cell: ({ actor }) => words(actor === null ? null : w.by(actor)) },
    { key: 'until', head: '', cell: ({ until }) => words(untilText(until, zone)) },
  ]
}

/** The id of a dish, or "size:3", "option:3". */
function keyOf({ kind, id }: Unavailable): string {
  return kind === 'item' ? String(id) : `${partText(kind)}:${id}`
}

/** "until 2026-11-20 19:42 (Europe/Lisbon)", "until it is put back" */
export function untilText(until: number | null, zone: string, language: Language = 'en'): string {
  const w = availabilityWords[language]
  return until === null ? w.untilPutBack : w.until(writing[language].moment(until, zone))
}

/** "86 since 18:40 by Ana, until it is put back" */
export function offText(
  { since, until, actor }: Pick<Unavailable, 'since' | 'until' | 'actor'>,
  zone: string,
  now: number,
  language: Language,
): string {
  const w = availabilityWords[language]
  const by = actor === null ? '' : ` ${w.by(actor)}`
  return `${w.off} ${sinceText(since, zone, now, language)}${by}, ${untilText(until, zone, language)}`
}

/** "orders paused since 18:40 by Ana, until they are resumed" */
export function pauseText({ since, until, actor, timezone }: Pause, now: number, language: Language): string {
  const w = availabilityWords[language]
  const end = until === null ? w.untilResumed : w.until(writing[language].moment(until, timezone))
  return `${w.paused} ${sinceText(since, timezone, now, language)} ${w.by(actor)}, ${end}`
}

const availabilityWords = sentences({
  everywhere: { en: 'all', de: 'alle', pt: 'todos' },
  of: { en: (title: string) => `of ${title}`, de: title => `zu ${title}`, pt: title => `de ${title}` },
  by: { en: (actor: string) => `by ${actor}`, de: actor => `durch ${actor}`, pt: actor => `por ${actor}` },
  until: { en: (end: string) => `until ${end}`, de: end => `bis ${end}`, pt: end => `até ${end}` },
  untilPutBack: { en: 'until it is put back', de: 'bis auf Weiteres', pt: 'até ser reposto' },
  untilResumed: { en: 'until it is resumed', de: 'bis auf Weiteres', pt: 'até serem retomados' },
  off: { en: '86', de: 'aus', pt: 'esgotado' },
  paused: { en: 'orders paused', de: 'Bestellungen angehalten', pt: 'pedidos em pausa' },
})

export function unavailableJson(entry: Unavailable) {
  const { kind, id, itemId, title, locationId, since, until, actor } = entry
  return {
    location_id: locationId,
    item_id: kind === 'item' ? id : itemId,
    variation_id: kind === 'variation' ? id : null,
    modifier_id: kind === 'modifier' ? id : null,
    title,
    of: entry.of,
    since: instantJson(since),
    until: until === null ? null : instantJson(until),
    by: actor,
  }
}

/** The paused locations at an instant; instants are shown in each location's time zone. */
export function pauseColumns(now: number): Column<Pause>[] {
  const w = availabilityWords.en
  return [
    { key: 'location_id', head: 'location', cell: ({ locationId }) => words(String(locationId)) },
    { key: 'title', head: '', cell: ({ title }) => words(title) },
    { key: 'since', head: '', cell: ({ since, timezone }) => words(sinceText(since, timezone, now)) },
    { key: 'by', head: '', cell: ({ actor }) => words(w.by(actor)) },
    {
      key: 'until',
      head: '',
      cell: ({ until, timezone }) =>
        words(until === null ? w.untilResumed : w.until(writing.en.moment(until, timezone))),
    },
  ]
}

export function pauseJson({ locationId, title, since, until, actor }: Pause) {
  return {
    location_id: locationId,
    title,
    since: instantJson(since),
    until: until === null ? null : instantJson(until),
    by: actor,
  }
}
