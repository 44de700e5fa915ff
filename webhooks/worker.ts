import { constants } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { commitsWithoutSync } from '../store/file/commits.ts'
import { openDatabase } from '../store/file/open.ts'
import { webhooks } from '../store/outbox/notifications.ts'
import { nobody } from '../store/people/activity.ts'
import { systemClock } from '../store/terms/clock.ts'
import { portable, stepBehind } from '../store/thread.ts'
import { deliverer } from './deliver.ts'
import { dispatcher } from './dispatch.ts'
import type { FromWorker, ToWorker, WorkerData } from './thread.ts'

// The writer thread holds the file for one commit at a time, and no request waits for this thread.
const BUSY_MS = 2000

const port = parentPort
if (!port) throw new Error('this file is run by webhooks/thread.ts')
const tell = (message: FromWorker) => port.postMessage(message)
try {
  stepBehind(constants.priority.PRIORITY_BELOW_NORMAL)
} catch (error) {
  tell({ kind: 'error', event: 'the delivery thread keeps its priority', cause: portable(error) })
}

const { databaseFile, allowed } = workerData as WorkerData
const db = openDatabase(databaseFile, { create: false, busyMs: BUSY_MS, isServed: true })
const { toDisk, close } = commitsWithoutSync(db)
const { wake, stop } = dispatcher({
  webhooks: webhooks(db, systemClock, nobody),
  toDisk,
  deliver: deliverer({ allowed, elapsed: systemClock.elapsed }),
  clock: systemClock,
  log: {
    info: (event, fields) => tell({ kind: 'info', event, fields }),
    error: (event, cause) => tell({ kind: 'error', event, cause: portable(cause) }),
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
