import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { servery } from './support/commands.ts'
import { root, temporaryFolder } from './support/folders.ts'
import { importInto, openShop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

function freshFile(t: TestContext, restaurant: unknown = smallRestaurant()): string {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, restaurant)
  return file
}

async function json(file: string, ...args: string[]) {
  const { code, stdout } = await servery(file, [...args, '--json'])
  return { code, value: JSON.parse(stdout) }
}

test('a wrong call ends with its reason, after the usage of that command alone', async t => {
  const file = freshFile(t)
  for (const [args, reason] of [
    [['pay', '1', '5', '--methd', 'cash'], 'There is no option "--methd". Did you mean --method?'],
    [['pay', '1', '--method', 'cash'], 'AMOUNT is missing.'],
    [['pay', '1', '5', '--method'], '--method needs a value after it.'],
    [['pay', '1', '5', '--method', 'cahs'], 'There is no method "cahs". Did you mean cash?'],
    [['order', '1', 'fulfill'], 'There is no "order ORDER fulfill". Did you mean fulfil?'],
    [
      ['settings', 'set', 'site.title', 'Casa', 'Nova'],
      '"Nova" is one word too many; put quotes around a text with spaces.',
    ],
    [['orders', '--unpaid', '--unpaid'], '--unpaid is given twice.'],
    [['webhooks', 'test'], 'ENDPOINT is missing.'],
  ] as const) {
    const { code, stderr } = await servery(file, [...args])
    const lines = stderr.trimEnd().split('\n')
    assert.deepEqual([code, lines.at(-1)], [2, reason])
    assert.equal(lines[0], 'Usage: npm run -s servery --')
    assert.ok(lines[1]?.startsWith(`  ${args[0]} `), stderr)
    assert.doesNotMatch(stderr, /^ {2}(backup|doctor) /m)
  }
})

test('a command that is misspelt is answered with the one that may be meant', async t => {
  const { code, stderr } = await servery(freshFile(t), ['oders'])
  assert.equal(code, 2)
  assert.match(stderr, /\nThere is no command "oders"\. Did you mean orders\?\n$/)
})

test('help shows all commands in groups, and help with a command shows that one', async t => {
  const file = freshFile(t)
  const all = await servery(file, ['help'])
  for (const group of ['The restaurant and its menu', 'Orders', 'Money', 'Kitchen and stock', 'Reports']) {
    assert.match(all.stdout, new RegExp(`^${group}$`, 'm'))
  }
  const one = await servery(file, ['help', 'bump'])
  assert.match(one.stdout, /^Usage: npm run -s servery --\n {2}bump TICKET \[LINE\]\n {6}mark a ticket, /)
  assert.equal(one.stdout, (await servery(file, ['bump', '--help'])).stdout)
  assert.equal((await servery(file, ['help', 'bmup'])).code, 2)
})

test('a command or key with a line break cannot pass for a line of the output', async t => {
  const file = freshFile(t)
  const { stderr } = await servery(file, ['x\nproblem  /file  is damaged'])
  assert.doesNotMatch(stderr, /^problem/m)
  const input = '{"x\\nwarning  /": 1}'
  const imported = await servery(file, ['import', '-'], { input })
  assert.equal(imported.code, 1)
  assert.doesNotMatch(imported.stderr, /^warning/m)
  const title = await servery(file, ['settings', 'set', 'site.title', 'A\nB'])
  assert.equal(title.stderr, 'site.title cannot be "A ⏎ B": it must not contain a line break.\n')
})

test('an order that cannot be moved names the command that leads on', async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant({ stations: [{ id: 1, title: 'Stove' }] }) })
  await shop.order({ location_id: 1, items: [{ item_id: 1, qty: 1 }] })
  const complete = async () => (await servery(shop.file, ['order', '1', 'complete'])).stderr
  assert.match(await complete(), /is still to be paid.* Next: pay ORD-000001 6\.50 --method …\n$/)
  assert.equal((await servery(shop.file, ['pay', '1', '6.50', '--method', 'cash'])).code, 0)
  assert.match(await complete(), /Ticket 1 .*is still open.* Next: bump 1\n$/)
  assert.equal((await servery(shop.file, ['hold', '1'])).code, 0)
  assert.match(await complete(), /^Ticket 1 of this order is held back\. Fire it first\. Next: fire 1\n$/)
  for (const act of ['fire', 'bump']) assert.equal((await servery(shop.file, [act, '1'])).code, 0)
  assert.equal((await servery(shop.file, ['order', '1', 'complete'])).code, 0)
  const refusedCredit = / Give a credit and refund it instead\. Next: credit ORD-000001 AMOUNT --reason …\n$/
  const cancel = (order: string) => servery(shop.file, ['order', order, 'cancel', '--reason', 'late\nrude'])
  assert.match((await cancel('1')).stderr, refusedCredit)
  const voided = await servery(shop.file, ['void-payment', '1', '2'])
  assert.match(voided.stderr, refusedCredit)

  await shop.order({ location_id: 1, items: [{ item_id: 1, qty: 1 }] })
  assert.equal((await cancel('2')).code, 0)
  assert.match((await servery(shop.file, ['order', '2'])).stdout, /^cancelled: late ⏎ rude$/m)
  assert.equal((await cancel('2')).stderr, 'This order is already cancelled.\n')
  const credited = await servery(shop.file, ['credit', '2', '1.00', '--reason', 'late'])
  assert.equal(credited.stderr, 'This order is cancelled, so there is nothing to credit.\n')
})

