import { join } from 'node:path'
import Database from 'better-sqlite3'
import { refusalText } from '../display/refusal.ts'
import { databaseFile, restaurant } from '../examples/demo.ts'
import { practice } from '../examples/practice/practice.ts'
import { type Draft, parseDraft } from '../store/ordering/draft.ts'
import { freePermit } from '../store/ordering/place.ts'
import { openStore, type Store } from '../store/store.ts'
import { systemClock } from '../store/terms/clock.ts'
import type { LocationId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { folderOnDisk } from './folder.ts'
import { median } from './percentile.ts'

// The time of reports over a year of 100,000 orders, and the cost of their indexes for a new order.

const ORDERS = 100_000
const DAY_MS = 50
const YEAR_MS = 1000

const folder = folderOnDisk('bench')

const noon = { ...systemClock, now: () => Date.parse('2026-11-20T12:00Z') }
const open = (file: string): Store => openStore(file, { clock: noon, create: true, busyMs: 1000 })

const file = join(folder, databaseFile.replace('/', '-'))
const store = open(file)
store.importCatalogue(stocked())
const filled = practice(store, { days: 27, seed: 'bench' })
if (isRefused(filled)) throw new Error(refusalText(filled))
const year = makeYear()
const problems = store.audit.all()
if (problems.length > 0) throw new Error(JSON.stringify(problems.slice(0, 3)))

measureReports()
store.close()
await measureOrders()

/** The demo restaurant, with three stock items at each location, of which every dish takes some. */
function stocked(): ReturnType<typeof restaurant> {
  const demo = restaurant()
  const items = demo.categories.flatMap(category => category.items)
  const recipe = items.map(({ id }) => ({ item: id, variation: null, modifier: null, qty: 10 }))
  return {
    ...demo,
    locations: demo.locations.map(location => ({
      ...location,
      stock: ['Flour', 'Oil', 'Salt'].map((title, index) => ({
        id: location.id * 10 + index,
        title,
        unit: 'kg',
        on_hand: 1_000_000,
        low_at: 100_000,
        recipe,
      })),
    })),
  }
}

/** Copies the four weeks of practice over a year, each order as often as needed to reach 100,000. */
function makeYear(): { from: string; to: string; day: string } {
  const db = new Database(file)
  db.pragma('synchronous = OFF')
  const total = db.prepare<[], number>('SELECT count(*) FROM orders').pluck()
  const block = total.get() ?? 0
  const copy = (table: string, changed: Record<string, string>, where = '') => {
    const columns = db.pragma(`table_info(${table})`) as { name: string }[]
    const values = columns.map(({ name }) => changed[name] ?? name)
    return db.prepare<{ orders: number; lines: number; days: number; block: number }>(
      `INSERT INTO ${table} SELECT ${values.join(', ')} FROM ${table} WHERE ${where || '1'}`,
    )
  }
  const lastLine = db.prepare<[], number>('SELECT max(id) FROM order_line').pluck().get() ?? 0
  const lastMovement = db.prepare<[], number>('SELECT max(id) FROM stock_movement').pluck().get() ?? 0
  const day = 86_400_000
  const date = `date(business_date, '-' || @days || ' days')`
  const copies = [
    copy(
      'orders',
      { id: 'id + @orders', number: 'id + @orders', placed_at: `placed_at - @days * ${day}`, business_date: date },
      'id <= @block',
    ),
    copy('order_line', { id: 'id + @lines', order_id: 'order_id + @orders' }, `id <= ${lastLine}`),
    copy(
      'ledger',
      { order_id: 'order_id + @orders', at: `at - @days * ${day}`, business_date: date },
      'order_id <= @block',
    ),
    copy(
      'stock_movement',
      { id: 'NULL', order_id: 'order_id + @orders', at: `at - @days * ${day}` },
      `id <= ${lastMovement}`,
    ),
  ]
  const weeks = 13
  db.transaction(() => {
    let copied = 1
    // Oldest first, as orders are placed.
    for (let back = weeks - 1; back >= 0; back--) {
      const wanted = Math.ceil(((weeks - back) * (ORDERS / block)) / weeks)
      for (; copied < wanted + 1 || copied < weeks - back + 1; copied++) {
        for (const statement of copies)
          statement.run({ orders: copied * block, lines: copied * lastLine, days: back * 28, block })
      }
    }
    db.exec(
      `UPDATE stock_item SET on_hand_micro = (SELECT coalesce(sum(qty_micro), 0) FROM stock_movement WHERE stock_id = stock_item.id)`,
    )
  })()
  const span = db
    .prepare<[], { from: string; to: string; orders: number; lines: number; entries: number; movements: number }>(
      `SELECT min(business_date) AS "from", max(business_date) AS "to", count(*) AS orders,
              (SELECT count(*) FROM order_line) AS lines, (SELECT count(*) FROM ledger) AS entries,
              (SELECT count(*) FROM stock_movement) AS movements FROM orders`,
    )
    .get()
  db.close()
  if (!span) throw new Error('there are no orders')
  console.log(
    `${span.orders} orders from ${span.from} to ${span.to}: ${span.lines} lines, ${span.entries} ledger entries, ${span.movements} stock movements\n`,
  )
  return { ...span, day: '2026-06-13' }
}

function measureReports(): void {
  const { period: _, ...reports } = store.reports
  const place = store.catalogue.current().locations[0]?.id as LocationId
  const periods = [
    { from: year.day, to: year.day, locationId: null },
    { from: year.from, to: year.to, locationId: null },
    { from: year.from, to: year.to, locationId: place },
  ]
  console.log('| report | one day, ms | one year, ms | of it CPU, ms | one year of one location, ms | within bounds |')
  console.log('|---|---:|---:|---:|---:|---|')
  for (const [name, report] of Object.entries(reports)) {
    const [day = 0, whole = 0, part = 0] = periods.map(period => elapsed(() => report(period)))
    const [, long] = periods
    const before = process.cpuUsage()
    if (long) report(long)
    const { user, system } = process.cpuUsage(before)
    const isWithin = day < DAY_MS && whole < YEAR_MS && part < YEAR_MS
    const shown = [day.toFixed(1), ...[whole, (user + system) / 1000, part].map(ms => ms.toFixed(0))]
    console.log(`| ${[name, ...shown, isWithin ? 'yes' : '**no**'].join(' | ')} |`)
  }
}

function elapsed(work: () => void): number {
  const runs = Array.from({ length: 7 }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return median(runs)
}

/** Places orders in turns into two files that differ only in the reports' indexes, a hundred per commit. */
async function measureOrders(): Promise<void> {
  const draft = parseDraft({
    location_id: 1,
    items: [
      { item_id: 1, qty: 2, modifiers: [{ modifier_id: 11 }, { modifier_id: 12 }] },
      { item_id: 801, variation_id: 8012, qty: 1 },
      { item_id: 901, variation_id: 9011, qty: 2 },
    ],
  })
  if (isRefused(draft)) throw new Error('the order of this bench has faults')
  const plain = `${file}-plain`
  const db = new Database(file)
  db.exec(`VACUUM INTO '${plain}'`)
  db.close()
  const without = new Database(plain)
  for (const index of ['orders_by_day', 'ledger_by_day', 'stock_movement_by_time']) without.exec(`DROP INDEX ${index}`)
  without.close()
  const stores = [open(file), open(plain)]
  for (const each of stores) {
    for (const item of each.shelf.list()) each.shelf.change(item.id, 'set', 1e14, null)
  }
  const costs: [number[], number[]] = [[], []]
  for (let round = 0; round < 15; round++) {
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const before = process.cpuUsage()
      await placeMany(stores[index] as Store, draft, 2000)
      const { user, system } = process.cpuUsage(before)
      costs[index].push((user + system) / 2000)
    }
  }
  for (const each of stores) each.close()
  const [kept = 0, bare = 0] = costs.map(median)
  console.log(
    `\nA durable order with three stock movements, 100 to a commit: ${kept.toFixed(1)} µs of CPU with the reports' ` +
      `indexes, ${bare.toFixed(1)} without (${(bare / kept).toFixed(2)} × the rate)`,
  )
}

function placeMany(target: Store, draft: Draft, count: number): void {
  const batch = Array.from({ length: 100 }, () => ({ draft, source: 'api' as const, permit: freePermit }))
  for (let placed = 0; placed < count; placed += 100) {
    for (const one of target.orders.placeTogether(batch)) {
      if (!('placed' in one) || isRefused(one.placed)) throw new Error('an order was refused')
    }
  }
}
