import type { Db } from '../file/open.ts'
import type { Noting } from '../people/activity.ts'
import type { Clock } from '../terms/clock.ts'
import type { LocationId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'

/** A location that does not take orders from guests for now (decision D10). */
export interface Pause {
  locationId: LocationId
  title: string
  timezone: string
  since: number
  /** When it ends automatically (UTC milliseconds); null: only when a person ends it. */
  until: number | null
  /** The name of the actor. */
  actor: string
}

/** The locations that do not take orders from guests for now. Their menus stay readable, and staff can still enter orders. */
export function pauses(db: Db, clock: Clock, markChanged: () => void, { actor, note }: Noting) {
  const selectLocation = db.prepare<[LocationId], { title: string; timezone: string }>(
    'SELECT title, timezone FROM location WHERE id = ?',
  )
  const selectAll = db.prepare<[number], Pause>(
    `SELECT location_id AS locationId, title, timezone, since_at AS since, until_at AS until, actor
       FROM pause JOIN location ON location.id = location_id
      WHERE until_at IS NULL OR until_at > ? ORDER BY position, location_id`,
  )
  const forgetPast = db.prepare<[number]>('DELETE FROM pause WHERE until_at <= ?')
  const selectPause = db.prepare<[LocationId], { until: number | null }>(
    'SELECT until_at AS until FROM pause WHERE location_id = ?',
  )
  const insert = db.prepare<{ id: LocationId; now: number; until: number | null; actor: string }>(
    `INSERT INTO pause (location_id, since_at, until_at, actor) VALUES (@id, @now, @until, @actor)
     ON CONFLICT (location_id) DO UPDATE SET until_at = excluded.until_at, actor = excluded.actor`,
  )
  const remove = db.prepare<[LocationId]>('DELETE FROM pause WHERE location_id = ?')

  /** Pauses a location until an instant or (null) indefinitely, or ends the pause, with the actor; in one transaction. */
  const change = db.transaction((id: LocationId, wanted: { until: number | null } | undefined): Refusal | undefined => {
    const location = selectLocation.get(id)
    if (!location) return { refused: 'unknown location', location: id }
    const { title, timezone } = location
    const now = clock.now()
    const until = wanted?.until ?? null
    if (until !== null && until <= now) return { refused: 'time has passed', until, timezone }
    forgetPast.run(now)
    const before = selectPause.get(id)
    if (stateText(before) === stateText(wanted)) return undefined
    if (wanted) insert.run({ id, now, until: wanted.until, actor: actor().name })
    else remove.run(id)
    markChanged()
    note({
      what: wanted ? 'orders paused' : 'orders resumed',
      subject: `location ${id} ${title}`,
      was: stateText(before),
      became: stateText(wanted),
    })
    return undefined
  })

  return {
    /** The locations that are paused now. */
    list: (): Pause[] => selectAll.all(clock.now()),

    /** Pauses a location until an instant or (null) until a person resumes it. Refuses an instant that has passed. */
    pause: (id: LocationId, until: number | null): Refusal | undefined => change.immediate(id, { until }),

    /** Ends the pause of a location, if there is one. */
    resume: (id: LocationId): Refusal | undefined => change.immediate(id, undefined),
  }
}

function stateText(pause: { until: number | null } | undefined): string {
  if (!pause) return 'taking orders'
  return pause.until === null ? 'paused' : `paused until ${new Date(pause.until).toISOString()}`
}
