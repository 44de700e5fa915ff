import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import Database from 'better-sqlite3'
import { inOrderOfTrial, type Kitchen, ruleFor } from '../store/kitchen/routing.ts'
import type { OrderId, OrderLineId, StationId, TicketId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { restaurantFileIn, servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { eventsOf, listen, orderOf, pizza, pizzeria, salad, ticketsOf, water } from './support/pizzeria.ts'
import { accepted, why } from './support/refusals.ts'
import { openShop } from './support/shop.ts'

const stations = [
  { id: 3, title: 'Bar' },
  { id: 2, title: 'Grill' },
]

async function routedTo(t: Parameters<typeof openShop>[0], location: Record<string, unknown>, order: object) {
  const shop = await openShop(t, { restaurant: pizzeria({ stock: [], routing: [], ...location }) })
  const { status, body } = await shop.order({ ...orderOf(salad), ...order })
  assert.equal(status, 201)
  return {
    fulfilment: body.data.fulfillment_status,
    stations: ticketsOf(shop, body.data.id).map(({ station }) => station),
  }
}

test('the fulfilment status of a new order is in_kitchen when it has something for the kitchen, and null otherwise', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  assert.equal((await shop.order(orderOf(pizza(), water))).body.data.fulfillment_status, 'in_kitchen')
  assert.equal((await shop.order(orderOf(water))).body.data.fulfillment_status, null)
  assert.deepEqual(ticketsOf(shop, 2), [])
})

test('a location without stations has no tickets and no fulfilment status', async t => {
  assert.deepEqual(await routedTo(t, { stations: [] }, {}), { fulfilment: null, stations: [] })
})

test('a line that matches no rule goes to the default station', async t => {
  const location = { stations: [...stations, { id: 9, title: 'Pass', is_default: true }] }
  assert.deepEqual(await routedTo(t, location, {}), { fulfilment: 'in_kitchen', stations: ['Pass'] })
})

test('a line that matches no rule goes to the lowest active station when no default station is active', async t => {
  const closed = [
    { id: 1, title: 'Old', active: false },
    { id: 9, title: 'Pass', is_default: true, active: false },
  ]
  assert.deepEqual((await routedTo(t, { stations: [...stations, ...closed] }, {})).stations, ['Grill'])
})

test('a line whose stations are all closed goes to another station', async t => {
  const location = {
    stations: [...stations, { id: 4, title: 'Oven', active: false }],
    routing: [{ id: 1, item: 2, stations: [4] }],
  }
  assert.deepEqual((await routedTo(t, location, {})).stations, ['Grill'])
})

test('the first matching rule wins: by priority, then by specificity, then by id', async t => {
  const rule = (id: number, more: object) => ({ id, stations: [id === 1 ? 2 : 3], ...more })
  const cases: [Record<string, unknown>[], string][] = [
    [[rule(1, { priority: 5 }), rule(2, { priority: 4 })], 'Bar'],
    [[rule(1, { priority: 5 }), rule(2, { priority: 6, item: 2 })], 'Grill'],
    [[rule(1, { item: 2 }), rule(2, { category: 1, service_mode: 'takeaway', channel: 'phone' })], 'Grill'],
    [[rule(2, { category: 1 }), rule(1, { service_mode: 'takeaway', channel: 'phone' })], 'Bar'],
    [[rule(1, { channel: 'phone' }), rule(2, { service_mode: 'takeaway' })], 'Bar'],
    [[rule(2, { item: 2 }), rule(1, { item: 2 })], 'Grill'],
    [[rule(1, { item: 1 }), rule(2, {})], 'Bar'],
    [[rule(1, { channel: 'web' }), rule(2, {})], 'Bar'],
    [[rule(1, { service_mode: 'dine_in' }), rule(2, {})], 'Bar'],
    [[rule(1, { category: 2 }), rule(2, {})], 'Bar'],
  ]
  for (const [routing, station] of cases) {
    const order = { channel: 'phone', service_mode: 'Takeaway' }
    assert.deepEqual((await routedTo(t, { stations, routing }, order)).stations, [station], JSON.stringify(routing))
  }
})

test('the specificity of a rule is a sum: item 8, category 4, mode 2, channel 1', () => {
  const rules = Array.from({ length: 16 }, (_, bits) => ({
    id: bits + 1,
    priority: 0,
    itemId: bits & 8 ? 2 : null,
    categoryId: bits & 4 ? 1 : null,
    mode: bits & 2 ? 'qr' : null,
    channel: bits & 1 ? 'web' : null,
    stations: [],
  }))
  const tried = inOrderOfTrial(rules as unknown as Kitchen['rules'])
  assert.deepEqual(
    tried.map(({ id }) => id),
    [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
  )
  const kitchen = { rules: tried, categoryOf: new Map([[2, 1]]) } as unknown as Kitchen
  assert.equal(ruleFor(kitchen, 2 as never, { channel: 'web', mode: null })?.id, 14)
})

test('there is one ticket for each order, station and batch, and a line may be on several tickets', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { body } = await shop.order(orderOf(pizza(2), salad, water))
  assert.deepEqual(ticketsOf(shop, body.data.id), [
    { id: 1, station: 'Oven', state: 'open', batch: 1, lines: 'Pizza open' },
    { id: 2, station: 'Pass', state: 'open', batch: 1, lines: 'Pizza open, Salad open' },
  ])
})

test('a ticket is done when all its items are, an order is ready when all its tickets are done, and a recall reopens both', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  listen(shop)
  const { kitchen, orderBook } = shop.store
  const { body } = await shop.order(orderOf(pizza(), salad))
  const [first, second] = body.data.items.map(({ id }: { id: OrderLineId }) => id)
  const fulfilment = () => orderBook.byId(1)?.fulfillmentStatus
  const changes = () => eventsOf(shop).filter(({ type }) => type !== 'order.placed')

  assert.ok(!isRefused(kitchen.bump(1 as TicketId, null)))
  assert.ok(!isRefused(kitchen.bump(2 as TicketId, first)))
  assert.equal(fulfilment(), 'in_kitchen')
  assert.deepEqual(changes(), [], 'only a change of the fulfilment status is told')
  assert.deepEqual(
    ticketsOf(shop, 1).map(({ state, lines }) => [state, lines]),
    [
      ['done', 'Pizza done'],
      ['open', 'Pizza done, Salad open'],
    ],
  )
  assert.ok(!isRefused(kitchen.bump(2 as TicketId, second)))
  assert.equal(fulfilment(), 'ready')
  const facts = { id: 1, location_id: 1, channel: 'web', status: 'placed', previous_status: 'placed', reason: null }
  const ready = { ...facts, fulfillment_status: 'ready', previous_fulfillment_status: 'in_kitchen' }
  assert.deepEqual(changes(), [{ type: 'order.status_changed', data: ready }])

  assert.ok(!isRefused(kitchen.recall(1 as TicketId)))
  assert.equal(fulfilment(), 'in_kitchen')
  assert.deepEqual(changes()[1]?.data, {
    ...facts,
    fulfillment_status: 'in_kitchen',
    previous_fulfillment_status: 'ready',
  })
  assert.deepEqual(
    ticketsOf(shop, 1).map(({ state }) => state),
    ['open', 'done'],
  )
})

