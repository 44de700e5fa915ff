import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import fc from 'fast-check'
import { methods } from '../store/ledger/ledger.ts'
import type { OrderId, TicketId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { orderOf, pizza, pizzeria, salad, water } from './support/pizzeria.ts'
import { why } from './support/refusals.ts'
import { importInto, openShop, type Shop } from './support/shop.ts'

const first = 1 as OrderId
const nothing = { name: undefined, phone: undefined, email: undefined }
const asItIs = { remove: [], add: [], notes: undefined, customer: nothing, discount: undefined }

/** Pizza for 26.69 and salad for 5.00, and 8.25 % tax on top: 34.30 together. */
const taxed = (more: Record<string, unknown> = {}) =>
  pizzeria({ tax_rate: 8.25, items: [{ id: 1, price: 26.69 }], stations: [], routing: [], stock: [], ...more })

function accountOf(shop: Shop, id = 1): unknown[] {
  return shop
    .rows('SELECT kind, amount_minor AS amount FROM ledger WHERE order_id = ? ORDER BY entry', id)
    .map(({ kind, amount }) => [kind, amount])
}

test('an account adds up from the charge of 34.30 to a credit on the next day', async t => {
  const clock = heldClock('2026-11-20T18:00:00Z')
  const shop = await openShop(t, { restaurant: taxed(), clock })
  const { store } = shop
  const { pay, refund, credit, voidPayment, standing } = store.payments
  const { body } = await shop.order(orderOf(pizza(), salad))
  assert.equal(body.data.grand_total, 34.3)

  assert.ok(!isRefused(pay(first, { amount: 2000, method: 'cash' })))
  assert.ok(!isRefused(pay(first, { amount: 1430, method: 'card' })))
  assert.ok(!isRefused(voidPayment(first, 3)))
  assert.equal(standing(first).balance, 1430)
  assert.ok(!isRefused(pay(first, { amount: 1430, method: 'card' })))
  const edited = store.edit(first, { ...asItIs, remove: [body.data.items[1].id] })
  assert.ok(!isRefused(edited) && edited.difference === -541)
  assert.equal(standing(first).balance, -541)
  assert.match(why(store.move(first, 'complete')), /5\.41 EUR is still to be refunded/)
  assert.ok(!isRefused(refund(first, { amount: 541, method: 'cash' })))
  assert.match(why(pay(first, { amount: 1, method: 'cash' })), /Nothing is to be paid/)
  assert.match(why(refund(first, { amount: 3000, method: 'cash' })), /Only 28\.89 EUR was paid/)
  assert.ok(!isRefused(store.move(first, 'complete')))

  clock.set('2026-11-21T12:00:00Z')
  assert.match(why(refund(first, { amount: 300, method: 'cash' })), /Give a credit first/)
  assert.ok(!isRefused(credit(first, { amount: 300, note: 'hair in the soup' })))
  assert.ok(!isRefused(refund(first, { amount: 300, method: 'cash' })))
  assert.deepEqual(standing(first), { balance: 0, paid: 2589, due: 2589 })
  assert.deepEqual(accountOf(shop), [
    ['charge', 3430],
    ['payment', -2000],
    ['payment', -1430],
    ['payment_void', 1430],
    ['payment', -1430],
    ['adjustment', -541],
    ['refund', 541],
    ['credit', -300],
    ['refund', 300],
  ])
  assert.deepEqual(
    shop.rows('SELECT DISTINCT business_date AS date FROM ledger ORDER BY 1').map(({ date }) => date),
    ['2026-11-20', '2026-11-21'],
  )
  assert.deepEqual(store.audit.all(), [])
})

test('the commands keep the same account', async t => {
  const shop = await openShop(t, { restaurant: taxed() })
  const path = join(temporaryFolder(t), 'edit.json')
  writeFileSync(path, '{"remove": [2]}')
  await shop.order(orderOf(pizza(), salad))
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await servery(shop.file, args)
    return (stdout || stderr).trimEnd()
  }
  assert.equal(
    await run('pay', '1', '20', '--method', 'cash', '--ref', 'till-7'),
    'Booked as entry 2 of ORD-000001. 14.30 EUR is to be paid.',
  )
  assert.equal(
    await run('pay', '1', '20', '--method', 'cash', '--ref', 'till-7'),
    'Was already booked as entry 2 of ORD-000001. 14.30 EUR is to be paid.',
  )
  assert.match(await run('pay', '1', '14.31', '--method', 'card'), /Only 14\.30 EUR is to be paid/)
  assert.match(await run('pay', 'ORD-000001', '14.30', '--method', 'card'), /entry 3 of ORD-000001\. It is settled\./)
  assert.match(await run('void-payment', '1', '3'), /14\.30 EUR is to be paid/)
  assert.match(await run('pay', '1', '14.3', '--method', 'card'), /settled/)
  assert.match(await run('edit', '1', '--file', path), /costs 28\.89 EUR now \(-5\.41 EUR\)/)
  assert.match(await run('refund', '1', '5.41', '--method', 'cash'), /settled/)
  assert.match(await run('order', '1', 'complete'), /ORD-000001 is completed\./)
  assert.match(await run('credit', '1', '3', '--reason', 'hair in the soup'), /3\.00 EUR is to be given back/)
  assert.match(await run('refund', '1', '3.00', '--method', 'cash'), /settled/)
  const shown = await run('balance', '1')
  assert.match(shown, /^ +3 .*payment, card +-14\.30$/m)
  assert.match(shown, /^ +4 .*payment void of 3 +14\.30$/m)
  assert.match(shown, /^ +8 .*credit +hair in the soup +-3\.00$/m)
  assert.match(shown, /balance +0\.00 EUR$/)
  const { paid, balance, entries } = JSON.parse(await run('balance', '1', '--json'))
  assert.deepEqual([paid, balance, entries.length, entries[5].amount], [25.89, 0, 9, -5.41])
  const receipt = await run('order', '1')
  assert.match(receipt, /^Credited +-3\.00$/m)
  assert.match(receipt, /^Paid +25\.89$/m)
  assert.doesNotMatch(receipt, /^To /m)
  assert.match(await run('doctor'), /Servery is well/)
})

