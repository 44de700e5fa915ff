import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { type Acknowledged, flawsOf } from '../support/acknowledged.ts'
import { type Client, client } from '../support/client.ts'
import { servery } from '../support/commands.ts'
import { type Restaurant, restaurantIn } from '../support/demo-restaurant.ts'
import { temporaryFolder } from '../support/folders.ts'
import { startProgram } from '../support/program.ts'
import { ordersIn } from '../support/rows.ts'
import { openEvening } from './evening.ts'
import { isInGuide, moreOrders, refusalOf, served } from './serving.ts'

const PAGE = 4096

/** A restaurant's folder after an evening, and what was answered 201 in it. */
interface Lived extends Restaurant {
  acknowledged: Acknowledged[]
}

const folder = mkdtempSync(join(tmpdir(), 'servery-damaged-'))

/** As a server leaves it that ends well. */
let closed: Lived
/** The same as a crash leaves it: most orders are in the log. */
let crashed: Lived

before(async () => {
  mkdirSync(join(folder, 'crashed'))
  const restaurant = restaurantIn(join(folder, 'crashed'))
  const { port, end } = await startProgram(restaurant.file)
  const evening = await openEvening({ port, token: restaurant.token, guests: 4 })
  await moreOrders(evening, 120)
  await evening.stop()
  await end('SIGKILL')
  crashed = { ...restaurant, acknowledged: evening.acknowledged }
  closed = copyOf(crashed, join(folder, 'closed'))
  assert.deepEqual(flawsOf(closed.file, closed.acknowledged), [])
  assert.ok(!existsSync(`${closed.file}-wal`))
})
after(() => rmSync(folder, { recursive: true, force: true }))

function copyOf(lived: Lived, target: string): Lived {
  cpSync(join(lived.file, '..'), target, { recursive: true })
  return { ...lived, file: join(target, basename(lived.file)) }
}

function damagedCopy(t: TestContext, lived: Lived, damage: (file: string) => void): Lived {
  const copy = copyOf(lived, temporaryFolder(t))
  damage(copy.file)
  return copy
}

function overwrite(file: string, at: number, bytes: Buffer): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, bytes, 0, bytes.length, at)
  closeSync(handle)
}

/** Bytes without any sense, the same each time. */
function nonsense(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => (index * 7919 + index * index * 31 + 113) % 256))
}

/** What a file and its log are, so that it shows when somebody has touched them. */
function contentsOf(file: string): unknown {
  return [file, `${file}-wal`].map(path => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isFile() ? readFileSync(path).toString('base64') : found?.isDirectory()
  })
}

const notADatabase = 'The database FILE is not a database. Set DATABASE_FILE to the right file, or restore a backup.'
const isDamaged = 'The database FILE is damaged. Restore the last backup (docs/deploy.md) and keep the damaged file.'
const ofAnother = "FILE is a database of another program. Set DATABASE_FILE to Servery's own file."
const isEmpty = 'The database FILE is empty, although it was in use before. Restore the last backup (docs/deploy.md).'
const isMissing =
  'There is no database at FILE, but its log FILE-wal is there, and orders that were already confirmed may be only in it. ' +
  'Move the database back to where it was. To start with another database, move FILE-wal to a safe place first.'
const notAFile =
  'The database FILE cannot be opened as a file. Check the path, its permissions, and that the disk is not read-only.'
const notWritable =
  'The database FILE cannot be written. Check the owner and permissions of the file and its folder, and that the disk is not read-only.'

