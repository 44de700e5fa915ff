import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommandLine } from './fuzz/command-line.ts'
import { dial, type Heard, PATIENCE_MS } from './fuzz/line.ts'
import { bodies } from './fuzz/properties/bodies.ts'
import { commandLines } from './fuzz/properties/command-lines.ts'
import { endpoints } from './fuzz/properties/endpoints.ts'
import { files } from './fuzz/properties/files.ts'
import { reading } from './fuzz/properties/reading.ts'
import { sockets } from './fuzz/properties/sockets.ts'
import { temporaryFolder } from './support/folders.ts'
import { importInto, openShop, type Shop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'
import { api, getOf, goodOrder, orderCount, postOf } from './support/wire.ts'

// Each of these looks at some hundreds of random cases, and with PROPERTY_RUNS=2000 at more than 100,000 in all.

test(
  'any body, valid or not, creates either exactly the right order, or none and a refusal that points at the fault',
  bodies,
)

test(
  'any restaurant file is either refused without a change, or can be imported, ordered from and exported again',
  files,
)

test('for any bytes on a socket, every HTTP request gets a response, and anything else creates no order', sockets)

test(
  'nothing is served without the token, and everybody gets the same content, compressed, conditional or not',
  reading,
)

test('any text is either refused as an endpoint, or is kept as a URL that https can reach', endpoints)

test('any command line ends with a result, a refusal or the usage, and leaves consistent accounts', commandLines)

/** What comes back for these requests until the server ends the connection. */
async function heardFor(shop: Shop, ...requests: Buffer[]): Promise<Heard[]> {
  const line = dial(shop.port)
  line.send(Buffer.concat(requests))
  await line.until(() => line.isClosed || line.heard.length === requests.length, PATIENCE_MS)
  line.finish()
  assert.ok(await line.until(() => line.isClosed, PATIENCE_MS))
  assert.equal(line.rest.length, 0)
  return line.heard
}

const statusesOf = (heard: Heard[]): number[] => heard.map(({ status }) => status)

// What was found, each with the fewest bytes that show it.

test('no response follows one that closes the connection', async t => {
  const shop = await openShop(t)
  const last = getOf(shop, `${api}/locations`, { headers: ['Connection: close'] })
  for (const after of ['junk\r\n\r\n', getOf(shop), postOf(shop)]) {
    assert.deepEqual(statusesOf(await heardFor(shop, last, Buffer.from(after))), [200])
  }
  assert.equal(orderCount(shop), 0)
})

test('a response that waits for earlier ones is sent even when invalid bytes follow its request', async t => {
  const shop = await openShop(t)
  const junk = Buffer.from('junk\r\n\r\n')
  assert.deepEqual(statusesOf(await heardFor(shop, getOf(shop), getOf(shop), junk)), [200, 200])
  assert.deepEqual(statusesOf(await heardFor(shop, postOf(shop), getOf(shop), junk)), [201, 200])
  assert.deepEqual(
    statusesOf(await heardFor(shop, getOf(shop), postOf(shop), getOf(shop), postOf(shop), junk)),
    [200, 201, 200, 201],
  )
  assert.equal(orderCount(shop), 3)
})

test('100 Continue is sent between two responses, never within one', async t => {
  const shop = await openShop(t)
  const waiting = postOf(shop, { headers: ['Expect: 100-continue'] })
  assert.deepEqual(statusesOf(await heardFor(shop, postOf(shop), waiting)), [201, 201])
  assert.deepEqual(statusesOf(await heardFor(shop, getOf(shop), waiting)), [200, 201])
  assert.equal(orderCount(shop), 3)

  await t.test('100 Continue is sent', async () => {
    const line = dial(shop.port)
    line.send(Buffer.concat([postOf(shop), waiting.subarray(0, -JSON.stringify(goodOrder).length)]))
    assert.ok(await line.until(() => line.heard.length === 1 && line.isAskedToGoOn, PATIENCE_MS))
    line.send(Buffer.from(JSON.stringify(goodOrder)))
    assert.ok(await line.until(() => line.heard.length === 2, PATIENCE_MS))
    assert.deepEqual(statusesOf(line.heard), [201, 201])
    line.leave()
  })
})

test('no order is created for a request that follows one whose response closes the connection', async t => {
  const shop = await openShop(t)
  const waiting = ['Expect: 100-continue']
  const text = ['Content-Type: text/plain']
  const cases: [string, Buffer[]][] = [
    ['an order that waits to be asked for its body behind another', [postOf(shop), postOf(shop, { headers: waiting })]],
    [
      'what waits to be asked for a body that it has not',
      [getOf(shop, undefined, { line: 'PUT /healthz HTTP/1.1', headers: waiting })],
    ],
    [
      'an empty body that is no JSON',
      [postOf(shop, { type: text, framing: ['Transfer-Encoding: chunked'], body: '0\r\n\r\n' })],
    ],
  ]
  for (const [title, requests] of cases) {
    await t.test(title, async () => {
      const before = orderCount(shop)
      const heard = await heardFor(shop, ...requests, postOf(shop), postOf(shop))
      const answered = heard.filter(({ status }) => status === 201).length
      assert.equal(orderCount(shop) - before, answered, 'every order was answered')
    })
  }
})

test('an order that precedes a CONNECT or Upgrade request gets its response', async t => {
  const shop = await openShop(t)
  const tunnel = getOf(shop, undefined, { line: 'CONNECT shop.example:443 HTTP/1.1' })
  assert.deepEqual(statusesOf(await heardFor(shop, postOf(shop), getOf(shop), postOf(shop), tunnel)), [201, 200, 201])
  assert.equal(orderCount(shop), 2)

  await t.test('a client that asks for a tunnel and leaves does not affect others', async () => {
    for (let visits = 0; visits < 20; visits++) {
      const line = dial(shop.port)
      line.send(Buffer.concat([postOf(shop), getOf(shop), postOf(shop), tunnel]))
      await line.until(() => line.heard.length > visits % 3, PATIENCE_MS)
      line.leave()
    }
    assert.equal((await shop.get('/locations')).status, 200)
  })
})

test('an instant with an impossible offset is refused and changes nothing', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, smallRestaurant())
  const instant = '2030-01-01T10:00+99:99'
  for (const words of [
    ['find', '--at', instant],
    ['availability', '1', '1', 'off', '--until', instant],
  ]) {
    const { code, stderr } = await runCommandLine(file, words, Buffer.alloc(0))
    assert.equal(code, 1)
    assert.ok(stderr.startsWith(`"${instant}" is not a time`), stderr)
  }
  const { stdout } = await runCommandLine(file, ['availability'], Buffer.alloc(0))
  assert.equal(stdout, 'Nothing is off the menu.\n')
})

test('a request in another version of HTTP closes the connection even when it asks for keep-alive', async t => {
  const shop = await openShop(t)
  const headers = ['Connection: keep-alive']
  for (const version of ['HTTP/0.9', 'HTTP/2.0']) {
    const other = getOf(shop, undefined, { line: `GET ${api}/locations ${version}`, headers })
    assert.deepEqual(statusesOf(await heardFor(shop, other, postOf(shop))), [400])
  }
  assert.equal(orderCount(shop), 0)
})
