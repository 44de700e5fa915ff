import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { logIn } from './support/log-in.ts'
import { openShop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

test('a restaurant file is shown as changes before it is imported, and the import can be undone', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  const before = JSON.stringify(shop.store.exportCatalogue())
  const cookie = logIn(shop, 'manager').cookie
  const { page, site } = await openWindow(t, shop.port, { cookie, javaScriptEnabled: false })
  const choose = (content: string) =>
    page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'menu.json', mimeType: 'application/json', buffer: Buffer.from(content) })
  const look = () => page.getByRole('button', { name: 'Show what would change' }).click()

  await page.goto(`${site}/office/menu/file`)
  await look()
  assert.equal(await page.getByRole('alert').innerText(), 'Choose a file first.')
  await choose('{ "categories": [ { "id": 1, "title": "x", "colour": 1 } ')
  await look()
  assert.match(await page.getByRole('alert').innerText(), /1 problem, so nothing was imported[\s\S]*not valid JSON/)
  const changed = smallRestaurant({}, {})
  Object.assign(changed.categories[0]?.items[0] ?? {}, { price: 6.5, title: '<img src=x onerror=alert(1)>' })
  await choose(JSON.stringify(changed))
  await look()
  assert.match(
    await page.getByRole('main').innerText(),
    /1 change[\s\S]*<img src=x onerror=alert\(1\)>[\s\S]*price 6.00 → 6.50/,
  )
  assert.equal(JSON.stringify(shop.store.exportCatalogue()), before)
  await page.getByRole('button', { name: 'Import now' }).click()
  await page.getByRole('status').getByText('Saved.').waitFor()
  assert.equal(shop.store.exportCatalogue().categories[0]?.items[0]?.price, 6500)
  await page.goto(`${site}/office/menu/file`)
  await page.getByRole('button', { name: 'Undo it' }).click()
  await page.getByText('Undone.').waitFor()
  assert.equal(JSON.stringify(shop.store.exportCatalogue()), before)
})

test('the export is a download that changes nothing when it is imported, and other systems are converted', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'manager').cookie })
  await page.goto(`${site}/office/menu/file`)
  await assertUsableEverywhere(page, 'menu-file')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  const download = await downloading
  assert.equal(download.suggestedFilename(), 'restaurant.json')
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'restaurant.json',
    mimeType: 'application/json',
    buffer: readFileSync(await download.path()),
  })
  await page.getByRole('button', { name: 'Show what would change' }).click()
  await page.getByText('Nothing changes.').waitFor()
  await page.getByRole('link', { name: 'Another file' }).click()
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'menu.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Soups\nGazpacho 5.50\nCaldo verde 4.20\n'),
  })
  await page.getByRole('button', { name: 'Show what would change' }).click()
  assert.match(await page.getByRole('main').innerText(), /Gazpacho/)
  await assertUsableEverywhere(page, 'menu-preview')
})

test('a file that is too large, another form, or an import without its file is refused with a sentence', async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  const { headers } = logIn(shop, 'manager')
  const upload = (body: FormData | string, path = 'file') =>
    fetch(`${shop.url}/office/menu/${path}`, { method: 'POST', redirect: 'manual', headers, body })
  const large = new FormData()
  large.append('file', new File([Buffer.alloc(8 * 1024 * 1024 + 1, ' ')], 'large.json'))
  const refused = await upload(large)
  assert.equal(refused.status, 422)
  assert.match(await refused.text(), /larger than 8 MB/)
  const larger = new FormData()
  larger.append('file', new File([Buffer.alloc(20 * 1024 * 1024, ' ')], 'larger.json'))
  const cut = await upload(larger)
  assert.equal(cut.status, 422)
  assert.match(await cut.text(), /larger than 8 MB/)
  assert.match(await (await upload('no form')).text(), /could not be read/)
  const gone = await fetch(`${shop.url}/office/menu/import`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ file: 'unknown' }),
  })
  assert.equal(gone.status, 422)
  assert.match(await gone.text(), /no longer here/)
})
