import { readFileSync } from 'node:fs'
import { orderNumber, orderState } from '../display/order.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import { parseEdit } from '../store/ordering/edit-draft.ts'
import type { Fault } from '../store/terms/faults.ts'
import { amountText } from '../store/terms/money.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type Command, type CommandCall, done, findings, type Outcome, optionText, refused } from './command.ts'
import { detailed, isOrderName, orderNamed } from './orders.ts'

const houseSources = ['pos', 'admin'] as const

export const place: Command = {
  usage: 'place --file ORDER.json --source pos|admin',
  summary: 'place an order of the house: the file is what the API takes ("-" is standard input)',
  options: { file: { type: 'string' }, source: { type: 'string' } },
  async run(call) {
    const { args, options, store } = call
    const source = houseSources.find(known => known === options.source)
    const file = optionText(options.file)
    if (args.length > 0 || !source || file === undefined) return undefined
    const read = await readDocument(call, file)
    if (!read.ok) return refused(read.why)
    let body: unknown
    try {
      body = JSON.parse(read.text)
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
  summary:
    'change an open order: {"remove": [line ids], "add": [lines], "notes", "customer", "discount"} (docs/money.md)',
  options: { file: { type: 'string' } },
  async run(call) {
    const { args, options, store } = call
    const [name, ...rest] = args
    const file = optionText(options.file)
    if (!isOrderName(name) || rest.length > 0 || file === undefined) return undefined
    const read = await readDocument(call, file)
    if (!read.ok) return refused(read.why)
    const { edit: wanted, problems } = parseEdit(read.text)
    if (problems.length > 0) return findings(problems, [], 'Nothing was changed.')
    const order = orderNamed(store(), name)
    if (!order) return refused(`There is no order ${name}.`)
    const edited = store().edit(order.id, wanted)
    if (isRefused(edited)) return refused(edited)
    const after = store().orderBook.byId(order.id) ?? order
    if (!edited.changed) return done('Nothing was to be changed.', detailed(store(), after))
    const total = amountText(after.grandTotal, after.exponent, after.currency)
    const sign = edited.difference > 0 ? '+' : ''
    const difference = `${sign}${amountText(edited.difference, after.exponent, after.currency)}`
    return done(
      `${orderNumber(after.number)} costs ${total} now (${difference}) and is ${orderState(after)}.`,
      detailed(store(), after),
    )
  },
}

async function readDocument(
  { input }: CommandCall,
  file: string,
): Promise<{ ok: true; text: string } | { ok: false; why: string }> {
  try {
    return { ok: true, text: file === '-' ? (await input()).toString('utf8') : readFileSync(file, 'utf8') }
  } catch (error) {
    return {
      ok: false,
      why: `${file} can not be read (${error instanceof Error && 'code' in error ? error.code : error}).`,
    }
  }
}

function faulty(faults: Fault[]): Outcome {
  const problems = faults.map(({ title, pointer }) => ({ pointer: pointer ?? '', message: title }))
  return findings(problems, [], 'Nothing was placed.')
}
