import { hash } from 'node:crypto'
import type { Db } from '../file/open.ts'
import type { HeldFor, TicketLineState, TicketState } from '../kitchen/tickets.ts'
import type { Source } from '../terms/channels.ts'
import type { LocationId, OrderId, OrderLineId, StationId, TicketId } from '../terms/ids.ts'
import { groupBy } from '../terms/rows.ts'

/** A ticket with all that a station shows of it. Instants are UTC milliseconds. */
export interface ShownTicket {
  id: TicketId
  station: string
  stationId: StationId
  /** The location of the station. */
  locationId: LocationId
  state: TicketState
  batch: number
  openedAt: number
  /** When all of its lines were done or void; null: not yet. */
  closedAt: number | null
  /** When a held ticket fires automatically; null: only when a person fires it. */
  fireAt: number | null
  /** Whether its lines were added after the order was placed. */
  isAdded: boolean
  /** What a held ticket waits for besides its time or a person; null: nothing else. */
  heldFor: HeldFor | null
  /** When a screen first showed it at its station; null: not yet. */
  seenAt: number | null
  /** When the kitchen acknowledged its notes about allergies and from guests; null: not yet. */
  acknowledgedAt: number | null
  /** When a line was last voided; null: never, or the kitchen has dismissed that. */
  noticeAt: number | null
  /** The sequence number and instant of the last event that opened, held, fired or recalled it. */
  turn: string
  orderId: OrderId
  orderNumber: number
  orderNotes: string | null
  source: Source
  customerName: string | null
  mode: string | null
  tableTitle: string | null
  /** When the guest wants it; null: as soon as possible. */
  wantedAt: number | null
  deliveryAddress: string | null
  deliveryPostcode: string | null
  /** The location's time zone. */
  timezone: string
  items: ShownItem[]
}

export interface ShownItem {
  lineId: OrderLineId
  state: TicketLineState
  qtyMilli: number
  name: string
  notes: string | null
  /** Whether the menu says now that the dish contains alcohol. */
  hasAlcohol: boolean
  modifiers: { title: string; qty: number }[]
}

export type TicketRow = Omit<ShownTicket, 'items' | 'isAdded'> & { isAdded: number }

interface ItemRow extends Omit<ShownItem, 'modifiers' | 'hasAlcohol'> {
  ticketId: TicketId
  hasAlcohol: number
  modifiers: string | null
}

/** SQL that selects tickets. The caller adds a condition on `ticket`. */
export const selectTickets = `SELECT ticket.id, station.title AS station, station_id AS stationId,
    station.location_id AS locationId, ticket.state, batch, opened_at AS openedAt, closed_at AS closedAt, fire_at AS fireAt, held_for AS heldFor,
    EXISTS (SELECT 1 FROM ticket_event WHERE ticket_id = ticket.id AND what = 'added') AS isAdded, seen_at AS seenAt,
    acknowledged_at AS acknowledgedAt, notice_at AS noticeAt,
    (SELECT seq || ' ' || at FROM ticket_event
      WHERE ticket_id = ticket.id AND what IN ('opened', 'added', 'held', 'fired', 'recalled')
      ORDER BY seq DESC LIMIT 1) AS turn,
    order_id AS orderId, number AS orderNumber,
    orders.notes AS orderNotes, source, customer_name AS customerName, mode, table_title AS tableTitle,
    wanted_at AS wantedAt, delivery_address AS deliveryAddress, delivery_postcode AS deliveryPostcode, timezone
  FROM ticket JOIN station ON station.id = station_id JOIN orders ON orders.id = order_id
       JOIN location ON location.id = orders.location_id`

/**
 * A fingerprint of a ticket as a screen shows it (decision 055). It differs between tickets, even if a restored backup reuses an id, and
 * it changes when the ticket is held, fired or recalled and when its notes change, but not when lines are done or void.
 */
export function shownAs({ id, openedAt, turn, orderNotes, items }: ShownTicket): string {
  const notes = items.map(item => [item.lineId, item.notes])
  return hash('sha256', JSON.stringify([id, openedAt, turn, orderNotes, notes]), 'base64url').slice(0, 16)
}

/** Reads tickets with their lines. */
export function shownTickets(db: Db) {
  const selectTicket = db.prepare<[TicketId], TicketRow>(`${selectTickets} WHERE ticket.id = ?`)
  const selectItems = db.prepare<[string], ItemRow>(
    `SELECT ticket_id AS ticketId, line_id AS lineId, state, qty_milli AS qtyMilli, name, notes, modifiers,
            coalesce((SELECT is_alcohol FROM item WHERE item.id = item_id), 0) AS hasAlcohol
       FROM ticket_item JOIN order_line ON order_line.id = line_id
      WHERE ticket_id IN (SELECT value FROM json_each(?)) ORDER BY ticket_id, line_id`,
  )

  function withItems(rows: TicketRow[]): ShownTicket[] {
    const items = groupBy(selectItems.all(JSON.stringify(rows.map(({ id }) => id))), ({ ticketId }) => ticketId)
    return rows.map(row => ({ ...row, isAdded: row.isAdded === 1, items: (items.get(row.id) ?? []).map(itemOf) }))
  }

  return {
    withItems,
    one(id: TicketId): ShownTicket | undefined {
      const row = selectTicket.get(id)
      return row && withItems([row])[0]
    },
  }
}

function itemOf({ ticketId: _, modifiers, hasAlcohol, ...item }: ItemRow): ShownItem {
  return {
    ...item,
    hasAlcohol: hasAlcohol === 1,
    modifiers: modifiers === null ? [] : (JSON.parse(modifiers) as ShownItem['modifiers']),
  }
}
