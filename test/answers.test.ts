import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import type { SettingKey } from '../store/settings.ts'
import { beside } from './support/beside.ts'
import { openShop, type Shop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'
import { api, getOf, goodOrder, openWire, orderCount, type Parts, postOf, type WireAnswer } from './support/wire.ts'

/** Sends one request over a connection of its own. */
async function ask(t: TestContext, shop: Shop, request: Buffer, to?: string): Promise<WireAnswer> {
  const wire = openWire(t, shop.port)
  wire.send(request)
  return wire.answer(to)
}

/** Keeps every other connection to a shop's file from writing until `release` is called. */
function holdWrites(t: TestContext, shop: Shop): { release(): void } {
  const db = new Database(shop.file)
  db.exec('BEGIN IMMEDIATE')
  t.after(() => db.close())
  return { release: () => void db.exec('ROLLBACK') }
}

/** One thing that is wrong with a request. */
interface Fault {
  name: string
  answer: [status: number, code: string, pointer?: string]
  path?: string
  method?: string
  off?: SettingKey
  parts?: Parts
  order?: Record<string, unknown>
  afterBody?: string
}

const spentAddress = 'X-Forwarded-For: 192.0.2.1'

const faultsInOrder: Fault[] = [
  { name: 'an unknown path', answer: [404, 'NOT_FOUND'], path: '/nope' },
  { name: 'an unknown method', answer: [405, 'METHOD_NOT_ALLOWED'], method: 'PUT' },
  { name: 'the module switched off', answer: [403, 'MODULE_DISABLED'], off: 'api.module_enabled' },
  { name: 'the API switched off', answer: [403, 'API_DISABLED'], off: 'api.enabled' },
  { name: 'a wrong token', answer: [401, 'INVALID_TOKEN'], parts: { access: ['X-Api-Token: svy_wrong'] } },
  { name: 'an exhausted order limit', answer: [429, 'RATE_LIMITED'], parts: { headers: [spentAddress] } },
  { name: 'another content type', answer: [415, 'UNSUPPORTED_MEDIA_TYPE'], parts: { type: [] } },
  { name: 'a body too large', answer: [413, 'PAYLOAD_TOO_LARGE'], afterBody: ' '.repeat(300_000) },
  { name: 'broken JSON', answer: [400, 'INVALID_ORDER'], afterBody: '}' },
  { name: 'a wrong shape', answer: [400, 'INVALID_ORDER', '/customer'], order: { customer: 'Ana' } },
  { name: 'an unknown location', answer: [404, 'UNKNOWN_LOCATION'], order: { location_id: 99 } },
  {
    name: 'an unknown item',
    answer: [400, 'INVALID_ORDER', '/items/0/item_id'],
    order: { items: [{ item_id: 99, qty: 1 }] },
  },
]

test('a request with several faults is refused for the one that is checked first', async t => {
  const shop = await openShop(t, { settings: { 'orders.limit': '1' }, environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  const { settings } = beside(t, shop)
  assert.equal((await ask(t, shop, postOf(shop, { headers: [spentAddress] }))).status, 201)

  for (const [index, first] of faultsInOrder.entries()) {
    await t.test(`${first.name} is reported, whatever else is wrong after it`, async t => {
      for (const later of faultsInOrder.slice(index)) {
        const {
          method = 'POST',
          path = '/orders',
          parts,
        } = { ...later, ...first, parts: { ...later.parts, ...first.parts } }
        const order = JSON.stringify({ ...goodOrder, ...later.order, ...first.order })
        const body = order + (first.afterBody ?? '') + (later.afterBody ?? '')
        const off = [first.off, later.off].filter(key => key !== undefined)
        for (const key of off) assert.equal(settings.set(key, 'off'), undefined)

        const answer = await ask(t, shop, postOf(shop, { line: `${method} ${api}${path} HTTP/1.1`, ...parts, body }))
        for (const key of off) settings.set(key, 'on')
        const told = answer.body.errors.map((error: { code: string; source?: { pointer: string } }) =>
          [answer.status, error.code, error.source?.pointer].filter(part => part !== undefined),
        )
        assert.deepEqual(told, [first.answer], `beside ${later.name}`)
      }
    })
  }
  assert.equal(orderCount(shop), 1)
  assert.equal((await shop.order(goodOrder)).status, 201)
})

test('both GET operations obey the switches and the token, but not the order limit', async t => {
  const shop = await openShop(t, { settings: { 'orders.limit': '1' } })
  const { settings } = beside(t, shop)
  assert.equal((await shop.order(goodOrder)).status, 201)
  assert.equal((await shop.order(goodOrder)).status, 429)
  for (const path of ['/locations', '/locations/1/menu', '/locations/99/menu']) {
    const codes: unknown[] = []
    const note = async (headers?: Record<string, string>) =>
      codes.push((await shop.get(path, headers)).body.errors?.[0].code ?? 200)
    await note()
    await note({ Authorization: 'Bearer svy_wrong' })
    settings.set('api.enabled', 'off')
    await note({ Authorization: 'Bearer svy_wrong' })
    settings.set('api.module_enabled', 'off')
    await note({ Authorization: 'Bearer svy_wrong' })
    settings.set('api.enabled', 'on')
    settings.set('api.module_enabled', 'on')
    const [served, ...refused] = codes
    assert.equal(served, path === '/locations/99/menu' ? 'UNKNOWN_LOCATION' : 200)
    assert.deepEqual(refused, ['INVALID_TOKEN', 'API_DISABLED', 'MODULE_DISABLED'], path)
  }
})

test('every refusal has the same body shape, with the documented title and code', async t => {
  const shop = await openShop(t, { settings: { 'orders.limit': '2' } })
  const { settings } = beside(t, shop)
  const wide = (parts: Parts) => postOf(shop, parts)
  const cases: [status: number, code: string, title: string, request: Buffer, set?: SettingKey][] = [
    [400, 'BAD_REQUEST', 'The request is not valid HTTP.', wide({ host: [] })],
    [400, 'BAD_REQUEST', 'The request is not valid HTTP.', Buffer.from('nonsense\r\n\r\n')],
    [401, 'INVALID_TOKEN', 'Invalid API token', wide({ access: [] })],
    [403, 'MODULE_DISABLED', 'This module is disabled.', wide({}), 'api.module_enabled'],
    [403, 'API_DISABLED', 'API is disabled', wide({}), 'api.enabled'],
    [404, 'NOT_FOUND', 'There is nothing at this address.', getOf(shop, '/nothing')],
    [404, 'UNKNOWN_LOCATION', 'Unknown location', getOf(shop, `${api}/locations/2/menu`)],
    [405, 'METHOD_NOT_ALLOWED', 'This method is not allowed here.', getOf(shop, `${api}/orders`)],
    [413, 'PAYLOAD_TOO_LARGE', 'The request body is too large.', wide({ body: ' '.repeat(300_000) })],
    [
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'The request body must be JSON: Content-Type application/json, UTF-8, not compressed.',
      wide({ type: [] }),
    ],
    [417, 'EXPECTATION_FAILED', 'This expectation can not be met.', wide({ headers: ['Expect: luck'] })],
    [
      431,
      'HEADERS_TOO_LARGE',
      'The request headers are too large.',
      wide({ headers: [`X-Long: ${'a'.repeat(20_000)}`] }),
    ],
  ]
  for (const [status, code, title, request, off] of cases) {
    if (off) settings.set(off, 'off')
    const answer = await ask(t, shop, request)
    if (off) settings.set(off, 'on')
    assert.deepEqual([answer.status, answer.body], [status, { errors: [{ title, code }] }])
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.match(answer.headers['x-request-id'] ?? '', /./)
  }
  assert.equal(orderCount(shop), 0)

  const [unavailable] = (await shop.order({ location_id: 1, items: [{ item_id: 99, qty: 1 }] })).body.errors
  assert.deepEqual([unavailable.code, unavailable.title], ['INVALID_ORDER', 'One of the items is no longer available.'])
  for (const status of [201, 201]) assert.equal((await shop.order(goodOrder)).status, status)
  const limited = await shop.order(goodOrder)
  assert.equal(limited.status, 429)
  assert.deepEqual(limited.body, {
    errors: [{ title: 'Too many orders from this address. Try again shortly.', code: 'RATE_LIMITED' }],
  })
})

test('the response to an unexpected failure hides the cause, which is logged under the request id of the response', async t => {
  const shop = await openShop(t)
  const customer = { name: 'Ana Jalapeño', phone: '555-0199', email: 'ana@example.com' }
  const asked = { ...goodOrder, customer, notes: 'no onions' }
  const rename = (from: string, to: string) => shop.execute(`ALTER TABLE ${from} RENAME TO ${to}`)

  async function assertFailed(act: () => ReturnType<Shop['get']>, code: string, title: string, cause: RegExp) {
    const { status, body, headers } = await act()
    assert.deepEqual([status, body], [500, { errors: [{ title, code }] }])
    // The log is written at the end of the turn that brought the answer.
    await endOfTurn()
    const line = shop.logged.find(({ request }) => request === headers.get('x-request-id'))
    assert.equal(line?.level, 'error')
    assert.match(String(line?.error), cause)
  }
  rename('order_line', 'elsewhere')
  await assertFailed(
    () => shop.order(asked),
    'ORDER_FAILED',
    'The order could not be created.',
    /no such table.*order_line/,
  )
  assert.equal(orderCount(shop), 0)
  rename('elsewhere', 'order_line')
  assert.equal((await shop.order(asked)).status, 201)

  // What is in memory is read again when its revision has changed.
  shop.execute('UPDATE revision SET settings = settings + 1')
  rename('setting', 'elsewhere')
  const title = 'The server could not answer this request.'
  await assertFailed(() => shop.get('/locations'), 'SERVER_ERROR', title, /no such table.*setting/)
  const health = await fetch(`${shop.url}/healthz`)
  assert.deepEqual([health.status, await health.json()], [500, { errors: [{ title, code: 'SERVER_ERROR' }] }])
  rename('elsewhere', 'setting')
  assert.equal((await shop.get('/locations')).status, 200)

  const log = JSON.stringify(shop.logged)
  for (const secret of [shop.token, 'Ana', '555-0199', 'ana@example.com', 'no onions']) {
    assert.ok(!log.includes(secret), `${secret} is not in the log`)
  }
})

test('every response has a date and a request id of its own, and none has a CORS header', async t => {
  const shop = await openShop(t)
  const origin = ['Origin: https://kiosk.example']
  const preflight = [...origin, 'Access-Control-Request-Method: POST', 'Access-Control-Request-Headers: authorization']
  const options = { line: `OPTIONS ${api}/orders HTTP/1.1`, access: [], headers: preflight }
  const requests: [status: number, Buffer, to?: string][] = [
    [200, getOf(shop, undefined, { headers: origin })],
    [200, getOf(shop, undefined, { line: `HEAD ${api}/locations HTTP/1.1`, headers: origin }), 'HEAD'],
    [304, getOf(shop, undefined, { headers: [...origin, 'If-None-Match: *'] })],
    [201, postOf(shop, { headers: origin })],
    [204, getOf(shop, undefined, options)],
    [204, getOf(shop, undefined, { ...options, line: 'OPTIONS * HTTP/1.1' })],
    [401, getOf(shop, undefined, { access: [], headers: origin })],
    [404, getOf(shop, '/nothing', { headers: origin })],
    [200, getOf(shop, '/healthz', { access: [], headers: origin })],
    [400, Buffer.from('nonsense\r\n\r\n')],
    [431, getOf(shop, undefined, { headers: [`X-Long: ${'a'.repeat(20_000)}`] })],
  ]
  const ids = new Set<string>()
  for (const [status, request, to] of requests) {
    const { headers, ...answer } = await ask(t, shop, request, to)
    assert.equal(answer.status, status)
    ids.add(headers['x-request-id'] ?? '')
    assert.match(headers.date ?? '', /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/)
    assert.deepEqual(
      Object.keys(headers).filter(name => name.startsWith('access-control-')),
      [],
    )
  }
  assert.equal(ids.size, requests.length)
  assert.ok(!ids.has(''))
})

test('GET responses carry a strong ETag and Cache-Control: no-cache; order responses carry no-store', async t => {
  const shop = await openShop(t)
  for (const path of ['/locations', '/locations/1/menu']) {
    const { headers } = await shop.get(path)
    assert.match(headers.get('etag') ?? '', /^"[^"]+"$/)
    assert.equal(headers.get('cache-control'), 'no-cache')
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  }
  const placed = await shop.order(goodOrder)
  assert.equal(placed.headers.get('cache-control'), 'no-store')
  assert.equal(placed.headers.get('etag'), null)
})

test('an ETag stays the same while the response does, even across a restart of the server', async t => {
  const shop = await openShop(t)
  const tagOf = async (path: string, from = shop) => (await from.get(path)).headers.get('etag')
  const menu = await tagOf('/locations/1/menu')
  const locations = await tagOf('/locations')
  assert.notEqual(menu, locations)
  assert.equal(await tagOf('/locations/1/menu'), menu)
  assert.equal(await tagOf('/locations/1/menu', await openShop(t)), menu, 'the same menu has the same ETag elsewhere')

  const edited = smallRestaurant()
  Object.assign(edited.categories[0]?.items[0] ?? {}, { price: 6.5 })
  beside(t, shop).importRestaurant(edited)
  const known = await shop.get('/locations/1/menu', { 'If-None-Match': menu ?? '' })
  assert.equal(known.status, 200)
  assert.equal(known.body.data.categories[0].items[0].price, 6.5)
  assert.notEqual(known.headers.get('etag'), menu)
  assert.equal(await tagOf('/locations'), locations, 'what did not change keeps its ETag')
})

test('If-None-Match gets 304 without a body when it names the current ETag, and the full response otherwise', async t => {
  const shop = await openShop(t)
  const plain = (await ask(t, shop, getOf(shop))).headers.etag ?? ''
  const zipped = (await ask(t, shop, getOf(shop, undefined, { headers: ['Accept-Encoding: gzip'] }))).headers.etag ?? ''
  const known = [plain, zipped, '*', `W/${plain}`, `"a", ${plain}`, `"a",W/"b" ,${plain}`, ` ${plain} , "a"`]
  const unknown = ['"a"', '', plain.replaceAll('"', ''), plain.slice(0, -1), `"${plain}"`, '"*"', plain.toUpperCase()]
  for (const tags of [...known, ...unknown]) {
    for (const method of ['GET', 'HEAD']) {
      const parts = { line: `${method} ${api}/locations HTTP/1.1`, headers: [`If-None-Match: ${tags}`] }
      const answer = await ask(t, shop, getOf(shop, undefined, parts), method)
      assert.equal(answer.status, known.includes(tags) ? 304 : 200, `${method} ${tags}`)
      assert.equal(answer.headers.etag, plain)
      assert.equal(answer.headers['cache-control'], 'no-cache')
      assert.equal(answer.headers.vary, 'Accept-Encoding')
      assert.equal(answer.bytes.length > 0, answer.status === 200 && method === 'GET')
    }
  }
  const inTwo = getOf(shop, undefined, { headers: ['If-None-Match: "a"', `If-None-Match: ${plain}`] })
  assert.equal((await ask(t, shop, inTwo)).status, 304, 'a list in two headers')
  const posted = await shop.order(goodOrder, { 'If-None-Match': '*' })
  assert.equal(posted.status, 201, 'an order is none of its business')
})

test('a response is compressed only for clients that accept gzip', async t => {
  const shop = await openShop(t)
  const plain = await ask(t, shop, getOf(shop))
  assert.equal(plain.headers['content-encoding'], undefined)
  const taken = [
    'gzip',
    'GZIP',
    'x-gzip',
    'br, gzip',
    'gzip;q=0.001',
    'gzip; q=1.0',
    '*',
    '*;q=0, gzip',
    'br;q=1,*;q=0.5',
  ]
  const untaken = ['identity', '', 'br', 'gzip;q=0', 'gzip; q=0.000', '*;q=0', 'gzip;q=0, *', 'gzipped', 'xgzip']
  for (const codings of [...taken, ...untaken]) {
    const headers = [`Accept-Encoding: ${codings}`]
    const answer = await ask(t, shop, getOf(shop, undefined, { headers }))
    const isCompressed = answer.headers['content-encoding'] === 'gzip'
    assert.equal(isCompressed, taken.includes(codings), codings)
    assert.equal(answer.headers['content-encoding'], isCompressed ? 'gzip' : undefined)
    assert.equal(answer.headers.vary, 'Accept-Encoding')
    assert.equal(answer.headers.etag === plain.headers.etag, !isCompressed, 'each variant has its own strong ETag')
    assert.deepEqual(isCompressed ? gunzipSync(answer.bytes) : answer.bytes, plain.bytes)

    const line = `HEAD ${api}/locations HTTP/1.1`
    const head = await ask(t, shop, getOf(shop, undefined, { line, headers }), 'HEAD')
    assert.equal(head.headers['content-length'], String(answer.bytes.length))
    assert.equal(head.headers.etag, answer.headers.etag)
  }
})

test('HEAD works wherever GET does, with the same headers and no body', async t => {
  const shop = await openShop(t)
  for (const [target, status] of [
    [`${api}/locations`, 200],
    [`${api}/locations/1/menu`, 200],
    [`${api}/locations/99/menu`, 404],
    ['/healthz', 200],
    ['/nope', 404],
  ] as const) {
    const got = await ask(t, shop, getOf(shop, target))
    const wire = openWire(t, shop.port)
    const line = `HEAD ${target} HTTP/1.1`
    wire.send(getOf(shop, undefined, { line, headers: ['Connection: close'] }))
    const head = await wire.answer('HEAD')
    assert.equal(await wire.rest(), '', 'no body follows')
    assert.deepEqual([got.status, head.status], [status, status])
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'vary']) {
      assert.equal(head.headers[name], got.headers[name], `${name} of ${target}`)
    }
  }
})

test('a connection stays open after a response, unless the client asks to close it or a body was left unread', async t => {
  const shop = await openShop(t)
  const wire = openWire(t, shop.port)
  const requests: [Buffer, number][] = [
    [getOf(shop), 200],
    [getOf(shop, '/nope'), 404],
    [getOf(shop, undefined, { access: [] }), 401],
    [postOf(shop, { body: '' }), 400],
    [postOf(shop), 201],
  ]
  for (const [request, status] of requests) {
    wire.send(request)
    const answer = await wire.answer()
    assert.equal(answer.status, status)
    assert.notEqual(answer.headers.connection, 'close')
  }
  const last: [string, Buffer][] = [
    ['a wish to close', getOf(shop, undefined, { headers: ['Connection: close'] })],
    ['HTTP/1.0', getOf(shop, undefined, { line: `GET ${api}/locations HTTP/1.0` })],
    ['a refusal before the body was read', postOf(shop, { access: [] })],
    ['a GET with a body', getOf(shop, undefined, { framing: ['Content-Length: 2'], body: '{}' })],
  ]
  for (const [title, request] of last) {
    const one = openWire(t, shop.port)
    one.send(request)
    assert.equal((await one.answer()).headers.connection, 'close', title)
    assert.equal(await one.rest(), '', title)
  }
})

test('a server that shuts down completes requests in flight, refuses later ones, and closes every connection', async t => {
  const shop = await openShop(t)
  const [busy, idle, late, silent] = Array.from({ length: 4 }, () => openWire(t, shop.port))
  assert.ok(busy && idle && late && silent)
  idle.send(getOf(shop))
  await idle.answer()
  // The rest of its second request comes when the server is already shutting down.
  const second = postOf(shop)
  late.send(Buffer.concat([getOf(shop), second.subarray(0, 100)]))
  await late.answer()
  const held = holdWrites(t, shop)
  busy.send(Buffer.concat([postOf(shop), postOf(shop)]))
  // Once this is answered on the same server, the orders before it have been taken in.
  await shop.get('/locations')

  const stopped = shop.stop()
  late.send(second.subarray(100))
  const refused = await late.answer()
  assert.deepEqual(
    [refused.status, refused.headers.connection, refused.body],
    [503, 'close', { errors: [{ title: 'The server is shutting down. Try again shortly.', code: 'SHUTTING_DOWN' }] }],
  )
  held.release()
  const answers = [await busy.answer(), await busy.answer()]
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.connection]),
    [
      [201, 'keep-alive'],
      [201, 'close'],
    ],
  )
  for (const wire of [busy, idle, late, silent]) assert.equal(await wire.rest(), '')
  await stopped
  assert.equal(orderCount(shop), 2)
})
