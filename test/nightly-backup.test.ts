import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { readConfiguration } from '../configuration.ts'
import { serve } from '../server.ts'
import { jsonLog } from '../store/log.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { importInto, openShop, type Shop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'
import { until } from './support/until.ts'

const HOUR = 3_600_000

const nightly = { 'backup.hour': '4', 'backup.kept': '2', 'site.timezone': 'Europe/Lisbon' }

function folderOf({ file }: Shop): string {
  return join(dirname(file), 'backups')
}

function ended(shop: Shop): Record<string, unknown>[] {
  return shop.rows('SELECT how, name, bytes, failure, removed_at FROM backup WHERE ended_at IS NOT NULL ORDER BY id')
}

async function backupsMade(shop: Shop, count: number): Promise<Record<string, unknown>[]> {
  await until(() => ended(shop).length >= count, `${count} backups were expected`)
  return ended(shop)
}

test('every night a checked copy is made at the hour of the settings, and only the newest are kept', async t => {
  // Without a backup of last night, the first one is made at the start. Lisbon is one hour ahead of UTC in summer.
  const clock = heldClock('2026-07-01T10:00:00Z')
  const shop = await openShop(t, { settings: nightly, clock })
  const folder = folderOf(shop)
  await backupsMade(shop, 1)
  writeFileSync(join(folder, 'test-2026-01-01-040000.db'), 'somebody else put this here')

  clock.set('2026-07-02T02:59:00Z')
  // The server looks every 5 seconds, so this is one look in which nothing is due.
  await new Promise(resolve => setTimeout(resolve, 5500))
  assert.equal(ended(shop).length, 1)
  clock.set('2026-07-02T03:00:10Z')
  await backupsMade(shop, 2)
  clock.set('2026-07-03T09:00:00Z')
  const made = await backupsMade(shop, 3)
  const names = made.map(({ name }) => name)
  assert.deepEqual(names, ['test-2026-07-01-110000.db', 'test-2026-07-02-040010.db', 'test-2026-07-03-100000.db'])
  await until(() => !existsSync(join(folder, 'test-2026-07-01-110000.db')), 'the oldest was not removed')
  assert.deepEqual(readdirSync(folder).sort(), [
    'test-2026-01-01-040000.db',
    'test-2026-07-02-040010.db',
    'test-2026-07-03-100000.db',
  ])
  const newest = join(folder, 'test-2026-07-03-100000.db')
  assert.equal(statSync(newest).mode & 0o777, 0o600)
  assert.equal(statSync(newest).size, made[2]?.bytes)
  const copy = new Database(newest, { readonly: true })
  t.after(() => copy.close())
  assert.equal(copy.prepare('SELECT count(*) FROM item').pluck().get(), 4)
  assert.equal(copy.prepare('SELECT count(*) FROM backup WHERE ended_at IS NULL').pluck().get(), 0)
})

test('a backup that fails is recorded with its reason, tried again after an hour, and nothing is deleted for it', async t => {
  const clock = heldClock('2026-07-01T10:00:00Z')
  const shop = await openShop(t, { settings: { ...nightly, 'backup.kept': '1' }, clock })
  const folder = folderOf(shop)
  const [first] = await backupsMade(shop, 1)
  // As a disk does that was unplugged.
  const aside = `${folder}-aside`
  renameSync(folder, aside)
  writeFileSync(folder, '')
  clock.set('2026-07-02T04:00:00Z')
  const [, failure] = await backupsMade(shop, 2)
  assert.match(String(failure?.failure), /^\{"refused":"backup failed","cause":"EEXIST/)
  assert.equal(failure?.bytes, null)
  assert.ok(shop.logged.some(({ event }) => event === 'no backup was made'))
  assert.ok(existsSync(join(aside, String(first?.name))))

  rmSync(folder)
  renameSync(aside, folder)
  clock.pass(HOUR + 1000)
  const [, , mended] = await backupsMade(shop, 3)
  assert.equal(mended?.failure, null)
  await until(() => ended(shop)[0]?.removed_at !== null, 'the old one is replaced once there is a new one')
  assert.deepEqual(readdirSync(folder), [mended?.name])
})

test('what was left of a backup when the server died is cleared away at the next start', async t => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'test.db')
  importInto(file, smallRestaurant())
  const db = new Database(file)
  t.after(() => db.close())
  db.exec(`INSERT INTO backup (how, name, started_at) VALUES ('nightly', 'test-1.db', 1000)`)
  mkdirSync(join(folder, 'backups'))
  writeFileSync(join(folder, 'backups/test-1.db.partial'), 'unfinished')
  writeFileSync(join(folder, 'backups/test-2.db.partial'), 'of another program')
  const { configuration } = readConfiguration({ PORT: '0', DATABASE_FILE: file })
  const serving = await serve(configuration, { log: jsonLog(() => {}, Date.now) })
  t.after(serving.stop)
  const failure = db.prepare<[], string | null>('SELECT failure FROM backup').pluck()
  await until(() => /Servery ended while it was being made/.test(failure.get() ?? ''), 'it is still under way')
  assert.deepEqual(readdirSync(join(folder, 'backups')), ['test-2.db.partial'])
})

test('by default no backup is made by itself', async t => {
  const shop = await openShop(t)
  await shop.writer.chore('cutDeliveryLog')
  assert.deepEqual(shop.rows('SELECT * FROM backup'), [])
  assert.equal(existsSync(folderOf(shop)), false)
})
