// A long Friday night on the real server: guests, staff, webhook receivers, backups and imports, at a steady rate for a chosen
// time; at the end everything is compared with the file. npm run soak -- --minutes 60.
// The figures of the last run are in bench/README.md.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { type Acknowledged, flawsOf } from '../test/support/acknowledged.ts'
import { servery } from '../test/support/commands.ts'
import { restaurantIn } from '../test/support/demo-restaurant.ts'
import { root } from '../test/support/folders.ts'
import { type Program, startProgram } from '../test/support/program.ts'
import { goodCertificate } from '../test/support/receivers.ts'
import { numberIn } from '../test/support/rows.ts'
import { withStore } from '../test/support/store.ts'
import { until } from '../test/support/until.ts'
import { addEndpoint, areEnded, environmentForReceivers } from '../test/support/webhook-log.ts'
import { median, percentile } from './percentile.ts'
import { changing } from './soak/changes.ts'
import type { Arrived, Request } from './soak/endpoints.ts'
import { CONNECTIONS, type Guests, LIMIT, type Offer, openDoors, RATES, WALKED_AWAY } from './soak/guests.ts'
import type { Work } from './soak/staff.ts'
import { type Course, course, processorSeconds, type Sample, sampleOf, typicalP99 } from './soak/watch.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const SAMPLE_EVERY_MS = 5000
const TICK_EVERY_MS = 100

// The number of orders a second that staff handle, from the kitchen to the till.
const LIVES_A_SECOND = 2

// One round of administration: an import, a dish off and on, settings, a hanging endpoint, a backup.
const ROUND_MS = 4 * 60_000
const LEAST_ROUNDS = 3

// A token lasts five rounds; the first change is in the second one.
const ROUNDS_PER_TOKEN = 5

// The remaining events must be delivered within this time after the last guest.
const TELLING_MS = 120_000

// The meaning of "flat" and "bounded". The first quarter is a warm-up: the second is compared with the last. The number of
// descriptors varies with the work in progress and the load of the machine, but leaked ones are always present. Latencies may
// grow by twice the growth of a timer's delay, which the machine causes, because a request waits for a processor in two
// processes.
const RSS_BOUND = { times: 1.1, plusMiB: 16 }
const FDS_BOUND = 4
const WAL_BOUND_MIB = 64
const P99_BOUND = { times: 1.5, plusMs: 5 }

// The delivery log keeps 10,000 attempts and is cut after every 500 (decision F8).
const LOG_BOUND = 10_500

interface Verdict {
  what: string
  held: boolean
  detail: string
}

type Timed = 'order' | 'menu' | 'nothing'

/** All results of a night, to be judged and shown. */
interface Night {
  minutes: number
  guests: Guests
  work: Work
  arrived: Arrived[]
  rounds: Rounds
  samples: Course<Sample>
  /** Milliseconds; `nothing` is the delay of a timer in this process, which the machine causes. */
  latency: Record<Timed, Course<number>>
  /** The shares of one processor that the server and this process used. */
  busy: { server: number; soak: number }
  exitCode: number | null
  errors: string[]
}

/** The acts of the administration, and their errors. */
interface Rounds {
  backups: number
  imports: number
  tokens: number
  commands: number
  flaws: string[]
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } })
  const minutes = Number(values.minutes)
  if (!(minutes >= 0.5)) {
    console.error('--minutes must be a number of at least 0.5.')
    process.exitCode = 2
    return
  }
  const folder = join(root, 'data', 'soak')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })

  const { night, file } = await live(folder, minutes)
  console.log('\nThe night is over; holding it against the file …')
  const verdicts = judge(night, file)
  show(night, verdicts)
  if (verdicts.every(({ held }) => held)) return rmSync(folder, { recursive: true })
  console.log(`\nSomething did not hold. The file and the server's log are kept in ${folder}.`)
  process.exitCode = 1
}

