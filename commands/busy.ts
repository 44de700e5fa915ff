import { busyColumns, busyJson } from '../display/busy.ts'
import { minuteText } from '../display/instant.ts'
import type { Store } from '../store/store.ts'
import { type Command, done, misused, type Outcome, optionText, positive, refused } from './command.ts'
import { list as inColumns } from './layout.ts'
import { locationNamed, timeNamed } from './names.ts'

export const busy: Command = {
  usage: 'busy [LOCATION MINUTES|off [--until TIME]]',
  summary: `tell guests of a location to wait so many minutes longer, or list the busy locations; guests can still order
      --until: when it ends automatically, "20:30" or "2026-11-20 20:30"; by default after an hour`,
  takes: ['LOCATION?', 'MINUTES?'],
  options: { until: { type: 'string' } },
  run({ args: [where, wanted], options, clock, store }) {
    const until = optionText(options.until)
    if (where === undefined) {
      return until === undefined ? list(store(), clock.now()) : misused('--until goes with a location.')
    }
    const minutes = positive(wanted)
    if (wanted !== 'off' && minutes === undefined) {
      return misused('After the location comes a number of minutes such as 20, or "off".')
    }
    const location = locationNamed(store(), where)
    if (typeof location === 'string') return refused(location)
    const end = timeNamed(store(), location, until, clock.now())
    if (typeof end === 'string') return refused(end)
    const refusal =
      minutes === undefined
        ? store().busy.end(location)
        : store().busy.begin(location, minutes, end.instant ?? undefined)
    if (refusal) return refused(refusal)
    const now = store().busy.at(location)
    const ending = now?.until ? ` until ${minuteText(now.until, now.timezone)} (${now.timezone})` : ''
    const text = now
      ? `Guests of location ${location} are told to wait ${now.minutes} minutes longer${ending}.`
      : `Location ${location} is not busy.`
    return { ...list(store(), clock.now()), text }
  },
}

function list(store: Store, now: number): Outcome {
  const locations = store.busy.list()
  return done(
    locations.length === 0 ? 'No location is busy.' : inColumns(busyColumns(now), locations),
    locations.map(busyJson),
  )
}
