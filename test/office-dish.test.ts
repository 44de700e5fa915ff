import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { restaurant } from '../examples/demo.ts'
import { writeRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { temporaryFolder } from './support/folders.ts'
import { logIn } from './support/log-in.ts'
import { accepted } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const demo = () => ({ restaurant: writeRestaurantFile(restaurant()) })

function dish({ store }: Shop, id: number) {
  const items = store.exportCatalogue().categories.flatMap(({ items }) => items)
  return items.find(item => item.id === id) ?? assert.fail(`there is no dish ${id}`)
}

test('a manager changes a dish as guests see it, and one press undoes exactly that', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, demo())
  const before = JSON.stringify(shop.store.exportCatalogue())
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'manager', 'Rui').cookie })
  await page.goto(`${site}/office/menu`)
  await page.getByRole('link', { name: 'Francesinha' }).first().click()
  await assertUsableEverywhere(page, 'dish')
  await page.getByRole('button', { name: 'Save' }).click()
  assert.equal(JSON.stringify(shop.store.exportCatalogue()), before, 'a form that is saved as it is changes nothing')

  await page.goto(`${site}/office/menu/dish?id=303`)
  await page.getByLabel('Name', { exact: true }).first().fill('Francesinha <script>alert(1)</script>')
  await page.getByLabel('Price', { exact: true }).first().fill('14,20')
  await page.getByLabel('Gluten').selectOption('may contain')
  await page
    .getByLabel(/^Price at/)
    .first()
    .fill('15')
  const row = page.locator('.part-row').last()
  await row.getByLabel('Name', { exact: true }).fill('Giant')
  await row.getByLabel('Price', { exact: true }).fill('22.5')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const changed = dish(shop, 303)
  assert.deepEqual([changed.title, changed.price], ['Francesinha <script>alert(1)</script>', 14_200])
  assert.equal(changed.variations.at(-1)?.title, 'Giant')
  const { body } = await shop.get('/locations/1/menu')
  const [shown] = body.data.categories.flatMap((each: { items: { id: number }[] }) =>
    each.items.filter(({ id }) => id === 303),
  )
  assert.equal(shown.price, 15)

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  assert.equal(JSON.stringify(shop.store.exportCatalogue()), before)
  assert.deepEqual(
    shop.store.activity({ by: 'Rui' }, 2).map(({ what }) => what),
    ['menu edit undone', 'menu edited'],
  )
})

test('what is wrong in a dish is said beside its field, and what was typed stays', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, demo())
  const { cookie } = logIn(shop, 'manager')
  const { page, site } = await openWindow(t, shop.port, { cookie, javaScriptEnabled: false, locale: 'de-DE' })
  await page.goto(`${site}/office/menu/dish?id=303`)
  await page.getByLabel('Preis', { exact: true }).first().fill('viel')
  await page.getByLabel('Schärfe').fill('9')
  await page
    .getByLabel(/^Preis: /)
    .first()
    .fill('x')
  await page.getByLabel('Nummer auf der Karte').fill('N1')
  await page.getByRole('button', { name: 'Speichern' }).click()
  assert.match(await page.getByRole('main').innerText(), /Schreiben Sie einen Preis wie 12,50\./)
  assert.equal(
    await page
      .getByLabel(/^Preis: /)
      .first()
      .inputValue(),
    'x',
  )
  await page
    .getByLabel(/^Preis: /)
    .first()
    .fill('')
  await page.getByRole('button', { name: 'Speichern' }).click()
  assert.equal(await page.getByLabel('Preis', { exact: true }).first().inputValue(), 'viel')
  assert.equal(await page.getByLabel('Nummer auf der Karte').inputValue(), 'N1')
  assert.equal(await page.locator('[aria-invalid="true"]').count(), 2)
  assert.equal(dish(shop, 303).number, 'I3')
})

test('two people on one dish: different fields are both kept, the same field is shown to the second', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'manager').cookie })
  const change = (member: string, was: unknown, wanted: unknown) =>
    accepted(
      shop.store.editMenu([
        { edit: 'change', record: 'item', id: 1, was: { [member]: was }, wanted: { [member]: wanted } },
      ]),
    )
  await page.goto(`${site}/office/menu/dish?id=1`)
  change('description', null, 'By Ana')
  await page.getByLabel('Name', { exact: true }).first().fill('Broth')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  assert.deepEqual([dish(shop, 1).title, dish(shop, 1).description], ['Broth', 'By Ana'])

  change('title', 'Broth', 'Stew')
  await page.getByLabel('Name', { exact: true }).first().fill('Bouillon')
  await page.getByRole('button', { name: 'Save' }).click()
  assert.match(await page.getByRole('alert').innerText(), /Somebody else has changed this/)
  assert.match(await page.getByRole('main').innerText(), /Now it is: Stew/)
  assert.equal(dish(shop, 1).title, 'Stew')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  assert.equal(dish(shop, 1).title, 'Bouillon')
})

