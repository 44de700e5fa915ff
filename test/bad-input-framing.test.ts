import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Database from 'better-sqlite3'
import { row } from './support/bad-input.ts'
import { requests } from './support/bad-input-rows.ts'
import {
  answers,
  assertAnswered,
  assertIsRefusal,
  assertTraces,
  type CountedShop,
  openCountedShop,
  refuses,
} from './support/traces.ts'
import { api, chunked, getOf, goodOrder, openWire, postOf } from './support/wire.ts'

const good = JSON.stringify(goodOrder)
const chunks = 'Transfer-Encoding: chunked'
const size = good.length.toString(16)

row(19, 'an ambiguous body length is refused', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  for (const [name, all] of Object.entries(requests[19](shop))) {
    for (const request of all) await input(name, refuses(shop, request, refusal()))
  }
})

row(20, 'a transfer coding other than chunked, or ambiguous chunked, is refused', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  const misframed = refusal('BAD_REQUEST')
  for (const [name, all] of Object.entries(requests[20](shop))) {
    const expected = name === 'gzip, chunked' ? refusal('NOT_IMPLEMENTED') : misframed
    for (const request of all) await input(name, refuses(shop, request, expected))
  }
  for (const coding of ['chunked,', ',chunked', 'chunked;a=b', '"chunked"', '\x0bchunked', 'chunked chunked']) {
    const framing = [`Transfer-Encoding: ${coding}`]
    await t.test(
      `${JSON.stringify(coding)} is refused`,
      refuses(shop, postOf(shop, { framing, body: chunked(good) }), misframed),
    )
  }
  const spelt = postOf(shop, { framing: ['transfer-encoding: Chunked'], body: chunked(good) })
  await t.test('chunked is accepted in any spelling', answers(shop, [spelt, postOf(shop)], [201, 201]))
  const inPieces = [...good].map(letter => `1;note="a"\r\n${letter}\r\n`).join('')
  const pieces = postOf(shop, { framing: [chunks], body: `${inPieces}0\r\n\r\n` })
  await t.test('so are many chunks with extensions', answers(shop, [pieces, postOf(shop)], [201, 201]))
})

row(21, 'malformed HTTP/1.1 is refused', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  for (const [name, all] of Object.entries(requests[21](shop))) {
    for (const request of all) await input(name, refuses(shop, request, refusal()))
  }
  const tooLong = postOf(shop, { framing: [chunks], body: `5\r\n${good}\r\n0\r\n\r\n` })
  await t.test('a chunk with more in it than its size says is refused', refuses(shop, tooLong, refusal()))
})

row(22, 'chunk extensions are limited in size', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  for (const [name, all] of Object.entries(requests[22](shop))) {
    for (const request of all) await input(name, refuses(shop, request, refusal()))
  }
})

row(23, 'a token in a trailer is ignored', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  for (const name of ['Authorization: Bearer', 'X-Api-Token:']) {
    const body = `${size}\r\n${good}\r\n0\r\n${name} ${shop.token}\r\n\r\n`
    const framing = [chunks, `Trailer: ${name.split(':')[0]}`]
    await input('a token', refuses(shop, postOf(shop, { access: [], framing, body }), refusal()))
  }
})

const noted = (shop: CountedShop, notes: string) => postOf(shop, { body: JSON.stringify({ ...goodOrder, notes }) })