test('orders --unpaid lists the orders that are unpaid or partly paid', async t => {
  const shop = await openShop(t, { restaurant: taxed() })
  const { pay } = shop.store.payments
  for (let i = 0; i < 4; i++) await shop.order(orderOf(salad))
  assert.ok(!isRefused(pay(1 as OrderId, { amount: 541, method: 'cash' })))
  assert.ok(!isRefused(pay(2 as OrderId, { amount: 41, method: 'cash' })))
  assert.ok(!isRefused(shop.store.move(3 as OrderId, 'cancel', { reason: 'gone' })))
  const { stdout } = await servery(shop.file, ['orders', '--unpaid', '--json'])
  const unpaid = JSON.parse(stdout).map(({ id, balance }: { id: number; balance: number }) => [id, balance])
  assert.deepEqual(unpaid, [
    [4, 5.41],
    [2, 5],
  ])
  assert.match((await servery(shop.file, ['order', '4'])).stdout, /^To pay +5\.41$/m)
})

test('a payment with a wrong amount, method or order is refused', async t => {
  const shop = await openShop(t, { restaurant: taxed() })
  await shop.order(orderOf(salad))
  const wrong: [string[], number][] = [
    [['pay', '1', '5.411', '--method', 'cash'], 1],
    [['pay', '1', '0', '--method', 'cash'], 1],
    [['pay', '9', '1', '--method', 'cash'], 1],
    [['pay', '1', '1', '--method', 'gold'], 2],
    [['pay', '1', '1'], 2],
    [['pay', '1', '-1', '--method', 'cash'], 1],
    [['credit', '1', '1'], 2],
    [['refund', '1', '1', '--method', 'cash'], 1],
    [['void-payment', '1', '1'], 1],
    [['balance', '9'], 1],
    [['balance'], 2],
  ]
  for (const [args, code] of wrong) assert.equal((await servery(shop.file, args)).code, code, args.join(' '))
  assert.deepEqual(accountOf(shop), [['charge', 541]])
})

