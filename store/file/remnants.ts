import Database, { type Db } from './driver.ts'

// Rewriting takes longer than an order waits for (5 seconds) where the file is larger or the disk is slow.
const MOST_REWRITTEN_BYTES = 128 * 1024 * 1024

/** Where text that was deleted can still be found: nowhere, in the log of commits, or in unused parts of the file. */
export type Remnants = 'none' | 'in the log' | 'in the file'

/**
 * Makes deleted text leave the file and its log. SQLite moves rows about and leaves copies of them in unused parts of the file,
 * so only rewriting all of it helps. That is not done when the file is too large, its disk too full, or another program writes.
 * The log cannot be emptied while another connection reads an older state.
 */
export function clearRemnants(db: Db, mostBytes = MOST_REWRITTEN_BYTES): Remnants {
  const bytes = db.prepare<[], number>('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size').pluck()
  const isRewritten = (bytes.get() ?? 0) <= mostBytes && rewrite(db)
  const isLogInUse = db.prepare<[], number>('PRAGMA wal_checkpoint(TRUNCATE)').pluck().get() !== 0
  if (isLogInUse) return 'in the log'
  return isRewritten ? 'none' : 'in the file'
}

function rewrite(db: Db): boolean {
  try {
    db.exec('VACUUM')
    return true
  } catch (error) {
    if (error instanceof Database.SqliteError && /^SQLITE_(FULL|BUSY)/.test(error.code)) return false
    throw error
  }
}
