// The cost of webhooks: deliveries a second compared with a bare loop of node:https, and their effect on orders.
// npm run bench:webhooks. The figures and how they are taken are in bench/webhooks.md.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent, createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { constants, cpus, loadavg, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { parseDraft } from '../store/ordering/draft.ts'
import { freePermit } from '../store/ordering/place.ts'
import { openStore } from '../store/store.ts'
import { systemClock } from '../store/terms/clock.ts'
import { isRefused } from '../store/terms/refusal.ts'
import type { Restaurant } from '../test/support/demo-restaurant.ts'
import { startProgram } from '../test/support/program.ts'
import { authority, type Certificate, goodCertificate } from '../test/support/receivers.ts'
import { numberIn } from '../test/support/rows.ts'
import { importInto, switchedOn } from '../test/support/shop.ts'
import { smallRestaurant } from '../test/support/small-restaurant.ts'
import { withStore } from '../test/support/store.ts'
import { addEndpoint, environmentForReceivers } from '../test/support/webhook-log.ts'
import { api } from '../test/support/wire.ts'
import { median, percentile } from './percentile.ts'

const ENDPOINTS = 3
const PRELOADED_ORDERS = Number(process.env.BENCH_ORDERS ?? 2000)
const RATE = 50
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const AT_ONCE = 30
const TURN_SECONDS = 3

type Setup =
  | { role: 'receivers'; certificate: Certificate; hanging: boolean }
  | { role: 'bare'; urls: string[]; ca: string; total: number; body: string }

async function play(setup: Setup): Promise<void> {
  process.once('disconnect', () => process.exit())
  if (setup.role === 'receivers') await receive(setup.certificate, setup.hanging)
  else process.send?.(await deliverBare(setup))
}

/** Endpoints in their own process. The response to each message is the number of deliveries and the time of the last one. */
async function receive(certificate: Certificate, hanging: boolean): Promise<void> {
  // In production they are other machines, so here they only use the processor time that the orders leave.
  if (hanging) setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  let count = 0
  let first = 0
  let last = 0
  const urls: string[] = []
  for (let i = 0; i < ENDPOINTS; i++) {
    const hangs = hanging && i === 0
    const server = createServer(certificate, (incoming, response) => {
      incoming.resume()
      incoming.once('end', () => {
        if (hangs) return
        count++
        last = performance.now()
        first ||= last
        response.writeHead(204).end()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    urls.push(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  }
  process.on('message', message => {
    if (message === 'reset') count = first = last = 0
    process.send?.({ count, ms: last - first })
  })
  process.send?.(urls)
}

/** As many deliveries as Servery makes, by node:https alone: resumed sessions, a socket for each, a verified certificate. */
async function deliverBare({ urls, ca, total, body }: Extract<Setup, { role: 'bare' }>): Promise<number> {
  // The priority of the delivery thread, so that other load on the machine affects both equally.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 100, secureContext: createSecureContext({ ca }) })
  let left = total
  const send = (url: string) =>
    new Promise<void>((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }
      const outgoing = request(url, { method: 'POST', agent, headers }, response => {
        response.resume()
        response.once('end', resolve)
      })
      outgoing.once('error', reject)
      outgoing.end(body)
    })
  const began = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, index) => {
      while (left-- > 0) await send(urls[index % urls.length] as string)
    }),
  )
  return performance.now() - began
}

interface Played {
  child: ChildProcess
  ask(message: string): Promise<unknown>
  answer: Promise<unknown>
}

function begin(setup: Setup): Played {
  const child = fork(fileURLToPath(import.meta.url), [], { env: { ...process.env, BENCH_ROLE: setup.role } })
  child.send(setup)
  const next = async () => (await once(child, 'message'))[0] as unknown
  return {
    child,
    answer: next(),
    ask(message) {
      const answer = next()
      child.send(message)
      return answer
    },
  }
}

function restaurantWith(urls: string[], file: string): Restaurant {
  const token = importInto(file, smallRestaurant(), { ...switchedOn, 'orders.limit': '1000000' })
  withStore(file, ({ webhooks }) => webhooks.secrets.set('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'))
  for (const url of urls) addEndpoint(file, url)
  return { file, token }
}

async function preload({ file }: Restaurant, orders: number): Promise<void> {
  const store = openStore(file, { clock: systemClock, create: false, busyMs: 5000 })
  const draft = parseDraft(order)
  if (isRefused(draft)) throw new Error('the order is not valid')
  const wanted = { draft, source: 'api' as const, permit: freePermit }
  for (let i = 0; i < orders; i += 100) store.orders.placeTogether(Array(100).fill(wanted))
  store.close()
}

const order = {
  location_id: 1,
  items: [
    { item_id: 1, qty: 1 },
    { item_id: 2, qty: 2, modifiers: [{ modifier_id: 1 }] },
  ],
}

/** Places orders at a steady rate, without waiting for responses, until it is over. Returns the milliseconds of each. */
async function ordersAt(rate: number, port: number, token: string, isOver: (ms: number) => boolean): Promise<number[]> {
  const agent = new HttpAgent({ keepAlive: true })
  const body = JSON.stringify(order)
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
  }
  const times: number[] = []
  const began = performance.now()
  const pending: Promise<void>[] = []
  for (let sent = 0; ; sent++) {
    const due = began + (sent * 1000) / rate
    await new Promise(resolve => setTimeout(resolve, Math.max(0, due - performance.now())))
    if (isOver(performance.now() - began)) break
    const start = performance.now()
    pending.push(
      new Promise((resolve, reject) => {
        const path = `${api}/orders`
        const outgoing = httpRequest({ agent, host: '127.0.0.1', port, method: 'POST', path, headers }, response => {
          response.resume()
          response.once('end', () => {
            if (response.statusCode !== 201) reject(new Error(`an order was answered ${response.statusCode}`))
            // The first second is a warm-up.
            if (start - began > 1000) times.push(performance.now() - start)
            resolve()
          })
        })
        outgoing.once('error', reject)
        outgoing.end(body)
      }),
    )
  }
  await Promise.all(pending)
  agent.destroy()
  return times
}

