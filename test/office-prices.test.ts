import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restaurant } from '../examples/demo.ts'
import { writeRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { logIn } from './support/log-in.ts'
import { accepted } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const demo = () => ({ restaurant: writeRestaurantFile(restaurant()) })

function prices({ store }: Shop) {
  const { categories, locations } = store.exportCatalogue()
  const items = categories.flatMap(({ items }) => items)
  return {
    of: (id: number) => items.find(item => item.id === id)?.price,
    size: (id: number) => items.flatMap(({ variations }) => variations).find(size => size.id === id)?.price,
    at: (id: number) => locations[0]?.items.find(item => item.id === id)?.price ?? null,
  }
}

test('prices are changed from the keyboard alone, and only changed ones are sent', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, demo())
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'manager').cookie })
  await page.goto(`${site}/office/menu/prices`)
  const [first, second] = shop.store.exportCatalogue().categories[0]?.items ?? []
  await page.locator('.grid input').first().selectText()
  await page.keyboard.type('5.60')
  await page.keyboard.press('Tab')
  await page.keyboard.type('6')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.type('7.25')
  let sent = ''
  page.on('request', request => {
    if (request.method() === 'POST') sent = request.postData() ?? ''
  })
  await page.getByRole('button', { name: 'Save prices' }).press('Enter')
  await page.getByRole('status').getByText('Saved.').waitFor()
  assert.equal(sent.match(/p-/g)?.length, 3)
  const now = prices(shop)
  assert.deepEqual([now.of(first?.id ?? 0), now.at(first?.id ?? 0), now.of(second?.id ?? 0)], [5600, 6000, 7250])

  await page.getByRole('textbox', { name: `${first?.title} Andorinha Alfama` }).fill('')
  await page.getByRole('button', { name: 'Save prices' }).click()
  await page.getByRole('status').getByText('Saved.').waitFor()
  assert.equal(prices(shop).at(first?.id ?? 0), null)
})

test('a percentage over a section is shown first, can be corrected, and is one step to undo', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  for (const javaScriptEnabled of [false, true]) {
    const cookie = logIn(shop, 'manager').cookie
    const { page, site } = await openWindow(t, shop.port, { cookie, javaScriptEnabled })
    await page.goto(`${site}/office/menu/prices`)
    await page.getByRole('textbox', { name: 'Soup Everywhere' }).fill('7')
    await page.getByText('Change several prices').click()
    await page.getByLabel('Of', { exact: true }).selectOption('Mains')
    await page.getByLabel('Change by').fill('5')
    await page.getByLabel('Round to').selectOption('0.10')
    await page.getByRole('button', { name: 'Preview' }).click()
    assert.match(await page.locator('[role=status]:not(#alarms)').innerText(), /^3 prices would change/)
    const values = await page
      .locator('#section-1 input')
      .evaluateAll(all => all.map(each => (each as HTMLInputElement).value))
    assert.deepEqual(values, ['7.40', '', '13.10', '', '21.00', ''])
    if (javaScriptEnabled) await assertUsableEverywhere(page, 'prices')
    assert.equal(prices(shop).of(3), 20_000)
    await page.getByRole('textbox', { name: 'Steak Everywhere' }).fill('20')
    await page.getByRole('button', { name: 'Save prices' }).click()
    await page.getByRole('status').getByText('Saved.').waitFor()
    assert.deepEqual([1, 2, 3, 4].map(prices(shop).of), [7400, 13_100, 20_000, 3000])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').waitFor()
    assert.deepEqual([1, 2, 3, 4].map(prices(shop).of), [6000, 12_500, 20_000, 3000])
  }
})

test('a price that is none, and one that somebody else changed, are marked and nothing is saved', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  const cookie = logIn(shop, 'manager').cookie
  const { page, site } = await openWindow(t, shop.port, { cookie, javaScriptEnabled: false })
  await page.goto(`${site}/office/menu/prices`)
  await page.getByRole('textbox', { name: 'Soup Everywhere' }).fill('cheap')
  await page.getByRole('textbox', { name: 'Burger Everywhere' }).fill('')
  await page.getByRole('textbox', { name: 'Large Everywhere' }).fill('4.40')
  await page.getByRole('button', { name: 'Save prices' }).click()
  assert.match(await page.getByRole('table').innerText(), /not a price[\s\S]*a price is needed/)
  assert.equal(await page.getByRole('textbox', { name: 'Soup Everywhere' }).inputValue(), 'cheap')
  await page.getByRole('textbox', { name: 'Soup Everywhere' }).fill('6')
  await page.getByRole('textbox', { name: 'Burger Everywhere' }).fill('13')
  accepted(
    shop.store.editMenu([
      { edit: 'prices', prices: [{ kind: 'variation', id: 2, location: null, was: 4000, price: 4200 }] },
    ]),
  )
  await page.getByRole('button', { name: 'Save prices' }).click()
  assert.match(await page.getByRole('alert').innerText(), /Somebody else has changed/)
  assert.match(await page.getByRole('table').innerText(), /somebody else: 4.20/)
  assert.deepEqual([prices(shop).of(2), prices(shop).size(2)], [12_500, 4200])
  await page.getByRole('button', { name: 'Save prices' }).click()
  await page.getByRole('status').getByText('Saved.').waitFor()
  assert.deepEqual([prices(shop).of(2), prices(shop).size(2)], [13_000, 4400])
})
