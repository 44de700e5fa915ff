import { exponentOf } from '../terms/money.ts'

/** A price in thousandths of the major unit, or what is wrong with it as the end of a sentence ("has no price"). */
export type Price = { amount: number } | { flaw: string }

/** How the prices of a file are written. */
export interface PriceStyle {
  currency: string
  /** The mark between whole and fraction; null: this file does not tell. */
  mark: '.' | ',' | null
}

// Signs of one currency only: "$", "¥" and "kr" are those of many.
const signs: Record<string, string | null> = {
  '€': 'EUR',
  '£': 'GBP',
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
  $: null,
  '¥': null,
  KR: null,
  'KR.': null,
}

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
  return { sign: (before || after).trim().toUpperCase(), number: number.replace(/,[-–—]$/, '') }
}

/** The currency of a sign or code: null when it belongs to several, undefined when it is none. */
function currencyOf(sign: string): string | null | undefined {
  if (Object.hasOwn(signs, sign)) return signs[sign]
  return exponentOf(sign) === undefined ? undefined : sign
}

/** The currencies that the signs of some prices name for certain. */
export function currenciesIn(texts: Iterable<string>): Set<string> {
  const found = new Set<string>()
  for (const text of texts) {
    const currency = currencyOf(taken(text)?.sign ?? '')
    if (currency) found.add(currency)
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
  if (!written) return { flaw: `has "${shortened(text)}" for a price` }
  const named = written.sign === '' ? null : currencyOf(written.sign)
  if (named === undefined) return { flaw: `has "${shortened(text)}" for a price` }
  if (named !== null && named !== currency)
    return { flaw: `has the price ${shortened(text)}, which is not in ${currency}` }

  const number = written.number.replace(/(\d)['’ ](?=\d{3}(?!\d))/g, '$1')
  const marks = number.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  const digitsAfter = last === undefined ? 0 : number.length - number.lastIndexOf(last) - 1
  const isRepeated = marks.length > 1 && marks.every(each => each === last)
  let decimal = marks.length > 1 ? last : (mark ?? last)
  if (isRepeated) decimal = last === '.' ? ',' : '.'
  else if (marks.length === 1 && digitsAfter === 3 && mark === null) {
    if (exponentOf(currency) !== 3) return { flaw: `has the price ${shortened(text)}, which can be read in two ways` }
    decimal = last
  } else if (marks.length === 1 && digitsAfter !== 3) decimal = last
  const [whole = '', fraction = '', ...more] = decimal === undefined ? [number] : number.split(decimal)
  const isGrouped = /^\d+$/.test(whole) || /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/.test(whole)
  const isFraction = /^\d*$/.test(fraction) && /^0*$/.test(fraction.slice(3))
  if (!isGrouped || !isFraction || more.length > 0) return { flaw: `has "${shortened(text)}" for a price` }
  const digits = whole.replace(/[.,]/g, '') + fraction.slice(0, 3).padEnd(3, '0')
  const amount = digits.length > 12 ? Number.POSITIVE_INFINITY : Number(digits)
  return amount > LARGEST_PRICE ? { flaw: `has the price ${shortened(text)}, which is too large` } : { amount }
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
