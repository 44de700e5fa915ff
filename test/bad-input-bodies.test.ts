import assert from 'node:assert/strict'
import { row } from './support/bad-input.ts'
import { requests } from './support/bad-input-rows.ts'
import { isTold, line, order } from './support/faulty-order.ts'
import { answers, assertAnswered, assertRefused, openCountedShop, refuses } from './support/traces.ts'
import { goodOrder, type Parts, postOf } from './support/wire.ts'

const good = JSON.stringify(goodOrder)
const json = 'Content-Type: application/json'

row(34, 'a body must be declared as uncompressed JSON in UTF-8', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  for (const [name, all] of Object.entries(requests[34](shop))) {
    for (const request of all) await input(name, refuses(shop, request, refusal()))
  }
})

row(35, 'JSON in UTF-8 can be declared in several ways', async (t, { input }) => {
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
  for (const [name, all] of Object.entries(requests[36](shop))) {
    for (const request of all) {
      await input(name, async t => {
        const answer = await assertRefused(t, shop, request, refusal())
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

row(38, 'a body must be an object without deep nesting', async (t, held) => {
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

row(39, 'keys with names of prototype members are treated like any others', async (t, held) => {
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

row(40, 'an invalid channel becomes web', async (t, { input }) => {
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

row(41, 'of a duplicate key the last wins', async (t, { input }) => {
  const shop = await openCountedShop(t)
  const first = '"items":[],"location_id":99,"notes":"first"'
  const last = '"location_id":1,"items":[{"item_id":9,"qty":1,"item_id":1}],"notes":"last"'
  await input('a duplicate key', async t => {
    const [answer] = await assertAnswered(t, shop, [postOf(shop, { body: `{${first},${last}}` })], [201])
    assert.equal(answer?.body.data.notes, 'last')
    assert.equal(answer?.body.data.items[0].item_id, 1)
  })
  await input('a duplicate key', async t => {
    const request = postOf(shop, { body: `{${last},${first}}` })
    await assertRefused(t, shop, request, { status: 400, code: 'INVALID_ORDER', isLast: false })
  })
})
