import { lintRestaurant } from '../store/catalogue/lint.ts'
import { parseRestaurantFile, type RestaurantFile, writeRestaurantFile } from '../store/catalogue/restaurant-file.ts'
import type { Store } from '../store/store.ts'
import type { Finding } from '../store/terms/finding.ts'
import { type Command, counted, done, findings, misused } from './command.ts'
import { readDocument } from './document.ts'
import { convertForeignMenu } from './moving-in.ts'

export const importRestaurant: Command = {
  usage:
    'import FILE [--check] | --from FILE [--to OUT.json] [--ids EARLIER.json] [--currency EUR] [--timezone Europe/Lisbon]',
  summary: `make the catalogue equal to a restaurant file ("-" is standard input); --check only checks it
      --from: writes a restaurant file from the menu of another system`,
  options: {
    check: { type: 'boolean' },
    from: { type: 'string' },
    to: { type: 'string' },
    ids: { type: 'string' },
    currency: { type: 'string' },
    timezone: { type: 'string' },
  },
  takes: ['FILE?'],
  async run(call) {
    const { args, options, configuration, store } = call
    if (options.from !== undefined) return convertForeignMenu(call)
    const [path] = args
    if (path === undefined) return misused('FILE is missing.')
    const ofConversion = ['to', 'ids', 'currency', 'timezone'].find(name => options[name] !== undefined)
    if (ofConversion !== undefined) return misused(`--${ofConversion} goes with --from only.`)
    const source = await readDocument(call, path)
    if (typeof source !== 'string') return source
    const { file, problems } = parseRestaurantFile(source)
    if (problems.length > 0)
      return findings(problems, [], `${counted(problems.length, 'problem')}; nothing was imported.`)
    const warnings = lintRestaurant(file, configuration.siteRoot)
    if (options.check === true) return findings([], warnings, `No problems: ${contentsOf(file)}. Nothing was imported.`)
    store('create').importCatalogue(file)
    return findings([], warnings, `Imported ${contentsOf(file)}.`)
  },
}

export const exportRestaurant: Command = {
  usage: 'export',
  summary: 'print the catalogue as a restaurant file; importing it again changes nothing',
  run({ store }) {
    const document = writeRestaurantFile(store().exportCatalogue())
    return done(JSON.stringify(document, null, 2), document)
  },
}

export const checkRestaurant: Command = {
  usage: 'check',
  summary: 'look for what is valid in the catalogue but probably a mistake',
  run({ configuration, store }) {
    const { problems, warnings } = examineCatalogue(store(), configuration.siteRoot)
    const found = problems.length + warnings.length
    return findings(problems, warnings, found === 0 ? 'The catalogue is in order.' : `${counted(found, 'finding')}.`)
  },
}

/** What is wrong with the catalogue, and what deserves a look. The pointers are into the exported restaurant file. */
export function examineCatalogue(store: Store, siteRoot: string): { problems: Finding[]; warnings: Finding[] } {
  const { file, problems } = parseRestaurantFile(JSON.stringify(writeRestaurantFile(store.exportCatalogue())))
  return { problems, warnings: problems.length > 0 ? [] : lintRestaurant(file, siteRoot) }
}

function contentsOf(file: RestaurantFile): string {
  const items = file.categories.reduce((count, category) => count + category.items.length, 0)
  const parts = [counted(file.locations.length, 'location'), counted(file.categories.length, 'menu section')]
  return `${parts.join(', ')} and ${counted(items, 'item')}`
}
