import { parsePrice } from '../../../display/price.ts'
import { methods } from '../../../store/ledger/ledger.ts'
import type { Order } from '../../../store/ordering/order.ts'
import type { Actor } from '../../../store/people/actor.ts'
import { isRefused, type Refusal } from '../../../store/terms/refusal.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { type Form, readForm } from '../../page/form.ts'
import { orderOf, orderPage } from './order.ts'
import { type ManagerAct, type OrderAct, staffActs } from './order-steps.ts'

const fields = ['seen', 'attempt', 'reason', 'stock', 'amount', 'given', 'method', 'entry', 'ticket'] as const
type Given = Form<(typeof fields)[number]>

/** What became of an act: a refusal; too little cash; or the change to give in minor units. */
type Outcome = Refusal | 'too little' | { change: number }

/** POST {basePath}/office/orders/:orderId/:act: moves an order, its tickets or its money. */
export const actOnOrder: Handler<PersonCaller> = (app, call) => {
  const act = staffActs.find(known => known === call.parameters.act)
  return act ? handle(app, call, act) : refuse('NOT_FOUND')
}

/** POST {basePath}/office/orders/:orderId/refund, credit or void. */
export function actAsManager(act: ManagerAct): Handler<PersonCaller> {
  return (app, call) => handle(app, call, act)
}

/**
 * A form made before the order changed is refused with what has changed; a payment that is sent twice is booked once.
 */
async function handle(app: App, call: Call<PersonCaller>, act: OrderAct): Promise<Reply | undefined> {
  const order = orderOf(app, call)
  if (!order) return refuse('NOT_FOUND')
  const read = await readForm(call, { once: fields })
  if (!read.ok) return read.reply
  const { form } = read
  const [method] = form.text('method').split(':')
  const isKnown = method === '' || methods.some(known => known === method)
  if (!isKnown || form.choice('stock', ['', 'restock', 'waste']) === undefined) return refuse('BAD_REQUEST')
  const outcome = await done(app, call, order, act, form)
  if (typeof outcome === 'object' && 'change' in outcome) {
    const query = { done: act, change: outcome.change > 0 ? outcome.change : null }
    return { kind: 'redirect', to: app.link(`/office/orders/${order.id}`, query) }
  }
  const refusal = outcome === 'too little' ? undefined : outcome
  const input = Object.fromEntries(fields.map(name => [name, form.text(name)]))
  // After a refused booking, the next one is a new attempt.
  const failed = { act, refusal, seen: Number(form.text('seen')), input: { ...input, attempt: '' } }
  return orderPage(app, call, app.store.orderBook.byId(order.id) ?? order, failed)
}

async function done(
  app: App,
  { caller: { actor } }: Call<PersonCaller>,
  order: Order,
  act: OrderAct,
  form: Given,
): Promise<Outcome> {
  const { writer } = app
  const { id, exponent } = order
  const seen = Number.isSafeInteger(Number(form.text('seen'))) ? Number(form.text('seen')) : -1
  const reason = form.text('reason').trim()
  const clientRef = /^[\w-]{1,100}$/.test(form.text('attempt')) ? form.text('attempt') : undefined
  // What cannot be read is no amount, which the store refuses.
  const minor = (text: string) => (parsePrice(text) ?? 0) / 10 ** (3 - exponent)
  const amount = minor(form.text('amount'))
  const [methodName = '', note] = form.text('method').split(':')
  const method = methods.find(known => known === methodName) ?? 'other'
  const same = { clientRef, seen }
  switch (act) {
    case 'cancel': {
      const stock = form.text('stock')
      const fate = stock === 'restock' || stock === 'waste' ? ({ stock } as const) : {}
      return outcomeOf(await writer.act(actor, 'move', id, act, { reason, seen, ...fate }))
    }
    case 'confirm':
    case 'complete':
    case 'out-for-delivery':
    case 'fulfil':
      return outcomeOf(await writer.act(actor, 'move', id, act, { seen }))
    case 'pay': {
      const given =
        note === undefined ? (form.text('given').trim() === '' ? amount : minor(form.text('given'))) : Number(note)
      const isCash = method === 'cash'
      if (isCash && given < amount) return 'too little'
      const paid = await writer.act(actor, 'pay', id, { amount, method, ...same })
      return isRefused(paid) ? paid : { change: isCash ? given - amount : 0 }
    }
    case 'refund':
      return outcomeOf(await writer.act(actor, 'refund', id, { amount, method, note: reason, ...same }))
    case 'credit':
      return outcomeOf(await writer.act(actor, 'credit', id, { amount, note: reason, ...same }))
    case 'void':
      return outcomeOf(
        await writer.act(actor, 'voidPayment', id, Number(form.text('entry')), { note: reason, ...same }),
      )
    case 'bump':
    case 'recall':
    case 'fire':
      return workOn(app, actor, order, act, form.text('ticket'))
    default:
      return act satisfies never
  }
}

/** Changes a ticket of the order by its id, or (empty) all that are open, or held if they are fired. */
async function workOn(
  { store, writer }: App,
  actor: Actor,
  order: Order,
  act: 'bump' | 'recall' | 'fire',
  ticket: string,
): Promise<Outcome> {
  const all = act === 'fire' ? 'held' : 'open'
  const tickets = store.kitchen
    .ofOrder(order.id)
    .filter(({ id, state }) => (ticket === '' ? state === all : String(id) === ticket))
  for (const { id } of tickets) {
    const worked = act === 'bump' ? await writer.act(actor, act, id, null) : await writer.act(actor, act, id)
    if (isRefused(worked)) return worked
  }
  return tickets.length > 0 ? { change: 0 } : { refused: 'order changed', order: order.number }
}

function outcomeOf(result: unknown): Outcome {
  return isRefused(result) ? result : { change: 0 }
}
