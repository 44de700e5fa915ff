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

/** What tries are counted by, and how many of them are free. */
interface Key {
  key: string
  free: number
  isName: boolean
}

export type Throttle = ReturnType<typeof throttle>

/**
 * Counts tries of passwords, PINs and codes, in memory, and makes the next one wait after some that were wrong: 1, 2, 4 … 60
 * seconds. A name and an address from which it has logged in before are counted by themselves, so that
 * others cannot keep that person out.
 */
export function throttle(elapsed: () => number) {
  const tries = new Map<string, Tries>()
  const familiar = new Set<string>()

  function keysOf(trier: Trier): Key[] {
    const { name, address } = trier
    const ofAddress = { key: `from ${address}`, free: FREE_TRIES.address, isName: false }
    if (name === undefined) return [ofAddress]
    const both = familiarKey(trier)
    if (familiar.has(both)) return [{ key: both, free: FREE_TRIES.name, isName: true }]
    return [{ key: `as ${name}`, free: FREE_TRIES.name, isName: true }, ofAddress]
  }

  function takeBack(key: string, free: number): void {
    const known = tries.get(key)
    if (!known) return
    const count = known.count - 1
    tries.set(key, { count, nextAt: count < free ? 0 : known.nextAt })
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

    /** Takes a try back that was not made after all. */
    notTried(trier: Trier): void {
      for (const { key, free } of keysOf(trier)) takeBack(key, free)
    },

    /** Forgets the wrong tries of a name and makes its address familiar; of the address, only this try. */
    succeeded(trier: Trier): void {
      for (const { key, free, isName } of keysOf(trier)) {
        if (isName) tries.delete(key)
        else takeBack(key, free)
      }
      if (trier.name === undefined) return
      familiar.add(familiarKey(trier))
      if (familiar.size > MOST_FAMILIAR) forgetOldest(familiar)
    },
  }
}

function familiarKey({ name, address }: Trier): string {
  return `as ${name} from ${address}`
}

function forgetOldest(known: Map<string, unknown> | Set<string>): void {
  for (const oldest of known.keys()) {
    known.delete(oldest)
    return
  }
}
