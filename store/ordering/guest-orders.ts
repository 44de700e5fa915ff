import type { Db } from '../file/open.ts'
import type { GuestKind } from '../terms/channels.ts'
import type { DeviceId, OrderId, TableId } from '../terms/ids.ts'

/** Where an order of a guest comes from (decision 060). */
export interface GuestOrigin {
  kind: GuestKind
  /** The unguessable part of the address of the order's status page: 32 random bytes in base64url. */
  token: string
  /** The SHA-256 of the secret that the guest's browser keeps in a cookie; null at a kiosk, whose browser many guests use. */
  browser: Buffer | null
  /** The code of the table as the guest opened it; undefined unless `kind` is 'qr'. */
  tableCode?: string | undefined
  /** The kiosk; undefined unless `kind` is 'kiosk'. */
  deviceId?: DeviceId | undefined
}

/** The settings for orders of guests. */
export interface GuestRules {
  /** Whether staff confirm the first order of a table. */
  confirmFirst: boolean
  /** For how many minutes guests may cancel their own order; 0: not at all. */
  cancelMinutes: number
}

/** An order of a guest with what its status page needs. */
export interface GuestOrder extends Pick<GuestOrigin, 'kind' | 'token' | 'browser'> {
  orderId: OrderId
  tableCode: string | null
  /** UTC milliseconds. */
  placedAt: number
  /** Whether staff still have to confirm it. It is not prepared before. */
  isWaiting: boolean
}

type Row = Omit<GuestOrder, 'isWaiting'> & { isWaiting: number }

// An order waits to be confirmed until somebody changes its status: to confirm, fire or complete it also means to accept it.
const isWaiting = `to_confirm = 1 AND status = 'placed' AND coalesce(fulfillment_status, 'pending') = 'pending'`

/** The orders that came from the guests' own pages (decision 060). */
export function guestOrders(db: Db) {
  const insert = db.prepare<[OrderId, GuestKind, string, Buffer | null, string | null, DeviceId | null, number]>(
    `INSERT INTO guest_order (order_id, kind, status_token, browser_sha256, table_code, device_id, to_confirm)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const select = `SELECT order_id AS orderId, kind, status_token AS token, browser_sha256 AS browser, table_code AS tableCode, placed_at AS placedAt,
           ${isWaiting} AS isWaiting FROM guest_order JOIN orders ON orders.id = order_id`
  const selectByToken = db.prepare<[string], Row>(`${select} WHERE status_token = ?`)
  const selectByOrder = db.prepare<[OrderId], Row>(`${select} WHERE order_id = ? AND status_token IS NOT NULL`)
  const selectByBrowser = db.prepare<[Buffer], Row>(`${select} WHERE browser_sha256 = ? ORDER BY order_id`)
  // The index keeps this fast: few orders are open. An unpaid order of yesterday says nothing about who sits at the table today.
  const selectAccepted = db
    .prepare<[TableId, string], number>(
      `SELECT 1 FROM orders INDEXED BY orders_open LEFT JOIN guest_order ON order_id = orders.id
        WHERE status IN ('placed', 'confirmed') AND table_id = ? AND business_date = ?
          AND NOT (order_id IS NOT NULL AND ${isWaiting})
          AND (SELECT sum(amount_minor) FROM ledger WHERE order_id = orders.id) > 0 LIMIT 1`,
    )
    .pluck()
  const selectWaiting = db
    .prepare<[], OrderId>(
      `SELECT order_id FROM orders INDEXED BY orders_open JOIN guest_order ON order_id = orders.id
        WHERE status IN ('placed', 'confirmed') AND ${isWaiting} ORDER BY order_id`,
    )
    .pluck()

  return {
    /** Records where an order comes from. It is called inside the transaction that places the order. */
    add(orderId: OrderId, { kind, token, browser, tableCode, deviceId }: GuestOrigin, isToConfirm: boolean): void {
      insert.run(orderId, kind, token, browser, tableCode ?? null, deviceId ?? null, Number(isToConfirm))
    },

    /** Whether staff have accepted another order of this table that is still unpaid on this business date. */
    isTableOpen: (tableId: TableId, businessDate: string): boolean =>
      selectAccepted.get(tableId, businessDate) !== undefined,

    /** The order with this token in the address of its status page; undefined if there is none or its guest's data was deleted. */
    byToken(token: string): GuestOrder | undefined {
      const row = selectByToken.get(token)
      return row && orderOf(row)
    },

    /** Undefined if the order came another way or its guest's data was deleted. */
    byOrder(orderId: OrderId): GuestOrder | undefined {
      const row = selectByOrder.get(orderId)
      return row && orderOf(row)
    },

    /** The orders of the browser with this hash of its secret, the oldest first. */
    ofBrowser: (browser: Buffer): GuestOrder[] => selectByBrowser.all(browser).map(orderOf),

    /** The orders that staff have to confirm or cancel, the oldest first. */
    waiting: (): OrderId[] => selectWaiting.all(),
  }
}

export type GuestOrders = ReturnType<typeof guestOrders>

function orderOf(row: Row): GuestOrder {
  return { ...row, isWaiting: row.isWaiting === 1 }
}
