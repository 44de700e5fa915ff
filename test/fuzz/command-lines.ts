import fc from 'fast-check'
import { between, chance, type Draw, drawn, order, pick, some, times, upTo } from '../support/arbitraries.ts'
import type { RestaurantFile } from '../support/independent-calculation.ts'
import { bytesOf, changed, legible, ODD_TEXTS, textOf, treeOf } from './json.ts'

// Command lines as people and scripts type them, right and wrong, with what they give on standard input.

export interface CommandLine {
  words: string[]
  input: Buffer
}

/** Of a slot in capitals, what may stand there. */
const SLOTS: Record<string, readonly [string, ...string[]]> = {
  PART: ['size:1', 'option:2', 'size:0', 'option:', 'size:9007199254740993', 'large'],
  NUMBER: ['1', '2', '3', '4', '5', '7', '0', '-1', '01', '1.0', '999999999', '9007199254740993', 'one'],
  ORDER: [
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    '10',
    '11',
    '12',
    'ORD-000001',
    'ord-000002',
    'ORD-000007',
    'ORD-999999',
    'ORD-1',
    '0',
    '4711',
  ],
  AMOUNT: ['1', '6', '6.50', '0.01', '13.53', '20', '0', '1.234', '-5', '1e3', '9999999999', '12,50', '.5'],
  QTY: ['1', '0', '2.5', '0.001', '1000', '0.0001', '-1', '9999999999', '10000000000', 'all'],
  METHOD: ['cash', 'card', 'transfer', 'other', 'gold'],
  MOVE: ['confirm', 'complete', 'cancel', 'out-for-delivery', 'fulfil', 'constructor'],
  INSTANT: [
    ...([
      '2030-01-01 10:00',
      '2030-01-01T10:00Z',
      '2030-06-01 10:00+01:00',
      '2020-01-01 10:00',
      '2030-02-30 10:00',
    ] as const),
    ...[
      '2030-03-31 01:30',
      '2030-01-01',
      '10:00',
      '2030-01-01T10:00+99:99',
      '0000-00-00 00:00',
      '9999-12-31T23:59:59Z',
    ],
  ],
  DATE: [
    '2026-11-20',
    '2026-01-01',
    '2026-12-31',
    '2026-02-30',
    '20261120',
    'today',
    '1000-01-01',
    '9999-12-31',
    '0001-01-01',
  ],
  REPORT: [
    'summary',
    'days',
    'hours',
    'channels',
    'modes',
    'items',
    'modifiers',
    'tax',
    'payments',
    'cancelled',
    'comparison',
    'weekdays',
    'staff',
    'entries',
    'stock',
    'toString',
  ],
  KEY: [
    'site.title',
    'site.timezone',
    'stock.deplete_at',
    'orders.limit',
    'api.enabled',
    '__proto__',
    'orders.limit_window_s',
  ],
  VALUE: ['on', 'off', '60', '0', 'Europe/Lisbon', 'Mars', 'placed', 'confirmed', 'completed', '1000000001'],
  TEXT: [
    'late',
    'Jalapeño 🌶',
    '=1+1',
    ' ',
    '',
    '-',
    '--',
    'x'.repeat(200),
    'x'.repeat(201),
    '\u001b[2J',
    '\u202egnp',
    'a\nb',
  ],
  REF: ['a', 'b', 'till 1/7', '', ' ', 'x'.repeat(201)],
  ENDPOINT: [
    'https://127.0.0.1:9/a',
    'https://127.0.0.1:9/b?key=1',
    'http://127.0.0.1/',
    'https://u:p@127.0.0.1/',
    'ftp://x',
    '127.0.0.1',
  ],
  SECRET: ['whsec_AAAA', 'whsec_!', 'generate', 'x', '-', 'whsec_'],
  EVENTS: ['all', 'order.placed', 'order.placed,order.updated', 'order.placed,', 'constructor'],
  NAME: ['copy-1.db', 'copy-2.db', 'folder/copy.db', '.', ''],
}

