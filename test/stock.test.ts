import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import fc from 'fast-check'
import { refusalText } from '../display/refusal.ts'
import type { OrderId, OrderLineId, StockId, TicketId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { restaurantFileIn, servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { orderOf, pizza, pizzeria, salad, water } from './support/pizzeria.ts'
import { accepted } from './support/refusals.ts'
import { importInto, openShop, type Shop } from './support/shop.ts'

const dough = 1 as StockId
const kg = (amount: number) => Math.round(amount * 1_000_000)
const nothing = { name: undefined, phone: undefined, email: undefined }
const asItIs = { notes: undefined, customer: nothing, discount: undefined }
const line = (itemId: number, qty: number) =>
  ({ itemId, variationId: null, qtyMilli: qty * 1000, notes: null, modifiers: [] }) as never

const onHand = (shop: Shop, id = dough) => shop.store.shelf.list().find(item => item.id === id)?.onHand
const movements = (shop: Shop) =>
  shop.rows('SELECT kind, qty_micro AS qty FROM stock_movement ORDER BY id').map(({ kind, qty }) => [kind, qty])

async function menuIds(shop: Shop): Promise<number[]> {
  const { body } = await shop.get('/locations/1/menu')
  return body.data.categories.flatMap((category: { items: { id: number }[] }) => category.items.map(({ id }) => id))
}

test('two pizzas with extra dough leave 1.300 kg of 2.000, and six more are refused and take nothing', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  assert.equal((await shop.order(orderOf(pizza(2, 1)))).status, 201)
  assert.equal(onHand(shop), kg(1.3))
  const refused = await shop.order(orderOf(salad, pizza(6)))
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body, {
    errors: [
      { title: 'One of the items is no longer available.', code: 'INVALID_ORDER', source: { pointer: '/items/1' } },
    ],
  })
  assert.equal(onHand(shop), kg(1.3))
  assert.deepEqual(shop.rows('SELECT count(*) AS orders FROM orders'), [{ orders: 1 }])
  assert.deepEqual(movements(shop), [
    ['set', kg(2)],
    ['sold', -kg(0.7)],
  ])
})

test('of two simultaneous orders of four pizzas, one succeeds when there is dough for seven', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  shop.store.shelf.change(dough, 'set', kg(1.75), null)
  const answers = await Promise.all([shop.order(orderOf(pizza(4))), shop.order(orderOf(pizza(4)))])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400])
  assert.equal(onHand(shop), kg(0.75))
})

test('of 200 simultaneous orders for the last 50 portions, exactly 50 succeed', async t => {
  const shop = await openShop(t, { restaurant: pizzeria(), settings: { 'orders.limit': '1000' } })
  shop.store.shelf.change(dough, 'set', kg(12.5), null)
  const answers = await Promise.all(Array.from({ length: 200 }, () => shop.order(orderOf(pizza()))))
  assert.equal(answers.filter(({ status }) => status === 201).length, 50)
  assert.equal(answers.filter(({ status }) => status === 400).length, 150)
  assert.equal(onHand(shop), 0)
  assert.deepEqual(shop.store.audit.all(), [])
})

test('simultaneous orders of two processes do not oversell the last portions', async t => {
  const shop = await openShop(t, { restaurant: pizzeria(), settings: { 'orders.limit': '1000' } })
  shop.store.shelf.change(dough, 'set', kg(2.5), null)
  const path = join(temporaryFolder(t), 'order.json')
  writeFileSync(path, JSON.stringify(orderOf(pizza(4))))
  const commands = Array.from({ length: 3 }, () => servery(shop.file, ['place', '--file', path, '--source', 'pos']))
  const requests = Array.from({ length: 12 }, async () => {
    await new Promise(resolve => setTimeout(resolve, 300))
    return shop.order(orderOf(pizza()))
  })
  const placed = (await Promise.all(commands)).filter(({ code }) => code === 0).length * 4
  const ordered = (await Promise.all(requests)).filter(({ status }) => status === 201).length
  assert.ok(placed + ordered <= 10)
  assert.equal(onHand(shop), kg(2.5 - (placed + ordered) * 0.25))
  assert.deepEqual(shop.store.audit.all(), [])
})

test('the refusal points at every line for which too little stock is left', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { body } = await shop.order(orderOf(pizza(5), pizza(4), pizza(3), pizza(1)))
  assert.deepEqual(
    body.errors.map((error: { source: object }) => error.source),
    [{ pointer: '/items/1' }, { pointer: '/items/3' }],
  )
})

