import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { row } from './support/bad-input.ts'
import { burger, isTold, line, order } from './support/faulty-order.ts'
import { answers, assertAnswered, assertRefused, openCountedShop } from './support/traces.ts'
import { goodOrder, postOf } from './support/wire.ts'

const good = JSON.stringify(goodOrder)

row(42, 'the quantity of an item is a number above 0, at most 999, with 3 decimals', async (t, held) => {
  const shop = await openCountedShop(t)
  const numbers = [
    '0',
    '-0',
    '-1',
    '1e-400',
    '1e308',
    '1e400',
    '-1e400',
    '0.0001',
    '0.9999',
    '1.0005',
    '999.001',
    '1000',
  ]
  for (const qty of [...numbers, '"1"', 'true', 'null', '[]', '{}']) {
    await isTold(held, shop, qty, [line(`"item_id":1,"qty":${qty}`), '/items/0/qty'])
  }
  await isTold(held, shop, 'missing', [line('"item_id":1'), '/items/0/qty'])
  for (const qty of ['0.001', '999', '1.0', '1e0', '0.5e1', '12.345']) {
    await t.test(`${qty} is accepted`, answers(shop, [postOf(shop, { body: line(`"item_id":1,"qty":${qty}`) })], [201]))
  }
})

const wrongWholeNumbers = ['9007199254740993', '-9007199254740993', '1e400', '"1"', 'true', '1.5', '[1]', '{}']

row(43, 'the id of an item is a whole number', async (t, held) => {
  const shop = await openCountedShop(t)
  for (const id of [...wrongWholeNumbers, 'null']) {
    await isTold(held, shop, id, [line(`"item_id":${id},"qty":1`), '/items/0/item_id'])
  }
  await isTold(held, shop, 'missing', [line('"qty":1'), '/items/0/item_id'])
  for (const id of wrongWholeNumbers) {
    await t.test(`so is that of a variation: ${id}`, async t => {
      const request = postOf(shop, { body: line(`"item_id":4,"qty":1,"variation_id":${id}`) })
      const answer = await assertRefused(t, shop, request, held.refusal())
      assert.equal(answer.body.errors[0].source.pointer, '/items/0/variation_id')
    })
  }
  const locations = ['0', '-1', 'null', ...wrongWholeNumbers].map(id => [id, good.replace('1', id)] as const)
  for (const [id, body] of [...locations, ['missing', '{"items":[{"item_id":1,"qty":1}]}'] as const]) {
    await t.test(`and of a location: ${id}`, async t => {
      const answer = await assertRefused(t, shop, postOf(shop, { body }), held.refusal())
      assert.equal(answer.body.errors[0].source.pointer, '/location_id')
    })
  }
})

row(44, 'a whole number can be written with a fraction or an exponent', async (t, { input }) => {
  const shop = await openCountedShop(t)
  for (const id of ['1.0', '1e0']) {
    await input(id, answers(shop, [postOf(shop, { body: line(`"item_id":${id},"qty":1`) })], [201]))
    await input(
      id,
      answers(shop, [postOf(shop, { body: good.replace('"location_id":1', `"location_id":${id}`) })], [201]),
    )
    const latte = line(`"item_id":4,"qty":1,"variation_id":${id}`)
    await input(id, answers(shop, [postOf(shop, { body: latte })], [201]))
    await input(id, answers(shop, [postOf(shop, { body: burger(`[{"modifier_id":${id},"qty":${id}}]`) })], [201]))
  }
})

row(45, 'variations and modifiers of another item are refused', async (t, held) => {
  const shop = await openCountedShop(t)
  const modifier = '/items/0/modifiers/0/modifier_id'
  await isTold(
    held,
    shop,
    "another item's variation",
    [line('"item_id":1,"qty":1,"variation_id":1'), '/items/0/variation_id'],
    [line('"item_id":4,"qty":1,"variation_id":9'), '/items/0/variation_id'],
  )
  const onSoup = line('"item_id":1,"qty":1,"modifiers":[{"modifier_id":1}]')
  await isTold(held, shop, "another item's modifier", [onSoup, modifier])
  const ofOtherGroup = burger('[{"modifier_id":4}]')
  await isTold(held, shop, 'a modifier of a group that is not on the item', [ofOtherGroup, modifier])
})

row(46, 'the items must be a list of lines that is not empty', async (t, held) => {
  const shop = await openCountedShop(t)
  const items = (value: string) => `{"location_id":1,"items":${value}}`
  await isTold(held, shop, 'missing', ['{"location_id":1}', '/items'])
  for (const value of ['null', '{}', '[]', '"x"', '1']) await isTold(held, shop, value, [items(value), '/items'])
  await isTold(held, shop, '{"length":1}', [items('{"0":{"item_id":1,"qty":1},"length":1}'), '/items'])
  for (const value of ['[null]', '[5]', '[[]]', '["x"]', '[true]']) {
    await isTold(held, shop, value, [items(value), '/items/0'])
  }
  const second = '{"location_id":1,"items":[{"item_id":1,"qty":1},null]}'
  await isTold(held, shop, '[null]', [second, '/items/1'])
})

