import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Db } from '../file/open.ts'
import type { Tickets } from '../kitchen/tickets.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Deed } from '../people/activity.ts'
import { guestActor } from '../people/actor.ts'
import { type DepleteAt, demandOfAll, type OrderStock } from '../stock/depletion.ts'
import type { Portion } from '../stock/recipes.ts'
import type { ItemId, ModifierId, OrderId, VariationId } from '../terms/ids.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
import { refuseRemarks } from '../terms/remark.ts'
import { type Acted, type Acts, amountOf, type OrderState } from './act.ts'
import type { GuestOrder, GuestOrders, GuestRules } from './guest-orders.ts'
import { canLeave, fulfilmentMoves, fulfilmentOf, isOpen, type Move, moves } from './status.ts'

/** What happens to the stock of a cancelled order; by default it is wasted once a ticket is done. */
export type StockFate = 'restock' | 'waste'

export interface MoveOptions {
  /** The reason; required for a cancellation. */
  reason?: string
  stock?: StockFate
  /** The last act on the order as the person saw it. */
  seen?: number | undefined
}

export interface MovesContext {
  acts: Acts
  catalogue(): Catalogue
  markMenuChanged(): void
  tickets: Tickets
  ledger: Ledger
  stock: OrderStock
  depleteAt(): DepleteAt
  guestOrders: GuestOrders
  guestRules(): GuestRules
}

const MINUTE = 60_000

const deedOf: Record<Move, Deed> = {
  confirm: 'order confirmed',
  complete: 'order completed',
  cancel: 'order cancelled',
  'out-for-delivery': 'order sent out',
  fulfil: 'order fulfilled',
}

const progress = ['placed', 'confirmed', 'completed'] as const

