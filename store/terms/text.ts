/** The number of code points in a text, which is the unit of the limits in decision A8. */
function codePoints(text: string): number {
  // Counting is only needed where surrogate pairs can make a difference.
  let count = 0
  for (const _ of text) count++
  return count
}

/** True when a text has at most this many code points. */
export function isAtMost(text: string, most: number): boolean {
  return text.length <= most || (text.length <= 2 * most && codePoints(text) <= most)
}

/** True for text that can be stored and returned unchanged: no U+0000 and no lone surrogate (decision A8). */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/**
 * Why a text cannot be kept: it has U+0000 or a lone surrogate, only white space, a line break where only one line is allowed,
 * or more code points than `longerThan`.
 */
export type TextFlaw = 'unstorable' | 'empty' | 'several lines' | { longerThan: number }

/** What is wrong with a text that staff write; null when nothing is. With `isOneLine` it may have no line break. */
export function flawOfText(
  text: string,
  bounds: { least: number; most: number; isOneLine?: boolean },
): TextFlaw | null {
  if (!isStorable(text)) return 'unstorable'
  if (text.trim().length < bounds.least) return 'empty'
  if (bounds.isOneLine === true && /[\r\n\u2028\u2029]/.test(text)) return 'several lines'
  if (!isAtMost(text, bounds.most)) return { longerThan: bounds.most }
  return null
}

/** The end of a sentence about a text that cannot be kept. */
export function textFlawText(flaw: TextFlaw): string {
  if (flaw === 'unstorable') return 'contains a character that cannot be stored (U+0000 or half a surrogate pair)'
  if (flaw === 'several lines') return 'must not contain a line break'
  return flaw === 'empty' ? 'must not be empty' : `must have at most ${flaw.longerThan} characters`
}
