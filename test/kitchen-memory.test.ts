import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { replayed } from '../store/kitchen/memory.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import { openStore, type Store } from '../store/store.ts'
import type { OrderId, OrderLineId, TicketId } from '../store/terms/ids.ts'
import { servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { eventsOf, orderOf, pizza, pizzeria, salad, ticketsOf } from './support/pizzeria.ts'
import { holdsForAll } from './support/property.ts'
import { accepted, why } from './support/refusals.ts'
import { importInto, openShop } from './support/shop.ts'
import { until } from './support/until.ts'

const MINUTE = 60_000
const start = Date.parse('2025-11-20T19:00:00Z')

let files = 0

function openKitchen(t: TestContext, folder = temporaryFolder(t)) {
  const file = join(folder, `kitchen-${files++}.db`)
  importInto(file, pizzeria({ stock: [] }))
  const clock = heldClock(start)
  const store = openStore(file, { clock, create: false, busyMs: 1000 })
  t.after(store.close)
  return { file, clock, store }
}

function place(store: Store, ...items: unknown[]): OrderId {
  return accepted(store.orders.place(accepted(parseDraft(orderOf(...items))), 'pos')).id
}

const nothing = { name: undefined, phone: undefined, email: undefined }

function edit(store: Store, id: OrderId, remove: OrderLineId[], add: number): void {
  const line = { itemId: 2, variationId: null, qtyMilli: 1000, notes: null, modifiers: [] }
  const added = Array.from({ length: add }, () => line) as never
  store.edit(id, { remove, add: added, notes: undefined, customer: nothing, discount: undefined })
}

/** What somebody in front of a screen sees. */
function seen(tickets: ReturnType<typeof shownTickets>) {
  return tickets.map(({ id, state, openedAt, items }) => ({
    id,
    state,
    openedAt,
    lines: items.map(({ lineId, state: its }) => `${lineId} ${its}`),
  }))
}

function shownTickets(store: Store) {
  return accepted(store.kitchen.list(null)).tickets
}

test('everything that happens to a ticket is written down, numbered without gaps, with who did it', t => {
  const { store, clock } = openKitchen(t)
  const id = place(store, pizza(), salad)
  const [first, second] = store.orderBook.byId(id)?.lines ?? []
  assert.ok(first && second)
  clock.pass(MINUTE)
  accepted(store.kitchen.bump(2 as TicketId, first.id))
  accepted(store.kitchen.bump(2 as TicketId, null))
  accepted(store.kitchen.recall(2 as TicketId))
  edit(store, id, [first.id], 1)
  accepted(store.kitchen.hold(3 as TicketId, null))
  accepted(store.kitchen.fire(3 as TicketId))
  const events = store.kitchen.since(0)
  assert.deepEqual(
    events.map(({ ticketId, lineId, what }) => [ticketId, lineId, what]),
    [
      [1, null, 'opened'],
      [2, null, 'opened'],
      [2, first.id, 'done'],
      [2, second.id, 'done'],
      [2, null, 'done'],
      [2, first.id, 'recalled'],
      [2, second.id, 'recalled'],
      [2, null, 'recalled'],
      [1, first.id, 'void'],
      [2, first.id, 'void'],
      [1, null, 'void'],
      [3, null, 'added'],
      [3, null, 'held'],
      [3, null, 'fired'],
    ],
  )
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
  )
  assert.deepEqual([...new Set(events.slice(0, 2).map(({ by, at }) => `${by} ${at - start}`))], ['null 0'])
  assert.ok(events.slice(2).every(({ by, at }) => typeof by === 'string' && at === start + MINUTE))
  assert.deepEqual(store.kitchen.since(12), events.slice(12))
})

const acts = fc.array(
  fc.record({
    what: fc.constantFrom('place', 'bump', 'bump line', 'recall', 'hold', 'hold on', 'fire', 'edit', 'cancel', 'wait'),
    which: fc.nat({ max: 30 }),
  }),
  { minLength: 5, maxLength: 30 },
)

