import { availability } from './catalogue/availability.ts'
import { catalogue } from './catalogue/catalogue.ts'
import { catalogueExport } from './catalogue/export.ts'
import { catalogueImport } from './catalogue/import.ts'
import type { Clock } from './clock.ts'
import { maintenance } from './maintenance.ts'
import { openDatabase } from './open.ts'
import { orderBook } from './ordering/order-book.ts'
import { orders } from './ordering/orders.ts'
import { settings } from './settings.ts'
import { token } from './token.ts'
import { webhooks } from './webhooks/webhooks.ts'

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
    seen = version
    inMemory.settings.reload()
    inMemory.token.reload()
    inMemory.catalogue.reload()
    inMemory.webhooks.reload()
  }

  function forgetLook(): void {
    hasLooked = false
  }

  return {
    ...inMemory,
    availability: availability(db, clock, inMemory.catalogue.markChanged),
    importCatalogue: catalogueImport(db, clock, inMemory.catalogue.markChanged),
    exportCatalogue: catalogueExport(db),
    orders: orders(db, {
      clock,
      catalogue: inMemory.catalogue.current,
      refresh,
      perCommit: ordersPerCommit,
      outbox: inMemory.webhooks.outbox,
      onEvents,
    }),
    orderBook: orderBook(db),
    maintenance: maintenance(db, file, clock),

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

    /** Throws when the file does not answer. */
    ping: (): void => void countSettings.get(),

    close: (): void => void db.close(),
  }
}
