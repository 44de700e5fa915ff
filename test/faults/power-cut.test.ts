import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { type Random, random } from '../../examples/practice/random.ts'
import { type Acknowledged, flawsOf } from '../support/acknowledged.ts'
import { client } from '../support/client.ts'
import { temporaryFolder } from '../support/folders.ts'
import { startProgram } from '../support/program.ts'
import { type Menu, orderFrom } from '../support/random-order.ts'
import { type Disk, diskOf, type Loss, losses, type Sync } from './disk.ts'
import { BACKUP, DATABASE, type Night, recordNight } from './recorded-night.ts'
import { type Happening, type Moment, whyNotRecorded } from './recording.ts'

// One night is recorded with all that the server, and the commands beside it, do in the database's folder. Then the power
// is cut at hundreds of its moments: the folder is put together as the disk would have it, and whatever had been answered
// by then must be in it.

const LOG = `${DATABASE}-wal`

/** The power fails before the moment at this place, and this becomes of what had not been synced, as the seed has it. */
interface Cut {
  place: number
  loss: Loss
  seed: string
}

const skip = whyNotRecorded()

test('a power cut during a night of orders', skip === undefined ? {} : { skip }, async t => {
  const night = await recordNight(t)
  const folder = join(quickFolder(t), 'left')
  const checkpoints = night.moments.filter(({ isEnd, happening }) => isEnd && isSyncOf(happening, DATABASE)).length
  assert.ok(checkpoints >= 4, 'the log was copied into the database several times')

  await t.test('the recording is complete: played to its end, it produces exactly the files that were left', () => {
    const files = diskOf(night.start, night.moments).filesAt(night.moments.length, 'nothing', random('none'))
    assert.deepEqual([...files.keys()].sort(), [...night.end.keys()].sort())
    for (const [name, bytes] of files) assert.ok(night.end.get(name)?.equals(bytes), `${name} is another`)
  })

  await t.test('at any moment, the file is sound and has everything that was acknowledged', t => {
    const cuts = cutsOf(night.moments)
    const flaws = flawsAfterAll(cuts, night, diskOf(night.start, night.moments), folder)
    const lost = flaws.filter(isLoss).length
    t.diagnostic(`${cuts.length} points, ${checkpoints} checkpoints, ${night.orders.length} orders, lost: ${lost}`)
    assert.deepEqual(flaws.slice(0, 10), [])
    assert.ok(cuts.length >= 180)
  })

  await t.test('this test detects lost orders when only checkpoints are synced', t => {
    const commits = syncsOfCommits(night.moments)
    const disk = diskOf(night.start, night.moments, sync => !commits.has(sync))
    const cuts = cutsOf(night.moments).filter(({ loss }, index) => loss !== 'torn' && index % 8 === 0)
    const flaws = flawsAfterAll(cuts, night, disk, folder)
    const lost = flaws.filter(isLoss).length
    const repeated = flaws.filter(isRepeat).length
    t.diagnostic(`${cuts.length} points, lost: ${lost}, to be delivered again: ${repeated}`)
    assert.ok(lost > cuts.length && repeated > 0)
  })

  await t.test('the server starts on the remaining files, and numbers and deliveries continue', async t => {
    const disk = diskOf(night.start, night.moments)
    const cuts = cutsOf(night.moments).filter(({ loss }) => loss !== 'dropped')
    const few = [1, 3, 5, 7, 9].map(tenths => cuts[Math.floor((cuts.length * tenths) / 10)] as Cut)
    for (const cut of few) {
      const file = leave(disk, cut, folder)
      const received = receivedBefore(night, cut.place)
      const before = night.deliveries.length
      const bytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size || undefined
      const { order, recovered } = await orderOnce(t, file, night)
      assert.deepEqual([recovered?.bytesLeftBehind, recovered?.problems], [bytes, bytes && 0])
      assert.deepEqual(flawsOf(file, [...ordersBefore(night, cut.place), order]), [], `${cut.loss} before ${cut.place}`)
      const again = night.deliveries.slice(before).filter(({ id }) => received.has(id))
      assert.deepEqual(again, [], 'what a partner had received is not delivered again (decision F3)')
      t.diagnostic(`${order.order_number} and ${night.deliveries.length - before} deliveries after ${cut.place}`)
    }
  })
})