/** Every text of an order that is stored: its pointer, its most characters, and the JSON text of an order with it. */
const texts: [pointer: string, most: number, bodyWith: (text: string) => string][] = [
  ['/items/0/notes', 1000, text => line(`"item_id":1,"qty":1,"notes":${text}`)],
  ['/service_mode', 50, text => order(`"service_mode":${text}`)],
  ['/notes', 1000, text => order(`"notes":${text}`)],
  ['/customer/name', 255, text => order(`"customer":{"name":${text}}`)],
  ['/customer/phone', 255, text => order(`"customer":{"phone":${text}}`)],
  ['/customer/email', 255, text => order(`"customer":{"email":${text}}`)],
]

row(47, 'the number of lines and the lengths of texts are limited', async (t, held) => {
  const shop = await openCountedShop(t)
  const lines = (count: number) => JSON.stringify({ location_id: 1, items: Array(count).fill({ item_id: 1, qty: 1 }) })
  await isTold(held, shop, '101 lines', [lines(101), '/items'], [lines(3000), '/items'])
  const modifiers = burger(JSON.stringify(Array(51).fill({ modifier_id: 1 })))
  await isTold(held, shop, '51 modifiers', [modifiers, '/items/0/modifiers'])
  const names: Record<string, string> = {
    '/notes': 'over-long notes',
    '/items/0/notes': 'over-long notes of a line',
    '/service_mode': 'an over-long service_mode',
    '/customer/name': 'an over-long name',
  }
  for (const [pointer, most, bodyWith] of texts) {
    const name = names[pointer]
    if (!name) continue
    await isTold(held, shop, name, [bodyWith(`"${'é'.repeat(most + 1)}"`), pointer])
    await t.test(`${pointer} at its longest is accepted`, async t => {
      await assertAnswered(t, shop, [postOf(shop, { body: bodyWith(`"${'🍕'.repeat(most)}"`) })], [201])
    })
  }
  await t.test('100 lines are accepted', answers(shop, [postOf(shop, { body: lines(100) })], [201]))
})

row(48, 'a text must be a string without U+0000 and lone surrogates', async (t, held) => {
  const shop = await openCountedShop(t)
  for (const [pointer, , bodyWith] of texts) {
    await isTold(held, shop, 'U+0000', [bodyWith('"a\\u0000b"'), pointer], [bodyWith('"\\u0000"'), pointer])
    await isTold(held, shop, 'a lone surrogate', [bodyWith('"\\ud800"'), pointer], [bodyWith('"a\\udfff"'), pointer])
    await isTold(held, shop, 'surrogates in the wrong order', [bodyWith('"\\udc00\\ud800"'), pointer])
    for (const value of ['5', '{}', '["x"]', 'false']) {
      await t.test(`${pointer} is not ${value}`, async t => {
        const answer = await assertRefused(t, shop, postOf(shop, { body: bodyWith(value) }), held.refusal())
        assert.equal(answer.body.errors[0].source.pointer, pointer)
      })
    }
  }
})

row(49, 'every character of a text is stored and returned unchanged', async (t, { input }) => {
  const shop = await openCountedShop(t)
  const cases: Record<string, string> = {
    emoji: '👩‍👩‍👧 🏳️‍🌈 🍕🏽',
    'right-to-left text': 'שלום \u202eabc\u202c مرحبا ﷽',
    'combining characters': `e\u0301 Å\u212b \u1e9b\u0323 ${'a\u0301'.repeat(100)}`,
    'control characters': '\u0001\u001b[31m\u007f\u0085\u200b\ufeff\ufffe\uffff\r\n\t',
    'what means something elsewhere': `\\"'<b>&amp;--; DROP TABLE orders; %s \${x} {{x}} ../..`,
  }
  for (const [name, text] of Object.entries(cases)) {
    await input(name, async t => {
      const customer = { name: text, phone: '٠١٢', email: 'jalapeño@exämple' }
      const short = [...text].slice(0, 50).join('')
      const asked = {
        location_id: 1,
        notes: text,
        service_mode: short,
        customer,
        items: [{ item_id: 1, qty: 1, notes: text }],
      }
      const [answer] = await assertAnswered(t, shop, [postOf(shop, { body: JSON.stringify(asked) })], [201])
      assert.equal(answer?.body.data.notes, text)
      assert.equal(answer?.body.data.items[0].notes, text)
      const [stored] = shop.rows(
        `SELECT orders.notes, order_line.notes AS line, service_mode AS mode, customer_name AS name,
                customer_phone AS phone, customer_email AS email
           FROM orders JOIN order_line ON order_id = orders.id ORDER BY orders.id DESC LIMIT 1`,
      )
      assert.deepEqual(stored, { notes: text, line: text, mode: short, ...customer })
    })
  }
})

