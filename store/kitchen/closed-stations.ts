import type { Db } from '../file/open.ts'
import type { Noting } from '../people/activity.ts'
import { type Clock, parseInstant } from '../terms/clock.ts'
import type { LocationId, StationId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'

/** A station whose dishes another one prepares for now. Instants are UTC milliseconds. */
export interface ClosedStation {
  id: StationId
  title: string
  toId: StationId
  toTitle: string
  locationId: LocationId
  timezone: string
  since: number
  /** When it opens automatically; null: only when a person opens it. */
  until: number | null
  /** The name of the actor. */
  actor: string
}

interface Place {
  title: string
  locationId: LocationId
  active: number
  timezone: string
  dayStartsAt: string
}

/** The stations that are closed for now (decision 057): another station prepares their new dishes and shows their open tickets. */
export function closedStations(db: Db, clock: Clock, markChanged: () => void, { actor, note }: Noting) {
  const selectPlace = db.prepare<[StationId], Place>(
    `SELECT station.title, location_id AS locationId, active, timezone, day_starts_at AS dayStartsAt
       FROM station JOIN location ON location.id = location_id WHERE station.id = ?`,
  )
  const selectAll = db.prepare<[number], ClosedStation>(
    `SELECT station.id, station.title, other.id AS toId, other.title AS toTitle, station.location_id AS locationId, timezone,
            since_at AS since, until_at AS until, actor
       FROM station_closed JOIN station ON station.id = station_id JOIN station AS other ON other.id = to_station_id
       JOIN location ON location.id = station.location_id
      WHERE until_at IS NULL OR until_at > ? ORDER BY location.position, station.position, station.id`,
  )
  const forgetPast = db.prepare<[number]>('DELETE FROM station_closed WHERE until_at <= ?')
  const selectTarget = db
    .prepare<[StationId], StationId>('SELECT to_station_id FROM station_closed WHERE station_id = ?')
    .pluck()
  const insert = db.prepare<{ id: StationId; toId: StationId; now: number; until: number | null; actor: string }>(
    `INSERT INTO station_closed (station_id, to_station_id, since_at, until_at, actor)
     VALUES (@id, @toId, @now, @until, @actor)
     ON CONFLICT (station_id) DO UPDATE
        SET to_station_id = excluded.to_station_id, until_at = excluded.until_at, actor = excluded.actor`,
  )
  const remove = db.prepare<[StationId]>('DELETE FROM station_closed WHERE station_id = ?')

  /** Whether `to` prepares the dishes of `from`: as the same station, or because `from` is closed in its favour, directly or through others. */
  function leadsTo(from: StationId, to: StationId): boolean {
    const passed = new Set<StationId>()
    let at: StationId | undefined = from
    while (at !== undefined && at !== to && !passed.has(at)) {
      passed.add(at)
      at = selectTarget.get(at)
    }
    return at === to
  }

  const close = db.transaction((id: StationId, toId: StationId, until: number | null | undefined) => {
    const station = selectPlace.get(id)
    if (!station) return { refused: 'unknown station', station: id } satisfies Refusal
    const other = selectPlace.get(toId)
    const { title, locationId, timezone, dayStartsAt } = station
    if (other?.active !== 1 || other.locationId !== locationId) {
      return { refused: 'station elsewhere', station: toId, location: locationId } satisfies Refusal
    }
    const now = clock.now()
    const end = until === undefined ? (parseInstant(dayStartsAt, { zone: timezone, now, day: 'next' }) ?? null) : until
    if (end !== null && end <= now) return { refused: 'time has passed', until: end, timezone } satisfies Refusal
    forgetPast.run(now)
    if (leadsTo(toId, id)) return { refused: 'station circle', station: title, to: other.title } satisfies Refusal
    insert.run({ id, toId, now, until: end, actor: actor().name })
    markChanged()
    const ending = end === null ? '' : ` until ${new Date(end).toISOString()}`
    note({
      what: 'station closed',
      subject: `station ${id} ${title}`,
      became: `station ${toId} ${other.title}${ending}`,
    })
    return undefined
  })

  const open = db.transaction((id: StationId) => {
    const station = selectPlace.get(id)
    if (!station) return { refused: 'unknown station', station: id } satisfies Refusal
    forgetPast.run(clock.now())
    if (remove.run(id).changes === 0) return undefined
    markChanged()
    note({ what: 'station opened', subject: `station ${id} ${station.title}` })
    return undefined
  })

  return {
    /** The stations that are closed now. */
    closed: (): ClosedStation[] => selectAll.all(clock.now()),

    /**
     * Closes a station, so that another one of its location prepares its dishes: until an instant (UTC milliseconds), until a person
     * opens it (null), or (undefined) until the next business day starts there. Refuses an inactive station or one of another location,
     * an instant that has passed, and a circle.
     */
    close: (id: StationId, toId: StationId, until?: number | null): Refusal | undefined =>
      close.immediate(id, toId, until),

    /** Opens a station. If it is not closed, nothing changes. Refuses an unknown station. */
    open: (id: StationId): Refusal | undefined => open.immediate(id),
  }
}
