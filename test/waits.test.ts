import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { parseDraft } from '../store/ordering/draft.ts'
import { openStore, type Store } from '../store/store.ts'
import type { LocationId, StationId, TicketId } from '../store/terms/ids.ts'
import { servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { orderOf, pizza, pizzeria, salad } from './support/pizzeria.ts'
import { holdsForAll } from './support/property.ts'
import { accepted } from './support/refusals.ts'
import { importInto } from './support/shop.ts'

const MINUTE = 60_000
const here = 1 as LocationId
const start = Date.parse('2026-11-20T19:00:00Z')

let files = 0

function openKitchen(t: TestContext, folder = temporaryFolder(t)) {
  const file = join(folder, `waits-${files++}.db`)
  importInto(file, pizzeria({ stock: [] }))
  const clock = heldClock(start)
  const store = openStore(file, { clock, create: false, busyMs: 1000 })
  t.after(store.close)
  return { file, clock, store }
}

/** Places an order and returns its tickets. */
function place(store: Store, ...items: unknown[]): TicketId[] {
  const { id } = accepted(store.orders.place(accepted(parseDraft(orderOf(...items))), 'pos'))
  return store.kitchen.ofOrder(id).map(ticket => ticket.id)
}

function bump(store: Store, ...tickets: TicketId[]): void {
  for (const id of tickets) accepted(store.kitchen.bump(id, null))
}

const quote = (store: Store) => {
  const wait = store.waits.quote(here)
  return wait && `${wait.from} to ${wait.to}`
}

interface TicketRow {
  id: number
  station: number
  state: string
  opened: number
  closed: number
}

/** A percentile, found by counting: the smallest value that at least this share of all values do not exceed. */
function byCounting(values: number[], share: number): number | null {
  const enough = values.filter(value => values.filter(other => other <= value).length >= values.length * share)
  return enough.length === 0 ? null : Math.min(...enough)
}

const acts = fc.array(
  fc.record({ what: fc.constantFrom('pizza', 'salad', 'bump', 'line', 'recall', 'hold'), which: fc.nat({ max: 40 }) }),
  { minLength: 5, maxLength: 60 },
)

test('for each station, the open work and the time that tickets took in the last 30 minutes are as counted from the file', async t => {
  const folder = temporaryFolder(t)
  await holdsForAll(acts, 30, async evening => {
    const { file, store, clock } = openKitchen(t, folder)
    const tickets: TicketId[] = place(store, pizza(), salad)
    for (const { what, which } of evening) {
      clock.pass(((which % 7) * MINUTE) / 2 + which)
      const ticket = tickets[which % tickets.length] as TicketId
      if (what === 'pizza') tickets.push(...place(store, pizza(), salad))
      if (what === 'salad') tickets.push(...place(store, salad))
      if (what === 'bump') store.kitchen.bump(ticket, null)
      if (what === 'line') store.kitchen.bump(ticket, store.kitchen.ticket(ticket)?.items[0]?.lineId ?? null)
      if (what === 'recall') store.kitchen.recall(ticket)
      if (what === 'hold') store.kitchen.hold(ticket, null)
    }
    const db = new Database(file, { readonly: true })
    const rows = db
      .prepare<[], TicketRow>(
        'SELECT id, station_id AS station, state, opened_at AS opened, closed_at AS closed FROM ticket',
      )
      .all()
    const lines = db
      .prepare<[], { ticket: number; state: string }>('SELECT ticket_id AS ticket, state FROM ticket_item')
      .all()
    db.close()
    const linesOn = (these: TicketRow[], state: string) =>
      lines.filter(line => line.state === state && these.some(({ id }) => id === line.ticket)).length
    for (const work of store.waits.stations(here)) {
      const own = rows.filter(({ station }) => station === work.stationId)
      const open = own.filter(({ state }) => state === 'open')
      const done = own.filter(({ state, closed }) => state === 'done' && closed >= clock.now() - 30 * MINUTE)
      const took = done.map(({ opened, closed }) => closed - opened)
      const { stationId: _, title: __, ...counted } = work
      assert.deepEqual(counted, {
        openTickets: open.length,
        openLines: linesOn(open, 'open'),
        oldestAt: open.length === 0 ? null : Math.min(...open.map(({ opened }) => opened)),
        doneTickets: done.length,
        doneLines: linesOn(done, 'done'),
        median: byCounting(took, 0.5),
        p90: byCounting(took, 0.9),
      })
    }
  })
})

test('the wait comes from preparation times until a station has finished 3 tickets in 30 minutes, then from what it took', t => {
  const { store, clock } = openKitchen(t)
  assert.equal(quote(store), '15 to 20', 'no dish has a preparation time')
  const tickets = [1, 2, 3].map(() => place(store, salad))
  for (const [index, minutes] of [4, 3, 5].entries()) {
    clock.pass(minutes * MINUTE)
    assert.equal(quote(store), '15 to 20')
    bump(store, ...(tickets[index] ?? []))
  }
  const [, pass] = store.waits.stations(here)
  assert.deepEqual([pass?.median, pass?.p90], [7 * MINUTE, 12 * MINUTE])
  assert.equal(quote(store), '15 to 20', 'nobody knows how fast the oven is, and it is slower than the pass')
  const pizzas = [1, 2, 3].map(() => place(store, pizza()))
  const [first, second, ...others] = pizzas.flat().filter(id => store.kitchen.ticket(id)?.stationId === 1)
  clock.pass(22 * MINUTE)
  for (const id of [first, second]) if (id) bump(store, id)
  assert.equal(quote(store), '15 to 20', 'two tickets of the oven say nothing about the next one')
  bump(store, ...others)
  assert.equal(quote(store), '20 to 25')
  clock.pass(30 * MINUTE + 1)
  assert.equal(quote(store), '15 to 20', 'what was finished more than 30 minutes ago says nothing about now')
})

test('the wait grows with the open lines, at the pace of the last 30 minutes', t => {
  const { store, clock } = openKitchen(t)
  // 12 lines in 30 minutes at each station, and each ticket took 10 minutes.
  for (let round = 0; round < 3; round++) {
    const tickets = [1, 2, 3, 4].flatMap(() => place(store, pizza()))
    clock.pass(10 * MINUTE)
    bump(store, ...tickets)
  }
  assert.equal(quote(store), '10 to 15')
  for (let order = 0; order < 4; order++) place(store, pizza())
  assert.equal(quote(store), '10 to 15', '4 open lines are as much as usual')
  for (let order = 0; order < 8; order++) place(store, pizza())
  assert.equal(quote(store), '30 to 35', '12 open lines take as long as the 12 before them')
  clock.pass(121 * MINUTE)
  assert.equal(quote(store), '15 to 20', 'tickets that everybody has forgotten hold up nobody')
})

test('a busy location adds its minutes to the wait until they end automatically, after an hour unless told otherwise', t => {
  const { store, clock } = openKitchen(t)
  assert.equal(store.busy.begin(here, 20), undefined)
  assert.deepEqual(store.waits.quote(here), { from: 35, to: 40, busyMinutes: 20 })
  clock.pass(60 * MINUTE - 1)
  assert.equal(store.busy.list()[0]?.minutes, 20)
  clock.pass(1)
  assert.deepEqual(store.busy.list(), [])
  assert.equal(quote(store), '15 to 20')
  assert.equal(store.busy.begin(here, 10, clock.now() + MINUTE), undefined)
  assert.equal(quote(store), '25 to 30')
  assert.equal(store.busy.end(here), undefined)
  assert.equal(quote(store), '15 to 20')
  const refusals = [
    store.busy.begin(here, 0),
    store.busy.begin(here, 121),
    store.busy.begin(here, 1.5),
    store.busy.begin(here, 10, clock.now()),
    store.busy.begin(9 as LocationId, 10),
    store.stationBackups.set(1 as StationId, 1 as StationId),
    store.stationBackups.set(9 as StationId, null),
  ]
  assert.deepEqual(
    refusals.map(refusal => refusal?.refused),
    [
      'invalid minutes',
      'invalid minutes',
      'invalid minutes',
      'time has passed',
      'unknown location',
      'station elsewhere',
      'unknown station',
    ],
  )
  assert.equal(store.waits.quote(9 as LocationId), undefined, 'nothing is prepared where there is no kitchen')
})

test('the command busy names a location and the minutes, lists what is busy, and ends it', async t => {
  const { file } = openKitchen(t)
  assert.equal((await servery(file, ['busy'])).stdout, 'No location is busy.\n')
  assert.equal(
    (await servery(file, ['busy', '1', '20', '--until', '2999-06-01 13:00'])).stdout,
    'Guests of location 1 are told to wait 20 minutes longer until 2999-06-01 13:00 (UTC).\n',
  )
  assert.match(
    (await servery(file, ['busy'])).stdout,
    /^1 +A +20 min more +since \S+ +by \S+ +until 2999-06-01 13:00 \(UTC\)$/m,
  )
  assert.equal((await servery(file, ['busy', '1', 'off'])).stdout, 'Location 1 is not busy.\n')
  assert.match((await servery(file, ['busy', '1', '500'])).stderr, /whole number from 1 to 120/)
  assert.equal((await servery(file, ['busy', '1'])).code, 2)
  assert.equal((await servery(file, ['busy', '--until', '20:00'])).code, 2)
})
