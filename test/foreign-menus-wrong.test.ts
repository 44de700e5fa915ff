import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import fc from 'fast-check'
import { convertMenu } from '../store/foreign-menus/convert.ts'
import { markIn, readPrice } from '../store/foreign-menus/prices.ts'
import { parseRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { root } from './support/folders.ts'
import { holdsForAll } from './support/property.ts'
import { workbook, zip } from './support/workbook.ts'

const example = (name: string) => readFileSync(join(root, 'examples/moving-in', name))
const square = example('square-items.csv').toString('utf8')
const uber = example('uber-eats-menu.json').toString('utf8')
const header = 'Token,Item Name,Variation Name,Description,Categories,Price'
const sheet = [header.split(','), ['1', 'Soup', 'Regular', '', 'Food', 4.5]]
const intact = workbook({ Items: sheet })

/** A workbook with one of its files replaced. */
function workbookWith(name: string, content: string | Buffer, claimed?: number): Buffer {
  const files = [
    { name: 'xl/workbook.xml', content: '<workbook><sheets><sheet name="Items" r:id="a"/></sheets></workbook>' },
    { name: 'xl/_rels/workbook.xml.rels', content: '<R><Relationship Id="a" Target="s.xml"/></R>' },
    { name: 'xl/s.xml', content: '<worksheet/>' },
  ]
  const rest = files.filter(file => file.name !== name)
  return zip([...rest, { name, content, ...(claimed !== undefined && { claimed }) }])
}

function uberOf(items: unknown[]): string {
  return JSON.stringify({ menus: [], categories: [], items })
}

const wrong: [what: string, bytes: () => Buffer | string, refusal: RegExp][] = [
  ['an empty file', () => '', /^is empty$/],
  ['white space', () => '\uFEFF \r\n\t\n', /^is empty$/],
  ['a PDF', () => '%PDF-1.7 …', /^is a PDF; copy its text/],
  ['a picture', () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10]), /^is a picture/],
  ['a workbook of the old kind', () => Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), /^is a workbook of the old kind/],
  ['UTF-16', () => Buffer.from('\uFEFFToken\tItem Name', 'utf16le'), /^is UTF-16; save it as UTF-8$/],
  ['Latin-1', () => Buffer.from('Café … 1,20 Euro', 'latin1'), /^is not a UTF-8 text/],
  ['bytes of a program', () => Buffer.from([1, 0, 2, 0]), /^is not a text$/],
  ['a web page', () => '<!doctype html><p>Soup 4,50', /^is a web page or XML/],
  ['JSON that is cut off', () => uber.slice(0, 900), /^is not valid JSON; it may be cut off$/],
  ['JSON of another kind', () => '{"menu": []}', /^is JSON, but not an Uber Eats menu$/],
  ['a restaurant file', () => '{"categories": [], "locations": []}', /^looks like a restaurant file already/],
  [
    'an Uber Eats menu with an id twice',
    () => uber.replaceAll('"id": "ayran"', '"id": "cola"'),
    /^has the id "cola" twice$/,
  ],
  ['a table of another kind', () => 'date;table;guests;name\n1;2;3;4', /^is a table, but without the columns/],
  ['a letter', () => 'Dear Sir,\nwe come at eight.\n', /^has no dish with a price/],
  ['a Square export without a dish', () => header, /^has no dish with a price$/],
  [
    'one without any price',
    () => `${header}\n1,Soup,Regular,,Food,`,
    /^has no dish with a price \(row 2: "Soup" has no price/,
  ],
  ['one that is cut off in a row', () => square.slice(0, 3000), /^is cut off: row \d+ has \d+ of 42 cells$/],
  ['one that is cut off in quotation marks', () => `${header}\n1,"Soup`, /^is cut off: a quotation mark in row 2/],
  ['one whose cells have moved', () => `${header}\n1,Soup,Regular,,Food,4.50,9.99`, /^has more cells in row 2/],
  [
    'one with two columns of a name',
    () => `${header},Price\n1,Soup,Regular,,Food,4.50,9.99`,
    /^has the column "Price" more/,
  ],
  ['one with a formula', () => `${header}\n1,=SUM(A1),Regular,,Food,4.50`, /^has a formula in row 2/],
  [
    'one with a script',
    () => `${header}\n1,Soup,Regular,<script>alert(1)</script>,Food,4.50`,
    /^has a script in row 2/,
  ],
  [
    'one with too many rows',
    () => `${header}\n${'1,Soup,Regular,,Food,4.50\n'.repeat(20_001)}`,
    /^has more than 20000 rows$/,
  ],
  ['one with too many columns', () => `${header}${',x'.repeat(2_000)}`, /^has more than 2000 columns$/],
  [
    'one with too many locations',
    () => `${header}${Array.from({ length: 101 }, (_, nth) => `,Price L${nth}`).join('')}`,
    /^has more than 100 locations$/,
  ],
  [
    'one with an endless cell',
    () => `${header}\n1,Soup,${' '.repeat(100_001)}`,
    /^has a cell of more than 100000 characters$/,
  ],
  [
    'an Uber Eats menu with too many items',
    () => uberOf(Array.from({ length: 20_001 }, (_, nth) => ({ id: `i${nth}` }))),
    /^has more than 20000 items$/,
  ],
  [
    'one that names its options too often',
    () => uberOf([{ id: 'i', modifier_group_ids: { ids: Array.from({ length: 100_001 }, () => 'g') } }]),
    /^has more than 100000 options/,
  ],
  ['a text list with too many lines', () => 'Soup … 4,50\n'.repeat(20_001), /^has more than 20000 lines$/],
  [
    'a text list with an endless line',
    () => `Soup ${'.'.repeat(3_000)} 4,50`,
    /^has a line of more than 500 characters$/,
  ],
  ['a file that is too large', () => Buffer.alloc(16 * 1024 * 1024 + 1, 'a'), /^is larger than 16 MiB$/],
  ['a workbook that is cut off', () => intact.subarray(0, 700), /^is a damaged or cut off workbook$/],
  ['a workbook with a false byte', () => flipped(intact, 400), /^is a damaged or cut off workbook$/],
  [
    'an archive that is no workbook',
    () => zip([{ name: 'a.txt', content: 'a' }]),
    /^is a ZIP archive, but not an XLSX/,
  ],
  ['a workbook with other columns', () => workbook({ A: [['a', 'b']] }), /^is a workbook without the columns/],
  ['a workbook with a formula', () => workbook({ A: [...sheet, [{ formula: 'NOW()' }]] }), /^has a formula in row 3/],
  [
    'a workbook with macros',
    () => workbook({ A: sheet }, [{ name: 'xl/vbaProject.bin', content: 'x' }]),
    /^has macros; save it as a workbook without them/,
  ],
  [
    'a workbook with a password',
    () => zip([{ name: 'xl/workbook.xml', content: 'x', flags: 1 }]),
    /^is encrypted; save it without a password$/,
  ],
  [
    'a workbook whose XML declares entities',
    () => workbookWith('xl/s.xml', '<!DOCTYPE a [<!ENTITY b "c">]><worksheet>&b;</worksheet>'),
    /^is a workbook with XML that no spreadsheet program writes$/,
  ],
  ['a workbook whose XML is cut off', () => workbookWith('xl/s.xml', '<worksheet><row'), /^is a damaged workbook/],
  [
    'a zip bomb that says so',
    () => workbookWith('xl/s.xml', Buffer.alloc(65 * 1024 * 1024)),
    /^holds more than 64 MiB when unpacked$/,
  ],
  [
    'a zip bomb that lies about its size',
    () => workbookWith('xl/s.xml', Buffer.alloc(8 * 1024 * 1024), 1_000),
    /^is a damaged or cut off workbook$/,
  ],
  [
    'a workbook with a cell far to the right',
    () => workbookWith('xl/s.xml', '<worksheet><row r="1"><c r="ZZZ1"><v>1</v></c></row></worksheet>'),
    /^has more than 2000 columns$/,
  ],
  ['prices in two currencies', () => 'Soup … £4.50\nPie … 9,00 €', /^has prices in GBP and in EUR; say which/],
]

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(at) ^ 0x55, at)
  return copy
}

