import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { row } from './support/bad-input.ts'
import { answers, assertIsRefusal, assertTraces, type CountedShop, openCountedShop, refuses } from './support/traces.ts'
import { api, chunked, getOf, goodOrder, openWire, type Parts, postOf } from './support/wire.ts'

const good = JSON.stringify(goodOrder)
const LARGEST_BODY = 256 * 1024

// As short as a site may set them, so that a test need not wait as long as a client may.
const impatience = { HEADERS_TIMEOUT_S: '1', REQUEST_TIMEOUT_S: '2', UNREAD_TIMEOUT_S: '1' }

row(27, 'a silent or slow client gets a timeout response', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t, { environment: impatience })
  const whole = postOf(shop)
  const half = whole.subarray(0, 100)
  const head = whole.subarray(0, whole.indexOf('\r\n\r\n') + 4)
  const long = postOf(shop, { body: good.padEnd(1000) })

  /** Sends the first part at once, the second byte by byte. */
  async function assertCutOff(first: Buffer, trickle: Buffer): Promise<void> {
    const wire = openWire(t, shop.port)
    wire.send(first)
    let sent = 0
    const timer = setInterval(() => wire.send(trickle.subarray(sent, ++sent)), 50)
    t.after(() => clearInterval(timer))
    const answer = await wire.answer()
    clearInterval(timer)
    assertIsRefusal(answer, refusal())
    assert.equal(await wire.rest(), '')
    assert.ok(trickle.length === 0 || sent < trickle.length, 'it was not awaited to the end')
  }
  const none = Buffer.alloc(0)
  const cases: Record<string, [first: Buffer, trickle: Buffer]> = {
    'a silent socket': [none, none],
    'a part of the head': [half, none],
    'a part of the body': [whole.subarray(0, -1), none],
    'a head byte by byte': [none, whole],
    'a body byte by byte': [long.subarray(0, head.length + 60), long.subarray(head.length + 60)],
  }
  // Together, because they are slow.
  const act = async () => {
    await Promise.all(Object.entries(cases).map(([name, parts]) => input(name, () => assertCutOff(...parts))))
    return undefined
  }
  await assertTraces(t, shop, act)
})

row(28, 'slow sockets do not delay others', async (t, { input }) => {
  // Long enough for a busy machine.
  const environment = { HEADERS_TIMEOUT_S: '60', REQUEST_TIMEOUT_S: '60' }
  const shop = await openCountedShop(t, { environment })
  await input('500 slow sockets at once', async t => {
    const whole = postOf(shop)
    const slow = Array.from({ length: 500 }, () => openWire(t, shop.port))
    for (const [index, wire] of slow.entries()) wire.send(whole.subarray(0, 1 + (index % (whole.length - 1))))
    const other = openWire(t, shop.port)
    for (let i = 0; i < 5; i++) {
      other.send(getOf(shop))
      assert.equal((await other.answer()).status, 200)
      await assertTraces(t, shop, async () => other)
    }

    const before = shop.traces().orders
    for (const [index, wire] of slow.entries()) wire.send(whole.subarray(1 + (index % (whole.length - 1))))
    for (const wire of slow) assert.equal((await wire.answer()).status, 201, 'and the slow ones in the end')
    assert.equal(shop.traces().orders, before + 500)
  })
})

row(29, 'a client that does not read its responses is disconnected', async (t, { input }) => {
  const shop = await openCountedShop(t, { environment: impatience })
  await input('a client that never reads its responses', t =>
    assertTraces(t, shop, async () => {
      const client = connect(shop.port, '127.0.0.1').pause()
      t.after(() => client.destroy())
      const dropped = new Promise<void>(resolve => client.once('error', () => resolve()).once('close', () => resolve()))
      // Enough to ask for more than the systems of both sides hold in between.
      const asked = Buffer.concat(Array(500).fill(getOf(shop, `${api}/locations/1/menu`)))
      const ask = () => {
        while (!client.destroyed && client.write(asked));
      }
      client.on('drain', ask)
      ask()
      // A client that does not read is only told of its end when it writes.
      const nudge = setInterval(() => client.write('x'), 100)
      await dropped
      clearInterval(nudge)
      return undefined
    }),
  )
})

