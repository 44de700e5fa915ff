import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, BlockList, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { httpServer } from '../routes/http.ts'
import { orderLimit } from '../routes/order-limit.ts'
import { jsonLog } from '../store/log.ts'
import { openShop, type Shop } from './harness.ts'
import { assertMatches } from './openapi.ts'
import { api, chunked, getOf, goodOrder, openWire, orderCount, type Parts, postOf, type WireAnswer } from './wire.ts'

const good = JSON.stringify(goodOrder)
const LARGEST_BODY = 256 * 1024

/** A shop that takes orders without end, so that every case can be followed by a good one. */
function openBusyShop(t: TestContext): Promise<Shop> {
  return openShop(t, { settings: { 'orders.limit': '1000000' } })
}

type Rest<F> = F extends (t: TestContext, ...rest: infer R) => unknown ? R : never

type Refusal = readonly [status: number, code: string]
const INVALID_TOKEN: Refusal = [401, 'INVALID_TOKEN']
const INVALID_ORDER: Refusal = [400, 'INVALID_ORDER']
const BAD_REQUEST: Refusal = [400, 'BAD_REQUEST']
const NOT_FOUND: Refusal = [404, 'NOT_FOUND']
const UNKNOWN_LOCATION: Refusal = [404, 'UNKNOWN_LOCATION']
const TOO_LARGE: Refusal = [413, 'PAYLOAD_TOO_LARGE']
const UNSUPPORTED: Refusal = [415, 'UNSUPPORTED_MEDIA_TYPE']
const HEADERS_TOO_LARGE: Refusal = [431, 'HEADERS_TOO_LARGE']

/** Asserts that a request is refused, that no order came of it, and that the next good order is served. */
async function assertRefused(
  t: TestContext,
  shop: Shop,
  request: string | Buffer,
  [status, code]: Refusal,
  connection: 'closed' | 'either' = 'either',
): Promise<WireAnswer> {
  const before = orderCount(shop)
  const wire = openWire(t, shop.port)
  wire.send(request)
  const answer = await wire.answer()
  const codes = new Set(answer.body.errors.map((error: { code: string }) => error.code))
  assert.deepEqual([answer.status, ...codes], [status, code])
  const line = /^([A-Z]+) (\/\S*) HTTP\/1\.1\r\n/.exec(request.toString('latin1'))
  if (line) assertMatches(line[2] ?? '', line[1] ?? '', answer.status, answer.headers, answer.body)

  const isClosed = connection === 'closed' || answer.headers.connection === 'close'
  if (isClosed) assert.equal(await wire.rest(), '', 'nothing comes after the answer that closes the connection')
  const next = isClosed ? openWire(t, shop.port) : wire
  next.send(postOf(shop))
  assert.equal((await next.answer()).status, 201, 'the next good order is served')
  assert.equal(orderCount(shop), before + 1, 'only the good order was created')
  return answer
}

/** The same as a test case. */
function refuses(
  ...[shop, request, refusal, connection]: Rest<typeof assertRefused>
): (t: TestContext) => Promise<void> {
  return async t => void (await assertRefused(t, shop, request, refusal, connection))
}

/** Asserts that requests, sent at once over one connection, are answered so and make so many orders. */
async function assertAnswered(
  t: TestContext,
  shop: Shop,
  requests: Buffer[],
  statuses: number[],
  orders: number,
): Promise<WireAnswer[]> {
  const before = orderCount(shop)
  const wire = openWire(t, shop.port)
  wire.send(Buffer.concat(requests))
  const answers: WireAnswer[] = []
  for (const _ of statuses) answers.push(await wire.answer())
  assert.deepEqual(
    answers.map(({ status }) => status),
    statuses,
  )
  assert.equal(orderCount(shop), before + orders)
  return answers
}

/** The same as a test case. */
function answers(
  ...[shop, requests, statuses, orders]: Rest<typeof assertAnswered>
): (t: TestContext) => Promise<void> {
  return async t => void (await assertAnswered(t, shop, requests, statuses, orders))
}

test('a token that is missing, malformed, repeated or not in a header is refused', async t => {
  const shop = await openBusyShop(t)
  const bearer = `Authorization: Bearer ${shop.token}`
  const key = `X-Api-Token: ${shop.token}`
  const cases: [string, Parts][] = [
    ['none', { access: [] }],
    [
      'in the query',
      { access: [], line: `POST ${api}/orders?token=${shop.token}&access_token=${shop.token} HTTP/1.1` },
    ],
    ['Bearer alone', { access: ['Authorization: Bearer'] }],
    ['Bearer with something after the token', { access: [`${bearer} b`] }],
    ['Basic', { access: [`Authorization: Basic ${Buffer.from(`api:${shop.token}`).toString('base64')}`] }],
    ['the token without a scheme', { access: [`Authorization: ${shop.token}`] }],
    ['another scheme', { access: [`Authorization: Token ${shop.token}`] }],
    ['an empty X-Api-Token', { access: ['X-Api-Token:'] }],
    ['two Authorization headers', { access: [bearer, bearer] }],
    ['two X-Api-Token headers', { access: [key, key] }],
    ['a wrong Bearer beside a right X-Api-Token', { access: ['Authorization: Bearer svy_wrong', key] }],
    ['an empty Bearer beside a right X-Api-Token', { access: ['Authorization: Bearer', key] }],
    ['a token of 7 KB', { access: [`Authorization: Bearer ${'a'.repeat(7000)}`] }],
    ['a token with a letter too many', { access: [`${bearer}a`] }],
    ['a token outside ASCII', { access: [`${bearer}\u00e9`] }],
    ['in a cookie', { access: [`Cookie: token=${shop.token}; Authorization=${shop.token}`] }],
    [
      'in a trailer',
      {
        access: [],
        framing: ['Transfer-Encoding: chunked', 'Trailer: Authorization'],
        body: `${good.length.toString(16)}\r\n${good}\r\n0\r\n${bearer}\r\n\r\n`,
      },
    ],
  ]
  for (const [title, parts] of cases) {
    await t.test(`${title} is refused`, async t => {
      const answer = await assertRefused(t, shop, postOf(shop, parts), INVALID_TOKEN)
      assert.equal(answer.headers['www-authenticate'], 'Bearer')
    })
  }
})

