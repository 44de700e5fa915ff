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

/**
 * Whether the kitchen waits for the payment of an order in this mode (decision 057). `balance` is what is still to be paid, in minor
 * units.
 */
export function waitsForPayment(whenPaid: readonly ServiceMode[], mode: ServiceMode | null, balance: number): boolean {
  return balance > 0 && mode !== null && whenPaid.includes(mode)
}

/**
 * Returns the function that releases the tickets of an order that wait for its payment, if nothing is left to pay (decision 057).
 * Every act that can lower the balance calls it. It returns the order with its new state.
 */
export function fireWhenPaid({ acts, tickets, ledger }: WhenPaidContext): (order: OrderState) => OrderState {
  return order => {
    if (ledger.standing(order.id).balance > 0) return order
    if (tickets.release(order.id, 'payment', acts.moment(order).at) === 0) return order
    return acts.save({ ...order, fulfillmentStatus: fulfilmentOf(tickets.states(order.id), order.fulfillmentStatus) })
  }
}