const wrecks: { what: string; of: 'closed' | 'crashed'; damage(file: string): void; told: string }[] = [
  {
    what: 'its header overwritten',
    of: 'closed',
    damage: file => overwrite(file, 0, nonsense(100)),
    told: notADatabase,
  },
  {
    what: 'an impossible page size',
    of: 'closed',
    damage: file => overwrite(file, 16, Buffer.from([0x12, 0x34])),
    told: notADatabase,
  },
  {
    what: 'random bytes after the header',
    of: 'closed',
    damage: file => overwrite(file, 100, nonsense(PAGE - 100)),
    told: isDamaged,
  },
  {
    what: 'only half of its length',
    of: 'closed',
    damage: file => truncateSync(file, statSync(file).size / 2),
    told: isDamaged,
  },
  { what: 'only fifty bytes left', of: 'closed', damage: file => truncateSync(file, 50), told: isDamaged },
  { what: 'no bytes left', of: 'closed', damage: file => truncateSync(file, 0), told: isEmpty },
  { what: 'no bytes left except in its log', of: 'crashed', damage: file => truncateSync(file, 0), told: isEmpty },
  { what: 'nothing left except its log', of: 'crashed', damage: file => rmSync(file), told: isMissing },
  {
    what: 'a text in its place',
    of: 'closed',
    damage: file => writeFileSync(file, 'Table 7: two bifanas, one sumo\n'.repeat(300)),
    told: notADatabase,
  },
  {
    what: 'the database of another program in its place',
    of: 'closed',
    damage: file => foreign(file, 'CREATE TABLE till (amount INTEGER)'),
    told: ofAnother,
  },
  {
    what: 'the new database of another program in its place',
    of: 'closed',
    damage: file => foreign(file, 'PRAGMA user_version = 2'),
    told: ofAnother,
  },
  {
    what: 'a folder in its place',
    of: 'closed',
    damage(file) {
      rmSync(file)
      mkdirSync(file)
    },
    told: notAFile,
  },
  {
    what: 'a folder in place of its log',
    of: 'crashed',
    damage(file) {
      rmSync(`${file}-wal`)
      mkdirSync(`${file}-wal`)
    },
    told: notAFile,
  },
]

function foreign(file: string, sql: string): void {
  rmSync(file)
  const db = new Database(file)
  db.exec(sql)
  db.close()
}

for (const { what, of, damage, told } of wrecks) {
  test(`a file with ${what} is refused in one line and left as it is`, async t => {
    const { file } = damagedCopy(t, of === 'closed' ? closed : crashed, damage)
    const found = contentsOf(file)
    const refusal = await refusalOf(t, file)
    assert.deepEqual([refusal.code, refusal.told], [1, `${told.replaceAll(/\bFILE\b/g, file)}\n`])
    assert.ok(isInGuide(refusal.told, file), 'docs/recovery.md has another text')
    const doctor = await servery(file, ['doctor'])
    assert.deepEqual([doctor.code, doctor.stdout], [1, ''])
    assert.equal(doctor.stderr, `problem  /file  ${told.replaceAll(/\bFILE\b/g, file)}\n1 problem.\n`)
    assert.deepEqual(contentsOf(file), found)
  })
}

/** What the API answers of a restaurant: its locations, a menu, and an order. */
async function serviceOf(guest: Client) {
  const order = { location_id: 1, items: [{ item_id: 1, qty: 2, modifiers: [11, 12, 13].map(modifier) }] }
  const [locations, menu, placed] = [
    await guest.call('GET', '/locations'),
    await guest.call('GET', '/locations/1/menu'),
    await guest.call('POST', '/orders', order),
  ]
  return { locations, menu, placed }
}

const modifier = (id: number) => ({ modifier_id: id })

/** The pages of which a file is made, each with the table or index that it belongs to. */
function pagesOf(file: string): { page: number; name: string }[] {
  // One that may only read would leave an empty log beside the file.
  const db = new Database(file)
  try {
    return db.prepare<[], { page: number; name: string }>('SELECT pageno AS page, name FROM dbstat ORDER BY page').all()
  } finally {
    db.close()
  }
}

// Everything that a start, a menu and an order look at, and what they don't.
const looked = [
  ...['setting', 'api_token', 'revision', 'item', 'modifier', 'location', 'recipe_line', 'webhook_endpoint'],
  ...[
    'orders',
    'orders_by_number',
    'order_line',
    'ledger',
    'ticket',
    'stock_movement',
    'webhook_event',
    'ledger_by_day',
  ],
]

