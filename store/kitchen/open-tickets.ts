import type { Db } from '../file/open.ts'
import type { Clock } from '../terms/clock.ts'
import type { StationId, TicketId } from '../terms/ids.ts'

/** An open ticket, and whether a screen has shown it. */
export interface OpenTicket {
  id: TicketId
  stationId: StationId
  orderNumber: number
  /** When it came to its station (UTC milliseconds). */
  openedAt: number
  isSeen: boolean
}

const MOST_OPEN = 1000

// A ticket that was forgotten yesterday raises no alarm today.
const RECENT_MS = 12 * 3_600_000

/** Returns the function that reads the open tickets that came to their stations in the last 12 hours: the newest 1,000, the oldest of them first. */
export function openTickets(db: Db, clock: Clock): () => OpenTicket[] {
  const select = db.prepare<[number], Omit<OpenTicket, 'isSeen'> & { isSeen: number }>(
    `SELECT ticket.id, station_id AS stationId, number AS orderNumber, opened_at AS openedAt, seen_at IS NOT NULL AS isSeen
       FROM ticket JOIN orders ON orders.id = order_id
      WHERE ticket.id IN (SELECT id FROM ticket WHERE state <> 'done' AND state = 'open' AND closed_at IS NULL
                           ORDER BY id DESC LIMIT ${MOST_OPEN})
        AND opened_at >= ?
      ORDER BY ticket.id`,
  )
  return () => select.all(clock.now() - RECENT_MS).map(row => ({ ...row, isSeen: row.isSeen === 1 }))
}
