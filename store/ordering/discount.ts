import { type Exponent, LARGEST_AMOUNT, minorUnits, share } from '../terms/money.ts'
import type { Refusal } from '../terms/refusal.ts'
import { refuseRemarks } from '../terms/remark.ts'
import type { ManualDiscount } from './order.ts'

/** A discount by staff: thousandths of the major unit, or millionths. */
export type GivenDiscount = { reason: string } & ({ amountMilli: number } | { percentPpm: number })

const MILLION = 1_000_000

/** A discount in the currency of an order. Refuses a blank reason, no or more than 100 %, and no or too large an amount. */
export function manualDiscount(
  given: GivenDiscount,
  { exponent, currency }: { exponent: Exponent; currency: string },
): ManualDiscount | Refusal<'text' | 'invalid percent' | 'invalid amount'> {
  const { reason } = given
  const refusal = refuseRemarks({ reason })
  if (refusal) return refusal
  if ('percentPpm' in given) {
    const { percentPpm } = given
    const isValid = Number.isInteger(percentPpm) && percentPpm > 0 && percentPpm <= MILLION
    return isValid ? { reason, percentPpm } : { refused: 'invalid percent' }
  }
  const amount = Number.isSafeInteger(given.amountMilli) ? minorUnits(Math.max(0, given.amountMilli), exponent) : 0
  if (amount > 0 && amount <= LARGEST_AMOUNT) return { reason, amount }
  return { refused: 'invalid amount', most: { minor: LARGEST_AMOUNT, exponent, currency } }
}

/** What a discount takes off a subtotal, in minor units; it may be more than the subtotal. */
export function worthOf(
  discount: { percentPpm: number } | { amount: number } | null | undefined,
  subtotal: number,
): number {
  if (!discount) return 0
  return 'amount' in discount ? discount.amount : share(subtotal, discount.percentPpm, MILLION)
}
