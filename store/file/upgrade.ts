import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { copyTo } from './backup.ts'
import { claimForServing } from './claim.ts'
import Database, { type Db } from './driver.ts'
import { UnusableFile } from './failures.ts'
import { describeDifference, isOurs, SCHEMA_VERSION, shapeDifferences } from './shape.ts'

const migrations = fileURLToPath(new URL('../migrations/', import.meta.url))

/**
 * Brings a file of an older version to today's shape in one exclusive transaction, so that it is either complete or
 * unchanged. Writes a copy beside it first. Throws UnusableFile when the file does not get that shape, or is being served.
 */
export function upgradeSchema(db: Db, file: string): void {
  const version = versionOf(db)
  if (version === SCHEMA_VERSION) return
  // A server of the older version that is still running would write rows that the new shape does not expect.
  const claim = claimForServing(file)
  try {
    const copy = copyBeforeUpgrade(db, `${file}.version-${version}`)
    // Steps may rebuild a table, and references to it must survive. Foreign keys cannot be switched off inside a transaction.
    db.pragma('foreign_keys = OFF')
    try {
      db.transaction(() => upgradeWithin(db)).exclusive()
    } catch (error) {
      rmSync(copy)
      throw whyNotUpgraded(error, file)
    }
    db.pragma('foreign_keys = ON')
  } finally {
    claim.release()
  }
}

function versionOf(db: Db): number {
  return Number(db.pragma('user_version', { simple: true }))
}

function upgradeWithin(db: Db): void {
  const from = versionOf(db)
  const lacksWebhooks = !shapeHas(db, 'webhook_endpoint')
  for (const step of readdirSync(migrations).sort()) {
    const number = Number.parseInt(step, 10)
    // The first files of version 1 are from before the webhooks, and some of them are marked as version 2 although they are not.
    if (number > from || (number === 1 && lacksWebhooks)) db.exec(readFileSync(`${migrations}${step}`, 'utf8'))
  }
  remakeIndexesAndTriggers(db)
  const [difference] = shapeDifferences(db).filter(isOurs)
  if (difference) throw new UnusableFile(describeDifference(difference))
  const broken = db.prepare<[], { table: string }>('PRAGMA foreign_key_check').get()
  if (broken) throw new UnusableFile(`has a row of ${broken.table} that refers to no other row`)
  db.pragma(`user_version = ${SCHEMA_VERSION}`)
}

function shapeHas(db: Db, table: string): boolean {
  return db.prepare<[string], number>('SELECT 1 FROM sqlite_master WHERE name = ?').get(table) !== undefined
}

/** Early files of a version lack some of these, or have others of the same name. They contain no data that could be lost. */
function remakeIndexesAndTriggers(db: Db): void {
  for (const { type, name, wanted, isThere } of shapeDifferences(db).filter(isOurs)) {
    if (type !== 'index' && type !== 'trigger') continue
    if (isThere) db.exec(`DROP ${type} ${name}`)
    db.exec(wanted)
  }
}

function whyNotUpgraded(error: unknown, file: string): unknown {
  const isOfShape = error instanceof Database.SqliteError && /^SQLITE_(ERROR|CONSTRAINT)/.test(error.code)
  if (!isOfShape && !(error instanceof UnusableFile)) return error
  return new UnusableFile(
    `The database ${file} cannot be upgraded: it ${isOfShape ? `does not fit (${error.message})` : error.message}. ` +
      `It was left as it was. Go back to the version of Servery that wrote it.`,
  )
}

/** Writes a copy of the file and returns its name, with a number if an earlier attempt has left one. */
function copyBeforeUpgrade(db: Db, wanted: string): string {
  let copy = wanted
  for (let attempt = 2; existsSync(copy); attempt++) copy = `${wanted}-${attempt}`
  copyTo(db, copy)
  return copy
}