test('a body is not waited for when the token is wrong', async t => {
  const shop = await openBusyShop(t)
  const wire = openWire(t, shop.port)
  wire.send(postOf(shop, { access: [], framing: ['Content-Length: 1000000000'], body: '' }))
  const answer = await wire.answer()
  assert.deepEqual([answer.status, answer.headers.connection], [401, 'close'])
  wire.finish()
  assert.equal(await wire.rest(), '')
  assert.equal((await shop.order(goodOrder)).status, 201)
})

test('a token is accepted however its scheme is spelt', async t => {
  const shop = await openBusyShop(t)
  const cases: [string, string[]][] = [
    ['bEARER', [`Authorization: bEARER ${shop.token}`]],
    ['several spaces before the token', [`Authorization: Bearer    ${shop.token}`]],
    ['a header named __proto__ beside it', ['__proto__: x', `authorization: Bearer ${shop.token}`, 'constructor: y']],
  ]
  for (const [title, access] of cases) {
    await t.test(`${title} is accepted`, async t => {
      await assertAnswered(t, shop, [postOf(shop, { access })], [201], 1)
    })
  }
})

test('a path must be spelt as it is documented', async t => {
  const shop = await openBusyShop(t)
  const paths = [
    `${api}/locations/`,
    `${api}/%6cocations`,
    `${api}/%2e%2e/restaurant/locations`,
    `${api}/../restaurant/locations`,
    `${api}/x/..%2flocations`,
    `${api}/x\\..\\locations`,
    `${api}/%zz`,
    `${api}/%c0%ae`,
    `${api}/locations/1%00/menu`,
    `//evil.example${api}/locations`,
    `/${api}/locations`,
    `${api}//locations`,
    `${api}/Locations`,
    `${api}/locations//menu`,
    `${api}/locations/1/menu/`,
    `${api}/locations/1`,
    `${api}/locations;a=b`,
    '/api/v1/restaurant/locations',
    '/__proto__',
    '/',
  ]
  for (const path of paths) {
    await t.test(`${path} is not found`, refuses(shop, getOf(shop, path), NOT_FOUND))
  }
  await t.test(
    'a POST to the orders with a slash at the end is not found',
    refuses(shop, postOf(shop, { line: `POST ${api}/orders/ HTTP/1.1` }), NOT_FOUND),
  )
})

test('a target that is no path is refused', async t => {
  const shop = await openBusyShop(t)
  const targets = [
    'http://[::bad/',
    'ftp://shop.example/',
    'shop.example',
    '*',
    '/a b',
    '/a\tb',
    '/caf\u00e9',
    `${api}/locations#part`,
  ]
  for (const target of targets) {
    await t.test(`${JSON.stringify(target)} is refused`, refuses(shop, getOf(shop, target), BAD_REQUEST))
  }
})

test('a location id in the path that is no whole number from 1 to 2^53-1 is an unknown location', async t => {
  const shop = await openBusyShop(t)
  const ids = ['0', '-1', '+1', '1.0', '1.5', '1e1', '0x1', '01', 'one', '1,2', '2', '9007199254740992']
  for (const id of [...ids, '9223372036854775808', '1'.repeat(7000)]) {
    await t.test(
      `${id.slice(0, 20)} is unknown`,
      refuses(shop, getOf(shop, `${api}/locations/${id}/menu`), UNKNOWN_LOCATION),
    )
  }
})

test('a target in absolute form is routed by its path, and query parameters are ignored', async t => {
  const shop = await openBusyShop(t)
  const targets = [
    `http://other.example${api}/locations`,
    `HTTPS://other.example:8443${api}/locations?x=1`,
    `${api}/locations?x=1&x=%zz&__proto__=1`,
    `${api}/locations/1/menu?`,
    `${api}/locations/1/menu?location=2//../`,
  ]
  for (const target of targets) {
    await t.test(`${target} is served`, answers(shop, [getOf(shop, target)], [200], 0))
  }
})

test('a request line or headers beyond 8 KB are refused', async t => {
  const shop = await openBusyShop(t)
  const cases: [string, Buffer][] = [
    ['a target of 20 KB', getOf(shop, `/${'a'.repeat(20_000)}`)],
    ['a header of 20 KB', postOf(shop, { headers: [`X-Long: ${'a'.repeat(20_000)}`] })],
    [
      'many headers of 20 KB together',
      postOf(shop, { headers: Array.from({ length: 1000 }, (_, i) => `X-${i}: ${'a'.repeat(15)}`) }),
    ],
  ]
  for (const [title, request] of cases) {
    await t.test(`${title} is refused`, refuses(shop, request, HEADERS_TOO_LARGE, 'closed'))
  }
})

