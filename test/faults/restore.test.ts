import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { type Acknowledged, flawsOf } from '../support/acknowledged.ts'
import { client } from '../support/client.ts'
import { servery } from '../support/commands.ts'
import { restaurantIn } from '../support/demo-restaurant.ts'
import { root, temporaryFolder } from '../support/folders.ts'
import type { Program } from '../support/program.ts'
import { receiver } from '../support/receivers.ts'
import { ordersIn } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { addEndpoint, areEnded, attemptsIn, doubtsOf, environmentForReceivers, idsOf } from '../support/webhook-log.ts'
import { eveningIn, moreOrders, served } from './serving.ts'

/**
 * The commands under "Restore" of docs/deploy.md, with a folder and a backup of the test's own. What the machine's owner is
 * and what starts and stops the service is left to the test: `stop` and `start` say when.
 */
function restoreCommands(folder: string, backup: string): { stop: string[]; restore: string; start: string[] } {
  const guide = readFileSync(join(root, 'docs/deploy.md'), 'utf8')
  const section = guide.slice(guide.indexOf('\n### Restore\n'))
  const [, block = ''] = /```sh\n(.*?)```/s.exec(section) ?? []
  const lines = block
    .trim()
    .replaceAll(/\/var\/backups\/servery\/[^ ]+\.db/g, backup)
    .replaceAll('/var/lib/servery', folder)
    .replace('-o servery -g servery ', '')
    .split('\n')
  const [stop, start] = [lines.indexOf('systemctl stop servery'), lines.indexOf('systemctl start servery')]
  assert.deepEqual([stop, start > stop], [0, true], block)
  return {
    stop: lines.slice(0, 1),
    restore: lines.slice(1, start).join('\n'),
    start: lines.slice(start + 1).filter(line => line.startsWith('servery ')),
  }
}

/** Restores a backup as docs/deploy.md says. The server must have ended. Returns the maintenance commands to run next. */
function restore(folder: string, backup: string): string[][] {
  const { restore, start } = restoreCommands(folder, backup)
  const { stderr } = spawnSync('sh', ['-c', restore], { encoding: 'utf8', cwd: folder })
  assert.equal(stderr, '')
  return start.map(line => line.split(' ').slice(1))
}

interface Day {
  file: string
  folder: string
  token: string
  backup: string
  program: Program
  /** What was answered 201 before the backup, while it was made, and after it. */
  before: Acknowledged[]
  after: Acknowledged[]
}

/** A day on which guests order, a backup is made and guests go on ordering. */
async function dayWithBackup(t: TestContext): Promise<Day> {
  const folder = join(temporaryFolder(t), 'servery')
  mkdirSync(folder)
  const { file: made, token } = restaurantIn(folder)
  // Named as docs/deploy.md has it.
  const file = join(folder, 'servery.db')
  cpSync(made, file)
  rmSync(made)
  const backup = join(temporaryFolder(t), 'backup.db')
  const program = await served(t, file)
  const evening = await eveningIn(t, { port: program.port, token, guests: 4, pauseMs: 5 })
  await moreOrders(evening, 60)
  const before = [...evening.acknowledged]
  const { code, stdout } = await servery(file, ['backup', backup])
  assert.deepEqual([code, stdout], [0, `Wrote and checked ${backup}.\n`])
  const during = evening.acknowledged.length
  await moreOrders(evening, 80)
  await evening.stop()
  return { file, folder, token, backup, program, before, after: evening.acknowledged.slice(during) }
}

const numberOf = ({ order_number }: Acknowledged) => Number(order_number.slice('ORD-'.length))

