import type { Db } from '../file/open.ts'
import type { OrderEvent } from '../outbox/order-event.ts'
import type { Deed, Note, Noting } from '../people/activity.ts'
import type { Actor } from '../people/actor.ts'
import type { ServiceMode } from '../terms/channels.ts'
import { businessDate, type Clock, timeZone } from '../terms/clock.ts'
import type { OrderId } from '../terms/ids.ts'
import { type Amount, amountText, type Exponent } from '../terms/money.ts'
import type { Refusal } from '../terms/refusal.ts'
import { type EventSink, type EventSubject, eventsOfChange, type Side } from './events.ts'

/** What acts need to know about an order. Amounts are minor units of its currency. */
export interface OrderState extends EventSubject {
  number: number
  mode: ServiceMode | null
  currency: string
  exponent: Exponent
  grandTotal: number
  /** 1 once its stock has been taken. */
  stockTaken: number
  timezone: string
  dayStartsAt: string
}

/** The result of an act: the order as it is now and further results of the act; or why it is refused. */
export type Acted<More = unknown> = ({ order: OrderState } & More) | Refusal

/** Minor units as an amount of an order's currency. */
export function amountOf({ exponent, currency }: Pick<OrderState, 'exponent' | 'currency'>, minor: number): Amount {
  return { minor, exponent, currency }
}

export interface ActContext extends EventSink, Noting {
  clock: Clock
  /** Reloads what other processes have changed. */
  refresh(): void
}

/** An amount as a short text: "12.50 EUR". */
export function textOf({ exponent, currency }: Pick<OrderState, 'exponent' | 'currency'>, minor: number): string {
  return amountText(minor, exponent, currency)
}

/** What was done to an order. Changes of its status and fulfilment are added to `was` and `became`. */
export interface Done extends Omit<Note, 'orderId'> {
  /** The reason; events contain it, the activity log does not. */
  reason?: string | undefined
}

const byKitchen: Deed[] = [
  'order called',
  'ticket bumped',
  'ticket recalled',
  'ticket acknowledged',
  'ticket held',
  'ticket fired',
]

/**
 * Acts of people on orders. Each is one transaction at one instant: it reads the order, then refuses the act or writes it,
 * together with its events and its actor. The sender of events is notified after the commit.
 */
export function acts(db: Db, { clock, outbox, onEvents, refresh, note }: ActContext) {
  const selectOrder = db.prepare<[OrderId], OrderState>(
    `SELECT orders.id, number, location_id AS locationId, channel, mode, status,
            fulfillment_status AS fulfillmentStatus, orders.currency, exponent, grand_total_minor AS grandTotal,
            stock_taken AS stockTaken, timezone, day_starts_at AS dayStartsAt
       FROM orders JOIN location ON location.id = location_id WHERE orders.id = ?`,
  )
  const updateOrder = db.prepare<
    Pick<OrderState, 'id' | 'status' | 'fulfillmentStatus' | 'stockTaken'> & { at: number }
  >(
    `UPDATE orders SET status = @status, fulfillment_status = @fulfillmentStatus, stock_taken = @stockTaken,
            fulfillment_since = iif(fulfillment_status IS @fulfillmentStatus, fulfillment_since, @at)
      WHERE id = @id`,
  )
  const selectLastAct = db
    .prepare<[OrderId], number>(
      `SELECT max(id) FROM activity WHERE order_id = ? AND what NOT IN (${byKitchen.map(deed => `'${deed}'`).join(', ')})`,
    )
    .pluck()
  let hasEvents = false
  let instant = 0

  const lastAct = (id: OrderId): number => selectLastAct.get(id) ?? 0

  const inTransaction = db.transaction((id: OrderId, work: (order: OrderState) => unknown): unknown => {
    refresh()
    instant = clock.now()
    const order = selectOrder.get(id)
    return order ? work(order) : ({ refused: 'unknown order', order: String(id) } satisfies Refusal)
  })

  function writeEvents(before: OrderState, after: OrderState, side: Side, reason: string | null): void {
    const events: OrderEvent[] = eventsOfChange(before, after, side, reason)
    for (const event of events) if (outbox.add(event)) hasEvents = true
  }

  return {
    /** Runs an act on an order. If `work` throws, the whole act is rolled back. */
    run<T>(id: OrderId, work: (order: OrderState) => T | Refusal): T | Refusal {
      hasEvents = false
      const result = inTransaction.immediate(id, work) as T | Refusal
      if (hasEvents) onEvents()
      return result
    },

    /**
     * The id of the last act on an order besides those of the kitchen; 0 if there is none. A form keeps it, so that an act refers
     * to the order as it was shown.
     */
    lastAct,

    /** An order as acts see it, for a preview. */
    state: (id: OrderId): OrderState | undefined => selectOrder.get(id),

    /** Refuses an order that has changed since the act `seen` was its last; undefined: whatever happened since. */
    refuseChanged: ({ id, number }: OrderState, seen: number | undefined): Refusal<'order changed'> | undefined =>
      seen === undefined || lastAct(id) === seen ? undefined : { refused: 'order changed', order: number },

    /** Writes the status, fulfilment and stock mark of an order, and returns it. */
    save(order: OrderState): OrderState {
      updateOrder.run({
        id: order.id,
        status: order.status,
        fulfillmentStatus: order.fulfillmentStatus,
        stockTaken: order.stockTaken,
        at: instant,
      })
      return order
    },

    /**
     * Writes the events of an act on an order, and its actor, by default the current one. Every act that changes something calls
     * this once.
     */
    record(before: OrderState, after: OrderState, { reason, was, became, ...done }: Done, actor?: Actor): void {
      const side = byKitchen.includes(done.what) ? 'kitchen' : 'staff'
      writeEvents(before, after, side, reason ?? null)
      const hasMoved = stageOf(before) !== stageOf(after)
      note(
        {
          ...done,
          orderId: after.id,
          was: joined(was, hasMoved ? stageOf(before) : null),
          became: joined(became, hasMoved ? stageOf(after) : null),
        },
        { at: instant, actor },
      )
    },

    /** Writes the events of a change in the kitchen that happened because its time had come. It has no actor. */
    recordByItself: (before: OrderState, after: OrderState): void => writeEvents(before, after, 'kitchen', null),

    /** The instant of the act, and its business date at the order's location (decision E5). */
    moment(order: OrderState): { at: number; businessDate: string } {
      return { at: instant, businessDate: businessDate(timeZone(order.timezone).at(instant), order.dayStartsAt) }
    },
  }
}

export type Acts = ReturnType<typeof acts>

/** "placed, in kitchen" */
function stageOf({ status, fulfillmentStatus }: OrderState): string {
  const isSame = fulfillmentStatus === null || fulfillmentStatus === status
  return isSame ? status : `${status}, ${fulfillmentStatus.replaceAll('_', ' ')}`
}

function joined(...parts: (string | null | undefined)[]): string | null {
  return parts.filter(part => part != null).join(', ') || null
}