test('a bump or recall that is not possible is refused with a sentence and changes nothing', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  listen(shop)
  const { kitchen, move } = shop.store
  await shop.order(orderOf(salad))
  await shop.order(orderOf(salad))
  assert.match(why(kitchen.recall(1 as TicketId)), /Nothing on ticket 1 is done/)
  assert.match(why(kitchen.bump(9 as TicketId, null)), /no ticket 9/)
  assert.match(why(kitchen.bump(1 as TicketId, 2 as OrderLineId)), /no such line/)
  assert.equal(why(kitchen.bump(1 as TicketId, null)), 'done')
  assert.match(why(kitchen.bump(1 as TicketId, null)), /Nothing on ticket 1 is open/)
  assert.match(why(kitchen.bump(1 as TicketId, 1 as OrderLineId)), /Nothing on ticket 1 is open/)
  move(1 as OrderId, 'fulfil')
  assert.match(why(kitchen.recall(1 as TicketId)), /already fulfilled/)
  move(2 as OrderId, 'cancel', { reason: 'left' })
  assert.match(why(kitchen.bump(2 as TicketId, null)), /is cancelled/)
  const before = eventsOf(shop).length
  kitchen.recall(1 as TicketId)
  assert.equal(eventsOf(shop).length, before)
})

test('lines added later go on a new ticket, and removed lines are shown as void', async t => {
  const folder = temporaryFolder(t)
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { body } = await shop.order(orderOf(pizza(), salad))
  const path = join(folder, 'edit.json')
  writeFileSync(path, JSON.stringify({ remove: [body.data.items[0].id], add: [salad, water] }))
  const { code, stderr } = await servery(shop.file, ['edit', '1', '--file', path])
  assert.equal(code, 0, stderr)
  assert.deepEqual(ticketsOf(shop, 1), [
    { id: 1, station: 'Oven', state: 'void', batch: 1, lines: 'Pizza void' },
    { id: 2, station: 'Pass', state: 'open', batch: 1, lines: 'Pizza void, Salad open' },
    { id: 3, station: 'Pass', state: 'open', batch: 2, lines: 'Salad open' },
  ])
  const { stdout } = await servery(shop.file, ['kitchen'])
  assert.match(stdout, /Ticket 1 {2}Oven {2}ORD-000001 {2}VOID\n {2}1\. ✗ 1 × Pizza {2}\(removed\)/)
  assert.match(stdout, /Ticket 3 {2}Pass {2}ORD-000001 {2}added later/)
})

