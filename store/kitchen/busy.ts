import type { Db } from '../file/open.ts'
import type { Noting } from '../people/activity.ts'
import type { Clock } from '../terms/clock.ts'
import type { LocationId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'

/** A location where guests are told to wait longer for now (decision 056). */
export interface Busy {
  locationId: LocationId
  title: string
  timezone: string
  /** How many minutes longer. */
  minutes: number
  since: number
  /** When it ends automatically (UTC milliseconds); null: only when a person ends it. */
  until: number | null
  /** The name of the actor. */
  actor: string
}

// The largest number of minutes that can be added to a wait.
const MOST_BUSY_MINUTES = 120

/** How long a location is busy unless another end is chosen. */
export const BUSY_MS = 60 * 60_000

/** The locations that are busy: their guests are told a longer wait, and can still order (decision 056). */
export function busyLocations(db: Db, clock: Clock, { actor, note }: Noting) {
  const selectLocation = db.prepare<[LocationId], { title: string; timezone: string }>(
    'SELECT title, timezone FROM location WHERE id = ?',
  )
  const columns = `SELECT location_id AS locationId, title, timezone, minutes, since_at AS since, until_at AS until, actor
       FROM busy JOIN location ON location.id = location_id WHERE (until_at IS NULL OR until_at > @now)`
  const selectAll = db.prepare<{ now: number }, Busy>(`${columns} ORDER BY position, location_id`)
  const selectOne = db.prepare<{ now: number; id: LocationId }, Busy>(`${columns} AND location_id = @id`)
  const forgetPast = db.prepare<[number]>('DELETE FROM busy WHERE until_at <= ?')
  const insert = db.prepare<{ id: LocationId; minutes: number; now: number; until: number | null; actor: string }>(
    `INSERT INTO busy (location_id, minutes, since_at, until_at, actor) VALUES (@id, @minutes, @now, @until, @actor)
     ON CONFLICT (location_id) DO UPDATE
       SET minutes = excluded.minutes, until_at = excluded.until_at, actor = excluded.actor`,
  )
  const remove = db.prepare<[LocationId]>('DELETE FROM busy WHERE location_id = ?')

  const change = db.transaction(
    (id: LocationId, wanted: Pick<Busy, 'minutes' | 'until'> | undefined): Refusal | undefined => {
      const location = selectLocation.get(id)
      if (!location) return { refused: 'unknown location', location: id }
      const { title, timezone } = location
      const now = clock.now()
      const until = wanted?.until ?? null
      if (until !== null && until <= now) return { refused: 'time has passed', until, timezone }
      forgetPast.run(now)
      const before = selectOne.get({ now, id })
      if (stateText(before) === stateText(wanted)) return undefined
      if (wanted) insert.run({ id, ...wanted, now, actor: actor().name })
      else remove.run(id)
      note({
        what: wanted ? 'marked as busy' : 'no longer busy',
        subject: `location ${id} ${title}`,
        was: stateText(before),
        became: stateText(wanted),
      })
      return undefined
    },
  )

  return {
    /** The locations that are busy now. */
    list: (): Busy[] => selectAll.all({ now: clock.now() }),

    /** Whether and how a location is busy now. */
    at: (id: LocationId): Busy | undefined => selectOne.get({ now: clock.now(), id }),

    /**
     * Adds 1 to 120 minutes to the wait that guests of a location are told: until an instant (UTC milliseconds), by default for an
     * hour, or (null) until a person ends it. Refuses other numbers of minutes, an unknown location, and an instant that has passed.
     */
    begin(id: LocationId, minutes: number, until: number | null = clock.now() + BUSY_MS): Refusal | undefined {
      if (!Number.isSafeInteger(minutes) || minutes < 1 || minutes > MOST_BUSY_MINUTES) {
        return { refused: 'invalid minutes', most: MOST_BUSY_MINUTES }
      }
      return change.immediate(id, { minutes, until })
    },

    /** Ends that a location is busy. If it is not busy, nothing changes. Refuses an unknown location. */
    end: (id: LocationId): Refusal | undefined => change.immediate(id, undefined),
  }
}

function stateText(busy: Pick<Busy, 'minutes' | 'until'> | undefined): string {
  if (!busy) return 'not busy'
  const more = `${busy.minutes} min more`
  return busy.until === null ? more : `${more} until ${new Date(busy.until).toISOString()}`
}
