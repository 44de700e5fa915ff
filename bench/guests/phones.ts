// The phones of guests, in a process of their own, so that the one that measures only measures. It is started by ../guests.ts.

import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { newSecret } from '../../store/people/secret.ts'
import { type Fields, type Guest, guest } from '../../test/support/guest.ts'

/** What the process is started with, as JSON. */
export interface Setup {
  port: number
  /** The path of the menu where the guests order, and dishes there that need no choice. */
  base: string
  dishes: number[]
  /** Orders that are placed first, each with a status page that can stay open. */
  placed: { base: string; dish: number; pages: number }
}

/** One evening: how many guests order and how many status pages stay open, and for how many seconds. */
export interface Evening {
  guests: number
  pages: number
  seconds: number
}

/** The milliseconds of each kind of request, and how often one was refused. */
export interface Measured {
  times: Record<string, number[]>
  refusals: Record<string, number>
}

// As browser/guest/status.ts.
const ASK_MS = 5000
const RANDOM_MS = 1000

const { port, base, dishes, placed }: Setup = JSON.parse(process.argv[2] ?? '')
const site = `http://127.0.0.1:${port}`
const statusPages = await placeOrders()
process.on('message', async (evening: Evening) => process.send?.(await measured(evening)))
process.on('disconnect', () => process.exit())
process.send?.(statusPages.length)

interface StatusPage {
  path: string
  address: string
  cookie: string
}

async function placeOrders(): Promise<StatusPage[]> {
  const fields = { ...(await guest({ url: site }).fill(placed.base, { id: placed.dish })), name: 'Ana' }
  const pages: StatusPage[] = []
  for (let index = 0; index < placed.pages; index++) {
    const page = { path: '', address: addressOf(index, 2), cookie: `script=1; servery_guest=${newSecret()}` }
    const body = new URLSearchParams({ ...fields, attempt: newSecret() }).toString()
    const head = await send('POST', `${placed.base}/place`, page, body)
    const path = /\r\nlocation: ([^?\r]+)/i.exec(head)?.[1]
    if (path === undefined) throw new Error(`an order was not placed: ${head}`)
    pages.push({ ...page, path })
  }
  return pages
}

async function measured({ guests, pages, seconds }: Evening): Promise<Measured> {
  const times: Measured['times'] = {}
  const refusals: Measured['refusals'] = {}
  const end = performance.now() + seconds * 1000
  const timed: Timed = async (what, request) => {
    const began = performance.now()
    const status = await request().catch(() => 0)
    times[what] ??= []
    times[what].push(performance.now() - began)
    if (status >= 400 || status === 0) refusals[`${what} ${status}`] = (refusals[`${what} ${status}`] ?? 0) + 1
  }
  await Promise.all([
    ...Array.from({ length: guests }, (_, index) => beGuest(index, (index / guests) * 10_000, end, timed)),
    ...statusPages.slice(0, pages).map(page => watch(page, end, timed)),
  ])
  return { times, refusals }
}

type Timed = (what: string, request: () => Promise<number>) => Promise<void>

/** Reads, chooses, orders at a human pace, and looks at the order again and again. */
async function beGuest(index: number, after: number, end: number, timed: Timed): Promise<void> {
  const isOver = () => performance.now() >= end
  const get = async (phone: Guest, path: string) => (await phone.get(path)).status
  await sleep(after)
  while (!isOver()) {
    const phone = guest({ url: site }, { 'X-Forwarded-For': addressOf(index, 1) })
    await timed('menu', () => get(phone, base))
    await think()
    for (const step of [1, 2]) {
      const path = `${base}/dish/${dishes[(index * 7 + step) % dishes.length]}`
      await timed('dish', () => get(phone, path))
      await think()
      await timed('into the cart', async () => (await phone.post(path, { quantity: '1' })).status)
    }
    if (isOver()) return
    let fields: Fields | undefined
    await timed('checkout', async () => {
      fields = await phone.fill(base)
      return 200
    })
    if (!fields) continue
    await think()
    let path = ''
    await timed('order', async () => {
      const { status, location } = await phone.place(base, { ...fields, name: 'Ana' })
      path = location?.split('?')[0] ?? ''
      return status
    })
    for (let look = 0; look < 4 && !isOver(); look++) {
      await timed('status', () => get(phone, `${path}/now`))
      await sleep(ASK_MS)
    }
  }
}

function think(): Promise<void> {
  return sleep(1000 + Math.random() * 4000)
}

/** Does what the script of a status page does: asks for its version, and loads the page when that has changed. */
async function watch(page: StatusPage, end: number, timed: Timed): Promise<void> {
  let version = ''
  // They were not all opened at the same instant.
  await sleep(Math.random() * (ASK_MS + RANDOM_MS))
  while (performance.now() < end) {
    let now = ''
    await timed('a status page asks', async () => {
      const response = await send('GET', `${page.path}/now`, page)
      now = /"version":"([^"]+)"/.exec(response)?.[1] ?? ''
      return statusOf(response)
    })
    if (version !== '' && now !== version)
      await timed('a status page loads again', async () => statusOf(await send('GET', page.path, page)))
    version = now
    await sleep(ASK_MS + Math.random() * RANDOM_MS)
  }
}

function statusOf(response: string): number {
  return Number(response.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
}

/** Sends a request over a connection of its own, which costs this process far less than a client that can do more. */
function send(method: 'GET' | 'POST', path: string, { address, cookie }: StatusPage, body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let response = ''
    socket.setEncoding('latin1')
    socket.on('data', chunk => (response += chunk))
    socket.once('end', () => resolve(response))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('closed without a response')))
    const head = [
      `${method} ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      'Accept: text/html',
      'Accept-Encoding: gzip',
      'Connection: close',
      `Origin: ${site}`,
      `X-Forwarded-For: ${address}`,
      `Cookie: ${cookie}`,
      ...(body === ''
        ? []
        : ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${Buffer.byteLength(body)}`]),
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
}

/** Each phone has an address of its own. */
function addressOf(index: number, last: number): string {
  return `10.${index >> 8}.${index & 255}.${last}`
}
