import { reportNames, showReport } from '../display/report.ts'
import type { LocationId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type Command, done, optionText, positive, refused } from './command.ts'
import { table } from './layout.ts'

export const report: Command = {
  usage: `report ${reportNames.join('|')} [--from YYYY-MM-DD] [--to YYYY-MM-DD] [--location ID] [--csv]`,
  summary: 'what was sold and taken on these business dates (none: today; no --to: that one); --csv for a spreadsheet',
  options: { from: { type: 'string' }, to: { type: 'string' }, location: { type: 'string' }, csv: { type: 'boolean' } },
  run({ args: [wanted, ...rest], options, store }) {
    const chosen = reportNames.find(known => known === wanted)
    const [from, to, place] = [options.from, options.to, options.location].map(optionText)
    const locationId = positive(place) as LocationId | undefined
    if (!chosen || rest.length > 0 || (from === undefined && to !== undefined)) return undefined
    if (place !== undefined && locationId === undefined) return undefined
    const { reports } = store()
    const period = reports.period({ from, to: to ?? from, locationId })
    if (isRefused(period)) return refused(period)
    const shown = showReport(chosen, reports, period)
    // The line break that follows what is printed completes this one.
    if (options.csv === true) return done(`${shown.csv}\r`, shown.json)
    const sections = shown.sections.map(({ currency, tables }) => {
      const body = tables.map(table).join('\n\n')
      return currency === null ? body : `${currency}\n${body}`
    })
    return done([shown.heading, ...(sections.length === 0 ? ['Nothing.'] : sections)].join('\n\n'), shown.json)
  },
}
