import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import test from 'node:test'
import { parseDraft } from '../store/ordering/draft.ts'
import type { Actor } from '../store/people/actor.ts'
import { isEnteredByStaff, type Source, sources } from '../store/terms/channels.ts'
import type { LocationId } from '../store/terms/ids.ts'
import { openingAt } from '../store/terms/opening.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { servery } from './support/commands.ts'
import { heldClock } from './support/held-clock.ts'
import { type Answer, openShop, type Shop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const PAUSED = 'Orders are paused at this location.'
const CLOSED = 'This location is closed.'
const here = 1 as LocationId
const ana: Actor = { kind: 'staff', id: null, name: 'Ana' }
const soup = { location_id: 1, items: [{ item_id: 1, qty: 1 }] }

function assertTurnedAway({ status, headers, body, text }: Answer, title: string, retryAfter: string | null): void {
  assert.equal(status, 400, text)
  assert.deepEqual(body.errors, [{ title, code: 'INVALID_ORDER', source: { pointer: '/location_id' } }])
  assert.equal(headers.get('retry-after'), retryAfter)
}

/** From which origins an order is taken now, of all but the API. */
async function takenFrom(shop: Shop): Promise<Source[]> {
  const draft = parseDraft(soup)
  assert.ok(!isRefused(draft))
  const taken: Source[] = []
  for (const source of sources) {
    if (source === 'api') continue
    const byStaff = isEnteredByStaff(source)
    const placed = await shop.writer.place({ draft, source, bucket: null, ...(byStaff && { actor: ana }) })
    if (!isRefused(placed)) taken.push(source)
    else assert.equal(placed.refused, 'takes no orders')
  }
  return taken
}

async function acceptsOrders(shop: Shop): Promise<number[]> {
  const { body } = await shop.get('/locations')
  return body.data.map((location: { accepts_orders: number }) => location.accepts_orders)
}

test('a paused location refuses orders of guests, not those of staff, and its menu stays readable (decision D10)', async t => {
  const clock = heldClock('2026-11-20T18:00:00Z')
  const shop = await openShop(t, { clock })
  const menu = await shop.get('/locations/1/menu')
  const locations = await shop.get('/locations')
  assert.equal(shop.store.pauses.pause(here, null), undefined)
  assertTurnedAway(await shop.order(soup), PAUSED, null)
  assert.deepEqual(await takenFrom(shop), ['admin', 'pos'])
  assert.deepEqual(await acceptsOrders(shop), [0])
  assert.notEqual((await shop.get('/locations')).headers.get('etag'), locations.headers.get('etag'))
  assert.equal((await shop.get('/locations/1/menu')).headers.get('etag'), menu.headers.get('etag'))

  shop.store.pauses.resume(here)
  assert.equal((await shop.order(soup)).status, 201)
  assert.equal((await shop.get('/locations')).headers.get('etag'), locations.headers.get('etag'))
})

test('a pause is found out after the location and before the lines, and leaves no trace (decisions A1 and D10)', async t => {
  const shop = await openShop(t)
  shop.store.pauses.pause(here, null)
  const unknownItem = { location_id: 1, items: [{ item_id: 99, qty: 1 }] }
  assert.equal((await shop.order({ ...unknownItem, location_id: 2 })).status, 404)
  assertTurnedAway(await shop.order(unknownItem), PAUSED, null)
  const misshapen = await shop.order({ ...soup, notes: 5 })
  assert.equal(misshapen.body.errors[0].title, 'The order details are not valid.')
  assert.deepEqual(shop.rows('SELECT * FROM orders'), [])
})

test('a pause with an end says in Retry-After when to come back, and ends by itself (decision D10)', async t => {
  const clock = heldClock('2026-11-20T18:00:00Z')
  const shop = await openShop(t, { clock })
  shop.store.pauses.pause(here, Date.parse('2026-11-20T18:30:00Z'))
  assertTurnedAway(await shop.order(soup), PAUSED, '1800')
  clock.set('2026-11-20T18:29:59.001Z')
  assertTurnedAway(await shop.order(soup), PAUSED, '1')
  assert.deepEqual(await acceptsOrders(shop), [0])
  clock.set('2026-11-20T18:30:00Z')
  assert.equal((await shop.order(soup)).status, 201)
  assert.deepEqual(await acceptsOrders(shop), [1])
})

test('a pause in the past or of an unknown location is refused', async t => {
  const { store } = await openShop(t)
  assert.deepEqual(store.pauses.pause(here, 5), { refused: 'time has passed', until: 5, timezone: 'UTC' })
  assert.deepEqual(store.pauses.pause(9 as LocationId, null), { refused: 'unknown location', location: 9 })
  assert.deepEqual(store.pauses.list(), [])
})

test('pause and resume name a location, list what is paused, and are written down with who did it', async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant({ timezone: 'Europe/Lisbon' }) })
  const paused = await servery(shop.file, ['pause', 'one', '--until', '2999-06-01 13:00'])
  assert.equal(
    paused.stdout,
    'Location 1 does not take orders from guests until 2999-06-01 13:00 (Europe/Lisbon).\n',
    paused.stderr,
  )
  assert.equal((await shop.order(soup)).body.errors[0].title, PAUSED)
  const listed = await servery(shop.file, ['pause'])
  const name = userInfo().username
  assert.match(
    listed.stdout,
    new RegExp(`^1 +One +since \\S+ +by ${name} +until 2999-06-01 13:00 \\(Europe/Lisbon\\)$`, 'm'),
  )
  const again = JSON.parse((await servery(shop.file, ['pause', '1', '--json'])).stdout)
  assert.deepEqual(again, [{ location_id: 1, title: 'One', since: again[0].since, until: null, by: name }])

  assert.equal((await servery(shop.file, ['resume', 'ONE'])).stdout, 'Location 1 takes orders again.\n')
  assert.equal((await servery(shop.file, ['resume', 'ONE'])).stdout, 'Location 1 is not paused.\n')
  assert.match((await servery(shop.file, ['activity'])).stdout, /paused until 2999-06-01 1\d:00 \([\w/]+\) →/)
  const past = await servery(shop.file, ['pause', '1', '--until', '2020-06-01 13:00'])
  assert.equal(past.stderr, '2020-06-01 13:00 (Europe/Lisbon) has already passed. Choose a later time.\n')
  assert.equal((await shop.order(soup)).status, 201)
  assert.equal((await servery(shop.file, ['pause'])).stdout, 'No location is paused.\n')
  const written = shop.rows(`SELECT what, subject, was, became FROM activity WHERE what LIKE 'orders %'`)
  const subject = 'location 1 One'
  const untilNoon = 'paused until 2999-06-01T12:00:00.000Z'
  assert.deepEqual(written, [
    { what: 'orders paused', subject, was: 'taking orders', became: untilNoon },
    { what: 'orders paused', subject, was: untilNoon, became: 'paused' },
    { what: 'orders resumed', subject, was: 'paused', became: 'taking orders' },
  ])
  assert.match((await servery(shop.file, ['pause', '1', '--until', 'soon'])).stderr, /"soon" is not a time/)
  assert.equal((await servery(shop.file, ['pause', '--until', '18:00'])).code, 2)
  assert.equal((await servery(shop.file, ['resume'])).code, 2)
})

