import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restaurant } from '../examples/demo.ts'
import { writeRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import type { StockId } from '../store/terms/ids.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { logIn } from './support/log-in.ts'
import { orderOf, pizza, pizzeria } from './support/pizzeria.ts'
import { accepted } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'

const dough = 1 as StockId
const onHand = (shop: Shop) => (shop.store.shelf.list().find(({ id }) => id === dough)?.onHand ?? 0) / 1_000_000

test('counts are saved row by row from the keyboard, and what is short leaves the menu', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: writeRestaurantFile(restaurant()) })
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'staff', 'Ana').cookie })
  await page.goto(`${site}/office/stock`)
  const [first, second] = shop.store.shelf.list()
  await page.getByLabel(`Counted: ${first?.title}`).fill('7,5')
  await page.keyboard.press('Enter')
  await page.locator(`#stock-${first?.id}`).getByRole('status').waitFor()
  assert.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
    `Counted: ${second?.title}`,
  )
  await page.keyboard.type('0')
  await page.keyboard.press('Enter')
  await page.locator(`#stock-${second?.id}`).getByRole('status').waitFor()
  const counted = shop.store.shelf.list().slice(0, 2)
  assert.deepEqual(
    counted.map(each => each.onHand),
    [7_500_000, 0],
  )
  assert.match(await page.locator('#attention').innerText(), new RegExp(`Low.*${second?.title} \\(0 `))
  await assertUsableEverywhere(page, 'stock')
  await page.getByRole('link', { name: 'Movements' }).click()
  assert.match(await page.locator('tbody tr').first().innerText(), /counted\s+Ana/)
  await assertUsableEverywhere(page, 'movements')
})

test('a count after a sale or another count says what happened, and overwrites it only when saved again', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  for (const javaScriptEnabled of [true, false]) {
    const window = await openWindow(t, shop.port, { cookie: logIn(shop, 'staff').cookie, javaScriptEnabled })
    const { page, site } = window
    accepted(shop.store.shelf.change(dough, 'set', 2_000_000, null))
    await page.goto(`${site}/office/stock`)
    assert.equal((await shop.order(orderOf(pizza(2)))).status, 201)
    await page.getByLabel('Counted: Dough').fill('1.9')
    await page.keyboard.press('Enter')
    const alert = page.getByRole('alert')
    assert.match(
      await alert.innerText(),
      /^\d\d:\d\d sold: −0.5 kg. You saw 2 kg; now it is 1.5 kg. Is your count still right/,
    )
    assert.equal(await page.getByLabel('Counted: Dough').inputValue(), '1.9')
    assert.equal(onHand(shop), 1.5)
    await page.getByLabel('Counted: Dough').press('Enter')
    await page.locator('[role=status]:not(#alarms)').waitFor()
    assert.equal(onHand(shop), 1.9)
  }
})

test('deliveries and waste are booked, and what is wrong keeps what was typed beside the reason', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { headers } = logIn(shop, 'staff', 'Ana')
  const post = (fields: Record<string, string>) =>
    fetch(`${shop.url}/office/stock`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams({ stock: '1', ...fields }),
    })
  assert.equal((await post({ act: 'add', quantity: '3' })).status, 303)
  assert.equal((await post({ act: 'waste', quantity: '0,5', reason: 'dropped' })).status, 303)
  assert.equal(onHand(shop), 4.5)
  const wrong: [fields: Record<string, string>, why: string][] = [
    [{ act: 'waste', quantity: '1', reason: ' ' }, 'Write a reason.'],
    [{ act: 'waste', quantity: '9', reason: 'spoiled' }, 'Only 4.5 kg is on hand.'],
    [{ act: 'add', quantity: 'two' }, 'Write a quantity like 2.5'],
    [{ act: 'add', quantity: '0' }, 'Write a quantity like 2.5'],
    [{ act: 'set', quantity: '-1', was: '2000000' }, 'Write a quantity like 2.5'],
  ]
  for (const [fields, why] of wrong) {
    const response = await post(fields)
    const text = await response.text()
    assert.equal(response.status, 422, why)
    assert.ok(text.includes(why), why)
    assert.ok(text.includes(`value="${fields.quantity}"`), why)
  }
  assert.equal(onHand(shop), 4.5)
  const movements = shop.store.shelf.movements(0, dough, 2)
  assert.deepEqual(
    movements.map(({ kind, actor, note }) => [kind, actor, note]),
    [
      ['waste', 'Ana', 'dropped'],
      ['add', 'Ana', null],
    ],
  )
})

test('a delivery or waste that is sent twice is booked once, and an act that no form has is refused', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { headers } = logIn(shop, 'staff', 'Ana')
  const sheet = await (await fetch(`${shop.url}/office/stock`, { headers })).text()
  const attempts = [...sheet.matchAll(/name="attempt" value="([\w-]+)"/g)].map(([, attempt]) => attempt)
  assert.ok(attempts.length >= 2 && new Set(attempts).size === attempts.length)
  const [delivery = '', waste = ''] = attempts
  const post = (fields: Record<string, string>) => {
    const body = new URLSearchParams({ stock: '1', ...fields })
    return fetch(`${shop.url}/office/stock`, { method: 'POST', redirect: 'manual', headers, body })
  }
  const before = onHand(shop)
  const forms = [
    { act: 'add', quantity: '3', attempt: delivery },
    { act: 'waste', quantity: '4', reason: 'dropped', attempt: waste },
  ]
  for (const form of forms) {
    const [first, second] = [await post(form), await post(form)]
    assert.deepEqual([first.status, second.status], [303, 303])
    assert.equal(second.headers.get('location'), first.headers.get('location'))
  }
  assert.equal(onHand(shop), before + 3 - 4)
  const other = await post({ act: 'add', quantity: '2', attempt: delivery })
  assert.equal(other.status, 422)
  assert.match(await other.text(), /already saved with a different quantity/)
  assert.equal((await post({ act: 'steal', quantity: '1' })).status, 400)
  assert.equal(onHand(shop), before + 3 - 4)
})
