import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Database from './driver.ts'

export type Db = Database.Database

/** What `PRAGMA user_version` says of a file with the shape of today's schema.sql. */
export const SCHEMA_VERSION = 3

// "Svry": marks the file as ours, so that another program's database is never written to.
const APPLICATION_ID = 0x53767279

/** A database file that can't be used; the message says what is wrong and what to do. */
export class UnusableFile extends Error {}

// Another program may hold the whole file for a moment, such as a command that ends and tidies up.
const OPENING_MS = 5000

/**
 * Opens the restaurant's database file, and creates it with its folder when `create` says so. A file of an older version
 * is upgraded, after a copy was written beside it.
 *
 * Every connection is durable: a commit returns after its fsync. `busyMs` is how long a statement waits for another
 * process's write before it fails with SQLITE_BUSY.
 *
 * Throws UnusableFile for a missing, foreign, newer, damaged, read-only or unreadable file, which is left untouched.
 */
export function openDatabase(file: string, options: { create: boolean; busyMs: number }): Db {
  const fresh = !existsSync(file)
  if (fresh && !options.create) {
    throw new UnusableFile(`There is no database at ${file}. Set DATABASE_FILE, or make one with: import FILE`)
  }
  let db: Db | undefined
  try {
    if (fresh) createEmpty(file)
    else refuseEmptied(file)
    refuseSecondName(file)
    db = new Database(file, { timeout: Math.max(options.busyMs, OPENING_MS) })
    refuseForeign(db, file)
    db.pragma('journal_mode = WAL')
    // The driver's WAL default is NORMAL, which loses acknowledged orders on a power cut, and the pragma doesn't show it.
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    createSchema(db)
    upgradeSchema(db, file)
    // Where writing is not allowed, SQLite opens the file for reading and says nothing until the first order.
    if (options.create) accessSync(file, constants.W_OK)
    db.pragma(`busy_timeout = ${options.busyMs}`)
    return db
  } catch (error) {
    db?.close()
    throw explainFailure(error, file)
  }
}

