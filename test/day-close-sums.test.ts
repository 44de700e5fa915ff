import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { methods } from '../store/ledger/ledger.ts'
import { openStore, type Store } from '../store/store.ts'
import type { ItemId, LocationId, OrderId, OrderLineId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import type { Close } from '../store/till/closes.ts'
import { heldClock } from './support/held-clock.ts'
import { wallClock } from './support/independent-calculation.ts'
import { pizzeria } from './support/pizzeria.ts'
import { holdsForAll } from './support/property.ts'
import { accepted } from './support/refusals.ts'
import { importInto } from './support/shop.ts'

// Random days with a drawer and closes at random times, also in the middle of a day and days later; then the sums of all closes
// against a calculation of its own from the raw rows, and the drawer against a model that follows the coins.

const here = 1 as LocationId
const ZONE = 'Europe/Berlin'
const DAY_STARTS = '02:30'

const restaurant = {
  ...pizzeria({
    timezone: ZONE,
    day_starts_at: DAY_STARTS,
    tax_rate: 19,
    prices_include_tax: true,
    stations: [],
    routing: [],
    stock: [],
    tax_rates: [{ tax_class: 1, rate: 7, takeaway_rate: 5 }],
  }),
  tax_classes: [{ id: 1, title: 'Food' }],
}
const [food, drinks] = restaurant.categories
const taxed = { ...restaurant, categories: [{ ...food, tax_class: 1 }, drinks] }

const kinds = [
  ...([
    'place',
    'place',
    'place',
    'pay',
    'pay',
    'pay',
    'edit',
    'cancel',
    'refund',
    'void',
    'credit',
    'complete',
  ] as const),
  ...(['float', 'paid_in', 'paid_out', 'count', 'close', 'close'] as const),
]
type Kind = (typeof kinds)[number]

const story = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    /** Minutes that pass before it. */
    wait: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 90 }), fc.integer({ min: 120, max: 1700 })),
    choice: fc.tuple(fc.nat({ max: 999 }), fc.nat({ max: 999 }), fc.nat({ max: 999 })),
  }),
  { minLength: 25, maxLength: 70, size: 'max' },
)

/** The business date by what decision E5 says, and not as the store does it. */
function dateAt(instant: number): string {
  const { date, time } = wallClock(instant, ZONE)
  if (time.slice(0, 5) >= DAY_STARTS) return date
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day - 1)).toISOString().slice(0, 10)
}

/** The coins that moved on each day since it was last counted, and what each close left. */
function drawerModel() {
  const moved = new Map<string, number>()
  const floats = new Map<string, number>()
  const left = new Map<string, number>()
  const lastLeft = (before: string) =>
    [...left].filter(([date]) => date < before).sort(([a], [b]) => (a < b ? 1 : -1))[0]?.[1] ?? 0
  return {
    move: (date: string, amount: number) => void moved.set(date, (moved.get(date) ?? 0) + amount),
    float: (date: string, amount: number) => void floats.set(date, amount),
    close(date: string, kept: (expected: number) => number) {
      let late = 0
      for (const closed of left.keys()) {
        late += moved.get(closed) ?? 0
        moved.delete(closed)
      }
      const expected = (floats.get(date) ?? lastLeft(date) + late) + (moved.get(date) ?? 0)
      moved.delete(date)
      left.set(date, kept(expected))
      return expected
    },
  }
}

