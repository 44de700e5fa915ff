import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { Webhook } from 'standardwebhooks'
import { flawOf } from '../examples/receiver.ts'
import { parseNetworks } from '../routes/http/address.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import { openStore } from '../store/store.ts'
import { type Clock, systemClock } from '../store/terms/clock.ts'
import type { EndpointId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { deliverer } from '../webhooks/deliver.ts'
import { type Dispatcher, dispatcher } from '../webhooks/dispatch.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { authority, type Got, receiver } from './support/receivers.ts'
import { importInto } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'
import { until } from './support/until.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** A restaurant's file with nobody serving it: orders are placed and delivered by hand. */
async function outboxOf(t: TestContext, options: { clock?: Clock; endpoints?: string[]; deadlineMs?: number } = {}) {
  const { clock = systemClock, endpoints = [], deadlineMs = 5000 } = options
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, smallRestaurant(), {}, clock)
  let told = 0
  const running: Dispatcher[] = []
  function onEvents(): void {
    told++
    for (const each of running) each.wake()
  }
  const store = openStore(file, { clock, create: false, busyMs: 5000, onEvents })
  const ids = endpoints.map(url => {
    const added = store.webhooks.endpoints.add(url)
    assert.ok(!isRefused(added))
    return added.id
  })
  const logged: Record<string, unknown>[] = []

  function start(): Dispatcher {
    const begun = dispatcher({
      webhooks: store.webhooks,
      deliver: deliverer({
        allowed: parseNetworks('127.0.0.1').networks,
        elapsed: systemClock.elapsed,
        authority: authority.cert,
        deadlineMs,
      }),
      clock: { now: clock.now, elapsed: systemClock.elapsed },
      log: {
        info: (event, fields) => void logged.push({ event, ...fields }),
        error: (event, cause) => void logged.push({ event, cause }),
      },
    })
    running.push(begun)
    begun.wake()
    return begun
  }
  t.after(async () => {
    for (const each of running) await each.stop()
    store.close()
  })

  async function order(): Promise<number> {
    const draft = parseDraft({ location_id: 1, items: [{ item_id: 1, qty: 1 }] })
    assert.ok(!isRefused(draft))
    const placed = store.orders.place(draft, 'api')
    assert.ok(!isRefused(placed))
    return placed.id
  }

  const attempts = () => store.webhooks.log.list({}, 100_000)
  const ended = () => attempts().every(({ state }) => state === 'received' || state === 'lost')
  return { file, store, ids, told: () => told, logged, start, order, attempts, ended }
}

const count = (db: string, sql: string): number => {
  const connection = new Database(db, { readonly: true })
  try {
    return connection.prepare<[], number>(sql).pluck().get() ?? 0
  } finally {
    connection.close()
  }
}

test('an order writes no event while there is no endpoint', async t => {
  const { file, order, told } = await outboxOf(t)
  await order()
  assert.equal(count(file, 'SELECT count(*) FROM webhook_event'), 0)
  assert.equal(told(), 0)
})

test('an event and an attempt for each endpoint are written with the order; the attempt is pending unless the endpoint is paused', async t => {
  const { store, ids, order, attempts, told } = await outboxOf(t, {
    endpoints: ['https://a.example/x?key=1', 'https://b.example/', 'https://c.example/'],
  })
  store.webhooks.endpoints.pause(ids[2] as EndpointId, true)
  const id = await order()
  assert.deepEqual(
    attempts().map(({ orderId, endpointId, url, state, type }) => [orderId, endpointId, url, state, type]),
    [
      [id, ids[2], 'https://c.example/', 'lost', 'order.placed'],
      [id, ids[1], 'https://b.example/', 'pending', 'order.placed'],
      [id, ids[0], 'https://a.example/x', 'pending', 'order.placed'],
    ],
  )
  assert.equal(told(), 1)
})

