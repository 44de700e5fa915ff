import type { Clock } from '../../store/terms/clock.ts'

/** A clock that a test moves. It starts at the given instant. */
export function heldClock(
  start: string | number,
): Clock & { set(instant: string | number): void; pass(ms: number): void } {
  let now = new Date(start).getTime()
  let elapsed = 1_000_000
  return {
    now: () => now,
    elapsed: () => elapsed,
    set(instant) {
      now = new Date(instant).getTime()
    },
    pass(ms) {
      now += ms
      elapsed += ms
    },
  }
}
