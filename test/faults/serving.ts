import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { root } from '../support/folders.ts'
import { DidNotStart, type Program, type ProgramOptions, startProgram } from '../support/program.ts'
import { until } from '../support/until.ts'
import { type Evening, type EveningOptions, openEvening } from './evening.ts'

// A server under faults, and what can be seen of it from outside.

/** Starts the server, and kills it after the test if it still runs. */
export async function served(t: TestContext, file: string, options: ProgramOptions = {}): Promise<Program> {
  const program = await startProgram(file, options)
  t.after(() => program.child.kill('SIGKILL'))
  return program
}

/** Lets guests order until the evening is stopped, or the test ends. */
export async function eveningIn(t: TestContext, options: EveningOptions): Promise<Evening> {
  const evening = await openEvening(options)
  t.after(evening.stop)
  return evening
}

/** How a server refused a file. Rejects when it serves the file. */
export async function refusalOf(t: TestContext, file: string, options: ProgramOptions = {}): Promise<DidNotStart> {
  try {
    await served(t, file, options)
  } catch (error) {
    if (error instanceof DidNotStart) return error
    throw error
  }
  throw new Error(`${file} is served`)
}

const guide = readFileSync(join(root, 'docs/recovery.md'), 'utf8')

/** Whether docs/recovery.md contains a message about a file word for word. */
export function isInGuide(told: string, file: string): boolean {
  return guide.includes(told.trimEnd().replaceAll(file, '/var/lib/servery/servery.db'))
}

/** The kinds of error lines in a log, such as "request failed SQLITE_FULL", each once. */
export function errorsIn(logged: Record<string, unknown>[]): string[] {
  const errors = logged.filter(({ level }) => level === 'error')
  return [...new Set(errors.map(({ event, code }) => (code === undefined ? `${event}` : `${event} ${code}`)))].sort()
}

/** How many orders of an evening got 500 ORDER_FAILED. */
export function failedIn({ others }: Evening): number {
  return others.get('500 ORDER_FAILED') ?? 0
}

/** How many requests of an evening got a response other than 201 and 500 ORDER_FAILED, or none. */
export function strangeIn(evening: Evening): number {
  const answered = [...evening.others.values()].reduce((sum, count) => sum + count, 0)
  return answered - failedIn(evening) + evening.unanswered
}

const MOST_WAITED_MS = 30_000

/** Lets an evening go on until so many more orders got 201. */
export async function moreOrders({ acknowledged }: Evening, count: number): Promise<void> {
  const wanted = acknowledged.length + count
  await until(
    () => acknowledged.length >= wanted,
    () => `only ${acknowledged.length} of ${wanted} orders got 201`,
    MOST_WAITED_MS,
  )
}

/** Lets an evening go on until so many more orders got 500 ORDER_FAILED. */
export async function moreFailures(evening: Evening, count: number): Promise<void> {
  const wanted = failedIn(evening) + count
  await until(
    () => failedIn(evening) >= wanted,
    () => `only ${failedIn(evening)} of ${wanted} orders failed`,
    MOST_WAITED_MS,
  )
}

/** A folder that is left behind by `leave`, and at the latest when the process of the tests ends. */
export function folderToLeave(t: TestContext, leave: (folder: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'servery-disk-'))
  let isLeft = false
  function tidy(): void {
    if (isLeft) return
    isLeft = true
    leave(folder)
    rmSync(folder, { recursive: true, force: true })
  }
  t.after(tidy)
  process.once('exit', tidy)
  return folder
}
