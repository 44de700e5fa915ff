import type { Catalogue, Promotion } from '../catalogue/catalogue.ts'
import { buryFailedCommit } from '../file/commits.ts'
import { isBusy } from '../file/failures.ts'
import type { Db } from '../file/open.ts'
import { routeLines } from '../kitchen/routing.ts'
import type { Tickets } from '../kitchen/tickets.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type DepleteAt, demandOfAll, type Fit, isCountable, type OrderStock, type Sales } from '../stock/depletion.ts'
import type { Pantry } from '../stock/recipes.ts'
import type { Channel, ServiceMode, Source } from '../terms/channels.ts'
import { businessDate, type Clock, timeZone } from '../terms/clock.ts'
import { collectFaults } from '../terms/faults.ts'
import type { ItemId, LocationId, OrderId, OrderLineId, VariationId } from '../terms/ids.ts'
import type { Exponent } from '../terms/money.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
import type { Draft } from './draft.ts'
import { type Announcing, eventsOfPlacing } from './events.ts'
import { orderLines } from './order-lines.ts'
import { type PricedModifier, type PricedOrder, priceOrder } from './pricing.ts'
import type { Fulfilment, Status } from './status.ts'
import { storedTaxLines, type TaxLine } from './tax.ts'

/** An order as it is kept. Amounts are minor units of `currency`. */
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
  /** What the house let the guest off, besides the promotion and as a part of `discountTotal`. */
  manualDiscount: ManualDiscount | null
  notes: string | null
  customer: Draft['customer']
  cancelReason: string | null
  placedAt: number
  businessDate: string
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

/** Leave to create one order, such as the caller's share of the order limit; taken just before the order is written. */
export interface Permit {
  take(): boolean
  /** Undoes `take`, because the order was not created after all. */
  giveBack(): void
}

/** The house itself places as many orders as it likes. */
export const freePermit: Permit = { take: () => true, giveBack() {} }

export type Placed = Order | Refusal<'unknown location' | 'faults' | 'order limit'>

const LAST_NUMBER = 999_999

// While another process writes, a batch tries again this often, and gives up when its oldest order has waited so long.
const RETRY_AFTER = 20
const LONGEST_WAIT = 5000

interface Wanted {
  draft: Draft
  source: Source
  permit: Permit
}

interface Waiting extends Wanted {
  since: number
  resolve(placed: Placed): void
  reject(error: unknown): void
}

export interface OrdersContext extends Announcing {
  clock: Clock
  catalogue(): Catalogue
  /** Called in the transaction in which something ran out. */
  markMenuChanged(): void
  tickets: Tickets
  ledger: Ledger
  stock: OrderStock
  /** The status at which orders take their stock. */
  depleteAt(): DepleteAt
  /** Sees what other processes have changed. */
  refresh(): void
  /** How many orders share one commit at most. */
  perCommit: number
}

/**
 * Places orders. Those that arrive in the same turn of the event loop share one transaction, and so one fsync; each is
 * answered after the commit. What can be refused is refused before the first write, so a refusal leaves no trace.
 */
