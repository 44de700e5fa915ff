import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { type Random, random } from '../../examples/practice/random.ts'
import { type Acknowledged, flawsOf } from '../support/acknowledged.ts'
import { type Answer, client } from '../support/client.ts'
import { restaurantIn } from '../support/demo-restaurant.ts'
import { root, temporaryFolder } from '../support/folders.ts'
import { type Menu, orderFrom } from '../support/random-order.ts'
import { ordersIn } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { api, getOf, openWire, postOf } from '../support/wire.ts'
import { served } from './serving.ts'

// No request, and so no shut-down, takes longer than this.
const LONGEST_MS = 16_000

/** Keeps everybody else from writing to a file until `release`. */
function lock(file: string): { release(): void } {
  const db = new Database(file)
  db.exec('BEGIN IMMEDIATE')
  return { release: () => void db.close() }
}

interface Crowd {
  /** What was answered, in the order in which it came. */
  answers: Answer[]
  /** Requests that were never answered. */
  unanswered: number
  /** Resolves when everybody has gone home. */
  goHome(): Promise<void>
}

/** Guests who order one after the other over connections that they keep, until they find the door closed. */
async function crowd(port: number, token: string, guests: number, by: Random): Promise<Crowd> {
  const { call, close } = client({ port, token, connections: guests })
  const menu = (await call('GET', '/locations/1/menu'))?.body.data as Menu
  const crowded: Crowd = { answers: [], unanswered: 0, goHome }
  const all = Array.from({ length: guests }, async () => {
    for (;;) {
      const answer = await call('POST', '/orders', orderFrom(1, menu, by))
      if (!answer) break
      crowded.answers.push(answer)
    }
    crowded.unanswered++
  })
  async function goHome(): Promise<void> {
    await Promise.all(all)
    close()
  }
  return crowded
}

const signals: NodeJS.Signals[][] = [['SIGTERM'], ['SIGINT'], ['SIGHUP'], ['SIGTERM', 'SIGTERM'], ['SIGINT', 'SIGHUP']]
const ROUNDS_EACH = 3

test('a signal under load ends the process with 0 once every created order has its response, and frees the port for the next server', async t => {
  const { file, token } = restaurantIn(temporaryFolder(t))
  const seed = process.env.SEED ?? String(Date.now())
  const by = random(seed)
  const acknowledged: Acknowledged[] = []
  let port = '0'
  let duringDraining = 0
  let refused = 0
  let unanswered = 0
  let longest = 0
  const rounds = signals.flatMap(each => Array<NodeJS.Signals[]>(ROUNDS_EACH).fill(each))
  for (const [round, [first, second]] of rounds.entries()) {
    const server = await served(t, file, { environment: { PORT: port } })
    port = String(server.port)
    const guests = await crowd(server.port, token, by.between(8, 16), by)
    await pause(by.between(50, 500))
    // In every other round all guests wait for their answers when it happens.
    const held = round % 2 === 0 ? lock(file) : undefined
    if (held) await pause(100)
    const began = performance.now()
    const ended = server.end(first as NodeJS.Signals)
    await until(() => eventsOf(server.logged()).includes('stopping'))
    if (second) server.child.kill(second)
    held?.release()
    const { code, logged } = await ended
    longest = Math.max(longest, performance.now() - began)
    await guests.goHome()

    assert.equal(code, 0)
    assert.deepEqual(companionsOf(file), [])
    assert.deepEqual(
      logged.filter(({ level }) => level === 'error'),
      [],
    )
    assert.equal(eventsOf(logged).at(-1), 'stopped')
    const created = new Map(logged.map(({ event, request }, index) => [event === 'order placed' && request, index]))
    const stopping = eventsOf(logged).indexOf('stopping')
    for (const { status, headers, body } of guests.answers) {
      if (status === 201) acknowledged.push({ ...body.data, lines: body.data.items.length })
      else assert.deepEqual([status, body.errors[0].code], [503, 'SHUTTING_DOWN'])
      if (status === 503) refused++
      const isWhileDraining = status === 503 || (created.get(String(headers['x-request-id'])) ?? 0) > stopping
      if (!isWhileDraining) continue
      duringDraining++
      assert.equal(headers.connection, 'close', 'a connection was promised that nobody would have served')
    }
    unanswered += guests.unanswered
    assert.equal(ordersIn(file), acknowledged.length, `orders were created in round ${round} and nobody was told`)
  }
  assert.deepEqual(flawsOf(file, acknowledged), [])
  assert.ok(duringDraining >= rounds.length, `only ${duringDraining} answers while it stopped`)
  assert.ok(longest < 5000, `it took ${longest} ms`)
  t.diagnostic(`SEED=${seed}; rounds: ${rounds.length}; longest stop: ${longest.toFixed()} ms`)
  t.diagnostic(
    `orders answered 201: ${acknowledged.length}, lost: 0, created without an answer: 0; answered while stopping: ` +
      `${duringDraining}, of them 503: ${refused}; requests that came too late: ${unanswered}`,
  )
})

const eventsOf = (logged: Record<string, unknown>[]) => logged.map(({ event }) => event)

