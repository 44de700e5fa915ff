import type { Db } from '../file/open.ts'
import { kitchenMemory } from '../kitchen/memory.ts'
import type { HeldFor, TicketLineState, TicketState } from '../kitchen/tickets.ts'
import type { Deed } from '../people/activity.ts'
import type { ServiceMode } from '../terms/channels.ts'
import type { LocationId, OrderId, OrderLineId, TicketId } from '../terms/ids.ts'
import type { Exponent } from '../terms/money.ts'
import { groupBy } from '../terms/rows.ts'
import { departures } from './departures.ts'
import { type Fulfilment, fulfilmentOf } from './status.ts'

/** An order as the pass shows it: as a whole, with what each station has done. Instants are UTC milliseconds, amounts minor units. */
export interface PassOrder {
  id: OrderId
  number: number
  mode: ServiceMode | null
  fulfillmentStatus: Fulfilment
  /** When it, or a course of it, became ready, or when it went out for delivery; for all others, when it was placed. */
  since: number
  placedAt: number
  /** When the guest wants it; null: as soon as possible. */
  wantedAt: number | null
  tableTitle: string | null
  customerName: string | null
  notes: string | null
  deliveryAddress: string | null
  deliveryPostcode: string | null
  /** When its number was last called on the pick-up board; null: never. */
  calledAt: number | null
  /** What is still to be paid. */
  balance: number
  currency: string
  exponent: Exponent
  /** The location's time zone. */
  timezone: string
  /** In the order in which their tickets were made; the lines that no station prepares come last. */
  courses: PassCourse[]
}

/** The lines of an order that went to the kitchen together. */
export interface PassCourse {
  /** Null: no station prepares these lines. */
  batch: number | null
  /** Whether it was added to the order later; otherwise it is a course. */
  isAdded: boolean
  /** Whether some of it is held. */
  isHeld: boolean
  /** When the first ticket of a held course fires automatically; null: when a person fires it. */
  fireAt: number | null
  heldFor: HeldFor | null
  lines: PassLine[]
}

export interface PassLine {
  id: OrderLineId
  qtyMilli: number
  name: string
  notes: string | null
  modifiers: { title: string; qty: number }[]
  /** The state of the line at each station. */
  stations: { title: string; state: TicketLineState | 'held' }[]
}

/** An order that has been handed over. */
export interface HandedOver
  extends Pick<
    PassOrder,
    'id' | 'number' | 'mode' | 'placedAt' | 'since' | 'wantedAt' | 'tableTitle' | 'customerName'
  > {
  /** The names of its dishes. */
  dishes: string
}

/** The orders of a location, grouped by what the pass does with them. */
export interface Pass {
  /** Orders that are being prepared, the oldest first. */
  kitchen: PassOrder[]
  /** Orders to be handed over, or whose fired courses are all done (`fulfillmentStatus` pending); those that have waited longest first. */
  ready: PassOrder[]
  /** Deliveries on their way to the guest. */
  out: PassOrder[]
  /** Orders of which nothing has gone to a station yet, because all of their tickets are held; the next first. */
  later: PassOrder[]
  /** The last twenty that were handed over or delivered in the last 12 hours, the newest first. */
  recent: HandedOver[]
  /** How many more tickets are open or held than the bounds allow. */
  more: number
  /** How many more orders are ready or out for delivery than the bounds allow; at most 1000. */
  moreAtPass: number
}

/** An order on the pick-up board. */
export interface PickUp {
  number: number
  /** When it became ready or was last called again (UTC milliseconds). */
  since: number
  /** When it leaves the board (UTC milliseconds). */
  until: number
  calledAt: number | null
}

type OrderRow = Omit<PassOrder, 'courses'>

interface LineRow extends Omit<PassLine, 'stations' | 'modifiers'> {
  orderId: OrderId
  modifiers: string | null
}

