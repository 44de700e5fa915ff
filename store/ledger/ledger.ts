import type { Db } from '../file/open.ts'
import type { OrderId } from '../terms/ids.ts'

export const methods = ['cash', 'card', 'transfer', 'other'] as const
export type Method = (typeof methods)[number]

export type EntryKind = 'charge' | 'adjustment' | 'charge_void' | 'payment' | 'payment_void' | 'refund' | 'credit'

/** One entry of an order's account. Charges are above 0; payments and credits are below 0. */
export interface Entry {
  orderId: OrderId
  /** 1 for the charge, then counting up within the order. */
  entry: number
  kind: EntryKind
  /** Minor units of the order's currency. */
  amount: number
  method: Method | null
  /** Of a payment_void, the entry that it undoes. */
  voids: number | null
  clientRef: string | null
  note: string | null
  at: number
  businessDate: string
}

/** The totals of an account, in minor units. */
export interface Standing {
  /** The amount still to be paid; below 0: to be refunded. */
  balance: number
  /** The amount that was paid and not voided or refunded. */
  paid: number
  /** The price of the order, after adjustments and credits. */
  due: number
}

/** The totals of an account (decision E4): the balance is the sum of all entries. */
export function standing(entries: Pick<Entry, 'kind' | 'amount'>[]): Standing {
  let due = 0
  let paid = 0
  for (const { kind, amount } of entries) {
    if (kind === 'payment' || kind === 'payment_void' || kind === 'refund') paid -= amount
    else due += amount
  }
  return { balance: due - paid, paid, due }
}

/**
 * The append-only accounts of the orders. `charge` and `append` are called inside the transaction of their cause. The table's
 * constraints refuse wrong signs, a second charge, and a second void of a payment.
 */
export function ledger(db: Db) {
  const insertCharge = db.prepare<[OrderId, number, number, string]>(
    `INSERT INTO ledger (order_id, entry, kind, amount_minor, at, business_date) VALUES (?, 1, 'charge', ?, ?, ?)`,
  )
  const insert = db.prepare<Entry>(
    `INSERT INTO ledger (order_id, entry, kind, amount_minor, method, voids, client_ref, note, at, business_date)
     VALUES (@orderId, @entry, @kind, @amount, @method, @voids, @clientRef, @note, @at, @businessDate)`,
  )
  const selectEntries = db.prepare<[OrderId], Entry>(
    `SELECT order_id AS orderId, entry, kind, amount_minor AS amount, method, voids, client_ref AS clientRef, note, at,
            business_date AS businessDate
       FROM ledger WHERE order_id = ? ORDER BY entry`,
  )
  const countEntries = db.prepare<[OrderId], number>('SELECT count(*) FROM ledger WHERE order_id = ?').pluck()

  return {
    /** Opens the account of a new order with its grand total. */
    charge(orderId: OrderId, amount: number, at: number, businessDate: string): void {
      insertCharge.run(orderId, amount, at, businessDate)
    },

    /** Adds an entry and returns its number within the order. */
    append(
      added: Pick<Entry, 'orderId' | 'kind' | 'amount' | 'at' | 'businessDate'> &
        Partial<Pick<Entry, 'method' | 'voids' | 'clientRef' | 'note'>>,
    ): number {
      const entry = (countEntries.get(added.orderId) ?? 0) + 1
      insert.run({ method: null, voids: null, clientRef: null, note: null, ...added, entry })
      return entry
    },

    entries: (orderId: OrderId): Entry[] => selectEntries.all(orderId),

    standing: (orderId: OrderId): Standing => standing(selectEntries.all(orderId)),
  }
}

export type Ledger = ReturnType<typeof ledger>
