import type { Db } from '../file/open.ts'
import type { OrderId, OrderLineId, StationId, TicketId } from '../terms/ids.ts'
import { groupBy } from '../terms/rows.ts'
import { stateOfTicket, type TicketChange, type TicketLineState, type TicketState } from './tickets.ts'

/** An event of a ticket or of one of its lines. Sequence numbers have no gaps. */
export interface TicketEvent {
  seq: number
  ticketId: TicketId
  /** Null: the ticket as a whole. */
  lineId: OrderLineId | null
  what: TicketChange
  /** UTC milliseconds. */
  at: number
  /** The name of the actor; null: it came with the order, or its time had come. */
  by: string | null
}

/** An event with what it is about. */
export interface NamedEvent extends TicketEvent {
  stationId: StationId
  station: string
  orderId: OrderId
  orderNumber: number
  /** The dish; null: the ticket as a whole. */
  line: string | null
}

/** A ticket at some instant. */
export interface RememberedTicket {
  state: TicketState
  lines: Map<OrderLineId, TicketLineState>
  openedAt: number
  closedAt: number | null
}

const stateAfter: Partial<Record<TicketEvent['what'], TicketLineState>> = {
  done: 'done',
  recalled: 'open',
  void: 'void',
}

/** The state of a ticket with these lines after all its events so far. */
export function replayed(
  lines: OrderLineId[],
  events: Pick<TicketEvent, 'lineId' | 'what' | 'at'>[],
): RememberedTicket {
  const states = new Map<OrderLineId, TicketLineState>(lines.map(id => [id, 'open']))
  let isHeld = false
  let openedAt = events[0]?.at ?? 0
  let closedAt: number | null = null
  for (const { lineId, what, at } of events) {
    const state = stateAfter[what]
    if (what === 'held') isHeld = true
    else if (what === 'fired') {
      isHeld = false
      openedAt = at
    } else if (state !== undefined && lineId !== null) states.set(lineId, state)
    else if (state !== undefined) {
      isHeld = false
      closedAt = state === 'open' ? null : at
    }
  }
  return { state: stateOfTicket([...states.values()], isHeld), lines: states, openedAt, closedAt }
}

// Enough for what a screen missed in an hour; it requests the rest separately.
const MOST_EVENTS = 1000

// More than happens in any kitchen in ten minutes.
const MOST_AROUND = 500

/** The history of the kitchen, as far back as the file has it (decision 043). */
export function kitchenMemory(db: Db) {
  const selectSince = db.prepare<[number], TicketEvent>(
    `SELECT seq, ticket_id AS ticketId, line_id AS lineId, what, at, actor AS by FROM ticket_event
      WHERE seq > ? ORDER BY seq LIMIT ${MOST_EVENTS}`,
  )
  const selectOfOrder = db.prepare<[OrderId], TicketEvent>(
    `SELECT seq, ticket_id AS ticketId, line_id AS lineId, what, at, actor AS by FROM ticket_event
      WHERE ticket_id IN (SELECT id FROM ticket WHERE order_id = ?) ORDER BY seq`,
  )
  const selectStart = db.prepare<[], number>('SELECT at FROM ticket_event WHERE seq = 1').pluck()
  // Newest first, because most questions are about this evening.
  const selectLastBy = db
    .prepare<[number], number>('SELECT seq FROM ticket_event WHERE at <= ? ORDER BY seq DESC LIMIT 1')
    .pluck()
  // A ticket that was open then is still open or was closed later. Only tickets whose first event is recorded can be
  // reconstructed.
  const eventsOfThose = `
      FROM ticket JOIN ticket_event AS event ON event.ticket_id = ticket.id
     WHERE (closed_at IS NULL OR closed_at >= @closedSince)
       AND (SELECT what FROM ticket_event WHERE ticket_id = ticket.id ORDER BY seq LIMIT 1) IN ('opened', 'added', 'held')
       AND seq <= @last`
  const selectUntil = db.prepare<{ closedSince: number; last: number }, TicketEvent>(
    `SELECT seq, ticket_id AS ticketId, event.line_id AS lineId, what, at, actor AS by ${eventsOfThose} ORDER BY seq`,
  )
  const selectAround = db.prepare<{ last: number; from: number; until: number }, NamedEvent>(
    `SELECT seq, ticket_id AS ticketId, event.line_id AS lineId, what, at, actor AS by, station_id AS stationId,
            station.title AS station, ticket.order_id AS orderId, number AS orderNumber, order_line.name AS line
       FROM (SELECT seq, ticket_id, line_id, what, at, actor FROM ticket_event
              WHERE seq <= @last ORDER BY seq DESC LIMIT ${MOST_AROUND}) AS event
       JOIN ticket ON ticket.id = ticket_id JOIN station ON station.id = station_id JOIN orders ON orders.id = ticket.order_id
       LEFT JOIN order_line ON order_line.id = event.line_id
      WHERE at BETWEEN @from AND @until ORDER BY seq`,
  )
  const selectLines = db.prepare<[string], { ticketId: TicketId; lineId: OrderLineId }>(
    `SELECT ticket_id AS ticketId, line_id AS lineId FROM ticket_item
      WHERE ticket_id IN (SELECT value FROM json_each(?)) ORDER BY ticket_id, line_id`,
  )

  return {
    /** The events after a sequence number, at most 1,000 in their order; 0 is the beginning. */
    since: (seq: number): TicketEvent[] => selectSince.all(seq),

    /** The events of an order's tickets, in their order. */
    ofOrder: (orderId: OrderId): TicketEvent[] => selectOfOrder.all(orderId),

    /** The events from one instant to another, at most the last 500, in their order. */
    around: (from: number, until: number): NamedEvent[] =>
      selectAround.all({ last: selectLastBy.get(until) ?? 0, from, until }),

    /** When the history begins (UTC milliseconds); undefined if nothing has happened yet. */
    start: (): number | undefined => selectStart.get(),

    /** The tickets that were held or open at an instant, or closed at `closedSince` or later, in their state at that instant. */
    at(instant: number, closedSince: number): Map<TicketId, RememberedTicket> {
      const events = groupBy(
        selectUntil.all({ closedSince, last: selectLastBy.get(instant) ?? 0 }),
        ({ ticketId }) => ticketId,
      )
      const lines = groupBy(selectLines.all(JSON.stringify([...events.keys()])), ({ ticketId }) => ticketId)
      const then = new Map<TicketId, RememberedTicket>()
      for (const [id, ofTicket] of events) {
        const ids = (lines.get(id) ?? []).map(({ lineId }) => lineId)
        then.set(id, replayed(ids, ofTicket))
      }
      return then
    },
  }
}
