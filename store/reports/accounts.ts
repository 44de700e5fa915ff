import type { Db } from '../file/open.ts'
import { type EntryKind, type Method, methods } from '../ledger/ledger.ts'
import type { Channel, ServiceMode } from '../terms/channels.ts'
import type { LocationId, OrderId } from '../terms/ids.ts'
import { booked, type InCurrency, inPeriod, type Period } from './period.ts'
import { compareText } from './sales.ts'

/** The sums of ledger entries, signed as in the ledger (decision E4): what guests owe is positive. */
export interface Account extends InCurrency {
  charges: number
  adjustments: number
  chargeVoids: number
  credits: number
  payments: number
  paymentVoids: number
  refunds: number
  /** All of the above: what is still to be paid, or by how much that changed. */
  balance: number
}

/** The money that changed hands by one method: taken = payments − voided − refunded. All are positive. */
export interface Takings extends InCurrency {
  method: Method
  /** The number of payments. */
  count: number
  payments: number
  voided: number
  refunded: number
  taken: number
}

export interface CancelledOrder extends InCurrency {
  orderId: OrderId
  number: number
  date: string
  locationId: LocationId
  channel: Channel
  mode: ServiceMode | null
  reason: string | null
  total: number
}

interface EntrySum extends InCurrency {
  kind: EntryKind
  method: Method | null
  count: number
  amount: number
}

const columnOf = {
  charge: 'charges',
  adjustment: 'adjustments',
  charge_void: 'chargeVoids',
  credit: 'credits',
  payment: 'payments',
  payment_void: 'paymentVoids',
  refund: 'refunds',
} as const satisfies Record<EntryKind, keyof Account>

/** What the ledger says: of the orders of a period, and of the entries that were recorded in it. */
export function accounts(db: Db) {
  const selectOfOrders = db.prepare<Period, EntrySum>(
    `SELECT currency, exponent, kind, method, count(*) AS count, sum(amount_minor) AS amount
       FROM orders CROSS JOIN ledger ON ledger.order_id = orders.id
      WHERE ${inPeriod} GROUP BY currency, exponent, kind, method`,
  )
  const selectLater = db.prepare<Period, EntrySum>(
    `SELECT currency, exponent, kind, method, count(*) AS count, sum(amount_minor) AS amount
       FROM ledger CROSS JOIN orders ON orders.id = ledger.order_id
      WHERE ${booked} GROUP BY currency, exponent, kind, method`,
  )
  const selectCancelled = db.prepare<Period, CancelledOrder>(
    `SELECT id AS orderId, number, business_date AS date, location_id AS locationId, channel, mode,
            cancel_reason AS reason, grand_total_minor AS total, currency, exponent
       FROM orders WHERE ${inPeriod} AND status = 'cancelled' ORDER BY currency, id`,
  )
  const selectCancelledSums = db.prepare<Period, InCurrency & { orders: number; total: number }>(
    `SELECT currency, exponent, count(*) AS orders, sum(grand_total_minor) AS total
       FROM orders WHERE ${inPeriod} AND status = 'cancelled' GROUP BY currency, exponent ORDER BY currency`,
  )

  return {
    /**
     * Every entry of the orders that were placed in the period, whenever it was recorded; and every entry that was recorded in the
     * period, for orders of any day.
     */
    bothSides(period: Period): { ofOrders: Account[]; ofDays: Account[] } {
      const ofOrders = selectOfOrders.all(period)
      // A charge has the same day as its order, so these charges belong to both, and the ledger's index leaves them out.
      const charges = ofOrders.filter(({ kind }) => kind === 'charge')
      return { ofOrders: addUp(ofOrders), ofDays: addUp([...charges, ...selectLater.all(period)]) }
    },

    /** The payments of the period by method: what must be in the till and on the card terminal. */
    payments(period: Period): Takings[] {
      const found = new Map<string, Takings>()
      for (const { currency, exponent, kind, method, count, amount } of selectLater.all(period)) {
        if (method === null) continue
        const key = `${currency} ${method}`
        const row = found.get(key) ?? {
          currency,
          exponent,
          method,
          count: 0,
          payments: 0,
          voided: 0,
          refunded: 0,
          taken: 0,
        }
        found.set(key, row)
        row.taken -= amount
        if (kind === 'payment') {
          row.count += count
          row.payments -= amount
        } else if (kind === 'payment_void') row.voided += amount
        else row.refunded += amount
      }
      return [...found.values()].sort(
        (a, b) => compareText(a.currency, b.currency) || methods.indexOf(a.method) - methods.indexOf(b.method),
      )
    },

    cancelled: (period: Period): CancelledOrder[] => selectCancelled.all(period),

    cancelledSums: (period: Period) => selectCancelledSums.all(period),
  }
}

export function emptyAccount({ currency, exponent }: InCurrency): Account {
  const none = { charges: 0, adjustments: 0, chargeVoids: 0, credits: 0, payments: 0, paymentVoids: 0, refunds: 0 }
  return { currency, exponent, ...none, balance: 0 }
}

function addUp(entries: EntrySum[]): Account[] {
  const found = new Map<string, Account>()
  for (const entry of entries) {
    const account = found.get(entry.currency) ?? emptyAccount(entry)
    found.set(entry.currency, account)
    account[columnOf[entry.kind]] += entry.amount
    account.balance += entry.amount
  }
  return [...found.values()].sort((a, b) => compareText(a.currency, b.currency))
}
