import type { Unavailable } from '../store/catalogue/availability.ts'
import { type Column, count, words } from './cell.ts'
import { instantJson, minuteText } from './instant.ts'

/** The 86 list; instants are those of a zone. */
export function unavailableColumns(zone: string): Column<Unavailable>[] {
  return [
    { key: 'location_id', head: 'location', cell: ({ locationId }) => words(String(locationId ?? 'all')) },
    { key: 'item_id', head: 'item', cell: ({ itemId }) => count(itemId) },
    { key: 'title', head: '', cell: ({ title }) => words(title) },
    {
      key: 'until',
      head: '',
      cell: ({ until }) =>
        words(until === null ? 'until it is put back' : `until ${minuteText(until, zone)} (${zone})`),
    },
  ]
}

export function unavailableJson({ itemId, title, locationId, since, until }: Unavailable) {
  return {
    location_id: locationId,
    item_id: itemId,
    title,
    since: instantJson(since),
    until: until === null ? null : instantJson(until),
  }
}
