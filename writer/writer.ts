import type { Log } from '../store/log.ts'
import type { OrderDetails } from '../store/ordering/details.ts'
import type { Draft } from '../store/ordering/draft.ts'
import type { Order } from '../store/ordering/order.ts'
import type { OrderLimit } from '../store/ordering/order-limit.ts'
import type { Placed } from '../store/ordering/place.ts'
import type { Actor } from '../store/people/actor.ts'
import type { Source } from '../store/terms/channels.ts'
import type { Clock } from '../store/terms/clock.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { errorOf, type PortableError, startThread } from '../store/thread.ts'
import type { Act, Chore, WriteName } from './writes.ts'

/** The input of the writer thread. */
export interface WriterData {
  databaseFile: string
  patienceMs: number
  /** For each order of the current batch: 1 once its caller is gone. Shared memory, because the thread may be waiting. */
  isGone: Uint8Array
}

export interface OrderForWriter {
  draft: Draft
  source: Source
  /** The bucket that it counts in, of the order limit or of that of the guests' pages; null: not limited. */
  bucket: string | null
  /** Who entered it; left out for an order placed by a guest. */
  actor?: Actor
  /** What the API does not accept. */
  details?: OrderDetails
}

/** Another write than orders, and its actor; null: the server itself. */
interface WriteForWriter {
  actor: Actor | null
  name: WriteName
  args: unknown[]
}

/** One unit of work: orders that share a commit, or another write. */
export type Work = { kind: 'orders'; orders: OrderForWriter[] } | ({ kind: 'write' } & WriteForWriter)

export type ToWriter = { now: number; elapsed: number; patienceMs: number; work: Work } | 'stop'

/** A created order as the response has it: sending all its parts between threads would take longer than building this. */
export interface Told extends Pick<Order, 'id' | 'number' | 'locationId'> {
  /** The Order of section 2, as JSON. */
  json: string
}

/** A created order, or why it was not created. */
export type PlacedOrder = Told | Exclude<Placed, Order>

export type Result = { value: unknown } | { error: PortableError }

/** The results of one unit of work; empty when the thread has just started. */
export interface FromWriter {
  results: Result[]
  hasEvents?: boolean
  /** All results are errors because the file is no longer where it was opened. */
  fileGone?: PortableError
}

/** The caller that waits for its order, such as an open response. */
export interface Caller {
  readonly destroyed: boolean
  once(event: 'close', listener: () => void): unknown
}

export interface WriterOptions {
  databaseFile: string
  clock: Clock
  log: Log
  /** Counts the created orders, so that callers over the limit are refused without the thread. */
  limit: OrderLimit
  /** The largest number of orders that share one commit; 1 disables sharing. */
  ordersPerCommit?: number
  /** Called after a commit that has written events for endpoints. */
  onEvents(): void
  /** Called after each unit of work, which may have changed the file. */
  onWritten(): void
}

interface Waiting {
  /** When it came, by the monotonic clock. */
  since: number
  caller?: Caller
  resolve(value: unknown): void
  reject(error: unknown): void
}
type WaitingOrder = Waiting & { order: OrderForWriter }
type WaitingWrite = Waiting & { write: WriteForWriter }

// Enough for every connection of a busy evening, and bounded so that one commit never delays the next for long.
const ORDERS_PER_COMMIT = 100

// How long a write waits for another process's write.
const PATIENCE_MS = 5000

const RESTART_MS = 1000

export type Writer = ReturnType<typeof writer>

/**
 * The thread that does every write of the server process (decision 040), so that neither an fsync nor another process's lock delays
 * the thread that reads and responds. It has one unit of work at a time: what comes meanwhile waits here, and orders that wait
 * together share the next commit.
 */
