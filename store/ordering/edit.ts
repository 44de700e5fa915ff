import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Db } from '../file/open.ts'
import { holdsUntil } from '../kitchen/lead.ts'
import { routeLines } from '../kitchen/routing.ts'
import { type Tickets, waitingFor } from '../kitchen/tickets.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { demandOfAll, type Fit, type OrderStock, type Sales } from '../stock/depletion.ts'
import type { Demand, Recipes } from '../stock/recipes.ts'
import type { ServiceMode } from '../terms/channels.ts'
import { collectFaults } from '../terms/faults.ts'
import type { OrderId, OrderLineId } from '../terms/ids.ts'
import { LARGEST_AMOUNT, share } from '../terms/money.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
import { type Acted, type Acts, amountOf, type OrderState, textOf } from './act.ts'
import { manualDiscount, worthOf } from './discount.ts'
import { MOST_LINES } from './draft.ts'
import type { Edit } from './edit-draft.ts'
import { type ManualDiscount, type Order, type OrderLine, orderWriter } from './order.ts'
import type { orderBook } from './order-book.ts'
import { isWithinBounds, type PricedLine, priceLine, sumUp } from './pricing.ts'
import { fulfilmentOf, isOpen } from './status.ts'
import { storedTaxLines, type TaxedAmount } from './tax.ts'
import { waitsForPayment } from './when-paid.ts'

/** The result of an edit: whether anything changed, and by how much the grand total changed (minor units). */
export interface Edited {
  changed: boolean
  difference: number
}

export interface EditContext {
  acts: Acts
  catalogue(): Catalogue
  markMenuChanged(): void
  tickets: Tickets
  ledger: Ledger
  stock: OrderStock
  book: ReturnType<typeof orderBook>
  /** The modes whose orders the kitchen gets only when they are paid. */
  whenPaid(): readonly ServiceMode[]
  fireWhenPaid(order: OrderState): OrderState
  completeWhenDone(order: OrderState): OrderState
}

/** What an edit does to the stock: what is wasted and, if the order has taken its stock, what it returns and takes. */
interface StockMove {
  recipes: Recipes
  waste: Demand
  taken?: { returned: Demand; sales: Sales; fit: Fit }
}

/** An order after an edit that is not written yet. */
interface Plan {
  removed: OrderLine[]
  kept: OrderLine[]
  added: PricedLine[]
  stockMove: StockMove | undefined
  /** The names of the parts that change; empty if there is none. */
  changes: string
  totals: Totals
  details: Details
}

const MILLION = 1_000_000

type Totals = Pick<Order, 'subtotal' | 'discountTotal' | 'serviceCharge' | 'taxTotal' | 'taxLines' | 'grandTotal'>

/**
 * The price of an order with other lines or another manual discount (decision C4), at the rates that it was placed with. It
 * keeps its promotion and its delivery fee, and its service charge if it had one.
 */
function reprice(order: Order, lines: TaxedAmount[], manual: ManualDiscount | null, isCharged: boolean): Totals {
  let subtotal = 0
  for (const { lineTotal } of lines) subtotal += lineTotal
  const discountTotal = Math.min(subtotal, worthOf(order.promotion?.discount, subtotal) + worthOf(manual, subtotal))
  const charges = { deliveryFee: order.deliveryFee, serviceChargePpm: isCharged ? order.serviceChargePpm : 0 }
  return { subtotal, discountTotal, ...sumUp(lines, subtotal, discountTotal, charges, order) }
}

