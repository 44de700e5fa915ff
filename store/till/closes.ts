import type { Db } from '../file/open.ts'
import type { Actor } from '../people/actor.ts'
import type { LocationId } from '../terms/ids.ts'
import type { Exponent } from '../terms/money.ts'
import type { Pieces } from './drawer.ts'
import { type DayFigures, sumOf } from './figures.ts'

/** Figures of one business date. */
export interface Part {
  date: string
  figures: DayFigures
}

/** The cash of a drawer, in minor units: expected = opening + taken + paidIn − paidOut. */
export interface Cash {
  currency: string
  exponent: Exponent
  /** What the close before left in the drawer, and what came later for days that were closed. */
  carried: number
  /** What was counted when the day began. Null: it was not, and what was carried counts. */
  float: number | null
  opening: number
  /** Payments in cash, less those that were voided or refunded. */
  taken: number
  paidIn: number
  paidOut: number
  expected: number
}

/** The cash of a close. What is not counted is null. */
export interface CountedCash extends Cash {
  counted: number | null
  /** counted − expected */
  difference: number | null
  /** Null: not counted, or counted as a sum. */
  pieces: Pieces[] | null
  /** What stays in the drawer for the next day. */
  left: number
  note: string | null
}

/** A closed business day of a location, as it was when it was closed. It never changes (decision 051). */
export interface Close {
  locationId: LocationId
  number: number
  date: string
  /** UTC milliseconds. */
  at: number
  actor: Actor
  place: { site: string; title: string; address: string | null; timezone: string }
  /** Its own day first; then for each day that was closed before what came later and no close has counted. */
  parts: [Part, ...Part[]]
  cash: CountedCash
  /** The orders of the day that were still to be paid, by currency. */
  unpaid: { currency: string; exponent: Exponent; orders: number; balance: number }[]
}

/** The newest ids when a close was made. What is newer may concern days that were closed. */
export interface Seen {
  orders: number
  activity: number
  drawer: number
}

interface CloseRow {
  locationId: LocationId
  number: number
  date: string
  place: string
  parts: string
  cash: string
  at: number
  actorKind: Actor['kind']
  actorId: number | null
  actorName: string
}

const columns = `location_id AS locationId, number, business_date AS date, place, parts, cash, at,
  actor_kind AS actorKind, actor_id AS actorId, actor AS actorName`

