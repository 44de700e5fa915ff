import type { Deed } from '../people/activity.ts'

/**
 * The acts by which an order has left the pass, without those that were taken back. Acts are in the order in which they were done;
 * other kinds are left out.
 */
export function departures<Act extends { what: Deed }>(acts: Act[]): Act[] {
  const left: Act[] = []
  for (const act of acts) {
    const isCompletion = act.what === 'order completed' && left.at(-1)?.what !== 'order fulfilled'
    if (act.what === 'order sent out' || act.what === 'order fulfilled' || isCompletion) left.push(act)
    else if (act.what === 'hand-over taken back') left.pop()
  }
  return left
}
