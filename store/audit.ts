import type { Db } from './file/open.ts'
import type { Finding } from './terms/finding.ts'

/**
 * Each query finds the ids of inconsistent stock items, locations or orders; `what` describes the problem. Queries of orders check the
 * orders from @since on.
 */
const ofStock: Check[] = [
  {
    what: 'the amount on hand is not the sum of its movements',
    sql: `SELECT stock_item.id FROM stock_item LEFT JOIN stock_movement ON stock_id = stock_item.id
           GROUP BY stock_item.id HAVING on_hand_micro <> coalesce(sum(qty_micro), 0)`,
  },
]

const ofLocations: Check[] = [
  {
    what: 'a day close is missing',
    sql: 'SELECT location_id AS id FROM day_close GROUP BY location_id HAVING max(number) <> count(*)',
  },
  {
    what: 'the cash of a day close does not add up',
    sql: `SELECT DISTINCT location_id AS id FROM day_close WHERE cash ->> 'expected'
            <> (cash ->> 'opening') + (cash ->> 'taken') + (cash ->> 'paidIn') - (cash ->> 'paidOut')`,
  },
]

const ofOrders: Check[] = [
  {
    what: 'has no lines',
    sql: `SELECT id FROM orders WHERE id >= @since AND NOT EXISTS (SELECT 1 FROM order_line WHERE order_id = orders.id)`,
  },
  {
    what: 'the subtotal is not the sum of its lines',
    sql: `SELECT orders.id FROM orders JOIN order_line ON order_id = orders.id AND removed_at IS NULL
           WHERE orders.id >= @since GROUP BY orders.id HAVING sum(total_minor) <> subtotal_minor`,
  },
  {
    what: 'the grand total is not the sum of its parts',
    sql: `SELECT id FROM orders WHERE id >= @since AND grand_total_minor <> subtotal_minor - discount_minor
             + service_charge_minor + delivery_fee_minor + iif(prices_include_tax, 0, tax_minor)`,
  },
  {
    what: 'has no charge in the ledger',
    sql: `SELECT id FROM orders
           WHERE id >= @since AND NOT EXISTS (SELECT 1 FROM ledger WHERE order_id = orders.id AND entry = 1)`,
  },
  {
    what: 'an entry of its account is missing',
    sql: 'SELECT order_id AS id FROM ledger WHERE order_id >= @since GROUP BY order_id HAVING max(entry) <> count(*)',
  },
  {
    what: 'the charge has a different business date',
    sql: `SELECT id FROM orders JOIN ledger ON order_id = id AND entry = 1
           WHERE id >= @since AND ledger.business_date <> orders.business_date`,
  },
  {
    what: 'the grand total is not the sum of its charge and adjustments',
    sql: `SELECT id FROM orders JOIN ledger ON order_id = id WHERE id >= @since AND kind IN ('charge', 'adjustment')
           GROUP BY id HAVING sum(amount_minor) <> grand_total_minor`,
  },
  {
    what: 'the charge is reversed, but the order is not cancelled',
    sql: `SELECT id FROM orders JOIN ledger ON order_id = id
           WHERE id >= @since AND kind = 'charge_void' AND status <> 'cancelled'`,
  },
  {
    what: 'is cancelled, but its balance is not 0',
    sql: `SELECT id FROM orders JOIN ledger ON order_id = id WHERE id >= @since AND status = 'cancelled'
           GROUP BY id HAVING sum(amount_minor) <> 0`,
  },
  {
    what: 'is completed, but not fully paid',
    sql: `SELECT id FROM orders JOIN ledger ON order_id = id WHERE id >= @since AND status = 'completed'
           GROUP BY id HAVING sum(amount_minor) > 0`,
  },
  {
    what: 'a payment is more than was still to be paid',
    sql: `SELECT DISTINCT id FROM (
            SELECT order_id AS id, kind, sum(amount_minor) OVER (PARTITION BY order_id ORDER BY entry) AS balance
              FROM ledger WHERE order_id >= @since)
           WHERE kind = 'payment' AND balance < 0`,
  },
  {
    what: 'more was refunded than was paid',
    sql: `SELECT order_id AS id FROM ledger
           WHERE order_id >= @since AND kind IN ('payment', 'payment_void', 'refund')
           GROUP BY order_id HAVING sum(amount_minor) > 0`,
  },
  {
    what: 'a payment is voided with a different amount',
    sql: `SELECT void.order_id AS id FROM ledger AS void JOIN ledger AS payment
              ON payment.order_id = void.order_id AND payment.entry = void.voids
           WHERE void.order_id >= @since AND (payment.kind <> 'payment' OR payment.amount_minor + void.amount_minor <> 0)`,
  },
  {
    what: 'the state of a ticket does not match its dishes',
    sql: `SELECT DISTINCT order_id AS id FROM (
            SELECT order_id FROM ticket JOIN ticket_item ON ticket_id = ticket.id
             WHERE order_id >= @since GROUP BY order_id, ticket.id
            HAVING ticket.state <> CASE WHEN sum(ticket_item.state = 'open') > 0 THEN iif(ticket.state = 'held', 'held', 'open')
                                        WHEN sum(ticket_item.state = 'done') > 0 THEN 'done' ELSE 'void' END)`,
  },
  {
    what: 'is completed or cancelled, but has an open ticket',
    sql: `SELECT DISTINCT order_id AS id FROM ticket JOIN orders ON orders.id = order_id
           WHERE order_id >= @since AND state IN ('open', 'held') AND status IN ('completed', 'cancelled')`,
  },
  {
    what: 'is in the kitchen without an open ticket, or has an open ticket without being in the kitchen',
    sql: `SELECT id FROM orders
           WHERE id >= @since AND status IN ('placed', 'confirmed') AND (fulfillment_status IS 'in_kitchen')
              <> EXISTS (SELECT 1 FROM ticket WHERE order_id = orders.id AND state = 'open')`,
  },
  {
    what: 'is pending without a held ticket, or has only held tickets to wait for without being pending',
    sql: `SELECT id FROM orders
           WHERE id >= @since AND status IN ('placed', 'confirmed') AND (fulfillment_status IS 'pending')
              <> (SELECT coalesce(max(state = 'held') AND NOT max(state = 'open'), 0) FROM ticket WHERE order_id = orders.id)`,
  },
]

