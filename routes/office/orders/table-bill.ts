import { randomUUID } from 'node:crypto'
import { orderNumber } from '../../../display/order.ts'
import { tableText } from '../../../display/terms.ts'
import type { ListedOrder } from '../../../store/ordering/order-list.ts'
import type { OrderId, TableId } from '../../../store/terms/ids.ts'
import { isRefused } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/table-bill.ts'

/** The first orders of tables, which staff confirm before they are prepared (decision 060). */
export function ordersToConfirm({ store }: App, view: View): Html {
  const w = words[view.language]
  const orders = store.orderList.these(store.guestOrders.waiting()).toReversed()
  return html`${orders.map(
    ({
      id,
      number,
      tableTitle,
      lines,
    }) => html`<div class="note"><span><b>${w.confirmFirst(tableText(tableTitle ?? '', view.language))}</b>
<a href="${view.link(`/office/orders/${id}`)}">${orderNumber(number)}</a> ${dishesOf(view, lines)}</span>
<span class="actions"><form method="post" action="${view.link(`/office/orders/${id}/confirm`)}"><input type="hidden" name="seen" value="${store.lastAct(id)}"><button class="button">${w.confirm}</button></form>
<form method="post" action="${view.link(`/office/orders/${id}/cancel`)}"><input type="hidden" name="seen" value="${store.lastAct(id)}"><input type="hidden" name="reason" value="${w.notConfirmed}"><button class="button danger">${w.refuse}</button></form></span></div>`,
  )}`
}

function dishesOf({ formats }: View, lines: ListedOrder['lines']): string {
  return lines.map(({ qtyMilli, name }) => `${formats.number(qtyMilli / 1000)}\u00a0×\u00a0${name}`).join(', ')
}

interface Table {
  id: TableId
  title: string
}

/** GET {basePath}/office/tables/:table: the bill of a table, all its orders that are not paid yet. */
export const readTableBill: Handler<PersonCaller> = (app, call) => {
  const table = tableOf(app, call)
  return table ? billPage(app, call, table) : refuse('NOT_FOUND')
}

/**
 * POST {basePath}/office/tables/:table/pay: takes the payment of one order or of all in the form, each of the amount that was shown.
 * Each is booked by itself and once, so a second press books only what is missing.
 */
export const payTableBill: Handler<PersonCaller> = async (app, call) => {
  const table = tableOf(app, call)
  if (!table) return refuse('NOT_FOUND')
  const read = await readForm(call, { once: ['attempt', 'method'], repeated: ['order'] })
  if (!read.ok) return read.reply
  const { form } = read
  const method = form.choice('method', ['cash', 'card'])
  const attempt = form.text('attempt')
  const due = form.all('order').map(text => /^(\d{1,15}):(\d{1,15})$/.exec(text))
  if (!method || !/^[\w-]{1,50}$/.test(attempt) || !due.every(each => each !== null)) return refuse('BAD_REQUEST')
  for (const [, id, amount] of due) {
    const order = app.store.orderBook.byId(Number(id))
    if (order?.tableId !== table.id) return refuse('BAD_REQUEST')
    const payment = { amount: Number(amount), method, clientRef: `${attempt}-${id}` }
    const paid = await app.writer.act(call.caller.actor, 'pay', Number(id) as OrderId, payment)
    if (isRefused(paid)) return billPage(app, call, table, true)
  }
  return { kind: 'redirect', to: app.link(`/office/tables/${table.id}`, { done: 'paid' }) }
}

function tableOf({ store }: App, { parameters }: Call<PersonCaller>): Table | undefined {
  const tables = store.catalogue.current().locations.flatMap(location => location.tables)
  return tables.find(({ id }) => String(id) === parameters.table)
}

function billPage(app: App, call: Call<PersonCaller>, table: Table, isChanged = false): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const orders = app.store.orderList.unpaidOf(table.id)
  const [first] = orders
  const sum = orders.reduce((total, { balance }) => total + balance, 0)
  const isTaken = queryOf(call.exchange.request).get('done') === 'paid'
  const body = html`${isChanged && html`<p class="note bad" role="alert">${w.changed}</p>`}
${isTaken && !isChanged && html`<p class="note done" role="status">${w.taken}</p>`}
${
  first
    ? html`<div class="card list"><table class="cards"><thead><tr><th scope="col">${w.order}</th><th scope="col" class="num">${w.open}</th></tr></thead>
<tbody>${orders.map(
        order => html`<tr><td><a href="${view.link(`/office/orders/${order.id}`)}">${orderNumber(order.number)}</a><small>${dishesOf(view, order.lines)}</small></td>
<td class="num">${money(view, order, order.balance)}</td></tr>`,
      )}</tbody>
<tfoot><tr><th scope="row">${w.together}</th><td class="num">${money(view, first, sum)}</td></tr></tfoot></table></div>
<form method="post" action="${view.link(`/office/tables/${table.id}/pay`)}" class="card stack"><h2>${w.all(orders.length)}</h2>
<input type="hidden" name="attempt" value="${randomUUID()}">
${orders.map(({ id, balance }) => html`<input type="hidden" name="order" value="${id}:${balance}">`)}
<div class="actions"><button class="button primary" name="method" value="cash">${w.cash} · ${money(view, first, sum)}</button>
<button class="button" name="method" value="card">${w.card} · ${money(view, first, sum)}</button></div></form>`
    : html`<p class="card empty">${w.nothing}</p>`
}`
  return page(view, {
    title: w.title(tableText(table.title, view.language)),
    room: 'orders',
    status: isChanged ? 409 : 200,
    body,
  })
}

function money({ formats }: View, { exponent, currency }: ListedOrder, minor: number): string {
  return formats.money(minor, exponent, currency)
}
