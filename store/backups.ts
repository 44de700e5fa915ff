import { mkdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Backup, BackupKind } from './backup-log.ts'
import { backupPlace } from './file/backup.ts'
import type { Log } from './log.ts'
import type { Actor } from './people/actor.ts'
import type { Store } from './store.ts'
import { type Clock, dayBefore, timeZone } from './terms/clock.ts'
import type { BackupId } from './terms/ids.ts'
import { isRefused, type Refusal } from './terms/refusal.ts'

const MIB = 1024 * 1024

// How often the server looks whether a nightly backup is due.
const LOOK_MS = 5000

// After a failure the disk may be mended soon, but a backup costs the disk too much to try all the time.
const RETRY_MS = 3_600_000

// Somebody who presses twice wants one backup.
const SECOND_PRESS_MS = 5000

/** How many of the backups made by hand are kept. */
export const KEPT_BY_HAND = 5

// What a backup leaves free on its disk, because orders need room there, too.
const LEFT_FREE_BYTES = 200 * MIB

/** How backups are recorded in the file. Rejects when the file cannot be written. */
export interface BackupRecorder {
  /** `actor`: who wants it; null: it is the nightly one. */
  begin(name: string, actor: Actor | null): Promise<BackupId>
  /** `result`: the size of the file in bytes, or why there is none. */
  end(id: BackupId, result: number | Refusal): Promise<void>
  remove(id: BackupId): Promise<void>
}

export interface BackupsOptions {
  databaseFile: string
  store: Pick<Store, 'backups' | 'settings' | 'refresh'>
  recorder: BackupRecorder
  /** Writes a checked copy of the database file to a path. */
  copy(target: string): Promise<Refusal | undefined>
  clock: Clock
  log: Log
}

export type Backups = ReturnType<typeof backups>

/**
 * The backups that the server makes (decision 052): every night at the hour of the settings, and when somebody wants one. They are in
 * the folder `backups` beside the database file.
 */
