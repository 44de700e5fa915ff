import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { temporaryFolder } from './support/folders.ts'
import { type Program, startProgram } from './support/program.ts'
import { importInto, rawExchange, switchedOn } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const ORDERS = '/api/index.php/v1/restaurant/orders'
const MENU = '/api/index.php/v1/restaurant/locations/1/menu'
const ORDER_FAILED = { errors: [{ title: 'The order could not be created.', code: 'ORDER_FAILED' }] }

/** A restaurant's file that so many orders may be placed into. */
function restaurantFile(t: TestContext, limit = 1_000_000): { file: string; token: string } {
  const file = join(temporaryFolder(t), 'test.db')
  return { file, token: importInto(file, smallRestaurant(), { ...switchedOn, 'orders.limit': String(limit) }) }
}

/** Starts the server as a person would, `under` before its command line. It is gone after the test. */
async function startServer(t: TestContext, file: string, under: string[] = []): Promise<Program> {
  const program = await startProgram(file, { under })
  t.after(() => program.child.kill('SIGKILL'))
  return program
}

interface Answer {
  status: number
  requestId: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape, and fail where one is another
  body: any
}

/** A client with so many connections, which it keeps. */
function client(t: TestContext, { port, token, connections }: { port: number; token: string; connections: number }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  t.after(() => agent.destroy())

  function call(method: string, path: string, body?: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const sent = request({ agent, port, host: '127.0.0.1', method, path, headers }, response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', chunk => (text += chunk))
        response.on('error', reject)
        response.on('end', () => {
          const requestId = String(response.headers['x-request-id'])
          resolve({ status: response.statusCode ?? 0, requestId, body: JSON.parse(text) })
        })
      })
      sent.on('error', reject)
      sent.end(body && JSON.stringify(body))
    })
  }
  return { order: (notes: string) => call('POST', ORDERS, orderWith(notes)), menu: () => call('GET', MENU) }
}

/** An order of two lines, the second with these notes. */
function orderWith(notes: string) {
  return {
    location_id: 1,
    notes,
    items: [
      { item_id: 1, qty: 1 },
      { item_id: 2, qty: 1, notes, modifiers: [{ modifier_id: 2 }] },
    ],
  }
}

/** What is in a file, read by another process while a server may be running. */
function look<T>(file: string, read: (db: Database.Database) => T): T {
  const db = new Database(file, { readonly: true })
  try {
    return read(db)
  } finally {
    db.close()
  }
}

interface Stored {
  id: number
  number: number
  notes: string
  lines: number
}

/** The orders in the file with the number of their lines, after checking that the file is sound and nothing is in there by halves. */
function soundOrders(file: string): Stored[] {
  return look(file, db => {
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
    assert.deepEqual(db.pragma('foreign_key_check'), [])
    const stored = db
      .prepare<[], Stored>(
        'SELECT id, number, notes, (SELECT count(*) FROM order_line WHERE order_id = orders.id) AS lines FROM orders ORDER BY id',
      )
      .all()
    for (const [index, { number, lines }] of stored.entries()) {
      assert.equal(number, index + 1, 'numbers follow each other without a gap')
      assert.equal(lines, 2)
    }
    const lines = db.prepare<[], number>('SELECT count(*) FROM order_line').pluck().get()
    assert.equal(lines, 2 * stored.length, 'lines without an order')
    return stored
  })
}

const strace = straceOptions()

/** How to run a program so that its syncs and answers are written down in order, or why that can't be done here. */
function straceOptions(): { prefix: (trace: string) => string[] } | { skip: string } {
  // -D keeps the server itself as our child; -y names the file that is synced.
  const options = ['-D', '-f', '-y', '-s', '20', '-e', 'signal=none', '-e', 'trace=fsync,fdatasync,write,writev']
  const { error, status, stderr } = spawnSync('strace', [...options, '-o', '/dev/null', 'true'], { encoding: 'utf8' })
  if (error) return { skip: 'strace is not installed, so nobody counts the fsyncs' }
  if (status !== 0) return { skip: `strace may not watch a process here: ${stderr.trim()}` }
  return { prefix: trace => ['strace', ...options, '-o', trace] }
}

