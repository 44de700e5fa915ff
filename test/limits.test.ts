import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { readLimits } from '../routes/http/limits.ts'
import { openShop, type Shop } from './support/shop.ts'
import { getOf, openWire, orderCount, postOf } from './support/wire.ts'

/** Opens sockets from an address of this machine that never send a whole request; answers those that are still open. */
async function openSlow(t: TestContext, shop: Shop, count: number, from: string): Promise<() => number> {
  const sockets: Socket[] = []
  for (let i = 0; i < count; i++) {
    const socket = connect({ port: shop.port, host: '127.0.0.1', localAddress: from })
    t.after(() => socket.destroy())
    socket.on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    socket.write(postOf(shop).subarray(0, 50))
  }
  return () => sockets.filter(socket => !socket.closed).length
}

/** The status of a request from an address of this machine. */
async function statusFrom(t: TestContext, shop: Shop, from: string): Promise<string> {
  const socket = connect({ port: shop.port, host: '127.0.0.1', localAddress: from })
  t.after(() => socket.destroy())
  socket.write(getOf(shop))
  const [answer] = await once(socket, 'data')
  return String(answer).slice(9, 12)
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 5))
}

test('a connection closes after its last permitted request, and later requests are not run', async t => {
  const shop = await openShop(t, { environment: { REQUESTS_PER_SOCKET: '3' } })
  const wire = openWire(t, shop.port)
  wire.send(Buffer.concat(Array(5).fill(postOf(shop))))
  const answers = [await wire.answer(), await wire.answer(), await wire.answer()]
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.connection]),
    [
      [201, 'keep-alive'],
      [201, 'keep-alive'],
      [201, 'close'],
    ],
  )
  assert.equal(await wire.rest(), '')
  assert.equal(orderCount(shop), 3)
})

test('when an address exceeds its sockets, the connection that has been slow the longest is closed', {
  timeout: 20_000,
}, async t => {
  const shop = await openShop(t, { environment: { SOCKETS_PER_ADDRESS: '8' } })
  const elsewhere = await openSlow(t, shop, 1, '127.0.0.3')
  const stillOpen = await openSlow(t, shop, 30, '127.0.0.2')
  await until(() => stillOpen() === 8)
  assert.equal(await statusFrom(t, shop, '127.0.0.2'), '200')
  await until(() => stillOpen() === 7)
  assert.equal(elsewhere(), 1, 'another address is not touched')
  const told = shop.logged.filter(({ event }) => event === 'connections dropped')
  assert.deepEqual(
    told.map(({ count, sockets, perAddress }) => [count, sockets, perAddress]),
    [[1, 1024, 8]],
    'the log says so once',
  )
  await shop.stop()
  const [, others] = shop.logged.filter(({ event }) => event === 'connections dropped')
  assert.equal(others?.count, 22, 'the others are counted in one more line')
})

test('the total number of sockets is limited, and other clients are served meanwhile', { timeout: 20_000 }, async t => {
  const shop = await openShop(t, { environment: { SOCKETS: '16' } })
  const open = await Promise.all(['2', '3', '4', '5'].map(last => openSlow(t, shop, 10, `127.0.0.${last}`)))
  const all = () => open.reduce((sum, count) => sum + count(), 0)
  await until(() => all() === 16)
  assert.equal(await statusFrom(t, shop, '127.0.0.6'), '200')
  await until(() => all() === 15)
})

test('a request in progress is not dropped to make room for a new connection', { timeout: 20_000 }, async t => {
  const shop = await openShop(t, { environment: { SOCKETS_PER_ADDRESS: '8' } })
  const db = new Database(shop.file)
  t.after(() => db.close())
  db.exec('BEGIN IMMEDIATE')
  const wires = Array.from({ length: 8 }, () => openWire(t, shop.port))
  for (const wire of wires) wire.send(postOf(shop))
  // What came before these is begun when they are answered.
  for (let i = 0; i < 3; i++) assert.equal(await statusFrom(t, shop, '127.0.0.2'), '200')
  const ninth = openWire(t, shop.port)
  assert.equal(await ninth.rest(), '', 'there is nobody who could make room for it')
  db.exec('ROLLBACK')
  for (const wire of wires) assert.equal((await wire.answer()).status, 201)
})

test('a trusted proxy may open more sockets than a single address', { timeout: 20_000 }, async t => {
  const shop = await openShop(t, { environment: { SOCKETS_PER_ADDRESS: '8', TRUSTED_PROXIES: '127.0.0.2' } })
  const proxied = await openSlow(t, shop, 20, '127.0.0.2')
  assert.equal(await statusFrom(t, shop, '127.0.0.2'), '200')
  assert.equal(proxied(), 20)
})

test('the time limits for clients can be set', { timeout: 20_000 }, async t => {
  const environment = { HEADERS_TIMEOUT_S: '1', REQUEST_TIMEOUT_S: '1', KEEP_ALIVE_S: '1', UNREAD_TIMEOUT_S: '1' }
  const shop = await openShop(t, { environment })
  const half = openWire(t, shop.port)
  half.send(postOf(shop).subarray(0, -1))
  const idle = openWire(t, shop.port)
  idle.send(getOf(shop))
  assert.equal((await idle.answer()).status, 200)
  assert.equal(await idle.rest(), '')
  assert.equal((await half.answer()).status, 408)
  assert.equal(orderCount(shop), 0)
})

test('the size limit of request heads can be set', async t => {
  const shop = await openShop(t, { environment: { HEADER_BYTES: '16384' } })
  const wire = openWire(t, shop.port)
  wire.send(getOf(shop, undefined, { headers: [`X-Long: ${'a'.repeat(12_000)}`] }))
  assert.equal((await wire.answer()).status, 200)
})

test('a limit that is not a number or out of bounds is reported by name', () => {
  const environment: Record<string, string> = { SOCKETS: '5', KEEP_ALIVE_S: '2.5', HEADERS_TIMEOUT_S: '20' }
  assert.deepEqual(readLimits((name, fallback) => environment[name] ?? fallback).problems, [
    'KEEP_ALIVE_S must be a whole number from 1 to 600, not "2.5".',
    'SOCKETS must be a whole number from 16 to 65536, not "5".',
    'HEADERS_TIMEOUT_S must not be more than REQUEST_TIMEOUT_S, which counts the head, too.',
  ])
})
