import { audit } from './audit.ts'
import { backupLog } from './backup-log.ts'
import { availability } from './catalogue/availability.ts'
import { catalogue } from './catalogue/catalogue.ts'
import { imports } from './catalogue/imports.ts'
import { pauses } from './catalogue/pauses.ts'
import { backup, copiesBeside } from './file/backup.ts'
import { stillThere } from './file/claim.ts'
import { buryFailedCommit } from './file/commits.ts'
import { health } from './file/health.ts'
import { openDatabase } from './file/open.ts'
import { clearRemnants } from './file/remnants.ts'
import { quoting } from './guests/quote.ts'
import { guestSwitches } from './guests/switches.ts'
import { tableCodes } from './guests/table-codes.ts'
import { busyLocations } from './kitchen/busy.ts'
import { closedStations } from './kitchen/closed-stations.ts'
import { stationCovers } from './kitchen/covers.ts'
import { openTickets } from './kitchen/open-tickets.ts'
import { stationBackups } from './kitchen/station-backups.ts'
import { tickets } from './kitchen/tickets.ts'
import { waits } from './kitchen/waits.ts'
import { ledger } from './ledger/ledger.ts'
import { acts } from './ordering/act.ts'
import { kitchen } from './ordering/bump.ts'
import { orderEdit } from './ordering/edit.ts'
import { guestOrders } from './ordering/guest-orders.ts'
import { orderMoves } from './ordering/move.ts'
import { orderBook } from './ordering/order-book.ts'
import { orderList } from './ordering/order-list.ts'
import { pass } from './ordering/pass.ts'
import { passActs } from './ordering/pass-acts.ts'
import { payments } from './ordering/pay.ts'
import { placing } from './ordering/place.ts'
import { rehearse } from './ordering/rehearsal.ts'
import { stationScreens } from './ordering/station-screen.ts'
import { ticketWork } from './ordering/ticket-work.ts'
import { fireWhenPaid } from './ordering/when-paid.ts'
import { webhooks } from './outbox/notifications.ts'
import { activity, type Noting } from './people/activity.ts'
import { type Actor, systemUser } from './people/actor.ts'
import { devices } from './people/devices.ts'
import { guestData } from './people/guest-data.ts'
import { sessions } from './people/sessions.ts'
import { staff } from './people/staff.ts'
import { printing } from './printing/printing.ts'
import { reports } from './reports/reports.ts'
import type { WayToImport } from './restaurant-file/merge.ts'
import type { RestaurantFile } from './restaurant-file/restaurant-file.ts'
import { settings } from './settings.ts'
import { orderStock } from './stock/depletion.ts'
import { shelf } from './stock/inventory.ts'
import type { GuestKind } from './terms/channels.ts'
import type { Clock } from './terms/clock.ts'
import type { LocationId } from './terms/ids.ts'
import { till } from './till/till.ts'
import { token } from './token.ts'

export interface StoreOptions {
  clock: Clock
  /** Whether to create the file if there is none. */
  create: boolean
  /** How long a statement waits for another process's write (milliseconds). */
  busyMs: number
  /** Whether to refuse all writes. */
  readOnly?: boolean
  /** Whether this process already serves the file. */
  isServed?: boolean
  /** The current actor; by default the system user that runs the process. Throws if there is none. */
  actor?: () => Actor
  /** Called after a commit that has written events for endpoints. */
  onEvents?: () => void
}

export type Store = ReturnType<typeof openStore>

/**
 * Opens the restaurant's file. What is read often is kept in memory, and read again when `refresh` finds that another process
 * has changed the file. Throws UnusableFile.
 */
