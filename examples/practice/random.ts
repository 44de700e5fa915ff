/** A reproducible stream of random numbers, determined by its seed. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** A whole number, both bounds inclusive. */
  between(least: number, most: number): number
  /** True with this probability in percent. */
  percent(chance: number): boolean
  pick<T>(values: readonly [T, ...T[]]): T
  /** One of the entries, chosen by weight; undefined if none has a weight above 0. */
  weighted<T>(values: readonly T[], weight: (value: T) => number): T | undefined
}

/** A stream for a seed (mulberry32, seeded by FNV-1a): good enough for simulations, never for secrets. */
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
