import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import test, { type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { Webhook } from 'standardwebhooks'
import { readConfiguration } from '../configuration.ts'
import { flawOf } from '../examples/receiver.ts'
import { servery } from './support/commands.ts'
import { root, temporaryFolder } from './support/folders.ts'
import { startProgram } from './support/program.ts'
import { receiver } from './support/receivers.ts'
import { importInto, switchedOn } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'
import { until } from './support/until.ts'
import { areEnded, attemptsIn, environmentForReceivers } from './support/webhook-log.ts'

interface Program {
  order(): Promise<number>
  /** Sends a signal, waits for the end, and returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
  stderr(): string
}

function restaurantFile(t: TestContext): { file: string; token: string; environment: Record<string, string> } {
  const folder = temporaryFolder(t)
  const file = join(folder, 'test.db')
  const token = importInto(file, smallRestaurant(), { ...switchedOn, 'orders.limit': '1000000' })
  return { file, token, environment: environmentForReceivers(folder) }
}

/** Starts the server as a person would and waits until it serves. */
async function start(
  t: TestContext,
  shop: { file: string; token: string },
  environment: Record<string, string>,
): Promise<Program> {
  const server = await startProgram(shop.file, { environment })
  t.after(() => server.child.kill('SIGKILL'))
  return {
    async order() {
      const response = await fetch(`http://127.0.0.1:${server.port}/api/index.php/v1/restaurant/orders`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ location_id: 1, items: [{ item_id: 1, qty: 1 }] }),
      })
      assert.equal(response.status, 201)
      const { data } = (await response.json()) as { data: { id: number } }
      return data.id
    },
    end: async signal => (await server.end(signal)).code,
    stderr: server.stderr,
  }
}

test('once set up by commands, an order is delivered, verified and logged; a receiver that is down loses it', async t => {
  const { file, token, environment } = restaurantFile(t)
  const { url, got, arrival, close } = await receiver(t)
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await servery(file, ['webhooks', ...args, '--json'], { environment })
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }
  const server = await start(t, { file, token }, environment)
  const { secret } = await run('secret', 'set', 'generate')
  assert.deepEqual(await run('add', `${url}?key=hidden`).then(({ id, warning }) => [id, warning]), [1, null])

  const first = await server.order()
  await arrival(1)
  const [delivery] = got
  assert.ok(delivery)
  assert.equal(delivery.path, '/hook?key=hidden')
  new Webhook(secret).verify(delivery.body.toString('utf8'), delivery.headers as Record<string, string>)
  assert.equal(flawOf(delivery.headers, delivery.body, secret, Date.now() / 1000), null)
  await until(() => areEnded(file))
  const [logged] = await run('log')
  assert.deepEqual(
    [logged.order_id, logged.received, logged.status, logged.signed, logged.schemes, logged.url, logged.delivery_id],
    [first, true, 204, true, ['v1', 'sha256'], url, delivery.headers['webhook-id']],
  )

  await close()
  const second = await server.order()
  await until(() => attemptsIn(file).length === 2 && areEnded(file))
  const [failed, ...others] = await run('log', '--failed')
  assert.deepEqual([failed.order_id, failed.received, failed.reason], [second, false, 'the connection was refused'])
  assert.equal(others.length, 0)
  assert.deepEqual(
    (await run('lost')).map((event: { order_id: number }) => event.order_id),
    [second],
  )
  const table = await servery(file, ['webhooks', 'lost', '--csv'])
  assert.match(table.stdout, /^at,type,delivery_id,order_id,order_number,location_id,why\r\n.*,2,ORD-000002,1,/)

  assert.equal(await server.end('SIGTERM'), 0)
  const exported = (await servery(file, ['export'])).stdout
  const shown = JSON.stringify([await run('endpoints'), await run('log'), await run('lost')])
  for (const text of [exported, shown, server.stderr()]) assert.ok(!text.includes(secret.slice(6)), 'the secret shows')
  assert.match(server.stderr(), /"event":"webhook lost"/)
  assert.ok(!server.stderr().includes('hidden'), 'the query of a URL is in the log')
})

test('a forbidden address is never connected to, and the log says so', async t => {
  const { file, token, environment } = restaurantFile(t)
  const { url, connections } = await receiver(t)
  const added = await servery(file, ['webhooks', 'add', url, '--json'])
  assert.match(JSON.parse(added.stdout).warning, /WEBHOOK_ALLOW_NETWORKS/)
  const server = await start(t, { file, token }, { ...environment, WEBHOOK_ALLOW_NETWORKS: '10.0.0.0/8' })
  await server.order()
  await until(() => attemptsIn(file).length === 1 && areEnded(file))
  assert.equal(attemptsIn(file)[0]?.reason, 'the address 127.0.0.1 is not allowed')
  assert.equal(connections(), 0)
})

test('an attempt interrupted by kill -9 is recorded as lost and never repeated', async t => {
  const { file, token, environment } = restaurantFile(t)
  const { url, got, arrival } = await receiver(t, () => {})
  await servery(file, ['webhooks', 'add', url])
  const server = await start(t, { file, token }, environment)
  await server.order()
  await arrival(1)
  await server.end('SIGKILL')
  const again = await start(t, { file, token }, environment)
  await until(() => areEnded(file))
  assert.deepEqual(
    attemptsIn(file).map(({ state, reason }) => [state, reason]),
    [['lost', 'Servery ended while it was being attempted']],
  )
  await again.end('SIGTERM')
  assert.equal(got.length, 1)
})

