import { unavailableColumns, unavailableJson } from '../display/availability.ts'
import { minuteText } from '../display/instant.ts'
import type { MenuPart } from '../store/catalogue/availability.ts'
import type { Store } from '../store/store.ts'
import type { LocationId } from '../store/terms/ids.ts'
import { type Command, done, misused, type Outcome, optionText, refused } from './command.ts'
import { list as inColumns } from './layout.ts'
import { locationNamed, menuPartNamed, timeNamed } from './names.ts'

export const availability: Command = {
  usage: 'availability [LOCATION|all ITEM on|off [--until TIME]]',
  summary: `the 86 list: show it, take a dish, a size or an option off the menu, or put it back; LOCATION and ITEM are ids
      or names; the ids of sizes and options are written size:3 and option:3
      --until: when it comes back by itself, "18:00" (the next time the clock there shows it) or "2026-11-20 18:00"`,
  takes: ['LOCATION?', 'ITEM?', 'on|off?'],
  options: { until: { type: 'string' } },
  run({ args: [where, what, state], options, clock, store }) {
    const until = optionText(options.until)
    if (where === undefined)
      return until === undefined ? list(store(), clock.now()) : misused('--until goes with an item that is off.')
    if (what === undefined) return misused('ITEM is missing.')
    if (state !== 'on' && state !== 'off')
      return misused(`${state === undefined ? '' : `Not "${state}": `}say on or off.`)
    if (state === 'on' && until !== undefined) return misused('--until goes with off only.')

    const { availability: list86 } = store()
    const location = where === 'all' ? null : locationNamed(store(), where)
    if (typeof location === 'string') return refused(location)
    const part = menuPartNamed(store(), what)
    if (typeof part === 'string') return refused(part)
    const end = timeNamed(store(), location, until, clock.now())
    if (typeof end === 'string') return refused(end)

    const refusal = state === 'on' ? list86.on(part, location) : list86.off(part, location, end.instant)
    if (refusal) return refused(refusal)
    const place = location === null ? 'everywhere' : `at location ${location}`
    const ending = end.instant === null ? '' : ` until ${minuteText(end.instant, end.zone)} (${end.zone})`
    return {
      ...list(store(), clock.now()),
      text: `${kinds[part.kind]} ${part.id} is ${state} ${place}${ending}.${stillOff(store(), part, location, state)}`,
    }
  },
}

const kinds = { item: 'Item', variation: 'Size', modifier: 'Option' }

/** A warning when something was put back in one place but is still off because of the other. */
function stillOff(store: Store, part: MenuPart, location: LocationId | null, state: string): string {
  if (state === 'off') return ''
  const blocking = store.availability
    .list()
    .filter(entry => entry.kind === part.kind && entry.id === part.id && entry.locationId !== location)
    .filter(entry => location === null || entry.locationId === null)
  if (blocking.length === 0) return ''
  return ` It is still off ${blocking.map(({ locationId }) => (locationId === null ? 'everywhere' : `at location ${locationId}`)).join(', ')}.`
}

function list(store: Store, now: number): Outcome {
  const entries = store.availability.list()
  const columns = unavailableColumns(store.settings.current().timezone, now)
  return done(
    entries.length === 0 ? 'Nothing is off the menu.' : inColumns(columns, entries),
    entries.map(unavailableJson),
  )
}
