import type { Clock } from '../terms/clock.ts'

const EVERY_MS = 60_000

// The oldest are forgotten, and at worst noted again too early.
const MOST_KNOWN = 1000

/** True at most once a minute for each key: what is seen with every request is written only then. */
export function turns<Key>(clock: Clock): (key: Key) => boolean {
  const takenAt = new Map<Key, number>()
  return key => {
    const now = clock.elapsed()
    if (now - (takenAt.get(key) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return false
    takenAt.delete(key)
    takenAt.set(key, now)
    if (takenAt.size > MOST_KNOWN) for (const oldest of takenAt.keys()) return takenAt.delete(oldest)
    return true
  }
}
