import type { Db } from '../file/open.ts'
import type { Clock } from '../terms/clock.ts'
import type { AttemptId, EndpointId, EventId, LocationId, OrderId } from '../terms/ids.ts'

/** One attempt, as the delivery log of section 6 shows it. */
export interface LoggedAttempt {
  id: AttemptId
  deliveryId: string
  type: string
  orderId: OrderId | null
  endpointId: EndpointId
  /** Without its query. */
  url: string
  state: 'pending' | 'started' | 'received' | 'lost'
  /** When the event was written. */
  createdAt: number
  startedAt: number | null
  /** How many secrets signed it; 0: unsigned, null: never attempted. */
  signatures: number | null
  tookMs: number | null
  status: number | null
  reason: string | null
  /** The beginning of the response body. */
  response: Buffer | null
}

/** An event that did not arrive, with the reasons. */
export interface LostEvent {
  deliveryId: string
  type: string
  orderId: OrderId
  orderNumber: number
  locationId: LocationId
  createdAt: number
  attempts: Pick<LoggedAttempt, 'endpointId' | 'url' | 'status' | 'reason'>[]
}

// Decision F8.
const KEPT_ATTEMPTS = 10_000
const KEPT_MS = 30 * 86_400_000

/** The results of deliveries, and how long they are kept. */
export function deliveryLog(db: Db, clock: Clock) {
  const selectLast = db.prepare<{ count: number; failedOnly: number }, LoggedAttempt>(
    `SELECT attempt.id, delivery_id AS deliveryId, type, order_id AS orderId, endpoint_id AS endpointId, url, state,
            event.created_at AS createdAt, started_at AS startedAt, signatures, took_ms AS tookMs, status, reason,
            response
       FROM webhook_attempt AS attempt JOIN webhook_event AS event ON event.id = event_id
      WHERE @failedOnly = 0 OR state = 'lost'
      ORDER BY attempt.id DESC LIMIT @count`,
  )
  const selectLost = db.prepare<{ endpointId: EndpointId | null }, Omit<LostEvent, 'attempts'> & { id: EventId }>(
    `SELECT event.id, delivery_id AS deliveryId, type, order_id AS orderId, orders.number AS orderNumber,
            orders.location_id AS locationId, event.created_at AS createdAt
       FROM webhook_event AS event JOIN orders ON orders.id = order_id
      WHERE CASE WHEN @endpointId IS NULL
              THEN NOT EXISTS (SELECT 1 FROM webhook_attempt WHERE event_id = event.id AND state <> 'lost')
              ELSE EXISTS (SELECT 1 FROM webhook_attempt
                            WHERE event_id = event.id AND state = 'lost' AND endpoint_id = @endpointId) END
      ORDER BY event.id`,
  )
  const selectLosses = db.prepare<[EventId], LostEvent['attempts'][number]>(
    `SELECT endpoint_id AS endpointId, url, status, reason FROM webhook_attempt
      WHERE event_id = ? AND state = 'lost' ORDER BY endpoint_id`,
  )
  const deleteSurplus = db.prepare<[number]>(
    `DELETE FROM webhook_attempt WHERE id IN (
       SELECT id FROM webhook_attempt WHERE state IN ('received', 'lost') ORDER BY id DESC LIMIT -1 OFFSET ?)`,
  )
  const deleteOld = db.prepare<[number]>(
    `DELETE FROM webhook_attempt WHERE state IN ('received', 'lost')
        AND event_id IN (SELECT id FROM webhook_event WHERE created_at < ?)`,
  )
  const deleteEmpty = db.prepare('DELETE FROM webhook_event WHERE id NOT IN (SELECT event_id FROM webhook_attempt)')

  const prune = db.transaction((): void => {
    deleteSurplus.run(KEPT_ATTEMPTS)
    deleteOld.run(clock.now() - KEPT_MS)
    deleteEmpty.run()
  })

  return {
    /** The last attempts, newest first; `failedOnly` leaves out those that were received or are still to be made. */
    last: ({ count, failedOnly }: { count: number; failedOnly: boolean }): LoggedAttempt[] =>
      selectLast.all({ count, failedOnly: Number(failedOnly) }),

    /** The events that no endpoint received, or that one endpoint did not, oldest first. Test events are not included. */
    lost: (endpointId: EndpointId | null): LostEvent[] =>
      selectLost.all({ endpointId }).map(({ id, ...event }) => ({ ...event, attempts: selectLosses.all(id) })),

    /** Removes what exceeds the limits of decision F8. */
    prune: (): void => prune.immediate(),
  }
}
