// Notes and coins in circulation, in minor units, largest first. Of other currencies an amount is counted as a sum.
const denominations: Record<string, readonly number[]> = {
  EUR: [50000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1],
  GBP: [5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1],
  USD: [10000, 5000, 2000, 1000, 500, 200, 100, 50, 25, 10, 5, 1],
  CHF: [100000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5],
  BRL: [20000, 10000, 5000, 2000, 1000, 500, 200, 100, 50, 25, 10, 5],
}

/** The notes and coins of a currency in minor units, largest first; none if they are not known here. */
export function denominationsOf(currency: string): readonly number[] {
  return Object.hasOwn(denominations, currency) ? (denominations[currency] ?? []) : []
}