/** Serves under strace until `use` is done. Returns what happened: syncs of the log, and responses 201. */
async function traced(
  t: TestContext,
  connections: number,
  use: (order: (notes: string) => Promise<Answer>) => Promise<void>,
): Promise<('sync' | 'answer')[]> {
  if (!('prefix' in strace)) return []
  const { file, token } = restaurantFile(t)
  const trace = join(temporaryFolder(t), 'trace')
  const { port, end } = await startServer(t, file, strace.prefix(trace))
  const { order } = client(t, { port, token, connections })
  // The first request also writes down that the token was used.
  assert.equal((await order('first')).status, 201)
  await use(order)
  await end('SIGTERM')
  const events = readFileSync(trace, 'utf8')
    .split('\n')
    .flatMap((line): ('sync' | 'answer')[] => {
      if (/ f(data)?sync\(\d+<[^>]*test\.db-wal>\)? .*(= 0|unfinished)/.test(line)) return ['sync']
      return / writev?\(.*"HTTP\/1\.1 201/.test(line) ? ['answer'] : []
    })
  return events.slice(events.indexOf('answer') + 1)
}

const skipWithoutStrace = 'skip' in strace ? { skip: strace.skip } : {}

test('on one connection, every order is synced to the disk before its response', skipWithoutStrace, async t => {
  const events = await traced(t, 1, async order => {
    for (let i = 0; i < 25; i++) assert.equal((await order(`order ${i}`)).status, 201)
  })
  assert.equal(events.filter(event => event === 'answer').length, 25)
  for (const [index, event] of events.entries()) {
    if (event === 'answer')
      assert.equal(events[index - 1], 'sync', `answer ${index} was sent before its order was safe`)
  }
})

test(
  'orders that arrive together share commits: 32 connections cause far fewer syncs than orders',
  skipWithoutStrace,
  async t => {
    const each = 20
    const events = await traced(t, 32, async order => {
      const guests = Array.from({ length: 32 }, async (_, guest) => {
        for (let i = 0; i < each; i++) assert.equal((await order(`${guest}.${i}`)).status, 201)
      })
      await Promise.all(guests)
    })
    const answers = events.filter(event => event === 'answer').length
    const syncs = events.length - answers
    assert.equal(answers, 32 * each)
    t.diagnostic(`${syncs} syncs for ${answers} orders`)
    assert.ok(syncs > 0 && syncs <= 0.5 * answers, `${syncs} syncs for ${answers} orders`)
  },
)

test('after kill -9 under load, every order that got 201 is in the file, complete, and numbers have no gap', async t => {
  const { file, token } = restaurantFile(t)
  const answered = new Map<string, { id: number; order_number: string }>()
  for (let round = 0; round < 4; round++) {
    const { port, end } = await startServer(t, file)
    const { order } = client(t, { port, token, connections: 16 })
    const wanted = answered.size + 150 + round * 37
    let isDead = false
    const guests = Array.from({ length: 16 }, async (_, guest) => {
      for (let i = 0; !isDead; i++) {
        const notes = `${round}.${guest}.${i}`
        // An order that is cut off may or may not have been created; nobody was told.
        const answer = await order(notes).catch(() => undefined)
        if (!answer) return
        assert.equal(answer.status, 201)
        answered.set(notes, answer.body.data)
        if (answered.size >= wanted && !isDead) {
          isDead = true
          await end('SIGKILL')
        }
      }
    })
    await Promise.all(guests)

    const stored = new Map(soundOrders(file).map(row => [row.notes, row]))
    for (const [notes, { id, order_number }] of answered) {
      const row = stored.get(notes)
      assert.deepEqual([row?.id, row?.number], [id, Number(order_number.slice(4))], `order ${notes} is lost`)
    }
    assert.ok(stored.size <= answered.size + 16 * (round + 1), 'no more than what was in flight is there beyond')
  }
})

/** Makes the file fail at the second line of every order with the notes "faulty", as a broken disk would. */
function breakFor(file: string, failure: string): void {
  const db = new Database(file)
  db.exec(`DROP TRIGGER IF EXISTS broken;
    CREATE TRIGGER broken AFTER INSERT ON order_line WHEN NEW.notes = 'faulty'
    BEGIN SELECT RAISE(${failure}, 'secret: the disk went away'); END`)
  db.close()
}

test('an error while writing an order gives that order alone 500 ORDER_FAILED; the others of its commit are created (decision A4)', async t => {
  const { file, token } = restaurantFile(t)
  const { port, end } = await startServer(t, file)
  const failed: string[] = []
  let created = 0
  for (const failure of ['ABORT', 'FAIL', 'ROLLBACK']) {
    await t.test(`when the statement fails with ${failure}`, async () => {
      breakFor(file, failure)
      const all = ['a', 'b', 'faulty', 'c', 'd', 'faulty', 'e']
      // In one packet, so that they arrive in one turn of the event loop.
      const answers = await pipelined(port, token, all)
      assert.deepEqual(
        answers.map(({ status }) => status),
        all.map(notes => (notes === 'faulty' ? 500 : 201)),
      )
      for (const [index, { status, requestId, body, text }] of answers.entries()) {
        if (status === 201) {
          assert.equal(body.data.notes, all[index])
          assert.equal(body.data.order_number, `ORD-${String(++created).padStart(6, '0')}`)
          continue
        }
        assert.deepEqual(body, ORDER_FAILED)
        assert.doesNotMatch(text, /secret|disk|SQLITE|trigger|order_line|at .*\.ts/i)
        failed.push(requestId)
      }
      assert.equal(soundOrders(file).length, created)
    })
  }
  await t.test('orders are created again once the error is gone', async () => {
    const db = new Database(file)
    db.exec('DROP TRIGGER broken')
    db.close()
    const { order } = client(t, { port, token, connections: 1 })
    assert.equal((await order('faulty')).body.data.order_number, `ORD-${String(created + 1).padStart(6, '0')}`)
  })
  await t.test('the log has the cause of each failure, under the request id of its response', async () => {
    const { logged } = await end('SIGTERM')
    assert.equal(new Set(failed).size, 6)
    for (const requestId of failed) {
      const lines = logged.filter(({ request }) => request === requestId)
      assert.deepEqual(
        lines.map(({ level, error }) => [level, error]),
        [['error', 'secret: the disk went away']],
      )
      assert.doesNotMatch(JSON.stringify(lines), new RegExp(`${token}|faulty`))
    }
  })
})

test('an order that failed does not count towards the order limit, and orders retried after it count once (decision B3)', async t => {
  const { file, token } = restaurantFile(t, 3)
  const { port } = await startServer(t, file)
  breakFor(file, 'ABORT')
  const answers = await pipelined(port, token, ['a', 'faulty', 'b', 'faulty', 'c', 'd'])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 500, 201, 500, 201, 429],
  )
  assert.equal(soundOrders(file).length, 3)
})

