import type { Db } from '../file/open.ts'
import type { GuestKind } from '../terms/channels.ts'
import type { DeviceId, OrderId, TableId } from '../terms/ids.ts'

/** What is kept of how a guest ordered (decision 060). */
export interface GuestOrigin {
  kind: GuestKind
  /** In the address of the order's status page; nobody can guess it. */
  token: string
  /** The SHA-256 of the secret that the guest's browser keeps in a cookie; null on a kiosk, which many use. */
  browser: Buffer | null
  tableCode?: string | undefined
  deviceId?: DeviceId | undefined
}

/** The restaurant's settings for orders of guests. */
export interface GuestRules {
  /** Staff confirm the first order of a table. */
  confirmFirst: boolean
  /** How long guests may cancel their order themselves; 0: not at all. */
  cancelMinutes: number
}

/** An order of a guest, as its status page finds it. */
export interface GuestOrder extends Pick<GuestOrigin, 'kind' | 'token' | 'browser'> {
  orderId: OrderId
  tableCode: string | null
  placedAt: number
  /** Staff have not confirmed it yet, and it is not prepared before. */
  isWaiting: boolean
}

type Row = Omit<GuestOrder, 'isWaiting'> & { isWaiting: number }

// An order waits for its confirmation while it is as it was placed: whoever confirms, fires or completes it has accepted it.
const isWaiting = `to_confirm = 1 AND status = 'placed' AND coalesce(fulfillment_status, 'pending') = 'pending'`

/** Whose orders came from the guests' own pages. The functions that write are called inside the transaction of the order. */
export function guestOrders(db: Db) {
  const insert = db.prepare<[OrderId, GuestKind, string, Buffer | null, string | null, DeviceId | null, number]>(
    `INSERT INTO guest_order (order_id, kind, status_token, browser_sha256, table_code, device_id, to_confirm)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const select = `SELECT order_id AS orderId, kind, status_token AS token, browser_sha256 AS browser, table_code AS tableCode, placed_at AS placedAt,
           ${isWaiting} AS isWaiting FROM guest_order JOIN orders ON orders.id = order_id`
  const selectByToken = db.prepare<[string], Row>(`${select} WHERE status_token = ?`)
  const selectByOrder = db.prepare<[OrderId], Row>(`${select} WHERE order_id = ? AND status_token IS NOT NULL`)
  const countByBrowser = db
    .prepare<[Buffer], number>('SELECT count(*) FROM guest_order WHERE browser_sha256 = ?')
    .pluck()
  // Few orders are open, and an unpaid one of yesterday says nothing about who sits there today.
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
    add(orderId: OrderId, { kind, token, browser, tableCode, deviceId }: GuestOrigin, isToConfirm: boolean): void {
      insert.run(orderId, kind, token, browser, tableCode ?? null, deviceId ?? null, Number(isToConfirm))
    },

    /** Whether staff have accepted another order of this table that is still unpaid on this business date. */
    isTableOpen: (tableId: TableId, businessDate: string): boolean =>
      selectAccepted.get(tableId, businessDate) !== undefined,

    byToken: (token: string): GuestOrder | undefined => found(selectByToken.get(token)),

    byOrder: (orderId: OrderId): GuestOrder | undefined => found(selectByOrder.get(orderId)),

    /** How many orders a browser has placed. */
    countOf: (browser: Buffer): number => countByBrowser.get(browser) ?? 0,

    /** The orders that staff have to confirm or refuse, the oldest first. */
    waiting: (): OrderId[] => selectWaiting.all(),
  }
}

export type GuestOrders = ReturnType<typeof guestOrders>

function found(row: Row | undefined): GuestOrder | undefined {
  return row && { ...row, isWaiting: row.isWaiting === 1 }
}
