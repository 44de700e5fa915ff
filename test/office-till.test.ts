import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restaurant } from '../examples/demo.ts'
import { parseRestaurantFile, writeRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import type { OrderId } from '../store/terms/ids.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { expectedOrder, type RestaurantFile } from './support/independent-calculation.ts'
import { logIn, pairDevice } from './support/log-in.ts'
import { openShop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const demo = () => ({ restaurant: writeRestaurantFile(restaurant()) })

/** The total of an order by the independent calculation, in minor units. */
function totalOf(file: unknown, body: unknown, at: number): number {
  const expected = expectedOrder(file as RestaurantFile, body, at)
  if (expected.status !== 201) throw new Error(JSON.stringify(expected))
  return Math.round(expected.order.grand_total * 100)
}

test('an order is entered by touch: dishes, options, a note, a table and a discount, at the total that was shown', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, demo())
  const { cookie } = logIn(shop, 'staff', 'Ana')
  const { page, site } = await openWindow(t, shop.port, { cookie, width: 390, height: 844 })
  await page.goto(`${site}/office/till`)
  await assertUsableEverywhere(page, 'till')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: /^Pastéis de bacalhau/ }).click()
  const mayonnaise = page.locator('label', { hasText: 'Garlic mayonnaise' }).locator('input')
  if ((await mayonnaise.getAttribute('type')) === 'checkbox') await mayonnaise.check()
  else await mayonnaise.fill('1')
  await page.getByLabel('Note for the kitchen').fill('well <done>')
  await page.getByLabel('Quantity').fill('2')
  await assertUsableEverywhere(page, 'till-dish')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Add to the order' }).click()
  await page.getByText('"well <done>"').waitFor()
  await page.getByRole('button', { name: /^Moelas/ }).click()
  await page.getByRole('button', { name: 'One Moelas more' }).click()
  await page.getByLabel('How', { exact: true }).selectOption('dine in')
  await page.getByLabel('Table').selectOption({ index: 1 })
  await page.getByText('Discount', { exact: true }).first().click()
  await page.locator('#discount').selectOption('Percent')
  await page.getByLabel('How much').fill('10')
  await page.getByLabel('Reason').fill('regular')
  await page.getByRole('button', { name: 'Update the total' }).click()
  await page.getByText('"regular", 10 % of').waitFor()
  await assertUsableEverywhere(page, 'till-order')
  const shown = await page.getByRole('button', { name: /^Place the order · €/ }).innerText()
  await page.getByRole('button', { name: /^Place the order/ }).click()
  await page.getByText('The order is placed.').waitFor()

  const order = shop.store.orderBook.byId(1)
  assert.ok(order)
  assert.deepEqual([order.source, order.mode, order.tableTitle], ['pos', 'dine_in', 'Room 1'])
  assert.deepEqual(
    order.lines.map(({ qtyMilli, notes, modifiers }) => [qtyMilli, notes, modifiers.map(({ title }) => title)]),
    [
      [2000, 'well <done>', ['Garlic mayonnaise']],
      [2000, null, []],
    ],
  )
  const items = order.lines.map(({ itemId, variationId, qtyMilli, modifiers }) => ({
    item_id: itemId,
    variation_id: variationId,
    qty: qtyMilli / 1000,
    modifiers: modifiers.map(({ id, qty }) => ({ modifier_id: id, qty })),
  }))
  // All prices include the tax and there is no service charge: 10 % off the dishes is 10 % off the total.
  const full = totalOf(demo().restaurant, { location_id: 1, service_mode: 'dine_in', items }, order.placedAt)
  assert.equal(order.grandTotal, full - Math.floor((full + 5) / 10))
  assert.equal(shown, `Place the order · €${(order.grandTotal / 100).toFixed(2)}`)
  assert.equal(shop.store.activity({ orderId: order.id }, 9)[0]?.actor.name, 'Ana')

  await page.getByRole('button', { name: 'Card' }).click()
  await page.getByText('Payment taken.').waitFor()
  await page.getByText('Settled').waitFor()
  await page.getByRole('link', { name: 'Next order' }).click()
  await page.getByText('Nothing yet.').waitFor()
})

