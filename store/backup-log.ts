import type { Db } from './file/open.ts'
import type { Noting } from './people/activity.ts'
import type { Clock } from './terms/clock.ts'
import type { BackupId } from './terms/ids.ts'
import type { Refusal } from './terms/refusal.ts'

export type BackupKind = 'nightly' | 'by hand'

/** A backup that the server made, is making, or could not make. */
export interface Backup {
  id: BackupId
  how: BackupKind
  /** The name of its file in the folder of the backups. */
  name: string
  startedAt: number
  /** Null while it is being made. */
  endedAt: number | null
  bytes: number | null
  /** Why there is no such file; null if it was made. */
  failure: Refusal | null
  /** When its file was deleted to make room for newer ones. */
  removedAt: number | null
}

// Longer than anybody keeps backups of every night.
const KEPT_ROWS = 1000

/** The backups that the server makes by itself (decision 052). Those of the command `backup` are not among them. */
export function backupLog(db: Db, clock: Clock, { note }: Noting) {
  const select = db.prepare<[], Omit<Backup, 'failure'> & { failure: string | null }>(
    `SELECT id, how, name, started_at AS startedAt, ended_at AS endedAt, bytes, failure, removed_at AS removedAt
       FROM backup ORDER BY id DESC`,
  )
  const insert = db.prepare<{ how: BackupKind; name: string; now: number }>(
    'INSERT INTO backup (how, name, started_at) VALUES (@how, @name, @now)',
  )
  const deleteOld = db.prepare<[number]>(
    `DELETE FROM backup WHERE (failure IS NOT NULL OR removed_at IS NOT NULL)
        AND id IN (SELECT id FROM backup ORDER BY id DESC LIMIT -1 OFFSET ?)`,
  )
  const markEnded = db.prepare<{ id: BackupId; now: number; bytes: number | null; failure: string | null }>(
    'UPDATE backup SET ended_at = @now, bytes = @bytes, failure = @failure WHERE id = @id',
  )
  const markRemoved = db.prepare<{ id: BackupId; now: number }>('UPDATE backup SET removed_at = @now WHERE id = @id')

  const begin = db.transaction((how: BackupKind, name: string): BackupId => {
    deleteOld.run(KEPT_ROWS)
    const id = insert.run({ how, name, now: clock.now() }).lastInsertRowid as BackupId
    if (how === 'by hand') note({ what: 'backup started', subject: name })
    return id
  })

  return {
    /** All of them, newest first. */
    list: (): Backup[] =>
      select
        .all()
        .map(row => ({ ...row, failure: row.failure === null ? null : (JSON.parse(row.failure) as Refusal) })),

    beginNightly: (name: string): BackupId => begin.immediate('nightly', name),

    beginByHand: (name: string): BackupId => begin.immediate('by hand', name),

    /** Records that the file was made and has this many bytes, or why it was not made. */
    end(id: BackupId, result: number | Refusal): void {
      const now = clock.now()
      if (typeof result === 'number') markEnded.run({ id, now, bytes: result, failure: null })
      else markEnded.run({ id, now, bytes: null, failure: JSON.stringify(result) })
    },

    /** Records that the file was deleted. */
    remove: (id: BackupId): void => void markRemoved.run({ id, now: clock.now() }),
  }
}
