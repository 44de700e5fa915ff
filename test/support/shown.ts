import { type PassActName, shownAtPass } from '../../store/ordering/pass-acts.ts'
import { shownAs } from '../../store/ordering/shown-ticket.ts'
import type { Store } from '../../store/store.ts'
import type { LocationId, OrderId } from '../../store/terms/ids.ts'

/** What an act on a ticket of an order names if it was pressed on the current card. Empty: the order has no such ticket. */
export function shownNow(store: Pick<Store, 'kitchen'>, order: OrderId, ticket: number): string {
  const found = store.kitchen.ofOrder(order).find(({ id }) => id === ticket)
  return found ? shownAs(found) : ''
}

/** What an act at the pass of location 1 names if it was pressed on the order's current card. Empty: the pass does not show the order. */
export function shownAtPassNow(store: Pick<Store, 'pass'>, order: number, act: PassActName): string {
  const { kitchen, ready, out, later, recent } = store.pass.at(1 as LocationId)
  const found = [...kitchen, ...ready, ...out, ...later, ...recent].find(({ id }) => id === order)
  return found ? shownAtPass(found, act) : ''
}