test('a dish that runs out leaves the menu automatically and returns when restocked', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const before = await shop.get('/locations/1/menu')
  await shop.order(orderOf(pizza(7)))
  assert.equal((await shop.get('/locations/1/menu')).text, before.text)
  await shop.order(orderOf(pizza()))
  assert.deepEqual(await menuIds(shop), [2, 4, 3])
  const refused = await shop.order(orderOf(pizza()))
  assert.deepEqual(refused.body.errors[0].source, { pointer: '/items/0/item_id' })
  const { code } = await servery(shop.file, ['stock', 'add', '1', '0.25', '--note', 'delivery'])
  assert.equal(code, 0)
  assert.deepEqual(await menuIds(shop), [1, 2, 4, 3])
  assert.equal((await shop.order(orderOf(pizza()))).status, 201)
})

test('the menu changes exactly when something runs out or comes back', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const revision = () => shop.rows('SELECT catalogue FROM revision')[0]?.catalogue
  const catalogue = shop.store.catalogue.current()
  const start = revision()
  await shop.order(orderOf(pizza(7)))
  assert.equal(shop.store.catalogue.current(), catalogue)
  shop.store.shelf.change(dough, 'add', kg(3), null)
  shop.store.shelf.change(dough, 'waste', kg(3), null)
  assert.equal(revision(), start)
  assert.equal(shop.store.catalogue.current(), catalogue)
  await shop.order(orderOf(pizza(1)))
  assert.equal(revision(), Number(start) + 1)
  await shop.order(orderOf(salad))
  shop.store.shelf.change(dough, 'set', kg(0.05), null)
  assert.equal(revision(), Number(start) + 1)
  // 0.1 kg is enough for extra dough, though not for a pizza.
  shop.store.shelf.change(dough, 'set', kg(0.1), null)
  assert.equal(revision(), Number(start) + 2)
})

test('a modifier out of stock is absent and refused, and an optional group left empty is absent', async t => {
  const stock = [
    { id: 1, title: 'Burrata', on_hand: 1, recipe: [{ modifier: 1, qty: 1 }] },
    { id: 2, title: 'Basil', on_hand: 1, recipe: [{ modifier: 2, qty: 1 }] },
  ]
  const shop = await openShop(t, { restaurant: pizzeria({ stock }) })
  const groups = async () => (await shop.get('/locations/1/menu')).body.data.categories[0].items[0].modifier_groups
  assert.equal((await shop.order(orderOf(pizza(1, 1)))).status, 201)
  assert.deepEqual(
    (await groups())[0].modifiers.map(({ id }: { id: number }) => id),
    [2],
  )
  const refused = await shop.order(orderOf(pizza(1, 1)))
  assert.deepEqual(refused.body.errors[0].source, { pointer: '/items/0/modifiers/0/modifier_id' })
  shop.store.shelf.change(2 as StockId, 'set', 0, null)
  assert.deepEqual(await groups(), [])
  assert.equal((await shop.order(orderOf(pizza()))).status, 201)
})

test('an item is absent when nothing in a required group is in stock', async t => {
  const restaurant = pizzeria({
    stock: [
      {
        id: 1,
        title: 'Extra',
        recipe: [
          { modifier: 1, qty: 1 },
          { modifier: 2, qty: 1 },
        ],
      },
    ],
  })
  Object.assign(restaurant.modifier_groups[0] as object, { is_required: true })
  const shop = await openShop(t, { restaurant })
  assert.deepEqual(await menuIds(shop), [2, 4, 3])
})

test('a variation out of stock is absent, and so is an item whose variations are all out', async t => {
  const stock = [
    {
      id: 1,
      title: 'Slices',
      on_hand: 8,
      recipe: [
        { item: 4, qty: 1 },
        { variation: 2, qty: 8 },
      ],
    },
  ]
  const shop = await openShop(t, { restaurant: pizzeria({ stock }) })
  const sizes = async () => {
    const { body } = await shop.get('/locations/1/menu')
    const cake = body.data.categories[0].items.find(({ id }: { id: number }) => id === 4)
    return cake?.variations.map(({ id }: { id: number }) => id)
  }
  assert.deepEqual(await sizes(), [1, 2])
  // A slice has no recipe of its own, so it takes the item's; a whole cake takes its own instead.
  assert.equal((await shop.order(orderOf({ item_id: 4, variation_id: 1, qty: 1 }))).status, 201)
  assert.equal(onHand(shop), kg(7))
  assert.deepEqual(await sizes(), [1])
  assert.equal((await shop.order(orderOf({ item_id: 4, variation_id: 2, qty: 1 }))).status, 400)
  assert.equal((await shop.order(orderOf({ item_id: 4, qty: 7 }))).status, 201)
  assert.equal(await sizes(), undefined)
})

