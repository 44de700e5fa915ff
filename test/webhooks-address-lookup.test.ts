import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { describe, type TestContext } from 'node:test'
import { parseNetworks } from '../routes/http/address.ts'
import { lookupIn, type NameSources } from '../webhooks/address.ts'
import { deliverer } from '../webhooks/deliver.ts'
import { temporaryFolder } from './support/folders.ts'
import { authority, certificate, receiver } from './support/receivers.ts'

type Answer = { addresses: string[] } | 'silence' | 'no such name' | 'failure'

const A = 1
const AAAA = 28

interface NameServer {
  /** As a resolver takes it. */
  at: string
  /** What was asked for: "name type". */
  asked: string[]
}

/** A name server on loopback. What it has no answer for does not exist. */
async function nameServer(t: TestContext, answers: Record<string, Answer>): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, peer) => {
    const labels: string[] = []
    let at = 12
    for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const type = query.readUInt16BE(at + 1)
    const key = `${labels.join('.')} ${type === A ? 'A' : 'AAAA'}`
    asked.push(key)
    const answer = answers[key] ?? answers[labels.join('.')] ?? 'no such name'
    if (answer === 'silence') return
    const rcode = answer === 'no such name' ? 3 : answer === 'failure' ? 2 : 0
    const records = typeof answer === 'string' ? [] : answer.addresses.map(bytesOf).filter(each => isOf(type, each))
    const header = Buffer.alloc(12)
    header.writeUInt16BE(query.readUInt16BE(0), 0)
    header.writeUInt16BE(0x8180 | rcode, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(records.length, 6)
    const found = records.map(bytes =>
      Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length]), bytes]),
    )
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...found]), peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return { at: `127.0.0.1:${socket.address().port}`, asked }
}

/** An IPv4 address, or an IPv6 one of eight groups. */
function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  return Buffer.from(
    address
      .split(':')
      .map(group => group.padStart(4, '0'))
      .join(''),
    'hex',
  )
}

function isOf(type: number, bytes: Buffer): boolean {
  return type === (bytes.length === 4 ? A : AAAA)
}

interface Looked {
  code: unknown
  addresses: string[]
  tookMs: number
}

function look(name: string, sources: NameSources): Promise<Looked> {
  const began = performance.now()
  return new Promise(resolve =>
    lookupIn({ hostsFile: '/nowhere/hosts', others: refusing, ...sources })(name, (error, found) =>
      resolve({
        code: error && (error as NodeJS.ErrnoException).code,
        addresses: found.map(({ address, family }) => `${address} ${family}`),
        tookMs: performance.now() - began,
      }),
    ),
  )
}

async function refusing(name: string): Promise<never> {
  throw new Error(`${name} must not be looked up by the threads`)
}

