import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Acknowledged, flawsOf } from '../support/acknowledged.ts'
import { type Client, client } from '../support/client.ts'
import { restaurantFileIn, servery } from '../support/commands.ts'
import { restaurantIn } from '../support/demo-restaurant.ts'
import { temporaryFolder } from '../support/folders.ts'
import { receiver } from '../support/receivers.ts'
import { numberIn, ordersIn } from '../support/rows.ts'
import { smallRestaurant } from '../support/small-restaurant.ts'
import { until } from '../support/until.ts'
import { addEndpoint, areEnded, attemptsIn, doubtsOf, environmentForReceivers } from '../support/webhook-log.ts'
import {
  errorsIn,
  eveningIn,
  failedIn,
  isInGuide,
  moreFailures,
  moreOrders,
  refusalOf,
  served,
  strangeIn,
} from './serving.ts'
import { smallDisk, withMount } from './small-disk.ts'

const GUESTS = 8

// As large as the log of commits grows before it is brought into the file.
const WHOLE_LOG = 4_100_000

/** What the API answers of menus, while orders fail. */
async function assertMenusAreServed(guest: Client, port: number): Promise<void> {
  assert.equal((await guest.call('GET', '/locations'))?.status, 200)
  assert.equal((await guest.call('GET', '/locations/1/menu'))?.status, 200)
  const health = await fetch(`http://127.0.0.1:${port}/healthz`)
  assert.deepEqual([health.status, await health.json()], [200, { status: 'ok' }])
}

/** Places orders until one fails. Returns the id of its request, and the orders that were created before. */
async function failingOrder(guest: Client): Promise<{ request: string; placed: Acknowledged[] }> {
  const placed: Acknowledged[] = []
  for (;;) {
    const answer = await guest.call('POST', '/orders', { location_id: 1, items: [{ item_id: 101, qty: 1 }] })
    if (answer?.status === 201) {
      placed.push({ ...answer.body.data, lines: answer.body.data.items.length })
      continue
    }
    assert.equal(answer?.status, 500)
    assert.deepEqual(answer.body, { errors: [{ title: 'The order could not be created.', code: 'ORDER_FAILED' }] })
    return { request: String(answer.headers['x-request-id']), placed }
  }
}

for (const log of ['short', 'whole'] as const) {
  test(
    `on a disk that fills up (${log} log), orders get 500 ORDER_FAILED and leave nothing, menus are served, and orders are accepted once there is space`,
    withMount,
    async t => {
      const disk = smallDisk(t, 10)
      const { file, token } = restaurantIn(disk.folder)
      const { port, end } = await served(t, file)
      const guest = client({ port, token, connections: 2 })
      t.after(guest.close)
      const evening = await eveningIn(t, { port, token, guests: GUESTS })
      if (log === 'whole') while (statSync(`${file}-wal`).size < WHOLE_LOG) await moreOrders(evening, 20)
      else await moreOrders(evening, 50)
      const before = evening.acknowledged.length
      disk.fill()
      await moreFailures(evening, 50)
      await assertMenusAreServed(guest, port)
      await evening.stop()
      assert.equal(strangeIn(evening), 0, JSON.stringify([...evening.others]))
      const { request, placed } = await failingOrder(guest)
      const answered = [...evening.acknowledged, ...placed]
      assert.equal(ordersIn(file), answered.length, 'what is in the file, and what was answered 201')

      disk.makeRoom()
      const later = await eveningIn(t, { port, token, guests: GUESTS, seed: 'later' })
      await moreOrders(later, 300)
      await later.stop()
      assert.equal(later.others.size + later.unanswered, 0, 'orders that failed although there is room')
      const { code, logged } = await end('SIGTERM')
      assert.equal(code, 0)
      assert.deepEqual(errorsIn(logged), ['request failed SQLITE_FULL'])
      const line = logged.find(found => found.request === request)
      assert.deepEqual([line?.error, line?.path], ['database or disk is full', '/api/index.php/v1/restaurant/orders'])
      assert.deepEqual(flawsOf(file, [...answered, ...later.acknowledged]), [])
      t.diagnostic(
        `${before} orders before the disk was full, ${answered.length - before} in what was left of it, ` +
          `${failedIn(evening)} told that they failed, ${later.acknowledged.length} afterwards; lost: 0`,
      )
    },
  )
}