interface WorkRow {
  orderId: OrderId
  lineId: OrderLineId
  ticketId: TicketId
  batch: number
  closedAt: number | null
  ticketState: TicketState
  state: TicketLineState
  fireAt: number | null
  heldFor: HeldFor | null
  station: string
  isAdded: number
}

// A kitchen that never bumps its tickets, or a pass that hands nothing over, must not make every screen slow.
const MOST_TICKETS = 300
const MOST_READY = 100
const MOST_RECENT = 20
const MOST_COUNTED = 1000
const MOST_ON_BOARD = 60
const FORGOTTEN_MS = 12 * 3_600_000
const MINUTE = 60_000

/** Reads what the pass and the pick-up board show (decision 057). The acts of the pass are in `pass-acts.ts`. */
export function pass(db: Db, now: () => number) {
  // By the index of stations, so that neither the tickets of the past nor those of other locations are read.
  const ofStations = (state: 'open' | 'held', since = '') =>
    `SELECT order_id FROM (
       SELECT order_id, id FROM ticket
        WHERE station_id IN (SELECT id FROM station WHERE location_id = @locationId) AND state = '${state}'
          AND closed_at IS NULL ${since}
        ORDER BY id DESC LIMIT ${MOST_TICKETS})`
  const atPass = `SELECT id FROM (
       SELECT id FROM orders INDEXED BY orders_at_pass
        WHERE location_id = @locationId AND (fulfillment_status = 'ready' OR fulfillment_status = 'out_for_delivery')
          AND fulfillment_since > @since
        ORDER BY fulfillment_since DESC LIMIT ${MOST_READY})`
  const columns = `orders.id, number, mode, fulfillment_status AS fulfillmentStatus,
            coalesce(fulfillment_since, placed_at) AS since, placed_at AS placedAt, wanted_at AS wantedAt,
            table_title AS tableTitle, customer_name AS customerName, notes, delivery_address AS deliveryAddress,
            delivery_postcode AS deliveryPostcode, orders.currency, exponent, timezone`
  const selectOrders = db.prepare<{ locationId: LocationId; since: number }, OrderRow>(
    `SELECT ${columns}, called_at AS calledAt, (SELECT sum(amount_minor) FROM ledger WHERE order_id = orders.id) AS balance
       FROM orders JOIN location ON location.id = location_id
      WHERE orders.id IN (${ofStations('open')} UNION ${ofStations('held')} UNION ${atPass})
      ORDER BY orders.id`,
  )
  // Without orders that needed no station, because they were never at the pass.
  const selectRecent = db.prepare<{ locationId: LocationId; since: number }, HandedOver>(
    `SELECT id, number, mode, placed_at AS placedAt, fulfillment_since AS since, wanted_at AS wantedAt, table_title AS tableTitle,
            customer_name AS customerName,
            (SELECT group_concat(name, ', ') FROM order_line WHERE order_id = orders.id AND removed_at IS NULL) AS dishes
       FROM orders INDEXED BY orders_handed_over
      WHERE location_id = @locationId AND fulfillment_status = 'fulfilled' AND fulfillment_since > @since
        AND EXISTS (SELECT 1 FROM ticket WHERE order_id = orders.id AND state = 'done')
      ORDER BY fulfillment_since DESC LIMIT ${MOST_RECENT}`,
  )
  const countTickets = db
    .prepare<[LocationId], number>(
      `SELECT count(*) FROM ticket WHERE station_id IN (SELECT id FROM station WHERE location_id = ?)
          AND (state = 'open' OR state = 'held') AND closed_at IS NULL`,
    )
    .pluck()
  // Only the latest, and by the index alone: a location that hands nothing over has as many as it ever sold.
  const countAtPass = db
    .prepare<[LocationId], number>(
      `SELECT count(*) FROM (
         SELECT id FROM orders INDEXED BY orders_at_pass
          WHERE location_id = ? AND (fulfillment_status = 'ready' OR fulfillment_status = 'out_for_delivery')
          ORDER BY fulfillment_since DESC LIMIT ${MOST_COUNTED})`,
    )
    .pluck()
  const selectLines = db.prepare<{ orders: string; instant: number }, LineRow>(
    `SELECT order_id AS orderId, id, qty_milli AS qtyMilli, name, notes, modifiers FROM order_line
      WHERE order_id IN (SELECT value FROM json_each(@orders)) AND (removed_at IS NULL OR removed_at > @instant) ORDER BY id`,
  )
  const selectWork = db.prepare<[string], WorkRow>(
    `SELECT ticket.order_id AS orderId, line_id AS lineId, ticket.id AS ticketId, batch, closed_at AS closedAt, ticket.state AS ticketState,
            ticket_item.state, fire_at AS fireAt, held_for AS heldFor, station.title AS station,
            EXISTS (SELECT 1 FROM ticket_event WHERE ticket_id = ticket.id AND what = 'added') AS isAdded
       FROM ticket JOIN ticket_item ON ticket_id = ticket.id JOIN station ON station.id = station_id
      WHERE ticket.order_id IN (SELECT value FROM json_each(?))
      ORDER BY station.position, station.id, ticket.id`,
  )
  // What follows reads the orders of tickets as they were at an instant.
  const selectOrdersThen = db.prepare<{ locationId: LocationId; instant: number; tickets: string }, OrderRow>(
    `SELECT ${columns},
            (SELECT max(at) FROM activity WHERE order_id = orders.id AND what = 'order called' AND at <= @instant) AS calledAt,
            (SELECT sum(amount_minor) FROM ledger WHERE order_id = orders.id AND at <= @instant) AS balance
       FROM orders JOIN location ON location.id = location_id
      WHERE location_id = @locationId
        AND orders.id IN (SELECT order_id FROM ticket WHERE id IN (SELECT value FROM json_each(@tickets)))
      ORDER BY orders.id`,
  )
  const selectActs = db.prepare<{ orders: string; instant: number }, { orderId: OrderId; what: Deed; at: number }>(
    `SELECT order_id AS orderId, what, at FROM activity
      WHERE order_id IN (SELECT value FROM json_each(@orders)) AND at <= @instant ORDER BY id`,
  )
  const memory = kitchenMemory(db)
  const selectPreparing = db
    .prepare<{ locationId: LocationId; since: number }, number>(
      `SELECT number FROM orders
        WHERE id IN (${ofStations('open', 'AND opened_at > @since')}) AND fulfillment_status = 'in_kitchen'
          AND table_id IS NULL AND mode IS NOT 'delivery'
        ORDER BY id LIMIT ${MOST_ON_BOARD}`,
    )
    .pluck()
  const selectReady = db.prepare<{ locationId: LocationId; since: number }, Omit<PickUp, 'until'>>(
    `SELECT number, max(fulfillment_since, coalesce(called_at, 0)) AS since, called_at AS calledAt
       FROM orders INDEXED BY orders_at_pass
      WHERE location_id = @locationId AND (fulfillment_status = 'ready' OR fulfillment_status = 'out_for_delivery')
        AND fulfillment_status = 'ready' AND table_id IS NULL AND mode IS NOT 'delivery'
        AND (fulfillment_since > @since OR called_at > @since)
      ORDER BY since DESC LIMIT ${MOST_ON_BOARD}`,
  )

  // Each in one transaction, so that everything is of the same instant.
  const at = db.transaction((locationId: LocationId): Pass => {
    const lately = { locationId, since: now() - FORGOTTEN_MS }
    const rows = selectOrders.all(lately)
    const ids = JSON.stringify(rows.map(({ id }) => id))
    const lines = groupBy(selectLines.all({ orders: ids, instant: Number.MAX_SAFE_INTEGER }), ({ orderId }) => orderId)
    const work = groupBy(selectWork.all(ids).filter(isNotVoid), ({ orderId }) => orderId)
    const shown = emptyPass()
    shown.recent = selectRecent.all(lately)
    let [tickets, atPass] = [0, 0]
    for (const row of rows) {
      const ofOrder = work.get(row.id) ?? []
      put(shown, row, lines.get(row.id) ?? [], ofOrder)
      if (row.fulfillmentStatus === 'ready' || row.fulfillmentStatus === 'out_for_delivery') atPass++
      tickets += new Set(ofOrder.flatMap(each => (isWaiting(each) ? each.ticketId : []))).size
    }
    sort(shown)
    shown.more = Math.max(0, (countTickets.get(locationId) ?? 0) - tickets)
    shown.moreAtPass = Math.max(0, (countAtPass.get(locationId) ?? 0) - atPass)
    return shown
  })

  const past = db.transaction((locationId: LocationId, instant: number): Pass => {
    const remembered = memory.at(instant, instant - FORGOTTEN_MS)
    const rows = selectOrdersThen.all({ locationId, instant, tickets: JSON.stringify([...remembered.keys()]) })
    const orders = JSON.stringify(rows.map(({ id }) => id))
    const lines = groupBy(selectLines.all({ orders, instant }), ({ orderId }) => orderId)
    const work = groupBy(selectWork.all(orders), ({ orderId }) => orderId)
    const acts = groupBy(selectActs.all({ orders, instant }), ({ orderId }) => orderId)
    const shown = emptyPass()
    for (const row of rows) {
      const all = work.get(row.id) ?? []
      const ofOrder = all
        .flatMap(each => {
          const was = remembered.get(each.ticketId)
          const state = was?.lines.get(each.lineId) ?? each.state
          return was ? [{ ...each, state, ticketState: was.state, closedAt: was.closedAt }] : []
        })
        .filter(isNotVoid)
      const done = acts.get(row.id) ?? []
      const left = departures(done).at(-1)
      const hasEnded = left !== undefined && left.what !== 'order sent out'
      if (ofOrder.length === 0 || hasEnded || done.some(({ what }) => what === 'order cancelled')) continue
      const states = ofOrder.map(({ ticketState }) => ticketState)
      const fulfillmentStatus = fulfilmentOf(states, left ? 'out_for_delivery' : null)
      const broughtBack = done.findLast(({ what }) => what === 'hand-over taken back')?.at ?? 0
      const cameAt = fulfillmentStatus === 'ready' ? lastDoneOf(ofOrder) : (left?.at ?? row.placedAt)
      const since = Math.max(cameAt, broughtBack)
      // Lines whose tickets were made later had not been ordered yet.
      const known = new Set(ofOrder.map(({ lineId }) => lineId))
      const later = new Set(all.map(({ lineId }) => lineId).filter(id => !known.has(id)))
      const ordered = (lines.get(row.id) ?? []).filter(({ id }) => !later.has(id))
      put(shown, { ...row, fulfillmentStatus, since }, ordered, ofOrder)
    }
    sort(shown)
    return shown
  })

  const board = db.transaction((locationId: LocationId, minutes: number): { preparing: number[]; ready: PickUp[] } => {
    const shownMs = minutes * MINUTE
    return {
      preparing: selectPreparing.all({ locationId, since: now() - FORGOTTEN_MS }),
      ready: selectReady
        .all({ locationId, since: now() - shownMs })
        .map(order => ({ ...order, until: order.since + shownMs })),
    }
  })

  return {
    /** The orders of a location that are in its kitchen, at its pass, or still to come: those of the newest 300 open and 300 held tickets, and 100 that are ready or out for delivery. */
    at: (locationId: LocationId): Pass => at(locationId),

    /**
     * What `at` would have shown at an instant (UTC milliseconds), without its bounds and what was handed over. It follows from the
     * kitchen's history, the activity log and the account. The notes of an order, its guest and the planned times of held tickets
     * are the present ones.
     */
    past: (locationId: LocationId, instant: number): Pass => past(locationId, instant),

    /**
     * The pick-up board of a location: the numbers that are being prepared, the oldest first, and those that became ready or were
     * called in the last `minutes`, the newest first. It has no orders for a table and no deliveries.
     */
    board: (locationId: LocationId, minutes: number) => board(locationId, minutes),
  }
}

