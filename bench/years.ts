import Database from 'better-sqlite3'
import { refusalText } from '../display/refusal.ts'
import { restaurant } from '../examples/demo.ts'
import { practice } from '../examples/practice/practice.ts'
import type { RestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { openStore, type Store } from '../store/store.ts'
import { systemClock } from '../store/terms/clock.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { openForOrders } from '../test/support/demo-restaurant.ts'
import { withStore } from '../test/support/store.ts'

// Files with the orders of many years. Weeks of simulated orders, each placed through the store, are copied one after the other:
// unchanged, but with other ids and that many weeks earlier.

const WEEKS = 13
const DAY_MS = 86_400_000

/** Counts of a file's rows. */
export interface Years {
  orders: number
  lines: number
  entries: number
  tickets: number
  movements: number
  /** The first and the last business date, YYYY-MM-DD. */
  from: string
  to: string
}

/** The demo restaurant with a kitchen and three stock items at each location, of which every dish takes one. */
function completeRestaurant(): RestaurantFile {
  const demo = restaurant()
  const items = demo.categories.flatMap(category => category.items)
  return {
    ...demo,
    locations: demo.locations.map(location => {
      const stations = [{ id: 100 + location.id, title: 'Kitchen', is_default: true, active: true }]
      return {
        ...location,
        stations: location.stations.length > 0 ? location.stations : stations,
        stock: ['Flour', 'Oil', 'Salt'].map((title, index) => ({
          id: location.id * 10 + index,
          title,
          unit: 'kg',
          on_hand: 1_000_000,
          low_at: 100_000,
          recipe: items
            .filter((_, position) => position % 3 === index)
            .map(({ id }) => ({ item: id, variation: null, modifier: null, qty: 10 })),
        })),
      }
    }),
  }
}

/** Yesterday morning: every earlier order is finished, and the instant is in the past for the server that follows. */
function morning(): number {
  return Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS + 10 * 3_600_000
}

const openEmpty = (file: string): Store => {
  const store = openStore(file, { clock: { ...systemClock, now: morning }, create: true, busyMs: 5000 })
  store.importCatalogue(completeRestaurant())
  return store
}

/** Makes the file with the weeks that are copied. Takes a while: each order is placed, cooked and paid. */
export function practiseWeeks(file: string): void {
  const store = openEmpty(file)
  const filled = practice(store, { days: 7 * WEEKS, seed: 'years' })
  store.close()
  if (isRefused(filled)) throw new Error(refusalText(filled))
}

/**
 * Makes a file with exactly so many orders out of `weeks`, the last of them placed on the day before yesterday. Returns its
 * counts and the token of its API, which has no order limit.
 */
export function makeYears(file: string, weeks: string, orders: number): { years: Years; token: string } {
  openEmpty(file).close()
  const db = new Database(file)
  // A file that is incomplete after a power cut is simply made again.
  db.pragma('journal_mode = OFF')
  db.pragma('synchronous = OFF')
  db.pragma('foreign_keys = OFF')
  db.prepare('ATTACH ? AS weeks').run(weeks)
  const triggers = db
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger'")
    .all()
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`)
  db.transaction(() => layBehindEachOther(db, orders))()
  for (const { sql } of triggers) db.exec(sql)
  const years = count(db)
  db.close()
  return { years, token: withStore(file, openForOrders) }
}

function layBehindEachOther(db: Database.Database, orders: number): void {
  const last = (table: string) => db.prepare<[], number>(`SELECT max(id) FROM weeks.${table}`).pluck().get() ?? 0
  const block = { orders: last('orders'), lines: last('order_line'), tickets: last('ticket') }
  const times = Math.ceil(orders / block.orders)
  const left = times * block.orders - orders
  const number = '(id + @orders - 1) % 999999 + 1'
  const at = (column: string) => `${column} - @days * ${DAY_MS}`
  const date = `date(business_date, '-' || @days || ' days')`
  const copies = [
    copy(db, 'orders', 'id > @left', {
      id: 'id + @orders',
      number,
      placed_at: at('placed_at'),
      business_date: date,
    }),
    copy(db, 'order_line', 'order_id > @left', { id: 'id + @lines', order_id: 'order_id + @orders' }),
    copy(db, 'ledger', 'order_id > @left', { order_id: 'order_id + @orders', at: at('at'), business_date: date }),
    copy(db, 'ticket', 'order_id > @left', {
      id: 'id + @tickets',
      order_id: 'order_id + @orders',
      opened_at: at('opened_at'),
      closed_at: at('closed_at'),
    }),
    copy(db, 'ticket_item', 'ticket_id IN (SELECT id FROM weeks.ticket WHERE order_id > @left)', {
      ticket_id: 'ticket_id + @tickets',
      line_id: 'line_id + @lines',
    }),
    copy(db, 'stock_movement', 'at >= (SELECT min(placed_at) FROM weeks.orders WHERE id > @left)', {
      id: 'NULL',
      order_id: 'order_id + @orders',
      at: at('at'),
    }),
  ]
  for (let turn = 0; turn < times; turn++) {
    const shift = {
      orders: turn * block.orders - left,
      lines: turn * block.lines,
      tickets: turn * block.tickets,
      days: (times - 1 - turn) * 7 * WEEKS,
      left: turn === 0 ? left : 0,
    }
    for (const each of copies) each.run(shift)
  }
  db.exec(
    `UPDATE stock_item
        SET on_hand_micro = (SELECT coalesce(sum(qty_micro), 0) FROM stock_movement WHERE stock_id = stock_item.id)`,
  )
}

/** A statement that copies rows of the simulated weeks, with other values in some columns. */
function copy(db: Database.Database, table: string, where: string, changed: Record<string, string>) {
  const columns = db.pragma(`main.table_info(${table})`) as { name: string }[]
  const values = columns.map(({ name }) => changed[name] ?? name)
  return db.prepare<Record<string, number>>(
    `INSERT INTO main.${table} SELECT ${values.join(', ')} FROM weeks.${table} WHERE ${where}`,
  )
}

function count(db: Database.Database): Years {
  const years = db
    .prepare<[], Years>(
      `SELECT (SELECT count(*) FROM orders) AS orders, (SELECT count(*) FROM order_line) AS lines,
              (SELECT count(*) FROM ledger) AS entries, (SELECT count(*) FROM ticket) AS tickets,
              (SELECT count(*) FROM stock_movement) AS movements, min(business_date) AS "from", max(business_date) AS "to"
         FROM orders`,
    )
    .get()
  if (!years) throw new Error('there is no file to count')
  return years
}
