import { deepStrictEqual } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import type { Restaurant } from '../test/support/demo-restaurant.ts'
import { startProgram } from '../test/support/program.ts'
import { type Server, type StartOptions, start } from './child.ts'
import { contest, medianOf, type Result, ratio } from './contest.ts'
import { folderOnDisk } from './folder.ts'
import { load } from './load.ts'
import { median } from './percentile.ts'
import { showResults, targetList } from './report.ts'
import { menuRequest, orderRequest, restaurantWithoutKitchen } from './restaurant.ts'

// README.md explains what is measured and why. All servers run at the same time and are measured in turns.

const CONNECTIONS = 32
const targets = targetList()

const folder = folderOnDisk('bench')
const log = openSync(join(folder, 'log'), 'a')

const restaurant = (name: string): Restaurant => restaurantWithoutKitchen(join(folder, `${name}.db`))
const run = (script: string, parameters: unknown, options: Partial<StartOptions> = {}): Promise<Server> =>
  start(script, parameters, { log, ...options })

const shared = restaurant('shared')
const servery = await run('./servers/servery.ts', { file: shared.file })
const alone = restaurant('alone')
const serveryAlone = await run('./servers/servery.ts', { file: alone.file, ordersPerCommit: 1 })
const withoutDatabase = await run('./servers/bare-orders.ts', { file: shared.file })
const menu = await answerTo(servery, menuRequest(shared.token))
const menuFile = join(folder, 'menu.json')
writeFileSync(menuFile, JSON.stringify(menu))
const bareMenu = await run('./servers/bare-menu.ts', { file: menuFile })

const usual = restaurant('usual')
const hasFastify = existsSync(new URL('fastify/node_modules', import.meta.url))
const fastify = hasFastify ? await run('./fastify/server.ts', { file: usual.file }) : undefined
if (fastify) await expectSameAnswers(fastify)

await measureMenu()
await measureOrders()
await measureOneConnection()
for (const server of [servery, serveryAlone, withoutDatabase, bareMenu, fastify]) await server?.stop()
await measureFlushes()
await measureMemory()
await measureStart()
targets.show()

async function measureMenu(): Promise<void> {
  const etag = menu.headers[menu.headers.indexOf('ETag') + 1]
  const read = { request: menuRequest(shared.token), status: 200, connections: CONNECTIONS }
  const known = { ...read, request: menuRequest(shared.token, [`If-None-Match: ${etag}`]), status: 304 }
  const results = await contest(
    [
      { ...read, name: 'bare node:http, the same bytes', server: bareMenu },
      { ...read, name: 'Servery', server: servery },
      { ...known, name: 'Servery, 304', server: servery },
      ...(fastify ? [{ ...read, name: 'Fastify', server: fastify, request: menuRequest(usual.token) }] : []),
    ],
    { rounds: 9, seconds: 1 },
  )
  showResults(`GET menu, ${Buffer.byteLength(menu.body)} bytes, ${CONNECTIONS} connections`, results)
  const [bare, whole, notModified, other] = results as [Result, Result, Result, Result?]
  if (medianOf(bare, 'busy') < 0.9) {
    console.log(
      '\n**The bare server did not get a whole processor: the machine was not quiet, so trust no rate below.**',
    )
  }
  targets.atLeast('menu, to a bare server of the same bytes', ratio('rate', whole, bare), 0.85)
  targets.atLeast('menu, 304 to 200', ratio('rate', notModified, whole), 1.3)
  if (other) targets.atLeast('menu, to Fastify', ratio('rate', whole, other), 20)
  else targets.skipped('menu, to Fastify', 'not installed')
}

async function measureOrders(): Promise<void> {
  const order = { request: orderRequest(shared.token), status: 201, connections: CONNECTIONS }
  const results = await contest(
    [
      { ...order, name: 'bare node:http, priced but not kept', server: withoutDatabase },
      { ...order, name: 'Servery', server: servery },
      { ...order, name: 'Servery, an order a commit', server: serveryAlone, request: orderRequest(alone.token) },
      ...(fastify ? [{ ...order, name: 'Fastify', server: fastify, request: orderRequest(usual.token) }] : []),
    ],
    { rounds: 9, seconds: 1 },
  )
  showResults(`POST order, durable, ${CONNECTIONS} connections`, results)
  const [bare, whole, oneByOne, other] = results as [Result, Result, Result, Result?]
  targets.atLeast('order, to a bare server without a database', ratio('rate', whole, bare), 0.5)
  targets.atLeast('order, shared commits to one each', ratio('rate', whole, oneByOne), 4)
  if (other) targets.atLeast('order, to Fastify', ratio('rate', whole, other), 4)
  else targets.skipped('order, to Fastify', 'not installed')
}