test('after kill -9 at any moment, every event is attempted at most once, and its result is known', async t => {
  const { file, token, environment } = restaurantFile(t)
  const { url, got } = await receiver(t, (_, response) => void setTimeout(() => response.writeHead(204).end(), 5))
  await servery(file, ['webhooks', 'add', url])
  let answered = 0
  for (const killAfter of [3, 12, 25]) {
    const server = await start(t, { file, token }, environment)
    let isKilled = false
    const clients = Array.from({ length: 4 }, async () => {
      while (!isKilled) {
        try {
          await server.order()
          answered++
        } catch {
          return
        }
      }
    })
    const before = answered
    await until(() => answered >= before + killAfter)
    isKilled = true
    await server.end('SIGKILL')
    await Promise.all(clients)
  }
  const last = await start(t, { file, token }, environment)
  await until(() => areEnded(file))
  await last.end('SIGTERM')

  const attempts = attemptsIn(file)
  const db = new Database(file, { readonly: true })
  const orders = db.prepare<[], number>('SELECT count(*) FROM orders').pluck().get() ?? 0
  db.close()
  assert.ok(orders >= answered)
  assert.equal(attempts.length, orders, 'every order has its event')
  const arrivals = new Map<string, number>()
  for (const { headers } of got) {
    const id = String(headers['webhook-id'])
    arrivals.set(id, (arrivals.get(id) ?? 0) + 1)
  }
  for (const [id, times] of arrivals) assert.equal(times, 1, `${id} arrived ${times} times`)
  for (const { delivery, state, reason } of attempts) {
    if (state === 'received') assert.ok(arrivals.has(delivery), `${delivery} was not received`)
    else assert.equal(reason, 'Servery ended while it was being attempted')
  }
})

test('an event that was not attempted is sent once by the next server', async t => {
  const { file, token, environment } = restaurantFile(t)
  const { url, got, arrival } = await receiver(t)
  await servery(file, ['webhooks', 'add', url])
  const server = await start(t, { file, token }, environment)
  await server.order()
  await arrival(1)
  await server.end('SIGKILL')
  // As if the process had ended between the commit of the order and the attempt.
  const db = new Database(file)
  db.exec(`UPDATE webhook_attempt SET state = 'pending', started_at = NULL, signatures = NULL, status = NULL`)
  db.exec('UPDATE webhook_event SET dispatched_at = NULL')
  db.close()
  const next = await start(t, { file, token }, environment)
  await arrival(2)
  await until(() => areEnded(file))
  await next.end('SIGKILL')
  const third = await start(t, { file, token }, environment)
  assert.equal(await third.end('SIGTERM'), 0)
  assert.equal(got.length, 2)
  assert.equal(attemptsIn(file)[0]?.state, 'received')
})

test('SIGTERM lets an attempt in progress use its deadline', async t => {
  const { file, token, environment } = restaurantFile(t)
  const { url, arrival } = await receiver(
    t,
    (_, response) => void setTimeout(() => response.writeHead(200).end(), 1500),
  )
  await servery(file, ['webhooks', 'add', url])
  const server = await start(t, { file, token }, environment)
  await server.order()
  await arrival(1)
  assert.equal(await server.end('SIGTERM'), 0)
  assert.deepEqual(
    attemptsIn(file).map(({ state }) => state),
    ['received'],
  )
})

test('SIGTERM with an endpoint that never responds ends after its 5 seconds, with the loss recorded', async t => {
  const { file, token, environment } = restaurantFile(t)
  const { url, arrival } = await receiver(t, () => {})
  await servery(file, ['webhooks', 'add', url])
  const server = await start(t, { file, token }, environment)
  await server.order()
  await arrival(1)
  const began = performance.now()
  assert.equal(await server.end('SIGTERM'), 0)
  assert.ok(performance.now() - began < 7000)
  assert.deepEqual(
    attemptsIn(file).map(({ state, reason }) => [state, reason]),
    [['lost', 'it did not end within 5 seconds']],
  )
})

test('WEBHOOK_ALLOW_NETWORKS is checked together with all other variables', () => {
  const { problems } = readConfiguration({ PORT: 'x', WEBHOOK_ALLOW_NETWORKS: '192.168.1.0/24, kitchen, 10.0.0.0/33' })
  assert.equal(problems.length, 3)
  assert.match(problems.join('\n'), /WEBHOOK_ALLOW_NETWORKS.*"kitchen"[\s\S]*WEBHOOK_ALLOW_NETWORKS.*"10\.0\.0\.0\/33"/)
})

test('the delivery thread loads without a build from any working directory', async t => {
  const { file, token, environment } = restaurantFile(t)
  const { url, arrival } = await receiver(t)
  await servery(file, ['webhooks', 'add', url])
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), join(root, 'server.ts')], {
    cwd: dirname(file),
    env: { ...process.env, DATABASE_FILE: file, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  await until(() => / at http.*\n/.test(output))
  const port = /:(\d+)\n/.exec(output)?.[1]
  const response = await fetch(`http://127.0.0.1:${port}/api/index.php/v1/restaurant/orders`, {
    method: 'POST',
    headers: { 'X-Api-Token': token, 'Content-Type': 'application/json' },
    body: '{"location_id":1,"items":[{"item_id":1,"qty":1}]}',
  })
  assert.equal(response.status, 201)
  await arrival(1)
})
