import type { Db } from '../file/open.ts'
import type { Clock } from '../terms/clock.ts'
import type { StaffId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'
import { flawOfText } from '../terms/text.ts'
import type { Noting } from './activity.ts'
import type { Hashed } from './password.ts'

export const roles = ['owner', 'manager', 'staff'] as const
export type Role = (typeof roles)[number]

/** A person who works here, or did. */
export interface Staff {
  id: StaffId
  name: string
  role: Role
  createdAt: number
  /** Null: still works here. */
  endedAt: number | null
  hasPassword: boolean
  hasPin: boolean
}

/** What a person logs in with; null: cannot log in that way. */
export interface Credentials {
  id: StaffId
  name: string
  role: Role
  password: Hashed | null
  pin: Hashed | null
}

type StaffRow = Omit<Staff, 'hasPassword' | 'hasPin'> & { hasPassword: 0 | 1; hasPin: 0 | 1 }

type NameRefusal = Refusal<'text' | 'name taken'>

const LONGEST_NAME = 80

/** The staff. The audit trail keeps the names of people who leave (decision G6). */
export function staff(db: Db, clock: Clock, { note }: Noting) {
  const columns = `id, name, role, created_at AS createdAt, ended_at AS endedAt,
    password IS NOT NULL AS hasPassword, pin IS NOT NULL AS hasPin`
  const selectAll = db.prepare<[], StaffRow>(
    `SELECT ${columns} FROM staff ORDER BY ended_at IS NOT NULL, name COLLATE NOCASE, id`,
  )
  const selectCredentials = db.prepare<[StaffId], Credentials>(
    'SELECT id, name, role, password, pin FROM staff WHERE id = ? AND ended_at IS NULL',
  )
  const insert = db.prepare<{ name: string; role: Role; now: number }>(
    'INSERT INTO staff (name, role, created_at) VALUES (@name, @role, @now)',
  )
  const markEnded = db.prepare<[number, StaffId]>(
    'UPDATE staff SET ended_at = ?, password = NULL, pin = NULL WHERE id = ?',
  )
  const updateName = db.prepare<[string, StaffId]>('UPDATE staff SET name = ? WHERE id = ?')
  const updateRole = db.prepare<[Role, StaffId]>('UPDATE staff SET role = ? WHERE id = ?')
  const updatePassword = db.prepare<[Hashed | null, StaffId]>('UPDATE staff SET password = ? WHERE id = ?')
  const updatePin = db.prepare<[Hashed | null, StaffId]>('UPDATE staff SET pin = ? WHERE id = ?')
  const endSessions = db.prepare<[StaffId]>('DELETE FROM session WHERE staff_id = ?')
  const endPinSessions = db.prepare<[StaffId]>('DELETE FROM session WHERE staff_id = ? AND device_id IS NOT NULL')

  const list = (): Staff[] =>
    selectAll.all().map(row => ({ ...row, hasPassword: row.hasPassword === 1, hasPin: row.hasPin === 1 }))

  /** The person with that name who works here. Names that differ only in upper and lower case are equal. */
  function working(name: string): Staff | undefined {
    const wanted = name.trim().toLowerCase()
    return list().find(person => person.endedAt === null && person.name.toLowerCase() === wanted)
  }

  function workingWith(id: StaffId): Staff | Refusal<'unknown staff'> {
    const person = list().find(each => each.id === id && each.endedAt === null)
    return person ?? { refused: 'unknown staff', name: String(id) }
  }

  /** Whether nobody else could log in as an owner. */
  function isLastOwner({ id, role, hasPassword }: Staff): boolean {
    return role === 'owner' && hasPassword && !owners().some(owner => owner.id !== id)
  }

  const owners = (): Staff[] =>
    list().filter(({ role, hasPassword, endedAt }) => role === 'owner' && hasPassword && endedAt === null)

  function insertPerson(name: string, role: Role): Staff | Refusal<'name taken'> {
    const namesake = working(name)
    if (namesake) return { refused: 'name taken', name: namesake.name }
    const createdAt = clock.now()
    const id = insert.run({ name, role, now: createdAt }).lastInsertRowid as StaffId
    return { id, name, role, createdAt, endedAt: null, hasPassword: false, hasPin: false }
  }

  const add = db.transaction((name: string, role: Role): Staff | Refusal<'name taken'> => {
    const person = insertPerson(name, role)
    if (!('refused' in person)) note({ what: 'staff added', subject: subjectOf(person), became: role })
    return person
  })

  const addFirstOwner = db.transaction(
    (name: string, password: Hashed): Staff | Refusal<'has owner' | 'name taken'> => {
      if (owners().length > 0) return { refused: 'has owner' }
      // The owner may have been added by a command, without a password.
      const known = working(name)
      const person = known?.role === 'owner' ? known : insertPerson(name, 'owner')
      if ('refused' in person) return person
      updatePassword.run(password, person.id)
      const actor = { kind: 'staff', id: person.id, name: person.name } as const
      if (!known) note({ what: 'staff added', subject: subjectOf(person), became: 'owner' }, { actor })
      note({ what: 'password set', subject: subjectOf(person) }, { actor })
      return { ...person, hasPassword: true }
    },
  )

  const end = db.transaction((name: string): Staff | Refusal<'unknown staff' | 'last owner'> => {
    const person = working(name)
    if (!person) return { refused: 'unknown staff', name }
    if (isLastOwner(person)) return { refused: 'last owner', name: person.name }
    const endedAt = clock.now()
    markEnded.run(endedAt, person.id)
    endSessions.run(person.id)
    note({ what: 'staff ended', subject: subjectOf(person), was: person.role })
    return { ...person, endedAt, hasPassword: false, hasPin: false }
  })

  const rename = db.transaction((id: StaffId, name: string): Staff | Refusal<'unknown staff' | 'name taken'> => {
    const person = workingWith(id)
    if ('refused' in person || person.name === name) return person
    const namesake = working(name)
    if (namesake && namesake.id !== id) return { refused: 'name taken', name: namesake.name }
    updateName.run(name, id)
    note({ what: 'staff renamed', subject: subjectOf(person), was: person.name, became: name })
    return { ...person, name }
  })

  const changeRole = db.transaction((id: StaffId, role: Role): Staff | Refusal<'unknown staff' | 'last owner'> => {
    const person = workingWith(id)
    if ('refused' in person || person.role === role) return person
    if (isLastOwner(person)) return { refused: 'last owner', name: person.name }
    updateRole.run(role, id)
    if (role === 'staff') updatePassword.run(null, id)
    endSessions.run(id)
    note({ what: 'role changed', subject: subjectOf(person), was: person.role, became: role })
    return { ...person, role, hasPassword: person.hasPassword && role !== 'staff' }
  })

  const change = db.transaction(
    (id: StaffId, name: string, role: Role): Staff | Refusal<'unknown staff' | 'name taken' | 'last owner'> => {
      const person = workingWith(id)
      if ('refused' in person) return person
      if (person.role !== role && isLastOwner(person)) return { refused: 'last owner', name: person.name }
      const renamed = rename(id, name)
      return 'refused' in renamed ? renamed : changeRole(id, role)
    },
  )

  const setPassword = db.transaction(
    (id: StaffId, password: Hashed): Staff | Refusal<'unknown staff' | 'no password for staff'> => {
      const person = workingWith(id)
      if ('refused' in person) return person
      if (person.role === 'staff') return { refused: 'no password for staff', name: person.name }
      updatePassword.run(password, id)
      endSessions.run(id)
      note({ what: 'password set', subject: subjectOf(person) })
      return { ...person, hasPassword: true }
    },
  )

  const setPin = db.transaction((id: StaffId, pin: Hashed | null): Staff | Refusal<'unknown staff'> => {
    const person = workingWith(id)
    if ('refused' in person) return person
    updatePin.run(pin, id)
    endPinSessions.run(id)
    note({ what: pin === null ? 'PIN removed' : 'PIN set', subject: subjectOf(person) })
    return { ...person, hasPin: pin !== null }
  })

  return {
    /** Everybody, those who work here first. */
    list,

    /** Whether an owner can log in. While there is none, the first one can be added without logging in. */
    hasOwner: (): boolean => owners().length > 0,

    /** The person with that name who works here, in whatever case it is written. */
    named: working,

    /** What the person with that id logs in with; undefined for somebody who does not work here. */
    credentials: (id: StaffId): Credentials | undefined => selectCredentials.get(id),

    /** Adds a person. Refuses a name that is blank, has a line break, is longer than 80 characters, or is that of somebody who works here. */
    add: (name: string, role: Role): Staff | NameRefusal => refusalOfName(name) ?? add.immediate(name.trim(), role),

    /** Adds the first owner, who can log in at once. Refuses when there is an owner who can, so that one of two racers succeeds. */
    addFirstOwner: (name: string, password: Hashed): Staff | NameRefusal | Refusal<'has owner'> =>
      refusalOfName(name) ?? addFirstOwner.immediate(name.trim(), password),

    /** Ends the work of the person with that name, who can be added again later. Refuses a name that nobody here has, and the last owner. */
    end: (name: string): Staff | Refusal<'unknown staff' | 'last owner'> => end.immediate(name),

    /** Renames a person. The audit trail keeps the name that they had at each act. */
    rename: (id: StaffId, name: string): Staff | NameRefusal | Refusal<'unknown staff'> =>
      refusalOfName(name) ?? rename.immediate(id, name.trim()),

    /** Changes the name and the role of a person, both or none. */
    change: (
      id: StaffId,
      { name, role }: { name: string; role: Role },
    ): Staff | NameRefusal | Refusal<'unknown staff' | 'last owner'> =>
      refusalOfName(name) ?? change.immediate(id, name.trim(), role),

    /** Changes the role of a person and ends their sessions. Refuses another role for the last owner. */
    changeRole: (id: StaffId, role: Role): Staff | Refusal<'unknown staff' | 'last owner'> =>
      changeRole.immediate(id, role),

    /** Sets the password of an owner or a manager and ends their sessions. */
    setPassword: (id: StaffId, password: Hashed): Staff | Refusal<'unknown staff' | 'no password for staff'> =>
      setPassword.immediate(id, password),

    /** Sets or removes (null) the PIN of a person, and ends their sessions that were begun with one. */
    setPin: (id: StaffId, pin: Hashed | null): Staff | Refusal<'unknown staff'> => setPin.immediate(id, pin),
  }
}

function subjectOf({ id, name }: { id: StaffId; name: string }): string {
  return `staff ${id} ${name}`
}

function refusalOfName(name: string): Refusal<'text'> | null {
  const flaw = flawOfText(name, { least: 1, most: LONGEST_NAME, isOneLine: true })
  return flaw && { refused: 'text', field: 'name', flaw }
}
