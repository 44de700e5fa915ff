import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { restaurant } from '../../examples/demo.ts'
import type { Random } from '../../examples/practice/random.ts'
import { writeRestaurantFile } from '../../store/catalogue/restaurant-file.ts'
import { root } from '../support/harness.ts'
import { type Acknowledged, flawsOf } from './friday.ts'

// The people of the house beside a server that things happen to: they take payments, cancel, take in deliveries, change
// the restaurant and back it up, each with the command that is there for it.

/** What a command has done that ended with 0, as far as it can be looked up in the file. */
interface Done {
  kind: Kind
  /** What the file has that nothing else put there. */
  trace: string
}

type Kind = 'pay' | 'cancel' | 'stock' | 'import' | 'backup'

/** How to find the trace of a command in the file; a backup leaves none. */
const traces: Record<Exclude<Kind, 'backup'>, string> = {
  pay: `SELECT count(*) FROM ledger WHERE kind = 'payment' AND client_ref = ?`,
  cancel: `SELECT count(*) FROM orders JOIN ledger ON order_id = id AND kind = 'charge_void'
            WHERE status = 'cancelled' AND cancel_reason = ?`,
  stock: `SELECT count(*) FROM stock_movement WHERE kind = 'add' AND note = ?`,
  // Imports follow each other, and a later one takes the place of this one.
  import: `SELECT count(*) FROM setting WHERE key = 'site.title' AND value >= ?`,
}

export interface House {
  /** How many commands ended with 0. */
  done(): number
  /** What commands said that ended otherwise, though nobody killed them. */
  refusals: string[]
  /** Runs commands at random, one after the other, on orders that were answered 201, until `rest` or `leave`. */
  work(acknowledged: Acknowledged[]): void
  /** Lets the command that runs end by itself. */
  rest(): Promise<void>
  /** Ends the command that runs with SIGKILL. */
  leave(): Promise<void>
  /** What commands have done that is not in the file, and what is wrong with backups made since the last look. */
  flaws(): string[]
}

/** The house of a restaurant's file. Backups and the restaurant file go into `folder`. */
export function houseOf(file: string, folder: string, by: Random): House {
  const done: Done[] = []
  const refusals: string[] = []
  const backups: { copy: string; before: Acknowledged[] }[] = []
  const touched = new Set<number>()
  const described = join(folder, 'restaurant.json')
  let turns = 0
  let isOpen = false
  let running: ChildProcess | undefined
  let working = Promise.resolve()

  function run(args: string[]): Promise<{ code: number | null; told: string }> {
    const child = spawn(process.execPath, ['--import', 'tsx', 'cli.ts', ...args], {
      cwd: root,
      env: { ...process.env, DATABASE_FILE: file },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    running = child
    let told = ''
    child.stderr.on('data', chunk => (told += chunk))
    return once(child, 'close').then(([code]) => ({ code, told: `${args.join(' ')}: ${told}` }))
  }

  /** An order that no command has been run on. */
  function untouched(acknowledged: Acknowledged[]): Acknowledged | undefined {
    const order = acknowledged.findLast(({ id, grand_total }) => !touched.has(id) && grand_total > 0)
    if (order) touched.add(order.id)
    return order
  }

  async function takeTurn(acknowledged: Acknowledged[]): Promise<void> {
    const kind = by.pick<Kind>(['pay', 'cancel', 'stock', 'import', 'backup'])
    // As many digits each, so that a later one is the greater text.
    const trace = `Turn ${String(++turns).padStart(6, '0')}`
    const copy = join(folder, `backup-${turns}.db`)
    const before = kind === 'backup' ? [...acknowledged] : []
    const order = untouched(acknowledged)
    if (!order) return pause(10)
    const { id, grand_total } = order
    if (kind === 'import') writeFileSync(described, JSON.stringify(describedAs(trace)))
    const commands: Record<Kind, string[]> = {
      pay: ['pay', String(id), String(grand_total), '--method', 'cash', '--ref', trace],
      cancel: ['order', String(id), 'cancel', '--reason', trace],
      stock: ['stock', 'add', '1', '0.125', '--note', trace],
      import: ['import', described],
      backup: ['backup', copy],
    }
    const { code, told } = await run(commands[kind])
    if (code === 0) {
      done.push({ kind, trace })
      if (kind === 'backup') backups.push({ copy, before })
    } else if (code !== null) refusals.push(`${code} ${told}`)
  }

  return {
    done: () => done.length,
    refusals,
    work(acknowledged) {
      if (isOpen) return
      isOpen = true
      working = (async () => {
        while (isOpen) await takeTurn(acknowledged)
      })()
    },
    rest() {
      isOpen = false
      return working
    },
    leave() {
      isOpen = false
      running?.kill('SIGKILL')
      return working
    },
    flaws() {
      const db = new Database(file, { readonly: true })
      try {
        return [
          ...backups.splice(0).flatMap(({ copy, before }) => flawsOf(copy, before).map(flaw => `${copy}: ${flaw}`)),
          ...done.flatMap(({ kind, trace }) => {
            if (kind === 'backup') return []
            const found = db.prepare<[string], number>(traces[kind]).pluck().get(trace)
            return found === 1 ? [] : [`${kind} "${trace}" ended with 0 and is ${found} times in the file`]
          }),
        ]
      } finally {
        db.close()
      }
    },
  }
}

/** The demo restaurant under another name, with the stock left as it is. */
function describedAs(title: string): unknown {
  const { site, locations, ...same } = restaurant()
  return writeRestaurantFile({
    ...same,
    site: { ...site, title },
    locations: locations.map(location => ({
      ...location,
      stock: location.stock.map(stock => ({ ...stock, on_hand: null })),
    })),
  })
}
