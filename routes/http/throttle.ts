// So many wrong tries are free. The wait then doubles from a second to a minute: slow for guessing, and never a lock-out.
const FREE_TRIES = { name: 5, address: 20 }
const LONGEST_WAIT_MS = 60_000

// After this time without a try, the tries are forgotten.
const FORGET_MS = 3_600_000

const MOST_KEYS = 10_000
const MOST_FAMILIAR = 1000

/** Whose guesses are counted: for a name (a person, a device), and from an address, which a whole restaurant may share. */
export interface Trier {
  name?: string
  /** As `bucketOf` returns it. */
  address: string
}

interface Tries {
  count: number
  /** When the next try is allowed, by the monotonic clock. */
  nextAt: number
}

export type Throttle = ReturnType<typeof throttle>

/**
 * Counts tries of passwords, PINs and codes, in memory, and makes the next one wait after some that were wrong: 1, 2, 4 … 60
 * seconds. An address from which a name has logged in before is counted by itself, so that nobody can keep that person out.
 */
export function throttle(elapsed: () => number) {
  const tries = new Map<string, Tries>()
  const familiar = new Set<string>()

  function keysOf({ name, address }: Trier): { key: string; free: number }[] {
    const both = `${name} from ${address}`
    const ofAddress = { key: `from ${address}`, free: FREE_TRIES.address }
    if (name === undefined) return [ofAddress]
    return [{ key: familiar.has(both) ? both : `as ${name}`, free: FREE_TRIES.name }, ofAddress]
  }

  function remembered(key: string): Tries {
    const known = tries.get(key)
    return known && elapsed() - known.nextAt < FORGET_MS ? known : { count: 0, nextAt: 0 }
  }

  return {
    /**
     * Takes a try. Returns 0 when it may be made now, else the seconds to wait. It counts as a wrong one until `succeeded` is
     * called, so that tries at the same time are counted, too.
     */
    take(trier: Trier): number {
      const now = elapsed()
      const keys = keysOf(trier)
      const wait = Math.max(...keys.map(({ key }) => remembered(key).nextAt - now))
      if (wait > 0) return Math.ceil(wait / 1000)
      for (const { key, free } of keys) {
        const count = remembered(key).count + 1
        const pause = count < free ? 0 : Math.min(LONGEST_WAIT_MS, 1000 * 2 ** (count - free))
        tries.delete(key)
        tries.set(key, { count, nextAt: now + pause })
        if (tries.size > MOST_KEYS) forgetOldest(tries)
      }
      return 0
    },

    /** Forgets the wrong tries of a name and makes its address familiar; of the address, only this try. */
    succeeded(trier: Trier): void {
      const [ofName, ofAddress = ofName] = keysOf(trier).map(({ key }) => key)
      const known = ofAddress === undefined ? undefined : tries.get(ofAddress)
      if (ofAddress !== undefined && known) tries.set(ofAddress, { count: known.count - 1, nextAt: 0 })
      if (trier.name === undefined || ofName === undefined) return
      tries.delete(ofName)
      familiar.add(`${trier.name} from ${trier.address}`)
      if (familiar.size > MOST_FAMILIAR) forgetOldest(familiar)
    },
  }
}

function forgetOldest(known: Map<string, unknown> | Set<string>): void {
  for (const oldest of known.keys()) {
    known.delete(oldest)
    return
  }
}
