import type { Db } from '../file/open.ts'
import type { Noting } from '../people/activity.ts'
import type { LocationId, StationId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'

/** How long a ticket may be open before a screen must have shown it (decision 056). */
export const SHOWN_WITHIN_MS = 20_000

/** Whether no screen has shown an open ticket in time, as of `now`. Instants are UTC milliseconds. */
export function wasNotShownInTime(
  { openedAt, seenAt }: { openedAt: number; seenAt: number | null },
  now: number,
): boolean {
  return (seenAt ?? now) - openedAt >= SHOWN_WITHIN_MS
}

/** A station and its backup, whose screens also show what those of the station have not shown in time. */
export interface StationBackup {
  stationId: StationId
  backupId: StationId
}

/** The backups of stations (decision 056). A backup is a station of the same location. */
export function stationBackups(db: Db, { note }: Noting) {
  const selectAll = db.prepare<[], StationBackup>(
    'SELECT station_id AS stationId, backup_id AS backupId FROM station_backup ORDER BY station_id',
  )
  const selectBackup = db
    .prepare<[StationId], StationId>('SELECT backup_id FROM station_backup WHERE station_id = ?')
    .pluck()
  const selectStation = db.prepare<[StationId], { title: string; locationId: LocationId }>(
    'SELECT title, location_id AS locationId FROM station WHERE id = ? AND active = 1',
  )
  const put = db.prepare<[StationId, StationId]>(
    `INSERT INTO station_backup (station_id, backup_id) VALUES (?, ?)
     ON CONFLICT (station_id) DO UPDATE SET backup_id = excluded.backup_id`,
  )
  const remove = db.prepare<[StationId]>('DELETE FROM station_backup WHERE station_id = ?')

  const set = db.transaction((id: StationId, backupId: StationId | null): Refusal | undefined => {
    const station = selectStation.get(id)
    if (!station) return { refused: 'unknown station', station: id }
    const backup = backupId === null ? null : selectStation.get(backupId)
    if (backupId !== null && (!backup || backup.locationId !== station.locationId || backupId === id)) {
      return { refused: 'station elsewhere', station: backupId, location: station.locationId }
    }
    const before = selectBackup.get(id) ?? null
    if (before === backupId) return undefined
    if (backupId === null) remove.run(id)
    else put.run(id, backupId)
    note({
      what: 'station backup set',
      subject: `station ${id} ${station.title}`,
      was: before === null ? null : titleOf(before),
      became: backupId === null ? null : titleOf(backupId),
    })
    return undefined
  })

  function titleOf(id: StationId): string {
    return `station ${id} ${selectStation.get(id)?.title ?? ''}`.trimEnd()
  }

  return {
    list: (): StationBackup[] => selectAll.all(),

    /** Sets the backup of a station or (null) removes it. Refuses a station of another location, and the station itself. */
    set: (id: StationId, backupId: StationId | null): Refusal | undefined => set.immediate(id, backupId),
  }
}
