import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { type Move, moves, type Status, statuses } from '../store/ordering/status.ts'
import type { OrderId, TicketId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { servery } from './support/commands.ts'
import { heldClock } from './support/held-clock.ts'
import { eventsOf, listen, orderOf, pizzeria, salad, ticketsOf, water } from './support/pizzeria.ts'
import { why } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'

const first = 1 as OrderId
/** A shop with one order of 5.00 (or the given lines) in a status, paid when it is to be completed. */
async function orderThatIs(t: TestContext, status: Status, lines: unknown[] = [water]): Promise<Shop> {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { body } = await shop.order(orderOf(...lines))
  if (status === 'confirmed') assert.ok(!isRefused(shop.store.move(first, 'confirm')))
  if (status === 'completed') {
    pay(shop, body.data.grand_total * 100)
    assert.ok(!isRefused(shop.store.move(first, 'complete')))
  }
  if (status === 'cancelled') assert.ok(!isRefused(shop.store.move(first, 'cancel', { reason: 'left' })))
  listen(shop)
  return shop
}

const pay = (shop: Shop, amount: number) =>
  assert.ok(!isRefused(shop.store.payments.pay(first, { amount, method: 'cash' })))

/** Everything that is kept of orders, as one value. */
const written = (shop: Shop) =>
  ['orders', 'order_line', 'ticket', 'ticket_item', 'ledger', 'stock_item', 'stock_movement', 'webhook_event'].map(
    table => shop.rows(`SELECT * FROM ${table}`),
  )

// Decision E1, once more and by hand.
const legal: Record<string, Status> = {
  'placed confirm': 'confirmed',
  'placed complete': 'completed',
  'confirmed complete': 'completed',
  'placed cancel': 'cancelled',
  'confirmed cancel': 'cancelled',
}

for (const status of statuses) {
  for (const move of Object.keys(moves) as (keyof typeof moves)[]) {
    const to = legal[`${status} ${move}`]
    test(`${status}: ${move} ${to ? `makes it ${to}` : 'is refused with a sentence and writes nothing'}`, async t => {
      const shop = await orderThatIs(t, status)
      if (to === 'completed') pay(shop, 200)
      const before = written(shop)
      const moved = shop.store.move(first, move, { reason: 'guest left' })
      if (to) {
        assert.equal(why(moved), 'done')
        assert.equal(shop.store.orderBook.byId(1)?.status, to)
      } else {
        const isSame = status === moves[move].to
        const sentence = isSame
          ? /^This order is already \w+\.$/
          : /^An order that is \w+ cannot become \w+\.( Give a credit and refund it instead\.)?$/
        assert.match(why(moved), sentence)
        assert.deepEqual(written(shop), before)
      }
    })
  }
}

for (const status of ['completed', 'cancelled'] as const) {
  test(`an order that is ${status} refuses fulfilment, edits, bumps and payments`, async t => {
    const shop = await orderThatIs(t, status)
    const before = written(shop)
    for (const move of ['fulfil', 'out-for-delivery'] as const) {
      assert.match(why(shop.store.move(first, move)), new RegExp(`is ${status}`))
    }
    const nothing = { name: undefined, phone: undefined, email: undefined }
    const edit = { remove: [], add: [], notes: 'x', customer: nothing, discount: undefined }
    assert.match(why(shop.store.edit(first, edit)), new RegExp(`is ${status}`))
    assert.notEqual(why(shop.store.payments.pay(first, { amount: 1, method: 'cash' })), 'done')
    assert.notEqual(why(shop.store.payments.refund(first, { amount: 1, method: 'cash' })), 'done')
    assert.notEqual(why(shop.store.payments.voidPayment(first, 2)), 'done')
    assert.deepEqual(written(shop), before)
  })
}

test('completing an order requires a balance of 0 and no open ticket', async t => {
  const shop = await orderThatIs(t, 'placed', [salad])
  assert.match(why(shop.store.move(first, 'complete')), /5\.00 EUR is still to be paid/)
  pay(shop, 500)
  assert.match(why(shop.store.move(first, 'complete')), /Ticket 1 of this order is still open/)
  shop.store.kitchen.bump(1 as TicketId, null)
  assert.equal(why(shop.store.move(first, 'complete')), 'done')
  assert.equal(shop.store.orderBook.byId(1)?.fulfillmentStatus, 'fulfilled')
})

test('cancelling an order requires a reason and net payments of 0', async t => {
  const shop = await orderThatIs(t, 'placed', [salad])
  assert.match(why(shop.store.move(first, 'cancel')), /needs a reason/)
  pay(shop, 100)
  assert.match(why(shop.store.move(first, 'cancel', { reason: 'x' })), /1\.00 EUR was paid/)
  assert.ok(!isRefused(shop.store.payments.refund(first, { amount: 100, method: 'cash' })))
  assert.equal(why(shop.store.move(first, 'cancel', { reason: 'x' })), 'done')
  assert.equal(shop.store.payments.standing(first).balance, 0)
  assert.deepEqual(
    ticketsOf(shop, 1).map(({ state }) => state),
    ['void'],
  )
  const order = shop.store.orderBook.byId(1)
  assert.deepEqual([order?.status, order?.fulfillmentStatus, order?.cancelReason], ['cancelled', 'cancelled', 'x'])
})

// Fulfilment by fulfilment: what each move comes to.
const fulfilments: [string, (shop: Shop) => void, Record<'fulfil' | 'out-for-delivery', string | RegExp>][] = [
  ['nothing for the kitchen', () => {}, { fulfil: 'fulfilled', 'out-for-delivery': 'out_for_delivery' }],
  [
    'ready',
    shop => shop.store.kitchen.bump(1 as TicketId, null),
    { fulfil: 'fulfilled', 'out-for-delivery': 'out_for_delivery' },
  ],
  [
    'in the kitchen',
    () => {},
    { fulfil: /Ticket 1 of this order is still open/, 'out-for-delivery': /Ticket 1 of this order is still open/ },
  ],
  [
    'out for delivery',
    shop => shop.store.move(first, 'out-for-delivery'),
    { fulfil: 'fulfilled', 'out-for-delivery': /^This order is already out for delivery\.$/ },
  ],
  [
    'fulfilled',
    shop => shop.store.move(first, 'fulfil'),
    { fulfil: /^This order is already fulfilled\.$/, 'out-for-delivery': /fulfilled cannot become out for delivery/ },
  ],
]
for (const [state, arrange, results] of fulfilments) {
  for (const [move, result] of Object.entries(results)) {
    test(`an order that is ${state}: ${move} ${typeof result === 'string' ? 'is done' : 'is refused'}`, async t => {
      const hasTicket = state === 'ready' || state === 'in the kitchen'
      const shop = await orderThatIs(t, 'placed', [hasTicket ? salad : water])
      arrange(shop)
      const before = written(shop)
      const moved = shop.store.move(first, move as Move)
      if (typeof result === 'string') assert.equal(!isRefused(moved) && moved.order.fulfillmentStatus, result)
      else {
        assert.match(why(moved), result)
        assert.deepEqual(written(shop), before)
      }
    })
  }
}

test('the order command changes the status of an order and prints the result', async t => {
  const shop = await orderThatIs(t, 'placed', [salad])
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await servery(shop.file, ['order', ...args])
    return [code, (stdout || stderr).split('\n')[0]]
  }
  assert.deepEqual(await run('1', 'confirm'), [0, 'ORD-000001 is confirmed, in kitchen.'])
  assert.deepEqual(await run('1', 'confirm'), [1, 'This order is already confirmed.'])
  assert.deepEqual(await run('1', 'fulfil'), [
    1,
    'Ticket 1 of this order is still open in the kitchen. Mark it as done first. Next: bump 1',
  ])
  assert.deepEqual(await run('1', 'cancel'), [1, 'A cancellation needs a reason.'])
  assert.equal((await run('1', 'eat'))[0], 2)
  assert.equal((await run('1', 'confirm', '--reason', 'x'))[0], 2)
  assert.equal((await run('1', 'cancel', '--reason', 'x', '--waste', '--restock'))[0], 2)
  assert.equal((await run('7', 'confirm'))[0], 1)
  assert.deepEqual(await run('1', 'cancel', '--reason', 'changed their mind'), [0, 'ORD-000001 is cancelled.'])
  assert.match((await servery(shop.file, ['order', '1'])).stdout, /^cancelled: changed their mind$/m)
  assert.deepEqual(eventsOf(shop).at(-2)?.data, {
    id: 1,
    location_id: 1,
    channel: 'web',
    status: 'cancelled',
    previous_status: 'confirmed',
    fulfillment_status: 'cancelled',
    previous_fulfillment_status: 'in_kitchen',
    reason: 'changed their mind',
  })
})

