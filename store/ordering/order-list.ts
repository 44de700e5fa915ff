import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Db } from '../file/open.ts'
import { type Channel, isEnteredByStaff, type ServiceMode, type Source } from '../terms/channels.ts'
import { businessDate, type Clock, timeZone } from '../terms/clock.ts'
import type { LocationId, OrderId, TableId } from '../terms/ids.ts'
import type { Exponent } from '../terms/money.ts'
import { groupBy } from '../terms/rows.ts'
import type { Fulfilment, Status } from './status.ts'

/** Which orders a list has; every given member must match. Unpaid and late orders are open ones. */
export interface OrderFilter {
  isOpen?: boolean
  /** With an amount still to be paid. */
  isUnpaid?: boolean
  /** Not ready yet, although the wanted time has passed, or half an hour since the order was placed. */
  isLate?: boolean
  /** Of the current business date of the location. */
  isToday?: boolean
  channel?: Channel | undefined
  locationId?: LocationId | undefined
}

/** An order as a list shows it. Amounts are minor units of its currency. */
export interface ListedOrder {
  id: OrderId
  number: number
  locationId: LocationId
  source: Source
  channel: Channel
  mode: ServiceMode | null
  status: Status
  fulfillmentStatus: Fulfilment
  currency: string
  exponent: Exponent
  grandTotal: number
  /** The amount still to be paid; below 0: to be refunded. */
  balance: number
  customer: string | null
  tableTitle: string | null
  wantedAt: number | null
  placedAt: number
  isLate: boolean
  lines: { qtyMilli: number; name: string }[]
}

export interface ListedPage {
  orders: ListedOrder[]
  /** Older orders are listed before this id; null: there are none. */
  olderThan: OrderId | null
  /** The search stopped at `olderThan`, before it found enough. Older orders may match as well. */
  isCutShort: boolean
}

/** The number of orders that a filter finds, at most `COUNTED`; that many means "or more". */
export const COUNTED = 100

const PAGE = 50

// A filter that matches few orders would otherwise read all orders of many years. The page offers to look further back.
const LOOKED_THROUGH = 5000

const LATE_AFTER_MS = 30 * 60_000

// Two orders this close together may be one order that was sent twice.
const SENT_TWICE_MS = 10 * 60_000
// An older double was noticed, or eaten.
const TWICE_SHOWN_MS = 12 * 3_600_000
const MOST_COMPARED = 500

type ListedRow = Omit<ListedOrder, 'lines' | 'isLate'> & { lines: string; isLate: number }

interface Criteria {
  /** Ids from `least` to below `before`. */
  least: number
  before: number
  most: number
  unpaid: 0 | 1
  late: 0 | 1
  /** JSON {location id: business date}, or null: any day. */
  today: string | null
  channel: Channel | null
  locationId: LocationId | null
  now: number
}

interface Recent {
  id: OrderId
  placedAt: number
  source: Source
  locationId: LocationId
  subtotal: number
  name: string | null
  phone: string | null
  email: string | null
  tableId: TableId | null
}

