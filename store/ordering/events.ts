import type { OrderEvent } from '../outbox/order-event.ts'
import { type Channel, isEnteredByStaff, type Source } from '../terms/channels.ts'
import type { LocationId, OrderId } from '../terms/ids.ts'
import type { Fulfilment, Status } from './status.ts'

/** Writes events inside the transaction that causes them, and notifies their sender after the commit. */
export interface EventSink {
  /** Writes an event into the transaction that is open; false when there is no endpoint to send it to. */
  outbox: { add(event: OrderEvent): boolean }
  /** Called after a commit that has written events. */
  onEvents(): void
}

/** What events need to know about an order. */
export interface EventSubject {
  id: OrderId
  locationId: LocationId
  channel: Channel
  status: Status
  fulfillmentStatus: Fulfilment
}

/** The origin of an act: staff in the admin or at the POS, or the kitchen. */
export type Side = 'staff' | 'kitchen'

/** The events of a new order (decision F1): one, or two when staff placed it. */
export function eventsOfPlacing(order: EventSubject, source: Source): OrderEvent[] {
  const facts = { orderId: order.id, locationId: order.locationId, channel: order.channel }
  if (!isEnteredByStaff(source)) return [{ type: 'order.placed', ...facts, source }]
  const { status } = order
  return [
    { type: 'order.placed', ...facts, status },
    { type: 'order.updated', ...facts, status },
  ]
}

/** The events of a change to an order: one for its status or fulfilment if that changed (F2), and an update if staff acted. */
export function eventsOfChange(
  before: EventSubject,
  after: EventSubject,
  side: Side,
  reason: string | null = null,
): OrderEvent[] {
  const facts = { orderId: after.id, locationId: after.locationId, channel: after.channel, status: after.status }
  const events: OrderEvent[] = []
  if (before.status !== after.status || before.fulfillmentStatus !== after.fulfillmentStatus) {
    events.push({
      type: 'order.status_changed',
      ...facts,
      previousStatus: before.status,
      fulfillmentStatus: after.fulfillmentStatus,
      previousFulfillmentStatus: before.fulfillmentStatus,
      reason,
    })
  }
  if (side === 'staff') events.push({ type: 'order.updated', ...facts })
  return events
}