const SHAPES = [
  ...['orders', 'orders --last NUMBER', 'order ORDER', 'order ORDER MOVE', 'order ORDER cancel --reason TEXT'],
  ...['order ORDER cancel --reason TEXT --waste', 'order ORDER cancel --reason TEXT --restock', 'order ORDER confirm'],
  ...[
    'find --at INSTANT',
    'find --total AMOUNT --phone TEXT',
    'find --item TEXT',
    'balance ORDER',
    'kitchen',
    'kitchen NUMBER',
  ],
  ...[
    'bump NUMBER',
    'bump NUMBER NUMBER',
    'recall NUMBER',
    'hold NUMBER',
    'hold NUMBER --until INSTANT',
    'fire NUMBER',
    'kitchen --at INSTANT',
    'kitchen --since NUMBER',
    'stock',
    'stock set NUMBER QTY',
    'stock add NUMBER QTY --note TEXT',
  ],
  ...['stock waste NUMBER QTY', 'pay ORDER AMOUNT --method METHOD', 'pay ORDER AMOUNT --method METHOD --ref REF'],
  ...['refund ORDER AMOUNT --method METHOD --reason TEXT', 'credit ORDER AMOUNT --reason TEXT --ref REF'],
  ...[
    'void-payment ORDER NUMBER',
    'void-payment ORDER NUMBER --reason TEXT',
    'report REPORT',
    'report REPORT --from DATE',
  ],
  ...[
    'report REPORT --from DATE --to DATE --location NUMBER',
    'report REPORT --csv',
    'report REPORT --channel TEXT',
    'drawer --location NUMBER',
    'drawer float AMOUNT --location NUMBER',
    'drawer in AMOUNT --reason TEXT --location NUMBER',
    'drawer out AMOUNT --reason TEXT --location NUMBER',
    'drawer count AMOUNT',
    'close DATE --location NUMBER',
    'close DATE --counted AMOUNT --left AMOUNT --note TEXT --location NUMBER',
    'closes --location NUMBER',
    'closes NUMBER --location NUMBER',
    'availability',
    'availability NUMBER NUMBER off',
  ],
  ...[
    'availability all NUMBER on',
    'availability NUMBER NUMBER off --until INSTANT',
    'availability NUMBER PART off',
    'pause NUMBER --until INSTANT',
    'resume NUMBER',
    'settings',
    'settings set KEY VALUE',
  ],
  ...['settings set KEY TEXT', 'check', 'export', 'doctor', 'backup NAME', 'token', 'practice --days NUMBER'],
  ...[
    'webhooks endpoints',
    'webhooks add ENDPOINT',
    'webhooks remove NUMBER',
    'webhooks pause NUMBER',
    'webhooks resume NUMBER',
  ],
  ...[
    'webhooks events EVENTS',
    'webhooks secret set SECRET',
    'webhooks secret rotate SECRET',
    'webhooks secret retire',
  ],
  ...[
    'webhooks log --last NUMBER',
    'webhooks log --failed',
    'webhooks lost --csv',
    'webhooks lost --endpoint NUMBER',
    'help',
    'TEXT',
  ],
] as const

/** What takes a document on standard input. */
const PLACE = [
  'place --file - --source pos',
  'place --file - --source admin',
  'place --file - --source pos --at INSTANT --insist --address TEXT --postcode NUMBER',
  'place --file - --source pos --table NUMBER --hold',
  'place --file - --source admin --total AMOUNT',
] as const
const EDIT = ['edit ORDER --file -'] as const
const IMPORT = ['import -', 'import - --check'] as const

// What no process can be given as a word: it would end there, or be another.
const typable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Command lines for the file of this restaurant. */
export function commandLine(restaurant: RestaurantFile): fc.Arbitrary<CommandLine> {
  const line = drawn(draw => (good: unknown): CommandLine => {
    const kind = between(draw, 0, 99)
    const [shape, input] =
      kind < 50
        ? [pick(draw, SHAPES) ?? 'orders', Buffer.from(pick(draw, ['', 'secret\n', 'whsec_AAAA\n']))]
        : kind < 70
          ? [pick(draw, PLACE), documentOf(draw, good)]
          : kind < 93
            ? [pick(draw, EDIT), documentOf(draw, editOf(draw, good))]
            : [pick(draw, IMPORT), documentOf(draw, restaurant)]
    const words = shape
      .split(' ')
      .map(word => (Object.hasOwn(SLOTS, word) ? (pick(draw, SLOTS[word] ?? []) ?? '') : word))
    if (chance(draw, 25)) words.splice(chance(draw, 20) ? 0 : words.length, 0, '--json')
    if (chance(draw, 12)) mistype(draw, words)
    return { words: words.map(typable), input: legible(input) }
  })
  return fc.tuple(order(restaurant), line).map(([good, typed]) => typed(good))
}

function mistype(draw: Draw, words: string[]): void {
  const at = upTo(draw, words.length)
  const odd = pick(draw, [
    ...ODD_TEXTS,
    '--help',
    '--',
    '--reason',
    '--file',
    '--at=',
    '--json=1',
    '-x',
    '--constructor',
  ])
  pick(draw, [() => words.splice(at, 0, odd ?? ''), () => words.splice(at, 1), () => words.splice(at, 1, odd ?? '')])()
}

function documentOf(draw: Draw, value: unknown): Buffer {
  let tree = treeOf(value)
  for (let left = pick(draw, [0, 0, 0, 1, 2]); left > 0; left--) tree = changed(draw, tree, ['harmless', 'harmful'])
  return bytesOf(draw, textOf(tree), 8)
}

/** An edit of an order (docs/money.md) whose lines are those of another. */
function editOf(draw: Draw, good: unknown): unknown {
  const { items = [] } = good as { items?: unknown[] }
  const discount = pick(draw, [
    { percent: 10, reason: 'late' },
    { amount: 1.5, reason: 'cold' },
    { percent: 100, reason: 'very late' },
    { percent: 10, amount: 1, reason: 'both' },
    null,
  ])
  return {
    ...(chance(draw, 30) && { remove: times(between(draw, 0, 2), () => between(draw, 1, 12)) }),
    ...(chance(draw, 50) && { add: some(draw, items.slice(0, 3)) }),
    ...(chance(draw, 40) && { notes: pick(draw, [null, '', 'no salt', 'x'.repeat(1001)]) }),
    ...(chance(draw, 30) && { customer: pick(draw, [{ name: 'Ana' }, { email: 'ana' }, { phone: null }, {}]) }),
    ...(chance(draw, 40) && { discount }),
  }
}
