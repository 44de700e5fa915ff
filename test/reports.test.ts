import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { words } from '../display/cell.ts'
import { csv } from '../display/csv.ts'
import { openDatabase } from '../store/file/open.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import { reports } from '../store/reports/reports.ts'
import { openStore, type Store } from '../store/store.ts'
import type { LocationId, OrderId, StockId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { importInto } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

/** Tax excluded in New York, included in Berlin; stock at the first. */
function twoPlaces() {
  const small = smallRestaurant({
    timezone: 'America/New_York',
    service_charge_rate: 10,
    stock: [{ id: 1, title: 'Buns', on_hand: 20, recipe: [{ item: 2, qty: 1 }] }],
  })
  const berlin = {
    ...small.locations[0],
    id: 2,
    code: 'TWO',
    title: 'Two',
    currency: 'EUR',
    timezone: 'Europe/Berlin',
    tax_rate: 19,
    prices_include_tax: true,
    service_charge_rate: 0,
    stock: [],
  }
  return { ...small, locations: [...small.locations, berlin] }
}

const soup = { item_id: 1, qty: 1 }
const burger = { item_id: 2, qty: 2, modifiers: [{ modifier_id: 1, qty: 2 }, { modifier_id: 2 }] }

async function place(store: Store, body: Record<string, unknown>): Promise<OrderId> {
  const draft = parseDraft(body)
  assert.ok(!isRefused(draft))
  const placed = store.orders.place(draft, 'pos')
  assert.ok(!isRefused(placed))
  return placed.id
}

/**
 * Two days of two places: on 19 November in New York a burger for the table (charged 10 %), a soup that is cancelled, and
 * on the 20th at half past three in the night, which is still the 19th, another soup; in Berlin one soup. The burgers are
 * paid on the 19th, and a part of them is given back on the 20th.
 */
async function twoDays(file: string): Promise<void> {
  const clock = heldClock('2026-11-19T17:30Z')
  importInto(file, twoPlaces(), {}, clock)
  const store = openStore(file, { clock, create: false, busyMs: 1000 })
  const burgers = await place(store, { location_id: 1, channel: 'phone', service_mode: 'dine in', items: [burger] })
  const gone = await place(store, { location_id: 1, items: [soup] })
  await place(store, { location_id: 2, channel: 'delivery', items: [soup] })
  store.move(gone, 'cancel', { reason: '=HYPERLINK("x"), "gone"' })
  // 2 × (12.50 + 1.50 + 0.75) = 29.50; service 2.95; tax 8.25 % of 32.45 = 2.68; 35.13.
  store.payments.pay(burgers, { amount: 2000, method: 'cash' })
  store.payments.pay(burgers, { amount: 1513, method: 'card' })
  store.move(burgers, 'complete')
  clock.set('2026-11-20T08:30Z')
  await place(store, { location_id: 1, channel: 'phone', items: [soup] })
  clock.set('2026-11-20T18:00Z')
  store.payments.credit(burgers, { amount: 300, note: 'cold' })
  store.payments.refund(burgers, { amount: 300, method: 'cash' })
  store.shelf.change(1 as StockId, 'waste', 1_000_000, 'fell')
  store.close()
}

async function shown(file: string, name: string, ...args: string[]) {
  const { code, stdout, stderr } = await servery(file, ['report', name, ...args, '--json'])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout).rows as Record<string, unknown>[]
}

