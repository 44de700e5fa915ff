import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { Webhook } from 'standardwebhooks'
import { servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { receiver } from './support/receivers.ts'
import { importInto, openShop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'
import { environmentForReceivers } from './support/webhook-log.ts'

function commandsOn(t: TestContext) {
  const folder = temporaryFolder(t)
  const file = join(folder, 'test.db')
  importInto(file, smallRestaurant())
  const environment = environmentForReceivers(folder)
  const run = (args: string[], input = '') => servery(file, ['webhooks', ...args], { environment, input })
  return {
    file,
    run,
    async json(...args: string[]) {
      const { code, stdout, stderr } = await run([...args, '--json'])
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout)
    },
    secrets(): string[] {
      const db = new Database(file, { readonly: true })
      try {
        return db.prepare<[], string>('SELECT secret FROM webhook_secret ORDER BY id DESC').pluck().all()
      } finally {
        db.close()
      }
    },
  }
}

test('endpoints are added, paused, resumed and removed, and an id is never reused', async t => {
  const { json, run } = commandsOn(t)
  assert.deepEqual((await json('endpoints')).endpoints, [])
  assert.deepEqual((await json('add', 'https://a.example/hook?k=1#x')).url, 'https://a.example/hook?k=1')
  assert.equal((await json('add', 'https://b.example')).id, 2)
  const twice = await run(['add', 'https://A.example:443/hook?k=1'])
  assert.deepEqual([twice.code, /already/.test(twice.stderr)], [1, true])
  const states = (overview: { endpoints: { id: number; paused: boolean }[] }) =>
    overview.endpoints.map(({ id, paused }) => [id, paused])
  assert.deepEqual(states(await json('pause', '1')), [
    [1, true],
    [2, false],
  ])
  assert.deepEqual(states(await json('resume', '1')), [
    [1, false],
    [2, false],
  ])
  assert.deepEqual(states(await json('remove', '2')), [[1, false]])
  assert.equal((await json('add', 'https://c.example')).id, 3)
  assert.equal((await run(['remove', '2'])).code, 1)
  assert.match((await run(['pause', 'nowhere'])).stderr, /There is no endpoint "nowhere"/)
  assert.match((await run(['pause', 'https://'])).stderr, /could be endpoint 1 \(https:\/\/a\.example\/[^)]*\), 3 \(/)
  assert.equal((await run(['pause', 'c.example'])).code, 0)
  assert.equal((await run(['resume', 'c.example'])).code, 0)
  assert.match(
    (await run(['endpoints'])).stdout,
    /1 {2}active {2}https:\/\/a\.example.*\n.*\nEvents: all events\.\nUnsigned/,
  )
})

test('an invalid endpoint is refused with the reason', async t => {
  const { run } = commandsOn(t)
  for (const url of ['http://a.example/', 'https://user:pass@a.example/', 'kitchen']) {
    const { code, stderr } = await run(['add', url])
    assert.equal(code, 1)
    assert.match(stderr, /cannot be an endpoint: it /)
  }
})

test('events are selected by name, and an unknown name is refused with the list of events', async t => {
  const { json, run } = commandsOn(t)
  const all = ['order.placed', 'order.updated', 'order.status_changed']
  assert.deepEqual(await json('events'), { selected: [], delivered: all })
  const some = ['order.placed', 'order.updated']
  assert.deepEqual(await json('events', 'order.updated,order.placed'), { selected: some, delivered: some })
  assert.deepEqual(await json('events', 'all'), { selected: [], delivered: all })
  const { code, stderr } = await run(['events', 'order.placed,order.eaten'])
  assert.equal(code, 1)
  assert.match(stderr, /no event "order\.eaten".*order\.placed, order\.updated, order\.status_changed/)
})

test('a secret is read from the command line as typed, or from standard input without its final line break', async t => {
  const { run, secrets } = commandsOn(t)
  for (const [args, input, kept] of [
    [['set', ' typed '], '', ' typed '],
    [['set'], 'sécrêt✓\n', 'sécrêt✓'],
    [['set'], 'two\n\n', 'two\n'],
    [['set'], ' whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw \r\n', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ] as const) {
    const { code, stdout } = await run(['secret', ...args], input)
    assert.equal(code, 0)
    assert.deepEqual(secrets(), [kept])
    assert.ok(!stdout.includes(kept.trim()), 'the secret is printed')
  }
  const before = secrets()
  for (const bad of ['whsec_', 'whsec_!!!!', 'whsec_-_-_']) {
    const { code, stdout, stderr } = await run(['secret', 'set', bad])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /standard base64/)
  }
  assert.equal((await run(['secret', 'set'], '\n')).code, 1)
  assert.deepEqual(secrets(), before)
  assert.match((await run(['secret', 'set', 'whsec_AAECAwQ='])).stdout, /warning.*5 bytes/)
})

test('rotate keeps the old secret active until it is retired, and clear removes all secrets', async t => {
  const { json, secrets } = commandsOn(t)
  await json('secret', 'set', 'first')
  const { secret, active } = await json('secret', 'rotate')
  assert.equal(active, 2)
  assert.deepEqual(secrets(), [secret, 'first'])
  await json('secret', 'rotate', 'third')
  assert.deepEqual(secrets(), ['third', secret, 'first'])
  assert.deepEqual(await json('secret', 'retire'), { active: 1 })
  assert.deepEqual(secrets(), ['third'])
  assert.ok(!JSON.stringify(await json('endpoints')).includes('third'))
  assert.deepEqual(await json('secret', 'clear'), { active: 0 })
  assert.deepEqual(secrets(), [])
})

test('test sends a marked event through the usual path and shows the request and the response', async t => {
  const { json, run } = commandsOn(t)
  const { url, got } = await receiver(t, (_, response) => {
    response.writeHead(418, { 'X-Kitchen': 'closed' }).end('I am a \u001b[31mteapot')
  })
  await json('add', `${url}?key=1`)
  const { secret } = await json('secret', 'set', 'generate')
  const { code, stdout } = await run(['test', '1', '--json'])
  assert.equal(code, 1)
  const shown = JSON.parse(stdout)
  assert.equal(got.length, 1)
  assert.equal(got[0]?.body.toString('utf8'), shown.sent.body)
  const sent = Object.entries(shown.sent.headers).flat()
  assert.deepEqual(got[0]?.rawHeaders, sent)
  new Webhook(secret).verify(shown.sent.body, shown.sent.headers)
  const { type, event, data } = JSON.parse(shown.sent.body)
  assert.deepEqual([type, event, data.test], ['webhook.test', 'webhook.test', true])
  assert.deepEqual([shown.received, shown.status, shown.answer.body], [false, 418, 'I am a \u001b[31mteapot'])
  const text = await run(['test', '1'])
  assert.match(text.stderr, /x-kitchen: closed/i)
  assert.match(text.stderr, /LOST: HTTP 418 after \d+ ms/)
  assert.ok(!text.stderr.includes('\u001b'), 'the endpoint steers the terminal')
  assert.deepEqual(
    (await json('log')).map((attempt: { order_id: null; type: string }) => [attempt.order_id, attempt.type]),
    [
      [null, 'webhook.test'],
      [null, 'webhook.test'],
    ],
  )
  assert.deepEqual(await json('lost'), [])
})

test('a wrong call prints the usage of webhooks', async t => {
  const { run } = commandsOn(t)
  for (const args of [
    [],
    ['nope'],
    ['add'],
    ['add', 'a', 'b'],
    ['remove'],
    ['secret'],
    ['secret', 'nope'],
    ['log', '--last', '0'],
  ]) {
    const { code, stderr } = await run(args)
    assert.equal(code, 2, args.join(' '))
    assert.match(stderr, /webhooks endpoints \| add URL/)
  }
})

test('an event during a pause is recorded as lost for the paused endpoint', async t => {
  const shop = await openShop(t)
  const run = async (...args: string[]) =>
    JSON.parse((await servery(shop.file, ['webhooks', ...args, '--json'])).stdout)
  const { id } = await run('add', 'https://a.example/hook')
  await run('pause', String(id))
  const order = await shop.order({ location_id: 1, items: [{ item_id: 1, qty: 1 }] })
  assert.equal(order.status, 201)
  const lost = await run('lost')
  assert.deepEqual(
    lost.map(({ order_id }: { order_id: number }) => order_id),
    [order.body.data.id],
  )
  assert.match(JSON.stringify(await run('log')), /the endpoint was paused/)
})

test('"-" reads a secret from standard input, which must be UTF-8', async t => {
  const { run, secrets, file } = commandsOn(t)
  assert.equal((await run(['secret', 'set', '-'], 'abc\n')).code, 0)
  assert.deepEqual(secrets(), ['abc'])
  const child = await servery(file, ['webhooks', 'secret', 'set'], { input: Buffer.from([0x61, 0xff, 0xfe]) })
  assert.equal(child.code, 1)
  assert.match(child.stderr, /not UTF-8/)
  assert.deepEqual(secrets(), ['abc'])
})

test('a list of events with an empty or unknown name is refused', async t => {
  const { run } = commandsOn(t)
  for (const names of ['', 'order.placed,', 'order.eaten']) {
    const { code, stderr } = await run(['events', names])
    assert.equal(code, 1, names)
    assert.match(stderr, /There is no event "/)
  }
})
