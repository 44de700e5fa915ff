import type { Permit } from './place.ts'

/** The orders that one bucket created within the window: instants, oldest first, from `start` on. */
interface Created {
  times: number[]
  start: number
}

// Bounds the memory that callers from many addresses can use; the bucket that was idle longest is dropped.
const MOST_BUCKETS = 50_000

export type OrderLimit = ReturnType<typeof orderLimit>

/**
 * The order limit of section 8 and decision B3: an exact sliding window of created orders per bucket, in memory. `elapsed` is a
 * monotonic clock in milliseconds. `limits` is called each time, so a change takes effect at once, and each bucket can have limits of
 * its own.
 */
export function orderLimit(elapsed: () => number, limits: (bucket: string) => { orders: number; windowS: number }) {
  const buckets = new Map<string, Created>()

  /** The orders of a bucket that are still within the window. */
  function counted(bucket: string, now: number): Created | undefined {
    const created = buckets.get(bucket)
    if (!created) return undefined
    const { times } = created
    const oldest = now - limits(bucket).windowS * 1000
    while (created.start < times.length && (times[created.start] as number) <= oldest) created.start++
    if (created.start === times.length) {
      buckets.delete(bucket)
      return undefined
    }
    if (created.start > times.length / 2) {
      created.times = times.slice(created.start)
      created.start = 0
    }
    return created
  }

  /** Seconds until a bucket may create an order again; 0 when it may now. */
  function secondsToWait(bucket: string): number {
    const now = elapsed()
    const created = counted(bucket, now)
    if (!created) return 0
    const { orders, windowS } = limits(bucket)
    const beyond = created.times.length - created.start - orders
    if (beyond < 0) return 0
    const nextToLeave = created.times[created.start + beyond] as number
    return Math.max(1, Math.ceil((nextToLeave + windowS * 1000 - now) / 1000))
  }

  function count(bucket: string, at: number): void {
    const created = buckets.get(bucket) ?? { times: [], start: 0 }
    created.times.push(at)
    // Set again, so that the map is ordered by last use.
    buckets.delete(bucket)
    buckets.set(bucket, created)
    if (buckets.size > MOST_BUCKETS) forgetOne()
  }

  function takeFor(bucket: string): boolean {
    if (secondsToWait(bucket) > 0) return false
    count(bucket, elapsed())
    return true
  }

  function forgetOne(): void {
    for (const bucket of buckets.keys()) {
      buckets.delete(bucket)
      return
    }
  }

  return {
    secondsToWait,

    /** Counts an order that was permitted elsewhere, at an instant of `elapsed`. */
    count,

    /** The buckets that created the most orders within the window, and how many, at most `most`. */
    fullest(most: number): { bucket: string; orders: number }[] {
      const now = elapsed()
      return [...buckets.keys()]
        .map(bucket => {
          const created = counted(bucket, now)
          return { bucket, orders: created ? created.times.length - created.start : 0 }
        })
        .filter(({ orders }) => orders > 0)
        .sort((a, b) => b.orders - a.orders)
        .slice(0, most)
    },

    /** A permit for one order of a bucket. Only created orders count, so an unused permit is given back. */
    // Methods, because tsx gives every other function its name, at the cost of a microsecond.
    permit: (bucket: string): Permit => ({
      take() {
        return takeFor(bucket)
      },
      giveBack() {
        buckets.get(bucket)?.times.pop()
      },
    }),
  }
}