/** Sends orders over one connection without waiting for answers, and gives back the answers in order. */
async function pipelined(port: number, token: string, notes: string[]): Promise<(Answer & { text: string })[]> {
  const requests = notes.map((each, index) => {
    const body = JSON.stringify(orderWith(each))
    const connection = index === notes.length - 1 ? 'close' : 'keep-alive'
    const headers = `Host: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nConnection: ${connection}`
    return `POST ${ORDERS} HTTP/1.1\r\n${headers}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  })
  const received = await rawExchange(port, requests.join(''), 20_000)
  return received
    .split(/(?=HTTP\/1\.1 )/)
    .filter(text => text !== '')
    .map(text => ({
      text,
      status: Number(text.slice(9, 12)),
      requestId: /^x-request-id: (.+)\r$/im.exec(text)?.[1] ?? '',
      body: JSON.parse(text.slice(text.indexOf('\r\n\r\n'))),
    }))
}

/** Limits the size of the files that a process may write. Returns false where that is not permitted. */
function limitFileSize(pid: number | undefined, bytes: number | 'unlimited'): boolean {
  return spawnSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`]).status === 0
}

test('while the disk fails, orders get 500 ORDER_FAILED and leave nothing, and menus are served; afterwards orders are created again', async t => {
  const { file, token } = restaurantFile(t)
  const { child, port, end } = await startServer(t, file)
  const { order, menu } = client(t, { port, token, connections: 16 })
  assert.equal((await order('before')).status, 201)
  if (!limitFileSize(child.pid, statSync(`${file}-wal`).size + 2000)) {
    t.skip('prlimit is not there, so the disk cannot be made to fail')
    return
  }
  const failed = await Promise.all(['a', 'b', 'c', 'd'].map(order))
  for (const { status, body } of failed) {
    assert.equal(status, 500)
    assert.deepEqual(body, ORDER_FAILED)
  }
  assert.equal((await menu()).status, 200)
  assert.equal(soundOrders(file).length, 1)

  limitFileSize(child.pid, 'unlimited')
  assert.equal((await order('after')).body.data.order_number, 'ORD-000002')
  assert.equal(soundOrders(file).length, 2)
  const { logged } = await end('SIGTERM')
  for (const { requestId } of failed) {
    const line = logged.find(({ request }) => request === requestId)
    assert.equal(line?.code, 'SQLITE_IOERR_WRITE')
  }
})

