import { Address } from './link.ts'

/** HTML that is safe to send, because only the `html` tag makes it. A string is never HTML. */
class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type { Markup as Html }

/**
 * What may stand in a hole. Text is escaped, lists are joined, and nothing stands for null, undefined and false. In an
 * attribute that consists of one hole, those three leave the attribute out, and true leaves it empty.
 */
export type Hole = Markup | Address | string | number | boolean | null | undefined | readonly Hole[]

type Place =
  /** Between tags. `newline`: a parser drops a line break that starts this element. */
  | { kind: 'text'; newline: boolean }
  /** Part of a quoted value. */
  | { kind: 'value' }
  /** A whole attribute: its name is written with the value, from `start` on. */
  | { kind: 'attribute'; name: string; start: string; isAddress: boolean }

interface Template {
  start: string
  holes: { place: Place; after: string }[]
}

const templates = new WeakMap<TemplateStringsArray, Template>()

/**
 * Makes HTML from a template. Its holes may be in text and in quoted attributes, but not in names, comments, scripts, styles,
 * or attributes that run code; `href`, `src`, `action` and `formaction` take only what `link` made. Throws at the first use of a
 * template that breaks these rules, and on values that do not fit their hole.
 */
export function html(strings: TemplateStringsArray, ...values: Hole[]): Markup {
  let template = templates.get(strings)
  if (!template) {
    template = parse(strings)
    templates.set(strings, template)
  }
  // Plain loops: a page has thousands of values.
  const { start, holes } = template
  let text = start
  for (let index = 0; index < holes.length; index++) {
    const hole = holes[index] as Template['holes'][number]
    text += written(values[index], hole.place) + hole.after
  }
  return new Markup(text)
}

function written(value: Hole, place: Place): string {
  if (place.kind === 'text') return textOf(value, place.newline)
  if (place.kind === 'value') return escaped(attributeText(value))
  if (value === false || value === null || value === undefined) return ''
  if (place.isAddress && !(value instanceof Address)) {
    throw new TypeError(`${place.name} takes only an address made by link()`)
  }
  return value === true ? `${place.start}"` : `${place.start}${escaped(attributeText(value))}"`
}

function textOf(value: Hole, newline: boolean): string {
  if (typeof value === 'string') return newline ? `\n${escaped(value)}` : escaped(value)
  if (value instanceof Markup) return value.text
  if (value === false || value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) {
    let text = ''
    for (const each of value) text += textOf(each, false)
    return text
  }
  throw new TypeError('only text, numbers, HTML and lists of them can stand between tags')
}

function attributeText(value: Hole): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (value instanceof Address) return value.text
  throw new TypeError('only text and numbers can be part of an attribute')
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // A parser would turn these into a line feed and drop this one.
  '\r': '&#13;',
  '\0': '\uFFFD',
}