/** Changing an order while it is placed or confirmed: the difference goes to the ledger, the kitchen and the stock. */
export function orderEdit(db: Db, context: EditContext) {
  const { acts, catalogue, tickets, ledger, stock, book } = context
  const orders = orderWriter(db)
  const updateOrder = db.prepare<
    Omit<Totals, 'taxLines'> & {
      id: OrderId
      taxLines: string | null
      manualDiscount: string | null
      notes: string | null
      name: string | null
      phone: string | null
      email: string | null
    }
  >(
    `UPDATE orders SET subtotal_minor = @subtotal, discount_minor = @discountTotal,
            service_charge_minor = @serviceCharge, tax_minor = @taxTotal, tax_lines = @taxLines,
            grand_total_minor = @grandTotal,
            manual_discount = @manualDiscount, notes = @notes, customer_name = @name, customer_phone = @phone,
            customer_email = @email
      WHERE id = @id`,
  )

  /** Whether the order has a service charge: the snapshot shows it, unless the charge was rounded to 0. */
  function isCharged(order: Order): boolean {
    const net = order.subtotal - order.discountTotal
    if (order.serviceCharge > 0 || share(net, order.serviceChargePpm, MILLION) > 0) return order.serviceCharge > 0
    const location = catalogue().menu(order.locationId)?.location
    return order.mode !== null && (location?.serviceChargeModes.includes(order.mode) ?? false)
  }

  function priceAdded(order: Order, { stockTaken }: OrderState, edit: Edit): PricedLine[] | Refusal {
    if (edit.add.length === 0) return []
    // The order itself may have taken the last portion, so stock is checked after adding what the order gives back.
    const { menu: menuNow, menuInFullStock } = catalogue()
    const menu = stockTaken === 1 ? menuInFullStock(order.locationId) : menuNow(order.locationId)
    if (!menu) return { refused: 'location closed', location: order.locationId }
    const faults = collectFaults()
    const lines = edit.add.flatMap(
      (line, index) => priceLine(line, menu, { mode: order.mode, ownPpm: order.taxPpm }, `/add/${index}`, faults) ?? [],
    )
    return faults.list.length === 0 ? lines : { refused: 'faults', faults: faults.list }
  }

  /** What an edit makes of an order, before anything is written. */
  function plan(order: Order, state: OrderState, wanted: Edit): Plan | Refusal {
    if (!isOpen(state.status)) return { refused: 'order closed', order: order.number, status: state.status }
    const removed = order.lines.filter(line => wanted.remove.includes(line.id))
    const kept = order.lines.filter(line => !wanted.remove.includes(line.id))
    const missing = wanted.remove.find(lineId => !removed.some(line => line.id === lineId))
    if (missing !== undefined) return { refused: 'unknown line', line: missing }
    const added = priceAdded(order, state, wanted)
    if (isRefused(added)) return added
    const count = kept.length + added.length
    if (count === 0) return { refused: 'no lines left' }
    if (count > MOST_LINES) return { refused: 'too many lines', most: MOST_LINES }

    const { discount } = wanted
    const given = discount === undefined ? order.manualDiscount : discount && manualDiscount(discount, order)
    if (isRefused(given)) return given
    const totals = reprice(order, [...kept, ...added], given, isCharged(order))
    if (!isWithinBounds({ ...totals, lines: added })) {
      return { refused: 'order too large', most: amountOf(order, LARGEST_AMOUNT) }
    }
    const stockMove = stockMoveOf(state, removed, added)
    if (isRefused(stockMove)) return stockMove
    const { name, phone, email } = wanted.customer
    const notes = wanted.notes === undefined ? order.notes : wanted.notes
    const customer = {
      name: name === undefined ? order.customer.name : name,
      phone: phone === undefined ? order.customer.phone : phone,
      email: email === undefined ? order.customer.email : email,
    }
    const details = { manualDiscount: given, notes, customer }
    const changes = changedParts(removed.length + added.length > 0, details, order)
    return { removed, kept, added, stockMove, changes, totals, details }
  }

  function edit(id: OrderId, wanted: Edit, seen?: number): Acted<Edited> {
    return acts.run(id, (state): Acted<Edited> => {
      const order = book.byId(id)
      if (!order) return { refused: 'unknown order', order: String(id) }
      const planned = acts.refuseChanged(state, seen) ?? plan(order, state, wanted)
      if (isRefused(planned)) return planned
      const { removed, added, stockMove, changes, totals, details } = planned
      if (changes === '') return { order: state, changed: false, difference: 0 }

      const { at, businessDate } = acts.moment(state)
      if (stockMove) moveStock(state, stockMove, at)
      orders.removeLines(removed, at)
      const lines = orders.addLines(id, order, added)
      updateOrder.run({
        id,
        ...totals,
        taxLines: storedTaxLines({ ...order, ...totals }),
        manualDiscount: details.manualDiscount && JSON.stringify(details.manualDiscount),
        notes: details.notes,
        ...details.customer,
      })
      if (details.notes !== order.notes) tickets.askToAcknowledge(id)
      const difference = totals.grandTotal - order.grandTotal
      if (difference !== 0) ledger.append({ orderId: id, kind: 'adjustment', amount: difference, at, businessDate })
      const fulfillmentStatus = moveTickets(state, order.wantedAt, removed, lines, at)
      const edited = acts.save({ ...state, grandTotal: totals.grandTotal, fulfillmentStatus })
      const after = context.completeWhenDone(context.fireWhenPaid(edited))
      acts.record(state, after, {
        what: 'order edited',
        subject: changes,
        ...(difference !== 0 && {
          was: textOf(order, order.grandTotal),
          became: textOf(order, totals.grandTotal),
        }),
      })
      return { order: after, changed: true, difference }
    })
  }

  /** What an edit would make of an order: the same as `edit`, without writing. New lines have the id 0. */
  function preview(id: OrderId, wanted: Edit): { order: Order; changed: boolean; difference: number } | Refusal {
    const order = book.byId(id)
    const state = acts.state(id)
    if (!order || !state) return { refused: 'unknown order', order: String(id) }
    const planned = plan(order, state, wanted)
    if (isRefused(planned)) return planned
    const { kept, added, changes, totals, details } = planned
    const lines = [...kept, ...added.map(line => ({ ...line, id: 0 as OrderLineId }))]
    const difference = totals.grandTotal - order.grandTotal
    return {
      order: { ...order, ...totals, ...details, lines },
      changed: changes !== '',
      difference,
    }
  }

  /** What an edit does to the stock, or why there is too little of it; undefined where no stock is kept. */
  function stockMoveOf(
    state: OrderState,
    removed: OrderLine[],
    added: PricedLine[],
  ): StockMove | undefined | Refusal<'faults'> {
    const recipes = catalogue().recipes(state.locationId)
    if (!recipes) return undefined
    const cooked = new Set(
      tickets.items(state.id).flatMap(({ lineId, state: its }) => (its === 'done' ? [lineId] : [])),
    )
    const wasted = removed.filter(line => cooked.has(line.id))
    const unused = removed.filter(line => !cooked.has(line.id))
    if (state.stockTaken === 0) return { recipes, waste: demandOfAll(wasted, recipes) }
    const held = stock.heldBy(state.id)
    const returned = takeFrom(held, unused, recipes)
    const sales = stock.sales()
    const fit = sales.fit(added, recipes, returned)
    if (fit.short.length > 0) {
      const faults = collectFaults()
      for (const index of fit.short) faults.add('unavailableItem', `/add/${index}`)
      return { refused: 'faults', faults: faults.list }
    }
    return { recipes, waste: takeFrom(held, wasted, recipes), taken: { returned, sales, fit } }
  }

  /** Returns the stock of removed lines, or books it as waste if it is cooked, and takes the stock of added lines. */
  function moveStock({ id }: OrderState, { recipes, waste, taken }: StockMove, at: number): void {
    const note = 'removed from the order'
    if (!taken) {
      if (stock.waste(waste, recipes, id, at, note)) context.markMenuChanged()
      return
    }
    const cameBack = stock.giveBack(taken.returned, recipes, id, at)
    stock.rebookAsWaste(waste, id, at, note)
    taken.sales.sell(taken.fit, recipes, id, at)
    const ranOut = taken.sales.deduct()
    if (cameBack || ranOut) context.markMenuChanged()
  }

  /** Marks removed lines as void, and opens a new batch of tickets for added ones, held as in a new order. */
  function moveTickets(
    state: OrderState,
    wantedAt: number | null,
    removed: OrderLine[],
    added: OrderLine[],
    at: number,
  ) {
    const gone = new Set(removed.map(({ id }) => id))
    const items = tickets.items(state.id).filter(item => gone.has(item.lineId) && item.state !== 'void')
    tickets.setItems(
      state.id,
      items.map(item => ({ ...item, state: 'void' })),
      at,
    )
    const kitchen = catalogue().kitchen(state.locationId)
    if (kitchen && added.length > 0) {
      const routed = routeLines(kitchen, added, { channel: state.channel, mode: state.mode })
      const items = catalogue().menu(state.locationId)?.items
      const timed =
        wantedAt === null ? undefined : holdsUntil(wantedAt, routed, added, id => items?.get(id)?.prepTimeMinutes, at)
      const { balance } = ledger.standing(state.id)
      const holds = waitsForPayment(context.whenPaid(), state.mode, balance)
        ? waitingFor('payment', routed, timed)
        : timed
      tickets.open(state.id, { batch: tickets.nextBatch(state.id), routed, holds, isAdded: true }, added, at)
    }
    return fulfilmentOf(tickets.states(state.id), state.fulfillmentStatus)
  }

  return { edit, preview }
}

/** The stock that lines took, limited to `held`, because recipes may have changed since. Subtracted from `held`. */
function takeFrom(held: Demand, lines: OrderLine[], recipes: Recipes): Demand {
  const taken: Demand = new Map()
  for (const [stockId, qty] of demandOfAll(lines, recipes)) {
    const there = held.get(stockId) ?? 0
    const part = Math.min(qty, there)
    if (part <= 0) continue
    taken.set(stockId, part)
    held.set(stockId, there - part)
  }
  return taken
}

type Details = Pick<Order, 'manualDiscount' | 'notes' | 'customer'>

/** The names of the parts that an edit changes, without their contents: "lines, notes"; empty if there is none. */
function changedParts(hasOtherLines: boolean, after: Details, before: Details): string {
  const differ = (part: keyof Details) => JSON.stringify(after[part]) !== JSON.stringify(before[part])
  return [
    hasOtherLines ? 'lines' : '',
    differ('manualDiscount') ? 'discount' : '',
    differ('notes') ? 'notes' : '',
    differ('customer') ? 'customer' : '',
  ]
    .filter(part => part !== '')
    .join(', ')
}
