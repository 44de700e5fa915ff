import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { row } from './support/bad-input.ts'
import { heldClock } from './support/held-clock.ts'
import { assertAnswered, assertIsRefusal, assertTraces, type CountedShop, openCountedShop } from './support/traces.ts'
import { getOf, openWire, postOf } from './support/wire.ts'

const asContracted = { 'orders.limit': '60', 'orders.limit_window_s': '300' }
const twice = { 'orders.limit': '2' }

// Where the next good order comes from when the usual address has had its share.
const ELSEWHERE = '127.0.0.2'

row(53, 'the 61st order in 300 seconds is refused, with the time to retry', async (t, { input, refusal }) => {
  const clock = heldClock('2026-11-20T19:00:00Z')
  const shop = await openCountedShop(t, { clock, settings: asContracted })
  await input('the 61st order in 300 s', async t => {
    const act = async () => {
      const wire = openWire(t, shop.port)
      for (let i = 0; i < 60; i++) {
        wire.send(postOf(shop))
        assert.equal((await wire.answer()).status, 201)
        clock.pass(1000)
      }
      wire.send(postOf(shop))
      const answer = await wire.answer()
      assertIsRefusal(answer, refusal())
      assert.equal(answer.headers['retry-after'], '240')
      return openWire(t, shop.port, ELSEWHERE)
    }
    await assertTraces(t, shop, act, 60)
    // Reading is not limited.
    await assertAnswered(t, shop, [getOf(shop)], [200])
    clock.pass(240_000)
    await assertTraces(t, shop, async () => openWire(t, shop.port))
  })
})

row(54, 'exactly 60 of 100 simultaneous orders from one address are created', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t, { settings: asContracted })
  await input('100 orders at once from one address', async t => {
    const act = async () => {
      const wires = Array.from({ length: 100 }, () => openWire(t, shop.port))
      for (const wire of wires) wire.send(postOf(shop))
      const answers = await Promise.all(wires.map(wire => wire.answer()))
      const refused = answers.filter(({ status }) => status !== 201)
      assert.equal(refused.length, 40)
      for (const answer of refused) {
        assertIsRefusal(answer, refusal())
        const wait = Number(answer.headers['retry-after'])
        assert.ok(wait > 200 && wait <= 300, `to come back in ${wait} s`)
      }
      return openWire(t, shop.port, ELSEWHERE)
    }
    await assertTraces(t, shop, act, 60)
  })
})

/** Places orders that say where they come from, if they do. Answers their statuses. */
async function statuses(
  t: TestContext,
  shop: CountedShop,
  origins: (string | undefined)[],
  from?: string,
): Promise<number[]> {
  const answered: number[] = []
  for (const origin of origins) {
    const wire = openWire(t, shop.port, from)
    wire.send(postOf(shop, { headers: origin === undefined ? [] : [`X-Forwarded-For: ${origin}`] }))
    answered.push((await wire.answer()).status)
  }
  return answered
}

row(55, 'the declared address of a client is only trusted from a trusted proxy', async (_, { input }) => {
  await input('X-Forwarded-For from a peer that is no trusted proxy', async t => {
    const environment = { TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.9' }
    const shop = await openCountedShop(t, { settings: twice, environment })
    const act = async () => {
      const spoofed = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '10.0.0.1', '127.0.0.9']
      assert.deepEqual(await statuses(t, shop, spoofed), [201, 201, 429, 429, 429])
      return openWire(t, shop.port, ELSEWHERE)
    }
    await assertTraces(t, shop, act, 2)
    assert.deepEqual(await statuses(t, shop, ['192.0.2.1', '192.0.2.1', '192.0.2.1'], '127.0.0.9'), [201, 201, 429])
  })
  await input('a malformed one from a trusted proxy', async t => {
    const environment = { TRUSTED_PROXIES: '127.0.0.0/8' }
    const malformed = [
      'unknown',
      '192.0.2.1:4711',
      '',
      '192.0.2.1,',
      '192.0.2.256',
      '[::1]',
      '1::2::3',
      '\u00e9',
      '__proto__',
    ]
    for (const origin of malformed) {
      const shop = await openCountedShop(t, { settings: twice, environment })
      const act = async () => {
        assert.deepEqual(await statuses(t, shop, [origin, undefined, origin, undefined]), [201, 201, 429, 429], origin)
        return openWire(t, shop.port, ELSEWHERE)
      }
      await assertTraces(t, shop, act, 2)
    }
  })
})

row(56, 'all spellings of an address count as one, and so does the IPv6 network of a home', async (_, { input }) => {
  const environment = { TRUSTED_PROXIES: '127.0.0.0/8' }
  await input('an IPv4-mapped address', async t => {
    for (const HOST of ['127.0.0.1', '::ffff:127.0.0.1']) {
      const shop = await openCountedShop(t, { settings: twice, environment: { ...environment, HOST } })
      const spelt = ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:0201', '192.0.2.1', '::ffff:192.0.2.2']
      const act = async () => {
        assert.deepEqual(await statuses(t, shop, spelt), [201, 201, 429, 429, 201])
        return undefined
      }
      await assertTraces(t, shop, act, 3)
    }
  })
  await input('two addresses of one IPv6 /64', async t => {
    const shop = await openCountedShop(t, { settings: twice, environment })
    const home = ['2001:db8:1:2::1', '2001:0DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::3', '2001:db8:1:3::1']
    const act = async () => {
      assert.deepEqual(await statuses(t, shop, home), [201, 201, 429, 201])
      return undefined
    }
    await assertTraces(t, shop, act, 3)
  })
})
