import type { InCurrency } from '../store/reports/period.ts'
import { majorUnits } from '../store/terms/money.ts'
import type { Cash, Close, CountedCash, Part } from '../store/till/closes.ts'
import type { DrawerEntry } from '../store/till/drawer.ts'
import { actorText } from './activity.ts'
import { amount, type Cell, type Column, count, quantity, type Table, tableOf, words } from './cell.ts'
import { instantJson, minuteText } from './instant.ts'

/** The closes of a location as a list. */
export const closeColumns: Column<Close>[] = [
  { key: 'number', head: 'close', cell: close => count(close.number) },
  { key: 'date', head: 'day', cell: close => words(close.date) },
  { key: 'at', head: 'closed at', cell: ({ at, place }) => words(minuteText(at, place.timezone)) },
  { key: 'who', head: 'by', cell: close => words(actorText(close.actor)) },
  { key: 'expected', head: 'cash due', cell: ({ cash }) => amount(cash.expected, cash.exponent, cash.currency) },
  { key: 'counted', head: 'counted', cell: ({ cash }) => amountOrNothing(cash.counted, cash) },
  { key: 'difference', head: 'difference', cell: ({ cash }) => amountOrNothing(cash.difference, cash) },
]

function amountOrNothing(minor: number | null, { exponent, currency }: InCurrency): Cell {
  return minor === null ? words(null) : amount(minor, exponent, currency)
}

/** The entries of a drawer; instants are shown in a time zone. */
export function drawerColumns(zone: string): Column<DrawerEntry>[] {
  return [
    { key: 'at', head: 'at', cell: entry => words(minuteText(entry.at, zone)) },
    { key: 'kind', head: 'what', cell: entry => words(entry.kind.replaceAll('_', ' ')) },
    { key: 'amount', head: 'amount', cell: entry => amount(entry.amount, entry.exponent, entry.currency) },
    { key: 'who', head: 'who', cell: entry => words(actorText(entry.actor)) },
    { key: 'note', head: 'why', cell: entry => words(entry.note) },
  ]
}

/** What should be in a drawer, and of a close what was counted. */
export function cashTable(cash: Cash | CountedCash): Table {
  const of = (minor: number) => amount(minor, cash.exponent, cash.currency)
  const rows: [string, Cell][] = [
    [cash.float === null ? 'Left by the last close' : 'Float', of(cash.opening)],
    ['Payments', of(cash.taken)],
    ['Paid in', of(cash.paidIn)],
    ['Paid out', of(-cash.paidOut)],
    ['Should be in the drawer', of(cash.expected)],
  ]
  if ('counted' in cash) {
    if (cash.counted !== null) rows.push(['Counted', of(cash.counted)])
    if (cash.difference !== null) rows.push(['Difference', of(cash.difference)])
    rows.push(['Left for the next day', of(cash.left)])
  }
  return { heads: [], rows: rows.map(([label, cell]) => [words(label), cell]), sums: null }
}

/** The figures of a day, or of what came later for a closed one. */
export function partTables({ figures }: Part): Table[] {
  const money = ({ exponent, currency }: InCurrency, minor: number) => amount(minor, exponent, currency)
  const sales = figures.sales.flatMap(row => [
    [words('Orders'), count(row.orders)],
    [words('Discounts'), money(row, row.discounts)],
    [words('Sales'), money(row, row.total)],
    [words('Tax in it'), money(row, row.tax)],
    [words('Cancelled'), money(row, row.cancelledTotal), words(`in ${row.cancelledOrders}`)],
  ])
  const tax: Table = tableOf(
    [
      { key: 'rate', head: 'tax in %', cell: row => quantity(row.ratePpm, 4) },
      { key: 'net', head: 'net', cell: row => money(row, row.net) },
      { key: 'untaxed', head: 'untaxed', cell: row => money(row, row.untaxed) },
      { key: 'tax', head: 'tax', cell: row => money(row, row.tax) },
      { key: 'total', head: 'total', cell: row => money(row, row.total) },
    ],
    figures.tax,
  )
  const takings: Table = tableOf(
    [
      { key: 'method', head: 'method', cell: row => words(row.method) },
      { key: 'count', head: 'payments', cell: row => count(row.count) },
      { key: 'payments', head: 'paid', cell: row => money(row, row.payments) },
      { key: 'voided', head: 'voided', cell: row => money(row, row.voided) },
      { key: 'refunded', head: 'refunded', cell: row => money(row, row.refunded) },
      { key: 'taken', head: 'taken', cell: row => money(row, row.taken) },
    ],
    figures.takings,
  )
  return [{ heads: [], rows: sales, sums: null }, tax, takings].filter(({ rows }) => rows.length > 0)
}

export function closeJson({ locationId, number, date, at, actor, place, parts, cash, unpaid }: Close) {
  return {
    location_id: locationId,
    number,
    date,
    at: instantJson(at),
    actor: { ...actor },
    place,
    cash: cashJson(cash),
    unpaid: unpaid.map(({ currency, exponent, orders, balance }) => ({
      currency,
      orders,
      balance: majorUnits(balance, exponent),
    })),
    parts: parts.map(({ date: of, figures }) => ({
      date: of,
      sales: figures.sales.map(row => ({
        currency: row.currency,
        orders: row.orders,
        discounts: majorUnits(row.discounts, row.exponent),
        total: majorUnits(row.total, row.exponent),
        tax: majorUnits(row.tax, row.exponent),
        cancelled_orders: row.cancelledOrders,
        cancelled_total: majorUnits(row.cancelledTotal, row.exponent),
      })),
      tax: figures.tax.map(row => ({
        currency: row.currency,
        rate: row.ratePpm / 10_000,
        prices_include_tax: row.isIncluded,
        net: majorUnits(row.net, row.exponent),
        untaxed: majorUnits(row.untaxed, row.exponent),
        tax: majorUnits(row.tax, row.exponent),
        total: majorUnits(row.total, row.exponent),
      })),
      payments: figures.takings.map(row => ({
        currency: row.currency,
        method: row.method,
        count: row.count,
        paid: majorUnits(row.payments, row.exponent),
        voided: majorUnits(row.voided, row.exponent),
        refunded: majorUnits(row.refunded, row.exponent),
        taken: majorUnits(row.taken, row.exponent),
      })),
    })),
  }
}

export function cashJson(cash: Cash | CountedCash) {
  const of = (minor: number | null) => (minor === null ? null : majorUnits(minor, cash.exponent))
  return {
    currency: cash.currency,
    opening: of(cash.opening),
    taken: of(cash.taken),
    paid_in: of(cash.paidIn),
    paid_out: of(cash.paidOut),
    expected: of(cash.expected),
    ...('counted' in cash && {
      counted: of(cash.counted),
      difference: of(cash.difference),
      left: of(cash.left),
      note: cash.note,
    }),
  }
}

export function drawerJson({
  id,
  kind,
  amount: minor,
  currency,
  exponent,
  note,
  at,
  businessDate,
  actor,
}: DrawerEntry) {
  return {
    id,
    kind,
    amount: majorUnits(minor, exponent),
    currency,
    note,
    at: instantJson(at),
    business_date: businessDate,
    actor: { ...actor },
  }
}
