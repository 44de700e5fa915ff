import { type Entry, type EntryKind, type Ledger, type Method, type Standing, standing } from '../ledger/ledger.ts'
import type { Deed } from '../people/activity.ts'
import type { OrderId } from '../terms/ids.ts'
import { LARGEST_AMOUNT } from '../terms/money.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
import { refuseRemarks } from '../terms/remark.ts'
import { type Acted, type Acts, amountOf, type OrderState, textOf } from './act.ts'
import { isOpen } from './status.ts'

/** A payment or a refund: an amount above 0 in minor units. A repeated `clientRef` is booked only once. */
export interface Payment {
  amount: number
  method: Method
  clientRef?: string | undefined
  note?: string | null
  seen?: Seen
}

/** The last act on the order as the person saw it. A booking that is only repeated does not depend on it. */
type Seen = number | undefined

/** The result of a booking: the number of its entry, the totals of the account, and whether it had been booked before. */
export interface Booked {
  entry: number
  standing: Standing
  isRepeated: boolean
}

export interface PaymentsContext {
  acts: Acts
  ledger: Ledger
  /** Sends to the kitchen what waits for the payment of the order, if nothing is left to be paid. */
  fireWhenPaid(order: OrderState): OrderState
  completeWhenDone(order: OrderState): OrderState
}

type BookedKind = Exclude<EntryKind, 'charge' | 'adjustment' | 'charge_void'>
type NewEntry = { kind: BookedKind; amount: number } & Partial<Pick<Entry, 'method' | 'voids' | 'note'>>

const deedOf: Record<BookedKind, Deed> = {
  payment: 'payment taken',
  payment_void: 'payment voided',
  refund: 'refund given',
  credit: 'credit given',
}

/** Taking and giving back money (decision E4). Each act writes one entry or is refused. */
export function payments({ acts, ledger, fireWhenPaid, completeWhenDone }: PaymentsContext) {
  /**
   * Writes an entry. If the reference was used before, returns that entry, or refuses if the entry differs. Refuses an amount
   * that is not a whole number from 1 to the largest, and remarks that are blank or too long.
   */
  function book(
    id: OrderId,
    given: {
      amount?: number
      clientRef?: string | undefined
      reason?: string | null
      note?: string | null
      seen?: Seen
    },
    isSame: (entry: Entry) => boolean,
    entryFor: (order: OrderState, entries: Entry[]) => NewEntry | Refusal,
  ): Acted<Booked> {
    const { amount, clientRef, reason, note, seen } = given
    return acts.run(id, order => {
      if (amount !== undefined && !(Number.isSafeInteger(amount) && amount >= 1 && amount <= LARGEST_AMOUNT)) {
        return { refused: 'invalid amount', most: amountOf(order, LARGEST_AMOUNT) }
      }
      const refusal = refuseRemarks({ reason, note, reference: clientRef })
      if (refusal) return refusal
      const entries = ledger.entries(id)
      const earlier = clientRef === undefined ? undefined : entries.find(entry => entry.clientRef === clientRef)
      if (earlier) {
        if (!isSame(earlier)) {
          return { refused: 'reference used', reference: earlier.clientRef ?? '', entry: earlier.entry }
        }
        return { order, entry: earlier.entry, standing: standing(entries), isRepeated: true }
      }
      const booking = acts.refuseChanged(order, seen) ?? entryFor(order, entries)
      if (isRefused(booking)) return booking
      const { at, businessDate } = acts.moment(order)
      const entry = ledger.append({ ...booking, orderId: id, clientRef: clientRef ?? null, at, businessDate })
      const after = completeWhenDone(fireWhenPaid(order))
      acts.record(order, after, {
        what: deedOf[booking.kind],
        subject: subjectOf(entry, booking),
        ...(booking.kind === 'payment_void'
          ? { was: textOf(order, booking.amount) }
          : { became: textOf(order, Math.abs(booking.amount)) }),
      })
      return { order: after, entry, standing: ledger.standing(id), isRepeated: false }
    })
  }

  const isLike =
    (kind: EntryKind, { amount, method }: { amount: number; method?: Method }) =>
    (entry: Entry): boolean =>
      entry.kind === kind && Math.abs(entry.amount) === amount && (method === undefined || entry.method === method)

  return {
    /** Takes a payment of at most the balance. */
    pay: (id: OrderId, { amount, method, clientRef, note = null, seen }: Payment): Acted<Booked> =>
      book(id, { amount, clientRef, note, seen }, isLike('payment', { amount, method }), (order, entries) => {
        const { balance } = standing(entries)
        if (balance <= 0) return { refused: 'nothing to pay' }
        if (amount > balance) return { refused: 'more than to pay', balance: amountOf(order, balance) }
        return { kind: 'payment', amount: -amount, method, note }
      }),

    /** Refunds at most what was paid; once an order is completed, only what its guest is owed. */
    refund: (id: OrderId, { amount, method, clientRef, note = null, seen }: Payment): Acted<Booked> =>
      book(id, { amount, clientRef, reason: note, seen }, isLike('refund', { amount, method }), (order, entries) => {
        const { paid, balance } = standing(entries)
        if (paid === 0) return { refused: 'nothing paid' }
        if (amount > paid) return { refused: 'more than paid', paid: amountOf(order, paid) }
        if (!isOpen(order.status) && amount > -balance) {
          return { refused: 'more than owed', status: order.status, owed: amountOf(order, -balance) }
        }
        return { kind: 'refund', amount, method, note }
      }),

    /** Credits a part of the price of a completed order, with a reason. */
    credit: (
      id: OrderId,
      { amount, note, clientRef, seen }: { amount: number; note: string; clientRef?: string | undefined; seen?: Seen },
    ): Acted<Booked> =>
      book(id, { amount, clientRef, reason: note, seen }, isLike('credit', { amount }), (order, entries) => {
        if (order.status !== 'completed') {
          return { refused: 'not completed', status: order.status }
        }
        const { due } = standing(entries)
        if (amount > due) return { refused: 'more than due', due: amountOf(order, due) }
        return { kind: 'credit', amount: -amount, note }
      }),

    /** Voids a payment by the number of its entry: once, on its own business day, while the order is open. */
    voidPayment: (
      id: OrderId,
      number: number,
      { clientRef, note = null, seen }: { clientRef?: string | undefined; note?: string | null; seen?: Seen } = {},
    ): Acted<Booked> =>
      book(
        id,
        { clientRef, reason: note, seen },
        entry => entry.voids === number,
        (order, entries) => {
          const payment = entries.find(({ entry }) => entry === number)
          if (payment?.kind !== 'payment') return { refused: 'not a payment', entry: number }
          if (entries.some(({ voids }) => voids === number)) return { refused: 'payment voided', entry: number }
          if (!isOpen(order.status)) return { refused: 'payment of closed order', entry: number, status: order.status }
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

/** "entry 2, cash", "entry 3 of entry 2, cash" */
function subjectOf(entry: number, { voids, method }: NewEntry): string {
  return `entry ${entry}${voids == null ? '' : ` of entry ${voids}`}${method == null ? '' : `, ${method}`}`
}
