import type { TicketState } from '../kitchen/tickets.ts'

export const statuses = ['placed', 'confirmed', 'completed', 'cancelled'] as const
export type Status = (typeof statuses)[number]

/** Decision D8; null: the order has nothing for the kitchen. */
export type Fulfilment = 'pending' | 'in_kitchen' | 'ready' | 'out_for_delivery' | 'fulfilled' | 'cancelled' | null

/** Every legal move of an order's status (decision E1). Completed and cancelled are final. */
export const moves = {
  confirm: { from: ['placed'], to: 'confirmed' },
  complete: { from: ['placed', 'confirmed'], to: 'completed' },
  cancel: { from: ['placed', 'confirmed'], to: 'cancelled' },
} as const satisfies Record<string, { from: Status[]; to: Status }>

/** Every legal move of an order's fulfilment by a person, while the order can leave (`canLeave`). */
export const fulfilmentMoves = {
  'out-for-delivery': { from: [null, 'pending', 'ready'], to: 'out_for_delivery' },
  fulfil: { from: [null, 'pending', 'ready', 'out_for_delivery'], to: 'fulfilled' },
} as const satisfies Record<string, { from: Fulfilment[]; to: Fulfilment }>

export type Move = keyof typeof moves | keyof typeof fulfilmentMoves

/** The statuses in which an order may be edited, moved and worked on. */
export function isOpen(status: Status): boolean {
  return status === 'placed' || status === 'confirmed'
}

/** Whether an order can be handed over or sent out: it is open, or its hand-over was taken back after it had completed it. */
export function canLeave(order: { status: Status; fulfillmentStatus: Fulfilment }): boolean {
  const { status, fulfillmentStatus } = order
  return isOpen(status) || fulfillmentStatus === 'ready' || fulfillmentStatus === 'out_for_delivery'
}

/**
 * The fulfilment that follows from an order's tickets (decision E2): in the kitchen while one is open; pending while some are
 * held and none is open; ready when all are done, unless the food has already left; null when all are void.
 */
export function fulfilmentOf(tickets: TicketState[], before: Fulfilment): Fulfilment {
  if (tickets.includes('open')) return 'in_kitchen'
  if (tickets.includes('held')) return 'pending'
  if (before === 'out_for_delivery' || before === 'fulfilled' || before === 'cancelled') return before
  return tickets.includes('done') ? 'ready' : null
}
