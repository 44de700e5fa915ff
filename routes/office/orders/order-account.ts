import { randomUUID } from 'node:crypto'
import { entryText } from '../../../display/account.ts'
import { priceText } from '../../../display/price.ts'
import { methodText } from '../../../display/terms.ts'
import { type Entry, methods } from '../../../store/ledger/ledger.ts'
import { businessDate, timeZone } from '../../../store/terms/clock.ts'
import { LONGEST_REMARK } from '../../../store/terms/remark.ts'
import { type Html, html } from '../../html/html.ts'
import { words } from '../words/order.ts'
import { formStart, type OrderAct, type Shown, typed, whyNot } from './order-steps.ts'

/** The account of an order, and taking and giving back money. */
export function accountCard(shown: Shown): Html {
  const { view, order, standing } = shown
  const w = words[view.language]
  const { balance, paid } = standing
  const amount = view.formats.money(Math.abs(balance), order.exponent, order.currency)
  const [text, kind] =
    balance > 0 ? [w.toPay(amount), 'wait'] : balance < 0 ? [w.toGiveBack(amount), 'bad'] : [w.settled, 'done']
  return html`<section class="card stack"><div class="head"><h2>${w.account}</h2><span class="state ${kind}">${text}</span></div>
${balance > 0 && payment(shown)}
${whyNot(shown, 'void')}
${balance <= 0 && whyNot(shown, 'pay')}
${entriesTable(shown)}
${paid > 0 && refund(shown)}
${order.status === 'completed' && credit(shown)}
</section>`
}

function payment(shown: Shown): Html {
  const { view, order, standing, failed } = shown
  const w = words[view.language]
  const isPrimary = !(order.status === 'placed' && order.source === 'api')
  const cash = notesAbove(standing.balance, order.exponent).map(
    note =>
      html`<button class="button" name="method" value="cash:${note}">${w.cashOf(view.formats.money(note, order.exponent, order.currency))}</button>`,
  )
  const tooLittle = failed?.act === 'pay' && failed.refusal === undefined
  return html`<form method="post" action="${view.link(`/office/orders/${order.id}/pay`)}" class="fields">${formStart(shown)}${attempt(shown, 'pay')}
${whyNot(shown, 'pay')}
<div class="fields two">
${amountField(shown, 'pay', standing.balance)}
<div class="field"><label for="given">${w.given}</label><input id="given" name="given" inputmode="decimal" maxlength="20" autocomplete="off" value="${typed(shown, 'pay', 'given')}" aria-describedby="given-help" aria-invalid="${tooLittle && 'true'}"><p class="help" id="given-help">${w.givenHelp}</p></div>
</div>
<div class="actions"><button class="button ${isPrimary ? 'primary' : ''}" name="method" value="cash">${w.payCash}</button>
<button class="button" name="method" value="card">${w.payCard}</button>
<button class="button" name="method" value="transfer">${w.payTransfer}</button>
<button class="button" name="method" value="other">${w.payOther}</button></div>
${cash.length > 0 && html`<div class="actions">${cash}</div>`}
</form>`
}

/** The next round sums that a guest may hand over, in minor units. */
function notesAbove(balance: number, exponent: number): number[] {
  const unit = 10 ** exponent
  const sums = [5, 10, 20, 50, 100, 200].map(note => Math.ceil(balance / (note * unit)) * note * unit)
  return [...new Set(sums)].filter(sum => sum > balance).slice(0, 4)
}

/** Makes a second press of the same form the same booking. */
function attempt(shown: Shown, act: OrderAct): Html {
  return html`<input type="hidden" name="attempt" value="${typed(shown, act, 'attempt') || randomUUID()}">`
}

function amountField(shown: Shown, act: OrderAct, minor: number): Html {
  const { view, order } = shown
  const text = priceText(minor * 10 ** (3 - order.exponent), order.exponent, view.language)
  return html`<div class="field"><label for="${act}-amount">${words[view.language].amount} (${order.currency})</label><input id="${act}-amount" name="amount" inputmode="decimal" maxlength="20" autocomplete="off" required="" value="${typed(shown, act, 'amount') ?? text}"></div>`
}

