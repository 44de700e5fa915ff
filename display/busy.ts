import type { Busy } from '../store/kitchen/busy.ts'
import { type Column, words } from './cell.ts'
import { instantJson, sinceText, zonedText } from './instant.ts'

/** The busy locations at an instant; instants are shown in each location's time zone. */
export function busyColumns(now: number): Column<Busy>[] {
  return [
    { key: 'location_id', head: 'location', cell: ({ locationId }) => words(String(locationId)) },
    { key: 'title', head: '', cell: ({ title }) => words(title) },
    { key: 'minutes', head: '', cell: ({ minutes }) => words(`${minutes} min more`) },
    { key: 'since', head: '', cell: ({ since, timezone }) => words(sinceText(since, timezone, now)) },
    { key: 'by', head: '', cell: ({ actor }) => words(`by ${actor}`) },
    {
      key: 'until',
      head: '',
      cell: ({ until, timezone }) =>
        words(until === null ? 'until it is ended' : `until ${zonedText(until, timezone)}`),
    },
  ]
}

export function busyJson({ locationId, title, minutes, since, until, actor }: Busy) {
  return {
    location_id: locationId,
    title,
    minutes,
    since: instantJson(since),
    until: until === null ? null : instantJson(until),
    by: actor,
  }
}
