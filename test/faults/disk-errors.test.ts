import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Acknowledged, flawsOf } from '../support/acknowledged.ts'
import { client } from '../support/client.ts'
import { servery } from '../support/commands.ts'
import { restaurantIn } from '../support/demo-restaurant.ts'
import { temporaryFolder } from '../support/folders.ts'
import { receiver } from '../support/receivers.ts'
import { ordersIn } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { addEndpoint, areEnded, attemptsIn, doubtsOf, environmentForReceivers, idsOf } from '../support/webhook-log.ts'
import { failingDisk, withFailingDisk } from './failing-disk.ts'
import { type Fault, failedCalls, faultOptions, inject, withInjection } from './injection.ts'
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

const GUESTS = 8

/** What fails, and which codes of SQLite's the log may then have. It takes sectors that can't be read for a damaged file. */
const faults: { what: string; faults: Fault[]; codes: RegExp }[] = [
  { what: 'every 20th sync', faults: ['fsync,fdatasync:error=EIO:when=20+20'], codes: /IOERR_FSYNC/ },
  { what: 'every sync', faults: ['fsync,fdatasync:error=EIO'], codes: /IOERR_FSYNC/ },
  { what: 'every sync for lack of space', faults: ['fsync,fdatasync:error=ENOSPC'], codes: /IOERR_FSYNC/ },
  { what: 'every 50th write', faults: ['pwrite64:error=EIO:when=50+50'], codes: /IOERR_WRITE/ },
  { what: 'every write', faults: ['pwrite64:error=EIO'], codes: /IOERR_WRITE/ },
  { what: 'every 30th write for lack of space', faults: ['pwrite64:error=ENOSPC:when=30+30'], codes: /FULL/ },
  { what: 'every 2nd read', faults: ['pread64:error=EIO:when=2+2'], codes: /CORRUPT/ },
  {
    what: 'every read, write and sync',
    faults: ['pread64,pwrite64,fsync,fdatasync,ftruncate:error=EIO'],
    codes: /IOERR_(WRITE|FSYNC)|CORRUPT/,
  },
]

for (const { what, faults: failing, codes } of faults) {
  test(
    `while ${what} fails, exactly the orders that got 201 are in the file; afterwards orders are accepted again`,
    withInjection,
    async t => {
      const { file, token } = restaurantIn(temporaryFolder(t))
      const { child, port, end } = await served(t, file)
      const evening = await eveningIn(t, { port, token, guests: GUESTS })
      await moreOrders(evening, 100)
      const { failed, end: mend } = await inject(t, child, file, failing)
      // Some faults hit a batch of orders, which are then tried one by one.
      await until(() => failed() >= 20)
      await mend()
      const inTrouble = failedIn(evening)
      await moreOrders(evening, 100)
      await evening.stop()
      assert.equal(failedIn(evening) - inTrouble <= GUESTS, true, 'orders that failed although the disk was well again')
      assert.equal(strangeIn(evening), 0, JSON.stringify([...evening.others]))
      const { logged } = await end('SIGKILL')
      for (const kind of errorsIn(logged)) assert.match(kind, codes)
      const next = await served(t, file)
      assert.equal((await next.end('SIGTERM')).code, 0)
      assert.equal(ordersIn(file), evening.acknowledged.length, 'what is in the file, and what was answered 201')
      assert.deepEqual(flawsOf(file, evening.acknowledged), [])
      t.diagnostic(
        `${failed()} calls failed, ${failedIn(evening)} orders told so, ${evening.acknowledged.length} answered 201; lost: 0`,
      )
    },
  )
}

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test(`an order that got 500 because its sync failed does not reappear after ${signal}`, withInjection, async t => {
    const { file, token } = restaurantIn(temporaryFolder(t))
    const answered: Acknowledged[] = []
    let failed = 0
    for (const [round, fault] of (['fsync,fdatasync:error=EIO', 'fsync,fdatasync:error=ENOSPC'] as const).entries()) {
      const { child, port, end } = await served(t, file)
      const evening = await eveningIn(t, { port, token, guests: GUESTS, seed: `round ${round}` })
      await moreOrders(evening, 50)
      await inject(t, child, file, [fault])
      await moreFailures(evening, 20)
      await evening.stop()
      // The disk has not recovered yet.
      await end(signal)
      answered.push(...evening.acknowledged)
      failed += failedIn(evening)
    }
    const { end } = await served(t, file)
    assert.equal((await end('SIGTERM')).code, 0)
    assert.equal(ordersIn(file), answered.length, 'what is in the file, and what was answered 201')
    assert.deepEqual(flawsOf(file, answered), [])
    t.diagnostic(`${answered.length} orders answered 201, ${failed} told that they failed; lost: 0, come back: 0`)
  })
}