function reasonField(shown: Shown, act: OrderAct, id: string = act): Html {
  const { view } = shown
  return html`<div class="field"><label for="${id}-reason">${words[view.language].reason}</label><input id="${id}-reason" name="reason" maxlength="${LONGEST_REMARK}" required="" value="${typed(shown, act, 'reason')}"></div>`
}

function refund(shown: Shown): Html {
  const { view, order, standing, failed } = shown
  const w = words[view.language]
  const method = typed(shown, 'refund', 'method') ?? shown.entries.findLast(({ kind }) => kind === 'payment')?.method
  const isOwed = standing.balance < 0
  return html`<details open="${isOwed || failed?.act === 'refund'}"><summary>${w.refund}</summary>
<form method="post" action="${view.link(`/office/orders/${order.id}/refund`)}" class="fields">${formStart(shown)}${attempt(shown, 'refund')}
${whyNot(shown, 'refund')}
<div class="fields two">${amountField(shown, 'refund', isOwed ? -standing.balance : standing.paid)}
<div class="field"><label for="refund-method">${w.method}</label><select id="refund-method" name="method">${methods.map(each => html`<option value="${each}" selected="${each === method}">${methodText(each, view.language)}</option>`)}</select></div></div>
${reasonField(shown, 'refund')}
<p><button class="button">${w.refundNow}</button></p></form></details>`
}

function credit(shown: Shown): Html {
  const { view, order, standing, failed } = shown
  const w = words[view.language]
  return html`<details open="${failed?.act === 'credit'}"><summary>${w.credit}</summary>
<form method="post" action="${view.link(`/office/orders/${order.id}/credit`)}" class="fields">${formStart(shown)}${attempt(shown, 'credit')}
${whyNot(shown, 'credit')}
<p class="help quiet small">${w.creditHelp}</p>
${amountField(shown, 'credit', standing.due)}
${reasonField(shown, 'credit')}
<p><button class="button">${w.creditNow}</button></p></form></details>`
}

function entriesTable(shown: Shown): Html {
  const { store, view, order, entries, standing } = shown
  const w = words[view.language]
  const money = (minor: number) => view.formats.money(minor, order.exponent, order.currency)
  const location = store.catalogue.current().locations.find(({ id }) => id === order.locationId)
  const today = location && businessDate(timeZone(location.timezone).at(view.now), location.dayStartsAt)
  const isVoidable = (entry: Entry) =>
    entry.kind === 'payment' &&
    (order.status === 'placed' || order.status === 'confirmed') &&
    entry.businessDate === today &&
    -entry.amount <= standing.paid &&
    !entries.some(({ voids }) => voids === entry.entry)
  const row = (entry: Entry) =>
    html`<tr><td>${entryText(entry, view.language)}<small class="quiet">${[view.formats.dateTime(entry.at), entry.note].filter(Boolean).join(' · ')}</small>
${isVoidable(entry) && voidForm(shown, entry.entry, w.voidName(money(-entry.amount)))}</td>
<td class="num">${money(entry.amount)}</td></tr>`
  return html`<table class="entries"><caption class="sr">${w.entries}</caption><thead class="sr"><tr><th scope="col">${w.entry}</th><th scope="col">${w.amount}</th></tr></thead><tbody>${entries.map(row)}</tbody></table>`
}

function voidForm(shown: Shown, entry: number, name: string): Html {
  const { view, order } = shown
  const w = words[view.language]
  const isTried = typed(shown, 'void', 'entry') === String(entry)
  return html`<details open="${isTried}"><summary aria-label="${name}">${w.voidPayment}</summary>
<form method="post" action="${view.link(`/office/orders/${order.id}/void`)}" class="fields">${formStart(shown)}<input type="hidden" name="entry" value="${entry}">
${reasonField(shown, 'void', `void-${entry}`)}
<p><button class="button" aria-label="${name}">${w.voidNow}</button></p></form></details>`
}