export function writer(options: WriterOptions) {
  const { databaseFile, clock, log, limit, ordersPerCommit = ORDERS_PER_COMMIT, onEvents, onWritten } = options
  const isGone = new Uint8Array(new SharedArrayBuffer(ordersPerCommit))
  const queue: (WaitingOrder | WaitingWrite)[] = []
  let inHand: (WaitingOrder | WaitingWrite)[] = []
  let sentAt = 0
  let thread: ReturnType<typeof startThread> | undefined
  let isReady = false
  let hasFailed = false
  let isStopping = false
  let isPlanned = false
  let isFileGone = false
  let restart: NodeJS.Timeout | undefined

  function start(): void {
    const data: WriterData = { databaseFile, patienceMs: PATIENCE_MS, isGone }
    thread = startThread(new URL('thread.ts', import.meta.url), data)
    thread.on('message', receive)
    let reason = new Error('the writer thread has ended')
    thread.on('error', error => {
      log.error('the writer thread failed', error)
      reason = error
    })
    thread.once('exit', () => {
      thread = undefined
      isReady = false
      // Whether its current work was committed is unknown.
      rejectAll(reason)
      if (isStopping) return
      hasFailed = true
      restart = setTimeout(start, RESTART_MS)
    })
  }

  function rejectAll(error: Error): void {
    const waiting = [...inHand, ...queue.splice(0)]
    inHand = []
    for (const each of waiting) each.reject(error)
  }

  function add(waiting: WaitingOrder | WaitingWrite): void {
    queue.push(waiting)
    if (isPlanned || inHand.length > 0) return
    isPlanned = true
    // Together with all other work of this turn of the event loop.
    setImmediate(send)
  }

  function send(): void {
    isPlanned = false
    if (!isReady || inHand.length > 0) return
    const work = nextWork()
    if (!work) return
    sentAt = clock.elapsed()
    const waited = Math.round((sentAt - (inHand[0]?.since ?? sentAt)) / 100) * 100
    post({ now: clock.now(), elapsed: sentAt, patienceMs: Math.max(0, PATIENCE_MS - waited), work })
  }

  function post(message: ToWriter): void {
    thread?.postMessage(message)
  }

  /** Sends the next unit of work: a write, or the orders up to the next write. */
  function nextWork(): Work | undefined {
    isGone.fill(0)
    const orders: OrderForWriter[] = []
    while (inHand.length < ordersPerCommit) {
      const [next] = queue
      if (!next || ('write' in next && orders.length > 0)) break
      queue.shift()
      inHand.push(next)
      if ('write' in next) return { kind: 'write', ...next.write }
      if (next.caller?.destroyed) isGone[orders.length] = 1
      orders.push(next.order)
    }
    return orders.length > 0 ? { kind: 'orders', orders } : undefined
  }

  function receive({ results, hasEvents = false, fileGone }: FromWriter): void {
    isReady = true
    hasFailed = false
    const done = inHand
    inHand = []
    const at = sentAt
    const again = done.filter((waiting, index) => isWorthAnotherTry(waiting, results[index]))
    queue.unshift(...again)
    send()
    for (const [index, waiting] of done.entries()) {
      const result = results[index]
      if (!result || again.includes(waiting)) continue
      if ('error' in result) waiting.reject(errorOf(result.error))
      else {
        if ('order' in waiting) countOrder(waiting, result.value as PlacedOrder, at)
        waiting.resolve(result.value)
      }
    }
    if (hasEvents) onEvents()
    if (done.length > 0) onWritten()
    if (fileGone && !isFileGone) {
      log.error('the database file is gone', errorOf(fileGone), {
        advice: 'Nothing is kept until it is back: stop Servery and see docs/recovery.md.',
      })
    }
    isFileGone = fileGone !== undefined
    stopWhenIdle()
  }

  /** Another process wrote for as long as the oldest work could wait; later work can still wait. */
  function isWorthAnotherTry(waiting: Waiting, result: Result | undefined): boolean {
    if (!result || !('error' in result) || !String(result.error.code).startsWith('SQLITE_BUSY')) return false
    return clock.elapsed() - waiting.since < PATIENCE_MS
  }

  function countOrder({ order }: WaitingOrder, placed: PlacedOrder, at: number): void {
    if (!isRefused(placed) && order.bucket !== null && !order.details?.guest) limit.count(order.bucket, at)
  }

  function stopWhenIdle(): void {
    if (isStopping && inHand.length === 0 && queue.length === 0) post('stop')
  }

  function write<T>(wanted: WriteForWriter): Promise<T> {
    return new Promise((resolve, reject) => {
      add({ write: wanted, since: clock.elapsed(), resolve, reject })
    })
  }
  const act: Act = (actor, name, ...args) => write({ actor, name, args })
  const chore: Chore = (name, ...args) => write({ actor: null, name, args })

  return {
    start,

    act,
    chore,

    /**
     * Creates an order and resolves once it is safely on disk, or with why it is refused: the location (section 4.3), its lines
     * (decisions A2, D1 to D4) or the order limit. It is not created if its caller is gone by then. Rejects when it could not be
     * written; then nothing of it is in the file.
     */
    place(order: OrderForWriter, caller?: Caller): Promise<PlacedOrder> {
      return new Promise((resolve, reject) => {
        const waiting: WaitingOrder = {
          order,
          since: clock.elapsed(),
          ...(caller && { caller }),
          resolve,
          reject,
        }
        caller?.once('close', () => {
          const place = inHand.indexOf(waiting)
          if (place !== -1) Atomics.store(isGone, place, 1)
        })
        add(waiting)
      })
    },

    /** Throws while there is no writer thread, because it has failed and was not started again. */
    expectRunning(): void {
      if (hasFailed) throw new Error('the writer thread has failed')
    },

    /** Lets the thread finish all waiting work, and resolves once it has closed the file and ended. */
    async stop(): Promise<void> {
      isStopping = true
      clearTimeout(restart)
      const ending = thread
      if (!ending) return rejectAll(new Error('the writer thread has ended'))
      const ended = new Promise(resolve => ending.once('exit', resolve))
      stopWhenIdle()
      await ended
    },
  }
}
