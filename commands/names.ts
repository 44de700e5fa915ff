import type { Endpoint } from '../store/outbox/endpoints.ts'
import type { Store } from '../store/store.ts'
import type { ItemId, LocationId, StationId, StockId } from '../store/terms/ids.ts'
import { positive } from './command.ts'

/** Something that a person names by its id, or by a name that nothing else has. */
interface Named<Id> {
  id: Id
  title: string
  /** A second name. */
  code?: string
  /** Where it is, when there are several of its title. */
  where?: string
}

const MOST_CANDIDATES = 10

/**
 * The id of what a person names: by the id, by a whole name, or by a part of one. Otherwise a sentence that says that there
 * is none, or which there are.
 */
function idOf<Id extends number>(kind: string, things: Named<Id>[], text: string): Id | string {
  if (positive(text) !== undefined)
    return things.find(({ id }) => id === Number(text))?.id ?? `There is no ${kind} ${text}.`
  const wanted = folded(text)
  const names = ({ title, code }: Named<Id>) => [folded(title), ...(code === undefined ? [] : [folded(code)])]
  const whole = things.filter(thing => names(thing).includes(wanted))
  const found = whole.length > 0 ? whole : things.filter(({ title }) => wanted !== '' && folded(title).includes(wanted))
  const [only, ...others] = found
  if (!only) return `There is no ${kind} "${text}".`
  if (others.length === 0) return only.id
  const shown = found
    .slice(0, MOST_CANDIDATES)
    .map(({ id, title, where }) => `${id} (${title}${where ? `, ${where}` : ''})`)
  const more = found.length > shown.length ? ` and ${found.length - shown.length} more` : ''
  return `"${text}" could be ${kind} ${shown.join(', ')}${more}; name it by its id.`
}

function folded(text: string): string {
  return text.normalize('NFC').trim().toLowerCase()
}

export function locationNamed(store: Store, text: string): LocationId | string {
  const { locations } = store.exportCatalogue()
  const named = locations.map(({ id, title, code }) => ({ id: id as LocationId, title, code, where: code }))
  return idOf('location', named, text)
}

export function itemNamed(store: Store, text: string): ItemId | string {
  const items = store
    .exportCatalogue()
    .categories.flatMap(category =>
      category.items.map(({ id, title }) => ({ id: id as ItemId, title, where: category.title })),
    )
  return idOf('item', items, text)
}

export function stationNamed(store: Store, text: string): StationId | string {
  const stations = store
    .exportCatalogue()
    .locations.flatMap(location =>
      location.stations.map(({ id, title }) => ({ id: id as StationId, title, where: location.title })),
    )
  return idOf('station', stations, text)
}

export function stockNamed(store: Store, text: string): StockId | string {
  const stock = store.shelf.list().map(({ id, title, locationId }) => ({ id, title, where: `location ${locationId}` }))
  return idOf('stock item', stock, text)
}

/** An endpoint by its id, its URL or a part of that. */
export function endpointNamed({ webhooks }: Store, text: string): Endpoint | string {
  const endpoints = webhooks.endpoints.list()
  const id = idOf(
    'endpoint',
    endpoints.map(({ id, url }) => ({ id, title: url })),
    text,
  )
  if (typeof id !== 'string') return endpoints.find(endpoint => endpoint.id === id) ?? `There is no endpoint ${id}.`
  return `${id} "webhooks endpoints" lists them.`
}
