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
  /** Microseconds of processor time of all the server's threads for one request. */
  cpu: number
  /** The share of one processor that the server used; with several threads it can exceed 1. */
  busy: number
}

export interface Result {
  name: string
  rounds: Round[]
}

const WARM_UP_S = 1.5

/**
 * Runs contestants in turns, one short round each, so that other load on the machine affects all equally. A round lasts some
 * seconds, or some requests if their number matters; then the warm-up is such a round, too.
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

/** The ratio of a figure of two contestants: the median of the rounds' ratios. */
export function ratio(figure: keyof Round, one: Result, other: Result): number {
  return median(one.rounds.map((round, i) => round[figure] / (other.rounds[i]?.[figure] ?? Number.NaN)))
}
