import { blockText, stockColumns, stockJson } from '../display/stock.ts'
import type { ShelfAct } from '../store/stock/inventory.ts'
import type { Store } from '../store/store.ts'
import { parseDecimal } from '../store/terms/decimal.ts'
import { type Command, didYouMean, done, misused, type Outcome, optionText, refused } from './command.ts'
import { list as inColumns } from './layout.ts'
import { stockNamed } from './names.ts'

const MICRO = 1_000_000
const acts: Record<ShelfAct, string> = { set: 'counted', add: 'added', waste: 'wasted' }

export const stock: Command = {
  usage: 'stock [set|add|waste ITEM QTY [--note …]]',
  summary:
    'show what is on hand, what is low and what is off the menu because of it; count ITEM (id or name), add a delivery, or book waste',
  takes: ['set|add|waste?', 'ITEM?', 'QTY?'],
  options: { note: { type: 'string' } },
  run({ args: [act, name, amount], options, store }) {
    const note = optionText(options.note)
    if (act === undefined) return note === undefined ? list(store()) : misused('--note goes with set, add or waste.')
    if (!isAct(act)) return misused(`There is no "stock ${act}".${didYouMean(act, Object.keys(acts))}`)
    if (name === undefined) return misused('ITEM is missing.')
    if (amount === undefined) return misused('QTY is missing.')
    const id = stockNamed(store(), name)
    if (typeof id === 'string') return refused(id)
    const milli = parseDecimal(amount, 3)
    if (milli === undefined) {
      return refused(`"${amount}" is not a quantity. Write it like 2.5, with at most 3 decimals.`)
    }
    const qty = milli * 1000
    const refusal = store().shelf.change(id, act, qty, note ?? null)
    if (refusal) return refused(refusal)
    const changed = store()
      .shelf.list()
      .find(item => item.id === id)
    if (!changed) return refused(`There is no stock item ${id}.`)
    const { title, unit, onHand, blocks } = changed
    const left = `${onHand / MICRO} on hand${blocks.length === 0 ? '' : `; ${blockText(changed)}`}`
    return done(`${title}: ${acts[act]} ${qty / MICRO} ${unit}, ${left}.`, stockJson(changed))
  },
}

function isAct(act: string): act is ShelfAct {
  return Object.hasOwn(acts, act)
}

function list(store: Store): Outcome {
  const items = store.shelf.list()
  return done(items.length === 0 ? 'No stock is kept.' : inColumns(stockColumns, items), items.map(stockJson))
}
