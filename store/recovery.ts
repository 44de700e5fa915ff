import { existsSync, realpathSync, statSync } from 'node:fs'
import type { Log } from './log.ts'
import type { Store } from './store.ts'
import { startThread } from './thread.ts'

/** The input of the thread of recovery-check.ts, and its result: the first flaw of the file, or null. */
export interface CheckOf {
  databaseFile: string
}
export type Checked = { flaw: string | null }

// They include what was written just before a crash, and checking them takes milliseconds in a file of any size.
const NEWEST = 1000

/** Bytes of commits that the last process to use a file left in its log because it was killed; 0 if it ended normally. */
export function bytesLeftBehind(file: string): number {
  // Beside the file itself, even when a symbolic link names it.
  const real = existsSync(file) ? realpathSync(file) : file
  return statSync(`${real}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Compares the newest orders of a file whose last process died with the ledger and the kitchen, and logs the result. Opening the
 * file has already recovered what was left behind. Throws when these orders cannot be read.
 */
export function checkNewestOrders(
  { audit, orderBook }: Pick<Store, 'audit' | 'orderBook'>,
  bytes: number,
  log: Log,
): void {
  const findings = audit.newest(NEWEST)
  const [last] = orderBook.last(1)
  log.info('recovered', { bytesLeftBehind: bytes, lastOrder: last?.number ?? null, problems: findings.length })
  for (const { pointer, message } of findings) log.error('recovered with a problem', `${pointer} ${message}`)
}

/** Reads the whole file in a thread of its own while it is served, and logs whether it is sound. */
export function checkInBackground(databaseFile: string, log: Log): { stop(): Promise<void> } {
  const begun = performance.now()
  const thread = startThread(new URL('recovery-check.ts', import.meta.url), { databaseFile } satisfies CheckOf)
  thread.on('error', error => log.error('the file was not checked', error))
  thread.on('message', ({ flaw }: Checked) => {
    const seconds = Math.round(performance.now() - begun) / 1000
    if (flaw === null) log.info('checked', { file: databaseFile, seconds })
    else log.error('the file is damaged', `${flaw}; docs/recovery.md says what to do`, { file: databaseFile, seconds })
  })
  const ended = new Promise<void>(resolve => thread.once('exit', () => resolve()))
  return {
    stop() {
      // Not by terminate, which aborts the process while the thread is inside the driver.
      thread.postMessage('stop')
      return ended
    },
  }
}
