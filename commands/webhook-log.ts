import { orderNumber } from '../routes/api/orders.ts'
import type { LoggedAttempt, LostEvent } from '../store/outbox/delivery-log.ts'
import { timeZone } from '../store/terms/clock.ts'
import { type EndpointId, parseId } from '../store/terms/ids.ts'
import { type CommandCall, counted, done, type Outcome, optionText, positive, refused, table } from './command.ts'

/** `webhooks log`: the recent delivery attempts of section 6, newest first. */
export function log({ args, options, store }: CommandCall): Outcome | undefined {
  const last = options.last === undefined ? 20 : positive(optionText(options.last))
  if (args.length > 0 || last === undefined) return undefined
  const attempts = store().webhooks.log.last({ count: last, failedOnly: options.failed === true })
  const zone = timeZone(store().settings.current().timezone)
  const rows = attempts.map(attempt => {
    const { date, time } = zone.at(attempt.createdAt)
    return [
      `${date} ${time}`,
      attempt.type,
      attempt.orderId === null ? 'no order' : `order ${attempt.orderId}`,
      stateText[attempt.state],
      howItEnded(attempt),
      attempt.tookMs === null ? '' : `${attempt.tookMs} ms`,
      signedText(attempt),
      `${attempt.endpointId} ${attempt.url}`,
      attempt.deliveryId,
    ]
  })
  return done(rows.length === 0 ? 'No attempts.' : table(rows), attempts.map(attemptJson))
}

/** `webhooks lost`: the events to catch up with by hand, as a list or as CSV. */
export function lost({ args, options, store }: CommandCall): Outcome | undefined {
  const endpointId = options.endpoint === undefined ? null : parseId<EndpointId>(positive(optionText(options.endpoint)))
  if (args.length > 0 || endpointId === undefined) return undefined
  if (endpointId !== null && !store().webhooks.endpoints.byId(endpointId)) {
    return refused(`There is no endpoint ${endpointId}. See: webhooks endpoints`)
  }
  const events = store().webhooks.log.lost(endpointId)
  const json = events.map(lostJson)
  if (options.csv === true) return done(csv(events), json)
  const zone = timeZone(store().settings.current().timezone)
  const rows = events.map(event => {
    const { date, time } = zone.at(event.createdAt)
    return [`${date} ${time}`, event.type, `order ${event.orderId}`, orderNumber(event.orderNumber), whyLost(event)]
  })
  const summary =
    endpointId === null
      ? `${counted(events.length, 'event')} that no endpoint received.`
      : `${counted(events.length, 'event')} that endpoint ${endpointId} did not receive.`
  return done(rows.length === 0 ? summary : `${table(rows)}\n${summary}`, json)
}

const stateText: Record<LoggedAttempt['state'], string> = {
  pending: 'waiting',
  started: 'under way',
  received: 'received',
  lost: 'LOST',
}

/** The HTTP status or the reason, or both when the answer began well. */
export function howItEnded({ status, reason }: Pick<LoggedAttempt, 'status' | 'reason'>): string {
  const answered = status === null ? [] : [`HTTP ${status}`]
  return [...answered, ...(reason === null ? [] : [reason])].join(', ')
}

function signedText({ signatures }: LoggedAttempt): string {
  if (signatures === null) return ''
  if (signatures === 0) return 'unsigned'
  return signatures === 1 ? 'signed v1 sha256' : `signed v1 (${signatures}) sha256`
}

/** The names of the schemes, as they begin the values of the two headers. */
export function schemesOf(signatures: number | null): string[] {
  return signatures === null || signatures === 0 ? [] : ['v1', 'sha256']
}

function attemptJson(attempt: LoggedAttempt) {
  const { signatures, startedAt, response } = attempt
  return {
    id: attempt.id,
    at: new Date(attempt.createdAt).toISOString(),
    type: attempt.type,
    delivery_id: attempt.deliveryId,
    order_id: attempt.orderId,
    endpoint_id: attempt.endpointId,
    url: attempt.url,
    state: attempt.state,
    received: attempt.state === 'received',
    attempted_at: startedAt === null ? null : new Date(startedAt).toISOString(),
    status: attempt.status,
    reason: attempt.reason,
    ms: attempt.tookMs,
    signed: signatures === null ? null : signatures > 0,
    schemes: schemesOf(signatures),
    response: response === null ? null : response.toString('utf8'),
  }
}

function lostJson(event: LostEvent) {
  return {
    at: new Date(event.createdAt).toISOString(),
    type: event.type,
    delivery_id: event.deliveryId,
    order_id: event.orderId,
    order_number: orderNumber(event.orderNumber),
    location_id: event.locationId,
    attempts: event.attempts.map(({ endpointId, url, status, reason }) => ({
      endpoint_id: endpointId,
      url,
      status,
      reason,
    })),
  }
}

function whyLost({ attempts }: LostEvent): string {
  return attempts.map(attempt => `endpoint ${attempt.endpointId}: ${howItEnded(attempt)}`).join('; ')
}

function csv(events: LostEvent[]): string {
  const rows = events.map(event => {
    const { at, type, delivery_id, order_id, order_number, location_id } = lostJson(event)
    return [at, type, delivery_id, String(order_id), order_number, String(location_id), whyLost(event)]
  })
  return [['at', 'type', 'delivery_id', 'order_id', 'order_number', 'location_id', 'why'], ...rows]
    .map(row => row.map(cell => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
    .join('\n')
}
