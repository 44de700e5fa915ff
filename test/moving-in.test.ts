import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { servery } from './support/commands.ts'
import { root, temporaryFolder } from './support/folders.ts'

/** A folder with a copy of an example, and the command line on it. */
function movingIn(t: TestContext, name: string) {
  const folder = temporaryFolder(t)
  const source = join(folder, name)
  copyFileSync(join(root, 'examples/moving-in', name), source)
  const run = (...args: string[]) => servery(join(folder, 'test.db'), ['import', ...args])
  return { folder, source, run, path: (file: string) => join(folder, file) }
}

interface Menu {
  categories: { title: string; items: { id: number; title: string; price: number }[] }[]
}

function itemsIn(file: string): Record<string, number> {
  const { categories }: Menu = JSON.parse(readFileSync(file, 'utf8'))
  return Object.fromEntries(categories.flatMap(({ items }) => items.map(({ title, id }) => [title, id])))
}

test('import --from writes a restaurant file and the list of what it could not know, and does nothing else', async t => {
  const { folder, source, run } = movingIn(t, 'square-items.csv')
  const { code, stdout } = await run('--from', source, '--timezone', 'Europe/London')
  assert.equal(code, 0)
  const [first, ...rest] = stdout.split('\n')
  assert.equal(
    first,
    'Square item library: 8 menu sections, 15 items, 6 sizes, 3 option groups, 0 options, 2 locations, 0 stock items.',
  )
  assert.ok(rest.includes('  row 11              "Catch of the day" has a variable price, so it is left out.'), stdout)
  assert.match(stdout, /Written to .*square-items\.restaurant\.json\. Edit it, look at it with "import .* --check"/)
  assert.deepEqual(readdirSync(folder).sort(), [
    'square-items.csv',
    'square-items.restaurant.ids.json',
    'square-items.restaurant.json',
  ])
})

for (const [name, ...options] of [
  ['square-items.csv'],
  ['loyverse-items.csv', '--currency', 'eur'],
  ['uber-eats-menu.json', '--currency', 'EUR'],
  ['menu.txt'],
] as const) {
  test(`what ${name} becomes is imported without a problem`, async t => {
    const { source, run, path } = movingIn(t, name)
    assert.equal((await run('--from', source, '--to', path('mine.json'), ...options)).code, 0)
    const { code, stdout } = await run(path('mine.json'))
    assert.equal(code, 0)
    assert.match(stdout, /Imported \d+ locations?, \d+ menu sections and \d+ items\. Added: /m)
  })
}

test('a second conversion replaces the first and keeps its ids', async t => {
  const { run, path } = movingIn(t, 'menu.txt')
  writeFileSync(path('menu.txt'), 'Food\nSoup … 5,00 €\nPie … 9,00 €\n')
  await run('--from', path('menu.txt'))
  writeFileSync(path('new.txt'), 'Food\nFish … 12,00\nPie … 9,50\n')
  const { code } = await run('--from', path('new.txt'), '--to', path('menu.restaurant.json'))
  assert.equal(code, 0)
  assert.deepEqual(itemsIn(path('menu.restaurant.json')), { Fish: 3, Pie: 2 })
})

test('a conversion that was edited is not overwritten, but its ids go on in another file', async t => {
  const { source, run, path } = movingIn(t, 'menu.txt')
  const target = path('menu.restaurant.json')
  await run('--from', source)
  const edited = readFileSync(target, 'utf8').replace('Francesinha', 'Francesinha da casa')
  writeFileSync(target, edited)
  const { code, stderr } = await run('--from', source)
  assert.equal(code, 1)
  assert.match(stderr, /was edited since it was converted, so it is not overwritten\. Add "--to NEW\.json --ids /)
  assert.equal(readFileSync(target, 'utf8'), edited)
  assert.equal((await run('--from', source, '--to', path('new.json'), '--ids', target)).code, 0)
  const { Francesinha } = itemsIn(path('new.json'))
  assert.equal(Francesinha, itemsIn(target)['Francesinha da casa'])
})

test('a file that no conversion wrote is never overwritten, and has no ids to keep', async t => {
  const { source, run, path } = movingIn(t, 'menu.txt')
  writeFileSync(path('mine.json'), '{}')
  const { code, stderr } = await run('--from', source, '--to', path('mine.json'))
  assert.equal(code, 1)
  assert.match(
    stderr,
    /mine\.json already exists and is not a conversion that can be replaced\. Choose another name with --to\./,
  )
  assert.equal(readFileSync(path('mine.json'), 'utf8'), '{}')
  assert.match((await run('--from', source, '--to', source)).stderr, /menu\.txt already exists and is not a conversion/)
  assert.match((await run('--from', source, '--ids', path('mine.json'))).stderr, /has no ids to keep/)
  writeFileSync(path('mine.ids.json'), '{"kind": "text", "currency": "EUR", "ids": {"items": {"soup": -1}}}')
  assert.match((await run('--from', source, '--ids', path('mine.json'))).stderr, /has no ids to keep/)
  assert.equal(existsSync(path('menu.restaurant.json')), false)
  writeFileSync(path('menu.restaurant.ids.json'), 'mine')
  assert.match(
    (await run('--from', source)).stderr,
    /menu\.restaurant\.ids\.json already exists and is not a conversion/,
  )
  assert.equal(readFileSync(path('menu.restaurant.ids.json'), 'utf8'), 'mine')
})

test('a file that cannot be converted is refused with a sentence, and nothing is written', async t => {
  const { folder, run, path } = movingIn(t, 'loyverse-items.csv')
  const { code, stderr } = await run('--from', path('loyverse-items.csv'))
  assert.equal(code, 1)
  assert.match(
    stderr,
    /loyverse-items\.csv does not tell its currency; say it, .*--currency EUR\. Nothing was written\.$/m,
  )
  writeFileSync(path('menu.pdf'), '%PDF-1.7')
  assert.match(
    (await run('--from', path('menu.pdf'))).stderr,
    /menu\.pdf is a PDF; copy its text .* Nothing was written\.$/m,
  )
  assert.match((await run('--from', path('gone.csv'))).stderr, /gone\.csv cannot be read or written \(ENOENT\)\.$/m)
  assert.match((await run('--from', folder)).stderr, /is not a file\.$/m)
  assert.deepEqual(readdirSync(folder).sort(), ['loyverse-items.csv', 'menu.pdf'])
})

test('import of a menu of another system names the command that converts it', async t => {
  const { run, path, source } = movingIn(t, 'loyverse-items.csv')
  const { code, stderr } = await run(source)
  assert.equal(code, 1)
  assert.match(
    stderr,
    /nothing was imported\. The file looks like a Loyverse item list\. Convert it first: import --from /,
  )
  writeFileSync(path('menu.txt'), 'Mains\nSoup 4.50\n')
  assert.match(
    (await run(path('menu.txt'), '--check')).stderr,
    /looks like a text list\. .*import --from \S+menu\.txt\n$/,
  )
  writeFileSync(path('broken.json'), '{"locations": [')
  assert.doesNotMatch((await run(path('broken.json'))).stderr, /--from/)
})

test('the options of a conversion without --from, or --check with it, are a wrong call', async t => {
  const { source, run } = movingIn(t, 'menu.txt')
  for (const args of [
    ['--to', 'a.json', source],
    [source, '--from', source],
    ['--from', source, '--check'],
  ]) {
    assert.equal((await run(...args)).code, 2, args.join(' '))
  }
})
