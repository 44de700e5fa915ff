import { type Step, stepColumns, stepJson, timeline } from '../display/activity.ts'
import { words } from '../display/cell.ts'
import { minuteText } from '../display/instant.ts'
import { addressText, fullOrderJson, orderColumns, orderNumber, orderState } from '../display/order.ts'
import { type TotalStep, totalSteps } from '../display/total.ts'
import type { Order } from '../store/ordering/order.ts'
import { fulfilmentMoves, type Move, moves } from '../store/ordering/status.ts'
import { MOST_ACTIVITY } from '../store/people/activity.ts'
import type { Store } from '../store/store.ts'
import { parseInstant } from '../store/terms/clock.ts'
import { parseDecimal } from '../store/terms/decimal.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type Command, didYouMean, done, misused, type Outcome, optionText, positive, refused } from './command.ts'
import { list, oneLine, table } from './layout.ts'

const LAST = 20

export const orders: Command = {
  usage: 'orders [--unpaid] [--last N] [--watch]',
  summary: `list the last orders, newest first (${LAST}, or N); --unpaid: only those with something left to pay
      --watch: follows until Ctrl-C`,
  options: { unpaid: { type: 'boolean' }, last: { type: 'string' }, watch: { type: 'boolean' } },
  run({ options, store }) {
    const last = options.last === undefined ? LAST : positive(optionText(options.last))
    if (last === undefined) return misused(`--last must be a whole number from 1, not "${options.last}".`)
    const { orderBook } = store()
    return listed(store(), options.unpaid === true ? orderBook.unpaid(last) : orderBook.last(last))
  },
}

const verbs = [...Object.keys(moves), ...Object.keys(fulfilmentMoves)] as Move[]

export const order: Command = {
  usage: `order ORDER [${verbs.join('|')}] [--reason …] [--restock|--waste]`,
  summary: `show one order (ORD-000042, or its id): how its total was calculated, and who did what; or change its status
      cancel needs --reason; stock is returned unless the food was made (--restock, --waste: you decide)`,
  takes: ['ORDER', 'MOVE?'],
  options: { reason: { type: 'string' }, restock: { type: 'boolean' }, waste: { type: 'boolean' } },
  run({ args: [name = '', verb], options, store }) {
    const move = verbs.find(known => known === verb)
    if (verb !== undefined && !move) return misused(`There is no "order ORDER ${verb}".${didYouMean(verb, verbs)}`)
    const reason = optionText(options.reason)
    const { restock, waste } = options
    const ofCancel = ['reason', 'restock', 'waste'].find(option => options[option] !== undefined)
    if (move !== 'cancel' && ofCancel !== undefined) return misused(`--${ofCancel} goes with cancel only.`)
    if (restock === true && waste === true) return misused('Either --restock or --waste, not both.')
    return onOrder(store, name, found => {
      if (!move) {
        const steps = stepsOf(store(), found)
        const shown = { ...detailed(store(), found), timeline: steps.map(stepJson) }
        return done(
          `${receipt(store(), found)}\n\n${list(stepColumns(store().settings.current().timezone), steps)}`,
          shown,
        )
      }
      const stock = restock === true ? 'restock' : waste === true ? 'waste' : undefined
      const moved = store().move(found.id, move, { ...(reason !== undefined && { reason }), ...(stock && { stock }) })
      if (isRefused(moved)) return refused(moved, orderNumber(found.number))
      const after = store().orderBook.byId(found.id) ?? found
      return done(`${orderNumber(found.number)} is ${orderState(after)}.`, detailed(store(), after))
    })
  },
}

/** Runs `act` on the order with this number (ORD-000042) or id. */
export function onOrder(store: () => Store, name: string, act: (order: Order) => Outcome): Outcome {
  if (!isOrderName(name)) return misused(notOrder(name))
  const found = orderNamed(store(), name)
  return found ? act(found) : refused(`There is no order ${name}.`)
}

export function notOrder(name: string): string {
  return `"${name}" is not an order; write its number like ORD-000042, or its id.`
}

/** Whether a text is an order number (ORD-000042) or an id. */
export function isOrderName(name: string): boolean {
  return /^ORD-\d{6}$/i.test(name) || positive(name) !== undefined
}

/** The order with this number (ORD-000042) or id. */
export function orderNamed({ orderBook }: Store, name: string): Order | undefined {
  const number = /^ORD-(\d{6})$/i.exec(name)?.[1]
  return number === undefined ? orderBook.byId(Number(name)) : orderBook.byNumber(Number(number))
}

const MOST_FOUND = 100

// A client whose response was lost knows roughly when it sent the order.
const MINUTES_AROUND = 5