async function live(folder: string, minutes: number): Promise<{ night: Night; file: string }> {
  const lengthMs = minutes * 60_000
  const { file, token } = restaurantIn(folder)
  const endpoints = begin('endpoints.ts', [])
  const urls = (await endpoints.ask({ ask: 'open', certificate: goodCertificate, secret: SECRET })) as string[]
  prepare(file, urls)
  const server = await startServer(folder, file)
  const pid = server.child.pid as number
  // The server must end when this process fails.
  process.once('exit', () => server.child.kill('SIGKILL'))
  const staff = begin('staff.ts', [file])

  const offer: Offer = {
    token,
    tokens: changing(0),
    priced: { itemId: 8, locationId: 1, price: changing(8.9) },
    scarce: { itemId: 202, locationId: 1, isOn: changing(true) },
  }
  const windows = Math.max(20, 4 * Math.round(minutes / 4))
  const samples = course<Sample>(lengthMs, windows)
  const latency = {
    order: course<number>(lengthMs, windows),
    menu: course<number>(lengthMs, windows),
    nothing: course<number>(lengthMs, windows),
  }
  let orders = 0
  const guests = await openDoors({
    port: server.port,
    offer,
    onTook: (what, ms) => latency[what].add(ms),
    onOrder({ id }) {
      if (orders++ % (RATES.orders / LIVES_A_SECOND) === 0) staff.tell(id)
    },
  })

  const began = performance.now()
  const before = { server: processorSeconds(pid), soak: process.cpuUsage() }
  let hasEnded = false
  server.child.once('exit', () => {
    hasEnded = true
  })
  const timeLeft = () => (hasEnded ? 0 : began + lengthMs - performance.now())
  const sampling = setInterval(() => {
    if (!hasEnded) samples.add(sampleOf(pid, file))
  }, SAMPLE_EVERY_MS)
  let ticked = performance.now()
  const ticking = setInterval(() => {
    latency.nothing.add(Math.max(0, performance.now() - ticked - TICK_EVERY_MS))
    ticked = performance.now()
  }, TICK_EVERY_MS)
  const progress = setInterval(() => {
    if (!hasEnded) showProgress(performance.now() - began, guests, sampleOf(pid, file))
  }, 60_000)
  const rounds = await administrate({ folder, file, offer, endpoints, guests, lengthMs, timeLeft })
  await pauseUntil(() => timeLeft() <= 0)
  clearInterval(sampling)
  clearInterval(ticking)
  clearInterval(progress)
  const soak = process.cpuUsage(before.soak)
  const seconds = (performance.now() - began) / 1000
  const busy = {
    server: hasEnded ? Number.NaN : (processorSeconds(pid) - before.server) / seconds,
    soak: (soak.user + soak.system) / 1_000_000 / seconds,
  }

  await guests.stop()
  const work = (await staff.ask('close')) as Work
  staff.child.kill()
  await until(() => areEnded(file), 'not all events were told in time', TELLING_MS).catch(error =>
    rounds.flaws.push(error.message),
  )
  const { code: exitCode, logged } = await server.end('SIGTERM')
  const arrived = (await endpoints.ask({ ask: 'count' })) as Arrived[]
  endpoints.child.kill()
  const errors = logged.filter(({ level }) => level === 'error').map(entry => JSON.stringify(entry))
  writeFileSync(join(folder, 'server.log'), logged.map(entry => `${JSON.stringify(entry)}\n`).join(''))
  return { night: { minutes, guests, work, arrived, rounds, samples, latency, busy, exitCode, errors }, file }
}

/** A part of the night in its own process. */
interface Part {
  child: ChildProcess
  tell(message: Request | number | 'close'): void
  /** Sends it a message and waits for its next message. */
  ask(message: Request | 'close'): Promise<unknown>
}

