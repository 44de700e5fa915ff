import { unavailableColumns, unavailableJson } from '../display/availability.ts'
import { minuteText } from '../display/instant.ts'
import type { Store } from '../store/store.ts'
import { type ItemId, type LocationId, parseId } from '../store/terms/ids.ts'
import { type Command, done, type Outcome, optionText, parseInstant, positive, refused } from './command.ts'
import { list as inColumns } from './layout.ts'

export const availability: Command = {
  usage: 'availability [LOCATION_ID|all ITEM_ID on|off [--until INSTANT]]',
  summary: 'the 86 list: show it, take an item off the menu (--until it comes back by itself), or put it back',
  options: { until: { type: 'string' } },
  run({ args: [where, what, state, ...rest], options, store }) {
    const until = optionText(options.until)
    if (where === undefined) return until === undefined ? list(store()) : undefined
    const location = where === 'all' ? null : parseId<LocationId>(positive(where))
    const item = parseId<ItemId>(positive(what))
    const isCall = location !== undefined && item !== undefined && rest.length === 0
    if (!isCall || (state !== 'on' && state !== 'off') || (state === 'on' && until !== undefined)) return undefined

    const { availability: list86, catalogue, settings } = store()
    const zone =
      catalogue.current().locations.find(({ id }) => id === location)?.timezone ?? settings.current().timezone
    const instant = until === undefined ? null : parseInstant(until, zone)
    if (instant === undefined)
      return refused(`"${until}" is no instant; write it like 2026-11-20 19:42 or 2026-11-20T19:42Z.`)

    const refusal = state === 'on' ? list86.on(item, location) : list86.off(item, location, instant)
    if (refusal) return refused(refusal)
    const place = location === null ? 'everywhere' : `at location ${location}`
    const end = instant === null ? '' : ` until ${minuteText(instant, zone)} (${zone})`
    return {
      ...list(store()),
      text: `Item ${item} is ${state} ${place}${end}.${stillOff(store(), item, location, state)}`,
    }
  },
}

/** Says so when an item that was put back at one place is still off because of the other. */
function stillOff(store: Store, item: ItemId, location: LocationId | null, state: string): string {
  if (state === 'off') return ''
  const others = store.availability.list().filter(entry => entry.itemId === item && entry.locationId !== location)
  const blocking = others.filter(entry => location === null || entry.locationId === null)
  if (blocking.length === 0) return ''
  return ` It is still off ${blocking.map(({ locationId }) => (locationId === null ? 'everywhere' : `at location ${locationId}`)).join(', ')}.`
}

function list(store: Store): Outcome {
  const entries = store.availability.list()
  const columns = unavailableColumns(store.settings.current().timezone)
  return done(
    entries.length === 0 ? 'Nothing is off the menu.' : inColumns(columns, entries),
    entries.map(unavailableJson),
  )
}
