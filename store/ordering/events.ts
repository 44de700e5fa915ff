import type { OrderEvent } from '../outbox/order-event.ts'
import type { Channel, Source } from '../terms/channels.ts'
import type { LocationId, OrderId } from '../terms/ids.ts'
import type { Fulfilment, Status } from './status.ts'

/** Where events are written as a part of the transaction that causes them, and how their sender learns of the commit. */
export interface Announcing {
  /** Writes an event into the transaction that is open; false when nobody is to be told. */
  outbox: { add(event: OrderEvent): boolean }
  /** Called after a commit that has written events. */
  onEvents(): void
}

/** What events say of an order. */
export interface Told {
  id: OrderId
  locationId: LocationId
  channel: Channel
  status: Status
  fulfillmentStatus: Fulfilment
}

/** Who acts: the people of the house in the admin or at the POS, or the kitchen. */
export type Actor = 'house' | 'kitchen'

/** The events of a new order (decision F1): one, or two when the house itself placed it. */
export function eventsOfPlacing(order: Told, source: Source): OrderEvent[] {
  const facts = { orderId: order.id, locationId: order.locationId, channel: order.channel }
  if (source !== 'admin' && source !== 'pos') return [{ type: 'order.placed', ...facts, source }]
  const { status } = order
  return [
    { type: 'order.placed', ...facts, status },
    { type: 'order.updated', ...facts, status },
  ]
}

/** The events of a change to an order: of its status or fulfilment if that moved (F2), and an update when it was the house. */
export function eventsOfChange(before: Told, after: Told, actor: Actor, reason: string | null = null): OrderEvent[] {
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
  if (actor === 'house') events.push({ type: 'order.updated', ...facts })
  return events
}
