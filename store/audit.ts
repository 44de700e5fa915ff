import type { Finding } from './catalogue/format.ts'
import type { Db } from './open.ts'

/** Sums that must agree, each as a query that finds what does not; `place` is where it is and `what` is wrong with it. */
const sums: { place: string; what: string; sql: string }[] = [
  {
    place: '/stock',
    what: 'has another amount on hand than its movements come to',
    sql: `SELECT stock_item.id FROM stock_item LEFT JOIN stock_movement ON stock_id = stock_item.id
           GROUP BY stock_item.id HAVING on_hand_micro <> coalesce(sum(qty_micro), 0)`,
  },
  {
    place: '/orders',
    what: 'has no charge in the ledger',
    sql: `SELECT id FROM orders WHERE NOT EXISTS (SELECT 1 FROM ledger WHERE order_id = orders.id AND entry = 1)`,
  },
  {
    place: '/orders',
    what: 'was charged on another business date than its own',
    sql: `SELECT id FROM orders JOIN ledger ON order_id = id AND entry = 1
           WHERE ledger.business_date <> orders.business_date`,
  },
  {
    place: '/orders',
    what: 'has another grand total than its charge and adjustments come to',
    sql: `SELECT id FROM orders JOIN ledger ON order_id = id WHERE kind IN ('charge', 'adjustment')
           GROUP BY id HAVING sum(amount_minor) <> grand_total_minor`,
  },
  {
    place: '/orders',
    what: 'has another subtotal than its lines come to',
    sql: `SELECT orders.id FROM orders JOIN order_line ON order_id = orders.id AND removed_at IS NULL
           GROUP BY orders.id HAVING sum(total_minor) <> subtotal_minor`,
  },
  {
    place: '/orders',
    what: 'is cancelled, but its account is not settled',
    sql: `SELECT id FROM orders JOIN ledger ON order_id = id WHERE status = 'cancelled'
           GROUP BY id HAVING sum(amount_minor) <> 0`,
  },
  {
    place: '/orders',
    what: 'is completed, but something is still to be paid for it',
    sql: `SELECT id FROM orders JOIN ledger ON order_id = id WHERE status = 'completed'
           GROUP BY id HAVING sum(amount_minor) > 0`,
  },
  {
    place: '/orders',
    what: 'gave back more than was paid for it',
    sql: `SELECT order_id AS id FROM ledger WHERE kind IN ('payment', 'payment_void', 'refund')
           GROUP BY order_id HAVING sum(amount_minor) > 0`,
  },
  {
    place: '/orders',
    what: 'has a payment voided with another amount than it had',
    sql: `SELECT void.order_id AS id FROM ledger AS void JOIN ledger AS payment
              ON payment.order_id = void.order_id AND payment.entry = void.voids
           WHERE payment.kind <> 'payment' OR payment.amount_minor + void.amount_minor <> 0`,
  },
  {
    place: '/orders',
    what: 'has an open ticket although it is completed or cancelled',
    sql: `SELECT DISTINCT order_id AS id FROM ticket JOIN orders ON orders.id = order_id
           WHERE state = 'open' AND status IN ('completed', 'cancelled')`,
  },
]

// Whoever sees these knows that something is wrong; the rest of a long list helps nobody.
const MOST_OF_EACH = 10

/** Returns the function that looks for sums of stock and money that do not agree (decisions E3 and E4). */
export function audit(db: Db): () => Finding[] {
  const checks = sums.map(({ sql, ...check }) => ({
    ...check,
    find: db.prepare<[], { id: number }>(`SELECT id FROM (${sql}) ORDER BY id LIMIT ${MOST_OF_EACH}`),
  }))
  return () =>
    checks.flatMap(({ place, what, find }) =>
      find.all().map(({ id }) => ({ pointer: `${place}/${id}`, message: what })),
    )
}
