import { valueText } from '../../display/cell.ts'
import { totalSteps } from '../../display/total.ts'
import type { PricedOrder } from '../../store/ordering/pricing.ts'
import { type Html, html } from '../html/html.ts'
import type { GuestView } from './guest-page.ts'

/** How the total of a cart is calculated, as a table below its lines: discount, charges, fee and tax. */
export function guestTotal(view: GuestView, priced: PricedOrder): Html {
  const { location, grandTotal } = priced
  const { currency, exponent, pricesIncludeTax, serviceChargePpm } = location
  const order = { ...priced, currency, exponent, pricesIncludeTax, serviceChargePpm }
  const steps = totalSteps(
    { ...order, lines: [], status: 'placed', manualDiscount: null },
    { balance: 0, paid: 0, due: grandTotal },
    view.language,
  )
  const isOnlyTotal = steps.filter(({ kind }) => kind !== 'tax').length === 2
  return html`<table class="total"><tbody>${steps
    .filter(({ kind }) => kind !== 'subtotal' || !isOnlyTotal)
    .map(({ kind, label, how, percent, amount }) => {
      const sum =
        amount.kind === 'amount' ? view.formats.money(amount.value, amount.exponent, currency) : valueText(amount)
      return html`<tr class="${kind === 'grand total' ? 'grand' : 'sum'}"><th scope="row">${label}${how !== '' && html` <small class="quiet">${percent || how}</small>`}</th><td class="num">${sum}</td></tr>`
    })}</tbody></table>`
}
