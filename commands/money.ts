import { accountColumns, accountJson, openText } from '../display/account.ts'
import { amount as amountCell, tableOf, words } from '../display/cell.ts'
import { orderNumber, orderState } from '../display/order.ts'
import { type Method, methods } from '../store/ledger/ledger.ts'
import type { Acted } from '../store/ordering/act.ts'
import type { Order } from '../store/ordering/order.ts'
import type { Booked } from '../store/ordering/pay.ts'
import type { Store } from '../store/store.ts'
import { decimalText, type Exponent } from '../store/terms/money.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type Command, type CommandCall, done, type Outcome, optionText, positive, refused } from './command.ts'
import { table } from './layout.ts'
import { isOrderName, orderNamed } from './orders.ts'

const byMethod = `--method ${methods.join('|')}`

export const pay: Command = {
  usage: `pay ORDER AMOUNT ${byMethod} [--ref R]`,
  summary: 'take a payment; the same --ref a second time changes nothing',
  options: { method: { type: 'string' }, ref: { type: 'string' } },
  run: call =>
    withAmount(call, (store, id, amount, method, clientRef) => store.payments.pay(id, { amount, method, clientRef })),
}

export const refund: Command = {
  usage: `refund ORDER AMOUNT ${byMethod} [--reason …] [--ref R]`,
  summary: 'give money back; of a completed order, what was credited before',
  options: { method: { type: 'string' }, ref: { type: 'string' }, reason: { type: 'string' } },
  run: call =>
    withAmount(call, (store, id, amount, method, clientRef) =>
      store.payments.refund(id, { amount, method, clientRef, note: optionText(call.options.reason) ?? null }),
    ),
}

export const credit: Command = {
  usage: 'credit ORDER AMOUNT --reason … [--ref R]',
  summary: 'let the guest of a completed order off a part of it, to be refunded then',
  options: { ref: { type: 'string' }, reason: { type: 'string' } },
  run({ args: [name, text, ...rest], options, store }) {
    const note = optionText(options.reason)
    if (!isOrderName(name) || text === undefined || rest.length > 0 || note === undefined) return undefined
    return onOrder(store(), name, order => {
      const amount = minorOf(text, order.exponent)
      if (amount === undefined) return refused(notAnAmount(text, order))
      return booked(
        store(),
        order,
        store().payments.credit(order.id, { amount, note, clientRef: optionText(options.ref) }),
      )
    })
  },
}

export const voidPayment: Command = {
  usage: 'void-payment ORDER ENTRY [--reason …] [--ref R]',
  summary: 'undo a payment of today, by its number in balance',
  options: { ref: { type: 'string' }, reason: { type: 'string' } },
  run({ args: [name, number, ...rest], options, store }) {
    const entry = positive(number)
    if (!isOrderName(name) || entry === undefined || rest.length > 0) return undefined
    return onOrder(store(), name, order => {
      const note = optionText(options.reason) ?? null
      const clientRef = optionText(options.ref)
      return booked(store(), order, store().payments.voidPayment(order.id, entry, { note, clientRef }))
    })
  },
}

export const balance: Command = {
  usage: 'balance ORDER',
  summary: 'show the account of an order: what it costs, what was paid, what is open',
  run({ args: [name, ...rest], store }) {
    if (!isOrderName(name) || rest.length > 0) return undefined
    return onOrder(store(), name, order => account(store(), order))
  },
}

function onOrder(store: Store, name: string, act: (order: Order) => Outcome): Outcome {
  const order = orderNamed(store, name)
  return order ? act(order) : refused(`There is no order ${name}.`)
}

function withAmount(
  { args: [name, text, ...rest], options, store }: CommandCall,
  act: (store: Store, id: Order['id'], amount: number, method: Method, clientRef: string | undefined) => Acted<Booked>,
): Outcome | undefined {
  const method = methods.find(known => known === options.method)
  if (!isOrderName(name) || text === undefined || rest.length > 0 || !method) return undefined
  return onOrder(store(), name, order => {
    const amount = minorOf(text, order.exponent)
    if (amount === undefined) return refused(notAnAmount(text, order))
    return booked(store(), order, act(store(), order.id, amount, method, optionText(options.ref)))
  })
}

/** "14.30" in minor units of a currency, or undefined: not an amount, or finer than the currency. */
function minorOf(text: string, exponent: Exponent): number | undefined {
  const match = /^(\d{1,10})(?:\.(\d{1,3}))?$/.exec(text)
  const fraction = match?.[2] ?? ''
  if (!match || fraction.length > exponent) return undefined
  return Number(`${match[1]}${fraction.padEnd(exponent, '0')}`)
}

function notAnAmount(text: string, { exponent, currency }: Order): string {
  return `"${text}" is not an amount in ${currency}. Write it like ${decimalText(1430, exponent)}.`
}

function booked(store: Store, order: Order, act: Acted<Booked>): Outcome {
  if (isRefused(act)) return refused(act)
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
