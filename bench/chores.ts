import { rmSync } from 'node:fs'
import type { Command } from '../commands/command.ts'
import { kitchen } from '../commands/kitchen.ts'
import { find, orders } from '../commands/orders.ts'
import { report } from '../commands/report.ts'
import { exportRestaurant, importRestaurant } from '../commands/restaurant.ts'
import { backup, doctor } from '../commands/upkeep.ts'
import { readConfiguration } from '../configuration.ts'
import { openStore, type Store } from '../store/store.ts'
import { dayBefore, systemClock } from '../store/terms/clock.ts'
import { median } from './percentile.ts'

/** A maintenance command that staff run during service, as it is called. */
export interface Chore {
  what: string
  command: Command
  args?: string[]
  options?: Record<string, string | boolean>
  /** Run only once, because it reads the whole file. */
  once?: boolean
  /** The file that it creates. */
  leaves?: string
}

/** The chores that are measured. `lastDay` is the last business date with orders; a backup is written to `copy`. */
export function choresOf(lastDay: string, copy: string): Chore[] {
  const noon = `${lastDay} 13:00`
  const monthBefore = Array.from({ length: 29 }).reduce<string>(date => dayBefore(date), lastDay)
  return [
    { what: 'kitchen', command: kitchen },
    { what: 'orders --last 20', command: orders, options: { last: '20' } },
    { what: 'orders --unpaid (none)', command: orders, options: { unpaid: true } },
    { what: 'find --at (yesterday)', command: find, options: { at: noon } },
    { what: 'find --phone (a regular)', command: find, options: { phone: '0142' } },
    { what: 'find --phone (nobody)', command: find, options: { phone: '0999' } },
    { what: 'find --total (nobody paid it)', command: find, options: { total: '9999.99' } },
    { what: 'find --item (never sold)', command: find, options: { item: 'unicorn' } },
    { what: 'report summary, a day', command: report, args: ['summary'], options: { from: lastDay, to: lastDay } },
    { what: 'report items, a day', command: report, args: ['items'], options: { from: lastDay, to: lastDay } },
    {
      what: 'report summary, 30 days',
      command: report,
      args: ['summary'],
      options: { from: monthBefore, to: lastDay },
    },
    { what: 'import (the same again)', command: importRestaurant, args: ['-'] },
    { what: 'backup', command: backup, args: [copy], once: true, leaves: copy },
    { what: 'doctor', command: doctor, once: true },
  ]
}

const MOST_TURNS = 5

// Longer times do not need repetition against noise.
const LONG_MS = 1000

const { configuration } = readConfiguration({})

/**
 * Milliseconds that a chore takes on each file, without the start of its process: the file is opened for each run as a command
 * opens it. Medians of runs in turns. Throws with the message of a command that fails.
 */
export async function timesOf(chore: Chore, files: string[]): Promise<number[]> {
  const times = files.map((): number[] => [])
  for (let turn = 0; turn < (chore.once ? 1 : MOST_TURNS); turn++) {
    for (const [index, file] of files.entries()) {
      const taken = times[index] as number[]
      if (taken.every(ms => ms < LONG_MS)) taken.push(await timeOf(chore, file))
    }
  }
  return times.map(median)
}

async function timeOf({ what, command, args = [], options = {}, leaves }: Chore, file: string): Promise<number> {
  const restaurant = command === importRestaurant ? exported(file) : ''
  let opened: Store | undefined
  const store = () => {
    opened ??= openStore(file, { clock: systemClock, create: false, busyMs: 5000 })
    return opened
  }
  const start = performance.now()
  try {
    const input = async () => Buffer.from(restaurant)
    const outcome = await command.run({ args, options, configuration, clock: systemClock, store, input })
    if (outcome.code !== 0) throw new Error(`${what} said: ${outcome.text}`)
    return performance.now() - start
  } finally {
    opened?.close()
    if (leaves !== undefined) rmSync(leaves)
  }
}

function exported(file: string): string {
  const opened = openStore(file, { clock: systemClock, create: false, busyMs: 5000 })
  try {
    const input = async () => Buffer.alloc(0)
    const outcome = exportRestaurant.run({
      args: [],
      options: {},
      configuration,
      clock: systemClock,
      store: () => opened,
      input,
    })
    if (outcome instanceof Promise) throw new Error('the restaurant was not exported')
    return outcome.text
  } finally {
    opened.close()
  }
}
