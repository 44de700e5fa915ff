import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, linkSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { random } from '../../examples/practice/random.ts'
import { type Acknowledged, flawsOf } from '../support/acknowledged.ts'
import { type Answer, type Client, client } from '../support/client.ts'
import { restaurantFileIn, servery } from '../support/commands.ts'
import { restaurantIn } from '../support/demo-restaurant.ts'
import { root, temporaryFolder } from '../support/folders.ts'
import { type Menu, orderFrom } from '../support/random-order.ts'
import { receiver } from '../support/receivers.ts'
import { ordersIn } from '../support/rows.ts'
import { smallRestaurant } from '../support/small-restaurant.ts'
import { until } from '../support/until.ts'
import { environmentForReceivers } from '../support/webhook-log.ts'
import { refusalOf, served } from './serving.ts'

/** Has another process hold a file until `release`. */
async function hold(t: TestContext, file: string, what: 'write' | 'whole'): Promise<{ release(): Promise<void> }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/faults/lock-child.ts', file, what], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const closed = once(child, 'close')
  await once(child.stdout, 'data')
  return {
    async release() {
      child.stdin.end()
      await closed
    },
  }
}

/** An order that was answered, with when it was sent and how long that took. */
interface Timed extends Answer {
  sentAt: number
  tookMs: number
}

/** Guests who order until `isOver`. A request that is not answered fails the test. */
async function orderUntil(isOver: () => boolean, { call }: Client, guests: number): Promise<Timed[]> {
  const menu = (await call('GET', '/locations/1/menu'))?.body.data as Menu
  const by = random('locked')
  const answers: Timed[] = []
  const all = Array.from({ length: guests }, async () => {
    while (!isOver()) {
      const sentAt = performance.now()
      const answer = await call('POST', '/orders', orderFrom(1, menu, by))
      assert.ok(answer, 'a connection broke')
      answers.push({ ...answer, sentAt, tookMs: performance.now() - sentAt })
    }
  })
  await Promise.all(all)
  return answers
}

const acknowledgedIn = (answers: Answer[]): Acknowledged[] =>
  answers.filter(({ status }) => status === 201).map(({ body: { data } }) => ({ ...data, lines: data.items.length }))

// What decision A4 and the README promise of a file that others write to.
const PATIENCE_MS = 5000
const LOCKED_MS = 10_000

test('while another process locks the file for 10 s, menus are served and orders wait at most 5 s; afterwards orders succeed', async t => {
  const { file, token } = restaurantIn(temporaryFolder(t))
  const server = await served(t, file)
  const guests = 12
  const orders = client({ ...server, token, connections: guests })
  const readers = client({ ...server, token, connections: 2 })
  let isOver = false
  const ordering = orderUntil(() => isOver, orders, guests)
  await pause(1000)

  const { release } = await hold(t, file, 'write')
  const lockedAt = performance.now()
  const before = ordersIn(file)
  let reads = 0
  let slowest = 0
  while (performance.now() < lockedAt + LOCKED_MS) {
    const began = performance.now()
    const [menu, health] = await Promise.all([
      readers.call('GET', `/locations/${1 + (reads % 2)}/menu`),
      fetch(`http://127.0.0.1:${server.port}/healthz`),
    ])
    assert.deepEqual([menu?.status, health.status], [200, 200])
    slowest = Math.max(slowest, performance.now() - began)
    reads++
    await pause(50)
  }
  assert.equal(ordersIn(file), before, 'orders were written under the lock')
  const releasedAt = performance.now()
  await release()
  await pause(1500)
  isOver = true
  const answers = await ordering
  orders.close()
  readers.close()

  const answeredAt = ({ sentAt, tookMs }: Timed) => sentAt + tookMs
  const failed = answers.filter(({ status }) => status !== 201)
  assert.ok(failed.length >= guests, `${failed.length} orders failed`)
  for (const { status, body, tookMs } of failed) {
    assert.equal(status, 500)
    assert.deepEqual(body, { errors: [{ title: 'The order could not be created.', code: 'ORDER_FAILED' }] })
    assert.ok(tookMs >= PATIENCE_MS - 100 && tookMs < PATIENCE_MS + 1500, `it failed after ${tookMs} ms`)
  }
  const created = answers.filter(({ status }) => status === 201)
  const under = created.filter(each => answeredAt(each) > lockedAt + 500 && answeredAt(each) < releasedAt)
  assert.equal(under.length, 0, 'orders were answered 201 under the lock')
  const first = Math.min(...created.map(answeredAt).filter(at => at >= releasedAt)) - releasedAt
  assert.ok(first < 1000, `the first order after the lock was answered after ${first} ms`)
  assert.ok(slowest < 1500, `a menu took ${slowest} ms`)

  const { code, logged } = await server.end('SIGTERM')
  assert.equal(code, 0)
  const told = new Set(logged.filter(line => line.code === 'SQLITE_BUSY').map(({ request }) => request))
  for (const { headers } of failed) assert.ok(told.has(headers['x-request-id']), 'a failure is not in the log')
  assert.deepEqual(flawsOf(file, acknowledgedIn(answers)), [])
  assert.equal(ordersIn(file), created.length, 'orders were created and nobody was told')
  t.diagnostic(
    `orders answered 201: ${created.length}, lost: 0; 500 after 5 s: ${failed.length}; menus read meanwhile: ${reads}, ` +
      `slowest ${slowest.toFixed()} ms; first order after the lock: ${first.toFixed()} ms`,
  )
})

