import { orderJson, orderNumber } from '../routes/orders.ts'
import { amountText, majorUnits } from '../store/money.ts'
import type { Order, OrderLine } from '../store/ordering/orders.ts'
import type { Store } from '../store/store.ts'
import {
  type Command,
  done,
  minuteText,
  type Outcome,
  optionText,
  parseInstant,
  positive,
  refused,
  table,
} from './command.ts'

export const orders: Command = {
  usage: 'orders [--last N]',
  summary: 'list the last orders, newest first (20, or N)',
  options: { last: { type: 'string' } },
  run({ args, options, store }) {
    const last = options.last === undefined ? 20 : positive(optionText(options.last))
    if (args.length > 0 || last === undefined) return undefined
    return listed(store(), store().orderBook.last(last))
  },
}

export const order: Command = {
  usage: 'order NUMBER|ID',
  summary: 'show one order, with how its total came about line by line',
  run({ args: [name, ...rest], store }) {
    const number = /^ORD-(\d{6})$/i.exec(name ?? '')?.[1]
    const id = positive(name)
    if (rest.length > 0 || (number === undefined && id === undefined)) return undefined
    const { orderBook } = store()
    const found = number === undefined ? orderBook.byId(Number(id)) : orderBook.byNumber(Number(number))
    if (!found) return refused(`There is no order ${name}.`)
    return done(receipt(store(), found), detailed(store(), found))
  },
}

// A client that lost its answer knows roughly when it asked.
const MINUTES_AROUND = 5

export const find: Command = {
  usage: 'find [--at "2026-11-20 19:42"] [--total 13.53] [--phone …] [--item …]',
  summary: `find recent orders that match all that is given (--at: within ${MINUTES_AROUND} minutes)`,
  options: { at: { type: 'string' }, total: { type: 'string' }, phone: { type: 'string' }, item: { type: 'string' } },
  run({ args, options, store }) {
    const [at, total, phone, item] = [options.at, options.total, options.phone, options.item].map(optionText)
    if (args.length > 0 || (at ?? total ?? phone ?? item) === undefined) return undefined
    const { timezone } = store().settings.current()
    const instant = at === undefined ? undefined : parseInstant(at, timezone)
    if (at !== undefined && instant === undefined) {
      return refused(`"${at}" is no instant; write it like 2026-11-20 19:42 (${timezone}) or 2026-11-20T19:42Z.`)
    }
    if (total !== undefined && !/^\d{1,10}(\.\d{1,3})?$/.test(total))
      return refused(`"${total}" is no total; write it like 13.53.`)
    if (phone !== undefined && !/\d/.test(phone)) return refused(`"${phone}" has no digits to look for.`)
    const minute = 60_000
    const found = store().orderBook.find({
      ...(instant !== undefined && {
        placed: { from: instant - MINUTES_AROUND * minute, until: instant + (MINUTES_AROUND + 1) * minute },
      }),
      ...(total !== undefined && { totalMilli: thousandths(total) }),
      ...(phone !== undefined && { phone }),
      ...(item !== undefined && { item }),
    })
    return listed(store(), found)
  },
}

/** "13.53" is 13530: read by its digits, because no fraction is exact in binary. */
function thousandths(total: string): number {
  const [whole = '', fraction = ''] = total.split('.')
  return Number(`${whole}${fraction.padEnd(3, '0')}`)
}

function listed(store: Store, found: Order[]): Outcome {
  const { timezone } = store.settings.current()
  const rows = found.map(each => [
    orderNumber(each.number),
    `id ${each.id}`,
    minuteText(each.placedAt, timezone),
    `location ${each.locationId}`,
    each.channel,
    each.status,
    amountText(each.grandTotal, each.exponent, each.currency),
    each.lines.map(({ qtyMilli, name }) => `${qtyMilli / 1000} × ${name}`).join(', '),
  ])
  return done(
    rows.length === 0 ? 'No orders.' : table(rows),
    found.map(each => detailed(store, each)),
  )
}