for (const [what, bytes, refusal] of wrong) {
  test(`${what} is refused with a sentence`, () => {
    const currency = refusal.source.includes('currenc') || what.includes('two currencies') ? undefined : 'EUR'
    const conversion = convertMenu(Buffer.from(bytes()), { currency })
    assert.ok(!conversion.ok)
    assert.match(conversion.refusal, refusal)
  })
}

test('a file whose prices have no sign needs the currency, and no other than an active one', () => {
  const source = Buffer.from('Soup … 4,50')
  assert.deepEqual(convertMenu(source), {
    ok: false,
    refusal: 'does not tell its currency; say it, for example with --currency EUR',
  })
  assert.deepEqual(convertMenu(source, { currency: 'DEM' }), {
    ok: false,
    refusal: 'cannot be in DEM, which is no currency code',
  })
  assert.deepEqual(convertMenu(source, { currency: 'EUR', timeZone: 'Europe/Porto' }), {
    ok: false,
    refusal: 'cannot be in the time zone Europe/Porto, which this system does not know',
  })
})

test('what looks like HTML, a formula or a program in a title is text, and is kept within the bounds of a title', () => {
  const source = `${header}\n1,${'Long '.repeat(60)},Regular,5 < 6 & <b>7</b> > 2,Food,4.50`
  const conversion = convertMenu(Buffer.from(source), { currency: 'EUR' })
  assert.ok(conversion.ok)
  const [item] = parseRestaurantFile(JSON.stringify(conversion.restaurant)).file.categories[0]?.items ?? []
  assert.equal(item?.description, '5 < 6 & 7 > 2')
  assert.equal(item?.title.length, 200)
})

