import assert from 'node:assert/strict'
import test from 'node:test'
import { parseDraft } from '../store/ordering/draft.ts'
import { openWindow, withoutBrowser } from './support/browser.ts'
import { epsonPrinter } from './support/epson-printer.ts'
import { logIn } from './support/log-in.ts'
import { orderOf, pizza, pizzeria } from './support/pizzeria.ts'
import { accepted } from './support/refusals.ts'
import { openShop } from './support/shop.ts'

test('a manager adds a printer, prints a test page, sets it up and removes it; staff print a ticket and a receipt on it', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: pizzeria({ stock: [] }) })
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'manager').cookie })
  await page.goto(`${site}/office/devices`)
  await page.getByRole('link', { name: 'Printers' }).click()
  await page.getByLabel('Name').fill('Oven <1>')
  await page.getByLabel('Kind').selectOption('Epson Server Direct Print')
  await page.getByLabel('Characters in a line').fill('99')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByText('A line has from 16 to 64 characters.').waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Oven <1>')
  await page.getByLabel('Characters in a line').fill('')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('heading', { name: 'Oven <1>' }).waitFor()
  const address = (await page.locator('.printer-address').textContent()) ?? ''
  const [, secret = ''] = /^http:\/\/.+\/printers\/([\w-]{43})$/.exec(address) ?? []
  const stored = JSON.stringify([shop.rows('SELECT * FROM device'), shop.rows('SELECT * FROM activity')])
  assert.ok(secret !== '' && !stored.includes(secret), 'the secret is not kept')
  await page.reload()
  await page.getByText('was shown once').waitFor()

  const printer = epsonPrinter(shop, secret)
  await page.getByRole('button', { name: 'Print a test page' }).click()
  await page.getByText('The slip waits for the printer.').waitFor()
  assert.equal(await printer.run(), 1)
  assert.match(printer.paper[0]?.text ?? '', /TEST[\s\S]*e a u ss EUR/)
  await page.getByLabel('When').selectOption('only what somebody asks for')
  await page.getByLabel('Oven', { exact: true }).check()
  await page.getByLabel('Characters').selectOption('all')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()

  const order = accepted(shop.store.orders.place(accepted(parseDraft(orderOf(pizza()))), 'pos')).id
  const staff = await openWindow(t, shop.port, { cookie: logIn(shop, 'staff').cookie, width: 390 })
  await staff.page.goto(`${staff.site}/office/orders/${order}`)
  await staff.page.getByRole('link', { name: 'Ticket 1, Oven: Print' }).click()
  await staff.page.getByRole('button', { name: 'Print on Oven <1>' }).click()
  await staff.page.getByText('The slip waits for the printer.').waitFor()
  await staff.page.goto(`${staff.site}/office/orders/${order}/print`)
  await staff.page.getByRole('button', { name: 'Print on Oven <1>' }).click()
  await staff.page.getByText('The slip waits for the printer.').waitFor()
  assert.equal(await printer.run(), 2)
  assert.match(printer.paper[1]?.text ?? '', /COPY[\s\S]*1 x Pizza/)
  assert.match(printer.paper[2]?.text ?? '', /Not a tax document/)

  await page.getByRole('button', { name: 'Make a new address' }).click()
  const renewed = (await page.locator('.printer-address').textContent()) ?? ''
  assert.ok(!renewed.includes(secret))
  await assert.rejects(printer.request(), /401/)
  await page.getByRole('button', { name: 'Remove this printer' }).click()
  await page.getByText('There are no printers yet.').waitFor()
  await assert.rejects(epsonPrinter(shop, renewed.split('/').at(-1) ?? '').request(), /401/)
})
