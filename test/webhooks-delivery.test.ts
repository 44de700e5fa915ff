import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import test, { describe, type TestContext } from 'node:test'
import { parseNetworks } from '../routes/http/address.ts'
import type { Ending } from '../store/outbox/outbox.ts'
import type { Lookup } from '../webhooks/address.ts'
import { type DelivererOptions, deliverer } from '../webhooks/deliver.ts'
import { authority, certificate, rawReceiver, receiver } from './support/receivers.ts'
import { until } from './support/until.ts'

const body = Buffer.from('{"note":"crème brûlée 🍮"}', 'utf8')

function deliverTo(url: string, options: Partial<DelivererOptions> & { networks?: string } = {}): Promise<Ending> {
  const { networks = '127.0.0.0/8', ...others } = options
  const deliver = deliverer({
    allowed: parseNetworks(networks).networks,
    elapsed: () => performance.now(),
    authority: authority.cert,
    ...others,
  })
  return deliver({
    url,
    body,
    headers: { Host: new URL(url).host, 'Content-Length': String(body.length), Connection: 'close' },
  })
}

describe('the response of an endpoint', () => {
  for (const [status, received] of [
    [200, true],
    [204, true],
    [299, true],
    [301, false],
    [307, false],
    [400, false],
    [404, false],
    [500, false],
  ] as const) {
    test(`${status} means ${received ? 'received' : 'lost'}, after one request`, async t => {
      const elsewhere = await receiver(t)
      const { url, got, connections } = await receiver(t, (_, response) => {
        response.writeHead(status, { Location: elsewhere.url }).end(status === 204 ? undefined : 'thank you')
      })
      const answer = await deliverTo(url)
      assert.equal(answer.received, received)
      assert.equal(answer.status, status)
      assert.equal(answer.reason, null)
      assert.equal(answer.response.toString(), status === 204 ? '' : 'thank you')
      assert.deepEqual([got.length, connections(), elsewhere.connections()], [1, 1, 0])
      assert.deepEqual(got[0]?.body, body)
    })
  }

  test('101 is a failure, and the connection is closed', async t => {
    const { url, got, open } = await rawReceiver(t, socket => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello')
    })
    const answer = await deliverTo(url)
    assert.deepEqual([answer.received, answer.status], [false, 101])
    await until(() => open() === 0)
    assert.equal(got.length, 1)
  })

  test('100 Continue is not taken for the final response', async t => {
    const { url } = await rawReceiver(t, socket => {
      socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
    const answer = await deliverTo(url)
    assert.deepEqual([answer.received, answer.status], [true, 200])
  })

  test('1 KiB of a large body is kept, and little more is read', async t => {
    let written = 0
    const { url, open } = await rawReceiver(t, socket => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${10 * 1024 * 1024}\r\n\r\n`)
      const chunk = Buffer.alloc(64 * 1024, 'x')
      const more = () => {
        while (written < 10 * 1024 * 1024 && !socket.destroyed) {
          written += chunk.length
          if (!socket.write(chunk)) return void socket.once('drain', more)
        }
      }
      more()
    })
    const answer = await deliverTo(url)
    assert.equal(answer.received, true)
    assert.equal(answer.response.length, 1024)
    await until(() => open() === 0)
    assert.ok(written < 8 * 1024 * 1024, `${written} bytes were taken`)
  })

  test('an endless series of interim responses is cut off', async t => {
    const { url, open } = await rawReceiver(t, socket => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 1)
      socket.once('close', () => clearInterval(timer))
    })
    assert.equal((await deliverTo(url)).reason, 'too many interim answers')
    await until(() => open() === 0)
  })
})

describe('an endpoint that misbehaves loses the event after one attempt', () => {
  const cases: [title: string, respond: (socket: Socket, tcp: Socket) => void, reason: RegExp, status?: number][] = [
    ['resets the connection', (_, tcp) => void tcp.resetAndDestroy(), /reset|closed/],
    ['closes without a response', socket => socket.end(), /closed without an answer/],
    [
      'closes half-way',
      socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
      /before the end/,
      200,
    ],
    ['sends something other than HTTP', socket => socket.end('220 mail.example.com ESMTP\r\n'), /not HTTP/],
    [
      'sends endless headers',
      socket => socket.end(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`),
      /too large/,
    ],
  ]
  for (const [title, respond, reason, status = null] of cases) {
    test(`one that ${title}`, async t => {
      const { url, got, connections, open } = await rawReceiver(t, respond)
      const answer = await deliverTo(url)
      assert.equal(answer.received, false)
      assert.match(`${answer.reason}`, reason)
      assert.equal(answer.status, status)
      assert.deepEqual([got.length, connections()], [1, 1])
      await until(() => open() === 0)
    })
  }

  test('one where nothing is listening', async t => {
    const { url, close } = await receiver(t)
    await close()
    assert.equal((await deliverTo(url)).reason, 'the connection was refused')
  })

  test('one that speaks plain HTTP', async t => {
    const seen: string[] = []
    const port = await plain(t, socket => {
      socket.on('data', data => {
        seen.push(data.toString('latin1'))
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      })
    })
    assert.match(`${(await deliverTo(`https://127.0.0.1:${port}/`)).reason}`, /does not speak TLS/)
    assert.ok(!seen.join('').includes('brûlée'))
  })
})

describe('a delivery takes at most 5 seconds', () => {
  // Shorter here than the 5 seconds of decision F6, which the last test holds.
  const deadlineMs = 400
  const slow: [title: string, start: (t: TestContext) => Promise<{ url: string; open(): number }>][] = [
    ['that never responds', t => rawReceiver(t, () => {})],
    [
      'that sends headers byte by byte',
      t => rawReceiver(t, socket => drip(socket, `HTTP/1.1 200 OK\r\nX-Slow: ${'x'.repeat(500)}`)),
    ],
    [
      'that sends its body byte by byte',
      t =>
        rawReceiver(t, socket => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n')
          drip(socket, 'x'.repeat(500))
        }),
    ],
    [
      'that never begins TLS',
      async t => {
        const sockets = new Set<Socket>()
        const port = await plain(t, socket => {
          sockets.add(socket)
          socket.once('close', () => sockets.delete(socket))
        })
        return { url: `https://127.0.0.1:${port}/`, open: () => sockets.size }
      },
    ],
  ]
  for (const [title, start] of slow) {
    test(`an endpoint ${title} is cut off`, async t => {
      const { url, open } = await start(t)
      const began = performance.now()
      const answer = await deliverTo(url, { deadlineMs })
      const took = performance.now() - began
      assert.deepEqual([answer.received, answer.reason], [false, 'it did not end within 0.4 seconds'])
      assert.ok(took >= deadlineMs - 5 && took < deadlineMs + 300, `${took} ms`)
      await until(() => open() === 0)
    })
  }

  test('a name that never resolves is given up', async () => {
    const answer = await deliverTo('https://slow.example/', { deadlineMs, lookup: () => {} })
    assert.equal(answer.reason, 'it did not end within 0.4 seconds')
  })

  test('an endpoint that sends byte by byte for ever is cut off at 5 seconds', async t => {
    const { url } = await rawReceiver(t, socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n')
      drip(socket, 'x'.repeat(5000))
    })
    const answer = await deliverTo(url)
    assert.ok(answer.tookMs >= 4990 && answer.tookMs < 5400, `${answer.tookMs} ms`)
    assert.deepEqual([answer.received, answer.status], [false, 200])
  })
})