test('an order that cannot be written leaves no event and causes no delivery', async t => {
  const { file, order, told } = await outboxOf(t, { endpoints: ['https://a.example/'] })
  const db = new Database(file)
  db.exec(`CREATE TRIGGER full BEFORE INSERT ON webhook_attempt BEGIN SELECT RAISE(ABORT, 'full'); END`)
  db.close()
  await assert.rejects(order())
  assert.equal(count(file, 'SELECT count(*) FROM webhook_event'), 0)
  assert.equal(count(file, 'SELECT count(*) FROM orders'), 0)
  assert.equal(told(), 0)
})

test('only selected events are delivered; without a selection, all are', async t => {
  const { store, order, attempts } = await outboxOf(t, { endpoints: ['https://a.example/'] })
  store.webhooks.endpoints.select(['order.updated', 'order.status_changed'])
  await order()
  assert.equal(attempts().length, 0)
  store.webhooks.endpoints.select(['order.placed', 'order.updated'])
  await order()
  assert.equal(attempts().length, 1)
  store.webhooks.endpoints.select([])
  await order()
  assert.equal(attempts().length, 2)
})

test('every endpoint gets the same bytes under the same id, unsigned by default', async t => {
  const receivers = [await receiver(t), await receiver(t), await receiver(t)]
  const { start, order, attempts, ended } = await outboxOf(t, { endpoints: receivers.map(({ url }) => url) })
  start()
  const id = await order()
  for (const each of receivers) await each.arrival(1)
  const [first, ...others] = receivers.map(({ got }) => got[0] as Got)
  assert.ok(first)
  for (const other of others) {
    assert.deepEqual(other.body, first.body)
    assert.equal(other.headers['webhook-id'], first.headers['webhook-id'])
    assert.equal(other.headers['webhook-timestamp'], first.headers['webhook-timestamp'])
  }
  const envelope = JSON.parse(first.body.toString('utf8'))
  assert.match(envelope.id, /^msg_[A-Za-z0-9]{27}$/)
  assert.deepEqual(envelope, {
    id: first.headers['webhook-id'],
    type: 'order.placed',
    event: 'order.placed',
    data: { id, location_id: 1, channel: 'web', source: 'api' },
    timestamp: new Date(Number(first.headers['webhook-timestamp']) * 1000).toISOString().replace('.000', ''),
  })
  assert.ok(Math.abs(Number(first.headers['webhook-timestamp']) - Date.now() / 1000) < 5)
  assert.deepEqual([first.method, first.path, first.headers['content-type']], ['POST', '/hook', 'application/json'])
  assert.equal(first.headers['webhook-signature'], undefined)
  assert.equal(first.headers['x-restaurant-signature'], undefined)
  await until(ended)
  for (const attempt of attempts()) {
    assert.deepEqual([attempt.state, attempt.status, attempt.signatures], ['received', 204, 0])
  }
})

test('a signed delivery is verified by the standard’s library and by the legacy rule, also while secrets rotate', async t => {
  const { url, got, arrival } = await receiver(t)
  const { store, start, order, attempts, ended } = await outboxOf(t, { endpoints: [url] })
  start()
  const newer = 'whsec_//z59vPw7ern5OHe29jV0s/MycbDwL26t7SxrquopaI='
  const active: string[][] = []
  store.webhooks.secrets.set(secret)
  active.push([secret])
  await order()
  await arrival(1)
  store.webhooks.secrets.rotate(newer)
  active.push([newer, secret])
  await order()
  await arrival(2)
  store.webhooks.secrets.retire()
  active.push([newer])
  await order()
  await arrival(3)
  for (const [index, { headers, body }] of got.entries()) {
    const secrets = active[index] as string[]
    const named = headers as Record<string, string>
    for (const each of secrets) {
      assert.deepEqual(new Webhook(each).verify(body.toString('utf8'), named), JSON.parse(body.toString('utf8')))
      assert.equal(flawOf(headers, body, each, Date.now() / 1000), null)
    }
    for (const each of [secret, newer].filter(known => !secrets.includes(known))) {
      assert.throws(() => new Webhook(each).verify(body.toString('utf8'), named))
    }
    const legacyOnly = { ...headers, 'webhook-signature': undefined }
    assert.equal(flawOf(legacyOnly, body, secrets[0] as string, Date.now() / 1000), null)
  }
  await until(ended)
  assert.deepEqual(
    attempts().map(({ signatures }) => signatures),
    [1, 2, 1],
  )
})

