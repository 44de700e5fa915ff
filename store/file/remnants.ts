import Database, { type Db } from './driver.ts'

// With a larger file or a slow disk, rewriting takes longer than orders wait (5 seconds).
const MOST_REWRITTEN_BYTES = 128 * 1024 * 1024

/** Where text that was deleted can still be found: nowhere, in the write-ahead log, or in unused parts of the file. */
export type Remnants = 'none' | 'in the log' | 'in the file'

/**
 * Removes deleted text from the file and its log. SQLite moves rows and leaves copies of them in unused parts of the file,
 * so the whole file has to be rewritten. That is not done when the file is too large, its disk too full, or another program writes.
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
