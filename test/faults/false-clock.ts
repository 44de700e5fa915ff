import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// A wall clock that a test sets for the processes that it starts, as somebody sets that of a machine: while they run,
// and without the clock that measures spans, which no such setting moves (libfaketime, Debian's package faketime).

export interface FalseClock {
  /** What a process has to be started with to go by this clock. */
  environment: Record<string, string>
  /** Sets the clock, also of processes that run. It goes on from there. */
  set(instant: number): void
  /** What it shows: UTC milliseconds. */
  now(): number
}

const library = ['/usr/lib', '/usr/local/lib']
  .filter(existsSync)
  .flatMap(folder => ['.', ...readdirSync(folder)].map(name => join(folder, name, 'faketime/libfaketimeMT.so.1')))
  .find(existsSync)

/** Why no clock can be set here; undefined when one can. */
export const whyNoClock: string | undefined = library
  ? whyNotObeyed()
  : 'libfaketime is not installed (apt install faketime)'

function whyNotObeyed(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'servery-clock-'))
  const { environment, set } = falseClockIn(folder)
  const year = 31_557_600_000
  set(Date.now() + year)
  const before = performance.now()
  const { stdout, stderr } = spawnSync(process.execPath, ['-p', 'Date.now()'], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  const isObeyed = Math.abs(Number(stdout) - Date.now() - year) < 2000 + performance.now() - before
  return isObeyed ? undefined : `libfaketime sets no clock here: ${stderr.trim()}`
}

/** A clock that is right until it is set; it is kept in a folder of the test's own. */
export function falseClockIn(folder: string): FalseClock {
  const path = join(folder, 'clock')
  let ahead = 0
  function set(instant: number): void {
    ahead = Math.round((instant - Date.now()) / 1000)
    // Whoever looks at it finds it whole.
    writeFileSync(`${path}.new`, `${ahead < 0 ? '' : '+'}${ahead}\n`)
    renameSync(`${path}.new`, path)
  }
  set(Date.now())
  return {
    environment: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    set,
    now: () => Date.now() + ahead * 1000,
  }
}
