import { printerStateText } from '../../../display/printer.ts'
import type { Printer } from '../../../store/printing/printers.ts'
import { type Html, html } from '../../html/html.ts'
import type { App } from '../../http/handler.ts'
import type { View } from '../../page/view.ts'
import { alarmsOf, type PrinterAlarm } from '../../printers/printer-alarms.ts'
import { words } from '../words/printers.ts'

/** The state of a printer in a few words. */
export function stateOf(app: App, view: View, printer: Printer): Html {
  const w = words[view.language]
  const heard = app.printersHeard.of(printer.id)
  const [alarm] = alarmsOf(app, printer)
  const last = heard && html` <span class="small quiet">${w.heardAt(view.formats.time(heard.at))}</span>`
  if (alarm) {
    const text = printerStateText[alarm.what][view.language]
    return html`<span><span class="state ${isMild(alarm) ? 'wait' : 'bad'}">${text}</span>${last}</span>`
  }
  if (!heard) return html`<span class="state off">${w.notHeard}</span>`
  return html`<span><span class="state done">${w.ready}</span>${last}</span>`
}

function isMild({ what }: PrinterAlarm): boolean {
  return what === 'paper low' || what === 'question'
}