row(50, 'submitted prices, totals, status and ids are ignored', async (t, { input }) => {
  const shop = await openCountedShop(t)
  /** What the server says of an order of one soup with these members added to it and its line, in JSON. */
  async function placed(t: TestContext, inOrder = '', inLine = '') {
    const body = `{${inOrder}"location_id":1,"items":[{${inLine}"item_id":1,"qty":1}]}`
    const [answer] = await assertAnswered(t, shop, [postOf(shop, { body })], [201])
    const data = answer?.body.data
    const [{ id: lineId, ...itsLine }] = data.items
    const { id, order_number: number, placed_at: at, items, ...others } = data
    assert.deepEqual([items.length, number], [1, `ORD-${String(id).padStart(6, '0')}`])
    return { ids: [id, lineId], at, others, line: itsLine }
  }
  const plain = await placed(t)
  const cases: Record<string, object> = {
    prices: { price: 0.01, unit_price: 0.01, line_total: 0.01, modifiers_total: 5 },
    totals: { subtotal: 0.01, discount_total: 5, tax_total: 0, service_charge: 0, delivery_fee: 0, grand_total: 0.01 },
    'a status': { status: 'completed', fulfillment_status: 'ready', paid: true, source: 'pos', currency: 'XXX' },
    ids: { id: 77, order_number: 'ORD-999999', placed_at: '2001-01-01 00:00:00', name_snapshot: 'Free', title: 'Free' },
  }
  let count = 1
  async function isIgnored(t: TestContext, inOrder: string, inLine: string): Promise<void> {
    const order = await placed(t, inOrder, inLine)
    assert.deepEqual([order.others, order.line], [plain.others, plain.line])
    assert.deepEqual(order.ids, [plain.ids[0] + count, plain.ids[1] + count])
    assert.ok(!order.at.startsWith('2001'))
    count++
  }
  for (const [name, more] of Object.entries(cases)) {
    const members = `${JSON.stringify(more).slice(1, -1)},`
    await input(name, t => isIgnored(t, members, members))
  }
  const proto = '"__proto__":{"price":0,"unit_price":0,"item_id":4},'
  await input('__proto__ in a line', t => isIgnored(t, proto, proto))
})

row(51, 'the modifiers of a line are a list of ids with whole quantities', async (t, held) => {
  const shop = await openCountedShop(t)
  const entry = '/items/0/modifiers/0'
  for (const value of ['{}', '"x"', '1', 'true']) {
    await isTold(held, shop, value, [burger(value), '/items/0/modifiers'])
  }
  for (const value of ['[null]', '[1]', '[[]]'])
    await isTold(held, shop, value, [burger(value), `${entry}/modifier_id`])
  await isTold(
    held,
    shop,
    'no id',
    [burger('[{}]'), `${entry}/modifier_id`],
    [burger('[{"qty":1}]'), `${entry}/modifier_id`],
  )
  await isTold(held, shop, 'an id "1"', [burger('[{"modifier_id":"1"}]'), `${entry}/modifier_id`])
  await isTold(held, shop, 'an id 1.5', [burger('[{"modifier_id":1.5}]'), `${entry}/modifier_id`])
  for (const qty of ['0', '-1', '1.5', '100', '"1"', 'true', '1e400']) {
    await isTold(held, shop, `qty ${qty}`, [burger(`[{"modifier_id":1,"qty":${qty}}]`), `${entry}/qty`])
  }
  const accepted = [burger('null'), burger('[]'), burger('[{"modifier_id":1,"qty":null}]')]
  for (const body of accepted) await t.test(`${body} is accepted`, answers(shop, [postOf(shop, { body })], [201]))
})

row(52, 'the customer is an object of texts', async (t, held) => {
  const shop = await openCountedShop(t)
  for (const customer of ['"x"', '[]', '5', 'true']) {
    await isTold(held, shop, customer, [order(`"customer":${customer}`), '/customer'])
  }
  const emails: Record<string, string> = {
    'email without @': 'ana',
    'email of @ alone': '@',
    'email without a domain': 'ana@',
    'email without a name': '@x',
    'email with a space': 'a b@x',
    'email with two @': 'a@b@c',
    'email too long': `${'a'.repeat(250)}@b.com`,
  }
  for (const [name, email] of Object.entries(emails)) {
    await isTold(held, shop, name, [order(`"customer":{"email":"${email}"}`), '/customer/email'])
  }
  await isTold(held, shop, 'name 5', [order('"customer":{"name":5}'), '/customer/name'])
  await isTold(held, shop, 'phone {}', [order('"customer":{"phone":{}}'), '/customer/phone'])
  const absent = [
    order('"service_mode":null,"notes":null,"customer":null,"channel":null'),
    order('"customer":{"name":null,"phone":null,"email":null}'),
    order('"customer":{}'),
  ]
  for (const body of absent) await t.test(`${body} is accepted`, answers(shop, [postOf(shop, { body })], [201]))
})