row(24, 'malformed input does not affect the orders before it', async (t, { input }) => {
  const shop = await openCountedShop(t)
  const junk = Buffer.from('\0junk\r\n\r\n')
  const tunnel = getOf(shop, undefined, { line: 'CONNECT shop.example:443 HTTP/1.1' })

  function areAnswered(orders: number, last: Buffer) {
    return (t: TestContext) =>
      assertTraces(
        t,
        shop,
        async () => {
          const wire = openWire(t, shop.port)
          wire.sendFirst(Buffer.concat([...Array.from({ length: orders }, () => postOf(shop)), last]))
          for (let i = 1; i <= orders; i++) {
            const { status, headers } = await wire.answer()
            assert.deepEqual([status, headers.connection], [201, i < orders ? 'keep-alive' : 'close'])
          }
          assert.equal(await wire.rest(), '')
          return undefined
        },
        orders,
      )
  }
  await input('a POST followed by junk', areAnswered(1, junk))
  await input('two POSTs followed by junk', areAnswered(2, junk))
  await input('a POST followed by megabytes of junk', areAnswered(1, Buffer.alloc(5_000_000, junk)))
  await input('a POST followed by CONNECT', areAnswered(1, tunnel))
  await input('a POST followed by CONNECT', areAnswered(2, Buffer.concat([tunnel, postOf(shop)])))
  await t.test('junk that keeps coming while an order waits to be written is discarded', async t => {
    const warnings: Error[] = []
    const note = (warning: Error) => void warnings.push(warning)
    process.on('warning', note)
    t.after(() => process.off('warning', note))
    const db = new Database(shop.file)
    t.after(() => db.close())
    db.exec('BEGIN IMMEDIATE')
    const release = setTimeout(() => db.exec('ROLLBACK'), 300)
    t.after(() => clearTimeout(release))
    await areAnswered(2, Buffer.alloc(12_000_000, junk))(t)
    assert.deepEqual(warnings, [])
  })
  await t.test('an order after a request whose response closes the connection is not created', async t => {
    const unannounced = postOf(shop, { type: [] })
    const refusal = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', isLast: true }
    await refuses(shop, Buffer.concat([unannounced, postOf(shop)]), refusal)(t)
  })
  await t.test('a refusal that was sent before the junk in its body arrives, and is the only response', async t => {
    const request = postOf(shop, { access: [], framing: [chunks], body: 'zz\r\n' })
    await assertTraces(t, shop, async () => {
      const wire = openWire(t, shop.port)
      wire.send(request)
      assertIsRefusal(await wire.answer(), { status: 401, code: 'INVALID_TOKEN', isLast: true })
      assert.equal(await wire.rest(), '')
      return undefined
    })
  })
})

row(25, 'requests on one connection get their responses in order', async (t, { input }) => {
  const shop = await openCountedShop(t)
  await input('POSTs without waiting for responses', async t => {
    const notes = Array.from({ length: 20 }, (_, index) => `order ${index}`)
    const got = await assertAnswered(
      t,
      shop,
      notes.map(each => noted(shop, each)),
      notes.map(() => 201),
    )
    assert.deepEqual(
      got.map(({ body }) => body.data.notes),
      notes,
    )
    const numbers = got.map(({ body }) => body.data.order_number)
    assert.deepEqual(numbers, [...numbers].sort())
  })
  await input('a refused one among them', async t => {
    const requests = [noted(shop, 'a'), postOf(shop, { body: '{}' }), getOf(shop), noted(shop, 'b')]
    const got = await assertAnswered(t, shop, requests, [201, 400, 200, 201])
    assert.deepEqual([got[0]?.body.data.notes, got[3]?.body.data.notes], ['a', 'b'])
  })
  await input('more than one connection may send', async t => {
    const requests = Buffer.concat(Array<Buffer>(5000).fill(postOf(shop)))
    const act = async () => {
      const wire = openWire(t, shop.port)
      wire.sendFirst(requests)
      for (let sent = 1; sent <= 1000; sent++) {
        const { status, headers } = await wire.answer()
        assert.deepEqual([status, headers.connection], [201, sent < 1000 ? 'keep-alive' : 'close'])
      }
      assert.equal(await wire.rest(), '')
      return undefined
    }
    await assertTraces(t, shop, act, 1000)
  })
})

row(26, 'an order that does not arrive in full is not created', async (t, { input }) => {
  const shop = await openCountedShop(t)
  const whole = postOf(shop)
  const inChunks = postOf(shop, { framing: [chunks], body: chunked(good) })
  const cases: Record<string, Buffer[]> = {
    'after a part of the head': [
      whole.subarray(0, 4),
      whole.subarray(0, 100),
      whole.subarray(0, whole.indexOf('\r\n\r\n') + 3),
    ],
    'after a part of the body': [whole.subarray(0, -1), whole.subarray(0, whole.indexOf('\r\n\r\n') + 4)],
    'after a part of a chunk': [inChunks.subarray(0, -12), inChunks.subarray(0, -7), inChunks.subarray(0, -2)],
  }
  for (const [name, parts] of Object.entries(cases)) {
    for (const part of parts) {
      await input(name, t =>
        assertTraces(t, shop, async () => {
          const wire = openWire(t, shop.port)
          wire.send(part)
          wire.finish()
          assert.doesNotMatch(await wire.rest(), / 20\d /)
          return undefined
        }),
      )
    }
  }
  await t.test('an order that arrives in full is created, even if the client ends its side after it', async t => {
    const act = async () => {
      const wire = openWire(t, shop.port)
      wire.send(whole)
      wire.finish()
      assert.equal((await wire.answer()).status, 201)
      assert.equal(await wire.rest(), '')
      return undefined
    }
    await assertTraces(t, shop, act, 1)
  })
})