export function orders(db: Db, context: OrdersContext) {
  const { clock } = context
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const selectLastNumber = db.prepare<[], number>('SELECT number FROM orders ORDER BY id DESC LIMIT 1').pluck()
  const insertOrder = db.prepare<Record<string, unknown>>(
    `INSERT INTO orders (number, location_id, source, channel, service_mode, mode, status, fulfillment_status, currency,
       exponent, subtotal_minor, discount_minor, service_charge_minor, delivery_fee_minor, tax_minor, grand_total_minor,
       tax_ppm, prices_include_tax, service_charge_ppm, service_charge_taxable, delivery_fee_taxable, promotion, notes,
       customer_name, customer_phone, customer_email, placed_at, business_date, stock_taken, tax_lines)
     VALUES (@number, @locationId, @source, @channel, @serviceMode, @mode, @status, @fulfillmentStatus, @currency,
       @exponent, @subtotal, @discountTotal, @serviceCharge, @deliveryFee, @taxTotal, @grandTotal,
       @taxPpm, @pricesIncludeTax, @serviceChargePpm, @serviceChargeTaxable, @deliveryFeeTaxable, @promotion, @notes,
       @customerName, @customerPhone, @customerEmail, @placedAt, @businessDate, @stockTaken, @taxLines)`,
  )
  const lineWriter = orderLines(db)

  const queue: Waiting[] = []
  let isFlushPlanned = false
  let hasEvents = false

  /**
   * Creates an order and answers once it is safely on disk, or why it is refused: the location (section 4.3), its lines
   * (decisions A2, D1 to D4) or the permit. Rejects when the order could not be written; then nothing of it is left.
   */
  function place(draft: Draft, source: Source, permit: Permit): Promise<Placed> {
    return new Promise((resolve, reject) => {
      queue.push({ draft, source, permit, since: clock.elapsed(), resolve, reject })
      if (!isFlushPlanned) planFlush()
    })
  }

  function planFlush(): void {
    isFlushPlanned = true
    setImmediate(flush)
  }

  function flush(): void {
    isFlushPlanned = false
    commitOrWait(queue.splice(0, context.perCommit))
    if (queue.length > 0 && !isFlushPlanned) planFlush()
  }

  /** Creates the orders of a batch in a transaction of theirs, or later, while another process writes. */
  function commitOrWait(batch: Waiting[]): void {
    try {
      begin.run()
    } catch (error) {
      if (isBusy(error)) tryAgain(batch, error)
      else for (const waiting of batch) waiting.reject(error)
      return
    }
    commitTogether(batch)
  }

  function tryAgain(batch: Waiting[], error: unknown): void {
    const now = clock.elapsed()
    const patient = batch.filter(waiting => now - waiting.since < LONGEST_WAIT)
    for (const waiting of batch) if (!patient.includes(waiting)) waiting.reject(error)
    queue.unshift(...patient)
    if (queue.length === 0 || isFlushPlanned) return
    isFlushPlanned = true
    setTimeout(flush, RETRY_AFTER)
  }

  /** Runs a batch in the transaction that is open. If anything throws, each order is tried by itself. */
  function commitTogether(batch: Waiting[]): void {
    const taken: Permit[] = []
    let outcomes: Placed[]
    hasEvents = false
    try {
      outcomes = createAll(batch, taken)
      commit.run()
    } catch (error) {
      // SQLite has already rolled back by itself after some errors, a full disk among them.
      if (db.inTransaction) rollback.run()
      // Whoever is told that an order was not created may order again.
      buryFailedCommit(db, error)
      for (const permit of taken) permit.giveBack()
      const [only, ...others] = batch
      if (others.length === 0) only?.reject(error)
      else for (const waiting of batch) commitOrWait([waiting])
      return
    }
    for (const [index, waiting] of batch.entries()) waiting.resolve(outcomes[index] as Placed)
    if (hasEvents) context.onEvents()
  }

  function createAll(batch: Wanted[], taken: Permit[]): Placed[] {
    // Inside the transaction nobody else can write, so what is seen now holds until the commit.
    context.refresh()
    const catalogue = context.catalogue()
    const instant = clock.now()
    const takesStock = context.depleteAt() === 'placed'
    let number = selectLastNumber.get() ?? 0
    const sales = context.stock.sales()
    const outcomes = batch.map(({ draft, source, permit }): Placed => {
      const menu = catalogue.menu(draft.locationId)
      if (!menu) return { refused: 'unknown location', location: draft.locationId }
      const wall = timeZone(menu.location.timezone).at(instant)
      const priced = priceOrder(draft, menu, wall)
      if (isRefused(priced)) return priced
      const pantry = catalogue.pantry(draft.locationId)
      const fit = checkStock(priced, pantry, takesStock ? sales : undefined)
      if (isRefused(fit)) return fit
      if (!permit.take()) return { refused: 'order limit' }
      taken.push(permit)

      number = number >= LAST_NUMBER ? 1 : number + 1
      const kitchen = catalogue.kitchen(draft.locationId)
      const routed = kitchen && routeLines(kitchen, draft.lines, { channel: draft.channel, mode: priced.mode })
      const order = write(draft, priced, {
        number,
        source,
        placedAt: instant,
        businessDate: businessDate(wall, menu.location.dayStartsAt),
        fulfillmentStatus: routed && routed.size > 0 ? 'in_kitchen' : null,
        stockTaken: Number(takesStock),
      })
      if (routed) context.tickets.open(order.id, 1, routed, order.lines, instant)
      context.ledger.charge(order.id, order.grandTotal, instant, order.businessDate)
      if (pantry && fit) sales.sell(fit, pantry, order.id, instant)
      for (const event of eventsOfPlacing(order, source)) if (context.outbox.add(event)) hasEvents = true
      return order
    })
    // Only now: the orders of a batch are all held to the menu that the first of them saw, and to what is on hand.
    if (sales.settle()) context.markMenuChanged()
    return outcomes
  }

  /** Refuses an order whose lines take more stock than there is, when orders take theirs at once (decision E3). */
  function checkStock(
    { lines }: PricedOrder,
    pantry: Pantry | undefined,
    sales: Sales | undefined,
  ): Fit | undefined | Refusal<'faults'> {
    if (!pantry) return undefined
    const faults = collectFaults()
    if (!sales) {
      if (isCountable(demandOfAll(lines, pantry))) return undefined
      faults.add('tooLarge', '/items')
      return { refused: 'faults', faults: faults.list }
    }
    const fit = sales.fit(lines, pantry)
    for (const index of fit.short) faults.add('unavailableItem', `/items/${index}`)
    return fit.short.length === 0 ? fit : { refused: 'faults', faults: faults.list }
  }

  // Field by field: to spread one object into another takes longer than to write it to the file.
  function write(
    draft: Draft,
    priced: PricedOrder,
    placed: Pick<Order, 'number' | 'source' | 'placedAt' | 'businessDate' | 'fulfillmentStatus'> & {
      stockTaken: number
    },
  ): Order {
    const { location, promotion } = priced
    const order: Omit<Order, 'id' | 'lines'> = {
      number: placed.number,
      locationId: location.id,
      source: placed.source,
      channel: draft.channel,
      serviceMode: draft.serviceMode,
      mode: priced.mode,
      status: 'placed',
      fulfillmentStatus: placed.fulfillmentStatus,
      currency: location.currency,
      exponent: location.exponent,
      subtotal: priced.subtotal,
      discountTotal: priced.discountTotal,
      serviceCharge: priced.serviceCharge,
      deliveryFee: priced.deliveryFee,
      taxTotal: priced.taxTotal,
      grandTotal: priced.grandTotal,
      taxPpm: priced.taxPpm,
      taxLines: priced.taxLines,
      pricesIncludeTax: location.pricesIncludeTax,
      serviceChargePpm: location.serviceChargePpm,
      serviceChargeTaxable: location.serviceChargeTaxable,
      deliveryFeeTaxable: location.deliveryFeeTaxable,
      promotion: promotion && { id: promotion.id, title: promotion.title, discount: promotion.discount },
      manualDiscount: null,
      notes: draft.notes,
      customer: draft.customer,
      cancelReason: null,
      placedAt: placed.placedAt,
      businessDate: placed.businessDate,
    }
    const id = insertOrder.run({
      number: order.number,
      locationId: order.locationId,
      source: order.source,
      channel: order.channel,
      serviceMode: order.serviceMode,
      mode: order.mode,
      status: order.status,
      fulfillmentStatus: order.fulfillmentStatus,
      currency: order.currency,
      exponent: order.exponent,
      subtotal: order.subtotal,
      discountTotal: order.discountTotal,
      serviceCharge: order.serviceCharge,
      deliveryFee: order.deliveryFee,
      taxTotal: order.taxTotal,
      grandTotal: order.grandTotal,
      taxPpm: order.taxPpm,
      pricesIncludeTax: Number(order.pricesIncludeTax),
      serviceChargePpm: order.serviceChargePpm,
      serviceChargeTaxable: Number(order.serviceChargeTaxable),
      deliveryFeeTaxable: Number(order.deliveryFeeTaxable),
      promotion: order.promotion && JSON.stringify(order.promotion),
      notes: order.notes,
      customerName: order.customer.name,
      customerPhone: order.customer.phone,
      customerEmail: order.customer.email,
      placedAt: order.placedAt,
      businessDate: order.businessDate,
      stockTaken: placed.stockTaken,
      taxLines: storedTaxLines(order),
    }).lastInsertRowid as OrderId
    return Object.assign(order, { id, lines: lineWriter.add(id, order, priced.lines) })
  }

  return {
    place,

    /** Creates an order as a part of the transaction that is open; its events are not sent before somebody else's are. */
    placeWithin(draft: Draft, source: Source): Placed {
      const [placed] = createAll([{ draft, source, permit: freePermit }], [])
      if (!placed) throw new Error('an order was neither placed nor refused')
      return placed
    },

    /** Resolves when no order is waiting any more. */
    async idle(): Promise<void> {
      while (queue.length > 0 || isFlushPlanned) await new Promise(resolve => setTimeout(resolve, 5))
    },
  }
}
