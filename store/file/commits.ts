import { closeSync, fdatasync, openSync, realpathSync } from 'node:fs'
import { promisify } from 'node:util'
import Database, { type Db } from './driver.ts'
import { SCHEMA_VERSION } from './shape.ts'

/**
 * Overwrites a commit that failed. A commit whose fsync fails is rolled back, but is still complete at the end of the log, where
 * the next process that opens the file after a crash would find it and treat it as committed. Any commit overwrites it; this one
 * writes values that are already there, so it is harmless whether or not its own fsync succeeds. Never throws.
 */
export function buryFailedCommit(db: Db, error: unknown): void {
  if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_IOERR')) return
  try {
    db.pragma(`user_version = ${SCHEMA_VERSION}`)
  } catch {
    // Its only purpose is to overwrite the first frame of the failed commit.
  }
}

/**
 * Removes the fsync from a connection's commits, so that the file is locked for others only while it is written. Returns
 * `toDisk` in its place, which resolves once everything committed before it is on disk.
 */
export function commitsWithoutSync(db: Db): { toDisk(): Promise<void>; close(): void } {
  db.pragma('synchronous = NORMAL')
  const log = openSync(`${realpathSync(db.name)}-wal`, 'r')
  return { toDisk: () => promisify(fdatasync)(log), close: () => closeSync(log) }
}