test(
  'commands on a full disk report it in one line or have done what they say, and a failed backup leaves no partial file',
  withMount,
  async t => {
    const disk = smallDisk(t, 10)
    const { file, token } = restaurantIn(disk.folder)
    const { port, end } = await served(t, file)
    const evening = await eveningIn(t, { port, token, guests: GUESTS })
    await moreOrders(evening, 50)
    disk.fill()
    await moreFailures(evening, 20)
    const elsewhere = temporaryFolder(t)
    const other = restaurantFileIn(elsewhere, smallRestaurant())
    const before = await servery(file, ['export'])
    const names = readdirSync(disk.folder).sort()

    const backup = await servery(file, ['backup', join(disk.folder, 'backup.db')])
    assert.deepEqual([backup.code, backup.stdout], [1, ''])
    assert.equal(backup.stderr, 'No backup was made: database or disk is full.\n')
    const full = `The database ${file} cannot be written: the disk is full. Free some space and start again.\n`
    const imported = await servery(file, ['import', other])
    assert.deepEqual([imported.code, imported.stderr], [1, full])
    for (const told of [backup.stderr, full]) assert.ok(isInGuide(told, file), 'docs/recovery.md has another text')
    assert.equal((await servery(file, ['export'])).stdout, before.stdout)
    assert.deepEqual(readdirSync(disk.folder).sort(), names)
    const doctor = await servery(file, ['doctor'])
    assert.equal(doctor.code, 1)
    assert.match(doctor.stderr, /^problem {2}\/disk {2}only 0 MiB are free; make room$/m)

    // These are small, and may just fit in.
    const order = JSON.stringify({ location_id: 1, items: [{ item_id: 101, qty: 1 }] })
    const place = await servery(file, ['place', '--file', '-', '--source', 'pos'], { input: order })
    const renewed = await servery(file, ['token', '--json'])
    for (const { code, stderr } of [place, renewed]) assert.deepEqual([code, stderr], code === 0 ? [0, ''] : [1, full])
    const current = renewed.code === 0 ? JSON.parse(renewed.stdout).token : token
    const guest = client({ port, token: current, connections: 1 })
    t.after(guest.close)
    assert.equal((await guest.call('GET', '/locations'))?.status, 200)
    if (renewed.code !== 0) await moreFailures(evening, 1)
    await evening.stop()
    const byStaff = numberIn(file, "SELECT count(*) FROM orders WHERE source = 'pos'")
    assert.equal(byStaff, place.code === 0 ? 1 : 0)
    assert.equal(ordersIn(file), evening.acknowledged.length + byStaff)

    const rescued = join(elsewhere, 'rescued.db')
    assert.equal((await servery(file, ['backup', rescued])).code, 0, 'a backup to a disk that has room')
    assert.deepEqual(flawsOf(rescued, evening.acknowledged), [])
    disk.makeRoom()
    assert.equal((await servery(file, ['import', other])).code, 0)
    assert.equal((await end('SIGTERM')).code, 0)
    assert.deepEqual(flawsOf(file, evening.acknowledged), [])
    t.diagnostic(`7 commands on a full disk, ${evening.acknowledged.length} orders; lost: 0`)
  },
)

test(
  'kill -9 on a full disk loses nothing, and the next server starts or says in one line why it cannot',
  withMount,
  async t => {
    const disk = smallDisk(t, 10)
    const { file, token } = restaurantIn(disk.folder)
    const answered: Acknowledged[] = []
    let failed = 0
    for (let round = 0; round < 3; round++) {
      const { port, end } = await served(t, file)
      const evening = await eveningIn(t, { port, token, guests: GUESTS, seed: `round ${round}` })
      if (round < 2) await moreOrders(evening, 150)
      disk.fill()
      await moreFailures(evening, 30)
      await end('SIGKILL')
      await evening.stop()
      answered.push(...evening.acknowledged)
      failed += failedIn(evening)
      // The third one starts on the full disk.
      if (round !== 1) disk.makeRoom()
    }

    const { end } = await served(t, file)
    assert.equal((await end('SIGTERM')).code, 0)
    assert.deepEqual(flawsOf(file, answered), [])

    // A server that ended well has left nothing beside the file that the next one could use.
    disk.fill()
    const before = readFileSync(file)
    const { code, told } = await refusalOf(t, file)
    assert.equal(code, 1)
    assert.equal(
      told,
      `The database ${file} cannot be read or written (SQLITE_IOERR_SHMSIZE). Check the disk and its free space.\n`,
    )
    assert.ok(readFileSync(file).equals(before), 'the file was touched')
    disk.makeRoom()
    const again = await served(t, file)
    assert.equal((await again.end('SIGTERM')).code, 0)
    assert.deepEqual(flawsOf(file, answered), [])
    t.diagnostic(`3 servers killed on a full disk, ${answered.length} orders answered 201, ${failed} 500; lost: 0`)
  },
)

