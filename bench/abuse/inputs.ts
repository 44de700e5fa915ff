import type { Socket } from 'node:net'
import { allRequests, inSmallChunks } from '../../test/support/bad-input-rows.ts'
import { api, chunked, getOf, goodOrder, type Parts, postOf } from '../../test/support/wire.ts'
import { type Batch, ended, open, pour, repeated, send, statusReader, type Tally } from './send.ts'

/** The server that is abused, and the addresses of the clients. */
export interface Target {
  port: number
  token: string
  /** An address that no other client has. */
  from: string
  /** An address whose `X-Forwarded-For` the server trusts. */
  proxy: string
  /** The fraction of all repetitions; 1: all of them. */
  scale: number
}

export interface Abuse {
  /** The rows of docs/bad-input.md. */
  rows: string
  what: string
  /** Sends it many times and returns the responses by status. */
  act(target: Target): Promise<Tally>
  /** The only permitted results: statuses, or "closed". */
  answers: string[]
  /** MiB that it may cost while it lasts, if that is more than usual. */
  costs?: number
  /** MiB that the process may keep afterwards, if that is more than usual. */
  keeps?: number
  /** It takes long at any scale. */
  isSlow?: boolean
}

const MIB = 1024 * 1024
const good = JSON.stringify(goodOrder)
const chunks = 'Transfer-Encoding: chunked'

const part = (count: number, { scale }: Pick<Target, 'scale'>) => Math.ceil(count * scale)
const time = (ms: number, { scale }: Target) => Math.max(200, ms * scale)
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Sends a request so many times, `each` of them over one connection. */
function many(total: number, each: number, request: (target: Target, index: number) => Buffer, atOnce = 32) {
  return (target: Target): Promise<Tally> =>
    send(
      repeated(part(total, target), each, index => request(target, index)),
      { ...target, atOnce },
    )
}

/** Sends requests one after the other, each over a new connection, so many times. */
function inTurn(times: number, requests: (target: Target) => Buffer[]) {
  return (target: Target): Promise<Tally> => {
    const all = requests(target)
    const one = (index: number) => all[index % all.length] as Buffer
    return send(repeated(part(times, target) * all.length, 1, one), { ...target, atOnce: 32 })
  }
}

/** Opens so many connections and does something with each. Resolves with their responses once all have ended. */
async function crowd(
  { port, from, scale }: Target,
  count: number,
  act: (socket: Socket, index: number) => Promise<void>,
): Promise<Tally> {
  const tally: Tally = new Map()
  const note = (status: string) => tally.set(status, (tally.get(status) ?? 0) + 1)
  await Promise.all(
    Array.from({ length: part(count, { scale }) }, async (_, index) => {
      const socket = open(port, from)
      let answers = 0
      socket.on(
        'data',
        statusReader(status => {
          answers++
          note(status)
        }),
      )
      await act(socket, index)
      await ended(socket)
      if (answers === 0) note('closed')
    }),
  )
  return tally
}

/** Requests a menu so many times at once, and reads no response until the connection ends or the time is over. */
async function askOnly(socket: Socket, { token }: Pick<Target, 'token'>, times: number, ms: number): Promise<void> {
  socket.pause()
  socket.write(Buffer.concat(Array<Buffer>(times).fill(getOf({ token }, `${api}/locations/1/menu`))))
  const until = performance.now() + ms
  // A client that does not read notices the end of the connection only by writing.
  while (!socket.destroyed && performance.now() < until) {
    await pause(500)
    socket.write('x')
  }
  socket.destroy()
}

/** Writes a text byte by byte until the connection ends. */
async function trickle(socket: Socket, bytes: Buffer): Promise<void> {
  for (let sent = 0; sent < bytes.length && !socket.destroyed; sent++) {
    socket.write(bytes.subarray(sent, sent + 1))
    await pause(500)
  }
}

const headers = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index))

const deep = '['.repeat(120_000) + ']'.repeat(120_000)