/** Fails unless a conversion is a restaurant file without problems, or one sentence. Returns whether it is the former. */
function assertConverted(bytes: Buffer, currency = 'EUR'): boolean {
  const conversion = convertMenu(bytes, { currency, timeZone: 'UTC' })
  if (!conversion.ok) {
    assert.match(conversion.refusal, /^(is|has|holds|looks|does|cannot) .{2,400}$/su)
    assert.doesNotMatch(conversion.refusal, /undefined|NaN|\[object|cannot become/)
    return false
  }
  assert.deepEqual(parseRestaurantFile(JSON.stringify(conversion.restaurant)).problems, [])
  for (const { place, message } of conversion.unknown) {
    assert.ok(place !== '' && /[.!]$/.test(message) && !/undefined|NaN|\[object/.test(message), message)
  }
  return true
}

test('random bytes, however they begin, are converted or refused with a sentence', async t => {
  const beginnings = [
    '',
    'PK\x03\x04',
    '{"menus":[],"categories":[],"items":[',
    `${header}\n`,
    'Soup … 4,50\n',
    '\uFEFF',
  ]
  const values = fc.tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 400 }))
  const runs = await holdsForAll(values, 1_000, async ([start, rest]) => {
    assertConverted(Buffer.concat([Buffer.from(start), rest]))
  })
  t.diagnostic(`${runs} files`)
})

interface Change {
  at: number
  length: number
  by: string
}
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat({ max: 0xffffff }),
  length: fc.nat({ max: 12 }),
  by: fc.oneof(
    fc.constantFrom(
      '',
      '"',
      ',',
      ';',
      '\n',
      '\r',
      '\t',
      '\0',
      '=',
      '<',
      '{',
      '}',
      '[',
      ']',
      '999999999999',
      '-1',
      '1e9',
    ),
    fc.constantFrom('null', '1,250', '€', '\\', '>', 'Y', 'N', '&#0;', '<script>', '\ud800', '“', '__proto__', '0.00'),
    fc.string({ maxLength: 6, unit: 'binary' }),
  ),
})

function changed(bytes: Buffer, changes: Change[]): Buffer {
  return changes.reduce((source, { at, length, by }) => {
    const from = at % (source.length + 1)
    return Buffer.concat([source.subarray(0, from), Buffer.from(by), source.subarray(from + length)])
  }, bytes)
}

function rowXml(cells: (string | number)[], row: number): string {
  const written = cells.map(cell => `<c t="inlineStr"><is><t>${cell}</t></is></c>`)
  return `<row r="${row + 1}">${written.join('')}</row>`
}

const sources = {
  'the Square export': Buffer.from(square),
  'the Loyverse export': example('loyverse-items.csv'),
  'the Uber Eats menu': Buffer.from(uber),
  'the text list': example('menu.txt'),
  'a workbook': intact,
  "a workbook's sheet": Buffer.from(`<worksheet>${sheet.map(rowXml).join('')}</worksheet>`),
}

for (const [name, bytes] of Object.entries(sources)) {
  test(`${name}, changed at random, is converted or refused with a sentence`, async t => {
    let kept = 0
    const runs = await holdsForAll(fc.array(change, { minLength: 1, maxLength: 6 }), 300, async changes => {
      const source = changed(bytes, changes)
      const file = name.endsWith('sheet') ? workbookWith('xl/s.xml', source) : source
      if (assertConverted(file, name === 'the Square export' ? 'GBP' : 'EUR')) kept++
    })
    t.diagnostic(`${runs} files, ${kept} converted`)
  })
}

test('an Uber Eats menu with any value in any place is converted or refused with a sentence', async t => {
  let kept = 0
  const values = fc.oneof(fc.jsonValue(), fc.constantFrom(-1, 0.5, 1e15, '', 'cola', '\u0000', [], {}))
  const runs = await holdsForAll(
    fc.array(fc.tuple(fc.nat(), values), { minLength: 1, maxLength: 4 }),
    150,
    async places => {
      let document = JSON.parse(uber)
      for (const [nth, value] of places) document = replaced(document, nth, value)
      if (assertConverted(Buffer.from(JSON.stringify(document)))) kept++
    },
  )
  t.diagnostic(`${runs} menus, ${kept} converted`)
})

/** The document with one of its values, counted through all of it, replaced. */
function replaced(document: unknown, nth: number, value: unknown): unknown {
  let count = 0
  JSON.stringify(document, (_, each) => {
    count++
    return each
  })
  let left = nth % count
  return JSON.parse(JSON.stringify(document, (_, each) => (left-- === 0 ? value : each)) ?? 'null')
}

test('a price is read exactly as it was written, in every style', async () => {
  const styles = fc.constantFrom<[group: string, mark: '.' | ',']>(
    [',', '.'],
    ['.', ','],
    ["'", '.'],
    [' ', ','],
    ['', '.'],
    ['', ','],
  )
  const values = fc.tuple(fc.nat({ max: 9_999_999_999 }), styles, fc.boolean())
  await holdsForAll(values, 1_000, async ([cents, [group, mark], isSigned]) => {
    const whole = String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})+$)/g, group)
    const text = `${whole}${mark}${String(cents % 100).padStart(2, '0')}${isSigned ? ' €' : ''}`
    const price = readPrice(text, { currency: 'EUR', mark: markIn([text]) })
    assert.deepEqual(price, { amount: cents * 10 }, text)
  })
})