test('the summary of a day shows, for each currency, sales, cancelled orders separately, and both sides of the ledger', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  await twoDays(file)
  const [euro, dollar, ...others] = await shown(file, 'summary', '--from', '2026-11-19', '--to', '2026-11-19')
  assert.deepEqual(others, [])
  assert.deepEqual(
    [euro?.currency, euro?.orders, euro?.subtotal, euro?.tax_added, euro?.tax, euro?.total, euro?.days_balance],
    ['EUR', 1, 6, 0, 0.96, 6, 6],
  )
  // The soup of the night: 6.00 and 8.25 % of it, 0.50.
  assert.deepEqual(dollar, {
    currency: 'USD',
    orders: 2,
    subtotal: 35.5,
    discounts: 0,
    service_charge: 2.95,
    delivery_fee: 0,
    tax_added: 3.18,
    total: 41.63,
    tax: 3.18,
    average: 20.82,
    cancelled_orders: 1,
    cancelled_total: 6.5,
    orders_charges: 48.13,
    orders_adjustments: 0,
    orders_charge_voids: -6.5,
    orders_credits: -3,
    orders_payments: -35.13,
    orders_payment_voids: 0,
    orders_refunds: 3,
    orders_balance: 6.5,
    days_charges: 48.13,
    days_adjustments: 0,
    days_charge_voids: -6.5,
    days_credits: 0,
    days_payments: -35.13,
    days_payment_voids: 0,
    days_refunds: 0,
    days_balance: 6.5,
  })
  const [next] = await shown(file, 'summary', '--from', '2026-11-20', '--to', '2026-11-20')
  assert.deepEqual([next?.orders, next?.days_credits, next?.days_refunds], [0, -3, 3])

  const { stdout } = await servery(file, [
    'report',
    'summary',
    '--from',
    '2026-11-19',
    '--to',
    '2026-11-19',
    '--location',
    'one',
  ])
  assert.match(stdout, /^Summary, 2026-11-19, location 1\n\nUSD\nOrders +2\nSubtotal +35\.50\n/)
  assert.match(stdout, /\nCancelled +6\.50 {2}in 1 order\n/)
  assert.match(stdout, /\nCredits +-3\.00 +0\.00\n/)
  assert.doesNotMatch(stdout, /EUR/)
})

test('every report shows its part of the day', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  await twoDays(file)
  const of = async (name: string, ...keys: string[]) =>
    (await shown(file, name, '--from', '2026-11-19', '--to', '2026-11-20', '--location', '1')).map(row =>
      keys.map(key => row[key]),
    )
  assert.deepEqual(await of('days', 'date', 'orders', 'total'), [['2026-11-19', 2, 41.63]])
  assert.deepEqual(await of('hours', 'hour', 'orders'), [
    ['12:00', 1],
    ['03:00', 1],
  ])
  assert.deepEqual(await of('channels', 'channel', 'orders', 'total'), [['phone', 2, 41.63]])
  assert.deepEqual(await of('modes', 'mode', 'orders'), [
    ['dine_in', 1],
    ['none', 1],
  ])
  assert.deepEqual(await of('items', 'item_id', 'variation_id', 'name', 'lines', 'qty', 'amount'), [
    [2, null, 'Burger', 1, 2, 29.5],
    [1, null, 'Soup', 1, 1, 6],
  ])
  assert.deepEqual(await of('modifiers', 'modifier_id', 'title', 'group', 'qty', 'free', 'amount'), [
    [null, 'the dishes themselves', null, 3, 0, 31],
    [1, 'Egg', 'Extras', 4, 2, 3],
    [2, 'Cheese', 'Extras', 2, 0, 1.5],
  ])
  assert.deepEqual(await of('tax', 'rate', 'prices', 'orders', 'net', 'untaxed', 'tax', 'total'), [
    [8.25, 'exclude tax', 2, 38.45, 0, 3.18, 41.63],
  ])
  assert.deepEqual(await of('payments', 'method', 'count', 'payments', 'voided', 'refunded', 'taken'), [
    ['cash', 1, 20, 0, 3, 17],
    ['card', 1, 15.13, 0, 0, 15.13],
  ])
  assert.deepEqual(await of('cancelled', 'order_number', 'date', 'total'), [['ORD-000002', '2026-11-19', 6.5]])
  assert.deepEqual(await of('stock', 'title', 'counted', 'sold', 'wasted', 'change', 'on_hand'), [
    ['Buns', 20, 2, 1, 17, 17],
  ])
})