for (const disaster of ['the server is stopped', 'kill -9'] as const) {
  test(`restoring yesterday's backup as docs/deploy.md says, after ${disaster}, loses only what came after it`, async t => {
    const { file, folder, token, backup, program, before, after } = await dayWithBackup(t)
    const renewed = JSON.parse((await servery(file, ['token', '--json'])).stdout).token
    const wanted = JSON.stringify({ location_id: 1, customer: { phone: '+351 21 555 0199' }, items: [item] })
    assert.equal((await servery(file, ['place', '--file', '-', '--source', 'pos'], { input: wanted })).code, 0)
    await program.end(disaster === 'kill -9' ? 'SIGKILL' : 'SIGTERM')
    const checks = restore(folder, backup)
    assert.equal(statSync(file).mode & 0o777, 0o600)

    const next = await served(t, file)
    assert.ok(checks.some(([command]) => command === 'doctor') && checks.length >= 2, JSON.stringify(checks))
    for (const check of checks) {
      const { code, stderr } = await servery(file, check)
      assert.deepEqual([code, stderr], [0, ''], check.join(' '))
    }
    const restored = ordersIn(file)
    assert.ok(
      restored >= before.length && restored < Math.min(...after.map(numberOf)),
      `${restored} orders are restored`,
    )

    const stranger = client({ port: next.port, token: renewed, connections: 1 })
    assert.equal((await stranger.call('GET', '/locations'))?.status, 401, 'the token that was made after the backup')
    stranger.close()
    const evening = await eveningIn(t, { port: next.port, token, guests: 4, seed: 'the next day' })
    await moreOrders(evening, 50)
    await evening.stop()
    assert.equal(Math.min(...evening.acknowledged.map(numberOf)), restored + 1)
    const lost = await servery(file, ['find', '--phone', '+351 21 555 0199'])
    assert.match(lost.stdout, /^No order matches\./)
    const [first] = before as [Acknowledged]
    const found = await servery(file, ['order', first.order_number, '--json'])
    assert.equal(JSON.parse(found.stdout).grand_total, first.grand_total)
    assert.equal((await next.end('SIGTERM')).code, 0)
    assert.deepEqual(flawsOf(file, [...before, ...evening.acknowledged]), [])
    const [kept] = readdirSync(folder).filter(name => name.startsWith('before-restore-')) as [string]
    assert.deepEqual(
      flawsOf(join(folder, kept, 'servery.db'), [...before, ...after]),
      [],
      'what was put aside is whole',
    )
    t.diagnostic(
      `${restored} orders in the backup, all of them there; ${after.length} after it, none of them; lost otherwise: 0`,
    )
  })
}

const item = { item_id: 101, qty: 1 }

test('a backup restored beside the old log is refused as damaged, or the old file is served complete; restoring correctly repairs both', async t => {
  const outcomes: string[] = []
  // With few orders all of them since the backup stand in the log; with many, only the last ones.
  for (const orders of [10, 600]) {
    const folder = temporaryFolder(t)
    const { file, token } = restaurantIn(folder)
    const backup = join(temporaryFolder(t), 'backup.db')
    const { port, end } = await served(t, file)
    const evening = await eveningIn(t, { port, token, guests: 2 })
    if (orders > 10) await moreOrders(evening, 300)
    assert.equal((await servery(file, ['backup', backup])).code, 0)
    await moreOrders(evening, orders)
    await evening.stop()
    await end('SIGKILL')
    copyFileSync(backup, file)
    try {
      const wrong = await served(t, file)
      const { logged } = await wrong.end('SIGTERM')
      assert.ok(logged.some(({ event }) => event === 'recovered'))
      assert.deepEqual(flawsOf(file, evening.acknowledged), [], 'the old file, as if nothing had been restored')
      outcomes.push('the old file')
    } catch (error) {
      assert.ok(error instanceof Error)
      assert.equal(
        error.message,
        `The server did not start:\nThe database ${file} is damaged. Restore the last backup (docs/deploy.md) and keep the damaged file.\n`,
      )
      outcomes.push('refused')
    }
    for (const companion of ['-wal', '-shm']) rmSync(`${file}${companion}`, { force: true })
    copyFileSync(backup, file)
    const right = await served(t, file)
    assert.equal((await right.end('SIGTERM')).code, 0)
    assert.deepEqual(flawsOf(file, evening.acknowledged.slice(0, ordersIn(file))), [])
  }
  t.diagnostic(`with 10 orders in the log: ${outcomes[0]}; with 600 since the backup: ${outcomes[1]}`)
})

