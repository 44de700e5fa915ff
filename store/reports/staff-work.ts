import type { Db } from '../file/open.ts'
import type { EntryKind } from '../ledger/ledger.ts'
import type { Actor } from '../people/actor.ts'
import { booked, type InCurrency, type Period, sold } from './period.ts'
import { compareText } from './sales.ts'

/** What one person, device or command did in a period. All amounts are positive. */
export interface StaffWork extends InCurrency {
  /** Null: guests, and acts from before actors were recorded. */
  who: Actor | null
  /** The orders that they entered and that were not cancelled, with their discounts and totals. */
  orders: number
  discounts: number
  total: number
  /** The number of payments that they took. */
  payments: number
  /** Payments less those voided and refunded. */
  taken: number
  voided: number
  refunded: number
  credits: number
  /** The orders that they cancelled, of any day. */
  cancelled: number
  cancelledTotal: number
}

interface Entries extends InCurrency {
  who: string | null
  kind: EntryKind
  count: number
  amount: number
}

/** What each person sold, took, gave back and cancelled. The sums are those of the sales and of the payments. */
export function staffWork(db: Db): (period: Period) => StaffWork[] {
  const who = 'json_array(actor_kind, actor_id, actor)'
  const selectPlaced = db.prepare<
    Period,
    InCurrency & { who: string | null; orders: number; discounts: number; total: number }
  >(
    `SELECT currency, exponent, count(*) AS orders, sum(discount_minor) AS discounts, sum(grand_total_minor) AS total,
            (SELECT ${who} FROM activity WHERE order_id = orders.id AND what = 'order placed') AS who
       FROM orders WHERE ${sold} GROUP BY currency, exponent, who`,
  )
  // An entry and the row of its act have the same instant (decision 042).
  const selectEntries = db.prepare<Period, Entries>(
    `SELECT currency, exponent, kind, count(*) AS count, sum(amount_minor) AS amount,
            (SELECT ${who} FROM activity
              WHERE order_id = ledger.order_id AND activity.at = ledger.at AND actor_kind <> 'guest') AS who
       FROM ledger CROSS JOIN orders ON orders.id = ledger.order_id WHERE ${booked} GROUP BY currency, exponent, who, kind`,
  )

  return period => {
    const found = new Map<string, StaffWork>()
    function rowOf({ currency, exponent, who }: InCurrency & { who: string | null }): StaffWork {
      const key = `${currency} ${who}`
      const row = found.get(key) ?? {
        currency,
        exponent,
        who: actorOf(who),
        orders: 0,
        discounts: 0,
        total: 0,
        payments: 0,
        taken: 0,
        voided: 0,
        refunded: 0,
        credits: 0,
        cancelled: 0,
        cancelledTotal: 0,
      }
      found.set(key, row)
      return row
    }
    for (const placed of selectPlaced.all(period)) {
      const { orders, discounts, total } = placed
      Object.assign(rowOf(placed), { orders, discounts, total })
    }
    for (const entries of selectEntries.all(period)) {
      const { kind, count, amount } = entries
      if (kind === 'charge' || kind === 'adjustment') continue
      const row = rowOf(entries)
      if (kind === 'credit') row.credits -= amount
      else if (kind === 'charge_void') {
        row.cancelled += count
        row.cancelledTotal -= amount
      } else {
        row.taken -= amount
        if (kind === 'payment') row.payments += count
        else if (kind === 'payment_void') row.voided += amount
        else row.refunded += amount
      }
    }
    return [...found.values()].sort(
      (a, b) =>
        compareText(a.currency, b.currency) ||
        Number(a.who === null) - Number(b.who === null) ||
        b.taken - a.taken ||
        compareText(a.who?.name ?? '', b.who?.name ?? ''),
    )
  }
}

function actorOf(who: string | null): Actor | null {
  if (who === null) return null
  const [kind, id, name]: [Actor['kind'], number | null, string] = JSON.parse(who)
  return { kind, id, name }
}