const special = /[&<>"'\r\0]/
const eachSpecial = /[&<>"'\r\0]/g

function escapeOf(character: string): string {
  return escapes[character] as string
}

function escaped(text: string): string {
  return special.test(text) ? text.replace(eachSpecial, escapeOf) : text
}

const addressAttributes = new Set(['href', 'src', 'action', 'formaction', 'poster', 'xlink:href', 'srcset', 'ping'])

const refusedTags = new Set([
  'base',
  'object',
  'embed',
  'iframe',
  'frame',
  'animate',
  'set',
  'noscript',
  'plaintext',
  'xmp',
])

/** Makes a browser without scripts go to an address after some seconds. No template may do this. */
export function refreshWithoutScript(seconds: number, to: Address): Markup {
  const content = `${Math.round(seconds)};url=${escaped(to.text)}`
  return new Markup(`<noscript><meta http-equiv="refresh" content="${content}"></noscript>`)
}

type State =
  | { kind: 'text'; after?: string }
  | { kind: 'tag'; tag: string }
  | { kind: 'value'; tag: string; attribute: string; quote: string }

/** Finds out where each hole is. */
function parse(strings: TemplateStringsArray): Template {
  const pieces = [...strings]
  let state: State = { kind: 'text' }
  const places: Place[] = []
  pieces.forEach((piece, index) => {
    state = scan(piece, state)
    if (index === pieces.length - 1) return
    places.push(placeAt(state, piece, pieces[index + 1] ?? ''))
  })
  if (state.kind !== 'text') throw new SyntaxError(`the template ends inside a tag: ${pieces.at(-1)}`)

  // A whole attribute is written with its name, so that it can be left out.
  places.forEach((place, index) => {
    if (place.kind !== 'attribute') return
    pieces[index] = (pieces[index] as string).replace(/\s+[^\s"'<>/=]+\s*=\s*["']$/, '')
    pieces[index + 1] = (pieces[index + 1] as string).slice(1)
  })
  return { start: pieces[0] ?? '', holes: places.map((place, index) => ({ place, after: pieces[index + 1] ?? '' })) }
}

function placeAt(state: State, before: string, after: string): Place {
  if (state.kind === 'text')
    return { kind: 'text', newline: /^(textarea|pre)$/.test(state.after ?? '') && before.endsWith('>') }
  if (state.kind === 'tag') throw new SyntaxError(`a hole in a tag must be in a quoted attribute: ${before}`)
  const name = state.attribute
  const isAddress = addressAttributes.has(name)
  if (before.endsWith(state.quote) && after.startsWith(state.quote)) {
    return { kind: 'attribute', name, start: ` ${name}="`, isAddress }
  }
  if (isAddress) throw new SyntaxError(`${name} must be one hole: ${before}`)
  return { kind: 'value' }
}

/** Reads a piece of a template from a state on, and returns the state at its end. */
function scan(piece: string, from: State): State {
  let state = from
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(piece)
    if (found) at = pattern.lastIndex
    return found
  }
  const expect = (pattern: RegExp, what: string): RegExpExecArray => {
    const found = match(pattern)
    if (!found) throw new SyntaxError(`${what}: ${piece}`)
    return found
  }
  while (at < piece.length) {
    if (state.kind === 'value') {
      const end = piece.indexOf(state.quote, at)
      if (end === -1) return state
      at = end + 1
      state = { kind: 'tag', tag: state.tag }
    } else if (state.kind === 'tag') {
      const { tag }: { tag: string } = state
      if (match(/\s*\/?>/y)) {
        // What is inside these two is code.
        if (tag === 'script' || tag === 'style')
          expect(/[^<]*<\/(?:script|style)>/y, 'no hole may be in a script or style')
        state = { kind: 'text', after: tag }
      } else if (!match(/\s+$/y)) {
        const found = expect(/\s+([^\s"'<>/=]+)(?:\s*=\s*(["']|.?))?/y, 'attributes must be separate and quoted')
        const [, name = '', quote] = found
        const attribute = name.toLowerCase()
        if (/^on|^style$|^srcdoc$|^http-equiv$/.test(attribute)) throw new SyntaxError(`no template may have ${name}=`)
        if (quote === '"' || quote === "'") state = { kind: 'value', tag, attribute, quote }
        else if (quote !== undefined) throw new SyntaxError(`the value of ${name} must be quoted: ${piece}`)
      }
    } else {
      const start = piece.indexOf('<', at)
      if (start === -1) return at === 0 && piece.length === 0 ? state : { kind: 'text' }
      at = start
      if (match(/<!doctype html>/iy)) continue
      if (match(/<!--/y)) expect(/[\s\S]*?-->/y, 'no hole may be in a comment')
      else {
        const [, closing, name = ''] = expect(/<(\/?)([a-z][a-z0-9-]*)/iy, '"<" must start a tag')
        const tag = name.toLowerCase()
        if (refusedTags.has(tag)) throw new SyntaxError(`no template may have <${tag}>`)
        state = { kind: 'tag', tag: closing ? `/${tag}` : tag }
      }
    }
  }
  return state
}
