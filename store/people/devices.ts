import { timingSafeEqual } from 'node:crypto'
import type { Db } from '../file/open.ts'
import type { Clock } from '../terms/clock.ts'
import type { DeviceId, LocationId, StationId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'
import { flawOfText } from '../terms/text.ts'
import type { Noting } from './activity.ts'
import type { Actor } from './actor.ts'
import { newCode, newSecret, normalCode, sha256 } from './secret.ts'
import { turns } from './turns.ts'

/** What a device that is paired with a code can be. */
export const deviceRoles = ['till', 'kitchen', 'board', 'kiosk'] as const
export type DeviceRole = (typeof deviceRoles)[number]

/** A till, screen or printer that can act. */
export interface Device {
  id: DeviceId
  title: string
  role: DeviceRole | 'printer'
  locationId: LocationId
  /** The one station that it shows; null: all of them. */
  stationId: StationId | null
  createdAt: number
  lastSeenAt: number | null
  /** Null: in use. */
  endedAt: number | null
}

/** A location and its stations. */
export interface Place {
  id: LocationId
  title: string
  stations: { id: StationId; title: string }[]
}

/** What a new device is to be. */
export type WantedDevice = Pick<Device, 'title' | 'locationId' | 'stationId'> & { role: DeviceRole }

interface PairingRow extends WantedDevice {
  id: number
  sha256: Buffer
  failures: number
  actorKind: Actor['kind']
  actorId: number | null
  actorName: string
}

const LONGEST_TITLE = 80

const PAIRING_MS = 10 * 60_000
const MOST_FAILURES = 5
const MOST_PAIRINGS = 50

// Enough to tell the codes in use apart. The others are secret: 31^6 of them.
const START_LENGTH = 2

/** The devices of the restaurant. */
export function devices(db: Db, clock: Clock, { note, actor }: Noting) {
  const columns = `id, title, role, location_id AS locationId, station_id AS stationId, created_at AS createdAt,
    last_seen_at AS lastSeenAt, ended_at AS endedAt`
  const selectAll = db.prepare<[], Device>(
    `SELECT ${columns} FROM device ORDER BY ended_at IS NOT NULL, location_id, id`,
  )
  const selectOne = db.prepare<[DeviceId], Device>(`SELECT ${columns} FROM device WHERE id = ?`)
  const selectBySecret = db.prepare<[Buffer], Device>(
    `SELECT ${columns} FROM device WHERE sha256 = ? AND ended_at IS NULL`,
  )
  const markEnded = db.prepare<[number, DeviceId]>('UPDATE device SET ended_at = ?, sha256 = NULL WHERE id = ?')
  const endSessions = db.prepare<[DeviceId]>('DELETE FROM session WHERE device_id = ?')
  const updateSeen = db.prepare<[number, DeviceId]>('UPDATE device SET last_seen_at = ? WHERE id = ?')
  const insert = db.prepare<WantedDevice & { sha256: Buffer; now: number }>(
    `INSERT INTO device (title, role, location_id, station_id, created_at, last_seen_at, sha256)
     VALUES (@title, @role, @locationId, @stationId, @now, @now, @sha256)`,
  )

  const selectPlaces = db.prepare<
    [],
    { locationId: LocationId; location: string; stationId: StationId | null; station: string | null }
  >(
    `SELECT l.id AS locationId, l.title AS location, s.id AS stationId, s.title AS station
       FROM location l LEFT JOIN station s ON s.location_id = l.id AND s.active = 1
      WHERE l.published = 1 ORDER BY l.position, l.id, s.position, s.id`,
  )
  const isLocation = db.prepare<[LocationId], number>('SELECT 1 FROM location WHERE id = ?').pluck()
  const isStation = db
    .prepare<[StationId, LocationId], number>('SELECT 1 FROM station WHERE id = ? AND location_id = ? AND active = 1')
    .pluck()
  const removeExpired = db.prepare<[number]>('DELETE FROM pairing WHERE expires_at <= ?')
  const countPairings = db.prepare<[], number>('SELECT count(*) FROM pairing').pluck()
  const selectPairing = db.prepare<[string], PairingRow>(
    `SELECT id, sha256, title, role, location_id AS locationId, station_id AS stationId, failures,
            actor_kind AS actorKind, actor_id AS actorId, actor AS actorName
       FROM pairing WHERE start = ?`,
  )
  const insertPairing = db.prepare<Omit<PairingRow, 'id' | 'failures'> & { start: string; expiresAt: number }>(
    `INSERT INTO pairing (start, sha256, title, role, location_id, station_id, expires_at, failures, actor_kind, actor_id, actor)
     VALUES (@start, @sha256, @title, @role, @locationId, @stationId, @expiresAt, 0, @actorKind, @actorId, @actorName)`,
  )
  const countFailure = db.prepare<[number]>('UPDATE pairing SET failures = failures + 1 WHERE id = ?')
  const removePairing = db.prepare<[number]>('DELETE FROM pairing WHERE id = ?')

  const end = db.transaction((id: DeviceId): Device | Refusal<'unknown device'> => {
    const device = selectOne.get(id)
    if (device?.endedAt !== null) return { refused: 'unknown device', device: id }
    const endedAt = clock.now()
    markEnded.run(endedAt, id)
    endSessions.run(id)
    note({ what: 'device ended', subject: `device ${id} ${device.title}`, was: device.role })
    return { ...device, endedAt }
  })

  type OfferRefusal = Refusal<'unknown location' | 'station elsewhere' | 'too many pairings'>

  const offer = db.transaction((wanted: WantedDevice): { code: string; expiresAt: number } | OfferRefusal => {
    const { locationId, stationId } = wanted
    if (!isLocation.get(locationId)) return { refused: 'unknown location', location: locationId }
    if (stationId !== null && !isStation.get(stationId, locationId)) {
      return { refused: 'station elsewhere', station: stationId, location: locationId }
    }
    const now = clock.now()
    removeExpired.run(now)
    if ((countPairings.get() ?? 0) >= MOST_PAIRINGS) return { refused: 'too many pairings', most: MOST_PAIRINGS }
    let code = newCode()
    while (selectPairing.get(startOf(code))) code = newCode()
    const by = actor()
    const expiresAt = now + PAIRING_MS
    insertPairing.run({
      ...wanted,
      start: startOf(code),
      sha256: sha256(code),
      expiresAt,
      actorKind: by.kind,
      actorId: by.id,
      actorName: by.name,
    })
    return { code, expiresAt }
  })

  const pair = db.transaction((code: string): { device: Device; secret: string } | Refusal<'wrong code'> => {
    const now = clock.now()
    removeExpired.run(now)
    const pairing = selectPairing.get(startOf(code))
    if (!pairing) return { refused: 'wrong code' }
    if (!timingSafeEqual(sha256(code), pairing.sha256)) {
      if (pairing.failures + 1 < MOST_FAILURES) countFailure.run(pairing.id)
      else removePairing.run(pairing.id)
      return { refused: 'wrong code' }
    }
    removePairing.run(pairing.id)
    const { title, role, locationId, stationId, actorKind, actorId, actorName } = pairing
    const secret = newSecret()
    const row = { title, role, locationId, stationId, sha256: sha256(secret), now }
    const id = insert.run(row).lastInsertRowid as DeviceId
    const by = { kind: actorKind, id: actorId, name: actorName }
    note({ what: 'device paired', subject: `device ${id} ${title}`, became: role }, { actor: by })
    const device = { id, title, role, locationId, stationId, createdAt: now, lastSeenAt: now, endedAt: null }
    return { device, secret }
  })

  return {
    /** Where devices can be: the published locations with their stations. */
    places(): Place[] {
      const places = new Map<LocationId, Place>()
      for (const { locationId, location, stationId, station } of selectPlaces.all()) {
        const place = places.get(locationId) ?? { id: locationId, title: location, stations: [] }
        places.set(locationId, place)
        if (stationId !== null && station !== null) place.stations.push({ id: stationId, title: station })
      }
      return [...places.values()]
    },

    /** All devices, those in use first. */
    list: (): Device[] => selectAll.all(),

    /** The device in use that was paired with this secret. */
    find: (secret: string): Device | undefined => selectBySecret.get(sha256(secret)),

    /**
     * Makes a code to pair a device with: 8 characters, for 10 minutes, once, void after 5 wrong tries. Refuses a bad title, and a
     * location or station that does not exist.
     */
    offerPairing(wanted: WantedDevice): { code: string; expiresAt: number } | Refusal<'text'> | OfferRefusal {
      const flaw = flawOfText(wanted.title, { least: 1, most: LONGEST_TITLE, isOneLine: true })
      return flaw
        ? { refused: 'text', field: 'name', flaw }
        : offer.immediate({ ...wanted, title: wanted.title.trim() })
    },

    /** Pairs a device with a code as it was typed. The secret goes into its cookie and is stored only as a hash. */
    pair: (code: string): { device: Device; secret: string } | Refusal<'wrong code'> =>
      pair.immediate(normalCode(code)),

    /** True at most once a minute for each device; the caller that gets true calls `noteSeen`. */
    takeTurnToNote: turns<DeviceId>(clock),

    /** Records that a device was seen now. */
    noteSeen: (id: DeviceId): void => void updateSeen.run(clock.now(), id),

    /** Ends the use of a device for good, at once. Refuses one that does not exist or was ended. */
    end: (id: DeviceId): Device | Refusal<'unknown device'> => end.immediate(id),
  }
}

function startOf(code: string): string {
  return code.slice(0, START_LENGTH)
}
