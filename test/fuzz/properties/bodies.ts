import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { drawn, instant, restaurant } from '../../support/arbitraries.ts'
import { holdsForAll } from '../../support/property.ts'
import { api } from '../../support/wire.ts'
import { assertDescribed, assertPointsInto } from '../answers.ts'
import { furnished } from '../furnish.ts'
import { bodyOf, type Heard, shown } from '../line.ts'
import { bytesOfRequest, type Due, dueTo, type OrderRequest, orderRequest, parsed } from '../order-requests.ts'
import { assertMixed, assertUntroubled, openFuzzed, splitOf } from '../shop.ts'

/** A restaurant, a moment, and turns: requests that are made at the same time. */
const visits = restaurant().chain(shown =>
  fc.record({
    restaurant: drawn(draw => furnished(draw, shown, true)),
    instant: instant(shown),
    turns: fc.array(fc.array(orderRequest(shown), { minLength: 1, maxLength: 3, size: 'max' }), {
      minLength: 1,
      maxLength: 20,
      size: 'max',
    }),
  }),
)

/** Each request makes the one order that a second calculation expects of it, or it is refused and leaves nothing. */
export async function bodies(t: TestContext): Promise<void> {
  const { shop, clock, store, seen, caller } = await openFuzzed(t)
  const callers = [caller(), caller(), caller()]
  const ends = new Map<Due['status'], number>()
  let cases = 0

  const runs = await holdsForAll(visits, 15, async ({ restaurant, instant, turns }) => {
    clock.set(instant)
    store.importRestaurant(restaurant, 'every 86')
    const atFirst = seen.counts()
    const created = { orders: 0, lines: 0 }
    for (const turn of turns) {
      const before = { version: seen.version(), last: seen.lastOrder() }
      const answers = await Promise.all(
        turn.map((request, index) =>
          callers[index]?.ask(bytesOfRequest(request, shop.token), { finish: request.isCutOff }),
        ),
      )
      const ids: number[] = []
      for (const [index, request] of turn.entries()) {
        const due = dueTo(request, restaurant, instant)
        cases++
        ends.set(due.status, (ends.get(due.status) ?? 0) + 1)
        const order = assertDue(request, due, answers[index])
        if (!order) continue
        seen.assertAsAnswered(order)
        ids.push(order.id)
        created.lines += order.items.length
      }
      created.orders += ids.length
      assert.deepEqual(
        ids.sort((a, b) => a - b),
        ids.map((_, index) => before.last + index + 1),
        'the ids follow each other',
      )
      assert.equal(seen.lastOrder(), before.last + ids.length, 'every order in the file was answered')
      if (ids.length === 0) assert.equal(seen.version(), before.version, 'a refused request leaves the file alone')
    }
    assertOnlyOrders(atFirst, seen.counts(), created)
    assertUntroubled(shop)
  })
  assert.deepEqual(store.audit.all(), [])
  t.diagnostic(`${runs} restaurants, ${cases} requests: ${splitOf(ends)}`)
  assertMixed(ends.get(201) ?? 0, cases)
}

/** Fails unless exactly these orders have come into the file, with what belongs to each of them. */
function assertOnlyOrders(
  before: Record<string, number>,
  after: Record<string, number>,
  { orders, lines }: { orders: number; lines: number },
): void {
  const grown = (table: string, by: number) => ({ [table]: (before[table] ?? 0) + by })
  // How many of these an order has is the kitchen's and the recipes' matter.
  const { ticket, ticket_item, ticket_event, stock_movement } = after
  assert.deepEqual(after, {
    ...before,
    ...grown('orders', orders),
    ...grown('order_line', lines),
    ...grown('ledger', orders),
    ...grown('webhook_event', orders),
    ...grown('webhook_attempt', orders),
    ticket,
    ticket_item,
    ticket_event,
    stock_movement,
  })
}

interface Answered {
  id: number
  order_number: string
  fulfillment_status: string | null
  items: { id: number }[]
}

/** Fails unless a request was answered as it must be. Gives back the order that it made. */
function assertDue(request: OrderRequest, due: Due, answer: Heard | undefined): Answered | undefined {
  const asked = () => `${request.head.join(', ')}\n${shown(request.body)}`
  if (due.status === 'no request') {
    assert.ok(due.answers.includes(answer?.status), `${answer?.status} to ${asked()}`)
    if (answer) assertDescribed('POST', `${api}/orders`, answer)
    return undefined
  }
  assert.ok(answer, `no answer to ${asked()}`)
  const body = bodyOf(answer)
  assert.equal(answer.status, due.status, `${JSON.stringify(body)} to ${asked()}`)
  assertDescribed('POST', `${api}/orders`, answer)
  if (due.status === 400) {
    const errors = due.faults.map(({ title, pointer, group }) => {
      const source = { pointer, ...(group !== undefined && { modifier_group_id: group }) }
      return pointer === null ? { title, code: 'INVALID_ORDER' } : { title, code: 'INVALID_ORDER', source }
    })
    assert.deepEqual(body, { errors }, asked())
    assert.ok(errors.length >= 1 && errors.length <= 20)
    for (const { pointer } of due.faults) {
      if (pointer !== null) assertPointsInto(parsed(request.body)?.value, pointer)
    }
  }
  if (due.status !== 201) return undefined
  const { data } = body as { data: Answered }
  const { id: _, order_number, ...order } = data
  const items = order.items.map(({ id: _, ...line }) => line)
  // The second calculation knows nothing of kitchens.
  assert.deepEqual({ ...order, fulfillment_status: null, items }, due.order, asked())
  return data
}
