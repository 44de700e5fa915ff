import type { Db } from '../file/open.ts'
import type { Clock } from '../terms/clock.ts'
import type { DeviceId, LocationId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'
import type { Noting } from './activity.ts'

/** A till, screen or printer that can act. */
export interface Device {
  id: DeviceId
  title: string
  role: 'till' | 'kitchen' | 'board' | 'kiosk' | 'printer'
  locationId: LocationId
  createdAt: number
  lastSeenAt: number | null
  /** Null: in use. */
  endedAt: number | null
}

/** The devices of the restaurant. */
export function devices(db: Db, clock: Clock, { note }: Noting) {
  const selectAll = db.prepare<[], Device>(
    `SELECT id, title, role, location_id AS locationId, created_at AS createdAt, last_seen_at AS lastSeenAt,
            ended_at AS endedAt
       FROM device ORDER BY ended_at IS NOT NULL, location_id, id`,
  )
  const markEnded = db.prepare<[number, DeviceId]>('UPDATE device SET ended_at = ? WHERE id = ?')

  const end = db.transaction((id: DeviceId): Device | Refusal<'unknown device'> => {
    const device = selectAll.all().find(each => each.id === id && each.endedAt === null)
    if (!device) return { refused: 'unknown device', device: id }
    const endedAt = clock.now()
    markEnded.run(endedAt, id)
    note({ what: 'device ended', subject: `device ${id} ${device.title}`, was: device.role })
    return { ...device, endedAt }
  })

  return {
    /** All devices, those in use first. */
    list: (): Device[] => selectAll.all(),

    /** Ends the use of a device for good. Refuses one that does not exist or was ended. */
    end: (id: DeviceId): Device | Refusal<'unknown device'> => end.immediate(id),
  }
}
