import { words } from '../display/cell.ts'
import { minuteText } from '../display/instant.ts'
import { fullOrderJson, orderColumns, orderNumber, orderState } from '../display/order.ts'
import { type TotalStep, totalSteps } from '../display/total.ts'
import type { Order } from '../store/ordering/order.ts'
import { fulfilmentMoves, type Move, moves } from '../store/ordering/status.ts'
import type { Store } from '../store/store.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type Command, done, type Outcome, optionText, parseInstant, positive, refused } from './command.ts'
import { list, oneLine, table } from './layout.ts'

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
    const moved = store().move(found.id, move, { ...(reason !== undefined && { reason }), ...(stock && { stock }) })
    if (isRefused(moved)) return refused(moved)
    const after = store().orderBook.byId(found.id) ?? found
    return done(`${orderNumber(found.number)} is ${orderState(after)}.`, detailed(store(), after))
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
    const criteria = {
      ...(instant !== undefined && { placed: around(instant, timezone) }),
      ...(total !== undefined && { totalMilli: thousandths(total) }),
      ...(phone !== undefined && { phone }),
      ...(item !== undefined && { item }),
    }
    const result = store().orderBook.find(criteria, MOST_FOUND)
    if (isRefused(result)) return refused(result)
    const { found, hasMore } = result
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
  const columns = orderColumns(store.settings.current().timezone)
  return done(
    found.length === 0 ? 'No orders.' : list(columns, found),
    found.map(each => detailed(store, each)),
  )
}

/** An order in JSON, with its account. */
export function detailed(store: Store, order: Order) {
  return fullOrderJson(order, store.payments.standing(order.id), store.settings.current().timezone)
}

/** An order with how its total came about. */
function receipt(store: Store, each: Order): string {
  const { timezone } = store.settings.current()
  const steps = totalSteps(each, store.payments.standing(each.id))
  const rows = steps.map(step => [words(indented(step)), words(step.how), step.amount, step.line])
  const { name, phone, email } = each.customer
  const guest = [name, phone, email].filter(part => part !== null).join(', ')
  return [
    `${orderNumber(each.number)}  id ${each.id}  ${orderState(each)}  placed ${minuteText(each.placedAt, timezone)} (${timezone})`,
    `location ${each.locationId}, by ${each.source}, channel ${each.channel}${each.mode ? `, ${each.mode}` : ''}, business date ${each.businessDate}`,
    ...(guest === '' ? [] : [`for ${oneLine(guest)}`]),
    ...(each.notes ? [`"${oneLine(each.notes)}"`] : []),
    ...(each.cancelReason === null ? [] : [`cancelled: ${each.cancelReason}`]),
    '',
    table({ heads: [], rows, sums: null }),
  ].join('\n')
}

function indented({ kind, label }: TotalStep): string {
  if (kind === 'choice') return `    + ${label}`
  return kind === 'note' ? `    "${label}"` : label
}
