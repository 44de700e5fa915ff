import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { parseDraft } from '../store/ordering/draft.ts'
import { sources } from '../store/terms/channels.ts'
import type { OrderId, TicketId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { eventsOf, listen, orderOf, pizza, pizzeria, salad, water } from './support/pizzeria.ts'
import { openShop, type Shop } from './support/shop.ts'

const first = 1 as OrderId
const facts = { id: 1, location_id: 1, channel: 'phone' }
const placed = { ...facts, status: 'placed' }
const body = { ...orderOf(pizza(), water), channel: 'phone', notes: 'ring twice', customer: { name: 'Ana' } }

/** The events since the last time, so that each act is held against its own. */
function listener(shop: Shop) {
  listen(shop)
  let seen = 0
  return () => {
    const all = eventsOf(shop)
    const fresh = all.slice(seen)
    seen = all.length
    return fresh
  }
}

for (const source of sources) {
  test(`an order from ${source} is stored like any other and has the events of its source`, async t => {
    const shop = await openShop(t, { restaurant: pizzeria() })
    const events = listener(shop)
    if (source === 'api') assert.equal((await shop.order(body)).status, 201)
    else if (source === 'admin' || source === 'pos') {
      const file = join(temporaryFolder(t), 'order.json')
      writeFileSync(file, JSON.stringify(body))
      const { code, stdout } = await servery(shop.file, ['place', '--file', file, '--source', source])
      assert.deepEqual([code, stdout], [0, 'Placed ORD-000001, id 1: 12.00 EUR, placed, in kitchen.\n'])
    } else {
      const draft = parseDraft(body)
      assert.ok(!isRefused(draft) && !isRefused(await shop.writer.place({ draft, source, bucket: null })))
    }
    const byStaff = [
      { type: 'order.placed', data: placed },
      { type: 'order.updated', data: placed },
    ]
    const guest = [{ type: 'order.placed', data: { ...facts, source } }]
    assert.deepEqual(events(), source === 'admin' || source === 'pos' ? byStaff : guest)

    const order = shop.store.orderBook.byId(1)
    assert.deepEqual(
      [order?.source, order?.grandTotal, order?.fulfillmentStatus, order?.notes],
      [source, 1200, 'in_kitchen', 'ring twice'],
    )
    assert.deepEqual(
      ['ticket', 'ticket_item', 'ledger', 'stock_movement'].map(
        table => shop.rows(`SELECT count(*) AS rows FROM ${table}`)[0]?.rows,
      ),
      [2, 2, 1, 2],
    )
  })
}

test('each act of staff creates exactly its events', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { store } = shop
  const events = listener(shop)
  await shop.order({ ...body, ...orderOf(salad) })
  events()
  const updated = (status: string) => ({ type: 'order.updated', data: { ...facts, status } })
  const moved = (before: [string, string | null], after: [string, string | null], reason: string | null = null) => ({
    type: 'order.status_changed',
    data: {
      ...facts,
      status: after[0],
      previous_status: before[0],
      fulfillment_status: after[1],
      previous_fulfillment_status: before[1],
      reason,
    },
  })
  const nothing = { name: undefined, phone: undefined, email: undefined }
  const asItIs = { remove: [], add: [], notes: undefined, customer: nothing, discount: undefined }

  store.move(first, 'confirm')
  assert.deepEqual(events(), [moved(['placed', 'in_kitchen'], ['confirmed', 'in_kitchen']), updated('confirmed')])
  store.edit(first, { ...asItIs, notes: 'no onions' })
  assert.deepEqual(events(), [updated('confirmed')])
  store.edit(first, { ...asItIs, notes: 'no onions' })
  store.edit(first, { ...asItIs, customer: { ...nothing, name: 'Ana' } })
  assert.deepEqual(events(), [], 'a save without a difference')
  store.payments.pay(first, { amount: 200, method: 'cash', clientRef: 'x' })
  assert.deepEqual(events(), [updated('confirmed')])
  store.payments.pay(first, { amount: 200, method: 'cash', clientRef: 'x' })
  assert.deepEqual(events(), [], 'a second press')
  store.payments.pay(first, { amount: 900, method: 'cash' })
  store.move(first, 'confirm')
  store.move(first, 'complete')
  assert.deepEqual(events(), [], 'refused acts')
  store.kitchen.bump(1 as TicketId, null)
  assert.deepEqual(events(), [moved(['confirmed', 'in_kitchen'], ['confirmed', 'ready'])])
  store.kitchen.recall(1 as TicketId)
  assert.deepEqual(events(), [moved(['confirmed', 'ready'], ['confirmed', 'in_kitchen'])])
  store.kitchen.bump(1 as TicketId, null)
  events()
  store.move(first, 'out-for-delivery')
  assert.deepEqual(events(), [moved(['confirmed', 'ready'], ['confirmed', 'out_for_delivery']), updated('confirmed')])
  store.move(first, 'fulfil')
  assert.deepEqual(events(), [
    moved(['confirmed', 'out_for_delivery'], ['confirmed', 'fulfilled']),
    updated('confirmed'),
  ])
  store.payments.pay(first, { amount: 300, method: 'card' })
  assert.deepEqual(events(), [moved(['confirmed', 'fulfilled'], ['completed', 'fulfilled']), updated('completed')])
  store.payments.credit(first, { amount: 100, note: 'cold' })
  assert.deepEqual(events(), [updated('completed')])
  store.shelf.change(1 as never, 'set', 0, null)
  assert.deepEqual(events(), [])
})

