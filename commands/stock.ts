import { blockText, stockColumns, stockJson } from '../display/stock.ts'
import type { ShelfAct } from '../store/stock/inventory.ts'
import type { Store } from '../store/store.ts'
import type { StockId } from '../store/terms/ids.ts'
import { type Command, done, type Outcome, optionText, positive, refused } from './command.ts'
import { list as inColumns } from './layout.ts'

const MICRO = 1_000_000
const verbs: Record<ShelfAct, string> = { set: 'counted', add: 'added', waste: 'wasted' }

export const stock: Command = {
  usage: 'stock [set|add|waste ITEM_ID QTY [--note …]]',
  summary:
    'what is on hand, what is low and what that takes off the menu; count it, add a delivery, or throw some away',
  options: { note: { type: 'string' } },
  run({ args: [verb, name, amount, ...rest], options, store }) {
    const note = optionText(options.note)
    if (verb === undefined) return note === undefined ? list(store()) : undefined
    const id = positive(name)
    if (!isAct(verb) || id === undefined || amount === undefined || rest.length > 0) return undefined
    const qty = micro(amount)
    if (qty === undefined) return refused(`"${amount}" is not a quantity. Write it like 2.5, with at most 3 decimals.`)
    const refusal = store().shelf.change(id as StockId, verb, qty, note ?? null)
    if (refusal) return refused(refusal)
    const changed = store()
      .shelf.list()
      .find(item => item.id === id)
    if (!changed) return refused(`There is no stock item ${id}.`)
    const { title, unit, onHand } = changed
    return done(
      `${title}: ${verbs[verb]} ${qty / MICRO} ${unit}, ${onHand / MICRO} on hand${changed.blocks.length === 0 ? '' : `; ${blockText(changed)}`}.`,
      stockJson(changed),
    )
  },
}

function isAct(verb: string): verb is ShelfAct {
  return Object.hasOwn(verbs, verb)
}

/** "2.5" in millionths: read by its digits, because no fraction is exact in binary. */
function micro(amount: string): number | undefined {
  const match = /^(\d{1,10})(?:\.(\d{1,3}))?$/.exec(amount)
  return match ? Number(`${match[1]}${(match[2] ?? '').padEnd(6, '0')}`) : undefined
}

function list(store: Store): Outcome {
  const items = store.shelf.list()
  return done(items.length === 0 ? 'No stock is kept.' : inColumns(stockColumns, items), items.map(stockJson))
}
