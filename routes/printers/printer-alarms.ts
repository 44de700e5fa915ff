import type { Alarm } from '../../display/alarm.ts'
import { UNCONFIRMED_MS } from '../../store/printing/jobs.ts'
import { type Printer, printsByItself } from '../../store/printing/printers.ts'
import { isKnownOpen } from '../../store/terms/opening.ts'
import type { App } from '../http/handler.ts'

type Watched = Pick<App, 'store' | 'printersHeard' | 'clock'>

/** An alarm of a printer. */
export type PrinterAlarm = Extract<Alarm, { kind: 'printer' }>

// A printer asks every few seconds.
const SILENT_MS = 20_000

/** The alarms of all printers in use (decision 058). */
export function printerAlarms(app: Watched): PrinterAlarm[] {
  return app.store.printing.printers.list().flatMap(printer => alarmsOf(app, printer))
}

/** What is wrong with a printer, and what waits there for a person. */
export function alarmsOf(app: Watched, printer: Printer): PrinterAlarm[] {
  const { store, printersHeard } = app
  const now = app.clock.now()
  const { id, title, locationId, createdAt } = printer
  const jobs = store.printing.unfinished(id)
  const waiting = jobs.filter(({ needsPerson }) => !needsPerson)
  const about = { kind: 'printer', printer: id, title, locationId } as const
  const alarms: PrinterAlarm[] = []

  const heard = printersHeard.of(id)
  const silentMs = heard?.agoMs ?? Math.min(printersHeard.listeningMs(), now - createdAt)
  const isNeeded = waiting.length > 0 || (printsByItself(printer) && isOpen(app, printer))
  if (silentMs >= SILENT_MS && isNeeded) {
    alarms.push({ ...about, what: 'silent', since: heard?.at ?? null, waiting: waiting.length })
  } else if (heard && heard.condition !== 'ready' && silentMs < SILENT_MS) {
    alarms.push({ ...about, what: heard.condition, words: heard.words })
  }
  const [late] = waiting.filter(({ offeredAt }) => offeredAt !== null && now - offeredAt >= UNCONFIRMED_MS)
  if (late?.offeredAt != null) {
    alarms.push({ ...about, what: 'unconfirmed', since: late.offeredAt, orderId: late.orderId, words: late.problem })
  }
  const asked = jobs.length - waiting.length
  if (asked > 0) alarms.push({ ...about, what: 'question', jobs: asked })
  return alarms
}

function isOpen({ store, clock }: Watched, { locationId }: Printer): boolean {
  const location = store.catalogue.current().locations.find(({ id }) => id === locationId)
  return location !== undefined && isKnownOpen(clock.now(), location)
}