describe('the certificate is verified', () => {
  for (const [title, options, reason] of [
    ['for another name', { names: ['other.example'], addresses: [] }, /for another name/],
    ['that has expired', { expired: true }, /has expired/],
    ['that is self-signed', { selfSigned: true }, /self-signed|not trusted/],
  ] as const) {
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      test(`an endpoint with a certificate ${title} loses every event (${maxVersion})`, async t => {
        const { url, got } = await receiver(t, undefined, {
          ...(await certificate({
            ...options,
            names: [...('names' in options ? options.names : ['localhost'])],
            addresses: 'addresses' in options ? [] : ['127.0.0.1'],
          })),
          maxVersion,
        })
        const deliver = deliverer({
          allowed: parseNetworks('127.0.0.1').networks,
          elapsed: () => performance.now(),
          authority: authority.cert,
        })
        for (let attempt = 0; attempt < 3; attempt++) {
          const answer = await deliver({ url, body, headers: {} })
          assert.equal(answer.received, false)
          assert.match(`${answer.reason}`, reason)
        }
        assert.equal(got.length, 0)
      })
    }
  }

  test('a certificate of an authority that the platform does not know is refused without NODE_EXTRA_CA_CERTS', async t => {
    const { url, got } = await receiver(t)
    const answer = await deliverer({ allowed: parseNetworks('127.0.0.1').networks, elapsed: () => performance.now() })({
      url,
      body,
      headers: {},
    })
    assert.match(`${answer.reason}`, /not trusted/)
    assert.equal(got.length, 0)
  })

  test('TLS sessions are resumed, but sockets are not reused', async t => {
    const resumed: boolean[] = []
    const { url, connections } = await receiver(t, (_, response, request) => {
      resumed.push((request.socket as unknown as { isSessionReused(): boolean }).isSessionReused())
      response.writeHead(200, { Connection: 'keep-alive' }).end()
    })
    const deliver = deliverer({
      allowed: parseNetworks('127.0.0.1').networks,
      elapsed: () => performance.now(),
      authority: authority.cert,
    })
    for (let attempt = 0; attempt < 3; attempt++) assert.ok((await deliver({ url, body, headers: {} })).received)
    assert.equal(connections(), 3)
    assert.deepEqual(resumed, [false, true, true])
  })
})