test('exactly one charge is written with an order, even when its total is zero', async t => {
  const shop = await openShop(t, { restaurant: taxed({ items: [{ id: 2, price: 0 }] }) })
  await shop.order(orderOf(salad))
  assert.deepEqual(accountOf(shop), [['charge', 0]])
  const second = `INSERT INTO ledger (order_id, entry, kind, amount_minor, at, business_date)
    VALUES (1, 2, 'charge', 5, 0, '2026-01-01')`
  assert.throws(() => shop.execute(second), /CHECK/)
})

test('entries of the ledger can be neither changed nor deleted', async t => {
  const shop = await openShop(t, { restaurant: taxed() })
  await shop.order(orderOf(salad))
  assert.throws(() => shop.execute('UPDATE ledger SET amount_minor = 1'), /append-only/)
  assert.throws(() => shop.execute('DELETE FROM ledger'), /append-only/)
  assert.throws(() => shop.execute('INSERT OR REPLACE INTO ledger SELECT * FROM ledger'), /append-only/)
})

test('the sign of an entry follows from its kind', async t => {
  const shop = await openShop(t, { restaurant: taxed() })
  await shop.order(orderOf(salad))
  const insert = (kind: string, amount: number, method: string, voids = 'NULL') =>
    `INSERT INTO ledger (order_id, entry, kind, amount_minor, method, voids, at, business_date)
     VALUES (1, 2, '${kind}', ${amount}, ${method}, ${voids}, 0, '2026-01-01')`
  for (const [kind, amount, method] of [
    ['payment', 5, "'cash'"],
    ['refund', -5, "'cash'"],
    ['credit', 5, 'NULL'],
    ['charge_void', 5, 'NULL'],
    ['payment', -5, 'NULL'],
    ['tip', 5, 'NULL'],
  ] as const) {
    assert.throws(() => shop.execute(insert(kind, amount, method)), /CHECK/, kind)
  }
  assert.throws(() => shop.execute(insert('payment_void', 5, "'cash'")), /CHECK/)
})

test('a payment can be voided once, on its own business day, while the order is open', async t => {
  const clock = heldClock('2026-11-20T23:30:00Z')
  const shop = await openShop(t, { restaurant: taxed(), clock })
  const { pay, voidPayment, refund } = shop.store.payments
  await shop.order(orderOf(salad))
  for (const amount of [100, 200, 241]) assert.ok(!isRefused(pay(first, { amount, method: 'card' })))
  // Half past one belongs to the business day before, because days start at four.
  clock.set('2026-11-21T01:30:00Z')
  assert.ok(!isRefused(voidPayment(first, 2)))
  assert.match(why(voidPayment(first, 2)), /has already been voided/)
  assert.match(why(voidPayment(first, 5)), /not a payment/)
  assert.match(why(voidPayment(first, 9)), /not a payment/)
  assert.ok(!isRefused(refund(first, { amount: 300, method: 'card' })))
  assert.match(why(voidPayment(first, 4)), /has already been refunded/)
  clock.set('2026-11-21T04:00:00Z')
  assert.match(why(voidPayment(first, 3)), /is from 2026-11-20/)
  const twice = `INSERT INTO ledger (order_id, entry, kind, amount_minor, method, voids, at, business_date)
    VALUES (1, 8, 'payment_void', 100, 'card', 2, 0, '2026-11-20')`
  assert.throws(() => shop.execute(twice), /append-only/)
})

