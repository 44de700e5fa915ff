import type { Db } from '../file/open.ts'
import type { Actor } from '../people/actor.ts'
import type { LocationId } from '../terms/ids.ts'
import type { Exponent } from '../terms/money.ts'
import type { DrawerSums } from './figures.ts'

/** `float` is what was in the drawer when the day began; `count` only compares. */
export const drawerKinds = ['float', 'paid_in', 'paid_out', 'count'] as const
export type DrawerKind = (typeof drawerKinds)[number]

/** How many of a note or coin; `value` in minor units. */
export interface Pieces {
  value: number
  pieces: number
}

/** One entry of a location's cash drawer. Amounts are minor units. */
export interface DrawerEntry {
  id: number
  locationId: LocationId
  kind: DrawerKind
  amount: number
  currency: string
  exponent: Exponent
  /** Of a count: what should have been in the drawer. */
  expected: number | null
  /** Null: given as a sum. */
  pieces: Pieces[] | null
  note: string | null
  clientRef: string | null
  at: number
  businessDate: string
  actor: Actor
}

type DrawerRow = Omit<DrawerEntry, 'pieces' | 'actor'> & {
  pieces: string | null
  actorKind: Actor['kind']
  actorId: number | null
  actorName: string
}

const columns = `id, location_id AS locationId, kind, amount_minor AS amount, currency, exponent, expected_minor AS expected,
  pieces, note, client_ref AS clientRef, at, business_date AS businessDate, actor_kind AS actorKind, actor_id AS actorId,
  actor AS actorName`

/** The append-only entries of the cash drawers. */
export function drawerEntries(db: Db) {
  const insert = db.prepare<Omit<DrawerRow, 'id'>>(
    `INSERT INTO drawer (location_id, kind, amount_minor, currency, exponent, expected_minor, pieces, note, client_ref, at,
                         business_date, actor_kind, actor_id, actor)
     VALUES (@locationId, @kind, @amount, @currency, @exponent, @expected, @pieces, @note, @clientRef, @at,
             @businessDate, @actorKind, @actorId, @actorName)`,
  )
  const selectOfDay = db.prepare<[LocationId, string], DrawerRow>(
    `SELECT ${columns} FROM drawer WHERE location_id = ? AND business_date = ? ORDER BY id`,
  )
  const selectByRef = db.prepare<[LocationId, string], DrawerRow>(
    `SELECT ${columns} FROM drawer WHERE location_id = ? AND client_ref = ?`,
  )

  function ofDay(locationId: LocationId, date: string): DrawerEntry[] {
    return selectOfDay.all(locationId, date).map(entryOf)
  }

  return {
    ofDay,

    byRef(locationId: LocationId, clientRef: string): DrawerEntry | undefined {
      const row = selectByRef.get(locationId, clientRef)
      return row && entryOf(row)
    },

    /** Adds an entry and returns its id. */
    append({ pieces, actor, ...entry }: Omit<DrawerEntry, 'id'>): number {
      const { lastInsertRowid } = insert.run({
        ...entry,
        pieces: pieces && JSON.stringify(pieces),
        actorKind: actor.kind,
        actorId: actor.id,
        actorName: actor.name,
      })
      return Number(lastInsertRowid)
    },
  }
}

function entryOf({ pieces, actorKind, actorId, actorName, ...row }: DrawerRow): DrawerEntry {
  return {
    ...row,
    pieces: pieces === null ? null : JSON.parse(pieces),
    actor: { kind: actorKind, id: actorId, name: actorName },
  }
}

/** What was paid in and out, by currency. */
export function drawerSums(entries: DrawerEntry[]): DrawerSums[] {
  const found = new Map<string, DrawerSums>()
  for (const { kind, amount, currency, exponent } of entries) {
    if (kind !== 'paid_in' && kind !== 'paid_out') continue
    const row = found.get(currency) ?? { currency, exponent, paidIn: 0, paidOut: 0 }
    found.set(currency, row)
    row[kind === 'paid_in' ? 'paidIn' : 'paidOut'] += amount
  }
  return [...found.values()]
}
