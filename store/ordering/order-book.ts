import type { Db } from '../file/open.ts'
import type { ItemId } from '../terms/ids.ts'
import { type Exponent, minorUnits } from '../terms/money.ts'
import type { Refusal } from '../terms/refusal.ts'
import { type Order, type OrderRow, orderReader, selectedColumns } from './order.ts'

/** What somebody still knows of an order. All that is given must match. */
export interface Search {
  /** Placed at `from` or later, and before `until` (UTC milliseconds). */
  placed?: Instants
  /** The grand total in thousandths of the major unit. */
  totalMilli?: number
  /** The end of the customer's phone number; only the digits count. */
  phone?: string
  /** The id of an ordered item, or a part of a line's name. */
  item?: string
}

interface Instants {
  from: number
  until: number
}

const RECENT = 20
const AT_A_TIME = 500

/** What the file itself can look for; null is anything. */
interface Criteria {
  /** The grand total in minor units, by how many decimals the currency has. */
  totalOf0: number | null
  totalOf2: number | null
  totalOf3: number | null
  /** A pattern of LIKE. */
  phone: string | null
  itemId: number | null
  name: string | null
}

/** The orders that were placed, for the staff: the API has no operation that reads one. */
export function orderBook(db: Db) {
  const whole = orderReader(db)
  const selectLast = db.prepare<[number], OrderRow>(`SELECT ${selectedColumns} FROM orders ORDER BY id DESC LIMIT ?`)
  // What is completed or cancelled is settled (decision E1).
  const selectUnpaid = db.prepare<[number], OrderRow>(
    `SELECT ${selectedColumns} FROM orders WHERE status IN ('placed', 'confirmed')
        AND (SELECT sum(amount_minor) FROM ledger WHERE order_id = orders.id) > 0 ORDER BY id DESC LIMIT ?`,
  )
  const selectById = db.prepare<[number], OrderRow>(`SELECT ${selectedColumns} FROM orders WHERE id = ?`)
  const selectByNumber = db.prepare<[number], OrderRow>(
    `SELECT ${selectedColumns} FROM orders WHERE number = ? ORDER BY id DESC LIMIT 1`,
  )
  // Newest first, some at a time: recent orders are what somebody looks for. SQLite leaves out by itself what it can, because
  // a row costs far more here than there.
  const selectMatching = (where: string) =>
    db.prepare<Criteria & Partial<Instants> & { before: number }, OrderRow>(
      `SELECT ${selectedColumns} FROM orders
        WHERE ${where}
          AND (@totalOf2 IS NULL
               OR grand_total_minor = CASE exponent WHEN 0 THEN @totalOf0 WHEN 2 THEN @totalOf2 ELSE @totalOf3 END)
          AND (@phone IS NULL OR customer_phone LIKE @phone)
          AND (@itemId IS NULL AND @name IS NULL OR EXISTS (
                SELECT 1 FROM order_line WHERE order_id = orders.id
                   AND (item_id = @itemId OR instr(lower(name), @name) > 0)))
        ORDER BY id DESC LIMIT ${AT_A_TIME}`,
    )
  const selectEver = selectMatching('id < @before')
  // An order's business date is never further than two days from the date of its instant in UTC, and has an index. The plus
  // keeps SQLite from going through all ids instead.
  const selectAround = selectMatching(
    `business_date BETWEEN date(@from / 1000, 'unixepoch', '-2 days') AND date(@until / 1000, 'unixepoch', '+2 days')
          AND placed_at >= @from AND placed_at < @until AND +id < @before`,
  )

  function* matching(placed: Instants | undefined, criteria: Criteria): Generator<OrderRow> {
    const select = placed ? selectAround : selectEver
    let rows: OrderRow[] = []
    do {
      rows = select.all({ ...criteria, ...placed, before: Number(rows.at(-1)?.id ?? Number.MAX_SAFE_INTEGER) })
      yield* rows
    } while (rows.length === AT_A_TIME)
  }

  return {
    /** The last orders, newest first. */
    last: (count = RECENT): Order[] => selectLast.all(count).map(whole),

    /** The orders that are still to be paid in whole or in part, newest first. */
    unpaid: (count: number): Order[] => selectUnpaid.all(count).map(whole),

    byId: (id: number): Order | undefined => optional(selectById.get(id), whole),

    /** The newest order of that number: numbers come round again after 999,999 orders (decision D6). */
    byNumber: (number: number): Order | undefined => optional(selectByNumber.get(number), whole),

    /**
     * The orders that match all that is given, newest first, and whether there are more than `count`. Refuses a phone
     * number without digits and a blank item, which would match everything.
     */
    find(
      { placed, totalMilli, phone, item }: Search,
      count: number,
    ): { found: Order[]; hasMore: boolean } | Refusal<'no digits' | 'item blank'> {
      const digits = phone?.replace(/\D/g, '')
      if (phone !== undefined && digits === '') return { refused: 'no digits', phone }
      if (item?.trim() === '') return { refused: 'item blank' }
      const itemId = item !== undefined && /^\d+$/.test(item) ? (Number(item) as ItemId) : null
      const totalOf = (exponent: Exponent) => (totalMilli === undefined ? null : minorUnits(totalMilli, exponent))
      const rows = matching(placed, {
        totalOf0: totalOf(0),
        totalOf2: totalOf(2),
        totalOf3: totalOf(3),
        // These digits in this order, whatever stands between them; whether they are its end is looked at below.
        phone: digits === undefined ? null : `%${[...digits].join('%')}%`,
        itemId,
        name: item === undefined ? null : item.toLowerCase(),
      })
      const found: OrderRow[] = []
      for (const row of rows) {
        if (digits && !String(row.customer_phone).replace(/\D/g, '').endsWith(digits)) continue
        if (found.push(row) > count) break
      }
      return { found: found.slice(0, count).map(whole), hasMore: found.length > count }
    },
  }
}

function optional<T, R>(value: T | undefined, map: (value: T) => R): R | undefined {
  return value === undefined ? undefined : map(value)
}
