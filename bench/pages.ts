// How long the server takes for the pages that people open all evening, in a file with many years of orders, how large they are,
// and what open pages cost. npm run bench:pages [ORDERS]. README.md explains what is measured and why.

import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { restaurant } from '../examples/demo.ts'
import type { RestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { demoRestaurant } from '../test/support/demo-restaurant.ts'
import { logIn } from '../test/support/log-in.ts'
import { type Program, startProgram } from '../test/support/program.ts'
import { withStore } from '../test/support/store.ts'
import { folderOnDisk } from './folder.ts'
import { median, percentile } from './percentile.ts'
import { printTable, targetList } from './report.ts'
import { makeYears, practiseWeeks } from './years.ts'

const ORDERS = Number(process.argv[2] ?? 1_000_000)
const DISHES = 300
const ROUNDS = 200
const P50_MS = 5
const PAGE_BYTES = 60 * 1024
const OPEN_PAGES = 20
const OPEN_SECONDS = 20
const OPEN_MIB = 10

interface Fetched {
  ms: number
  /** As sent: compressed. */
  bytes: Buffer
  text: string
}

const folder = folderOnDisk('bench')
const targets = targetList()
const agent = new Agent({ keepAlive: true, maxSockets: OPEN_PAGES })

await measureYears()
await measureMenu()
agent.destroy()
targets.show()

async function measureYears(): Promise<void> {
  const weeks = join(folder, 'weeks.db')
  const file = join(folder, 'years.db')
  practiseWeeks(weeks)
  const { years } = makeYears(file, weeks, ORDERS)
  const program = await startProgram(file)
  const cookie = signIn(file, program)
  const newest = Number(
    /\/office\/orders\/(\d+)/.exec((await fetchPage(program, cookie, '/office/orders?all=1')).text)?.[1],
  )
  const title = `Pages with ${ORDERS.toLocaleString('en')} orders, ms`
  await measure(title, program, cookie, [
    ['orders', '/office/orders'],
    ['orders, all', '/office/orders?all=1'],
    ['an order', `/office/orders/${newest}`],
    ['money of a day', `/office/money?date=${years.to}`],
    ['report of a day', `/office/reports?report=summary&from=${years.to}&to=${years.to}`],
  ])
  await measureOpenPages(program, cookie)
  await program.end('SIGTERM')
}

async function measureMenu(): Promise<void> {
  const file = join(folder, 'menu.db')
  demoRestaurant(file, withDishes(restaurant(), DISHES))
  const program = await startProgram(file)
  const cookie = signIn(file, program)
  await measure(`Pages with ${DISHES} dishes, ms`, program, cookie, [
    ['menu', '/office/menu'],
    ['prices', '/office/menu/prices'],
    ['till', '/office/till'],
  ])
  await program.end('SIGTERM')
}

async function measure(title: string, program: Program, cookie: string, pages: [name: string, path: string][]) {
  const rows: string[][] = []
  for (const [name, path] of pages) {
    await fetchPage(program, cookie, path)
    const times: number[] = []
    let last: Fetched | undefined
    for (let round = 0; round < ROUNDS; round++) {
      last = await fetchPage(program, cookie, path)
      times.push(last.ms)
    }
    if (!last) continue
    const total = last.bytes.length + (await bytesOfAssets(program, last.text))
    targets.atMost(`${name}: p50`, median(times), P50_MS, ' ms')
    targets.atMost(`${name}: page, style and script`, total / 1024, PAGE_BYTES / 1024, ' KB')
    rows.push([name, median(times).toFixed(2), percentile(times, 0.99).toFixed(2), kb(last.bytes.length), kb(total)])
  }
  console.log(`### ${title}\n`)
  printTable(['page', 'p50', 'p99', 'page, KB', 'with style and script, KB'], rows)
}

/** What pages cost that stay open: each is fetched again every five seconds, as browser/live.ts does. */
async function measureOpenPages(program: Program, cookie: string): Promise<void> {
  const before = residentMiB(program)
  const end = performance.now() + OPEN_SECONDS * 1000
  await Promise.all(
    Array.from({ length: OPEN_PAGES }, async () => {
      while (performance.now() < end) {
        await fetchPage(program, cookie, '/office/orders')
        await sleep(5000)
      }
    }),
  )
  const more = residentMiB(program) - before
  console.log(
    `${OPEN_PAGES} open pages: ${before.toFixed()} MiB before, ${more.toFixed(1)} MiB more after ${OPEN_SECONDS} s\n`,
  )
  targets.atMost(`${OPEN_PAGES} open pages: memory`, more, OPEN_MIB, ' MiB')
}

function residentMiB({ child }: Program): number {
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1024
}

function signIn(file: string, { port }: Program): string {
  const execute = (sql: string) => {
    const db = new Database(file)
    db.exec(sql)
    db.close()
  }
  return withStore(file, store => logIn({ store, execute, url: `http://127.0.0.1:${port}` }, 'owner').cookie)
}

async function bytesOfAssets(program: Program, page: string): Promise<number> {
  const paths = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string)
  const fetched = await Promise.all(paths.map(path => fetchPage(program, '', path)))
  return fetched.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

function fetchPage({ port }: Program, cookie: string, path: string): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const headers = { Cookie: cookie, 'Accept-Encoding': 'gzip', Accept: 'text/html' }
    const sent = request({ agent, port, host: '127.0.0.1', path, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const ms = performance.now() - began
        const bytes = Buffer.concat(chunks)
        if (response.statusCode !== 200) return reject(new Error(`${path} gave ${response.statusCode}`))
        resolve({ ms, bytes, text: gunzipSync(bytes).toString() })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** The restaurant with as many dishes, by repeating those that it has under other names. */
function withDishes(file: RestaurantFile, count: number): RestaurantFile {
  const dishes = file.categories.flatMap(category => category.items)
  const more = Math.max(0, count - dishes.length)
  let id = 1_000_000
  const copies = Array.from({ length: more }, (_, index) => {
    const dish = dishes[index % dishes.length]
    if (!dish) throw new Error('the restaurant has no dishes')
    const variations = dish.variations.map(variation => ({ ...variation, id: ++id }))
    return { ...dish, id: ++id, title: `${dish.title} ${index + 1}`, sku: null, variations }
  })
  const [first, ...others] = file.categories
  if (!first) throw new Error('the restaurant has no categories')
  return { ...file, categories: [{ ...first, items: [...first.items, ...copies] }, ...others] }
}

function kb(bytes: number): string {
  return (bytes / 1024).toFixed(1)
}
