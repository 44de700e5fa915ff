import { availability } from './commands/availability.ts'
import { busy } from './commands/busy.ts'
import { type Command, didYouMean, misused, type Outcome } from './commands/command.ts'
import { readCommandLine } from './commands/command-line.ts'
import { bytesOf } from './commands/document.ts'
import { close, closes, drawer } from './commands/drawer.ts'
import { forget } from './commands/forget.ts'
import { items } from './commands/items.ts'
import { bump, fire, hold, kitchen, recall } from './commands/kitchen.ts'
import { oneLine, printable, printableJson } from './commands/layout.ts'
import { balance, credit, pay, refund, voidPayment } from './commands/money.ts'
import { find, order, orders } from './commands/orders.ts'
import { pause, resume } from './commands/pause.ts'
import { activity, devices, staff } from './commands/people.ts'
import { edit, place } from './commands/place.ts'
import { practice } from './commands/practice.ts'
import { report } from './commands/report.ts'
import {
  checkRestaurant,
  diffRestaurant,
  exportRestaurant,
  importRestaurant,
  undoImport,
} from './commands/restaurant.ts'
import { settings, token } from './commands/settings.ts'
import { station } from './commands/station.ts'
import { stock } from './commands/stock.ts'
import { backup, doctor } from './commands/upkeep.ts'
import { follow } from './commands/watch.ts'
import { webhooks } from './commands/webhooks.ts'
import { readConfiguration } from './configuration.ts'
import { explainFailure, UnusableFile } from './store/file/failures.ts'
import { openStore, type Store } from './store/store.ts'
import { systemClock } from './store/terms/clock.ts'

/** All maintenance commands, in the groups and the order in which usage shows them. */
const groups: Record<string, Record<string, Command>> = {
  'The restaurant and its menu': {
    import: importRestaurant,
    diff: diffRestaurant,
    undo: undoImport,
    export: exportRestaurant,
    check: checkRestaurant,
    items,
    availability,
    pause,
    resume,
    busy,
    settings,
    token,
  },
  Orders: { orders, order, find, place, edit },
  Money: { pay, refund, credit, 'void-payment': voidPayment, balance, drawer, close, closes },
  'Kitchen and stock': { kitchen, bump, recall, hold, fire, station, stock },
  Reports: { report, practice },
  'People and their data': { staff, devices, activity, forget },
  'Other systems': { webhooks },
  'The database file': { backup, doctor },
}

const commands: Record<string, Command> = Object.assign({}, ...Object.values(groups))

// At a terminal a short wait is better than a refusal because the server is writing.
const BUSY_MS = 5000

const CALL = 'npm run -s servery --'

const usageOf = (command: Command) => `  ${command.usage}\n      ${command.summary}`

function fullUsage(): string {
  const parts = Object.entries(groups).map(
    ([title, group]) => `${title}\n\n${Object.values(group).map(usageOf).join('\n')}`,
  )
  const call = `Usage: ${CALL} COMMAND [--json]\n       ${CALL} help COMMAND`
  return `${call}\n\n${parts.join('\n\n')}\n\nThe file is the one that DATABASE_FILE names (data/servery.db).`
}

function shortUsage(): string {
  return `Usage: ${CALL} COMMAND [--json]\nCommands: ${Object.keys(commands).join(', ')}\n"help" shows what they do.`
}

/** Runs one command line. Returns the exit code: 0 done, 1 refused, 2 called wrongly. */
async function main(line: string[]): Promise<0 | 1 | 2> {
  const [name = '', ...words] = line[0] === '--json' ? [...line.slice(1), '--json'] : line
  const isHelp = name === 'help' || name === '--help'
  const wanted = isHelp ? (words.find(word => word !== '--json') ?? '') : name
  const command = Object.hasOwn(commands, wanted) ? commands[wanted] : undefined
  const isJson = words.includes('--json')
  if (isHelp && wanted === '') {
    console.log(fullUsage())
    return 0
  }
  if (!command) {
    const why = wanted === '' ? 'COMMAND is missing.' : `There is no command "${wanted}".`
    return print(misused(`${why}${didYouMean(wanted, Object.keys(commands))}`), { isJson, usage: shortUsage() })
  }
  const usage = `Usage: ${CALL}\n${usageOf(command)}`
  if (isHelp || words.includes('--help')) {
    console.log(usage)
    return 0
  }
  const called = readCommandLine(command, words)
  if (!called.isRight) return print(misused(called.why), { isJson: called.isJson, usage })
  return run(command, called, usage)
}

async function run(
  command: Command,
  { args, options }: { args: string[]; options: Record<string, string | boolean> },
  usage: string,
): Promise<0 | 1 | 2> {
  const how = { isJson: options.json === true, usage }
  const { configuration, problems } = readConfiguration(process.env)
  if (problems.length > 0) {
    return print({ code: 1, text: problems.map(oneLine).join('\n'), json: { error: problems.join(' ') } }, how)
  }
  const opened = new Map<string, Store>()
  function store(ifMissing?: 'create', file = configuration.databaseFile): Store {
    const known = opened.get(file)
    if (known) return known
    const made = openStore(file, { clock: systemClock, create: ifMissing === 'create', busyMs: BUSY_MS })
    opened.set(file, made)
    return made
  }
  const input = () => bytesOf(process.stdin)
  const look = () => command.run({ args, options, configuration, clock: systemClock, store, input })
  try {
    if (options.watch !== true) return print(await look(), how)
    const last = await follow({
      look: () => {
        for (const each of opened.values()) each.refresh()
        return look()
      },
      show: outcome => {
        if (process.stdout.isTTY && !how.isJson) process.stdout.write('\u001b[H\u001b[2J\u001b[3J')
        print(outcome, how)
      },
    })
    return last ? print(last, how) : 0
  } catch (error) {
    const explained = explainFailure(error, configuration.databaseFile)
    if (!(explained instanceof UnusableFile)) throw error
    return print({ code: 1, text: explained.message, json: { error: explained.message } }, how)
  } finally {
    for (const each of opened.values()) each.close()
  }
}

/** Prints an outcome. An error comes last, where people look. */
function print({ code, text, json }: Outcome, { isJson, usage }: { isJson: boolean; usage: string }): 0 | 1 | 2 {
  if (isJson) console.log(printableJson(json))
  else if (code === 0) console.log(printable(text))
  if (code === 2) console.error(`${usage}\n`)
  if (code !== 0) console.error(printable(text))
  return code
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as "head" has closed the pipe.
  if (error.code === 'EPIPE') process.exit(0)
  console.error(`The output could not be written (${error.code}).`)
  process.exit(1)
})

process.exitCode = await main(process.argv.slice(2))