/** Bodies that are not orders: small ones, and ones of the largest permitted size. */
const badBodies = [
  '{"location_id":1,"items":[{"item_id":1,"qty":1e308}]}',
  '{"__proto__":{"items":[]}}',
  '[]',
  deep,
  `{"notes":${deep}}`,
  JSON.stringify({ location_id: 1, items: Array(8000).fill({ item_id: 1, qty: 1 }) }),
  JSON.stringify({ location_id: 1, items: Array(100).fill({ item_id: 'x', qty: -1, notes: 5, modifiers: [1, 2, 3] }) }),
  JSON.stringify({ ...goodOrder, notes: 'é'.repeat(120_000) }),
  `{${headers(15_000, index => `"key${index}":1`).join(',')}}`,
  '1'.repeat(250_000),
  `"${'\\u0041'.repeat(40_000)}"`,
]

function addressOf(index: number): string {
  return `2001:db8:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}::1`
}

export const abuses: Abuse[] = [
  {
    rows: '1, 3, 4',
    what: 'wrong tokens, each another, one in 20 of 7 KB',
    answers: ['401'],
    act: many(40_000, 50, (target, index) => {
      const token = `svy_${index}${'a'.repeat(index % 20 === 0 ? 7000 : 30)}`
      return getOf(target, undefined, { access: [`Authorization: Bearer ${token}`, '__proto__: x'] })
    }),
  },
  {
    rows: '5',
    what: 'a gigabyte without a token on 32 sockets, by length and in chunks',
    answers: ['401'],
    act: target =>
      crowd(target, 32, (socket, index) => {
        const isChunked = index % 2 === 0
        const framing = [isChunked ? chunks : 'Content-Length: 1000000000']
        socket.write(postOf(target, { access: [], framing, body: '' }))
        const filler = Buffer.alloc(MIB, ' ')
        const bytes = isChunked ? Buffer.concat([Buffer.from('100000\r\n'), filler, Buffer.from('\r\n')]) : filler
        return pour(socket, bytes, 20_000)
      }),
  },
  {
    rows: '6, 9, 10',
    what: 'paths, locations and queries, each another',
    answers: ['404', '200'],
    act: many(60_000, 50, (target, index) => {
      const paths = [`/%zz${index}`, `${api}/locations/${index}${index}/menu`, `${api}/locations?x${index}=${index}`]
      return getOf(target, paths[index % 3])
    }),
  },
  {
    rows: '7, 8, 12, 13, 14, 17',
    what: 'targets, methods and Hosts that are none or too many',
    answers: ['400', '405', '204'],
    act: many(40_000, 50, (target, index) => {
      const host = 'Host: shop.example'
      const parts: Parts[] = [
        { line: `GET http://[::bad${index}/ HTTP/1.1` },
        { line: `TRACE ${api}/orders HTTP/1.1` },
        { line: `OPTIONS ${api}/orders HTTP/1.1` },
        { host: [host, host] },
        { host: [] },
      ]
      return getOf(target, undefined, parts[index % parts.length])
    }),
  },
  {
    rows: '11',
    what: 'heads of 20 KB: one header, a long target, thousands of empty headers',
    answers: ['431'],
    act: inTurn(250, target => allRequests(target, 11).filter(({ length }) => length < MIB)),
  },
  {
    rows: '15, 18, 30',
    what: 'other methods and protocols, TLS',
    answers: ['400'],
    act: inTurn(200, target => allRequests(target, 15, 18, 30)),
  },
  {
    rows: '16',
    what: 'wishes for websocket and h2c',
    answers: ['200'],
    act: inTurn(2000, target =>
      ['websocket', 'h2c'].map(protocol =>
        getOf(target, undefined, { headers: ['Connection: Upgrade', `Upgrade: ${protocol}`] }),
      ),
    ),
  },
  {
    rows: '19, 20, 21',
    what: 'every misframed request',
    answers: ['400', '501'],
    act: inTurn(100, target => allRequests(target, 19, 20, 21)),
  },
  {
    rows: '22',
    what: 'chunk extensions of 20 KB, and small ones without end on 32 sockets',
    answers: ['413', '408', 'closed'],
    async act(target) {
      const tally = await inTurn(1000, () => allRequests(target, 22))(target)
      const endless = await crowd(target, 32, socket => {
        socket.write(postOf(target, { framing: [chunks], body: '' }))
        return pour(socket, Buffer.from(`1;${'a'.repeat(10_000)}\r\n \r\n`.repeat(10)), time(4000, target))
      })
      for (const [status, count] of endless) tally.set(status, (tally.get(status) ?? 0) + count)
      return tally
    },
  },
  {
    rows: '23',
    what: 'trailers with a token, and of 20 KB',
    answers: ['401', '431'],
    act: inTurn(1500, target => {
      const withTrailer = (trailer: string) => `${good.length.toString(16)}\r\n${good}\r\n0\r\n${trailer}\r\n\r\n`
      return [
        postOf(target, { access: [], framing: [chunks], body: withTrailer(`Authorization: Bearer ${target.token}`) }),
        postOf(target, { framing: [chunks], body: withTrailer(`X-Long: ${'a'.repeat(20_000)}`) }),
      ]
    }),
  },
  {
    rows: '24',
    what: 'orders followed by junk',
    answers: ['201'],
    act: target => {
      const bytes = Buffer.concat([postOf(target), Buffer.from('\0junk\r\n\r\n')])
      return send(Array<Batch>(part(1000, target)).fill({ bytes, requests: 2 }), { ...target, atOnce: 32 })
    },
  },
  {
    rows: '25',
    what: '100,000 requests at once on one socket, and 100 orders at once on each of 16',
    answers: ['200', '201'],
    async act(target) {
      const count = part(100_000, target)
      const bytes = Buffer.concat(Array<Buffer>(count).fill(getOf(target)))
      const tally = await send([{ bytes, requests: count }], { ...target, atOnce: 1 })
      const orders = await many(8000, 100, () => postOf(target), 16)(target)
      for (const [status, count] of orders) tally.set(status, (tally.get(status) ?? 0) + count)
      return tally
    },
  },
  {
    rows: '26',
    what: 'half a request, then the end of sending, or of the connection',
    answers: ['400', 'closed'],
    async act(target) {
      const whole = postOf(target)
      const total: Tally = new Map()
      for (let round = 0; round < 20; round++) {
        const tally = await crowd(target, 250, async (socket, index) => {
          socket.write(whole.subarray(0, (index * 7) % whole.length))
          if (index % 2 === 0) socket.end()
          else socket.destroySoon()
        })
        for (const [status, count] of tally) total.set(status, (total.get(status) ?? 0) + count)
      }
      return total
    },
  },
  {
    rows: '27, 28',
    what: '500 slow sockets: silent, half a head, half a body, head and body byte by byte',
    answers: ['408'],
    isSlow: true,
    act(target) {
      const whole = postOf(target)
      const cut = whole.indexOf('\r\n\r\n') + 14
      return crowd(target, 500, async (socket, index) => {
        if (index % 5 === 1) socket.write(whole.subarray(0, 100))
        if (index % 5 === 2) socket.write(whole.subarray(0, cut))
        if (index % 5 === 3) await trickle(socket, whole)
        if (index % 5 !== 4) return
        socket.write(whole.subarray(0, cut))
        await trickle(socket, whole.subarray(cut))
      })
    },
  },
  {
    rows: '29',
    what: '20 sockets that ask for 200 menus each and read none, until they are dropped',
    answers: ['closed'],
    isSlow: true,
    act: target => crowd(target, 20, socket => askOnly(socket, target, 200, 90_000)),
  },
  {
    rows: '29',
    what: '50 sockets that ask 1,000 times each, half without a token, and read nothing',
    answers: ['closed'],
    costs: 128,
    act: target =>
      crowd(target, 50, (socket, index) =>
        askOnly(socket, index % 2 === 0 ? target : { token: 'none' }, 1000, time(5000, target)),
      ),
  },
  {
    rows: '31',
    what: 'bodies of 8 MB with a token, by length and in chunks',
    answers: ['413'],
    act: inTurn(40, target => {
      const body = good.padEnd(8_000_000)
      return [postOf(target, { body }), postOf(target, { framing: [chunks], body: chunked(body) })]
    }),
  },
  {
    rows: '31, 28',
    what: '500 bodies of almost 256 KiB with a token, never finished',
    answers: ['closed'],
    // 512 sockets of one address can send 128 MiB of bodies. The allocator keeps most of that for the next time, which needs
    // no more.
    costs: 192,
    keeps: 144,
    act: target =>
      crowd(target, 500, async socket => {
        socket.write(postOf(target, { body: good.padEnd(256 * 1024) }).subarray(0, -1))
        await pause(time(5000, target))
        socket.destroy()
      }),
  },
  {
    rows: '32, 33',
    what: 'expectations, good ones without a body and others',
    answers: ['401', '413', '417'],
    act: inTurn(1000, target => {
      const asking = (parts: Parts) => postOf(target, { headers: ['Expect: 100-continue'], body: '', ...parts })
      return [
        asking({ access: [], framing: ['Content-Length: 50'] }),
        asking({ framing: ['Content-Length: 300000'] }),
        asking({ headers: ['Expect: luck'], framing: ['Content-Length: 50'] }),
      ]
    }),
  },
  {
    rows: '34',
    what: 'bodies that are announced as something else',
    answers: ['415'],
    act: inTurn(60, target => allRequests(target, 34)),
  },
  {
    rows: '36',
    what: 'bodies that are not JSON, every one',
    answers: ['400'],
    act: inTurn(15, target => allRequests(target, 36)),
  },
  {
    rows: '61',
    what: '40 orders of 256 KiB in chunks of one byte, half of them never finished',
    answers: ['413', 'closed'],
    act: target =>
      crowd(target, 40, async (socket, index) => {
        const order = inSmallChunks(target, 1, 262_000)
        socket.write(index % 2 === 0 ? order : order.subarray(0, -200))
        await pause(time(10_000, target))
        socket.destroy()
      }),
  },
  {
    rows: '38 to 52',
    what: 'bad orders of 11 kinds, up to 256 KiB large and 120,000 deep',
    answers: ['400'],
    // Garbage from parsing 240 KB of brackets.
    costs: 128,
    act: many(1120, 11, (target, index) => postOf(target, { body: badBodies[index % badBodies.length] ?? '' }), 8),
  },
  {
    rows: '53, 54, 56',
    what: 'orders from 55,000 addresses, by a trusted proxy',
    answers: ['201'],
    costs: 128,
    act: target =>
      many(55_000, 50, (_, index) => postOf(target, { headers: [`X-Forwarded-For: ${addressOf(index)}`] }))({
        ...target,
        from: target.proxy,
      }),
  },
  {
    rows: '55',
    what: 'X-Forwarded-For that are malformed, by a trusted proxy, or not to be believed',
    answers: ['400'],
    async act(target) {
      const spoofed = (_: Target, index: number) =>
        postOf(target, { headers: [`X-Forwarded-For: nobody${index}, ${addressOf(index)}:1`], body: '{}' })
      const tally = await many(10_000, 50, spoofed)(target)
      const malformed = await many(10_000, 50, spoofed)({ ...target, from: target.proxy })
      for (const [status, count] of malformed) tally.set(status, (tally.get(status) ?? 0) + count)
      return tally
    },
  },
  {
    rows: '28',
    what: '2,000 sockets from 4 addresses, twice as many as there may be',
    answers: ['closed', '408'],
    async act(target) {
      const all = await Promise.all(
        [0, 1, 2, 3].map(index =>
          crowd({ ...target, from: target.from.replace(/\d+$/, String(100 + index)) }, 500, async socket => {
            await pause(time(3000, target))
            socket.destroy()
          }),
        ),
      )
      return new Map([['closed', all.reduce((sum, tally) => sum + (tally.get('closed') ?? 0), 0)]])
    },
  },
]
