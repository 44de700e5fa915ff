import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { row } from './support/bad-input.ts'
import { requests } from './support/bad-input-rows.ts'
import { answers, assertAnswered, assertRefused, assertTraces, openCountedShop, refuses } from './support/traces.ts'
import { api, getOf, openWire, postOf } from './support/wire.ts'

const notFound = { status: 404, code: 'NOT_FOUND', isLast: false }

row(6, 'a path must be written exactly as it is documented', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  for (const [name, all] of Object.entries(requests[6](shop))) {
    for (const request of all) await input(name, refuses(shop, request, refusal()))
  }
  const toOrders = postOf(shop, { line: `POST ${api}/orders/ HTTP/1.1` })
  await input('a slash at the end', refuses(shop, toOrders, refusal()))
  for (const path of ['/nothing', '/__proto__', '/api/v1/restaurant/locations', `${api}/locations/1`]) {
    await t.test(`nothing is at ${path}`, refuses(shop, getOf(shop, path), refusal()))
  }
})

row(7, 'a target in absolute form is routed by its path', async (t, { input }) => {
  const shop = await openCountedShop(t)
  await input('GET http://host/path', answers(shop, [getOf(shop, `http://other.example${api}/locations`)], [200]))
  await input(
    'GET HTTPS://host:8443/path',
    answers(shop, [getOf(shop, `HTTPS://other.example:8443${api}/locations/1/menu?x=1`)], [200]),
  )
  await input(
    'POST http://host/path',
    answers(shop, [postOf(shop, { line: `POST http://other.example${api}/orders HTTP/1.1` })], [201]),
  )
  await t.test('nothing is at another path', refuses(shop, getOf(shop, 'http://other.example/nothing'), notFound))
  for (const target of ['http://other.example', 'http://other.example?x', 'http://other.example/']) {
    await t.test(`${target} is the start page, which leads to the set-up`, async () => {
      const close = { host: ['Host: 127.0.0.1'], headers: ['Connection: close'] }
      assert.match(
        (await shop.raw(getOf(shop, target, close))).toString(),
        /^HTTP\/1\.1 303 [\s\S]*^Location: \/setup\r$/m,
      )
    })
  }
})

row(8, 'a target that is not a path is refused', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  for (const [name, all] of Object.entries(requests[8](shop))) {
    for (const request of all) await input(name, refuses(shop, request, refusal()))
  }
})

row(9, 'a location in the path is a whole number from 1 to 2^53-1, or unknown', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  const menuOf = (id: string) => getOf(shop, `${api}/locations/${id}/menu`)
  for (const id of ['0', '-1', '+1', '1.0', '1.5', '1e1', '0x1', '01', '1,2', 'one']) {
    await input(id, refuses(shop, menuOf(id), refusal()))
  }
  await input('2^53', refuses(shop, menuOf(String(2n ** 53n)), refusal()))
  await input('2^63', refuses(shop, menuOf(String(2n ** 63n)), refusal()))
  await input('7,000 digits', refuses(shop, menuOf('1'.repeat(7000)), refusal()))
  await t.test('2^53-1 is unknown, too, where there is no such location', async t => {
    await assertRefused(t, shop, menuOf(String(2n ** 53n - 1n)), refusal())
  })
})

row(10, 'query parameters are ignored', async (t, { input }) => {
  const shop = await openCountedShop(t)
  const queries = ['?', '?x=1&x=%zz&__proto__=1', '?location=2//../', '?a?b', '?location_id=99&items[]=', '?[]{}|^`']
  for (const query of queries) {
    await input(
      'unknown parameters of a GET',
      answers(
        shop,
        [getOf(shop, `${api}/locations/1/menu${query}`), getOf(shop, `${api}/locations${query}`)],
        [200, 200],
      ),
    )
    await input(
      'unknown parameters of a POST',
      answers(shop, [postOf(shop, { line: `POST ${api}/orders${query} HTTP/1.1` })], [201]),
    )
  }
})

row(11, 'a request line or headers beyond 8 KB are refused', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  for (const [name, all] of Object.entries(requests[11](shop))) {
    for (const request of all) await input(name, refuses(shop, request, refusal()))
  }
})

row(12, 'HEAD gets the response of GET, without a body', async (t, { input }) => {
  const shop = await openCountedShop(t)
  const cases = { 'HEAD of the locations': `${api}/locations`, 'HEAD of a menu': `${api}/locations/1/menu` }
  for (const [name, target] of Object.entries(cases)) {
    await input(name, async t => {
      const [got] = await assertAnswered(t, shop, [getOf(shop, target)], [200])
      await assertTraces(t, shop, async () => {
        const wire = openWire(t, shop.port)
        wire.send(getOf(shop, undefined, { line: `HEAD ${target} HTTP/1.1` }))
        const { status, headers } = await wire.answer('HEAD')
        assert.equal(status, 200)
        for (const header of ['etag', 'content-length', 'content-type', 'cache-control', 'vary']) {
          assert.equal(headers[header], got?.headers[header], header)
        }
        // That its body is not there shows in the next answer, which comes over the same connection.
        return wire
      })
    })
  }
})