test('a manual 86 stays when stock comes back, until somebody lifts it', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  await servery(shop.file, ['availability', '1', '1', 'off'])
  await servery(shop.file, ['stock', 'set', '1', '0'])
  await servery(shop.file, ['stock', 'set', '1', '5'])
  assert.deepEqual(await menuIds(shop), [2, 4, 3])
  await servery(shop.file, ['availability', '1', '1', 'on'])
  assert.deepEqual(await menuIds(shop), [1, 2, 4, 3])
})

for (const [setting, expected] of [
  ['placed', [1.75, 1.75, 1.75]],
  ['confirmed', [2, 1.75, 1.75]],
  ['completed', [2, 2, 1.75]],
] as const) {
  test(`with stock.deplete_at ${setting}, stock is taken once, at that status`, async t => {
    const settings = { 'stock.deplete_at': setting }
    const shop = await openShop(t, { restaurant: pizzeria({ stations: [], routing: [] }), settings })
    const { move, payments } = shop.store
    await shop.order(orderOf(pizza()))
    const seen = [onHand(shop)]
    assert.ok(!isRefused(move(1 as OrderId, 'confirm')))
    seen.push(onHand(shop))
    payments.pay(1 as OrderId, { amount: 1000, method: 'cash' })
    assert.ok(!isRefused(move(1 as OrderId, 'complete')))
    seen.push(onHand(shop))
    assert.deepEqual(seen, expected.map(kg))
  })
}

test('stock is taken even when an order skips the status that takes it, and even when there is too little', async t => {
  const settings = { 'stock.deplete_at': 'confirmed' }
  const shop = await openShop(t, { restaurant: pizzeria({ stations: [], routing: [] }), settings })
  await shop.order(orderOf(pizza(8)))
  shop.store.shelf.change(dough, 'set', kg(0.5), null)
  const refused = shop.store.move(1 as OrderId, 'confirm')
  assert.ok(isRefused(refused) && /too little stock for line 1/.test(refusalText(refused)))
  assert.equal(onHand(shop), kg(0.5))
  shop.store.payments.pay(1 as OrderId, { amount: 8000, method: 'card' })
  assert.ok(!isRefused(shop.store.move(1 as OrderId, 'complete')))
  assert.equal(onHand(shop), kg(-1.5))
  assert.deepEqual(await menuIds(shop), [2, 4, 3])
  assert.match(
    (await servery(shop.file, ['stock'])).stdout,
    /Dough +-1\.5 kg +count it +off the menu: Pizza, Extra dough/,
  )
})

test('cancelling returns stock, or books it as waste once a ticket is done, unless an option says otherwise', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { kitchen, move } = shop.store
  for (let i = 0; i < 4; i++) await shop.order(orderOf(pizza()))
  assert.equal(onHand(shop), kg(1))
  for (const ticket of [3, 7]) kitchen.bump(ticket as TicketId, null)
  const cancel = (id: number, stock?: 'restock' | 'waste') =>
    move(id as OrderId, 'cancel', { reason: 'left', ...(stock && { stock }) })
  assert.ok(!isRefused(cancel(1)))
  assert.equal(onHand(shop), kg(1.25))
  assert.ok(!isRefused(cancel(2)))
  assert.equal(onHand(shop), kg(1.25))
  assert.ok(!isRefused(cancel(3, 'waste')))
  assert.equal(onHand(shop), kg(1.25))
  assert.ok(!isRefused(cancel(4, 'restock')))
  assert.equal(onHand(shop), kg(1.5))
  assert.deepEqual(movements(shop).slice(5), [
    ['returned', kg(0.25)],
    ['returned', kg(0.25)],
    ['waste', -kg(0.25)],
    ['returned', kg(0.25)],
    ['waste', -kg(0.25)],
    ['returned', kg(0.25)],
  ])
  assert.deepEqual(shop.store.audit.all(), [])
})