test('a failed or refused order creates no event', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const events = listener(shop)
  assert.equal((await shop.order(orderOf(pizza(9)))).status, 400)
  shop.execute(`CREATE TRIGGER broken BEFORE INSERT ON ledger BEGIN SELECT raise(ABORT, 'broken'); END`)
  assert.equal((await shop.order(orderOf(pizza()))).status, 500)
  shop.execute('DROP TRIGGER broken')
  assert.deepEqual(events(), [])
  assert.deepEqual(shop.rows('SELECT (SELECT count(*) FROM orders) + (SELECT count(*) FROM ticket) AS left'), [
    { left: 0 },
  ])
  assert.deepEqual(shop.rows('SELECT on_hand_micro AS left FROM stock_item'), [{ left: 2_000_000 }])
})

test('an order that fails in a shared commit does not make the others fail', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  shop.execute(`CREATE TRIGGER broken BEFORE INSERT ON ledger WHEN new.amount_minor = 500
    BEGIN SELECT raise(ABORT, 'broken'); END`)
  const answers = await Promise.all([pizza(8), salad, pizza(), water].map(line => shop.order(orderOf(line))))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 500, 400, 201],
  )
  assert.deepEqual(shop.store.audit.all(), [])
  assert.deepEqual(shop.rows('SELECT on_hand_micro AS left FROM stock_item'), [{ left: 0 }])
  assert.equal((await shop.order(orderOf(pizza()))).body.errors[0].source.pointer, '/items/0/item_id')
})

test('place refuses whatever the API refuses, and names the position in the file', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const place = async (order: unknown, ...args: string[]) => {
    const input = typeof order === 'string' ? order : JSON.stringify(order)
    const { code, stderr } = await servery(shop.file, ['place', '--file', '-', ...args], { input })
    return [code, stderr]
  }
  const pos = ['--source', 'pos']
  assert.deepEqual(await place(orderOf({ item_id: 99, qty: 1 }), ...pos), [
    1,
    'problem  /items/0/item_id  One of the items is no longer available.\nNothing was placed.\n',
  ])
  assert.deepEqual(await place({ ...orderOf(salad), location_id: 7 }, ...pos), [1, 'There is no location 7.\n'])
  assert.match(String((await place('{', ...pos))[1]), /is not valid JSON/)
  assert.match(String((await place({}, ...pos))[1]), /\/location_id/)
  assert.equal((await place(orderOf(salad), '--source', 'api'))[0], 2)
  assert.equal((await place(orderOf(salad)))[0], 2)
  assert.deepEqual(shop.rows('SELECT * FROM orders'), [])
})

test('edit reports what is wrong with its file and changes nothing', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  await shop.order(orderOf(salad))
  const edit = async (document: unknown) => {
    const input = typeof document === 'string' ? document : JSON.stringify(document)
    const { code, stderr } = await servery(shop.file, ['edit', '1', '--file', '-'], { input })
    assert.equal(code, 1)
    return stderr
  }
  assert.match(await edit('{'), /is not valid JSON/)
  assert.match(await edit({ nots: 'x' }), /\/nots {2}is not a known member/)
  assert.match(await edit({ add: [{ item_id: 1, qty: 0 }] }), /\/add\/0\/qty {2}The quantity of an item is not valid/)
  assert.match(await edit({ add: [{ item_id: 99, qty: 1 }] }), /\/add\/0\/item_id: One of the items/)
  assert.match(await edit({ discount: { reason: 'x' } }), /either percent or amount/)
  assert.match(await edit({ discount: { percent: 5 } }), /\/discount\/reason {2}is required/)
  assert.match(await edit({ customer: { email: 'x' } }), /\/customer\/email/)
  assert.match(await edit({ remove: [7] }), /The order has no line 7/)
  assert.match(await edit({ remove: [1] }), /keeps at least one line/)
  assert.match(await edit({ add: [pizza(9)] }), /\/add\/0: One of the items is no longer available/)
  assert.deepEqual(shop.rows('SELECT count(*) AS entries FROM ledger'), [{ entries: 1 }])
})

test('events of commands are delivered by the running server', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  listen(shop)
  const input = JSON.stringify(orderOf(salad))
  await servery(shop.file, ['place', '--file', '-', '--source', 'admin'], { input })
  const states = () => shop.rows("SELECT state FROM webhook_attempt WHERE state <> 'pending'")
  for (let tries = 0; states().length < 2 && tries < 100; tries++) {
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  assert.equal(states().length, 2)
})
