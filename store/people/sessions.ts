import type { Db } from '../file/open.ts'
import type { Clock } from '../terms/clock.ts'
import type { DeviceId, SessionId, StaffId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'
import type { Noting } from './activity.ts'
import type { Hashed } from './password.ts'
import { sha256 } from './secret.ts'
import type { Role } from './staff.ts'
import { turns } from './turns.ts'

/** A person who is logged in. */
export interface Session {
  id: SessionId
  /** With a PIN everybody has the role `staff`, because six digits typed in sight of others protect little. */
  person: { id: StaffId; name: string; role: Role }
  /** The device on which the person gave the PIN; null: logged in with a password. */
  deviceId: DeviceId | null
  createdAt: number
  /** The last request, to the minute. */
  seenAt: number
  address: string
  userAgent: string
}

/** A log-in whose password or PIN was found right. */
export interface LogIn {
  staffId: StaffId
  /** The hash that was compared. If it has changed since, the log-in fails. */
  checked: Hashed
  /** With a PIN, on this device; null: with a password. */
  deviceId: DeviceId | null
  /** The secret of the cookie, made by `newSecret`. */
  secret: string
  /** The session that this one replaces, which ends. */
  replaces: SessionId | null
  address: string
  userAgent: string
}

interface SessionRow extends Omit<Session, 'person'> {
  staffId: StaffId
  name: string
  role: Role
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long a session lasts without a request, and at most (decision 047). */
export const lifetimes = {
  password: { idleMs: 3 * DAY, mostMs: 30 * DAY },
  pin: { idleMs: 30 * MINUTE, mostMs: 16 * HOUR },
}

const LONGEST_USER_AGENT = 200

/** The sessions of people who are logged in. Only the hash of each cookie's secret is stored. */
export function sessions(db: Db, clock: Clock, { note }: Noting) {
  const isAlive = `p.ended_at IS NULL AND (s.device_id IS NULL OR d.ended_at IS NULL)
    AND CASE WHEN s.device_id IS NULL
             THEN s.seen_at > @now - ${lifetimes.password.idleMs} AND s.created_at > @now - ${lifetimes.password.mostMs}
             ELSE s.seen_at > @now - ${lifetimes.pin.idleMs} AND s.created_at > @now - ${lifetimes.pin.mostMs} END`
  const alive = `session s JOIN staff p ON p.id = s.staff_id LEFT JOIN device d ON d.id = s.device_id`
  const columns = `s.id, s.staff_id AS staffId, p.name, CASE WHEN s.device_id IS NULL THEN p.role ELSE 'staff' END AS role,
    s.device_id AS deviceId, s.created_at AS createdAt, s.seen_at AS seenAt, s.address, s.user_agent AS userAgent`
  const selectOne = db.prepare<{ sha256: Buffer; now: number }, SessionRow>(
    `SELECT ${columns} FROM ${alive} WHERE s.sha256 = @sha256 AND ${isAlive}`,
  )
  const selectAll = db.prepare<{ now: number }, SessionRow>(
    `SELECT ${columns} FROM ${alive} WHERE ${isAlive} ORDER BY s.seen_at DESC, s.id DESC`,
  )
  const selectPerson = db.prepare<
    { staffId: StaffId; checked: Hashed; deviceId: DeviceId | null },
    { name: string; role: Role }
  >(
    `SELECT p.name, p.role FROM staff p
      WHERE p.id = @staffId AND p.ended_at IS NULL
        AND CASE WHEN @deviceId IS NULL THEN p.password = @checked
                 ELSE p.pin = @checked AND EXISTS (SELECT 1 FROM device WHERE id = @deviceId AND ended_at IS NULL) END`,
  )
  const insert = db.prepare<Omit<LogIn, 'checked' | 'secret' | 'replaces'> & { sha256: Buffer; now: number }>(
    `INSERT INTO session (sha256, staff_id, device_id, created_at, seen_at, address, user_agent)
     VALUES (@sha256, @staffId, @deviceId, @now, @now, @address, @userAgent)`,
  )
  const remove = db.prepare<[SessionId]>('DELETE FROM session WHERE id = ?')
  const removeDead = db.prepare<{ now: number }>(
    `DELETE FROM session WHERE id NOT IN (SELECT s.id FROM ${alive} WHERE ${isAlive})`,
  )
  const updateSeen = db.prepare<{ id: SessionId; now: number; address: string }>(
    'UPDATE session SET seen_at = @now, address = @address WHERE id = @id',
  )

  const logIn = db.transaction((wanted: LogIn): { id: SessionId } | Refusal<'wrong log-in'> => {
    const { staffId, checked, deviceId, secret, replaces, address, userAgent } = wanted
    const person = selectPerson.get({ staffId, checked, deviceId })
    if (!person) return { refused: 'wrong log-in' }
    const now = clock.now()
    removeDead.run({ now })
    if (replaces !== null) remove.run(replaces)
    const row = { staffId, deviceId, address, userAgent: userAgent.slice(0, LONGEST_USER_AGENT) }
    const id = insert.run({ ...row, sha256: sha256(secret), now }).lastInsertRowid as SessionId
    // A till has hundreds of log-ins by PIN a day; the acts themselves name the person.
    if (deviceId === null) note({ what: 'logged in', subject: `staff ${staffId} ${person.name}`, became: person.role })
    return { id }
  })

  const end = db.transaction((id: SessionId): Session | Refusal<'unknown session'> => {
    const found = selectAll.all({ now: clock.now() }).find(session => session.id === id)
    if (!found) return { refused: 'unknown session', session: id }
    remove.run(id)
    if (found.deviceId === null) note({ what: 'session ended', subject: `staff ${found.staffId} ${found.name}` })
    return sessionOf(found)
  })

  return {
    /** The session of a cookie's secret; undefined when it has expired or ended, also with its person or device. */
    find(secret: string): Session | undefined {
      const row = selectOne.get({ sha256: sha256(secret), now: clock.now() })
      return row && sessionOf(row)
    },

    /** Everybody who is logged in, the last seen first. */
    list: (): Session[] => selectAll.all({ now: clock.now() }).map(sessionOf),

    /** Starts a session. Refuses when the person has left, the device was ended, or the password or PIN was changed meanwhile. */
    logIn: (wanted: LogIn): { id: SessionId } | Refusal<'wrong log-in'> => logIn.immediate(wanted),

    /** Ends a session at once. Refuses one that has ended. */
    end: (id: SessionId): Session | Refusal<'unknown session'> => end.immediate(id),

    /** True at most once a minute for each session; the caller that gets true calls `noteSeen`. */
    takeTurnToNote: turns<SessionId>(clock),

    /** Records a request of a session. */
    noteSeen: (id: SessionId, address: string): void => void updateSeen.run({ id, now: clock.now(), address }),
  }
}

function sessionOf({ staffId, name, role, ...row }: SessionRow): Session {
  return { ...row, person: { id: staffId, name, role } }
}