row(13, 'a method that a path does not have is refused with those that it has', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  async function isRefused(t: TestContext, method: string, path: string, allow: string): Promise<void> {
    const request = postOf(shop, { line: `${method} ${api}${path} HTTP/1.1` })
    const answer = await assertRefused(t, shop, request, refusal())
    assert.equal(answer.headers.allow, allow)
  }
  for (const method of ['PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND']) {
    await input(method, async t => {
      await isRefused(t, method, '/locations', 'GET, HEAD, OPTIONS')
      await isRefused(t, method, '/locations/1/menu', 'GET, HEAD, OPTIONS')
      await isRefused(t, method, '/orders', 'POST, OPTIONS')
    })
  }
  await input('GET of the orders', t => isRefused(t, 'GET', '/orders', 'POST, OPTIONS'))
  await input('POST to the locations', t => isRefused(t, 'POST', '/locations', 'GET, HEAD, OPTIONS'))
})

row(14, 'OPTIONS names the methods, without a token and without CORS', async (t, { input }) => {
  const shop = await openCountedShop(t)
  async function isAnswered(t: TestContext, target: string, allow: string): Promise<void> {
    const line = `OPTIONS ${target} HTTP/1.1`
    const headers = ['Origin: https://evil.example', 'Access-Control-Request-Method: POST']
    const [answer] = await assertAnswered(t, shop, [getOf(shop, undefined, { line, headers, access: [] })], [204])
    assert.equal(answer?.headers.allow, allow)
    assert.equal(answer?.bytes.length, 0)
    const names = Object.keys(answer?.headers ?? {})
    assert.deepEqual(
      names.filter(name => name.startsWith('access-control')),
      [],
    )
  }
  await input('OPTIONS of a path', async t => {
    await isAnswered(t, `${api}/locations`, 'GET, HEAD, OPTIONS')
    await isAnswered(t, `${api}/locations/1/menu`, 'GET, HEAD, OPTIONS')
    await isAnswered(t, `${api}/orders`, 'POST, OPTIONS')
  })
  await input('OPTIONS *', t => isAnswered(t, '*', 'GET, HEAD, POST, OPTIONS'))
  const unknown = getOf(shop, undefined, { line: `OPTIONS ${api}/nothing HTTP/1.1` })
  await t.test('OPTIONS of an unknown path is not found', refuses(shop, unknown, notFound))
})

row(15, 'CONNECT and unknown methods are refused', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  for (const [name, all] of Object.entries(requests[15](shop))) {
    for (const request of all) await input(name, refuses(shop, request, refusal()))
  }
})

row(16, 'a protocol upgrade is ignored', async (t, { input }) => {
  const shop = await openCountedShop(t)
  const headers = {
    websocket: ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'],
    h2c: ['HTTP2-Settings: AAMAAABkAAQAAP__'],
  }
  for (const [protocol, more] of Object.entries(headers)) {
    const wish = { headers: ['Connection: Upgrade, HTTP2-Settings', `Upgrade: ${protocol}`, ...more] }
    for (const [request, status] of [
      [getOf(shop, undefined, wish), 200] as const,
      [postOf(shop, wish), 201] as const,
    ]) {
      await input(`Upgrade: ${protocol}`, async t => {
        const act = async () => {
          const wire = openWire(t, shop.port)
          // What comes behind it in the same packet may be of that other protocol.
          wire.send(Buffer.concat([request, postOf(shop)]))
          const answer = await wire.answer()
          assert.deepEqual([answer.status, answer.headers.connection], [status, 'close'])
          assert.equal(answer.headers.upgrade, undefined)
          assert.equal(await wire.rest(), '')
          return undefined
        }
        await assertTraces(t, shop, act, Number(status === 201))
      })
    }
  }
})

row(17, 'a request must have exactly one Host, which only HTTP/1.0 can omit', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  const one = 'Host: shop.example'
  await input('no Host', refuses(shop, postOf(shop, { host: [] }), refusal()))
  const options = getOf(shop, undefined, { line: 'OPTIONS * HTTP/1.1', host: [] })
  await input('no Host', refuses(shop, options, refusal()))
  await input('two Hosts', refuses(shop, postOf(shop, { host: [one, one] }), refusal()))
  await input('two Hosts', refuses(shop, postOf(shop, { host: [one, 'Host: evil.example'] }), refusal()))
  await input('two Hosts', refuses(shop, postOf(shop, { host: [one], headers: [one] }), refusal()))
  await input(
    'two Hosts of OPTIONS *',
    refuses(shop, getOf(shop, undefined, { line: 'OPTIONS * HTTP/1.1', host: [one, one] }), refusal()),
  )
  for (const host of ['shop example', 'shop/', 'user@shop', 'shop?', 'shop#', 'a, b', '"shop"', 'sh\u00f6p']) {
    await input('a Host that is none', refuses(shop, postOf(shop, { host: [`Host: ${host}`] }), refusal()))
  }
  const accepted = ['shop.example:8443', '[::1]:8080', '[fe80::1%25eth0]', 'caf%C3%A9', '127.0.0.1', 'my_shop', '']
  for (const host of accepted) {
    await t.test(`Host "${host}" is accepted`, answers(shop, [postOf(shop, { host: [`Host: ${host}`] })], [201]))
  }
  const old = { line: `POST ${api}/orders HTTP/1.0`, host: [] }
  await t.test('HTTP/1.0 without a Host is served', answers(shop, [postOf(shop, old)], [201]))
  await t.test('HTTP/1.0 with two is not', refuses(shop, postOf(shop, { ...old, host: [one, one] }), refusal()))
})

row(18, 'a request line names HTTP/1.1 or HTTP/1.0', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  for (const [name, all] of Object.entries(requests[18](shop))) {
    for (const request of all) await input(name, refuses(shop, request, refusal()))
  }
})