/** The immutable day closes of the locations. */
export function closes(db: Db) {
  const insert = db.prepare<CloseRow & Seen & { currency: string; left: number; clientRef: string | null }>(
    `INSERT INTO day_close (location_id, number, business_date, place, parts, cash, currency, left_minor, orders_until,
                            activity_until, drawer_until, client_ref, at, actor_kind, actor_id, actor)
     VALUES (@locationId, @number, @date, @place, @parts, @cash, @currency, @left, @orders,
             @activity, @drawer, @clientRef, @at, @actorKind, @actorId, @actorName)`,
  )
  const selectNewest = db.prepare<[LocationId, number], CloseRow>(
    `SELECT ${columns} FROM day_close WHERE location_id = ? ORDER BY number DESC LIMIT ?`,
  )
  const selectByNumber = db.prepare<[LocationId, number], CloseRow>(
    `SELECT ${columns} FROM day_close WHERE location_id = ? AND number = ?`,
  )
  const selectNumber = db.prepare<[LocationId, string], { number: number; clientRef: string | null }>(
    'SELECT number, client_ref AS clientRef FROM day_close WHERE location_id = ? AND business_date = ?',
  )
  const selectLeft = db.prepare<[LocationId, string], { left: number; currency: string }>(
    `SELECT left_minor AS "left", currency FROM day_close WHERE location_id = ? AND business_date <= ?
      ORDER BY business_date DESC LIMIT 1`,
  )
  const selectLastDate = db
    .prepare<[LocationId], string | null>('SELECT max(business_date) FROM day_close WHERE location_id = ?')
    .pluck()
  const selectCounted = db
    .prepare<[LocationId, string], string>(
      `SELECT part.value ->> 'figures' FROM day_close, json_each(parts) AS part
        WHERE location_id = ? AND part.value ->> 'date' = ?`,
    )
    .pluck()
  const selectSeen = db.prepare<[LocationId], Seen>(
    `SELECT orders_until AS orders, activity_until AS activity, drawer_until AS drawer FROM day_close
      WHERE location_id = ? ORDER BY number DESC LIMIT 1`,
  )
  const selectSeenNow = db.prepare<[], Seen>(
    `SELECT coalesce((SELECT max(id) FROM orders), 0) AS orders, coalesce((SELECT max(id) FROM activity), 0) AS activity,
            coalesce((SELECT max(id) FROM drawer), 0) AS drawer`,
  )
  // Every act on an order has a row in the activity, so these are all the days about which anything is new.
  const selectTouched = db
    .prepare<Seen & { locationId: LocationId }, string>(
      `WITH touched AS (
         SELECT orders.id, business_date FROM (SELECT DISTINCT order_id FROM activity WHERE id > @activity) AS acted
           CROSS JOIN orders ON orders.id = acted.order_id WHERE location_id = @locationId)
       SELECT DISTINCT business_date FROM (
         SELECT business_date FROM orders WHERE id > @orders AND location_id = @locationId
         UNION ALL SELECT business_date FROM touched
         UNION ALL SELECT ledger.business_date FROM touched CROSS JOIN ledger ON order_id = touched.id AND entry > 1
         UNION ALL SELECT business_date FROM drawer WHERE id > @drawer AND location_id = @locationId)
        WHERE business_date IN (SELECT business_date FROM day_close WHERE location_id = @locationId) ORDER BY 1`,
    )
    .pluck()

  return {
    /** The last closes of a location, newest first. */
    newest: (locationId: LocationId, most: number): Close[] => selectNewest.all(locationId, most).map(closeOf),

    byNumber(locationId: LocationId, number: number): Close | undefined {
      const row = selectByNumber.get(locationId, number)
      return row && closeOf(row)
    },

    /** The close of a day: its number, and the reference with which it was made. */
    ofDate: (locationId: LocationId, date: string) => selectNumber.get(locationId, date),

    /** The latest date that is closed. */
    lastDate: (locationId: LocationId): string | null => selectLastDate.get(locationId) ?? null,

    /** What the close of that day, or the last one before it, left in the drawer; 0 if that was in another currency. */
    leftBy(locationId: LocationId, date: string, currency: string): number {
      const last = selectLeft.get(locationId, date)
      return last?.currency === currency ? last.left : 0
    },

    /** What the closes have counted of a day. */
    counted: (locationId: LocationId, date: string): DayFigures =>
      sumOf(selectCounted.all(locationId, date).map(text => JSON.parse(text))),

    /** The closed days about which something was recorded after the last close of the location. */
    touched(locationId: LocationId): string[] {
      const seen = selectSeen.get(locationId)
      return seen ? selectTouched.all({ ...seen, locationId }) : []
    },

    /** Adds a close and returns its number. */
    append({ actor, ...close }: Omit<Close, 'number'>, clientRef: string | null): number {
      const number = (selectNewest.get(close.locationId, 1)?.number ?? 0) + 1
      const seen = selectSeenNow.get() ?? { orders: 0, activity: 0, drawer: 0 }
      insert.run({
        ...seen,
        ...close,
        number,
        place: JSON.stringify(close.place),
        parts: JSON.stringify(close.parts),
        cash: JSON.stringify({ ...close.cash, unpaid: close.unpaid }),
        currency: close.cash.currency,
        left: close.cash.left,
        clientRef,
        actorKind: actor.kind,
        actorId: actor.id,
        actorName: actor.name,
      })
      return number
    },
  }
}

function closeOf({ place, parts, cash: text, actorKind, actorId, actorName, ...row }: CloseRow): Close {
  const { unpaid, ...cash } = JSON.parse(text)
  return {
    ...row,
    place: JSON.parse(place),
    parts: JSON.parse(parts),
    cash,
    unpaid,
    actor: { kind: actorKind, id: actorId, name: actorName },
  }
}
