/** Tax at one rate: the taxable amount and the tax, in minor units (decision C8). */
export interface TaxLine {
  /** In millionths; 0: no tax. */
  ratePpm: number
  /** The discounted lines at this rate and, at the location's own rate, the taxed charges. Includes the tax if prices do. */
  base: number
  tax: number
}

/** What tax needs to know about an order line. */
export interface TaxedAmount {
  lineTotal: number
  taxPpm: number
}

/**
 * What the lines at each rate cost once the discount is shared over them in proportion to their totals (decision C8): each
 * rate gets the whole minor units of its share; those left over go one by one to the largest remainders, among equals to the
 * higher rate. The bases add up to `subtotal - discountTotal`.
 */
export function basesByRate(lines: TaxedAmount[], subtotal: number, discountTotal: number): Map<number, number> {
  const bases = new Map<number, number>()
  for (const { taxPpm, lineTotal } of lines) bases.set(taxPpm, (bases.get(taxPpm) ?? 0) + lineTotal)
  if (discountTotal === 0) return bases
  let left = discountTotal
  const shares = [...bases].map(([ratePpm, total]) => {
    // The product of two amounts can exceed what a number holds exactly.
    const exact = BigInt(discountTotal) * BigInt(total)
    const whole = Number(exact / BigInt(subtotal))
    left -= whole
    return { ratePpm, base: total - whole, remainder: Number(exact % BigInt(subtotal)) }
  })
  shares.sort((a, b) => b.remainder - a.remainder || b.ratePpm - a.ratePpm)
  for (const [index, { ratePpm, base }] of shares.entries()) bases.set(ratePpm, index < left ? base - 1 : base)
  return bases
}

/** What the tax of an order at one rate depends on. */
interface Totalled {
  subtotal: number
  discountTotal: number
  serviceCharge: number
  serviceChargeTaxable: boolean
  deliveryFee: number
  deliveryFeeTaxable: boolean
  taxPpm: number | null
  taxTotal: number
}

/** The tax of an order with a single rate, from its totals. */
export function onlyTaxLine(order: Totalled): TaxLine {
  const charge = order.serviceChargeTaxable ? order.serviceCharge : 0
  const fee = order.deliveryFeeTaxable ? order.deliveryFee : 0
  const base = order.subtotal - order.discountTotal + charge + fee
  return { ratePpm: order.taxPpm ?? 0, base, tax: order.taxTotal }
}

/** How the tax lines of an order are stored: as JSON, or null if they follow from its totals. */
export function storedTaxLines({ taxPpm, taxLines }: { taxPpm: number | null; taxLines: TaxLine[] }): string | null {
  const [first, ...others] = taxLines
  return first?.ratePpm === (taxPpm ?? 0) && others.length === 0 ? null : JSON.stringify(taxLines)
}
