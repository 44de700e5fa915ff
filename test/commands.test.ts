import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { parseDraft } from '../store/ordering/draft.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { restaurantFileIn, runToEnd, servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { importInto, openShop, switchedOn } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'
import { goodOrder } from './support/wire.ts'

function freshFile(t: TestContext, restaurant: unknown = smallRestaurant()): string {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, restaurant)
  return file
}

async function json(file: string, ...args: string[]) {
  const { code, stdout, stderr } = await servery(file, [...args, '--json'])
  return { code, value: JSON.parse(stdout), stderr }
}

const burger = { item_id: 2, qty: 2, modifiers: [{ modifier_id: 1, qty: 2 }] }

test('a wrong call prints the usage and exits with 2', async t => {
  const file = freshFile(t)
  const wrong = [
    [],
    ['bogus'],
    ['constructor'],
    ['import'],
    ['import', 'a', 'b'],
    ['export', 'x'],
    ['check', '--check'],
    ['settings', 'set', 'site.title'],
    ['settings', 'get'],
    ['token', 'x'],
    ['availability', '1'],
    ['availability', '1', '1', 'maybe'],
    ['availability', '1', '1', 'on', '--until', '2030-01-01 10:00'],
    ['orders', '--last', '0'],
    ['orders', '--last'],
    ['order'],
    ['order', 'first'],
    ['find'],
    ['backup'],
    ['doctor', '--fast'],
  ]
  for (const args of wrong) {
    const { code, stdout, stderr } = await servery(file, args)
    assert.equal(code, 2, args.join(' '))
    assert.equal(stdout, '')
    assert.match(stderr, /Usage: npm run -s servery --/, args.join(' '))
  }
  const { code, stdout } = await servery(file, ['help'])
  assert.equal(code, 0)
  assert.match(stdout, /availability \[LOCATION\|all ITEM on\|off/)
})

test('a command on a missing file says so and creates none', async t => {
  const file = join(temporaryFolder(t), 'none.db')
  for (const args of [['orders'], ['settings'], ['export'], ['availability'], ['backup', `${file}.copy`]]) {
    const { code, stderr } = await servery(file, args)
    assert.equal(code, 1, args.join(' '))
    assert.match(stderr, /There is no database at .*none\.db/)
  }
  const examined = await json(file, 'doctor')
  assert.equal(examined.code, 1)
  assert.equal(examined.value.problems[0].pointer, '/file')
  assert.equal(existsSync(file), false)
})

test('settings are shown with their defaults and set one by one; a wrong value is refused with the reason', async t => {
  const file = join(temporaryFolder(t), 'new', 'test.db')
  const set = await json(file, 'settings', 'set', 'site.title', 'Casa Nova')
  assert.equal(set.code, 0)
  assert.deepEqual(set.value, {
    'api.module_enabled': 'off',
    'api.enabled': 'off',
    'site.timezone': 'UTC',
    'site.title': 'Casa Nova',
    'orders.only_when_open': 'off',
    'kitchen.when_paid': 'none',
    'board.minutes': '10',
    'orders.limit': '60',
    'orders.limit_window_s': '300',
    'backup.hour': 'off',
    'backup.kept': '30',
    'guests.storefront': 'off',
    'guests.qr': 'off',
    'guests.kiosk': 'off',
    'guests.confirm_first': 'on',
    'guests.cancel_minutes': '0',
    'guests.upsell': '',
    'kitchen.language': 'en',
    'kitchen.slow_minutes': '8',
    'kitchen.late_minutes': '15',
    'stock.deplete_at': 'placed',
  })
  const bad = [
    ['api.enabled', 'yes', /on or off/],
    ['site.timezone', 'Europe/Porto', /time zone/],
    ['site.timezone', '+01:00', /time zone/],
    ['site.title', ' ', /empty/],
    ['orders.limit', '0', /whole number from 1/],
    ['orders.limit', '1.5', /whole number/],
    ['orders.limit_window_s', '-1', /whole number/],
    ['orders.maximum', '5', /There is no setting orders\.maximum/],
    ['__proto__', '5', /There is no setting/],
  ] as const
  for (const [key, value, reason] of bad) {
    const { code, stderr } = await servery(file, ['settings', 'set', '--', key, value])
    assert.equal(code, 1, `${key} ${value}`)
    assert.match(stderr, reason)
  }
  assert.deepEqual((await json(file, 'settings')).value, set.value)
})

test('a running server sees every change by a command at its next request', async t => {
  const shop = await openShop(t)
  const off = await servery(shop.file, ['settings', 'set', 'api.enabled', 'off'])
  assert.equal(off.code, 0)
  assert.equal((await shop.get('/locations')).body.errors[0].code, 'API_DISABLED')
  await servery(shop.file, ['settings', 'set', 'api.enabled', 'on'])
  assert.equal((await shop.get('/locations')).status, 200)

  const made = await json(shop.file, 'token')
  assert.match(made.value.token, /^svy_[\w-]{43}$/)
  assert.equal((await shop.get('/locations')).status, 401)
  const headers = { Authorization: `Bearer ${made.value.token}` }
  assert.equal((await shop.get('/locations', headers)).status, 200)

  await servery(shop.file, ['availability', '1', '2', 'off'])
  const hidden = await shop.get('/locations/1/menu', headers)
  assert.deepEqual(
    hidden.body.data.categories[0].items.map(({ id }: { id: number }) => id),
    [1, 3],
  )
  const refusedOrder = await shop.order({ location_id: 1, items: [burger] }, headers)
  assert.equal(refusedOrder.body.errors[0].title, 'One of the items is no longer available.')

  const path = restaurantFileIn(temporaryFolder(t), smallRestaurant({ title: 'Uno' }))
  assert.equal((await servery(shop.file, ['import', path])).code, 0)
  assert.equal((await shop.get('/locations', headers)).body.data[0].title, 'Uno')

  await servery(shop.file, ['settings', 'set', 'site.timezone', 'Asia/Tokyo'])
  const placed = await shop.order({ location_id: 1, items: [{ item_id: 1, qty: 1 }] }, headers)
  const [row] = shop.rows('SELECT placed_at FROM orders')
  const tokyo = new Date(Number(row?.placed_at) + 9 * 3_600_000).toISOString()
  assert.equal(placed.body.data.placed_at, tokyo.slice(0, 19).replace('T', ' '))
})

test('an 86 takes a dish off at one location or everywhere, is listed, and ends by command or at its time', async t => {
  const clock = heldClock('2026-11-20T12:00:00Z')
  const two = smallRestaurant()
  two.locations.push({ ...two.locations[0], id: 2, code: 'TWO', title: 'Two', timezone: 'Europe/Berlin' } as never)
  const shop = await openShop(t, { restaurant: two, clock })
  const soupAt = async (location: number) => {
    const { body } = await shop.get(`/locations/${location}/menu`)
    return body.data.categories[0].items.some(({ id }: { id: number }) => id === 1)
  }
  await servery(shop.file, ['availability', '1', '1', 'off'])
  assert.deepEqual([await soupAt(1), await soupAt(2)], [false, true])
  await servery(shop.file, ['availability', 'all', '1', 'off'])
  assert.deepEqual([await soupAt(1), await soupAt(2)], [false, false])

  const stillOff = await servery(shop.file, ['availability', '1', '1', 'on'])
  assert.match(stillOff.stdout, /It is still off everywhere/)
  assert.deepEqual([await soupAt(1), await soupAt(2)], [false, false])
  await servery(shop.file, ['availability', 'all', '1', 'on'])
  assert.deepEqual([await soupAt(1), await soupAt(2)], [true, true])

  // 13:30 on the wall in Berlin, whose branch it is, is half past twelve UTC. The command's clock is the real one.
  const until = '2099-11-20 13:30'
  const timed = await json(shop.file, 'availability', '2', '1', 'off', '--until', until)
  assert.deepEqual(
    timed.value.map(({ since, ...entry }: { since: string }) => ({ ...entry, since: typeof since })),
    [
      {
        location_id: 2,
        item_id: 1,
        variation_id: null,
        modifier_id: null,
        title: 'Soup',
        of: null,
        until: '2099-11-20T12:30:00.000Z',
        since: 'string',
        by: userInfo().username,
      },
    ],
  )
  assert.equal(await soupAt(2), false)
  clock.set('2099-11-20T12:29:59.999Z')
  assert.equal(await soupAt(2), false)
  clock.set('2099-11-20T12:30:00Z')
  assert.equal(await soupAt(2), true)
})

test('an 86 for an unknown item or location, or until a time in the past, is refused', async t => {
  const file = freshFile(t)
  const bad = [
    [['availability', '1', '99', 'off'], /There is no item 99/],
    [['availability', '9', '1', 'off'], /There is no location 9/],
    [['availability', '1', '1', 'off', '--until', '2020-01-01 10:00'], /already passed/],
    [['availability', '1', '1', 'off', '--until', 'tomorrow'], /"tomorrow" is not a time/],
    [['availability', '1', '1', 'off', '--until', '2099-02-30 10:00'], /is not a time/],
  ] as const
  for (const [args, reason] of bad) {
    const { code, stderr } = await servery(file, [...args])
    assert.equal(code, 1)
    assert.match(stderr, reason)
  }
  assert.deepEqual((await json(file, 'availability')).value, [])
})

test('orders and order show an API order and how its total is made up, line by line', async t => {
  const shop = await openShop(t, {
    restaurant: smallRestaurant({
      service_charge_rate: 10,
      promotions: [{ id: 1, title: 'Lunch', percent: 10, channel: 'phone' }],
    }),
  })
  const first = await shop.order({ location_id: 1, items: [{ item_id: 4, variation_id: 2, qty: 0.5 }] })
  const second = await shop.order({
    location_id: 1,
    channel: 'phone',
    service_mode: 'dine in',
    notes: 'table 4',
    customer: { name: 'Ana', phone: '+351 910 000 001' },
    items: [{ ...burger, notes: 'rare' }],
  })
  const listed = await json(shop.file, 'orders', '--last', '5')
  assert.deepEqual(
    listed.value.map(({ id }: { id: number }) => id),
    [2, 1],
  )
  assert.deepEqual((await json(shop.file, 'orders', '--last', '1')).value.length, 1)

  const { value } = await json(shop.file, 'order', 'ORD-000002')
  const { items, source, mode, customer, promotion, ...order } = value
  for (const [field, told] of Object.entries(second.body.data)) {
    if (field !== 'items') assert.deepEqual(order[field], told, field)
  }
  assert.deepEqual(items[0].modifiers, [{ modifier_id: 1, title: 'Egg', qty: 2, free: 1, price: 1.5 }])
  assert.deepEqual(
    [source, mode, customer.name, promotion],
    ['api', 'dine_in', 'Ana', { id: 1, title: 'Lunch', percent: 10 }],
  )
  assert.deepEqual((await json(shop.file, 'order', '1')).value.grand_total, first.body.data.grand_total)

  // 2 × (12.50 + 1.50) = 28.00; 10 % off 2.80; net 25.20; service 2.52; tax 8.25 % of 27.72 = 2.29.
  const { stdout } = await servery(shop.file, ['order', '2'])
  for (const line of [
    /2 × Burger +2 × \(12\.50 \+ 1\.50\) +28\.00/,
    /\+ 2 × Egg +1 × 1\.50, 1 free/,
    /Discount +"Lunch", 10 % of 28\.00 +-2\.80/,
    /Service charge +10 % of 25\.20 +2\.52/,
    /Tax +8\.25 % of 27\.72 +2\.29/,
    /Grand total +30\.01 USD/,
    /for Ana, \+351 910 000 001/,
    /"table 4"/,
    /"rare"/,
  ]) {
    assert.match(stdout, line)
  }
  const missing = await servery(shop.file, ['order', 'ORD-000009'])
  assert.deepEqual([missing.code, missing.stderr], [1, 'There is no order ORD-000009.\n'])
})

test('find searches past any number of newer orders', async t => {
  const shop = await openShop(t)
  const draft = (phone: string) => {
    const draft = parseDraft({ ...goodOrder, customer: { phone } })
    assert.ok(!isRefused(draft))
    return draft
  }
  const place = (phone: string) => shop.writer.place({ draft: draft(phone), source: 'api', bucket: null })
  await place('+351 912 345 678')
  await Promise.all(Array.from({ length: 1001 }, () => place('5550100')))
  assert.equal((await json(shop.file, 'find', '--phone', '345678')).value[0].id, 1)
  assert.deepEqual((await json(shop.file, 'find', '--phone', '000000')).value, [])
  assert.equal((await json(shop.file, 'find', '--phone', '0100')).value.length, 100)
})

test('find lists the recent orders that match every given criterion', async t => {
  const clock = heldClock('2026-11-20T19:42:30Z')
  const shop = await openShop(t, { clock })
  await shop.order({ location_id: 1, customer: { phone: '(212) 555-0101' }, items: [{ item_id: 2, qty: 1 }] })
  clock.pass(3_600_000)
  await shop.order({ location_id: 1, customer: { phone: '212 555 0102' }, items: [{ item_id: 2, qty: 1 }] })
  await shop.order({ location_id: 1, items: [{ item_id: 4, variation_id: 2, qty: 1 }] })

  const found = async (...args: string[]) => {
    const { value } = await json(shop.file, 'find', ...args)
    return value.map(({ id }: { id: number }) => id)
  }
  assert.deepEqual(await found('--at', '2026-11-20 19:42'), [1])
  assert.deepEqual(await found('--at', '2026-11-20T15:47-04:00'), [1])
  assert.deepEqual(await found('--at', '2026-11-20 19:36'), [])
  assert.deepEqual(await found('--total', '13.53'), [2, 1])
  assert.deepEqual(await found('--total', '13.53', '--phone', '5550101'), [1])
  assert.deepEqual(await found('--phone', '+1 212-555-0102'), [])
  assert.deepEqual(await found('--phone', '555-0102'), [2])
  assert.deepEqual(await found('--item', 'latte'), [3])
  assert.deepEqual(await found('--item', '2'), [2, 1])
  assert.deepEqual(await found('--item', 'latte', '--total', '13.53'), [])

  for (const args of [
    ['--at', 'noon'],
    ['--total', 'ten'],
    ['--phone', 'none'],
  ]) {
    assert.equal((await servery(shop.file, ['find', ...args])).code, 1, args.join(' '))
  }
})

test('backup writes a consistent copy while the server runs, readable by its owner alone, and never overwrites a file', async t => {
  const shop = await openShop(t, { settings: { 'orders.limit': '100000' } })
  const target = join(temporaryFolder(t), 'copy.db')
  let isDone = false
  const ordering = (async () => {
    while (!isDone) assert.equal((await shop.order({ location_id: 1, items: [burger] })).status, 201)
  })()
  const made = await json(shop.file, 'backup', target)
  isDone = true
  await ordering
  assert.deepEqual([made.code, made.value], [0, { file: target }])
  assert.equal(statSync(target).mode & 0o777, 0o600)

  const copy = new Database(target, { readonly: true })
  assert.equal(copy.pragma('integrity_check', { simple: true }), 'ok')
  const { orders, lines } = copy
    .prepare<[], { orders: number; lines: number }>(
      'SELECT (SELECT count(*) FROM orders) AS orders, (SELECT count(*) FROM order_line) AS lines',
    )
    .get() ?? { orders: -1, lines: -2 }
  copy.close()
  assert.equal(orders, lines)

  const before = readFileSync(target)
  const again = await servery(shop.file, ['backup', target])
  assert.equal(again.code, 1)
  assert.match(again.stderr, /never overwrites/)
  assert.deepEqual(readFileSync(target), before)
  assert.equal(existsSync(`${target}.partial`), false)
  assert.match((await servery(shop.file, ['backup', '/nowhere/copy.db'])).stderr, /There is no folder/)
})

test('a backup can be served, with the same orders and the same token', async t => {
  const file = freshFile(t)
  const target = join(temporaryFolder(t), 'copy.db')
  await servery(file, ['settings', 'set', 'site.title', 'Before'])
  await servery(file, ['backup', target])
  assert.equal((await json(target, 'settings')).value['site.title'], 'Before')
  assert.equal((await json(target, 'doctor')).code, 0)
})

test('doctor reports nothing for a sound file, and the problems of a bad one', async t => {
  const file = freshFile(t)
  const good = await json(file, 'doctor')
  assert.deepEqual([good.code, good.value], [0, { problems: [], warnings: [] }])

  const db = new Database(file)
  db.pragma('foreign_keys = OFF')
  db.exec(`UPDATE location SET timezone = 'Mars/Olympus'; INSERT INTO item_allergen VALUES (1, 99, 'contains', 5)`)
  db.exec(`INSERT INTO orders (id, number, location_id, source, channel, status, currency, exponent, subtotal_minor,
    discount_minor, service_charge_minor, delivery_fee_minor, tax_minor, grand_total_minor, prices_include_tax,
    service_charge_ppm, service_charge_taxable, delivery_fee_taxable, placed_at, business_date)
    VALUES (1, 1, 1, 'api', 'web', 'placed', 'USD', 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9999999999999, '2286-11-20')`)
  db.close()
  const bad = await json(file, 'doctor')
  assert.equal(bad.code, 1)
  const pointers = bad.value.problems.map(({ pointer }: { pointer: string }) => pointer)
  for (const pointer of ['/file/integrity', '/clock', '/timezones']) assert.ok(pointers.includes(pointer), pointer)
  assert.match(bad.stderr, /set the clock right/)
})

test('a file that is newer, foreign or not a database is refused and left untouched, with advice', async t => {
  const folder = temporaryFolder(t)
  const newer = freshFile(t)
  const db = new Database(newer)
  db.pragma('user_version = 99')
  db.close()
  const foreign = join(folder, 'foreign.db')
  const other = new Database(foreign)
  other.exec('CREATE TABLE recipe (id INTEGER)')
  other.close()
  const text = join(folder, 'text.db')
  writeFileSync(text, 'not a database at all, just some words that somebody wrote down '.repeat(20))
  mkdirSync(join(folder, 'folder.db'))
  const cases = [
    [newer, /newer version of Servery/],
    [foreign, /another program/],
    [text, /is not a database/],
    [join(folder, 'folder.db'), /cannot be opened/],
  ] as const
  for (const [file, reason] of cases) {
    const before = statSync(file).isFile() ? readFileSync(file) : undefined
    for (const args of [['orders'], ['token'], ['settings', 'set', 'api.enabled', 'on']]) {
      const { code, stderr } = await servery(file, args)
      assert.equal(code, 1, `${file} ${args}`)
      assert.match(stderr, reason)
      assert.doesNotMatch(stderr, /\n\s+at /)
    }
    if (before) assert.deepEqual(readFileSync(file), before)
  }
})

test('a new database file and its -wal and -shm files are readable by their owner alone', async t => {
  const shop = await openShop(t, { settings: switchedOn })
  await shop.order({ location_id: 1, items: [burger] })
  for (const name of [shop.file, `${shop.file}-wal`, `${shop.file}-shm`]) {
    assert.equal(statSync(name).mode & 0o777, 0o600, name)
  }
})

test('commands report problems of the environment, too', async t => {
  const { code, stderr } = await servery(freshFile(t), ['orders'], { environment: { PORT: 'x', BASE_PATH: 'shop/' } })
  assert.equal(code, 1)
  assert.match(stderr, /PORT must be[\s\S]*BASE_PATH must be/)
})

test('a guest’s text can neither control the terminal nor imitate a line of output', async t => {
  const shop = await openShop(t)
  const notes = 'hot\u001b[31m\nGrand total  0.00 USD\u202e'
  await shop.order({ location_id: 1, notes, customer: { name: 'Ana\u001b]0;x\u0007' }, items: [{ ...burger, notes }] })
  for (const args of [['order', '1'], ['orders'], ['find', '--item', 'burger']]) {
    const { code, stdout } = await servery(shop.file, args)
    assert.equal(code, 0)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]|^Grand total {2}0\.00/m)
  }
  assert.equal((await json(shop.file, 'order', '1')).value.notes, notes)
})