export const find: Command = {
  usage: 'find [--at TIME] [--total 13.53] [--phone …] [--item …]',
  summary: `find an order whose response was lost: recent orders that match all given options
      --at: placed within ${MINUTES_AROUND} minutes of "19:42" (the last time it was) or "2026-11-20 19:42"; --item: an id or a part of a name`,
  options: { at: { type: 'string' }, total: { type: 'string' }, phone: { type: 'string' }, item: { type: 'string' } },
  run({ options, clock, store }) {
    const [at, total, phone, item] = [options.at, options.total, options.phone, options.item].map(optionText)
    if ((at ?? total ?? phone ?? item) === undefined)
      return misused('Give at least one of --at, --total, --phone and --item.')
    const { timezone } = store().settings.current()
    const instant = at === undefined ? undefined : parseInstant(at, { zone: timezone, now: clock.now(), day: 'last' })
    if (at !== undefined && instant === undefined) {
      return refused(`"${at}" is not a time; write it like 19:42, 2026-11-20 19:42 (${timezone}) or 2026-11-20T19:42Z.`)
    }
    const totalMilli = total === undefined ? undefined : parseDecimal(total, 3)
    if (total !== undefined && totalMilli === undefined)
      return refused(`"${total}" is not a total; write it like 13.53.`)
    const criteria = {
      ...(instant !== undefined && { placed: around(instant, timezone) }),
      ...(totalMilli !== undefined && { totalMilli }),
      ...(phone !== undefined && { phone }),
      ...(item !== undefined && { item }),
    }
    const { orderBook } = store()
    const result = orderBook.find(criteria, MOST_FOUND)
    if (isRefused(result)) return refused(result)
    const { hasMore } = result
    const found = result.found.flatMap(id => orderBook.byId(id) ?? [])
    const outcome = listed(store(), found)
    if (hasMore) outcome.text += `\nThese are the newest ${MOST_FOUND}, and there are more; give more details.`
    if (found.length === 0) outcome.text = `No order matches. Times are those of ${timezone}.`
    return outcome
  },
}

/** Some minutes around a minute of the wall clock; around both instants if the clock was set back in between. */
function around(instant: number, zone: string): { from: number; until: number } {
  const minute = 60_000
  const later = instant + 60 * minute
  const last = minuteText(later, zone) === minuteText(instant, zone) ? later : instant
  return { from: instant - MINUTES_AROUND * minute, until: last + (MINUTES_AROUND + 1) * minute }
}

function listed(store: Store, found: Order[]): Outcome {
  const columns = orderColumns(store.settings.current().timezone)
  return done(
    found.length === 0 ? 'No orders.' : list(columns, found),
    found.map(each => detailed(store, each)),
  )
}

/** The history of an order. */
function stepsOf(store: Store, order: Order): Step[] {
  return timeline(order, {
    activity: store.activity({ orderId: order.id }, MOST_ACTIVITY),
    entries: store.payments.entries(order.id),
  })
}

/** An order in JSON, with its account. */
export function detailed(store: Store, order: Order) {
  return fullOrderJson(order, store.payments.standing(order.id), store.settings.current().timezone)
}

/** An order with the calculation of its total. */
function receipt(store: Store, each: Order): string {
  const { timezone } = store.settings.current()
  const steps = totalSteps(each, store.payments.standing(each.id))
  const rows = steps.map(step => [words(indented(step)), words(step.how), step.amount, step.line])
  const { name, phone, email } = each.customer
  const address = addressText(each)
  const guest = [name, phone, email].filter(part => part !== null).join(', ')
  return [
    `${orderNumber(each.number)}  id ${each.id}  ${orderState(each)}  placed ${minuteText(each.placedAt, timezone)} (${timezone})`,
    `location ${each.locationId}, by ${each.source}, channel ${each.channel}${each.mode ? `, ${each.mode}` : ''}, business date ${each.businessDate}`,
    ...(each.tableTitle === null ? [] : [`table ${oneLine(each.tableTitle)}`]),
    ...(each.wantedAt === null ? [] : [`wanted for ${minuteText(each.wantedAt, timezone)} (${timezone})`]),
    ...(guest === '' ? [] : [`for ${oneLine(guest)}`]),
    ...(address === '' ? [] : [`to ${oneLine(address)}`]),
    ...(each.notes ? [`"${oneLine(each.notes)}"`] : []),
    ...(each.cancelReason === null ? [] : [`cancelled: ${oneLine(each.cancelReason)}`]),
    '',
    table({ heads: [], rows, sums: null }),
  ].join('\n')
}

function indented({ kind, label }: TotalStep): string {
  if (kind === 'choice') return `    + ${label}`
  return kind === 'note' ? `    "${label}"` : label
}
