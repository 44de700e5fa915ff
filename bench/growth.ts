// The cost of a growing file: the same restaurant after its first week, after two years and after more than twenty, with 10³,
// 10⁵ and 10⁶ orders in it. npm run bench:growth. README.md explains what is measured and why.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../test/support/folders.ts'
import { type Program, startProgram } from '../test/support/program.ts'
import { type Server, start } from './child.ts'
import { choresOf, timesOf } from './chores.ts'
import { contest, type Result, ratio } from './contest.ts'
import { folderOnDisk } from './folder.ts'
import { load } from './load.ts'
import { median, percentile } from './percentile.ts'
import { printTable, showResults, targetList } from './report.ts'
import { menuRequest, orderRequest } from './restaurant.ts'
import { makeYears, practiseWeeks, type Years } from './years.ts'

const SIZES = [1_000, 100_000, 1_000_000]
const STARTS = 5
const CRASHES = 3
const CHECKED_WITHIN_S = 180

interface Contender {
  name: string
  file: string
  token: string
  years: Years
  bytes: number
}

const folder = folderOnDisk('bench')
const log = openSync(join(folder, 'log'), 'a')

const targets = targetList()
const contenders = makeContenders()
const [, , large] = contenders as [Contender, Contender, Contender]
await measureChores()
await measureStart('After a stop', STARTS, false)
await measureService()
await measureStart('After kill -9', CRASHES, true)
await measureBeside()
targets.show()

function makeContenders(): Contender[] {
  const weeks = join(folder, 'weeks.db')
  practiseWeeks(weeks)
  const made = SIZES.map(orders => {
    const file = join(folder, `${orders}.db`)
    const { years, token } = makeYears(file, weeks, orders)
    return { name: orders.toLocaleString('en'), file, token, years, bytes: statSync(file).size }
  })
  rmSync(weeks)
  console.log('### The files\n')
  printTable(
    ['orders', 'from', 'to', 'lines', 'ledger entries', 'tickets', 'stock movements', 'MB', 'bytes an order'],
    made.map(({ name, years, bytes }) => [
      name,
      years.from,
      years.to,
      ...[years.lines, years.entries, years.tickets, years.movements].map(String),
      (bytes / 1e6).toFixed(1),
      String(Math.round(bytes / years.orders)),
    ]),
  )
  return made
}

async function measureChores(): Promise<void> {
  const files = contenders.map(({ file }) => file)
  const rows: string[][] = []
  for (const chore of choresOf(large.years.to, join(folder, 'copy.db'))) {
    const times = await timesOf(chore, files)
    rows.push([chore.what, ...figures(times)])
  }
  showSizes('What the people of the house wait for, ms', rows)
}

/** Measures the time from the start of a process to its first response, after a crash or not, and the time to end it. */
async function measureStart(name: string, turns: number, isAfterCrash: boolean): Promise<void> {
  const starts = contenders.map((): number[] => [])
  const stops = contenders.map((): number[] => [])
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, { file, token }] of contenders.entries()) {
      if (isAfterCrash) await crash(file, token)
      const began = performance.now()
      const program = await startProgram(file)
      const { status } = await fetch(`http://127.0.0.1:${program.port}/healthz`)
      const ready = performance.now()
      await program.end('SIGTERM')
      if (status !== 200) throw new Error(`/healthz answered ${status}`)
      starts[index]?.push(ready - began)
      stops[index]?.push(performance.now() - ready)
    }
  }
  showSizes(`${name}, ms`, [
    ['start, to the first /healthz', ...figures(starts.map(median))],
    ['stop right after it', ...figures(stops.map(median))],
  ])
}

/** Places a few orders on a server and kills it. */
async function crash(file: string, token: string): Promise<void> {
  const { port, end } = await startProgram(file)
  await load({ port, request: orderRequest(token), status: 201, connections: 4, until: { requests: 60 } })
  await end('SIGKILL')
}