/** Moves of an order's status and fulfilment (decision E1). Each is either refused or done completely. */
export function orderMoves(db: Db, context: MovesContext) {
  const { acts, catalogue, tickets, ledger, stock } = context
  const selectPortions = db.prepare<
    [OrderId],
    { itemId: ItemId; variationId: VariationId | null; qtyMilli: number; modifiers: string | null }
  >(
    `SELECT item_id AS itemId, variation_id AS variationId, qty_milli AS qtyMilli, modifiers
       FROM order_line WHERE order_id = ? AND removed_at IS NULL ORDER BY id`,
  )
  const saveReason = db.prepare<[string, OrderId]>('UPDATE orders SET cancel_reason = ? WHERE id = ?')

  function portions(id: OrderId): Portion[] {
    return selectPortions.all(id).map(({ modifiers, ...line }) => ({
      ...line,
      modifiers: modifiers === null ? [] : (JSON.parse(modifiers) as { id: ModifierId; qty: number }[]),
    }))
  }

  function refuseOpenTickets(id: OrderId): Refusal<'open tickets'> | undefined {
    const items = tickets.items(id).filter(({ state }) => state === 'open')
    if (items.length === 0) return undefined
    const held = tickets.held(id)
    const open = new Set(items.map(({ ticketId }) => ticketId).filter(ticket => !held.includes(ticket)))
    return { refused: 'open tickets', tickets: [...open], held }
  }

  /**
   * Takes the order's stock once, when it reaches or skips the configured status. A confirmation promises the food, so it is
   * refused if there is too little stock. A completed order was eaten, so its stock is taken even if the count is too low.
   */
  function takeStock(order: OrderState, reached: (typeof progress)[number]): Refusal | 0 | 1 {
    if (order.stockTaken === 1) return 1
    if (progress.indexOf(reached) < progress.indexOf(context.depleteAt())) return 0
    const recipes = catalogue().recipes(order.locationId)
    if (!recipes) return 1
    const lines = portions(order.id)
    const { at } = acts.moment(order)
    if (reached === 'completed') {
      if (stock.use(demandOfAll(lines, recipes), recipes, order.id, at)) context.markMenuChanged()
      return 1
    }
    const sales = stock.sales()
    const fit = sales.fit(lines, recipes)
    if (fit.short.length > 0) return { refused: 'too little stock', lines: fit.short.map(index => index + 1) }
    sales.sell(fit, recipes, order.id, at)
    if (sales.deduct()) context.markMenuChanged()
    return 1
  }

  function confirm(order: OrderState): OrderState | Refusal {
    const stockTaken = takeStock(order, 'confirmed')
    if (typeof stockTaken === 'object') return stockTaken
    tickets.release(order.id, 'confirmation', acts.moment(order).at)
    const fulfillmentStatus = fulfilmentOf(tickets.states(order.id), order.fulfillmentStatus)
    return acts.save({ ...order, status: 'confirmed', fulfillmentStatus, stockTaken })
  }

  function complete(order: OrderState): OrderState | Refusal {
    const { balance } = ledger.standing(order.id)
    if (balance > 0) return { refused: 'still to be paid', amount: amountOf(order, balance) }
    if (balance < 0) return { refused: 'still to be refunded', amount: amountOf(order, -balance) }
    const open = refuseOpenTickets(order.id)
    if (open) return open
    const stockTaken = takeStock(order, 'completed')
    if (typeof stockTaken === 'object') return stockTaken
    const fulfillmentStatus = order.fulfillmentStatus === null ? null : 'fulfilled'
    return acts.save({ ...order, status: 'completed', fulfillmentStatus, stockTaken })
  }

  function cancel(order: OrderState, { reason, stock: fate }: MoveOptions, by?: null): OrderState | Refusal {
    if (reason === undefined) return { refused: 'reason missing' }
    const refusal = refuseRemarks({ reason })
    if (refusal) return refusal
    const { paid, due } = ledger.standing(order.id)
    if (paid !== 0) return { refused: 'paid already', amount: amountOf(order, paid) }
    const { at, businessDate } = acts.moment(order)
    const isCooked = tickets.states(order.id).includes('done')
    if ((fate ?? (isCooked ? 'waste' : 'restock')) === 'waste') wasteStock(order, reason, at)
    else if (stock.giveBack(stock.heldBy(order.id), catalogue().recipes(order.locationId), order.id, at)) {
      context.markMenuChanged()
    }
    const open = tickets.items(order.id).filter(({ state }) => state === 'open')
    tickets.setItems(
      order.id,
      open.map(item => ({ ...item, state: 'void' })),
      at,
      by === undefined ? {} : { by },
    )
    if (due !== 0)
      ledger.append({ orderId: order.id, kind: 'charge_void', amount: -due, note: reason, at, businessDate })
    saveReason.run(reason, order.id)
    return acts.save({ ...order, status: 'cancelled', fulfillmentStatus: 'cancelled' })
  }

  /** Books as waste the stock that the order has taken, or would have taken later. */
  function wasteStock(order: OrderState, reason: string, at: number): void {
    const recipes = catalogue().recipes(order.locationId)
    if (order.stockTaken === 1) {
      stock.rebookAsWaste(stock.heldBy(order.id), order.id, at, reason)
    } else if (recipes && stock.waste(demandOfAll(portions(order.id), recipes), recipes, order.id, at, reason)) {
      context.markMenuChanged()
    }
  }

  /** Until when a guest may cancel their order (UTC milliseconds); 0: they may not, or no longer. */
  function cancellableUntil({ orderId, placedAt }: GuestOrder, { status }: Pick<OrderState, 'status'>): number {
    const isBegun = tickets.items(orderId).some(({ state }) => state === 'done')
    const isUnpaid = ledger.standing(orderId).paid === 0
    return isOpen(status) && isUnpaid && !isBegun ? placedAt + context.guestRules().cancelMinutes * MINUTE : 0
  }

  /** Completes an order that is fulfilled and paid; returns any other order unchanged. */
  function completeWhenDone(order: OrderState): OrderState {
    if (!isOpen(order.status) || order.fulfillmentStatus !== 'fulfilled') return order
    const completed = complete(order)
    return isRefused(completed) ? order : completed
  }

  function moveStatus(order: OrderState, move: keyof typeof moves, options: MoveOptions): OrderState | Refusal {
    const { from, to } = moves[move]
    if (!from.some(status => status === order.status)) {
      return { refused: 'status move', from: order.status, to }
    }
    switch (move) {
      case 'confirm':
        return confirm(order)
      case 'complete':
        return complete(order)
      case 'cancel':
        return cancel(order, options)
      default:
        return move satisfies never
    }
  }

  function moveFulfilment(order: OrderState, move: keyof typeof fulfilmentMoves): OrderState | Refusal {
    const { from, to } = fulfilmentMoves[move]
    if (!canLeave(order)) return { refused: 'order closed', order: order.number, status: order.status }
    const open = refuseOpenTickets(order.id)
    if (open) return open
    if (!from.some(fulfilment => fulfilment === order.fulfillmentStatus)) {
      return { refused: 'fulfilment move', from: order.fulfillmentStatus, to }
    }
    tickets.noteAtPass(order.id, to === 'fulfilled' ? 'handed over' : 'sent out', acts.moment(order).at)
    return completeWhenDone(acts.save({ ...order, fulfillmentStatus: to }))
  }

  return {
    /** Moves an order. A refused move writes nothing. */
    move: (id: OrderId, move: Move, options: MoveOptions = {}): Acted =>
      acts.run(id, order => {
        const changed = acts.refuseChanged(order, options.seen)
        if (changed) return changed
        const moved = isFulfilmentMove(move) ? moveFulfilment(order, move) : moveStatus(order, move, options)
        if (isRefused(moved)) return moved
        acts.record(order, moved, { what: deedOf[move], reason: options.reason })
        return { order: moved }
      }),

    /**
     * Cancels an order for the guest who placed it. `browser` is the SHA-256 of the secret of their browser. Refused for another
     * browser, after the minutes of the setting, once anything is done in the kitchen, and once something is paid (decision 060).
     */
    cancelAsGuest: (id: OrderId, browser: Uint8Array): Acted =>
      acts.run(id, order => {
        const placed = context.guestOrders.byOrder(id)
        if (!placed?.browser?.equals(browser)) return { refused: 'unknown order', order: String(id) }
        if (cancellableUntil(placed, order) <= acts.moment(order).at) return { refused: 'too late to cancel' }
        const reason = 'Cancelled by the guest'
        const cancelled = cancel(order, { reason }, null)
        if (isRefused(cancelled)) return cancelled
        acts.record(order, cancelled, { what: 'order cancelled', reason }, guestActor)
        return { order: cancelled }
      }),

    cancellableUntil,

    completeWhenDone,
  }
}

function isFulfilmentMove(move: Move): move is keyof typeof fulfilmentMoves {
  return Object.hasOwn(fulfilmentMoves, move)
}
