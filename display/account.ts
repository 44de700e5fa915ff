import type { Entry, Standing } from '../store/ledger/ledger.ts'
import type { Order } from '../store/ordering/order.ts'
import { amountText, majorUnits } from '../store/terms/money.ts'
import { amount, type Column, count, words } from './cell.ts'
import { instantJson, minuteText } from './instant.ts'
import { orderNumber } from './order.ts'

type Money = Pick<Order, 'exponent' | 'currency'>

/** The entries of an order's account; instants are those of a zone. Their sum is the balance. */
export function accountColumns({ exponent }: Money, zone: string): Column<Entry>[] {
  return [
    { key: 'entry', head: 'entry', cell: entry => count(entry.entry) },
    { key: 'at', head: 'at', cell: entry => words(minuteText(entry.at, zone)) },
    { key: 'kind', head: 'what', cell: entry => words(entryText(entry)) },
    { key: 'note', head: 'why', cell: entry => words(entry.note) },
    { key: 'amount', head: 'amount', cell: entry => amount(entry.amount, exponent) },
  ]
}

/** "payment, cash", "payment void of 2" */
export function entryText({ kind, method, voids }: Entry): string {
  const what = kind.replaceAll('_', ' ')
  return voids !== null ? `${what} of ${voids}` : method === null ? what : `${what}, ${method}`
}

/** The balance of an account, as a sentence. */
export function openText({ balance }: Standing, { exponent, currency }: Money): string {
  const shown = amountText(Math.abs(balance), exponent, currency)
  return balance > 0 ? `${shown} is to be paid.` : balance < 0 ? `${shown} is to be given back.` : 'It is settled.'
}

export function accountJson(order: Order, entries: Entry[], { balance, paid, due }: Standing) {
  const { id, number, exponent, currency } = order
  return {
    order_id: id,
    order_number: orderNumber(number),
    currency,
    due: majorUnits(due, exponent),
    paid: majorUnits(paid, exponent),
    balance: majorUnits(balance, exponent),
    entries: entries.map(each => ({
      entry: each.entry,
      kind: each.kind,
      amount: majorUnits(each.amount, exponent),
      method: each.method,
      voids: each.voids,
      ref: each.clientRef,
      note: each.note,
      at: instantJson(each.at),
      business_date: each.businessDate,
    })),
  }
}
