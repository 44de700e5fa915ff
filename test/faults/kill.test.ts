import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { random } from '../../examples/practice/random.ts'
import { type Acknowledged, flawsOf } from '../support/acknowledged.ts'
import { servery } from '../support/commands.ts'
import { restaurantIn } from '../support/demo-restaurant.ts'
import { root, temporaryFolder } from '../support/folders.ts'
import { type Got, receiver } from '../support/receivers.ts'
import { numberIn } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { environmentForReceivers } from '../support/webhook-log.ts'
import { errorsIn, eveningIn, served } from './serving.ts'
import { staffOf } from './staff.ts'

const ROUNDS = 50
const LOOK_EVERY = 10

// The log of commits is written over from its start after some 4 MB; a backup that reads lets it grow beyond that.
const LARGEST_LOG = 32 * 1024 * 1024

// While a command writes, these wait for their turn, and say so.
const waits = new Set(['token use not noted SQLITE_BUSY', 'webhooks have to wait SQLITE_BUSY'])

test('after each of 50 kill -9 under load on one file, no acknowledged order is lost, and the server starts again', async t => {
  const seed = process.env.SEED ?? String(Date.now())
  t.diagnostic(`SEED=${seed}`)
  const by = random(seed)
  const folder = temporaryFolder(t)
  const { file, token } = restaurantIn(folder)
  const environment = environmentForReceivers(folder)
  // Some answers take their time, so that attempts are under way whenever it happens.
  const delay = random(`${seed} receiver`)
  const { url, got } = await receiver(t, (_, response) => {
    setTimeout(() => response.writeHead(204).end(), delay.between(0, 150))
  })
  assert.equal((await servery(file, ['webhooks', 'add', url])).code, 0)
  const staff = staffOf(file, folder, random(`${seed} staff`))
  const acknowledged: Acknowledged[] = []
  let unanswered = 0
  let killsWhileStarting = 0
  let recoveries = 0
  let largestLog = 0
  let longestStart = 0

  async function start() {
    const began = performance.now()
    const server = await served(t, file, { environment })
    longestStart = Math.max(longestStart, performance.now() - began)
    return server
  }

  for (let round = 1; round <= ROUNDS; round++) {
    if (by.percent(20)) {
      await killWhileStarting(file, by.between(50, 700))
      killsWhileStarting++
    }
    const server = await start()
    const earlier = acknowledged.length
    const evening = await eveningIn(t, {
      ...server,
      token,
      guests: by.between(8, 16),
      seed: `${seed} ${round}`,
      onOrder: order => acknowledged.push(order),
    })
    if (by.percent(50)) staff.work(acknowledged)
    await pause(by.between(300, 1000))
    // On a busy machine guests start late, and a kill before their first order would prove little.
    await until(() => acknowledged.length > earlier, 'no order was placed', 30_000)
    // The command that runs is killed as well, or goes on while there is no server and the next one starts.
    const [{ logged }] = await Promise.all([server.end('SIGKILL'), by.percent(30) && staff.leave()])
    await evening.stop()
    unanswered += evening.unanswered
    assert.deepEqual([...evening.others], [], 'an order that the menu allows was refused')
    assert.deepEqual(
      errorsIn(logged).filter(error => !waits.has(error)),
      [],
    )
    const recovered = logged.filter(({ event }) => event === 'recovered')
    assert.ok(recovered.every(({ problems }) => problems === 0))
    recoveries += recovered.length
    // A command that ended last has tidied it up.
    largestLog = Math.max(largestLog, statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0)
    if (round % LOOK_EVERY === 0) {
      await staff.rest()
      assert.deepEqual([...flawsOf(file, acknowledged), ...staff.flaws()], [], `after round ${round}`)
    }
  }
  await staff.rest()

  const last = await start()
  await until(() => numberIn(file, OPEN) === 0, 'events are still waiting', 60_000)
  assert.equal((await last.end('SIGTERM')).code, 0)
  assert.ok(!existsSync(`${file}-wal`), 'the log of commits is left')
  assert.deepEqual([...flawsOf(file, acknowledged), ...staff.flaws(), ...flawsOfDeliveries(file, got)], [])
  assert.equal(numberIn(file, UNTOLD), 0, 'orders were created without their event')
  assert.deepEqual(staff.refusals, [])
  assert.ok(recoveries > 0)
  assert.ok(largestLog < LARGEST_LOG, `the log of commits grew to ${largestLog} bytes`)

  t.diagnostic(
    `rounds: ${ROUNDS}, and ${killsWhileStarting} kills while it started; starts that recovered: ${recoveries}; ` +
      `longest start: ${longestStart.toFixed()} ms`,
  )
  t.diagnostic(`orders answered 201: ${acknowledged.length}, lost: 0; requests without an answer: ${unanswered}`)
  t.diagnostic(`commands that ended with 0: ${staff.done()}, lost: 0`)
  t.diagnostic(`webhooks delivered: ${got.length}, twice: 0; recorded as lost: ${numberIn(file, LOST)}`)
  t.diagnostic(`largest -wal: ${(largestLog / 1024 / 1024).toFixed(1)} MiB`)
})

/** Starts the server and kills it so many milliseconds later, most often before it serves. */
async function killWhileStarting(file: string, ms: number): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'server.ts'], {
    cwd: root,
    env: { ...process.env, DATABASE_FILE: file, PORT: '0' },
    stdio: 'ignore',
  })
  const closed = once(child, 'close')
  await pause(ms)
  child.kill('SIGKILL')
  await closed
}

const OPEN = `SELECT count(*) FROM webhook_attempt WHERE state IN ('pending', 'started')`
const LOST = `SELECT count(*) FROM webhook_attempt WHERE state = 'lost'`
// The log keeps the newest.
const UNTOLD = `SELECT count(*) FROM orders
  WHERE id >= (SELECT min(order_id) FROM webhook_event WHERE type = 'order.placed')
    AND id NOT IN (SELECT order_id FROM webhook_event WHERE type = 'order.placed')`

interface AttemptRow {
  deliveryId: string
  state: string
  reason: string | null
}

/** What is wrong with what was delivered: an event that came twice, or that the file knows to have ended otherwise. */
function flawsOfDeliveries(file: string, got: Got[]): string[] {
  const arrivals = new Map<string, number>()
  for (const { headers } of got) {
    const id = String(headers['webhook-id'])
    arrivals.set(id, (arrivals.get(id) ?? 0) + 1)
  }
  const db = new Database(file, { readonly: true })
  const attempts = db
    .prepare<[], AttemptRow>(
      `SELECT delivery_id AS deliveryId, state, reason
         FROM webhook_attempt JOIN webhook_event ON webhook_event.id = event_id`,
    )
    .all()
  db.close()
  return [
    ...[...arrivals].filter(([, times]) => times > 1).map(([id, times]) => `${id} was delivered ${times} times`),
    ...attempts.flatMap(({ deliveryId, state, reason }) => {
      if (state === 'received') return arrivals.has(deliveryId) ? [] : [`${deliveryId} was never delivered`]
      return reason === 'Servery ended while it was being attempted' ? [] : [`${deliveryId} is ${state}: ${reason}`]
    }),
  ]
}
