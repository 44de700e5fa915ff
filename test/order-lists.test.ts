import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import type { OrderDetails } from '../store/ordering/details.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import type { Edit } from '../store/ordering/edit-draft.ts'
import type { OrderFilter } from '../store/ordering/order-list.ts'
import { openStore } from '../store/store.ts'
import type { Source } from '../store/terms/channels.ts'
import type { LocationId, OrderId, TableId } from '../store/terms/ids.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { orderOf, pizza, pizzeria, salad, water } from './support/pizzeria.ts'
import { accepted, why } from './support/refusals.ts'
import { importInto } from './support/shop.ts'

const MINUTE = 60_000
const nothing = { name: undefined, phone: undefined, email: undefined }
const asItIs: Edit = { remove: [], add: [], notes: undefined, customer: nothing, discount: undefined }

function openRestaurant(t: TestContext, start = '2026-11-20T18:00:00Z') {
  const [first] = pizzeria({ stock: [], tables: [{ id: 1, title: 'Terrace 1' }] }).locations
  const second = {
    ...first,
    id: 2,
    code: 'B',
    title: 'B',
    stations: [],
    routing: [],
    tables: [],
    day_starts_at: '06:00',
  }
  const file = join(temporaryFolder(t), 'test.db')
  const clock = heldClock(start)
  importInto(file, { ...pizzeria(), locations: [first, second] }, {}, clock)
  const store = openStore(file, { clock, create: false, busyMs: 1000 })
  t.after(store.close)
  function place(order: object = orderOf(salad), details: OrderDetails = {}, source: Source = 'pos'): OrderId {
    return accepted(store.orders.place(accepted(parseDraft(order)), source, details)).id
  }
  const listed = (filter: OrderFilter) => store.orderList.page(filter).orders.map(({ id }) => Number(id))
  return { clock, store, place, listed }
}

test('the filters of the list can be combined, and count what they list', t => {
  const { clock, store, place, listed } = openRestaurant(t)
  const late = place(orderOf(salad))
  const cooked = place({ ...orderOf(salad), channel: 'phone' })
  accepted(store.kitchen.bump((store.kitchen.since(0).at(-1)?.ticketId ?? 0) as never, null))
  place({ ...orderOf(water), location_id: 2 }, { wantedAt: clock.now() + 120 * MINUTE, isInsisted: true })
  clock.pass(31 * MINUTE)
  const paid = place(orderOf(water))
  accepted(store.payments.pay(paid, { amount: 200, method: 'cash' }))
  const done = place(orderOf(water))
  accepted(store.payments.pay(done, { amount: 200, method: 'cash' }))
  accepted(store.move(done, 'complete'))

  for (const [filter, ids] of [
    [{}, [5, 4, 3, 2, 1]],
    [{ isOpen: true }, [4, 3, 2, 1]],
    [{ isUnpaid: true }, [3, 2, 1]],
    [{ isLate: true }, [late]],
    [{ channel: 'phone' }, [cooked]],
    [{ isUnpaid: true, locationId: 2 as LocationId }, [3]],
    [{ isLate: true, channel: 'phone' }, []],
    [{ isToday: true }, [5, 4, 3, 2, 1]],
  ] as [OrderFilter, number[]][]) {
    assert.deepEqual(listed(filter), ids, JSON.stringify(filter))
    assert.equal(store.orderList.count(filter), ids.length, JSON.stringify(filter))
  }
  clock.pass(120 * MINUTE)
  assert.deepEqual(listed({ isLate: true }), [4, 3, 1])

  // At the second location the day starts at six.
  clock.set('2026-11-21T05:00:00Z')
  assert.deepEqual(listed({ isToday: true }), [3])
  clock.set('2026-11-21T06:00:00Z')
  assert.deepEqual(listed({ isToday: true }), [])
})

test('a listed order has its lines, its balance and who it is for', t => {
  const { clock, store, place } = openRestaurant(t)
  const id = place({ ...orderOf(pizza(2), water), customer: { name: 'Ana' } }, { tableId: 1 as TableId })
  accepted(store.payments.pay(id, { amount: 500, method: 'card' }))
  const [order] = store.orderList.page({}).orders
  assert.deepEqual(order, {
    id,
    number: 1,
    locationId: 1,
    source: 'pos',
    channel: 'web',
    mode: null,
    status: 'placed',
    fulfillmentStatus: 'in_kitchen',
    currency: 'EUR',
    exponent: 2,
    grandTotal: 2200,
    balance: 1700,
    customer: 'Ana',
    tableTitle: 'Terrace 1',
    wantedAt: null,
    placedAt: clock.now(),
    isLate: false,
    lines: [
      { qtyMilli: 2000, name: 'Pizza' },
      { qtyMilli: 1000, name: 'Water' },
    ],
  })
  assert.deepEqual(store.orderList.these([id]), [order])
})

test('pages of a list follow each other without gaps, and a rare order is found by looking further back', t => {
  const { store, place } = openRestaurant(t)
  const rare = place({ ...orderOf(water), channel: 'phone' })
  for (let count = 0; count < 5100; count++) place(orderOf(water))
  const seen: number[] = []
  for (let before: OrderId | null | undefined; before !== null; ) {
    const page = store.orderList.page({ isUnpaid: true }, before)
    assert.equal(page.isCutShort, false)
    seen.push(...page.orders.map(({ id }) => Number(id)))
    before = page.olderThan
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 5101 }, (_, index) => 5101 - index),
  )
  for (const filter of [{ channel: 'phone' }, { channel: 'phone', isOpen: true }] as OrderFilter[]) {
    const newest = store.orderList.page(filter)
    assert.deepEqual([newest.orders, newest.isCutShort], [[], true])
    const older = store.orderList.page(filter, newest.olderThan ?? undefined)
    assert.deepEqual([older.orders.map(({ id }) => id), older.olderThan, older.isCutShort], [[rare], null, false])
  }
})

