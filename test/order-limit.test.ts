import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { orderLimit } from '../store/ordering/order-limit.ts'
import { beside } from './support/beside.ts'
import { heldClock } from './support/held-clock.ts'
import { why } from './support/refusals.ts'
import { type Answer, openShop, type Shop, type ShopOptions } from './support/shop.ts'
import { goodOrder, openWire, orderCount, postOf } from './support/wire.ts'

/** A shop with a held clock behind a trusted proxy on this machine. */
async function openShopBehindProxy(t: TestContext, options: ShopOptions & { proxies?: string } = {}) {
  const { proxies = '127.0.0.1', ...more } = options
  const clock = heldClock('2026-11-20T12:00:00Z')
  const shop = await openShop(t, { clock, environment: { TRUSTED_PROXIES: proxies }, ...more })
  return { shop, clock }
}

/** Places an order that comes from an address, as far as `X-Forwarded-For` is believed. */
function orderFrom(shop: Shop, forwardedFor: string, body: unknown = goodOrder): Promise<Answer> {
  return shop.order(body, { 'X-Forwarded-For': forwardedFor })
}

/** Whether an order from an address is let through, and how long it is told to wait if not. */
async function outcome(shop: Shop, forwardedFor: string): Promise<number | string> {
  const { status, headers } = await orderFrom(shop, forwardedFor)
  return status === 429 ? `wait ${headers.get('retry-after')}` : status
}

test('an address may create exactly 60 orders in any 300 seconds', async t => {
  const { shop, clock } = await openShopBehindProxy(t)
  const place = async (count: number) => {
    for (let i = 0; i < count; i++) assert.equal((await shop.order(goodOrder)).status, 201)
  }
  const wait = async () => {
    const { status, headers, body } = await shop.order(goodOrder)
    assert.deepEqual(
      [status, body.errors],
      [429, [{ title: 'Too many orders from this address. Try again shortly.', code: 'RATE_LIMITED' }]],
    )
    return headers.get('retry-after')
  }
  await place(20)
  clock.pass(100_000)
  await place(40)
  assert.equal(await wait(), '200')
  clock.pass(199_001)
  assert.equal(await wait(), '1')
  clock.pass(998)
  assert.equal(await wait(), '1', 'a millisecond before the first orders leave the window')
  clock.pass(1)
  await place(20)
  assert.equal(await wait(), '100')
  clock.pass(100_000)
  await place(40)
  assert.equal(await wait(), '200')
  assert.equal(orderCount(shop), 120)
})

test('of 100 simultaneous orders from one address, exactly 60 are created', async t => {
  const shop = await openShop(t)
  const answers = await Promise.all(Array.from({ length: 100 }, () => shop.order(goodOrder)))
  const created = answers.filter(({ status }) => status === 201)
  assert.equal(created.length, 60)
  assert.equal(
    answers.filter(({ status, body }) => status === 429 && body.errors[0].code === 'RATE_LIMITED').length,
    40,
  )
  assert.equal(orderCount(shop), 60)
  assert.deepEqual(
    created.map(({ body }) => body.data.order_number).sort(),
    Array.from({ length: 60 }, (_, i) => `ORD-${String(i + 1).padStart(6, '0')}`),
  )
})

test('of pipelined orders beyond the limit, the first ones are created', async t => {
  const shop = await openShop(t, { settings: { 'orders.limit': '3' } })
  const wire = openWire(t, shop.port)
  wire.send(Buffer.concat(Array(5).fill(postOf(shop))))
  const statuses: number[] = []
  for (let i = 0; i < 5; i++) statuses.push((await wire.answer()).status)
  assert.deepEqual(statuses, [201, 201, 201, 429, 429])
})

test('a refused order does not count towards the limit', async t => {
  const shop = await openShop(t, { settings: { 'orders.limit': '2' } })
  const refusals: [number, () => Promise<Answer>][] = [
    [400, () => shop.order('{')],
    [400, () => shop.order({ ...goodOrder, items: [] })],
    [400, () => shop.order({ location_id: 1, items: [{ item_id: 99, qty: 1 }] })],
    [404, () => shop.order({ ...goodOrder, location_id: 99 })],
    [401, () => shop.order(goodOrder, { Authorization: '' })],
    [415, () => shop.order(goodOrder, { 'Content-Type': 'text/plain' })],
    [413, () => shop.order(' '.repeat(300_000))],
    [405, () => shop.call('PUT', '/orders', goodOrder)],
    [200, () => shop.get('/locations/1/menu')],
  ]
  const refuseAll = async () => {
    for (const [status, act] of refusals) assert.equal((await act()).status, status)
  }
  await refuseAll()
  assert.equal((await shop.order(goodOrder)).status, 201)
  await refuseAll()
  assert.equal((await shop.order(goodOrder)).status, 201)
  assert.equal((await shop.order(goodOrder)).status, 429)
})

