import { existsSync } from 'node:fs'
import { changeColumns, changeJson, changesText } from '../display/changes.ts'
import { instantJson, minuteText } from '../display/instant.ts'
import { previewImport } from '../store/catalogue/imports.ts'
import { examineCatalogue } from '../store/doctor.ts'
import { kindOfMenu, menuKinds } from '../store/foreign-menus/recognise.ts'
import type { Change } from '../store/restaurant-file/changes.ts'
import { lintRestaurant } from '../store/restaurant-file/lint.ts'
import { type WayToImport, waysToImport } from '../store/restaurant-file/merge.ts'
import {
  parseRestaurantFile,
  type RestaurantFile,
  writeRestaurantFile,
} from '../store/restaurant-file/restaurant-file.ts'
import type { Finding } from '../store/terms/finding.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type Command, type CommandCall, counted, done, findings, misused, type Outcome, refused } from './command.ts'
import { readDocument } from './document.ts'
import { list, oneLine } from './layout.ts'
import { convertForeignMenu } from './moving-in.ts'

// Longer lists are cut; --json has everything.
const MOST_SHOWN = 200

export const importRestaurant: Command = {
  usage: `import FILE [--how replace|prices|add] [--check]
  import --from FILE [--to OUT.json] [--ids EARLIER.json] [--currency EUR] [--timezone Europe/Lisbon]`,
  summary: `import a restaurant file ("-" is standard input): make the catalogue equal to it, change only prices, or add
      what is new; --check: only show problems and what would change
      --from: convert the menu of another system into a restaurant file`,
  options: {
    check: { type: 'boolean' },
    how: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    ids: { type: 'string' },
    currency: { type: 'string' },
    timezone: { type: 'string' },
  },
  takes: ['FILE?'],
  async run(call) {
    const { options, store } = call
    if (options.from !== undefined) return convertForeignMenu(call)
    const ofConversion = ['to', 'ids', 'currency', 'timezone'].find(name => options[name] !== undefined)
    if (ofConversion !== undefined) return misused(`--${ofConversion} goes with --from only.`)
    if (options.check === true) return preview(call)
    const read = await readRestaurant(call)
    if ('code' in read) return read
    const imported = store('create').importCatalogue(read.file, read.how)
    if (isRefused(imported)) return withProblems(imported.problems)
    const what = read.how === 'replace' ? `Imported ${contentsOf(read.file)}.` : 'Imported.'
    const warnings = [...read.warnings, ...imported.warnings]
    return findings([], warnings, `${what} ${changesText(imported.changes)}`)
  },
}

export const diffRestaurant: Command = {
  usage: 'diff FILE [--how replace|prices|add]',
  summary: 'show what an import of a restaurant file would change, and change nothing',
  options: { how: { type: 'string' } },
  takes: ['FILE'],
  run: preview,
}

export const undoImport: Command = {
  usage: 'undo [--check]',
  summary: `undo the last import or edit that changed the catalogue; repeat it for the one before
      --check: only show what would change`,
  options: { check: { type: 'boolean' } },
  run({ options, store }) {
    const isCheck = options.check === true
    const undone = isCheck ? store().previewUndo() : store().undoImport()
    if (isRefused(undone)) return refused(undone)
    const { at, actor, how, changes } = undone
    const when = minuteText(at, store().settings.current().timezone)
    const what = `the ${how === 'edit' ? how : `import (${how})`} of ${when} by ${actor}`
    const conclusion = isCheck ? `This would undo ${what}. Nothing was changed.` : `Undid ${what}.`
    return done([...changesShown(changes), `${changesText(changes)} ${conclusion}`].join('\n'), {
      undone: { at: instantJson(at), by: actor, how },
      changes: changes.map(changeJson),
    })
  },
}

/** What an import would change. If there is no database file yet, the file is compared with an empty restaurant. */
async function preview(call: CommandCall): Promise<Outcome> {
  const read = await readRestaurant(call)
  if ('code' in read) return read
  const { file, how, warnings } = read
  const compared = existsSync(call.configuration.databaseFile)
    ? call.store().previewImport(file, how)
    : previewImport(parseRestaurantFile('{}').file, file, how)
  if (isRefused(compared)) return withProblems(compared.problems)
  const { changes } = compared
  const conclusion = `${changesText(changes)} No problems: ${contentsOf(file)}. Nothing was imported.`
  const { code, text, json } = findings([], [...warnings, ...compared.warnings], conclusion)
  const shown = [...changesShown(changes), text]
  const isDiff = call.options.check === undefined
  return { code, text: shown.join('\n'), json: isDiff ? { ...json, changes: changes.map(changeJson) } : json }
}

/** The restaurant file of a call and the mode of the import, or its problems. */
async function readRestaurant(
  call: CommandCall,
): Promise<{ file: RestaurantFile; how: WayToImport; warnings: Finding[] } | Outcome> {
  const { args, options, configuration, clock } = call
  const [path] = args
  if (path === undefined) return misused('FILE is missing.')
  const how = waysToImport.find(way => way === (options.how ?? 'replace'))
  if (!how) return misused(`--how must be one of ${waysToImport.join(', ')}.`)
  const source = await readDocument(call, path)
  if (typeof source !== 'string') return source
  const { file, problems } = parseRestaurantFile(source)
  if (problems.length > 0) return withProblems(problems, path === '-' ? '' : conversionHint(path, source))
  return { file, how, warnings: lintRestaurant(file, configuration.siteRoot, clock.now()) }
}

function withProblems(problems: Finding[], hint = ''): Outcome {
  return findings(problems, [], `${counted(problems.length, 'problem')}; nothing was imported.${hint}`)
}

/** How to convert the menu of another system; empty if the file is none. */
function conversionHint(path: string, source: string): string {
  const kind = kindOfMenu(Buffer.from(source))
  return kind === undefined
    ? ''
    : ` The file looks like a ${menuKinds[kind]}. Convert it first: import --from ${oneLine(path)}`
}

function changesShown(changes: Change[]): string[] {
  if (changes.length === 0) return []
  const rest = changes.length - MOST_SHOWN
  const shown = list(changeColumns, changes.slice(0, MOST_SHOWN))
  return [shown, ...(rest > 0 ? [`and ${rest} more; "diff FILE --json" shows all of them.`] : []), '']
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
  summary: 'look for entries in the catalogue that are valid but probably mistakes',
  run({ configuration, clock, store }) {
    const { problems, warnings } = examineCatalogue(store(), configuration.siteRoot, clock.now())
    const found = problems.length + warnings.length
    return findings(problems, warnings, found === 0 ? 'The catalogue is in order.' : `${counted(found, 'finding')}.`)
  },
}

function contentsOf(file: RestaurantFile): string {
  const items = file.categories.reduce((count, category) => count + category.items.length, 0)
  const parts = [counted(file.locations.length, 'location'), counted(file.categories.length, 'menu section')]
  return `${parts.join(', ')} and ${counted(items, 'item')}`
}
