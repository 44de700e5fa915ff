import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { busyShop, tableCode } from './support/busy-shop.ts'

test('the menu, a dish and the cart can be used on each screen, in three languages', {
  skip: withoutBrowser,
}, async t => {
  const shop = await busyShop(t)
  for (const [locale, language] of [
    ['en-GB', 'en'],
    ['de-DE', 'de'],
    ['pt-PT', 'pt'],
  ] as const) {
    const { page, site } = await openWindow(t, shop.port, { locale })
    for (const [name, path] of [
      ['places', '/order'],
      ['menu', '/order/1?avoid=1&avoid=3'],
      ['dish', '/order/1/dish/801'],
      ['table', `/t/${tableCode}`],
    ] as const) {
      await page.goto(`${site}${path}`)
      assert.equal(await page.locator('html').getAttribute('lang'), language)
      await assertUsableEverywhere(page, `guest-${name}-${language}`)
    }
    await page.goto(`${site}/order/1/dish/801`)
    await page.click('.choices .primary')
    await page.goto(`${site}/order/1`)
    await assertUsableEverywhere(page, `guest-menu-with-cart-${language}`)
    await page.goto(`${site}/order/1/cart`)
    await assertUsableEverywhere(page, `guest-cart-${language}`)
  }
})
