import fc from 'fast-check'
import { chance, type Draw, drawn, pick, restaurant, times } from '../support/arbitraries.ts'
import { furnished } from './furnish.ts'
import { bytesOf, type ChangeKind, changed, legible, type Tree, textOf, treeOf, withTwin, withWord } from './json.ts'

// Restaurant files near and far from a good one.

const TIMES = ['00:00', '04:00', '23:59', '24:00', '7:30', '12:60', '12:00:00', '', null]
const DATES = ['2026-02-28', '2026-02-30', '2028-02-29', '0000-01-01', '9999-12-31', '99999-01-01', '26-01-01', null]
const MODES = ['dine_in', 'takeaway', 'delivery', 'qr', 'web', 'phone', 'curbside', null]
const LANGUAGES = ['en', 'pt-BR', 'zh-Hant-TW', 'es-419', 'EN', 'english', 'pt_BR', '', 'toString', null]
const DAYS = ['mon', 'tue', 'sun', 'funday', 'MON', null]

/** Good and bad values of members that take only a few texts. */
const WORDS_OF: Record<string, readonly unknown[]> = {
  currency: ['EUR', 'JPY', 'KWD', 'CLF', 'XXX', 'eur', 'EU', '', 'toString'],
  timezone: ['UTC', 'utc', 'Europe/Lisbon', 'europe/lisbon', 'Mars/Base', 'GMT+1', '+01:00', 'Etc/GMT+12', 'UTC\0'],
  image: [
    'images/a.jpg',
    '/a.jpg',
    '../a.jpg',
    'a/./b.jpg',
    'a//b.jpg',
    'a\\b.jpg',
    'https://a/b.jpg',
    'ação/ü.jpg',
    'a?b',
  ],
  selection_type: ['single', 'multiple', 'none', 'SINGLE'],
  presence: ['contains', 'may_contain', 'never', null],
  spice_level: [0, 5, 6, -1, 2.5, null],
  day_starts_at: TIMES,
  open: TIMES,
  close: TIMES,
  from: TIMES,
  until: TIMES,
  valid_from: DATES,
  valid_until: DATES,
  weekdays: DAYS,
  languages: LANGUAGES,
  minimum_age: [0, 18, 99, 100, -1, 1.5, null],
  service_modes: MODES,
  service_charge_modes: MODES,
  service_mode: MODES,
  channel: MODES,
}

const NUMBERS = [
  ...[0, 1, 2, 3, 5, 6, 50, 61, 99, 100, 1000, 1_000_000, 1_000_001, 100.0001, 12.345, 12.3456, 99_999_999.99],
  ...[99_999_999.991, 1_000_000_000, 1_000_000_000.001, 0.001, 0.0001, 2 ** 31, 2 ** 53 - 1, 2 ** 53],
  ...[-1, -0.5, -12, -0, 1e-7, 1e308],
]
const TEXTS = [
  ...['', ' ', 'x'.repeat(20), 'x'.repeat(21), 'x'.repeat(200), '🍕'.repeat(200), '🍕'.repeat(201)],
  ...['Soup\u0000', '\ud83c', 'a\nb', '\u202egnp', '=cmd()', '__proto__', 'x'.repeat(2000), 'x'.repeat(2001)],
]

/** What may come in the place of a value: one of its own kind, half the time, else anything. */
function wordsFor(key: string, text: string): readonly unknown[] {
  const own = WORDS_OF[key] ?? (text.startsWith('"') ? TEXTS : /^-?\d/.test(text) ? NUMBERS : [true, false, null])
  const others = [...NUMBERS, ...TEXTS, true, false, null]
  // As often as all the others together.
  return [...times(Math.ceil(others.length / own.length), () => own).flat(), ...others]
}

const CHANGES: readonly (readonly [Change, ...Change[]])[] = [
  ['harmless'],
  ['harmless', 'word'],
  ['word'],
  ['twin'],
  ['harmless', 'word', 'twin', 'harmful'],
  ['harmful', 'word', 'twin', 'unknown', 'harmless'],
]
type Change = ChangeKind | 'word' | 'twin'

function changedOnce(draw: Draw, tree: Tree, kind: Change): Tree {
  if (kind === 'word') return withWord(draw, tree, wordsFor)
  return kind === 'twin' ? withTwin(draw, tree) : changed(draw, tree, [kind])
}

/** The bytes of several files for one restaurant: the restaurant itself, each time changed a little, or a lot. */
export function restaurantFiles(most: number): fc.Arbitrary<Buffer[]> {
  return restaurant().chain(shown => {
    const file = drawn(draw => {
      let tree = treeOf(furnished(draw, shown, chance(draw, 60)))
      const kinds = pick(draw, CHANGES) ?? ['harmless']
      for (let left = pick(draw, [0, 1, 1, 1, 2, 3, 10]); left > 0; left--) {
        tree = changedOnce(draw, tree, pick(draw, kinds) ?? 'word')
      }
      return bytesOf(draw, textOf(tree), 6)
    })
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }).map(value => Buffer.from(JSON.stringify(value))),
      fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes)),
      fc.string({ unit: 'binary' }).map(text => Buffer.from(text)),
    )
    const one = fc.oneof({ weight: 15, arbitrary: file }, { weight: 1, arbitrary: anything })
    return fc.array(one.map(legible), { minLength: 1, maxLength: most, size: 'max' })
  })
}
