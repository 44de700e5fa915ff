import { type Entry, type EntryKind, type Ledger, type Method, type Standing, standing } from '../ledger/ledger.ts'
import type { OrderId } from '../terms/ids.ts'
import { type Acted, type Acts, amountOf, type OrderState, type Refused, refuse } from './act.ts'
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

/** Taking and giving back money (decision E4). Each act writes one entry, or is refused with a sentence. */
export function payments({ acts, ledger, completeWhenDone }: PaymentsContext) {
  /** Writes an entry, unless its reference was used before: then it answers that entry, or refuses when it is another. */
  function book(
    id: OrderId,
    clientRef: string | undefined,
    isSame: (entry: Entry) => boolean,
    wishFor: (order: OrderState, entries: Entry[]) => Wish | Refused,
  ): Acted<Booked> {
    return acts.run(id, order => {
      const entries = ledger.entries(id)
      const earlier = clientRef === undefined ? undefined : entries.find(entry => entry.clientRef === clientRef)
      if (earlier) {
        if (!isSame(earlier)) return refuse(`The reference ${clientRef} was used for another entry of this order.`)
        return { ok: true as const, order, entry: earlier.entry, standing: standing(entries), isRepeated: true }
      }
      const wish = wishFor(order, entries)
      if ('ok' in wish) return wish
      const { at, businessDate } = acts.moment(order)
      const entry = ledger.append({ ...wish, orderId: id, clientRef: clientRef ?? null, at, businessDate })
      const after = completeWhenDone(order)
      acts.announce(order, after, 'house')
      return { ok: true as const, order: after, entry, standing: ledger.standing(id), isRepeated: false }
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
        if (balance <= 0) return refuse('Nothing is to be paid for this order.')
        if (amount > balance) return refuse(`Only ${amountOf(order, balance)} is to be paid for this order.`)
        return { kind: 'payment', amount: -amount, method, note }
      }),

    /** Gives back at most what was paid; once an order is completed, only what its guest is owed. */
    refund: (id: OrderId, { amount, method, clientRef, note = null }: Payment): Acted<Booked> =>
      book(id, clientRef, isLike('refund', { amount, method }), (order, entries) => {
        const { paid, balance } = standing(entries)
        if (paid === 0) return refuse('Nothing was paid for this order.')
        if (amount > paid) return refuse(`Only ${amountOf(order, paid)} was paid for this order.`)
        if (!isOpen(order.status) && amount > -balance) {
          const owed = amountOf(order, -balance)
          return refuse(`This order is ${order.status} and its guest is owed ${owed}; give a credit first.`)
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
          return refuse(
            `A credit is for completed orders; this one is ${order.status}. Edit it to change what it costs.`,
          )
        }
        const { due } = standing(entries)
        if (amount > due) return refuse(`This order cost only ${amountOf(order, due)}.`)
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
          if (payment?.kind !== 'payment') return refuse(`Entry ${number} of this order is not a payment.`)
          if (entries.some(({ voids }) => voids === number)) return refuse(`Payment ${number} was voided before.`)
          if (!isOpen(order.status)) return refuse(`This order is ${order.status}; its payments can not be voided.`)
          if (payment.businessDate !== acts.moment(order).businessDate) {
            return refuse(`Payment ${number} is of ${payment.businessDate}; only today's can be voided. Refund it.`)
          }
          const { paid } = standing(entries)
          if (-payment.amount > paid) return refuse(`Payment ${number} was given back, in whole or in part.`)
          return { kind: 'payment_void', amount: -payment.amount, method: payment.method, voids: number, note }
        },
      ),

    entries: ledger.entries,
    standing: ledger.standing,
  }
}
