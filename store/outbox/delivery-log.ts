import type { Db } from '../file/open.ts'
import type { Clock } from '../terms/clock.ts'
import type { AttemptId, EndpointId, EventId, LocationId, OrderId } from '../terms/ids.ts'
import type { WebhookEvent } from './order-event.ts'

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

/** One attempt with everything that is kept about it. */
export interface AttemptDetails extends LoggedAttempt {
  /** What was sent. */
  event: WebhookEvent
  /** When its first attempt began; null: no attempt was started. */
  dispatchedAt: number | null
  /** Name, value, name, value, as they arrived; as many as were kept (decision F6). */
  responseHeaders: string[]
}

/** A search of the delivery log; every given member must match. */
export interface AttemptFilter {
  endpointId?: EndpointId
  type?: string
  /** Only those that were lost. */
  failedOnly?: boolean
  /** Of events that were written at this instant or later (UTC milliseconds). */
  since?: number
  /** Of events that were written before this instant. */
  until?: number
  deliveryId?: string
  orderId?: OrderId
  /** Only those older than this one, to continue a list. */
  before?: AttemptId
}

/** What became of the attempts for an endpoint, and the last of them that ended. */
export interface EndpointCounts {
  endpointId: EndpointId
  received: number
  lost: number
  lastEnded: AttemptId | null
}

/** An event that did not arrive, with the reasons. */
export interface LostEvent {
  id: EventId
  deliveryId: string
  type: string
  orderId: OrderId
  orderNumber: number
  locationId: LocationId
  createdAt: number
  attempts: Pick<LoggedAttempt, 'endpointId' | 'url' | 'status' | 'reason'>[]
}

interface DetailsRow extends Omit<AttemptDetails, 'event' | 'responseHeaders'> {
  facts: string
  responseHeaders: string | null
}

interface LostPage {
  endpointId: EndpointId | null
  after: number
}

const anyAttempt: Record<Exclude<keyof AttemptFilter, 'failedOnly'>, null> = {
  endpointId: null,
  type: null,
  since: null,
  until: null,
  deliveryId: null,
  orderId: null,
  before: null,
}

// Decision F8.
const KEPT_ATTEMPTS = 10_000
const KEPT_MS = 30 * 86_400_000

/** The results of deliveries, and how long they are kept. */
export function deliveryLog(db: Db, clock: Clock) {
  const columns = `attempt.id, delivery_id AS deliveryId, type, order_id AS orderId, endpoint_id AS endpointId, url, state,
    event.created_at AS createdAt, started_at AS startedAt, signatures, took_ms AS tookMs, status, reason, response`
  // Without indexes of its own, which every order would pay for: the log is short.
  const selectAttempts = db.prepare<
    Record<keyof AttemptFilter, string | number | null> & { most: number },
    LoggedAttempt
  >(
    `SELECT ${columns} FROM webhook_attempt AS attempt JOIN webhook_event AS event ON event.id = event_id
      WHERE (@failedOnly = 0 OR state = 'lost') AND (@endpointId IS NULL OR endpoint_id = @endpointId)
        AND (@before IS NULL OR attempt.id < @before) AND (@type IS NULL OR type = @type)
        AND (@since IS NULL OR event.created_at >= @since) AND (@until IS NULL OR event.created_at < @until)
        AND (@deliveryId IS NULL OR delivery_id = @deliveryId) AND (@orderId IS NULL OR order_id = @orderId)
      ORDER BY attempt.id DESC LIMIT @most`,
  )
  const selectAttempt = db.prepare<[AttemptId], DetailsRow>(
    `SELECT ${columns}, facts, dispatched_at AS dispatchedAt, response_headers AS responseHeaders
       FROM webhook_attempt AS attempt JOIN webhook_event AS event ON event.id = event_id WHERE attempt.id = ?`,
  )
  const countEnded = db.prepare<[number], EndpointCounts>(
    `SELECT endpoint_id AS endpointId, sum(state = 'received') AS received, sum(state = 'lost') AS lost,
            max(CASE WHEN state IN ('received', 'lost') THEN attempt.id END) AS lastEnded
       FROM webhook_attempt AS attempt JOIN webhook_event AS event ON event.id = event_id
      WHERE event.created_at >= ? GROUP BY endpoint_id`,
  )
  const selectLost = db.prepare<LostPage & { most: number }, Omit<LostEvent, 'attempts'>>(
    `SELECT event.id, delivery_id AS deliveryId, type, order_id AS orderId, orders.number AS orderNumber,
            orders.location_id AS locationId, event.created_at AS createdAt
       FROM webhook_event AS event JOIN orders ON orders.id = order_id
      WHERE CASE WHEN @endpointId IS NULL
              THEN NOT EXISTS (SELECT 1 FROM webhook_attempt WHERE event_id = event.id AND state <> 'lost')
              ELSE EXISTS (SELECT 1 FROM webhook_attempt
                            WHERE event_id = event.id AND state = 'lost' AND endpoint_id = @endpointId) END
        AND event.id > @after
      ORDER BY event.id LIMIT @most`,
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
    /** The matching attempts, newest first, at most `most`. */
    list: ({ failedOnly = false, ...filter }: AttemptFilter, most: number): LoggedAttempt[] =>
      selectAttempts.all({ ...anyAttempt, ...filter, failedOnly: Number(failedOnly), most }),

    /** Everything that is kept about one attempt. */
    attempt(id: AttemptId): AttemptDetails | undefined {
      const row = selectAttempt.get(id)
      if (!row) return undefined
      const { facts, responseHeaders, ...attempt } = row
      return {
        ...attempt,
        event: JSON.parse(facts) as WebhookEvent,
        responseHeaders: responseHeaders === null ? [] : (JSON.parse(responseHeaders) as string[]),
      }
    },

    /** How attempts for events of this instant or later ended, for each endpoint that had any, removed ones too. */
    countsSince: (since: number): EndpointCounts[] => countEnded.all(since),

    /**
     * The events that no endpoint received, or that one endpoint did not, oldest first. Test events are not included. `after` and
     * `most` make a page of them.
     */
    lost: (endpointId: EndpointId | null, page: { after?: EventId; most?: number } = {}): LostEvent[] =>
      selectLost
        .all({ endpointId, after: page.after ?? 0, most: page.most ?? -1 })
        .map(event => ({ ...event, attempts: selectLosses.all(event.id) })),

    /** Removes what exceeds the limits of decision F8. */
    prune: (): void => prune.immediate(),
  }
}
