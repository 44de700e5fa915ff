import { hash } from 'node:crypto'
import type { Db } from '../file/open.ts'
import type { Ref, Tickets } from '../kitchen/tickets.ts'
import type { LocationId, OrderId, TicketId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'
import type { Acted, Acts, OrderState } from './act.ts'
import type { PassOrder } from './pass.ts'
import { fulfilmentOf, isOpen, type Move } from './status.ts'

/** The acts on an order at the pass (decision 057). */
export const passActNames = ['fulfil', 'out', 'call', 'fire', 'recall'] as const
export type PassActName = (typeof passActNames)[number]

/** One act at the pass. */
export interface PassAct {
  act: PassActName
  order: OrderId
  /** The course that `fire` fires; null: the act has none. */
  batch: number | null
  /** The idempotency key of the act, unguessable, so that `fire`, `call` and `recall` are done once; null: it has none. */
  ref: Ref
  /** `shownAtPass` of the order as it was shown. */
  shown: string
}

type Shown = Pick<PassOrder, 'id' | 'number' | 'placedAt' | 'since'>

/**
 * A fingerprint of an order as the pass shows it (decision 055). It differs between orders, even if a restored backup reuses an id. For
 * the acts with which an order leaves the pass or comes back, it also changes when the order has been elsewhere meanwhile.
 */
export function shownAtPass({ id, number, placedAt, since }: Shown, act: PassActName): string {
  const moves = act === 'fulfil' || act === 'out' || act === 'recall'
  return hash('sha256', JSON.stringify([id, number, placedAt, moves && since]), 'base64url').slice(0, 16)
}

export interface PassContext {
  acts: Acts
  tickets: Tickets
  move(id: OrderId, move: Move): Acted
}

// Two calls of a number within this time count as one.
const SAME_CALL_MS = 3000

/** The acts of the pass (decision 057). An act that would change nothing is accepted, so it can be sent again. */
export function passActs(db: Db, { acts, tickets, move }: PassContext) {
  const selectHeld = db
    .prepare<[OrderId, number | null], TicketId>(
      `SELECT id FROM ticket WHERE order_id = ? AND batch = ? AND state = 'held' ORDER BY id`,
    )
    .pluck()
  const selectShown = db.prepare<[OrderId], Shown & { calledAt: number | null }>(
    `SELECT id, number, placed_at AS placedAt, coalesce(fulfillment_since, placed_at) AS since, called_at AS calledAt
       FROM orders WHERE id = ?`,
  )
  const updateCalled = db.prepare<[number, OrderId]>('UPDATE orders SET called_at = ? WHERE id = ?')

  function changedSince({ id }: OrderState, { act, shown }: PassAct): Refusal | null {
    const now = selectShown.get(id)
    return now && shownAtPass(now, act) === shown ? null : { refused: 'changed since shown' }
  }

  function call(order: OrderState, wanted: PassAct): Acted {
    const { ref } = wanted
    if (order.fulfillmentStatus === 'fulfilled' || (ref !== null && tickets.isDone(ref))) return { order }
    const changed = changedSince(order, wanted)
    if (changed) return changed
    if (order.fulfillmentStatus !== 'ready') return { refused: 'not ready' }
    const { at } = acts.moment(order)
    tickets.noteAtPass(order.id, 'called', at, ref)
    const last = selectShown.get(order.id)?.calledAt ?? Number.NEGATIVE_INFINITY
    if (Math.abs(at - last) < SAME_CALL_MS) return { order }
    updateCalled.run(at, order.id)
    acts.record(order, order, { what: 'order called' })
    return { order }
  }

  /** Undoes the last step of the fulfilment. The status stays, because nothing leaves completed (decision E1). */
  function recall(order: OrderState, wanted: PassAct): Acted {
    const { ref } = wanted
    const { fulfillmentStatus: before, mode } = order
    const hasLeft = before === 'fulfilled' || before === 'out_for_delivery'
    if (!hasLeft || (ref !== null && tickets.isDone(ref))) return { order }
    const changed = changedSince(order, wanted)
    if (changed) return changed
    tickets.noteAtPass(order.id, 'brought back', acts.moment(order).at, ref)
    const wasDelivered = before === 'fulfilled' && mode === 'delivery'
    const fulfillmentStatus = wasDelivered ? 'out_for_delivery' : fulfilmentOf(tickets.states(order.id), null)
    const after = acts.save({ ...order, fulfillmentStatus })
    acts.record(order, after, { what: 'hand-over taken back' })
    return { order: after }
  }

  function fire(order: OrderState, wanted: PassAct): Acted {
    const { batch, ref } = wanted
    if (ref !== null && tickets.isDone(ref)) return { order }
    if (!isOpen(order.status)) return { refused: 'order closed', order: order.number, status: order.status }
    const held = selectHeld.all(order.id, batch)
    if (held.length === 0) return { order }
    const changed = changedSince(order, wanted)
    if (changed) return changed
    const { at } = acts.moment(order)
    for (const [index, id] of held.entries()) tickets.fire(id, at, index === 0 ? ref : null)
    const fulfillmentStatus = fulfilmentOf(tickets.states(order.id), order.fulfillmentStatus)
    const after = acts.save({ ...order, fulfillmentStatus })
    acts.record(order, after, { what: 'ticket fired', subject: `ticket ${held.join(', ')}` })
    return { order: after }
  }

  return {
    /**
     * Does an act of a pass at a location: hands an order over, sends it out, takes that back, calls its number again, or fires a course.
     * Refuses an order of another location, one that has changed since it was shown, and whatever the order's status and tickets do not
     * allow (decision E1).
     */
    act(wanted: PassAct, locationId: LocationId): Acted {
      const order = acts.state(wanted.order)
      if (order?.locationId !== locationId) return { refused: 'unknown order', order: String(wanted.order) }
      const { fulfillmentStatus } = order
      switch (wanted.act) {
        case 'fulfil':
          if (fulfillmentStatus === 'fulfilled') return { order }
          return changedSince(order, wanted) ?? move(order.id, 'fulfil')
        case 'out': {
          const hasLeft = fulfillmentStatus === 'out_for_delivery' || fulfillmentStatus === 'fulfilled'
          if (hasLeft) return { order }
          return changedSince(order, wanted) ?? move(order.id, 'out-for-delivery')
        }
        case 'call':
          return acts.run(order.id, now => call(now, wanted))
        case 'fire':
          return acts.run(order.id, now => fire(now, wanted))
        case 'recall':
          return acts.run(order.id, now => recall(now, wanted))
        default:
          return wanted.act satisfies never
      }
    },
  }
}