test('an order with the lines of another is taken for the same one sent twice if it is of the same guest within 10 minutes', t => {
  const { clock, store, place } = openRestaurant(t)
  const from = (customer: object, ...items: unknown[]) => ({ ...orderOf(...items), customer })
  const ana = from({ name: 'Ana', phone: '+351 912 345 678' }, pizza(1, 1), salad)
  const first = place(ana, {}, 'api')
  place(from({ phone: '912' }, pizza(1, 1), salad), {}, 'api')
  place(from({ phone: '+351 912 345 678' }, pizza(1, 2), salad), {}, 'api')
  const again = place(from({ name: 'ANA', phone: '+351912345678' }, salad, pizza(1, 1)), {}, 'api')
  const atTable = place(orderOf(salad), { tableId: 1 as TableId }, 'qr')
  const atTableAgain = place(orderOf(salad), { tableId: 1 as TableId }, 'qr')
  // Staff enter a second round.
  place(orderOf(salad), { tableId: 1 as TableId }, 'pos')
  place(orderOf(salad), {}, 'api')
  place(orderOf(salad), {}, 'api')
  clock.pass(10 * MINUTE + 1)
  place(ana, {}, 'api')
  const twice = new Map([
    [again, first],
    [atTableAgain, atTable],
  ])
  assert.deepEqual(store.orderList.sentTwice(), twice)
  accepted(store.move(again, 'cancel', { reason: 'sent twice' }))
  assert.deepEqual([...store.orderList.sentTwice().keys()], [atTableAgain])
})

test('orders are found by a part of the guest’s or a dish’s name, whatever the case of their letters', t => {
  const { store, place } = openRestaurant(t)
  const angela = place({ ...orderOf(water), customer: { name: 'Ângela Brandão' } })
  const pizzaOrder = place(orderOf(pizza()))
  const find = (words: string) => accepted(store.orderBook.find({ words }, 10)).found
  assert.deepEqual(find(' ângela'), [angela])
  assert.deepEqual(find('BRAND'), [angela])
  assert.deepEqual(find('pizz'), [pizzaOrder])
  assert.deepEqual(find('Margherita'), [])
  assert.match(why(store.orderBook.find({ words: ' ' }, 10)), /name/)
})

test('an act on an order that has changed since a person saw it is refused, unless only the kitchen worked on it', t => {
  const { store, place } = openRestaurant(t)
  const id = place(orderOf(pizza(), salad))
  const seen = store.lastAct(id)
  accepted(store.kitchen.bump(1 as never, null))
  assert.equal(store.lastAct(id), seen)
  accepted(store.move(id, 'confirm', { seen }))
  const changed = /This order has changed since you opened it/
  assert.match(why(store.move(id, 'cancel', { reason: 'left', seen })), changed)
  assert.match(why(store.edit(id, { ...asItIs, notes: 'no nuts' }, seen)), changed)
  assert.match(why(store.payments.pay(id, { amount: 1500, method: 'cash', seen })), changed)
  assert.match(why(store.payments.refund(id, { amount: 1500, method: 'cash', seen })), changed)
  assert.match(why(store.payments.credit(id, { amount: 1, note: 'late', seen })), changed)

  const now = store.lastAct(id)
  const payment = { amount: 500, method: 'cash', clientRef: 'a1', seen: now } as const
  accepted(store.payments.pay(id, payment))
  assert.equal(accepted(store.payments.pay(id, payment)).isRepeated, true)
  assert.match(why(store.payments.voidPayment(id, 2, { seen: now })), changed)
  accepted(store.payments.voidPayment(id, 2, { seen: store.lastAct(id) }))
})

test('the preview of an edit has what the edit then makes of the order, and is refused for the same reasons', t => {
  const { store, place } = openRestaurant(t)
  const id = place(orderOf(pizza(2), salad))
  const [first, second] = store.orderBook.byId(id)?.lines ?? []
  assert.ok(first && second)
  const add = accepted(parseDraft(orderOf(pizza(1, 2), water))).lines
  const discount = { reason: 'regular', percentPpm: 100_000 }
  const wanted: Edit = { remove: [second.id], add, notes: 'no nuts', customer: { ...nothing, name: 'Ana' }, discount }
  const before = store.orderBook.byId(id)
  const preview = accepted(store.previewEdit(id, wanted))
  assert.deepEqual(store.orderBook.byId(id), before)
  const edited = accepted(store.edit(id, wanted))
  assert.deepEqual([preview.difference, preview.changed], [edited.difference, true])
  const after = store.orderBook.byId(id)
  const withoutIds = (lines: object[] = []) => lines.map(line => ({ ...line, id: null }))
  assert.deepEqual(
    { ...preview.order, lines: withoutIds(preview.order.lines) },
    { ...after, lines: withoutIds(after?.lines) },
  )

  assert.equal(accepted(store.previewEdit(id, asItIs)).changed, false)
  for (const refused of [
    { ...asItIs, remove: [second.id] },
    { ...asItIs, remove: after?.lines.map(line => line.id) ?? [] },
    { ...asItIs, add: accepted(parseDraft(orderOf({ item_id: 77, qty: 1 }))).lines },
  ]) {
    assert.notEqual(why(store.previewEdit(id, refused)), 'done')
    assert.equal(why(store.previewEdit(id, refused)), why(store.edit(id, refused)))
  }
})
