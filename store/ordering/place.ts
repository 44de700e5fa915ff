import type { Catalogue, Menu } from '../catalogue/catalogue.ts'
import { buryFailedCommit } from '../file/commits.ts'
import { isBusy } from '../file/failures.ts'
import type { Db } from '../file/open.ts'
import { holdsUntil } from '../kitchen/lead.ts'
import { routedPart, routeLines } from '../kitchen/routing.ts'
import { type HeldFor, type Hold, type Opening, type Tickets, waitingFor } from '../kitchen/tickets.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Noting } from '../people/activity.ts'
import type { Actor } from '../people/actor.ts'
import { type DepleteAt, demandOfAll, type Fit, isCountable, type OrderStock, type Sales } from '../stock/depletion.ts'
import type { Recipes } from '../stock/recipes.ts'
import { type GuestKind, isEnteredByStaff, type ServiceMode, type Source } from '../terms/channels.ts'
import { businessDate, type Clock, timeZone, type WallClock } from '../terms/clock.ts'
import { collectFaults } from '../terms/faults.ts'
import type { LocationId, OrderId, StationId } from '../terms/ids.ts'
import { amountText } from '../terms/money.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
import {
  type DetailsRefusal,
  deliveringTo,
  digestOf,
  type KeptDetails,
  keptDetails,
  noDetails,
  type OrderDetails,
  refuseGuest,
  refuseMinimum,
  refuseTotal,
} from './details.ts'
import { manualDiscount } from './discount.ts'
import type { Draft } from './draft.ts'
import { type EventSink, eventsOfPlacing } from './events.ts'
import type { GuestOrders, GuestRules } from './guest-orders.ts'
import {
  type ManualDiscount,
  type NewOrder,
  type Order,
  type OrderRow,
  orderReader,
  orderWriter,
  selectedColumns,
} from './order.ts'
import { type PricedOrder, priceOrder, reduced } from './pricing.ts'
import { waitsForPayment } from './when-paid.ts'

/** Permission to create one order, such as the caller's share of the order limit; taken just before the order is written. */
export interface Permit {
  take(): boolean
  /** Undoes `take`, because the order was not created. */
  giveBack(): void
}

/** Orders entered by staff are not limited. */
export const freePermit: Permit = { take: () => true, giveBack() {} }

export type Placed = Order | Refusal<'unknown location' | 'takes no orders' | 'faults' | 'order limit'> | DetailsRefusal

/** One of the orders that share a commit. */
export interface Wanted {
  draft: Draft
  source: Source
  permit: Permit
  /** What the API does not accept. */
  details?: OrderDetails | undefined
  /** Who entered it; by default the actor of the store. Ignored for an order placed by a guest. */
  actor?: Actor | undefined
}

/** The result for one of them. After an error nothing of it is in the file. */
export type Attempted = { placed: Placed } | { error: unknown }

/** An order before it is placed. */
export interface Preview {
  priced: PricedOrder
  discount: ManualDiscount | null
}

/** What `weigh` has found out about an order that can be placed. */
interface Weighed extends Preview {
  menu: Menu
  wall: WallClock
  kept: KeptDetails
  recipes: Recipes | undefined
  fit: Fit | undefined
}

const LAST_NUMBER = 999_999

export interface PlacingContext extends EventSink, Noting {
  clock: Clock
  catalogue(): Catalogue
  /** Called in the transaction in which a stock item ran out. */
  markMenuChanged(): void
  tickets: Tickets
  ledger: Ledger
  stock: OrderStock
  /** The status at which orders take their stock. */
  depleteAt(): DepleteAt
  /** The modes whose orders the kitchen gets only when they are paid. */
  whenPaid(): readonly ServiceMode[]
  /** Reloads what other connections have changed. */
  refresh(): void
  /** Throws when the file is no longer where it was opened. */
  expectFile(): void
  siteZone(): string
  guestOrders: GuestOrders
  /** The modes in which guests can order on pages of a kind at a location. */
  offered(location: LocationId, kind: GuestKind): readonly ServiceMode[]
  guestRules(): GuestRules
}

