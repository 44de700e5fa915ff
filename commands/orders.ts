import { orderJson, orderNumber } from '../routes/api/orders.ts'
import type { Order, OrderLine } from '../store/ordering/orders.ts'
import { fulfilmentMoves, type Move, moves } from '../store/ordering/status.ts'
import type { Store } from '../store/store.ts'
import { amountText, type Exponent, majorUnits } from '../store/terms/money.ts'
import {
  type Command,
  done,
  minuteText,
  type Outcome,
  oneLine,
  optionText,
  parseInstant,
  positive,
  refused,
  table,
} from './command.ts'

export const orders: Command = {
  usage: 'orders [--unpaid] [--last N]',
  summary: 'list the last orders, newest first (20, or N); --unpaid: those for which something is still to be paid',
  options: { unpaid: { type: 'boolean' }, last: { type: 'string' } },
  run({ args, options, store }) {
    const last = options.last === undefined ? 20 : positive(optionText(options.last))
    if (args.length > 0 || last === undefined) return undefined
    const { orderBook } = store()
    return listed(store(), options.unpaid === true ? orderBook.unpaid(last) : orderBook.last(last))
  },
}

const verbs = [...Object.keys(moves), ...Object.keys(fulfilmentMoves)] as Move[]

export const order: Command = {
  usage: `order NUMBER|ID [${verbs.join('|')}] [--reason …] [--restock|--waste]`,
  summary:
    'show one order, with how its total came about line by line; or move it on (cancel needs --reason, and returns its stock unless food was made)',
  options: { reason: { type: 'string' }, restock: { type: 'boolean' }, waste: { type: 'boolean' } },
  run({ args: [name, verb, ...rest], options, store }) {
    const move = verbs.find(known => known === verb)
    if (rest.length > 0 || !isOrderName(name) || (verb !== undefined && !move)) return undefined
    const reason = optionText(options.reason)
    const { restock, waste } = options
    if (move !== 'cancel' && (reason ?? restock ?? waste) !== undefined) return undefined
    if (restock === true && waste === true) return undefined
    const found = orderNamed(store(), name)
    if (!found) return refused(`There is no order ${name}.`)
    if (!move) return done(receipt(store(), found), detailed(store(), found))
    const stock = restock === true ? 'restock' : waste === true ? 'waste' : undefined
    const moved = store().move(found.id, move, { ...(reason && { reason }), ...(stock && { stock }) })
    if (!moved.ok) return refused(moved.why)
    const after = store().orderBook.byId(found.id) ?? found
    return done(`${orderNumber(found.number)} is ${stateText(after)}.`, detailed(store(), after))
  },
}

/** Whether a text is ORD-000042 or an id. */
export function isOrderName(name: string | undefined): name is string {
  return name !== undefined && (/^ORD-\d{6}$/i.test(name) || positive(name) !== undefined)
}

/** The order that a person names by its number (ORD-000042) or its id. */
export function orderNamed({ orderBook }: Store, name: string): Order | undefined {
  const number = /^ORD-(\d{6})$/i.exec(name)?.[1]
  return number === undefined ? orderBook.byId(Number(name)) : orderBook.byNumber(Number(number))
}

/** "confirmed, ready" */
export function stateText({ status, fulfillmentStatus }: Pick<Order, 'status' | 'fulfillmentStatus'>): string {
  const isSaid = fulfillmentStatus !== null && fulfillmentStatus !== status
  return isSaid ? `${status}, ${fulfillmentStatus.replaceAll('_', ' ')}` : status
}

const MOST_FOUND = 100

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
    if (item?.trim() === '') return refused('Say which item: its id, or a part of its name.')
    const criteria = {
      ...(instant !== undefined && { placed: around(instant, timezone) }),
      ...(total !== undefined && { totalMilli: thousandths(total) }),
      ...(phone !== undefined && { phone }),
      ...(item !== undefined && { item }),
    }
    const { found, hasMore } = store().orderBook.find(criteria, MOST_FOUND)
    const outcome = listed(store(), found)
    if (hasMore) outcome.text += `\nThese are the newest ${MOST_FOUND}, and there are more: say more of the order.`
    if (found.length === 0) outcome.text = `No order matches. Times are those of ${timezone}.`
    return outcome
  },
}

