import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { entryText, openText } from '../display/account.ts'
import { type Alarm, alarmText } from '../display/alarm.ts'
import { offText, pauseText } from '../display/availability.ts'
import { changeName, changesText, detailsText } from '../display/changes.ts'
import { deedText, keptText } from '../display/deed.ts'
import { endingText } from '../display/delivery.ts'
import { formats } from '../display/formats.ts'
import { type Language, languages } from '../display/language.ts'
import { refusalText } from '../display/refusal.ts'
import { blockText, levelText } from '../display/stock.ts'
import type { Entry } from '../store/ledger/ledger.ts'
import { deeds } from '../store/people/activity.ts'
import type { Change } from '../store/restaurant-file/changes.ts'
import { faultTitles } from '../store/terms/faults.ts'
import type { Amount } from '../store/terms/money.ts'
import type { Refusal, RefusalCode } from '../store/terms/refusal.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

// Words that are frequent in one language and do not exist in the other two, or that the house does not use.
const english = wordsOf('the is are were must cannot with of and this that there not already please has have been by')
const german = wordsOf('der ist sind wird nicht und oder mit für kein keine schon Sie Ihr Ihre noch bei')
const portuguese = wordsOf('não já está são foi uma ou pedido tem há dos pelo pela ainda mais')
const informalGerman = wordsOf('du dir dich dein deine deinen deiner')
const brazilian = wordsOf('você vocês usuário senha tela arquivo cardápio salvar registro celular deletar clique')

