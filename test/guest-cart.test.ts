import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { modesOfKind } from '../store/guests/switches.ts'
import { instant, order, restaurant } from './support/arbitraries.ts'
import { beside } from './support/beside.ts'
import { busyShop, tableCode } from './support/busy-shop.ts'
import { fieldsOf, type Guest, guest as guestOf, linePricesOn, totalOn } from './support/guest.ts'
import { heldClock } from './support/held-clock.ts'
import { expectedMenu, expectedOrder, exponentOf } from './support/independent-calculation.ts'
import { holdsForAll } from './support/property.ts'
import { openShop } from './support/shop.ts'

const on = { 'guests.storefront': 'on', 'guests.qr': 'on' }

type Restaurant = Parameters<typeof expectedMenu>[0]

/** An order as a guest can make it with the forms: whole portions, each option once, in the order of the menu. */
function asGuest(shown: Restaurant, body: unknown, mode: string) {
  const { location_id, items } = body as { location_id: number; items: Record<string, unknown>[] }
  const menu = expectedMenu(shown, location_id)
  const dishes = new Map(menu?.categories.flatMap(({ items }) => items.map(item => [item.id, item])))
  const lines = items.flatMap(line => {
    const dish = dishes.get(line.item_id as number)
    if (!dish || (dish.variations.length > 0 && line.variation_id == null)) return []
    const units = new Map<number, number>()
    for (const { modifier_id, qty } of (line.modifiers ?? []) as { modifier_id: number; qty?: number }[])
      units.set(modifier_id, (units.get(modifier_id) ?? 0) + (qty ?? 1))
    const options = dish.modifier_groups.flatMap(group => group.modifiers.map(({ id }) => id))
    const modifiers = options.flatMap(id => (units.has(id) ? [{ modifier_id: id, qty: units.get(id) ?? 1 }] : []))
    const qty = Math.max(1, Math.min(12, Math.round(Number(line.qty))))
    return [{ item_id: dish.id, variation_id: (line.variation_id as number | null) ?? null, qty, modifiers }]
  })
  return { location_id, service_mode: mode, items: lines.slice(0, 8) }
}

