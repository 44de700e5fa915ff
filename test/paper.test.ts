import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { columnsOf, paperText } from '../display/paper-characters.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import { type Characters, characterSets } from '../store/printing/printers.ts'
import { epsonPrinter } from './support/epson-printer.ts'
import { heldClock } from './support/held-clock.ts'
import { orderOf, pizza, pizzeria } from './support/pizzeria.ts'
import { addPrinter, manager } from './support/printers.ts'
import { holdsForAll } from './support/property.ts'
import { accepted } from './support/refusals.ts'
import { openShop } from './support/shop.ts'
import { starPrinter, starText } from './support/star-printer.ts'

test('characters that a printer lacks are written with those that it has, or as their code, so none is lost', () => {
  const written = (text: string, characters: Characters, language: 'en' | 'de' = 'en') =>
    paperText(text, characters, language)
  const cases: [text: string, plain: string, western: string][] = [
    ['é ã ß €', 'e a ss EUR', 'é ã ß €'],
    ['łódź, Őry', 'lodz, Ory', 'lódz, Ory'],
    ['Ωμέγα Ψάρι', 'Omega Psari', 'Omega Psari'],
    ['Щи з яйцем', 'Shchi z yaitsem', 'Shchi z yaitsem'],
    ['“Crème” – 50 ½ №', '"Creme" - 50 1/2 No', '“Crème” – 50 ½ No'],
    ['中文 🌶', '[U+4E2D][U+6587] [U+1F336]', '[U+4E2D][U+6587] [U+1F336]'],
    ['e\u0301', 'e', 'é'],
  ]
  for (const [text, plain, western] of cases) {
    assert.equal(written(text, 'plain'), plain)
    assert.equal(written(text, 'western'), western)
    assert.equal(written(text, 'unicode'), text.normalize('NFC'))
  }
  assert.equal(written('Grüße, ÄÖ', 'plain', 'de'), 'Gruesse, AeOe')
  assert.equal(columnsOf('中文a'), 5)
})

test('whatever a text contains, it stays one line of characters that the printer has', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 })
  await holdsForAll(fc.record({ text, characters: fc.constantFrom(...characterSets) }), 300, async given => {
    const written = paperText(given.text, given.characters, 'en')
    assert.doesNotMatch(written, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
    if (given.characters === 'plain') assert.match(written, /^[ -~]*$/)
  })
})

const commands = [
  '\u001bd\u0003',
  '\u001d(L',
  '\u001c.',
  '\u001b@',
  '\u0010\u0014\u0001',
  '<cut type="feed"/></epos-print></PrintData>',
  ']]><text reverse="true">',
  '&#27;&amp;#10;',
  '[cut][magnify: width 6]',
  '|{}~_"^\\\n=\n===',
  '\u202edrawkcab\u2028line\u0085line',
  '%0A%1B',
  '\ufffe\uffff\ufeff',
]

test('nothing that a guest writes can cut or format the paper, on either kind of printer', async t => {
  const clock = heldClock('2025-11-20T19:00:00Z')
  const restaurant = pizzeria({ stock: [] })
  const [first] = restaurant.categories
  const [dish] = first?.items ?? []
  assert.ok(dish)
  dish.title = `Pizza </text><cut type="feed"/> & "ham"`
  const shop = await openShop(t, { restaurant, clock })
  const printers: { secret: string; characters: Characters; protocol: 'star' | 'epson' }[] = []
  for (const protocol of ['star', 'epson'] as const) {
    for (const characters of characterSets) {
      const { secret } = await addPrinter(shop, { protocol, characters, stations: [1 as never] })
      printers.push({ secret, characters, protocol })
    }
  }
  const draft = {
    ...orderOf({ ...pizza(), notes: commands.join('') }),
    notes: commands.toReversed().join('x'),
    customer: { name: commands.join('') },
    channel: 'delivery',
  }
  const details = { address: commands.join(' ').replaceAll('\n', ' '), postcode: '1100' }
  accepted(shop.store.orders.place(accepted(parseDraft(draft)), 'pos', details))
  await shop.writer.chore('makePrintJobs')
  for (const { secret, characters, protocol } of printers) {
    const name = `${protocol} ${characters}`
    if (protocol === 'epson') {
      const printer = epsonPrinter(shop, secret)
      const job = await printer.request()
      assert.ok(job, `${name}: the envelope was discarded`)
      assert.equal(job.cuts, 1, name)
      assert.ok(job.text.includes('&#27;&amp;#10;'), name)
      assert.ok(job.text.includes('<cut type="feed"/>'), name)
    } else {
      const printer = starPrinter(shop, secret)
      assert.ok(await printer.poll())
      const job = await printer.get()
      assert.ok(job)
      const { text, cuts } = starText(job.bytes)
      assert.equal(cuts, 1, name)
      for (const line of text.split('\n')) assert.ok(columnsOf(line) <= 48, `${name}: ${line}`)
    }
  }
})

test('every kind of slip fits paper of 58 mm, in each language', async t => {
  const shop = await openShop(t, { restaurant: pizzeria({ stock: [] }) })
  const { id, secret } = await addPrinter(shop, { widthMm: 58, columns: 32, prints: 'on request' })
  const draft = accepted(
    parseDraft({ ...orderOf(pizza(12, 3)), notes: 'A note that is longer than one line of this paper' }),
  )
  const order = accepted(shop.store.orders.place(draft, 'pos')).id
  const printer = starPrinter(shop, secret)
  for (const language of ['en', 'de', 'pt']) {
    await shop.writer.act(manager, 'setSetting', 'kitchen.language', language)
    const wishes = [{ kind: 'test' }, { kind: 'ticket', ticket: 1 as never }, { kind: 'receipt', order }] as const
    for (const wish of wishes) {
      const wanted = () => shop.writer.act(manager, 'printOnRequest', id, wish, `${language} ${wish.kind}`)
      assert.equal(await wanted(), undefined)
      assert.equal(await wanted(), undefined, 'a second press prints nothing more')
    }
  }
  assert.equal(await printer.run(), 9)
  const texts = printer.paper.map(bytes => starText(bytes).text)
  for (const line of texts.join('').split('\n')) assert.ok(columnsOf(line) <= 32 || /[^ -~]/.test(line), line)
  assert.match(texts[1] ?? '', /COPY[\s\S]*12 x Pizza[\s\S]*\+ 3 x Extra dough/)
  assert.match(texts[5] ?? '', /Kein Steuerbeleg/)
  assert.match(texts[8] ?? '', /Nao e um documento fiscal/)
})
