import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { brokenOrder, instant, order, restaurant } from './support/arbitraries.ts'
import { beside } from './support/beside.ts'
import { heldClock } from './support/held-clock.ts'
import { type Expected, expectedLocations, expectedMenu, expectedOrder } from './support/independent-calculation.ts'
import { holdsForAll } from './support/property.ts'
import { type Answer, openShop } from './support/shop.ts'
import { pricingVectors, taxVectors } from './support/vectors.ts'

const LARGEST_BODY = 256 * 1024

test('every worked example has its totals and lines, to the minor unit (decisions C2 to C6)', async t => {
  const clock = heldClock(0)
  const shop = await openShop(t, { clock, restaurant: null })
  const { importRestaurant } = beside(t, shop)
  for (const vector of pricingVectors()) {
    await t.test(`${vector.id}: ${vector.title}`, async () => {
      importRestaurant(vector.restaurant)
      clock.set(vector.instant)
      const { status, body } = await shop.order(vector.body)
      assert.equal(status, 201, JSON.stringify(body))
      const { subtotal, discount_total, tax_total, service_charge, delivery_fee, grand_total } = body.data
      assert.deepEqual(
        { subtotal, discount_total, tax_total, service_charge, delivery_fee, grand_total },
        vector.expected,
      )
      const lines: Record<string, unknown>[] = body.data.items
      assert.deepEqual(
        lines.map(({ qty, unit_price, modifiers_total, line_total }) => ({
          qty,
          unit_price,
          modifiers_total,
          line_total,
        })),
        vector.expectedLines,
      )
    })
  }
})

test('every worked example of several tax rates has its totals, and base and tax at each rate (decision C8)', async t => {
  const clock = heldClock(0)
  const shop = await openShop(t, { clock, restaurant: null })
  const { importRestaurant } = beside(t, shop)
  for (const vector of taxVectors()) {
    await t.test(`${vector.id}: ${vector.title}`, async () => {
      importRestaurant(vector.restaurant)
      clock.set(vector.instant)
      const { status, body } = await shop.order(vector.body)
      assert.equal(status, 201, JSON.stringify(body))
      const { subtotal, discount_total, tax_total, service_charge, delivery_fee, grand_total, tax_lines } = body.data
      assert.deepEqual(
        { subtotal, discount_total, tax_total, service_charge, delivery_fee, grand_total },
        vector.expected,
      )
      assert.deepEqual(tax_lines, vector.expectedTaxLines)
    })
  }
})

/** The body of a request as a client sends it. Sometimes it is larger than the server takes. */
interface Sent {
  text: string
  expected: Expected | { status: 413 }
}

/** A restaurant, and turns: orders that are sent together at one instant. */
const visits = restaurant().chain(shown =>
  fc.record({
    restaurant: fc.constant(shown),
    turns: fc.array(
      fc.record({
        instant: instant(shown),
        orders: fc.array(
          fc.oneof({ weight: 3, arbitrary: order(shown) }, { weight: 2, arbitrary: brokenOrder(shown) }),
          { minLength: 1, maxLength: 7 },
        ),
      }),
      { minLength: 1, maxLength: 5, size: 'max' },
    ),
  }),
)

test('any order at any restaurant gets the status, totals, lines and faults of an independent calculation in exact rationals', async t => {
  const clock = heldClock(0)
  const shop = await openShop(t, { clock, restaurant: null, settings: { 'orders.limit': '1000000000' } })
  const { importRestaurant } = beside(t, shop)
  const sent = { orders: 0, created: 0, refused: 0 }

  async function checkMenus(restaurant: Parameters<typeof expectedMenu>[0]): Promise<void> {
    const locations = await shop.get('/locations')
    assert.equal(locations.status, 200)
    assert.deepEqual(locations.body, { data: expectedLocations(restaurant) })
    for (const { id } of restaurant.locations ?? []) {
      const menu = await shop.get(`/locations/${id}/menu`)
      const expected = expectedMenu(restaurant, id)
      if (expected) assert.deepEqual(menu.body, { data: expected }, `the menu of location ${id}`)
      else assertUnknownLocation(menu)
    }
  }

  // Each restaurant gets about 12 orders.
  const runs = await holdsForAll(visits, 200, async ({ restaurant, turns }) => {
    importRestaurant(restaurant, 'every 86')
    await checkMenus(restaurant)
    for (const turn of turns) {
      clock.set(turn.instant)
      const bodies = turn.orders.map((body): Sent => {
        const text = JSON.stringify(body)
        if (Buffer.byteLength(text) > LARGEST_BODY) return { text, expected: { status: 413 } }
        return { text, expected: expectedOrder(restaurant, JSON.parse(text), turn.instant) }
      })
      const before = countOrders()
      const answers = await Promise.all(bodies.map(({ text }) => shop.order(text)))
      const numbers: number[] = []
      for (const [index, answer] of answers.entries()) {
        const number = assertAnswer(answer, bodies[index] as Sent)
        if (number !== undefined) numbers.push(number)
      }
      assert.equal(countOrders(), before + numbers.length, 'every created order is in the file, and no other')
      numbers.sort((a, b) => a - b)
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => before + index + 1),
        'numbers follow each other without a gap (decision D6)',
      )
      sent.orders += answers.length
      sent.created += numbers.length
      sent.refused += answers.length - numbers.length
    }
  })
  t.diagnostic(`${runs} restaurants, ${sent.orders} orders: ${sent.created} created, ${sent.refused} refused`)
  assert.ok(sent.created > sent.orders / 4 && sent.refused > sent.orders / 5, JSON.stringify(sent))

  function countOrders(): number {
    return Number(shop.rows('SELECT count(*) AS orders FROM orders')[0]?.orders)
  }
})

/** Compares an answer in full with what was expected, and gives back the number of a created order. */
function assertAnswer(answer: Answer, { text, expected }: Sent): number | undefined {
  assert.equal(answer.status, expected.status, `${text}\n${answer.text}`)
  switch (expected.status) {
    case 201: {
      const { id, order_number, items, ...data } = answer.body.data
      assert.ok(Number.isSafeInteger(id) && id > 0)
      assert.match(order_number, /^ORD-\d{6}$/)
      const lines = items.map(({ id: lineId, ...line }: { id: unknown }) => {
        assert.ok(Number.isSafeInteger(lineId))
        return line
      })
      assert.deepEqual({ ...data, items: lines }, expected.order, text)
      return Number(order_number.slice(4))
    }
    case 400: {
      const errors = expected.faults.map(({ title, pointer, group }) => {
        const source = { pointer, ...(group !== undefined && { modifier_group_id: group }) }
        return pointer === null ? { title, code: 'INVALID_ORDER' } : { title, code: 'INVALID_ORDER', source }
      })
      assert.deepEqual(answer.body, { errors }, text)
      return undefined
    }
    case 404:
      assertUnknownLocation(answer)
      return undefined
    case 413:
      return undefined
    default:
      return expected satisfies never
  }
}

function assertUnknownLocation({ status, body }: Answer): void {
  assert.equal(status, 404)
  assert.deepEqual(body, { errors: [{ title: 'Unknown location', code: 'UNKNOWN_LOCATION' }] })
}