test('a repeated client_ref does not take a payment twice, and is refused for a different payment', async t => {
  const shop = await openShop(t, { restaurant: taxed() })
  const { pay, refund, voidPayment } = shop.store.payments
  await shop.order(orderOf(salad))
  await shop.order(orderOf(salad))
  const press = { amount: 541, method: 'cash', clientRef: 'till-1' } as const
  const [one, two] = [pay(first, press), pay(first, press)]
  assert.ok(!isRefused(one) && !one.isRepeated && !isRefused(two) && two.isRepeated && two.entry === one.entry)
  assert.match(why(pay(first, { ...press, amount: 1 })), /belongs to entry 2, which is different/)
  assert.match(why(pay(first, { ...press, method: 'card' })), /belongs to entry 2, which is different/)
  assert.match(why(refund(first, press)), /belongs to entry 2, which is different/)
  assert.ok(!isRefused(pay(2 as OrderId, press)), 'another order has references of its own')
  const back = { amount: 41, method: 'cash', clientRef: 'till-2' } as const
  assert.ok(!isRefused(refund(first, back)) && !isRefused(refund(first, back)))
  assert.ok(
    !isRefused(voidPayment(2 as OrderId, 2, { clientRef: 'v' })) &&
      !isRefused(voidPayment(2 as OrderId, 2, { clientRef: 'v' })),
  )
  assert.deepEqual(accountOf(shop), [
    ['charge', 541],
    ['payment', -541],
    ['refund', 41],
  ])
})

test('two tills that send the same payment at the same time take the money once', async t => {
  const shop = await openShop(t, { restaurant: taxed() })
  await shop.order(orderOf(salad))
  const press = () => servery(shop.file, ['pay', '1', '5.41', '--method', 'cash', '--ref', 'same'])
  const codes = (await Promise.all([press(), press(), press()])).map(({ code }) => code)
  assert.deepEqual(codes, [0, 0, 0])
  assert.equal(accountOf(shop).length, 2)
})

test('a manual discount with its reason is part of the discount total and of the receipt', async t => {
  const shop = await openShop(t, { restaurant: taxed() })
  const path = join(temporaryFolder(t), 'edit.json')
  await shop.order(orderOf(pizza(), salad))
  writeFileSync(path, '{"discount": {"percent": 10, "reason": "waited long"}}')
  assert.match((await servery(shop.file, ['edit', '1', '--file', path])).stdout, /costs 30\.87 EUR now \(-3\.43 EUR\)/)
  const shown = await servery(shop.file, ['order', '1'])
  assert.match(shown.stdout, /Discount +"waited long", 10 % of 31\.69 +-3\.17/)
  writeFileSync(path, '{"discount": {"amount": 100, "reason": "on the house"}}')
  assert.match((await servery(shop.file, ['edit', '1', '--file', path])).stdout, /costs 0\.00 EUR now/)
  writeFileSync(path, '{"discount": null}')
  assert.match((await servery(shop.file, ['edit', '1', '--file', path])).stdout, /costs 34\.30 EUR now/)
  assert.deepEqual(accountOf(shop), [
    ['charge', 3430],
    ['adjustment', -343],
    ['adjustment', -3087],
    ['adjustment', 3430],
  ])
})

test('when an order is edited, existing lines keep their prices and the order keeps the rates of its placement', async t => {
  const shop = await openShop(t, {
    restaurant: taxed({
      service_charge_rate: 10,
      promotions: [{ id: 1, title: 'Opening', percent: 20 }],
      delivery_fee: 3,
    }),
  })
  const { body } = await shop.order({ ...orderOf(pizza()), service_mode: 'dine_in' })
  // 26.69 - 5.34 = 21.35; + 10 % service 2.14 = 23.49; + 8.25 % 1.94 = 25.43
  assert.equal(body.data.grand_total, 25.43)
  importInto(shop.file, taxed({ tax_rate: 20, service_charge_rate: 50, items: [{ id: 1, price: 99 }] }))
  const path = join(temporaryFolder(t), 'edit.json')
  writeFileSync(path, JSON.stringify({ add: [salad] }))
  const { stdout } = await servery(shop.file, ['edit', '1', '--file', path, '--json'])
  const edited = JSON.parse(stdout)
  // 31.69 - 6.34 = 25.35; + 2.54 = 27.89; + 2.30 = 30.19
  assert.deepEqual(
    [edited.subtotal, edited.discount_total, edited.service_charge, edited.tax_total, edited.grand_total],
    [31.69, 6.34, 2.54, 2.3, 30.19],
  )
  assert.deepEqual(
    edited.items.map((line: { unit_price: number }) => line.unit_price),
    [26.69, 5],
  )
})

