import type { Db } from '../file/open.ts'
import type { Clock } from '../terms/clock.ts'
import type { OrderId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'
import type { Noting } from './activity.ts'

/** The data to find: of a guest by phone number or email, or of all orders placed before an instant (UTC milliseconds). */
export type Whose = { phone: string } | { email: string } | { placedBefore: number }

/** An order that contains data of a guest. */
export interface GuestOrder {
  id: OrderId
  number: number
  placedAt: number
}

export interface GuestData {
  orders: GuestOrder[]
  /** Orders in progress, which keep their data until they are done. */
  open: GuestOrder[]
  /** How many of `orders` have a reason or a note that staff wrote, which stays. */
  withRemarks: number
}

interface Row extends GuestOrder {
  phone: string | null
  email: string | null
  isOpen: number
}

// Fewer digits match the end of too many numbers.
const LEAST_DIGITS = 6

// For restaurants that never complete their orders: an open order older than this is no longer in progress.
const IN_WORK_MS = 86_400_000

// The server's orders wait while a transaction writes.
const MOST_AT_ONCE = 1000

/** Finds and deletes everything that guests wrote. Money, dishes and times stay (docs/privacy.md). */
export function guestData(db: Db, clock: Clock, { note }: Noting) {
  // The service mode is stored as the guest sent it only if it is not one of the known modes.
  const strangeMode = `lower(replace(replace(trim(service_mode), ' ', '_'), '-', '_'))
    NOT IN ('dine_in', 'takeaway', 'delivery', 'qr')`
  const selectHeld = db.prepare<{ before: number; inWorkSince: number }, Row>(
    `SELECT id, number, placed_at AS placedAt, customer_phone AS phone, customer_email AS email,
            status IN ('placed', 'confirmed') AND max(placed_at, coalesce(wanted_at, 0)) > @inWorkSince AS isOpen
       FROM orders
      WHERE placed_at < @before
        AND (coalesce(notes, customer_name, customer_phone, customer_email, delivery_address, delivery_postcode) IS NOT NULL
             OR ${strangeMode}
             OR EXISTS (SELECT 1 FROM order_line WHERE order_id = orders.id AND notes IS NOT NULL)
             OR EXISTS (SELECT 1 FROM guest_order WHERE order_id = orders.id AND status_token IS NOT NULL))
      ORDER BY id`,
  )
  const countRemarks = db
    .prepare<[string], number>(
      `SELECT count(*) FROM orders
        WHERE id IN (SELECT value FROM json_each(?))
          AND (cancel_reason IS NOT NULL OR manual_discount IS NOT NULL
               OR EXISTS (SELECT 1 FROM ledger WHERE order_id = orders.id AND note IS NOT NULL))`,
    )
    .pluck()
  const blankOrders = db.prepare<[string]>(
    `UPDATE orders SET notes = NULL, customer_name = NULL, customer_phone = NULL, customer_email = NULL,
            delivery_address = NULL, delivery_postcode = NULL, attempt_sha256 = NULL,
            service_mode = CASE WHEN ${strangeMode} THEN NULL ELSE service_mode END
      WHERE id IN (SELECT value FROM json_each(?))`,
  )
  const blankLines = db.prepare<[string]>(
    'UPDATE order_line SET notes = NULL WHERE notes IS NOT NULL AND order_id IN (SELECT value FROM json_each(?))',
  )
  const blankPages = db.prepare<[string]>(
    'UPDATE guest_order SET status_token = NULL, browser_sha256 = NULL WHERE order_id IN (SELECT value FROM json_each(?))',
  )
  // A slip that waits for its printer contains notes, names and addresses.
  const blankSlips = db.prepare<[number, string]>(
    `UPDATE print_job SET content = NULL, state = 'discarded', ended_at = ?
      WHERE content IS NOT NULL AND order_id IN (SELECT value FROM json_each(?))`,
  )
  // A receiver of an event can look up the order and name its guest in its response.
  const blankResponses = db.prepare<[string]>(
    `UPDATE webhook_attempt SET response = NULL, response_headers = NULL
      WHERE (response IS NOT NULL OR response_headers IS NOT NULL)
        AND event_id IN (SELECT id FROM webhook_event WHERE order_id IN (SELECT value FROM json_each(?)))`,
  )

  function find(whose: Whose): GuestData | Refusal<'too few digits' | 'invalid email'> {
    if ('phone' in whose && digitsOf(whose.phone).length < LEAST_DIGITS) {
      return { refused: 'too few digits', phone: whose.phone, least: LEAST_DIGITS }
    }
    if ('email' in whose && !whose.email.includes('@')) return { refused: 'invalid email', email: whose.email }
    const now = clock.now()
    const before = 'placedBefore' in whose ? whose.placedBefore : Number.MAX_SAFE_INTEGER
    const rows = selectHeld.all({ before, inWorkSince: now - IN_WORK_MS }).filter(row => isOf(row, whose))
    const done = rows.filter(({ isOpen }) => isOpen === 0)
    return {
      orders: done.map(guestOrder),
      open: rows.filter(({ isOpen }) => isOpen === 1).map(guestOrder),
      withRemarks: countRemarks.get(JSON.stringify(done.map(({ id }) => id))) ?? 0,
    }
  }

  const blank = db.transaction((ids: OrderId[]): void => {
    const list = JSON.stringify(ids)
    blankOrders.run(list)
    blankLines.run(list)
    blankPages.run(list)
    blankResponses.run(list)
    blankSlips.run(clock.now(), list)
    note({ what: 'guest data deleted', became: ids.length === 1 ? '1 order' : `${ids.length} orders` })
  })

  return {
    /**
     * Finds the orders that contain data of a guest, oldest first. Phone numbers match if one ends with the other, digits only and
     * without leading zeros, so that a country code does not matter. Refuses fewer than 6 such digits, and an email without "@".
     */
    find,

    /**
     * Deletes names, phone numbers, emails, notes, delivery addresses, status pages and responses of receivers from orders that `find`
     * returned, at most 1,000 of them in one transaction; the caller deletes the rest with further calls. Returns how many.
     */
    delete(orders: GuestOrder[]): number {
      db.pragma('secure_delete = ON')
      const ids = orders.slice(0, MOST_AT_ONCE).map(({ id }) => id)
      if (ids.length > 0) blank.immediate(ids)
      return ids.length
    },
  }
}

function isOf({ phone, email }: Row, whose: Whose): boolean {
  if ('phone' in whose) return phone !== null && isSameNumber(digitsOf(phone), digitsOf(whose.phone))
  if ('email' in whose) return email?.toLowerCase() === whose.email.trim().toLowerCase()
  return true
}

function isSameNumber(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= LEAST_DIGITS && (a.endsWith(b) || b.endsWith(a))
}

/** Digits without the leading zeros: "0170 5551234" is the end of "+49 170 5551234" and of "+49 (0)170 5551234". */
function digitsOf(phone: string): string {
  return phone.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '')
}

function guestOrder({ id, number, placedAt }: Row): GuestOrder {
  return { id, number, placedAt }
}
