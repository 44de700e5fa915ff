import type { Clock } from '../../store/terms/clock.ts'
import type { DeviceId } from '../../store/terms/ids.ts'

/** The state of a printer, as it reports it. */
export type PrinterCondition = 'ready' | 'paper low' | 'paper out' | 'cover open' | 'error'

/** The last report of a printer. */
export interface Heard {
  /** When the printer last asked (UTC milliseconds). */
  at: number
  /** How long ago that was, by the monotonic clock. */
  agoMs: number
  condition: PrinterCondition
  /** The state in the printer's words, such as "410 Out of paper"; null: nothing is wrong. */
  words: string | null
}

export type PrintersHeard = ReturnType<typeof printersHeard>

const LONGEST_WORDS = 100

/** Keeps the last report of each printer in memory, because printers repeat it every few seconds. */
export function printersHeard({ now, elapsed }: Clock) {
  const heard = new Map<DeviceId, { at: number; elapsed: number; condition: PrinterCondition; words: string | null }>()
  const startedAt = elapsed()

  return {
    /** Notes that a printer has asked for a job or reported its state. Without `said`, the state stays as it was. */
    note(id: DeviceId, said?: { condition: PrinterCondition; words: string }): void {
      const before = heard.get(id)
      const condition = said?.condition ?? before?.condition ?? 'ready'
      const words = said ? said.words.slice(0, LONGEST_WORDS) : (before?.words ?? null)
      heard.set(id, { at: now(), elapsed: elapsed(), condition, words: condition === 'ready' ? null : words })
    },

    /** The last report of a printer; undefined if there was none since the server started. */
    of(id: DeviceId): Heard | undefined {
      const last = heard.get(id)
      return last && { at: last.at, agoMs: elapsed() - last.elapsed, condition: last.condition, words: last.words }
    },

    /** How long this server has been listening (milliseconds). */
    listeningMs: (): number => elapsed() - startedAt,
  }
}
