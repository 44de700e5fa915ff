import type { Promotion } from '../catalogue/catalogue.ts'
import type { Db } from '../file/open.ts'
import type { Channel, ServiceMode, Source } from '../terms/channels.ts'
import type { ItemId, LocationId, OrderId, OrderLineId, TableId, VariationId } from '../terms/ids.ts'
import type { Exponent } from '../terms/money.ts'
import type { Draft } from './draft.ts'
import type { PricedLine, PricedModifier } from './pricing.ts'
import type { Fulfilment, Status } from './status.ts'
import { onlyTaxLine, storedTaxLines, type TaxLine } from './tax.ts'

/** An order as it is stored. Amounts are minor units of `currency`. */
export interface Order {
  id: OrderId
  number: number
  locationId: LocationId
  source: Source
  channel: Channel
  serviceMode: string | null
  mode: ServiceMode | null
  status: Status
  fulfillmentStatus: Fulfilment
  currency: string
  exponent: Exponent
  subtotal: number
  discountTotal: number
  serviceCharge: number
  deliveryFee: number
  taxTotal: number
  grandTotal: number
  /** The location's own rate in the mode of the order. */
  taxPpm: number | null
  /** The tax at each rate, the highest first; they add up to `taxTotal` (decision C8). */
  taxLines: TaxLine[]
  pricesIncludeTax: boolean
  serviceChargePpm: number
  serviceChargeTaxable: boolean
  deliveryFeeTaxable: boolean
  promotion: PromotionSnapshot | null
  /** The manual discount by staff; like the promotion, a part of `discountTotal`. */
  manualDiscount: ManualDiscount | null
  notes: string | null
  customer: Draft['customer']
  cancelReason: string | null
  placedAt: number
  businessDate: string
  tableId: TableId | null
  /** The title of the table when the order was placed. */
  tableTitle: string | null
  /** When the guest wants it (UTC milliseconds); null: as soon as possible. */
  wantedAt: number | null
  deliveryAddress: string | null
  deliveryPostcode: string | null
  lines: OrderLine[]
}

export interface OrderLine {
  id: OrderLineId
  itemId: ItemId
  variationId: VariationId | null
  name: string
  qtyMilli: number
  unitPrice: number
  modifiersTotal: number
  lineTotal: number
  notes: string | null
  modifiers: PricedModifier[]
  /** The rate of the line in millionths. */
  taxPpm: number
}

export type PromotionSnapshot = Pick<Promotion, 'id' | 'title' | 'discount'>

export type ManualDiscount = { reason: string } & Promotion['discount']

/** An order that has no id yet, because it is about to be written. */
export type NewOrder = Omit<Order, 'id' | 'lines'>

type Value = number | string | null

/** A row of `SELECT id, ${columns}`, by column name. */
export type OrderRow = Record<string, Value>

/** A member of an order, its column, and its form there: unchanged, a boolean as 0 or 1, JSON, or a list as JSON or NULL. */
type Column<Whole> = [part: keyof Whole & string, column: string, as?: 'flag' | 'json' | 'list']

const orderColumns: Column<NewOrder>[] = [
  ['number', 'number'],
  ['locationId', 'location_id'],
  ['source', 'source'],
  ['channel', 'channel'],
  ['serviceMode', 'service_mode'],
  ['mode', 'mode'],
  ['status', 'status'],
  ['fulfillmentStatus', 'fulfillment_status'],
  ['currency', 'currency'],
  ['exponent', 'exponent'],
  ['subtotal', 'subtotal_minor'],
  ['discountTotal', 'discount_minor'],
  ['serviceCharge', 'service_charge_minor'],
  ['deliveryFee', 'delivery_fee_minor'],
  ['taxTotal', 'tax_minor'],
  ['grandTotal', 'grand_total_minor'],
  ['taxPpm', 'tax_ppm'],
  ['pricesIncludeTax', 'prices_include_tax', 'flag'],
  ['serviceChargePpm', 'service_charge_ppm'],
  ['serviceChargeTaxable', 'service_charge_taxable', 'flag'],
  ['deliveryFeeTaxable', 'delivery_fee_taxable', 'flag'],
  ['promotion', 'promotion', 'json'],
  ['manualDiscount', 'manual_discount', 'json'],
  ['notes', 'notes'],
  ['cancelReason', 'cancel_reason'],
  ['placedAt', 'placed_at'],
  ['businessDate', 'business_date'],
  ['tableId', 'table_id'],
  ['tableTitle', 'table_title'],
  ['wantedAt', 'wanted_at'],
  ['deliveryAddress', 'delivery_address'],
  ['deliveryPostcode', 'delivery_postcode'],
]

