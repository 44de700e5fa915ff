// What is measured during the night: latencies by window, and the resources that the server holds.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { loadavg } from 'node:os'
import { median, percentile } from '../percentile.ts'

/** How the server stood at one moment. */
export interface Sample {
  rssMiB: number
  /** Open file descriptors. */
  fds: number
  fileMiB: number
  walMiB: number
  /** How many processes the machine would like to run, on average over a minute. */
  load: number
}

const MIB = 1024 * 1024

// Ticks a second of the processor times in /proc; the same on all that Linux runs on today.
const TICKS = 100

/** Looks at a process and its database file. */
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

/** Values by the time at which they were seen, in windows of equal length that make four quarters. */
export interface Course<T> {
  add(value: T): void
  windows(): T[][]
  /** The values of a quarter of the night, 1 to 4. */
  quarter(number: number): T[]
  /** The windows of a quarter. */
  windowsOf(number: number): T[][]
}

/** A night of so many milliseconds from now on, watched in so many windows (a multiple of four). */
export function course<T>(lengthMs: number, count: number): Course<T> {
  const began = performance.now()
  const windows: T[][] = Array.from({ length: count }, () => [])
  const windowsOf = (number: number) => windows.slice(((number - 1) * count) / 4, (number * count) / 4)
  return {
    add(value) {
      const index = Math.floor(((performance.now() - began) * count) / lengthMs)
      // What ends after the last window was begun in it.
      windows[Math.min(index, count - 1)]?.push(value)
    },
    windows: () => windows,
    windowsOf,
    quarter: number => windowsOf(number).flat(),
  }
}

/** The median of the p99 of each window: one bad window is chance, a worse half is not. */
export function typicalP99(windows: number[][]): number {
  return median(windows.filter(({ length }) => length > 0).map(window => percentile(window, 0.99)))
}
