import type { Db } from '../file/open.ts'
import type { Noting } from '../people/activity.ts'
import type { Clock } from '../terms/clock.ts'
import type { ItemId, LocationId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'

/** A dish that a person has taken off the menu, at one location or (null) everywhere. */
export interface Unavailable {
  itemId: ItemId
  title: string
  locationId: LocationId | null
  since: number
  /** When it comes back by itself (UTC milliseconds); null: when a person lifts it. */
  until: number | null
}

/** The 86 list: what is switched off for now, by item and location. */
export function availability(db: Db, clock: Clock, markChanged: () => void, { actor, note }: Noting) {
  const titleOf = db.prepare<[ItemId], string>('SELECT title FROM item WHERE id = ?').pluck()
  const locationExists = db.prepare<[LocationId], number>('SELECT 1 FROM location WHERE id = ?').pluck()
  const selectAll = db.prepare<[number], Unavailable>(
    `SELECT target_id AS itemId, item.title, nullif(location_id, 0) AS locationId, since_at AS since, until_at AS until
       FROM unavailable JOIN item ON item.id = target_id
      WHERE kind = 'item' AND (until_at IS NULL OR until_at > ?) ORDER BY location_id, target_id`,
  )
  const forgetPast = db.prepare<[number]>('DELETE FROM unavailable WHERE until_at <= ?')
  const switchOff = db.prepare<{
    itemId: ItemId
    locationId: number
    now: number
    until: number | null
    actor: string
  }>(
    `INSERT INTO unavailable (kind, target_id, location_id, since_at, until_at, actor)
     VALUES ('item', @itemId, @locationId, @now, @until, @actor)
     ON CONFLICT (kind, target_id, location_id) DO UPDATE SET until_at = excluded.until_at, actor = excluded.actor`,
  )
  const switchOn = db.prepare<[ItemId, number]>(
    `DELETE FROM unavailable WHERE kind = 'item' AND target_id = ? AND location_id = ?`,
  )

  const selectEntry = db.prepare<[ItemId, number], { until: number | null }>(
    `SELECT until_at AS until FROM unavailable WHERE kind = 'item' AND target_id = ? AND location_id = ?`,
  )

  /** Puts an item on the list until an instant or (null) for good, or takes it off, with who did it; all in one transaction. */
  const change = db.transaction(
    (itemId: ItemId, locationId: LocationId | null, wanted: { until: number | null } | undefined) => {
      const title = titleOf.get(itemId)
      if (title === undefined) return { refused: 'unknown item', item: itemId } satisfies Refusal
      if (locationId !== null && locationExists.get(locationId) === undefined) {
        return { refused: 'unknown location', location: locationId } satisfies Refusal
      }
      const now = clock.now()
      forgetPast.run(now)
      const place = locationId ?? 0
      const before = selectEntry.get(itemId, place)
      if (stateText(before) === stateText(wanted)) return undefined
      if (wanted) switchOff.run({ itemId, locationId: place, now, until: wanted.until, actor: actor().name })
      else switchOn.run(itemId, place)
      markChanged()
      note({
        what: wanted ? 'taken off the menu' : 'put back on the menu',
        subject: `item ${itemId} ${title}, ${locationId === null ? 'everywhere' : `location ${locationId}`}`,
        was: stateText(before),
        became: stateText(wanted),
      })
      return undefined
    },
  )

  return {
    /** What is off now, what is off everywhere first. */
    list: (): Unavailable[] => selectAll.all(clock.now()),

    /** 86es an item at a location or (null) everywhere, until an instant or (null) until a person lifts it. */
    off(itemId: ItemId, locationId: LocationId | null, until: number | null): Refusal | undefined {
      if (until !== null && until <= clock.now()) return { refused: 'time has passed', until }
      return change.immediate(itemId, locationId, { until })
    },

    /** Lifts the 86 of an item at a location or (null) the one that holds everywhere. */
    on: (itemId: ItemId, locationId: LocationId | null): Refusal | undefined =>
      change.immediate(itemId, locationId, undefined),
  }
}

function stateText(entry: { until: number | null } | undefined): string {
  if (!entry) return 'on'
  return entry.until === null ? 'off' : `off until ${new Date(entry.until).toISOString()}`
}
