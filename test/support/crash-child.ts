import Database from 'better-sqlite3'
import { parseDraft } from '../../store/ordering/draft.ts'
import { parseEdit } from '../../store/ordering/edit-draft.ts'
import { openStore } from '../../store/store.ts'
import { systemClock } from '../../store/terms/clock.ts'
import type { OrderId } from '../../store/terms/ids.ts'
import { isRefused } from '../../store/terms/refusal.ts'
import { orderOf, pizza, salad } from './pizzeria.ts'

// Does one act on a file and is killed just before its n-th statement; prints "done" if the act has fewer statements.
const [file = '', act = '', n = '0'] = process.argv.slice(2)
const store = openStore(file, { clock: systemClock, create: false, busyMs: 1000 })

const probe = new Database(':memory:')
const statement = Object.getPrototypeOf(probe.prepare('SELECT 1')) as { run(...args: unknown[]): unknown }
const { run } = statement
let left = Number(n)
statement.run = function (...args) {
  if (--left === 0) process.kill(process.pid, 'SIGKILL')
  return run.apply(this, args)
}

const id = 1 as OrderId
const acts: Record<string, () => unknown> = {
  place() {
    const draft = parseDraft(orderOf(pizza(2, 1), salad))
    return !isRefused(draft) && !isRefused(store.orders.place(draft, 'pos'))
  },
  edit: () => !isRefused(store.edit(id, parseEdit(JSON.stringify({ remove: [1], add: [pizza(1)], notes: 'x' })).edit)),
  pay: () => !isRefused(store.payments.pay(id, { amount: 500, method: 'cash' })),
  print() {
    store.printing.makeJobs()
    return true
  },
  cancel: () => !isRefused(store.move(id, 'cancel', { reason: 'x' })),
}
const isDone = acts[act]?.()
console.log(isDone ? 'done' : 'refused')
