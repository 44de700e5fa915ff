import { orderNumber } from '../../display/order.ts'
import { parsePrice } from '../../display/price.ts'
import { methodText } from '../../display/terms.ts'
import { methods } from '../../store/ledger/ledger.ts'
import { type Html, html } from '../html/html.ts'
import type { App } from '../http/handler.ts'
import type { View } from '../page/view.ts'
import type { KeptForm } from './kept-form.ts'
import { words } from './words/log-in.ts'

const hidden = /^(attempt|seen|entry|shown|to|do)$|(^|[_-])id$/

/** What a manager is asked to allow: the act, its order, and what was filled in. */
export function factsOf(app: App, view: View, { to, fields }: KeptForm): Html {
  const w = words[view.language]
  const path = to.slice(app.basePath.length).split('?')[0] ?? ''
  const [, id, act] = /^\/office\/orders\/([1-9]\d{0,14})\/(refund|credit|void)$/.exec(path) ?? []
  const order = id === undefined ? undefined : app.store.orderBook.byId(Number(id))
  const sent = new URLSearchParams(fields)
  const money = (minor: number) => order && view.formats.money(minor, order.exponent, order.currency)
  const shown = (name: string, value: string): [string, string] => {
    if (name === 'reason') return [w.reason, value]
    if (name === 'method') {
      const method = methods.find(each => each === value)
      return [w.method, method ? methodText(method, view.language) : value]
    }
    if (name !== 'amount') return [name, value]
    const milli = parsePrice(value)
    return [w.amount, (order && milli && money(milli / 10 ** (3 - order.exponent))) || value]
  }
  const rows = [...sent].filter(([name, value]) => !hidden.test(name) && value.trim() !== '')
  const voided =
    order && act === 'void'
      ? app.store.payments.entries(order.id).find(({ entry }) => String(entry) === sent.get('entry'))
      : undefined
  const facts: [string, string | undefined][] = [
    [w.act, act === 'refund' ? w.refund : act === 'credit' ? w.credit : act === 'void' ? w.void : path],
    [w.order, order && orderNumber(order.number)],
    [w.payment, voided && money(-voided.amount)],
    ...rows.map(([name, value]) => shown(name, value)),
  ]
  return html`<dl class="facts">${facts.map(([term, value]) => value !== undefined && html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>`
}
