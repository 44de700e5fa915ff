import type { Printer } from '../../store/printing/printers.ts'
import type { DeviceId } from '../../store/terms/ids.ts'
import type { App, DeviceCaller, Handler } from '../http/handler.ts'
import { refuse } from '../http/reply.ts'
import { confirmStar, fetchStar, pollStar } from './cloudprnt.ts'
import { serveEpson } from './epson.ts'

/** POST {basePath}/printers/SECRET: a printer reports its state and asks for a job; an Epson printer also reports how jobs ended (decision 058). */
export const pollPrinter: Handler<DeviceCaller> = (app, call) => {
  const printer = printerOf(app, call.caller.device.id)
  if (!printer) return refuse('NOT_FOUND')
  return printer.protocol === 'star' ? pollStar(app, call, printer) : serveEpson(app, call, printer)
}

/** GET {basePath}/printers/SECRET: a Star printer fetches its job, or confirms it if its server has no DELETE. */
export const fetchPrinterJob: Handler<DeviceCaller> = (app, call) => {
  const printer = printerOf(app, call.caller.device.id)
  return printer?.protocol === 'star' && call.exchange.request.method === 'GET'
    ? fetchStar(app, call, printer)
    : refuse('NOT_FOUND')
}

/** DELETE {basePath}/printers/SECRET: a Star printer confirms its job, or says why it did not print it. */
export const confirmPrinterJob: Handler<DeviceCaller> = (app, call) => {
  const printer = printerOf(app, call.caller.device.id)
  return printer?.protocol === 'star' ? confirmStar(app, call, printer) : refuse('NOT_FOUND')
}

function printerOf({ store, printersHeard, writer, log }: App, id: DeviceId): Printer | undefined {
  const printer = store.printing.printers.find(id)
  if (printer) printersHeard.note(id)
  if (printer && store.devices.takeTurnToNote(id)) {
    writer.chore('noteDeviceSeen', id).catch(error => log.error('a printer was not noted', error))
  }
  return printer
}
