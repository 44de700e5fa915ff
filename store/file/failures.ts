import Database from './driver.ts'

/** A database file that cannot be used; the message says what is wrong and what to do. */
export class UnusableFile extends Error {}

const sentences: [code: RegExp, sentence: string][] = [
  [
    /^(EACCES|EPERM|EROFS|SQLITE_READONLY.*)$/,
    'cannot be written. Check the owner and permissions of the file and its folder, and that the disk is not read-only.',
  ],
  [
    /^(SQLITE_CANTOPEN|ENOTDIR|EISDIR|EEXIST)$/,
    'cannot be opened as a file. Check the path, its permissions, and that the disk is not read-only.',
  ],
  [/^SQLITE_NOTADB$/, 'is not a database. Set DATABASE_FILE to the right file, or restore a backup.'],
  [/^SQLITE_CORRUPT/, 'is damaged. Restore the last backup (docs/deploy.md) and keep the damaged file.'],
  [/^(SQLITE_FULL|ENOSPC)$/, 'cannot be written: the disk is full. Free some space and start again.'],
  [/^SQLITE_BUSY/, 'is locked by another program. Stop that program and start again.'],
  [/^SQLITE_IOERR/, 'cannot be read or written (CODE). Check the disk and its free space.'],
]

/** A failure of the file as a sentence for people (UnusableFile), or the error itself when it is something else. */
export function explainFailure(error: unknown, file: string): unknown {
  if (error instanceof UnusableFile) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const [, sentence] = sentences.find(([pattern]) => pattern.test(code)) ?? []
  return sentence ? new UnusableFile(`The database ${file} ${sentence.replace('CODE', code)}`) : error
}

/** True when another process is writing at the moment. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}