function begin(name: string, args: string[]): Part {
  const child = fork(fileURLToPath(new URL(`soak/${name}`, import.meta.url)), args)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with ${code}`)
  })
  // The next caller of `ask` gets the error.
  ended.catch(() => {})
  return {
    child,
    tell(message) {
      if (child.connected) child.send(message)
    },
    async ask(message) {
      const answer = once(child, 'message')
      child.send(message)
      return (await Promise.race([answer, ended]))[0]
    },
  }
}

/** Sets the order limit and the endpoints of the night. */
function prepare(file: string, urls: string[]): void {
  withStore(file, ({ settings, webhooks }) => {
    settings.set('orders.limit', String(LIMIT.orders))
    settings.set('orders.limit_window_s', String(LIMIT.windowS))
    webhooks.secrets.set(SECRET)
  })
  for (const url of urls) addEndpoint(file, url)
}

function startServer(folder: string, file: string): Promise<Program> {
  return startProgram(file, {
    environment: {
      ...environmentForReceivers(folder),
      // Each guest has a separate address.
      TRUSTED_PROXIES: '127.0.0.1',
    },
  })
}

interface Administration {
  folder: string
  file: string
  offer: Offer
  endpoints: Part
  guests: Guests
  lengthMs: number
  /** Milliseconds; undefined once the server has ended. */
  timeLeft(): number
}

/** Runs rounds of administration with the real maintenance commands until the night is over. */
async function administrate({ folder, file, offer, endpoints, guests, lengthMs, timeLeft }: Administration) {
  const rounds: Rounds = { backups: 0, imports: 0, tokens: 0, commands: 0, flaws: [] }
  const roundMs = Math.min(ROUND_MS, lengthMs / LEAST_ROUNDS)
  const menu = JSON.parse(readFileSync(join(root, 'examples', 'demo-restaurant.json'), 'utf8'))
  // An import sets the stock counts in its file, and those of the demo would not last.
  for (const { stock = [] } of menu.locations) for (const item of stock) delete item.on_hand

  async function command(args: string[], on = file): Promise<string> {
    const { code, stdout, stderr } = await servery(on, args)
    rounds.commands++
    if (code !== 0) rounds.flaws.push(`${args.join(' ')} ended with ${code}: ${stdout}${stderr}`)
    return stdout.trim()
  }

  async function raisePrice(): Promise<void> {
    const { priced } = offer
    const cents = 890 + 10 * ++rounds.imports
    const dishes = menu.categories.flatMap(({ items }: { items: { id: number; price: number }[] }) => items)
    dishes.find(({ id }: { id: number }) => id === priced.itemId).price = cents / 100
    const source = join(folder, 'menu.json')
    writeFileSync(source, JSON.stringify(menu))
    await priced.price.change(cents / 100, async () => void (await command(['import', source])))
  }

  async function runOut(): Promise<void> {
    const { itemId, locationId, isOn } = offer.scarce
    const put = (state: 'on' | 'off') => command(['availability', `${locationId}`, `${itemId}`, state])
    await isOn.change(false, async () => void (await put('off')))
    await pause(roundMs / 8)
    await isOn.change(true, async () => void (await put('on')))
  }

  async function backUp(): Promise<void> {
    const last = guests.acknowledged.at(-1)
    const copy = join(folder, 'backup.db')
    await command(['backup', copy])
    await command(['doctor'], copy)
    if (last && !hasOrder(copy, last)) rounds.flaws.push(`order ${last.id} was placed before a backup and is not in it`)
    for (const end of ['', '-wal', '-shm']) rmSync(`${copy}${end}`, { force: true })
    rounds.backups++
  }

  async function renewToken(): Promise<void> {
    await offer.tokens.change(++rounds.tokens, async () => {
      offer.token = await command(['token'])
    })
  }

  // A round that has started is finished, so the last one starts only if there is time.
  for (let round = 1; timeLeft() > roundMs / 2; round++) {
    const began = performance.now()
    await raisePrice()
    await runOut()
    await command(['settings', 'set', 'site.title', `Night, round ${round}`])
    await command(['settings', 'set', 'orders.limit', String(round % 2 === 0 ? LIMIT.orders : LIMIT.fewer)])
    if (round % ROUNDS_PER_TOKEN === 2) await renewToken()
    endpoints.tell({ ask: 'hang' })
    await pause(roundMs / 8)
    endpoints.tell({ ask: 'answer' })
    await backUp()
    await command(['orders', '--last', '5'])
    await pauseUntil(() => timeLeft() <= 0 || performance.now() - began >= roundMs)
  }
  return rounds
}

function hasOrder(file: string, { id, order_number }: Acknowledged): boolean {
  return numberIn(file, 'SELECT number FROM orders WHERE id = ?', id) === Number(order_number.slice('ORD-'.length))
}

async function pauseUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(200)
}

/** Compares responses, deliveries and measurements with the file and the bounds. The server must have ended. */
function judge(night: Night, file: string): Verdict[] {
  const { guests, work, arrived, rounds, samples, latency, exitCode, errors } = night
  const verdicts: Verdict[] = []
  const verdict = (what: string, held: boolean, detail: string | number) =>
    void verdicts.push({ what, held, detail: String(detail) })
  const without = (what: string, flaws: string[]) => {
    verdict(what, flaws.length === 0, flaws.length === 0 ? 'no flaw' : `${flaws.length} flaws`)
    for (const flaw of flaws.slice(0, 10)) console.log(`  ${what}: ${flaw}`)
  }

  // Edited orders must be as staff left them; the first charge stays in the ledger.
  const edited = new Map(work.edited.map(order => [order.id, order]))
  const expected = guests.acknowledged.map(order => ({ ...order, ...edited.get(order.id) }))
  without('every 201 is in the file, numbers have no gap, sums of ledger and stock hold', flawsOf(file, expected))
  without('every order was charged what its guest was told', mischarged(file, guests.acknowledged))
  const { lost, others, walkedAway, byStaff, events, log, unfinished } = countsOf(file, guests.acknowledged)
  verdict('no acknowledged order is lost', lost === 0, lost)
  verdict('no order that nobody placed', others === 0 && byStaff === work.placed, others)
  verdict('of clients that broke off, at most what they sent', walkedAway <= guests.walkedAway, walkedAway)
  without('every answer was the one it had to be', guests.flaws)
  verdict('no 5xx', guests.failures === 0, guests.failures)
  verdict('no request without an answer', guests.unanswered === 0, guests.unanswered)
  without('every legal act of the staff was done', work.refused)
  without('every maintenance command was done, every backup whole', rounds.flaws)

  for (const { name, events: told, repeated, forged } of arrived) {
    const held = told === events && repeated === 0 && forged === 0
    verdict(`each event came to the ${name} endpoint exactly once, signed`, held, `${told} of ${events}`)
  }
  const placed = arrived[0]?.placed ?? []
  const orders = guests.acknowledged.length + walkedAway + byStaff
  verdict(
    'each order was told exactly once',
    placed.length === orders && new Set(placed).size === orders,
    placed.length,
  )
  verdict('no attempt was left over', unfinished === 0, unfinished)
  verdict('the delivery log is bounded', log <= LOG_BOUND, `${log} attempts`)
  without('no error in the log of the server', errors)
  verdict('SIGTERM ends it with 0', exitCode === 0, `${exitCode}`)

  const [rssThen, rssNow] = [2, 4].map(number => median(samples.quarter(number).map(({ rssMiB }) => rssMiB))) as Pair
  const mostRss = rssThen * RSS_BOUND.times + RSS_BOUND.plusMiB
  verdict(
    `memory is flat (≤ ${mostRss.toFixed(0)} MiB)`,
    rssNow <= mostRss,
    `${rssThen.toFixed(0)} → ${rssNow.toFixed(0)} MiB`,
  )
  const [fdsThen, fdsNow] = [2, 4].map(number => Math.min(...samples.quarter(number).map(({ fds }) => fds))) as Pair
  verdict(
    `file descriptors, at the fewest, are flat (≤ +${FDS_BOUND})`,
    fdsNow <= fdsThen + FDS_BOUND,
    `${fdsThen} → ${fdsNow}`,
  )
  const wal = Math.max(...[1, 2, 3, 4].flatMap(number => samples.quarter(number).map(({ walMiB }) => walMiB)))
  verdict(`the -wal file is bounded (≤ ${WAL_BOUND_MIB} MiB)`, wal <= WAL_BOUND_MIB, `${wal.toFixed(1)} MiB at most`)
  const p99s = (what: Timed) => [2, 4].map(number => typicalP99(latency[what].windowsOf(number))) as Pair
  const [timerThen, timerNow] = p99s('nothing')
  for (const what of ['order', 'menu'] as const) {
    const [then, now] = p99s(what)
    const most = Math.max(then * P99_BOUND.times, then + P99_BOUND.plusMs) + 2 * Math.max(0, timerNow - timerThen)
    verdict(
      `p99 of the ${what} did not drift (≤ ${most.toFixed(1)} ms)`,
      now <= most,
      `${then.toFixed(1)} → ${now.toFixed(1)} ms`,
    )
  }
  return verdicts
}

type Pair = [number, number]

/** Orders whose charge in the ledger differs from the grand total in their response, a sentence each. */
function mischarged(file: string, acknowledged: Acknowledged[]): string[] {
  const db = new Database(file, { readonly: true })
  try {
    const charge = db.prepare<[number], { charged: number; exponent: number }>(
      `SELECT amount_minor AS charged, exponent FROM ledger JOIN orders ON orders.id = order_id
        WHERE order_id = ? AND entry = 1`,
    )
    return acknowledged.flatMap(({ id, grand_total }) => {
      const row = charge.get(id)
      const isRight = row && row.charged === Math.round(grand_total * 10 ** row.exponent)
      return isRight ? [] : [`order ${id} was answered ${grand_total} and charged ${row?.charged}`]
    })
  } finally {
    db.close()
  }
}

function countsOf(file: string, acknowledged: Acknowledged[]) {
  const db = new Database(file, { readonly: true })
  try {
    const known = new Set(acknowledged.map(({ id }) => id))
    const rows = db.prepare<[], { id: number; source: string; notes: string | null }>(
      'SELECT id, source, notes FROM orders',
    )
    const all = rows.all()
    const rest = all.filter(({ id }) => !known.has(id))
    const walkedAway = rest.filter(({ notes }) => notes === WALKED_AWAY).length
    const byStaff = rest.filter(({ source }) => source === 'pos').length
    const count = (sql: string) => db.prepare<[], number>(sql).pluck().get() ?? 0
    return {
      lost: known.size - (all.length - rest.length),
      walkedAway,
      byStaff,
      others: rest.length - walkedAway - byStaff,
      // The delivery log deletes old events, but never the newest, and they are numbered.
      events: count('SELECT max(id) FROM webhook_event'),
      log: count('SELECT count(*) FROM webhook_attempt'),
      unfinished: count(`SELECT count(*) FROM webhook_attempt WHERE state IN ('pending', 'started')`),
    }
  } finally {
    db.close()
  }
}

function showProgress(ms: number, guests: Guests, { rssMiB, fds, fileMiB, walMiB, load }: Sample): void {
  const parts = [
    `minute ${Math.round(ms / 60_000)}`,
    `${guests.acknowledged.length} orders`,
    `${rssMiB.toFixed(0)} MiB, ${fds} descriptors`,
    `file ${fileMiB.toFixed(1)} + ${walMiB.toFixed(1)} MiB`,
    `load ${load.toFixed(1)}`,
    `${guests.flaws.length} flaws`,
  ]
  console.log(parts.join(' · '))
  for (const flaw of guests.flaws.slice(0, 3)) console.log(`  ${flaw}`)
}

/** Prints two tables in Markdown: the figures of the night, and the results of the checks. */
function show(night: Night, verdicts: Verdict[]): void {
  const { minutes, guests, work, arrived, rounds, samples, latency, busy } = night
  const answers = [...guests.answers].sort(([a], [b]) => a.localeCompare(b))
  const told = (prefix: RegExp) =>
    answers.filter(([what]) => prefix.test(what)).map(([what, count]) => `${what}: ${count}`)
  const reads = answers.filter(([what]) => /^(menu|locations)/.test(what)).reduce((sum, [, count]) => sum + count, 0)
  const edges = (pick: (sample: Sample) => number) =>
    [1, 2, 3, 4].map(number => median(samples.quarter(number).map(pick)).toFixed(0)).join(' / ')
  const quarters = (what: Timed) =>
    [1, 2, 3, 4]
      .map(number => latency[what].quarter(number))
      .map(values => `${percentile(values, 0.5).toFixed(1)} and ${percentile(values, 0.99).toFixed(1)}`)
      .join(' / ')
  const lastSample = samples.quarter(4).at(-1)

  console.log(`\n${minutes} minutes on ${cpus().length} × ${cpus()[0]?.model}, Node.js ${process.version}.\n`)
  printTable(
    ['The night', ''],
    [
      ['load', `${RATES.orders} orders and ${RATES.reads} reads a second over ${CONNECTIONS} connections and new ones`],
      ['orders answered 201', guests.acknowledged.length],
      ['orders placed by staff', work.placed],
      ['reads', `${reads} (${told(/^(menu|locations)/).join(', ')})`],
      ['other answers', told(/^(?!menu|locations|order 201)/).join(', ')],
      [
        'acts of the staff',
        Object.entries(work.acts)
          .map(([act, count]) => `${act} ${count}`)
          .join(', '),
      ],
      ['events', arrived.map(({ name, events }) => `${name} ${events}`).join(', ')],
      [
        'administration',
        `${rounds.backups} backups, ${rounds.imports} imports, ${rounds.tokens} new tokens, ${rounds.commands} commands`,
      ],
      ['RSS by quarter, MiB', edges(({ rssMiB }) => rssMiB)],
      ['descriptors by quarter', edges(({ fds }) => fds)],
      ['order p50 and p99 by quarter, ms', quarters('order')],
      ['menu p50 and p99 by quarter, ms', quarters('menu')],
      ['a timer late by, p50 and p99 by quarter, ms', quarters('nothing')],
      ['load average of the machine by quarter', edges(({ load }) => load)],
      ['the file at the end, MiB', lastSample?.fileMiB.toFixed(0) ?? ''],
      ['share of a processor', `server ${(busy.server * 100).toFixed(0)} %, guests ${(busy.soak * 100).toFixed(0)} %`],
    ],
  )
  console.log('')
  printTable(
    ['What must hold', 'measured', 'held'],
    verdicts.map(({ what, held, detail }) => [what, detail, held ? 'yes' : '**no**']),
  )
}

function printTable(head: string[], rows: (string | number)[][]): void {
  for (const cells of [head, head.map(() => '---'), ...rows]) console.log(`| ${cells.join(' | ')} |`)
}

await main()