test('find says when there are more matches than it shows', async t => {
  const shop = await openShop(t, { settings: { 'orders.limit': '1000' } })
  for (let i = 0; i < 101; i++) await shop.order({ location_id: 1, items: [{ item_id: 1, qty: 1 }] })
  const { stdout } = await servery(shop.file, ['find', '--item', '1'])
  assert.match(stdout, /These are the newest 100, and there are more/)
  assert.equal((await json(shop.file, 'find', '--item', '1')).value.length, 100)
})

test('find covers both hours that the wall clock shows when it is put back', async t => {
  const clock = heldClock('2026-10-25T00:30:00Z')
  const shop = await openShop(t, { clock, settings: { 'site.timezone': 'Europe/Lisbon' } })
  const at = []
  for (const _ of [1, 2]) {
    at.push((await shop.order({ location_id: 1, items: [{ item_id: 1, qty: 1 }] })).body.data.placed_at)
    clock.pass(3_600_000)
  }
  assert.deepEqual(at, ['2026-10-25 01:30:00', '2026-10-25 01:30:00'])
  assert.equal((await json(shop.file, 'find', '--at', '2026-10-25 01:30')).value.length, 2)
})

test('a second server on the same file is refused, also under a link to it', async t => {
  const shop = await openShop(t)
  const link = join(temporaryFolder(t), 'link.db')
  symlinkSync(shop.file, link)
  const { code, stderr } = await runToEnd(['server.ts'], { DATABASE_FILE: link, PORT: '0' })
  assert.equal(code, 1)
  assert.match(stderr, /Another Servery is already serving/)
})

