import fc from 'fast-check'

// In milliseconds. A smaller counterexample is worth some seconds of search, not minutes.
const MOST_SHRINKS = 200

// The suite tries the same values everywhere, so that it fails because of a change and not by chance.
const SEED = 20261120

/**
 * Checks a property for `runs` values that are the same each time, or for PROPERTY_RUNS random ones. A failure reports its
 * seed; PROPERTY_SEED runs the same values again. Returns the number of runs.
 */
export async function holdsForAll<T>(
  values: fc.Arbitrary<T>,
  runs: number,
  check: (value: T) => Promise<void>,
): Promise<number> {
  const { PROPERTY_RUNS, PROPERTY_SEED } = process.env
  const numRuns = Number(PROPERTY_RUNS ?? runs)
  let shrinks: number | undefined
  const property = fc.asyncProperty(values, async value => {
    if (shrinks !== undefined && ++shrinks > MOST_SHRINKS) return
    try {
      await check(value)
    } catch (error) {
      shrinks ??= 0
      throw error
    }
  })
  // The report contains the error, and is all that the test runner prints.
  const report = { includeErrorInReport: true }
  const seed = PROPERTY_SEED ?? (PROPERTY_RUNS === undefined ? SEED : undefined)
  await fc.assert(property, { numRuns, ...report, ...(seed !== undefined && { seed: Number(seed) }) })
  return numRuns
}
