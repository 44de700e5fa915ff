/** Something that the staff change while guests order, such as a price. */
export interface Changing<T> {
  /** Changes it by some work. Until that has ended, a request may meet the old value or the new one. */
  change(value: T, work: () => Promise<void>): Promise<void>
  /** The values that a request may have met which was sent and answered at these instants (`performance.now()`). */
  met(sent: number, answered: number): T[]
}

export function changing<T>(first: T): Changing<T> {
  const states = [{ value: first, begun: Number.NEGATIVE_INFINITY, settled: Number.NEGATIVE_INFINITY }]
  return {
    async change(value, work) {
      const state = { value, begun: performance.now(), settled: Number.POSITIVE_INFINITY }
      states.push(state)
      await work()
      state.settled = performance.now()
    },
    met(sent, answered) {
      const before = states.findLastIndex(({ settled }) => settled <= sent)
      return states.filter((state, index) => index >= before && state.begun <= answered).map(({ value }) => value)
    },
  }
}
