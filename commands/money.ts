import { accountColumns, accountJson, openText } from '../display/account.ts'
import { amount as amountCell, tableOf, words } from '../display/cell.ts'
import { orderNumber, orderState } from '../display/order.ts'
import { type Method, methods } from '../store/ledger/ledger.ts'
import type { Acted } from '../store/ordering/act.ts'
import type { Order } from '../store/ordering/order.ts'
import type { Booked } from '../store/ordering/pay.ts'
import type { Store } from '../store/store.ts'
import { parseDecimal } from '../store/terms/decimal.ts'
import { decimalText } from '../store/terms/money.ts'
import { isRefused } from '../store/terms/refusal.ts'
import {
  type Command,
  type CommandCall,
  didYouMean,
  done,
  misused,
  type Outcome,
  optionText,
  positive,
  refused,
} from './command.ts'
import { table } from './layout.ts'
import { onOrder } from './orders.ts'

const byMethod = `--method ${methods.join('|')}`

export const pay: Command = {
  usage: `pay ORDER AMOUNT ${byMethod} [--ref R]`,
  summary: 'take a payment; repeating it with the same --ref changes nothing',
  takes: ['ORDER', 'AMOUNT'],
  options: { method: { type: 'string' }, ref: { type: 'string' } },
  run: call =>
    withAmount(call, (store, id, amount, method, clientRef) => store.payments.pay(id, { amount, method, clientRef })),
}

export const refund: Command = {
  usage: `refund ORDER AMOUNT ${byMethod} [--reason …] [--ref R]`,
  summary: 'give money back; of a completed order only what was credited',
  takes: ['ORDER', 'AMOUNT'],
  options: { method: { type: 'string' }, ref: { type: 'string' }, reason: { type: 'string' } },
  run: call =>
    withAmount(call, (store, id, amount, method, clientRef) =>
      store.payments.refund(id, { amount, method, clientRef, note: optionText(call.options.reason) ?? null }),
    ),
}

export const credit: Command = {
  usage: 'credit ORDER AMOUNT --reason … [--ref R]',
  summary: 'credit part of a completed order, which can be refunded then',
  takes: ['ORDER', 'AMOUNT'],
  options: { ref: { type: 'string' }, reason: { type: 'string' } },
  run({ args: [name = '', text = ''], options, store }) {
    const note = optionText(options.reason)
    if (note === undefined) return misused('--reason is missing.')
    return onOrder(store, name, order => {
      const amount = minorOf(text, order)
      if (amount === undefined) return refused(notAmount(text, order))
      const clientRef = optionText(options.ref)
      return booked(store(), order, store().payments.credit(order.id, { amount, note, clientRef }))
    })
  },
}

export const voidPayment: Command = {
  usage: 'void-payment ORDER ENTRY [--reason …] [--ref R]',
  summary: 'undo a payment of today; ENTRY is its number in the account that "balance" shows',
  takes: ['ORDER', 'ENTRY'],
  options: { ref: { type: 'string' }, reason: { type: 'string' } },
  run({ args: [name = '', number = ''], options, store }) {
    const entry = positive(number)
    if (entry === undefined) return misused(`"${number}" is not the number of an entry; "balance ${name}" shows them.`)
    return onOrder(store, name, order => {
      const note = optionText(options.reason) ?? null
      const clientRef = optionText(options.ref)
      return booked(store(), order, store().payments.voidPayment(order.id, entry, { note, clientRef }))
    })
  },
}

export const balance: Command = {
  usage: 'balance ORDER',
  summary: 'show the account of an order: what it costs, what was paid, what is still open',
  takes: ['ORDER'],
  run: ({ args: [name = ''], store }) => onOrder(store, name, order => account(store(), order)),
}

function withAmount(
  { args: [name = '', text = ''], options, store }: CommandCall,
  act: (store: Store, id: Order['id'], amount: number, method: Method, clientRef: string | undefined) => Acted<Booked>,
): Outcome {
  const named = optionText(options.method)
  const method = methods.find(known => known === named)
  if (named === undefined) return misused(`--method is missing: ${methods.join(', ')}.`)
  if (!method) return misused(`There is no method "${named}".${didYouMean(named, methods)}`)
  return onOrder(store, name, order => {
    const amount = minorOf(text, order)
    if (amount === undefined) return refused(notAmount(text, order))
    return booked(store(), order, act(store(), order.id, amount, method, optionText(options.ref)))
  })
}

/** An amount in minor units of an order's currency. */
function minorOf(text: string, { exponent }: Order): number | undefined {
  return parseDecimal(text, exponent)
}

function notAmount(text: string, { exponent, currency }: Order): string {
  return `"${text}" is not an amount in ${currency}. Write it like ${decimalText(1430, exponent)}.`
}

function booked(store: Store, order: Order, act: Acted<Booked>): Outcome {
  if (isRefused(act)) return refused(act, orderNumber(order.number))
  const { standing, entry, isRepeated } = act
  const state = act.order.status === order.status ? '' : ` The order is ${orderState(act.order)}.`
  const done_ = isRepeated ? 'Was already booked as' : 'Booked as'
  return done(`${done_} entry ${entry} of ${orderNumber(order.number)}. ${openText(standing, order)}${state}`, {
    entry,
    repeated: isRepeated,
    ...accountJson(order, store.payments.entries(order.id), standing),
    status: act.order.status,
  })
}

function account(store: Store, order: Order): Outcome {
  const entries = store.payments.entries(order.id)
  const standing = store.payments.standing(order.id)
  const shown = tableOf(accountColumns(order, store.settings.current().timezone), entries)
  const open = amountCell(standing.balance, order.exponent, order.currency)
  const sums = [words(null), words(null), words('balance'), words(null), open]
  return done(
    `${orderNumber(order.number)}  id ${order.id}  ${orderState(order)}\n\n${table({ ...shown, sums })}`,
    accountJson(order, entries, standing),
  )
}