test('an order with two rates of tax is in the row of each, and the total line does not add up the orders', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  const restaurant = smallRestaurant(
    { tax_rate: 20, tax_rates: [{ tax_class: 1, rate: 10 }] },
    {
      tax_classes: [{ id: 1, title: 'Food' }],
      categories: [
        { id: 1, title: 'Food', tax_class: 1, items: [{ id: 1, title: 'Soup', price: 6 }] },
        { id: 2, title: 'Drinks', items: [{ id: 2, title: 'Wine', price: 4 }] },
      ],
    },
  )
  const clock = heldClock('2026-11-19T17:30Z')
  importInto(file, restaurant, {}, clock)
  const store = openStore(file, { clock, create: false, busyMs: 1000 })
  await place(store, { location_id: 1, items: [soup, { item_id: 2, qty: 1 }] })
  store.close()
  const { stdout } = await servery(file, ['report', 'tax', '--from', '2026-11-19', '--to', '2026-11-19'])
  assert.match(stdout, /^exclude tax +10 +1 +6\.00 +0\.00 +0\.60 +6\.60$/m)
  assert.match(stdout, /^exclude tax +20 +1 +4\.00 +0\.00 +0\.80 +4\.80$/m)
  assert.match(stdout, /^Total +10\.00 +0\.00 +1\.40 +11\.40$/m)
})

test('CSV is a table with one header, plain decimals and no formulas', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  await twoDays(file)
  const dates = ['--from', '2026-11-19', '--to', '2026-11-20']
  const { stdout } = await servery(file, ['report', 'cancelled', ...dates, '--csv'])
  assert.equal(
    stdout,
    'currency,order_number,order_id,date,location_id,channel,mode,reason,total\r\n' +
      `USD,ORD-000002,2,2026-11-19,1,web,,"'=HYPERLINK(""x""), ""gone""",6.50\r\n`,
  )
  const summary = await servery(file, ['report', 'summary', ...dates, '--csv'])
  const [header = '', ...lines] = summary.stdout.split('\r\n')
  assert.deepEqual(
    lines.map(line => line.slice(0, 3)),
    ['EUR', 'USD', ''],
  )
  for (const line of lines.slice(0, 2)) assert.equal(line.split(',').length, header.split(',').length)
  assert.match(lines[1] ?? '', /,-35\.13,/)
  const empty = await servery(file, ['report', 'items', '--from', '2020-01-01', '--to', '2020-01-01', '--csv'])
  assert.equal(empty.stdout, 'currency,name,item_id,variation_id,lines,qty,amount\r\n')
})

test('a text that a spreadsheet would take for a formula is marked as text', () => {
  const told = (value: string) => csv(['x'], [[words(value)]]).slice(3)
  for (const value of ['=1+1', '+1', '-1', '@SUM(A1)', '  =1', '＝1', '＠x']) {
    assert.equal(told(value), `'${value}`, JSON.stringify(value))
  }
  assert.equal(told('\tx'), `"'\tx"`)
  assert.equal(told('\t=1'), `"'\t'=1"`)
  assert.equal(told('\r=1'), `"'\r'=1"`)
  assert.equal(told('a,b'), '"a,b"')
  assert.equal(told('a "b"'), '"a ""b"""')
  assert.equal(told('two\nlines'), '"two\nlines"')
  for (const value of ['Soup', 'a=b', '5-6', '', 'Café Olé 🍕']) assert.equal(told(value), value)
})

test('a text with a semicolon or a tab is quoted, and starts no formula where that separates cells', () => {
  const told = (value: string) => csv(['x', 'y'], [[words('1'), words(value)]]).slice(7)
  assert.equal(told('salt; pepper'), '"salt; pepper"')
  assert.equal(told('salt\tpepper'), '"salt\tpepper"')
  for (const separator of [';', '; ', '\t', '\n']) {
    for (const start of ['=1+1', '+1', '-1', '@SUM(A1)', '＝1']) {
      assert.equal(told(`x${separator}${start}`), `"x${separator}'${start}"`, JSON.stringify(separator + start))
    }
  }
})

test('a report without dates covers today at the location', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, smallRestaurant())
  const { stdout } = await servery(file, ['report', 'items', '--json'])
  const { from, to, rows } = JSON.parse(stdout)
  assert.match(from, /^\d{4}-\d\d-\d\d$/)
  assert.ok(Math.abs(Date.parse(from) - Date.now()) < 2.5 * 86_400_000)
  assert.deepEqual([to, rows], [from, []])
  assert.match((await servery(file, ['report', 'items'])).stdout, /^Items sold, .*\n\nNothing\.\n$/)
})

test('a report with --from alone goes until today', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, smallRestaurant())
  const today = JSON.parse((await servery(file, ['report', 'items', '--json'])).stdout).from
  const { stdout } = await servery(file, ['report', 'items', '--from', '2026-01-01', '--json'])
  const { from, to } = JSON.parse(stdout)
  assert.deepEqual([from, to], ['2026-01-01', today])
})

