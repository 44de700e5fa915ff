import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { logIn } from './support/log-in.ts'
import { openShop, type Shop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const orderOfMenu = ({ store }: Shop) =>
  store.exportCatalogue().categories.map(({ title, items }) => [title, ...items.map(item => item.title)].join(' '))

test('dishes and sections are put in order by buttons, without script, and by dragging', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  const { cookie } = logIn(shop, 'manager')
  const plain = await openWindow(t, shop.port, { cookie, javaScriptEnabled: false })
  await plain.page.goto(`${plain.site}/office/menu/order`)
  await plain.page.getByRole('button', { name: 'Down: Soup' }).click()
  assert.deepEqual(orderOfMenu(shop), ['Mains Burger Soup Steak', 'Drinks Latte'])
  await plain.page.getByRole('button', { name: 'Down: Soup' }).click()
  await plain.page.getByRole('button', { name: 'Up: Drinks' }).click()
  assert.deepEqual(orderOfMenu(shop), ['Drinks Latte', 'Mains Burger Steak Soup'])
  assert.ok(await plain.page.getByRole('button', { name: 'Down: Soup' }).isDisabled())

  const { page, site } = await openWindow(t, shop.port, { cookie })
  await page.goto(`${site}/office/menu/order`)
  await assertUsableEverywhere(page, 'menu-order')
  await page.locator('#item-1 > span').dragTo(page.locator('#item-4 > span'), { targetPosition: { x: 5, y: 2 } })
  await page.getByRole('status').getByText('Saved.').waitFor()
  assert.deepEqual(orderOfMenu(shop), ['Drinks Soup Latte', 'Mains Burger Steak'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  assert.deepEqual(orderOfMenu(shop), ['Drinks Latte', 'Mains Burger Steak Soup'])
})

test('an undo from a page that is no longer up to date undoes nothing, and says who was faster', async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  const post = (who: ReturnType<typeof logIn>, path: string, fields: Record<string, string>) =>
    fetch(`${shop.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: who.headers,
      body: new URLSearchParams(fields),
    })
  const [ana, ben] = [logIn(shop, 'manager', 'Ana'), logIn(shop, 'owner', 'Ben')]
  const move = { record: 'item', section: '1', before: '' }
  const saved = new URL(
    (await post(ana, '/office/menu/order', { ...move, id: '1' })).headers.get('location') ?? '',
    shop.url,
  )
  await post(ben, '/office/menu/order', { ...move, id: '2' })
  const late = await post(ana, '/office/menu/undo', { at: saved.searchParams.get('saved') ?? '', back: '/office/menu' })
  assert.equal(late.status, 409)
  assert.match(await late.text(), /Ben has changed the menu since/)
  assert.deepEqual(orderOfMenu(shop), ['Mains Steak Soup Burger', 'Drinks Latte'])
  const gone = await post(ana, '/office/menu/order', { ...move, id: '99' })
  assert.equal(gone.status, 409)
})

test('sections and option groups are edited and added, and keep what their forms do not show', {
  skip: withoutBrowser,
}, async t => {
  const groups = smallRestaurant().modifier_groups
  const [extras] = groups
  Object.assign(extras?.modifiers[0] ?? {}, { variation_prices: [{ variation: 2, price: 2 }] })
  const shop = await openShop(t, { restaurant: smallRestaurant({}, { modifier_groups: groups }) })
  const before = JSON.stringify(shop.store.exportCatalogue())
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'manager').cookie })
  for (const path of ['group?id=1', 'group?id=2', 'section?id=1']) {
    await page.goto(`${site}/office/menu/${path}`)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  assert.equal(JSON.stringify(shop.store.exportCatalogue()), before, 'forms that are saved as they are change nothing')

  await page.goto(`${site}/office/menu/group?id=1`)
  await assertUsableEverywhere(page, 'group')
  const rows = page.locator('.part-row')
  await rows.nth(0).getByLabel('Price').fill('1,80')
  await rows.nth(0).locator('summary').click()
  await rows.nth(0).getByLabel('Gluten').selectOption('contains')
  await rows.nth(2).getByLabel('Name').fill('Bacon')
  await rows.nth(2).getByLabel('Price').fill('2')
  await page.getByLabel('At least').fill('1')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').getByText('Saved.').waitFor()
  const [group] = shop.store.exportCatalogue().modifier_groups
  assert.deepEqual(
    group?.modifiers.map(({ id, title, price, allergens, variation_prices }) => [
      id,
      title,
      price,
      allergens.length,
      variation_prices.length,
    ]),
    [
      [1, 'Egg', 1800, 1, 1],
      [2, 'Cheese', 750, 0, 0],
      [5, 'Bacon', 2000, 0, 0],
    ],
  )
  assert.equal(group?.min_select, 1)
  await page.getByLabel('At least').fill('9')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').waitFor()
  assert.equal(await page.getByLabel('At least').inputValue(), '9')

  await page.goto(`${site}/office/menu/section`)
  await page.getByLabel('Name').fill('Sweets')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').getByText('Saved.').waitFor()
  await assertUsableEverywhere(page, 'section')
  assert.equal(shop.store.exportCatalogue().categories.at(-1)?.title, 'Sweets')
})