test('adding a dish to a ready order returns the order to the kitchen', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  await shop.order(orderOf(salad))
  shop.store.kitchen.bump(1 as TicketId, null)
  const add = [{ itemId: 2, variationId: null, qtyMilli: 1000, notes: null, modifiers: [] }]
  const nothing = { name: undefined, phone: undefined, email: undefined }
  const edit = { remove: [], add: add as never, notes: undefined, customer: nothing, discount: undefined }
  const edited = shop.store.edit(1 as OrderId, edit)
  assert.ok(!isRefused(edited) && edited.order.fulfillmentStatus === 'in_kitchen')
  shop.store.kitchen.bump(2 as TicketId, null)
  assert.equal(shop.store.orderBook.byId(1)?.fulfillmentStatus, 'ready')
})

test('the kitchen commands list open tickets with modifiers, notes and minutes, and bump and recall them', async t => {
  const clock = heldClock(Date.now() - 7 * 60_000)
  const shop = await openShop(t, { restaurant: pizzeria(), clock })
  await shop.order({
    ...orderOf({ ...pizza(2, 1), notes: 'crisp' }, salad),
    notes: 'by the window',
    service_mode: 'dine-in',
  })
  const all = await servery(shop.file, ['kitchen'])
  assert.equal(all.code, 0)
  assert.match(all.stdout, /^Ticket 1 {2}Oven {2}ORD-000001 {2}dine in {2}7 min$/m)
  assert.match(all.stdout, /2 × Pizza\n +\+ Extra dough\n +"crisp"\n {2}note: by the window/)
  const pass = JSON.parse((await servery(shop.file, ['kitchen', '2', '--json'])).stdout)
  assert.deepEqual(
    pass.map((ticket: { station: string; minutes_waiting: number }) => [ticket.station, ticket.minutes_waiting]),
    [['Pass', 7]],
  )
  assert.match((await servery(shop.file, ['bump', '2', '1'])).stdout, /1 of its lines is still open/)
  assert.match((await servery(shop.file, ['bump', '2'])).stdout, /All of it is done/)
  assert.match((await servery(shop.file, ['bump', '1'])).stdout, /ORD-000001 is ready/)
  assert.equal((await servery(shop.file, ['kitchen'])).stdout, 'No open tickets.\n')
  assert.match((await servery(shop.file, ['recall', '1'])).stdout, /Ticket 1/)
  assert.equal((await servery(shop.file, ['bump', '9'])).code, 1)
  assert.equal((await servery(shop.file, ['kitchen', '9'])).code, 1)
  assert.equal((await servery(shop.file, ['bump'])).code, 2)
  // The server sees what the command wrote.
  assert.equal((await shop.order(orderOf(salad))).status, 201)
})