/** The lists of orders that staff work with. Every one reads a bounded number of rows, however many orders there are. */
export function orderList(db: Db, clock: Clock, catalogue: () => Catalogue) {
  const openOnly = `status IN ('placed', 'confirmed')`
  const isLate = `(${openOnly} AND (fulfillment_status IS NULL OR fulfillment_status IN ('pending', 'in_kitchen'))
                   AND coalesce(wanted_at, placed_at + ${LATE_AFTER_MS}) < @now)`
  const columns = `id, number, location_id AS locationId, source, channel, mode, status,
    fulfillment_status AS fulfillmentStatus, currency, exponent, grand_total_minor AS grandTotal,
    customer_name AS customer, table_title AS tableTitle, wanted_at AS wantedAt, placed_at AS placedAt,
    ${isLate} AS isLate,
    (SELECT sum(amount_minor) FROM ledger WHERE order_id = orders.id) AS balance,
    (SELECT json_group_array(json_object('qtyMilli', qty_milli, 'name', name))
       FROM order_line WHERE order_id = orders.id AND removed_at IS NULL) AS lines`
  const matching = `id >= @least AND id < @before
    AND (@channel IS NULL OR channel = @channel)
    AND (@locationId IS NULL OR location_id = @locationId)
    AND (@today IS NULL OR business_date = (SELECT value FROM json_each(@today) WHERE key = location_id))
    AND (@late = 0 OR ${isLate})
    AND (@unpaid = 0 OR (SELECT sum(amount_minor) FROM ledger WHERE order_id = orders.id) > 0)
    ORDER BY id DESC LIMIT @most`
  // Without INDEXED BY, SQLite reads the orders by id, of which most are closed.
  const fromOpen = `FROM orders INDEXED BY orders_open WHERE ${openOnly}`
  const statementsFor = (from: string) => ({
    list: db.prepare<Criteria, ListedRow>(`SELECT ${columns} ${from} AND ${matching}`),
    count: db.prepare<Criteria, number>(`SELECT count(*) FROM (SELECT 1 ${from} AND ${matching})`).pluck(),
  })
  const ofAll = statementsFor('FROM orders WHERE true')
  const ofOpen = statementsFor(fromOpen)
  const selectFarthestOpen = db.prepare<[number], { id: number | null; count: number }>(
    `SELECT min(id) AS id, count(*) AS count
       FROM (SELECT id ${fromOpen} AND id < ? ORDER BY id DESC LIMIT ${LOOKED_THROUGH})`,
  )
  const selectLastId = db.prepare<[], number>('SELECT max(id) FROM orders').pluck()
  const selectFirstOf = db
    .prepare<[string], number>('SELECT min(id) FROM orders WHERE business_date IN (SELECT value FROM json_each(?))')
    .pluck()
  const selectThese = db.prepare<{ ids: string; now: number }, ListedRow>(
    `SELECT ${columns} FROM orders WHERE id IN (SELECT value FROM json_each(@ids)) ORDER BY id DESC`,
  )
  const selectUnpaidOf = db.prepare<{ tableId: TableId; now: number }, ListedRow>(
    `SELECT ${columns} ${fromOpen} AND table_id = @tableId
        AND (SELECT sum(amount_minor) FROM ledger WHERE order_id = orders.id) > 0 ORDER BY id`,
  )
  const selectRecent = db.prepare<[number], Recent>(
    `SELECT id, placed_at AS placedAt, source, location_id AS locationId, subtotal_minor AS subtotal,
            customer_name AS name, customer_phone AS phone, customer_email AS email, table_id AS tableId
       ${fromOpen} AND placed_at >= ? AND NOT EXISTS (SELECT 1 FROM guest_order WHERE order_id = orders.id)
      ORDER BY id DESC LIMIT ${MOST_COMPARED}`,
  )
  const selectNewestByGuests = db
    .prepare<[], number>(
      `SELECT max(id) FROM (SELECT id, source FROM orders ORDER BY id DESC LIMIT ${PAGE})
        WHERE source NOT IN ('admin', 'pos')`,
    )
    .pluck()
  const selectContents = db
    .prepare<[OrderId], string>(
      `SELECT json_group_array(json_array(item_id, variation_id, qty_milli, notes, modifiers)) FROM
         (SELECT * FROM order_line WHERE order_id = ? AND removed_at IS NULL
           ORDER BY item_id, variation_id, qty_milli, notes, modifiers)`,
    )
    .pluck()

  /** The current business date of each location, as JSON, and the id of the first order of any of these dates. */
  function today(now: number): { dates: string; first: number } {
    const dates = catalogue().locations.map(({ id, timezone, dayStartsAt }) => {
      return [id, businessDate(timeZone(timezone).at(now), dayStartsAt)] as const
    })
    const first = selectFirstOf.get(JSON.stringify([...new Set(dates.map(([, date]) => date))]))
    return { dates: JSON.stringify(Object.fromEntries(dates)), first: first ?? Number.MAX_SAFE_INTEGER }
  }

  /** The oldest id to look at before `before`; 0: as far as there are orders. */
  function farthestOf(isOfOpen: boolean, before: number): number {
    // Ids have no gaps, because orders are never deleted.
    if (!isOfOpen) return Math.max(0, before - LOOKED_THROUGH)
    const { id, count } = selectFarthestOpen.get(before) ?? { id: null, count: 0 }
    return count < LOOKED_THROUGH ? 0 : (id ?? 0)
  }

  function search({ isOpen, isUnpaid, isLate, isToday, channel, locationId }: OrderFilter, before: number) {
    const now = clock.now()
    const isOfOpen = isOpen || isUnpaid || isLate || false
    const day = isToday ? today(now) : { dates: null, first: 1 }
    const farthest = farthestOf(isOfOpen, before)
    const criteria: Criteria = {
      least: Math.max(farthest, day.first),
      before,
      most: PAGE + 1,
      unpaid: isUnpaid ? 1 : 0,
      late: isLate ? 1 : 0,
      today: day.dates,
      channel: channel ?? null,
      locationId: locationId ?? null,
      now,
    }
    return { criteria, isCutShort: farthest > day.first, statements: isOfOpen ? ofOpen : ofAll }
  }

  const start = () => (selectLastId.get() ?? 0) + 1

  return {
    /** The matching orders, newest first: 50, those before the id `before`. */
    page(filter: OrderFilter, before: number = start()): ListedPage {
      const { criteria, isCutShort, statements } = search(filter, before)
      const rows = statements.list.all(criteria)
      const orders = rows.slice(0, PAGE).map(listed)
      if (rows.length > PAGE) return { orders, olderThan: orders.at(-1)?.id ?? null, isCutShort: false }
      return { orders, olderThan: isCutShort ? (criteria.least as OrderId) : null, isCutShort }
    },

    /** How many orders match, up to 100. */
    count(filter: OrderFilter): number {
      const { criteria, statements } = search(filter, start())
      return statements.count.get({ ...criteria, most: COUNTED }) ?? 0
    },

    /** The orders with these ids, newest first. */
    these: (ids: OrderId[]): ListedOrder[] =>
      selectThese.all({ ids: JSON.stringify(ids), now: clock.now() }).map(listed),

    /** The bill of a table: its open orders with something left to pay, the oldest first. */
    unpaidOf: (tableId: TableId): ListedOrder[] => selectUnpaidOf.all({ tableId, now: clock.now() }).map(listed),

    /** The id of the newest order that staff did not enter; 0 if there is none among the newest 50. */
    newestByGuests: (): number => selectNewestByGuests.get() ?? 0,

    /**
     * Open orders that look like an earlier one sent twice, each with the number and id of that one: the same lines at the same
     * location within 10 minutes, by the same guest. The newest 500 open orders of the last 12 hours are compared, without those from
     * the guests' pages: these are placed exactly once (G3), so two equal ones at a table are from two guests.
     */
    sentTwice(): Map<OrderId, OrderId> {
      const recent = selectRecent.all(clock.now() - TWICE_SHOWN_MS).toReversed()
      const twice = new Map<OrderId, OrderId>()
      for (const alike of groupBy(recent, ({ locationId, subtotal }) => `${locationId} ${subtotal}`).values()) {
        for (const [index, order] of alike.entries()) {
          const first = alike.slice(0, index).find(earlier => isSameOrder(earlier, order))
          if (first) twice.set(order.id, first.id)
        }
      }
      return twice
    },
  }

  function isSameOrder(earlier: Recent, later: Recent): boolean {
    if (later.placedAt - earlier.placedAt > SENT_TWICE_MS || !isSameGuest(earlier, later)) return false
    return selectContents.get(earlier.id) === selectContents.get(later.id)
  }
}

export type OrderList = ReturnType<typeof orderList>

function listed({ lines, isLate, ...row }: ListedRow): ListedOrder {
  return { ...row, isLate: isLate === 1, lines: JSON.parse(lines) }
}

/** Whether two orders seem to be of one guest: by phone, email or name; without these by table, unless staff entered them. */
function isSameGuest(a: Recent, b: Recent): boolean {
  const digits = ({ phone }: Recent) => phone?.replace(/\D/g, '') || null
  const folded = (text: string | null) => text?.trim().toLowerCase() || null
  const both = (one: string | null, other: string | null) => (one === null || other === null ? null : one === other)
  const known =
    both(digits(a), digits(b)) ?? both(folded(a.email), folded(b.email)) ?? both(folded(a.name), folded(b.name))
  if (known !== null) return known
  return a.tableId !== null && a.tableId === b.tableId && ![a, b].some(({ source }) => isEnteredByStaff(source))
}
