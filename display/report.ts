import type { Account } from '../store/reports/accounts.ts'
import type { InCurrency, WantedPeriod } from '../store/reports/period.ts'
import type { Reports, Summary } from '../store/reports/reports.ts'
import type { Sales } from '../store/reports/sales.ts'
import { share } from '../store/terms/money.ts'
import { groupBy } from '../store/terms/rows.ts'
import { actorText } from './activity.ts'
import * as cells from './cell.ts'
import { type Cell, type Column, cellJson, type Table, tableOf } from './cell.ts'
import { csv } from './csv.ts'
import { instantJson } from './instant.ts'
import { orderNumber } from './order.ts'

export type ReportName = Exclude<keyof Reports, 'period'>
type RowOf<Name extends ReportName> = ReturnType<Reports[Name]>[number]

const amount = <Row extends InCurrency>(
  key: string,
  head: string,
  value: (row: Row) => number,
  adds = true,
): Column<Row> => ({ key, head, adds, cell: row => cells.amount(value(row), row.exponent) })

const number = <Row>(key: string, head: string, value: (row: Row) => number): Column<Row> => ({
  key,
  head,
  adds: true,
  cell: row => cells.count(value(row)),
})

const name = <Row>(key: string, head: string, value: (row: Row) => string | null): Column<Row> => ({
  key,
  head,
  cell: row => cells.words(value(row)),
})

const id = <Row>(key: string, head: string, value: (row: Row) => number | null): Column<Row> => ({
  key,
  head,
  cell: row => cells.count(value(row)),
})

/** A figure that is stored as an integer of its last decimal. */
const measure = <Row>(key: string, head: string, decimals: number, value: (row: Row) => number): Column<Row> => ({
  key,
  head,
  cell: row => cells.quantity(value(row), decimals),
})

const salesColumns: Column<Sales>[] = [
  number('orders', 'orders', row => row.orders),
  amount('subtotal', 'subtotal', row => row.subtotal),
  amount('discounts', 'discounts', row => row.discounts),
  amount('service_charge', 'service', row => row.serviceCharge),
  amount('delivery_fee', 'delivery', row => row.deliveryFee),
  amount('tax_added', 'tax added', row => row.taxAdded),
  amount('total', 'total', row => row.total),
  amount('tax', 'tax in it', row => row.tax),
]

const accountColumns: Column<Account>[] = [
  amount('charges', 'Charges', row => row.charges),
  amount('adjustments', 'Adjustments', row => row.adjustments),
  amount('charge_voids', 'Charges voided', row => row.chargeVoids),
  amount('credits', 'Credits', row => row.credits),
  amount('payments', 'Payments', row => row.payments),
  amount('payment_voids', 'Payments voided', row => row.paymentVoids),
  amount('refunds', 'Refunds', row => row.refunds),
  amount('balance', 'Balance', row => row.balance),
]

const accountOf = (prefix: string, account: (row: Summary) => Account): Column<Summary>[] =>
  accountColumns.map(column => ({
    key: `${prefix}_${column.key}`,
    head: column.head,
    cell: row => column.cell(account(row)),
  }))

const headings: Record<ReportName, string> = {
  summary: 'Summary',
  days: 'Sales by day',
  comparison: 'Sales compared with the weeks before',
  hours: 'Sales by hour',
  weekdays: 'Sales by weekday and hour',
  channels: 'Sales by channel',
  modes: 'Sales by mode',
  tables: 'Sales by table',
  items: 'Items sold',
  modifiers: 'Options sold',
  tax: 'Tax by rate',
  payments: 'Payments by method',
  cancelled: 'Cancelled orders',
  staff: 'Sales and payments by staff',
  entries: 'Entries of the accounts',
  stock: 'Stock used',
}