test('a wrong call of report is refused with the reason', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, smallRestaurant())
  for (const args of [[], ['sales'], ['locations'], ['days', 'x'], ['days', '--to', '2026-11-20']]) {
    assert.equal((await servery(file, ['report', ...args])).code, 2, args.join(' '))
  }
  for (const [args, why] of [
    [['--from', '2026-02-30'], /"2026-02-30" is not a date/],
    [['--from', 'today'], /is not a date/],
    [['--from', '2026-02-10', '--to', '2026-02-09'], /2026-02-09 is before 2026-02-10/],
    [['--from', '2026-02-10', '--location', '7'], /There is no location 7/],
    [['--from', '2026-02-10', '--location', 'x'], /There is no location "x"/],
    [['--from', '2999-01-01'], /is before 2999-01-01/],
  ] as const) {
    const { code, stderr } = await servery(file, ['report', 'days', ...args])
    assert.equal(code, 1)
    assert.match(stderr, why)
  }
})

test('stock moved in the repeated hour of a clock change belongs to the date on the wall clock', t => {
  const file = join(temporaryFolder(t), 'test.db')
  const clock = heldClock('2026-10-24T10:00Z')
  const place = { timezone: 'Europe/Berlin', day_starts_at: '02:30', stock: [{ id: 1, title: 'Eggs' }] }
  importInto(file, smallRestaurant(place), {}, clock)
  const store = openStore(file, { clock, create: false, busyMs: 1000 })
  t.after(() => store.close())
  // 02:29, 02:31, and after the clock was put back 02:01 and 02:31 once more.
  for (const [at, eggs] of [
    ['2026-10-25T00:29Z', 1],
    ['2026-10-25T00:31Z', 10],
    ['2026-10-25T01:01Z', 100],
    ['2026-10-25T01:31Z', 1000],
  ] as const) {
    clock.set(at)
    assert.equal(store.shelf.change(1 as StockId, 'add', eggs * 1_000_000, null), undefined)
  }
  const delivered = (from: string, to: string) =>
    store.reports.stock({ from, to, locationId: null }).map(row => row.delivered / 1_000_000)
  assert.deepEqual(delivered('2026-10-24', '2026-10-24'), [101])
  assert.deepEqual(delivered('2026-10-25', '2026-10-25'), [1010])
  assert.deepEqual(delivered('2026-10-24', '2026-10-25'), [1111])
})

test('a report of one day reads only its orders, entries and movements, through indexes', t => {
  const db = openDatabase(join(temporaryFolder(t), 'test.db'), { create: true, busyMs: 100 })
  t.after(() => db.close())
  const statements: string[] = []
  const prepare = db.prepare.bind(db)
  db.prepare = ((sql: string) => {
    statements.push(sql)
    return prepare(sql)
  }) as typeof db.prepare
  reports(db, Date.now)
  db.prepare = prepare

  const large = /\b(orders|order_line|ledger|stock_movement)\b/
  const used = new Set<string>()
  const aboutOrders = statements.filter(sql => large.test(sql))
  assert.ok(aboutOrders.length >= 13)
  for (const sql of aboutOrders) {
    const period = { from: '2026-11-19', to: '2026-11-19', until: 0, locationId: 1 as LocationId, channel: null }
    const parameters = sql.includes('@') ? [period] : [1]
    const plan = prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters)
    const steps = plan.map(({ detail }) => detail).filter(detail => large.test(detail.replace(/USING.*/, '')))
    for (const step of steps) assert.doesNotMatch(step, /^SCAN/, `${step}\n${sql}`)
    // One row by its id, such as the name of a dish.
    if (!sql.includes('@')) continue
    // The first table is read by the date, and all others by what it leads to.
    assert.match(steps[0] ?? '', /USING (COVERING )?INDEX (orders_by_day|ledger_by_day|stock_movement_by_time) \(/, sql)
    for (const { detail } of plan) for (const [name] of detail.matchAll(/\w+_by_\w+/g)) used.add(name)
  }
  assert.deepEqual([...used].sort(), [
    'activity_by_order',
    'ledger_by_day',
    'order_line_by_order',
    'orders_by_day',
    'stock_movement_by_time',
  ])
})
