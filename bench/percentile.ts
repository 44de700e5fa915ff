/** The smallest value that at least the given fraction of the values do not exceed: 0.99 for p99. NaN if there are none. */
export function percentile(values: ArrayLike<number>, part: number): number {
  const ascending = Float64Array.from(values).sort()
  return ascending[Math.max(0, Math.ceil(ascending.length * part) - 1)] ?? Number.NaN
}

/** The middle value, or the mean of the middle two. NaN if there are none. */
export function median(values: ArrayLike<number>): number {
  const ascending = Float64Array.from(values).sort()
  const middle = (ascending.length - 1) / 2
  return ((ascending[Math.floor(middle)] ?? Number.NaN) + (ascending[Math.ceil(middle)] ?? Number.NaN)) / 2
}
