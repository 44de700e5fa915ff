// Measurements during the night: latencies by window, and the resources of the server.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { loadavg } from 'node:os'
import { median, percentile } from '../percentile.ts'

/** The server's resources at one instant. */
export interface Sample {
  rssMiB: number
  /** Open file descriptors. */
  fds: number
  fileMiB: number
  walMiB: number
  /** The load average over a minute. */
  load: number
}

const MIB = 1024 * 1024

// Ticks a second of the processor times in /proc, the same on all current Linux platforms.
const TICKS = 100

/** Measures a process and its database file. */
export function sampleOf(pid: number, file: string): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return {
    rssMiB: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024,
    fds: readdirSync(`/proc/${pid}/fd`).length,
    fileMiB: statSync(file).size / MIB,
    walMiB: (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) / MIB,
    load: loadavg()[0] ?? 0,
  }
}

/** The processor time that a process has used, in seconds. */
export function processorSeconds(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
  return (user + system) / TICKS
}

/** Values by their time, in windows of equal length that form four quarters. */
export interface Course<T> {
  add(value: T): void
  windows(): T[][]
  /** The values of a quarter of the night, 1 to 4. */
  quarter(number: number): T[]
  /** The windows of a quarter. */
  windowsOf(number: number): T[][]
}

/** A night of so many milliseconds from now on, in so many windows (a multiple of four). */
export function course<T>(lengthMs: number, count: number): Course<T> {
  const began = performance.now()
  const windows: T[][] = Array.from({ length: count }, () => [])
  const windowsOf = (number: number) => windows.slice(((number - 1) * count) / 4, (number * count) / 4)
  return {
    add(value) {
      const index = Math.floor(((performance.now() - began) * count) / lengthMs)
      // A value after the end belongs to the last window, in which its request began.
      windows[Math.min(index, count - 1)]?.push(value)
    },
    windows: () => windows,
    windowsOf,
    quarter: number => windowsOf(number).flat(),
  }
}

/** The median of the windows' p99, so that a single bad window has no effect. */
export function typicalP99(windows: number[][]): number {
  return median(windows.filter(({ length }) => length > 0).map(window => percentile(window, 0.99)))
}
