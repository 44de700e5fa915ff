import type { Db } from '../file/open.ts'
import type { Channel } from '../terms/channels.ts'
import type { ItemId, LocationId, OrderId } from '../terms/ids.ts'
import { type Exponent, minorUnits } from '../terms/money.ts'
import type { Refusal } from '../terms/refusal.ts'
import { type Order, type OrderRow, orderReader, selectedColumns } from './order.ts'

/** What is known about an order that is searched for. Every given member must match. */
export interface Search {
  /** Placed at `from` or later, and before `until` (UTC milliseconds). */
  placed?: Instants
  /** The grand total in thousandths of the major unit. */
  totalMilli?: number
  /** The last digits of the customer's phone number; other characters are ignored. */
  phone?: string
  /** The id of an ordered item, or a part of a line's name. */
  item?: string
  /** A part of the customer's name or of a line's name. */
  words?: string
  channel?: Channel | undefined
  locationId?: LocationId | undefined
}

interface Instants {
  from: number
  until: number
}

const RECENT = 20
const AT_A_TIME = 500

/** What SQL can filter by; null matches anything. */
interface Criteria {
  /** The grand total in minor units, by how many decimals the currency has. */
  totalOf0: number | null
  totalOf2: number | null
  totalOf3: number | null
  /** A pattern of LIKE. */
  phone: string | null
  itemId: number | null
  name: string | null
  /** In lower and in upper case as far as SQLite's `lower` leaves letters unchanged: it only knows those of ASCII. */
  words: string | null
  upperWords: string | null
  channel: Channel | null
  locationId: LocationId | null
}

/** An order that SQL found, and its customer's phone number. */
interface Found {
  id: OrderId
  phone: string | null
}

/** The placed orders, for staff: the API has no operation that reads an order. */
export function orderBook(db: Db) {
  const whole = orderReader(db)
  const selectLast = db.prepare<[number], OrderRow>(`SELECT ${selectedColumns} FROM orders ORDER BY id DESC LIMIT ?`)
  // Completed and cancelled orders are settled (decision E1).
  const selectUnpaid = db.prepare<[number], OrderRow>(
    `SELECT ${selectedColumns} FROM orders INDEXED BY orders_open WHERE status IN ('placed', 'confirmed')
        AND (SELECT sum(amount_minor) FROM ledger WHERE order_id = orders.id) > 0 ORDER BY id DESC LIMIT ?`,
  )
  const selectById = db.prepare<[number], OrderRow>(`SELECT ${selectedColumns} FROM orders WHERE id = ?`)
  const selectByNumber = db.prepare<[number], OrderRow>(
    `SELECT ${selectedColumns} FROM orders WHERE number = ? ORDER BY id DESC LIMIT 1`,
  )
  // Newest first and in batches, because most searches are for recent orders. SQLite filters as much as it can, because a row
  // costs far more in JavaScript than in SQLite.
  const selectMatching = (where: string) =>
    db.prepare<Criteria & Partial<Instants> & { before: number }, Found>(
      `SELECT id, customer_phone AS phone FROM orders
        WHERE ${where}
          AND (@channel IS NULL OR channel = @channel) AND (@locationId IS NULL OR location_id = @locationId)
          AND (@totalOf2 IS NULL
               OR grand_total_minor = CASE exponent WHEN 0 THEN @totalOf0 WHEN 2 THEN @totalOf2 ELSE @totalOf3 END)
          AND (@phone IS NULL OR customer_phone LIKE @phone)
          AND (@itemId IS NULL AND @name IS NULL OR EXISTS (
                SELECT 1 FROM order_line WHERE order_id = orders.id
                   AND (item_id = @itemId OR instr(lower(name), @name) > 0)))
          AND (@words IS NULL
               OR instr(lower(customer_name), @words) > 0 OR instr(lower(customer_name), @upperWords) > 0
               OR EXISTS (SELECT 1 FROM order_line WHERE order_id = orders.id
                             AND (instr(lower(name), @words) > 0 OR instr(lower(name), @upperWords) > 0)))
        ORDER BY id DESC LIMIT ${AT_A_TIME}`,
    )
  const selectEver = selectMatching('id < @before')
  // An order's business date is within two days of the UTC date of its instant, and has an index. The plus keeps SQLite from
  // scanning all ids instead.
  const selectAround = selectMatching(
    `business_date BETWEEN date(@from / 1000, 'unixepoch', '-2 days') AND date(@until / 1000, 'unixepoch', '+2 days')
          AND placed_at >= @from AND placed_at < @until AND +id < @before`,
  )

  function* matching(placed: Instants | undefined, criteria: Criteria): Generator<Found> {
    const select = placed ? selectAround : selectEver
    let rows: Found[] = []
    do {
      rows = select.all({ ...criteria, ...placed, before: rows.at(-1)?.id ?? Number.MAX_SAFE_INTEGER })
      yield* rows
    } while (rows.length === AT_A_TIME)
  }

  return {
    /** The last orders, newest first. */
    last: (count = RECENT): Order[] => selectLast.all(count).map(whole),

    /** The orders with an amount still to be paid, newest first. */
    unpaid: (count: number): Order[] => selectUnpaid.all(count).map(whole),

    byId: (id: number): Order | undefined => optional(selectById.get(id), whole),

    /** The newest order with that number: numbers start again at 1 after 999,999 orders (decision D6). */
    byNumber: (number: number): Order | undefined => optional(selectByNumber.get(number), whole),

    /**
     * The ids of the orders that match every given member, newest first, and whether there are more than `count`. Refuses a phone
     * number without digits, and a blank item or blank words, which would match everything.
     */
    find(
      { placed, totalMilli, phone, item, words, channel, locationId }: Search,
      count: number,
    ): { found: OrderId[]; hasMore: boolean } | Refusal<'no digits' | 'item blank'> {
      const digits = phone?.replace(/\D/g, '')
      if (phone !== undefined && digits === '') return { refused: 'no digits', phone }
      if (item?.trim() === '' || words?.trim() === '') return { refused: 'item blank' }
      const itemId = item !== undefined && /^\d+$/.test(item) ? (Number(item) as ItemId) : null
      const totalOf = (exponent: Exponent) => (totalMilli === undefined ? null : minorUnits(totalMilli, exponent))
      const matches = matching(placed, {
        totalOf0: totalOf(0),
        totalOf2: totalOf(2),
        totalOf3: totalOf(3),
        // These digits in this order, with anything between them; whether they are the last ones is checked below.
        phone: digits === undefined ? null : `%${[...digits].join('%')}%`,
        itemId,
        name: item === undefined ? null : item.toLowerCase(),
        words: words === undefined ? null : words.trim().toLowerCase(),
        upperWords: words === undefined ? null : lowerAscii(words.trim().toUpperCase()),
        channel: channel ?? null,
        locationId: locationId ?? null,
      })
      const found: OrderId[] = []
      for (const match of matches) {
        if (digits && !match.phone?.replace(/\D/g, '').endsWith(digits)) continue
        if (found.push(match.id) > count) break
      }
      return { found: found.slice(0, count), hasMore: found.length > count }
    },
  }
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, letter => letter.toLowerCase())
}

function optional<T, R>(value: T | undefined, map: (value: T) => R): R | undefined {
  return value === undefined ? undefined : map(value)
}