test('a method that a path does not have is refused with those that it has', async t => {
  const shop = await openBusyShop(t)
  for (const [path, allow] of [
    ['/locations', 'GET, HEAD, OPTIONS'],
    ['/locations/1/menu', 'GET, HEAD, OPTIONS'],
    ['/orders', 'POST, OPTIONS'],
  ]) {
    const others = path === '/orders' ? ['GET'] : ['POST']
    for (const method of [...others, 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND']) {
      await t.test(`${method} ${path} is refused`, async t => {
        const request = postOf(shop, { line: `${method} ${api}${path} HTTP/1.1` })
        const answer = await assertRefused(t, shop, request, [405, 'METHOD_NOT_ALLOWED'])
        assert.equal(answer.headers.allow, allow)
      })
    }
    await t.test(`OPTIONS ${path} names the methods, without a token`, async t => {
      const options = getOf(shop, undefined, { line: `OPTIONS ${api}${path} HTTP/1.1`, access: [] })
      const [answer] = await assertAnswered(t, shop, [options], [204], 0)
      assert.equal(answer?.headers.allow, allow)
      assert.equal(answer?.bytes.length, 0)
    })
  }
})

test('what is no method of HTTP is refused', async t => {
  const shop = await openBusyShop(t)
  for (const method of ['FOO', 'get', 'G\u00cbT', '']) {
    await t.test(
      `${JSON.stringify(method)} is refused`,
      refuses(shop, postOf(shop, { line: `${method} ${api}/orders HTTP/1.1` }), BAD_REQUEST, 'closed'),
    )
  }
  await t.test('CONNECT ends the connection', async t => {
    const wire = openWire(t, shop.port)
    wire.send(getOf(shop, undefined, { line: 'CONNECT shop.example:443 HTTP/1.1' }))
    assert.equal(await wire.rest(), '')
    assert.equal((await shop.order(goodOrder)).status, 201)
  })
})

test('a wish for another protocol is ignored', async t => {
  const shop = await openBusyShop(t)
  for (const protocol of ['websocket', 'h2c']) {
    await t.test(`${protocol} gets an answer in HTTP/1.1, and the connection goes on`, async t => {
      const headers = ['Connection: Upgrade', `Upgrade: ${protocol}`]
      const wire = openWire(t, shop.port)
      wire.send(getOf(shop, undefined, { headers }))
      assert.equal((await wire.answer()).status, 200)
      wire.send(postOf(shop, { headers }))
      assert.equal((await wire.answer()).status, 201)
    })
  }
})

test('a request has exactly one Host, which only HTTP/1.0 may leave out', async t => {
  const shop = await openBusyShop(t)
  const [one] = postOf(shop).toString().split('\r\n').slice(1)
  assert.ok(one)
  await t.test('no Host is refused', refuses(shop, postOf(shop, { host: [] }), BAD_REQUEST))
  await t.test('two Hosts are refused', refuses(shop, postOf(shop, { host: [one, one] }), BAD_REQUEST))
  await t.test(
    'OPTIONS * without a Host is refused, too',
    refuses(shop, getOf(shop, undefined, { line: 'OPTIONS * HTTP/1.1', host: [] }), BAD_REQUEST),
  )
  await t.test(
    'HTTP/1.0 without a Host is served',
    answers(shop, [postOf(shop, { line: `POST ${api}/orders HTTP/1.0`, host: [] })], [201], 1),
  )
})

test('a body must say in one way where it ends', async t => {
  const shop = await openBusyShop(t)
  const length = `Content-Length: ${good.length}`
  const chunks = 'Transfer-Encoding: chunked'
  const cases: [string, string[]][] = [
    ['Content-Length before Transfer-Encoding', [length, chunks]],
    ['Content-Length after Transfer-Encoding', [chunks, length]],
    ['Content-Length twice', [length, length]],
    ['two different Content-Lengths', [length, 'Content-Length: 5']],
    ['Content-Length as a list', [`${length}, ${good.length}`]],
    ['Content-Length with a plus', [`Content-Length: +${good.length}`]],
    ['a negative Content-Length', ['Content-Length: -1']],
    ['a hexadecimal Content-Length', ['Content-Length: 0x2']],
    ['an empty Content-Length', ['Content-Length:']],
    ['an overflowing Content-Length', ['Content-Length: 99999999999999999999']],
    ['a space before the colon of Content-Length', [`Content-Length : ${good.length}`]],
    ['xchunked', ['Transfer-Encoding: xchunked']],
    ['identity', ['Transfer-Encoding: identity']],
    ['an empty Transfer-Encoding', ['Transfer-Encoding:']],
    ['chunked twice in a list', ['Transfer-Encoding: chunked, chunked']],
    ['chunked twice', [chunks, chunks]],
    ['identity, chunked', ['Transfer-Encoding: identity, chunked']],
    ['chunked, gzip', ['Transfer-Encoding: chunked, gzip']],
  ]
  for (const [title, framing] of cases) {
    const body = framing.some(line => line.startsWith('Transfer')) ? chunked(good) : good
    await t.test(`${title} is refused`, refuses(shop, postOf(shop, { framing, body }), BAD_REQUEST, 'closed'))
  }
  const compressed = postOf(shop, { framing: ['Transfer-Encoding: gzip, chunked'], body: chunked(good) })
  await t.test('gzip, chunked is refused', refuses(shop, compressed, [501, 'NOT_IMPLEMENTED'], 'closed'))
  const old = postOf(shop, { line: `POST ${api}/orders HTTP/1.0`, framing: [chunks], body: chunked(good) })
  await t.test('chunked in HTTP/1.0 is refused', refuses(shop, old, BAD_REQUEST, 'closed'))
  await t.test(
    'chunked is accepted, however it is spelt',
    answers(
      shop,
      [postOf(shop, { framing: ['transfer-encoding: Chunked'], body: chunked(good) }), postOf(shop)],
      [201, 201],
      2,
    ),
  )
})

test('a head that is not HTTP/1.1 to the letter is refused', async t => {
  const shop = await openBusyShop(t)
  const whole = postOf(shop).toString('latin1')
  const cases: [string, string | Buffer][] = [
    ['bare line feeds', whole.replaceAll('\r\n', '\n')],
    ['one bare line feed', postOf(shop, { headers: ['X-A: a\nX-B: b'] })],
    ['a bare carriage return', postOf(shop, { headers: ['X-A: a\rX-B: b'] })],
    ['NUL in a value', postOf(shop, { headers: ['X-A: a\0b'] })],
    ['NUL in a name', postOf(shop, { headers: ['X\0A: a'] })],
    ['a folded line', postOf(shop, { headers: ['X-A: a\r\n b'] })],
    ['a folded credential', postOf(shop, { access: [`Authorization: Bearer\r\n ${shop.token}`] })],
    ['a space before the colon', postOf(shop, { headers: ['X-A : a'] })],
    ['an empty name', postOf(shop, { headers: [': a'] })],
    ['a line without a colon', postOf(shop, { headers: ['abc'] })],
    ['HTTP/2.0 in the request line', postOf(shop, { line: `POST ${api}/orders HTTP/2.0` })],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS', Buffer.from('16030100c8010000c40303', 'hex')],
  ]
  for (const [title, request] of cases) {
    await t.test(`${title}: refused`, refuses(shop, request, BAD_REQUEST, 'closed'))
  }
})

test('a chunked body that is not so to the letter is refused', async t => {
  const shop = await openBusyShop(t)
  const size = good.length.toString(16)
  const cases: [string, string, Refusal][] = [
    ['a size of 0x2', `0x2\r\n{}\r\n0\r\n\r\n`, BAD_REQUEST],
    ['a size of -2', `-2\r\n{}\r\n0\r\n\r\n`, BAD_REQUEST],
    ['no size', `\r\n${good}\r\n0\r\n\r\n`, BAD_REQUEST],
    ['an overflowing size', `fffffffffffffffff\r\n{}\r\n0\r\n\r\n`, BAD_REQUEST],
    ['a bare line feed after the size', `${size}\n${good}\r\n0\r\n\r\n`, BAD_REQUEST],
    ['a bare line feed after an extension', `${size};a\n${good}\r\n0\r\n\r\n`, BAD_REQUEST],
    ['a bare line feed after the data', `${size}\r\n${good}\n0\r\n\r\n`, BAD_REQUEST],
    ['bare line feeds at the end', `${size}\r\n${good}\r\n0\n\n`, BAD_REQUEST],
    ['an extension of 20 KB', `${size};${'a'.repeat(20_000)}\r\n${good}\r\n0\r\n\r\n`, TOO_LARGE],
  ]
  const framing = ['Transfer-Encoding: chunked']
  for (const [title, body, refusal] of cases) {
    await t.test(`${title}: refused`, refuses(shop, postOf(shop, { framing, body }), refusal, 'closed'))
  }
  await t.test(
    'an answer that was given before the fault in the body still arrives',
    refuses(shop, postOf(shop, { access: [], framing, body: 'zz\r\n' }), INVALID_TOKEN, 'closed'),
  )
})

test('requests that share a connection are answered in order, and an order is never created without an answer', async t => {
  const shop = await openBusyShop(t)
  const noted = (notes: string) => postOf(shop, { body: JSON.stringify({ ...goodOrder, notes }) })
  const junk = Buffer.from('\0junk\r\n\r\n')

  await t.test('pipelined orders are answered in order, each counted', async t => {
    const notes = ['a', 'b', 'c', 'd', 'e']
    const answers = await assertAnswered(t, shop, notes.map(noted), [201, 201, 201, 201, 201], 5)
    assert.deepEqual(
      answers.map(({ body }) => body.data.notes),
      notes,
    )
  })
  await t.test(
    'a refused one among them does not disturb the others',
    answers(shop, [postOf(shop), postOf(shop, { body: '{}' }), postOf(shop)], [201, 400, 201], 2),
  )
  await t.test('junk after an order: the order is answered once, and the connection ends', async t => {
    const before = orderCount(shop)
    const wire = openWire(t, shop.port)
    wire.send(Buffer.concat([postOf(shop), junk]))
    const answer = await wire.answer()
    assert.deepEqual([answer.status, answer.headers.connection], [201, 'close'])
    assert.equal(await wire.rest(), '')
    assert.equal(orderCount(shop), before + 1)
  })
  await t.test('junk after two orders: both are answered', async t => {
    const before = orderCount(shop)
    const wire = openWire(t, shop.port)
    wire.send(Buffer.concat([postOf(shop), postOf(shop), junk]))
    assert.deepEqual([(await wire.answer()).status, (await wire.answer()).status], [201, 201])
    assert.equal(await wire.rest(), '')
    assert.equal(orderCount(shop), before + 2)
  })
  await t.test(
    'an order after a request whose answer closes the connection is not created',
    refuses(shop, Buffer.concat([postOf(shop, { type: [] }), postOf(shop)]), UNSUPPORTED, 'closed'),
  )
})

test('an order that does not arrive in full is not created', async t => {
  const shop = await openBusyShop(t)
  const short = postOf(shop).subarray(0, -1)
  const before = orderCount(shop)
  const wire = openWire(t, shop.port)
  wire.send(short)
  wire.finish()
  assert.doesNotMatch(await wire.rest(), / 20\d /)
  assert.equal((await shop.order(goodOrder)).status, 201)
  assert.equal(orderCount(shop), before + 1)
})

test('an order that arrives in full is answered, also when the client sends no more after it', async t => {
  const shop = await openBusyShop(t)
  const wire = openWire(t, shop.port)
  wire.send(postOf(shop))
  wire.finish()
  assert.equal((await wire.answer()).status, 201)
  assert.equal(await wire.rest(), '')
})

/** The server of a shop over again with shorter patience, so that a test need not wait as long as a client may. */
async function openImpatientServer(t: TestContext, shop: Shop) {
  const { server, drain } = httpServer(
    {
      store: shop.store,
      orderLimit: orderLimit(shop.clock.elapsed, () => ({ orders: 60, windowS: 300 })),
      trustedProxies: new BlockList(),
      log: jsonLog(() => {}, Date.now),
    },
    '',
  )
  for (const limit of [server.headersTimeout, server.requestTimeout, server.timeout]) {
    assert.ok(limit > 0 && limit <= 30_000, 'the server of a shop waits for nobody longer than half a minute')
  }
  server.headersTimeout = 200
  server.requestTimeout = 400
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(drain)
  return { server, port: (server.address() as AddressInfo).port }
}

test('who falls silent or dawdles is told that it took too long, and loses the connection', async t => {
  const shop = await openBusyShop(t)
  const { port } = await openImpatientServer(t, shop)
  const whole = postOf(shop)

  async function assertCutOff(title: string, request: Buffer, trickle: Buffer): Promise<void> {
    const wire = openWire(t, port)
    wire.send(request)
    let sent = 0
    const timer = setInterval(() => wire.send(trickle.subarray(sent, ++sent)), 20)
    const answer = await wire.answer()
    clearInterval(timer)
    assert.deepEqual([answer.status, answer.body.errors[0].code], [408, 'REQUEST_TIMEOUT'], title)
    assert.equal(await wire.rest(), '')
    assert.ok(trickle.length === 0 || sent < trickle.length, 'it was not awaited to the end')
  }
  await Promise.all([
    assertCutOff('a silent connection', Buffer.alloc(0), Buffer.alloc(0)),
    assertCutOff('half a head', whole.subarray(0, 100), Buffer.alloc(0)),
    assertCutOff('a short body', whole.subarray(0, -1), Buffer.alloc(0)),
    assertCutOff('a head that trickles in byte by byte', Buffer.alloc(0), whole),
  ])
  assert.equal(orderCount(shop), 0)
  assert.equal((await shop.order(goodOrder)).status, 201)
})

test('a client that never reads its answers is dropped', { timeout: 60_000 }, async t => {
  const shop = await openBusyShop(t)
  const { server, port } = await openImpatientServer(t, shop)
  server.timeout = 200
  const connected = once(server, 'connection') as Promise<[Socket]>
  const client = connect(port, '127.0.0.1').pause()
  t.after(() => client.destroy())
  const [socket] = await connected
  const dropped = once(socket, 'close')
  // Enough answers to fill what the system buffers on both sides.
  for (let i = 0; i < 20; i++) client.write(Buffer.concat(Array(1000).fill(getOf(shop))))
  client.on('error', () => {})
  await dropped
  assert.equal((await shop.order(goodOrder)).status, 201)
})

test('500 slow connections at once do not keep others waiting', async t => {
  const shop = await openBusyShop(t)
  const half = postOf(shop).subarray(0, 100)
  const slow = Array.from({ length: 500 }, () => openWire(t, shop.port))
  for (const wire of slow) wire.send(half)
  assert.equal((await shop.order(goodOrder)).status, 201)
  for (const wire of slow) wire.send(postOf(shop).subarray(100))
  for (const wire of slow) assert.equal((await wire.answer()).status, 201, 'and they are served, too')
  assert.equal(orderCount(shop), 501)
})

test('a body of more than 256 KiB is refused, and the client really receives that', async t => {
  const shop = await openBusyShop(t)
  const largest = good.padEnd(LARGEST_BODY)
  const framing = ['Transfer-Encoding: chunked']
  for (const size of [LARGEST_BODY + 1, 8_000_000]) {
    const body = good.padEnd(size)
    await t.test(`${size} bytes by Content-Length: refused`, refuses(shop, postOf(shop, { body }), TOO_LARGE, 'closed'))
    await t.test(
      `${size} bytes in chunks: refused`,
      refuses(shop, postOf(shop, { framing, body: chunked(body) }), TOO_LARGE, 'closed'),
    )
  }
  await t.test('a client that reads nothing before it has sent all of it receives that, too', async t => {
    const client = connect(shop.port, '127.0.0.1').pause()
    t.after(() => client.destroy())
    const sent = new Promise(resolve => client.write(postOf(shop, { body: good.padEnd(8_000_000) }), resolve))
    assert.equal((await sent) ?? null, null)
    const answer = once(client, 'data')
    client.resume()
    assert.match(String((await answer)[0]), /^HTTP\/1\.1 413 /)
  })
  await t.test(
    '256 KiB are accepted',
    answers(shop, [postOf(shop, { body: largest }), postOf(shop, { framing, body: chunked(largest) })], [201, 201], 2),
  )
})

test('a client that asks before it sends its body is told to go on only when the body is wanted', async t => {
  const shop = await openBusyShop(t)
  const headers = ['Expect: 100-continue']
  const head = (parts: Parts) =>
    postOf(shop, { headers, framing: [`Content-Length: ${good.length}`], body: '', ...parts })

  await t.test(
    'an oversized body is not',
    refuses(shop, head({ framing: [`Content-Length: ${LARGEST_BODY + 1}`] }), TOO_LARGE, 'closed'),
  )
  await t.test('that of a caller without a token is not', refuses(shop, head({ access: [] }), INVALID_TOKEN, 'closed'))
  await t.test('one that is no JSON is not', refuses(shop, head({ type: [] }), UNSUPPORTED, 'closed'))
  await t.test('that of an order is', async t => {
    const wire = openWire(t, shop.port)
    wire.send(head({}))
    assert.equal((await wire.answer()).status, 100)
    wire.send(good)
    assert.equal((await wire.answer()).status, 201)
  })
  await t.test(
    'any other expectation is refused',
    refuses(shop, head({ headers: ['Expect: 200-ok'] }), [417, 'EXPECTATION_FAILED'], 'closed'),
  )
})

test('a body must be announced as JSON in UTF-8 that is not compressed', async t => {
  const shop = await openBusyShop(t)
  const json = 'Content-Type: application/json'
  const refused: [string, Parts][] = [
    ['no Content-Type', { type: [] }],
    ['an empty Content-Type', { type: ['Content-Type:'] }],
    ['text/plain', { type: ['Content-Type: text/plain'] }],
    ['a form', { type: ['Content-Type: application/x-www-form-urlencoded'] }],
    ['application/jsonx', { type: ['Content-Type: application/jsonx'] }],
    ['application/problem+json', { type: ['Content-Type: application/problem+json'] }],
    ['UTF-16', { type: [`${json}; charset=utf-16`] }],
    ['Latin-1, quoted', { type: [`${json}; charset="iso-8859-1"`] }],
    ['two Content-Types', { type: [json, json] }],
    ['two types in one', { type: [`${json}, text/plain`] }],
    ['gzip', { headers: ['Content-Encoding: gzip'] }],
    ['gzip beside identity', { headers: ['Content-Encoding: identity', 'Content-Encoding: gzip'] }],
  ]
  for (const [title, parts] of refused) {
    await t.test(`${title} is refused`, refuses(shop, postOf(shop, parts), UNSUPPORTED))
  }
  const accepted: [string, Parts][] = [
    ['Application/JSON ; charset=UTF-8', { type: ['Content-Type: Application/JSON ; charset=UTF-8'] }],
    ['a quoted charset', { type: [`${json};charset="utf-8"`] }],
    ['another parameter', { type: [`${json}; profile=x`] }],
    ['identity', { headers: ['Content-Encoding: identity'] }],
  ]
  for (const [title, parts] of accepted) {
    await t.test(`${title} is accepted`, answers(shop, [postOf(shop, parts)], [201], 1))
  }
})

/** The JSON text of an order with these members on its one line. */
const line = (members: string) => `{"location_id":1,"items":[{${members}}]}`
/** The JSON text of a good order with more members. */
const order = (members: string) => `{"location_id":1,"items":[{"item_id":1,"qty":1}],${members}}`
const burger = (modifiers: string) => line(`"item_id":2,"qty":1,"modifiers":${modifiers}`)

test('a body that is not JSON in UTF-8 is refused, without a pointer', async t => {
  const shop = await openBusyShop(t)
  const bytes = (hex: string) => Buffer.concat([Buffer.from('"'), Buffer.from(hex, 'hex'), Buffer.from('"')])
  const noted = (text: Buffer) => Buffer.concat([Buffer.from(order('"notes":').slice(0, -1)), text, Buffer.from('}')])
  const cases: [string, string | Buffer][] = [
    ['nothing', ''],
    ['only white space', ' \n'],
    ['truncated JSON', good.slice(0, -1)],
    ['something after it', `${good}x`],
    ['two values', good + good],
    ['NaN', order('"notes":NaN')],
    ['a leading zero', '{"location_id":01}'],
    ['a trailing comma', order('')],
    ['single quotes', good.replaceAll('"', "'")],
    ['a comment', `${good}// done`],
    ['a control character', order('"notes":"\u0001"')],
    ['invalid UTF-8', noted(bytes('c328'))],
    ['overlong UTF-8', noted(bytes('c0af'))],
    ['half a surrogate pair in UTF-8', noted(bytes('eda080'))],
    ['UTF-16', Buffer.from(good, 'utf16le')],
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${good}`, 'utf16le')],
  ]
  for (const [title, body] of cases) {
    await t.test(`${title}: refused`, async t => {
      const answer = await assertRefused(t, shop, postOf(shop, { body }), INVALID_ORDER)
      assert.deepEqual(answer.body.errors, [{ title: 'The request body is not valid JSON.', code: 'INVALID_ORDER' }])
    })
  }
})

/** Every text of an order that is stored: its pointer, and the JSON text of an order with it. */
const texts: Record<string, (text: string) => string> = {
  '/items/0/notes': text => line(`"item_id":1,"qty":1,"notes":${text}`),
  '/service_mode': text => order(`"service_mode":${text}`),
  '/notes': text => order(`"notes":${text}`),
  '/customer/name': text => order(`"customer":{"name":${text}}`),
  '/customer/phone': text => order(`"customer":{"phone":${text}}`),
  '/customer/email': text => order(`"customer":{"email":${text}}`),
}

type FaultyOrder = [title: string, body: string, ...pointers: string[]]

/** An order for each of some JSON values in the same place, and the pointer that is told. */
function each(values: string[], title: string, bodyWith: (value: string) => string, pointer: string): FaultyOrder[] {
  return values.map(value => [`${title} ${value}`, bodyWith(value), pointer])
}

const wrongWholeNumbers = ['"1"', 'true', '1.5', '[1]', '{}', '9007199254740993', '-9007199254740993', '1e400']
const wrongTexts = ['"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '5', '{}', '["x"]', 'false']
const outOfBounds = ['0', '-0', '-1', '1e-400', '1e308', '1e400', '-1e400', '0.0001', '0.9999', '999.001', '1000']

const faultyOrders: FaultyOrder[] = [
  ...each(['null', '[]', `[${good}]`, '5', '"x"', 'true'], 'the root', root => root, ''),
  ['an array 30,000 deep', '['.repeat(30_000) + ']'.repeat(30_000), ''],
  ['notes 30,000 deep', order(`"notes":${'['.repeat(30_000)}${']'.repeat(30_000)}`), '/notes'],
  ['an order as __proto__', `{"__proto__":${good}}`, '/location_id', '/items'],
  ['an order as constructor', `{"constructor":{"prototype":${good}}}`, '/location_id', '/items'],
  ['a line as __proto__', line('"__proto__":{"item_id":1,"qty":1}'), '/items/0/item_id', '/items/0/qty'],

  ['no location_id', '{"items":[{"item_id":1,"qty":1}]}', '/location_id'],
  ...each(
    ['0', '-1', 'null', ...wrongWholeNumbers],
    'location_id',
    id => `{"location_id":${id},"items":[{"item_id":1,"qty":1}]}`,
    '/location_id',
  ),

  ['no items', '{"location_id":1}', '/items'],
  ...each(
    ['null', '{}', '[]', '"x"', '1', '{"0":{"item_id":1,"qty":1},"length":1}'],
    'items',
    items => `{"location_id":1,"items":${items}}`,
    '/items',
  ),
  ...each(['null', '5', '[]', '"x"', 'true'], 'a line', entry => `{"location_id":1,"items":[${entry}]}`, '/items/0'),
  ['101 lines', JSON.stringify({ location_id: 1, items: Array(101).fill({ item_id: 1, qty: 1 }) }), '/items'],

  ['no item_id', line('"qty":1'), '/items/0/item_id'],
  ...each(['null', ...wrongWholeNumbers], 'item_id', id => line(`"item_id":${id},"qty":1`), '/items/0/item_id'),
  ...each(
    wrongWholeNumbers,
    'variation_id',
    id => line(`"item_id":4,"qty":1,"variation_id":${id}`),
    '/items/0/variation_id',
  ),
  ['no qty', line('"item_id":1'), '/items/0/qty'],
  ...each(
    [...outOfBounds, '1.0005', '"1"', 'true', 'null', '[]', '{}'],
    'qty',
    qty => line(`"item_id":1,"qty":${qty}`),
    '/items/0/qty',
  ),

  ...each(['{}', '"x"', '1', 'true'], 'modifiers', burger, '/items/0/modifiers'),
  ['51 modifiers', burger(JSON.stringify(Array(51).fill({ modifier_id: 1 }))), '/items/0/modifiers'],
  ...each(
    ['null', '1', '[]', '{}', '{"qty":1}', '{"modifier_id":"1"}', '{"modifier_id":1.5}'],
    'a modifier',
    entry => burger(`[${entry}]`),
    '/items/0/modifiers/0/modifier_id',
  ),
  ...each(
    ['0', '-1', '1.5', '100', '"1"', 'true', '1e400'],
    'a modifier qty',
    qty => burger(`[{"modifier_id":1,"qty":${qty}}]`),
    '/items/0/modifiers/0/qty',
  ),

  ...each(['"x"', '[]', '5', 'true'], 'customer', customer => order(`"customer":${customer}`), '/customer'),
  ...each(
    ['"ana"', '"@"', '"ana@"', '"@x"', '"a b@x"', '"a@b@c"', `"${'a'.repeat(250)}@b.com"`],
    'email',
    email => order(`"customer":{"email":${email}}`),
    '/customer/email',
  ),
  ...Object.entries(texts).flatMap(([pointer, bodyWith]) => each(wrongTexts, pointer, bodyWith, pointer)),
  ...Object.entries({ '/items/0/notes': 1001, '/service_mode': 51, '/notes': 1001, '/customer/name': 256 }).map(
    ([pointer, length]): FaultyOrder => [
      `${pointer} of ${length} characters`,
      texts[pointer]?.(`"${'é'.repeat(length)}"`) ?? '',
      pointer,
    ],
  ),
]

test('an order that is not well formed is refused, and told where', async t => {
  const shop = await openBusyShop(t)
  for (const [title, body, ...pointers] of faultyOrders) {
    await t.test(`${title}: refused`, async t => {
      const answer = await assertRefused(t, shop, postOf(shop, { body }), INVALID_ORDER)
      const told = answer.body.errors.map((error: { source?: { pointer: string } }) => error.source?.pointer)
      assert.deepEqual(told, pointers)
    })
  }
  assert.equal(Object.hasOwn(Object.prototype, 'items'), false, 'no prototype was changed')
  assert.equal(Object.hasOwn(Object.prototype, 'location_id'), false)
})

test('what belongs to another item is refused', async t => {
  const shop = await openBusyShop(t)
  const cases: [string, body: string, pointer: string][] = [
    ["another item's variation", line('"item_id":1,"qty":1,"variation_id":1'), '/items/0/variation_id'],
    [
      'a modifier on an item without any',
      line('"item_id":1,"qty":1,"modifiers":[{"modifier_id":1}]'),
      '/items/0/modifiers/0/modifier_id',
    ],
    [
      'a modifier of a group that is not on the item',
      burger('[{"modifier_id":4}]'),
      '/items/0/modifiers/0/modifier_id',
    ],
  ]
  for (const [title, body, pointer] of cases) {
    await t.test(`${title} is refused`, async t => {
      const answer = await assertRefused(t, shop, postOf(shop, { body }), INVALID_ORDER)
      assert.deepEqual(
        answer.body.errors.map((error: { source: unknown }) => error.source),
        [{ pointer }],
      )
    })
  }
})

test('what is only unusual is accepted', async t => {
  const shop = await openBusyShop(t)
  const cases: [string, body: string | Buffer][] = [
    ['a byte order mark before the JSON', `\uFEFF${good}`],
    ['white space around it', ` \r\n\t${good}\n`],
    ['item_id 1.0', line('"item_id":1.0,"qty":1')],
    ['item_id 1e0', line('"item_id":1e0,"qty":1')],
    ['location_id 1.0', good.replace('"location_id":1', '"location_id":1.0')],
    ['a qty of 0.001', line('"item_id":1,"qty":0.001')],
    ['a qty of 999', line('"item_id":1,"qty":999')],
    ['no modifiers', line('"item_id":2,"qty":1,"modifiers":null')],
    ['everything optional as null', order('"service_mode":null,"notes":null,"customer":null,"channel":null')],
    ['every text of the customer as null', order('"customer":{"name":null,"phone":null,"email":null}')],
    ['100 lines', JSON.stringify({ location_id: 1, items: Array(100).fill({ item_id: 1, qty: 1 }) })],
    ['every text at its longest', order(`"notes":"${'🍕'.repeat(1000)}","service_mode":"${'🍕'.repeat(50)}"`)],
  ]
  for (const [title, body] of cases) {
    await t.test(`${title} is accepted`, answers(shop, [postOf(shop, { body })], [201], 1))
  }
})

test('a channel that is none becomes web', async t => {
  const shop = await openBusyShop(t)
  for (const channel of ['"constructor"', '"__proto__"', '"WEB"', '"kiosk"', '""', '5', '{}', '["phone"]', 'null']) {
    const [answer] = await assertAnswered(t, shop, [postOf(shop, { body: order(`"channel":${channel}`) })], [201], 1)
    assert.equal(answer?.body.data.channel, 'web', channel)
  }
})

test('of a key that stands twice the last wins', async t => {
  const shop = await openBusyShop(t)
  const body = `{"items":[],"location_id":99,"notes":"first","location_id":1,"items":[{"item_id":9,"qty":1,"item_id":1}],"notes":"last"}`
  const [answer] = await assertAnswered(t, shop, [postOf(shop, { body })], [201], 1)
  assert.equal(answer?.body.data.notes, 'last')
  assert.equal(answer?.body.data.items[0].item_id, 1)
})

test('every character of a text is stored and returned unchanged', async t => {
  const shop = await openBusyShop(t)
  const notes = '👩‍👩‍👧 שלום \u202eabc\u202c e\u0301 Å\u212b ﷽ \u200b\ufeff\u0001\u007f\r\n\t\\"\'<b>--; DROP TABLE'
  const customer = { name: notes.slice(0, 40), phone: '٠١٢', email: 'jalapeño@exämple' }
  const asked = { ...goodOrder, notes, service_mode: 'Tisch №5', customer, items: [{ item_id: 1, qty: 1, notes }] }
  const { status, body } = await shop.order(asked)
  assert.equal(status, 201)
  assert.equal(body.data.notes, notes)
  assert.equal(body.data.items[0].notes, notes)
  assert.deepEqual(shop.rows('SELECT notes, service_mode, customer_name, customer_phone, customer_email FROM orders'), [
    {
      notes,
      service_mode: asked.service_mode,
      customer_name: customer.name,
      customer_phone: customer.phone,
      customer_email: customer.email,
    },
  ])
})

test('submitted prices, totals, status and ids are ignored', async t => {
  const shop = await openBusyShop(t)
  const plain = await shop.order(goodOrder)
  const money = {
    price: 0.01,
    unit_price: 0.01,
    line_total: 0.01,
    modifiers_total: 5,
    subtotal: 0.01,
    grand_total: 0.01,
  }
  const more = { ...money, tax_total: 0, discount_total: 5, status: 'completed', fulfillment_status: 'ready', id: 77 }
  const asked = { ...goodOrder, ...more, order_number: 'ORD-999999', currency: 'XXX', placed_at: '2001-01-01 00:00:00' }
  const items = [{ item_id: 1, qty: 1, ...more, name_snapshot: 'Free soup', title: 'Free soup' }]
  const text = JSON.stringify({ ...asked, items }).replace('"item_id":1', '"__proto__":{"price":0},"item_id":1')
  const { status, body } = await shop.order(text)
  assert.equal(status, 201)
  const { id, order_number, placed_at, ...expected } = plain.body.data
  const [expectedLine] = expected.items
  const [placedLine] = body.data.items
  assert.deepEqual(
    { ...body.data, items: [{ ...placedLine, id: 0 }] },
    {
      ...expected,
      id: id + 1,
      order_number: 'ORD-000002',
      placed_at: body.data.placed_at,
      items: [{ ...expectedLine, id: 0 }],
    },
  )
  assert.notEqual(body.data.placed_at, asked.placed_at)
})
