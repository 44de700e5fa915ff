import { isRefused } from '../../store/terms/refusal.ts'
import { html } from '../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../http/handler.ts'
import { type Reply, refuse } from '../http/reply.ts'
import { field } from '../page/field.ts'
import { readForm } from '../page/form.ts'
import { page } from '../page/page.ts'
import { factsOf } from './approval-facts.ts'
import { type Find, type KeptForm, keptFields, targetOf } from './kept-form.ts'
import { alone, keptIn, type LogInRefusal, noteOf, statusOf } from './log-in.ts'
import { checkPin, choiceOf } from './pin.ts'
import { words } from './words/log-in.ts'

/**
 * POST {basePath}/approve: does one act that needs a manager, on a device where staff are logged in, because a manager gives
 * a PIN (decision 048). The kept form is handled as if it had just been sent by the manager; nothing is left to be used again.
 * Leads to the page after the act if the person may see it, else to the start page of the office.
 */
export function approve(find: Find): Handler<PersonCaller> {
  return async (app, call) => {
    const { exchange, head, caller } = call
    const read = await readForm(call, { once: ['manager', 'pin', 'to', 'kept'] })
    if (!read.ok) return read.reply
    const kept = keptIn(read.form)
    const target = kept && targetOf(app, find, 'POST', kept.to)
    if (!kept || !target || !caller.device) return refuse('BAD_REQUEST')
    const manager = await checkPin(app, caller.device, read.form.text('manager'), read.form.text('pin'))
    if (isRefused(manager)) return approvalPage(app, call, { kept, refusal: manager })
    if (manager.role === 'staff') return refuse('NOT_ALLOWED')
    exchange.approval = { id: manager.id, name: manager.name, role: 'manager' }
    exchange.sent = Buffer.from(kept.fields)
    exchange.request.url = target.address.text
    const reply = await target.found.route.handle(app, exchange, head, target.found.parameters)
    if (reply?.kind !== 'redirect') return reply
    // The next page is for the person, whom it may not be open to.
    delete exchange.approval
    exchange.request.method = 'GET'
    const next = find('GET', new URL(reply.to.text, 'http://site').pathname)
    const access = next?.route.access(app, exchange, head).kind ?? 'refusal'
    return access === 'refusal' || access === 'denied' ? { ...reply, to: app.link('/office', { allowed: 1 }) } : reply
  }
}

/** The page on which a manager allows a form that was sent. */
export function approvalPage(
  app: App,
  call: Pick<Call<PersonCaller>, 'exchange' | 'caller'>,
  { kept, refusal }: { kept: KeptForm | undefined; refusal?: LogInRefusal },
): Reply {
  const view = alone(app, call)
  const w = words[view.language]
  const managers = app.store.staff
    .list()
    .filter(({ role, hasPin, endedAt }) => role !== 'staff' && hasPin && endedAt === null)
  if (!kept) return refuse('NOT_ALLOWED')
  return page(view, {
    title: w.approve,
    status: statusOf({ ...(refusal && { refusal }), status: 403 }),
    body: html`${noteOf(view, { ...(refusal && { refusal }) })}
${factsOf(app, view, kept)}
<p>${w.approveHelp}</p>
${
  managers.length === 0
    ? html`<p class="card empty">${w.noManagerHasPin}</p>`
    : html`<form method="post" action="${view.link('/approve')}" class="card fields" data-pin="">
${keptFields(kept)}
${choiceOf(managers, { name: 'manager', label: w.whoAreYou, chosen: managers.length === 1 ? String(managers[0]?.id) : undefined })}
${field({ label: w.pin, name: 'pin', type: 'password', autocomplete: 'off', inputmode: 'numeric', maxlength: 6, help: w.pinHelp })}
<button class="primary">${w.allow}</button>
</form>`
}
<p><a class="button plain" href="${view.link('/office')}">${w.cancel}</a></p>`,
  })
}
