import { orderNumber, orderState } from '../display/order.ts'
import type { OrderDetails } from '../store/ordering/details.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import { parseEdit } from '../store/ordering/edit-draft.ts'
import { parseDecimal } from '../store/terms/decimal.ts'
import type { Fault } from '../store/terms/faults.ts'
import type { LocationId } from '../store/terms/ids.ts'
import { amountText } from '../store/terms/money.ts'
import { isRefused } from '../store/terms/refusal.ts'
import {
  type Command,
  type CommandCall,
  done,
  findings,
  misused,
  type Outcome,
  optionText,
  refused,
} from './command.ts'
import { readDocument } from './document.ts'
import { tableNamed, timeNamed } from './names.ts'
import { detailed, isOrderName, notOrder, orderNamed } from './orders.ts'

const staffSources = ['pos', 'admin'] as const

export const place: Command = {
  usage: `place --file ORDER.json --source pos|admin [--table TABLE] [--address …] [--postcode …]
      [--at TIME [--insist]] [--hold] [--total 13.53] [--attempt ID]`,
  summary: `place an order entered by staff; the file is the body of an API order ("-" is standard input)
      --at: wanted at "19:30" or "2026-11-20 19:30" (--insist: even while closed); --hold: hold its tickets until "fire"
      --total: only if it costs exactly that; --attempt: repeating the same ID and contents shows the existing order`,
  options: {
    file: { type: 'string' },
    source: { type: 'string' },
    table: { type: 'string' },
    address: { type: 'string' },
    postcode: { type: 'string' },
    at: { type: 'string' },
    insist: { type: 'boolean' },
    hold: { type: 'boolean' },
    total: { type: 'string' },
    attempt: { type: 'string' },
  },
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
    const details = detailsOf(call, draft.locationId)
    if ('code' in details) return details
    const placed = store().orders.place(draft, source, details)
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

function detailsOf({ options, clock, store }: CommandCall, locationId: LocationId): OrderDetails | Outcome {
  const [table, at, total] = [options.table, options.at, options.total].map(optionText)
  const tableId = table === undefined ? undefined : tableNamed(store(), locationId, table)
  if (typeof tableId === 'string') return refused(tableId)
  const wanted = timeNamed(store(), locationId, at, clock.now())
  if (typeof wanted === 'string') return refused(wanted)
  const totalMilli = total === undefined ? undefined : parseDecimal(total, 3)
  if (total !== undefined && totalMilli === undefined) return refused(`"${total}" is not a total; write it like 13.53.`)
  return {
    tableId,
    wantedAt: wanted.instant ?? undefined,
    totalMilli,
    address: optionText(options.address),
    postcode: optionText(options.postcode),
    attemptId: optionText(options.attempt),
    isInsisted: options.insist === true,
    isHeld: options.hold === true,
  }
}

function faulty(faults: Fault[]): Outcome {
  const problems = faults.map(({ title, pointer }) => ({ pointer: pointer ?? '', message: title }))
  return findings(problems, [], 'Nothing was placed.')
}
