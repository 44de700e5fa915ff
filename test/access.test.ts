import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { beside } from './support/beside.ts'
import { runToEnd } from './support/commands.ts'
import { heldClock } from './support/held-clock.ts'
import { openShop } from './support/shop.ts'
import { until } from './support/until.ts'
import { api, getOf, goodOrder, openWire, postOf } from './support/wire.ts'

const codeOf = ({ body }: { body: { errors?: { code: string }[] } }) => body.errors?.[0]?.code

test('every operation requires the token, even the menu of an unknown location', async t => {
  const shop = await openShop(t)
  for (const [method, path] of [
    ['GET', '/locations'],
    ['GET', '/locations/1/menu'],
    ['GET', '/locations/99/menu'],
    ['POST', '/orders'],
  ] as const) {
    const { status, headers, body } = await shop.call(method, path, method === 'POST' ? goodOrder : undefined, {
      Authorization: '',
    })
    assert.deepEqual([status, body], [401, { errors: [{ title: 'Invalid API token', code: 'INVALID_TOKEN' }] }])
    assert.equal(headers.get('www-authenticate'), 'Bearer')
  }
})

test('the token is read from Authorization: Bearer, and from X-Api-Token when there is no Bearer header', async t => {
  const shop = await openShop(t)
  const bearer = `Authorization: Bearer ${shop.token}`
  const key = `X-Api-Token: ${shop.token}`
  const cases: [access: string[], status: number][] = [
    [[bearer], 200],
    [[key], 200],
    [[`x-API-token:   ${shop.token}  `], 200],
    [[bearer, 'X-Api-Token: svy_wrong'], 200],
    [['Authorization: Bearer svy_wrong', key], 401],
    [['Authorization: Basic YTpi', key], 200],
    [['Authorization: Bearer', key], 401],
    [['Authorization:', key], 200],
    [['Authorization: Bearerish x', key], 200],
    [[bearer, key, key], 401],
    [[`X-Api-Token: Bearer ${shop.token}`], 401],
    [[`X-Api-Token: ${shop.token.toUpperCase()}`], 401],
  ]
  for (const [access, status] of cases) {
    const wire = openWire(t, shop.port)
    wire.send(getOf(shop, undefined, { access }))
    assert.equal((await wire.answer()).status, status, access.join(' | '))
    wire.send(postOf(shop, { access, headers: ['Connection: close'] }))
    assert.equal((await wire.answer()).status, status === 200 ? 201 : status, access.join(' | '))
  }
})

test('every request is refused while no token has been generated', async t => {
  const shop = await openShop(t)
  shop.execute('DELETE FROM api_token')
  assert.equal(codeOf(await shop.get('/locations')), 'INVALID_TOKEN')
  assert.equal(codeOf(await shop.order(goodOrder)), 'INVALID_TOKEN')
  assert.equal(codeOf(await shop.get('/locations', { Authorization: '' })), 'INVALID_TOKEN')
})

test('a new token replaces the old one at once, even when another process generates it', async t => {
  const shop = await openShop(t)
  assert.equal((await shop.get('/locations')).status, 200)
  const script = `
    import { openStore } from './store/store.ts'
    import { systemClock } from './store/terms/clock.ts'
    const store = openStore(process.env.DATABASE_FILE, { clock: systemClock, create: false, busyMs: 5000 })
    console.log(store.token.generate())`
  const made = await runToEnd(['--input-type=module', '-e', script], { DATABASE_FILE: shop.file })
  const token = made.stdout.trim()
  assert.equal(made.code, 0, made.stderr)

  assert.equal(codeOf(await shop.get('/locations')), 'INVALID_TOKEN')
  assert.equal(codeOf(await shop.order(goodOrder)), 'INVALID_TOKEN')
  assert.equal((await shop.order(goodOrder, { Authorization: `Bearer ${token}` })).status, 201)

  const next = shop.store.token.generate()
  assert.equal((await shop.get('/locations', { Authorization: `Bearer ${token}` })).status, 401)
  assert.equal((await shop.get('/locations', { Authorization: `Bearer ${next}` })).status, 200)
})

test('a switch that another process changes takes effect at the next request, even on open connections', async t => {
  const shop = await openShop(t)
  const { settings } = beside(t, shop)
  const wire = openWire(t, shop.port)
  const ask = async () => {
    wire.send(getOf(shop))
    return codeOf(await wire.answer()) ?? 'served'
  }
  assert.equal(await ask(), 'served')
  settings.set('api.enabled', 'off')
  assert.equal(await ask(), 'API_DISABLED')
  settings.set('api.module_enabled', 'off')
  assert.equal(await ask(), 'MODULE_DISABLED')
  settings.set('api.module_enabled', 'on')
  settings.set('api.enabled', 'on')
  assert.equal(await ask(), 'served')
})

test('the API is switched off in a fresh installation', async t => {
  const shop = await openShop(t)
  shop.execute('DELETE FROM setting')
  assert.equal(codeOf(await shop.get('/locations')), 'MODULE_DISABLED')
  shop.execute(`INSERT INTO setting VALUES ('api.module_enabled', 'on')`)
  assert.equal(codeOf(await shop.get('/locations')), 'API_DISABLED')
})

