import { orderNumber } from '../../../display/order.ts'
import { refusalText } from '../../../display/refusal.ts'
import type { Entry, Standing } from '../../../store/ledger/ledger.ts'
import type { Order } from '../../../store/ordering/order.ts'
import { canLeave, fulfilmentMoves, moves } from '../../../store/ordering/status.ts'
import type { Store } from '../../../store/store.ts'
import type { Refusal } from '../../../store/terms/refusal.ts'
import { LONGEST_REMARK } from '../../../store/terms/remark.ts'
import { type Html, html } from '../../html/html.ts'
import type { View } from '../../page/view.ts'
import { words } from '../words/order.ts'

/** What everybody who is logged in may do with an order on its page; also the last part of the path that does it. */
export const staffActs = [
  'confirm',
  'complete',
  'cancel',
  'out-for-delivery',
  'fulfil',
  'pay',
  'bump',
  'recall',
  'fire',
] as const
/** What needs a manager. */
export type ManagerAct = 'refund' | 'credit' | 'void'
export type OrderAct = (typeof staffActs)[number] | ManagerAct

/** An act that was refused. */
export interface Failed {
  act: OrderAct
  /** Why; undefined: less cash was received than is to be paid. */
  refusal: Refusal | undefined
  /** The last act on the order when the person opened it. */
  seen: number
  /** What the person typed. */
  input: Record<string, string>
}

/** What the parts of the page show. */
export interface Shown {
  store: Store
  view: View
  order: Order
  entries: Entry[]
  standing: Standing
  /** The last act on the order; each form keeps it. */
  seen: number
  failed: Failed | undefined
}

/** The start of a form that does something with an order. */
export function formStart({ seen }: Shown): Html {
  return html`<input type="hidden" name="seen" value="${seen}">`
}

/** Why an act was refused, where it was tried. */
export function whyNot({ failed, view }: Shown, act: OrderAct): Html | false {
  if (failed?.act !== act) return false
  const text = failed.refusal ? refusalText(failed.refusal, view.language) : words[view.language].tooLittle
  return html`<p class="note bad" role="alert" id="why-${act}">${text}</p>`
}

/** What the person typed into a field of an act that was refused. */
export function typed({ failed }: Shown, act: OrderAct, field: string): string | undefined {
  return failed?.act === act ? failed.input[field] : undefined
}

/** The order's next steps, the likely one first, and its cancellation. */
export function stepsCard(shown: Shown): Html | false {
  const { view, order, standing } = shown
  const w = words[view.language]
  const steps = possible(order)
  if (steps.length === 0 && shown.failed === undefined) return false
  const isUnpaid = standing.balance > 0
  // Money comes first, except that an order from outside is confirmed before.
  const primary = order.status === 'placed' && order.source === 'api' ? 'confirm' : isUnpaid ? undefined : steps.at(-1)
  const buttons = steps.map(
    act =>
      html`<form method="post" action="${view.link(`/office/orders/${order.id}/${act}`)}">${formStart(shown)}<button class="button ${act === primary ? 'primary' : ''}">${w[act]}</button></form>`,
  )
  return html`<section class="card stack"><h2>${w.steps}</h2>
${steps.map(act => whyNot(shown, act))}
<div class="actions">${buttons}</div>
${moves.cancel.from.some(from => from === order.status) && cancellation(shown)}</section>`
}

function possible(order: Order) {
  const { status, fulfillmentStatus, mode } = order
  const acts = ['confirm', 'out-for-delivery', 'fulfil', 'complete'] as const
  return acts.filter(act => {
    if (act === 'confirm' || act === 'complete') return moves[act].from.some(from => from === status)
    if (act === 'out-for-delivery' && mode !== 'delivery') return false
    return canLeave(order) && fulfilmentMoves[act].from.some(from => from === fulfillmentStatus)
  })
}

function cancellation(shown: Shown): Html {
  const { view, order, failed } = shown
  const w = words[view.language]
  const stock = typed(shown, 'cancel', 'stock') ?? ''
  const choices = [
    ['', w.stockByKitchen],
    ['restock', w.restock],
    ['waste', w.waste],
  ] as const
  return html`<details open="${failed?.act === 'cancel'}"><summary>${w.cancel}</summary>
<form method="post" action="${view.link(`/office/orders/${order.id}/cancel`)}" class="fields">${formStart(shown)}
${whyNot(shown, 'cancel')}
<div class="field"><label for="cancel-reason">${w.reason}</label><input id="cancel-reason" name="reason" maxlength="${LONGEST_REMARK}" required="" value="${typed(shown, 'cancel', 'reason')}"></div>
<fieldset class="field"><legend>${w.stock}</legend>
${choices.map(([value, label]) => html`<label class="choice"><input type="radio" name="stock" value="${value}" checked="${value === stock}"> ${label}</label>`)}
</fieldset>
<p><button class="button danger">${w.cancelNow(orderNumber(order.number))}</button></p>
</form></details>`
}