test('check warns about dishes that match no rule and about rules whose stations are closed', async t => {
  const folder = temporaryFolder(t)
  const closed = {
    stations: [
      { id: 1, title: 'Oven', active: false },
      { id: 2, title: 'Pass' },
    ],
    routing: [
      { id: 1, item: 1, stations: [1] },
      { id: 2, category: 2, channel: 'web', stations: [] },
    ],
  }
  const path = restaurantFileIn(folder, pizzeria(closed))
  const { stdout, code } = await servery(join(folder, 'x.db'), ['import', path, '--check'])
  assert.equal(code, 0)
  assert.match(stdout, /\/locations\/0\/routing {2}no rule matches every order of "Salad", "Cake", "Water"; .* "Pass"/)
  assert.match(stdout, /\/locations\/0\/routing\/0 {2}all of its stations are closed; its lines go to "Pass"/)
})

test('the kitchen shows the oldest 200 tickets and says how many more there are, of all stations and of one', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  await shop.order(orderOf(salad))
  const [{ station_id: station } = {}] = shop.rows('SELECT station_id FROM ticket')
  const db = new Database(shop.file)
  db.exec(`
    WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i <= 250)
    INSERT INTO ticket (id, order_id, station_id, batch, state, opened_at)
      SELECT i, order_id, station_id, i, 'open', opened_at + i FROM ticket, n WHERE id = 1;
    INSERT INTO ticket_item (ticket_id, line_id, state)
      SELECT ticket.id, line_id, 'open' FROM ticket, ticket_item WHERE ticket.id > 1 AND ticket_id = 1;
    UPDATE ticket SET state = 'done', closed_at = opened_at WHERE id = 1;
    UPDATE ticket SET state = 'void', closed_at = ${Date.now()} WHERE id = 3`)
  db.close()
  for (const which of [null, station as StationId]) {
    const { tickets, more } = accepted(shop.store.kitchen.list(which))
    assert.deepEqual(
      [tickets.length, tickets[0]?.id, tickets[1]?.state, tickets.at(-1)?.id, more],
      [200, 2, 'void', 201, 50],
    )
    assert.ok(tickets.every(({ items }) => items.length === 1))
  }
  const { stdout } = await servery(shop.file, ['kitchen'])
  assert.match(stdout, /\n\nTicket 201 .*\n.*\n\nAnd 50 more\.\n$/)
  assert.match(why(shop.store.kitchen.list(99 as StationId)), /no station 99/)
})

test('check does not warn of dishes without a rule where a default station takes them', async t => {
  const folder = temporaryFolder(t)
  const caught = {
    stations: [
      { id: 1, title: 'Oven' },
      { id: 2, title: 'Pass', is_default: true },
    ],
    routing: [{ id: 1, item: 1, stations: [1] }],
  }
  const path = restaurantFileIn(folder, pizzeria(caught))
  const { stdout } = await servery(join(folder, 'x.db'), ['import', path, '--check'])
  assert.match(stdout, /\bNo problems: /)
  assert.doesNotMatch(stdout, /^(warning|problem) /m)
})