test(
  'while syncs fail, no webhook is sent that might be sent again, and none is sent twice',
  withInjection,
  async t => {
    const { file, token } = restaurantIn(temporaryFolder(t))
    const { url, got } = await receiver(t, (_, response) => void setTimeout(() => response.writeHead(204).end(), 50))
    addEndpoint(file, url)
    const environment = environmentForReceivers(temporaryFolder(t))
    const { child, port, end } = await served(t, file, { environment })
    const evening = await eveningIn(t, { port, token, guests: 2, pauseMs: 10 })
    await moreOrders(evening, 40)
    // Of the orders' own syncs some succeed, so that there is something to tell.
    const { end: mend } = await inject(t, child, file, ['fdatasync:error=EIO', 'fsync:error=EIO:when=3+3'])
    await moreOrders(evening, 40)
    await mend()
    await moreOrders(evening, 40)
    await evening.stop()
    await until(() => areEnded(file))
    const { logged } = await end('SIGTERM')
    const { length: unsent } = attemptsIn(file).filter(
      ({ reason }) => reason === 'it was not sent, because the disk could not be written',
    )
    assert.ok(unsent > 0)
    assert.ok(errorsIn(logged).includes('webhooks lost: the disk cannot be written EIO'), errorsIn(logged).join())
    assert.equal(idsOf(got).length + unsent, evening.acknowledged.length)
    assert.deepEqual(doubtsOf(file, got), [])
    assert.deepEqual(flawsOf(file, evening.acknowledged), [])
    t.diagnostic(`${got.length} events sent, ${unsent} recorded as not sent; received twice: 0`)
  },
)

test('a change that another process makes while reads fail is seen once they succeed', withInjection, async t => {
  const { file, token: old } = restaurantIn(temporaryFolder(t))
  const { child, port } = await served(t, file)
  const before = client({ port, token: old, connections: 1 })
  t.after(before.close)
  assert.equal((await before.call('GET', '/locations'))?.status, 200)
  let token = old
  for (const nth of [1, 2, 3, 4]) {
    const renewed = await servery(file, ['token', '--json'])
    const former = client({ port, token, connections: 1 })
    t.after(former.close)
    token = JSON.parse(renewed.stdout).token
    const { failed, end } = await inject(t, child, file, [`pread64:error=EIO:when=${nth}+`])
    const meanwhile = await former.call('GET', '/locations')
    if (failed() > 0) assert.ok([401, 500].includes(meanwhile?.status ?? 0), `${meanwhile?.status} while reads fail`)
    await end()
    assert.equal((await former.call('GET', '/locations'))?.status, 401, 'the old token, once it can be known')
    const current = client({ port, token, connections: 1 })
    assert.equal((await current.call('GET', '/locations'))?.status, 200, 'the new token')
    current.close()
  }
})

// SQLite tells sectors that cannot be read from wrong ones at the very beginning of a file only.
const unreadable = [
  'The database FILE cannot be read or written (SQLITE_IOERR_CORRUPTFS). Check the disk and its free space.\n',
  'The database FILE is damaged. Restore the last backup (docs/deploy.md) and keep the damaged file.\n',
]

test('a start on an unreadable disk is refused in one line, and the file is left alone', withInjection, async t => {
  const { file } = restaurantIn(temporaryFolder(t))
  const before = readFileSync(file)
  let refused = 0
  for (const fault of ['pread64:error=EIO', 'pread64:error=EIO:when=2+', 'pread64:error=EIO:when=9+'] as const) {
    const trace = join(temporaryFolder(t), 'trace')
    const { code, told } = await refusalOf(t, file, {
      under: ['strace', '-D', ...faultOptions(file, [fault], trace)],
    })
    assert.ok(failedCalls(trace) > 0)
    assert.equal(code, 1)
    assert.ok(unreadable.includes(told.replace(file, 'FILE')), told)
    assert.ok(readFileSync(file).equals(before), 'the file was touched')
    refused++
  }
  const next = await served(t, file)
  assert.equal((await next.end('SIGTERM')).code, 0)
  t.diagnostic(`${refused} starts refused`)
})