/** Some minutes around a minute of the wall clock, in both hours that show it when the clock is put back. */
function around(instant: number, zone: string): { from: number; until: number } {
  const minute = 60_000
  const later = instant + 60 * minute
  const last = minuteText(later, zone) === minuteText(instant, zone) ? later : instant
  return { from: instant - MINUTES_AROUND * minute, until: last + (MINUTES_AROUND + 1) * minute }
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
    stateText(each),
    amountText(each.grandTotal, each.exponent, each.currency),
    each.lines.map(({ qtyMilli, name }) => `${qtyMilli / 1000} × ${name}`).join(', '),
  ])
  return done(
    rows.length === 0 ? 'No orders.' : table(rows),
    found.map(each => detailed(store, each)),
  )
}

/** The API's order and what only the house may see. */
export function detailed(store: Store, each: Order) {
  const { promotion, manualDiscount, exponent } = each
  const { balance, paid } = store.payments.standing(each.id)
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
    promotion: promotion && { id: promotion.id, title: promotion.title, ...discountJson(promotion.discount, exponent) },
    manual_discount: manualDiscount && {
      reason: manualDiscount.reason,
      ...discountJson(manualDiscount, exponent),
    },
    cancel_reason: each.cancelReason,
    paid: majorUnits(paid, exponent),
    balance: majorUnits(balance, exponent),
  }
}

function discountJson(discount: { amount: number } | { percentPpm: number }, exponent: Exponent) {
  return 'amount' in discount
    ? { amount: majorUnits(discount.amount, exponent) }
    : { percent: discount.percentPpm / 10_000 }
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
      `line ${line.id}`,
    ])
    for (const { title, qty: chosen, free, price } of line.modifiers) {
      const cost = free === chosen ? 'free' : `${chosen - free} × ${amount(price)}${free > 0 ? `, ${free} free` : ''}`
      rows.push([`    + ${chosen} × ${title}`, `      ${cost}`, ''])
    }
    if (line.notes) rows.push([`    "${oneLine(line.notes)}"`, '', ''])
  }
  const net = each.subtotal - each.discountTotal
  const taxable =
    net + (each.serviceChargeTaxable ? each.serviceCharge : 0) + (each.deliveryFeeTaxable ? each.deliveryFee : 0)
  rows.push(['Subtotal', '', amount(each.subtotal)])
  if (each.discountTotal > 0) rows.push(['Discount', discountText(each), `-${amount(each.discountTotal)}`])
  if (each.serviceCharge > 0) {
    rows.push(['Service charge', `${each.serviceChargePpm / 10_000} % of ${amount(net)}`, amount(each.serviceCharge)])
  }
  if (each.deliveryFee > 0) rows.push(['Delivery fee', '', amount(each.deliveryFee)])
  const tax = `${(each.taxPpm ?? 0) / 10_000} % ${each.pricesIncludeTax ? 'contained in' : 'of'} ${amount(taxable)}`
  rows.push([each.pricesIncludeTax ? 'Tax (included)' : 'Tax', tax, amount(each.taxTotal)])
  rows.push(['Grand total', '', amountText(each.grandTotal, each.exponent, each.currency)])
  const { balance, paid, due } = store.payments.standing(each.id)
  const credited = each.status === 'cancelled' ? 0 : each.grandTotal - due
  if (credited !== 0) rows.push(['Credited', '', `-${amount(credited)}`])
  if (paid !== 0) rows.push(['Paid', '', amount(paid)])
  if (balance !== 0) rows.push([balance < 0 ? 'To give back' : 'To pay', '', amount(Math.abs(balance))])

  const { name, phone, email } = each.customer
  const guest = [name, phone, email].filter(part => part !== null).join(', ')
  return [
    `${orderNumber(each.number)}  id ${each.id}  ${stateText(each)}  placed ${minuteText(each.placedAt, timezone)} (${timezone})`,
    `location ${each.locationId}, by ${each.source}, channel ${each.channel}${each.mode ? `, ${each.mode}` : ''}, business date ${each.businessDate}`,
    ...(guest === '' ? [] : [`for ${oneLine(guest)}`]),
    ...(each.notes ? [`"${oneLine(each.notes)}"`] : []),
    ...(each.cancelReason === null ? [] : [`cancelled: ${each.cancelReason}`]),
    '',
    table(rows),
  ].join('\n')
}

function discountText({ promotion, manualDiscount, subtotal, exponent }: Order): string {
  const texts: string[] = []
  for (const [title, discount] of [
    [promotion?.title, promotion?.discount],
    [manualDiscount?.reason, manualDiscount],
  ] as const) {
    if (title === undefined || !discount) continue
    const isAmount = 'amount' in discount
    const of = `${isAmount ? '' : `${discount.percentPpm / 10_000} % of `}`
    texts.push(`"${title}", ${of}${amountText(isAmount ? discount.amount : subtotal, exponent, '').trimEnd()}`)
  }
  return texts.join(' and ')
}
