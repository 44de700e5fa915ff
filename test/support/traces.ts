// The rows that orders write, so that a test can assert that a refused request wrote none.

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { isRefused } from '../../store/terms/refusal.ts'
import type { Refusal } from './bad-input.ts'
import { assertMatches } from './openapi.ts'
import { openShop, type Shop, type ShopOptions } from './shop.ts'
import { smallRestaurant } from './small-restaurant.ts'
import { openWire, postOf, type Wire, type WireAnswer } from './wire.ts'

/** Counts of everything that an order writes. */
export interface Traces {
  orders: number
  lines: number
  /** Entries of the ledger. */
  entries: number
  tickets: number
  /** Movements of stock, one for each order here. */
  movements: number
  /** Portions on hand, in millionths. */
  onHand: number
  events: number
  /** Entries of the delivery log, here one for each event. */
  attempts: number
}

const PORTION = 1_000_000

/** What a good order writes. */
const oneOrder: Traces = {
  orders: 1,
  lines: 1,
  entries: 1,
  tickets: 1,
  movements: 1,
  onHand: -PORTION,
  events: 1,
  attempts: 1,
}

/** The small restaurant with a kitchen and stock: every item and modifier takes a portion of the same stock item. */
const countedRestaurant = smallRestaurant({
  stations: [{ id: 1, title: 'Kitchen', is_default: true }],
  stock: [
    {
      id: 1,
      title: 'Portions',
      unit: 'portion',
      on_hand: 500_000,
      recipe: [
        ...[1, 2, 3, 4].map(item => ({ item, qty: 1 })),
        ...[1, 2, 3, 4].map(modifier => ({ modifier, qty: 1 })),
      ],
    },
  ],
})

export interface CountedShop extends Shop {
  traces(): Traces
}

/** A shop with stock and a webhook endpoint. It has no order limit unless `settings` sets one. */
export async function openCountedShop(t: TestContext, options: ShopOptions = {}): Promise<CountedShop> {
  const settings = { 'orders.limit': '1000000', ...options.settings }
  const shop = await openShop(t, { restaurant: countedRestaurant, ...options, settings })
  const added = shop.store.webhooks.endpoints.add('https://127.0.0.1:9/')
  assert.ok(!isRefused(added))
  // Events are written for a paused endpoint as for any other, but not sent.
  shop.store.webhooks.endpoints.pause(added.id, true)
  const db = new Database(shop.file, { readonly: true })
  t.after(() => db.close())
  const select = db.prepare<[], Traces>(
    `SELECT (SELECT count(*) FROM orders) AS orders,
            (SELECT count(*) FROM order_line) AS lines,
            (SELECT count(*) FROM ledger) AS entries,
            (SELECT count(*) FROM ticket) AS tickets,
            (SELECT count(*) FROM stock_movement) AS movements,
            (SELECT sum(on_hand_micro) FROM stock_item) AS onHand,
            (SELECT count(*) FROM webhook_event) AS events,
            (SELECT count(*) FROM webhook_attempt) AS attempts`,
  )
  return {
    ...shop,
    traces() {
      const [traces, ...others] = select.all()
      assert.ok(traces && others.length === 0)
      return traces
    },
  }
}

/**
 * Runs `act`, which may create so many good orders (by default none) and nothing else. Then asserts this, and that the next
 * good order is served, over the connection that `act` returns or over a new one.
 */
export async function assertTraces(
  t: TestContext,
  shop: CountedShop,
  act: () => Promise<Wire | undefined>,
  orders = 0,
): Promise<void> {
  const before = shop.traces()
  const wire = (await act()) ?? openWire(t, shop.port)
  wire.send(postOf(shop))
  assert.equal((await wire.answer()).status, 201, 'the next good order is served')
  const expected = { ...before }
  for (const name of Object.keys(oneOrder) as (keyof Traces)[]) expected[name] += (orders + 1) * oneOrder[name]
  assert.deepEqual(shop.traces(), expected)
}

/** Asserts that a request is refused and writes nothing, and that the next good order is served. */
export async function assertRefused(
  t: TestContext,
  shop: CountedShop,
  request: string | Buffer,
  refusal: Refusal,
): Promise<WireAnswer> {
  const wire = openWire(t, shop.port)
  let answer: WireAnswer | undefined
  await assertTraces(t, shop, async () => {
    // A client that sends everything before it reads must receive the refusal, too.
    wire.sendFirst(request)
    answer = await wire.answer()
    assertIsRefusal(answer, refusal)
    const line = /^([A-Z]+) (\/\S*) HTTP\/1\.1\r\n/.exec(request.toString('latin1'))
    if (line) assertMatches(line[2] ?? '', line[1] ?? '', answer.status, answer.headers, answer.body)
    if (!refusal.isLast && answer.headers.connection !== 'close') return wire
    assert.equal(await wire.rest(), '', 'nothing comes after the answer that closes the connection')
    return undefined
  })
  assert.ok(answer)
  return answer
}

/** The same as a test case. */
export function refuses(shop: CountedShop, request: string | Buffer, refusal: Refusal) {
  return async (t: TestContext): Promise<void> => void (await assertRefused(t, shop, request, refusal))
}

export function assertIsRefusal(answer: WireAnswer, { status, code }: Refusal): void {
  const codes = new Set(answer.body?.errors.map((error: { code: string }) => error.code))
  assert.deepEqual([answer.status, ...codes], [status, code])
}

/** Asserts the statuses of requests that are sent at once over one connection, and that exactly each 201 created an order. */
export async function assertAnswered(
  t: TestContext,
  shop: CountedShop,
  requests: Buffer[],
  statuses: number[],
): Promise<WireAnswer[]> {
  const before = shop.traces()
  const wire = openWire(t, shop.port)
  wire.send(Buffer.concat(requests))
  const answers: WireAnswer[] = []
  for (const _ of statuses) answers.push(await wire.answer())
  assert.deepEqual(
    answers.map(({ status }) => status),
    statuses,
  )
  const created = statuses.filter(status => status === 201).length
  const after = shop.traces()
  for (const name of ['orders', 'entries', 'tickets', 'movements', 'events', 'attempts'] as const) {
    assert.equal(after[name], before[name] + created, name)
  }
  return answers
}

/** The same as a test case. */
export function answers(shop: CountedShop, requests: Buffer[], statuses: number[]) {
  return async (t: TestContext): Promise<void> => void (await assertAnswered(t, shop, requests, statuses))
}
