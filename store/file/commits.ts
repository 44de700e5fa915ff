import { closeSync, fdatasync, openSync, realpathSync } from 'node:fs'
import { promisify } from 'node:util'
import Database, { type Db } from './driver.ts'
import { SCHEMA_VERSION } from './shape.ts'

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

/**
 * Takes the fsync out of a connection's commits, so that the file is locked for others only while it is written, and
 * answers what makes up for it: `toDisk` resolves once everything committed before it is on disk.
 */
export function commitsWithoutSync(db: Db): { toDisk(): Promise<void>; close(): void } {
  db.pragma('synchronous = NORMAL')
  const log = openSync(`${realpathSync(db.name)}-wal`, 'r')
  return { toDisk: () => promisify(fdatasync)(log), close: () => closeSync(log) }
}
