import { type Entry, type EntryKind, type Ledger, type Method, type Standing, standing } from '../ledger/ledger.ts'
import type { OrderId } from '../terms/ids.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
import { type Acted, type Acts, amountOf, type OrderState } from './act.ts'
import { isOpen } from './status.ts'

/** One press of a key: an amount above 0 in minor units, and what makes pressing twice harmless. */
export interface Payment {
  amount: number
  method: Method
  clientRef?: string | undefined
  note?: string | null
}

/** What an act on an account answers: the number of its entry, where the account stands, and whether it was a repetition. */
export interface Booked {
  entry: number
  standing: Standing
  isRepeated: boolean
}

export interface PaymentsContext {
  acts: Acts
  ledger: Ledger
  completeWhenDone(order: OrderState): OrderState
}

type Wish = Pick<Entry, 'kind' | 'amount'> & Partial<Pick<Entry, 'method' | 'voids' | 'note'>>

/** Taking and giving back money (decision E4). Each act writes one entry or is refused. */
export function payments({ acts, ledger, completeWhenDone }: PaymentsContext) {
  /** Writes an entry, unless its reference was used before: then it answers that entry, or refuses when it is another. */
  function book(
    id: OrderId,
    clientRef: string | undefined,
    isSame: (entry: Entry) => boolean,
    wishFor: (order: OrderState, entries: Entry[]) => Wish | Refusal,
  ): Acted<Booked> {
    return acts.run(id, order => {
      const entries = ledger.entries(id)
      const earlier = clientRef === undefined ? undefined : entries.find(entry => entry.clientRef === clientRef)
      if (earlier) {
        if (!isSame(earlier)) {
          return { refused: 'reference used', reference: earlier.clientRef ?? '', entry: earlier.entry }
        }
        return { order, entry: earlier.entry, standing: standing(entries), isRepeated: true }
      }
      const wish = wishFor(order, entries)
      if (isRefused(wish)) return wish
      const { at, businessDate } = acts.moment(order)
      const entry = ledger.append({ ...wish, orderId: id, clientRef: clientRef ?? null, at, businessDate })
      const after = completeWhenDone(order)
      acts.announce(order, after, 'house')
      return { order: after, entry, standing: ledger.standing(id), isRepeated: false }
    })
  }

  const isLike =
    (kind: EntryKind, { amount, method }: { amount: number; method?: Method }) =>
    (entry: Entry): boolean =>
      entry.kind === kind && Math.abs(entry.amount) === amount && (method === undefined || entry.method === method)

  return {
    /** Takes a payment of at most the balance. */
    pay: (id: OrderId, { amount, method, clientRef, note = null }: Payment): Acted<Booked> =>
      book(id, clientRef, isLike('payment', { amount, method }), (order, entries) => {
        const { balance } = standing(entries)
        if (balance <= 0) return { refused: 'nothing to pay' }
        if (amount > balance) return { refused: 'more than to pay', balance: amountOf(order, balance) }
        return { kind: 'payment', amount: -amount, method, note }
      }),

    /** Gives back at most what was paid; once an order is completed, only what its guest is owed. */
    refund: (id: OrderId, { amount, method, clientRef, note = null }: Payment): Acted<Booked> =>
      book(id, clientRef, isLike('refund', { amount, method }), (order, entries) => {
        const { paid, balance } = standing(entries)
        if (paid === 0) return { refused: 'nothing paid' }
        if (amount > paid) return { refused: 'more than paid', paid: amountOf(order, paid) }
        if (!isOpen(order.status) && amount > -balance) {
          return { refused: 'more than owed', status: order.status, owed: amountOf(order, -balance) }
        }
        return { kind: 'refund', amount, method, note }
      }),

    /** Lets the guest of a completed order off a part of what it cost, with a reason. */
    credit: (
      id: OrderId,
      { amount, note, clientRef }: { amount: number; note: string; clientRef?: string | undefined },
    ): Acted<Booked> =>
      book(id, clientRef, isLike('credit', { amount }), (order, entries) => {
        if (order.status !== 'completed') {
          return { refused: 'not completed', status: order.status }
        }
        const { due } = standing(entries)
        if (amount > due) return { refused: 'more than due', due: amountOf(order, due) }
        return { kind: 'credit', amount: -amount, note }
      }),

    /** Undoes a payment, by its entry number: once, on its own business day, while the order is open. */
    voidPayment: (
      id: OrderId,
      number: number,
      { clientRef, note = null }: { clientRef?: string | undefined; note?: string | null } = {},
    ): Acted<Booked> =>
      book(
        id,
        clientRef,
        entry => entry.voids === number,
        (order, entries) => {
          const payment = entries.find(({ entry }) => entry === number)
          if (payment?.kind !== 'payment') return { refused: 'not a payment', entry: number }
          if (entries.some(({ voids }) => voids === number)) return { refused: 'payment voided', entry: number }
          if (!isOpen(order.status)) return { refused: 'order closed', order: order.number, status: order.status }
          if (payment.businessDate !== acts.moment(order).businessDate) {
            return { refused: 'payment of another day', entry: number, date: payment.businessDate }
          }
          const { paid } = standing(entries)
          if (-payment.amount > paid) return { refused: 'payment refunded', entry: number }
          return { kind: 'payment_void', amount: -payment.amount, method: payment.method, voids: number, note }
        },
      ),

    entries: ledger.entries,
    standing: ledger.standing,
  }
}
