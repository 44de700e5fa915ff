import type { ItemId, StationId } from '../terms/ids.ts'
import type { Hold } from './tickets.ts'

/** How long a dish without a preparation time takes. */
export const USUAL_MINUTES = 15
const MINUTE = 60_000

/**
 * The tickets to hold of an order with a wanted time: each until that time minus the preparation time of its slowest dish
 * (decision G8). `prepTimeOf` is in minutes; a dish without one takes 15. A ticket whose time has come by `now` is not held.
 */
export function holdsUntil(
  wantedAt: number,
  routed: ReadonlyMap<StationId, number[]>,
  lines: { itemId: ItemId }[],
  prepTimeOf: (item: ItemId) => number | null | undefined,
  now: number,
): Map<StationId, Hold> {
  const holds = new Map<StationId, Hold>()
  for (const [station, indexes] of routed) {
    const minutes = indexes.map(index => prepTimeOf(lines[index]?.itemId as ItemId) ?? USUAL_MINUTES)
    const fireAt = wantedAt - Math.max(...minutes) * MINUTE
    if (fireAt > now) holds.set(station, { fireAt })
  }
  return holds
}