// Customers' names and phone numbers are in there: for the owner of the file alone. The companions inherit the mode.
function createEmpty(file: string): void {
  const folder = dirname(resolve(file))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  // Without this a power cut can lose the name of the file, and the first orders with it.
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

// SQLite keeps the newest commits beside the name that it was given: under another name they are missing, and written over.
function refuseSecondName(file: string): void {
  const found = statSync(file)
  if (!found.isFile() || found.nlink <= 1) return
  throw new UnusableFile(
    `${file} is a hard link: the same file has another name, and what is written under the one is lost under the other. ` +
      'Remove the other name; for a copy use: backup FILE',
  )
}

// SQLite takes a file without content for a new database, and throws the log away that belonged to the old one.
function refuseEmptied(file: string): void {
  const logged = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (statSync(file).size > 0 || (logged === 0 && !existsSync(`${file}-server`))) return
  throw new UnusableFile(
    `The database ${file} is empty, although it was in use before. Restore the last backup (docs/deploy.md).`,
  )
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

/** The statements that make an empty file into ours. */
export function schemaSql(): string {
  return readFileSync(fileURLToPath(new URL('../../schema.sql', import.meta.url)), 'utf8')
}

function createSchema(db: Db): void {
  if (db.pragma('user_version', { simple: true }) !== 0) return
  // Exclusive, so that of two processes that meet a fresh file one creates it and the other finds it created.
  db.transaction(() => {
    if (db.pragma('user_version', { simple: true }) !== 0) return
    db.exec(schemaSql())
    db.pragma(`application_id = ${APPLICATION_ID}`)
    db.pragma(`user_version = ${SCHEMA_VERSION}`)
  }).exclusive()
}

const migrations = fileURLToPath(new URL('../migrations/', import.meta.url))

/**
 * Brings a file of an older version to today's shape: the numbered steps that it lacks, in one exclusive transaction, so
 * that it is either as before or complete.
 */
function upgradeSchema(db: Db, file: string): void {
  const version = Number(db.pragma('user_version', { simple: true }))
  if (version === SCHEMA_VERSION) return
  // A server of the older version that still runs would write rows that the new shape doesn't expect.
  const claim = claimForServing(file)
  try {
    copyBeforeUpgrade(db, `${file}.version-${version}`)
    // Steps may build a table anew, which references to it must survive; it can not be switched off in a transaction.
    db.pragma('foreign_keys = OFF')
    db.transaction(() => {
      const from = Number(db.pragma('user_version', { simple: true }))
      for (const step of readdirSync(migrations).sort()) {
        if (Number.parseInt(step, 10) > from) db.exec(readFileSync(`${migrations}${step}`, 'utf8'))
      }
      const broken = db.prepare<[], { table: string }>('PRAGMA foreign_key_check').get()
      if (broken)
        throw new UnusableFile(`${file} can not be upgraded: a row of ${broken.table} refers to no other row.`)
      db.pragma(`user_version = ${SCHEMA_VERSION}`)
    }).exclusive()
    db.pragma('foreign_keys = ON')
  } finally {
    claim.release()
  }
}

/** Writes a copy of the file; its name gets a number when an earlier attempt has left one. */
function copyBeforeUpgrade(db: Db, wanted: string): void {
  let copy = wanted
  for (let attempt = 2; existsSync(copy); attempt++) copy = `${wanted}-${attempt}`
  closeSync(openSync(copy, 'wx', 0o600))
  db.prepare('VACUUM INTO ?').run(copy)
  const handle = openSync(copy, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** A failure of the file as a sentence for people (UnusableFile), or the error itself when it is something else. */
export function explainFailure(error: unknown, file: string): unknown {
  if (error instanceof UnusableFile) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason =
    code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code.startsWith('SQLITE_READONLY')
      ? 'can not be written. Check the owner and permissions of the file and its folder, and that the disk is not read-only.'
      : code === 'SQLITE_CANTOPEN' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'EEXIST'
        ? 'can not be opened as a file. Check the path, its permissions, and that the disk is not read-only.'
        : code === 'SQLITE_NOTADB'
          ? 'is not a database. Set DATABASE_FILE to the right file, or restore a backup.'
          : code.startsWith('SQLITE_CORRUPT')
            ? 'is damaged. Restore the last backup (docs/deploy.md) and keep the damaged file.'
            : code === 'SQLITE_FULL' || code === 'ENOSPC'
              ? 'can not be written: the disk is full. Free some space and start again.'
              : code.startsWith('SQLITE_BUSY')
                ? 'is locked by another program. Stop that program and start again.'
                : code.startsWith('SQLITE_IOERR')
                  ? `can not be read or written (${code}). Check the disk and its free space.`
                  : undefined
  return reason ? new UnusableFile(`The database ${file} ${reason}`) : error
}

/**
 * Makes this process the only server on a file until it ends, by holding a lock on a companion `FILE-server`. The
 * system drops the lock with the process, so nothing stale is left after a crash. Throws UnusableFile when another has it.
 */
export function claimForServing(file: string): { release(): void } {
  let claim: Db | undefined
  try {
    // Beside the file itself, whatever link it was named by.
    const companion = `${realpathSync(file)}-server`
    closeSync(openSync(companion, 'a', 0o600))
    const lock = new Database(companion, { timeout: 0 })
    claim = lock
    lock.pragma('journal_mode = MEMORY')
    lock.exec('BEGIN EXCLUSIVE')
    return { release: () => void lock.close() }
  } catch (error) {
    claim?.close()
    if (isBusy(error)) {
      throw new UnusableFile(`Another Servery is already serving ${file}. Stop it first, or set DATABASE_FILE.`)
    }
    throw explainFailure(error, file)
  }
}

/** Returns what throws once another file, or none, stands where this one stood: what is written then would be lost. */
export function stillThere(file: string): () => void {
  const { dev, ino } = statSync(file)
  return () => {
    const now = statSync(file)
    if (now.dev !== dev || now.ino !== ino) throw new UnusableFile(`${file} was moved or replaced while it was served.`)
  }
}

/**
 * Buries a commit that failed: when its fsync did, it was rolled back, but stands whole at the end of the log, where the next
 * process to open the file after a crash would find it and take it for committed. Any commit takes its place; this one writes
 * what is there already, so that it is harmless whatever becomes of its own fsync. Never throws.
 */
export function buryFailedCommit(db: Db, error: unknown): void {
  if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_IOERR')) return
  try {
    db.pragma(`user_version = ${SCHEMA_VERSION}`)
  } catch {
    // Its frame stands over the first one of the failed commit, and that is all it is for.
  }
}

/** True when another process's write is in the way for now. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

/**
 * Takes the fsync out of a connection's commits, so that the file is locked for others only while it is written, and
 * answers what makes up for it: `toDisk` resolves once everything committed before it is on disk.
 */
export function commitsWithoutSync(db: Db): { toDisk(): Promise<void>; close(): void } {
  db.pragma('synchronous = NORMAL')
  const log = openSync(`${realpathSync(db.name)}-wal`, 'r')
  return { toDisk: () => promisify(fdatasync)(log), close: () => closeSync(log) }
}
