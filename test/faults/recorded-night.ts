import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import type Database from 'better-sqlite3'
import type { Acknowledged } from '../support/acknowledged.ts'
import { restaurantIn } from '../support/demo-restaurant.ts'
import { root, temporaryFolder } from '../support/folders.ts'
import { startProgram } from '../support/program.ts'
import { receiver } from '../support/receivers.ts'
import { addEndpoint, environmentForReceivers } from '../support/webhook-log.ts'
import type { Evening } from './evening.ts'
import { type Moment, readRecording, recordable, recordedInto } from './recording.ts'
import { eveningIn, moreOrders } from './serving.ts'

// A night at the real server that is recorded: guests order, partners are told, and somebody works on orders and the menu
// at the command line. Before it ends, the server is stopped and started once.

/** What a command has done once it says so, and how to see in the folder that it is still done. */
export interface Done {
  what: string
  isStill(db: Database.Database, folder: string): boolean
}

export interface Night {
  token: string
  environment: Record<string, string>
  /** The files before the server was started. */
  start: Map<string, Buffer>
  moments: Moment[]
  /** The files after the server had ended. */
  end: Map<string, Buffer>
  /** What was answered, with the place among the moments at which the answer began to be sent. */
  orders: { place: number; order: Acknowledged }[]
  commands: { place: number; done: Done }[]
  /** What a partner has received, with when it had it: UTC milliseconds. It goes on receiving. */
  deliveries: { id: string; at: number }[]
}

export const DATABASE = 'friday.db'
export const BACKUP = 'backup.db'

const GUESTS = 8
const PAUSE_MS = 100
const ROUNDS = 3

const run = promisify(execFile)

/** Records a night of two evenings. */
export async function recordNight(t: TestContext): Promise<Night> {
  const folder = realpathSync(temporaryFolder(t))
  const served = join(folder, 'served')
  mkdirSync(served)
  const { file, token } = restaurantIn(served)

  const deliveries: Night['deliveries'] = []
  const partner = await receiver(t, ({ headers }, response) => {
    // The clock shows whole milliseconds: before the next one it had come in for sure.
    deliveries.push({ id: String(headers['webhook-id']), at: Date.now() + 1 })
    response.writeHead(204).end()
  })
  for (const url of [partner.url, 'https://127.0.0.1:9/']) addEndpoint(file, url)
  const environment = { ...recordable, ...environmentForReceivers(folder) }
  const start = filesIn(served)

  const traces: string[] = []
  const commands = new Map<number, { printed: string; done: Done }>()
  const acknowledged: Acknowledged[] = []

  function recorded(): string[] {
    const trace = join(folder, `trace-${traces.length}`)
    traces.push(trace)
    return recordedInto(trace)
  }

  async function command(line: string[], done: Done): Promise<void> {
    const trace = traces.length
    const [program = '', ...args] = [...recorded(), process.execPath, '--import', 'tsx', 'cli.ts', ...line]
    const env = { ...process.env, ...environment, DATABASE_FILE: file }
    const { stdout: printed } = await run(program, args, { cwd: root, env })
    commands.set(trace, { printed, done })
  }

  async function serve(during: (evening: Evening) => Promise<void>): Promise<void> {
    const { child, port, end } = await startProgram(file, { under: recorded(), environment })
    t.after(() => child.kill('SIGKILL'))
    const seed = `evening ${traces.length}`
    const evening = await eveningIn(t, { port, token, guests: GUESTS, pauseMs: PAUSE_MS, seed })
    await during(evening)
    await evening.stop()
    assert.equal((await end('SIGTERM')).code, 0)
    assert.equal(evening.unanswered, 0)
    acknowledged.push(...evening.acknowledged)
  }

  async function pay(evening: Evening): Promise<void> {
    const { id, order_number: number, grand_total: total } = await newestOf(evening)
    const sql = "SELECT count(*) FROM ledger WHERE order_id = ? AND kind = 'payment'"
    const line = ['pay', number, String(total), '--method', 'cash']
    await command(line, { what: `the payment of ${number}`, isStill: db => count(db, sql, id) === 1 })
  }

  async function move(evening: Evening, to: string, ...line: string[]): Promise<void> {
    const { id, order_number: number } = await newestOf(evening)
    const sql = 'SELECT count(*) FROM orders WHERE id = ? AND status = ?'
    await command(['order', number, ...line], {
      what: `${number} is ${to}`,
      isStill: db => count(db, sql, id, to) === 1,
    })
  }

  async function importMenu(calories: number): Promise<void> {
    const menu = join(folder, 'menu.json')
    const restaurant = JSON.parse(readFileSync(join(root, 'examples/demo-restaurant.json'), 'utf8'))
    const [dish] = restaurant.categories[0].items
    dish.calories = calories
    writeFileSync(menu, JSON.stringify(restaurant))
    const sql = 'SELECT count(*) FROM item WHERE id = ? AND calories >= ?'
    await command(['import', menu], {
      what: `the menu of ${calories} calories`,
      isStill: db => count(db, sql, dish.id, calories) === 1,
    })
  }

  await serve(async evening => {
    for (let round = 1; round <= ROUNDS; round++) {
      await pay(evening)
      await move(evening, 'confirmed', 'confirm')
      await importMenu(2000 + round)
      await move(evening, 'cancelled', 'cancel', '--reason', 'the power failed')
    }
    await command(['backup', join(served, BACKUP)], {
      what: 'the backup',
      isStill: (_, left) => existsSync(join(left, BACKUP)),
    })
  })
  await serve(pay)

  const moments = await readRecording(served, traces)
  const end = filesIn(served)
  return { token, environment, start, moments, end, deliveries, ...answersIn(moments, acknowledged, commands) }
}

/** Finds the moments of the answers. Throws when one of them is missing. */
function answersIn(
  moments: Moment[],
  acknowledged: Acknowledged[],
  commands: Map<number, { printed: string; done: Done }>,
): Pick<Night, 'orders' | 'commands'> {
  const byId = new Map(acknowledged.map(order => [order.id, order]))
  const said: Pick<Night, 'orders' | 'commands'> = { orders: [], commands: [] }
  for (const [place, { isEnd, happening }] of moments.entries()) {
    if (isEnd || happening.kind !== 'answer') continue
    const { trace, text } = happening
    const command = commands.get(trace)
    if (command && text === command.printed) said.commands.push({ place, done: command.done })
    if (!text.startsWith('HTTP/1.1 201 ')) continue
    const { id } = JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).data
    const order = byId.get(id)
    assert.ok(order, `a guest has the answer of order ${id}`)
    said.orders.push({ place, order })
  }
  assert.equal(said.orders.length, acknowledged.length, 'every answer 201 is in the recording')
  assert.equal(said.commands.length, commands.size, 'so is what every command printed')
  return said
}

/** Waits for one more order and answers it: nobody has worked on that one. */
async function newestOf(evening: Evening): Promise<Acknowledged> {
  await moreOrders(evening, 1)
  return evening.acknowledged.at(-1) as Acknowledged
}

function filesIn(folder: string): Map<string, Buffer> {
  return new Map(readdirSync(folder).map(name => [name, readFileSync(join(folder, name))]))
}

function count(db: Database.Database, sql: string, ...parameters: unknown[]): number | undefined {
  return db
    .prepare<unknown[], number>(sql)
    .pluck()
    .get(...parameters)
}
