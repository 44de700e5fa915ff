import { closeSync, existsSync, fdatasyncSync, linkSync, openSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import type { Refusal } from '../terms/refusal.ts'
import Database, { type Db } from './driver.ts'
import { integrityFlaws } from './integrity.ts'
import { syncToDisk } from './sync.ts'

// Each megabyte is flushed before the next, because unflushed data of a copy delays the flushes of orders.
const PAGES_PER_STEP = 256
const PAUSE_MS = 10

export function backup(db: Db) {
  const firstRead = db.prepare('SELECT count(*) FROM setting')
  const neverNotified = new Int32Array(new SharedArrayBuffer(4))

  async function copyInSteps(target: string): Promise<void> {
    const handle = openSync(target, 'r')
    // One snapshot for all steps: otherwise the copy would start again whenever another process writes.
    db.exec('BEGIN')
    try {
      firstRead.get()
      await db.backup(target, {
        progress() {
          fdatasyncSync(handle)
          Atomics.wait(neverNotified, 0, 0, PAUSE_MS)
          return PAGES_PER_STEP
        },
      })
    } finally {
      if (db.inTransaction) db.exec('COMMIT')
      closeSync(handle)
    }
  }

  /**
   * Writes a consistent copy of the file as of now, which is checked and safely on disk before it gets its name. Never
   * overwrites. Until then it is called `TARGET.partial`.
   */
  return async (target: string): Promise<Refusal | undefined> => {
    if (target === '') return { refused: 'file name missing' }
    if (existsSync(target)) return { refused: 'file exists', path: target }
    const folder = dirname(resolve(target))
    if (!existsSync(folder)) return { refused: 'folder missing', path: folder }
    const partial = `${resolve(target)}.partial`
    try {
      createForOwner(partial)
    } catch (error) {
      return isExisting(error) ? { refused: 'backup running', path: partial } : failed(error)
    }
    try {
      await copyInSteps(partial)
      const flaw = finish(partial)
      if (flaw !== undefined) return { refused: 'backup damaged', flaw }
      // A link fails where a rename would overwrite.
      linkSync(partial, resolve(target))
      syncToDisk(folder)
      return undefined
    } catch (error) {
      return isExisting(error) ? { refused: 'file exists', path: target } : failed(error)
    } finally {
      rmSync(partial)
    }
  }
}

/** Where the server keeps the backups that it makes of a database, and what their names begin with. */
export function backupPlace(file: string): { folder: string; stem: string } {
  return { folder: join(dirname(resolve(file)), 'backups'), stem: `${basename(file, extname(file))}-` }
}

/**
 * The files beside a database that are copies of it according to their names, such as those from before an upgrade, and those in
 * the folder of the backups.
 */
export function copiesBeside(file: string): string[] {
  const folder = dirname(file)
  const copies = readdirSync(folder).filter(name => name.startsWith(`${basename(file)}.`))
  const { folder: backups, stem } = backupPlace(file)
  const made = existsSync(backups) ? readdirSync(backups).filter(name => name.startsWith(stem)) : []
  return [...copies.sort().map(name => join(folder, name)), ...made.sort().map(name => join(backups, name))]
}

/** Writes a copy of a file as of now, safely on disk. Throws when that name is taken. */
export function copyTo(db: Db, target: string): void {
  createForOwner(target)
  try {
    db.prepare('VACUUM INTO ?').run(target)
    syncToDisk(target)
  } catch (error) {
    rmSync(target)
    throw error
  }
}

// Made beforehand, so that customers' data is never readable by others.
function createForOwner(file: string): void {
  closeSync(openSync(file, 'wx', 0o600))
}

/** Prepares a copy for serving, checks it and returns its first flaw, if it has one. */
function finish(file: string): string | undefined {
  const copy = new Database(file)
  try {
    // The file that was copied still sends these, and a server on the copy must not send them again (decision F3).
    copy.exec(`UPDATE webhook_attempt SET state = 'lost', reason = 'it was not told yet when this backup was made'
                WHERE state IN ('pending', 'started')`)
    // A backup that is being made into this copy would be listed in it as one that was never finished.
    copy.exec('DELETE FROM backup WHERE ended_at IS NULL')
    // One file, so that the copy can also be read where nothing may be written beside it.
    copy.pragma('journal_mode = DELETE')
    const [flaw] = integrityFlaws(copy)
    return flaw
  } finally {
    copy.close()
    syncToDisk(file)
  }
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

function failed(error: unknown): Refusal {
  return { refused: 'backup failed', cause: error instanceof Error ? error.message : String(error) }
}