test('SIGTERM while another process locks the file refuses the waiting orders and ends the server with 0', async t => {
  const folder = temporaryFolder(t)
  const { file, token } = restaurantIn(folder)
  let answer = () => {}
  const { url, got, arrival } = await receiver(t, (_, response) => {
    answer = () => void response.writeHead(204).end()
  })
  assert.equal((await servery(file, ['webhooks', 'add', url])).code, 0)
  const environment = environmentForReceivers(folder)
  const server = await served(t, file, { environment })
  const { call, close } = client({ ...server, token, connections: 9 })
  const menu = (await call('GET', '/locations/1/menu'))?.body.data as Menu
  const order = () => call('POST', '/orders', orderFrom(1, menu, random('stop')))
  const placed = await order()
  assert.equal(placed?.status, 201)
  await arrival(1)

  const { release } = await hold(t, file, 'write')
  answer()
  const waiting = Array.from({ length: 8 }, order)
  await pause(500)
  const began = performance.now()
  const ended = server.end('SIGTERM')
  for (const refused of await Promise.all(waiting)) {
    assert.deepEqual([refused?.status, refused?.headers.connection], [500, 'close'])
  }
  const { code } = await ended
  const took = performance.now() - began
  assert.equal(code, 0)
  assert.ok(took < 18_000, `it took ${took} ms`)
  close()
  await release()

  // What was under way could not be written down, so the next server knows only that it does not know.
  const next = await served(t, file, { environment })
  await until(() => endingsIn(file).length === 1)
  assert.deepEqual(endingsIn(file), ['Servery ended while it was being attempted'])
  assert.equal((await next.end('SIGTERM')).code, 0)
  assert.equal(got.length, 1)
  assert.deepEqual(flawsOf(file, acknowledgedIn([placed])), [])
  assert.equal(ordersIn(file), 1)
  t.diagnostic(`ended after ${(took / 1000).toFixed(1)} s`)
})

/** Why attempts to tell others were lost. */
function endingsIn(file: string): (string | null)[] {
  const db = new Database(file, { readonly: true })
  try {
    return db.prepare<[], string | null>(`SELECT reason FROM webhook_attempt WHERE state = 'lost'`).pluck().all()
  } finally {
    db.close()
  }
}

test('a server starts while another process writes, waits while one locks the whole file, and gives up after 5 s', async t => {
  const { file, token } = restaurantIn(temporaryFolder(t))
  await t.test('a long write does not prevent the start', async t => {
    const { release } = await hold(t, file, 'write')
    const server = await served(t, file)
    const { call, close } = client({ ...server, token, connections: 1 })
    assert.equal((await call('GET', '/locations/1/menu'))?.status, 200)
    await release()
    close()
    assert.equal((await server.end('SIGTERM')).code, 0)
  })
  await t.test('the start waits while the whole file is locked for a moment', async t => {
    const { release } = await hold(t, file, 'whole')
    const [server] = await Promise.all([served(t, file), pause(2500).then(release)])
    assert.equal((await server.end('SIGTERM')).code, 0)
  })
  await t.test('the start fails in one line when the lock lasts', async t => {
    const { release } = await hold(t, file, 'whole')
    const began = performance.now()
    const { code, told } = await refusalOf(t, file)
    assert.deepEqual(
      [code, told],
      [1, `The database ${file} is locked by another program. Stop that program and start again.\n`],
    )
    assert.ok(performance.now() - began > PATIENCE_MS)
    await release()
  })
  assert.deepEqual(flawsOf(file, []), [])
})

