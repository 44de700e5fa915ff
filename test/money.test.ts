import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { amountText, type Exponent, exponentOf, majorUnits, minorUnits, share } from '../store/terms/money.ts'
import { rational } from './support/independent-calculation.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const withoutDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')
const withThree = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')
const withTwo =
  'USD EUR GBP CHF CAD AUD BRL MXN INR IDR HUF TWD CNY SEK DKK NOK PLN CZK RON TRY ZAR AED SAR ILS THB'.split(' ')
const withFour = ['CLF', 'UYW']
const noMoney = ['XAU', 'XAG', 'XPT', 'XPD', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XSU', 'XUA', 'XTS', 'XXX']
const withdrawn = [
  'DEM',
  'FRF',
  'PTE',
  'ITL',
  'HRK',
  'BYR',
  'VEF',
  'VEB',
  'ZWD',
  'ZWL',
  'SLL',
  'ANG',
  'CUC',
  'TRL',
  'MRO',
  'STD',
]
const neverWas = ['ABC', 'usd', 'Eur', 'US', 'USDT', ' USD', 'BTC', '', '840', 'constructor', 'toString', '__proto__']

test('a currency has no, three or otherwise two decimals, as the fixed table says (decision C1)', () => {
  for (const [codes, exponent] of [
    [withoutDecimals, 0],
    [withTwo, 2],
    [withThree, 3],
  ] as const) {
    for (const code of codes) assert.equal(exponentOf(code), exponent, code)
  }
})

test('a location’s currency must be an active ISO 4217 code and may not have four decimals (decision C1)', () => {
  for (const currency of [...withFour, ...noMoney, ...withdrawn, ...neverWas]) {
    assert.equal(exponentOf(currency), undefined, currency)
    const { problems } = parseRestaurantFile(JSON.stringify(smallRestaurant({ currency })))
    assert.deepEqual(
      problems.map(({ pointer }) => pointer),
      ['/locations/0/currency'],
      currency,
    )
  }
})

const exponents = fc.constantFrom<Exponent[]>(0, 2, 3)

test('a share is the exact quotient rounded half up, for amounts of any size (decision C3)', () => {
  assert.deepEqual([share(5, 1, 10), share(15, 1, 10), share(4, 1, 10), share(0, 7, 9)], [1, 2, 0, 0])
  assert.equal(share(Number.MAX_SAFE_INTEGER, 999_999, 1_000_000), 9_007_190_247_541_736)
  const whole = fc.maxSafeNat()
  fc.assert(
    fc.property(whole, fc.nat(2_000_000), fc.integer({ min: 1, max: 2_000_000 }), (amount, numerator, denominator) => {
      fc.pre(numerator <= denominator)
      const result = BigInt(share(amount, numerator, denominator))
      // Half up: the product lies within [result − ½, result + ½) of the divisor.
      const twice = 2n * BigInt(amount) * BigInt(numerator)
      const divisor = BigInt(denominator)
      assert.ok(twice >= (2n * result - 1n) * divisor && twice < (2n * result + 1n) * divisor)
    }),
  )
})

test('a catalogue price is converted to minor units by rounding half up once (decision C2)', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), exponents, (milli, exponent) => {
      const parts = 10 ** (3 - exponent)
      assert.equal(
        minorUnits(milli, exponent),
        Math.floor(milli / parts) + (milli % parts >= parts / 2 && parts > 1 ? 1 : 0),
      )
    }),
  )
})

test('an amount in major units is the JSON number with exactly its decimal digits (decision C6)', () => {
  fc.assert(
    fc.property(fc.nat(9_999_999_999), exponents, (minor, exponent) => {
      const { n, d } = rational(majorUnits(minor, exponent))
      assert.equal(n * 10n ** BigInt(exponent), BigInt(minor) * d)
    }),
  )
})

test('an amount is displayed with all the decimals of its currency', () => {
  for (const [minor, exponent, currency, text] of [
    [1250, 2, 'EUR', '12.50 EUR'],
    [5, 2, 'USD', '0.05 USD'],
    [0, 2, 'USD', '0.00 USD'],
    [980, 0, 'JPY', '980 JPY'],
    [0, 0, 'JPY', '0 JPY'],
    [5, 3, 'KWD', '0.005 KWD'],
    [12_345, 3, 'KWD', '12.345 KWD'],
    [-183, 2, 'EUR', '-1.83 EUR'],
    [9_999_999_999, 2, 'EUR', '99999999.99 EUR'],
  ] as const) {
    assert.equal(amountText(minor, exponent, currency), text)
  }
})