const shown = (ms: number) => ms.toFixed(2)

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'servery-bench-'))
  const environment = environmentForReceivers(folder)
  console.log(
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)} at the start\n`,
  )
  try {
    await latency(folder, environment)
    await throughput(folder, environment)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function latency(folder: string, environment: Record<string, string>): Promise<void> {
  console.log(`Order latency in ms at ${RATE} orders a second, ${SECONDS} s each in turns of ${TURN_SECONDS} s`)
  console.log('| round | endpoints | p50 | p95 | p99 | max | deliveries/s |\n|---|---|---|---|---|---|---|')
  const ratios: number[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const receivers = begin({ role: 'receivers', certificate: goodCertificate, hanging: true })
    const urls = (await receivers.answer) as string[]
    const sides = await Promise.all(
      ['none', `${ENDPOINTS}, one hangs`].map(async (name, index) => {
        const shop = restaurantWith(index === 0 ? [] : urls, join(folder, `latency-${index}-${round}.db`))
        return { name, shop, server: await startProgram(shop.file, { environment }), times: [] as number[] }
      }),
    )
    // In short turns, so that other load on the machine affects both equally.
    for (let turn = 0; turn < SECONDS / TURN_SECONDS; turn++) {
      for (const { shop, server, times } of sides) {
        times.push(...(await ordersAt(RATE, server.port, shop.token, ms => ms > (TURN_SECONDS + 1) * 1000)))
      }
    }
    const { count } = (await receivers.ask('count')) as { count: number }
    for (const { name, server, times } of sides) {
      await server.end('SIGTERM')
      const cells = [0.5, 0.95, 0.99, 1].map(part => shown(percentile(times, part)))
      const rate = name === 'none' ? 0 : Math.round(count / (SECONDS * (1 + 1 / TURN_SECONDS)))
      console.log(`| ${round} | ${name} | ${cells.join(' | ')} | ${rate} |`)
    }
    receivers.child.kill()
    const [none = 1, three = 0] = sides.map(({ times }) => percentile(times, 0.99))
    ratios.push(three / none)
  }
  console.log(`\np99 with endpoints against without, median of the rounds: × ${median(ratios).toFixed(2)}\n`)
}

async function throughput(folder: string, environment: Record<string, string>): Promise<void> {
  const total = PRELOADED_ORDERS * ENDPOINTS
  console.log(`${total} deliveries to ${ENDPOINTS} endpoints, deliveries a second`)
  console.log('| round | Servery | bare node:https | ratio | order p50 / p99 meanwhile, ms |\n|---|---|---|---|---|')
  const ratios: number[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const receivers = begin({ role: 'receivers', certificate: goodCertificate, hanging: false })
    const urls = (await receivers.answer) as string[]
    const shop = restaurantWith(urls, join(folder, `throughput-${round}.db`))
    await preload(shop, PRELOADED_ORDERS)
    const bareLoop = async (deliveries: number): Promise<number> => {
      const bare = begin({ role: 'bare', urls, ca: authority.cert, total: deliveries, body: bodyLike() })
      const ms = (await bare.answer) as number
      bare.child.kill()
      return (deliveries * 1000) / ms
    }
    // Warms up the receivers; of the bare loop before and after, the faster run counts.
    await bareLoop(total / 4)
    const before = await bareLoop(total)
    await receivers.ask('reset')

    const server = await startProgram(shop.file, { environment })
    let isDrained = false
    const watch = (async () => {
      for (;;) {
        await new Promise(resolve => setTimeout(resolve, 200))
        const { count, ms } = (await receivers.ask('count')) as { count: number; ms: number }
        if (count < total) continue
        isDrained = true
        return (count * 1000) / ms
      }
    })()
    const times = await ordersAt(5, server.port, shop.token, () => isDrained)
    const servery = await watch
    await server.end('SIGTERM')
    const bareRate = Math.max(before, await bareLoop(total))
    receivers.child.kill()
    const lost = numberIn(shop.file, `SELECT count(*) FROM webhook_attempt WHERE state = 'lost'`)
    ratios.push(servery / bareRate)
    const cells = [Math.round(servery), Math.round(bareRate), (servery / bareRate).toFixed(2)]
    console.log(
      `| ${round} | ${cells.join(' | ')} | ${shown(percentile(times, 0.5))} / ${shown(percentile(times, 0.99))} |`,
    )
    if (lost > 0) console.log(`${lost} attempts were lost`)
  }
  console.log(`\nratio, median of the rounds: ${median(ratios).toFixed(2)}`)
}

function bodyLike(): string {
  const id = 'msg_ABCDEFGHIJKLMNOPQRSTUVWXYZa'
  const data = { id: 1042, location_id: 1, channel: 'web', source: 'api' }
  return JSON.stringify({ id, type: 'order.placed', event: 'order.placed', data, timestamp: '2026-11-20T19:42:07Z' })
}

if (process.env.BENCH_ROLE) process.once('message', (setup: Setup) => void play(setup))
else await main()
