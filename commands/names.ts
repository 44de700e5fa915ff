import type { MenuPart } from '../store/catalogue/availability.ts'
import type { Endpoint } from '../store/outbox/endpoints.ts'
import type { Store } from '../store/store.ts'
import { parseInstant } from '../store/terms/clock.ts'
import type { ItemId, LocationId, ModifierId, StationId, StockId, TableId, VariationId } from '../store/terms/ids.ts'
import { positive } from './command.ts'

/** Something that is named by its id or by a unique name. */
interface Named<Id> {
  id: Id
  /** How its id is written; by default the id itself. */
  key?: string
  title: string
  /** A second name. */
  code?: string
  /** Where it is, to distinguish several with the same title. */
  where?: string
}

const MOST_CANDIDATES = 10

/**
 * The id of the thing with this id, this name, or a name that contains this text. Otherwise a sentence that says that there is
 * none, or lists those that match.
 */
function idOf<Id extends number | object>(kind: string, things: Named<Id>[], text: string): Id | string {
  const keyOf = ({ id, key = String(id) }: Named<Id>) => key
  const byKey = things.find(thing => keyOf(thing) === text)
  if (byKey) return byKey.id
  if (positive(text) !== undefined) return `There is no ${kind} ${text}.`
  const wanted = folded(text)
  const names = ({ title, code }: Named<Id>) => [folded(title), ...(code === undefined ? [] : [folded(code)])]
  const whole = things.filter(thing => names(thing).includes(wanted))
  const found = whole.length > 0 ? whole : things.filter(({ title }) => wanted !== '' && folded(title).includes(wanted))
  const [only, ...others] = found
  if (!only) return `There is no ${kind} "${text}".`
  if (others.length === 0) return only.id
  const shown = found
    .slice(0, MOST_CANDIDATES)
    .map(thing => `${keyOf(thing)} (${thing.title}${thing.where ? `, ${thing.where}` : ''})`)
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

/** A dish by its id, a size or an option by "size:3" or "option:3", or any of them by name; a size also as "Latte (Large)". */
export function menuPartNamed(store: Store, text: string): MenuPart | string {
  const { categories, modifier_groups } = store.exportCatalogue()
  const parts: Named<MenuPart>[] = [
    ...categories.flatMap(category =>
      category.items.flatMap(dish => [
        {
          id: { kind: 'item' as const, id: dish.id as ItemId },
          key: String(dish.id),
          title: dish.title,
          where: category.title,
        },
        ...dish.variations.map(({ id, title }) => ({
          id: { kind: 'variation' as const, id: id as VariationId },
          key: `size:${id}`,
          title,
          code: `${dish.title} (${title})`,
          where: dish.title,
        })),
      ]),
    ),
    ...modifier_groups.flatMap(group =>
      group.modifiers.map(({ id, title }) => ({
        id: { kind: 'modifier' as const, id: id as ModifierId },
        key: `option:${id}`,
        title,
        where: group.title,
      })),
    ),
  ]
  return idOf('item', parts, text)
}

/**
 * A time in an option, by the clock of a location or (null) of the site; an instant of null: the option was not given.
 * Otherwise a sentence that says how to write a time.
 */
export function timeNamed(
  { catalogue, settings }: Store,
  location: LocationId | null,
  text: string | undefined,
  now: number,
): { instant: number | null; zone: string } | string {
  const { locations } = catalogue.current()
  const zone = locations.find(({ id }) => id === location)?.timezone ?? settings.current().timezone
  const instant = text === undefined ? null : parseInstant(text, { zone, now, day: 'next' })
  return instant === undefined
    ? `"${text}" is not a time; write it like 18:00, 2026-11-20 18:00 (${zone}) or 2026-11-20T18:00Z.`
    : { instant, zone }
}

export function stationNamed(store: Store, text: string): StationId | string {
  const stations = store
    .exportCatalogue()
    .locations.flatMap(location =>
      location.stations.map(({ id, title }) => ({ id: id as StationId, title, where: location.title })),
    )
  return idOf('station', stations, text)
}

/** A table of one location. */
export function tableNamed(store: Store, locationId: LocationId, text: string): TableId | string {
  const tables = store.catalogue.current().menu(locationId)?.location.tables ?? []
  return idOf('table', tables, text)
}

export function stockNamed(store: Store, text: string): StockId | string {
  const stock = store.shelf.list().map(({ id, title, locationId }) => ({ id, title, where: `location ${locationId}` }))
  return idOf('stock item', stock, text)
}

/** An endpoint by its id, its URL, or a part of its URL. */
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