test('a damaged page prevents the start or causes 500 where it is needed, never a wrong response, and doctor finds it', async t => {
  const good = await (async () => {
    const { file, token } = damagedCopy(t, closed, () => {})
    const { port, end } = await served(t, file)
    const guest = client({ port, token, connections: 1 })
    const service = await serviceOf(guest)
    guest.close()
    await end('SIGTERM')
    return service
  })()
  assert.deepEqual([good.locations?.status, good.menu?.status, good.placed?.status], [200, 200, 201])
  const figures = { refused: 0, partly: 0, unharmed: 0 }

  // The last page of each, which is a leaf of the large ones.
  const pages = looked.map(name => pagesOf(closed.file).findLast(page => page.name === name))
  for (const [index, found] of pages.entries()) {
    assert.ok(found, `${looked[index]} has no page`)
    const { page, name } = found
    const bytes = index % 2 === 0 ? Buffer.alloc(PAGE) : nonsense(PAGE)
    await t.test(`page ${page}, of ${name}`, async t => {
      const { file, token } = damagedCopy(t, closed, file => overwrite(file, (page - 1) * PAGE, bytes))
      const doctor = await servery(file, ['doctor'])
      assert.equal(doctor.code, 1)
      assert.match(doctor.stderr, /is damaged|\/file\/integrity/)
      assert.doesNotMatch(doctor.stderr, /\n {4}at /)

      let program: Awaited<ReturnType<typeof served>>
      try {
        program = await served(t, file)
      } catch (error) {
        assert.ok(error instanceof Error)
        assert.equal(error.message, `The server did not start:\n${isDamaged.replace('FILE', file)}\n`)
        figures.refused++
        return
      }
      const guest = client({ port: program.port, token, connections: 1 })
      t.after(guest.close)
      const { locations, menu, placed } = await serviceOf(guest)
      assert.deepEqual(locations?.body, good.locations?.body)
      assert.deepEqual(menu?.body, good.menu?.body)
      const health = await fetch(`http://127.0.0.1:${program.port}/healthz`)
      assert.equal(health.status, 200)
      const { code, logged } = await program.end('SIGTERM')
      assert.equal(code, 0)
      const line = logged.find(({ event }) => event === 'request failed')
      if (placed?.status === 201) {
        assert.equal(placed.body.data.grand_total, good.placed?.body.data.grand_total)
        assert.equal(placed.body.data.order_number, good.placed?.body.data.order_number)
        assert.equal(line, undefined)
        figures.unharmed++
      } else {
        assert.equal(placed?.status, 500)
        assert.deepEqual(placed.body, {
          errors: [{ title: 'The order could not be created.', code: 'ORDER_FAILED' }],
        })
        assert.deepEqual([line?.code, line?.request], ['SQLITE_CORRUPT', placed.headers['x-request-id']])
        figures.partly++
      }
    })
  }
  assert.ok(figures.refused > 0 && figures.partly > 0 && figures.unharmed > 0, JSON.stringify(figures))
  t.diagnostic(
    `${pages.length} pages damaged: ${figures.refused} refused at the start, ${figures.partly} where an order needed them, ` +
      `${figures.unharmed} in nobody's way; wrong answers: 0, not found by doctor: 0`,
  )
})

test('a menu whose page is damaged while being served gets 500 SERVER_ERROR and a line in the log, and the server goes on', async t => {
  const { file, token } = damagedCopy(t, closed, () => {})
  const { port, end } = await served(t, file)
  const guest = client({ port, token, connections: 1 })
  t.after(guest.close)
  assert.equal((await guest.call('GET', '/locations/1/menu'))?.status, 200)
  const page = pagesOf(file).findLast(({ name }) => name === 'item')?.page ?? 0
  overwrite(file, (page - 1) * PAGE, nonsense(PAGE))
  const db = new Database(file)
  db.exec('UPDATE revision SET catalogue = catalogue + 1')
  db.close()

  const menu = await guest.call('GET', '/locations/1/menu')
  assert.equal(menu?.status, 500)
  assert.deepEqual(menu.body, {
    errors: [{ title: 'The server could not answer this request.', code: 'SERVER_ERROR' }],
  })
  const order = await guest.call('POST', '/orders', { location_id: 1, items: [{ item_id: 101, qty: 1 }] })
  assert.equal(order?.status, 500)
  assert.equal(order.body.errors[0].code, 'ORDER_FAILED')
  const { code, logged } = await end('SIGTERM')
  assert.equal(code, 0)
  const lines = logged.filter(({ event }) => event === 'request failed')
  assert.deepEqual(
    lines.map(({ request, code }) => [request, code]),
    [menu, order].map(({ headers }) => [headers['x-request-id'], 'SQLITE_CORRUPT']),
  )
  assert.equal((await refusalOf(t, file)).told, `${isDamaged.replace('FILE', file)}\n`)
})