const columns: { [Name in ReportName]: Column<RowOf<Name>>[] } = {
  summary: [
    ...salesColumns.map(column => ({ ...column, cell: ({ sales }: Summary) => column.cell(sales) })),
    amount('average', 'average', ({ sales }) => (sales.orders === 0 ? 0 : share(sales.total, 1, sales.orders))),
    number('cancelled_orders', 'cancelled orders', row => row.cancelled.orders),
    amount('cancelled_total', 'cancelled total', row => row.cancelled.total),
    ...accountOf('orders', row => row.ofOrders),
    ...accountOf('days', row => row.ofDays),
  ],
  days: [name('date', 'day', row => row.date), ...salesColumns],
  comparison: [
    name('date', 'day', row => row.date),
    number('orders', 'orders', row => row.orders),
    amount('total', 'total', row => row.total),
    name('date_before', 'day before', row => row.dateBefore),
    number('orders_before', 'orders then', row => row.ordersBefore),
    amount('total_before', 'total then', row => row.totalBefore),
    amount('change', 'change', row => row.change),
  ],
  hours: [name('hour', 'hour', row => hourText(row.hour)), ...salesColumns],
  weekdays: [
    name('weekday', 'weekday', row => row.weekday),
    name('hour', 'hour', row => hourText(row.hour)),
    ...salesColumns,
  ],
  channels: [name('channel', 'channel', row => row.channel), ...salesColumns],
  modes: [name('mode', 'mode', row => row.mode ?? 'none'), ...salesColumns],
  tables: [
    name('table', 'table', row => row.table ?? 'none'),
    id('table_id', 'id', row => row.tableId),
    ...salesColumns,
  ],
  items: [
    name('name', 'item', row => row.name),
    id('item_id', 'id', row => row.itemId),
    id('variation_id', 'size', row => row.variationId),
    number('lines', 'lines', row => row.lines),
    { ...measure('qty', 'quantity', 3, row => row.qtyMilli), adds: true },
    amount('amount', 'amount', row => row.amount),
  ],
  modifiers: [
    name('title', 'option', row => row.title ?? 'the dishes themselves'),
    name('group', 'group', row => row.group),
    id('modifier_id', 'id', row => row.modifierId),
    measure('qty', 'quantity', 3, row => row.qtyMilli),
    measure('free', 'of it free', 3, row => row.freeMilli),
    amount('amount', 'amount', row => row.amount),
  ],
  tax: [
    name('prices', 'prices', row => (row.isIncluded ? 'include tax' : 'exclude tax')),
    measure('rate', 'rate in %', 4, row => row.ratePpm),
    // An order with several rates is in the row of each.
    { ...number('orders', 'orders', row => row.orders), adds: false },
    amount('net', 'net', row => row.net),
    amount('untaxed', 'untaxed', row => row.untaxed),
    amount('tax', 'tax', row => row.tax),
    amount('total', 'total', row => row.total),
  ],
  payments: [
    name('method', 'method', row => row.method),
    number('count', 'payments', row => row.count),
    amount('payments', 'paid', row => row.payments),
    amount('voided', 'voided', row => row.voided),
    amount('refunded', 'refunded', row => row.refunded),
    amount('taken', 'taken', row => row.taken),
  ],
  cancelled: [
    name('order_number', 'order', row => orderNumber(row.number)),
    id('order_id', 'id', row => row.orderId),
    name('date', 'placed on', row => row.date),
    id('location_id', 'location', row => row.locationId),
    name('channel', 'channel', row => row.channel),
    name('mode', 'mode', row => row.mode),
    name('reason', 'reason', row => row.reason),
    amount('total', 'total', row => row.total),
  ],
  staff: [
    name('who', 'who', row => (row.who === null ? 'guests and others' : actorText(row.who))),
    number('orders', 'orders', row => row.orders),
    amount('discounts', 'discounts', row => row.discounts),
    amount('total', 'total', row => row.total),
    number('payments', 'payments', row => row.payments),
    amount('taken', 'taken', row => row.taken),
    amount('voided', 'voided', row => row.voided),
    amount('refunded', 'refunded', row => row.refunded),
    amount('credits', 'credits', row => row.credits),
    number('cancelled', 'cancelled', row => row.cancelled),
    amount('cancelled_total', 'cancelled total', row => row.cancelledTotal),
  ],
  entries: [
    name('date', 'day', row => row.date),
    name('at', 'at', row => instantJson(row.at)),
    name('order_number', 'order', row => orderNumber(row.number)),
    id('order_id', 'id', row => row.orderId),
    name('order_date', 'placed on', row => row.orderDate),
    id('location_id', 'location', row => row.locationId),
    id('entry', 'entry', row => row.entry),
    name('kind', 'what', row => row.kind),
    name('method', 'method', row => row.method),
    amount('amount', 'amount', row => row.amount),
    name('note', 'why', row => row.note),
  ],
  stock: [
    name('title', 'stock', row => row.title),
    id('location_id', 'location', row => row.locationId),
    id('stock_id', 'id', row => row.stockId),
    name('unit', 'unit', row => row.unit),
    measure('delivered', 'delivered', 6, row => row.delivered),
    measure('counted', 'counted', 6, row => row.counted),
    measure('sold', 'sold', 6, row => row.sold),
    measure('returned', 'returned', 6, row => row.returned),
    measure('wasted', 'wasted', 6, row => row.wasted),
    measure('change', 'change', 6, row => row.change),
    measure('on_hand', 'on hand now', 6, row => row.onHand),
  ],
}

