import { setTimeout as wait } from 'node:timers/promises'
import type { Outcome } from './command.ts'

const LOOK_EVERY_MS = 1000

export interface Watching {
  /** Returns the current output. */
  look(): Outcome | Promise<Outcome>
  /** Prints it: on a terminal in place of the previous output, elsewhere below it. */
  show(outcome: Outcome): void
}

/** Shows the output, and again whenever it changes, until Ctrl-C. Ends with the first outcome that is a refusal. */
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