for (const { what, damage } of [
  { what: 'full of random bytes', damage: (log: string) => writeFileSync(log, nonsense(100_000)) },
  {
    what: 'overwritten from the middle on',
    damage: (log: string) => overwrite(log, Math.floor(statSync(log).size / 2), nonsense(PAGE)),
  },
  { what: 'cut off', damage: (log: string) => truncateSync(log, Math.floor(statSync(log).size / 3)) },
  { what: 'missing', damage: (log: string) => rmSync(log) },
]) {
  test(`after a crash with a log that is ${what}, the remaining orders are complete and served, and numbers continue`, async t => {
    const { file, token, acknowledged } = damagedCopy(t, crashed, file => damage(`${file}-wal`))
    const { port, end } = await served(t, file)
    const left = ordersIn(file)
    assert.ok(left < acknowledged.length)
    const guest = client({ port, token, connections: 1 })
    t.after(guest.close)
    const { placed } = await serviceOf(guest)
    assert.equal(placed?.body.data.order_number, `ORD-${String(left + 1).padStart(6, '0')}`)
    const { code, logged } = await end('SIGTERM')
    assert.equal(code, 0)
    const recovered = logged.find(({ event }) => event === 'recovered')
    if (what === 'missing') assert.equal(recovered, undefined, 'nothing shows that there was a log')
    else assert.equal(recovered?.lastOrder, left === 0 ? null : left)
    assert.deepEqual(flawsOf(file, acknowledged.slice(0, left)), [])
    t.diagnostic(`${left} of ${acknowledged.length} orders are left, and nothing by halves`)
  })
}

test('with the log of another restaurant, the file is refused as damaged, or the other restaurant is served complete, never a mixture', async t => {
  const other = join(temporaryFolder(t), 'other')
  mkdirSync(other)
  const { file: otherFile, token } = restaurantIn(other)
  const { port, end } = await served(t, otherFile)
  const guest = client({ port, token, connections: 1 })
  for (let order = 0; order < 5; order++) await serviceOf(guest)
  guest.close()
  await end('SIGKILL')
  const { file } = damagedCopy(t, closed, file => cpSync(`${otherFile}-wal`, `${file}-wal`))
  let outcome = 'refused'
  try {
    const { end } = await served(t, file)
    await end('SIGTERM')
    assert.deepEqual(flawsOf(file, []), [])
    assert.equal(ordersIn(file), 5)
    outcome = 'the other one'
  } catch (error) {
    assert.equal((error as Error).message, `The server did not start:\n${isDamaged.replace('FILE', file)}\n`)
  }
  t.diagnostic(outcome)
})

test('a -shm file full of random bytes is rebuilt, and nothing is lost', async t => {
  const { file, acknowledged } = damagedCopy(t, crashed, file => writeFileSync(`${file}-shm`, nonsense(32_768)))
  const { end } = await served(t, file)
  assert.equal((await end('SIGTERM')).code, 0)
  assert.deepEqual(flawsOf(file, acknowledged), [])
})

// Root may do everything, so the server has to run as somebody else.
const NOBODY = 65_534
const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']

const forbidden: { what: string; forbid(file: string, folder: string): void; told: string }[] = [
  { what: 'a file owned by root', forbid: file => chownSync(file, 0, 0), told: notAFile },
  { what: 'a read-only file', forbid: file => chmodSync(file, 0o400), told: notWritable },
  { what: 'a folder owned by root', forbid: (_, folder) => chownSync(folder, 0, 0), told: notWritable },
  {
    what: 'a log owned by root',
    forbid(file) {
      writeFileSync(`${file}-wal`, '', { mode: 0o600 })
      chownSync(`${file}-wal`, 0, 0)
    },
    told: notAFile,
  },
]

for (const { what, forbid, told } of forbidden) {
  const onlyRoot = process.getuid?.() === 0 ? {} : { skip: 'only root may run a server as somebody else' }
  test(
    `${what} is refused in one line, and the file is served once the permissions are restored`,
    onlyRoot,
    async t => {
      const { file, acknowledged } = damagedCopy(t, closed, () => {})
      const folder = join(file, '..')
      const giveBack = () => {
        for (const path of [folder, ...readdirSync(folder).map(name => join(folder, name))])
          chownSync(path, NOBODY, NOBODY)
        chmodSync(file, 0o600)
      }
      giveBack()
      forbid(file, folder)
      const refusal = await refusalOf(t, file, { under: asNobody })
      assert.deepEqual([refusal.code, refusal.told], [1, `${told.replaceAll(/\bFILE\b/g, file)}\n`])
      assert.ok(isInGuide(refusal.told, file), 'docs/recovery.md has another text')
      giveBack()
      const { end } = await served(t, file, { under: asNobody })
      assert.equal((await end('SIGTERM')).code, 0)
      assert.deepEqual(flawsOf(file, acknowledged), [])
    },
  )
}