/** Keeps other processes from writing to a file until `release`; what it executes they see then. */
function lock(t: TestContext, file: string): { execute(sql: string): void; release(): void } {
  const db = new Database(file)
  t.after(() => db.close())
  db.exec('BEGIN EXCLUSIVE')
  return { execute: sql => void db.exec(sql), release: () => void db.exec('COMMIT') }
}

test('while another process writes, orders wait and then succeed, and menus are served', async t => {
  const { file, token } = restaurantFile(t)
  const { port } = await startServer(t, file)
  const { order, menu } = client(t, { port, token, connections: 16 })
  assert.equal((await order('before')).status, 201)

  const { release } = lock(t, file)
  let answers = 0
  const waiting = ['a', 'b', 'c', 'd'].map(async notes => {
    const answer = await order(notes)
    answers++
    return answer
  })
  for (let i = 0; i < 10; i++) assert.equal((await menu()).status, 200)
  assert.equal(answers, 0)
  assert.equal(soundOrders(file).length, 1)
  release()
  for (const { status, body } of await Promise.all(waiting)) assert.equal(status, 201, JSON.stringify(body))
  assert.equal(soundOrders(file).length, 5)
})

test('an order that waited for another process is priced by what that process wrote', async t => {
  const { file, token } = restaurantFile(t)
  const { port } = await startServer(t, file)
  const { order, menu } = client(t, { port, token, connections: 2 })
  assert.equal((await order('before')).body.data.subtotal, 18.5)
  const { execute, release } = lock(t, file)
  const waiting = order('waiting')
  assert.equal((await menu()).body.data.categories[0].items[0].price, 6)
  execute('UPDATE item SET price_milli = 7250 WHERE id = 1; UPDATE revision SET catalogue = catalogue + 1')
  assert.equal((await menu()).body.data.categories[0].items[0].price, 6, 'it is not committed yet')
  release()
  assert.equal((await waiting).body.data.subtotal, 19.75)
  assert.equal((await menu()).body.data.categories[0].items[0].price, 7.25)
})

test('an order that waits too long for another process gets 500 ORDER_FAILED and is not created; later orders are', async t => {
  const { file, token } = restaurantFile(t)
  const { port, end } = await startServer(t, file)
  const { order, menu } = client(t, { port, token, connections: 16 })
  const { release } = lock(t, file)
  const failed = await Promise.all(['a', 'b', 'c'].map(order))
  for (const { status, body } of failed) {
    assert.equal(status, 500)
    assert.deepEqual(body, ORDER_FAILED)
  }
  assert.equal((await menu()).status, 200)
  release()
  assert.equal((await order('after')).body.data.order_number, 'ORD-000001')
  assert.equal(soundOrders(file).length, 1)
  const { logged } = await end('SIGTERM')
  for (const { requestId } of failed) {
    const line = logged.find(({ request, event }) => request === requestId && event === 'request failed')
    assert.equal(line?.code, 'SQLITE_BUSY')
  }
})
