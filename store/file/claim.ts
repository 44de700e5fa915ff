import { closeSync, openSync, realpathSync, statSync } from 'node:fs'
import Database, { type Db } from './driver.ts'
import { explainFailure, isBusy, UnusableFile } from './failures.ts'

/**
 * Makes this process the only server on a file until it ends, by holding a lock on a companion `FILE-server`. The
 * system releases the lock with the process, so nothing stale is left after a crash. Throws UnusableFile when another
 * process has it.
 */
export function claimForServing(file: string): { release(): void } {
  let claim: Db | undefined
  try {
    // Beside the file itself, even if it was named by a link.
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

/**
 * Returns a function that throws UnusableFile once this file or its write-ahead log has been moved, removed or replaced, because
 * everything written after that would be lost.
 */
export function stillThere(file: string): () => void {
  const opened = [file, `${realpathSync(file)}-wal`].map(path => ({ path, was: statSync(path) }))
  return () => {
    for (const { path, was } of opened) {
      const now = statSync(path, { throwIfNoEntry: false })
      if (now?.dev === was.dev && now.ino === was.ino) continue
      throw new UnusableFile(`${path} was moved, removed or replaced while it was served.`)
    }
  }
}