export function backups({ databaseFile, store, recorder, copy, clock, log }: BackupsOptions) {
  const { folder, stem } = backupPlace(databaseFile)
  let underWay: { since: number; ended: Promise<void> } | undefined
  // When the last one was begun that could not be recorded, and why: the disk that it tells of may be the file's own.
  let unrecorded: { at: number; failure: Refusal } | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopping = false

  function pathOf({ name }: Pick<Backup, 'name'>): string {
    return join(folder, name)
  }

  /** The last instant at which a nightly backup was to be made; undefined: none is wanted. */
  function lastDue(): number | undefined {
    const { backupHour, timezone } = store.settings.current()
    if (backupHour === null) return undefined
    const now = clock.now()
    const zone = timeZone(timezone)
    const { date } = zone.at(now)
    const time = `${String(backupHour).padStart(2, '0')}:00:00`
    const today = zone.instantOf(date, time)
    return today <= now ? today : zone.instantOf(dayBefore(date), time)
  }

  function isDue(): boolean {
    const due = lastDue()
    if (due === undefined || underWay) return false
    const nightly = store.backups.list().filter(({ how }) => how === 'nightly')
    if (nightly.some(({ failure, startedAt }) => failure === null && startedAt >= due)) return false
    const lastTried = Math.max(unrecorded?.at ?? 0, nightly[0]?.startedAt ?? 0)
    return lastTried < Math.max(due, clock.now() - RETRY_MS)
  }

  function look(): void {
    try {
      store.refresh()
      if (!isStopping && isDue()) begin(null)
    } catch (error) {
      log.error('whether a backup is due was not found out', error)
    }
  }

  function begin(actor: Actor | null): void {
    underWay = { since: clock.now(), ended: make(actor) }
  }

  /** Makes one. Never rejects. */
  async function make(actor: Actor | null): Promise<void> {
    const startedAt = clock.now()
    const { date, time } = timeZone(store.settings.current().timezone).at(startedAt)
    const name = `${stem}${date}-${time.replaceAll(':', '')}.db`
    const file = pathOf({ name })
    try {
      const id = await recorder.begin(name, actor)
      const result = await madeAt(file)
      if (isRefused(result)) log.error('no backup was made', JSON.stringify(result), { file })
      else log.info('backup made', { file, bytes: result, ms: clock.now() - startedAt })
      await recorder.end(id, result)
      unrecorded = undefined
      if (!isRefused(result)) await makeRoom()
    } catch (error) {
      log.error('no backup was made', error, { file })
      unrecorded = { at: startedAt, failure: failed(error) }
    } finally {
      underWay = undefined
    }
  }

  /** The size of the copy in bytes, or why there is none. */
  async function madeAt(file: string): Promise<number | Refusal> {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const { bavail, bsize } = statfsSync(folder)
      const missing = statSync(databaseFile).size + LEFT_FREE_BYTES - bavail * bsize
      if (missing > 0) return { refused: 'no room for backup', missingMib: Math.ceil(missing / MIB) }
      return (await copy(file)) ?? statSync(file).size
    } catch (error) {
      return failed(error)
    }
  }

  /** Deletes the files of backups that newer ones have replaced: only what is recorded as made here. */
  async function makeRoom(): Promise<void> {
    const kept: Record<BackupKind, number> = {
      nightly: store.settings.current().backupsKept,
      'by hand': KEPT_BY_HAND,
    }
    const present = store.backups.list().filter(isPresent)
    for (const kind of ['nightly', 'by hand'] as const) {
      for (const old of present.filter(({ how }) => how === kind).slice(kept[kind])) {
        rmSync(pathOf(old), { force: true })
        await recorder.remove(old.id)
        log.info('old backup removed', { file: pathOf(old) })
      }
    }
  }

  /** What was being made when the server ended last time. */
  async function clearUnfinished(): Promise<void> {
    for (const { id, name, endedAt } of store.backups.list()) {
      if (endedAt !== null) continue
      rmSync(`${pathOf({ name })}.partial`, { force: true })
      await recorder.end(id, failed('Servery ended while it was being made'))
    }
  }

  return {
    databaseFile,

    folder,

    pathOf,

    /** Starts to look for nightly backups that are due. */
    start(): void {
      clearUnfinished()
        .catch(error => log.error('an unfinished backup was not cleared away', error))
        .then(look)
      timer = setInterval(look, LOOK_MS)
      timer.unref()
    },

    /** Begins to make one now, unless that was wanted a moment ago. Refuses while another is being made. */
    makeNow(actor: Actor): Refusal<'backup under way'> | undefined {
      if (underWay) return { refused: 'backup under way' }
      const [last] = store.backups.list().filter(isPresent)
      if (!last || clock.now() - last.startedAt > SECOND_PRESS_MS) begin(actor)
      return undefined
    },

    /** Those whose files are kept, newest first; `isThere` is false when a person has moved or deleted the file. */
    list: (): (Backup & { isThere: boolean })[] =>
      store.backups
        .list()
        .filter(isPresent)
        .map(each => ({ ...each, isThere: isFile(pathOf(each)) })),

    /** When the one that is being made was begun, and why the last one was not made, if it was not. */
    state(): { since: number | null; failure: { at: number; why: Refusal } | null } {
      const last = store.backups.list().find(({ endedAt }) => endedAt !== null)
      const recorded = last?.failure ? { at: last.startedAt, why: last.failure } : null
      const failure = unrecorded ? { at: unrecorded.at, why: unrecorded.failure } : recorded
      return { since: underWay?.since ?? null, failure }
    },

    /** Begins no more, and resolves once the result of the one that is being made is recorded. */
    async stop(): Promise<void> {
      isStopping = true
      clearInterval(timer)
      await underWay?.ended
    },
  }
}

/** False also when the disk cannot say. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function isPresent({ endedAt, failure, removedAt }: Backup): boolean {
  return endedAt !== null && failure === null && removedAt === null
}

function failed(error: unknown): Refusal {
  return { refused: 'backup failed', cause: error instanceof Error ? error.message : String(error) }
}
