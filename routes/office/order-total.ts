import { valueText } from '../../display/cell.ts'
import { quoted } from '../../display/language.ts'
import { type Totalled, totalSteps } from '../../display/total.ts'
import type { Standing } from '../../store/ledger/ledger.ts'
import { type Html, html } from '../html/html.ts'
import type { View } from '../page/view.ts'

const outside = ['paid', 'open', 'credited']

/** The lines of an order and how its total comes about; with `standing`, what is paid and open as well. */
export function totalTable(view: View, order: Totalled, standing?: Standing): Html {
  const { grandTotal } = order
  const steps = totalSteps(order, standing ?? { balance: 0, paid: 0, due: grandTotal }, view.language)
  const rows = steps
    .filter(({ kind }) => standing !== undefined || !outside.includes(kind))
    .map(({ kind, label, how, amount }) => {
      const isTotal = kind === 'grand total' || kind === 'open'
      const shown =
        amount.kind === 'amount' ? view.formats.money(amount.value, amount.exponent, order.currency) : valueText(amount)
      if (kind === 'choice' || kind === 'note') {
        return html`<tr class="${kind === 'note' ? 'remark' : 'option'}"><td colspan="2">${kind === 'note' ? quoted(label, view.language) : `+ ${label}`} <span class="small quiet">${how}</span></td></tr>`
      }
      return html`<tr class="${isTotal ? 'grand' : kind === 'line' ? 'line' : 'sum'}"><td>${label}${how !== '' && html` <small class="quiet">${how}</small>`}</td><td class="num">${shown}</td></tr>`
    })
  return html`<table class="total"><tbody>${rows}</tbody></table>`
}