test('an edited order keeps the tax rates of its lines and shares a manual discount over them (decision C8)', async t => {
  const restaurant = (own: number, drinks: number) => {
    const location = {
      tax_rate: own,
      prices_include_tax: true,
      tax_rates: [{ tax_class: 1, rate: drinks }],
      items: [
        { id: 1, price: 14.9 },
        { id: 3, price: 3.9 },
      ],
    }
    const { categories, ...rest } = pizzeria({ ...location, stations: [], routing: [], stock: [] })
    const taxed = categories.map(category => (category.title === 'Drinks' ? { ...category, tax_class: 1 } : category))
    return { ...rest, tax_classes: [{ id: 1, title: 'Drinks' }], categories: taxed }
  }
  const shop = await openShop(t, { restaurant: restaurant(7, 19) })
  const path = join(temporaryFolder(t), 'edit.json')
  const edit = async (changes: object) => {
    writeFileSync(path, JSON.stringify(changes))
    const { stdout } = await servery(shop.file, ['edit', '1', '--file', path, '--json'])
    const { discount_total, tax_total, grand_total, tax_lines } = JSON.parse(stdout)
    return { discount_total, tax_total, grand_total, tax_lines }
  }

  const { body } = await shop.order(orderOf(pizza(), { ...water, qty: 2 }))
  assert.deepEqual(body.data.tax_lines, [
    { rate: 19, base: 7.8, tax: 1.25 },
    { rate: 7, base: 14.9, tax: 0.97 },
  ])
  importInto(shop.file, restaurant(30, 50))
  assert.deepEqual(await edit({ discount: { percent: 10, reason: 'waited long' } }), {
    discount_total: 2.27,
    tax_total: 2,
    grand_total: 20.43,
    tax_lines: [
      { rate: 19, base: 7.02, tax: 1.12 },
      { rate: 7, base: 13.41, tax: 0.88 },
    ],
  })
  // The added water has the rate of its class today; the salad, without a class, that of the order.
  assert.deepEqual(await edit({ add: [water, salad] }), {
    discount_total: 3.16,
    tax_total: 3.46,
    grand_total: 28.44,
    tax_lines: [
      { rate: 50, base: 3.51, tax: 1.17 },
      { rate: 19, base: 7.02, tax: 1.12 },
      { rate: 7, base: 17.91, tax: 1.17 },
    ],
  })
  // With the drinks gone there is one rate left, as in an order that never had another.
  assert.deepEqual(await edit({ remove: [2, 3], discount: null }), {
    discount_total: 0,
    tax_total: 1.3,
    grand_total: 19.9,
    tax_lines: [{ rate: 7, base: 19.9, tax: 1.3 }],
  })
  assert.deepEqual(shop.store.audit.all(), [])
})

