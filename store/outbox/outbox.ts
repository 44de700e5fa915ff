import type { Db } from '../file/open.ts'
import type { Clock } from '../terms/clock.ts'
import type { AttemptId, EndpointId, EventId, OrderId } from '../terms/ids.ts'
import { type Endpoint, withoutQuery } from './endpoints.ts'
import type { OrderEvent, OrderEventType, TestEvent, WebhookEvent } from './order-event.ts'

/** An event as endpoints receive it: the same for all of them. */
export interface SentEvent {
  /** The `webhook-id` (decision F4). */
  deliveryId: string
  event: WebhookEvent
  /** When its first attempt began: UTC milliseconds. */
  dispatchedAt: number
}

/** The one attempt to deliver to one endpoint, recorded as started: whatever happens now, it is never repeated. */
export interface Attempt extends SentEvent {
  id: AttemptId
  endpointId: EndpointId
  url: string
  orderId: OrderId | null
}

/** How an attempt ended. */
export interface Ending {
  received: boolean
  status: number | null
  reason: string | null
  tookMs: number
  /** The beginning of the response body; at most 1,024 bytes (decision F6). */
  response: Buffer
  /** Its headers: name, value, name, value, as they arrived. */
  headers: string[]
}

// Enough to diagnose an endpoint, and bounded like the response body.
const KEPT_HEADERS_LENGTH = 2048

/** An event that waits longer than this is lost (decision F3): receivers refuse events that are older than about 300 s. */
const LONGEST_WAIT_MS = 5 * 60_000

/** The endpoints as orders see them, kept in memory and read again when they have changed. */
export interface Targets {
  /** The endpoints that are not paused. */
  active: Endpoint[]
  paused: Endpoint[]
  selection: ReadonlySet<OrderEventType>
  /** How many secrets sign. */
  signatures: number
}

interface PendingRow {
  id: AttemptId
  eventId: EventId
  deliveryId: string
  facts: string
  orderId: OrderId | null
  createdAt: number
}

/**
 * The events that are still to be delivered, and the states that prevent any attempt from being made twice. `random` makes
 * the delivery ids.
 */
