import type { Place } from './format.ts'

/**
 * The value of a JSON text. Reports a text that is not JSON with the line and column of the error, and a duplicate key in an
 * object with the line of its second occurrence, because JSON.parse silently uses the last one.
 */
export function parseJson(source: string, root: Place): unknown {
  const text = source.replace(/^\uFEFF/, '')
  try {
    const value: unknown = JSON.parse(text)
    for (const { path, line } of repeatedKeys(text)) {
      const place = path.reduce<Place>((outer, key) => outer.at(key), root)
      place.report(`is there a second time, in line ${line}; keep one of them`)
    }
    return value
  } catch {
    const before = text.slice(0, endOfGoodJson(text)).split('\n')
    const column = (before.at(-1) ?? '').length + 1
    root.report(`is not valid JSON: line ${before.length}, column ${column} cannot be read`)
    return undefined
  }
}

/** The position of a JSON syntax error. Node's message does not always contain it, but tells "cut off" from "wrong". */
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

/** An object or list that is being read, and the position in it. */
interface Frame {
  /** The keys so far; null in a list. */
  keys: Set<string> | null
  /** The key or index of the next value. */
  at: string | number
  isKeyNext: boolean
}

/** The duplicate keys in objects of a valid JSON text, each with the line of its second occurrence. */
function repeatedKeys(json: string): { path: (string | number)[]; line: number }[] {
  const repeated: { path: (string | number)[]; line: number }[] = []
  const frames: Frame[] = []
  let line = 1
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:\n]/g)) {
    const top = frames.at(-1)
    if (token === '\n') line++
    else if (token === '{' || token === '[') {
      frames.push({ keys: token === '{' ? new Set() : null, at: 0, isKeyNext: true })
    } else if (token === '}' || token === ']') frames.pop()
    else if (!top) continue
    else if (token === ':') top.isKeyNext = false
    else if (token === ',') {
      top.isKeyNext = true
      if (typeof top.at === 'number') top.at++
    } else if (top.keys && top.isKeyNext) {
      const key: string = JSON.parse(token)
      top.at = key
      if (top.keys.has(key)) repeated.push({ path: frames.map(({ at }) => at), line })
      top.keys.add(key)
    }
  }
  return repeated
}