test('an order that could not be written does not count towards the limit', async t => {
  const shop = await openShop(t, { settings: { 'orders.limit': '2' } })
  shop.execute('ALTER TABLE order_line RENAME TO elsewhere')
  const failed = await Promise.all([1, 2, 3].map(() => shop.order(goodOrder)))
  assert.deepEqual(
    failed.map(({ status }) => status),
    [500, 500, 500],
  )
  shop.execute('ALTER TABLE elsewhere RENAME TO order_line')
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) statuses.push((await shop.order(goodOrder)).status)
  assert.deepEqual(statuses, [201, 201, 429])
})

test('the limit applies to each address separately', async t => {
  const { shop } = await openShopBehindProxy(t, { settings: { 'orders.limit': '1' } })
  assert.equal(await outcome(shop, '192.0.2.1'), 201)
  assert.equal(await outcome(shop, '192.0.2.1'), 'wait 300')
  assert.equal(await outcome(shop, '192.0.2.2'), 201)
  assert.equal(await outcome(shop, '127.0.0.1'), 201)
})

test('X-Forwarded-For from a peer that is not a trusted proxy is ignored', async t => {
  const shop = await openShop(t, {
    settings: { 'orders.limit': '2' },
    environment: { TRUSTED_PROXIES: '10.0.0.0/8, ::1 192.0.2.1' },
  })
  assert.equal((await orderFrom(shop, '198.51.100.1')).status, 201)
  assert.equal((await orderFrom(shop, '198.51.100.2')).status, 201)
  assert.equal((await orderFrom(shop, '198.51.100.3')).status, 429)
  assert.equal((await shop.order(goodOrder)).status, 429)
})

/** Asserts whether orders with these two `X-Forwarded-For` count as from one address; undefined sends none. */
async function assertShared(shop: Shop, one: string | undefined, other: string | undefined, isShared: boolean) {
  const order = (from: string | undefined) => (from === undefined ? shop.order(goodOrder) : orderFrom(shop, from))
  assert.equal((await order(one)).status, 201, `${one} has an order left`)
  assert.equal((await order(other)).status, isShared ? 429 : 201, `${one} and ${other}`)
}

test('the client is the right-most entry of a trusted X-Forwarded-For that is not a trusted proxy itself', async t => {
  const { shop, clock } = await openShopBehindProxy(t, {
    settings: { 'orders.limit': '1' },
    proxies: '127.0.0.0/8, 10.0.0.0/8, 2001:db8:ffff::/48',
  })
  const cases: [forwardedFor: string, counted: string | 'the peer'][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['198.51.100.9, 192.0.2.1', '192.0.2.1'],
    ['nonsense, 192.0.2.1', '192.0.2.1'],
    ['192.0.2.1, 10.1.2.3', '192.0.2.1'],
    ['192.0.2.1,10.1.2.3 ,\t127.0.0.1', '192.0.2.1'],
    ['192.0.2.1, ::ffff:10.1.2.3', '192.0.2.1'],
    ['192.0.2.1, 2001:db8:ffff::1', '192.0.2.1'],
    ['2001:db8::1%eth0', '2001:db8::1'],
    ['10.1.2.3', 'the peer'],
    ['10.1.2.3, 127.0.0.1', 'the peer'],
    ['', 'the peer'],
    ['unknown', 'the peer'],
    ['192.0.2.1, unknown', 'the peer'],
    ['192.0.2.1, unknown, 10.1.2.3', 'the peer'],
    ['192.0.2.1,', 'the peer'],
    ['192.0.2.1:4711', 'the peer'],
    ['[2001:db8::1]', 'the peer'],
    ['192.0.2.256', 'the peer'],
    ['0300.0.2.1', 'the peer'],
    ['192.0.2.1 192.0.2.2', 'the peer'],
    ['1::2::3', 'the peer'],
  ]
  for (const [forwardedFor, counted] of cases) {
    const address = counted === 'the peer' ? undefined : counted
    await assertShared(shop, address, forwardedFor, true)
    await assertShared(shop, '203.0.113.1', '203.0.113.2', false)
    clock.pass(300_000)
  }
})

test('several X-Forwarded-For headers count as one list', async t => {
  const { shop } = await openShopBehindProxy(t, { settings: { 'orders.limit': '1' } })
  const wire = openWire(t, shop.port)
  const statuses: number[] = []
  for (const first of ['192.0.2.1', '192.0.2.2']) {
    wire.send(postOf(shop, { headers: [`X-Forwarded-For: ${first}`, 'x-forwarded-for: 192.0.2.9'] }))
    statuses.push((await wire.answer()).status)
  }
  assert.deepEqual(statuses, [201, 429])
})

