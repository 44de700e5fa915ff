import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'
import type { LocationId, TableId } from '../store/terms/ids.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn } from './support/log-in.ts'
import { accepted } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const here = 1 as LocationId
const tables = ['Window', 'Terrace 2', 'Bar <1>', 'Under the “stairs”', 'Garden'].map((title, index) => ({
  id: index + 1,
  title,
}))

function get(shop: Shop, headers: Record<string, string>, path: string): Promise<string> {
  return fetch(`${shop.url}${path}`, { headers }).then(answer => answer.text())
}

/** What a phone reads when it sees a part of a page. */
async function scan(page: Page, part: Locator): Promise<string> {
  const picture = await part.screenshot()
  const { width, height, data } = await page.evaluate(async base64 => {
    const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
    if (!context) throw new Error('no canvas')
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, image.width, image.height)
    return { width: image.width, height: image.height, data: [...data] }
  }, picture.toString('base64'))
  return decodeQR({ width, height, data: Uint8Array.from(data) })
}

/** The sizes of the pages of a PDF in millimetres. */
async function sheetsOf(page: Page): Promise<string[]> {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  return [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) =>
    [width, height].map(points => Math.round((Number(points) / 72) * 25.4)).join(' × '),
  )
}

const A4 = '210 × 297'

test('each card of a table has a QR code that a reader understands, with its quiet zone, and name and address in words', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant({ tables }) })
  const { cookie } = logIn(shop, 'manager')
  const { page, site } = await openWindow(t, shop.port, { cookie })
  await page.goto(`${site}/office/print/tables`)
  assert.equal(await page.locator('.table-card').count(), 0)
  await page.getByText('5 tables have no code yet.').waitFor()
  await page.getByRole('button', { name: 'Make the codes' }).click()
  await page.locator('.table-card').first().waitFor()
  const codes = shop.store.tableCodes.list(here).map(({ code }) => code)

  for (const size of ['half', 'card', 'sticker', 'small']) {
    await page.goto(`${site}/office/print/tables?size=${size}&line=Wi-Fi+%22Tasca%22+%3Cb%3E`)
    const cards = await page.locator('.table-card').all()
    assert.equal(cards.length, tables.length)
    for (const [index, card] of cards.entries()) {
      const address = `${site}/t/${codes[index]}`
      assert.equal(await scan(page, card.locator('.qr')), address)
      const text = await card.innerText()
      assert.ok(text.includes(address) && text.includes(tables[index]?.title ?? ''), text)
      assert.ok(text.includes('Wi-Fi "Tasca" <b>'))
      const { width, isWhole } = await card.evaluate(each => ({
        width: each.querySelector('.qr')?.getBoundingClientRect().width ?? 0,
        isWhole: each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight,
      }))
      assert.ok(width / (96 / 25.4) >= 32, `${size}: ${width} px`)
      assert.ok(isWhole, `${size}: ${text} does not fit on its card`)
    }
    // Dark modules keep 4 modules away from each edge.
    const [box = '', path = ''] = await page
      .locator('.qr')
      .first()
      .evaluate(svg => [svg.getAttribute('viewBox') ?? '', svg.querySelector('path')?.getAttribute('d') ?? ''])
    const modules = Number(box.split(' ')[2])
    const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)].map(run => run.slice(1).map(Number))
    assert.equal(runs.map(([x, y, length]) => `M${x} ${y}h${length}v1h-${length}z`).join(''), path)
    assert.equal(Math.min(...runs.flatMap(([x = 0, y = 0]) => [x, y])), 4)
    assert.equal(Math.max(...runs.flatMap(([x = 0, y = 0, length = 0]) => [x + length, y + 1])), modules - 4)
    assert.deepEqual(await sheetsOf(page), Array(size === 'half' ? 3 : size === 'card' ? 2 : 1).fill(A4), size)
  }
  await page.goto(`${site}/office/print/tables`)
  await assertUsableEverywhere(page, 'table-cards')
})

test('the cards of one table can be printed again, and the address is one of this site that phones can reach', async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant({ tables }) })
  const { headers } = logIn(shop, 'manager')
  accepted(shop.store.tableCodes.make(here))
  const one = await get(shop, headers, '/office/print/tables?table=2')
  assert.deepEqual(one.match(/class="table-name">[^<]*/g), ['class="table-name">Terrace 2'])
  // The configured name comes before the address of this machine, which the request was sent to.
  assert.match(one, /<strong>https:\/\/servery\.test<wbr>\/t\//)
  assert.doesNotMatch(one, /no phone will find it/)

  const asked = (address: string) => get(shop, headers, `/office/print/tables?address=${encodeURIComponent(address)}`)
  const onlyHere = await asked(shop.url)
  assert.ok(onlyHere.includes(`<strong>${shop.url}<wbr>`))
  assert.match(onlyHere, /This address only works on this machine, so no phone will find it/)
  const foreign = await asked('https://evil.example')
  assert.doesNotMatch(foreign, /evil\.example/)
})

test('a reset code is printed at once, and the old one is on no card', async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant({ tables }) })
  const { headers } = logIn(shop, 'manager')
  accepted(shop.store.tableCodes.make(here))
  const [before] = shop.store.tableCodes.list(here)
  accepted(shop.store.tableCodes.reset(here, 1 as TableId))
  const [after] = shop.store.tableCodes.list(here)
  const page = await get(shop, headers, '/office/print/tables')
  assert.ok(before?.code && after?.code)
  assert.ok(!page.includes(before.code) && page.includes(after.code))
})

