/** The number of code points in a text, which is how the bounds of decision A8 count. */
function codePoints(text: string): number {
  // Counting is only needed where surrogate pairs can make a difference.
  let count = 0
  for (const _ of text) count++
  return count
}

/** True when a text has at most so many code points. */
export function isAtMost(text: string, most: number): boolean {
  return text.length <= most || (text.length <= 2 * most && codePoints(text) <= most)
}

/** True for text that can be stored and given back unchanged: no U+0000 and no lone surrogate (decision A8). */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** What is wrong with a text of a restaurant's own, as the end of a sentence about it; null when nothing is. */
export function flawOfText(text: string, bounds: { least: number; most: number }): string | null {
  if (!isStorable(text)) return 'contains a character that can not be stored (U+0000 or half a surrogate pair)'
  if (text.trim().length < bounds.least) return 'must not be empty'
  if (!isAtMost(text, bounds.most)) return `is longer than ${bounds.most} characters`
  return null
}