// A Friday that runs past midnight, a closed Saturday after it, and a Sunday with two windows.
const weekend = {
  opening_periods: {
    fri: [{ open: '18:00', close: '02:00' }],
    sat: [{ open: '12:00', close: '23:00' }],
    sun: [
      { open: '12:00', close: '15:00' },
      { open: '19:00', close: '22:00' },
    ],
  },
  closed_dates: [{ from: '2026-11-21', until: '2026-11-21', title: 'Inventory' }],
}

test('with orders.only_when_open the API takes orders only while the location is open (decision D10)', async t => {
  const clock = heldClock('2026-11-20T17:59:59Z')
  const shop = await openShop(t, { clock, restaurant: smallRestaurant(weekend) })
  assert.equal((await shop.order(soup)).status, 201, 'closed hours alone are no reason to refuse (decision D5)')
  assert.deepEqual(await acceptsOrders(shop), [1])
  const { settings } = shop.store
  assert.equal(settings.set('orders.only_when_open', 'on'), undefined)
  const expected: [instant: string, retryAfter: string | null][] = [
    ['2026-11-20T17:59:59Z', '1'],
    ['2026-11-20T18:00:00Z', null],
    ['2026-11-21T01:59:59Z', null],
    ['2026-11-21T02:00:00Z', '122400'],
    ['2026-11-21T12:00:00Z', '86400'],
    ['2026-11-22T12:00:00Z', null],
    ['2026-11-22T15:00:00Z', '14400'],
    ['2026-11-22T19:00:00Z', null],
    ['2026-11-22T22:00:00Z', '417600'],
    ['2026-11-22T14:00:00Z', null],
  ]
  for (const [instant, retryAfter] of expected) {
    clock.set(instant)
    assert.deepEqual(await acceptsOrders(shop), [Number(retryAfter === null)], instant)
    const answer = await shop.order(soup)
    if (retryAfter === null) assert.equal(answer.status, 201, instant)
    else assertTurnedAway(answer, CLOSED, retryAfter)
  }
  clock.set('2026-11-22T23:00:00Z')
  settings.set('orders.only_when_open', 'off')
  assert.deepEqual(await acceptsOrders(shop), [1])
  assert.equal((await shop.order(soup)).status, 201)
})

