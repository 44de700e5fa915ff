import { isAtMost } from '../../terms/text.ts'
import { UnreadableMenu } from './unreadable.ts'

const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  euro: '€',
}

const LONGEST_HTML = 50_000

/** Replaces the references of XML and HTML (&amp;, &#233;, &#xE9;); what is none stays as it is. */
export function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? all
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all
  })
}

/** A description without its HTML, its paragraphs and list entries on lines of their own; null when nothing is left. */
export function plainDescription(text: string, place: string): string | null {
  refuseScript(text, place)
  const plain = unescaped(
    // HTML can be far longer than its text, but not without end.
    text
      .slice(0, LONGEST_HTML)
      .replace(/<(?:br|\/p|\/div|\/li|\/h\d|\/tr)\b[^<>]*>/gi, '\n')
      .replace(/<li\b[^<>]*>/gi, '- ')
      .replace(/<\/?[a-z][^<>]*>/gi, ''),
  )
  const lines = storable(plain.replace(/\r\n?/g, '\n')).split('\n')
  const joined = lines
    .map(line => line.replace(/[^\S\n]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return joined === '' ? null : cut(joined, 2000)
}

/** A title on one line, of at most 200 characters; empty when there is none. */
export function plainTitle(text: string, place: string): string {
  refuseScript(text, place)
  return cut(storable(text.slice(0, 2_000)).replace(/\s+/g, ' ').trim(), 200).trim()
}

/** What cannot be stored, or has no place in a text, becomes a space. */
function storable(text: string): string {
  return text.toWellFormed().replace(/(?!\n)\p{Cc}/gu, ' ')
}

function cut(text: string, most: number): string {
  return isAtMost(text, most) ? text : `${[...text].slice(0, most - 1).join('')}…`
}

/** Text that a program would run has no business in a menu, so the whole file is looked at with suspicion. */
function refuseScript(text: string, place: string): void {
  if (/<\s*script\b|<\s*iframe\b/i.test(text)) throw new UnreadableMenu(`has a script in ${place}; remove it first`)
  if (/^\s*=\s*[\w@+-]/.test(text)) throw new UnreadableMenu(`has a formula in ${place}; save it with values only`)
}
