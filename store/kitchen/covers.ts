import type { Db } from '../file/open.ts'
import type { LocationId, StationId } from '../terms/ids.ts'

/** Which stations' tickets a screen shows besides those of the stations that it is for. */
export function stationCovers(db: Db) {
  const selectClosed = db.prepare<{ now: number }, { id: StationId; to: StationId }>(
    `SELECT station_id AS id, to_station_id AS "to" FROM station_closed WHERE until_at IS NULL OR until_at > @now`,
  )
  const selectInactive = db
    .prepare<[LocationId], StationId>('SELECT id FROM station WHERE location_id = ? AND active = 0 ORDER BY id')
    .pluck()
  const selectTitle = db.prepare<[StationId], string>('SELECT title FROM station WHERE id = ?').pluck()

  return {
    title: (id: StationId): string => selectTitle.get(id) ?? '',

    /**
     * The stations whose tickets appear on a screen for `chosen`: these; those that are closed in favour of them, also by way of
     * another closed one; and, for the one that takes what no rule routes, those that no longer exist, so that no ticket is on no
     * screen.
     */
    shownBy(
      chosen: StationId[],
      { locationId, fallback }: { locationId: LocationId; fallback: StationId },
      now: number,
    ) {
      const shown = new Set(chosen)
      if (shown.has(fallback)) for (const id of selectInactive.all(locationId)) shown.add(id)
      const closed = selectClosed.all({ now })
      // Each round may add stations that others are closed in favour of.
      for (let size = -1; size !== shown.size; ) {
        size = shown.size
        for (const { id, to } of closed) if (shown.has(to)) shown.add(id)
      }
      return [...shown]
    },
  }
}
