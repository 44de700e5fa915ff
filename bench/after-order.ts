// What a kitchen and a store room cost an order: orders a second with a ticket, the charge and three stock rows, against
// the same orders at a location that has neither. npm run bench:after-order

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { root } from '../test/support/folders.ts'
import { importInto, switchedOn } from '../test/support/shop.ts'
import { smallRestaurant } from '../test/support/small-restaurant.ts'

const CONNECTIONS = 32
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const PORT = 18_080

const order = JSON.stringify({
  location_id: 1,
  items: [
    { item_id: 1, qty: 1 },
    { item_id: 2, qty: 2, modifiers: [{ modifier_id: 1 }, { modifier_id: 2 }] },
  ],
})

const kitchenAndStock = {
  stations: [{ id: 1, title: 'Hot' }],
  stock: [1, 2, 3].map(id => ({
    id,
    title: `Ingredient ${id}`,
    on_hand: 1_000_000_000,
    recipe: [{ item: id === 1 ? 1 : 2, qty: 0.25 }],
  })),
}

/** Orders a second that a server answers with 201, all of them durable. */
async function rate(location: Record<string, unknown>): Promise<number> {
  // Beside the project, because the folder for temporary files may be no disk at all.
  const folder = mkdtempSync(join(root, '.bench-'))
  const file = join(folder, 'bench.db')
  const token = importInto(file, smallRestaurant(location), { ...switchedOn, 'orders.limit': '1000000000' })
  const child = spawn(process.execPath, ['--import', 'tsx', 'server.ts'], {
    cwd: root,
    env: { ...process.env, DATABASE_FILE: file, PORT: String(PORT) },
    stdio: 'ignore',
  })
  try {
    while (!(await isOpen())) await new Promise(resolve => setTimeout(resolve, 50))
    await load(token, 2)
    return (await load(token, SECONDS)) / SECONDS
  } finally {
    child.kill('SIGTERM')
    await new Promise(resolve => child.once('close', resolve))
    rmSync(folder, { recursive: true })
  }
}

/** Places one order after the other on each connection for some seconds, and answers how many there were. */
async function load(token: string, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const until = performance.now() + seconds * 1000
  let placed = 0
  async function connection(): Promise<void> {
    while (performance.now() < until) {
      await placeOne(agent, token)
      placed++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  agent.destroy()
  return placed
}

function placeOne(agent: Agent, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const path = '/api/index.php/v1/restaurant/orders'
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = request({ agent, port: PORT, host: '127.0.0.1', method: 'POST', path, headers }, response => {
      response.resume()
      response.once('end', () => {
        if (response.statusCode === 201) resolve()
        else reject(new Error(`an order was answered with ${response.statusCode}`))
      })
    })
    sent.once('error', reject)
    sent.end(order)
  })
}

function isOpen(): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(PORT, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

// By turns, so that whatever else the machine does falls on both.
const ratios: number[] = []
for (let round = 1; round <= ROUNDS; round++) {
  const bare = await rate({})
  const full = await rate(kitchenAndStock)
  ratios.push(full / bare)
  console.log(
    `${Math.round(bare)} orders/s bare, ${Math.round(full)} with kitchen and stock: ${(full / bare).toFixed(2)}`,
  )
}
ratios.sort((a, b) => a - b)
console.log(`median ratio ${ratios[Math.floor(ratios.length / 2)]?.toFixed(2)} (wanted: at least 0.60)`)
