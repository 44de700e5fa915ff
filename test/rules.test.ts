import assert from 'node:assert/strict'
import test from 'node:test'
import type { EndpointId, ItemId, LocationId, OrderId, StockId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { heldClock } from './support/held-clock.ts'
import { orderOf, pizzeria, salad } from './support/pizzeria.ts'
import { why } from './support/refusals.ts'
import { openShop } from './support/shop.ts'

// Commands spell what they are given, and so cannot show all that the store refuses; a page has to meet the same rules.

const first = 1 as OrderId
const blankOrTooLong = ['', '  ', 'x'.repeat(201), 'a\0b']

test('the store refuses an amount that is not a whole number above 0 and within bounds', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  await shop.order(orderOf(salad))
  const { payments } = shop.store
  for (const amount of [0, -100, 1.5, Number.NaN, 10_000_000_000]) {
    const refused = /An amount in EUR must be more than 0 and at most 99999999.99 EUR, with at most 2 decimals\./
    assert.match(why(payments.pay(first, { amount, method: 'cash' })), refused)
    assert.match(why(payments.refund(first, { amount, method: 'cash' })), refused)
    assert.match(why(payments.credit(first, { amount, note: 'late' })), refused)
  }
  assert.equal(payments.entries(first).length, 1)
})

test('the store refuses a blank or too long reason, note or reference', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  await shop.order(orderOf(salad))
  const { payments, move, shelf } = shop.store
  const cash = { amount: 100, method: 'cash' } as const
  for (const text of blankOrTooLong) {
    const results = [
      payments.pay(first, { ...cash, clientRef: text }),
      payments.pay(first, { ...cash, note: text }),
      payments.refund(first, { ...cash, note: text }),
      payments.credit(first, { amount: 100, note: text }),
      payments.voidPayment(first, 2, { note: text }),
      move(first, 'cancel', { reason: text }),
      shelf.change(1 as StockId, 'add', 1000, text),
    ]
    for (const result of results) assert.ok(isRefused(result) && result.refused === 'text', JSON.stringify(result))
  }
  assert.equal(payments.entries(first).length, 1)
  assert.equal(why(payments.pay(first, { ...cash, clientRef: '🍕'.repeat(200) })), 'done', 'characters are code points')
})

test('the store refuses a quantity of stock with more than three decimals, out of bounds, or 0 unless it is counted', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { shelf } = shop.store
  const before = shelf.list()
  const refused = [
    ['set', -1000],
    ['set', 500],
    ['set', 1_000_000_000_001_000],
    ['add', 0],
    ['add', -1000],
    ['add', Number.NaN],
    ['waste', 0],
    ['waste', -1000],
  ] as const
  for (const [act, qty] of refused) {
    assert.match(why(shelf.change(1 as StockId, act, qty, null)), /^A quantity must be /, `${act} ${qty}`)
  }
  assert.deepEqual(shelf.list(), before)
  assert.equal(why(shelf.change(1 as StockId, 'set', 0, null)), 'done')
})

test('the store refuses to take an item off the menu until a time that has passed', async t => {
  const clock = heldClock('2026-11-20T12:00:00Z')
  const shop = await openShop(t, { restaurant: pizzeria(), clock })
  const { availability } = shop.store
  for (const until of [clock.now(), clock.now() - 1]) {
    assert.match(why(availability.off({ kind: 'item', id: 1 as ItemId }, 1 as LocationId, until)), /has already passed/)
  }
  assert.deepEqual(availability.list(), [])
  assert.equal(why(availability.off({ kind: 'item', id: 1 as ItemId }, 1 as LocationId, clock.now() + 1)), 'done')
})

test('the store refuses endpoints that do not exist, events that do not exist and secrets that cannot sign', async t => {
  const shop = await openShop(t)
  const { endpoints, secrets } = shop.store.webhooks
  assert.match(why(endpoints.remove(7 as EndpointId)), /no endpoint 7/)
  assert.match(why(endpoints.pause(7 as EndpointId, true)), /no endpoint 7/)
  assert.match(why(endpoints.select(['order.placed', 'order.eaten'])), /no event "order.eaten"/)
  assert.deepEqual(endpoints.selection(), [])
  assert.match(why(secrets.set('')), /is empty/)
  assert.match(why(secrets.rotate('whsec_***')), /base64/)
  assert.match(why(secrets.retire()), /No secret is set/)
  assert.deepEqual(secrets.createdAt(), [])
})

test('the store refuses a report on what is not a period', async t => {
  const shop = await openShop(t)
  const { reports } = shop.store
  assert.match(why(reports.period({ from: '2026-02-30' })), /not a date/)
  assert.match(why(reports.period({ from: '2026-02-02', to: '2026-02-01' })), /is before/)
  assert.match(why(reports.period({ locationId: 9 as LocationId })), /no location 9/)
})
