import { parentPort, workerData } from 'node:worker_threads'
import { orderJson } from '../display/order.ts'
import { type OrderLimit, orderLimit } from '../store/ordering/order-limit.ts'
import { freePermit, type Permit, type Placed, type Wanted } from '../store/ordering/place.ts'
import { nobody } from '../store/people/activity.ts'
import type { Actor } from '../store/people/actor.ts'
import { openStore } from '../store/store.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { portable, withPortableErrors } from '../store/thread.ts'
import type { FromWriter, OrderForWriter, PlacedOrder, Result, ToWriter, Work, WriterData } from './writer.ts'
import { writes } from './writes.ts'

const port = parentPort
if (!port) throw new Error('this file is run by writer/writer.ts')
const { databaseFile, patienceMs, isGone } = workerData as WriterData

// The server's clock at the current message.
let time = { now: 0, elapsed: 0 }
const clock = { now: () => time.now, elapsed: () => time.elapsed }
// The actor of the current write; null: the server itself.
let acting: Actor | null = null
let hasEvents = false
const store = withPortableErrors(() => {
  const actor = () => acting ?? nobody.actor()
  return openStore(databaseFile, { clock, create: false, busyMs: patienceMs, isServed: true, actor, onEvents })
})
const limit = orderLimit(clock.elapsed, () => {
  const { ordersLimit, ordersLimitWindowS } = store.settings.current()
  return { orders: ordersLimit, windowS: ordersLimitWindowS }
})
// What an order from the guests' pages may use up (decision G5): everybody in the restaurant can have the same address.
const guestLimit = orderLimit(clock.elapsed, bucket => ({
  orders: bucket.startsWith('address ') ? 60 : 20,
  windowS: 300,
}))
let patience = patienceMs

port.on('message', (message: ToWriter) => {
  if (message === 'stop') {
    store.close()
    port.close()
    return
  }
  time = message
  hasEvents = false
  if (message.patienceMs !== patience) {
    patience = message.patienceMs
    store.waitForLock(patience)
  }
  tell(confirmed(resultsOf(message.work)))
})
tell({ results: [] })

function onEvents(): void {
  hasEvents = true
}

function tell(message: FromWriter): void {
  port?.postMessage(message)
}

/** Checks the file before results are reported: writes to a file that is no longer in place are lost. */
function confirmed(results: Result[]): FromWriter {
  try {
    store.expectFile()
    return { results, hasEvents }
  } catch (error) {
    const fileGone = portable(error)
    return { results: results.map(() => ({ error: fileGone })), fileGone }
  }
}

function resultsOf(work: Work): Result[] {
  acting = work.kind === 'write' ? work.actor : null
  if (work.kind === 'orders') {
    return store.orders
      .placeTogether(work.orders.map(wanted))
      .map(one => ('placed' in one ? { value: told(one.placed) } : { error: portable(one.error) }))
  }
  try {
    store.refresh()
    const write = writes[work.name](store) as (...args: unknown[]) => unknown
    return [{ value: write(...work.args) }]
  } catch (error) {
    store.buryFailedCommit(error)
    return [{ error: portable(error) }]
  }
}

function told(placed: Placed): PlacedOrder {
  if (isRefused(placed)) return placed
  const { id, number, locationId } = placed
  return { id, number, locationId, json: JSON.stringify(orderJson(placed, store.settings.current().timezone)) }
}

function wanted({ draft, source, bucket, actor, details }: OrderForWriter, index: number): Wanted {
  const limited = details?.guest ? guestLimit : limit
  return { draft, source, actor, details, permit: permitFor(limited, bucket, index) }
}

/** An order whose caller has gone while it waited must not be created. */
function permitFor(limited: OrderLimit, bucket: OrderForWriter['bucket'], index: number): Permit {
  const permit = bucket === null ? freePermit : limited.permit(bucket)
  return {
    take() {
      return Atomics.load(isGone, index) === 0 && permit.take()
    },
    giveBack: permit.giveBack,
  }
}
