import type { Worker } from 'node:worker_threads'
import type { Log } from '../store/log.ts'
import type { Clock } from '../store/terms/clock.ts'
import { errorOf, type PortableError, startThread } from '../store/thread.ts'
import type { Read, ReadName } from './reads.ts'

/** The input of the reading thread. */
export interface ReaderData {
  databaseFile: string
}

export type ToReader = { now: number; elapsed: number; name: ReadName; args: unknown[] } | 'stop'
export type FromReader = { value: unknown } | { error: PortableError }

export interface ReaderOptions {
  databaseFile: string
  clock: Clock
  log: Log
  /** How long the thread stays without work. */
  idleMs?: number
}

/** A read that was not done, because too many others are waiting. */
export class TooManyReads extends Error {}

interface Waiting {
  name: ReadName
  args: unknown[]
  resolve(value: unknown): void
  reject(error: unknown): void
}

// Long enough for a person who goes through reports.
const IDLE_MS = 300_000

// Each can take seconds: more would only make everybody wait in vain.
const MOST_WAITING = 32

export type Reader = ReturnType<typeof reader>

/**
 * The thread that does slow reads of the server process (decision 046), so that they delay neither requests nor writes. It does one
 * read at a time. It starts with the first read and ends after some minutes without one, because it takes as much memory as
 * the rest of an idle server.
 */
export function reader({ databaseFile, clock, log, idleMs = IDLE_MS }: ReaderOptions) {
  const queue: Waiting[] = []
  let inHand: Waiting | undefined
  let thread: Worker | undefined
  let isEnding = false
  let isStopped = false
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const data: ReaderData = { databaseFile }
    const started = startThread(new URL('thread.ts', import.meta.url), data)
    let reason = new Error('the reading thread has ended')
    started.on('message', receive)
    started.on('error', error => {
      log.error('the reading thread failed', error)
      reason = error
    })
    started.once('exit', () => {
      thread = undefined
      const wasAsked = isEnding
      isEnding = false
      inHand?.reject(reason)
      inHand = undefined
      // The next read starts it again. Those that wait already would fail for the same reason, unless it was to end.
      if (wasAsked && !isStopped) send()
      else rejectAll(reason)
    })
    return started
  }

  function rejectAll(error: Error): void {
    for (const each of queue.splice(0)) each.reject(error)
  }

  function send(): void {
    if (inHand || isEnding) return
    inHand = queue.shift()
    if (!inHand) return
    clearTimeout(idle)
    thread ??= start()
    const { name, args } = inHand
    post({ now: clock.now(), elapsed: clock.elapsed(), name, args })
  }

  function post(message: ToReader): void {
    thread?.postMessage(message)
  }

  function receive(result: FromReader): void {
    const done = inHand
    inHand = undefined
    idle = setTimeout(end, idleMs)
    idle.unref()
    send()
    if ('error' in result) done?.reject(errorOf(result.error))
    else done?.resolve(result.value)
  }

  function end(): void {
    clearTimeout(idle)
    isEnding = true
    post('stop')
  }

  const read: Read = <T>(name: ReadName, ...args: unknown[]): Promise<T> =>
    new Promise((resolve, reject) => {
      if (isStopped) return reject(new Error('the reading thread has ended'))
      if (queue.length >= MOST_WAITING) return reject(new TooManyReads('too many reads are waiting'))
      queue.push({ name, args, resolve: value => resolve(value as T), reject })
      send()
    })

  return {
    read,

    /** Rejects the reads that wait, lets the current one finish, and resolves once the thread has ended. */
    async stop(): Promise<void> {
      isStopped = true
      rejectAll(new Error('the reading thread has ended'))
      const ending = thread
      if (!ending) return
      const ended = new Promise(resolve => ending.once('exit', resolve))
      end()
      await ended
    },
  }
}