async function measureService(): Promise<void> {
  const servers = await Promise.all(contenders.map(({ file }) => start('./servers/servery.ts', { file }, { log })))
  const entrants = (request: (token: string) => Buffer, status: number, connections: number) =>
    contenders.map(({ name, token }, index) => {
      const server = servers[index] as Server
      return { name: `${name} orders`, server, request: request(token), status, connections }
    })

  for (const connections of [1, 32]) {
    const many = connections === 1 ? 'one connection' : `${connections} connections`
    const menus = await contest(entrants(menuRequest, 200, connections), { rounds: 9, seconds: 0.7 })
    showResults(`GET menu, ${many}`, menus)
    expectSame(`menu, ${many}`, menus)
    // Few enough that the smallest file stays the smallest.
    const turns = { rounds: 21, requests: connections === 1 ? 40 : 160 }
    const orders = await contest(entrants(orderRequest, 201, connections), turns)
    showResults(`POST order, durable, ${many}`, orders)
    expectSame(`order, ${many}`, orders)
  }
  const memory = await Promise.all(servers.map(server => server.ask('memory')))
  showSizes('Memory of the server afterwards (RSS), MiB', [['', ...figures(memory.map(bytes => bytes / 2 ** 20))]])
  for (const server of servers) await server.stop()
}

function expectSame(what: string, results: Result[]): void {
  const [least, , most] = results as [Result, Result, Result]
  targets.atMost(`${what}, p50 with 10⁶ orders to 10³`, ratio('p50', most, least), 1.2)
}

/** The latency of orders in the largest file during a backup, and during its check after a crash. */
async function measureBeside(): Promise<void> {
  const rows: string[][] = []
  async function measure(name: string, { port }: { port: number }, over: Promise<void>): Promise<void> {
    const began = performance.now()
    const latencies = await ordersUntil(over, port)
    rows.push([
      name,
      ((performance.now() - began) / 1000).toFixed(1),
      String(latencies.length),
      ...[0.5, 0.99, 1].map(part => percentile(latencies, part).toFixed(2)),
    ])
  }
  const server = await start('./servers/servery.ts', { file: large.file }, { log })
  await measure('nothing', server, sleep(10_000))
  await measure('a backup', server, commandEnds(['backup', join(folder, 'beside.db')]))
  await server.stop()

  await crash(large.file, large.token)
  const program = await startProgram(large.file)
  await measure('the check after kill -9', program, isChecked(program))
  await program.end('SIGTERM')
  console.log(`\n### Orders at ${large.name} orders, one after the other, beside\n`)
  printTable(['', 's', 'orders', 'p50 ms', 'p99 ms', 'longest ms'], rows)
}

async function isChecked(program: Program): Promise<void> {
  for (let waited = 0; waited < CHECKED_WITHIN_S; waited++) {
    if (program.logged().some(({ event }) => event === 'checked')) return
    await sleep(1000)
  }
  throw new Error(`the file was not checked within ${CHECKED_WITHIN_S} s`)
}

async function commandEnds(args: string[]): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'cli.ts', ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_FILE: large.file },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`)
}

/** Places orders at intervals until something is over, and returns the milliseconds of each. */
async function ordersUntil(over: Promise<void>, port: number): Promise<number[]> {
  let isOver = false
  const ended = over.finally(() => {
    isOver = true
  })
  const latencies: number[] = []
  while (!isOver) {
    const one = { port, request: orderRequest(large.token), status: 201, connections: 1, until: { requests: 1 } }
    latencies.push(...(await load(one)).latencies)
    await sleep(20)
  }
  await ended
  return latencies
}

/** The figures of the three files, and the ratio of the last to the first. */
function figures(values: number[]): string[] {
  const [least = Number.NaN, , most = Number.NaN] = values
  return [...values.map(ms => (ms < 100 ? ms.toFixed(1) : String(Math.round(ms)))), `${(most / least).toFixed(1)} ×`]
}

function showSizes(title: string, rows: string[][]): void {
  console.log(`\n### ${title}\n`)
  printTable(['', ...contenders.map(({ name }) => `${name} orders`), 'the last to the first'], rows)
}
