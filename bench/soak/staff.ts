// Staff, in a separate process beside the server: they act on orders through the store, as the maintenance commands do. Each
// message is the id of an order to handle, or 'close'.

import Database from 'better-sqlite3'
import { refusalText } from '../../display/refusal.ts'
import { random } from '../../examples/practice/random.ts'
import type { Acted } from '../../store/ordering/act.ts'
import { parseDraft } from '../../store/ordering/draft.ts'
import { parseEdit } from '../../store/ordering/edit-draft.ts'
import type { Move } from '../../store/ordering/status.ts'
import { openStore } from '../../store/store.ts'
import { systemClock } from '../../store/terms/clock.ts'
import type { OrderId, TicketId } from '../../store/terms/ids.ts'
import { isRefused } from '../../store/terms/refusal.ts'

/** What staff did during the whole night. */
export interface Work {
  /** The count of each act. */
  acts: Record<string, number>
  /** Legal acts that were refused, a sentence each. */
  refused: string[]
  /** The number of orders entered by staff. */
  placed: number
  /** The orders that they edited, as they are now. */
  edited: { id: number; grand_total: number; lines: number }[]
}

const PLACES_EVERY_MS = 2000
const RESTOCKS_EVERY_MS = 3000
const MILLION = 1_000_000

const [file = ''] = process.argv.slice(2)
const store = openStore(file, { clock: systemClock, create: false, busyMs: 5000 })
const db = new Database(file, { readonly: true })
const selectTickets = db
  .prepare<[number, string], TicketId>('SELECT id FROM ticket WHERE order_id = ? AND state = ? ORDER BY id')
  .pluck()
const by = random('staff')
const work: Work = { acts: {}, refused: [], placed: 0, edited: [] }
const edited = new Map<number, Work['edited'][number]>()
const underWay = new Set<Promise<void>>()

process.once('disconnect', () => process.exit())
process.on('message', (message: number | 'close') => {
  if (message === 'close') close()
  else lookAfter(message as OrderId)
})
const placing = setInterval(() => keep(placeOne()), PLACES_EVERY_MS)
const restocking = setInterval(() => keep(restock()), RESTOCKS_EVERY_MS)

async function close(): Promise<void> {
  clearInterval(placing)
  clearInterval(restocking)
  await Promise.all(underWay)
  work.edited = [...edited.values()]
  process.send?.(work)
}

function lookAfter(id: OrderId): void {
  const life = by.weighted(lives, ({ weight }) => weight) as (typeof lives)[number]
  keep(life.live(id))
}

/** Makes `close` wait for a promise, and records what it throws. */
function keep(promise: Promise<void>): void {
  const kept = promise.catch(error => void work.refused.push(String(error))).finally(() => underWay.delete(kept))
  underWay.add(kept)
}

const lives: { weight: number; live(id: OrderId): Promise<void> }[] = [
  {
    weight: 60,
    async live(id) {
      await cook(id)
      if (by.percent(30)) await move(id, 'out-for-delivery')
      await move(id, 'fulfil')
      await payAll(id)
    },
  },
  {
    weight: 10,
    async live(id) {
      await move(id, 'cancel')
    },
  },
  {
    weight: 10,
    async live(id) {
      await edit(id)
      await cook(id)
      await payAll(id)
      await move(id, 'fulfil')
    },
  },
  {
    weight: 10,
    async live(id) {
      await move(id, 'confirm')
      await cook(id)
      const [ticket] = selectTickets.all(id, 'done')
      if (ticket) {
        await act('recall', () => store.kitchen.recall(ticket))
        await act('bump', () => store.kitchen.bump(ticket, null))
      }
      await payAll(id)
      await move(id, 'complete')
      const due = store.payments.standing(id).due
      if (due > 0) await act('credit', () => store.payments.credit(id, { amount: 1, note: 'It took too long' }))
    },
  },
  {
    weight: 10,
    async live(id) {
      if (store.payments.standing(id).balance === 0) return
      const entry = await payAll(id)
      await act('void a payment', () => store.payments.voidPayment(id, entry))
      await payAll(id)
      const { paid } = store.payments.standing(id)
      await act('refund', () => store.payments.refund(id, { amount: paid, method: 'card' }))
      await move(id, 'cancel')
    },
  },
]

async function cook(id: OrderId): Promise<void> {
  for (const ticket of selectTickets.all(id, 'open')) await act('bump', () => store.kitchen.bump(ticket, null))
}

/** Takes a payment of the whole balance, sometimes in two parts. Returns the number of the last entry. */
async function payAll(id: OrderId): Promise<number> {
  const { balance } = store.payments.standing(id)
  const first = by.percent(20) ? Math.floor(balance / 2) : 0
  let entry = 0
  for (const amount of [first, balance - first]) {
    if (amount === 0) continue
    const method = by.pick(['card', 'cash'] as const)
    const paid = await act('pay', () =>
      store.payments.pay(id, { amount, method, clientRef: `till-${amount}-${by.next()}` }),
    )
    if (!isRefused(paid)) entry = paid.entry
  }
  return entry
}

async function edit(id: OrderId): Promise<void> {
  const discount = by.percent(50) ? { percent: 10, reason: 'A regular guest' } : undefined
  const remove = by.percent(30)
    ? store.orderBook
        .byId(id)
        ?.lines.slice(1, 2)
        .map(line => line.id)
    : []
  const wanted = parseEdit(JSON.stringify({ add: [{ item_id: 2, qty: 1 }], remove, discount })).edit
  await act('edit', () => store.edit(id, wanted))
  const after = store.orderBook.byId(id)
  if (!after) throw new Error(`order ${id} is gone`)
  edited.set(id, { id, grand_total: after.grandTotal / 10 ** after.exponent, lines: after.lines.length })
}

function move(id: OrderId, to: Move): Promise<Acted> {
  return act(to, () => store.move(id, to, to === 'cancel' ? { reason: 'The guest left' } : {}))
}

/** Does one act after a moment, and records that it was done or refused. */
async function act<T>(name: string, doIt: () => T): Promise<T> {
  await new Promise(resolve => setTimeout(resolve, by.between(200, 2000)))
  const done = doIt()
  if (isRefused(done)) work.refused.push(`${name}: ${refusalText(done)}`)
  else count(name)
  return done
}

function count(name: string): void {
  work.acts[name] = (work.acts[name] ?? 0) + 1
}

async function placeOne(): Promise<void> {
  const draft = parseDraft({ location_id: 1, channel: 'phone', items: [{ item_id: 2, qty: by.between(1, 4) }] })
  if (isRefused(draft)) throw new Error('the order of the staff is not valid')
  const placed = store.orders.place(draft, 'pos')
  if (isRefused(placed)) return void work.refused.push(`place: ${refusalText(placed)}`)
  work.placed++
  count('place')
}

async function restock(): Promise<void> {
  const items = store.shelf.list()
  const { id } = by.pick(items as [(typeof items)[number]])
  const way = by.percent(70) ? 'add' : 'waste'
  const refusal = store.shelf.change(id, way, by.between(1, 3) * MILLION, null)
  if (refusal) work.refused.push(`${way} stock: ${refusalText(refusal)}`)
  else count(`${way} stock`)
}