test('a cp of the live file silently lacks the newest orders, and a backup at the same moment has them', async t => {
  const folder = temporaryFolder(t)
  const { file, token } = restaurantIn(folder)
  const { port, end } = await served(t, file)
  const evening = await eveningIn(t, { port, token, guests: 4, pauseMs: 5 })
  const lacking: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    await moreOrders(evening, 60)
    const known = [...evening.acknowledged]
    const [copy, backup] = ['copy', 'backup'].map(name => join(folder, `${name}-${turn}.db`)) as [string, string]
    spawnSync('cp', [file, copy])
    assert.equal((await servery(file, ['backup', backup])).code, 0)
    assert.deepEqual(flawsOf(backup, known), [])
    // One that was copied in the middle of a checkpoint is damaged, and that does show.
    const doctor = await servery(copy, ['doctor'])
    if (doctor.stdout === 'Servery is well.\n') lacking.push(known.length - ordersIn(copy))
  }
  await evening.stop()
  assert.equal((await end('SIGTERM')).code, 0)
  assert.ok(
    lacking.some(orders => orders > 0),
    lacking.join(),
  )
  t.diagnostic(
    `orders that the copies lack, and doctor calls them well: ${lacking.join(', ')}; that the backups lack: 0`,
  )
})

/** A file with an endpoint and two events that nobody has been told of yet, because no server runs. */
async function untoldOrders(t: TestContext, url: string): Promise<string> {
  const { file } = restaurantIn(temporaryFolder(t))
  addEndpoint(file, url)
  for (let order = 0; order < 2; order++) {
    const input = JSON.stringify({ location_id: 1, items: [item] })
    assert.equal((await servery(file, ['place', '--file', '-', '--source', 'pos'], { input })).code, 0)
  }
  assert.deepEqual(
    attemptsIn(file).map(({ state }) => state),
    // Orders of the house are placed and updated (decision F1).
    ['pending', 'pending', 'pending', 'pending'],
  )
  return file
}

test('events waiting in a backup, two minutes or a day old, are not sent from the restored file (decision F3)', async t => {
  const { url, got, arrival } = await receiver(t)
  const environment = environmentForReceivers(temporaryFolder(t))
  const file = await untoldOrders(t, url)
  const backup = join(temporaryFolder(t), 'backup.db')
  assert.equal((await servery(file, ['backup', backup])).code, 0)
  const live = await served(t, file, { environment })
  await arrival(4)
  await until(() => areEnded(file))
  await live.end('SIGTERM')
  assert.ok(attemptsIn(file).every(({ state }) => state === 'received'))
  const sent = idsOf(got)

  for (const age of ['two minutes', 'a day'] as const) {
    const restored = join(temporaryFolder(t), 'restored.db')
    copyFileSync(backup, restored)
    const db = new Database(restored)
    db.exec(`UPDATE webhook_event SET created_at = created_at - ${age === 'a day' ? 86_400_000 : 120_000}`)
    db.close()
    const { port, end } = await served(t, restored, { environment })
    await until(() => areEnded(restored))
    const lost = JSON.parse((await servery(restored, ['webhooks', 'lost', '--json'])).stdout)
    // What is new is told, after whatever waits.
    const input = JSON.stringify({ location_id: 1, items: [item] })
    assert.equal((await servery(restored, ['place', '--file', '-', '--source', 'pos'], { input })).code, 0)
    await until(() => areEnded(restored) && attemptsIn(restored).length === 6)
    assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200)
    await end('SIGTERM')
    assert.equal(lost.length, 4, 'the events to catch up with by hand')
    const again = idsOf(got).filter((id, index, all) => all.indexOf(id) !== index)
    assert.deepEqual(again, [], `events that were sent again from a backup, ${age} old`)
  }
  assert.deepEqual(sent.length, 4)
  t.diagnostic(`4 events waited in the backup, 4 were sent by the live file; sent again by two restored ones: 0`)
})

test('a backup does not disturb attempts in progress in the live file', async t => {
  const { url, got, arrival } = await receiver(
    t,
    (_, response) => void setTimeout(() => response.writeHead(204).end(), 800),
  )
  const environment = environmentForReceivers(temporaryFolder(t))
  const file = await untoldOrders(t, url)
  const { end } = await served(t, file, { environment })
  await arrival(4)
  const backup = join(temporaryFolder(t), 'backup.db')
  assert.equal((await servery(file, ['backup', backup])).code, 0)
  await pause(100)
  await until(() => areEnded(file))
  assert.equal((await end('SIGTERM')).code, 0)
  assert.deepEqual(doubtsOf(file, got), [])
  assert.ok(attemptsIn(file).every(({ state }) => state === 'received'))
  assert.ok(areEnded(backup))
  assert.ok(!existsSync(`${backup}-wal`))
})
