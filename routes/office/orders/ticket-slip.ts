import { languages } from '../../../display/language.ts'
import { orderNumber } from '../../../display/order.ts'
import { type PaperLine, ticketLines } from '../../../display/paper.ts'
import type { TicketId } from '../../../store/terms/ids.ts'
import { html } from '../../html/html.ts'
import type { Handler, PersonCaller } from '../../http/handler.ts'
import { refuse } from '../../http/reply.ts'
import { documentOf } from '../../page/page.ts'
import { viewOf } from '../../page/view.ts'
import { printButtons, sentNote } from '../printers/printer.ts'
import { words } from '../words/order.ts'
import { orderOf } from './order.ts'

/** GET {basePath}/office/orders/:orderId/tickets/:ticketId: a ticket as the kitchen's printers print it, for paper of 80 mm. */
export const readTicketSlip: Handler<PersonCaller> = (app, call) => {
  const { ticketId = '' } = call.parameters
  const order = orderOf(app, call)
  const ticket = /^[1-9]\d{0,14}$/.test(ticketId) ? app.store.kitchen.ticket(Number(ticketId) as TicketId) : undefined
  if (!order || ticket?.orderId !== order.id) return refuse('NOT_FOUND')
  const view = viewOf(app, call)
  const w = words[view.language]
  const { kitchenLanguage } = app.store.settings.current()
  const language = languages.find(each => each === kitchenLanguage) ?? 'en'
  const others = app.store.kitchen.ofOrder(order.id).filter(each => each.stationId !== ticket.stationId)
  const lines = ticketLines(ticket, [...new Set(others.map(({ station }) => station))], language)
  const title = `${orderNumber(order.number)}, ${ticket.station}`
  const body = html`<body class="receipt"><main>
<h1 class="sr">${title}</h1>
<p class="actions no-print"><a class="button" href="${view.link(`/office/orders/${order.id}`)}">${orderNumber(order.number)}</a><button class="button primary" type="button" data-print="" hidden="">${w.printNow}</button></p>
<div class="actions no-print">${printButtons(app, view, order.locationId, 'ticket', ticket.id)}</div>
${sentNote(view, call)}
<div class="paper slip" lang="${language}">${lines.map(slipLine)}</div>
</main></body>`
  return { kind: 'html', status: 200, html: documentOf(view, title, body) }
}

function slipLine({ text, end, size, isRule, isBold, isReverse, isCentred, indent }: PaperLine) {
  if (isRule) return html`<hr>`
  const classes = [
    size,
    isBold && 'bold',
    isReverse && 'reverse',
    isCentred && 'centred',
    indent !== undefined && indent > 0 && 'indented',
  ]
  return html`<p class="${classes.filter(Boolean).join(' ')}"><span>${text}</span>${end !== undefined && html`<span>${end}</span>`}</p>`
}
