import { randomUUID } from 'node:crypto'
import { orderNumber } from '../../../display/order.ts'
import { printOccasionText, protocolText } from '../../../display/printer.ts'
import { refusalText } from '../../../display/refusal.ts'
import type { Job } from '../../../store/printing/jobs.ts'
import { characterSets, type Printer, printOccasions } from '../../../store/printing/printers.ts'
import type { DeviceId, OrderId, StationId, TicketId } from '../../../store/terms/ids.ts'
import { isRefused, type Refusal } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { addressesOf } from '../addresses.ts'
import { kindWords, words } from '../words/printers.ts'
import { stateOf } from './printer-state.ts'
import { charactersField, select } from './printers.ts'

const here = '/office/printers'

/** GET {basePath}/office/printers/:id: a printer, the slips that wait for it, and, after it was added, its address. */
export const readPrinter: Handler<PersonCaller> = (app, call) => printerPage(app, call)

/** POST {basePath}/office/printers/:id: changes what a printer prints. */
export const changePrinter: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['prints', 'characters'], repeated: ['station'] })
  if (!read.ok) return read.reply
  const prints = read.form.choice('prints', printOccasions)
  const characters = read.form.choice('characters', characterSets)
  if (!prints || !characters) return refuse('BAD_REQUEST')
  const stations = read.form.all('station').map(Number) as StationId[]
  if (!stations.every(Number.isSafeInteger)) return refuse('BAD_REQUEST')
  const { id } = wantedOf(call)
  const refusal = await app.writer.act(call.caller.actor, 'changePrinter', id, { prints, characters, stations })
  return refusal
    ? printerPage(app, call, refusal)
    : { kind: 'redirect', to: app.link(`${here}/${id}`, { saved: 'yes' }) }
}

/** POST {basePath}/office/printers/:id/address: makes a new address, which the next page shows once. */
export const renewAddress: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, {})
  if (!read.ok) return read.reply
  const { id } = wantedOf(call)
  const { actor, session } = call.caller
  const renewed = await app.writer.act(actor, 'renewPrinterSecret', id)
  if (isRefused(renewed)) return printerPage(app, call, renewed)
  app.shownOnce.put(session.id, 'printer', `${id} ${renewed.secret}`)
  return { kind: 'redirect', to: app.link(`${here}/${id}`) }
}

/** POST {basePath}/office/printers/:id/queue: prints or discards the slips that wait for a person. */
export const settleQueue: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['what'] })
  if (!read.ok) return read.reply
  const what = read.form.choice('what', ['print', 'discard'])
  if (!what) return refuse('BAD_REQUEST')
  const { id } = wantedOf(call)
  const settled = await app.writer.act(call.caller.actor, 'settlePrintJobs', id, what)
  return isRefused(settled) ? printerPage(app, call, settled) : { kind: 'redirect', to: app.link(`${here}/${id}`) }
}

/** POST {basePath}/office/printers/:id/end: removes a printer. */
export const endPrinter: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, {})
  if (!read.ok) return read.reply
  const { id } = wantedOf(call)
  if (!app.store.printing.printers.find(id)) return refuse('NOT_FOUND')
  const ended = await app.writer.act(call.caller.actor, 'endDevice', id)
  return isRefused(ended) ? printerPage(app, call, ended) : { kind: 'redirect', to: app.link(here) }
}