test('the invariants of the ledger hold after any payments, voids, refunds, credits, edits and moves', async t => {
  const clock = heldClock('2026-11-20T12:00:00Z')
  const shop = await openShop(t, { restaurant: taxed(), clock, settings: { 'orders.limit': '1000000' } })
  const { store } = shop
  const amount = fc.integer({ min: 1, max: 4000 })
  const method = fc.constantFrom(...methods)
  const clientRef = fc.constantFrom(undefined, undefined, 'a', 'b')
  const act = fc.oneof(
    fc.record({ kind: fc.constant('pay' as const), amount, method, clientRef }),
    fc.record({ kind: fc.constant('refund' as const), amount, method, clientRef }),
    fc.record({ kind: fc.constant('credit' as const), amount }),
    fc.record({ kind: fc.constant('void' as const), entry: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ kind: fc.constant('remove' as const) }),
    fc.record({ kind: fc.constant('discount' as const), amountMilli: amount }),
    fc.record({ kind: fc.constantFrom('confirm' as const, 'complete' as const, 'cancel' as const, 'fulfil' as const) }),
    fc.record({ kind: fc.constant('settle' as const), method }),
    fc.record({ kind: fc.constant('night' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 25 }), async list => {
      const { body } = await shop.order(orderOf(pizza(), salad, salad))
      const id: OrderId = body.data.id
      for (const each of list) {
        const before = JSON.stringify(store.payments.entries(id))
        const standing = store.payments.standing(id)
        let isDone = true
        switch (each.kind) {
          case 'pay':
            isDone = !isRefused(store.payments.pay(id, each))
            break
          case 'refund':
            isDone = !isRefused(store.payments.refund(id, each))
            break
          case 'credit':
            isDone = !isRefused(store.payments.credit(id, { amount: each.amount, note: 'x' }))
            break
          case 'void':
            isDone = !isRefused(store.payments.voidPayment(id, each.entry))
            break
          case 'remove': {
            const line = store.orderBook.byId(id)?.lines.at(-1)
            isDone = line !== undefined && !isRefused(store.edit(id, { ...asItIs, remove: [line.id] }))
            break
          }
          case 'discount':
            isDone = !isRefused(
              store.edit(id, { ...asItIs, discount: { reason: 'x', amountMilli: each.amountMilli * 10 } }),
            )
            break
          case 'settle':
            if (standing.balance > 0)
              assert.ok(!isRefused(store.payments.pay(id, { amount: standing.balance, method: each.method })))
            if (standing.balance < 0)
              assert.ok(!isRefused(store.payments.refund(id, { amount: -standing.balance, method: each.method })))
            break
          case 'night':
            clock.pass(86_400_000)
            break
          default:
            isDone = !isRefused(store.move(id, each.kind, { reason: 'x' }))
        }
        const entries = store.payments.entries(id)
        const order = store.orderBook.byId(id)
        const sum = (...kinds: string[]) =>
          entries.filter(({ kind }) => kinds.includes(kind)).reduce((total, entry) => total + entry.amount, 0)
        assert.ok(order)
        if (!isDone) assert.equal(JSON.stringify(entries), before, 'a refused act writes nothing')
        assert.ok(JSON.stringify(entries).startsWith(before.slice(0, -1)), 'nothing written is ever changed')
        assert.equal(
          store.payments.standing(id).balance,
          entries.reduce((total, entry) => total + entry.amount, 0),
        )
        assert.equal(sum('charge', 'adjustment'), order.grandTotal)
        const paid = -sum('payment', 'payment_void', 'refund')
        assert.ok(paid >= 0)
        assert.ok(new Set(entries.flatMap(({ voids }) => voids ?? [])).size === countOf(entries, 'payment_void'))
        if (order.status === 'completed') assert.ok(store.payments.standing(id).balance <= 0)
        if (order.status === 'cancelled') assert.equal(store.payments.standing(id).balance, 0)
      }
      assert.deepEqual(store.audit.all(), [])
    }),
    { numRuns: 60 },
  )
})

function countOf(entries: { kind: string }[], kind: string): number {
  return entries.filter(entry => entry.kind === kind).length
}

