import type { LoggedAttempt, LostEvent } from '../store/outbox/delivery-log.ts'
import { type Column, count, words } from './cell.ts'
import { instantJson, secondText } from './instant.ts'
import { orderNumber } from './order.ts'

const stateTexts: Record<LoggedAttempt['state'], string> = {
  pending: 'waiting',
  started: 'under way',
  received: 'received',
  lost: 'LOST',
}

/** The delivery log of section 6; instants are shown in a time zone. */
export function attemptColumns(zone: string): Column<LoggedAttempt>[] {
  return [
    { key: 'at', head: 'at', cell: attempt => words(secondText(attempt.createdAt, zone)) },
    { key: 'type', head: 'event', cell: attempt => words(attempt.type) },
    { key: 'order_id', head: 'order', cell: attempt => count(attempt.orderId) },
    { key: 'state', head: '', cell: attempt => words(stateTexts[attempt.state]) },
    { key: 'reason', head: '', cell: attempt => words(endingText(attempt)) },
    { key: 'ms', head: 'took', cell: ({ tookMs }) => (tookMs === null ? words(null) : count(tookMs, 'ms')) },
    { key: 'signed', head: 'signed', cell: attempt => words(signedText(attempt)) },
    { key: 'endpoint_id', head: 'endpoint', cell: attempt => count(attempt.endpointId) },
    { key: 'url', head: '', cell: attempt => words(attempt.url) },
    { key: 'delivery_id', head: 'delivery', cell: attempt => words(attempt.deliveryId) },
  ]
}

/** The events that must be handled by hand; instants are shown in a time zone. */
export function lostColumns(zone: string): Column<LostEvent>[] {
  return [
    { key: 'at', head: 'at', cell: event => words(secondText(event.createdAt, zone)) },
    { key: 'type', head: 'event', cell: event => words(event.type) },
    { key: 'order_number', head: 'order', cell: event => words(orderNumber(event.orderNumber)) },
    { key: 'order_id', head: 'id', cell: event => count(event.orderId) },
    { key: 'why', head: 'why', cell: event => words(lossText(event)) },
  ]
}

/** The same events for programs, with instants in UTC. */
export const lostCsvColumns: Column<LostEvent>[] = [
  { key: 'at', head: 'at', cell: event => words(instantJson(event.createdAt)) },
  { key: 'type', head: 'event', cell: event => words(event.type) },
  { key: 'delivery_id', head: 'delivery', cell: event => words(event.deliveryId) },
  { key: 'order_id', head: 'id', cell: event => count(event.orderId) },
  { key: 'order_number', head: 'order', cell: event => words(orderNumber(event.orderNumber)) },
  { key: 'location_id', head: 'location', cell: event => count(event.locationId) },
  { key: 'why', head: 'why', cell: event => words(lossText(event)) },
]

/** The HTTP status or the reason for a failure; both if the response started with a success status. */
export function endingText({ status, reason }: Pick<LoggedAttempt, 'status' | 'reason'>): string {
  const responded = status === null ? [] : [`HTTP ${status}`]
  return [...responded, ...(reason === null ? [] : [reason])].join(', ')
}

function signedText({ signatures }: LoggedAttempt): string {
  if (signatures === null) return ''
  if (signatures === 0) return 'unsigned'
  return signatures === 1 ? 'v1, sha256' : `v1 (${signatures}), sha256`
}

function lossText({ attempts }: LostEvent): string {
  return attempts.map(attempt => `endpoint ${attempt.endpointId}: ${endingText(attempt)}`).join('; ')
}

/** The names of the signature schemes, with which the values of the two headers begin. */
export function schemesOf(signatures: number | null): string[] {
  return signatures === null || signatures === 0 ? [] : ['v1', 'sha256']
}

export function attemptJson(attempt: LoggedAttempt) {
  const { signatures, startedAt, response } = attempt
  return {
    id: attempt.id,
    at: instantJson(attempt.createdAt),
    type: attempt.type,
    delivery_id: attempt.deliveryId,
    order_id: attempt.orderId,
    endpoint_id: attempt.endpointId,
    url: attempt.url,
    state: attempt.state,
    received: attempt.state === 'received',
    attempted_at: startedAt === null ? null : instantJson(startedAt),
    status: attempt.status,
    reason: attempt.reason,
    ms: attempt.tookMs,
    signed: signatures === null ? null : signatures > 0,
    schemes: schemesOf(signatures),
    response: response === null ? null : response.toString('utf8'),
  }
}

export function lostJson(event: LostEvent) {
  return {
    at: instantJson(event.createdAt),
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