/** The API's order and what only the house may see. */
function detailed(store: Store, each: Order) {
  const { promotion, exponent } = each
  const shown = orderJson(each, store.settings.current().timezone)
  return {
    ...shown,
    items: shown.items.map((line, index) => ({ ...line, modifiers: modifiersJson(each.lines[index], each) })),
    source: each.source,
    service_mode: each.serviceMode,
    mode: each.mode,
    customer: each.customer,
    placed_at_utc: new Date(each.placedAt).toISOString(),
    business_date: each.businessDate,
    tax_rate: each.taxPpm === null ? null : each.taxPpm / 10_000,
    prices_include_tax: each.pricesIncludeTax,
    service_charge_rate: each.serviceChargePpm / 10_000,
    promotion: promotion && {
      id: promotion.id,
      title: promotion.title,
      ...('amount' in promotion.discount
        ? { amount: majorUnits(promotion.discount.amount, exponent) }
        : { percent: promotion.discount.percentPpm / 10_000 }),
    },
  }
}

function modifiersJson(line: OrderLine | undefined, { exponent }: Order) {
  return line?.modifiers.map(({ id, title, group, qty, free, price }) => ({
    id,
    title,
    group,
    qty,
    free,
    price: majorUnits(price, exponent),
  }))
}

/** How the total came about, step by step as decision C4 has it. */
function receipt(store: Store, each: Order): string {
  const { timezone } = store.settings.current()
  const amount = (minor: number) => amountText(minor, each.exponent, '').trimEnd()
  const rows: string[][] = []
  for (const line of each.lines) {
    const qty = line.qtyMilli / 1000
    rows.push([
      `${qty} × ${line.name}`,
      `${qty} × (${amount(line.unitPrice)} + ${amount(line.modifiersTotal)})`,
      amount(line.lineTotal),
    ])
    for (const { title, qty: chosen, free, price } of line.modifiers) {
      const cost = free === chosen ? 'free' : `${chosen - free} × ${amount(price)}${free > 0 ? `, ${free} free` : ''}`
      rows.push([`    + ${chosen} × ${title}`, `      ${cost}`, ''])
    }
    if (line.notes) rows.push([`    "${line.notes}"`, '', ''])
  }
  const net = each.subtotal - each.discountTotal
  const taxable =
    net + (each.serviceChargeTaxable ? each.serviceCharge : 0) + (each.deliveryFeeTaxable ? each.deliveryFee : 0)
  rows.push(['Subtotal', '', amount(each.subtotal)])
  if (each.promotion) rows.push(['Discount', promotionText(each), `-${amount(each.discountTotal)}`])
  if (each.serviceCharge > 0) {
    rows.push(['Service charge', `${each.serviceChargePpm / 10_000} % of ${amount(net)}`, amount(each.serviceCharge)])
  }
  if (each.deliveryFee > 0) rows.push(['Delivery fee', '', amount(each.deliveryFee)])
  const tax = `${(each.taxPpm ?? 0) / 10_000} % ${each.pricesIncludeTax ? 'contained in' : 'of'} ${amount(taxable)}`
  rows.push([each.pricesIncludeTax ? 'Tax (included)' : 'Tax', tax, amount(each.taxTotal)])
  rows.push(['Grand total', '', amountText(each.grandTotal, each.exponent, each.currency)])

  const { name, phone, email } = each.customer
  const guest = [name, phone, email].filter(part => part !== null).join(', ')
  return [
    `${orderNumber(each.number)}  id ${each.id}  ${each.status}  placed ${minuteText(each.placedAt, timezone)} (${timezone})`,
    `location ${each.locationId}, by ${each.source}, channel ${each.channel}${each.mode ? `, ${each.mode}` : ''}, business date ${each.businessDate}`,
    ...(guest === '' ? [] : [`for ${guest}`]),
    ...(each.notes ? [`"${each.notes}"`] : []),
    '',
    table(rows),
  ].join('\n')
}

function promotionText({ promotion, subtotal, exponent }: Order): string {
  if (!promotion) return ''
  const { discount, title } = promotion
  if ('amount' in discount) return `"${title}"`
  return `"${title}", ${discount.percentPpm / 10_000} % of ${amountText(subtotal, exponent, '').trimEnd()}`
}
