import { instantJson, minuteText } from '../display/instant.ts'
import type { ClosedStation } from '../store/kitchen/closed-stations.ts'
import type { Store } from '../store/store.ts'
import { type Command, done, misused, type Outcome, optionText, refused } from './command.ts'
import { oneLine } from './layout.ts'
import { stationNamed, timeNamed } from './names.ts'

export const station: Command = {
  usage: 'station [STATION open|close --to OTHER [--until TIME|opened]]',
  summary: `list the stations that are closed for now, close one, so that another prepares its dishes, or open it again
      --until: when it opens automatically, such as 18:00; "opened": only by "open"; by default when the next day starts`,
  takes: ['STATION?', 'open|close?'],
  options: { to: { type: 'string' }, until: { type: 'string' } },
  run({ args: [name, verb], options, clock, store }) {
    const [to, until] = [options.to, options.until].map(optionText)
    if (name === undefined) return list(store())
    if (verb !== 'open' && verb !== 'close') return misused('Say what to do with the station: open or close.')
    const id = stationNamed(store(), name)
    if (typeof id === 'string') return refused(id)
    if (verb === 'open') {
      if (to !== undefined || until !== undefined) return misused('--to and --until go with close.')
      const refusal = store().stations.open(id)
      return refusal ? refused(refusal) : list(store())
    }
    if (to === undefined) return misused('--to is missing: name the station that prepares its dishes instead.')
    const toId = stationNamed(store(), to)
    if (typeof toId === 'string') return refused(toId)
    const { locations, kitchen } = store().catalogue.current()
    const location = locations.find(each => kitchen(each.id)?.stations.some(known => known.id === id))
    const end = timeNamed(store(), location?.id ?? null, until === 'opened' ? undefined : until, clock.now())
    if (typeof end === 'string') return refused(end)
    const refusal = store().stations.close(id, toId, until === undefined ? undefined : end.instant)
    return refusal ? refused(refusal) : list(store())
  },
}

function list(store: Store): Outcome {
  const closed = store.stations.closed()
  const text = closed.length === 0 ? 'Every station is open.' : closed.map(closedText).join('\n')
  return done(text, closed.map(closedJson))
}

function closedText({ title, toTitle, until, timezone, actor }: ClosedStation): string {
  const ending = until === null ? 'until it is opened' : `until ${minuteText(until, timezone)} (${timezone})`
  return oneLine(`${title} is closed ${ending}; ${toTitle} prepares its dishes (${actor})`)
}

function closedJson({ id, title, toId, toTitle, locationId, since, until, actor }: ClosedStation) {
  return {
    station_id: id,
    station: title,
    to_station_id: toId,
    to_station: toTitle,
    location_id: locationId,
    since: instantJson(since),
    until: until === null ? null : instantJson(until),
    by: actor,
  }
}