function live(
  store: Store,
  clock: ReturnType<typeof heldClock>,
  acts: { kind: Kind; wait: number; choice: number[] }[],
) {
  const model = drawerModel()
  const made: Close[] = []
  const ids: OrderId[] = []
  const seen = new Set<string>()

  function close(date: string, choice: number[]): void {
    const [a = 0, b = 0, c = 0] = choice
    const counted = a % 3 === 0 ? null : (b * 37) % 50_000
    const left = c % 2 === 0 || counted === null ? null : Math.min(counted, 15_000)
    const done = store.till.closeDay(here, { date, counted, left })
    if (isRefused(done)) return
    const expected = model.close(date, due => left ?? counted ?? due)
    assert.equal(done.cash.expected, expected, `the drawer on ${date}`)
    assert.equal(done.cash.difference, counted === null ? null : counted - expected)
    made.push(done)
    seen.add(dateAt(clock.now()) === date ? 'closed on its day' : 'closed late')
    if (done.parts.length > 1) seen.add('counted later')
  }

  for (const { kind, wait, choice } of acts) {
    clock.pass(wait * 60_000 + 7_321)
    const [a = 0, b = 0, c = 0] = choice
    const today = dateAt(clock.now())
    const id = ids[b % 4 === 0 ? a % (ids.length || 1) : Math.max(0, ids.length - 1 - (a % 4))] ?? (0 as OrderId)
    const method = methods[c % 2] ?? 'cash'
    const { balance, paid, due } = store.payments.standing(id)
    const part = (whole: number) => (c % 3 === 0 ? Math.max(1, Math.floor(whole / 2)) : whole)
    switch (kind) {
      case 'place': {
        const lines = [lineOf(choice), lineOf(choice.toReversed())].slice(0, 1 + (a % 2))
        const placed = store.orders.place(
          {
            locationId: here,
            channel: 'web',
            serviceMode: b % 2 === 0 ? 'dine_in' : 'takeaway',
            notes: null,
            customer: { name: null, phone: null, email: null },
            lines,
          },
          // Guests' orders have no row in the activity.
          b % 3 === 0 ? 'api' : 'pos',
        )
        if (!isRefused(placed)) ids.push(placed.id)
        break
      }
      case 'pay':
        if (!isRefused(store.payments.pay(id, { amount: part(balance), method }))) {
          seen.add(kind)
          if (method === 'cash') model.move(today, part(balance))
        }
        break
      case 'refund': {
        const amount = part(balance < 0 ? -balance : paid)
        if (!isRefused(store.payments.refund(id, { amount, method }))) {
          seen.add(kind)
          if (method === 'cash') model.move(today, -amount)
        }
        break
      }
      case 'void': {
        const payment = store.payments.entries(id).findLast(entry => entry.kind === 'payment')
        if (payment && !isRefused(store.payments.voidPayment(id, payment.entry))) {
          seen.add(kind)
          if (payment.method === 'cash') model.move(today, payment.amount)
        }
        break
      }
      case 'edit': {
        const order = store.orderBook.byId(id)
        const line = order?.lines[c % (order.lines.length || 1)]
        const edited = store.edit(id, {
          remove: b % 2 === 0 && line ? [line.id as OrderLineId] : [],
          add: b % 3 === 0 ? [] : [lineOf(choice.toReversed())],
          notes: undefined,
          customer: { name: undefined, phone: undefined, email: undefined },
          discount: a % 4 === 0 ? { reason: 'late', percentPpm: 333_333 } : undefined,
        })
        if (!isRefused(edited)) seen.add(kind)
        break
      }
      case 'cancel':
        if (!isRefused(store.move(id, 'cancel', { reason: 'gone' }))) seen.add(kind)
        break
      case 'credit':
        if (!isRefused(store.payments.credit(id, { amount: part(due), note: 'cold' }))) seen.add(kind)
        break
      case 'complete':
        if (balance > 0 && !isRefused(store.payments.pay(id, { amount: balance, method: 'cash' }))) {
          model.move(today, balance)
        }
        store.move(id, 'complete')
        break
      case 'close': {
        const [oldest] = accepted(store.till.open(here))
        if (oldest !== undefined) close(oldest, choice)
        break
      }
      default: {
        const done = store.till.enter(here, { kind, counted: b * 10 + 1, note: 'because' })
        if (isRefused(done)) break
        seen.add(kind)
        if (kind === 'float') model.float(today, b * 10 + 1)
        else if (kind !== 'count') model.move(today, kind === 'paid_in' ? b * 10 + 1 : -(b * 10 + 1))
      }
    }
  }
  // Everything is counted at the end: all days, and once more after the last one.
  clock.pass(86_400_000)
  for (const date of accepted(store.till.open(here))) close(date, [1, 2, 3])
  return { made, seen }
}

function lineOf([a = 0, b = 0]: number[]) {
  const itemId = ([1, 2, 3, 3] as ItemId[])[a % 4] as ItemId
  return { itemId, variationId: null, qtyMilli: 1000 * (1 + (b % 2)), notes: null, modifiers: [] }
}

type Sums = Record<string, number>

/** What all closes together counted of each day, as flat sums without those that are 0. */
function countedByDay(all: Close[]): Record<string, Sums> {
  const days: Record<string, Sums> = {}
  for (const { date, figures } of all.flatMap(({ parts }) => parts)) {
    days[date] ??= {}
    const day = days[date]
    const add = (key: string, value: number) => {
      day[key] = (day[key] ?? 0) + value
    }
    for (const row of figures.sales) {
      for (const key of [
        'orders',
        'subtotal',
        'discounts',
        'total',
        'tax',
        'cancelledOrders',
        'cancelledTotal',
      ] as const) {
        add(key, row[key])
      }
    }
    for (const row of figures.tax) {
      add(`net at ${row.ratePpm}`, row.net)
      add(`tax at ${row.ratePpm}`, row.tax)
    }
    for (const row of figures.takings) {
      add(`${row.method} payments`, row.count)
      add(`${row.method} paid`, row.payments)
      add(`${row.method} voided`, row.voided)
      add(`${row.method} refunded`, row.refunded)
    }
    for (const row of figures.accounts) {
      add('charges', row.charges)
      add('adjustments', row.adjustments)
      add('charge voids', row.chargeVoids)
      add('credits', row.credits)
    }
    for (const row of figures.drawer) {
      add('paid in', row.paidIn)
      add('paid out', row.paidOut)
    }
  }
  return withoutZeros(days)
}