const corruptions: [string, string, RegExp][] = [
  ['another grand total', 'UPDATE orders SET grand_total_minor = 1', /grand total is not the sum of its charge/],
  ['another subtotal', 'UPDATE orders SET subtotal_minor = 1', /subtotal is not the sum of its lines/],
  ['completed but unpaid', "UPDATE orders SET status = 'completed'", /completed, but not fully paid/],
  ['cancelled but unsettled', "UPDATE orders SET status = 'cancelled'", /cancelled, but its balance is not 0/],
  ['no charge', 'DROP TRIGGER ledger_is_never_shortened; DELETE FROM ledger', /has no charge in the ledger/],
  [
    'more given back than paid',
    `INSERT INTO ledger (order_id, entry, kind, amount_minor, method, at, business_date)
     VALUES (1, 2, 'refund', 5, 'cash', 0, '2026-01-01')`,
    /more was refunded than was paid/,
  ],
  ['another part of the total', 'UPDATE orders SET delivery_fee_minor = 7', /grand total is not the sum of its parts/],
  ['no lines', 'DELETE FROM ticket_item; DELETE FROM order_line', /has no lines/],
  [
    'a missing entry',
    `INSERT INTO ledger (order_id, entry, kind, amount_minor, at, business_date)
     VALUES (1, 3, 'adjustment', 0, 0, '2026-01-01')`,
    /an entry of its account is missing/,
  ],
  [
    'a charge taken back',
    `INSERT INTO ledger (order_id, entry, kind, amount_minor, at, business_date)
     VALUES (1, 2, 'charge_void', -500, 0, '2026-01-01')`,
    /the charge is reversed, but the order is not cancelled/,
  ],
  [
    'paid too much',
    `INSERT INTO ledger (order_id, entry, kind, amount_minor, method, at, business_date)
     VALUES (1, 2, 'payment', -900, 'cash', 0, '2026-01-01')`,
    /a payment is more than was still to be paid/,
  ],
  [
    'a ticket unlike its dishes',
    "UPDATE ticket_item SET state = 'done'",
    /the state of a ticket does not match its dishes/,
  ],
  ['nothing open, but in the kitchen', "UPDATE ticket SET state = 'done'", /in the kitchen without an open ticket/],
  [
    'an open ticket of an order that is not in the kitchen',
    'UPDATE orders SET fulfillment_status = NULL',
    /in the kitchen without an open ticket, or has an open ticket without being in the kitchen/,
  ],
]

test('doctor reports every order that disagrees with its account or its tickets', async t => {
  let file = ''
  for (const [what, sql, found] of corruptions) {
    const shop = await openShop(t, { restaurant: pizzeria() })
    await shop.order(orderOf(salad))
    assert.deepEqual(shop.store.audit.all(), [])
    shop.execute(`PRAGMA foreign_keys = OFF; ${sql}`)
    const messages = shop.store.audit.all().map(({ message }) => message)
    assert.match(messages.join('; '), found, what)
    assert.deepEqual(shop.store.audit.newest(1), shop.store.audit.all(), 'it is among the newest')
    file = shop.file
    await shop.stop()
  }
  const { code, stderr } = await servery(file, ['doctor'])
  assert.equal(code, 1)
  assert.match(
    stderr,
    /orders\/1 {2}is in the kitchen without an open ticket, or has an open ticket without being in the kitchen/,
  )
})

test('an order that is ready, fulfilled and paid completes automatically', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { store } = shop
  for (let i = 0; i < 2; i++) await shop.order(orderOf(salad))
  store.kitchen.bump(1 as TicketId, null)
  assert.ok(!isRefused(store.move(first, 'fulfil')))
  assert.equal(store.orderBook.byId(1)?.status, 'placed')
  const paid = store.payments.pay(first, { amount: 500, method: 'cash' })
  assert.ok(!isRefused(paid) && paid.order.status === 'completed')
  const second = 2 as OrderId
  store.payments.pay(second, { amount: 500, method: 'cash' })
  store.kitchen.bump(2 as TicketId, null)
  assert.equal(store.orderBook.byId(2)?.status, 'placed')
  const fulfilled = store.move(second, 'fulfil')
  assert.ok(!isRefused(fulfilled) && fulfilled.order.status === 'completed')
})