interface Check {
  what: string
  sql: string
}

// Enough to see what is wrong; a longer list would not help.
const MOST_OF_EACH = 10

/** Finds contradictions between stock, accounts, tickets and day closes (decisions E2 to E4 and G7). */
export function audit(db: Db) {
  const preparedOf = ({ what, sql }: Check) => ({ what, find: db.prepare<[], { id: number }>(limited(sql)) })
  const [stock, locations] = [ofStock.map(preparedOf), ofLocations.map(preparedOf)]
  const orders = ofOrders.map(({ what, sql }) => ({
    what,
    find: db.prepare<{ since: number }, { id: number }>(limited(sql)),
  }))
  const nthNewest = db.prepare<[number], number>('SELECT id FROM orders ORDER BY id DESC LIMIT 1 OFFSET ?').pluck()

  function findingsOfOrders(since: number): Finding[] {
    return orders.flatMap(({ what, find }) =>
      find.all({ since }).map(({ id }) => ({ pointer: `/orders/${id}`, message: what })),
    )
  }

  return {
    /** All contradictions in the file. */
    all: (): Finding[] => [
      ...stock.flatMap(({ what, find }) => find.all().map(({ id }) => ({ pointer: `/stock/${id}`, message: what }))),
      ...locations.flatMap(({ what, find }) =>
        find.all().map(({ id }) => ({ pointer: `/locations/${id}`, message: what })),
      ),
      ...findingsOfOrders(0),
    ],

    /** Contradictions in the newest `count` orders, in a time that does not grow with the file. */
    newest: (count: number): Finding[] => findingsOfOrders(nthNewest.get(count - 1) ?? 0),
  }
}

function limited(sql: string): string {
  return `SELECT id FROM (${sql}) ORDER BY id LIMIT ${MOST_OF_EACH}`
}