test('an edit takes stock for added lines, returns it for removed ones, and is refused when there is too little', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { body } = await shop.order(orderOf(pizza(8)))
  const lineId = body.data.items[0].id as OrderLineId
  const tooMuch = shop.store.edit(1 as OrderId, { ...asItIs, remove: [lineId], add: [line(1, 9)] })
  assert.ok(isRefused(tooMuch) && /no longer available/.test(refusalText(tooMuch)))
  assert.equal(onHand(shop), 0)
  // The pizza is off the menu, so the dough that comes back is for the next order.
  assert.equal(!isRefused(shop.store.edit(1 as OrderId, { ...asItIs, remove: [lineId], add: [line(2, 1)] })), true)
  assert.equal(onHand(shop), kg(2))
  assert.ok(!isRefused(shop.store.edit(1 as OrderId, { ...asItIs, remove: [], add: [line(1, 2)] })))
  assert.equal(onHand(shop), kg(1.5))
  shop.store.kitchen.bump(4 as TicketId, null)
  const pizzas = shop.store.orderBook.byId(1)?.lines.find(({ itemId }) => Number(itemId) === 1)
  assert.ok(pizzas && !isRefused(shop.store.edit(1 as OrderId, { ...asItIs, remove: [pizzas.id], add: [] })))
  assert.equal(onHand(shop), kg(1.5), 'what was cooked is wasted')
  assert.deepEqual(shop.store.audit.all(), [])
})

test('the stock commands count, add and waste stock, and show what is low and which dishes it blocks', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, pizzeria())
  const run = async (...args: string[]) => (await servery(file, ['stock', ...args])).stdout.trimEnd()
  assert.equal(await run(), 'location  id  stock  on hand\n       1   1  Dough     2 kg')
  assert.equal(await run('waste', '1', '1.5', '--note', 'fell down'), 'Dough: wasted 1.5 kg, 0.5 on hand.')
  assert.match(await run(), /\n {7}1 {3}1 {2}Dough {3}0\.5 kg {2}low$/)
  assert.equal(await run('set', '1', '0.125'), 'Dough: counted 0.125 kg, 0.125 on hand; off the menu: Pizza.')
  assert.match(await run('add', 'dough', '10'), /10\.125 on hand\.$/)
  assert.equal((await servery(file, ['stock', 'waste', '1', '11'])).code, 1)
  assert.equal((await servery(file, ['stock', 'set', '9', '1'])).code, 1)
  assert.equal((await servery(file, ['stock', 'set', '1', '0.0001'])).code, 1)
  assert.match((await servery(file, ['stock', 'set', '1', '-1'])).stderr, /"-1" is not a quantity/)
  assert.equal((await servery(file, ['stock', 'sell', '1', '1'])).code, 2)
  assert.equal((await servery(file, ['doctor'])).code, 0)
})

test('an import leaves stock counts unchanged unless the file sets them', async t => {
  const folder = temporaryFolder(t)
  const shop = await openShop(t, { restaurant: pizzeria() })
  await shop.order(orderOf(pizza(2)))
  const unnamed = pizzeria()
  Object.assign(unnamed.locations[0]?.stock[0] as object, { on_hand: null })
  await servery(shop.file, ['import', restaurantFileIn(folder, unnamed)])
  assert.equal(onHand(shop), kg(1.5))
  await servery(shop.file, ['import', restaurantFileIn(folder, pizzeria())])
  assert.equal(onHand(shop), kg(2))
  assert.deepEqual(shop.store.audit.all(), [])
})

test('stations, routing and stock are unchanged by an export and an import', async t => {
  const folder = temporaryFolder(t)
  const shop = await openShop(t, { restaurant: pizzeria() })
  await shop.order(orderOf(pizza()))
  const exported = (await servery(shop.file, ['export'])).stdout
  assert.deepEqual(JSON.parse(exported).locations[0].stock[0].on_hand, undefined)
  const before = (await shop.get('/locations/1/menu')).headers.get('etag')
  const { code } = await servery(shop.file, ['import', restaurantFileIn(folder, exported)])
  assert.equal(code, 0)
  assert.equal((await servery(shop.file, ['export'])).stdout, exported)
  assert.equal((await shop.get('/locations/1/menu')).headers.get('etag'), before)
  assert.equal(onHand(shop), kg(1.75))
})

test('doctor reports stock that differs from the sum of its movements', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, pizzeria())
  const shop = await openShop(t, { restaurant: pizzeria() })
  shop.execute('UPDATE stock_item SET on_hand_micro = on_hand_micro + 1')
  const { code, stderr } = await servery(shop.file, ['doctor'])
  assert.equal(code, 1)
  assert.match(stderr, /\/stock\/1 {2}the amount on hand is not the sum of its movements/)
})

