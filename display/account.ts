import type { Entry, Standing } from '../store/ledger/ledger.ts'
import type { Order } from '../store/ordering/order.ts'
import { majorUnits } from '../store/terms/money.ts'
import { amount, type Column, count, words } from './cell.ts'
import { writing } from './formats.ts'
import { instantJson, minuteText } from './instant.ts'
import { type Language, sentences } from './language.ts'
import { orderNumber } from './order.ts'
import { entryKindText, methodText } from './terms.ts'

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
export function entryText({ kind, method, voids }: Entry, language: Language = 'en'): string {
  const what = entryKindText(kind, language)
  if (voids !== null) return voidTexts[language](what, voids)
  return method === null ? what : `${what}, ${methodText(method, language)}`
}

const voidTexts: Record<Language, (what: string, entry: number) => string> = {
  en: (what, entry) => `${what} of ${entry}`,
  de: (what, entry) => `${what} zu Buchung ${entry}`,
  pt: (what, entry) => `${what}, movimento ${entry}`,
}

/** The balance of an account, as a sentence. */
export function openText({ balance }: Standing, money: Money, language: Language = 'en'): string {
  const words = standingWords[language]
  const shown = writing[language].money({ ...money, minor: Math.abs(balance) })
  return balance > 0 ? words.toPay(shown) : balance < 0 ? words.toGiveBack(shown) : words.settled
}

const standingWords = sentences({
  toPay: {
    en: (amount: string) => `${amount} is to be paid.`,
    de: amount => `Es sind ${amount} zu zahlen.`,
    pt: amount => `Há ${amount} por pagar.`,
  },
  toGiveBack: {
    en: (amount: string) => `${amount} is to be given back.`,
    de: amount => `Es sind ${amount} zurückzugeben.`,
    pt: amount => `Há ${amount} a devolver.`,
  },
  settled: { en: 'It is settled.', de: 'Es ist nichts offen.', pt: 'Está tudo pago.' },
})

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
