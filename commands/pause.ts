import { pauseColumns, pauseJson } from '../display/availability.ts'
import { minuteText } from '../display/instant.ts'
import type { Store } from '../store/store.ts'
import { type Command, done, misused, type Outcome, optionText, refused } from './command.ts'
import { list as inColumns } from './layout.ts'
import { locationNamed, timeNamed } from './names.ts'

export const pause: Command = {
  usage: 'pause [LOCATION [--until TIME]]',
  summary: `stop taking orders from guests at a location for now, or list the paused locations; staff can still enter orders
      --until: when it ends automatically, "18:00" (the next time the clock there shows it) or "2026-11-20 18:00"`,
  takes: ['LOCATION?'],
  options: { until: { type: 'string' } },
  run({ args: [where], options, clock, store }) {
    const until = optionText(options.until)
    if (where === undefined) {
      return until === undefined ? list(store(), clock.now()) : misused('--until goes with a location.')
    }
    const location = locationNamed(store(), where)
    if (typeof location === 'string') return refused(location)
    const end = timeNamed(store(), location, until, clock.now())
    if (typeof end === 'string') return refused(end)
    const refusal = store().pauses.pause(location, end.instant)
    if (refusal) return refused(refusal)
    const ending = end.instant === null ? '' : ` until ${minuteText(end.instant, end.zone)} (${end.zone})`
    return { ...list(store(), clock.now()), text: `Location ${location} does not take orders from guests${ending}.` }
  },
}

export const resume: Command = {
  usage: 'resume LOCATION',
  summary: 'end the pause of a location',
  takes: ['LOCATION'],
  run({ args: [where = ''], clock, store }) {
    const location = locationNamed(store(), where)
    if (typeof location === 'string') return refused(location)
    const wasPaused = store()
      .pauses.list()
      .some(({ locationId }) => locationId === location)
    const refusal = store().pauses.resume(location)
    if (refusal) return refused(refusal)
    const text = `Location ${location} ${wasPaused ? 'takes orders again' : 'is not paused'}.`
    return { ...list(store(), clock.now()), text }
  },
}

function list(store: Store, now: number): Outcome {
  const pauses = store.pauses.list()
  const text = pauses.length === 0 ? 'No location is paused.' : inColumns(pauseColumns(now), pauses)
  return done(text, pauses.map(pauseJson))
}
