import { mostDays, reportNames, showReport } from '../display/report.ts'
import { channels } from '../store/terms/channels.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type Command, didYouMean, done, misused, optionText, refused } from './command.ts'
import { table } from './layout.ts'
import { locationNamed } from './names.ts'

export const report: Command = {
  usage: `report ${reportNames.join('|')} [--from YYYY-MM-DD] [--to YYYY-MM-DD] [--location LOCATION] [--channel CHANNEL] [--csv]`,
  summary: `show what was sold and taken on these business dates (without --from: today; without --to: until today)
      LOCATION is an id or a name, CHANNEL is ${channels.join(', ')}; --csv prints a file for a spreadsheet`,
  takes: ['REPORT'],
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    location: { type: 'string' },
    channel: { type: 'string' },
    csv: { type: 'boolean' },
  },
  run({ args: [wanted = ''], options, store }) {
    const chosen = reportNames.find(known => known === wanted)
    if (!chosen) return misused(`There is no report "${wanted}".${didYouMean(wanted, reportNames)}`)
    const [from, to, place] = [options.from, options.to, options.location].map(optionText)
    if (from === undefined && to !== undefined) return misused('--to needs --from.')
    const wish = optionText(options.channel)
    const channel = channels.find(known => known === wish)
    if (wish !== undefined && !channel) return misused(`There is no channel "${wish}".${didYouMean(wish, channels)}`)
    const named = place === undefined ? undefined : locationNamed(store(), place)
    if (typeof named === 'string') return refused(named)
    const { reports } = store()
    const period = reports.period({ from, to, locationId: named, channel, mostDays: mostDays[chosen] })
    if (isRefused(period)) return refused(period)
    const shown = showReport(chosen, reports, period)
    // Printing adds the last line break.
    if (options.csv === true) return done(`${shown.csv}\r`, shown.json)
    const sections = shown.sections.map(({ currency, tables }) => {
      const body = tables.map(table).join('\n\n')
      return currency === null ? body : `${currency}\n${body}`
    })
    return done([shown.heading, ...(sections.length === 0 ? ['Nothing.'] : sections)].join('\n\n'), shown.json)
  },
}
