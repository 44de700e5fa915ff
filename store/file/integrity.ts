import type { Db } from './driver.ts'

/** Reads a whole file and returns what is damaged in it. */
export function integrityFlaws(db: Db): string[] {
  const found = db.prepare<[], string>('PRAGMA integrity_check').pluck().all()
  const broken = db.prepare<[], { table: string }>('PRAGMA foreign_key_check').all()
  return [
    ...found.filter(line => line !== 'ok'),
    ...new Set(broken.map(({ table }) => `a row of ${table} refers to a row that is not there`)),
  ]
}
