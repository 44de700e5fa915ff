/** A value that staff change while guests order, such as a price. */
export interface Changing<T> {
  /** Changes the value by `work`. Until that has ended, a request can see the old or the new value. */
  change(value: T, work: () => Promise<void>): Promise<void>
  /** The values that a request between these instants (`performance.now()`) can have seen. */
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