function emptyPass(): Pass {
  return { kitchen: [], ready: [], out: [], later: [], recent: [], more: 0, moreAtPass: 0 }
}

/** Puts an order into its list. */
function put(shown: Pass, row: OrderRow, lines: LineRow[], work: WorkRow[]): void {
  const place = placeOf(row, work)
  const since = place === 'ready' && row.fulfillmentStatus !== 'ready' ? lastDoneOf(work) : row.since
  shown[place].push({ ...row, since, courses: coursesOf(lines, work) })
}

function sort({ ready, out, later }: Pass): void {
  const whenNext = ({ courses, wantedAt }: PassOrder) =>
    Math.min(...courses.flatMap(({ fireAt }) => fireAt ?? []), wantedAt ?? Number.POSITIVE_INFINITY)
  later.sort((a, b) => whenNext(a) - whenNext(b) || a.id - b.id)
  for (const list of [ready, out]) list.sort((a, b) => a.since - b.since || a.id - b.id)
}

function isNotVoid({ ticketState }: WorkRow): boolean {
  return ticketState !== 'void'
}

function isWaiting({ ticketState }: WorkRow): boolean {
  return ticketState === 'open' || ticketState === 'held'
}

function placeOf({ fulfillmentStatus }: OrderRow, work: WorkRow[]): 'kitchen' | 'ready' | 'out' | 'later' {
  if (fulfillmentStatus === 'ready') return 'ready'
  if (fulfillmentStatus === 'out_for_delivery') return 'out'
  if (work.every(({ ticketState }) => ticketState === 'held')) return 'later'
  // All that was fired is done, so a course waits to be carried out.
  return work.some(({ ticketState }) => ticketState === 'open') ? 'kitchen' : 'ready'
}