test('/healthz fails once the file has been moved or replaced, because later writes would be lost', async t => {
  const shop = await openShop(t)
  const health = async () => (await fetch(`${shop.url}/healthz`)).status
  assert.equal(await health(), 200)
  renameSync(shop.file, `${shop.file}.moved`)
  assert.equal(await health(), 500)
  renameSync(`${shop.file}.moved`, shop.file)
  assert.equal(await health(), 200)
})

test('a blank reason or reference is refused by every command', async t => {
  const shop = await openShop(t)
  await shop.order({ location_id: 1, items: [{ item_id: 1, qty: 1 }] })
  const calls = [
    ['order', '1', 'cancel', '--reason', '  '],
    ['pay', '1', '1', '--method', 'cash', '--ref', ''],
    ['credit', '1', '1', '--reason', 'x'.repeat(201)],
  ]
  for (const call of calls) {
    const { code, stderr } = await servery(shop.file, call)
    assert.equal(code, 1, call.join(' '))
    assert.match(stderr, /^The (reason|reference) (must not be empty|must have at most 200 characters)\.\n$/)
  }
  assert.equal((await json(shop.file, 'order', '1')).value.status, 'placed')
})

test('doctor reports it when a trigger that keeps the ledger append-only is missing', async t => {
  const file = freshFile(t)
  const db = new Database(file)
  db.exec('DROP TRIGGER ledger_is_never_changed')
  db.close()
  const { code, value } = await json(file, 'doctor')
  assert.equal(code, 1)
  assert.match(JSON.stringify(value.problems), /lacks the trigger ledger_is_never_changed/)
})