export const reportNames = Object.keys(headings) as ReportName[]

/** The longest period of a report, in days; where there is none, a report is much shorter than what it sums up. */
export const mostDays: Partial<Record<ReportName, number>> = { entries: 31 }

/** A report as it is shown: its title, and a part for each currency. */
export interface ShownReport {
  heading: string
  /** One part for each currency, because currencies are never added up; stock has none. `tables` are `table` laid out for reading. */
  sections: { currency: string | null; table: Table; tables: Table[] }[]
  json: unknown
  /** RFC 4180, without the last line break. */
  csv: string
}

/** Reads a report and prepares it for display; `period` is in business dates. */
export function showReport<Name extends ReportName>(chosen: Name, reports: Reports, period: WantedPeriod): ShownReport {
  const source: { [Each in ReportName]: (period: WantedPeriod) => RowOf<Each>[] } = reports
  const rows: RowOf<Name>[] = source[chosen](period)
  const shape: Column<RowOf<Name>>[] = columns[chosen]
  const all = chosen === 'stock' ? shape : [name<RowOf<Name>>('currency', 'currency', currencyOf), ...shape]
  const days = period.from === period.to ? period.from : `${period.from} to ${period.to}`
  return {
    heading: `${headings[chosen]}, ${days}${placeText(period)}`,
    sections: [...groupBy(rows, currencyOf)].map(([currency, part]) => {
      const table = tableOf(shape, part)
      return { currency, table, tables: chosen === 'summary' ? (part as Summary[]).flatMap(summaryTables) : [table] }
    }),
    json: {
      report: chosen,
      from: period.from,
      to: period.to,
      location_id: period.locationId,
      channel: period.channel ?? null,
      rows: rows.map(row => Object.fromEntries(all.map(({ key, cell }) => [key, cellJson(cell(row))]))),
    },
    csv: csv(
      all.map(({ key }) => key),
      rows.map(row => all.map(({ cell }) => cell(row))),
    ),
  }
}

function placeText({ locationId, channel }: WantedPeriod): string {
  return `${locationId === null ? '' : `, location ${locationId}`}${channel ? `, ${channel}` : ''}`
}

function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

function currencyOf(row: object): string | null {
  return 'currency' in row ? String(row.currency) : null
}

const summaryHeads = [
  'Orders',
  'Subtotal',
  'Discounts',
  'Service charge',
  'Delivery',
  'Tax added',
  'Total',
  'Tax in it',
]

/** One currency of a summary: what was sold and cancelled, and the ledger from both sides. */
function summaryTables(row: Summary): Table[] {
  const figure = (key: string): Cell => columns.summary.find(column => column.key === key)?.cell(row) ?? cells.words('')
  const { orders: cancelled } = row.cancelled
  return [
    {
      heads: [],
      rows: [
        ...salesColumns.map(({ key }, index) => [cells.words(summaryHeads[index] ?? key), figure(key)]),
        [cells.words('Average order'), figure('average')],
        [
          cells.words('Cancelled'),
          figure('cancelled_total'),
          cells.words(`in ${cancelled} order${cancelled === 1 ? '' : 's'}`),
        ],
      ],
      sums: null,
    },
    {
      heads: ['Ledger', 'of these orders', 'on these days'],
      rows: accountColumns.map(({ key, head }) => [cells.words(head), figure(`orders_${key}`), figure(`days_${key}`)]),
      sums: null,
    },
  ]
}
