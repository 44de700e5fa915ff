import type { LocationId, OrderId } from '../terms/ids.ts'

/** The events that endpoints can receive (section 6). */
export const orderEventTypes = ['order.placed', 'order.updated', 'order.status_changed'] as const
export type OrderEventType = (typeof orderEventTypes)[number]

export function isOrderEventType(type: string): type is OrderEventType {
  return orderEventTypes.some(known => known === type)
}

interface OrderFacts {
  orderId: OrderId
  locationId: LocationId
  channel: string
}

/** What happened to an order; decision F1 says which act causes which event, F2 what the last one contains. */
export type OrderEvent =
  | (OrderFacts & { type: 'order.placed'; source: 'storefront' | 'qr' | 'api' })
  | (OrderFacts & { type: 'order.placed'; status: string })
  | (OrderFacts & { type: 'order.updated'; status: string })
  | (OrderFacts & {
      type: 'order.status_changed'
      status: string
      previousStatus: string
      fulfillmentStatus: string | null
      previousFulfillmentStatus: string | null
      reason: string | null
    })

/** Sent by hand to test an endpoint; it does not belong to an order. */
export interface TestEvent {
  type: 'webhook.test'
}

export type WebhookEvent = OrderEvent | TestEvent
