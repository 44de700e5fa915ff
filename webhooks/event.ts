import type { WebhookEvent } from '../store/outbox/order-event.ts'
import type { SentEvent } from '../store/outbox/outbox.ts'

/** The body of a delivery (section 6). */
export interface Envelope {
  /** Identifies the delivery; `data.id` identifies the order. */
  id: string
  type: WebhookEvent['type']
  /** The same as `type`, for older integrations. */
  event: WebhookEvent['type']
  data: EventData
  /** ISO 8601, the same second as `webhook-timestamp` (decision F4). */
  timestamp: string
}

interface OrderIds {
  id: number
  location_id: number
  channel: string
}

/** The forms of `data` in events (section 6, decisions F1 and F2). */
export type EventData =
  | (OrderIds & { source: string })
  | (OrderIds & { status: string })
  | (OrderIds & {
      status: string
      previous_status: string
      fulfillment_status: string | null
      previous_fulfillment_status: string | null
      reason: string | null
    })
  | { test: true; message: string }

/** The second in which an event is dispatched, as in `webhook-timestamp`: Unix seconds. */
export function timestampOf({ dispatchedAt }: SentEvent): number {
  return Math.floor(dispatchedAt / 1000)
}

/** The bytes of an event's body. They are made once, so that the signed bytes are the bytes sent (decision F4). */
export function bodyOf(sent: SentEvent): Buffer {
  const { deliveryId, event } = sent
  const envelope: Envelope = {
    id: deliveryId,
    type: event.type,
    event: event.type,
    data: dataOf(event),
    timestamp: new Date(timestampOf(sent) * 1000).toISOString().replace('.000Z', 'Z'),
  }
  return Buffer.from(JSON.stringify(envelope), 'utf8')
}

function dataOf(event: WebhookEvent): EventData {
  if (event.type === 'webhook.test') return { test: true, message: 'A test of this endpoint. No order has changed.' }
  const ids: OrderIds = { id: event.orderId, location_id: event.locationId, channel: event.channel }
  switch (event.type) {
    case 'order.placed':
      return 'source' in event ? { ...ids, source: event.source } : { ...ids, status: event.status }
    case 'order.updated':
      return { ...ids, status: event.status }
    case 'order.status_changed':
      return {
        ...ids,
        status: event.status,
        previous_status: event.previousStatus,
        fulfillment_status: event.fulfillmentStatus,
        previous_fulfillment_status: event.previousFulfillmentStatus,
        reason: event.reason,
      }
    default:
      return event satisfies never
  }
}