/** A restaurant in two languages whose location sells some dishes at other prices, or not at all. */
function bilingual() {
  const restaurant = smallRestaurant({
    currency: 'EUR',
    prices_include_tax: true,
    service_charge_rate: 12.5,
    items: [
      { id: 1, price: 7.25 },
      { id: 3, enabled: false },
    ],
    variations: [{ id: 2, price: 4.5 }],
  })
  const [mains, drinks] = restaurant.categories
  const [soup, burger, steak] = mains?.items ?? []
  const hidden = { id: 9, title: 'Secret', price: 1, published: false }
  const translated = {
    ...soup,
    number: 'S1',
    description: 'Of the day',
    allergens: [
      { id: 1, presence: 'may_contain' },
      { id: 2, presence: 'contains' },
    ],
    translations: { pt: { title: 'Sopa', description: 'Do dia' } },
  }
  return {
    ...restaurant,
    site: { title: 'Test', timezone: 'UTC', languages: ['en', 'pt'] },
    allergens: [
      { id: 1, title: 'Gluten', translations: { pt: { title: 'Glúten' } } },
      { id: 2, title: 'Celery', translations: { pt: { title: 'Aipo' } } },
    ],
    categories: [
      { ...mains, translations: { pt: { title: 'Pratos' } }, items: [translated, burger, steak, hidden] },
      drinks,
    ],
  }
}

/** The text of a paper without its tags, on one line. */
function paperOf(page: string): string {
  const paper = page.slice(page.indexOf('<div class="paper"'))
  return paper.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

test('the paper menu has the dishes and prices of its location in the chosen language, also what is off today', async t => {
  const clock = heldClock('2026-11-21T20:00:00Z')
  const shop = await openShop(t, { restaurant: bilingual(), clock })
  const { headers } = logIn(shop, 'manager')
  accepted(shop.store.availability.off({ kind: 'item', id: 2 as never }, here, null))
  const english = paperOf(await get(shop, headers, '/office/print/menu'))
  assert.match(english, /Mains S1 Soup \(1\) 2 €7\.25 Of the day Burger €12\.50/)
  assert.match(english, /Latte Small €3\.00 Large €4\.50/)
  assert.match(english, /1 Gluten, 2 Celery\./)
  assert.match(english, /Prices include tax\. A service charge of 12\.5% is added \(dine in and QR/)
  assert.match(english, /As of Sat, 21 Nov 2026/)
  assert.doesNotMatch(english, /Steak|Secret/)

  const portuguese = await get(shop, headers, '/office/print/menu?language=pt')
  assert.match(portuguese, /<div class="paper" lang="pt">/)
  assert.match(paperOf(portuguese), /Pratos S1 Sopa \(1\) 2 7,25 € Do dia Burger/)
  assert.match(paperOf(portuguese), /1 Glúten, 2 Aipo\..* Preços com IVA incluído\./)
})

test('the allergen sheet tells contained, possible and unknown allergens apart in words and shapes, with its date', {
  skip: withoutBrowser,
}, async t => {
  const clock = heldClock('2026-11-21T20:00:00Z')
  const shop = await openShop(t, { restaurant: bilingual(), clock })
  const { cookie } = logIn(shop, 'manager')
  const { page, site } = await openWindow(t, shop.port, { cookie })
  await page.goto(`${site}/office/print/allergens?language=pt`)
  const sheet = page.locator('.allergen-sheet')
  assert.deepEqual(await sheet.locator('thead th').allTextContents(), ['Prato', 'Glúten', 'Aipo'])
  const cellsOf = (name: string) => sheet.getByRole('row', { name }).getByRole('cell').allTextContents()
  assert.deepEqual(await cellsOf('S1 Sopa'), ['pode conter vestígios', 'contém'])
  assert.deepEqual(await cellsOf('Burger'), ['Não se sabe: pergunte-nos'])
  assert.deepEqual(await cellsOf('Opções: Extras'), ['Não se sabe: pergunte-nos'])
  assert.equal(await sheet.getByRole('row', { name: /Steak|Secret|Side/ }).count(), 0)
  assert.match(await sheet.innerText(), /Em vigor a .*21.*2026/)
  await sheet.getByText('Esta folha abrange 2 alergénios.').waitFor()
  await page.getByText('2 dishes have no allergens declared.').waitFor()
  const shapes = await sheet
    .locator('td .mark')
    .evaluateAll(marks => marks.map(mark => getComputedStyle(mark).borderRadius))
  assert.equal(new Set(shapes).size, 2)
  await assertUsableEverywhere(page, 'allergen-sheet')
})

test('a long allergen sheet repeats its head on each A4 sheet, and its choices are not printed', {
  skip: withoutBrowser,
}, async t => {
  const restaurant = smallRestaurant()
  const [mains, drinks] = restaurant.categories
  const many = Array.from({ length: 90 }, (_, index) => ({
    id: 100 + index,
    title: `Dish ${index + 1}`,
    price: 1,
    allergens: [{ id: 1, presence: 'contains' }],
  }))
  const shop = await openShop(t, {
    restaurant: { ...restaurant, categories: [{ ...mains, items: [...(mains?.items ?? []), ...many] }, drinks] },
  })
  const { cookie } = logIn(shop, 'manager')
  const { page, site } = await openWindow(t, shop.port, { cookie })
  for (const [path, least] of [
    ['allergens', 3],
    ['menu', 2],
  ] as const) {
    await page.goto(`${site}/office/print/${path}`)
    const sheets = await sheetsOf(page)
    assert.ok(sheets.length >= least, `${path}: ${sheets.length}`)
    assert.deepEqual(new Set(sheets), new Set([A4]))
  }
  await page.emulateMedia({ media: 'print' })
  await page.goto(`${site}/office/print/allergens`)
  assert.equal(await page.locator('header').isVisible(), false)
  assert.equal(await page.locator('thead').evaluate(head => getComputedStyle(head).display), 'table-header-group')
})
