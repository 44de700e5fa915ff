import { constants } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import Database from './file/driver.ts'
import type { Checked, CheckOf } from './recovery.ts'
import { stepBehind } from './thread.ts'

// Guests place orders meanwhile.
stepBehind(constants.priority.PRIORITY_LOW)

const { databaseFile } = workerData as CheckOf
let isStopped = false
parentPort?.once('message', () => {
  isStopped = true
})
const db = new Database(databaseFile, { readonly: true })
const tables = db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all()
let flaw: string | null = null
// One after the other, so that neither a stopping server nor a checkpoint of the log has to wait for the whole file.
for (const table of tables) {
  if (isStopped || flaw !== null) break
  flaw = flawIn(table)
  await new Promise(setImmediate)
}
db.close()
if (!isStopped) parentPort?.postMessage({ flaw } satisfies Checked)
parentPort?.close()

function flawIn(table: string): string | null {
  try {
    const found = db.prepare<[], string>(`PRAGMA quick_check("${table}")`).pluck().get()
    return found === undefined || found === 'ok' ? null : found
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