// 25 October 2026 in Berlin and 1 November 2026 in New York have 25 hours; 29 March and 8 March have 23.
const nights: [zone: string, instant: string, date: string][] = [
  ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-28'],
  ['Europe/Berlin', '2026-03-29T01:59:59Z', '2026-03-28'],
  ['Europe/Berlin', '2026-03-29T02:00:00Z', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-24'],
  ['Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-24'],
  ['Europe/Berlin', '2026-10-25T02:59:59Z', '2026-10-24'],
  ['Europe/Berlin', '2026-10-25T03:00:00Z', '2026-10-25'],
  ['America/New_York', '2026-03-08T07:59:59Z', '2026-03-07'],
  ['America/New_York', '2026-03-08T08:00:00Z', '2026-03-08'],
  ['America/New_York', '2026-11-01T06:30:00Z', '2026-10-31'],
  ['America/New_York', '2026-11-01T08:59:59Z', '2026-10-31'],
  ['America/New_York', '2026-11-01T09:00:00Z', '2026-11-01'],
  ['Asia/Kolkata', '2026-10-25T22:29:59Z', '2026-10-25'],
  ['Asia/Kolkata', '2026-10-25T22:30:00Z', '2026-10-26'],
]

test('the business date is the date on the location’s wall clock, or the day before until four in the morning', async t => {
  for (const zone of new Set(nights.map(([name]) => name))) {
    const clock = heldClock('2026-01-01T00:00:00Z')
    const shop = await openShop(t, { restaurant: pizzeria({ timezone: zone }), clock })
    for (const [, instant, date] of nights.filter(([name]) => name === zone)) {
      clock.set(instant)
      const { body } = await shop.order(orderOf(water))
      const id: OrderId = body.data.id
      assert.ok(!isRefused(shop.store.payments.pay(id, { amount: 200, method: 'cash' })))
      assert.equal(shop.store.orderBook.byId(id)?.businessDate, date, `${zone} ${instant}`)
      assert.deepEqual(
        shop.store.payments.entries(id).map(({ businessDate }) => businessDate),
        [date, date],
      )
    }
  }
})

test('a location can set the time at which its days start', async t => {
  const clock = heldClock('2026-11-20T06:29:59Z')
  const shop = await openShop(t, { restaurant: pizzeria({ day_starts_at: '06:30' }), clock })
  await shop.order(orderOf(water))
  clock.set('2026-11-20T06:30:00Z')
  await shop.order(orderOf(water))
  const dates = [1, 2].map(id => shop.store.orderBook.byId(id)?.businessDate)
  assert.deepEqual(dates, ['2026-11-19', '2026-11-20'])
})
