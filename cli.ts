import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { availability } from './commands/availability.ts'
import type { Command, Outcome } from './commands/command.ts'
import { bump, kitchen, recall } from './commands/kitchen.ts'
import { printable, printableJson } from './commands/layout.ts'
import { balance, credit, pay, refund, voidPayment } from './commands/money.ts'
import { find, order, orders } from './commands/orders.ts'
import { edit, place } from './commands/place.ts'
import { practice } from './commands/practice.ts'
import { report } from './commands/report.ts'
import { checkRestaurant, exportRestaurant, importRestaurant } from './commands/restaurant.ts'
import { settings, token } from './commands/settings.ts'
import { stock } from './commands/stock.ts'
import { backup, doctor } from './commands/upkeep.ts'
import { webhooks } from './commands/webhooks.ts'
import { readConfiguration } from './configuration.ts'
import { explainFailure, UnusableFile } from './store/file/failures.ts'
import { openStore, type Store } from './store/store.ts'
import { systemClock } from './store/terms/clock.ts'

/** All maintenance commands, in the order in which usage shows them. */
const commands: Record<string, Command> = {
  import: importRestaurant,
  export: exportRestaurant,
  check: checkRestaurant,
  settings,
  token,
  availability,
  orders,
  order,
  find,
  place,
  edit,
  kitchen,
  bump,
  recall,
  stock,
  pay,
  refund,
  credit,
  'void-payment': voidPayment,
  balance,
  report,
  practice,
  webhooks,
  backup,
  doctor,
}

// People at a terminal would rather wait a moment than read that the server is writing.
const BUSY_MS = 5000

const usageOf = (command: Command) => `  ${command.usage}\n      ${command.summary}`

function fullUsage(): string {
  const lines = Object.values(commands).map(usageOf)
  return `Usage: npm run -s servery -- COMMAND [--json]\n\n${lines.join('\n')}\n\nThe file is the one that DATABASE_FILE names (data/servery.db).`
}

/** Runs one command line. Answers the exit code: 0 done, 1 refused, 2 called wrongly. */
async function main(line: string[]): Promise<0 | 1 | 2> {
  const [name = '', ...rest] = line[0] === '--json' ? [...line.slice(1), '--json'] : line
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command && (name === 'help' || name === '--help')) {
    console.log(fullUsage())
    return 0
  }
  if (!command) {
    console.error(`${name === '' ? '' : `There is no command "${name}".\n\n`}${fullUsage()}`)
    return 2
  }
  if (rest.includes('--help')) {
    console.log(`Usage: npm run -s servery --\n${usageOf(command)}`)
    return 0
  }
  const called = parseCall(command, rest)
  const { configuration, problems } = readConfiguration(process.env)
  if (problems.length > 0)
    return print({ ok: false, text: problems.join('\n'), json: { error: problems.join(' ') } }, called)

  let opened: Store | undefined
  function store(ifMissing?: 'create', file = configuration.databaseFile): Store {
    opened ??= openStore(file, { clock: systemClock, create: ifMissing === 'create', busyMs: BUSY_MS })
    return opened
  }
  try {
    const outcome =
      called &&
      (await command.run({ ...called, configuration, clock: systemClock, store, input: () => buffer(process.stdin) }))
    if (!outcome) {
      console.error(`Usage: npm run -s servery --\n${usageOf(command)}`)
      return 2
    }
    return print(outcome, called)
  } catch (error) {
    const explained = explainFailure(error, configuration.databaseFile)
    if (!(explained instanceof UnusableFile)) throw error
    return print({ ok: false, text: explained.message, json: { error: explained.message } }, called)
  } finally {
    opened?.close()
  }
}

function parseCall(command: Command, rest: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: { ...command.options, json: { type: 'boolean' } },
      allowPositionals: true,
    })
    return { args: positionals, options: values as Record<string, unknown> }
  } catch {
    return undefined
  }
}

function print({ ok, text: words, json }: Outcome, called: ReturnType<typeof parseCall>): 0 | 1 {
  if (called?.options.json === true) console.log(printableJson(json))
  else if (ok) console.log(printable(words))
  if (!ok) console.error(printable(words))
  return ok ? 0 : 1
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever reads with "head" has seen enough.
  if (error.code === 'EPIPE') process.exit(0)
  console.error(`The answer could not be written (${error.code}).`)
  process.exit(1)
})

process.exitCode = await main(process.argv.slice(2))