test('guest pages take orders only while the location is open, whatever the setting, and staff always do (decision D10)', async t => {
  const clock = heldClock('2026-11-20T17:59:59Z')
  const shop = await openShop(t, { clock, restaurant: smallRestaurant(weekend) })
  assert.deepEqual(await takenFrom(shop), ['admin', 'pos'])
  clock.set('2026-11-20T18:00:00Z')
  assert.deepEqual(await takenFrom(shop), ['storefront', 'qr', 'admin', 'pos'])
})

const nightly = { fri: [], sat: [{ open: '22:00', close: '01:30' }], sun: [{ open: '01:30', close: '05:00' }] }
const always = {}
type Hours = Parameters<typeof openingAt>[1]
const hours = (openingPeriods: Hours['openingPeriods'], closed: string[] = []): Hours => ({
  openingPeriods,
  closedDates: closed.map(date => ({ from: date, until: date, title: 'Closed' })),
  timezone: 'Europe/Lisbon',
})

// The clock in Lisbon is put back from 02:00 to 01:00 on 25 October, and forward from 01:00 to 02:00 on 29 March 2026.
const openings: [title: string, Hours, instant: string, isOpen: boolean, until: string | null][] = [
  [
    'closes once when its closing time comes twice',
    hours(nightly),
    '2026-10-25T00:29:59Z',
    true,
    '2026-10-25T00:30:00Z',
  ],
  [
    'opens once when its opening time comes twice',
    hours(nightly),
    '2026-10-25T01:15:00Z',
    true,
    '2026-10-25T05:00:00Z',
  ],
  [
    'closes an hour later on the clock when its closing time is skipped',
    hours({ sat: [{ open: '22:00', close: '01:30' }] }),
    '2026-03-29T01:29:59Z',
    true,
    '2026-03-29T01:30:00Z',
  ],
  [
    'is open past the midnight before a closed date',
    hours({ fri: [{ open: '18:00', close: '02:00' }] }, ['2026-11-21']),
    '2026-11-21T01:00:00Z',
    true,
    '2026-11-21T02:00:00Z',
  ],
  [
    'is closed past the midnight after a closed date',
    hours({ fri: [{ open: '18:00', close: '02:00' }] }, ['2026-11-20']),
    '2026-11-21T01:00:00Z',
    false,
    '2026-11-27T18:00:00Z',
  ],
  [
    'opens in the first week whose day is not a closed date',
    hours({ mon: [{ open: '12:00', close: '15:00' }] }, ['2026-11-23', '2026-11-30', '2026-12-07']),
    '2026-11-20T12:00:00Z',
    false,
    '2026-12-14T12:00:00Z',
  ],
  [
    'of 24 hours lasts until the next day at the same time',
    hours({ fri: [{ open: '12:00', close: '12:00' }] }),
    '2026-11-21T11:59:59Z',
    true,
    '2026-11-21T12:00:00Z',
  ],
  ['without any period is open', hours(always), '2026-11-20T12:00:00Z', true, '2026-11-21T00:00:00Z'],
  [
    'without any period is closed on its closed dates',
    hours(always, ['2026-11-20']),
    '2026-11-20T12:00:00Z',
    false,
    '2026-11-21T00:00:00Z',
  ],
  [
    'that is closed until the end of all dates never opens',
    { ...hours(always), closedDates: [{ from: '2026-01-01', until: '9999-12-31', title: 'Gone' }] },
    '2026-11-20T12:00:00Z',
    false,
    null,
  ],
]

for (const [title, location, instant, isOpen, until] of openings) {
  test(`a location ${title}`, () => {
    assert.deepEqual(openingAt(Date.parse(instant), location), {
      isOpen,
      until: until === null ? Number.POSITIVE_INFINITY : Date.parse(until),
    })
  })
}