/** POST {basePath}/office/printers/:id/print: prints a test page, or a copy of a ticket, or the receipt of an order. */
export const printOnRequest: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['what', 'number', 'attempt'] })
  if (!read.ok) return read.reply
  const what = read.form.choice('what', ['test', 'ticket', 'receipt'])
  const number = Number(read.form.text('number') || 0)
  const attempt = read.form.text('attempt').slice(0, 100)
  if (!what || !Number.isSafeInteger(number) || attempt === '') return refuse('BAD_REQUEST')
  const { id } = wantedOf(call)
  const wish =
    what === 'ticket'
      ? ({ kind: what, ticket: number as TicketId } as const)
      : what === 'receipt'
        ? ({ kind: what, order: number as OrderId } as const)
        : ({ kind: what } as const)
  const refusal = await app.writer.act(call.caller.actor, 'printOnRequest', id, wish, attempt)
  if (refusal) return refusal.refused === 'unknown device' ? printerPage(app, call, refusal) : refuse('NOT_FOUND')
  const ticket = what === 'ticket' ? app.store.kitchen.ticket(number as TicketId) : undefined
  const to = ticket
    ? `/office/orders/${ticket.orderId}/tickets/${ticket.id}`
    : what === 'receipt'
      ? `/office/orders/${number}/print`
      : `${here}/${id}`
  return { kind: 'redirect', to: app.link(to, { sent: 'yes' }) }
}

/** For each printer of a location, a button that prints a ticket or a receipt on it. */
export function printButtons(app: App, view: View, location: number, what: 'ticket' | 'receipt', number: number): Html {
  const printers = app.store.printing.printers.list().filter(({ locationId }) => locationId === location)
  return html`${printers.map(({ id, title }) => printForm(view, id, what, number, words[view.language].printOn(title)))}`
}

/** Says that a slip waits for its printer, after a button of `printButtons` was pressed. */
export function sentNote(view: View, call: Call<PersonCaller>): Html | false {
  const isSent = queryOf(call.exchange.request).get('sent') === 'yes'
  return isSent && html`<p class="note done no-print" role="status">${words[view.language].sent}</p>`
}

function printForm(
  view: View,
  printer: DeviceId,
  what: 'test' | 'ticket' | 'receipt',
  number: number,
  label: string,
): Html {
  return html`<form method="post" action="${view.link(`${here}/${printer}/print`)}"><input type="hidden" name="what" value="${what}"><input type="hidden" name="number" value="${number}"><input type="hidden" name="attempt" value="${randomUUID()}"><button>${label}</button></form>`
}

function wantedOf({ parameters }: Call<PersonCaller>): { id: DeviceId } {
  return { id: Number(parameters.id) as DeviceId }
}

function printerPage(app: App, call: Call<PersonCaller>, refusal?: Refusal): Reply {
  const printer = app.store.printing.printers.find(wantedOf(call).id)
  if (!printer) return refuse('NOT_FOUND')
  const view = viewOf(app, call)
  const w = words[view.language]
  const query = queryOf(call.exchange.request)
  const jobs = app.store.printing.unfinished(printer.id)
  return page(view, {
    title: printer.title,
    room: 'settings',
    status: refusal ? 422 : 200,
    aside: stateOf(app, view, printer),
    body: html`<p class="small"><a href="${view.link(here)}">${w.all}</a></p>
${refusal && html`<p class="note bad" role="alert">${refusalText(refusal, view.language)}</p>`}
${!refusal && query.get('saved') === 'yes' && html`<p class="note done" role="status">${w.saved}</p>`}
${!refusal && sentNote(view, call)}
${question(view, printer, jobs.filter(({ needsPerson }) => needsPerson).length)}
${addressCard(app, call, view, printer)}
<div class="columns">
${jobsCard(app, view, printer, jobs)}
${settingsCard(app, view, printer)}
</div>
<form method="post" action="${view.link(`${here}/${printer.id}/end`)}" class="row"><button class="danger">${w.remove}</button><p class="small quiet">${w.removeHelp}</p></form>`,
  })
}

function question(view: View, { id }: Printer, jobs: number): Html | false {
  const w = words[view.language]
  const button = (what: 'print' | 'discard', label: string) =>
    html`<form method="post" action="${view.link(`${here}/${id}/queue`)}"><input type="hidden" name="what" value="${what}"><button>${label}</button></form>`
  return (
    jobs > 0 &&
    html`<div class="note"><p>${w.question(jobs)}</p><div class="actions">${button('print', w.printAll)}${button('discard', w.discard)}</div></div>`
  )
}

