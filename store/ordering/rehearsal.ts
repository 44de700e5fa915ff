import type { Db } from '../file/open.ts'
import { tickets } from '../kitchen/tickets.ts'
import { shelf } from '../stock/inventory.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
import { acts } from './act.ts'
import { kitchen } from './bump.ts'
import { orderEdit } from './edit.ts'
import { orderMoves } from './move.ts'
import { orderBook } from './order-book.ts'
import { payments } from './pay.ts'
import { type PlacingContext, placing } from './place.ts'
import { ticketWork } from './ticket-work.ts'
import { fireWhenPaid } from './when-paid.ts'

/** The first and the last business date that a rehearsal filled (YYYY-MM-DD). */
export interface RehearsedDays {
  from: string
  to: string
}

export type Stage = ReturnType<typeof stageOf>

/**
 * Simulated orders for practice: the same operations as for real guests, but at instants that the caller chooses, and without
 * events and actors.
 */
function stageOf(db: Db, context: PlacingContext) {
  let instant = context.clock.now()
  const clock = { now: () => instant, elapsed: context.clock.elapsed }
  // Practice guests pay after the meal, so the kitchen does not wait for it.
  const own = {
    tickets: tickets(db, () => null),
    outbox: { add: () => false },
    onEvents() {},
    note() {},
    whenPaid: () => [],
  }
  const silent = { ...context, ...own, clock }
  const inActs = { ...silent, acts: acts(db, silent) }
  const acting = { ...inActs, fireWhenPaid: fireWhenPaid(inActs) }
  const { move, completeWhenDone } = orderMoves(db, acting)
  const book = orderBook(db)
  return {
    /** The current time, before another instant was chosen. */
    startedAt: instant,
    /** Sets the instant of all further operations (UTC milliseconds). */
    setTime(at: number): void {
      instant = at
    },
    catalogue: context.catalogue,
    place: placing(db, silent).placeWithin,
    move,
    edit: orderEdit(db, { ...acting, book, completeWhenDone }).edit,
    payments: payments({ ...acting, completeWhenDone }),
    kitchen: kitchen(db, { ...silent, work: ticketWork(db, acting), now: clock.now }),
    tickets: silent.tickets,
    shelf: shelf(db, { ...silent, now: clock.now }),
    orderBook: book,
  }
}

/**
 * Runs `work` on a file without orders, in one transaction, which is rolled back if it throws. The file records that its orders
 * are simulated. Refuses a file that has orders, so that simulated ones never mix with real ones.
 */
export function rehearse(
  db: Db,
  context: PlacingContext,
  work: (stage: Stage) => RehearsedDays | Refusal,
): (RehearsedDays & { orders: number }) | Refusal {
  const countOrders = db.prepare<[], number>('SELECT count(*) FROM orders').pluck()
  const remember = db.prepare<[string]>(
    `INSERT INTO setting (key, value) VALUES ('practice.days', ?)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  )
  const inTransaction = db.transaction((): ReturnType<typeof rehearse> => {
    const before = countOrders.get() ?? 0
    if (before > 0) return { refused: 'has orders', orders: before }
    const days = work(stageOf(db, context))
    if (isRefused(days)) return days
    remember.run(`${days.from} to ${days.to}`)
    context.note({ what: 'made-up days added', became: `${days.from} to ${days.to}` })
    return { ...days, orders: countOrders.get() ?? 0 }
  })
  return inTransaction.immediate()
}