async function measureOneConnection(): Promise<void> {
  const order = { status: 201, connections: 1 }
  const results = await contest(
    [
      { ...order, name: 'Servery', server: servery, request: orderRequest(shared.token) },
      { ...order, name: 'Servery, an order a commit', server: serveryAlone, request: orderRequest(alone.token) },
    ],
    { rounds: 9, seconds: 1 },
  )
  showResults('POST order, durable, one connection', results)
  const [whole, oneByOne] = results as [Result, Result]
  targets.atMost('order alone, p50 with shared commits to one each', ratio('p50', whole, oneByOne), 1.2)
}

/** Counts the flushes of the disk while orders come in, with strace if that is installed. */
async function measureFlushes(): Promise<void> {
  const what = 'flushes to disk (fsync, fdatasync) an order'
  if (spawnSync('strace', ['-V']).status !== 0) return targets.skipped(what, 'strace is not installed')
  const counts = join(folder, 'strace')
  const under = ['strace', '-f', '-c', '-e', 'trace=fsync,fdatasync', '-o', counts]
  const { file, token } = restaurant('flushes')
  const server = await run('./servers/servery.ts', { file }, { under })
  const orders = 10_000
  const order = { port: server.port, request: orderRequest(token), status: 201, connections: CONNECTIONS }
  await load({ ...order, until: { requests: orders } })
  await server.stop()
  // The columns of its output: % time, seconds, µs per call, calls, errors (or nothing), name.
  const lines = readFileSync(counts, 'utf8').matchAll(/^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s.*\b(?:fsync|fdatasync)$/gm)
  let flushes = 0
  for (const [, calls] of lines) flushes += Number(calls)
  targets.atMost(what, flushes / orders, 0.1, '')
}

/** Compares the memory after many orders with that after a tenth of them. */
async function measureMemory(): Promise<void> {
  const { file, token } = restaurant('memory')
  const server = await run('./servers/servery.ts', { file })
  const order = { port: server.port, request: orderRequest(token), status: 201, connections: CONNECTIONS }
  await load({ ...order, until: { requests: 10_000 } })
  const early = await server.ask('memory')
  await load({ ...order, until: { requests: 90_000 } })
  const late = await server.ask('memory')
  await server.stop()
  const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`
  targets.atMost(`memory after 100,000 orders (${mebibytes(late)}) to 10,000 (${mebibytes(early)})`, late / early, 1)
}

/** Measures from the start of the process to its first response, on an existing file. */
async function measureStart(): Promise<void> {
  const { file } = restaurant('start')
  const times: number[] = []
  for (let i = 0; i < 9; i++) {
    const began = performance.now()
    const { port, end } = await startProgram(file)
    const { status } = await fetch(`http://127.0.0.1:${port}/healthz`)
    if (status !== 200) throw new Error(`/healthz responded with ${status}`)
    times.push(performance.now() - began)
    await end('SIGTERM')
  }
  targets.atMost('ready to serve after', median(times), 400, ' ms')
}

async function expectSameAnswers(other: Server): Promise<void> {
  const menuThere = await answerTo(other, menuRequest(usual.token))
  deepStrictEqual(JSON.parse(menuThere.body), JSON.parse(menu.body), 'the menus differ')
  const orders: Record<string, unknown>[] = []
  for (const [server, { token }] of [
    [servery, shared],
    [other, usual],
  ] as const) {
    const { body } = await answerTo(server, orderRequest(token))
    orders.push({ ...JSON.parse(body).data, placed_at: null })
  }
  deepStrictEqual(orders[1], orders[0], 'the orders differ')
}

/** One response, with the headers from the server itself, without those that node adds. */
async function answerTo({ port }: Server, bytes: Buffer): Promise<{ headers: string[]; body: string }> {
  const [head = '', body] = bytes.toString().split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const [method, path] = line.split(' ')
  const headers = Object.fromEntries(fields.map(field => field.split(': ')))
  const [response] = (await once(request({ port, method, path, headers }).end(body), 'response')) as [IncomingMessage]
  const chunks = await response.toArray()
  const own: string[] = []
  for (let i = 0; i < response.rawHeaders.length; i += 2) {
    const [name = '', value = ''] = response.rawHeaders.slice(i, i + 2)
    if (!/^(date|connection|keep-alive)$/i.test(name)) own.push(name, value)
  }
  return { headers: own, body: Buffer.concat(chunks).toString() }
}