test('an order is entered by keyboard alone: "2 latte" and Enter, then the size, and the next dish', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'manager', 'Eva').cookie })
  await page.goto(`${site}/office/till`)
  const type = async (text: string) => {
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  await type('2 latt')
  await page.getByRole('group', { name: 'Size' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText('Latte (Large)').waitFor()
  await page.locator('#find').focus()
  await type('soup')
  await page.getByText('Soup', { exact: true }).nth(1).waitFor()
  await type('zebra')
  await page.getByText('No dish is like “zebra”.').waitFor()
  await page.locator('#find').fill('')
  const place = page.getByRole('button', { name: /^Place the order · / })
  for (let presses = 0; presses < 60 && !(await place.evaluate(it => it === document.activeElement)); presses++) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await page.getByText('The order is placed.').waitFor()
  const order = shop.store.orderBook.byId(1)
  assert.deepEqual(
    [order?.source, order?.lines.map(({ name, qtyMilli }) => [name, qtyMilli])],
    [
      'admin',
      [
        ['Latte (Large)', 2000],
        ['Soup', 1000],
      ],
    ],
  )
  const items = [
    { item_id: 4, variation_id: 2, qty: 2 },
    { item_id: 1, qty: 1 },
  ]
  assert.equal(order?.grandTotal, totalOf(smallRestaurant(), { location_id: 1, items }, order?.placedAt ?? 0))
})

test('without script the till keeps the order and what was typed, and says what is missing or sold out', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  shop.store.availability.off({ kind: 'item', id: 1 as never }, null, null)
  const { cookie } = logIn(shop, 'manager', 'Eva')
  const { page, site } = await openWindow(t, shop.port, { cookie, javaScriptEnabled: false })
  await page.goto(`${site}/office/till`)
  assert.ok(await page.getByRole('button', { name: /^Soup/ }).isDisabled())
  await page.getByRole('button', { name: /^Burger/ }).click()
  await page.getByLabel('Quantity').fill('0')
  await page.getByLabel('Note for the kitchen').fill('rare')
  await page.getByRole('button', { name: 'Add to the order' }).click()
  assert.match(await page.getByRole('alert').innerText(), /quantity of an item is not valid/)
  assert.equal(await page.getByLabel('Note for the kitchen').inputValue(), 'rare')
  await page.getByLabel('Quantity').fill('1')
  await page.getByLabel('Egg').fill('2')
  await page.getByRole('button', { name: 'Add to the order' }).click()
  await page.getByText('Guest, notes and time').click()
  await page.getByLabel('Name').fill('Rui')
  await page.getByLabel('Wanted for').fill('soon')
  await page.getByRole('button', { name: /^Place the order/ }).click()
  assert.match(await page.getByRole('alert').innerText(), /Write it like 19:30/)
  assert.equal(await page.getByLabel('Name').inputValue(), 'Rui')
  await page.getByLabel('Wanted for').fill('')

  // It is sold out while the guest thinks.
  shop.store.availability.off({ kind: 'item', id: 2 as never }, null, null)
  await page.getByRole('button', { name: /^Place the order/ }).click()
  assert.equal(await page.getByRole('alert').innerText(), 'Burger: One of the items is no longer available.')
  await page.getByText('Burger (sold out)').waitFor()
  shop.store.availability.on({ kind: 'item', id: 2 as never }, null)
  await page.getByRole('button', { name: /^Place the order/ }).click()
  await page.getByText('The order is placed.').waitFor()
  assert.deepEqual(shop.store.orderBook.byId(1)?.customer.name, 'Rui')
})

test('a second press and the back button lead to the order that was placed, and another price is asked for first', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'staff', 'Ana').cookie })
  await page.goto(`${site}/office/till`)
  await page.getByRole('button', { name: /^Soup/ }).click()
  await page.getByText('Start again').waitFor()
  shop.store.importCatalogue(priced(7))
  await page.getByRole('button', { name: 'Place the order · US$6.50' }).click()
  await page.getByText('The order now costs 7.58 USD.').waitFor()
  const place = page.getByRole('button', { name: 'Place the order · US$7.58' })
  const form = await page.locator('#till').evaluate(it => {
    const fields = [...new FormData(it as HTMLFormElement)].map(([name, value]) => [name, String(value)])
    return [...fields, ['do', 'place']] as [string, string][]
  })
  await place.dblclick()
  await page.getByText('The order is placed.').waitFor()
  const { headers } = logIn(shop, 'staff', 'Eva')
  const again = (changed: Record<string, string> = {}) =>
    fetch(`${shop.url}/office/till`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ ...Object.fromEntries(form), ...changed }),
      redirect: 'manual',
    })
  const second = await again()
  assert.deepEqual([second.status, second.headers.get('location')], [303, '/office/orders/1?done=placed'])
  const other = await again({ notes: 'And quickly' })
  assert.equal(other.status, 422)
  assert.match(await other.text(), /This order was already placed/)
  assert.equal(shop.store.orderBook.last().length, 1)
})

