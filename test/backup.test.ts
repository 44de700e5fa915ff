import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { importInto } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

test('a backup leaves alone a partial file that it did not make, and says what to do about it', async t => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'live.db')
  importInto(file, smallRestaurant())
  const target = join(folder, 'copy.db')
  const partial = `${target}.partial`
  writeFileSync(partial, 'another backup is writing this')
  const { code, stderr } = await servery(file, ['backup', target])
  assert.equal(code, 1)
  assert.equal(
    stderr,
    `${partial} already exists: another backup to the same file is running. If none is, delete ${partial}.\n`,
  )
  assert.equal(readFileSync(partial, 'utf8'), 'another backup is writing this')
  assert.equal(existsSync(target), false)
})

test('of backups to the same file at the same time exactly one is made, and it is whole', async t => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'live.db')
  importInto(file, smallRestaurant())
  const target = join(folder, 'copy.db')
  const ended = await Promise.all(Array.from({ length: 4 }, () => servery(file, ['backup', target])))
  assert.deepEqual(ended.map(({ code }) => code).sort(), [0, 1, 1, 1])
  for (const { code, stderr } of ended) if (code === 1) assert.match(stderr, /^\S+ already exists/)
  assert.equal(statSync(target).mode & 0o777, 0o600)
  const copy = new Database(target, { readonly: true })
  t.after(() => copy.close())
  assert.equal(copy.pragma('integrity_check', { simple: true }), 'ok')
  assert.equal(copy.prepare('SELECT count(*) FROM item').pluck().get(), 4)
  assert.deepEqual(
    readdirSync(folder).filter(name => name.includes('partial')),
    [],
  )
})

test('a backup without a file name is refused', async t => {
  const file = join(temporaryFolder(t), 'live.db')
  importInto(file, smallRestaurant())
  const { code, stderr } = await servery(file, ['backup', ''])
  assert.deepEqual([code, stderr], [1, 'The backup needs a file name.\n'])
})
