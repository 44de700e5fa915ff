import type { Standing } from '../store/ledger/ledger.ts'
import type { Order, OrderLine } from '../store/ordering/order.ts'
import { decimalText, type Exponent } from '../store/terms/money.ts'
import { amount, type Cell, words } from './cell.ts'
import { type Language, locales, quoted, sentences } from './language.ts'
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
  /** The percentage of a tax or a charge, for those who do not want to know of how much; empty for all others. */
  percent: string
  /** Its amount; empty if the step has none. */
  amount: Cell
  /** The id of an order line, by which `edit` refers to it. */
  line: Cell
}

const nothing = words(null)

/** What the calculation of a total needs to know about an order, which may not be placed yet. */
export type Totalled = Pick<
  Order,
  | 'status'
  | 'exponent'
  | 'currency'
  | 'subtotal'
  | 'discountTotal'
  | 'serviceCharge'
  | 'serviceChargePpm'
  | 'deliveryFee'
  | 'taxLines'
  | 'pricesIncludeTax'
  | 'grandTotal'
  | 'promotion'
  | 'manualDiscount'
> & { lines: (Omit<OrderLine, 'id'> & Partial<Pick<OrderLine, 'id'>>)[] }

/** The calculation of an order's total, step by step as in decision C4, and the amount still open. */
export function totalSteps(order: Totalled, { balance, paid, due }: Standing, language: Language = 'en'): TotalStep[] {
  const { exponent, currency } = order
  const w = totalWords[language]
  const plain = (minor: number) => decimalIn(language, minor, exponent)
  const percent = (ppm: number) => percentIn(language, ppm)
  const step = (
    kind: TotalStep['kind'],
    label: string,
    minor: number,
    how = '',
    unit?: string,
    ppm?: number,
  ): TotalStep => ({
    kind,
    label,
    how,
    percent: ppm === undefined ? '' : percent(ppm),
    amount: amount(minor, exponent, unit),
    line: nothing,
  })
  const steps: TotalStep[] = []
  for (const line of order.lines) {
    const how = `${line.qtyMilli / 1000} × (${plain(line.unitPrice)} + ${plain(line.modifiersTotal)})`
    steps.push({
      ...step('line', lineText(line), line.lineTotal, how),
      line: line.id === undefined ? nothing : words(w.line(line.id)),
    })
    for (const { title, qty, free, price } of line.modifiers) {
      const cost = free === qty ? w.free : `${qty - free} × ${plain(price)}${free > 0 ? `, ${w.someFree(free)}` : ''}`
      steps.push({ kind: 'choice', label: `${qty} × ${title}`, how: cost, percent: '', amount: nothing, line: nothing })
    }
    if (line.notes)
      steps.push({ kind: 'note', label: line.notes, how: '', percent: '', amount: nothing, line: nothing })
  }

  const net = order.subtotal - order.discountTotal
  steps.push(step('subtotal', w.subtotal, order.subtotal))
  if (order.discountTotal > 0)
    steps.push(step('discount', w.discount, -order.discountTotal, discountText(order, language)))
  if (order.serviceCharge > 0) {
    const how = w.of(percent(order.serviceChargePpm), plain(net))
    steps.push(step('service charge', w.serviceCharge, order.serviceCharge, how, undefined, order.serviceChargePpm))
  }
  if (order.deliveryFee > 0) steps.push(step('delivery fee', w.deliveryFee, order.deliveryFee))
  const { pricesIncludeTax } = order
  for (const { ratePpm, base, tax } of order.taxLines) {
    const how = (pricesIncludeTax ? w.containedIn : w.of)(percent(ratePpm), plain(base))
    steps.push(step('tax', pricesIncludeTax ? w.taxIncluded : w.tax, tax, how, undefined, ratePpm))
  }
  steps.push(step('grand total', w.grandTotal, order.grandTotal, '', currency))

  const credited = order.status === 'cancelled' ? 0 : order.grandTotal - due
  if (credited !== 0) steps.push(step('credited', w.credited, -credited))
  if (paid !== 0) steps.push(step('paid', w.paid, paid))
  if (balance !== 0) steps.push(step('open', balance < 0 ? w.toGiveBack : w.toPay, Math.abs(balance)))
  return steps
}

/** A decimal without its currency. */
function decimalIn(language: Language, minor: number, exponent: Exponent): string {
  const text = decimalText(minor, exponent)
  return language === 'en' ? text : text.replace('.', ',')
}

function percentIn(language: Language, ppm: number): string {
  const percent = ppm / 10_000
  return language === 'en' ? `${percent} %` : `${percent.toLocaleString(locales[language])} %`
}

const totalWords = sentences({
  line: { en: (id: number) => `line ${id}`, de: id => `Position ${id}`, pt: id => `linha ${id}` },
  free: { en: 'free', de: 'gratis', pt: 'grátis' },
  someFree: { en: (count: number) => `${count} free`, de: count => `${count} gratis`, pt: count => `${count} grátis` },
  subtotal: { en: 'Subtotal', de: 'Zwischensumme', pt: 'Subtotal' },
  discount: { en: 'Discount', de: 'Rabatt', pt: 'Desconto' },
  serviceCharge: { en: 'Service charge', de: 'Servicezuschlag', pt: 'Taxa de serviço' },
  deliveryFee: { en: 'Delivery fee', de: 'Liefergebühr', pt: 'Taxa de entrega' },
  tax: { en: 'Tax', de: 'MwSt.', pt: 'IVA' },
  taxIncluded: { en: 'Tax (included)', de: 'MwSt. (enthalten)', pt: 'IVA (incluído)' },
  grandTotal: { en: 'Grand total', de: 'Gesamtbetrag', pt: 'Total' },
  credited: { en: 'Credited', de: 'Gutgeschrieben', pt: 'Creditado' },
  paid: { en: 'Paid', de: 'Bezahlt', pt: 'Pago' },
  toGiveBack: { en: 'To give back', de: 'Zurückzugeben', pt: 'A devolver' },
  toPay: { en: 'To pay', de: 'Zu zahlen', pt: 'A pagar' },
  of: {
    en: (percent: string, amount: string) => `${percent} of ${amount}`,
    de: (percent, amount) => `${percent} von ${amount}`,
    pt: (percent, amount) => `${percent} de ${amount}`,
  },
  containedIn: {
    en: (percent: string, amount: string) => `${percent} contained in ${amount}`,
    de: (percent, amount) => `${percent} enthalten in ${amount}`,
    pt: (percent, amount) => `${percent} incluído em ${amount}`,
  },
  and: { en: ' and ', de: ' und ', pt: ' e ' },
})

function discountText({ promotion, manualDiscount, subtotal, exponent }: Totalled, language: Language): string {
  const w = totalWords[language]
  const texts: string[] = []
  for (const [title, discount] of [
    [promotion?.title, promotion?.discount],
    [manualDiscount?.reason, manualDiscount],
  ] as const) {
    if (title === undefined || !discount) continue
    const how =
      'amount' in discount
        ? decimalIn(language, discount.amount, exponent)
        : w.of(percentIn(language, discount.percentPpm), decimalIn(language, subtotal, exponent))
    texts.push(`${quoted(title, language)}, ${how}`)
  }
  return texts.join(w.and)
}
