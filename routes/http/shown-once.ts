import type { SessionId } from '../../store/terms/ids.ts'

/** A secret that was just made, for the person who made it. */
export type ShownOnce = ReturnType<typeof shownOnce>

// Longer than a browser takes for the next page.
const KEPT_MS = 60_000

/**
 * Keeps a new secret in memory between the form that makes it and the page that shows it, so that neither reloading nor going back
 * makes another. `elapsed` is a monotonic clock in milliseconds.
 */
export function shownOnce(elapsed: () => number) {
  const kept = new Map<string, { text: string; since: number }>()

  return {
    put(session: SessionId, what: 'token' | 'secret' | 'printer', text: string): void {
      for (const [key, { since }] of kept) if (elapsed() - since > KEPT_MS) kept.delete(key)
      kept.set(`${session} ${what}`, { text, since: elapsed() })
    },

    /** The secret, the first time that its own session asks for it. */
    take(session: SessionId, what: 'token' | 'secret' | 'printer'): string | undefined {
      const key = `${session} ${what}`
      const found = kept.get(key)
      kept.delete(key)
      return found && elapsed() - found.since <= KEPT_MS ? found.text : undefined
    },
  }
}