test('the total on the page of a cart, that of the order and an independent calculation agree, whatever is in the cart', async t => {
  const clock = heldClock(0)
  const shop = await openShop(t, { clock, restaurant: null, settings: { ...on, 'orders.limit': '1000000000' } })
  const { importRestaurant, guestSwitches } = beside(t, shop)
  let carts = 0
  const visits = restaurant().chain(shown =>
    fc.record({
      shown: fc.constant(shown),
      at: instant(shown),
      turns: fc.array(fc.tuple(order(shown), fc.constantFrom(...modesOfKind.storefront)), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  )
  await holdsForAll(visits, 60, async ({ shown, at, turns }) => {
    const open = (shown.locations ?? []).map(location => ({
      ...location,
      opening_hours: {},
      opening_periods: null,
      closed_dates: [],
      service_modes: [],
    }))
    const always = { ...shown, locations: open }
    importRestaurant(always, 'every 86')
    clock.set(at)
    for (const { id } of open) guestSwitches.set(id as never, 'storefront', modesOfKind.storefront)
    for (const [sent, mode] of turns) {
      const body = asGuest(always, sent, mode)
      const expected = expectedOrder(always, JSON.parse(JSON.stringify(body)), at)
      const location = open.find(({ id }) => id === body.location_id)
      if (body.items.length === 0 || expected.status !== 201 || !location) continue
      const guest = guestOf(shop)
      for (const { item_id, variation_id, qty, modifiers } of body.items) {
        const options = modifiers.map(each => [`some-${each.modifier_id}`, String(each.qty)])
        const fields = { quantity: String(qty), size: String(variation_id ?? ''), ...Object.fromEntries(options) }
        const added = await guest.post(`/order/${body.location_id}/dish/${item_id}`, fields)
        assert.equal(added.status, 303, JSON.stringify({ body, fields, text: added.text }))
      }
      assert.equal((await guest.post(`/order/${body.location_id}/cart`, { act: 'mode', mode })).status, 303)
      const { text } = await guest.get(`/order/${body.location_id}/cart`)
      const placed = await shop.order(body)
      assert.equal(placed.status, 201)
      const minor = (amount: number) => Math.round(amount * 10 ** exponentOf(location.currency))
      const total = minor(expected.order.grand_total)
      assert.equal(totalOn(text), total, text)
      assert.equal(minor(placed.body.data.grand_total), total)
      // Equal lines are one in a cart, so only their sum is the same.
      const sum = linePricesOn(text).reduce((all, price) => all + price, 0)
      assert.equal(sum, minor(expected.order.subtotal))
      carts++
    }
  })
  t.diagnostic(`${carts} carts`)
  assert.ok(carts > 40, String(carts))
})

/** Adds a dish of the demo restaurant to a cart. */
async function add(guest: Guest, base: string, dish: number, fields: Record<string, string> = {}): Promise<void> {
  const { status, text } = await guest.post(`${base}/dish/${dish}`, { quantity: '1', ...fields })
  assert.equal(status, 303, text)
}

test('a cart is edited without a script: more, fewer, other choices, removed, and each setting has its own', async t => {
  const shop = await busyShop(t)
  const guest = guestOf(shop)
  await add(guest, '/order/1', 801, { size: '8011' })
  await add(guest, '/order/1', 801, { size: '8011' })
  await add(guest, '/order/1', 801, { size: '8012', note: 'no   cinnamon\n' })
  const page = async () => (await guest.get('/order/1/cart')).text
  assert.deepEqual(linePricesOn(await page()), [320, 840])
  assert.match(await page(), /no cinnamon/)
  const [first = '', second = ''] = [...(await page()).matchAll(/name="line" value="([^"]+)"/g)].map(([, key]) => key)

  const act = (name: string, line: string) => guest.post('/order/1/cart', { act: name, line })
  await act('more', first)
  assert.deepEqual(linePricesOn(await page()), [480, 840])
  await act('fewer', first)
  await act('fewer', first)
  assert.deepEqual(linePricesOn(await page()), [160, 840])

  const form = await guest.get(`/order/1/dish/801?line=${second}`)
  assert.match(form.text, /value="8012" required="" checked=""/)
  assert.match(form.text, /value="no cinnamon"/)
  const changed = await guest.post('/order/1/dish/801', { quantity: '3', size: '8011', line: second })
  assert.equal(changed.location, '/order/1/cart')
  assert.deepEqual(linePricesOn(await page()), [640], 'a line that becomes equal to another joins it')
  await act('remove', first)
  assert.match(await page(), /Your order is empty/)

  await add(guest, '/order/1', 801, { size: '8011' })
  await add(guest, `/t/${tableCode}`, 801, { size: '8012' })
  assert.equal(totalOn((await guest.get(`/t/${tableCode}/cart`)).text), 840)
})

test('a cart is repaired: what ran out or changed is named, the rest stays and is priced, and one press removes it', async t => {
  const shop = await busyShop(t)
  const guest = guestOf(shop)
  await add(guest, '/order/1', 801, { size: '8011' })
  await add(guest, '/order/1', 801, { size: '8012' })
  await add(guest, '/order/1', 202)
  shop.store.availability.off({ kind: 'variation', id: 8012 as never }, null, null)
  shop.store.availability.off({ kind: 'item', id: 202 as never }, null, null)
  const { text } = await guest.get('/order/1/cart')
  assert.match(text, /Something has changed since you chose it/)
  assert.match(text, /This size has sold out/)
  assert.match(text, /This has sold out/)
  assert.equal(totalOn(text), 160, 'the rest is priced')
  assert.doesNotMatch(text, /\/checkout/, 'it cannot be sent as it is')
  assert.match((await guest.get('/order/1')).text, /needs a look/)
  const broken = [...text.matchAll(/<li class="line broken">[\s\S]*?name="line" value="([^"]+)"/g)]
  assert.equal(broken.length, 2)
  for (const [, line = ''] of broken) await guest.post('/order/1/cart', { act: 'remove', line })
  const repaired = (await guest.get('/order/1/cart')).text
  assert.match(repaired, /\/order\/1\/checkout/)
  assert.equal(totalOn(repaired), 160)

  shop.store.availability.off({ kind: 'item', id: 801 as never }, null, null)
  const rest = (await guest.get('/order/1/cart')).text
  assert.equal(totalOn(rest), undefined)
})

test('a dish is added only with choices that can be ordered; what is wrong stands beside its group', async t => {
  const shop = await busyShop(t)
  const guest = guestOf(shop)
  const dish = shop.store.catalogue.current().menu(1 as never)?.items
  const strict = [...(dish?.values() ?? [])].find(({ groups }) => groups.some(({ minSelect }) => minSelect > 0))
  const group = strict?.groups.find(({ minSelect }) => minSelect > 0)
  assert.ok(strict && group)
  const size = String(strict.variations[0]?.id ?? '')
  const missing = await guest.post(`/order/1/dish/${strict.id}`, { quantity: '2', size, note: 'kept' })
  assert.equal(missing.status, 422)
  const field = new RegExp(`id="group-${group.id}">[\\s\\S]*?</fieldset>`).exec(missing.text)?.[0] ?? ''
  assert.match(field, /role="alert">Please choose here/)
  assert.match(missing.text, /value="kept"/)
  assert.match(missing.text, /name="quantity"[^>]*value="2"/)
  for (const [fields, reason] of [
    [{ quantity: '0', size: '8011' }, /Enter a number from 1 to 99/],
    [{ quantity: '100', size: '8011' }, /Enter a number from 1 to 99/],
    [{ quantity: '1' }, /Choose a size/],
    [{ quantity: '1', size: '2011' }, /This size has sold out/],
    [{ quantity: '1', size: '8011', 'some-11': '1' }, /An option that you chose has sold out/],
    [{ quantity: '1', size: '8011', note: 'x'.repeat(141) }, /At most 140 characters/],
  ] as const) {
    const { status, text } = await guest.post('/order/1/dish/801', fields)
    assert.equal(status, 422, JSON.stringify(fields))
    assert.match(text, reason)
  }
  assert.equal(guest.cookies.has('cart /order/1'), false)
  await add(guest, '/order/1', 801, { size: '8011', quantity: '60' })
  assert.equal((await guest.post('/order/1/dish/801', { quantity: '60', size: '8011' })).status, 422)
  assert.equal((await guest.post('/order/1/dish/801', { quantity: '1', size: '8011', price: '0' })).status, 400)
})

test('a full cart says so and keeps what it has', async t => {
  const shop = await busyShop(t)
  const guest = guestOf(shop)
  let added = 0
  for (; added < 60; added++) {
    const note = Array.from({ length: 120 }, (_, at) =>
      String.fromCodePoint(0x100 + ((at * 37 + added * 91) % 500)),
    ).join('')
    const { status, text } = await guest.post('/order/1/dish/801', { quantity: '1', size: '8011', note })
    if (status === 303) continue
    assert.equal(status, 422)
    assert.match(text, /Your order is full/)
    break
  }
  assert.ok(added >= 5 && added <= 40, String(added))
  assert.ok((guest.cookies.get('cart /order/1')?.value.length ?? 0) <= 3500)
  assert.equal(linePricesOn((await guest.get('/order/1/cart')).text).length, added)
})

test('a delivery names its fee and what is missing to its minimum, by the postcode where there are zones', async t => {
  const shop = await busyShop(t)
  const base = '/order/1'
  const guest = guestOf(shop)
  const { text: menu } = await guest.get(base)
  assert.match(menu, /Delivery: fee €1.90 to €2.90 by postcode, free from €35.00, minimum order from €10.00/)
  await add(guest, base, 801, { size: '8011' })
  await guest.post(`${base}/cart`, { act: 'mode', mode: 'delivery' })
  const unplaced = (await guest.get(`${base}/cart`)).text
  assert.match(unplaced, /Enter your postcode to continue/)
  assert.doesNotMatch(unplaced, /\/checkout/, 'a delivery needs its postcode first')
  assert.equal((await guest.get(`${base}/checkout`)).location, `${base}/cart`)
  await guest.post(`${base}/cart`, { act: 'postcode', postcode: '1100-437' })
  const { text } = await guest.get(`${base}/cart`)
  assert.match(text, /€8.40 more to reach the minimum of €10.00/)
  assert.doesNotMatch(text, /\/checkout/)
  assert.equal(totalOn(text), 160 + 190)
  await guest.post(`${base}/cart`, { act: 'postcode', postcode: '0000-000' })
  assert.match((await guest.get(`${base}/cart`)).text, /We do not deliver to 0000-000/)
  assert.equal((await guest.get(`${base}/checkout`)).location, `${base}/cart`)
  const wrong = await guest.post(`${base}/cart`, { act: 'postcode', postcode: ' ' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /Please enter a postcode/)
})

test('more dishes are offered once at most, none of them is chosen, and "No, thanks" is as easy', async t => {
  const shop = await busyShop(t)
  const guest = guestOf(shop)
  await add(guest, '/order/1', 801, { size: '8011' })
  const first = (await guest.get('/order/1/cart')).text
  assert.match(first, /<section class="card stack tight" id="offers">/)
  assert.match(first, /<a class="button" href="\/order\/1\/dish\/1101">Add/)
  assert.match(first, /<a class="button" href="\/order\/1\/cart">No, thanks<\/a>/)
  assert.equal(totalOn(first), 160)
  assert.doesNotMatch((await guest.get('/order/1/cart')).text, /id="offers"/)
  await add(guest, '/order/1', 801, { size: '8012' })
  assert.doesNotMatch((await guest.get('/order/1/cart')).text, /id="offers"/)
})

test('the cart, the checkout and a refused order say of each line what it contains or that it is not stated, and mark what a guest avoids', async t => {
  const shop = await busyShop(t)
  const ana = guestOf(shop)
  await add(ana, '/order/1', 801, { size: '8011' })
  // Fried potatoes, about which nothing is stated.
  await add(ana, '/order/1', 701)
  await ana.choose('/order/1', { act: 'mode', mode: 'takeaway' })
  const refused = async () => {
    const page = await ana.place('/order/1', fieldsOf(await ana.get('/order/1/checkout')))
    assert.equal(page.status, 422, 'without a name')
    return page
  }
  const pages = [() => ana.get('/order/1/cart'), () => ana.get('/order/1/checkout'), refused]
  for (const page of pages) {
    const { text } = await page()
    assert.match(text, /Contains Gluten, Eggs and Milk/)
    assert.match(text, /not stated/)
  }
  await ana.get('/order/1?avoid=3')
  for (const page of pages) {
    const { text } = await page()
    assert.match(text, /<span class="state bad">Contains Eggs<\/span>/)
    assert.match(text, /<span class="state wait">[^<]*not stated/)
  }
})

test('no cookie that a guest may send breaks a page, and none brings a price or a mode of its own', async t => {
  const shop = await busyShop(t)
  const packed = (value: unknown) => deflateRawSync(JSON.stringify(value)).toString('base64url')
  const hostile = [
    'x',
    'a'.repeat(3500),
    packed(null),
    packed({}),
    packed([1, 2, 3]),
    packed([0, null, 0, [[801, 8011, 1, null]]]),
    packed([99, 'x'.repeat(50), 1, [[801, 8011, 1e9, null]]]),
    packed([3, null, 0, [[801, 8011, 1, null, 11]]]),
    packed([
      0,
      null,
      0,
      [
        [801, null, 1, null],
        [1, null, 2, '<script>', 11, -1],
        ['1', {}, [], 0],
      ],
    ]),
    packed([0, '\u0000', 0, [[99999999, 1, 1, null]]]),
    packed([0, null, 0, Array.from({ length: 5000 }, () => [801, 8011, 1, null])]),
    deflateRawSync(Buffer.alloc(10_000_000)).toString('base64url').slice(0, 3500),
  ]
  const cell = fc.oneof(fc.integer(), fc.constantFrom(801, 8011, 1, 0, null, true), fc.string(), fc.double())
  const cookies = fc.oneof(
    fc.constantFrom(...hostile),
    fc.stringMatching(/^[\w-]{1,80}$/),
    fc.tuple(cell, cell, cell, fc.array(fc.oneof(fc.array(cell), cell))).map(packed),
  )
  await holdsForAll(cookies, 150, async cookie => {
    const short = cookie.slice(0, 200)
    const Cookie = `cart=${cookie}; avoid=${short}; guest_language=${short}`
    for (const path of ['/order/1', '/order/1/cart', '/order/1/dish/801', `/t/${tableCode}/cart`]) {
      const { status, text } = await guestOf(shop).get(path, { Cookie })
      assert.equal(status, 200, `${path} with ${cookie}`)
      assert.doesNotMatch(text, /<script>/)
    }
  })
  // The table has one mode, whatever the cookie of another page had.
  const { text } = await guestOf(shop).get(`/t/${tableCode}/cart`, {
    Cookie: `cart=${packed([2, null, 0, [[801, 8011, 1, null]]])}`,
  })
  assert.equal(totalOn(text), 160)
  assert.doesNotMatch(text, /Delivery/)
  assert.deepEqual(
    shop.logged.filter(({ level }) => level === 'error'),
    [],
  )
})