test('1,000 orders with 3 endpoints cause 3,000 attempts, none twice, in bounded memory', async t => {
  const receivers = [await receiver(t), await receiver(t), await receiver(t)]
  const { start, order, attempts, ended } = await outboxOf(t, { endpoints: receivers.map(({ url }) => url) })
  start()
  let before = 0
  for (let i = 0; i < 100; i++) {
    await Promise.all(Array.from({ length: 10 }, order))
    if (i === 30) {
      await until(ended, 'the first did not end', 30_000)
      before = process.memoryUsage().heapUsed
    }
  }
  await until(() => receivers.every(({ got }) => got.length >= 1000), 'not all arrived', 60_000)
  await until(ended)
  const grown = (process.memoryUsage().heapUsed - before) / 1024 / 1024
  assert.ok(grown < 100, `${grown} MiB more`)
  for (const { got, connections } of receivers) {
    assert.equal(new Set(got.map(({ headers }) => headers['webhook-id'])).size, 1000)
    assert.deepEqual([got.length, connections()], [1000, 1000])
  }
  assert.equal(attempts().filter(({ state }) => state === 'received').length, 3000)
})

test('an endpoint that hangs does not delay others, and at most 32 attempts run at once', async t => {
  let most = 0
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  t.after(() => release())
  const hanging = await receiver(t, async (_, response) => {
    most = Math.max(most, hanging.open())
    await released
    response.writeHead(204).end()
  })
  const quick = await receiver(t)
  const { start, order, attempts } = await outboxOf(t, { endpoints: [hanging.url, quick.url], deadlineMs: 60_000 })
  start()
  for (let i = 0; i < 20; i++) await Promise.all([order(), order(), order(), order(), order()])
  await quick.arrival(100)
  assert.ok(hanging.got.length <= 16, 'the quick endpoint waited for the other')
  assert.ok(attempts().filter(({ state }) => state === 'started').length <= 32)
  release()
  await until(() => hanging.got.length === 100, 'not all were attempted', 20_000)
  assert.ok(most <= 16, `${most} at once`)
})

test('an attempt that has waited for more than 5 minutes is lost, and one that has waited less is sent', async t => {
  const { url, got, arrival } = await receiver(t)
  const clock = heldClock('2026-11-20T19:00:00Z')
  const { start, order, attempts } = await outboxOf(t, { clock, endpoints: [url] })
  const late = await order()
  clock.pass(60_000)
  const young = await order()
  clock.pass(4 * 60_000 + 30_000)
  start()
  await arrival(1)
  await until(() => attempts().every(({ state }) => state === 'lost' || state === 'received'))
  const states = new Map(attempts().map(({ orderId, state, reason }) => [orderId as number, [state, reason]]))
  assert.deepEqual(states.get(late), ['lost', 'it waited for more than 5 minutes'])
  assert.deepEqual(states.get(young), ['received', null])
  assert.equal(got.length, 1)
  // The receiver's own rule of 300 seconds starts with the attempt.
  assert.equal(Number(got[0]?.headers['webhook-timestamp']), Math.floor(clock.now() / 1000))
})

test('an attempt that an earlier server had begun is recorded as lost and never sent again', async t => {
  const { url, got } = await receiver(t)
  const { file, store, start, order, attempts } = await outboxOf(t, { endpoints: [url] })
  await order()
  const db = new Database(file)
  db.exec(`UPDATE webhook_attempt SET state = 'started', started_at = 1`)
  db.close()
  const { stop } = start()
  await stop()
  assert.deepEqual(
    attempts().map(({ state, reason }) => [state, reason]),
    [['lost', 'Servery ended while it was being attempted']],
  )
  assert.equal(got.length, 0)
  assert.equal(store.webhooks.log.lost(null).length, 1)
})

