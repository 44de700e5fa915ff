import type { Tickets } from '../kitchen/tickets.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { ServiceMode } from '../terms/channels.ts'
import type { Acts, OrderState } from './act.ts'
import { fulfilmentOf } from './status.ts'

export interface WhenPaidContext {
  acts: Acts
  tickets: Tickets
  ledger: Ledger
}

/** Whether the kitchen waits until an order in this mode, with this amount still to be paid, is paid (decision 057). */
export function waitsForPayment(whenPaid: readonly ServiceMode[], mode: ServiceMode | null, balance: number): boolean {
  return balance > 0 && mode !== null && whenPaid.includes(mode)
}

/**
 * Returns the function that sends the tickets of an order that wait for its payment to the kitchen once nothing is left to be
 * paid. It is called in every act that can lower what is to be paid, and returns the order as it is then.
 */
export function fireWhenPaid({ acts, tickets, ledger }: WhenPaidContext): (order: OrderState) => OrderState {
  return order => {
    if (ledger.standing(order.id).balance > 0) return order
    if (tickets.release(order.id, 'payment', acts.moment(order).at) === 0) return order
    return acts.save({ ...order, fulfillmentStatus: fulfilmentOf(tickets.states(order.id), order.fulfillmentStatus) })
  }
}