describe('the name of an endpoint', () => {
  test('is resolved to its IPv4 and IPv6 addresses', async t => {
    const { at } = await nameServer(t, { 'both.example': { addresses: ['1:2:3:4:5:6:7:8', '192.0.2.1', '192.0.2.2'] } })
    const { addresses } = await look('both.example', { servers: [at] })
    assert.deepEqual(addresses, ['192.0.2.1 4', '192.0.2.2 4', '1:2:3:4:5:6:7:8 6'])
  })

  test('is resolved when it has addresses of only one family', async t => {
    const { at } = await nameServer(t, {
      'four.example': { addresses: ['192.0.2.1'] },
      'six.example': { addresses: ['1:2:3:4:5:6:7:8'] },
    })
    assert.deepEqual((await look('four.example', { servers: [at] })).addresses, ['192.0.2.1 4'])
    assert.deepEqual((await look('six.example', { servers: [at] })).addresses, ['1:2:3:4:5:6:7:8 6'])
  })

  for (const answer of ['silence', 'failure'] as const) {
    test(`does not wait for the other family’s ${answer}`, async t => {
      const { at } = await nameServer(t, { 'a.example A': { addresses: ['192.0.2.1'] }, 'a.example AAAA': answer })
      const { addresses, tookMs } = await look('a.example', { servers: [at] })
      assert.deepEqual(addresses, ['192.0.2.1 4'])
      assert.ok(tookMs < 1000, `${tookMs} ms`)
    })
  }

  test('is given up in time when its DNS servers never reply, without blocking a thread', async t => {
    const { at } = await nameServer(t, { 'hang.example': 'silence' })
    const { code, tookMs } = await look('hang.example', { servers: [at], deadlineMs: 400 })
    assert.equal(code, 'EAI_AGAIN')
    assert.ok(tookMs >= 390 && tookMs < 1000, `${tookMs} ms`)
  })

  test('does not block a thread when one family does not exist and the other gets no reply', async t => {
    const { at } = await nameServer(t, { 'a.example AAAA': 'silence' })
    assert.equal((await look('a.example', { servers: [at], deadlineMs: 400 })).code, 'EAI_AGAIN')
  })

  test('does not block a thread when its DNS servers fail', async t => {
    const { at } = await nameServer(t, { 'broken.example': 'failure' })
    assert.equal((await look('broken.example', { servers: [at], deadlineMs: 400 })).code, 'EAI_AGAIN')
  })

  test('is looked up in the other sources of the system when DNS does not have it', async t => {
    const { at } = await nameServer(t, { 'empty.example': { addresses: [] } })
    const others = async (name: string) => [{ address: name === 'till.local' ? '192.0.2.1' : '192.0.2.2', family: 4 }]
    assert.deepEqual((await look('till.local', { servers: [at], others })).addresses, ['192.0.2.1 4'])
    assert.deepEqual((await look('empty.example', { servers: [at], others })).addresses, ['192.0.2.2 4'])
    const missing = async () => {
      throw Object.assign(new Error('no'), { code: 'ENOTFOUND' })
    }
    assert.equal((await look('till.local', { servers: [at], others: missing })).code, 'ENOTFOUND')
  })

  test('is read from the current hosts file first', async t => {
    const { at, asked } = await nameServer(t, { 'till.example': { addresses: ['192.0.2.9'] } })
    const hostsFile = join(temporaryFolder(t), 'hosts')
    const addresses = async (name: string) => (await look(name, { servers: [at], hostsFile })).addresses
    assert.deepEqual(await addresses('till.example'), ['192.0.2.9 4'])
    asked.length = 0
    writeFileSync(
      hostsFile,
      '# till.example\n127.1 till.example\n\t192.0.2.1  other Till.Example # kitchen\r\n::7 till.example\n192.0.2.3 a.till.example\n',
    )
    assert.deepEqual(await addresses('till.example'), ['192.0.2.1 4', '::7 6'])
    assert.deepEqual(await addresses('TILL.example.'), ['192.0.2.1 4', '::7 6'])
    assert.deepEqual(asked, [])
  })
})

describe('deliveries', () => {
  test('to names that never resolve, however many, do not delay deliveries to a name that does', async t => {
    const { at } = await nameServer(t, { 'hook.example': { addresses: ['127.0.0.1'] }, 'hang.example': 'silence' })
    const { port } = await receiver(t, undefined, await certificate({ names: ['hook.example'] }))
    const deliver = deliverer({
      allowed: parseNetworks('127.0.0.1').networks,
      elapsed: () => performance.now(),
      authority: authority.cert,
      lookup: lookupIn({ hostsFile: '/nowhere/hosts', servers: [at], others: refusing, deadlineMs: 1500 }),
    })
    const body = Buffer.from('{}')
    const hanging = Array.from({ length: 16 }, () => deliver({ url: 'https://hang.example/', headers: {}, body }))
    const answer = await deliver({ url: `https://hook.example:${port}/`, headers: {}, body })
    assert.equal(answer.received, true)
    assert.ok(answer.tookMs < 1000, `${answer.tookMs} ms`)
    for (const { reason } of await Promise.all(hanging)) assert.equal(reason, 'the name could not be looked up')
  })

  test('never go to a forbidden address, whether from the hosts file or from DNS', async t => {
    const { at } = await nameServer(t, {
      'mapped.example': { addresses: ['127.0.0.1', '0:0:0:0:0:ffff:7f00:1'] },
    })
    const { port, connections } = await receiver(t)
    const hostsFile = join(temporaryFolder(t), 'hosts')
    writeFileSync(hostsFile, '127.0.0.1 till.example\n::ffff:127.0.0.1 till.example\n')
    const deliver = deliverer({
      allowed: parseNetworks('').networks,
      elapsed: () => performance.now(),
      lookup: lookupIn({ hostsFile, servers: [at], others: refusing }),
    })
    for (const name of ['mapped.example', 'till.example']) {
      const { reason } = await deliver({ url: `https://${name}:${port}/`, headers: {}, body: Buffer.from('{}') })
      assert.match(`${reason}`, /127\.0\.0\.1, .* is not allowed/)
    }
    assert.equal(connections(), 0)
  })
})