test('the events of random evenings give the tickets as they are, and as the kitchen saw them after every act', async t => {
  const folder = temporaryFolder(t)
  await holdsForAll(acts, 40, async evening => {
    const { store, clock } = openKitchen(t, folder)
    const after: { at: number; tickets: ReturnType<typeof seen> }[] = []
    place(store, pizza(), salad)
    for (const { what, which } of evening) {
      clock.pass((which % 4) * 4 * MINUTE + 1)
      const orders = store.orderBook.last(100)
      const order = orders[which % orders.length]
      const tickets = store.kitchen.since(0).map(({ ticketId }) => ticketId)
      const ticket = tickets[which % tickets.length]
      assert.ok(order && ticket)
      if (what === 'place') place(store, ...(which % 2 === 0 ? [pizza(), salad] : [salad]))
      if (what === 'bump') store.kitchen.bump(ticket, null)
      if (what === 'bump line') {
        const { items = [] } = store.kitchen.ticket(ticket) ?? {}
        store.kitchen.bump(ticket, items[which % items.length]?.lineId ?? null)
      }
      if (what === 'recall') store.kitchen.recall(ticket)
      if (what === 'hold') store.kitchen.hold(ticket, clock.now() + which * MINUTE)
      if (what === 'hold on') store.kitchen.hold(ticket, null)
      if (what === 'fire') store.kitchen.fire(ticket)
      if (what === 'edit') {
        const line = order.lines[which % order.lines.length]
        edit(store, order.id, line && which % 3 > 0 ? [line.id] : [], which % 2)
      }
      if (what === 'cancel' && which % 3 === 0) store.move(order.id, 'cancel', { reason: 'left' })
      if (store.kitchen.isAnyDue()) store.kitchen.fireDue()
      after.push({ at: clock.now(), tickets: seen(shownTickets(store)) })
    }

    assert.deepEqual(store.audit.all(), [])
    const events = store.kitchen.since(0)
    for (const id of new Set(events.map(({ ticketId }) => ticketId))) {
      const ticket = store.kitchen.ticket(id)
      assert.ok(ticket)
      const lines = ticket.items.map(({ lineId }) => lineId)
      const {
        state,
        openedAt,
        lines: states,
      } = replayed(
        lines,
        events.filter(({ ticketId }) => ticketId === id),
      )
      assert.deepEqual([state, openedAt], [ticket.state, ticket.openedAt])
      assert.deepEqual(
        [...states],
        ticket.items.map(item => [item.lineId, item.state]),
      )
    }
    const inOrder = (shown: ReturnType<typeof seen>) => shown.toSorted((a, b) => a.id - b.id)
    for (const { at, tickets } of after) {
      assert.deepEqual(inOrder(seen(accepted(store.kitchen.at(null, at)))), inOrder(tickets))
    }
  })
})

test('the kitchen of an earlier time is shown as it was, and a time before the file remembers is refused', async t => {
  const { store, clock, file } = openKitchen(t)
  place(store, salad)
  // As a ticket is that was open when the file was upgraded.
  const db = new Database(file)
  db.exec(`INSERT INTO ticket (order_id, station_id, batch, state, opened_at) SELECT order_id, 1, 1, 'open', opened_at FROM ticket;
           INSERT INTO ticket_item SELECT 2, line_id, 'open' FROM ticket_item`)
  db.close()
  assert.match(why(store.kitchen.at(null, start - 1)), /begins at 2025-11-20 19:00 \(UTC\)\./)
  clock.pass(10 * MINUTE)
  accepted(store.kitchen.bump(1 as TicketId, null))
  const { stdout } = await servery(file, ['kitchen', '--at', '2025-11-20 19:05'])
  assert.match(stdout, /^Ticket 1 {2}Pass {2}ORD-000001 {2}5 min\n {2}1\. {3}1 × Salad\n$/)
  assert.equal((await servery(file, ['kitchen', '--at', '2025-11-20 19:10'])).stdout.slice(0, 15), 'No open tickets')
  assert.match((await servery(file, ['kitchen', '--at', '2025-11-20 18:00'])).stderr, /begins at/)
})

