import type { Account, Takings } from '../reports/accounts.ts'
import type { InCurrency, WantedPeriod } from '../reports/period.ts'
import type { Reports } from '../reports/reports.ts'
import type { Sales, TaxedSales } from '../reports/sales.ts'

/** The sales of a day, and the orders of that day that were cancelled. */
export interface DaySales extends Sales {
  cancelledOrders: number
  cancelledTotal: number
}

/** Cash that was put into a drawer or taken out of it, apart from payments and refunds. */
export interface DrawerSums extends InCurrency {
  paidIn: number
  paidOut: number
}

/** What a business day of a location consists of: sums that can be added and subtracted. Each list has its rows by currency. */
export interface DayFigures {
  sales: DaySales[]
  tax: TaxedSales[]
  takings: Takings[]
  /** The entries that were recorded on the day, for orders of any day. */
  accounts: Account[]
  drawer: DrawerSums[]
}

const sums = {
  sales: [
    'orders',
    'subtotal',
    'discounts',
    'serviceCharge',
    'deliveryFee',
    'taxAdded',
    'total',
    'tax',
    'cancelledOrders',
    'cancelledTotal',
  ],
  tax: ['orders', 'net', 'untaxed', 'tax', 'total'],
  takings: ['count', 'payments', 'voided', 'refunded', 'taken'],
  accounts: ['charges', 'adjustments', 'chargeVoids', 'credits', 'payments', 'paymentVoids', 'refunds', 'balance'],
  drawer: ['paidIn', 'paidOut'],
} as const satisfies { [List in keyof DayFigures]: (keyof DayFigures[List][number])[] }

export const noFigures: DayFigures = { sales: [], tax: [], takings: [], accounts: [], drawer: [] }

/** Reads the figures of a day as the reports show them now, in a transaction of the caller. */
export function readFigures(
  reports: Pick<Reports, 'summary' | 'tax' | 'payments'>,
  drawer: DrawerSums[],
  period: WantedPeriod,
): DayFigures {
  const summary = reports.summary(period)
  return {
    sales: summary.map(({ sales, cancelled }) => ({
      ...sales,
      cancelledOrders: cancelled.orders,
      cancelledTotal: cancelled.total,
    })),
    tax: reports.tax(period),
    takings: reports.payments(period),
    accounts: summary.map(({ ofDays }) => ofDays),
    drawer,
  }
}

/** What `present` has more than `counted`; rows without any difference are left out. */
export function differenceOf(present: DayFigures, counted: DayFigures): DayFigures {
  return combined(present, counted, -1)
}

export function sumOf(all: DayFigures[]): DayFigures {
  return all.reduce((sum, figures) => combined(sum, figures, 1), noFigures)
}

export function isNothing(figures: DayFigures): boolean {
  return Object.values(figures).every(rows => rows.length === 0)
}

function combined(a: DayFigures, b: DayFigures, sign: 1 | -1): DayFigures {
  const byCurrency = ({ currency }: InCurrency) => currency
  return {
    sales: rowsOf(a.sales, b.sales, sign, sums.sales, byCurrency),
    tax: rowsOf(a.tax, b.tax, sign, sums.tax, row => `${row.currency} ${row.ratePpm} ${row.isIncluded}`),
    takings: rowsOf(a.takings, b.takings, sign, sums.takings, row => `${row.currency} ${row.method}`),
    accounts: rowsOf(a.accounts, b.accounts, sign, sums.accounts, byCurrency),
    drawer: rowsOf(a.drawer, b.drawer, sign, sums.drawer, byCurrency),
  }
}

function rowsOf<Row>(
  a: Row[],
  b: Row[],
  sign: 1 | -1,
  fields: readonly (keyof Row & string)[],
  keyOf: (row: Row) => string,
): Row[] {
  const before = new Map(a.map(row => [keyOf(row), row]))
  const after = new Map(b.map(row => [keyOf(row), row]))
  const rows: Row[] = []
  for (const [key, row] of new Map([...after, ...before])) {
    const values = fields.map(
      field => Number(before.get(key)?.[field] ?? 0) + sign * Number(after.get(key)?.[field] ?? 0),
    )
    if (values.every(value => value === 0)) continue
    rows.push({ ...row, ...Object.fromEntries(fields.map((field, index) => [field, values[index]])) })
  }
  return rows
}
