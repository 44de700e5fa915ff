import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Clock, isTimeZone } from '../terms/clock.ts'
import type { Finding } from '../terms/finding.ts'
import type { Db } from './driver.ts'
import { integrityFlaws } from './integrity.ts'
import { describeDifference, isOurs, SCHEMA_VERSION, shapeDifferences } from './shape.ts'

// Below this, a busy evening can fill the disk before anybody notices.
const LEAST_FREE_BYTES = 200 * 1024 * 1024

// SQLite normally lets the log grow to a sixteenth of this, and a long backup during many orders doubles that.
const MOST_LOG_MIB = 64

export function health(db: Db, file: string, clock: Clock) {
  const lastOrderAt = db.prepare<[], number | null>('SELECT max(placed_at) FROM orders').pluck()
  const practisedDays = db.prepare<[], string>("SELECT value FROM setting WHERE key = 'practice.days'").pluck()
  const zones = db.prepare<[], { owner: string; name: string }>(
    `SELECT 'location ' || id AS owner, timezone AS name FROM location
      UNION SELECT 'the site', value FROM setting WHERE key = 'site.timezone'`,
  )

  /** What is wrong with the file or its surroundings (problems) or should be looked at (warnings). */
  return (): { problems: Finding[]; warnings: Finding[] } => {
    const problems: Finding[] = []
    const warnings: Finding[] = []
    const problem = (pointer: string, message: string) => void problems.push({ pointer, message })

    if (!isWritable(file))
      problem('/file', 'cannot be written; check the owner and permissions of the file and its folder')
    const version = db.pragma('user_version', { simple: true })
    if (version !== SCHEMA_VERSION) problem('/file/schema', `is ${version}, but must be ${SCHEMA_VERSION}`)
    for (const difference of shapeDifferences(db)) {
      const message = describeDifference(difference)
      if (isOurs(difference)) problem('/file/schema', `${message}; restore a backup from before that`)
      else warnings.push({ pointer: '/file/schema', message })
    }
    for (const flaw of integrityFlaws(db)) problem('/file/integrity', flaw)
    const expected = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 }
    for (const [pragma, value] of Object.entries(expected)) {
      const found = db.pragma(pragma, { simple: true })
      if (found !== value) problem(`/file/${pragma}`, `is ${found}, but must be ${value}`)
    }

    const disk = statfsSync(dirname(resolve(file)))
    const free = disk.bavail * disk.bsize
    if (free < LEAST_FREE_BYTES) problem('/disk', `only ${Math.floor(free / 1024 / 1024)} MiB are free; make room`)

    const log = Math.floor((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) / 1024 / 1024)
    if (log > MOST_LOG_MIB) {
      const message = `is ${log} MiB; a restart brings it into the file, and when it grows again, the disk may be failing`
      warnings.push({ pointer: '/file/log', message })
    }
    const last = lastOrderAt.get()
    if (typeof last === 'number' && last > clock.now()) {
      problem('/clock', `is earlier than the last order (${new Date(last).toISOString()}); set the clock right`)
    }
    for (const { owner, name } of zones.all()) {
      if (!isTimeZone(name)) problem('/timezones', `this system does not know ${name}, the time zone of ${owner}`)
    }
    const practised = practisedDays.get()
    if (practised !== undefined) {
      const message = `has make-believe orders of ${practised}; serve real guests from another file`
      warnings.push({ pointer: '/practice', message })
    }
    return { problems, warnings }
  }
}

function isWritable(file: string): boolean {
  try {
    for (const path of [file, dirname(resolve(file))]) accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
