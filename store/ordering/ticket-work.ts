import type { Db } from '../file/open.ts'
import type { Ref, TicketLineState, Tickets } from '../kitchen/tickets.ts'
import type { OrderId, OrderLineId, TicketId } from '../terms/ids.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
import type { Acted, Acts, OrderState } from './act.ts'
import { type ShownTicket, shownTickets } from './shown-ticket.ts'
import { fulfilmentOf, isOpen } from './status.ts'

/** A change of a ticket: the lines that it applies to, and the function that writes it. */
export interface Change {
  lines: OrderLineId[]
  write(order: OrderState, at: number): void
}

/** The deed under which a change of a ticket is recorded; null: its time has come, so nobody did it. */
export type TicketDeed =
  | 'ticket bumped'
  | 'ticket recalled'
  | 'ticket acknowledged'
  | 'ticket held'
  | 'ticket fired'
  | null

export interface WorkContext {
  acts: Acts
  tickets: Tickets
}

/** Changes tickets, and the fulfilment of their orders accordingly. */
export function ticketWork(db: Db, { acts, tickets }: WorkContext) {
  const { one } = shownTickets(db)
  const selectOrder = db.prepare<[TicketId], OrderId>('SELECT order_id FROM ticket WHERE id = ?').pluck()

  /**
   * Changes a ticket within an act on its order, and the order's fulfilment with it; only the latter causes a webhook event
   * (decision F1). If `changed` returns null, nothing would change and nothing is written. Refuses a closed order, and one that has left
   * the kitchen.
   */
  function apply(
    order: OrderState,
    id: TicketId,
    what: TicketDeed,
    changed: (ticket: ShownTicket) => Change | Refusal | null,
  ): Acted<{ ticket: ShownTicket }> {
    if (!isOpen(order.status)) return { refused: 'order closed', order: order.number, status: order.status }
    const ticket = one(id)
    if (!ticket) return { refused: 'unknown ticket', ticket: id }
    const wanted = changed(ticket)
    if (isRefused(wanted)) return wanted
    if (wanted === null) return { order, ticket }
    const before = order.fulfillmentStatus
    if (before === 'out_for_delivery' || before === 'fulfilled') {
      return { refused: 'left the kitchen', ticket: id, fulfilment: before }
    }
    wanted.write(order, acts.moment(order).at)
    const fulfillmentStatus = fulfilmentOf(tickets.states(order.id), before)
    const after = fulfillmentStatus === before ? order : acts.save({ ...order, fulfillmentStatus })
    if (what === null) acts.recordByItself(order, after)
    else acts.record(order, after, { what, subject: subjectOf(ticket, wanted.lines) })
    return { order: after, ticket: one(id) ?? ticket }
  }

  return {
    one,
    apply,

    /** Runs an act on a ticket's order. Refuses an unknown ticket. */
    run<T>(id: TicketId, work: (order: OrderState) => T | Refusal): T | Refusal {
      const order = selectOrder.get(id)
      return order === undefined ? { refused: 'unknown ticket', ticket: id } : acts.run(order, work)
    },

    /** The change that sets these lines to a state. */
    setLines(ticketId: TicketId, lines: OrderLineId[], state: TicketLineState, ref: Ref = null): Change {
      const items = lines.map(lineId => ({ ticketId, lineId, state }))
      return { lines, write: (order, at) => tickets.setItems(order.id, items, at, { ref }) }
    },
  }
}

export type TicketWork = ReturnType<typeof ticketWork>

/** "ticket 7", or "ticket 7: Soup" when only that line of several was changed. */
function subjectOf({ id, items }: ShownTicket, lines: OrderLineId[]): string {
  const line = items.length > 1 && lines.length === 1 ? items.find(({ lineId }) => lineId === lines[0]) : undefined
  return `ticket ${id}${line ? `: ${line.name}` : ''}`
}