test('an IPv4-mapped address counts as its IPv4 address, and the IPv6 addresses of one /64 count as one', async t => {
  const { shop, clock } = await openShopBehindProxy(t, { settings: { 'orders.limit': '1' } })
  const cases: [one: string, other: string, isShared: boolean][] = [
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['192.0.2.1', '::FFFF:c000:0201', true],
    ['192.0.2.1', '0:0:0:0:0:ffff:192.0.2.1', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
    ['192.0.2.1', '64:ff9b::192.0.2.1', false],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['2001:db8:1:2::1', '2001:0DB8:0001:0002::', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['2001:db8:1::1', '2001:db8:1:0:5::', true],
    ['2001:db8::1', '2001:db8:0:1::1', false],
    ['::1', '::2', true],
    ['fe80::1%eth0', 'fe80::2%eth1', true],
  ]
  for (const [one, other, isShared] of cases) {
    await assertShared(shop, one, other, isShared)
    clock.pass(300_000)
  }
})

test('a peer that connects over IPv6 with an IPv4-mapped address is trusted and counted as its IPv4 address', async t => {
  const environment = { HOST: '::ffff:127.0.0.1', TRUSTED_PROXIES: '127.0.0.1' }
  const shop = await openShop(t, { settings: { 'orders.limit': '1' }, environment })
  await assertShared(shop, '192.0.2.1', '192.0.2.2', false)
  await assertShared(shop, undefined, '::1', false)
})

test('both numbers of the limit are settings, and a change by another process takes effect at the next request', async t => {
  const { shop, clock } = await openShopBehindProxy(t, { settings: { 'orders.limit': '1' } })
  const { settings } = beside(t, shop)
  const from = '192.0.2.1'
  assert.equal(await outcome(shop, from), 201)
  assert.equal(await outcome(shop, from), 'wait 300')
  settings.set('orders.limit', '3')
  clock.pass(100_000)
  assert.equal(await outcome(shop, from), 201)
  assert.equal(await outcome(shop, from), 201)
  assert.equal(await outcome(shop, from), 'wait 200')
  settings.set('orders.limit', '2')
  assert.equal(await outcome(shop, from), 'wait 300', 'two of the three must leave the window')
  settings.set('orders.limit_window_s', '150')
  assert.equal(await outcome(shop, from), 'wait 150')
  settings.set('orders.limit_window_s', '99')
  assert.equal(await outcome(shop, from), 'wait 99')
  settings.set('orders.limit', '3')
  assert.equal(await outcome(shop, from), 201, 'the first has left the shorter window')

  for (const key of ['orders.limit', 'orders.limit_window_s'] as const) {
    for (const value of ['0', '-1', '1.5', '', 'x']) assert.match(why(settings.set(key, value)), /whole number from 1/)
  }
})

test('setting the system clock neither lifts nor prolongs the limit', async t => {
  const { shop, clock } = await openShopBehindProxy(t, { settings: { 'orders.limit': '1' } })
  assert.equal((await shop.order(goodOrder)).status, 201)
  clock.set('2036-01-01T00:00:00Z')
  assert.equal((await shop.order(goodOrder)).headers.get('retry-after'), '300')
  clock.set('2001-01-01T00:00:00Z')
  clock.pass(300_000)
  assert.equal((await shop.order(goodOrder)).status, 201)
})

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ passMs: fc.integer({ min: 0, max: 6000 }) }) },
  {
    weight: 8,
    arbitrary: fc.record({ from: fc.integer({ min: 1, max: 3 }), isGood: fc.constantFrom(true, true, true, false) }),
  },
  { weight: 1, arbitrary: fc.record({ limit: fc.integer({ min: 1, max: 4 }) }) },
)

test('for any sequence of events, the limit decides as a full list of created orders would', async t => {
  const windowMs = 10_000
  const { shop, clock } = await openShopBehindProxy(t, { settings: { 'orders.limit_window_s': '10' } })
  const { settings } = beside(t, shop)

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async events => {
      const created: { from: number; at: number }[] = []
      let limit = 2
      settings.set('orders.limit', '2')
      clock.pass(windowMs)

      const mayCreate = (from: number, at: number) =>
        created.filter(order => order.from === from && order.at > at - windowMs).length < limit

      for (const event of events) {
        if ('passMs' in event) clock.pass(event.passMs)
        else if ('limit' in event) {
          limit = event.limit
          settings.set('orders.limit', String(limit))
        } else {
          const { from, isGood } = event
          const now = clock.elapsed()
          let expected = isGood ? '201' : '400'
          if (!mayCreate(from, now)) {
            let wait = 1
            while (!mayCreate(from, now + wait * 1000)) wait++
            expected = `429 after ${wait}`
          } else if (isGood) created.push({ from, at: now })

          const { status, headers } = await orderFrom(shop, `192.0.2.${from}`, isGood ? goodOrder : {})
          const wait = headers.get('retry-after')
          assert.equal(wait === null ? String(status) : `${status} after ${wait}`, expected)
        }
      }
    }),
    { numRuns: 50 },
  )
})

test('the number of remembered addresses is bounded, and the one with the oldest last order is forgotten first', () => {
  const limit = orderLimit(
    () => 0,
    () => ({ orders: 2, windowS: 300 }),
  )
  for (const bucket of ['first', 'second', 'second', 'first']) assert.ok(limit.permit(bucket).take())
  assert.ok(!limit.permit('first').take())
  let others = 0
  while (limit.secondsToWait('second') > 0 && others <= 1_000_000) limit.permit(`other ${others++}`).take()
  assert.ok(others <= 100_000, 'memory is bounded')
  assert.ok(limit.secondsToWait('first') > 0)
})
