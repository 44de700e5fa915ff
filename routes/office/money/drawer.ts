import { refusalText } from '../../../display/refusal.ts'
import type { Location } from '../../../store/catalogue/catalogue.ts'
import { newSecret } from '../../../store/people/secret.ts'
import { decimalText } from '../../../store/terms/money.ts'
import { isRefused } from '../../../store/terms/refusal.ts'
import { LONGEST_REMARK } from '../../../store/terms/remark.ts'
import { type DrawerKind, drawerKinds } from '../../../store/till/drawer.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/money.ts'
import { type CashInput, cashFields, noCash, readCash, typedAmount } from './cash-form.ts'
import { locationOf } from './money.ts'

interface Entered {
  kind: DrawerKind
  cash: CashInput
  reason: string
  attempt: string
}

/** What is wrong with what was entered: the amount, the reason, or anything else. */
interface Wrong {
  cash?: string
  reason?: string
  other?: string
}

/** GET {basePath}/office/money/drawer: the form for a float, cash paid in or out, or a count. */
export const readDrawer: Handler<PersonCaller> = (app, call) => {
  const query = queryOf(call.exchange.request)
  const location = locationOf(app, query)
  const kind = drawerKinds.find(each => each === query.get('kind'))
  if (!location || !kind) return refuse('NOT_FOUND')
  return drawerPage(app, call, location, { kind, cash: noCash, reason: '', attempt: newSecret() })
}

/** POST {basePath}/office/money/drawer: enters it. The same form sent twice is entered once. */
export const enterCash: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['location', 'kind', 'sum', 'reason', 'attempt'], prefixes: ['piece-'] })
  if (!read.ok) return read.reply
  const { form } = read
  const location = locationOf(app, new URLSearchParams({ location: form.text('location') }))
  const kind = drawerKinds.find(each => each === form.text('kind'))
  if (!location || !kind) return refuse('NOT_FOUND')
  const view = viewOf(app, call)
  const w = words[view.language]
  const cash = { sum: form.text('sum'), pieces: form.below('piece-') }
  const entered = { kind, cash, reason: form.text('reason'), attempt: form.text('attempt') }
  const wrong = (what: Wrong) => drawerPage(app, call, location, entered, what)

  const needsReason = kind === 'paid_in' || kind === 'paid_out'
  if (needsReason && cash.sum.trim() !== '' && typedAmount(cash.sum, location) === undefined)
    return wrong({ cash: w.notAmount(decimalText(1250, location.exponent)) })
  const given = readCash(view, cash, location)
  if (typeof given === 'string') return wrong({ cash: given })
  if (given.counted === null) return wrong({ cash: w.amountMissing })
  const note = entered.reason.trim() === '' ? null : entered.reason.trim()
  const act = { kind, counted: given.counted, note, clientRef: entered.attempt }
  const done = await app.writer.act(call.caller.actor, 'enterCash', location.id, act)
  if (isRefused(done)) {
    const text = refusalText(done, view.language)
    if (done.refused === 'invalid amount' || done.refused === 'invalid pieces') return wrong({ cash: text })
    const isReason = done.refused === 'text' && (done.field === 'reason' || done.field === 'note')
    return wrong(isReason ? { reason: text } : { other: text })
  }
  return { kind: 'redirect', to: view.link('/office/money', { location: location.id, entered: done.id }) }
}

function drawerPage(app: App, call: Call<PersonCaller>, location: Location, entered: Entered, wrong?: Wrong): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const { kind, cash, reason, attempt } = entered
  const [title, help] = (
    {
      float: [w.enterFloat, w.floatHelp],
      paid_in: [w.enterIn, w.inHelp],
      paid_out: [w.enterOut, w.outHelp],
      count: [w.enterCount, w.countHelp],
    } as const
  )[kind]
  const needsReason = kind === 'paid_in' || kind === 'paid_out'
  return page(view, {
    title,
    room: 'money',
    status: wrong ? 422 : 200,
    body: html`<p class="quiet">${location.title}</p>
<form class="card fields" method="post" action="${view.link('/office/money/drawer')}">
${wrong?.other !== undefined && html`<p class="note bad" role="alert">${wrong.other}</p>`}
<p>${help}</p>
<input type="hidden" name="location" value="${location.id}"><input type="hidden" name="kind" value="${kind}">
<input type="hidden" name="attempt" value="${attempt}">
${
  needsReason
    ? html`<div class="field short"><label for="sum">${w.amount} (${location.currency})</label>
<input id="sum" name="sum" inputmode="decimal" autocomplete="off" required="" value="${cash.sum}" aria-invalid="${wrong?.cash !== undefined && 'true'}" aria-describedby="${wrong?.cash !== undefined && 'cash-wrong'}">
${wrong?.cash !== undefined && html`<p class="wrong" id="cash-wrong">${wrong.cash}</p>`}</div>`
    : cashFields(view, location, cash, wrong?.cash)
}
${reasonField(view, needsReason, reason, wrong?.reason)}
<p class="actions"><button class="button primary">${w.save}</button>
<a class="button plain" href="${view.link('/office/money', { location: location.id })}">${w.back}</a></p>
</form>`,
  })
}

function reasonField(view: View, isNeeded: boolean, reason: string, wrong: string | undefined): Html {
  const w = words[view.language]
  return html`<div class="field"><label for="reason">${isNeeded ? w.reason : `${w.note} (${w.isOptional})`}</label>
<input id="reason" name="reason" maxlength="${LONGEST_REMARK}" autocomplete="off" required="${isNeeded}" value="${reason}" aria-invalid="${wrong !== undefined && 'true'}" aria-describedby="${wrong !== undefined && 'reason-wrong'}">
${wrong !== undefined && html`<p class="wrong" id="reason-wrong">${wrong}</p>`}</div>`
}
