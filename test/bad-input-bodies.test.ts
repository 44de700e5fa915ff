import assert from 'node:assert/strict'
import { row } from './support/bad-input.ts'
import { isTold, line, order } from './support/faulty-order.ts'
import { answers, assertAnswered, assertRefused, openCountedShop, refuses } from './support/traces.ts'
import { goodOrder, type Parts, postOf } from './support/wire.ts'

const good = JSON.stringify(goodOrder)
const json = 'Content-Type: application/json'

row(34, 'a body must be announced as JSON in UTF-8 that is not compressed', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  const cases: Record<string, Parts[]> = {
    'Content-Encoding: gzip': [{ headers: ['Content-Encoding: gzip'] }, { headers: ['Content-Encoding: br'] }],
    'gzip beside identity': [
      { headers: ['Content-Encoding: identity', 'Content-Encoding: gzip'] },
      { headers: ['Content-Encoding: gzip, identity'] },
    ],
    'no Content-Type': [{ type: [] }],
    'an empty Content-Type': [{ type: ['Content-Type:'] }],
    'text/plain': [{ type: ['Content-Type: text/plain'] }],
    'a form': [
      { type: ['Content-Type: application/x-www-form-urlencoded'] },
      { type: ['Content-Type: multipart/form-data; boundary=x'] },
    ],
    'charset=utf-16': [{ type: [`${json}; charset=utf-16`] }, { type: [`${json};charset=UTF-16LE`] }],
    'another charset, quoted': [{ type: [`${json}; charset="iso-8859-1"`] }],
    'application/jsonx': [{ type: ['Content-Type: application/jsonx'] }],
    'application/problem+json': [{ type: ['Content-Type: application/problem+json'] }],
    'two Content-Type': [{ type: [json, json] }, { type: [json, 'Content-Type: text/plain'] }],
    'two types in one': [{ type: [`${json}, text/plain`] }, { type: [`${json}, application/json`] }],
  }
  for (const [name, all] of Object.entries(cases)) {
    for (const parts of all) await input(name, refuses(shop, postOf(shop, parts), refusal()))
  }
})

row(35, 'JSON in UTF-8 may be announced in several ways', async (t, { input }) => {
  const shop = await openCountedShop(t)
  const cases: Record<string, Parts> = {
    'Application/JSON ; charset=UTF-8': { type: ['Content-Type: Application/JSON ; charset=UTF-8'] },
    'a quoted charset': { type: [`${json};charset="utf-8"`] },
    'another parameter': { type: [`${json}; profile=x`] },
    'Content-Encoding: identity': { headers: ['Content-Encoding: identity'] },
  }
  for (const [name, parts] of Object.entries(cases)) await input(name, answers(shop, [postOf(shop, parts)], [201]))
})

row(36, 'a body that is not JSON in UTF-8 is refused, without a pointer', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  const quoted = (hex: string) => Buffer.concat([Buffer.from('"'), Buffer.from(hex, 'hex'), Buffer.from('"')])
  const noted = (text: Buffer) => Buffer.concat([Buffer.from(order('"notes":').slice(0, -1)), text, Buffer.from('}')])
  const cases: Record<string, (string | Buffer)[]> = {
    empty: [''],
    'white space': [' ', ' \n\t\r'],
    'truncated JSON': Array.from({ length: good.length - 1 }, (_, length) => good.slice(0, length + 1)),
    'something after the JSON': [`${good}x`, `${good}\0`, `${good},`],
    'two values': [good + good, `${good}\n${good}`],
    NaN: [order('"notes":NaN'), order('"notes":Infinity'), line('"item_id":1,"qty":NaN')],
    '01': [
      '{"location_id":01}',
      line('"item_id":01,"qty":1'),
      line('"item_id":1,"qty":+1'),
      line('"item_id":1,"qty":.5'),
    ],
    'a trailing comma': [order(''), '{"location_id":1,"items":[{"item_id":1,"qty":1},]}'],
    'single quotes': [good.replaceAll('"', "'")],
    'a comment': [`${good}// done`, `/* an order */${good}`],
    'a control character': [order('"notes":"\u0001"'), order('"notes":"\n"')],
    'invalid UTF-8': [noted(quoted('c328')), noted(quoted('ff')), noted(quoted('f4908080')), noted(quoted('e28c'))],
    'overlong UTF-8': [noted(quoted('c0af')), noted(quoted('e080af'))],
    'half a surrogate pair in UTF-8': [noted(quoted('eda080')), noted(quoted('eda080edb080'))],
    'UTF-16': [Buffer.from(good, 'utf16le'), Buffer.from(good, 'utf16le').swap16()],
    'UTF-16 with a byte order mark': [
      Buffer.from(`\uFEFF${good}`, 'utf16le'),
      Buffer.from(`\uFEFF${good}`, 'utf16le').swap16(),
    ],
  }
  for (const [name, bodies] of Object.entries(cases)) {
    for (const body of bodies) {
      await input(name, async t => {
        const answer = await assertRefused(t, shop, postOf(shop, { body }), refusal())
        assert.deepEqual(answer.body.errors, [{ title: 'The request body is not valid JSON.', code: 'INVALID_ORDER' }])
      })
    }
  }
})

