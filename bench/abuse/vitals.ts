import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** The kernel's figures of a process. */
export interface Vitals {
  /** MiB of memory that it holds. */
  rss: number
  /** The peak since `forgetPeak`, also in MiB. */
  peak: number
  /** Its open file descriptors. */
  descriptors: number
}

export function vitalsOf(pid: number): Vitals {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mebibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
  return { rss: mebibytes('VmRSS'), peak: mebibytes('VmHWM'), descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

/** Resets the kernel's peak memory of a process. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** Samples a process until `stop` is called, which returns the largest number of file descriptors that it had. */
export function watchDescriptors(pid: number, everyMs: number): { stop(): number } {
  let most = 0
  const look = () => {
    most = Math.max(most, vitalsOf(pid).descriptors)
  }
  const timer = setInterval(look, everyMs)
  return {
    stop() {
      look()
      clearInterval(timer)
      return most
    },
  }
}
