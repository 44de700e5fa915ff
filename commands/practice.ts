import { existsSync } from 'node:fs'
import { defaultDatabaseFile } from '../configuration.ts'
import { refusalText } from '../display/refusal.ts'
import type { Store } from '../store/store.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type Command, counted, done, misused, optionText, positive, refused } from './command.ts'
import { nextStep } from './next-step.ts'

const MOST_DAYS = 366

/** The file for practice if the demo already has orders. */
const PRACTICE_FILE = 'data/practice.db'

export const practice: Command = {
  usage: 'practice [--days N] [--seed TEXT]',
  summary: `fill the demo's file, or ${PRACTICE_FILE} once the demo has orders, with N simulated days (30), to try reports on
      DATABASE_FILE names another file; one that has orders is never changed`,
  options: { days: { type: 'string' }, seed: { type: 'string' } },
  async run({ options, configuration, store }) {
    const days = options.days === undefined ? 30 : positive(optionText(options.days))
    if (days === undefined) return misused(`--days must be a whole number from 1, not "${options.days}".`)
    if (days > MOST_DAYS) return refused(`At most ${MOST_DAYS} days.`)
    const demo = await import('../examples/demo.ts')
    const { practice: fill } = await import('../examples/practice/practice.ts')
    // The default file of a real restaurant is never used, even while it is empty.
    const isNamed = configuration.databaseFile !== defaultDatabaseFile
    const named = isNamed ? configuration.databaseFile : demo.databaseFile
    const isDemoInUse = named === demo.databaseFile && existsSync(named) && hasOrders(store(undefined, named))
    const file = isDemoInUse ? PRACTICE_FILE : named
    const opened = store('create', file)
    if (opened.catalogue.current().locations.length === 0) opened.importCatalogue(demo.restaurant())
    const filled = fill(opened, { days, seed: optionText(options.seed) ?? 'servery' })
    if (isRefused(filled)) return refused(`${file}: ${refusalText(filled)}${nextStep(filled)}`)
    const { orders, from, to } = filled
    return done(
      `Filled ${file} with ${counted(orders, 'order')} from ${from} to ${to}. Try:\n` +
        `  DATABASE_FILE=${file} npm run -s servery -- report summary --from ${from} --to ${to}`,
      { file, orders, from, to },
    )
  },
}

function hasOrders({ orderBook }: Store): boolean {
  return orderBook.last(1).length > 0
}
