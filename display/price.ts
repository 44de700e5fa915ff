import { parseDecimal } from '../store/terms/decimal.ts'
import { decimalText, type Exponent, LARGEST_AMOUNT } from '../store/terms/money.ts'
import type { Language } from './language.ts'

/** A price in thousandths as people type it: "12.50", in German and Portuguese "12,50". */
export function priceText(milli: number, exponent: Exponent, language: Language): string {
  const unit = 10 ** (3 - exponent)
  const text = milli % unit === 0 ? decimalText(milli / unit, exponent) : decimalText(milli, 3)
  return language === 'en' ? text : text.replace('.', ',')
}

/** A price that a person typed, with a point or a comma, in thousandths; undefined if it is none. */
export function parsePrice(text: string): number | undefined {
  const milli = parseDecimal(text.trim().replace(',', '.'), 3)
  return milli === undefined || milli > LARGEST_AMOUNT * 10 ? undefined : milli
}