const readOnly =
  'The database FILE cannot be written. Check the owner and permissions of the file and its folder, and that the disk is not read-only.\n'

test(
  'when the system makes a failing disk read-only, menus are served, and after the repair every order is in the file',
  withFailingDisk,
  async t => {
    const disk = failingDisk(t, 'new')
    const { file, token } = restaurantIn(disk.folder)
    const { port, end } = await served(t, file)
    const evening = await eveningIn(t, { port, token, guests: GUESTS })
    await moreOrders(evening, 100)
    disk.fail()
    await until(disk.isReadOnly)
    await moreFailures(evening, 20)
    disk.mend()
    await moreFailures(evening, 20)
    const guest = client({ port, token, connections: 1 })
    t.after(guest.close)
    assert.equal((await guest.call('GET', '/locations/1/menu'))?.status, 200, 'the menu')
    await evening.stop()
    assert.equal(strangeIn(evening), 0, JSON.stringify([...evening.others]))
    const { code, logged } = await end('SIGTERM')
    assert.equal(code, 0)
    for (const kind of errorsIn(logged)) assert.match(kind, /SQLITE_IOERR|SQLITE_READONLY/)

    const { code: refused, told } = await refusalOf(t, file)
    assert.deepEqual([refused, told], [1, readOnly.replace('FILE', file)])
    assert.ok(isInGuide(told, file), 'docs/recovery.md has another text')
    const rescued = rescue(t, file)
    assert.deepEqual(flawsOf(rescued, evening.acknowledged), [])

    disk.restart()
    const next = await served(t, file)
    const later = await eveningIn(t, { port: next.port, token, guests: GUESTS, seed: 'later' })
    await moreOrders(later, 100)
    await later.stop()
    assert.equal((await next.end('SIGTERM')).code, 0)
    assert.deepEqual(flawsOf(file, [...evening.acknowledged, ...later.acknowledged]), [])
    t.diagnostic(
      `${evening.acknowledged.length} orders answered 201 before and ${later.acknowledged.length} after the repair, ` +
        `${failedIn(evening)} told that they failed; lost: 0`,
    )
  },
)

test(
  'after a disk fails for moments, a copy made elsewhere before a restart of the machine has every order',
  withFailingDisk,
  async t => {
    const disk = failingDisk(t, 'worn in')
    const { file, token } = restaurantIn(disk.folder)
    const { port, end } = await served(t, file)
    const evening = await eveningIn(t, { port, token, guests: GUESTS })
    await moreOrders(evening, 30)
    for (let moment = 0; moment < 3; moment++) {
      disk.fail()
      await pause(150)
      disk.mend()
      await moreOrders(evening, 50)
    }
    await evening.stop()
    assert.equal(disk.isReadOnly(), false)
    assert.equal((await end('SIGTERM')).code, 0)
    const rescued = rescue(t, file)
    disk.restart()
    assert.deepEqual(flawsOf(rescued, evening.acknowledged), [])
    t.diagnostic(
      `${evening.acknowledged.length} orders answered 201, ${failedIn(evening)} told that they failed; lost in the copy: 0; ` +
        `the file on the disk itself: ${stateOf(file, evening.acknowledged)}`,
    )
  },
)

/** Copies the folder of a server that has ended to another disk, as docs/recovery.md says. Returns the path of the copy. */
function rescue(t: TestContext, file: string): string {
  const copy = join(temporaryFolder(t), 'rescue')
  const { status, stderr } = spawnSync('cp', ['-a', join(file, '..'), copy], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return join(copy, basename(file))
}

/** What is left of a file on a disk that says it has written what it has not. */
function stateOf(file: string, acknowledged: Acknowledged[]): string {
  try {
    const { length } = flawsOf(file, acknowledged)
    return length === 0 ? 'well' : `${length} flaws`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