test('waiting attempts are lost when their endpoint is removed or paused', async t => {
  const { store, ids, start, order, attempts } = await outboxOf(t, {
    endpoints: ['https://a.example/', 'https://b.example/'],
  })
  await order()
  store.webhooks.endpoints.remove(ids[0] as EndpointId)
  store.webhooks.endpoints.pause(ids[1] as EndpointId, true)
  await start().stop()
  assert.deepEqual(
    attempts().map(({ reason }) => reason),
    ['the endpoint was paused', 'the endpoint was removed'],
  )
})

test('stopping starts the waiting attempts, gives them their deadline and records the results', async t => {
  const slow = await receiver(t, (_, response) => void setTimeout(() => response.writeHead(200).end(), 300))
  const { start, order, attempts } = await outboxOf(t, { endpoints: [slow.url] })
  await order()
  await start().stop()
  assert.deepEqual(
    attempts().map(({ state }) => state),
    ['received'],
  )
})

test('lost lists the events that no endpoint received, or that one endpoint did not', async t => {
  const good = await receiver(t)
  const bad = await receiver(t, (_, response) => void response.writeHead(500).end('out of order'))
  const { store, ids, start, order, ended, attempts } = await outboxOf(t, { endpoints: [good.url, bad.url] })
  start()
  const first = await order()
  await until(ended)
  const { log } = store.webhooks
  assert.deepEqual(log.lost(null), [])
  assert.deepEqual(
    log.lost(ids[1] as EndpointId).map(({ orderId }) => orderId),
    [first],
  )
  await good.close()
  const second = await order()
  await until(ended)
  const [lost, ...more] = log.lost(null)
  assert.deepEqual([lost?.orderId, more.length], [second, 0])
  assert.deepEqual(
    lost?.attempts.map(({ status, reason }) => [status, reason]),
    [
      [null, 'the connection was refused'],
      [500, null],
    ],
  )
  assert.equal(
    attempts()
      .find(({ status }) => status === 500)
      ?.response?.toString(),
    'out of order',
  )
  assert.equal(log.list({ failedOnly: true }, 100).length, 3)
})

test('the log keeps 10,000 attempts or 30 days, whichever is less, and never drops unsent attempts', async t => {
  const clock = heldClock('2026-11-20T19:00:00Z')
  const { file, store, order, attempts } = await outboxOf(t, { clock, endpoints: ['https://a.example/'] })
  const order1 = await order()
  const db = new Database(file)
  const event = db.prepare(
    `INSERT INTO webhook_event (delivery_id, type, order_id, facts, created_at) VALUES ('msg', 'order.placed', ?, '{}', ?)`,
  )
  const attempt = db.prepare(
    `INSERT INTO webhook_attempt (event_id, endpoint_id, url, state) VALUES (?, 1, 'https://a.example/', 'lost')`,
  )
  db.transaction(() => {
    for (let i = 0; i < 10_050; i++) attempt.run(event.run(order1, clock.now()).lastInsertRowid)
  })()
  db.close()
  store.webhooks.log.prune()
  assert.equal(attempts().filter(({ state }) => state === 'lost').length, 10_000)
  assert.equal(count(file, 'SELECT count(*) FROM webhook_event'), 10_001)
  clock.pass(30 * 86_400_000 + 1)
  store.webhooks.log.prune()
  assert.deepEqual(
    attempts().map(({ orderId, state }) => [orderId, state]),
    [[order1, 'pending']],
  )
  assert.equal(count(file, 'SELECT count(*) FROM webhook_event'), 1)
})

test('a file that cannot be written for a while delays deliveries and duplicates none', async t => {
  const { url, got, arrival } = await receiver(t)
  const { file, start, order, attempts, logged, ended } = await outboxOf(t, { endpoints: [url] })
  await order()
  const db = new Database(file)
  db.exec(`CREATE TRIGGER full BEFORE UPDATE ON webhook_attempt BEGIN SELECT RAISE(ABORT, 'full'); END`)
  start()
  await until(() => logged.some(({ event }) => event === 'webhooks have to wait'))
  assert.equal(got.length, 0)
  db.exec('DROP TRIGGER full')
  db.close()
  await arrival(1)
  await until(ended)
  assert.deepEqual([got.length, attempts()[0]?.state], [1, 'received'])
})
