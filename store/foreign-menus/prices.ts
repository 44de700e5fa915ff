import { exponentOf } from '../terms/money.ts'

/** A price in thousandths of the major unit, or what is wrong with it as the end of a sentence ("has no price"). */
export type Price = { amount: number } | { flaw: string }

/** How the prices of a file are written. */
export interface PriceStyle {
  currency: string
  /** The mark between whole and fraction; null: this file does not tell. */
  mark: '.' | ',' | null
}

// The currencies that a sign stands for.
const signs: Record<string, string> = {
  '€': 'EUR',
  '£': 'GBP EGP LBP FKP GIP SHP',
  $: 'USD ARS AUD BBD BMD BND BSD BZD CAD CLP COP DOP FJD GYD HKD JMD KYD LRD MXN NAD NZD SBD SGD SRD TTD TWD UYU XCD',
  '¥': 'JPY CNY',
  KR: 'SEK NOK DKK ISK',
  'KR.': 'DKK SEK NOK ISK',
  ZŁ: 'PLN',
  KČ: 'CZK',
  FT: 'HUF',
  R$: 'BRL',
  US$: 'USD',
  'FR.': 'CHF',
  '₹': 'INR',
  '₺': 'TRY',
  '₴': 'UAH',
  '₪': 'ILS',
  '₩': 'KRW',
  '₫': 'VND',
  '₱': 'PHP',
  '฿': 'THB',
}
// Everybody who writes these means one of theirs.
const usual: Record<string, string> = { '£': 'GBP' }

const LARGEST_PRICE = 99_999_999_990
const NUMBER = /^\d[\d.,'’ ]*(?:,[-–—])?$/

interface Written {
  sign: string
  number: string
}

/** Separates a price from its sign; undefined when it is not a number with at most a sign. */
function taken(text: string): Written | undefined {
  const plain = text.replace(/[\u00a0\u202f\u2009]/g, ' ').trim()
  if (plain.length > 40) return undefined
  const match = /^(?<before>[^\d\s.,+-]*\.?)\s*(?<number>\d.*?)\s*(?<after>[^\d\s.,'’–—-][^\d]*)?$/u.exec(plain)
  const { before = '', number = '', after = '' } = match?.groups ?? {}
  if (!NUMBER.test(number) || (before && after)) return undefined
  const plainNumber = number.replace(/,[-–—]$/, '').replace(/(\d)['’ ](?=\d{3}(?!\d))/g, '$1')
  return { sign: (before || after).trim().toUpperCase(), number: plainNumber }
}

/** The currencies that a sign or code may stand for; none when it is neither. */
export function currenciesOf(sign: string): string[] {
  if (Object.hasOwn(signs, sign)) return signs[sign]?.split(' ') ?? []
  return exponentOf(sign) === undefined ? [] : [sign]
}

/** The currencies that the signs of some prices name for certain. */
export function currenciesIn(texts: Iterable<string>): Set<string> {
  const found = new Set<string>()
  for (const text of texts) {
    const sign = taken(text)?.sign ?? ''
    const [currency, ...others] = currenciesOf(sign)
    const meant = others.length === 0 ? currency : usual[sign]
    if (meant !== undefined) found.add(meant)
  }
  return found
}

/** The decimal mark that those of some prices which leave no doubt agree on. */
export function markIn(texts: Iterable<string>): '.' | ',' | null {
  const found = new Set<'.' | ','>()
  for (const text of texts) {
    const number = taken(text)?.number ?? ''
    const mark = /[.,](?=\d{1,2}$)/.exec(number)?.[0] ?? /([.,])\d{3}(?=[.,])/.exec(number)?.[1]
    const isLast = /[.,]\d{1,2}$/.test(number)
    if (mark === '.' || mark === ',') found.add(isLast ? mark : mark === '.' ? ',' : '.')
  }
  const [mark = null] = found
  return found.size === 1 ? mark : null
}

/**
 * Reads a price as people write it: "£4,250.00", "13,50", "8.90 €", "1'250.00", "12,-". It is read by its digits, never as
 * a floating-point number; "1,250" has a flaw unless the style tells which mark is which.
 */
export function readPrice(text: string, { currency, mark }: PriceStyle): Price {
  if (text.trim() === '') return { flaw: 'has no price' }
  if (/^\s*(variable|variabel)\s*$/i.test(text)) return { flaw: 'has a variable price' }
  const written = taken(text)
  const { sign, number } = written ?? { sign: '', number: '' }
  const named = currenciesOf(sign)
  if (!written || (sign !== '' && named.length === 0)) return { flaw: `has "${shortened(text)}" for a price` }
  if (sign !== '' && !named.includes(currency)) {
    return { flaw: `has the price ${shortened(text)}, which is not in ${currency}` }
  }
  const fractionMark = fractionMarkOf(number, { currency, mark })
  if (fractionMark === undefined) return { flaw: `has the price ${shortened(text)}, which can be read in two ways` }
  const end = fractionMark === null ? number.length : number.lastIndexOf(fractionMark)
  const whole = number.slice(0, end)
  const fraction = number.slice(end + 1)
  const isGrouped = /^\d+$/.test(whole) || /^\d{1,3}([.,])\d{3}(?:\1\d{3})*$/.test(whole)
  if (!isGrouped || !/^\d{0,3}0*$/.test(fraction)) return { flaw: `has "${shortened(text)}" for a price` }
  const digits = whole.replace(/[.,]/g, '') + fraction.slice(0, 3).padEnd(3, '0')
  const amount = digits.length > 12 ? Number.POSITIVE_INFINITY : Number(digits)
  return amount > LARGEST_PRICE ? { flaw: `has the price ${shortened(text)}, which is too large` } : { amount }
}

/** The mark before the fraction of a number; null when it has none, undefined when its only mark may be either. */
function fractionMarkOf(number: string, { currency, mark }: PriceStyle): '.' | ',' | null | undefined {
  const marks = [...number].filter(each => each === '.' || each === ',')
  const last = marks.at(-1)
  if (last === undefined) return null
  if (marks.some(each => each !== last)) return last
  if (marks.length > 1) return null
  const digits = number.length - number.indexOf(last) - 1
  if (digits !== 3) return last
  if (mark === null) return exponentOf(currency) === 3 ? last : undefined
  return mark === last ? last : null
}

/** A price in minor units of its currency, as an interface sends it: 1350 of EUR is 13.50. */
export function minorPrice(minor: unknown, currency: string): Price {
  if (minor === null || minor === undefined) return { flaw: 'has no price' }
  const isAmount = typeof minor === 'number' && Number.isSafeInteger(minor) && minor >= 0
  const amount = isAmount ? minor * 10 ** (3 - (exponentOf(currency) ?? 2)) : Number.POSITIVE_INFINITY
  return amount > LARGEST_PRICE ? { flaw: 'has a price that is not an amount in minor units' } : { amount }
}

/** A text of the file in a sentence about it. */
export function shortened(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  return plain.length > 40 ? `${plain.slice(0, 39).toWellFormed()}…` : plain
}
