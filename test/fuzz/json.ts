import fc from 'fast-check'
import { between, chance, type Draw, pick, shuffled, times, upTo } from '../support/arbitraries.ts'

// JSON texts near and far from what a reader expects: a good document is taken apart, changed, and written down again
// in any of the ways in which JSON can be written.

/** A JSON text in parts, with what parsing loses: keys that stand twice, and how numbers and texts are spelt. */
export type Tree = Word | List | Members
interface Word {
  kind: 'word'
  /** JSON text of any kind, or what only looks like it. */
  text: string
}
interface List {
  kind: 'list'
  entries: Tree[]
}
interface Members {
  kind: 'record'
  /** Keys are JSON texts, quotes included. */
  members: [key: string, value: Tree][]
}

const word = (text: string): Word => ({ kind: 'word', text })

/** The parts of a value. A member that is undefined is left out, as JSON does. */
export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { kind: 'list', entries: value.map(treeOf) }
  if (typeof value !== 'object' || value === null) return word(JSON.stringify(value) ?? 'null')
  const given = Object.entries(value).filter(([, member]) => member !== undefined)
  return { kind: 'record', members: given.map(([key, member]) => [JSON.stringify(key), treeOf(member)]) }
}

export function textOf(tree: Tree): string {
  switch (tree.kind) {
    case 'word':
      return tree.text
    case 'list':
      return `[${tree.entries.map(textOf).join(',')}]`
    case 'record':
      return `{${tree.members.map(([key, value]) => `${key}:${textOf(value)}`).join(',')}}`
    default:
      return tree satisfies never
  }
}

/** Characters that are rare in orders and common in trouble: other scripts, zero width, line ends, markup. */
export const ODD_TEXTS = [
  '',
  ' ',
  '0',
  'null',
  'x',
  '\u00e9',
  'e\u0301',
  '🍕',
  '👩‍👩‍👧',
  '\u202eabc',
  '\u200b',
  '\ufeff',
  '\u2028',
  '\u0001\u001b[2J\u007f',
  "'; DROP TABLE orders; --",
  '<b>&amp;"\\',
  '../../etc/passwd',
  '=1+1',
  '\u0000',
  'a\u0000b',
  '\ud83c',
  '\udf55\ud83c',
  '\uffff',
  '__proto__',
] as const

const LENGTHS = [1, 20, 49, 50, 51, 200, 201, 254, 255, 256, 999, 1000, 1001, 2001, 6000] as const

/** JSON words of any kind, each with something that a careless reader takes for something else. */
const ODD_WORDS = [
  ...['null', 'true', 'false', '""', '"1"', '[]', '{}', '[[]]', '[null]', '{"a":1}', '{"length":1}', '{"0":1}'],
  ...['0', '-0', '1', '-1', '2', '0.5', '1.5', '0.001', '0.0001', '99', '100', '999', '1000', '999.001', '1e3', '1e21'],
  ...['1e308', '1e400', '-1e400', '1e-400', '0.30000000000000004', '9007199254740991', '9007199254740992'],
  ...['9007199254740993', '-9007199254740993', '9223372036854775808', '123456789012345678901234567890', '4294967297'],
  ...['"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\\u0031"', '"NaN"', '{"__proto__":null}', '{"toString":1}'],
]

/** What is no JSON, in a place where a value is expected. */
const NO_WORDS = ['NaN', '01', '+1', '.5', '1.', 'nul', 'True', "'x'", '"', '"a', '', 'undefined', '0x1', '1e', '[,]']

const ODD_KEYS = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'toString',
  'length',
  'id',
  'price',
  'status',
  '~',
  'a/b',
  '0',
  '🍕',
  '\u0000',
]

/** Where a value stands, and how it is changed there. */
interface Slot {
  /** The name of the member, which entries of a list share with the list. */
  key: string
  value: Tree
  put(value: Tree): void
  drop(): void
}

function slotsOf(holder: Tree, key = ''): Slot[] {
  if (holder.kind === 'word') return []
  const own: Slot[] =
    holder.kind === 'list'
      ? holder.entries.map((value, index) => ({
          key,
          value,
          put: changed => void holder.entries.splice(index, 1, changed),
          drop: () => void holder.entries.splice(index, 1),
        }))
      : holder.members.map((member, index) => ({
          key: member[0],
          value: member[1],
          put(changed) {
            member[1] = changed
          },
          drop: () => void holder.members.splice(index, 1),
        }))
  return own.flatMap(slot => [slot, ...slotsOf(slot.value, slot.key)])
}

/** Any place, or one of a name that is drawn first, so that what stands once is met as often as what stands often. */
function anySlot(draw: Draw, all: readonly Slot[]): Slot | undefined {
  if (chance(draw, 35)) return pick(draw, all)
  const key = pick(draw, [...new Set(all.map(slot => slot.key))])
  return pick(
    draw,
    all.filter(slot => slot.key === key),
  )
}