export function openStore(file: string, options: StoreOptions) {
  const { clock, create, busyMs, readOnly = false, isServed = false, actor = systemUser, onEvents = () => {} } = options
  const db = openDatabase(file, { create, busyMs, isServed })
  const dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck()
  const settingsRevision = db.prepare<[], number>('SELECT settings FROM revision').pluck()
  const countSettings = db.prepare<[], number>('SELECT count(*) FROM setting').pluck()
  let seen = dataVersion.get()
  let settingsSeen = settingsRevision.get()
  let hasLooked = false

  const log = activity(db, clock)
  const noting: Noting = {
    actor,
    note: (note, { at, actor: by = actor() } = {}) => log.note(by, note, at),
  }
  const siteSettings = settings(db, noting)
  const inMemory = {
    settings: siteSettings,
    token: token(db, clock, noting),
    catalogue: catalogue(db, clock, () => siteSettings.current().onlyWhenOpen),
    webhooks: webhooks(db, clock, noting),
  }

  // The write-ahead log exists once something was read.
  const expectFile = stillThere(file)
  if (readOnly) db.pragma('query_only = ON')

  function refresh(): void {
    const version = dataVersion.get()
    if (version === seen) return
    const settingsNow = settingsRevision.get()
    if (settingsNow !== settingsSeen) {
      inMemory.settings.reload()
      inMemory.token.reload()
      settingsSeen = settingsNow
    }
    inMemory.catalogue.reload()
    inMemory.webhooks.reload()
    // Last, so that a change that cannot be read now is read with the next request.
    seen = version
  }

  function forgetLook(): void {
    hasLooked = false
  }

  const switches = guestSwitches(db, noting)
  const shared = {
    ...noting,
    clock,
    refresh,
    expectFile,
    catalogue: inMemory.catalogue.current,
    markMenuChanged: inMemory.catalogue.markChanged,
    whenPaid: () => inMemory.settings.current().whenPaid,
    depleteAt: () => inMemory.settings.current().depleteAt,
    siteZone: () => inMemory.settings.current().timezone,
    tickets: tickets(db, actor),
    ledger: ledger(db),
    stock: orderStock(db),
    guestOrders: guestOrders(db),
    offered: (location: LocationId, kind: GuestKind) =>
      inMemory.settings.current().guests[kind] ? switches.modesAt(location, kind) : [],
    guestRules: () => inMemory.settings.current().guestRules,
    outbox: inMemory.webhooks.outbox,
    onEvents,
  }
  const inActs = { ...shared, acts: acts(db, shared) }
  const acting = { ...inActs, fireWhenPaid: fireWhenPaid(inActs) }
  const working = { ...shared, work: ticketWork(db, acting), now: clock.now }
  const moves = orderMoves(db, acting)
  const importing = imports(db, clock, inMemory.catalogue.markChanged, noting)
  const book = orderBook(db)
  const orders = placing(db, shared)
  const reporting = reports(db, clock.now)
  const busy = busyLocations(db, clock, noting)
  const kitchenWork = kitchen(db, working)
  const paying = payments({ ...acting, completeWhenDone: moves.completeWhenDone })
  const edits = orderEdit(db, { ...acting, book, completeWhenDone: moves.completeWhenDone })

  return {
    ...inMemory,
    availability: availability(db, clock, inMemory.catalogue.markChanged, shared),
    stations: closedStations(db, clock, inMemory.catalogue.markChanged, noting),
    pauses: pauses(db, clock, inMemory.catalogue.markChanged, noting),
    busy,
    importCatalogue(file: RestaurantFile, how?: WayToImport) {
      const done = importing.importFile(file, how)
      // A restaurant file contains the site's title and time zone.
      inMemory.settings.reload()
      return done
    },
    previewImport: importing.preview,
    undoImport(expected?: number) {
      const undone = importing.undo(expected)
      inMemory.settings.reload()
      return undone
    },
    previewUndo: importing.previewUndo,
    lastMenuChange: importing.lastChange,
    exportCatalogue: importing.exportCatalogue,
    restaurant: importing.restaurant,
    editMenu: importing.edit,
    previewMenuEdit: importing.previewEdit,
    orders,
    guestSwitches: switches,
    /** The price of a guest's cart. */
    quote: quoting({ ...shared, preview: orders.preview }),
    move: moves.move,
    cancelAsGuest: moves.cancelAsGuest,
    cancellableUntil: moves.cancellableUntil,
    guestOrders: shared.guestOrders,
    lastAct: acting.acts.lastAct,
    edit: edits.edit,
    previewEdit: edits.preview,
    openTickets: openTickets(db, clock),
    stationBackups: stationBackups(db, noting),
    waits: waits(db, {
      now: clock.now,
      kitchenOf: id => inMemory.catalogue.current().kitchen(id),
      dishesOf: id => [...(inMemory.catalogue.current().menu(id)?.items.values() ?? [])],
      busyMinutes: id => busy.at(id)?.minutes ?? 0,
    }),
    payments: paying,
    kitchen: kitchenWork,
    printing: printing(db, clock, {
      ...noting,
      ticket: kitchenWork.ticket,
      ticketsOf: kitchenWork.ofOrder,
      see: shared.tickets.see,
      order: book.byId,
      standing: paying.standing,
      location(id) {
        const found = inMemory.catalogue.current().locations.find(location => location.id === id)
        return found && { title: found.title, address: found.address, timezone: found.timezone }
      },
      layout() {
        const { title, kitchenLanguage } = inMemory.settings.current()
        return { siteTitle: title, language: kitchenLanguage }
      },
    }),
    pass: { ...pass(db, clock.now), ...passActs(db, { ...acting, move: moves.move }) },
    stationScreens: stationScreens(db, working),
    stationCovers: stationCovers(db),
    shelf: shelf(db, { ...shared, now: clock.now }),
    orderBook: book,
    orderList: orderList(db, clock, inMemory.catalogue.current),
    activity: log.list,
    staff: staff(db, clock, noting),
    sessions: sessions(db, clock, noting),
    devices: devices(db, clock, noting),
    tableCodes: tableCodes(db, clock, noting),
    guestData: guestData(db, clock, noting),
    reports: reporting,
    till: till(db, {
      ...noting,
      now: clock.now,
      reports: reporting,
      siteTitle: () => inMemory.settings.current().title,
    }),

    /** Runs `work` to place simulated orders at instants of its choosing, in a file without orders. No event is written. */
    rehearse: (work: Parameters<typeof rehearse>[2]) => rehearse(db, shared, work),

    backup: backup(db),
    backups: backupLog(db, clock, noting),
    copies: () => copiesBeside(file),
    clearRemnants: () => clearRemnants(db),
    health: health(db, file, clock),
    audit: audit(db),

    /**
     * Reloads what other processes have changed. One check serves all requests of one turn of the event loop, because all of them
     * were sent before it.
     */
    refresh(): void {
      if (hasLooked) return
      hasLooked = true
      setImmediate(forgetLook)
      refresh()
    },

    /** A number that changes when `refresh` has found a commit of another connection. */
    dataVersion: (): number => seen ?? 0,

    /** Throws when the file is no longer where it was opened. */
    expectFile,

    /** Throws when the file cannot be read, or is no longer where it was opened. */
    ping(): void {
      expectFile()
      countSettings.get()
    },

    /** Sets how long statements wait for another process's write (milliseconds). */
    waitForLock: (ms: number): void => void db.pragma(`busy_timeout = ${Math.ceil(ms)}`),

    /** Removes what a failed commit has left in the write-ahead log (decision 032). Never throws. */
    buryFailedCommit: (error: unknown): void => buryFailedCommit(db, error),

    close: (): void => void db.close(),
  }
}