row(
  31,
  'a body of more than 256 KiB is refused, and the client receives the refusal',
  async (t, { input, refusal }) => {
    const shop = await openCountedShop(t)
    const framing = ['Transfer-Encoding: chunked']
    const sizes = { 'one byte more': LARGEST_BODY + 1, '8 MB': 8_000_000 }
    for (const [name, size] of Object.entries(sizes)) {
      const body = good.padEnd(size)
      const separator = name === '8 MB' ? ' ' : ', '
      await input(`${name}${separator}by Content-Length`, refuses(shop, postOf(shop, { body }), refusal()))
      const inChunks = postOf(shop, { framing, body: chunked(body) })
      await input(`${name}${separator}in chunks`, refuses(shop, inChunks, refusal()))
    }
    const largest = good.padEnd(LARGEST_BODY)
    const requests = [postOf(shop, { body: largest }), postOf(shop, { framing, body: chunked(largest) })]
    await t.test('256 KiB are accepted', answers(shop, requests, [201, 201]))
  },
)

/** The head of a good order that waits to be told to go on before it sends its body. */
function asking(shop: CountedShop, parts: Parts = {}): Buffer {
  const framing = [`Content-Length: ${good.length}`]
  return postOf(shop, { headers: ['Expect: 100-continue'], framing, body: '', ...parts })
}

row(
  32,
  'a client that expects 100 Continue gets it only if its body is going to be read',
  async (t, { input, refusal }) => {
    const shop = await openCountedShop(t)
    const oversized = { framing: [`Content-Length: ${LARGEST_BODY + 1}`] }
    await input('an oversized body', refuses(shop, asking(shop, oversized), refusal('PAYLOAD_TOO_LARGE')))
    const unasked = { framing: ['Content-Length: 5000000'], body: good.padEnd(5_000_000) }
    const tooLarge = { ...refusal('PAYLOAD_TOO_LARGE'), isLast: true }
    await input('an oversized body that comes unasked', refuses(shop, asking(shop, unasked), tooLarge))
    await input('no token', refuses(shop, asking(shop, { access: [] }), refusal('INVALID_TOKEN')))
    const both = { access: [], ...oversized }
    await input('no token', refuses(shop, asking(shop, both), refusal('INVALID_TOKEN')))
    await input('no JSON', refuses(shop, asking(shop, { type: [] }), refusal('UNSUPPORTED_MEDIA_TYPE')))
    await t.test('the body of an order is read', async t => {
      const act = async () => {
        const wire = openWire(t, shop.port)
        wire.send(asking(shop))
        assert.equal((await wire.answer()).status, 100)
        wire.send(good)
        assert.equal((await wire.answer()).status, 201)
        return wire
      }
      await assertTraces(t, shop, act, 1)
    })
    const old = { line: `POST ${api}/orders HTTP/1.0`, headers: ['Expect: 100-continue'] }
    await t.test('HTTP/1.0 has no such expectation', answers(shop, [postOf(shop, old)], [201]))
  },
)

row(33, 'any other expectation is refused', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  const cases: Record<string, string[][]> = {
    another: [['Expect: 200-ok'], ['Expect: not-100-continue'], ['Expect: 100-continue=1']],
    'another beside 100-continue': [['Expect: 100-continue, 200-ok'], ['Expect: 200-ok', 'Expect: 100-continue']],
    none: [['Expect:']],
  }
  for (const [name, all] of Object.entries(cases)) {
    for (const headers of all) {
      await input(name, refuses(shop, asking(shop, { headers }), { ...refusal(), isLast: true }))
      await input(name, refuses(shop, postOf(shop, { headers }), { ...refusal(), isLast: true }))
      const large = postOf(shop, { headers, body: good.padEnd(5_000_000) })
      await input(name, refuses(shop, large, { ...refusal(), isLast: true }))
      await input(name, refuses(shop, getOf(shop, undefined, { headers }), refusal()))
    }
  }
})
