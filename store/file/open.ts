import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  statSync,
} from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import Database, { type Db } from './driver.ts'
import { explainFailure, UnusableFile } from './failures.ts'
import { SCHEMA_VERSION, schemaSql } from './shape.ts'
import { syncToDisk } from './sync.ts'
import { upgradeSchema } from './upgrade.ts'

export type { Db }

// "Svry": marks the file as ours, so that another program's database is never written to.
const APPLICATION_ID = 0x53767279

// Another program may lock the whole file for a moment, such as a command that ends and cleans up.
const OPENING_MS = 5000

/**
 * Opens the restaurant's database file, and creates it with its folder if `create` is set. A file of an older version
 * is upgraded after a copy has been written beside it.
 *
 * Every connection is durable: a commit returns after its fsync. `busyMs` is how long a statement waits for another
 * process's write before it fails with SQLITE_BUSY. `isServed` says that this process already serves the file, so its name
 * is right even if it has other names.
 *
 * Throws UnusableFile for a missing, foreign, newer, damaged, read-only or unreadable file, which is left untouched.
 */
export function openDatabase(file: string, options: { create: boolean; busyMs: number; isServed?: boolean }): Db {
  const fresh = !existsSync(file)
  if (fresh) refuseOrphanedLog(file)
  if (fresh && !options.create) {
    throw new UnusableFile(`There is no database at ${file}. Set DATABASE_FILE, or make one with: import FILE`)
  }
  let db: Db | undefined
  try {
    if (fresh) createEmpty(file)
    else refuseEmptied(file)
    if (!options.isServed) refuseSecondName(file)
    db = new Database(file, { timeout: Math.max(options.busyMs, OPENING_MS) })
    refuseForeign(db, file)
    db.pragma('journal_mode = WAL')
    // The driver's WAL default is NORMAL, which loses acknowledged orders on a power cut, and the pragma doesn't show it.
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    createSchema(db)
    upgradeSchema(db, file)
    // Without write permission, SQLite opens the file for reading and does not fail until the first order.
    if (options.create) accessSync(file, constants.W_OK)
    db.pragma(`busy_timeout = ${options.busyMs}`)
    return db
  } catch (error) {
    db?.close()
    throw explainFailure(error, file)
  }
}

// It contains customers' names and phone numbers, so only its owner may read it. The files beside it inherit the mode.
function createEmpty(file: string): void {
  const folder = dirname(resolve(file))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  // Without this, a power cut can lose the file's directory entry, and the first orders with it.
  syncToDisk(folder)
}

// SQLite keeps the newest commits in a log named after the path that it was given: under another path they are missing, and
// get overwritten.
function refuseSecondName(file: string): void {
  const found = statSync(file)
  if (!found.isFile() || found.nlink <= 1) return
  throw new UnusableFile(
    `${file} has more than one name (hard links), and what is written under one name is lost under the others. Find them ` +
      `with: find / -xdev -samefile ${file}. Keep the name that has a "${basename(file)}-server" or a "-wal" file beside ` +
      'it, and delete the others. To copy the database, use: backup FILE',
  )
}

// SQLite deletes a log that it finds beside a new database.
function refuseOrphanedLog(file: string): void {
  const log = `${linkedFile(file)}-wal`
  if (bytesOf(log) === 0) return
  throw new UnusableFile(
    `There is no database at ${file}, but its log ${log} is there, and orders that were already confirmed may be only in it. ` +
      `Move the database back to where it was. To start with another database, move ${log} to a safe place first.`,
  )
}

// SQLite treats an empty file as a new database, and deletes the log that belonged to the old one.
function refuseEmptied(file: string): void {
  const real = linkedFile(file)
  if (statSync(file).size > 0 || (bytesOf(`${real}-wal`) === 0 && !existsSync(`${real}-server`))) return
  throw new UnusableFile(
    `The database ${file} is empty, although it was in use before. Restore the last backup (docs/deploy.md).`,
  )
}

/** The file that a symbolic link names, whether it exists or not; SQLite keeps the log beside that file. */
function linkedFile(file: string): string {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()
  return isLink ? resolve(dirname(file), readlinkSync(file)) : file
}

function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function refuseForeign(db: Db, file: string): void {
  const applicationId = db.pragma('application_id', { simple: true })
  const version = Number(db.pragma('user_version', { simple: true }))
  const tables = db.prepare<[], number>('SELECT count(*) FROM sqlite_master').pluck().get()
  if (applicationId !== APPLICATION_ID && (tables !== 0 || version !== 0)) {
    throw new UnusableFile(`${file} is a database of another program. Set DATABASE_FILE to Servery's own file.`)
  }
  if (version > SCHEMA_VERSION) {
    throw new UnusableFile(
      `${file} was written by a newer version of Servery (schema ${version}, this one knows ${SCHEMA_VERSION}). ` +
        'Install that version again; the file was not touched.',
    )
  }
}

function createSchema(db: Db): void {
  if (db.pragma('user_version', { simple: true }) !== 0) return
  // Exclusive, so that if two processes start with a new file, one creates the tables and the other finds them.
  db.transaction(() => {
    if (db.pragma('user_version', { simple: true }) !== 0) return
    db.exec(schemaSql())
    db.pragma(`application_id = ${APPLICATION_ID}`)
    db.pragma(`user_version = ${SCHEMA_VERSION}`)
  }).exclusive()
}