test('a held ticket waits without being worked on, and an order that waits for nothing else is pending', async t => {
  const { store, clock, file } = openKitchen(t)
  const db = new Database(file, { readonly: true })
  t.after(() => void db.close())
  const rows = (sql: string) => db.prepare<[], Record<string, unknown>>(sql).all()
  accepted(store.webhooks.endpoints.add('https://127.0.0.1:9/'))
  const id = place(store, pizza())
  const fulfilment = () => store.orderBook.byId(id)?.fulfillmentStatus
  accepted(store.kitchen.hold(1 as TicketId, null))
  assert.equal(fulfilment(), 'in_kitchen')
  accepted(store.kitchen.hold(2 as TicketId, start + 30 * MINUTE))
  assert.equal(fulfilment(), 'pending')
  assert.match(why(store.kitchen.bump(1 as TicketId, null)), /Ticket 1 is held back/)
  assert.match(why(store.move(id, 'fulfil')), /^Tickets 1, 2 of this order are held back\. Fire them first\.$/)
  const written = () => rows('SELECT seq FROM ticket_event UNION ALL SELECT id FROM activity').length
  const before = written()
  accepted(store.kitchen.hold(2 as TicketId, start + 30 * MINUTE))
  assert.equal(written(), before, 'holding a ticket again with the same time writes nothing')
  assert.deepEqual(store.audit.all(), [])

  clock.pass(30 * MINUTE - 1)
  assert.equal(store.kitchen.isAnyDue(), false)
  clock.pass(1)
  assert.equal(store.kitchen.isAnyDue(), true)
  assert.equal(store.kitchen.fireDue(), 1)
  assert.equal(fulfilment(), 'in_kitchen')
  assert.deepEqual(store.kitchen.since(0).at(-1), {
    seq: 5,
    ticketId: 2,
    lineId: null,
    what: 'fired',
    at: start + 30 * MINUTE,
    by: null,
  })
  assert.match(why(store.kitchen.fire(2 as TicketId)), /Ticket 2 is open, not held/)
  assert.match(why(store.kitchen.hold(2 as TicketId, clock.now())), /has already passed/)
  const moved = eventsOf({ rows }).filter(({ type }) => type === 'order.status_changed')
  assert.deepEqual(
    moved.map(({ data }) => [data.previous_fulfillment_status, data.fulfillment_status]),
    [
      ['in_kitchen', 'pending'],
      ['pending', 'in_kitchen'],
    ],
  )
  accepted(store.move(id, 'cancel', { reason: 'left' }))
  assert.deepEqual(store.audit.all(), [])
})

test('a held ticket of a running server comes to its station by itself, and commands hold and fire tickets', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  await shop.order(orderOf(salad))
  await shop.order(orderOf(salad))
  accepted(shop.store.kitchen.hold(1 as TicketId, Date.now() + 1000))
  const held = await servery(shop.file, ['hold', '2'])
  assert.match(held.stdout, /^Ticket 2 {2}Pass {2}ORD-000002 {2}HELD\n/)
  assert.match((await servery(shop.file, ['bump', '2'])).stderr, /held back. Fire it first. Next: fire 2/)
  assert.match((await servery(shop.file, ['fire', '2'])).stdout, /^Ticket 2 {2}Pass {2}ORD-000002 {2}0 min\n/)
  await until(() => ticketsOf(shop, 1)[0]?.state === 'open')
  const events = JSON.parse((await servery(shop.file, ['kitchen', '--since', '2', '--json'])).stdout)
  assert.deepEqual(events.map(({ what }: { what: string }) => what).sort(), ['fired', 'fired', 'held', 'held'])
})
