import type { Db } from '../file/open.ts'
import type { Ref, Tickets } from '../kitchen/tickets.ts'
import type { LocationId, OrderId, TicketId } from '../terms/ids.ts'
import type { Acted, Acts, OrderState } from './act.ts'
import { fulfilmentOf, isOpen, type Move } from './status.ts'

/** What can be done with an order at the pass. */
export const passActNames = ['fulfil', 'out', 'call', 'fire'] as const
export type PassActName = (typeof passActNames)[number]

/** One act at the pass. */
export interface PassAct {
  act: PassActName
  order: OrderId
  /** Of `fire`: the course. */
  batch: number | null
  /** The unguessable reference of the act, with which tickets are fired once; null: none. */
  ref: Ref
}

export interface PassContext {
  acts: Acts
  tickets: Tickets
  move(id: OrderId, move: Move): Acted
}

// A second call within so short a time is the same one, sent again.
const SAME_CALL_MS = 3000

/** The acts of the pass (decision 057). What is already as wanted is no error, so that an act may be sent again. */
export function passActs(db: Db, { acts, tickets, move }: PassContext) {
  const selectHeld = db
    .prepare<[OrderId, number | null], TicketId>(
      `SELECT id FROM ticket WHERE order_id = ? AND batch = ? AND state = 'held' ORDER BY id`,
    )
    .pluck()
  const selectCalled = db.prepare<[OrderId], number | null>('SELECT called_at FROM orders WHERE id = ?').pluck()
  const updateCalled = db.prepare<[number, OrderId]>('UPDATE orders SET called_at = ? WHERE id = ?')

  function call(order: OrderState): Acted {
    if (order.fulfillmentStatus === 'fulfilled') return { order }
    if (!isOpen(order.status) || order.fulfillmentStatus !== 'ready') {
      return { refused: 'not ready' }
    }
    const { at } = acts.moment(order)
    const last = selectCalled.get(order.id) ?? Number.NEGATIVE_INFINITY
    if (Math.abs(at - last) < SAME_CALL_MS) return { order }
    updateCalled.run(at, order.id)
    acts.record(order, order, { what: 'order called' })
    return { order }
  }

  function fire(order: OrderState, { batch, ref }: PassAct): Acted {
    if (ref !== null && tickets.isDone(ref)) return { order }
    if (!isOpen(order.status)) return { refused: 'order closed', order: order.number, status: order.status }
    const held = selectHeld.all(order.id, batch)
    if (held.length === 0) return { order }
    const { at } = acts.moment(order)
    for (const [index, id] of held.entries()) tickets.fire(id, at, index === 0 ? ref : null)
    const fulfillmentStatus = fulfilmentOf(tickets.states(order.id), order.fulfillmentStatus)
    const after = acts.save({ ...order, fulfillmentStatus })
    acts.record(order, after, { what: 'ticket fired', subject: `ticket ${held.join(', ')}` })
    return { order: after }
  }

  return {
    /**
     * Does an act of a pass at a location: hands an order over, sends it out, calls its number again, or fires a course. Refuses an
     * order of another location, and whatever the order's status and tickets do not allow (decision E1).
     */
    act(wanted: PassAct, locationId: LocationId): Acted {
      const order = acts.state(wanted.order)
      if (order?.locationId !== locationId) return { refused: 'unknown order', order: String(wanted.order) }
      const { fulfillmentStatus } = order
      switch (wanted.act) {
        case 'fulfil':
          return fulfillmentStatus === 'fulfilled' ? { order } : move(order.id, 'fulfil')
        case 'out': {
          const hasLeft = fulfillmentStatus === 'out_for_delivery' || fulfillmentStatus === 'fulfilled'
          return hasLeft ? { order } : move(order.id, 'out-for-delivery')
        }
        case 'call':
          return acts.run(order.id, call)
        case 'fire':
          return acts.run(order.id, now => fire(now, wanted))
        default:
          return wanted.act satisfies never
      }
    },
  }
}
