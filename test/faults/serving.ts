import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { root } from '../support/folders.ts'
import { DidNotStart, type Program, type ProgramOptions, startProgram } from '../support/program.ts'
import { type Evening, type EveningOptions, openEvening } from './evening.ts'

// A server that faults happen to, and what can be seen of it from outside.

/** Starts the server; it is gone after the test, however that ends. */
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

/** How a server ended that was to refuse its file. Rejects when it serves it all the same. */
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

/** Whether docs/recovery.md has, word for word, what was told of a file. */
export function isInGuide(told: string, file: string): boolean {
  return guide.includes(told.trimEnd().replaceAll(file, '/var/lib/servery/servery.db'))
}

/** How many orders there are in a file, read by another connection while a server may be running. */
export function ordersIn(file: string): number {
  return numberIn(file, 'SELECT count(*) FROM orders')
}

/** The one number that a query finds in a file. */
export function numberIn(file: string, sql: string): number {
  const db = new Database(file, { readonly: true })
  try {
    return db.prepare<[], number>(sql).pluck().get() ?? 0
  } finally {
    db.close()
  }
}

/** The kinds of error lines in a log, such as "request failed SQLITE_FULL", each once. */
export function errorsIn(logged: Record<string, unknown>[]): string[] {
  const errors = logged.filter(({ level }) => level === 'error')
  return [...new Set(errors.map(({ event, code }) => (code === undefined ? `${event}` : `${event} ${code}`)))].sort()
}

/** How many orders of an evening were answered 500 ORDER_FAILED. */
export function failedIn({ others }: Evening): number {
  return others.get('500 ORDER_FAILED') ?? 0
}

/** How many requests of an evening were answered by anything but 201 and 500 ORDER_FAILED, or not at all. */
export function strangeIn(evening: Evening): number {
  const answered = [...evening.others.values()].reduce((sum, count) => sum + count, 0)
  return answered - failedIn(evening) + evening.unanswered
}

/** Lets an evening go on until so many more orders were answered 201. */
export async function moreOrders({ acknowledged }: Evening, count: number): Promise<void> {
  const wanted = acknowledged.length + count
  for (let waited = 0; acknowledged.length < wanted; waited += 10) {
    if (waited > 30_000) throw new Error(`no order was answered 201 after ${acknowledged.length} of ${wanted}`)
    await pause(10)
  }
}

/** Lets an evening go on until so many more orders were answered 500 ORDER_FAILED. */
export async function moreFailures(evening: Evening, count: number): Promise<void> {
  const wanted = failedIn(evening) + count
  for (let waited = 0; failedIn(evening) < wanted; waited += 10) {
    if (waited > 30_000) throw new Error(`only ${failedIn(evening)} of ${wanted} orders failed`)
    await pause(10)
  }
}

export const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

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