const oddText = (draw: Draw): string => {
  const text = pick(draw, ODD_TEXTS)
  return chance(draw, 40) ? pick(draw, ['a', 'é', '🍕', text]).repeat(pick(draw, LENGTHS)) : text
}

const oddValue = (draw: Draw): Tree =>
  word(chance(draw, 30) ? JSON.stringify(oddText(draw)) : (pick(draw, ODD_WORDS) ?? '0'))

/** Another spelling of the same value, or none. */
function respelt(draw: Draw, text: string): string {
  if (/^-?\d+$/.test(text)) {
    return pick(draw, [`${text}.0`, `${text}e0`, `${text}E+00`, `${text}0e-1`, `${text}.000e0`, `${text}0.00E-1`])
  }
  if (/^-?\d+\.\d+$/.test(text))
    return pick(draw, [`${text}0`, `${text}e0`, `${text.replace('.', '')}e-${text.split('.')[1]?.length}`])
  return /^"(?:[^"\\]|\\.)*"$/s.test(text) ? escaped(text) : text
}

/** A text with every character by its number. */
function escaped(text: string): string {
  const plain: unknown = JSON.parse(text)
  const units = typeof plain === 'string' ? plain.split('') : []
  return `"${units.map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
}

function nudged(draw: Draw, text: string): string {
  const number = Number(text)
  return JSON.stringify(
    pick(draw, [
      number + 1,
      number - 1,
      -number,
      number * 1000,
      number / 1000,
      number + 0.5,
      number + 0.0001,
      number * 1e15,
    ]),
  )
}

/** The same value, as another kind of value. */
function retyped(draw: Draw, tree: Tree): Tree {
  if (chance(draw, 40)) return { kind: 'list', entries: [tree] }
  if (tree.kind === 'list') {
    return { kind: 'record', members: tree.entries.map((entry, index) => [`"${index}"`, entry]) }
  }
  if (tree.kind === 'record') return { kind: 'list', entries: tree.members.map(([, value]) => value) }
  if (/^-?\d/.test(tree.text)) return word(`"${tree.text}"`)
  if (tree.text.startsWith('"')) return word(pick(draw, [String(tree.text.length), 'true', `[${tree.text}]`]))
  return word(pick(draw, ['0', '1', '"true"', '{}']))
}

type Change = (draw: Draw, slot: Slot, all: readonly Slot[]) => void

/** Changes after which a document nearly always says the same. */
const HARMLESS: readonly Change[] = [
  (draw, { value, put }) => {
    if (value.kind === 'word') put(word(respelt(draw, value.text)))
  },
  (draw, { value }) => {
    if (value.kind === 'record') value.members = shuffled(draw, value.members)
  },
  (draw, { value }) => {
    // Of a duplicate key the last counts.
    const twice = value.kind === 'record' ? pick(draw, value.members) : undefined
    if (value.kind === 'record' && twice) value.members.unshift([twice[0], oddValue(draw)])
  },
  (draw, { value }) => {
    const member = value.kind === 'record' ? pick(draw, value.members) : undefined
    if (member) member[0] = escaped(member[0])
  },
]

/** Changes that only a reader who ignores what he does not know lets pass. */
const UNKNOWN: readonly Change[] = [
  (draw, { value }) => {
    if (value.kind !== 'record') return
    const key = JSON.stringify(pick(draw, ODD_KEYS))
    value.members.splice(upTo(draw, value.members.length), 0, [key, oddValue(draw)])
  },
  (draw, { value }) => {
    const member = value.kind === 'record' ? pick(draw, value.members) : undefined
    if (value.kind === 'record' && member) value.members.push([JSON.stringify(pick(draw, ODD_KEYS)), member[1]])
  },
]

const HARMFUL: readonly Change[] = [
  (draw, { put }) => put(oddValue(draw)),
  (draw, { put }) => put(oddValue(draw)),
  (draw, { value, put }) => put(retyped(draw, value)),
  (_, { drop }) => drop(),
  (draw, { value, put }) => {
    const isNumber = value.kind === 'word' && /^-?\d/.test(value.text)
    put(isNumber ? word(nudged(draw, value.text)) : oddValue(draw))
  },
  // What stands in any other place.
  (draw, { put }, all) => put(structuredClone(pick(draw, all)?.value ?? word('0'))),
  (draw, { value, put }) => {
    const depth = pick(draw, [1, 2, 50, 1000, 8000])
    const [open, close] = pick(draw, [['[', ']'] as const, ['{"a":', '}'] as const])
    put(word(open.repeat(depth) + textOf(value) + close.repeat(depth)))
  },
  (draw, { value }) => {
    if (value.kind !== 'list' || value.entries.length === 0) return
    const length = pick(draw, [2, 20, 50, 51, 100, 101, 300])
    value.entries = times(length, index => structuredClone(value.entries[index % value.entries.length] ?? word('0')))
  },
  (draw, { value }) => {
    if (value.kind === 'list') value.entries = shuffled(draw, value.entries)
  },
  (draw, { value }) => {
    const member = value.kind === 'record' ? pick(draw, value.members) : undefined
    if (!member) return
    const name: string = JSON.parse(member[0])
    const other = pick(draw, [
      name.toUpperCase(),
      `${name} `,
      `${name}s`,
      name.replace('_', ''),
      name.replace('i', 'і'),
      '__proto__',
    ])
    member[0] = JSON.stringify(other)
  },
  (draw, { value }) => {
    // The last of two counts, so this replaces a member as well.
    const twice = value.kind === 'record' ? pick(draw, value.members) : undefined
    if (value.kind === 'record' && twice) value.members.push([twice[0], oddValue(draw)])
  },
  (draw, { put }) => put(word(pick(draw, NO_WORDS) ?? '')),
]

const kinds = { harmless: HARMLESS, unknown: UNKNOWN, harmful: HARMFUL }
export type ChangeKind = keyof typeof kinds

/** A document with one change of one of these kinds, somewhere. */
export function changed(draw: Draw, tree: Tree, wanted: readonly [ChangeKind, ...ChangeKind[]]): Tree {
  const root: List = { kind: 'list', entries: [tree] }
  const all = slotsOf(root)
  const slot = anySlot(draw, all)
  const change = pick(draw, kinds[pick(draw, wanted)])
  if (slot && change) change(draw, slot, all)
  return root.entries[0] ?? word('')
}

/**
 * Puts another value in the place of one that is neither list nor record. `wordsFor` says which may come there, by the
 * name of the member and the JSON text that stands there now.
 */
export function withWord(draw: Draw, tree: Tree, wordsFor: (key: string, text: string) => readonly unknown[]): Tree {
  const root: List = { kind: 'list', entries: [tree] }
  const slot = anySlot(
    draw,
    slotsOf(root).filter(({ value }) => value.kind === 'word'),
  )
  if (slot?.value.kind === 'word') {
    const key: unknown = slot.key === '' ? '' : JSON.parse(slot.key)
    slot.put(treeOf(pick(draw, wordsFor(String(key), slot.value.text))))
  }
  return root.entries[0] ?? word('')
}

/** Puts what stands in a member of some record into the member of that name of another. */
export function withTwin(draw: Draw, tree: Tree): Tree {
  const root: List = { kind: 'list', entries: [tree] }
  const all = slotsOf(root)
  const slot = anySlot(draw, all)
  const twins = all.filter(({ key, value }) => key === slot?.key && value !== slot.value)
  const twin = pick(draw, twins)
  if (slot && twin) slot.put(structuredClone(twin.value))
  return root.entries[0] ?? word('')
}

/** Nearly always the text itself, in UTF-8; else in other encodings, cut, flipped, doubled or with stray bytes in it. */
export function bytesOf(draw: Draw, text: string, spoilt: number): Buffer {
  const plain = Buffer.from(text)
  if (!chance(draw, spoilt)) return plain
  const at = upTo(draw, plain.length)
  const [start, end] = [plain.subarray(0, at), plain.subarray(at)]
  const around = (...middle: number[]) => Buffer.concat([start, Buffer.from(middle), end])
  return pick(draw, [
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(` \r\n\t${text}\n\n`),
    () => Buffer.from(`\ufeff\ufeff${text}`),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(`\ufeff${text}`, 'utf16le'),
    () => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    () => Buffer.from(text, 'latin1'),
    () => start,
    () => end,
    () => Buffer.concat([plain, plain]),
    () => Buffer.concat([plain, end]),
    () => Buffer.concat([start, end.subarray(between(draw, 1, 5))]),
    () => around(pick(draw, [0, 10, 13, 32, 34, 44, 92, 123, 125, 127])),
    () =>
      around(...pick(draw, [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xc3], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x80]])),
    () => around(0xef, 0xbb, 0xbf),
    () => flipped(draw, plain),
    () => flipped(draw, flipped(draw, plain)),
    () => Buffer.alloc(0),
  ])()
}

/** The same bytes, which a counterexample shows as text. */
export function legible(bytes: Buffer): Buffer {
  return Object.assign(bytes, { [fc.toStringMethod]: () => JSON.stringify(bytes.toString('latin1')) })
}

function flipped(draw: Draw, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const at = upTo(draw, Math.max(0, copy.length - 1))
  if (copy.length > 0) copy[at] = (copy[at] ?? 0) ^ (1 << upTo(draw, 7))
  return copy
}
