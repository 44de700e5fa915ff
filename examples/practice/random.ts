/** Chance that comes out the same every time: a stream of numbers that its seed determines. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number, both bounds inclusive. */
  between(least: number, most: number): number
  /** True in so many of a hundred cases. */
  percent(chance: number): boolean
  pick<T>(values: readonly [T, ...T[]]): T
  /** One of them by weight; undefined when there is none with a weight above 0. */
  weighted<T>(values: readonly T[], weight: (value: T) => number): T | undefined
}

/** A stream for a seed (mulberry32 behind FNV-1a: plenty for make-believe, nothing for secrets). */
export function random(seed: string): Random {
  let state = 0x811c9dc5
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x01000193)

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    percent: chance => next() * 100 < chance,
    pick: values => values[Math.floor(next() * values.length)] ?? values[0],
    weighted(values, weight) {
      let left = next() * values.reduce((sum, value) => sum + weight(value), 0)
      for (const value of values) {
        left -= weight(value)
        if (left < 0) return value
      }
      return undefined
    },
  }
}
