import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { row } from './support/bad-input.ts'
import { assertAnswered, assertIsRefusal, assertRefused, assertTraces, openCountedShop } from './support/traces.ts'
import { api, goodOrder, openWire, type Parts, postOf } from './support/wire.ts'

row(
  1,
  'a token that is missing, malformed, outdated or not in its header is refused',
  async (t, { input, refusal }) => {
    const shop = await openCountedShop(t)
    const inQuery = `?token=${shop.token}&access_token=${shop.token}`
    const cases: Record<string, Parts> = {
      'no token': { access: [] },
      'in the query': { access: [], line: `POST ${api}/orders${inQuery} HTTP/1.1` },
      'Bearer alone': { access: ['Authorization: Bearer'] },
      'something after the token': { access: [`Authorization: Bearer ${shop.token} b`] },
      Basic: { access: [`Authorization: Basic ${Buffer.from(`api:${shop.token}`).toString('base64')}`] },
      'another scheme': { access: [`Authorization: Token ${shop.token}`] },
      'without a scheme': { access: [`Authorization: ${shop.token}`] },
      'an empty X-Api-Token': { access: ['X-Api-Token:'] },
      'in a cookie': { access: [`Cookie: token=${shop.token}; Authorization=${shop.token}`] },
      'a letter too many': { access: [`Authorization: Bearer ${shop.token}a`] },
    }
    for (const [name, parts] of Object.entries(cases)) {
      await input(name, async t => {
        const answer = await assertRefused(t, shop, postOf(shop, parts), refusal())
        assert.equal(answer.headers['www-authenticate'], 'Bearer')
      })
    }
    await input('rotated out', async t => {
      const request = postOf(shop)
      shop.token = shop.store.token.generate()
      await assertRefused(t, shop, request, refusal())
    })
    await input('while none was generated', async t => {
      const request = postOf(shop)
      await assertTraces(t, shop, async () => {
        shop.execute('DELETE FROM api_token')
        const wire = openWire(t, shop.port)
        wire.send(request)
        assertIsRefusal(await wire.answer(), refusal())
        shop.token = shop.store.token.generate()
        return undefined
      })
    })
  },
)

row(2, 'a token is accepted with any spelling of its scheme', async (t, { input }) => {
  const shop = await openCountedShop(t)
  const cases = {
    bEARER: `bEARER ${shop.token}`,
    'several spaces before the token': `Bearer    ${shop.token}`,
  }
  for (const [name, credentials] of Object.entries(cases)) {
    await input(name, async t => {
      await assertAnswered(t, shop, [postOf(shop, { access: [`Authorization: ${credentials}`] })], [201])
    })
  }
})

row(3, 'a repeated, contradictory or malformed token is refused', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  const bearer = `Authorization: Bearer ${shop.token}`
  const key = `X-Api-Token: ${shop.token}`
  const cases: Record<string, string[]> = {
    'two Authorization': [bearer, bearer],
    'two X-Api-Token': [key, key],
    'a wrong Bearer beside a right X-Api-Token': ['Authorization: Bearer svy_wrong', key],
    'an empty Bearer beside a right X-Api-Token': ['Authorization: Bearer', key],
    '7 KB long': [`Authorization: Bearer ${'a'.repeat(7000)}`],
    'outside ASCII': [`${bearer}\u00e9`],
  }
  for (const [name, access] of Object.entries(cases)) {
    await input(name, async t => {
      const answer = await assertRefused(t, shop, postOf(shop, { access }), refusal())
      assert.equal(answer.headers['www-authenticate'], 'Bearer')
    })
  }
})

row(4, 'a header with the name of a prototype changes nothing', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  await input('one named __proto__ beside a token', async t => {
    const access = ['__proto__: x', `authorization: Bearer ${shop.token}`, 'constructor: y']
    await assertAnswered(t, shop, [postOf(shop, { access })], [201])
  })
  await input('one named __proto__ that has the token', async t => {
    const access = [`__proto__: Bearer ${shop.token}`, `__proto__: ${shop.token}`]
    await assertRefused(t, shop, postOf(shop, { access }), refusal())
  })
})

row(5, 'a body without a token is not waited for, and little of it is read', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  const MIB = 1024 * 1024
  // What is taken, and what the systems of both sides hold in between.
  const MOST_TAKEN = 16 * MIB + 16 * MIB

  /** Sends a megabyte again and again until the connection ends. Answers how many bytes went out. */
  async function pourInto(port: number, head: Buffer, megabyte: Buffer): Promise<number> {
    const socket = connect(port, '127.0.0.1')
    t.after(() => socket.destroy())
    socket.on('error', () => {}).resume()
    socket.write(head)
    const closed = new Promise<number>(resolve => socket.once('close', () => resolve(socket.bytesWritten)))
    const pour = () => {
      while (!socket.destroyed && socket.write(megabyte));
    }
    socket.on('drain', pour)
    pour()
    return closed
  }

  const cases = {
    'a gigabyte by Content-Length': { framing: ['Content-Length: 1000000000'], megabyte: Buffer.alloc(MIB, ' ') },
    'endless chunks': {
      framing: ['Transfer-Encoding: chunked'],
      megabyte: Buffer.from(`100000\r\n${' '.repeat(MIB)}\r\n`),
    },
  }
  for (const [name, { framing, megabyte }] of Object.entries(cases)) {
    const head = postOf(shop, { access: [], framing, body: '' })
    await input(name, t =>
      assertTraces(t, shop, async () => {
        const wire = openWire(t, shop.port)
        wire.send(head)
        const answer = await wire.answer()
        assertIsRefusal(answer, refusal())
        assert.equal(answer.headers.connection, 'close')
        wire.finish()
        assert.equal(await wire.rest(), '')

        const taken = await pourInto(shop.port, head, megabyte)
        assert.ok(taken <= MOST_TAKEN, `${taken} bytes were taken`)
        return undefined
      }),
    )
  }
  await t.test('a body of the largest size of an order is discarded, and the connection is closed, too', async t => {
    const body = JSON.stringify(goodOrder)
    await assertRefused(t, shop, postOf(shop, { access: [], body }), { ...refusal(), isLast: true })
  })
})
