/**
 * Amounts are integer minor units of a currency (decision C1); catalogue prices are integer thousandths of the
 * major unit (C2). Nothing here computes with fractions in binary floating point.
 */

export type Exponent = 0 | 2 | 3

/** An amount with everything that is needed to print it. */
export interface Amount {
  minor: number
  exponent: Exponent
  currency: string
}

/** The largest amount any part of an order may reach, in minor units (decision A8). */
export const LARGEST_AMOUNT = 9_999_999_999

// ISO 4217, active codes of currencies that can be used for payment. CLF and UYW (four decimals) are left out by decision C1,
// precious metals and test codes because they have no minor unit.
const withoutDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
const withThreeDecimals = 'BHD IQD JOD KWD LYD OMR TND'
const withTwoDecimals = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP
  COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
  JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN
  NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
  THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`

const exponents = new Map<string, Exponent>([
  ...codes(withoutDecimals, 0),
  ...codes(withTwoDecimals, 2),
  ...codes(withThreeDecimals, 3),
])

function codes(list: string, exponent: Exponent): [string, Exponent][] {
  return list
    .trim()
    .split(/\s+/)
    .map(code => [code, exponent])
}

/** How many decimals a currency has, or undefined for a code that is not an active ISO 4217 currency (C1). */
export function exponentOf(currency: string): Exponent | undefined {
  return exponents.get(currency)
}

/** amount × numerator ÷ denominator for whole numbers ≥ 0, rounded half up (C3). Exact for inputs of any size. */
export function share(amount: number, numerator: number, denominator: number): number {
  const divisor = BigInt(denominator)
  return Number((2n * BigInt(amount) * BigInt(numerator) + divisor) / (2n * divisor))
}

/** A catalogue price in minor units of a currency, rounded half up where it is finer than the currency (C2). */
export function minorUnits(milli: number, exponent: Exponent): number {
  return exponent === 3 ? milli : share(milli, 1, exponent === 2 ? 10 : 1000)
}

/** The percentage of a rate in millionths: 82500 is 8.25. */
export function percentOf<Rate extends number | null>(ppm: Rate): Rate | number {
  return ppm === null ? ppm : ppm / 10_000
}

/** The JSON number of an amount, in major units: 1250 EUR cents are 12.5 (C6). */
export function majorUnits(minor: number, exponent: Exponent): number {
  return minor / 10 ** exponent
}

/** An amount as people write it, with all its decimals: "12.50 EUR". */
export function amountText(minor: number, exponent: Exponent, currency: string): string {
  return `${decimalText(minor, exponent)} ${currency}`
}

/** An amount in major units with all decimals of its currency: "12.50". */
export function decimalText(minor: number, exponent: number): string {
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent)
  const fraction = digits.slice(digits.length - exponent)
  return `${minor < 0 ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}
