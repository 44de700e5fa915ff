import type { Unavailable } from '../store/catalogue/availability.ts'
import type { Pause } from '../store/catalogue/pauses.ts'
import { type Column, words } from './cell.ts'
import { instantJson, minuteText, sinceText } from './instant.ts'

/** The 86 list at an instant; instants are shown in a time zone. */
export function unavailableColumns(zone: string, now: number): Column<Unavailable>[] {
  return [
    { key: 'location_id', head: 'location', cell: ({ locationId }) => words(String(locationId ?? 'all')) },
    { key: 'id', head: 'item', cell: entry => words(keyOf(entry)) },
    { key: 'title', head: '', cell: ({ title }) => words(title) },
    { key: 'of', head: '', cell: entry => words(entry.of === null ? null : `of ${entry.of}`) },
    { key: 'since', head: '', cell: ({ since }) => words(sinceText(since, zone, now)) },
    { key: 'by', head: '', cell: ({ actor }) => words(actor === null ? null : `by ${actor}`) },
    {
      key: 'until',
      head: '',
      cell: ({ until }) =>
        words(until === null ? 'until it is put back' : `until ${minuteText(until, zone)} (${zone})`),
    },
  ]
}

/** The id of a dish, or "size:3", "option:3". */
function keyOf({ kind, id }: Unavailable): string {
  if (kind === 'item') return String(id)
  return `${kind === 'variation' ? 'size' : 'option'}:${id}`
}

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
  return [
    { key: 'location_id', head: 'location', cell: ({ locationId }) => words(String(locationId)) },
    { key: 'title', head: '', cell: ({ title }) => words(title) },
    { key: 'since', head: '', cell: ({ since, timezone }) => words(sinceText(since, timezone, now)) },
    { key: 'by', head: '', cell: ({ actor }) => words(`by ${actor}`) },
    {
      key: 'until',
      head: '',
      cell: ({ until, timezone }) =>
        words(until === null ? 'until it is resumed' : `until ${minuteText(until, timezone)} (${timezone})`),
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
