import type { Db } from '../file/open.ts'
import type { Noting } from '../people/activity.ts'
import { newCode, normalCode } from '../people/secret.ts'
import type { Clock } from '../terms/clock.ts'
import type { LocationId, TableId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'

/** A dining table and the code with which its guests order. */
export interface CodedTable {
  id: TableId
  title: string
  /** Null: none has been made yet. */
  code: string | null
  /** Since when the code is valid (UTC milliseconds); null: there is none. */
  since: number | null
}

/** The table that a code belongs to. */
export interface FoundTable {
  id: TableId
  title: string
  locationId: LocationId
}

// 31^10 codes, about 49 bits: too many to guess, and short enough to type.
const CODE_LENGTH = 10

/**
 * The codes of the dining tables (decision 061). Guests at a table order with its code, so it is random, and a new one ends the
 * old one at once.
 */
export function tableCodes(db: Db, clock: Clock, { note }: Noting) {
  const selectLocation = db.prepare<[LocationId], { title: string }>('SELECT title FROM location WHERE id = ?')
  const selectTables = db.prepare<[LocationId], CodedTable>(
    `SELECT id, title, code, made_at AS since FROM dining_table LEFT JOIN table_code ON table_id = id
      WHERE location_id = ? AND position IS NOT NULL ORDER BY position, id`,
  )
  const selectByCode = db.prepare<[string], FoundTable>(
    `SELECT dining_table.id, dining_table.title, location_id AS locationId
       FROM table_code JOIN dining_table ON dining_table.id = table_id JOIN location ON location.id = location_id
      WHERE table_code.code = ? AND dining_table.position IS NOT NULL AND published = 1`,
  )
  const save = db.prepare<[TableId, string, number]>(
    `INSERT INTO table_code (table_id, code, made_at) VALUES (?, ?, ?)
     ON CONFLICT (table_id) DO UPDATE SET code = excluded.code, made_at = excluded.made_at`,
  )

  function saveNew(tables: CodedTable[]): void {
    for (const { id } of tables) save.run(id, newCode(CODE_LENGTH), clock.now())
  }

  const make = db.transaction((locationId: LocationId): number | Refusal<'unknown location'> => {
    const location = selectLocation.get(locationId)
    if (!location) return { refused: 'unknown location', location: locationId }
    const without = selectTables.all(locationId).filter(({ code }) => code === null)
    if (without.length === 0) return 0
    saveNew(without)
    note({
      what: 'table codes made',
      subject: `location ${locationId} ${location.title}`,
      became: `${without.length} added`,
    })
    return without.length
  })

  const reset = db.transaction(
    (locationId: LocationId, tableId: TableId | null): undefined | Refusal<'unknown location' | 'unknown table'> => {
      const location = selectLocation.get(locationId)
      if (!location) return { refused: 'unknown location', location: locationId }
      const tables = selectTables.all(locationId).filter(({ id }) => tableId === null || id === tableId)
      const [first] = tables
      if (tableId !== null && !first) return { refused: 'unknown table', table: tableId, location: locationId }
      if (!first) return undefined
      saveNew(tables)
      note({
        what: 'table codes reset',
        subject: tableId === null ? `location ${locationId} ${location.title}` : `table ${first.id} ${first.title}`,
        became: `${tables.length} changed`,
      })
      return undefined
    },
  )

  return {
    /** The tables of a location in their order, each with its code. */
    list: (locationId: LocationId): CodedTable[] => selectTables.all(locationId),

    /**
     * The table whose code this is, in upper or lower case, with or without spaces. Undefined if there is none, or if the table or
     * its location is no longer open to guests.
     */
    find: (typed: string): FoundTable | undefined => selectByCode.get(normalCode(typed)),

    /** Makes codes for the tables of a location that have none, and returns how many. Refuses a location that does not exist. */
    make: (locationId: LocationId) => make.immediate(locationId),

    /**
     * Gives a table, or with null all tables of a location, a new code. The old one stops working at once. Refuses a location or
     * table that does not exist.
     */
    reset: (locationId: LocationId, tableId: TableId | null) => reset.immediate(locationId, tableId),
  }
}
