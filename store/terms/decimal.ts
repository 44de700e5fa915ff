/**
 * A decimal as people write it, "14.30", as a whole number of its last decimal: 1430 with 2 decimals. Read by its digits,
 * because no fraction is exact in binary. Undefined for anything else: a sign, a comma, more decimals, more than 10 digits.
 */
export function parseDecimal(text: string, decimals: number): number | undefined {
  const match = /^(\d{1,10})(?:\.(\d+))?$/.exec(text)
  const fraction = match?.[2] ?? ''
  if (!match || fraction.length > decimals) return undefined
  return Number(`${match[1]}${fraction.padEnd(decimals, '0')}`)
}
