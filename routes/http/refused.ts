import type { Clock } from '../../store/terms/clock.ts'
import type { Fault } from '../../store/terms/faults.ts'
import type { RefusalCode } from './refusal.ts'

/** What is kept about requests of one kind: refused for the same reason, at the same place, from the same address. */
export interface RefusedRequests {
  /** "POST /api/index.php/v1/restaurant/orders", without the query. */
  request: string
  code: RefusalCode
  /** The first fault of the order; null if it is not an order that is refused. */
  fault: Pick<Fault, 'title' | 'pointer'> | null
  /** The address of the client, as the order limit counts it. */
  address: string
  /** How many of them came within the last day. */
  count: number
  /** When the last one came (UTC milliseconds), and its request id, which the log has as well. */
  lastAt: number
  lastId: string
}

export type Refused = ReturnType<typeof refusedRequests>

// Bounds the memory that a flood from many addresses can use, to a megabyte; the kind that was idle longest is dropped.
const MOST_KINDS = 1000
const LONGEST_REQUEST = 200
const HOUR = 3_600_000
const HOURS = 24

interface Kind extends Omit<RefusedRequests, 'count'> {
  /** How many came in an hour, by that hour since 1970. */
  hours: Map<number, number>
}

/** The refused API requests of the last day, counted in memory (decision 053). Only a refused request costs anything. */
export function refusedRequests(clock: Clock) {
  const kinds = new Map<string, Kind>()

  function drop(hours: Map<number, number>, now: number): void {
    for (const hour of hours.keys()) if (hour <= Math.floor(now / HOUR) - HOURS) hours.delete(hour)
  }

  return {
    note({ request, id, ...what }: Pick<Kind, 'code' | 'fault' | 'address' | 'request'> & { id: string }): void {
      const now = clock.now()
      const shown = request.slice(0, LONGEST_REQUEST)
      const key = [shown, what.code, what.fault?.title, what.fault?.pointer, what.address].join('\n')
      const hours = kinds.get(key)?.hours ?? new Map<number, number>()
      drop(hours, now)
      const hour = Math.floor(now / HOUR)
      hours.set(hour, (hours.get(hour) ?? 0) + 1)
      // Set again, so that the map is ordered by last use.
      kinds.delete(key)
      kinds.set(key, { ...what, request: shown, lastAt: now, lastId: id, hours })
      const [oldest] = kinds.keys()
      if (kinds.size > MOST_KINDS && oldest !== undefined) kinds.delete(oldest)
    },

    /** Those of the last 24 hours, the latest first. */
    list(): RefusedRequests[] {
      const now = clock.now()
      const recent = [...kinds.values()].map(({ hours, ...kind }) => {
        drop(hours, now)
        return { ...kind, count: [...hours.values()].reduce((sum, count) => sum + count, 0) }
      })
      return recent.filter(({ count }) => count > 0).reverse()
    },
  }
}
