import type { Db } from '../file/open.ts'
import type { ItemId, LocationId, StationId } from '../terms/ids.ts'
import { groupBy } from '../terms/rows.ts'
import { USUAL_MINUTES } from './lead.ts'
import { type Kitchen, routeLines } from './routing.ts'

/** The open work of a station, and how long it took for what it finished in the last 30 minutes (decision 056). */
export interface StationWork {
  stationId: StationId
  title: string
  /** Its open tickets, and the lines on them that are still open, among the newest 300 open tickets of all stations. */
  openTickets: number
  openLines: number
  /** When the oldest of them came to the station (UTC milliseconds); null: none is open. */
  oldestAt: number | null
  /** The tickets that it finished in the last 30 minutes, and the lines on them that were done. */
  doneTickets: number
  doneLines: number
  /** The median time of these tickets from opened to done (milliseconds); null: there are none. */
  median: number | null
  /** Their 90th percentile (milliseconds); null: there are none. */
  p90: number | null
}

/** What guests are told about the wait, in minutes: a range of multiples of 5. */
export interface Wait {
  from: number
  to: number
  /** How many minutes of both ends are there because the location is busy. */
  busyMinutes: number
}

export interface WaitsContext {
  now(): number
  /** The active stations of a location; undefined: it has none. */
  kitchenOf(id: LocationId): Kitchen | undefined
  /** The dishes that a location sells. */
  dishesOf(id: LocationId): { id: ItemId; prepTimeMinutes: number | null }[]
  busyMinutes(id: LocationId): number
}

const MINUTE = 60_000
const MEASURED_MS = 30 * MINUTE

// Measuring must stay cheap even on an evening that is busier than any restaurant's.
const MOST_EVENTS = 5000
const MOST_OPEN = 300

// Nobody waits for an older ticket: it was forgotten.
const FORGOTTEN_MS = 120 * MINUTE

// Fewer tickets say nothing about the next one.
const LEAST_TICKETS = 3

// In a quiet half hour a station could have done more than it did. Fewer lines than this say nothing about its pace.
const LEAST_LINES = 10

const STEP = 5

interface DoneRow {
  stationId: StationId
  openedAt: number
  closedAt: number
  lines: number
}
interface OpenRow {
  stationId: StationId
  tickets: number
  lines: number
  /** The open lines of tickets that were not forgotten. */
  waitingLines: number
  oldestAt: number
}