test('an image is made smaller in the browser, kept under the name of its content, and served', {
  skip: withoutBrowser,
}, async t => {
  const folder = temporaryFolder(t)
  const shop = await openShop(t, { restaurant: smallRestaurant(), environment: { SITE_ROOT: folder } })
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'manager').cookie })
  await page.goto(`${site}/office/menu/dish?id=1`)
  const photograph = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 2400
    canvas.height = 1800
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    const noise = context.createImageData(canvas.width, canvas.height)
    for (let at = 0; at < noise.data.length; at++) noise.data[at] = at % 4 === 3 ? 255 : (at * 7919) % 251
    context.putImageData(noise, 0, 0)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  const bytes = Buffer.from(photograph, 'base64')
  assert.ok(bytes.length > 204_800)
  await page.getByLabel('Choose an image').setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: bytes })
  await page.waitForFunction(() => {
    const [file] = document.querySelector<HTMLInputElement>('#file')?.files ?? []
    return file !== undefined && file.size <= 204_800
  })
  await page.getByRole('button', { name: 'Upload' }).click()
  await page.getByText('Saved.').waitFor()
  const image = dish(shop, 1).image ?? ''
  assert.match(image, /^images\/[0-9a-f]{32}\.jpg$/)
  assert.ok(existsSync(join(folder, image)))
  const served = await fetch(`${shop.url}/${image}`)
  assert.deepEqual(Buffer.from(await served.arrayBuffer()), readFileSync(join(folder, image)))
  await assertUsableEverywhere(page, 'dish-image')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  assert.equal(dish(shop, 1).image, null)
})

test('an upload that is no image, too large or missing keeps the page with a sentence, and nothing on the disk', async t => {
  const folder = temporaryFolder(t)
  const shop = await openShop(t, { restaurant: smallRestaurant(), environment: { SITE_ROOT: folder } })
  const { headers } = logIn(shop, 'manager')
  const upload = (body: FormData | string, more: Record<string, string> = {}) =>
    fetch(`${shop.url}/office/menu/image?id=1`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...headers, ...more },
      body,
    })
  const withFile = (bytes: BlobPart, name = 'x.png') => {
    const form = new FormData()
    form.append('file', new File([bytes], name, { type: 'image/png' }))
    return form
  }
  const png = (side: number) => {
    const bytes = Buffer.from(
      '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63f8cfc0f01f000500' +
        '01ff56c72f0d0000000049454e44ae426082',
      'hex',
    )
    bytes.writeUInt32BE(side, 16)
    return bytes
  }
  const wrong: [body: FormData | string, why: RegExp, more?: Record<string, string>][] = [
    [withFile('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), /This is no image/],
    [withFile('GIF'), /This is no image/],
    [withFile('GIF89a<script>alert(1)</script>'), /This is no image/],
    [withFile(png(60_000)), /This is no image.*6000 × 6000/],
    [withFile(png(1).subarray(0, -12)), /This is no image/],
    [withFile(Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.from('a'.repeat(100))])), /This is no image/],
    [withFile(`RIFF${'a'.repeat(4)}WEBPVP8 ${'a'.repeat(100)}`), /This is no image/],
    [withFile(`${'a'.repeat(4)}ftypavif${'a'.repeat(100)}`), /This is no image/],
    [withFile(Buffer.concat([png(1), Buffer.alloc(205_000)])), /larger than 200 KB/],
    [withFile(Buffer.concat([png(1), Buffer.alloc(900_000)])), /larger than 200 KB/],
    [new FormData(), /Choose an image first/],
    ['no form', /This is no image/, { 'Content-Type': 'multipart/form-data; boundary=x' }],
    ['a=b', /This is no image/, { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ]
  for (const [body, why, more] of wrong) {
    const response = await upload(body, more)
    assert.equal(response.status, 422, String(why))
    assert.match(await response.text(), why)
  }
  assert.deepEqual(readdirSync(folder), [])
  assert.equal(dish(shop, 1).image, null)
  assert.equal((await upload(withFile(png(1)))).status, 303)
})

test('a new dish and a copy are added as one step each', { skip: withoutBrowser }, async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'manager').cookie, width: 390 })
  await page.goto(`${site}/office/menu`)
  await page.getByRole('link', { name: 'New dish' }).click()
  await page.getByLabel('Name', { exact: true }).first().fill('Pie')
  await page.getByLabel('Price', { exact: true }).first().fill('4')
  await page.getByLabel('Section').selectOption('Drinks')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  assert.deepEqual([dish(shop, 5).title, dish(shop, 5).price], ['Pie', 4000])
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('heading', { name: 'Pie (copy)' }).waitFor()
  assert.equal(dish(shop, 6).published, false)
})