test('a demand beyond the largest number is refused, even when stock is taken later', async t => {
  const stock = [{ id: 1, title: 'Dough', on_hand: 1, recipe: [{ modifier: 1, qty: 1_000_000 }] }]
  const settings = { 'stock.deplete_at': 'completed' }
  const shop = await openShop(t, { restaurant: pizzeria({ stock }), settings })
  shop.store.shelf.change(dough, 'set', kg(1_000_000), null)
  const { status, body } = await shop.order(orderOf(pizza(999, 99)))
  assert.equal(status, 400)
  assert.equal(body.errors[0].title, 'The order is too large.')
})

test('after any orders, edits, cancellations, counts and waste, stock on hand is the sum of its movements and never oversold', async t => {
  const shop = await openShop(t, {
    restaurant: pizzeria(),
    settings: { 'orders.limit': '1000000' },
    clock: heldClock('2026-11-20T12:00:00Z'),
  })
  const { store } = shop
  const last = () => (store.orderBook.last(1)[0]?.id ?? 0) as OrderId
  const act = fc.oneof(
    fc.record({
      kind: fc.constant('order' as const),
      qty: fc.integer({ min: 1, max: 6 }),
      extra: fc.integer({ min: 0, max: 3 }),
    }),
    fc.record({
      kind: fc.constant('cancel' as const),
      stock: fc.constantFrom(undefined, 'restock' as const, 'waste' as const),
    }),
    fc.record({ kind: fc.constant('edit' as const), qty: fc.integer({ min: 0, max: 3 }), remove: fc.boolean() }),
    fc.record({
      kind: fc.constant('shelf' as const),
      act: fc.constantFrom('set' as const, 'add' as const, 'waste' as const),
      qty: fc.integer({ min: 0, max: 3000 }),
    }),
    fc.record({ kind: fc.constant('bump' as const) }),
    fc.record({ kind: fc.constant('confirm' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('placed', 'confirmed', 'completed'),
      fc.array(act, { maxLength: 12 }),
      async (at, list) => {
        store.settings.set('stock.deplete_at', at)
        for (const each of list) {
          const before = onHand(shop) ?? 0
          if (each.kind === 'order') {
            const { status } = await shop.order(orderOf(pizza(each.qty, each.extra), water))
            const needed = kg(each.qty * (0.25 + each.extra * 0.1))
            if (at === 'placed') {
              const isThere = before >= needed
              assert.equal(status, isThere ? 201 : 400)
              assert.equal(onHand(shop), isThere ? before - needed : before)
            }
          } else if (each.kind === 'cancel')
            store.move(last(), 'cancel', { reason: 'x', ...(each.stock && { stock: each.stock }) })
          else if (each.kind === 'edit') {
            const remove = each.remove
              ? (store.orderBook.byId(last())?.lines.slice(0, 1) ?? []).map(({ id }) => id)
              : []
            store.edit(last(), { ...asItIs, remove, add: each.qty > 0 ? [line(1, each.qty)] : [] })
          } else if (each.kind === 'shelf') store.shelf.change(dough, each.act, each.qty * 1000, null)
          else if (each.kind === 'bump') {
            for (const ticket of accepted(store.kitchen.list(null)).tickets) store.kitchen.bump(ticket.id, null)
          } else store.move(last(), 'confirm')
          assert.deepEqual(store.audit.all(), [])
          const isOnMenu = store.catalogue
            .current()
            .menu(1 as never)
            ?.items.has(1 as never)
          assert.equal(isOnMenu, (onHand(shop) ?? 0) >= kg(0.25), 'the menu follows')
        }
      },
    ),
    { numRuns: 40 },
  )
})

test('an edit may use the stock that it gives back for the lines that it adds', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  shop.store.shelf.change(dough, 'set', kg(0.25), null)
  const { body } = await shop.order(orderOf(pizza()))
  assert.equal(onHand(shop), 0)
  const path = join(temporaryFolder(t), 'edit.json')
  const edit = async (change: unknown) => {
    writeFileSync(path, JSON.stringify(change))
    return (await servery(shop.file, ['edit', String(body.data.id), '--file', path])).code
  }
  const remove = [body.data.items[0].id]
  assert.equal(await edit({ remove, add: [{ item_id: 1, qty: 2 }] }), 1)
  assert.equal(await edit({ remove, add: [{ item_id: 1, qty: 1, notes: 'well done' }] }), 0)
  assert.equal(onHand(shop), 0)
  assert.deepEqual(shop.store.audit.all(), [])
})
