import type { Clock } from '../../store/terms/clock.ts'
import type { DeviceId } from '../../store/terms/ids.ts'

/** What a printer says about itself. */
export type PrinterCondition = 'ready' | 'paper low' | 'paper out' | 'cover open' | 'error'

/** What a printer said last. */
export interface Heard {
  /** When it last asked (UTC milliseconds). */
  at: number
  /** How long ago that was, by the monotonic clock. */
  agoMs: number
  condition: PrinterCondition
  /** In its own words, such as "410 Out of paper"; null: nothing is wrong. */
  words: string | null
}

export type PrintersHeard = ReturnType<typeof printersHeard>

const LONGEST_WORDS = 100

/** What each printer said last, in memory: the printers repeat it every few seconds. */
export function printersHeard({ now, elapsed }: Clock) {
  const heard = new Map<DeviceId, { at: number; elapsed: number; condition: PrinterCondition; words: string | null }>()
  const startedAt = elapsed()

  return {
    /** A printer has asked for a job or told its state; without a condition, that of before holds. */
    note(id: DeviceId, said?: { condition: PrinterCondition; words: string }): void {
      const before = heard.get(id)
      const condition = said?.condition ?? before?.condition ?? 'ready'
      const words = said ? said.words.slice(0, LONGEST_WORDS) : (before?.words ?? null)
      heard.set(id, { at: now(), elapsed: elapsed(), condition, words: condition === 'ready' ? null : words })
    },

    /** What a printer said last; undefined if it was not heard since the start. */
    of(id: DeviceId): Heard | undefined {
      const last = heard.get(id)
      return last && { at: last.at, agoMs: elapsed() - last.elapsed, condition: last.condition, words: last.words }
    },

    /** How long this server has been listening (milliseconds). */
    listeningMs: (): number => elapsed() - startedAt,
  }
}
