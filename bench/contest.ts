import type { Server } from './child.ts'
import { type Load, load } from './load.ts'
import { median, percentile } from './percentile.ts'

export interface Contestant extends Omit<Load, 'port' | 'until'> {
  name: string
  server: Server
}

/** One contestant in one round. */
interface Round {
  /** Requests a second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Microseconds of the server's processor time for one request, all its threads together. */
  cpu: number
  /** The share of one processor that the server used; more than 1 when other threads worked, too. */
  busy: number
}

export interface Result {
  name: string
  rounds: Round[]
}

const WARM_UP_S = 1.5

/**
 * Lets contestants take turns, one short round each, so that whatever else the machine does meets all alike. A turn lasts
 * some seconds, or some requests where their number matters; then the warm-up is such a turn, too.
 */
export async function contest(
  contestants: Contestant[],
  { rounds, ...turn }: { rounds: number } & Load['until'],
): Promise<Result[]> {
  const warmUp = 'seconds' in turn ? { seconds: WARM_UP_S } : turn
  for (const contestant of contestants) await run(contestant, warmUp)
  const results: Result[] = contestants.map(({ name }) => ({ name, rounds: [] }))
  for (let i = 0; i < rounds; i++) {
    for (const [index, contestant] of contestants.entries()) {
      results[index]?.rounds.push(await run(contestant, turn))
    }
  }
  return results
}

async function run({ server, ...what }: Contestant, until: Load['until']): Promise<Round> {
  const before = await server.ask('cpu')
  const measured = await load({ ...what, port: server.port, until })
  const after = await server.ask('cpu')
  const cpu = after - before
  return {
    rate: measured.requests / measured.seconds,
    p50: percentile(measured.latencies, 0.5),
    p99: percentile(measured.latencies, 0.99),
    cpu: cpu / measured.requests,
    busy: cpu / 1e6 / measured.seconds,
  }
}

export function medianOf({ rounds }: Result, figure: keyof Round): number {
  return median(rounds.map(round => round[figure]))
}

/** How many times the figure of one contestant is that of another: the median of the rounds' ratios. */
export function ratio(figure: keyof Round, one: Result, other: Result): number {
  return median(one.rounds.map((round, i) => round[figure] / (other.rounds[i]?.[figure] ?? Number.NaN)))
}
