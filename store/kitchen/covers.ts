import type { Db } from '../file/open.ts'
import type { LocationId, StationId } from '../terms/ids.ts'

/** Finds the stations whose tickets a screen shows besides those of its own stations (decision 055). */
export function stationCovers(db: Db) {
  const selectClosed = db.prepare<{ now: number }, { id: StationId; to: StationId }>(
    `SELECT station_id AS id, to_station_id AS "to" FROM station_closed WHERE until_at IS NULL OR until_at > @now`,
  )
  const selectInactive = db
    .prepare<[LocationId], StationId>('SELECT id FROM station WHERE location_id = ? AND active = 0 ORDER BY id')
    .pluck()
  const selectTitle = db.prepare<[StationId], string>('SELECT title FROM station WHERE id = ?').pluck()

  return {
    /** The title of a station; empty: there is no such station. */
    title: (id: StationId): string => selectTitle.get(id) ?? '',

    /**
     * The stations whose tickets a screen for `chosen` shows: these stations; closed stations whose dishes they prepare, directly or
     * through another closed one; and, if the fallback station is among them, the stations that are no longer active. So every ticket
     * is on some screen.
     */
    shownBy(
      chosen: StationId[],
      { locationId, fallback }: { locationId: LocationId; fallback: StationId },
      now: number,
    ) {
      const shown = new Set(chosen)
      if (shown.has(fallback)) for (const id of selectInactive.all(locationId)) shown.add(id)
      const closed = selectClosed.all({ now })
      // Each round may add stations that stand in for others.
      for (let size = -1; size !== shown.size; ) {
        size = shown.size
        for (const { id, to } of closed) if (shown.has(to)) shown.add(id)
      }
      return [...shown]
    },
  }
}
