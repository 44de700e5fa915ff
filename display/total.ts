import type { Standing } from '../store/ledger/ledger.ts'
import type { Order } from '../store/ordering/order.ts'
import { decimalText } from '../store/terms/money.ts'
import { amount, type Cell, words } from './cell.ts'
import { lineText } from './order.ts'

/** One step of the calculation of a total. Choices and notes belong to the line above them. */
export interface TotalStep {
  kind:
    | 'line'
    | 'choice'
    | 'note'
    | 'subtotal'
    | 'discount'
    | 'service charge'
    | 'delivery fee'
    | 'tax'
    | 'grand total'
    | 'credited'
    | 'paid'
    | 'open'
  label: string
  /** The calculation, such as "10 % of 28.00"; empty if there is none. */
  how: string
  /** Its amount; empty if the step has none. */
  amount: Cell
  /** The id of an order line, by which `edit` refers to it. */
  line: Cell
}

const nothing = words(null)

/** The calculation of an order's total, step by step as in decision C4, and the amount still open. */
export function totalSteps(order: Order, { balance, paid, due }: Standing): TotalStep[] {
  const { exponent, currency } = order
  const plain = (minor: number) => decimalText(minor, exponent)
  const step = (kind: TotalStep['kind'], label: string, minor: number, how = '', unit?: string): TotalStep => ({
    kind,
    label,
    how,
    amount: amount(minor, exponent, unit),
    line: nothing,
  })
  const steps: TotalStep[] = []
  for (const line of order.lines) {
    const how = `${line.qtyMilli / 1000} × (${plain(line.unitPrice)} + ${plain(line.modifiersTotal)})`
    steps.push({ ...step('line', lineText(line), line.lineTotal, how), line: words(`line ${line.id}`) })
    for (const { title, qty, free, price } of line.modifiers) {
      const cost = free === qty ? 'free' : `${qty - free} × ${plain(price)}${free > 0 ? `, ${free} free` : ''}`
      steps.push({ kind: 'choice', label: `${qty} × ${title}`, how: cost, amount: nothing, line: nothing })
    }
    if (line.notes) steps.push({ kind: 'note', label: line.notes, how: '', amount: nothing, line: nothing })
  }

  const net = order.subtotal - order.discountTotal
  steps.push(step('subtotal', 'Subtotal', order.subtotal))
  if (order.discountTotal > 0) steps.push(step('discount', 'Discount', -order.discountTotal, discountText(order)))
  if (order.serviceCharge > 0) {
    const how = `${order.serviceChargePpm / 10_000} % of ${plain(net)}`
    steps.push(step('service charge', 'Service charge', order.serviceCharge, how))
  }
  if (order.deliveryFee > 0) steps.push(step('delivery fee', 'Delivery fee', order.deliveryFee))
  const { pricesIncludeTax } = order
  for (const { ratePpm, base, tax } of order.taxLines) {
    const how = `${ratePpm / 10_000} % ${pricesIncludeTax ? 'contained in' : 'of'} ${plain(base)}`
    steps.push(step('tax', pricesIncludeTax ? 'Tax (included)' : 'Tax', tax, how))
  }
  steps.push(step('grand total', 'Grand total', order.grandTotal, '', currency))

  const credited = order.status === 'cancelled' ? 0 : order.grandTotal - due
  if (credited !== 0) steps.push(step('credited', 'Credited', -credited))
  if (paid !== 0) steps.push(step('paid', 'Paid', paid))
  if (balance !== 0) steps.push(step('open', balance < 0 ? 'To give back' : 'To pay', Math.abs(balance)))
  return steps
}

function discountText({ promotion, manualDiscount, subtotal, exponent }: Order): string {
  const texts: string[] = []
  for (const [title, discount] of [
    [promotion?.title, promotion?.discount],
    [manualDiscount?.reason, manualDiscount],
  ] as const) {
    if (title === undefined || !discount) continue
    const isAmount = 'amount' in discount
    const share = isAmount ? '' : `${discount.percentPpm / 10_000} % of `
    texts.push(`"${title}", ${share}${decimalText(isAmount ? discount.amount : subtotal, exponent)}`)
  }
  return texts.join(' and ')
}
