import { constants, getPriority, platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../store/clock.ts'
import { commitsWithoutSync, openDatabase } from '../store/open.ts'
import { webhooks } from '../store/webhooks/webhooks.ts'
import { deliverer } from './deliver.ts'
import { dispatcher } from './dispatch.ts'
import type { FromWorker, ToWorker, WorkerData } from './thread.ts'

// The other thread holds the file for a commit at a time; here nobody waits for an answer.
const BUSY_MS = 2000

const port = parentPort
if (!port) throw new Error('this file is run by webhooks/thread.ts')
const tell = (message: FromWorker) => port.postMessage(message)
stepBehindOrders()

const { databaseFile, allowed } = workerData as WorkerData
const db = openDatabase(databaseFile, { create: false, busyMs: BUSY_MS })
const { toDisk, close } = commitsWithoutSync(db)
const { wake, stop } = dispatcher({
  webhooks: webhooks(db, systemClock),
  toDisk,
  deliver: deliverer({ allowed, elapsed: systemClock.elapsed }),
  clock: systemClock,
  log: {
    info: (event, fields) => tell({ kind: 'info', event, fields }),
    error: (event, cause) => tell({ kind: 'error', event, cause }),
  },
})

port.on('message', async (message: ToWorker) => {
  if (message === 'wake') return wake()
  await stop()
  close()
  db.close()
  port.close()
})
wake()

/** Lowers the priority of this thread. Only Linux gives each thread its own; elsewhere it would slow the orders as well. */
function stepBehindOrders(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority
  try {
    if (platform() === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
  } catch (error) {
    tell({ kind: 'error', event: 'the delivery thread keeps its priority', cause: error })
  }
}