test('a token is svy_ and 32 random bytes, of which only the SHA-256 is kept', async t => {
  const shop = await openShop(t)
  assert.match(shop.token, /^svy_[\w-]{43}$/)
  assert.notEqual(shop.store.token.generate(), shop.store.token.generate())
  const token = shop.store.token.generate()
  assert.equal((await shop.order(goodOrder, { Authorization: `Bearer ${token}` })).status, 201)

  const [row, ...others] = shop.rows('SELECT sha256, created_at FROM api_token')
  assert.equal(others.length, 0)
  assert.deepEqual(row?.sha256, createHash('sha256').update(token).digest())
  assert.ok(Math.abs(Number(row?.created_at) - Date.now()) < 60_000)
  for (const file of [shop.file, `${shop.file}-wal`]) {
    const bytes = readFileSync(file)
    assert.ok(bytes.length > 0)
    assert.ok(!bytes.includes(token), `${file} does not hold the token`)
    assert.ok(!bytes.includes(Buffer.from(token.slice(4), 'base64url')), `${file} does not hold its random bytes`)
  }
})

test('the last use of the token is noted with the address of the caller, at most once a minute', async t => {
  const clock = heldClock('2026-11-20T12:00:00Z')
  const shop = await openShop(t, { clock, environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  const noted = async () => {
    // Writes are done one after the other.
    await shop.writer.chore('cutDeliveryLog')
    const [row] = shop.rows('SELECT last_used_at AS at, last_used_from AS "from" FROM api_token')
    return row?.at == null ? null : [new Date(Number(row.at)).toISOString(), row.from]
  }
  const use = (from: string) => shop.get('/locations', { 'X-Forwarded-For': from })

  assert.equal(await noted(), null)
  await shop.get('/locations', { Authorization: 'Bearer svy_wrong' })
  await fetch(`${shop.url}/healthz`)
  assert.equal(await noted(), null, 'what needs no token or has a wrong one is no use of it')

  await shop.get('/locations')
  assert.deepEqual(await noted(), ['2026-11-20T12:00:00.000Z', '127.0.0.1'])
  clock.pass(59_999)
  await use('192.0.2.7')
  assert.deepEqual(await noted(), ['2026-11-20T12:00:00.000Z', '127.0.0.1'])
  clock.pass(1)
  await use('192.0.2.7')
  assert.deepEqual(await noted(), ['2026-11-20T12:01:00.000Z', '192.0.2.7'])
})

test('refused tokens are logged once a minute, with their number and an address, and without the token', async t => {
  const shop = await openShop(t, { environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  const refused = (from: string) =>
    shop.get('/locations', { Authorization: 'Bearer svy_wrong', 'X-Forwarded-For': from })
  const lines = () => shop.logged.filter(({ event }) => event === 'tokens refused')
  for (const last of [1, 2, 3, 4]) assert.equal((await refused(`192.0.2.${last}`)).status, 401)
  await shop.stop()
  assert.deepEqual(
    lines().map(({ level, count, from }) => [level, count, from]),
    [
      ['info', 1, '192.0.2.1'],
      ['info', 3, '192.0.2.4'],
    ],
    'the first at once, the others together',
  )
  assert.ok(!JSON.stringify(shop.logged).includes('svy_wrong'))
})

test('a failure to record the last use of the token does not affect the response', async t => {
  const shop = await openShop(t)
  const other = new Database(shop.file)
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  assert.equal((await shop.get('/locations')).status, 200)
  assert.equal((await shop.get('/locations/1/menu')).status, 200)
  await until(() => shop.logged.some(({ level }) => level === 'error'))
  other.exec('ROLLBACK')
  assert.deepEqual(
    shop.logged.flatMap(({ level, event, code }) => (level === 'error' ? [[event, code]] : [])),
    [['token use not noted', 'SQLITE_BUSY']],
  )
  assert.equal((await shop.order(goodOrder)).status, 201)
})

test('the token is not accepted in the query, the URL’s user information or the body', async t => {
  const shop = await openShop(t)
  const places = [`?token=${shop.token}`, `?api_token=${shop.token}`, `?X-Api-Token=${shop.token}`]
  for (const query of [...places, `?access_token=${shop.token}`, `?Authorization=Bearer%20${shop.token}`]) {
    assert.equal(codeOf(await shop.get(`/locations${query}`, { Authorization: '' })), 'INVALID_TOKEN')
  }
  const target = `${shop.url}${api}/locations`.replace('://', `://api:${shop.token}@`)
  const wire = openWire(t, shop.port)
  wire.send(getOf(shop, target, { access: [] }))
  assert.equal(codeOf(await wire.answer()), 'INVALID_TOKEN')
  const form = { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: '' }
  assert.equal(codeOf(await shop.call('POST', '/orders', `token=${shop.token}`, form)), 'INVALID_TOKEN')
  const body = { ...goodOrder, token: shop.token, api_token: shop.token }
  assert.equal(codeOf(await shop.order(body, { Authorization: '' })), 'INVALID_TOKEN')
})