test('a till is only for people who are logged in, at its own location, and reads nothing but its own form', async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  const post = (headers: Record<string, string>, fields: Record<string, string>) =>
    fetch(`${shop.url}/office/till`, { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' })
  assert.equal((await post(pairDevice(shop, 'till').headers, { do: 'place' })).status, 401)
  const { headers } = logIn(shop, 'staff', 'Ana')
  for (const lines of [
    '',
    'null',
    '[1]',
    '[{"item_id":1,"qty":-1}]',
    '{"a":1}',
    '[[[[',
    '[{"item_id":1e99,"qty":1}]',
  ]) {
    assert.equal((await post(headers, { do: 'place', lines })).status, 422, lines)
    assert.equal((await post(headers, { do: 'enter', lines })).status, 200, lines)
  }
  assert.equal((await post(headers, { do: 'change:7', lines: '[]', sheet: '99:7' })).status, 200)
  assert.equal((await post(headers, { do: 'place', surprise: '1' })).status, 400)
  assert.equal(shop.store.orderBook.last().length, 0)
})

test('a till of a location that takes no orders is not there, and an unknown table is named as such', async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  const { headers } = logIn(shop, 'staff', 'Ana')
  const order = { do: 'place', lines: '[{"item_id":1,"qty":1}]' }
  const post = (query: string, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields)
    return fetch(`${shop.url}/office/till${query}`, { method: 'POST', headers, body, redirect: 'manual' })
  }
  for (const place of ['99', 'abc', '', '1e0']) {
    const query = `?location=${place}`
    assert.equal((await fetch(`${shop.url}/office/till${query}`, { headers })).status, 404, place)
    assert.equal((await post(query, order)).status, 404, place)
  }
  for (const table of ['99', 'abc']) {
    const response = await post('?location=1', { ...order, table })
    assert.equal(response.status, 422, table)
    assert.match(await response.text(), /This table is not there any more/, table)
  }
  assert.equal(shop.store.orderBook.last().length, 0)
})

test('a value that is not in the list of its field is refused, and books nothing', async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  const { headers } = logIn(shop, 'owner', 'Ana')
  const post = (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields)
    return fetch(`${shop.url}/office/${path}`, { method: 'POST', headers, body, redirect: 'manual' })
  }
  const order = { do: 'place', lines: '[{"item_id":1,"qty":1}]' }
  assert.equal((await post('till', order)).status, 303)
  const seen = String(shop.store.activity({ orderId: 1 as OrderId }, 1)[0]?.id ?? 0)
  const before = JSON.stringify(shop.rows('SELECT * FROM activity'))
  const off = { item: '1', kind: 'item', id: '1', location: '1', where: 'here', until: 'open' }
  for (const [path, fields] of [
    ['till', { ...order, mode: 'zzz' }],
    ['till', { ...order, discount: 'half', value: '5', reason: 'x' }],
    ['orders/1/edit', { do: 'save', seen, discount: 'half', value: '5', reason: 'x' }],
    ['orders/1/pay', { seen, amount: '1', method: 'bitcoin' }],
    ['orders/1/refund', { seen, amount: '1', method: 'bitcoin', reason: 'x' }],
    ['orders/1/cancel', { seen, reason: 'x', stock: 'bogus' }],
    ['menu/off', { ...off, until: 'bogus' }],
    ['menu/off', { ...off, where: 'bogus' }],
    ['menu/on', { kind: 'item', id: '1', location: '1', where: 'bogus' }],
    ['integrations/switch', { switch: 'bogus', to: 'off' }],
    ['integrations/switch', { switch: 'api', to: 'bogus' }],
  ] as const) {
    assert.equal((await post(path, fields)).status, 400, `${path} ${JSON.stringify(fields)}`)
  }
  assert.equal(JSON.stringify(shop.rows('SELECT * FROM activity')), before)
})

/** The small restaurant with another price of the soup. */
function priced(soup: number) {
  const file = smallRestaurant()
  Object.assign(file.categories[0]?.items[0] ?? {}, { price: soup })
  const { file: parsed, problems } = parseRestaurantFile(JSON.stringify(file))
  assert.deepEqual(problems, [])
  return parsed
}