const customerFields = ['name', 'phone', 'email'] as const

const lineColumns: Column<PricedLine>[] = [
  ['itemId', 'item_id'],
  ['variationId', 'variation_id'],
  ['name', 'name'],
  ['qtyMilli', 'qty_milli'],
  ['unitPrice', 'unit_minor'],
  ['modifiersTotal', 'modifiers_minor'],
  ['lineTotal', 'total_minor'],
  ['notes', 'notes'],
  ['modifiers', 'modifiers', 'list'],
]

const namesOf = (columns: readonly [string, string, ...unknown[]][]) => columns.map(([, column]) => column)
const orderNames = [...namesOf(orderColumns), ...customerFields.map(field => `customer_${field}`)]
const lineNames = namesOf(lineColumns)

/** The columns that `orderReader` needs, for a SELECT from `orders`. */
export const selectedColumns = ['id', 'tax_lines', ...orderNames].join(', ')

function addValues<Whole>(values: unknown[], whole: Whole, columns: Column<Whole>[]): void {
  for (const [part, , as] of columns) {
    const value: unknown = whole[part]
    if (as === undefined) values.push(value)
    else if (as === 'flag') values.push(Number(value))
    else values.push(value === null || (as === 'list' && isEmpty(value)) ? null : JSON.stringify(value))
  }
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function partsOf<Whole>(row: OrderRow, columns: Column<Whole>[]): Record<string, unknown> {
  const parts: Record<string, unknown> = {}
  for (const [part, column, as] of columns) {
    const value = row[column]
    if (as === undefined) parts[part] = value
    else if (as === 'flag') parts[part] = value === 1
    else parts[part] = value === null ? (as === 'list' ? [] : null) : JSON.parse(String(value))
  }
  return parts
}

/** Writes orders and their lines, inside the caller's transaction. */
export function orderWriter(db: Db) {
  const insert = (table: string, names: string[]) =>
    db.prepare<unknown[]>(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
  const insertOrder = insert('orders', ['stock_taken', 'tax_lines', ...orderNames])
  const insertLine = insert('order_line', ['order_id', 'tax_ppm', ...lineNames])
  const removeLine = db.prepare<[number, OrderLineId]>('UPDATE order_line SET removed_at = ? WHERE id = ?')

  function addLine(orderId: OrderId, ownPpm: number, line: PricedLine): OrderLine {
    // Values are bound by position: binding by name takes longer than writing the row.
    const values: unknown[] = [orderId, line.taxPpm === ownPpm ? null : line.taxPpm]
    addValues(values, line, lineColumns)
    return Object.assign(line, { id: insertLine.run(...values).lastInsertRowid as OrderLineId })
  }

  /** Writes lines of an order whose own tax rate is `taxPpm`. */
  function addLines(orderId: OrderId, { taxPpm }: Pick<Order, 'taxPpm'>, lines: PricedLine[]): OrderLine[] {
    return lines.map(line => addLine(orderId, taxPpm ?? 0, line))
  }

  return {
    /** Writes a new order with its lines. `stockTaken`: its stock is taken now (decision E3). */
    add(order: NewOrder, lines: PricedLine[], stockTaken: boolean): Order {
      const values: unknown[] = [Number(stockTaken), storedTaxLines(order)]
      addValues(values, order, orderColumns)
      for (const field of customerFields) values.push(order.customer[field])
      const id = insertOrder.run(...values).lastInsertRowid as OrderId
      return Object.assign(order, { id, lines: addLines(id, order, lines) })
    },

    addLines,

    removeLines(lines: Pick<OrderLine, 'id'>[], at: number): void {
      for (const { id } of lines) removeLine.run(at, id)
    },
  }
}

/** Returns the function that reads a whole order, with its lines, from a row of `selectedColumns`. */
export function orderReader(db: Db): (row: OrderRow) => Order {
  const selectLines = db.prepare<[Value], OrderRow>(
    `SELECT id, tax_ppm, ${lineNames.join(', ')} FROM order_line WHERE order_id = ? AND removed_at IS NULL ORDER BY id`,
  )
  return row => {
    const customer = Object.fromEntries(customerFields.map(field => [field, row[`customer_${field}`]]))
    const lines = selectLines.all(row.id ?? null).map(line => {
      return { id: line.id, taxPpm: line.tax_ppm ?? row.tax_ppm ?? 0, ...partsOf(line, lineColumns) }
    })
    const order = { id: row.id, ...partsOf(row, orderColumns), customer, lines } as Order
    order.taxLines = row.tax_lines == null ? [onlyTaxLine(order)] : JSON.parse(String(row.tax_lines))
    return order
  }
}