/** Measures how long the kitchens take (decision 056). */
export function waits(db: Db, { now, kitchenOf, dishesOf, busyMinutes }: WaitsContext) {
  // Backwards from the newest event, so that an old file costs no more than a new one.
  const selectDone = db.prepare<{ since: number }, DoneRow>(
    `SELECT station_id AS stationId, opened_at AS openedAt, closed_at AS closedAt,
            (SELECT count(*) FROM ticket_item WHERE ticket_id = ticket.id AND ticket_item.state = 'done') AS lines
       FROM ticket
      WHERE state = 'done' AND closed_at >= @since
        AND id IN (SELECT ticket_id
                     FROM (SELECT ticket_id, line_id, what FROM ticket_event
                            WHERE seq > coalesce((SELECT seq FROM (SELECT seq, at FROM ticket_event
                                                                    ORDER BY seq DESC LIMIT ${MOST_EVENTS})
                                                   WHERE at < @since LIMIT 1), 0)
                            ORDER BY seq DESC LIMIT ${MOST_EVENTS})
                    WHERE line_id IS NULL AND what = 'done')`,
  )
  const selectOpen = db.prepare<{ forgotten: number }, OpenRow>(
    `SELECT stationId, count(*) AS tickets, sum(lines) AS lines, min(openedAt) AS oldestAt,
            sum(iif(openedAt >= @forgotten, lines, 0)) AS waitingLines
       FROM (SELECT station_id AS stationId, opened_at AS openedAt,
                    (SELECT count(*) FROM ticket_item WHERE ticket_id = ticket.id AND ticket_item.state = 'open') AS lines
               FROM ticket WHERE state <> 'done' AND state = 'open' AND closed_at IS NULL
              ORDER BY id DESC LIMIT ${MOST_OPEN})
      GROUP BY stationId`,
  )

  function measured(): { done: Map<StationId, DoneRow[]>; open: Map<StationId, OpenRow> } {
    const at = now()
    const done = selectDone.all({ since: at - MEASURED_MS })
    const open = selectOpen.all({ forgotten: at - FORGOTTEN_MS })
    return { done: groupBy(done, row => row.stationId), open: new Map(open.map(row => [row.stationId, row])) }
  }

  /** The wait at one station, in minutes: as measured, but at least as long as the open lines take at its pace. */
  function rangeOf(done: DoneRow[], waitingLines: number, prepTimes: number[]): { low: number; high: number } {
    if (done.length < LEAST_TICKETS)
      return { low: percentile(prepTimes, 50) ?? 0, high: percentile(prepTimes, 90) ?? 0 }
    const took = durationsOf(done)
    const lines = linesOf(done)
    const since = Math.max(now() - MEASURED_MS, Math.min(...done.map(({ openedAt }) => openedAt)))
    const toClear = lines < LEAST_LINES ? 0 : (waitingLines / lines) * (now() - since)
    return {
      low: Math.max(percentile(took, 50) ?? 0, toClear) / MINUTE,
      high: Math.max(percentile(took, 90) ?? 0, toClear) / MINUTE,
    }
  }

  return {
    /** The active stations of a location, with their work. */
    stations(id: LocationId): StationWork[] {
      const { done, open } = measured()
      return (kitchenOf(id)?.stations ?? []).map(({ id: stationId, title }) => {
        const finished = done.get(stationId) ?? []
        const { tickets = 0, lines = 0, oldestAt = null } = open.get(stationId) ?? {}
        const took = durationsOf(finished)
        return {
          stationId,
          title,
          openTickets: tickets,
          openLines: lines,
          oldestAt,
          doneTickets: finished.length,
          doneLines: linesOf(finished),
          median: percentile(took, 50),
          p90: percentile(took, 90),
        }
      })
    },

    /**
     * The wait that guests of a location are told: that of its slowest station, plus the minutes that were added because it is busy. A
     * station with too few measurements counts with the preparation times of its dishes. Undefined: nothing is prepared there.
     */
    quote(id: LocationId): Wait | undefined {
      const kitchen = kitchenOf(id)
      if (!kitchen) return undefined
      const dishes = dishesOf(id)
      const routed = routeLines(
        kitchen,
        dishes.map(dish => ({ itemId: dish.id })),
        { channel: 'web', mode: null },
      )
      const { done, open } = measured()
      const ranges = kitchen.stations.map(({ id: station }) => {
        const prepTimes = (routed.get(station) ?? []).map(index => dishes[index]?.prepTimeMinutes ?? USUAL_MINUTES)
        return rangeOf(done.get(station) ?? [], open.get(station)?.waitingLines ?? 0, prepTimes)
      })
      const high = Math.max(...ranges.map(range => range.high))
      if (high === 0) return undefined
      const more = busyMinutes(id)
      const low = Math.max(...ranges.map(range => range.low))
      const from = Math.max(STEP, Math.floor((low + more) / STEP) * STEP)
      return { from, to: Math.max(from + STEP, Math.ceil((high + more) / STEP) * STEP), busyMinutes: more }
    },
  }
}

function durationsOf(done: DoneRow[]): number[] {
  // The clock may have been set back in between.
  return done.map(({ openedAt, closedAt }) => Math.max(0, closedAt - openedAt))
}

function linesOf(done: DoneRow[]): number {
  return done.reduce((sum, { lines }) => sum + lines, 0)
}

/** The smallest of the values that at least this percentage of them does not exceed; null: there are none. */
export function percentile(values: number[], percent: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? null
}