function lastDoneOf(work: WorkRow[]): number {
  return Math.max(...work.map(({ closedAt }) => closedAt ?? 0))
}

/** The courses of an order. A line that is on tickets of several batches belongs to the first. */
function coursesOf(lines: LineRow[], work: WorkRow[]): PassCourse[] {
  const byBatch = new Map<number | null, PassCourse>()
  const batches = [...new Set(work.map(({ batch }) => batch))].sort((a, b) => a - b)
  for (const batch of [...batches, null]) {
    const held = work.filter(each => each.batch === batch && each.ticketState === 'held')
    const times = held.flatMap(({ fireAt }) => fireAt ?? [])
    byBatch.set(batch, {
      batch,
      isAdded: work.some(each => each.batch === batch && each.isAdded === 1),
      isHeld: held.length > 0,
      fireAt: times.length === 0 ? null : Math.min(...times),
      heldFor: held.find(({ heldFor }) => heldFor !== null)?.heldFor ?? null,
      lines: [],
    })
  }
  const ofLine = groupBy(work, ({ lineId }) => lineId)
  for (const { orderId: _, modifiers, ...line } of lines) {
    const own = ofLine.get(line.id) ?? []
    const batch = own.length === 0 ? null : Math.min(...own.map(each => each.batch))
    byBatch.get(batch)?.lines.push({
      ...line,
      modifiers: modifiers === null ? [] : (JSON.parse(modifiers) as PassLine['modifiers']),
      stations: own.map(({ station, state, ticketState }) => ({
        title: station,
        state: ticketState === 'held' && state === 'open' ? 'held' : state,
      })),
    })
  }
  return [...byBatch.values()].filter(course => course.lines.length > 0)
}