test('items lists dishes, sizes and options with their ids, or those that a text names', async t => {
  const file = freshFile(t)
  const all = await json(file, 'items')
  assert.deepEqual(
    all.value.find(({ kind, id }: { kind: string; id: number }) => kind === 'dish' && id === 2),
    {
      kind: 'dish',
      id: 2,
      title: 'Burger',
      of: 'Mains',
      price: 12.5,
      published: true,
    },
  )
  const some = await servery(file, ['items', 'latte'])
  assert.match(some.stdout, /^dish +4 {2}.*\nsize +\d+ /m)
  assert.doesNotMatch(some.stdout, /Burger/)
  assert.match((await servery(file, ['items', 'unicorn'])).stdout, /No dish, size or option is called "unicorn"/)
})

test('a location and a dish are named by their ids or by a name that nothing else has', async t => {
  const two = smallRestaurant()
  two.locations.push({ ...two.locations[0], id: 2, code: 'TWO', title: 'Another One' } as never)
  const file = freshFile(t, two)
  assert.match((await servery(file, ['availability', 'one', 'burger', 'off'])).stdout, /^Item 2 is off at location 1\./)
  assert.match((await servery(file, ['availability', 'TWO', 'urge', 'off'])).stdout, /^Item 2 is off at location 2\./)
  const several = await servery(file, ['availability', 'o', 'burger', 'off'])
  assert.equal(several.code, 1)
  assert.match(several.stderr, /"o" could be location 1 \(One, [^)]*\), 2 \(Another One, TWO\); name it by its id\./)
})

test('a time of day is the next one for --until, and the form that --json prints is accepted', async t => {
  const file = freshFile(t)
  const before = Date.now()
  const [{ until }] = (await json(file, 'availability', 'all', '1', 'off', '--until', '18:00')).value
  const ahead = Date.parse(until) - before
  assert.ok(ahead > 0 && ahead <= 86_400_000 + 60_000, until)
  assert.match(until, /T18:00:00\.000Z$/)
  const precise = '2099-11-20T12:30:07.123Z'
  assert.equal((await json(file, 'availability', 'all', '1', 'off', '--until', precise)).value[0].until, precise)
  assert.equal((await json(file, 'find', '--at', precise)).code, 0)
})

test('a number below zero is a value and no option', async t => {
  const { code, stderr } = await servery(freshFile(t), ['settings', 'set', 'orders.limit', '-1'])
  assert.equal(code, 1)
  assert.match(stderr, /orders\.limit cannot be "-1": it must be a whole number from 1/)
})

test('--json prints no control characters and no changes of direction, and means the same', async t => {
  const file = freshFile(t)
  const title = 'Casa \u009b31m \u202egnp\u202c \u007f'
  const { stdout } = await servery(file, ['settings', 'set', 'site.title', title, '--json'])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  assert.doesNotMatch(stdout, /[\u0000-\u0009\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/)
  assert.equal(JSON.parse(stdout)['site.title'], title)
})

test('an endless document is refused instead of read', { skip: !existsSync('/dev/zero') }, async t => {
  const file = freshFile(t)
  for (const args of [
    ['import', '/dev/zero'],
    ['place', '--source', 'pos', '--file', '/dev/zero'],
  ]) {
    const { code, stderr } = await servery(file, args)
    assert.deepEqual([code, stderr], [1, '/dev/zero is longer than 16 MiB, so it is not read.\n'])
  }
})

for (const [args, first, later] of [
  [['orders', '--watch'], /No orders\./, /ORD-000001/],
  [['kitchen', '--watch'], /No open tickets\./, /Ticket 1 {2}Stove/],
] as const) {
  test(`${args.join(' ')} shows what comes in, and ends with Ctrl-C and exit code 0`, async t => {
    const shop = await openShop(t, { restaurant: smallRestaurant({ stations: [{ id: 1, title: 'Stove' }] }) })
    const child = spawn(process.execPath, ['--import', 'tsx', 'cli.ts', ...args], {
      cwd: root,
      env: { ...process.env, DATABASE_FILE: shop.file },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    let shown = ''
    child.stdout.on('data', chunk => (shown += chunk))
    const shows = async (pattern: RegExp) => {
      while (!pattern.test(shown)) await once(child.stdout, 'data')
    }
    await shows(first)
    await shop.order({ location_id: 1, items: [{ item_id: 1, qty: 1 }] })
    await shows(later)
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
    assert.ok(!shown.includes('\u001b'), 'what is no terminal is not steered')
  })
}