function addressCard(app: App, { exchange, caller }: Call<PersonCaller>, view: View, { id, protocol }: Printer): Html {
  const w = words[view.language]
  const [shownFor, secret] = app.shownOnce.take(caller.session.id, 'printer')?.split(' ') ?? []
  if (secret === undefined || shownFor !== String(id)) {
    return html`<section class="card stack"><div class="head"><h2>${w.address}</h2><form method="post" action="${view.link(`${here}/${id}/address`)}"><button>${w.newAddress}</button></form></div>
<p class="small quiet">${w.addressHidden}</p></section>`
  }
  const [site] = addressesOf(app, exchange)
  const steps = protocol === 'star' ? w.starSteps : w.epsonSteps
  return html`<section class="card stack"><h2>${w.address}</h2>
${site.isOnlyHere && html`<p class="note">${w.onlyHere}</p>`}
<p class="printer-address"><code>${site.text}/printers/${secret}</code></p>
<p><strong>${w.addressOnce}</strong></p>
<ol class="steps">${steps.map(step => html`<li>${step}</li>`)}</ol></section>`
}

function jobsCard({ store }: App, view: View, { id }: Printer, jobs: (Job & { needsPerson: boolean })[]): Html {
  const { language, formats, link } = view
  const w = words[language]
  const row = (job: Job & { needsPerson: boolean }) => {
    const order = job.orderId === null ? undefined : store.orderBook.byId(job.orderId)
    return html`<li><div class="head"><span>${kindWords[language][job.kind]} ${order && html`<a href="${link(`/office/orders/${order.id}`)}">${orderNumber(order.number)}</a>`}</span><span class="state ${job.needsPerson ? 'bad' : 'wait'}">${stepOf(job, w)}</span></div>
<p class="small quiet">${[formats.dateTime(job.since), job.problem].filter(Boolean).join(' · ')}</p></li>`
  }
  return html`<section class="card stack"><div class="head"><h2>${w.jobs}</h2>${printForm(view, id, 'test', 0, w.test)}</div>
${jobs.length === 0 ? html`<p class="quiet">${w.noJobs}</p>` : html`<ul class="stack tight">${jobs.slice(0, MOST_JOBS).map(row)}</ul>`}</section>`
}

const MOST_JOBS = 100

function stepOf(job: Job & { needsPerson: boolean }, w: (typeof words)['en']): string {
  if (job.state === 'failed') return w.failed
  if (job.needsPerson) return w.old
  if (job.fetchedAt !== null) return w.fetched
  return job.offeredAt === null ? w.isWaiting : w.offered
}

function settingsCard(app: App, view: View, printer: Printer): Html {
  const w = words[view.language]
  const place = app.store.devices.places().find(({ id }) => id === printer.locationId)
  const occasions = printOccasions.map((each): [string, string] => [each, printOccasionText[each][view.language]])
  return html`<section class="card stack"><div class="head"><h2>${w.settings}</h2><span class="small quiet">${place?.title} · ${protocolText[printer.protocol]} · ${printer.widthMm} mm</span></div>
<form method="post" action="${view.link(`${here}/${printer.id}`)}" class="fields">
${select(w.occasion, 'prints', occasions, printer.prints)}
${
  place !== undefined &&
  place.stations.length > 0 &&
  html`<fieldset class="field"><legend>${w.stations}</legend>
${place.stations.map(({ id, title }) => html`<label class="choice"><input type="checkbox" name="station" value="${id}" checked="${printer.stations.includes(id)}">${title}</label>`)}
<p class="help">${w.stationsHelp}</p></fieldset>`
}
${charactersField(view, printer.characters)}
<p class="small quiet">${w.charactersHelp}</p>
<div class="actions"><button>${w.save}</button></div>
</form></section>`
}
