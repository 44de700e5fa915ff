import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { restaurant } from '../../examples/demo.ts'
import type { Random } from '../../examples/practice/random.ts'
import { writeRestaurantFile } from '../../store/restaurant-file/restaurant-file.ts'
import { type Acknowledged, flawsOf } from '../support/acknowledged.ts'
import { root } from '../support/folders.ts'

// Staff who work beside a server under faults: they take payments, cancel orders, add stock, import the restaurant and back
// it up, each by a maintenance command.

/** What a command that ended with 0 has done, as far as the file shows it. */
interface Done {
  kind: Kind
  /** A text in the file that only this command can have put there. */
  trace: string
}

type Kind = 'pay' | 'cancel' | 'stock' | 'import' | 'backup'

/** How to find the trace of a command in the file; a backup leaves none. */
const traces: Record<Exclude<Kind, 'backup'>, string> = {
  pay: `SELECT count(*) FROM ledger WHERE kind = 'payment' AND client_ref = ?`,
  cancel: `SELECT count(*) FROM orders JOIN ledger ON order_id = id AND kind = 'charge_void'
            WHERE status = 'cancelled' AND cancel_reason = ?`,
  stock: `SELECT count(*) FROM stock_movement WHERE kind = 'add' AND note = ?`,
  // A later import replaces the title of an earlier one.
  import: `SELECT count(*) FROM setting WHERE key = 'site.title' AND value >= ?`,
}

export interface Staff {
  /** How many commands ended with 0. */
  done(): number
  /** Messages of commands that failed without being killed. */
  refusals: string[]
  /** Runs random commands one after the other on orders that got a 201, until `rest` or `leave`. */
  work(acknowledged: Acknowledged[]): void
  /** Stops after the command that is running. */
  rest(): Promise<void>
  /** Stops, and ends the command that is running with SIGKILL. */
  leave(): Promise<void>
  /** Acts of commands that are missing from the file, and flaws of the backups made since the last call. */
  flaws(): string[]
}

/** The staff of the restaurant in a file. Backups and the restaurant file go into `folder`. */
export function staffOf(file: string, folder: string, by: Random): Staff {
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

  /** The newest order that no command has been run on. */
  function untouched(acknowledged: Acknowledged[]): Acknowledged | undefined {
    const order = acknowledged.findLast(({ id, grand_total }) => !touched.has(id) && grand_total > 0)
    if (order) touched.add(order.id)
    return order
  }

  async function takeTurn(acknowledged: Acknowledged[]): Promise<void> {
    const kind = by.pick<Kind>(['pay', 'cancel', 'stock', 'import', 'backup'])
    // With the same number of digits each, so that a later one sorts after an earlier one.
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

/** The demo restaurant with another title; its stock counts are left as they are. */
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