describe('the address is checked when connecting', () => {
  test('a forbidden literal address is never connected to, whatever its spelling', async t => {
    const { port, connections } = await receiver(t)
    for (const host of ['127.0.0.1', '127.1', '0x7f000001', '2130706433', '[::ffff:127.0.0.1]', '[::1]', 'localhost']) {
      const answer = await deliverTo(`https://${host}:${port}/`, { networks: '' })
      assert.match(`${answer.reason}`, /is not allowed/, host)
      assert.equal(answer.status, null)
    }
    assert.equal(connections(), 0)
  })

  test('a name that resolves to a private address is never connected to', async t => {
    const { port, connections } = await receiver(t)
    const lookup = answering(['127.0.0.1', '::ffff:127.0.0.1', '10.0.0.1'])
    const answer = await deliverTo(`https://hook.example:${port}/`, { networks: '', lookup })
    assert.match(`${answer.reason}`, /127\.0\.0\.1.* is not allowed/)
    assert.equal(connections(), 0)
  })

  // 127.0.0.1 plays the public address here, 127.0.0.2 the private one: one network is allowed and the other is not.
  test('for a name with a public and a private address, only the public one is connected to', async t => {
    const open = await receiver(t, undefined, await certificate({ names: ['hook.example'] }))
    const hidden = await receiver(t, undefined, { host: '127.0.0.2', port: open.port })
    const lookup = answering(['127.0.0.2', '127.0.0.1'])
    const url = `https://hook.example:${open.port}/`
    assert.equal((await deliverTo(url, { networks: '127.0.0.1', lookup })).received, true)
    await open.close()
    assert.equal((await deliverTo(url, { networks: '127.0.0.1', lookup })).reason, 'the connection was refused')
    assert.deepEqual([open.got.length, hidden.connections()], [1, 0])
  })

  test('a name that resolves to a public address first and a private one later is connected to at the first only', async t => {
    const open = await receiver(t, undefined, await certificate({ names: ['hook.example'] }))
    const hidden = await receiver(t, undefined, {
      ...(await certificate({ names: ['hook.example'] })),
      host: '127.0.0.2',
      port: open.port,
    })
    let asked = 0
    const lookup: Lookup = (_, callback) =>
      callback(null, [{ address: ++asked % 2 === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }])
    const deliver = deliverer({
      allowed: parseNetworks('127.0.0.1').networks,
      elapsed: () => performance.now(),
      authority: authority.cert,
      lookup,
    })
    const url = `https://hook.example:${open.port}/`
    const answers = [await deliver({ url, body, headers: {} }), await deliver({ url, body, headers: {} })]
    assert.deepEqual(
      answers.map(({ received }) => received),
      [true, false],
    )
    assert.match(`${answers[1]?.reason}`, /127\.0\.0\.2 is not allowed/)
    assert.deepEqual([asked, open.got.length, hidden.connections()], [2, 1, 0])
  })

  test('a name that is not found is reported as such', async () => {
    const lookup: Lookup = (_, callback) => callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), [])
    assert.equal((await deliverTo('https://hook.example/', { lookup })).reason, 'the name was not found')
  })
})

function answering(addresses: string[]): Lookup {
  return (_, callback) =>
    callback(
      null,
      addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
}

function drip(socket: Socket, text: string): void {
  let at = 0
  const timer = setInterval(() => socket.write(text.charAt(at++) || 'x'), 20)
  socket.once('close', () => clearInterval(timer))
}

/** A server without TLS. */
async function plain(t: TestContext, onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.resume()
    onSocket(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