/** The bytes that the process holds and nothing can free. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  for (const _ of ['young', 'old', 'weakly held']) collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

row(
  61,
  'a body in small chunks uses no more memory than its bytes, and one in too many chunks is refused',
  async (t, { input }) => {
    const shop = await openCountedShop(t)
    const piecesOf = (size: number, count: number) => Buffer.from(`${size}\r\n${' '.repeat(size)}\r\n`.repeat(count))
    const tooMany = {
      '262,000 chunks of one byte': piecesOf(1, 262_000),
      'two bytes in each chunk': piecesOf(2, 131_000),
    }
    for (const [name, pieces] of Object.entries(tooMany)) {
      await input(name, t =>
        assertTraces(t, shop, async () => {
          const wire = openWire(t, shop.port)
          wire.send(postOf(shop, { framing: [chunks], body: '' }))
          wire.sendFirst(pieces)
          assert.equal((await wire.answer()).status, 413)
          return undefined
        }),
      )
    }
    await input('16,000 chunks of one byte', t =>
      assertTraces(
        t,
        shop,
        async () => {
          const wire = openWire(t, shop.port)
          wire.send(postOf(shop, { framing: [chunks], body: '' }))
          await statusOf(t, shop)
          const before = heldBytes()
          wire.sendFirst(piecesOf(1, 16_000))
          // What was sent before this has been read by the time that it is answered.
          for (let i = 0; i < 40; i++) await statusOf(t, shop)
          const held = heldBytes() - before
          assert.ok(held < 2_000_000, `${held} bytes are held`)
          wire.send(chunked(good))
          assert.equal((await wire.answer()).status, 201)
          return wire
        },
        1,
      ),
    )
  },
)

async function statusOf(t: TestContext, shop: CountedShop): Promise<number> {
  const wire = openWire(t, shop.port)
  wire.send(getOf(shop))
  return (await wire.answer()).status
}

row(62, 'close wins over keep-alive', async (t, { input }) => {
  const shop = await openCountedShop(t)
  async function isClosed(t: TestContext, version: string, wishes: string[]): Promise<void> {
    const parts = { headers: wishes.map(wish => `Connection: ${wish}`) }
    const get = getOf(shop, undefined, { line: `GET ${api}/locations ${version}`, ...parts })
    const post = postOf(shop, { line: `POST ${api}/orders ${version}`, ...parts })
    for (const [request, status] of [[get, 200] as const, [post, 201] as const]) {
      await assertTraces(
        t,
        shop,
        async () => {
          const wire = openWire(t, shop.port)
          wire.send(Buffer.concat([request, postOf(shop)]))
          const answer = await wire.answer()
          assert.deepEqual([answer.status, answer.headers.connection], [status, 'close'])
          assert.equal(await wire.rest(), '')
          return undefined
        },
        Number(status === 201),
      )
    }
  }
  for (const version of ['HTTP/1.0', 'HTTP/1.1']) {
    await input(`keep-alive, close of ${version}`, t => isClosed(t, version, ['keep-alive, Close']))
  }
  await input('close, keep-alive of HTTP/1.0', t => isClosed(t, 'HTTP/1.0', ['close, keep-alive']))
  await input('close, keep-alive of HTTP/1.0', t => isClosed(t, 'HTTP/1.0', ['close', 'keep-alive']))
  await t.test('keep-alive alone keeps an HTTP/1.0 connection open', async t => {
    const wire = openWire(t, shop.port)
    const parts = { line: `GET ${api}/locations HTTP/1.0`, headers: ['Connection: keep-alive, closed'] }
    for (const _ of ['first', 'second']) {
      wire.send(getOf(shop, undefined, parts))
      const { status, headers } = await wire.answer()
      assert.deepEqual([status, headers.connection], [200, 'keep-alive'])
    }
  })
})

row(30, 'another protocol is refused', async (t, { input, refusal }) => {
  const shop = await openCountedShop(t)
  for (const [name, all] of Object.entries(requests[30]())) {
    for (const request of all) await input(name, refuses(shop, request, refusal()))
  }
  for (const other of [
    'SSH-2.0-OpenSSH_9.6\r\n',
    '*1\r\n$4\r\nPING\r\n',
    'EHLO mail.example\r\n',
    '\x04\x01\x01\xbb\0\0\0\x01',
  ]) {
    await t.test(`${JSON.stringify(other)} is refused`, refuses(shop, Buffer.from(other, 'latin1'), refusal()))
  }
})