/** A folder in memory where there is one: hundreds of files are recovered, and each recovery is synced. */
function quickFolder(t: TestContext): string {
  if (!existsSync('/dev/shm')) return temporaryFolder(t)
  const folder = mkdtempSync('/dev/shm/servery-test-')
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const isSyncOf = (happening: Happening | undefined, name: string): happening is Sync =>
  happening?.kind === 'sync' && happening.name === name

const isLoss = (flaw: string) => flaw.includes('is lost') || flaw.includes('is missing')
const isRepeat = (flaw: string) => flaw.includes('would be delivered again')

// How many syncs outside of checkpoints, and how many moments whatever happens in them.
const ORDINARY_SYNCS = 60
const ANY_MOMENTS = 60

/**
 * Where the power fails: just before and just after the end of each sync in and around a checkpoint, before it with all that
 * may become of the rest; the same for other syncs, spread over the night; and at moments at random.
 */
function cutsOf(moments: Moment[]): Cut[] {
  const ends = moments.flatMap(({ isEnd, happening }, place) => (isEnd && happening.kind === 'sync' ? [place] : []))
  const isOfDatabase = (end: number | undefined) => end !== undefined && isSyncOf(moments[end]?.happening, DATABASE)
  // The log is synced, then the database; the log begins anew and its head is synced, then the first commit in it.
  const around = ends.filter((_, index) => [-2, -1, 0, 1].some(offset => isOfDatabase(ends[index + offset])))
  const others = ends.filter(end => !around.includes(end))
  const by = random('where the power fails')
  const spread = Array.from({ length: ORDINARY_SYNCS }, () => by.pick(others as [number]))
  const anywhere = Array.from({ length: ANY_MOMENTS }, () => by.between(1, moments.length))
  const [dropped, ...byChance] = losses
  const before = around.flatMap(place => [dropped, ...byChance, ...byChance].map(loss => ({ place, loss })))
  const after = [...around, ...spread].map(end => ({ place: end + 1, loss: by.pick(losses) }))
  const among = [...spread, ...anywhere].map(place => ({ place, loss: by.pick(losses) }))
  return [...before, ...after, ...among]
    .map((cut, index) => ({ ...cut, seed: `cut ${index}` }))
    .sort((one, other) => one.place - other.place)
}

/** The syncs of the log but those that a checkpoint needs: before it copies, and when the log begins anew. */
function syncsOfCommits(moments: Moment[]): Set<Sync> {
  const commits = new Set<Sync>()
  const last = new Map<string, Happening>()
  for (const { isEnd, happening } of moments) {
    if (isEnd || happening.kind === 'answer') continue
    const before = last.get(happening.thread)
    last.set(happening.thread, happening)
    if (isSyncOf(happening, LOG)) {
      const isOfHead = before?.kind === 'write' && before.name === LOG && before.offset === 0
      if (!isOfHead) commits.add(happening)
    } else if (happening.name === DATABASE && isSyncOf(before, LOG)) commits.delete(before)
  }
  return commits
}

const ordersBefore = ({ orders }: Night, place: number): Acknowledged[] =>
  orders.filter(answer => answer.place < place).map(({ order }) => order)

/** The ids of what the partner had received when the power failed. */
function receivedBefore({ moments, deliveries }: Night, place: number): Set<string> {
  const failed = moments[place - 1]?.at ?? 0
  return new Set(deliveries.filter(({ at }) => at <= failed).map(({ id }) => id))
}

/** Puts into a folder what the disk has of the files after a cut, and returns the path of the database. */
function leave(disk: Disk, { place, loss, seed }: Cut, folder: string): string {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const by = random(seed)
  for (const [name, bytes] of disk.filesAt(place, loss, by)) writeFileSync(join(folder, name), bytes, { mode: 0o600 })
  const file = join(folder, DATABASE)
  // Nobody syncs this companion, so that anything may be left of it.
  if (by.percent(50)) writeFileSync(`${file}-shm`, noise(by), { mode: 0o600 })
  return file
}

const noise = (by: Random): Buffer => Buffer.from(Array.from({ length: 32_768 }, () => by.between(0, 255)))

function flawsAfterAll(cuts: Cut[], night: Night, disk: Disk, folder: string): string[] {
  return cuts.flatMap(cut => {
    const file = leave(disk, cut, folder)
    return flawsLeft(file, folder, night, cut.place).map(flaw => `${cut.loss} before moment ${cut.place}: ${flaw}`)
  })
}

/** What is wrong with what is left after a cut, a sentence each. */
function flawsLeft(file: string, folder: string, night: Night, place: number): string[] {
  try {
    const flaws = flawsOf(file, ordersBefore(night, place))
    const db = new Database(file, { readonly: true })
    try {
      const commands = night.commands.filter(answer => answer.place < place)
      return [
        ...flaws,
        ...commands
          .filter(({ done }) => !done.isStill(db, folder))
          .map(({ done }) => `${done.what} was said and is lost`),
        ...flawsOfEvents(db, receivedBefore(night, place)),
        ...flawsOfBackup(join(folder, BACKUP)),
      ]
    } finally {
      db.close()
    }
  } catch (error) {
    return [`the file cannot be used: ${error}`]
  }
}

function flawsOfEvents(db: Database.Database, received: Set<string>): string[] {
  const untold = db
    .prepare<[], number>(
      `SELECT orders.id FROM orders LEFT JOIN webhook_event ON order_id = orders.id AND type = 'order.placed'
        GROUP BY orders.id HAVING count(webhook_event.id) <> 1`,
    )
    .pluck()
    .all()
  const halved = db
    .prepare<[], number>(
      `SELECT webhook_event.id FROM webhook_event LEFT JOIN webhook_attempt ON event_id = webhook_event.id
        GROUP BY webhook_event.id HAVING count(endpoint_id) <> (SELECT count(*) FROM webhook_endpoint)`,
    )
    .pluck()
    .all()
  const begun = new Set(
    db
      .prepare<[], string>(
        `SELECT delivery_id FROM webhook_event JOIN webhook_attempt ON event_id = webhook_event.id
          WHERE state <> 'pending' AND endpoint_id = (SELECT min(id) FROM webhook_endpoint)`,
      )
      .pluck()
      .all(),
  )
  return [
    ...untold.map(id => `order ${id} has not its one event`),
    ...halved.map(id => `event ${id} is not for every endpoint`),
    ...[...received].filter(id => !begun.has(id)).map(id => `${id} was received and would be delivered again`),
  ]
}

/** A backup has its name once it is whole. */
function flawsOfBackup(file: string): string[] {
  if (!existsSync(file)) return []
  const db = new Database(file, { readonly: true })
  try {
    const orders = db.prepare<[], number>('SELECT count(*) FROM orders').pluck().get()
    const integrity = db.pragma('integrity_check', { simple: true })
    return integrity === 'ok' && orders ? [] : [`the backup is not whole: ${integrity}, ${orders} orders`]
  } finally {
    db.close()
  }
}

/** Starts the server on a file, orders once, and stops it. `recovered` is what it told about what was left. */
async function orderOnce(t: TestContext, file: string, { token, environment }: Night) {
  const { child, port, end } = await startProgram(file, { environment })
  t.after(() => child.kill('SIGKILL'))
  const { call, close } = client({ port, token, connections: 1 })
  const menu: Menu = (await call('GET', '/locations/1/menu'))?.body.data
  const answer = await call('POST', '/orders', orderFrom(1, menu, random('one more')))
  close()
  const { code, logged } = await end('SIGTERM')
  assert.equal(code, 0)
  assert.equal(answer?.status, 201)
  const { id, order_number, location_id, grand_total, items } = answer.body.data
  const order: Acknowledged = { id, order_number, location_id, grand_total, lines: items.length }
  return { order, recovered: logged.find(({ event }) => event === 'recovered') }
}