function wordsOf(list: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${list.replaceAll(' ', '|')})(?!\\p{L})`, 'iu')
}

const foreign: Record<Language, RegExp[]> = {
  en: [german, portuguese],
  de: [english, portuguese, informalGerman],
  pt: [english, german, brazilian],
}

/** Fails unless a text is complete and in its language. Names and addresses in it are not words of any language. */
function checkText(text: string | null, language: Language, what: string): void {
  const where = `${what} in ${language}: ${text}`
  assert.ok(text !== null && text.trim() !== '', where)
  assert.doesNotMatch(text, /undefined|null|NaN|\[object|function|=>/, where)
  for (const words of foreign[language]) assert.doesNotMatch(text, words, where)
}

/** Checks one text in all languages, and that they differ. */
function checkTexts(what: string, textIn: (language: Language) => string | null): void {
  const texts = languages.map(language => {
    const text = textIn(language)
    checkText(text, language, what)
    return text
  })
  assert.equal(new Set(texts).size, languages.length, `${what}: ${texts.join(' | ')}`)
}

type Facts<Code extends RefusalCode> = Code extends RefusalCode ? Omit<Refusal<Code>, 'refused'> : never

const id = 7 as never
const amount: Amount = { minor: 123_450, exponent: 2, currency: 'EUR' }
const at = Date.UTC(2026, 10, 21, 20, 14)
const timezone = 'Europe/Lisbon'
const textFlaws = ['unstorable', 'empty', 'several lines', { longerThan: 200 }] as const
const statuses = ['placed', 'confirmed', 'completed', 'cancelled']

/** Facts of every refusal, with each case that has a sentence of its own. */
const refusals: { [Code in RefusalCode]: [Facts<Code>, ...Facts<Code>[]] } = {
  'unknown order': [{ order: 'ORD-000042' }],
  'unknown line': [{ line: id }],
  'unknown location': [{ location: id }],
  'unknown item': [{ item: id }],
  'unknown size': [{ size: id }],
  'unknown option': [{ option: id }],
  'unknown category': [{ category: id }],
  'unknown group': [{ group: id }],
  'unknown station': [{ station: id }],
  'unknown ticket': [{ ticket: id }],
  'unknown ticket line': [{ ticket: id }],
  'unknown stock item': [{ stock: id }],
  'unknown endpoint': [{ endpoint: id }],
  'unknown event types': [{ types: ['x.y'], known: ['order.created'] }],
  'unknown staff': [{ name: 'Ana' }],
  'unknown device': [{ device: id }],
  'unknown session': [{ session: id }],
  'unknown setting': [{ key: 'site.titel', known: ['site.title'] }],
  text: [
    ...(['reason', 'note', 'reference', 'name', 'attempt', 'address', 'postcode'] as const).map(field => ({
      field,
      flaw: 'empty' as const,
    })),
    ...textFlaws.map(flaw => ({ field: 'note' as const, flaw })),
  ] as [Facts<'text'>],
  'invalid amount': [{ most: amount }, { most: { ...amount, exponent: 0, currency: 'JPY' } }],
  'invalid percent': [{}],
  'invalid quantity': [{ most: 9999 }],
  'invalid minutes': [{ most: 120 }],
  'time has passed': [{ until: at, timezone }],
  'invalid date': [{ date: '2026-13-01' }],
  'period reversed': [{ from: '2026-11-21', to: '2026-11-20' }],
  'period too long': [{ most: 366 }],
  'no digits': [{ phone: 'x' }],
  'item blank': [{}],
  'invalid columns': [{ least: 16, most: 64 }],
  'invalid setting': [
    ...textFlaws,
    'time zone' as const,
    'hour' as const,
    { oneOf: ['a', 'b'] },
    { someOf: ['a', 'b'] },
    { wholeNumberTo: 9 },
    { idsTo: 3 },
  ].map(flaw => ({ key: 'orders.per_minute', value: 'x', flaw })) as [Facts<'invalid setting'>],
  'invalid endpoint': [...textFlaws, 'not a URL' as const, 'not https' as const, 'has credentials' as const].map(
    flaw => ({
      url: 'x:y',
      flaw,
    }),
  ) as [Facts<'invalid endpoint'>],
  'invalid secret': [{ flaw: 'empty' }, { flaw: 'unstorable' }, { flaw: 'not base64' }],
  faults: Object.values(faultTitles).map(title => ({ faults: [{ title, pointer: '/items/0/qty' }] })) as [
    Facts<'faults'>,
  ],
  'not offered': [{ mode: null }, { mode: 'delivery' }],
  'detail missing': (['name', 'phone', 'address', 'postcode'] as const).map(detail => ({ detail })) as [
    Facts<'detail missing'>,
  ],
  'too late to cancel': [{}],
  'order limit': [{}],
  'takes no orders': [
    { location: id, why: 'paused', until: at, timezone },
    { location: id, why: 'paused', until: null, timezone },
    { location: id, why: 'closed', until: at, timezone },
    { location: id, why: 'closed', until: null, timezone },
  ],
  'unknown table': [{ table: id, location: id }],
  'attempt used': [{ attempt: 'x1' }],
  'other total': [{ total: amount }],
  'wanted time': (['not a minute', 'past', 'too far ahead', 'closed'] as const).map(why => ({ at, timezone, why })) as [
    Facts<'wanted time'>,
  ],
  'not delivered there': [{ postcode: '4050' }],
  'below minimum': [{ minimum: amount }],
  'order closed': statuses.map(status => ({ order: 42, status })) as [Facts<'order closed'>],
  'order changed': [{ order: 42 }],
  'location closed': [{ location: id }],
  'no lines left': [{}],
  'too many lines': [{ most: 1000 }],
  'order too large': [{ most: amount }],
  'status move': [
    { from: 'completed', to: 'completed' },
    { from: 'completed', to: 'cancelled' },
    { from: 'cancelled', to: 'confirmed' },
  ],
  'fulfilment move': [
    { from: 'ready', to: 'ready' },
    { from: 'in_kitchen', to: 'out_for_delivery' },
    { from: null, to: 'fulfilled' },
  ],
  'still to be paid': [{ amount }],
  'still to be refunded': [{ amount }],
  'open tickets': [
    { tickets: [id], held: [] },
    { tickets: [id, id], held: [] },
    { tickets: [], held: [id] },
    { tickets: [id], held: [id, id] },
  ],
  'reason missing': [{}],
  'paid already': [{ amount }],
  'too little stock': [{ lines: [1] }, { lines: [1, 2] }],
  'reference used': [{ reference: 'R1', entry: 2 }],
  'nothing to pay': [{}],
  'more than to pay': [{ balance: amount }],
  'nothing paid': [{}],
  'more than paid': [{ paid: amount }],
  'more than owed': [{ status: 'completed', owed: amount }],
  'not completed': [{ status: 'cancelled' }, { status: 'placed' }],
  'more than due': [{ due: amount }],
  'not a payment': [{ entry: 1 }],
  'payment voided': [{ entry: 2 }],
  'payment of another day': [{ entry: 2, date: '2026-11-20' }],
  'payment refunded': [{ entry: 2 }],
  'payment of closed order': [
    { entry: 2, status: 'completed' },
    { entry: 2, status: 'cancelled' },
  ],
  'unknown close': [{ location: id, number: 3 }],
  'invalid pieces': [{ of: amount, most: 1000 }],
  'day closed': [{ date: '2026-11-20', number: 3 }],
  'day not begun': [{ date: '2026-11-20' }],
  'earlier day open': [{ date: '2026-11-20' }],
  'more than counted': [{ amount }],
  'left the kitchen': [{ ticket: id, fulfilment: 'out_for_delivery' }],
  'not ready': [{}],
  'nothing open': [{ ticket: id }],
  'nothing done': [{ ticket: id }],
  'ticket held': [{ ticket: id }],
  'changed since shown': [{}],
  'not acknowledged': [{ ticket: id }],
  'not held': [{ ticket: id, state: 'open' }],
  'not remembered': [
    { since: at, timezone },
    { since: null, timezone },
  ],
  'line not open': [{ ticket: id, name: 'Francesinha', state: 'done' }],
  'more than on hand': [{ title: 'Mozzarella', unit: 'kg', onHand: 1_500_000 }],
  'too much stock': [{ most: 1_000_000 }],
  'stock moved': [{ title: 'Mozzarella', unit: 'kg', was: 2_000_000, onHand: 1_500_000 }],
  'endpoint exists': [{ url: 'https://example.com' }],
  'too many endpoints': [{ most: 9 }],
  'no secret': [{}],
  'name taken': [{ name: 'Ana' }],
  'too few digits': [{ phone: '12', least: 6 }],
  'invalid email': [{ email: 'x' }],
  'invalid password': (['unstorable', 'the name', { shorterThan: 10 }, { longerThan: 200 }] as const).map(flaw => ({
    flaw,
  })) as [Facts<'invalid password'>],
  'invalid PIN': [{ flaw: 'not six digits' }, { flaw: 'simple' }],
  'too many log-ins': [{}],
  'wrong log-in': [{}],
  'wrong PIN': [{}],
  'wrong code': [{}],
  'wait before trying': [{ seconds: 1 }, { seconds: 8 }],
  'has owner': [{}],
  'last owner': [{ name: 'Ana' }],
  'no password for staff': [{ name: 'Ana' }],
  'station circle': [
    { station: 'Grill', to: 'Bar' },
    { station: 'Bar', to: 'Bar' },
  ],
  'station elsewhere': [{ station: id, location: id }],
  'too many pairings': [{ most: 10 }],
  'file name missing': [{}],
  'file exists': [{ path: '/x.db' }],
  'folder missing': [{ path: '/x' }],
  'backup running': [{ path: '/x.db' }],
  'backup under way': [{}],
  'no room for backup': [{ missingMib: 1200 }],
  'backup damaged': [{ flaw: 'SQLITE' }],
  'backup failed': [{ cause: 'SQLITE' }],
  'not a file': [{ path: '/x' }],
  'file inaccessible': [{ path: '/x', cause: 'EACCES' }],
  'not a conversion': [{ path: '/x.json' }],
  'conversion edited': [{ path: '/x.json' }],
  'no ids to keep': [{ path: '/x.json' }],
  'unreadable menu': [{ path: '/x.csv', flaw: 'UTF-8' }],
  'does not fit': [{ problems: [{ pointer: '/x', message: '…' }] }],
  'nothing to undo': [{}],
  'edit does not fit': [{ problems: [{ pointer: '/x', message: '…', field: null }] }],
  'changed meanwhile': [
    {
      fields: [
        { field: 'price', now: 1 },
        { field: 'order of items', now: null },
      ],
    },
  ],
  'undone first': [{ at, actor: 'Ana' }],
  image: [
    { flaw: 'too large', mostBytes: 1_048_576 },
    { flaw: 'no image', mostBytes: 1 },
  ],
  'has orders': [{ orders: 1 }, { orders: 2000 }],
  'nothing published': [{}],
}

// Their English sentence is only the place and the problem, which the store words.
const worded: RefusalCode[] = ['does not fit', 'edit does not fit']

test('Every refusal has a sentence of its own in English, German and Portuguese', () => {
  for (const [refused, samples] of Object.entries(refusals)) {
    for (const facts of samples) {
      const refusal = { refused, ...facts } as Refusal
      if (worded.includes(refusal.refused)) assert.match(refusalText(refusal, 'de'), /…$/)
      else checkTexts(refused, language => refusalText(refusal, language))
      assert.equal(refusalText(refusal), refusalText(refusal, 'en'))
    }
  }
})

test('Every act of the audit trail is told in each language, with what is kept about it', () => {
  for (const deed of deeds) checkTexts(deed, language => deedText(deed, language))
  const kept = [
    'location 3',
    'item 12 Francesinha, everywhere',
    'size 4 Grande of Caldo, location 1',
    'stock 2 Mozzarella and 3 more',
    'entry 3 of entry 2, cash',
    'placed, in kitchen',
    'out for delivery',
    'off until 20:00',
    'paused',
    'taking orders',
    'not busy',
    '20 min more',
    '20 min more until 20:00',
    'station 3 Bar',
    '2 added, 1 changed',
    'manager',
    'all events',
    '2026-11-18 to 2026-11-20',
    'edit of 2026-11-20 19:00 UTC',
  ]
  for (const text of kept) checkTexts(text, language => keptText(text, language))
  assert.equal(keptText('12.50 EUR', 'de'), '12,50 EUR')
  assert.equal(keptText('Caldo Verde', 'pt'), 'Caldo Verde')
})

test('Every alarm of the kitchen is told in each language', () => {
  const about = { locationId: id, stationId: id, station: 'Bar' }
  const alarms: Alarm[] = [
    { kind: 'not shown', ...about, order: 412, more: 0 },
    { kind: 'not shown', ...about, order: 412, more: 1 },
    { kind: 'not shown', ...about, order: 412, more: 2 },
    { kind: 'silent', ...about, since: at },
    { kind: 'silent', ...about, since: null },
    { kind: 'no screen', ...about },
  ]
  for (const alarm of alarms)
    checkTexts(alarm.kind, language => alarmText(alarm, language, formats(language, timezone)))
})

test('Why a delivery failed is told in each language, for every reason that is recorded', () => {
  const sources = ['webhooks/deliver.ts', 'webhooks/dispatch.ts', 'store/outbox/endpoints.ts', 'store/outbox/outbox.ts']
  const recorded = sources.flatMap(path =>
    [
      ...readFileSync(join(root, path), 'utf8').matchAll(/['`]((?:the|it|too many interim|TLS|Servery) [^'`\n]+)['`]/g),
    ].map(([, text]) => `${text}`.replace(/\$\{[^}]*\}/g, '5')),
  )
  assert.ok(recorded.length > 25, recorded.join('\n'))
  for (const reason of recorded) checkTexts(reason, language => endingText({ status: null, reason }, language))
})

test('The terms of accounts, changes, stock and tickets stand in each language', () => {
  const change = { id: 12, title: 'Caldo', of: null, fields: [], lostAllergens: [] }
  const fields = [
    { field: 'price', was: 8500, became: 8900 },
    { field: 'published', was: true, became: false },
    { field: 'order of modifiers', was: null, became: null },
  ]
  const changes: Change[] = [
    { ...change, kind: 'added', thing: 'option group' },
    { ...change, kind: 'changed', thing: 'item', fields, lostAllergens: ['Soja'] },
    { ...change, kind: 'removed', thing: 'location' },
  ]
  for (const each of [[], changes]) checkTexts('changes', language => changesText(each, language))
  checkTexts('a change', language => (changes[1] ? detailsText(changes[1], language) : ''))
  for (const each of changes) checkTexts('a change', language => changeName(each, language))

  const entry = { entry: 3, amount: -1250, clientRef: null, note: null, at, businessDate: '2026-11-21', orderId: id }
  const entries: Entry[] = [
    { ...entry, kind: 'payment', method: 'cash', voids: null },
    { ...entry, kind: 'payment_void', method: 'card', voids: 2 },
    { ...entry, kind: 'credit', method: null, voids: null },
  ]
  for (const each of entries) checkTexts(each.kind, language => entryText(each, language))
  for (const balance of [-100, 0, 100]) {
    const money = { exponent: 2, currency: 'EUR' } as const
    checkTexts('a balance', language => openText({ balance, paid: 0, due: 0 }, money, language))
  }

  const off = { since: at, until: null, actor: 'Ana', timezone, locationId: id, title: 'Porto' }
  for (const now of [at + 60_000, at + 2 * 86_400_000, at + 20 * 86_400_000]) {
    checkTexts('off', language => offText(off, timezone, now, language))
    checkTexts('paused', language => pauseText({ ...off, until: at + 3_600_000 }, now, language))
  }

  const item = { onHand: -1, isLow: true, blocks: ['Caldo'] }
  checkTexts('miscounted', language => levelText(item, language))
  checkTexts('low', language => levelText({ ...item, onHand: 1 }, language))
  checkTexts('blocks', language => blockText(item, language))
})

test('The words of every page are in their language: German with Sie, Portuguese as in Portugal', async () => {
  const files = readdirSync(join(root, 'routes'), { recursive: true, encoding: 'utf8' }).filter(path =>
    /(?:^|[/])words(?:[/][^/]+)?[.]ts$/.test(path),
  )
  assert.ok(files.length >= 5, files.join())
  for (const path of files) {
    const { words }: { words: Record<Language, Record<string, unknown>> } = await import(
      pathToFileURL(join(root, 'routes', path)).href
    )
    for (const language of languages) {
      for (const [key, said] of Object.entries(words[language])) {
        for (const text of typeof said === 'string' ? [said] : textsIn(String(said))) {
          checkText(text, language, `${path}: ${key}`)
        }
      }
    }
  }
})

/** The texts of a function that makes a sentence, without what it fills in. */
function textsIn(source: string): string[] {
  const texts = [...source.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g)].map(([text]) =>
    text.slice(1, -1).replace(/\$\{[^}]*\}?/g, ' '),
  )
  return texts.filter(text => text.includes(' ') && /\p{L}{2}/u.test(text))
}

test('Pages say why something is refused in the language of the person', () => {
  const files = readdirSync(join(root, 'routes'), { recursive: true, encoding: 'utf8' }).filter(path =>
    path.endsWith('.ts'),
  )
  for (const path of files) {
    assert.doesNotMatch(
      readFileSync(join(root, 'routes', path), 'utf8'),
      /\b(?:refusal|ending|entry|deed|actor|details|changes)Text\([^(),]*\)/,
      path,
    )
  }
})
