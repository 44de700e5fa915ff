import type { Place } from './format.ts'

/** The value of a JSON text. One that is not JSON is reported with the line and column where it goes wrong. */
export function parseJson(source: string, root: Place): unknown {
  const text = source.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch {
    const before = text.slice(0, endOfGoodJson(text)).split('\n')
    const column = (before.at(-1) ?? '').length + 1
    root.report(`is not valid JSON: line ${before.length}, column ${column} is not as JSON wants it`)
    return undefined
  }
}

/** Where a faulty JSON text goes wrong. The platform's message does not always say, but it tells "cut off" from "wrong". */
function endOfGoodJson(text: string): number {
  let good = 0
  let bad = text.length + 1
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (couldGoOn(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return good
}

function couldGoOn(start: string): boolean {
  try {
    JSON.parse(start)
    return true
  } catch (error) {
    const message = String(error)
    return /Unexpected end|Unterminated/.test(message) || message.includes(`at position ${start.length}`)
  }
}
