import { defaultDatabaseFile } from '../configuration.ts'
import { refusalText } from '../display/refusal.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type Command, counted, done, optionText, positive, refused } from './command.ts'

const MOST_DAYS = 366

export const practice: Command = {
  usage: 'practice [--days N] [--seed TEXT]',
  summary: "fill the demo's file, or another that has no orders, with make-believe days (30), to try reports on",
  options: { days: { type: 'string' }, seed: { type: 'string' } },
  async run({ args, options, configuration, store }) {
    const days = options.days === undefined ? 30 : positive(optionText(options.days))
    if (args.length > 0 || days === undefined) return undefined
    if (days > MOST_DAYS) return refused(`At most ${MOST_DAYS} days.`)
    // The file that a real restaurant would use is never taken, even while it is empty.
    const demo = await import('../examples/demo.ts')
    const { practice: fill } = await import('../examples/practice/practice.ts')
    const isNamed = configuration.databaseFile !== defaultDatabaseFile
    const file = isNamed ? configuration.databaseFile : demo.databaseFile
    const opened = store('create', file)
    if (opened.catalogue.current().locations.length === 0) opened.importCatalogue(demo.restaurant())
    const filled = fill(opened, { days, seed: optionText(options.seed) ?? 'servery' })
    if (isRefused(filled)) return refused(`${file}: ${refusalText(filled)}`)
    const { orders, from, to } = filled
    return done(
      `Filled ${file} with ${counted(orders, 'order')} from ${from} to ${to}. Try:\n` +
        `  DATABASE_FILE=${file} npm run -s servery -- report summary --from ${from} --to ${to}`,
      { file, orders, from, to },
    )
  },
}
