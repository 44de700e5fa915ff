import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryFolder } from '../support/folders.ts'

// I/O errors as the system would report them: strace makes the calls of a running process fail on the files of a database,
// and nowhere else.

/** Calls that fail, as strace writes it: "fsync,fdatasync:error=EIO", or "pwrite64:error=ENOSPC:when=50+7" for some of them. */
export type Fault = `${string}:error=${string}`

export interface Injection {
  /** How many calls have failed so far. */
  failed(): number
  /** Lets all calls succeed again. */
  end(): Promise<void>
}

/** The options that make calls fail on the database file, its log and its index. Failed calls are written to `trace`. */
export function faultOptions(file: string, faults: Fault[], trace: string): string[] {
  const calls = faults.map(fault => fault.split(':', 1)[0])
  return [
    ...['-f', '-qq', '-o', trace, '-e', 'signal=none', '-e', `trace=${calls.join(',')}`],
    ...[file, `${file}-wal`, `${file}-shm`].flatMap(path => ['-P', path]),
    ...faults.flatMap(fault => ['-e', `inject=${fault}`]),
  ]
}

/** Makes calls of a process fail from now on. */
export async function inject(t: TestContext, process: ChildProcess, file: string, faults: Fault[]): Promise<Injection> {
  const trace = join(temporaryFolder(t), 'trace')
  const tracer = spawn('strace', [...faultOptions(file, faults, trace), '-p', String(process.pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  tracer.stderr.on('data', chunk => (told += chunk))
  const closed = once(tracer, 'close')
  t.after(() => tracer.kill('SIGKILL'))
  while (!isTraced(process)) {
    if (tracer.exitCode !== null) throw new Error(`no faults are injected: ${told}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  return {
    failed: () => failedCalls(trace),
    async end() {
      tracer.kill('SIGINT')
      await closed
    },
  }
}

/** How many calls a trace says to have failed by injection. */
export function failedCalls(trace: string): number {
  return existsSync(trace) ? readFileSync(trace, 'utf8').split('(INJECTED)').length - 1 : 0
}

function isTraced({ pid }: ChildProcess): boolean {
  return /^TracerPid:\t[1-9]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
}

/** Options of a test that injects faults: it is skipped where that can't be done. */
export const withInjection: { skip?: string } = trial()

function trial(): { skip?: string } {
  const inject = ['-e', 'trace=fsync', '-e', 'inject=fsync:error=EIO', '-o', '/dev/null', 'true']
  const { error, status, stderr } = spawnSync('strace', inject, { encoding: 'utf8' })
  if (error) return { skip: 'strace is not installed, so no I/O errors can be injected' }
  return status === 0 ? {} : { skip: `strace may not inject faults here: ${stderr.trim()}` }
}
