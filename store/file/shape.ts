import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Database, { type Db } from './driver.ts'

/** The `PRAGMA user_version` of a file with the shape of today's schema.sql. */
export const SCHEMA_VERSION = 5

/** The statements that create the tables in an empty file. */
export function schemaSql(): string {
  return readFileSync(fileURLToPath(new URL('../../schema.sql', import.meta.url)), 'utf8')
}

/** A table, index or trigger that is not as schema.sql defines it. */
export interface Difference {
  type: 'table' | 'index' | 'trigger' | 'view'
  name: string
  /** The statement that creates it; undefined when schema.sql does not have it. */
  wanted: string | undefined
  isThere: boolean
}

interface Definition {
  type: Difference['type']
  name: string
  sql: string
}

/** Compares the definition of every table, index and trigger in a file with that in schema.sql: columns, keys, checks. */
export function shapeDifferences(db: Db): Difference[] {
  const wanted = wantedDefinitions()
  const found = definitionsOf(db)
  const differing = [...wanted.values()].filter(({ type, name, sql }) => {
    const there = found.get(name)
    return there?.type !== type || normalized(there.sql) !== normalized(sql)
  })
  const unknown = [...found.values()].filter(({ name }) => !wanted.has(name))
  return [
    ...differing.map(({ type, name, sql }) => ({ type, name, wanted: sql, isThere: found.has(name) })),
    ...unknown.map(({ type, name }) => ({ type, name, wanted: undefined, isThere: true })),
  ]
}

/** True for what schema.sql defines; false for what somebody has added to the file. */
export function isOurs(difference: Difference): difference is Difference & { wanted: string } {
  return difference.wanted !== undefined
}

/** What is wrong with it, as a text that follows the name of the file. */
export function describeDifference({ type, name, wanted, isThere }: Difference): string {
  if (wanted === undefined) return `has the ${type} ${name}, which Servery does not know`
  return isThere ? `has another ${type} ${name} than Servery needs` : `lacks the ${type} ${name}`
}

function wantedDefinitions(): Map<string, Definition> {
  const fresh = new Database(':memory:')
  try {
    fresh.exec(schemaSql())
    return definitionsOf(fresh)
  } finally {
    fresh.close()
  }
}

function definitionsOf(db: Db): Map<string, Definition> {
  const rows = db
    .prepare<[], Definition>("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY rowid")
    .all()
  return new Map(rows.map(row => [row.name, row]))
}

/** A definition without its comments, quotes and spacing: what an upgrade wrote differs in these from schema.sql. */
function normalized(sql: string): string {
  return sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),;]) ?/g, '$1')
}