/** Places orders. What can be refused is refused before the first write, so a refusal leaves no trace. */
export function placing(db: Db, context: PlacingContext) {
  const { clock } = context
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const selectLastNumber = db.prepare<[], number>('SELECT number FROM orders ORDER BY id DESC LIMIT 1').pluck()
  const orders = orderWriter(db)
  const orderOf = orderReader(db)
  const selectAttempt = db.prepare<[string], OrderRow & { digest: Buffer | null }>(
    `SELECT ${selectedColumns}, attempt_sha256 AS digest FROM orders WHERE attempt_id = ?`,
  )
  const saveAttempt = db.prepare<[string, Buffer, OrderId]>(
    'UPDATE orders SET attempt_id = ?, attempt_sha256 = ? WHERE id = ?',
  )
  let hasEvents = false

  /**
   * Creates orders in one transaction, and so with one fsync. If anything throws, it is rolled back and each order is tried
   * separately, so that only the faulty one fails.
   */
  function placeTogether(batch: Wanted[]): Attempted[] {
    try {
      context.expectFile()
      begin.run()
    } catch (error) {
      return batch.map(() => ({ error }))
    }
    const taken: Permit[] = []
    hasEvents = false
    try {
      const placed = createAll(batch, taken)
      commit.run()
      if (hasEvents) context.onEvents()
      return placed.map(each => ({ placed: each }))
    } catch (error) {
      // After some errors, such as a full disk, SQLite has already rolled back.
      if (db.inTransaction) rollback.run()
      // The client is going to read that its order was not created, and may retry: the failed commit must not become durable.
      buryFailedCommit(db, error)
      for (const permit of taken) permit.giveBack()
      return batch.length === 1 ? [{ error }] : placeOneByOne(batch)
    }
  }

  function placeOneByOne(batch: Wanted[]): Attempted[] {
    const attempted: Attempted[] = []
    for (const wanted of batch) {
      const last = attempted.at(-1)
      // While another process holds the lock, each order would wait for the full timeout.
      const isLocked = last && 'error' in last && isBusy(last.error)
      attempted.push(...(isLocked ? [last] : placeTogether([wanted])))
    }
    return attempted
  }

  function createAll(batch: Wanted[], taken: Permit[]): Placed[] {
    // No other connection can write during the transaction, so what is read now is valid until the commit.
    context.refresh()
    const catalogue = context.catalogue()
    const instant = clock.now()
    const takesStock = context.depleteAt() === 'placed'
    let number = selectLastNumber.get() ?? 0
    const sales = context.stock.sales()
    const outcomes = batch.map(({ draft, source, permit, actor, details }): Placed => {
      const digest = details?.attemptId === undefined ? undefined : digestOf(draft, source, details)
      const earlier = details?.attemptId === undefined ? undefined : selectAttempt.get(details.attemptId)
      if (earlier && digest) {
        return earlier.digest?.equals(digest)
          ? orderOf(earlier)
          : { refused: 'attempt used', attempt: details?.attemptId ?? '' }
      }
      const weighed = weigh({ draft, source, details }, catalogue, instant, takesStock ? sales : undefined)
      if (isRefused(weighed)) return weighed
      const { menu, wall, kept, priced, discount, recipes, fit } = weighed
      if (!permit.take()) return { refused: 'order limit' }
      taken.push(permit)

      number = number >= LAST_NUMBER ? 1 : number + 1
      const kitchen = catalogue.kitchen(draft.locationId)
      const routed = kitchen && routeLines(kitchen, draft.lines, { channel: draft.channel, mode: priced.mode })
      const day = businessDate(wall, menu.location.dayStartsAt)
      const waitsFor = waitOf(priced, kept, details, day)
      const openings = routed ? openingsOf(routed, draft, waitsFor, details ?? {}, menu, instant) : []
      const waits = openings.every(({ routed, holds }) => holds?.size === routed.size)
      const created = newOrder(draft, priced, kept, discount, {
        number,
        source,
        placedAt: instant,
        businessDate: day,
        fulfillmentStatus: openings.length === 0 ? null : waits ? 'pending' : 'in_kitchen',
      })
      const order = orders.add(created, priced.lines, takesStock)
      if (details?.attemptId !== undefined && digest) saveAttempt.run(details.attemptId, digest, order.id)
      if (details?.guest) context.guestOrders.add(order.id, details.guest, waitsFor === 'confirmation')
      for (const opening of openings) context.tickets.open(order.id, opening, order.lines, instant)
      context.ledger.charge(order.id, order.grandTotal, instant, order.businessDate)
      if (recipes && fit) sales.sell(fit, recipes, order.id, instant)
      if (isEnteredByStaff(source)) {
        const became = amountText(order.grandTotal, order.exponent, order.currency)
        const subject = discount && 'discount'
        context.note({ what: 'order placed', orderId: order.id, subject, became }, { at: instant, actor })
      }
      for (const event of eventsOfPlacing(order, source)) if (context.outbox.add(event)) hasEvents = true
      return order
    })
    // Only now, because all orders of a batch are checked against the menu that the first of them saw, and the stock on hand.
    if (sales.deduct()) context.markMenuChanged()
    return outcomes
  }

  /** Prices an order and checks everything that can be refused. `sales`: from what is on hand its stock is taken now, if it is. */
  function weigh(
    { draft, source, details }: Pick<Wanted, 'draft' | 'source' | 'details'>,
    catalogue: Catalogue,
    instant: number,
    sales: Sales | undefined,
  ): Weighed | Exclude<Placed, Order> {
    const menu = catalogue.menu(draft.locationId)
    if (!menu) return { refused: 'unknown location', location: draft.locationId }
    const closure = catalogue.closure(draft.locationId, source, instant)
    // An order for later only needs the location to be open at the wanted time.
    const isForLater = closure?.why === 'closed' && details?.wantedAt !== undefined
    if (closure && !isForLater) {
      const { timezone } = menu.location
      return { refused: 'takes no orders', location: draft.locationId, timezone, ...closure }
    }
    const wall = timeZone(menu.location.timezone).at(instant)
    const kept = details ? keptDetails(details, source, menu.location, instant) : noDetails
    if (isRefused(kept)) return kept
    const refusalOfGuest = details?.guest && refuseGuest(draft, details, menu.location, context.offered)
    if (refusalOfGuest) return refusalOfGuest
    const location = deliveringTo(menu.location, draft, kept)
    if (isRefused(location)) return location
    const discount = details?.discount && isEnteredByStaff(source) ? manualDiscount(details.discount, location) : null
    if (isRefused(discount)) return discount
    const full = priceOrder(draft, location === menu.location ? menu : { ...menu, location }, wall)
    if (isRefused(full)) return full
    const priced = discount ? reduced(full, discount) : full
    const refusal = details && (refuseMinimum(full, details) ?? refuseTotal(priced, details))
    if (refusal) return refusal
    const recipes = catalogue.recipes(draft.locationId)
    const fit = checkStock(priced, recipes, sales)
    if (isRefused(fit)) return fit
    return { menu, wall, kept, priced, discount, recipes, fit }
  }

  /** Refuses an order whose lines need more stock than there is, if stock is taken when an order is placed (decision E3). */
  function checkStock(
    { lines }: PricedOrder,
    recipes: Recipes | undefined,
    sales: Sales | undefined,
  ): Fit | undefined | Refusal<'faults'> {
    if (!recipes) return undefined
    const faults = collectFaults()
    if (!sales) {
      if (isCountable(demandOfAll(lines, recipes))) return undefined
      faults.add('tooLarge', '/items')
      return { refused: 'faults', faults: faults.list }
    }
    const fit = sales.fit(lines, recipes)
    for (const index of fit.short) faults.add('unavailableItem', `/items/${index}`)
    return fit.short.length === 0 ? fit : { refused: 'faults', faults: faults.list }
  }

  /**
   * What the kitchen waits for: the payment, if orders in this mode are prepared only when paid, or else the confirmation by staff of
   * the first order of a table; null: nothing. An order is the first one if no order of its table is both accepted and unpaid.
   */
  function waitOf(
    { mode, grandTotal }: PricedOrder,
    { tableId }: KeptDetails,
    details: OrderDetails | undefined,
    day: string,
  ): HeldFor | null {
    if (waitsForPayment(context.whenPaid(), mode, grandTotal)) return 'payment'
    if (!details?.guest || tableId === null || !context.guestRules().confirmFirst) return null
    return context.guestOrders.isTableOpen(tableId, day) ? null : 'confirmation'
  }

  /**
   * The tickets of a new order. Those of a later course, or all if the order is to be held, are held until a person fires them. The
   * others are held until their preparation starts (G8) and until the order is paid or confirmed, where the kitchen waits for that.
   */
  function openingsOf(
    routed: Map<StationId, number[]>,
    { lines }: Draft,
    waitsFor: HeldFor | null,
    { isHeld = false, later = [], wantedAt }: OrderDetails,
    menu: Menu,
    now: number,
  ): Opening[] {
    const isLater = (index: number) => isHeld || later.includes(index)
    const first = later.length === 0 && !isHeld ? routed : routedPart(routed, index => !isLater(index))
    const rest = first === routed ? undefined : routedPart(routed, isLater)
    const openings: Opening[] = []
    if (first.size > 0) {
      const timed =
        wantedAt === undefined
          ? undefined
          : holdsUntil(wantedAt, first, lines, id => menu.items.get(id)?.prepTimeMinutes, now)
      const holds = waitsFor ? waitingFor(waitsFor, first, timed) : timed
      openings.push({ batch: 1, routed: first, holds, isAdded: false })
    }
    if (rest && rest.size > 0) {
      const holds = new Map<StationId, Hold>([...rest.keys()].map(station => [station, { fireAt: null }]))
      openings.push({ batch: openings.length + 1, routed: rest, holds, isAdded: false })
    }
    return openings
  }

  // Field by field, because spreading an object takes longer than writing the row.
  function newOrder(
    draft: Draft,
    priced: PricedOrder,
    kept: KeptDetails,
    discount: ManualDiscount | null,
    placed: Pick<Order, 'number' | 'source' | 'placedAt' | 'businessDate' | 'fulfillmentStatus'>,
  ): NewOrder {
    const { location, promotion } = priced
    return {
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
      manualDiscount: discount,
      notes: draft.notes,
      customer: draft.customer,
      cancelReason: null,
      placedAt: placed.placedAt,
      businessDate: placed.businessDate,
      tableId: kept.tableId,
      tableTitle: kept.tableTitle,
      wantedAt: kept.wantedAt,
      deliveryAddress: kept.deliveryAddress,
      deliveryPostcode: kept.deliveryPostcode,
    }
  }

  /** Creates an order within the open transaction; its events are announced with the next commit that has some. */
  function placeWithin(draft: Draft, source: Source): Placed {
    const [placed] = createAll([{ draft, source, permit: freePermit }], [])
    if (!placed) throw new Error('an order was neither placed nor refused')
    return placed
  }

  return {
    placeTogether,
    placeWithin,

    /** What an order would cost if it were placed now, or why it would be refused. Nothing is written. */
    preview(draft: Draft, source: Source, details: OrderDetails): Preview | Exclude<Placed, Order> {
      const takesStock = context.depleteAt() === 'placed'
      const sales = takesStock ? context.stock.sales() : undefined
      const weighed = weigh({ draft, source, details }, context.catalogue(), clock.now(), sales)
      return isRefused(weighed) ? weighed : { priced: weighed.priced, discount: weighed.discount }
    },

    /**
     * Creates one order, or returns why it is refused: the location (section 4.3), its lines (decisions A2, D1 to D4) or its
     * details (G3, G4, G8). If an earlier attempt with the same contents succeeded, its order is returned as it is now. When this
     * returns, the order is on disk. Throws when it could not be written; then nothing of it is left.
     */
    place(draft: Draft, source: Source, details?: OrderDetails): Placed {
      const [one] = placeTogether([{ draft, source, permit: freePermit, details }])
      if (one && 'placed' in one) return one.placed
      throw one?.error
    },
  }
}