row(37, 'a byte order mark before the JSON does not matter, nor does white space around it', async (t, { input }) => {
  const shop = await openCountedShop(t)
  const marked = postOf(shop, { body: `\uFEFF${good}` })
  await input('a byte order mark before the JSON', answers(shop, [marked], [201]))
  const spaced = [` \r\n\t${good}\n`, `\uFEFF ${good} `].map(body => postOf(shop, { body }))
  await t.test('white space around it', answers(shop, spaced, [201, 201]))
  const twice = { status: 400, code: 'INVALID_ORDER', isLast: false }
  await t.test('a second mark does', refuses(shop, postOf(shop, { body: `\uFEFF\uFEFF${good}` }), twice))
})

row(38, 'a body is an object, and not deep', async (t, held) => {
  const shop = await openCountedShop(t)
  const deep = '['.repeat(30_000) + ']'.repeat(30_000)
  const deepObject = `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`
  await isTold(held, shop, 'null', ['null', ''])
  await isTold(held, shop, 'an array', ['[]', ''], ['[1]', ''])
  await isTold(held, shop, 'an order in an array', [`[${good}]`, ''])
  await isTold(held, shop, 'a number', ['5', ''], ['-0', ''])
  await isTold(held, shop, 'a string', ['"x"', ''], ['""', ''])
  await isTold(held, shop, 'true', ['true', ''], ['false', ''])
  await isTold(held, shop, 'an array 30,000 deep', [deep, ''])
  await isTold(
    held,
    shop,
    'notes 30,000 deep',
    [order(`"notes":${deep}`), '/notes'],
    [order(`"notes":${deepObject}`), '/notes'],
  )
})

row(39, 'keys that are names of prototypes are keys like others', async (t, held) => {
  const shop = await openCountedShop(t)
  const whole = ['/location_id', '/items'] as const
  await isTold(held, shop, 'an order as __proto__', [`{"__proto__":${good}}`, ...whole])
  await isTold(held, shop, 'an order as constructor', [`{"constructor":{"prototype":${good}}}`, ...whole])
  const inLine = line('"__proto__":{"item_id":1,"qty":1}')
  await isTold(held, shop, 'a line as __proto__', [inLine, '/items/0/item_id', '/items/0/qty'])
  for (const name of ['items', 'location_id', 'item_id', 'qty']) {
    assert.equal(Object.hasOwn(Object.prototype, name), false, 'no prototype was changed')
  }
})

row(40, 'a channel that is none becomes web', async (t, { input }) => {
  const shop = await openCountedShop(t)
  for (const channel of ['"constructor"', '"__proto__"', '"WEB"', '"kiosk"', '""', '5', '{}', '["phone"]', 'null']) {
    await input(channel, async t => {
      const request = postOf(shop, { body: order(`"channel":${channel}`) })
      const [answer] = await assertAnswered(t, shop, [request], [201])
      assert.equal(answer?.body.data.channel, 'web')
      const [row] = shop.rows('SELECT channel FROM orders ORDER BY id DESC LIMIT 1')
      assert.equal(row?.channel, 'web')
    })
  }
})

row(41, 'of a key that stands twice the last wins', async (t, { input }) => {
  const shop = await openCountedShop(t)
  const first = '"items":[],"location_id":99,"notes":"first"'
  const last = '"location_id":1,"items":[{"item_id":9,"qty":1,"item_id":1}],"notes":"last"'
  await input('a key that stands twice', async t => {
    const [answer] = await assertAnswered(t, shop, [postOf(shop, { body: `{${first},${last}}` })], [201])
    assert.equal(answer?.body.data.notes, 'last')
    assert.equal(answer?.body.data.items[0].item_id, 1)
  })
  await input('a key that stands twice', async t => {
    const request = postOf(shop, { body: `{${last},${first}}` })
    await assertRefused(t, shop, request, { status: 400, code: 'INVALID_ORDER', isLast: false })
  })
})