export function outbox(db: Db, clock: Clock, targets: () => Targets, random: (bytes: number) => Buffer) {
  const insertEvent = db.prepare<{
    deliveryId: string
    type: string
    orderId: OrderId | null
    facts: string
    now: number
  }>(
    `INSERT INTO webhook_event (delivery_id, type, order_id, facts, created_at)
     VALUES (@deliveryId, @type, @orderId, @facts, @now)`,
  )
  const insertAttempt = db.prepare<{
    eventId: EventId
    endpointId: EndpointId
    url: string
    state: 'pending' | 'lost'
    reason: string | null
  }>(
    `INSERT INTO webhook_attempt (event_id, endpoint_id, url, state, reason)
     VALUES (@eventId, @endpointId, @url, @state, @reason)`,
  )
  const hasPending = db
    .prepare<[], number>(`SELECT EXISTS (SELECT 1 FROM webhook_attempt WHERE state = 'pending')`)
    .pluck()
  const hasStarted = db
    .prepare<[], number>(`SELECT EXISTS (SELECT 1 FROM webhook_attempt WHERE state = 'started')`)
    .pluck()
  const selectPending = db.prepare<{ endpointId: EndpointId; most: number }, PendingRow>(
    `SELECT attempt.id, event_id AS eventId, delivery_id AS deliveryId, facts, order_id AS orderId,
            event.created_at AS createdAt
       FROM webhook_attempt AS attempt JOIN webhook_event AS event ON event.id = event_id
      WHERE state = 'pending' AND endpoint_id = @endpointId ORDER BY attempt.id LIMIT @most`,
  )
  const loseLate = db.prepare<{ endpointId: EndpointId; before: number }>(
    `UPDATE webhook_attempt SET state = 'lost', reason = 'it waited for more than 5 minutes'
      WHERE state = 'pending' AND endpoint_id = @endpointId
        AND (SELECT created_at FROM webhook_event WHERE id = event_id) < @before`,
  )
  const loseStarted = db.prepare(
    `UPDATE webhook_attempt SET state = 'lost', reason = 'Servery ended while it was being attempted'
      WHERE state = 'started'`,
  )
  const markDispatched = db
    .prepare<{ eventId: EventId; now: number }, number>(
      `UPDATE webhook_event SET dispatched_at = coalesce(dispatched_at, @now) WHERE id = @eventId
       RETURNING dispatched_at`,
    )
    .pluck()
  const markStarted = db.prepare<{ id: AttemptId; now: number; signatures: number }>(
    `UPDATE webhook_attempt SET state = 'started', started_at = @now, signatures = @signatures WHERE id = @id`,
  )
  const markEnded = db.prepare<
    Omit<Ending, 'received' | 'headers'> & { id: AttemptId; state: string; headers: string | null }
  >(
    `UPDATE webhook_attempt SET state = @state, status = @status, reason = @reason, took_ms = @tookMs,
            response = @response, response_headers = @headers
      WHERE id = @id`,
  )

  function insert(event: WebhookEvent): { eventId: EventId; deliveryId: string } {
    const deliveryId = `msg_${letters(27, random)}`
    const orderId = 'orderId' in event ? event.orderId : null
    const eventId = insertEvent.run({
      deliveryId,
      type: event.type,
      orderId,
      facts: JSON.stringify(event),
      now: clock.now(),
    }).lastInsertRowid as EventId
    return { eventId, deliveryId }
  }

  function insertFor(eventId: EventId, { id, url }: Endpoint, lostBecause: string | null = null): AttemptId {
    const state = lostBecause === null ? 'pending' : 'lost'
    const attempt = { eventId, endpointId: id, url: withoutQuery(url), state, reason: lostBecause } as const
    return insertAttempt.run(attempt).lastInsertRowid as AttemptId
  }

  function start(row: Omit<PendingRow, 'createdAt' | 'facts'>, event: WebhookEvent, { id, url }: Endpoint): Attempt {
    const now = clock.now()
    const dispatchedAt = markDispatched.get({ eventId: row.eventId, now }) ?? now
    markStarted.run({ id: row.id, now, signatures: targets().signatures })
    return { id: row.id, endpointId: id, url, deliveryId: row.deliveryId, event, orderId: row.orderId, dispatchedAt }
  }

  function end(id: AttemptId, { received, headers, ...ending }: Ending): void {
    const state = received ? 'received' : 'lost'
    const kept = headers.length === 0 ? null : JSON.stringify(firstHeaders(headers))
    markEnded.run({ ...ending, id, state, headers: kept })
  }

  function startFor(endpoint: Endpoint, most: number): Attempt[] {
    const before = clock.now() - LONGEST_WAIT_MS
    let rows = selectPending.all({ endpointId: endpoint.id, most })
    if (rows.some(({ createdAt }) => createdAt < before)) {
      loseLate.run({ endpointId: endpoint.id, before })
      rows = selectPending.all({ endpointId: endpoint.id, most })
    }
    return rows.map(row => start(row, JSON.parse(row.facts) as WebhookEvent, endpoint))
  }

  const endAndStart = db.transaction(
    (ended: ReadonlyMap<AttemptId, Ending>, room: (endpoint: Endpoint, endpoints: number) => number): Attempt[] => {
      for (const [id, ending] of ended) end(id, ending)
      const { active } = targets()
      return active.flatMap(endpoint => {
        const most = room(endpoint, active.length)
        return most > 0 ? startFor(endpoint, most) : []
      })
    },
  )

  const startTest = db.transaction((endpoint: Endpoint): Attempt => {
    const event: TestEvent = { type: 'webhook.test' }
    const { eventId, deliveryId } = insert(event)
    return start({ id: insertFor(eventId, endpoint), eventId, deliveryId, orderId: null }, event, endpoint)
  })

  return {
    /**
     * Writes an event and one pending attempt for each active endpoint, as a part of the transaction that is open. To
     * a paused endpoint the event is lost, which is recorded, so that its owner can catch up. Returns whether
     * there is anything to send. Nothing is written when there is no endpoint or the event is not selected.
     */
    add(event: OrderEvent): boolean {
      const { active, paused, selection } = targets()
      const isWanted = selection.size === 0 || selection.has(event.type)
      if (!isWanted || active.length + paused.length === 0) return false
      const { eventId } = insert(event)
      for (const endpoint of active) insertFor(eventId, endpoint)
      for (const endpoint of paused) insertFor(eventId, endpoint, 'the endpoint was paused')
      return active.length > 0
    },

    hasPending: (): boolean => hasPending.get() === 1,

    /** Whether there are attempts to make, or attempts that another process was making when it ended. */
    hasUnfinished: (): boolean => hasPending.get() === 1 || hasStarted.get() === 1,

    /**
     * Records in one commit how attempts ended and which ones begin now: for each active endpoint its oldest, at
     * most as many as `room` says. Once this returns, these states are on disk and the attempts may be made.
     */
    endAndStart: (...given: Parameters<typeof endAndStart>): Attempt[] => endAndStart.immediate(...given),

    /** Writes a test event for one endpoint, paused or not, with its attempt as started. */
    startTest: (endpoint: Endpoint): Attempt => startTest.immediate(endpoint),

    /** Records how one attempt ended. */
    end,

    /** Records as lost what was being attempted when the last dispatcher ended (decision F3). */
    loseStarted: (): number => loseStarted.run().changes,
  }
}

/** The first headers of a response, as many as are kept. */
function firstHeaders(headers: string[]): string[] {
  let length = 0
  let end = 0
  while (end < headers.length) {
    length += `${headers[end]}${headers[end + 1]}`.length
    if (length > KEPT_HEADERS_LENGTH) break
    end += 2
  }
  return headers.slice(0, end)
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
// Bytes from here on would make the first letters of the alphabet more likely than the others.
const FIRST_UNFAIR = 256 - (256 % alphabet.length)

/** A text of random letters and digits, each equally likely. */
function letters(count: number, random: (bytes: number) => Buffer): string {
  let made = ''
  while (made.length < count) {
    for (const byte of random(count)) {
      if (byte < FIRST_UNFAIR && made.length < count) made += alphabet[byte % alphabet.length]
    }
  }
  return made
}
