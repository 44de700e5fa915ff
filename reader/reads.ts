import { type ReportName, showReport } from '../display/report.ts'
import { examine } from '../store/doctor.ts'
import { type MenuUpload, readMenuUpload } from '../store/menu-upload.ts'
import type { Period } from '../store/reports/period.ts'
import type { Store } from '../store/store.ts'
import { isRefused } from '../store/terms/refusal.ts'

type Reads = Record<string, (store: Store) => (...args: never[]) => unknown>

/**
 * All reads of the server process that can take long in a large file, by name. The reading thread (reader/reader.ts) does them one
 * after the other. What they take and return is copied between threads, so it must be data.
 */
export const reads = {
  report: store => (name: ReportName, period: Period) => showReport(name, store.reports, period),
  reportCsv: store => (name: ReportName, period: Period) => showReport(name, store.reports, period).csv,
  reports: store => (wanted: [name: ReportName, period: Period][]) =>
    wanted.map(([name, period]) => showReport(name, store.reports, period)),
  tillDay: store => store.till.day,
  findOrders: store => store.orderBook.find,
  unpaidOrders: store => store.orderBook.unpaid,
  activity: store => store.activity,
  kitchenAt: store => (instant: number) => kitchenAt(store, instant),
  passAt: store => store.pass.past,
  findGuestData: store => store.guestData.find,
  previewImport: store => store.previewImport,
  previewUndo: store => store.previewUndo,
  exportCatalogue: store => store.exportCatalogue,
  readMenuUpload: store => (upload: MenuUpload) => readMenuUpload(store, upload),
  audit: store => store.audit.all,
  examine: store => (siteRoot: string, now: number) => examine(store, siteRoot, now),
  backup: store => store.backup,
} satisfies Reads

const AROUND_MS = 5 * 60_000

/** The tickets of all stations at an instant, and what happened in the five minutes before and after. */
function kitchenAt({ kitchen }: Store, instant: number) {
  const tickets = kitchen.at(null, instant)
  return isRefused(tickets) ? tickets : { tickets, events: kitchen.around(instant - AROUND_MS, instant + AROUND_MS) }
}

export type ReadName = keyof typeof reads
type Done<Name extends ReadName> = ReturnType<(typeof reads)[Name]>

/** Does a read and resolves with its function's result. Rejects with what it throws. */
export type Read = <Name extends ReadName>(
  name: Name,
  ...args: Parameters<Done<Name>>
) => Promise<Awaited<ReturnType<Done<Name>>>>
