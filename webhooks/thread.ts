import type { BlockList } from 'node:net'
import type { Worker } from 'node:worker_threads'
import type { Log } from '../store/log.ts'
import { errorOf, type PortableError, startThread } from '../store/thread.ts'

/** What the delivery thread is started with. */
export interface WorkerData {
  databaseFile: string
  allowed: BlockList
}

export type ToWorker = 'wake' | 'stop'
export type FromWorker =
  | { kind: 'info'; event: string; fields: Record<string, unknown> }
  | { kind: 'error'; event: string; cause: PortableError }

export interface DeliveryThread {
  /** Signals that there may be attempts to make. Starts the thread if it is not running. */
  wake(): void
  /** Lets the running attempts reach their deadline, and resolves once the thread has ended. */
  stop(): Promise<void>
}

// A little longer than the thread's own limit. Ending the thread from here while the driver waits for the file aborts the process.
const STOP_MS = 12_000

const RESTART_MS = 1000

/**
 * A separate thread for deliveries, because TLS handshakes would delay the responses to orders. It is started when there
 * is something to deliver for the first time, and again if it fails; the attempts that it was making are then lost.
 */
export function deliveryThread(workerData: WorkerData, log: Log): DeliveryThread {
  let worker: Worker | undefined
  let isWaking = false
  let isStopping = false
  let restart: NodeJS.Timeout | undefined

  function begin(): void {
    restart = undefined
    const begun = startThread(new URL('worker.ts', import.meta.url), workerData)
    begun.on('message', (message: FromWorker) => {
      if (message.kind === 'info') log.info(message.event, message.fields)
      else log.error(message.event, errorOf(message.cause))
    })
    begun.on('error', error => log.error('the delivery thread failed', error))
    begun.on('exit', () => {
      worker = undefined
      if (!isStopping) restart = setTimeout(begin, RESTART_MS)
    })
    worker = begun
  }

  function post(message: ToWorker): void {
    worker?.postMessage(message)
  }

  return {
    wake() {
      if (isStopping || isWaking) return
      isWaking = true
      // After the responses of this turn of the event loop, and once for all of them.
      setImmediate(() => {
        isWaking = false
        if (isStopping) return
        if (worker) post('wake')
        else if (!restart) begin()
      })
    },

    async stop() {
      isStopping = true
      clearTimeout(restart)
      const ending = worker
      if (!ending) return
      const ended = new Promise(resolve => ending.once('exit', resolve))
      const timer = setTimeout(() => void ending.terminate(), STOP_MS)
      post('stop')
      await ended
      clearTimeout(timer)
    },
  }
}
