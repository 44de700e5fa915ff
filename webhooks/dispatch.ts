import { withoutQuery } from '../store/outbox/endpoints.ts'
import type { webhooks } from '../store/outbox/notifications.ts'
import type { Attempt, Ending } from '../store/outbox/outbox.ts'
import type { Clock } from '../store/terms/clock.ts'
import type { AttemptId, EndpointId } from '../store/terms/ids.ts'
import type { Deliver } from './deliver.ts'
import { deliveryOf } from './message.ts'

/** The most attempts at once (decision F6). */
const MOST_AT_ONCE = 32

// A turn costs a commit, which delays orders, so everything within this time shares one …
const TURN_MS = 100

// … unless this many places have become free for waiting attempts.
const WORTH_A_TURN = 8

// The file may be busy or its disk full for a while.
const RETRY_MS = 500

// While stopping, the wait for a file that cannot be written is no longer than attempts may take.
const GIVE_UP_MS = 5000

// The log is trimmed after this many attempts, and at this interval, because entries also become too old.
const PRUNE_AFTER = 500
const PRUNE_EVERY_MS = 3_600_000

const notSent: Ending = {
  received: false,
  status: null,
  reason: 'it was not sent, because the disk could not be written',
  tookMs: 0,
  response: Buffer.alloc(0),
  headers: [],
}

export interface DispatcherContext {
  webhooks: ReturnType<typeof webhooks>
  deliver: Deliver
  clock: Clock
  log: DispatchLog
  /** Resolves once everything committed so far is on disk; not needed where each commit is already durable. */
  toDisk?(): Promise<void>
}

/** What a dispatcher reports to the people who run the server. */
export interface DispatchLog {
  info(event: string, fields: Record<string, unknown>): void
  error(event: string, cause: unknown): void
}

export interface Dispatcher {
  /** Signals that there may be attempts to make. */
  wake(): void
  /**
   * Starts what can start at once, lets all attempts run to their deadline, and resolves when their results are recorded.
   * If the file cannot be written, it gives up; the next dispatcher then finds the attempts as started and records them as lost.
   */
  stop(): Promise<void>
}

/**
 * Takes attempts from the outbox and makes them: each once (decision F3), at most 32 at once, and of these an
 * equal share for each endpoint, so that one that hangs never delays another. What an earlier dispatcher left unfinished is
 * recorded first.
 */
export function dispatcher(context: DispatcherContext): Dispatcher {
  const { webhooks, deliver, clock, log, toDisk = async () => {} } = context
  const { outbox } = webhooks
  const underWay = new Map<EndpointId, number>()
  let attempts = 0
  let ended = new Map<AttemptId, Ending>()
  let isMoreWaiting = false
  let timer: NodeJS.Timeout | undefined
  let lastTurn = Number.NEGATIVE_INFINITY
  let endedSincePrune = PRUNE_AFTER
  let hasRecovered = false
  let state: 'open' | 'beginning the last' | 'ending' = 'open'
  let giveUpAt = Number.POSITIVE_INFINITY
  let whenDone = () => {}
  const pruneTimer = setInterval(() => {
    endedSincePrune = PRUNE_AFTER
    plan()
  }, PRUNE_EVERY_MS)
  pruneTimer.unref()

  function plan(after = Math.max(0, lastTurn + TURN_MS - clock.elapsed())): void {
    timer ??= setTimeout(turn, after)
  }

  function planAfterEnd(): void {
    if (state === 'open' && isMoreWaiting && ended.size === WORTH_A_TURN) setImmediate(turn)
    else plan()
  }

  function turn(): void {
    clearTimeout(timer)
    timer = undefined
    lastTurn = clock.elapsed()
    try {
      make(commit())
      if (endedSincePrune >= PRUNE_AFTER) {
        webhooks.log.prune()
        endedSincePrune = 0
      }
    } catch (error) {
      if (clock.elapsed() >= giveUpAt) {
        log.error('webhooks are left to the next start: what became of them could not be written down', error)
        finish()
        return
      }
      log.error('webhooks have to wait', error)
      plan(RETRY_MS)
      return
    }
    if (state === 'beginning the last') state = 'ending'
    if (state === 'ending' && attempts === 0 && ended.size === 0) finish()
  }

  function finish(): void {
    clearInterval(pruneTimer)
    whenDone()
  }

  /** Records what has ended and what starts now, and returns the latter. */
  function commit(): Attempt[] {
    if (!hasRecovered) {
      const interrupted = outbox.loseStarted()
      if (interrupted > 0) log.info('webhooks lost: Servery ended while they were being attempted', { interrupted })
      hasRecovered = true
    }
    webhooks.reload()
    isMoreWaiting = false
    if (ended.size === 0 && !outbox.hasPending()) return []
    let places = state === 'ending' ? 0 : MOST_AT_ONCE - attempts
    const rooms = new Map<EndpointId, number>()
    const begun = outbox.endAndStart(ended, ({ id }, endpoints) => {
      const share = Math.max(1, Math.floor(MOST_AT_ONCE / endpoints)) - (underWay.get(id) ?? 0)
      const room = Math.max(0, Math.min(places, share))
      rooms.set(id, room)
      places -= room
      return room
    })
    for (const { endpointId } of begun) rooms.set(endpointId, (rooms.get(endpointId) ?? 0) - 1)
    isMoreWaiting = begun.some(({ endpointId }) => rooms.get(endpointId) === 0)
    endedSincePrune += ended.size
    ended = new Map()
    return begun
  }

  /** Makes attempts once they are recorded as started on disk. */
  async function make(begun: Attempt[]): Promise<void> {
    if (begun.length === 0) return
    const keys = webhooks.keys()
    attempts += begun.length
    for (const { endpointId } of begun) underWay.set(endpointId, (underWay.get(endpointId) ?? 0) + 1)
    try {
      await toDisk()
    } catch (error) {
      log.error('webhooks lost: the disk cannot be written', error)
      for (const attempt of begun) end(attempt, notSent)
      return
    }
    for (const attempt of begun) {
      deliver(deliveryOf(attempt, keys)).then(ending => end(attempt, ending))
    }
  }

  function end(attempt: Attempt, ending: Ending): void {
    const { id, endpointId } = attempt
    attempts--
    const others = (underWay.get(endpointId) ?? 0) - 1
    if (others > 0) underWay.set(endpointId, others)
    else underWay.delete(endpointId)
    ended.set(id, ending)
    if (!ending.received) logLoss(attempt, ending)
    planAfterEnd()
  }

  function logLoss({ deliveryId, event, orderId, endpointId, url }: Attempt, ending: Ending): void {
    const { status, reason, tookMs } = ending
    log.info('webhook lost', {
      delivery: deliveryId,
      type: event.type,
      order: orderId,
      endpoint: endpointId,
      url: withoutQuery(url),
      status,
      reason,
      ms: tookMs,
    })
  }

  return {
    wake: () => plan(),
    stop() {
      state = 'beginning the last'
      giveUpAt = clock.elapsed() + GIVE_UP_MS
      return new Promise(resolve => {
        whenDone = resolve
        turn()
      })
    },
  }
}
