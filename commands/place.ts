import { orderNumber, orderState } from '../display/order.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import { parseEdit } from '../store/ordering/edit-draft.ts'
import type { Fault } from '../store/terms/faults.ts'
import { amountText } from '../store/terms/money.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type Command, done, findings, misused, type Outcome, optionText, refused } from './command.ts'
import { readDocument } from './document.ts'
import { detailed, isOrderName, notOrder, orderNamed } from './orders.ts'

const staffSources = ['pos', 'admin'] as const

export const place: Command = {
  usage: 'place --file ORDER.json --source pos|admin',
  summary: 'place an order entered by staff; the file is what the API takes ("-" is standard input)',
  options: { file: { type: 'string' }, source: { type: 'string' } },
  async run(call) {
    const { options, store } = call
    const source = staffSources.find(known => known === options.source)
    const file = optionText(options.file)
    if (file === undefined) return misused('--file is missing.')
    if (!source) return misused(`--source must be ${staffSources.join(' or ')}.`)
    const text = await readDocument(call, file)
    if (typeof text !== 'string') return text
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch (error) {
      return refused(`${file} is not valid JSON: ${error instanceof Error ? error.message : error}`)
    }
    const draft = parseDraft(body)
    if (isRefused(draft)) return faulty(draft.faults)
    const placed = store().orders.place(draft, source)
    if (isRefused(placed)) return placed.refused === 'faults' ? faulty(placed.faults) : refused(placed)
    const total = amountText(placed.grandTotal, placed.exponent, placed.currency)
    return done(
      `Placed ${orderNumber(placed.number)}, id ${placed.id}: ${total}, ${orderState(placed)}.`,
      detailed(store(), placed),
    )
  },
}

export const edit: Command = {
  usage: 'edit ORDER --file EDIT.json',
  summary: `change an open order; the file is {"remove": [line ids], "add": [lines], "notes", "customer", "discount"}
      docs/money.md describes it; "-" is standard input`,
  takes: ['ORDER'],
  options: { file: { type: 'string' } },
  async run(call) {
    const { args, options, store } = call
    const [name = ''] = args
    const file = optionText(options.file)
    if (!isOrderName(name)) return misused(notOrder(name))
    if (file === undefined) return misused('--file is missing.')
    const text = await readDocument(call, file)
    if (typeof text !== 'string') return text
    const { edit: wanted, problems } = parseEdit(text)
    if (problems.length > 0) return findings(problems, [], 'Nothing was changed.')
    const order = orderNamed(store(), name)
    if (!order) return refused(`There is no order ${name}.`)
    const edited = store().edit(order.id, wanted)
    if (isRefused(edited)) return refused(edited, orderNumber(order.number))
    const after = store().orderBook.byId(order.id) ?? order
    if (!edited.changed) return done('There was nothing to change.', detailed(store(), after))
    const total = amountText(after.grandTotal, after.exponent, after.currency)
    const sign = edited.difference > 0 ? '+' : ''
    const difference = `${sign}${amountText(edited.difference, after.exponent, after.currency)}`
    return done(
      `${orderNumber(after.number)} costs ${total} now (${difference}) and is ${orderState(after)}.`,
      detailed(store(), after),
    )
  },
}

function faulty(faults: Fault[]): Outcome {
  const problems = faults.map(({ title, pointer }) => ({ pointer: pointer ?? '', message: title }))
  return findings(problems, [], 'Nothing was placed.')
}
