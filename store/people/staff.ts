import type { Db } from '../file/open.ts'
import type { Clock } from '../terms/clock.ts'
import type { StaffId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'
import { flawOfText } from '../terms/text.ts'
import type { Noting } from './activity.ts'

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
}

const LONGEST_NAME = 80

/** The staff. The audit trail keeps the names of people who leave (decision G6). */
export function staff(db: Db, clock: Clock, { note }: Noting) {
  const selectAll = db.prepare<[], Staff>(
    `SELECT id, name, role, created_at AS createdAt, ended_at AS endedAt FROM staff
      ORDER BY ended_at IS NOT NULL, name COLLATE NOCASE, id`,
  )
  const insert = db.prepare<{ name: string; role: Role; now: number }>(
    'INSERT INTO staff (name, role, created_at) VALUES (@name, @role, @now)',
  )
  const markEnded = db.prepare<[number, StaffId]>('UPDATE staff SET ended_at = ? WHERE id = ?')

  /** The person with that name who works here. Names that differ only in upper and lower case are equal. */
  function working(name: string): Staff | undefined {
    const wanted = name.trim().toLowerCase()
    return selectAll.all().find(person => person.endedAt === null && person.name.toLowerCase() === wanted)
  }

  const add = db.transaction((name: string, role: Role): Staff | Refusal<'name taken'> => {
    const namesake = working(name)
    if (namesake) return { refused: 'name taken', name: namesake.name }
    const createdAt = clock.now()
    const id = insert.run({ name, role, now: createdAt }).lastInsertRowid as StaffId
    note({ what: 'staff added', subject: `staff ${id} ${name}`, became: role })
    return { id, name, role, createdAt, endedAt: null }
  })

  const end = db.transaction((name: string): Staff | Refusal<'unknown staff'> => {
    const person = working(name)
    if (!person) return { refused: 'unknown staff', name }
    const endedAt = clock.now()
    markEnded.run(endedAt, person.id)
    note({ what: 'staff ended', subject: `staff ${person.id} ${person.name}`, was: person.role })
    return { ...person, endedAt }
  })

  return {
    /** Everybody, those who work here first. */
    list: (): Staff[] => selectAll.all(),

    /** Adds a person. Refuses a name that is blank, has a line break, is longer than 80 characters, or is that of somebody who works here. */
    add(name: string, role: Role): Staff | Refusal<'text' | 'name taken'> {
      const flaw = flawOfText(name, { least: 1, most: LONGEST_NAME, isOneLine: true })
      return flaw ? { refused: 'text', field: 'name', flaw } : add.immediate(name.trim(), role)
    },

    /** Ends the work of the person with that name, who can be added again later. Refuses a name that nobody here has. */
    end: (name: string): Staff | Refusal<'unknown staff'> => end.immediate(name),
  }
}
