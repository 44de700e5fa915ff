import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import test, { describe, type TestContext } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { flawOf, receiving } from '../examples/receiver.ts'
import type { WebhookEvent } from '../store/outbox/order-event.ts'
import { generateSecret, keyOf, parseSecret } from '../store/outbox/secrets.ts'
import type { LocationId, OrderId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { bodyOf } from '../webhooks/event.ts'
import { signatureHeaders } from '../webhooks/sign.ts'
import { schemaFaults } from './support/openapi.ts'
import { until } from './support/until.ts'

interface Vector {
  title: string
  webhook_id: string
  webhook_timestamp: number
  body: string
  webhook_signature: string
}
const vectors: {
  vectors: (Vector & { secret: string; body_bytes: number; x_restaurant_signature: string })[]
  rotation: Vector & { secrets: string[] }
  refused_when_saved: string[]
  accepted_with_a_warning: string[]
} = JSON.parse(readFileSync(new URL('./vectors/webhook-vectors.json', import.meta.url), 'utf8'))

describe('signatures are those of the standard', () => {
  for (const vector of vectors.vectors) {
    test(vector.title, () => {
      const body = Buffer.from(vector.body, 'utf8')
      assert.equal(body.length, vector.body_bytes)
      const parsed = parseSecret(vector.secret)
      assert.ok(!isRefused(parsed))
      const delivery = { id: vector.webhook_id, timestamp: vector.webhook_timestamp, body }
      assert.deepEqual(signatureHeaders([keyOf(parsed.secret)], delivery), {
        'webhook-signature': vector.webhook_signature,
        'X-Restaurant-Signature': vector.x_restaurant_signature,
      })
    })
  }

  test('every secret signs, newest first, and the legacy header has only the newest', () => {
    const { rotation } = vectors
    const body = Buffer.from(rotation.body, 'utf8')
    const headers = signatureHeaders(rotation.secrets.map(keyOf), {
      id: rotation.webhook_id,
      timestamp: rotation.webhook_timestamp,
      body,
    })
    assert.equal(headers['webhook-signature'], rotation.webhook_signature)
    const newest = createHmac('sha256', keyOf(rotation.secrets[0] as string))
      .update(body)
      .digest('hex')
    assert.equal(headers['X-Restaurant-Signature'], `sha256=${newest}`)
  })

  test('there is no signature header without a secret', () => {
    assert.deepEqual(signatureHeaders([], { id: 'msg_1', timestamp: 1, body: Buffer.from('{}') }), {})
  })
})

describe('a secret', () => {
  for (const secret of vectors.refused_when_saved) {
    test(`${secret} is refused when it is saved`, () => assert.equal(!isRefused(parseSecret(secret)), false))
  }
  for (const secret of vectors.accepted_with_a_warning) {
    test(`${secret} is accepted with a warning`, () => {
      const parsed = parseSecret(secret)
      assert.ok(!isRefused(parsed) && parsed.warning !== null)
    })
  }

  test('is trimmed when it is a whsec_ one, and kept exactly when it is not', () => {
    assert.deepEqual(parseSecret('  whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n'), {
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      warning: null,
    })
    assert.deepEqual(parseSecret('  spaces count '), { secret: '  spaces count ', warning: null })
  })

  test('may omit the padding', () => {
    const parsed = parseSecret('whsec_//z59vPw7ern5OHe29jV0s/MycbDwL26t7SxrquopaI')
    assert.ok(!isRefused(parsed))
    assert.equal(keyOf(parsed.secret).length, 32)
  })

  test('that Servery generates is accepted by Servery and by the standard’s own library', () => {
    const made = generateSecret(randomBytes)
    assert.deepEqual(parseSecret(made), { secret: made, warning: null })
    assert.doesNotThrow(() => new Webhook(made))
  })

  test('that is empty is refused', () => assert.equal(!isRefused(parseSecret('')), false))
})

describe('the envelope', () => {
  const ids = { orderId: 7 as OrderId, locationId: 2 as LocationId, channel: 'web' }
  const wire = { id: 7, location_id: 2, channel: 'web' }
  const told: [WebhookEvent, unknown][] = [
    [
      { type: 'order.placed', ...ids, source: 'qr' },
      { ...wire, source: 'qr' },
    ],
    [
      { type: 'order.placed', ...ids, status: 'placed' },
      { ...wire, status: 'placed' },
    ],
    [
      { type: 'order.updated', ...ids, status: 'confirmed' },
      { ...wire, status: 'confirmed' },
    ],
    [
      {
        type: 'order.status_changed',
        ...ids,
        status: 'cancelled',
        previousStatus: 'placed',
        fulfillmentStatus: null,
        previousFulfillmentStatus: 'pending',
        reason: 'crème brûlée 🍮',
      },
      {
        ...wire,
        status: 'cancelled',
        previous_status: 'placed',
        fulfillment_status: null,
        previous_fulfillment_status: 'pending',
        reason: 'crème brûlée 🍮',
      },
    ],
  ]
  for (const [event, data] of told) {
    test(`of ${event.type} has ${Object.keys(data as object).join(', ')}`, () => {
      const deliveryId = 'msg_jWvWyQorIV3OZ8MAMLwCZ1hJhoW'
      const announcement = { deliveryId, event, dispatchedAt: Date.UTC(2026, 10, 20, 19, 42, 7, 999) }
      const envelope = JSON.parse(bodyOf(announcement).toString('utf8'))
      assert.deepEqual(
        schemaFaults(`/webhooks/${event.type}/post/requestBody/content/application~1json/schema`, envelope),
        [],
      )
      assert.deepEqual(envelope, {
        id: deliveryId,
        type: event.type,
        event: event.type,
        data,
        timestamp: '2026-11-20T19:42:07Z',
      })
    })
  }
})

describe('the example receiver', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const now = 1_767_225_600
  const body = bodyFrom({ id: 'msg_1', timestamp: new Date(now * 1000).toISOString(), note: 'crème brûlée 🍮' })
  const delivery = { id: 'msg_1', timestamp: now, body }
  const signed = signatureHeaders([keyOf('another'), keyOf(secret)], delivery)
  const base = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(now) }
  const standard = { ...base, 'webhook-signature': signed['webhook-signature'] }
  const legacy = { ...base, ...legacyOf(body) }

  function bodyFrom(event: unknown): Buffer {
    return Buffer.from(JSON.stringify(event), 'utf8')
  }

  function legacyOf(signedBody: Buffer) {
    const headers = signatureHeaders([keyOf(secret)], { ...delivery, body: signedBody })
    return { 'x-restaurant-signature': headers['X-Restaurant-Signature'] }
  }

  test('accepts either scheme, one of several signatures, and any secret of the vectors', () => {
    assert.equal(flawOf(standard, body, secret, now), null)
    assert.equal(flawOf(legacy, body, secret, now + 300), null)
    for (const vector of vectors.vectors) {
      const headers = {
        'webhook-id': vector.webhook_id,
        'webhook-timestamp': String(vector.webhook_timestamp),
        'webhook-signature': vector.webhook_signature,
      }
      assert.equal(flawOf(headers, Buffer.from(vector.body), vector.secret, vector.webhook_timestamp), null)
    }
  })

  test('refuses a delivery that is old, changed, unsigned or signed with another secret', () => {
    assert.match(`${flawOf(standard, body, secret, now + 301)}`, /300 seconds/)
    assert.match(`${flawOf(standard, body, secret, now - 301)}`, /300 seconds/)
    assert.match(`${flawOf(standard, Buffer.from('{}'), secret, now)}`, /no signature/)
    assert.match(`${flawOf({ ...standard, 'webhook-id': 'msg_2' }, body, secret, now)}`, /no signature/)
    assert.match(`${flawOf(standard, body, 'a third', now)}`, /no signature/)
    assert.match(`${flawOf(legacy, Buffer.from('{}'), secret, now)}`, /is wrong/)
    assert.match(`${flawOf({ ...base, 'x-restaurant-signature': 'sha256=00' }, body, secret, now)}`, /is wrong/)
    assert.match(`${flawOf(base, body, secret, now)}`, /not signed/)
    assert.match(`${flawOf({}, body, secret, now)}`, /missing/)
  })

  test('refuses a captured delivery that is replayed with other headers through the legacy header', () => {
    const later = { ...legacy, 'webhook-timestamp': String(now + 301) }
    assert.match(`${flawOf(later, body, secret, now + 301)}`, /signed body is more than 300 seconds off/)
    assert.match(`${flawOf({ ...legacy, 'webhook-id': 'msg_2' }, body, secret, now)}`, /not the id in its signed body/)
    for (const event of [{ id: 'msg_1' }, { id: 'msg_1', timestamp: 'soon' }, { id: 'msg_1', timestamp: now }]) {
      const other = bodyFrom(event)
      assert.match(`${flawOf({ ...base, ...legacyOf(other) }, other, secret, now)}`, /seconds off/)
    }
    for (const text of ['null', '[]', '"msg_1"', '{}', 'x', '']) {
      const other = Buffer.from(text)
      assert.match(`${flawOf({ ...base, ...legacyOf(other) }, other, secret, now)}`, /not the id/, text)
    }
  })

  /** Runs the receiver; `send` delivers a body, signed unless the receiver has no secret, and returns the status. */
  async function running(t: TestContext, itsSecret = secret) {
    const lines: string[] = []
    const server = createServer(receiving(itsSecret, line => lines.push(line)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    async function send(id: string, sent: Buffer): Promise<number> {
      const timestamp = Math.floor(Date.now() / 1000)
      const keys = itsSecret === '' ? [] : [keyOf(itsSecret)]
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        ...signatureHeaders(keys, { id, timestamp, body: sent }),
      }
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: new Uint8Array(sent) })
      return response.status
    }
    return { port, lines, send }
  }

  test('accepts an event once', async t => {
    const { lines, send } = await running(t)
    const event = bodyFrom({ type: 'order.placed', data: { id: 1 } })
    assert.deepEqual([await send('msg_1', event), await send('msg_1', event)], [204, 204])
    assert.deepEqual(lines, ['accepted  msg_1: order.placed {"id":1} (verified)', 'repeated  msg_1: ignored'])
  })

  for (const itsSecret of [secret, '']) {
    test(`refuses a body that is not a JSON object in UTF-8 (${itsSecret === '' ? 'without a secret' : 'signed'})`, async t => {
      const { lines, send } = await running(t, itsSecret)
      const bodies = ['null', '[]', '"a"', '1', '', '{', '\ufeff{}'].map(text => Buffer.from(text))
      bodies.push(Buffer.from('{"type":"\xff"}', 'latin1'))
      for (const each of bodies) assert.equal(await send('msg_1', each), 400, each.toString('latin1'))
      assert.deepEqual(
        lines,
        bodies.map(() => 'refused   msg_1: it is no JSON object in UTF-8'),
      )
      assert.equal(await send('msg_1', Buffer.from('{}')), 204)
    })
  }

  test('refuses a body larger than 64 KiB and closes the connection', async t => {
    const { lines, send, port } = await running(t)
    const padded = (length: number) => Buffer.from(`{}${' '.repeat(length - 2)}`)
    assert.equal(await send('msg_1', padded(65_536)), 204)
    assert.equal(await send('msg_2', padded(65_537)), 413)
    assert.equal(lines[1], 'refused   msg_2: it is longer than 65536 bytes')

    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    let answer = ''
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n${' '.repeat(65_537)}`)
    await once(socket, 'close')
    assert.match(answer, /^HTTP\/1\.1 413 /)
  })

  test('goes on after a connection that closes before the end of the body', async t => {
    const { port, lines, send } = await running(t)
    const socket = connect(port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nwebhook-id: msg_1\r\nContent-Length: 100\r\n\r\n{')
    await once(socket, 'connect')
    assert.equal(await send('msg_2', bodyFrom({})), 204)
    socket.destroy()
    await until(() => lines.includes('cut off   msg_1: the connection ended before the body'))
    assert.equal(await send('msg_3', Buffer.from('{}')), 204)
  })

  test('prints no control sequences', async t => {
    const { lines, send } = await running(t, '')
    const type = '\u001b[2J\u009b2J\u202e\nx'
    assert.equal(await send('\x9b2J', bodyFrom({ type, data: type })), 204)
    assert.equal(lines.length, 1)
    assert.doesNotMatch(`${lines[0]}`, /[\p{Cc}\p{Cf}]/u)
    assert.match(`${lines[0]}`, /: "\\u001b\[2J\\u\{9b\}2J\\u\{202e\}\\nx" /)
  })
})
