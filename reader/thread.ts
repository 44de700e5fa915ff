import { constants } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { openStore } from '../store/store.ts'
import { portable, stepBehind, withPortableErrors } from '../store/thread.ts'
import type { FromReader, ReaderData, ToReader } from './reader.ts'
import { reads } from './reads.ts'

// Only one program that opens or closes the file can keep a reader waiting, and only for a moment.
const BUSY_MS = 2000

const port = parentPort
if (!port) throw new Error('this file is run by reader/reader.ts')
const { databaseFile } = workerData as ReaderData
try {
  stepBehind(constants.priority.PRIORITY_BELOW_NORMAL)
} catch {
  // Then reads compete with orders on equal terms.
}

// The server's clock at the current message.
let time = { now: 0, elapsed: 0 }
const clock = { now: () => time.now, elapsed: () => time.elapsed }
const store = withPortableErrors(() =>
  openStore(databaseFile, { clock, create: false, busyMs: BUSY_MS, isServed: true, readOnly: true }),
)

port.on('message', async (message: ToReader) => {
  if (message === 'stop') {
    // A backup in progress fails and removes its unfinished copy.
    store.close()
    port.close()
    return
  }
  time = message
  port.postMessage(await resultOf(message))
})

async function resultOf({ name, args }: Exclude<ToReader, 'stop'>): Promise<FromReader> {
  try {
    store.refresh()
    const read = reads[name](store) as (...args: unknown[]) => unknown
    return { value: await read(...args) }
  } catch (error) {
    return { error: portable(error) }
  }
}
