import { setTimeout as wait } from 'node:timers/promises'
import type { Outcome } from './command.ts'

const LOOK_EVERY_MS = 1000

export interface Watching {
  /** What there is to see now. */
  look(): Outcome | Promise<Outcome>
  /** Shows it: in place of what was shown before on a terminal, below it elsewhere. */
  show(outcome: Outcome): void
}

/** Shows what there is to see, and again whenever it changes, until Ctrl-C. Ends with the first outcome that is a refusal. */
export async function follow({ look, show }: Watching): Promise<Outcome | undefined> {
  const end = new AbortController()
  const stop = () => end.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  let before: string | undefined
  try {
    while (!end.signal.aborted) {
      const outcome = await look()
      if (outcome.code !== 0) return outcome
      if (outcome.text !== before) show(outcome)
      before = outcome.text
      await wait(LOOK_EVERY_MS, undefined, { signal: end.signal }).catch(() => {})
    }
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
  return undefined
}
