import { momentsOf, momentWords } from '../../../display/order-moments.ts'
import { heldForText, ticketStateText } from '../../../display/terms.ts'
import type { ShownTicket } from '../../../store/ordering/shown-ticket.ts'
import { MOST_ACTIVITY } from '../../../store/people/activity.ts'
import { type Html, html } from '../../html/html.ts'
import { words } from '../words/order.ts'
import { formStart, type Shown, whyNot } from './order-steps.ts'

/** The act that each state of a ticket allows. */
const next = { open: 'bump', held: 'fire', done: 'recall', void: undefined } as const
const kinds = { open: 'wait', held: 'off', done: 'done', void: 'off' } as const

/** The tickets of an order, which can be marked as done while it is in the kitchen. */
export function kitchenCard(shown: Shown): Html | false {
  const { store, view, order } = shown
  const w = words[view.language]
  const tickets = store.kitchen.ofOrder(order.id)
  const isInKitchen =
    (order.status === 'placed' || order.status === 'confirmed') &&
    order.fulfillmentStatus !== 'out_for_delivery' &&
    order.fulfillmentStatus !== 'fulfilled'
  const form = (act: 'bump' | 'fire' | 'recall', ticket: number | '', label: string, name?: string) =>
    html`<form method="post" action="${view.link(`/office/orders/${order.id}/${act}`)}">${formStart(shown)}<input type="hidden" name="ticket" value="${ticket}"><button class="button" aria-label="${name}">${label}</button></form>`
  const row = ({ id, station, state, heldFor, items }: ShownTicket) => {
    const act = next[state]
    const title = w.ticket(id, station)
    return html`<li><div class="head"><span>${title}</span><span class="state ${kinds[state]}">${heldFor ? heldForText(heldFor, view.language) : ticketStateText(state, view.language)}</span></div>
<div class="head"><p class="small quiet">${items.map(item => `${view.formats.number(item.qtyMilli / 1000)}\u00a0×\u00a0${item.name}`).join(', ')}</p>
<div class="actions"><a class="button" href="${view.link(`/office/orders/${order.id}/tickets/${id}`)}" aria-label="${title}: ${w.print}">${w.print}</a>${isInKitchen && act && form(act, id, w[act], `${title}: ${w[act]}`)}</div></div></li>`
  }
  const count = (wanted: ShownTicket['state']) => tickets.filter(({ state }) => state === wanted).length
  return (
    tickets.length > 0 &&
    html`<section class="card stack tight"><h2>${w.kitchen}</h2>
${moments(shown, tickets)}
${whyNot(shown, 'bump')}${whyNot(shown, 'fire')}${whyNot(shown, 'recall')}
<ul class="stack tight">${tickets.map(row)}</ul>
${isInKitchen && html`<div class="actions">${count('open') > 1 && form('bump', '', w.bumpAll)}${count('held') > 1 && form('fire', '', w.fireAll)}</div>`}</section>`
  )
}

/** "placed 20:02:00 · seen 20:02:01 · done 20:19:10 · handed over 20:21:40" */
function moments({ store, view, order }: Shown, tickets: ShownTicket[]): Html {
  const w = momentWords[view.language]
  const activity = store.activity({ orderId: order.id }, MOST_ACTIVITY)
  const { placed, seen, done, handedOver } = momentsOf(order.placedAt, tickets, activity)
  const steps = [
    [w.placed, placed],
    [w.seen, seen],
    [w.done, done],
    [w.handedOver, handedOver],
  ] as const
  const texts = steps.flatMap(([word, at]) => (at === null ? [] : `${word} ${view.formats.clock(at)}`))
  return html`<p class="small">${texts.join(' · ')}</p>`
}
