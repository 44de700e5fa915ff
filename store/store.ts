import { audit } from './audit.ts'
import { availability } from './catalogue/availability.ts'
import { catalogue } from './catalogue/catalogue.ts'
import { catalogueExport } from './catalogue/export.ts'
import { catalogueImport } from './catalogue/import.ts'
import { backup } from './file/backup.ts'
import { stillThere } from './file/claim.ts'
import { health } from './file/health.ts'
import { openDatabase } from './file/open.ts'
import { tickets } from './kitchen/tickets.ts'
import { ledger } from './ledger/ledger.ts'
import { acts } from './ordering/act.ts'
import { kitchen } from './ordering/bump.ts'
import { orderEdit } from './ordering/edit.ts'
import { orderMoves } from './ordering/move.ts'
import { orderBook } from './ordering/order-book.ts'
import { orders } from './ordering/orders.ts'
import { payments } from './ordering/pay.ts'
import { rehearse } from './ordering/rehearsal.ts'
import { webhooks } from './outbox/notifications.ts'
import { reports } from './reports/reports.ts'
import { settings } from './settings.ts'
import { orderStock } from './stock/depletion.ts'
import { shelf } from './stock/inventory.ts'
import type { Clock } from './terms/clock.ts'
import { token } from './token.ts'

export interface StoreOptions {
  clock: Clock
  /** Whether to make the file when there is none. */
  create: boolean
  /** How long a statement waits for another process's write. A server must not stand still, and sets it low. */
  busyMs: number
  /** How many orders share one commit at most; 1 switches sharing off. */
  ordersPerCommit?: number
  /** Called after a commit that has written events for endpoints. */
  onEvents?: () => void
}

// Enough for every connection of a busy evening, and bounded so that one commit never holds the others up for long.
const ORDERS_PER_COMMIT = 100

export type Store = ReturnType<typeof openStore>

/**
 * Opens the restaurant's file with all that is kept in it. What is read often is held in memory, and read again once
 * `refresh` sees that another process has changed the file. Throws UnusableFile.
 */
export function openStore(file: string, options: StoreOptions) {
  const { clock, create, busyMs, ordersPerCommit = ORDERS_PER_COMMIT, onEvents = () => {} } = options
  const db = openDatabase(file, { create, busyMs })
  const dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck()
  const expectFile = stillThere(file)
  const countSettings = db.prepare<[], number>('SELECT count(*) FROM setting').pluck()
  let seen = dataVersion.get()
  let hasLooked = false

  const inMemory = {
    settings: settings(db),
    token: token(db, clock),
    catalogue: catalogue(db, clock),
    webhooks: webhooks(db, clock),
  }

  function refresh(): void {
    const version = dataVersion.get()
    if (version === seen) return
    inMemory.settings.reload()
    inMemory.token.reload()
    inMemory.catalogue.reload()
    inMemory.webhooks.reload()
    // Last, so that a change which can not be read now is read with the next request.
    seen = version
  }

  function forgetLook(): void {
    hasLooked = false
  }

  const shared = {
    clock,
    refresh,
    catalogue: inMemory.catalogue.current,
    markMenuChanged: inMemory.catalogue.markChanged,
    depleteAt: () => inMemory.settings.current().depleteAt,
    tickets: tickets(db),
    ledger: ledger(db),
    stock: orderStock(db),
    outbox: inMemory.webhooks.outbox,
    onEvents,
  }
  const acting = { ...shared, acts: acts(db, shared) }
  const moves = orderMoves(db, acting)
  const book = orderBook(db)

  return {
    ...inMemory,
    availability: availability(db, clock, inMemory.catalogue.markChanged),
    importCatalogue: catalogueImport(db, clock, inMemory.catalogue.markChanged),
    exportCatalogue: catalogueExport(db),
    orders: orders(db, { ...shared, perCommit: ordersPerCommit }),
    move: moves.move,
    edit: orderEdit(db, { ...acting, book, completeWhenDone: moves.completeWhenDone }).edit,
    payments: payments({ ...acting, completeWhenDone: moves.completeWhenDone }),
    kitchen: kitchen(db, { ...acting, now: clock.now }),
    shelf: shelf(db, { now: clock.now, markMenuChanged: shared.markMenuChanged }),
    orderBook: book,
    reports: reports(db, clock.now),

    /** Runs `work` with made-up orders at instants of its choosing, in a file without orders. No event is written. */
    rehearse: (work: Parameters<typeof rehearse>[2]) => rehearse(db, { ...shared, perCommit: 1 }, work),

    backup: backup(db),
    health: health(db, file, clock),
    audit: audit(db),

    /**
     * Sees what other processes have changed. One look serves all requests that one turn of the event loop brings in,
     * because they were all sent before it.
     */
    refresh(): void {
      if (hasLooked) return
      hasLooked = true
      setImmediate(forgetLook)
      refresh()
    },

    /** Throws when the file does not answer, or is no longer where it was opened. */
    ping(): void {
      expectFile()
      countSettings.get()
    },

    close: (): void => void db.close(),
  }
}