/** The same from the rows of the file. */
function recordedByDay(file: string, since: string): Record<string, Sums> {
  const db = new Database(file, { readonly: true })
  const read = <Row>(sql: string) => db.prepare<[], Row>(sql).all()
  const days: Record<string, Sums> = {}
  const add = (at: number, key: string, value: number) => {
    const date = dateAt(at)
    days[date] ??= {}
    days[date][key] = (days[date][key] ?? 0) + value
  }
  type Order = Record<'at' | 'subtotal' | 'discount' | 'total' | 'tax' | 'rate', number> & {
    status: string
    lines: string | null
  }
  for (const order of read<Order>(
    `SELECT placed_at AS at, status, subtotal_minor AS subtotal, discount_minor AS discount, grand_total_minor AS total,
            tax_minor AS tax, tax_ppm AS rate, tax_lines AS lines FROM orders`,
  )) {
    const { at } = order
    if (order.status === 'cancelled') {
      add(at, 'cancelledOrders', 1)
      add(at, 'cancelledTotal', order.total)
      continue
    }
    add(at, 'orders', 1)
    add(at, 'subtotal', order.subtotal)
    add(at, 'discounts', order.discount)
    add(at, 'total', order.total)
    add(at, 'tax', order.tax)
    const whole = [{ ratePpm: order.rate, base: order.total, tax: order.tax }]
    const parts: typeof whole = order.lines === null ? whole : JSON.parse(order.lines)
    for (const { ratePpm, base, tax } of parts) {
      add(at, `net at ${ratePpm}`, base - tax)
      add(at, `tax at ${ratePpm}`, tax)
    }
  }
  for (const { at, kind, amount, method } of read<{ at: number; kind: string; amount: number; method: string }>(
    'SELECT at, kind, amount_minor AS amount, method FROM ledger',
  )) {
    if (kind === 'payment') {
      add(at, `${method} payments`, 1)
      add(at, `${method} paid`, -amount)
    } else if (kind === 'payment_void') add(at, `${method} voided`, amount)
    else if (kind === 'refund') add(at, `${method} refunded`, amount)
    else
      add(at, { charge: 'charges', adjustment: 'adjustments', charge_void: 'charge voids' }[kind] ?? 'credits', amount)
  }
  for (const { at, kind, amount } of read<{ at: number; kind: string; amount: number }>(
    `SELECT at, replace(kind, '_', ' ') AS kind, amount_minor AS amount FROM drawer WHERE kind LIKE 'paid%'`,
  )) {
    add(at, kind, amount)
  }
  db.close()
  return withoutZeros(Object.fromEntries(Object.entries(days).filter(([date]) => date >= since)))
}

function withoutZeros(days: Record<string, Sums>): Record<string, Sums> {
  return Object.fromEntries(
    Object.entries(days)
      .map(([date, day]) => [date, Object.fromEntries(Object.entries(day).filter(([, value]) => value !== 0))] as const)
      .filter(([, day]) => Object.keys(day).length > 0),
  )
}

test('all closes together count everything that was recorded once, and the drawer follows every coin', async () => {
  const seen = new Map<string, number>()
  await holdsForAll(story, 20, async acts => {
    const folder = mkdtempSync(join(tmpdir(), 'servery-closes-'))
    const file = join(folder, 'closes.db')
    const clock = heldClock('2026-10-23T16:00:00Z')
    importInto(file, taxed, {}, clock)
    const store = openStore(file, { clock, create: false, busyMs: 1000 })
    try {
      const { made, seen: done } = live(store, clock, acts)
      for (const what of done) seen.set(what, (seen.get(what) ?? 0) + 1)
      const all = store.till.closes(here, 1000).toReversed()
      assert.deepEqual(all, made, 'no close has changed since it was made')
      assert.deepEqual(
        all.map(({ number }) => number),
        all.map((_, index) => index + 1),
      )
      assert.deepEqual(countedByDay(all), recordedByDay(file, all[0]?.date ?? ''))
    } finally {
      store.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
  // A story in which nothing succeeds would prove nothing.
  const acts = ['pay', 'edit', 'cancel', 'refund', 'void', 'credit', 'float', 'paid_in', 'paid_out', 'count']
  for (const what of [...acts, 'closed on its day', 'closed late', 'counted later']) {
    assert.ok((seen.get(what) ?? 0) > 0, `no story had ${what}`)
  }
})