test('a second server is refused under any name of the file, the first goes on, and the second starts once the first is killed', async t => {
  const folder = temporaryFolder(t)
  const { file, token } = restaurantIn(folder)
  const link = join(folder, 'link.db')
  symlinkSync(file, link)
  const linkedFolder = join(temporaryFolder(t), 'folder')
  symlinkSync(folder, linkedFolder)
  const first = await served(t, file)
  const names = [file, relative(root, file), link, join(linkedFolder, 'friday.db')]
  for (const name of names) {
    const { code, told } = await refusalOf(t, name)
    assert.deepEqual(
      [code, told],
      [1, `Another Servery is already serving ${name}. Stop it first, or set DATABASE_FILE.\n`],
    )
  }
  await first.end('SIGKILL')
  const began = performance.now()
  const second = await served(t, link)
  const took = performance.now() - began
  const { call, close } = client({ ...second, token, connections: 1 })
  assert.equal((await call('GET', '/locations'))?.status, 200)
  close()
  assert.equal((await second.end('SIGTERM')).code, 0)
  t.diagnostic(`names refused: ${names.length}; start after kill -9: ${took.toFixed()} ms`)
})

test('a file with two hard links is refused, because writes under one name can be lost under the other', async t => {
  const folder = temporaryFolder(t)
  const { file, token } = restaurantIn(folder)
  const server = await served(t, file)
  const other = join(folder, 'other.db')
  linkSync(file, other)
  const refusal = /^\S+\/other\.db has more than one name \(hard links\), .* use: backup FILE\n$/
  const { code, told } = await refusalOf(t, other)
  assert.equal(code, 1)
  assert.match(told, refusal)
  const command = await servery(other, ['orders'])
  assert.equal(command.code, 1)
  assert.match(command.stderr, refusal)
  const { call, close } = client({ ...server, token, connections: 1 })
  const menu = (await call('GET', '/locations/1/menu'))?.body.data as Menu
  const placed = await call('POST', '/orders', orderFrom(1, menu, random('linked')))
  assert.equal(placed?.status, 201)
  close()
  rmSync(other)
  assert.equal((await server.end('SIGTERM')).code, 0)
  assert.deepEqual(flawsOf(file, acknowledgedIn([placed])), [])
})

// What is made while everybody may do everything.
const wideOpen = ['sh', '-c', 'umask 000; exec "$@"', 'sh']

/** Runs a command of the project with that. */
async function runWideOpen(file: string, ...args: string[]): Promise<void> {
  const [command = '', ...before] = wideOpen
  const child = spawn(command, [...before, process.execPath, '--import', 'tsx', 'cli.ts', ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_FILE: file },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  assert.deepEqual(await once(child, 'close'), [0, null])
}

/** Everything in a folder that others than its owner may do something with, as "name 644". */
function openToOthers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap(name => {
    const mode = statSync(join(folder, name)).mode & 0o777
    return (mode & 0o077) === 0 ? [] : [`${name} ${mode.toString(8)}`]
  })
}

test('under any umask, the file, its folder, its -wal and -shm files, copies and backups are accessible to their owner alone', async t => {
  const outer = temporaryFolder(t)
  const folder = join(outer, 'made', 'for it')
  const file = join(folder, 'friday.db')
  const described = restaurantFileIn(temporaryFolder(t), smallRestaurant())
  await runWideOpen(file, 'import', described)
  const server = await served(t, file, { under: wideOpen })
  await runWideOpen(file, 'backup', join(folder, 'backup.db'))
  await runWideOpen(file, 'availability', 'all', '1', 'off')
  assert.deepEqual(openToOthers(outer), [])
  assert.deepEqual(
    readdirSync(folder).sort(),
    ['backup.db', ...['', '-server', '-shm', '-wal'].map(ending => `friday.db${ending}`)].sort(),
  )
  await server.end('SIGKILL')
  const next = await served(t, file, { under: wideOpen })
  assert.deepEqual(openToOthers(outer), [])
  await next.end('SIGTERM')

  const old = join(folder, 'old.db')
  const db = new Database(old)
  db.exec(readFileSync(join(root, 'test/fixtures/schema-1.sql'), 'utf8'))
  db.pragma(`application_id = ${0x53767279}`)
  db.pragma('user_version = 1')
  db.close()
  chmodSync(old, 0o600)
  const upgraded = await served(t, old, { under: wideOpen })
  assert.ok(readdirSync(folder).includes('old.db.version-1'))
  assert.deepEqual(openToOthers(outer), [])
  await upgraded.end('SIGTERM')
  t.diagnostic(
    `files and folders made under umask 000: ${readdirSync(outer, { recursive: true }).length}, open to others: 0`,
  )
})
