import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beside } from './support/beside.ts'
import { heldClock } from './support/held-clock.ts'
import { openShop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

// A soup of 6.00 at a location in New York; 20 November 2026 is a Friday.
const soup = { location_id: 1, items: [{ item_id: 1, qty: 1 }] }
const FRIDAY_NOON = '2026-11-20T12:00:00-05:00'

const promotion = (id: number, more: object) => ({ id, title: `Promotion ${id}`, ...more })

function restaurant(promotions: object[]) {
  return smallRestaurant(
    { timezone: 'America/New_York', tax_rate: null, promotions },
    { site: { timezone: 'Asia/Tokyo' } },
  )
}

const windows: [title: string, promotion: object, open: string[], shut: string[]][] = [
  [
    'a window is open from its first minute; until is exclusive',
    { from: '17:00', until: '19:00' },
    ['2026-11-20T17:00:00-05:00', '2026-11-20T18:59:59.999-05:00', '2026-07-04T17:00:00-04:00'],
    ['2026-11-20T16:59:59.999-05:00', '2026-11-20T19:00:00-05:00', '2026-11-20T17:30:00Z', '2026-11-20T17:30:00+09:00'],
  ],
  [
    'without times it runs all day',
    { weekdays: ['fri'] },
    ['2026-11-20T00:00:00-05:00', '2026-11-20T23:59:59.999-05:00'],
    ['2026-11-19T23:59:59.999-05:00', '2026-11-21T00:00:00-05:00'],
  ],
  [
    'with only from it runs until midnight, with that of its own day',
    { from: '22:00', weekdays: ['fri'] },
    ['2026-11-20T22:00:00-05:00', '2026-11-20T23:59:59.999-05:00'],
    ['2026-11-20T21:59:59-05:00', '2026-11-21T00:00:00-05:00', '2026-11-21T22:00:00-05:00'],
  ],
  [
    'with only until it runs from midnight',
    { until: '02:00', weekdays: ['fri'] },
    ['2026-11-20T00:00:00-05:00', '2026-11-20T01:59:59.999-05:00'],
    ['2026-11-20T02:00:00-05:00', '2026-11-21T00:00:00-05:00'],
  ],
  [
    'a window with from after until runs past midnight and belongs to the day it starts',
    { from: '22:00', until: '02:00', weekdays: ['fri'] },
    ['2026-11-20T22:00:00-05:00', '2026-11-21T00:00:00-05:00', '2026-11-21T01:59:59.999-05:00'],
    [
      '2026-11-20T01:59:59-05:00',
      '2026-11-20T21:59:59-05:00',
      '2026-11-21T02:00:00-05:00',
      '2026-11-21T22:00:00-05:00',
    ],
  ],
  [
    'a window until midnight ends with its day',
    { from: '22:00', until: '00:00', weekdays: ['fri'] },
    ['2026-11-20T23:59:59.999-05:00'],
    ['2026-11-21T00:00:00-05:00', '2026-11-20T21:59:59-05:00'],
  ],
  [
    'dates are inclusive, and local',
    { valid_from: '2026-11-20', valid_until: '2026-11-21' },
    ['2026-11-20T00:00:00-05:00', '2026-11-21T23:59:59.999-05:00'],
    ['2026-11-19T23:59:59.999-05:00', '2026-11-22T00:00:00-05:00', '2026-11-20T04:59:59Z'],
  ],
  [
    'after midnight the dates are those of the day the window started',
    { from: '22:00', until: '02:00', valid_from: '2026-11-20', valid_until: '2026-11-20' },
    ['2026-11-20T22:00:00-05:00', '2026-11-21T01:00:00-05:00'],
    ['2026-11-20T01:00:00-05:00', '2026-11-21T22:00:00-05:00'],
  ],
  [
    'one date alone is enough',
    { valid_from: '2026-11-20' },
    ['2030-01-01T00:00:00-05:00'],
    ['2026-11-19T12:00:00-05:00'],
  ],
  [
    'one date alone is enough, the last one',
    { valid_until: '2026-11-20' },
    ['2001-01-01T00:00:00-05:00'],
    ['2026-11-21T00:00:00-05:00'],
  ],
  [
    'a day of the year’s end follows the calendar',
    { from: '23:00', until: '01:00', valid_until: '2026-12-31', weekdays: ['thu'] },
    ['2027-01-01T00:59:59-05:00'],
    ['2027-01-01T01:00:00-05:00', '2027-01-01T23:00:00-05:00'],
  ],
  [
    'when the clock is put forward a window that lies in the hour left out does not open',
    { from: '02:00', until: '03:00', valid_from: '2026-03-08', valid_until: '2026-03-08' },
    [],
    ['2026-03-08T01:59:59-05:00', '2026-03-08T03:00:00-04:00'],
  ],
  [
    'when the clock is put back a window is open both times the wall shows it',
    { from: '01:30', until: '02:00', valid_from: '2026-11-01', valid_until: '2026-11-01' },
    [
      '2026-11-01T01:30:00-04:00',
      '2026-11-01T01:59:59-04:00',
      '2026-11-01T01:30:00-05:00',
      '2026-11-01T01:59:59-05:00',
    ],
    ['2026-11-01T01:00:00-05:00', '2026-11-01T01:29:59-05:00', '2026-11-01T02:00:00-05:00'],
  ],
]

test('a promotion applies within its window on the location’s wall clock (decision C4)', async t => {
  const clock = heldClock(FRIDAY_NOON)
  const shop = await openShop(t, { clock, settings: { 'orders.limit': '1000' } })
  const { importRestaurant } = beside(t, shop)
  for (const [title, changes, open, shut] of windows) {
    await t.test(title, async () => {
      importRestaurant(restaurant([promotion(1, { amount: 1, ...changes })]))
      for (const [instants, discount] of [
        [open, 1],
        [shut, 0],
      ] as const) {
        for (const instant of instants) {
          clock.set(instant)
          assert.equal((await shop.order(soup)).body.data.discount_total, discount, instant)
        }
      }
    })
  }
})

// Which of the bodies get the discount.
const bodies = {
  web: { ...soup },
  phone: { ...soup, channel: 'phone' },
  kiosk: { ...soup, channel: 'kiosk' },
  'delivery channel': { ...soup, channel: 'delivery' },
  'delivery mode by phone': { ...soup, channel: 'phone', service_mode: 'Delivery' },
  'dine in by delivery': { ...soup, channel: 'delivery', service_mode: 'dine-in' },
}
const conditions: [title: string, promotion: object, discounted: (keyof typeof bodies)[]][] = [
  ['without conditions it matches every order', {}, Object.keys(bodies) as (keyof typeof bodies)[]],
  ['the channel is the recorded one', { channel: 'web' }, ['web', 'kiosk']],
  ['the recorded channel is not the mode', { channel: 'delivery' }, ['delivery channel', 'dine in by delivery']],
  ['the mode is the effective one', { service_mode: 'delivery' }, ['delivery channel', 'delivery mode by phone']],
  ['both must match', { channel: 'delivery', service_mode: 'dine_in' }, ['dine in by delivery']],
  ['an inactive one matches nothing', { active: false }, []],
  ['from its subtotal on', { min_subtotal: 6 }, Object.keys(bodies) as (keyof typeof bodies)[]],
  ['below its subtotal it does not match', { min_subtotal: 6.01 }, []],
]

test('a promotion matches on the effective mode, the recorded channel and the subtotal (decision C4)', async t => {
  const shop = await openShop(t, { clock: heldClock(FRIDAY_NOON) })
  const { importRestaurant } = beside(t, shop)
  for (const [title, changes, discounted] of conditions) {
    await t.test(title, async () => {
      importRestaurant(restaurant([promotion(1, { amount: 1, ...changes })]))
      for (const [name, body] of Object.entries(bodies)) {
        const expected = discounted.includes(name as keyof typeof bodies) ? 1 : 0
        assert.equal((await shop.order(body)).body.data.discount_total, expected, name)
      }
    })
  }
})

const best: [title: string, promotions: object[], discount: number, kept: number | null][] = [
  ['the largest counts, not the first', [promotion(1, { amount: 1 }), promotion(2, { percent: 50 })], 3, 2],
  ['they are not added together', [promotion(1, { amount: 1 }), promotion(2, { amount: 1.5 })], 1.5, 2],
  [
    'of equal ones the lowest id counts, wherever it stands',
    [promotion(9, { amount: 3 }), promotion(2, { percent: 50 }), promotion(5, { amount: 3 })],
    3,
    2,
  ],
  [
    'one that does not match is passed over',
    [promotion(1, { amount: 5, channel: 'phone' }), promotion(2, { amount: 1 })],
    1,
    2,
  ],
  ['it is at most the subtotal', [promotion(1, { amount: 99 })], 6, 1],
  ['all of it may go', [promotion(1, { percent: 100 })], 6, 1],
  ['a percentage is rounded half up, once', [promotion(1, { percent: 0.0834 })], 0.01, 1],
  ['one that comes to nothing is none', [promotion(1, { percent: 0.0833 })], 0, null],
  ['an amount finer than the currency is rounded half up', [promotion(1, { amount: 0.005 })], 0.01, 1],
]

test('the largest matching promotion is deducted, at most the subtotal; of equal ones, the one with the lowest id (decision C4)', async t => {
  const shop = await openShop(t, { clock: heldClock(FRIDAY_NOON) })
  const { importRestaurant } = beside(t, shop)
  for (const [title, promotions, discount, kept] of best) {
    await t.test(title, async () => {
      importRestaurant(restaurant(promotions))
      const { body } = await shop.order(soup)
      const { id, discount_total, grand_total } = body.data
      assert.deepEqual([discount_total, grand_total], [discount, Math.round((6 - discount) * 100) / 100])
      const [row] = shop.rows('SELECT promotion FROM orders WHERE id = ?', id)
      const snapshot = JSON.parse(String(row?.promotion))
      assert.equal(snapshot?.id ?? null, kept)
    })
  }
})

test('a promotion belongs to its location, and an import that leaves it out ends it (decision C4)', async t => {
  const [one] = restaurant([promotion(1, { amount: 1 })]).locations
  const branches = (here: object[]) =>
    smallRestaurant(
      {},
      {
        locations: [
          { ...one, promotions: here },
          { ...one, id: 2, code: 'TWO', promotions: [] },
        ],
      },
    )
  const shop = await openShop(t, { clock: heldClock(FRIDAY_NOON), restaurant: branches([promotion(1, { amount: 1 })]) })
  const { importRestaurant } = beside(t, shop)
  const discountAt = async (location_id: number) =>
    (await shop.order({ ...soup, location_id })).body.data.discount_total
  assert.deepEqual([await discountAt(1), await discountAt(2)], [1, 0])
  importRestaurant(branches([]))
  assert.deepEqual([await discountAt(1), await discountAt(2)], [0, 0])
})

test('service charge, delivery fee and tax are calculated after the promotion (decision C4)', async t => {
  const shop = await openShop(t, {
    clock: heldClock(FRIDAY_NOON),
    restaurant: smallRestaurant({
      tax_rate: 10,
      service_charge_rate: 10,
      delivery_fee: 2.5,
      free_delivery_from: 12,
      promotions: [promotion(1, { amount: 1 })],
    }),
  })
  const money = async (qty: number, service_mode: string) => {
    const { body } = await shop.order({ location_id: 1, service_mode, items: [{ item_id: 1, qty }] })
    const { subtotal, discount_total, service_charge, delivery_fee, tax_total, grand_total } = body.data
    return [subtotal, discount_total, service_charge, delivery_fee, tax_total, grand_total]
  }
  assert.deepEqual(await money(1, 'dine_in'), [6, 1, 0.5, 0, 0.55, 6.05])
  assert.deepEqual(await money(2, 'delivery'), [12, 1, 0, 2.5, 1.1, 14.6], 'free delivery looks at what is left, too')
  assert.deepEqual(await money(2.167, 'delivery'), [13, 1, 0, 0, 1.2, 13.2])
})
