import { csv } from '../display/csv.ts'
import { attemptColumns, attemptJson, lostColumns, lostCsvColumns, lostJson } from '../display/delivery.ts'
import { type CommandCall, counted, done, misused, type Outcome, optionText, positive, refused } from './command.ts'
import { list } from './layout.ts'
import { endpointNamed } from './names.ts'

/** `webhooks log`: the recent delivery attempts of section 6, newest first. */
export function log({ options, store }: CommandCall): Outcome {
  const last = options.last === undefined ? 20 : positive(optionText(options.last))
  if (last === undefined) return misused(`--last must be a whole number from 1, not "${options.last}".`)
  const attempts = store().webhooks.log.list({ failedOnly: options.failed === true }, last)
  const columns = attemptColumns(store().settings.current().timezone)
  return done(attempts.length === 0 ? 'No attempts.' : list(columns, attempts), attempts.map(attemptJson))
}

/** `webhooks lost`: the events that were not delivered and must be handled by hand, as a list or as CSV. */
export function lost({ options, store }: CommandCall): Outcome {
  const named = optionText(options.endpoint)
  const endpoint = named === undefined ? null : endpointNamed(store(), named)
  if (typeof endpoint === 'string') return refused(endpoint)
  const endpointId = endpoint?.id ?? null
  const events = store().webhooks.log.lost(endpointId)
  const json = events.map(lostJson)
  if (options.csv === true) {
    const table = csv(
      lostCsvColumns.map(({ key }) => key),
      events.map(event => lostCsvColumns.map(({ cell }) => cell(event))),
    )
    // Printing adds the last line break.
    return done(`${table}\r`, json)
  }
  const summary =
    endpointId === null
      ? `${counted(events.length, 'event')} that no endpoint received.`
      : `${counted(events.length, 'event')} that endpoint ${endpointId} did not receive.`
  const columns = lostColumns(store().settings.current().timezone)
  return done(events.length === 0 ? summary : `${list(columns, events)}\n${summary}`, json)
}