test('on a full disk no webhook is sent twice, and none is wrongly recorded as received', withMount, async t => {
  const disk = smallDisk(t, 10)
  const { file, token } = restaurantIn(disk.folder)
  // Slow enough for attempts to be under way when the disk fills up.
  const { url, got } = await receiver(t, (_, response) => void setTimeout(() => response.writeHead(204).end(), 300))
  addEndpoint(file, url)
  const environment = environmentForReceivers(temporaryFolder(t))
  const answered: Acknowledged[] = []
  let waited = 0
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const { port, end } = await served(t, file, { environment })
    const evening = await eveningIn(t, { port, token, guests: 2, pauseMs: 10, seed: signal })
    await moreOrders(evening, 60)
    disk.fill()
    await moreFailures(evening, 30)
    await evening.stop()
    answered.push(...evening.acknowledged)
    // What was under way has its answer by now, and nobody could write that down.
    await pause(500)
    if (signal === 'SIGTERM') disk.makeRoom()
    else waited = attemptsIn(file).filter(({ state }) => state === 'started' || state === 'pending').length
    if (signal === 'SIGTERM') await until(() => areEnded(file))
    const { logged } = await end(signal)
    assert.deepEqual(
      errorsIn(logged).filter(kind => kind.startsWith('webhooks')),
      ['webhooks have to wait SQLITE_FULL'],
    )
    assert.deepEqual(doubtsOf(file, got), [])
    disk.makeRoom()
  }
  const { end } = await served(t, file, { environment })
  await until(() => areEnded(file))
  assert.equal((await end('SIGTERM')).code, 0)
  assert.deepEqual(doubtsOf(file, got), [])
  assert.deepEqual(flawsOf(file, answered), [])
  const lost = attemptsIn(file).filter(({ state }) => state === 'lost')
  t.diagnostic(
    `${answered.length} orders, ${got.length} events received, ${lost.length} recorded as lost, ${waited} of them ` +
      'under way or waiting at kill -9; received twice: 0, said to be received and not: 0',
  )
})

/** Limits the size of the files that a process may write. Returns false where that is not permitted. */
function limitFileSize(pid: number | undefined, bytes: number | 'unlimited'): boolean {
  return spawnSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`]).status === 0
}

test('while a limit on file size holds, orders fail and leave nothing, four times in an evening', async t => {
  const { file, token } = restaurantIn(temporaryFolder(t))
  const { child, port, end } = await served(t, file)
  const guest = client({ port, token, connections: 2 })
  t.after(guest.close)
  const evening = await eveningIn(t, { port, token, guests: GUESTS })
  await moreOrders(evening, 30)
  for (let round = 0; round < 4; round++) {
    // At first just beyond what is in the log; then below its size, so that it fails as soon as it comes to that again.
    const limit = round === 0 ? statSync(`${file}-wal`).size + 5000 : 1_000_000
    if (!limitFileSize(child.pid, limit)) {
      await evening.stop()
      t.skip('prlimit is not there, so files cannot be limited')
      return
    }
    await moreFailures(evening, 20)
    await assertMenusAreServed(guest, port)
    limitFileSize(child.pid, 'unlimited')
    await moreOrders(evening, 400)
  }
  limitFileSize(child.pid, 1_000_000)
  await moreFailures(evening, 20)
  await evening.stop()
  assert.equal(strangeIn(evening), 0, JSON.stringify([...evening.others]))
  assert.equal(ordersIn(file), evening.acknowledged.length, 'what is in the file, and what was answered 201')
  const { logged } = await end('SIGKILL')
  assert.ok(errorsIn(logged).every(kind => /^(request failed|token use not noted) SQLITE_IOERR_WRITE$/.test(kind)))
  const next = await served(t, file)
  assert.equal((await next.end('SIGTERM')).code, 0)
  assert.ok(!existsSync(`${file}-wal`))
  assert.deepEqual(flawsOf(file, evening.acknowledged), [])
  t.diagnostic(`5 limits, ${evening.acknowledged.length} orders answered 201, ${failedIn(evening)} 500; lost: 0`)
})
