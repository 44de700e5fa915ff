// What kitchen and stock cost an order: orders a second with a ticket, the charge and three stock rows, compared with the same
// orders at a location that has neither. npm run bench:after-order

import { join } from 'node:path'
import { startProgram } from '../test/support/program.ts'
import { importInto, switchedOn } from '../test/support/shop.ts'
import { smallRestaurant } from '../test/support/small-restaurant.ts'
import { postOf } from '../test/support/wire.ts'
import { folderOnDisk } from './folder.ts'
import { load } from './load.ts'
import { median } from './percentile.ts'

const CONNECTIONS = 32
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const WARM_UP_S = 2

const folder = folderOnDisk('bench')

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

/** Orders a second that a server creates, all of them durable. */
async function rate(name: string, location: Record<string, unknown>): Promise<number> {
  const file = join(folder, `${name}.db`)
  const token = importInto(file, smallRestaurant(location), { ...switchedOn, 'orders.limit': '1000000000' })
  const { port, end } = await startProgram(file)
  const orders = { port, request: postOf({ token }, { body: order }), status: 201, connections: CONNECTIONS }
  await load({ ...orders, until: { seconds: WARM_UP_S } })
  const { requests, seconds } = await load({ ...orders, until: { seconds: SECONDS } })
  await end('SIGTERM')
  return requests / seconds
}

// In turns, so that other load on the machine affects both equally.
const ratios: number[] = []
for (let round = 1; round <= ROUNDS; round++) {
  const bare = await rate(`bare-${round}`, {})
  const full = await rate(`full-${round}`, kitchenAndStock)
  ratios.push(full / bare)
  console.log(
    `${Math.round(bare)} orders/s bare, ${Math.round(full)} with kitchen and stock: ${(full / bare).toFixed(2)}`,
  )
}
console.log(`median ratio ${median(ratios).toFixed(2)} (wanted: at least 0.60)`)