/** What is left beside a file of what only a server that runs has. */
function companionsOf(file: string): string[] {
  return ['-wal', '-shm', '-journal', '-server-journal'].map(ending => file + ending).filter(existsSync)
}

test('idle connections are closed at once and do not delay the end', async t => {
  const { file, token } = restaurantIn(temporaryFolder(t))
  const server = await served(t, file)
  const idle = Array.from({ length: 20 }, () => openWire(t, server.port))
  for (const wire of idle) wire.send(getOf({ token }))
  for (const wire of idle) assert.equal((await wire.answer()).headers.connection, 'keep-alive')
  const silent = Array.from({ length: 20 }, () => openWire(t, server.port))
  await pause(100)
  const began = performance.now()
  const ended = server.end('SIGTERM')
  for (const wire of [...idle, ...silent]) assert.equal(await wire.rest(), '')
  assert.equal((await ended).code, 0)
  const took = performance.now() - began
  assert.ok(took < 2000, `it took ${took} ms`)
  t.diagnostic(`40 idle connections: ended after ${took.toFixed()} ms`)
})

test('no client delays a stopping server for longer than 16 s, and an order whose client cannot be told is not created', async t => {
  const { file, token } = restaurantIn(temporaryFolder(t))
  const server = await served(t, file)
  const call = client({ ...server, token, connections: 1 })
  const menu = (await call.call('GET', '/locations/1/menu'))?.body.data as Menu
  call.close()
  const body = JSON.stringify(orderFrom(1, menu, random('late')))
  const whole = postOf({ token }, { body })
  const half = whole.length - Math.floor(body.length / 2)

  function begin(bytes: string | Buffer) {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    const seen = { socket, received: '', isClosed: false }
    socket.on('data', chunk => (seen.received += chunk))
    socket.on('error', () => {})
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      seen.isClosed = true
    })
    t.after(() => socket.destroy())
    socket.write(bytes)
    return seen
  }
  const stubborn = [
    begin('GET '),
    begin(whole.subarray(0, 60)),
    begin(whole.subarray(0, half)),
    begin(
      postOf({ token }, { headers: ['Expect: 100-continue'], framing: [`Content-Length: ${body.length}`], body: '' }),
    ),
  ]
  // Enough answers to fill what the system buffers on both sides.
  const deaf = begin(Buffer.concat(Array(3000).fill(getOf({ token }, `${api}/locations/1/menu`))))
  deaf.socket.pause()
  const trickling = begin(whole.subarray(0, half))
  const trickle = setInterval(() => trickling.socket.write(' '), 5000)
  t.after(() => clearInterval(trickle))
  const late = begin(whole.subarray(0, half))
  const tooLate = begin(whole.subarray(0, half))
  await pause(500)

  const began = performance.now()
  const ended = server.end('SIGTERM')
  const after = (ms: number) => pause(began + ms - performance.now())
  await after(10_000)
  late.socket.write(whole.subarray(half))
  await after(13_000)
  const { release } = lock(file)
  tooLate.socket.write(whole.subarray(half))
  await after(17_000)
  release()
  const { code, logged } = await ended
  const took = performance.now() - began
  assert.equal(code, 0)
  assert.ok(took < LONGEST_MS + 2000, `it took ${took} ms`)
  assert.deepEqual(eventsOf(logged).slice(-1), ['stopped'])
  for (const { received, isClosed } of stubborn) {
    assert.ok(isClosed, 'a connection outlived the server')
    assert.doesNotMatch(received, / 20[01] /)
  }
  assert.match(late.received, /^HTTP\/1\.1 201 [\s\S]*\r\nConnection: close\r\n/i)
  assert.equal(tooLate.received, '')
  assert.deepEqual(companionsOf(file), [])
  assert.equal(ordersIn(file), 1, 'an order was created whose guest could not be told')
  t.diagnostic(`${stubborn.length + 4} connections that do not end: ended after ${(took / 1000).toFixed(1)} s`)
})

test('a signal during the start ends the server, and the next start is unaffected', async t => {
  const { file } = restaurantIn(temporaryFolder(t))
  const by = random(process.env.SEED ?? String(Date.now()))
  let early = 0
  const rounds = 6
  for (let round = 0; round < rounds; round++) {
    const child = spawn(process.execPath, ['--import', 'tsx', 'server.ts'], {
      cwd: root,
      env: { ...process.env, DATABASE_FILE: file, PORT: '0' },
      stdio: 'ignore',
    })
    t.after(() => child.kill('SIGKILL'))
    await pause(by.between(50, 900))
    const began = performance.now()
    child.kill('SIGTERM')
    const [code, signal] = await once(child, 'close')
    assert.ok(code === 0 || signal === 'SIGTERM', `it ended with ${code ?? signal}`)
    assert.ok(performance.now() - began < 2000)
    if (signal) early++
  }
  const next = await served(t, file)
  assert.equal((await next.end('SIGTERM')).code, 0)
  assert.deepEqual([...companionsOf(file), ...flawsOf(file, [])], [])
  t.diagnostic(`rounds: ${rounds}, before it served: ${early}`)
})
