import { spawnSync } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Arrived, arrivals } from './arrivals.ts'
import { start } from './child.ts'
import { folderOnDisk } from './folder.ts'
import { percentile } from './percentile.ts'
import { printTable, targetList } from './report.ts'
import { menuRequest, orderRequest, restaurantWithoutKitchen } from './restaurant.ts'

// The effect of a disk that flushes slowly on guests. README.md explains what is measured and why.

const DELAYS_MS = [0, 5, 20]
const RATE = 100
const SECONDS = 10
const MENU_P99_MS = 10
const orderP99 = (delay: number) => 4 * delay + 20

const folder = folderOnDisk('bench-slow-disk')
const log = openSync(join(folder, 'log'), 'a')

const library = compile()
const targets = targetList()
const rows: string[][] = []
let allFailed = 0
let allEarly = 0
for (const delay of DELAYS_MS) await measure(delay)
targets.atMost('requests that failed', allFailed, 0, '')
targets.atMost('orders answered before their flush', allEarly, 0, '')
console.log(`\n### ${RATE} orders and ${RATE} menus a second for ${SECONDS} s, each request at a time set beforehand\n`)
printTable(
  [
    '',
    'menu p50 ms',
    'p99',
    'longest',
    'order p50 ms',
    'p99',
    'longest',
    'failed',
    'before the flush',
    'timer late p99 ms',
  ],
  rows,
)
targets.show()

function compile(): string {
  const source = fileURLToPath(new URL('slow-disk/slow-disk.c', import.meta.url))
  const built = join(folder, 'slow-disk.so')
  const { error, status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', built, source, '-ldl'], {
    encoding: 'utf8',
  })
  if (error) stop('There is no C compiler (cc). On Debian or Ubuntu: apt install gcc libc6-dev')
  if (status !== 0)
    stop(`The library that slows the disk down does not compile here; it needs Linux and glibc.\n${stderr}`)
  return built
}

function stop(why: string): never {
  console.error(why)
  process.exit(1)
}

async function measure(delay: number): Promise<void> {
  const { file, token } = restaurantWithoutKitchen(join(folder, `${delay}.db`))
  const record = join(folder, `${delay}.record`)
  const under = ['env', `LD_PRELOAD=${library}`, `SLOW_DISK_DELAY_MS=${delay}`, `SLOW_DISK_RECORD=${record}`]
  const { port, stop } = await start('./servers/servery.ts', { file }, { under, log })
  let first = 0
  for (const connections of ['kept', 'new'] as const) {
    const headers = connections === 'new' ? ['Connection: close'] : []
    const menu = menuRequest(token, headers)
    // By this number the library recognises the order in the data that is written to disk.
    const order = (number: number) => orderRequest(token, { notes: `order ${first + number};`, headers })
    const stream = { port, rate: RATE, seconds: SECONDS, connections }
    await arrivals({ ...stream, seconds: 1, status: 200, request: () => menu })
    const lateness = watchTimer()
    const [menus, orders] = await Promise.all([
      arrivals({ ...stream, status: 200, request: () => menu }),
      arrivals({ ...stream, status: 201, request: order }),
    ])
    const name = `+${delay} ms, ${connections} connections`
    const failed = failures(name, menus) + failures(name, orders)
    const early = answeredEarly(orders, first, record)
    first += orders.answeredAt.length
    const figures = [menus, orders].flatMap(({ latencies }) => [0.5, 0.99, 1].map(part => percentile(latencies, part)))
    const cells = [...figures.map(ms => ms.toFixed(1)), String(failed), String(early), lateness().toFixed(1)]
    rows.push([name, ...cells])
    targets.atMost(`menu p99, ${name}`, figures[1] as number, MENU_P99_MS, ' ms')
    targets.atMost(`order p99, ${name}`, figures[4] as number, orderP99(delay), ' ms')
    allFailed += failed
    allEarly += early
  }
  await stop()
}

function failures(name: string, { failures }: Arrived): number {
  let count = 0
  for (const [what, times] of failures) {
    console.error(`${name}: ${times} × ${what}`)
    count += times
  }
  return count
}

/**
 * The number of orders, from number `first` on, whose response was sent before the end of a flush that began after they were
 * written to SQLite's log.
 */
function answeredEarly({ answeredAt }: Arrived, first: number, record: string): number {
  const text = readFileSync(record, 'utf8')
  const written = new Map<number, bigint>()
  for (const [, number, when] of text.matchAll(/^written (\d+) (\d+)$/gm))
    written.set(Number(number), BigInt(when ?? 0))
  const flushes = [...text.matchAll(/^flushed (\d+) (\d+)$/gm)].map(([, begin, end]) => ({
    begin: BigInt(begin ?? 0),
    end: BigInt(end ?? 0),
  }))
  let early = 0
  for (const [index, answered] of answeredAt.entries()) {
    if (answered === undefined) continue
    const since = written.get(first + index)
    if (since === undefined || !flushes.some(({ begin, end }) => begin >= since && end <= answered)) early++
  }
  return early
}

/** Measures the delay of a timer in this process, which the machine and the load cause, not the server; returns its p99. */
function watchTimer(): () => number {
  const late: number[] = []
  let due = performance.now() + 5
  const timer = setInterval(() => {
    const now = performance.now()
    late.push(Math.max(0, now - due))
    due = now + 5
  }, 5)
  return () => {
    clearInterval(timer)
    return percentile(late, 0.99)
  }
}
