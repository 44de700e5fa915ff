import { startProgram } from '../../test/support/program.ts'
import { getOf } from '../../test/support/wire.ts'
import { orderRequest, restaurantWithoutKitchen } from '../restaurant.ts'
import type { Abuse } from './inputs.ts'
import { repeated, send, type Tally } from './send.ts'
import { forgetPeak, type Vitals, vitalsOf, watchDescriptors } from './vitals.ts'

const GUEST = '127.0.0.3'
const PROXY = '127.0.0.2'

// How long the server may take to free its descriptors and, after garbage collection, its memory.
const GRACE_MS = 10_000

/** The cost of an abuse. Memory (MiB) and descriptors are increases. */
export interface Cost {
  /** The responses by status. */
  tally: Tally
  seconds: number
  memory: number
  memoryKept: number
  descriptors: number
  descriptorsKept: number
  /** The number of lines in the log, not counting one for each order. */
  lines: number
  /** The number of orders by another client meanwhile and once afterwards, and the longest time that one took. */
  orders: number
  longestMs: number
  /** The statuses of these orders other than 201. */
  refused: string[]
}

/** The server in its own process, and what can be done to it. */
export interface AbusedServer {
  idle: Vitals
  vitals(): Vitals
  /** Runs one abuse; `scale` is the fraction of its repetitions. */
  suffer(abuse: Abuse, scale: number): Promise<Cost>
  /** Ends the server. Returns its exit code. */
  end(): Promise<number | null>
  kill(): void
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/**
 * Starts the real server on a new file, and warms it up with some good requests. Its memory is measured `settleMs` after garbage
 * collection.
 */
export async function startAbusedServer(file: string, settleMs: number): Promise<AbusedServer> {
  const { token } = restaurantWithoutKitchen(file)
  const { child, port, logged, end } = await startProgram(file, {
    environment: { TRUSTED_PROXIES: PROXY, NODE_OPTIONS: '--import tsx --import ./bench/abuse/collect.ts' },
  })
  const pid = child.pid ?? 0
  const order = orderRequest(token)
  let sources = 0

  /** Places an order over a new connection. */
  async function orderOnce(): Promise<string> {
    const tally = await send([{ bytes: order, requests: 1 }], { port, from: GUEST, atOnce: 1 })
    return [...tally.keys()].join()
  }

  async function collected(): Promise<Vitals> {
    child.kill('SIGUSR2')
    await pause(settleMs)
    return vitalsOf(pid)
  }

  /** Waits until the descriptors are as before and no more memory is freed, or until the time for that is over. */
  async function recovered(before: Vitals): Promise<Vitals> {
    const until = performance.now() + GRACE_MS
    let last = await collected()
    for (;;) {
      const now = await collected()
      const isBack = now.rss <= before.rss + 8 || now.rss > last.rss - 1
      if ((isBack && now.descriptors <= before.descriptors) || performance.now() > until) return now
      last = now
    }
  }

  /** A guest who places orders until stopped, and one more after that. */
  function guest() {
    const refused: string[] = []
    let orders = 0
    let longestMs = 0
    let isLeaving = false
    async function stay(): Promise<void> {
      for (let isLast = false; !isLast; await pause(100)) {
        isLast = isLeaving
        const begun = performance.now()
        const status = await orderOnce()
        longestMs = Math.max(longestMs, performance.now() - begun)
        if (status === '201') orders++
        else refused.push(status)
      }
    }
    const staying = stay()
    return async () => {
      isLeaving = true
      await staying
      return { orders, longestMs, refused }
    }
  }

  await send(
    repeated(4000, 50, () => order),
    { port, from: GUEST, atOnce: 16 },
  )
  await send(
    repeated(20_000, 100, () => getOf({ token })),
    { port, from: GUEST, atOnce: 16 },
  )
  // Twice, because what is only weakly held is freed the second time.
  await collected()
  const idle = await collected()

  return {
    idle,
    vitals: () => vitalsOf(pid),
    async suffer({ act }, scale) {
      const before = await collected()
      const linesBefore = logged().length
      const watch = watchDescriptors(pid, 50)
      forgetPeak(pid)
      const begun = performance.now()
      const leave = guest()
      const tally = await act({ port, token, scale, from: `127.0.1.${++sources}`, proxy: PROXY })
      const seconds = (performance.now() - begun) / 1000
      const { orders, longestMs, refused } = await leave()
      const most = watch.stop()
      const { peak } = vitalsOf(pid)
      const after = await recovered(before)
      const created = orders + (tally.get('201') ?? 0)
      return {
        tally,
        seconds,
        memory: peak - before.rss,
        memoryKept: after.rss - before.rss,
        descriptors: most - before.descriptors,
        descriptorsKept: after.descriptors - before.descriptors,
        lines: logged().length - linesBefore - created,
        orders,
        longestMs,
        refused,
      }
    },
    end: async () => (await end('SIGTERM')).code,
    kill: () => void child.kill('SIGKILL'),
  }
}

/** Additional file descriptors that are allowed, because the log and the database open one now and then. */
const FEW_DESCRIPTORS = 2

export interface Bounds {
  /** MiB; an abuse can declare a higher bound. */
  memory: number
  memoryKept: number
  longestMs: number
}

/** The exceeded bounds of an abuse, a sentence each. */
export function flawsOf({ answers, costs = 0, keeps = 0 }: Abuse, cost: Cost, bounds: Bounds): string[] {
  const most = Math.max(bounds.memory, costs)
  const mostKept = Math.max(bounds.memoryKept, keeps)
  const answered = [...cost.tally.values()].reduce((sum, count) => sum + count, 0)
  const unexpected = [...cost.tally.keys()].filter(status => !answers.includes(status))
  const flaws: [boolean, string][] = [
    [unexpected.length > 0, `it was answered with ${unexpected.join(' and ')}`],
    [cost.refused.length > 0, `good orders got ${cost.refused.join(' and ')}`],
    [cost.orders < 2, 'no good order was served meanwhile and afterwards'],
    [cost.longestMs > bounds.longestMs, `a good order took ${Math.round(cost.longestMs)} ms`],
    [cost.memory > most, `memory grew by ${Math.round(cost.memory)} MiB, and ${most} are allowed`],
    [cost.memoryKept > mostKept, `${Math.round(cost.memoryKept)} MiB were kept, and ${mostKept} are allowed`],
    [cost.descriptorsKept > FEW_DESCRIPTORS, `${cost.descriptorsKept} descriptors were kept`],
    [cost.lines > answered, `${cost.lines} lines were logged`],
  ]
  return flaws.flatMap(([isSo, flaw]) => (isSo ? [flaw] : []))
}
