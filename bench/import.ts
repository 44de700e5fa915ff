import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { parseRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { demoRestaurant } from '../test/support/demo-restaurant.ts'
import { root } from '../test/support/folders.ts'
import { api } from '../test/support/wire.ts'
import { arrivals } from './arrivals.ts'
import { start } from './child.ts'
import { folderOnDisk } from './folder.ts'
import { percentile } from './percentile.ts'
import { printTable, targetList } from './report.ts'

// What an import of a large menu costs, and what orders notice of it. README.md says what is measured and why.

const DISHES = 2000
const RATE = 50
const SECONDS = 6

const folder = folderOnDisk('bench-import')
const log = openSync(join(folder, 'log'), 'a')
const targets = targetList()

/** A restaurant of many dishes, each with two sizes, a group of options, allergens and a branch price. */
function largeRestaurant(dearer: number) {
  const price = (id: number) => (500 + (id % 900) + dearer) / 100
  const items = Array.from({ length: DISHES }, (_, index) => {
    const id = index + 1
    return {
      id,
      title: `Dish ${id}`,
      description: 'With what the market has, and bread.',
      price: price(id),
      variations: [
        { id: 2 * id, title: 'Half', price: price(id - 1), is_default: true },
        { id: 2 * id + 1, title: 'Whole', price: price(id) },
      ],
      modifier_groups: [{ id: 1 + (id % 20) }],
      allergens: [{ id: 1, presence: 'contains' }],
    }
  })
  return {
    site: { title: 'Large', timezone: 'UTC' },
    allergens: [{ id: 1, title: 'Gluten' }],
    modifier_groups: Array.from({ length: 20 }, (_, group) => ({
      id: group + 1,
      title: `Group ${group + 1}`,
      selection_type: 'multiple',
      modifiers: Array.from({ length: 8 }, (_, at) => ({ id: group * 8 + at + 1, title: `Option ${at}`, price: 1 })),
    })),
    categories: Array.from({ length: 40 }, (_, at) => ({
      id: at + 1,
      title: `Section ${at + 1}`,
      items: items.slice((at * DISHES) / 40, ((at + 1) * DISHES) / 40),
    })),
    locations: [
      {
        id: 1,
        code: 'ONE',
        title: 'One',
        currency: 'EUR',
        timezone: 'UTC',
        items: items.filter(({ id }) => id % 4 === 0).map(({ id }) => ({ id, price: price(id + 100) })),
      },
    ],
  }
}

function written(dearer: number): string {
  const path = join(folder, `${dearer}.json`)
  writeFileSync(path, JSON.stringify(largeRestaurant(dearer)))
  return path
}

const { file, token } = demoRestaurant(join(folder, 'large.db'), parsed(0))

function parsed(dearer: number) {
  const { file: restaurant, problems } = parseRestaurantFile(JSON.stringify(largeRestaurant(dearer)))
  if (problems.length > 0) throw new Error(JSON.stringify(problems.slice(0, 5)))
  return restaurant
}

/** The longest time for which a command keeps others from writing, in milliseconds, without any orders. */
async function lockTime(...args: string[]): Promise<number> {
  const other = new Database(file, { timeout: 0 })
  let isDone = false
  const done = command(...args).finally(() => {
    isDone = true
  })
  let longest = 0
  for (let freeAt = performance.now(); !isDone; await setTimeout(1)) {
    try {
      other.exec('BEGIN IMMEDIATE; ROLLBACK')
      freeAt = performance.now()
    } catch {
      longest = Math.max(longest, performance.now() - freeAt)
    }
  }
  await done
  other.close()
  return longest
}

async function command(...args: string[]): Promise<number> {
  const from = performance.now()
  const child = spawn(process.execPath, ['--import', 'tsx', 'cli.ts', ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_FILE: file },
    stdio: 'ignore',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return performance.now() - from
}

function orderRequest(): Buffer {
  const body = JSON.stringify({ location_id: 1, items: [{ item_id: 7, qty: 1 }] })
  const head = [
    `POST ${api}/orders HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const rows: string[][] = []
const order = orderRequest()
const locked = [
  await lockTime('import', written(10)),
  await lockTime('import', written(11), '--how', 'prices'),
  await lockTime('undo'),
]
const { port, stop } = await start('./servers/servery.ts', { file }, { log })
const calls: [name: string, args: string[]][] = [
  ['no import', []],
  ['import', ['import', written(20)]],
  ['import --how prices', ['import', written(30), '--how', 'prices']],
  ['undo', ['undo']],
]
await arrivals({ port, request: () => order, status: 201, rate: RATE, seconds: 1, connections: 'kept' })
for (const [name, args] of calls) {
  const orders = arrivals({
    port,
    request: () => order,
    status: 201,
    rate: RATE,
    seconds: SECONDS,
    connections: 'kept',
  })
  const ms = args.length > 0 ? await command(...args) : Number.NaN
  const { latencies, failures } = await orders
  if (failures.size > 0) throw new Error(JSON.stringify([...failures]))
  const figures = [0.5, 0.99, 1].map(part => percentile(latencies, part).toFixed(1))
  rows.push([name, Number.isNaN(ms) ? '' : ms.toFixed(0), ...figures])
  if (args.length > 0) targets.atMost(`longest order beside ${name}`, percentile(latencies, 1), 100, ' ms')
}
await stop()
console.log(`\nLocks of import, prices alone, undo: ${locked.map(ms => ms.toFixed(0)).join(', ')} ms`)
console.log(`\n### ${DISHES} dishes, beside ${RATE} orders a second\n`)
printTable(['', 'command ms', 'order p50 ms', 'p99', 'longest'], rows)
targets.atMost('longest lock of a command', Math.max(...locked), 100, ' ms')
targets.show()
