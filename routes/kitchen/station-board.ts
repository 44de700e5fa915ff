import { randomBytes } from 'node:crypto'
import { refusalText } from '../../display/refusal.ts'
import { screenActs } from '../../store/ordering/station-screen.ts'
import type { OrderLineId, TicketId } from '../../store/terms/ids.ts'
import { isRefused } from '../../store/terms/refusal.ts'
import type { DeviceCaller, Handler } from '../http/handler.ts'
import { queryOf } from '../http/head.ts'
import { refuse } from '../http/reply.ts'
import { readForm } from '../page/form.ts'
import { languageOf } from '../page/view.ts'
import { isFromScript, unreadable } from './screen-request.ts'
import { askOf, stationPage, stationScreenOf } from './station.ts'

/**
 * GET {basePath}/kitchen/board: the board of a screen, by long polling. The reply comes at once if the board is not the version in
 * `drawn`, otherwise when it changes, or after 10 seconds (decision 055).
 */
export const readBoard: Handler<DeviceCaller> = (app, call) =>
  app.screens.ask(call.exchange, askOf(app, call, stationScreenOf(app, call)))

/**
 * POST {basePath}/kitchen/act: an act of a cook at a screen. The script gets JSON: `{"done":true,"shown":"…"}`, or 409
 * `{"refused":"…"}`. Without script, the reply is the screen again.
 */
export const actOnScreen: Handler<DeviceCaller> = async (app, call) => {
  const { exchange, caller } = call
  const read = await readForm(call, { once: ['act', 'ticket', 'line', 'ref', 'notice', 'shown'] })
  if (!read.ok) return read.reply && unreadable(call, read.reply)
  const { form } = read
  // A button names the line as well (./ticket.ts), the script apart.
  const [, name, ofLine = form.text('line')] = /^([a-z]+)(?: (\d+))?$/.exec(form.text('act')) ?? []
  const act = screenActs.find(each => each === name)
  const [ticket, line, notice] = [form.text('ticket'), ofLine, form.text('notice')].map(wholeNumber)
  const ref = form.text('ref')
  const takesLine = act === 'done' || act === 'recall'
  const isReadable = typeof ticket === 'number' && line !== undefined && notice !== undefined
  if (act === undefined || !isReadable || (line !== null && !takesLine) || !/^([\w-]{16,100})?$/.test(ref)) {
    return unreadable(call, refuse('BAD_REQUEST'))
  }
  const wanted = {
    act,
    ticket: ticket as TicketId,
    line: line as OrderLineId | null,
    // Without script there is none.
    ref: ref === '' ? randomBytes(16).toString('base64url') : ref,
    notice,
    shown: form.text('shown'),
  }
  const outcome = await app.writer.act(caller.actor, 'actAtStation', wanted, caller.device.locationId)
  const isScript = isFromScript(call)
  if (isRefused(outcome)) {
    const refused = refusalText(outcome, languageOf(exchange))
    return isScript ? { kind: 'json', status: 409, body: { refused } } : stationPage(app, call, refused)
  }
  if (isScript) return { kind: 'json', status: 200, body: { done: true, shown: outcome.shown } }
  return { kind: 'redirect', to: app.link('/kitchen', { stations: queryOf(exchange.request).getAll('stations') }) }
}

/** Null: the field is empty; undefined: it is not a whole number, or it has leading zeros. */
function wholeNumber(text: string): number | null | undefined {
  if (text === '') return null
  return /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined
}
