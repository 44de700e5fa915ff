import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restaurant } from '../examples/demo.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import { writeRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { logIn } from './support/log-in.ts'
import { orderOf, pizza, pizzeria, salad, water } from './support/pizzeria.ts'
import { accepted } from './support/refusals.ts'
import { openShop } from './support/shop.ts'

const demo = () => ({ restaurant: writeRestaurantFile(restaurant()) })
const nata = { item_id: 801, variation_id: 8012, qty: 1 }

test('new orders appear in the list by themselves, with what is late, unpaid or sent twice', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, demo())
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'staff', 'Ana').cookie })
  await page.goto(`${site}/office/orders`)
  await page.getByText('No open orders. New ones appear here by themselves.').waitFor()
  const sound = page.getByRole('button', { name: 'Sound' })
  await sound.click()
  assert.equal(await sound.getAttribute('aria-pressed'), 'true')

  const customer = { name: 'Rui <b>Costa</b>', phone: '+351 912 345 678' }
  const order = { location_id: 1, customer, items: [nata, { item_id: 1, qty: 2, notes: 'No salt' }] }
  for (const _ of [1, 2]) assert.equal((await shop.order(order)).status, 201)
  await page.getByText('Looks like ORD-000001 sent twice').waitFor()
  assert.match(await page.getByRole('row', { name: /ORD-000002/ }).innerText(), /Rui <b>Costa<\/b>[\s\S]*unpaid/)
  await assertUsableEverywhere(page, 'orders')

  accepted(shop.store.move(2 as never, 'cancel', { reason: 'sent twice' }))
  await page.getByRole('link', { name: 'Unpaid 1' }).waitFor()
  await page.getByRole('link', { name: /^All/ }).click()
  assert.equal(await page.getByRole('row', { name: /ORD-00000[12]/ }).count(), 2)
  await page.getByRole('link', { name: /ORD-000002/ }).waitFor()
})

test('an order is found by its number, phone, name, dish, total and time, with what was looked for kept', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { headers } = logIn(shop, 'staff')
  const read = async (query: string, language = 'en') => {
    const asked = { headers: { ...headers, 'Accept-Language': language } }
    const response = await fetch(`${shop.url}/office/orders?${query}`, asked)
    const text = await response.text()
    return { status: response.status, text, numbers: text.match(/(?<=>ORD-00000)\d/g) ?? [] }
  }
  const from = (customer: object, ...items: unknown[]) => accepted(parseDraft({ ...orderOf(...items), customer }))
  accepted(shop.store.orders.place(from({ name: 'Ana Sousa', phone: '+351 912 345 678' }, pizza(), salad), 'pos'))
  accepted(shop.store.orders.place(from({ name: 'Rui' }, water), 'pos'))
  const time = new Date(shop.clock.now()).toISOString().slice(11, 16)
  for (const [query, numbers] of [
    ['q=ORD-000002', ['2']],
    ['q=2', ['2']],
    ['q=345%20678', ['1']],
    ['q=SOUS', ['1']],
    ['q=water', ['2']],
    ['q=anchovies', []],
    ['q=%2B%2B', []],
    ['total=15', ['1']],
    ['total=15,00&q=ana', ['1']],
    ['total=15&q=rui', []],
    [`at=${time}`, ['2', '1']],
    [`at=${time}&channel=phone`, []],
    ['at=2020-01-01T00:00', []],
  ] as const) {
    assert.deepEqual((await read(query)).numbers, numbers, query)
  }
  const wrong = await read('total=dear&q=%22%3E%3Cscript%3E')
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /value="dear"[\s\S]*This is not an amount/)
  assert.match(wrong.text, /value="&quot;&gt;&lt;script&gt;"/)
  assert.match((await read('at=soon', 'de')).text, /Das ist keine Zeit/)
})
