import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import type { ItemId } from '../store/terms/ids.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { busyShop, tableCode } from './support/busy-shop.ts'
import { guest as guestOf, openToGuests, saidBy, totalOn } from './support/guest.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn, pairDevice } from './support/log-in.ts'
import { accepted } from './support/refusals.ts'
import { openShop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

/** The element of a dish on the page of a menu. */
function dishOn(page: string, id: number): string {
  const found = new RegExp(`<div class="dish[^>]*id="dish-${id}"[\\s\\S]*?(?=<div class="dish|</section>)`).exec(
    page,
  )?.[0]
  assert.ok(found, `no dish ${id}`)
  return found
}

test('guests order by themselves only where the kind of page, the location and a service mode are on', async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant({ tables: [{ id: 1, title: 'Terrace 4' }] }) })
  const { store } = shop
  store.tableCodes.make(1 as never)
  const [table] = store.tableCodes.list(1 as never)
  const kiosk = { Cookie: `${pairDevice(shop, 'kiosk').cookie}; kiosk_guest=${'k'.repeat(43)}` }
  const bases = { storefront: '/order/1', qr: `/t/${table?.code}`, kiosk: '/kiosk' } as const
  const guest = guestOf(shop)
  const statuses = async () => {
    const pages = Object.values(bases).flatMap(base => [base, `${base}/cart`, `${base}/dish/1`])
    return Promise.all(pages.map(async path => (await guest.get(path, kiosk)).status))
  }
  const [off, on] = [Array(3).fill(404), Array(3).fill(200)]
  assert.deepEqual(await statuses(), [...off, ...off, ...off])
  assert.match((await guest.get('/order')).text, /You cannot order online here/)
  assert.match((await guest.get(bases.qr)).text, /Please order from our staff/)

  for (const kind of ['storefront', 'qr', 'kiosk']) store.settings.set(`guests.${kind}`, 'on')
  assert.deepEqual(await statuses(), [...off, ...off, ...off], 'no service mode is on')
  store.guestSwitches.set(1 as never, 'storefront', ['takeaway'])
  assert.deepEqual(await statuses(), [...on, ...off, ...off])
  assert.equal((await guest.get('/order')).location, '/order/1', 'the only location')
  store.guestSwitches.set(1 as never, 'qr', ['qr'])
  store.guestSwitches.set(1 as never, 'kiosk', ['dine_in'])
  assert.deepEqual(await statuses(), [...on, ...on, ...on])
  assert.equal((await guest.get('/kiosk')).status, 303, 'only a paired kiosk')
  store.settings.set('guests.storefront', 'off')
  assert.deepEqual(await statuses(), [...off, ...on, ...on])
  assert.equal((await guest.post('/order/1/dish/1', { quantity: '1' })).status, 404)

  assert.match((await guest.get(bases.qr)).text, /Terrace 4/)
  assert.match((await guest.get(bases.qr.toLowerCase())).text, /Terrace 4/, 'as somebody may type it')
  store.tableCodes.reset(1 as never, 1 as never)
  const ended = await guest.get(bases.qr)
  assert.equal(ended.status, 404)
  assert.match(ended.text, /This code does not belong to a table/)
  assert.deepEqual(shop.rows("SELECT count(*) AS changes FROM activity WHERE what = 'guest ordering changed'"), [
    { changes: 3 },
  ])
})

test('a location that does not serve a mode does not offer it to guests, whatever is switched on', async t => {
  const shop = await openShop(t, {
    restaurant: smallRestaurant({ service_modes: ['takeaway'] }),
    settings: { 'guests.storefront': 'on' },
  })
  shop.store.guestSwitches.set(1 as never, 'storefront', ['delivery', 'dine_in'])
  const guest = guestOf(shop)
  assert.equal((await guest.get('/order/1')).status, 404)
  shop.store.guestSwitches.set(1 as never, 'storefront', ['delivery', 'takeaway'])
  await guest.post('/order/1/dish/1', { quantity: '1' })
  const { text } = await guest.get('/order/1/cart')
  assert.match(text, /Take away/)
  assert.doesNotMatch(text, /Delivery/)
  assert.equal((await guest.post('/order/1/cart', { act: 'mode', mode: 'delivery' })).status, 400)
})

test('the menu has exactly the dishes and prices of the API, and what is sold out as such', async t => {
  const shop = await busyShop(t)
  const { text } = await guestOf(shop).get('/order/1')
  const { body } = await shop.get('/locations/1/menu')
  const sold: { id: number; price: number; variations: { price: number }[] }[] = body.data.categories.flatMap(
    ({ items }: { items: [] }) => items,
  )
  for (const { id, price, variations } of sold) {
    const lowest = variations.length > 0 ? Math.min(...variations.map(each => each.price)) : price
    const dish = dishOn(text, id)
    assert.match(dish, new RegExp(`itemprop="price" content="${lowest.toFixed(2)}"`))
    const shown = `€${lowest.toFixed(2)}`
    const isFrom = new Set(variations.map(each => each.price)).size > 1
    assert.ok(dish.includes(isFrom ? `>from ${shown}<` : `>${shown}<`), dish)
    assert.ok(dish.includes(`href="/order/1/dish/${id}"`))
  }
  const all = [...text.matchAll(/<div class="(dish|dish out)" id="dish-(\d+)"/g)]
  const out = all.filter(([, kind]) => kind === 'dish out').map(([, , id]) => Number(id))
  assert.deepEqual(
    all.map(([, , id]) => Number(id)).filter(id => !out.includes(id)),
    sold.map(({ id }) => id),
    'in the same order',
  )
  assert.ok(out.includes(404), 'a dish that staff took off')
  for (const id of out) {
    assert.match(dishOn(text, id), />Sold out today</)
    assert.doesNotMatch(dishOn(text, id), /href="\/order/)
    const page = await guestOf(shop).get(`/order/1/dish/${id}`)
    assert.match(page.text, /Sold out today/)
    assert.doesNotMatch(page.text, /<form method="post"/)
    assert.equal((await guestOf(shop).post(`/order/1/dish/${id}`, { quantity: '1' })).status, 422)
  }
  for (const { id } of shop.rows('SELECT id FROM item WHERE published = 0'))
    assert.doesNotMatch(text, new RegExp(`dish-${id}"`))
  assert.match(text, /Ready in about \d+ to \d+ minutes/)
  for (const { id } of sold) accepted(shop.store.availability.off({ kind: 'item', id: id as ItemId }, null, null))
  const without = (await guestOf(shop).get('/order/1')).text
  assert.match(without, /Everything is sold out at the moment\./)
  assert.doesNotMatch(without, /Ready in about/)
})

test('a closed or paused location shows its dishes in full, and takes orders only while there is a time later today', async t => {
  const clock = heldClock('2026-11-21T10:00:00Z')
  const hours = { sat: { open: '18:00', close: '23:00' }, mon: { open: '12:00', close: '15:00' } }
  const shop = await openShop(t, {
    clock,
    restaurant: smallRestaurant({ opening_hours: hours }),
    settings: { 'guests.storefront': 'on' },
  })
  shop.store.guestSwitches.set(1 as never, 'storefront', ['takeaway'])
  const guest = guestOf(shop)
  const shows = async (expected: RegExp, canOrder: boolean) => {
    const menu = (await guest.get('/order/1')).text
    assert.match(menu, expected)
    assert.match(menu, /id="dish-2"/)
    const dish = (await guest.get('/order/1/dish/2')).text
    assert.match(dish, /Egg[\s\S]*id="price">US\$12\.50</)
    assert.equal(/<button type="button" class="shut" disabled="">/.test(dish), !canOrder)
    assert.equal(/<form method="post"/.test(dish), canOrder)
    const { status } = await guest.post('/order/1/dish/2', { quantity: '1' })
    assert.equal(status, canOrder ? 303 : 422)
    assert.equal((await guest.get('/order/1/cart')).text.includes('/checkout'), canOrder)
  }
  await shows(/Closed now. Opens 18:00\./, true)
  clock.set('2026-11-21T18:00:00Z')
  await shows(/itemtype/, true)
  shop.store.pauses.pause(1 as never, Date.parse('2026-11-21T20:30:00Z'))
  await shows(/We take no orders until 20:30\./, false)
  clock.set('2026-11-21T20:30:00Z')
  await shows(/itemtype/, true)
  shop.store.pauses.pause(1 as never, null)
  await shows(/We take no orders at the moment\./, false)
  shop.store.pauses.resume(1 as never)
  clock.set('2026-11-21T23:00:00Z')
  await shows(/Closed now. Opens Monday 12:00\./, false)
  assert.match((await guest.get('/order/1/dish/2')).text, />Opens Monday 12:00<\/button>/)
  assert.equal(totalOn((await guest.get('/order/1/cart')).text), 4059, 'the cart of before keeps its price')
})

test('the allergen filter marks every dish and hides none; what is not stated is never free of it', async t => {
  const shop = await busyShop(t)
  const guest = guestOf(shop)
  const plain = (await guest.get('/order/1')).text
  const { text } = await guest.get('/order/1?avoid=1')
  const dishes = (page: string) => [...page.matchAll(/id="dish-(\d+)"/g)].map(([, id]) => Number(id))
  assert.deepEqual(dishes(text), dishes(plain))
  const whole = shop.store.catalogue.current().menuWithSoldOut(1 as never)
  let unknown = 0
  for (const { id, allergens } of whole?.items.values() ?? []) {
    const dish = dishOn(text, id)
    const own = allergens.find(each => Number(each.id) === 1)
    const expected =
      own?.presence === 'contains'
        ? /class="state bad">Contains Gluten</
        : own
          ? /class="state wait">May contain Gluten</
          : allergens.length === 0
            ? /class="state wait">Allergens not stated: please ask us</
            : /class="state off">Not listed: Gluten</
    assert.match(dish, expected)
    if (allergens.length === 0) unknown++
  }
  assert.ok(unknown > 0)
  assert.doesNotMatch(text.toLowerCase(), /gluten.free|free of/)
  assert.match((await guest.get('/order/1/dish/801')).text, /class="state bad">Contains Gluten</, 'it stays chosen')
  await guest.get('/order/1?avoid=none')
  assert.doesNotMatch((await guest.get('/order/1')).text, /class="warnings"/)
})

test('an allergen without a translation has its usual name in the language of the page, wherever guests read it', async t => {
  const titles = ['Gluten', 'eggs', 'Soybeans', 'Frutos de casca rija', 'House spice', 'Milk']
  const allergens = titles.map((title, index) => ({ id: index + 1, title }))
  const own = { ...allergens[5], translations: { de: { title: 'Kuhmilch' } } }
  const restaurant = smallRestaurant({}, { allergens: [...allergens.slice(0, 5), own] })
  const [mains] = restaurant.categories
  const declared = allergens.map(({ id }) => ({ id, presence: 'contains' }))
  const [soup] = mains?.items ?? []
  Object.assign(soup ?? {}, { allergens: declared })
  Object.assign(restaurant.site, { languages: ['en', 'de', 'pt'] })
  const shop = await openShop(t, { restaurant })
  openToGuests(shop)
  const guest = guestOf(shop)
  const inGerman = 'Enthält Gluten, Eier, Soja, Schalenfrüchte, House spice und Kuhmilch'
  const inPortuguese = 'Contém Glúten, Ovos, Soja, Frutos de casca rija, House spice e Leite'
  const inEnglish = 'Contains Gluten, eggs, Soybeans, Nuts, House spice and Milk'
  for (const [lang, expected] of Object.entries({ de: inGerman, pt: inPortuguese, en: inEnglish })) {
    const menu = (await guest.get(`/order/1?lang=${lang}`)).text
    assert.ok(dishOn(menu, 1).includes(expected), `${lang}: ${saidBy({ text: dishOn(menu, 1) })}`)
    assert.ok((await guest.get('/order/1/dish/1')).text.includes(expected))
  }
  assert.match((await guest.get('/order/1?lang=de')).text, /name="avoid" value="2">Eier</)
  const { location } = await guest.place('/order/1', { ...(await guest.fill('/order/1', { id: 1 })), name: 'Ana' })
  const status = saidBy(await guest.get(`${location?.split('?')[0]}?lang=de`))
  assert.match(status, /Gluten, Eier, Soja, Schalenfrüchte, House spice und Kuhmilch/)
  const headers = { ...logIn(shop, 'manager').headers, Accept: 'text/html' }
  const sheet = await (await fetch(`${shop.url}/office/print/allergens?language=de`, { headers })).text()
  assert.match(sheet, /Eier<.*Schalenfrüchte<.*Kuhmilch</s)
})

test('an option about which nothing is stated is never silent, and a dish with only such options says it once', async t => {
  const restaurant = smallRestaurant()
  const [extras, side] = restaurant.modifier_groups
  const [egg, cheese] = extras?.modifiers ?? []
  const stated = { ...egg, allergens: [{ id: 1, presence: 'contains' }] }
  const shop = await openShop(t, {
    restaurant: { ...restaurant, modifier_groups: [{ ...extras, modifiers: [stated, cheese] }, side] },
  })
  openToGuests(shop)
  const guest = guestOf(shop)
  const dish = async (id: number) => saidBy(await guest.get(`/order/1/dish/${id}`))
  assert.match(await dish(2), /Egg Contains Gluten .*Cheese Allergens not stated: please ask us/)
  const steak = await dish(3)
  assert.equal(steak.match(/Allergens of the options not stated/g)?.length, 1)
  assert.match(steak, /Fries Salad/)
  const { text } = await guest.get('/order/1?avoid=1')
  assert.match(dishOn(text, 2), /class="state wait">Allergens of some options not stated: please ask us</)
  assert.match(dishOn(text, 3), /class="state wait">Allergens of the options not stated: please ask us</)
  assert.doesNotMatch(dishOn(text, 4), /options/)
})

test('the price of options says what is included, and a dish has a price before everything is chosen', async t => {
  const shop = await openShop(t, { restaurant: smallRestaurant() })
  openToGuests(shop)
  const guest = guestOf(shop)
  assert.match(
    saidBy(await guest.get('/order/1/dish/2')),
    /Egg included, then \+US\$1\.50 .*Cheese included, then \+US\$0\.75/,
  )
  const open = (await guest.get('/order/1/dish/3?quantity=2')).text
  assert.match(open, /id="price">from US\$40\.00</)
  assert.match(open, /<span class="num">\+US\$1\.00</)
})

test('a default option is chosen for the guest only if it is free', async t => {
  const restaurant = smallRestaurant()
  const [extras, side] = restaurant.modifier_groups
  const modifiers = [
    { id: 1, title: 'Egg', price: 1.5, is_default: true },
    { id: 2, title: 'Cheese', price: 0, is_default: true },
  ]
  const shop = await openShop(t, { restaurant: { ...restaurant, modifier_groups: [{ ...extras, modifiers }, side] } })
  openToGuests(shop)
  const { text } = await guestOf(shop).get('/order/1/dish/2')
  assert.match(text, /name="some-2" value="1" checked=""/)
  assert.doesNotMatch(text, /name="some-1" value="1" checked/)
  assert.match(text, /id="price">US\$12\.50</)
})

test('the menu is searched without a script, without accents and in both of its languages', async t => {
  const shop = await busyShop(t)
  const guest = guestOf(shop)
  const found = async (q: string) => {
    const { text } = await guest.get(`/order/1?${new URLSearchParams({ q, lang: 'pt' })}`)
    const shown = [...text.matchAll(/<div class="dish[^>]*id="dish-(\d+)"[^>]*>/g)]
    return { ids: shown.filter(([tag]) => !tag.includes('hidden=')).map(([, id]) => Number(id)), text }
  }
  assert.deepEqual((await found('  ARROZ de  pato')).ids, [601])
  assert.deepEqual((await found('acafrao <b>')).ids, [])
  assert.match((await found('acafrao <b>')).text, /<p class="card empty" id="nothing-found" role="status">/)
  assert.ok((await found('açúcar')).ids.length > 0)
  assert.deepEqual((await found('ACUCAR')).ids, (await found('açúcar')).ids)
})

test('the language comes from the link, then from the cookie, then from the browser; texts without it keep their own', async t => {
  const restaurant = smallRestaurant()
  const site = { ...restaurant.site, languages: ['en', 'pt-BR', 'ar'] }
  const [mains, drinks] = restaurant.categories
  const dishes = mains?.items.map((item, index) =>
    index === 0 ? { ...item, translations: { 'pt-BR': { title: 'Sopa' }, ar: { title: 'شوربة' } } } : item,
  )
  const shop = await openShop(t, {
    restaurant: { ...restaurant, site, categories: [{ ...mains, items: dishes }, drinks] },
    settings: { 'guests.storefront': 'on' },
  })
  shop.store.guestSwitches.set(1 as never, 'storefront', ['takeaway'])
  const guest = guestOf(shop)
  const page = async (query = '', accepted = 'en') =>
    (await guest.get(`/order/1${query}`, { 'Accept-Language': accepted })).text
  const german = await page('', 'de-AT,en;q=0.5')
  assert.match(german, /<html lang="de">/)
  assert.match(dishOn(german, 1), /<span lang="en" dir="ltr">Soup<\/span>/)
  assert.match(await page('', 'fr, pt;q=0.5'), /<html lang="pt">[\s\S]*<span lang="pt-BR" dir="ltr">Sopa</)
  const arabic = await page('?lang=ar', 'de')
  assert.match(arabic, /<html lang="de">/, 'the words of the page, in the nearest language')
  assert.match(arabic, /<span lang="ar" dir="rtl">شوربة<\/span>/)
  assert.match(arabic, /<span lang="en" dir="ltr">Burger<\/span>/)
  assert.match(await page('', 'en'), /<span lang="ar" dir="rtl">شوربة/, 'the cookie')
  assert.match(await page('?lang=en', 'de'), /<html lang="en">[\s\S]*<span itemprop="name">Soup<\/span>/)
  assert.match(await page('?lang=xx', 'de'), /<html lang="en">/, 'an unknown one changes nothing')
  assert.deepEqual(
    [...german.matchAll(/hreflang="([^"]+)"/g)].map(([, tag]) => tag),
    ['en', 'pt-BR', 'ar', 'de'],
  )
})

test('the first menu of a phone is small, loads without moving, and shows nothing from elsewhere', {
  skip: withoutBrowser,
}, async t => {
  const shop = await busyShop(t)
  const response = await fetch(`${shop.url}/order/1`, { headers: { 'Accept-Encoding': 'gzip' } })
  const page = await response.text()
  const parts = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+\.(?:css|js))"/g)].map(([, path = '']) => path)
  assert.equal(parts.length, 2)
  let bytes = await sizeOf(`${shop.url}/order/1`)
  for (const path of parts) bytes += await sizeOf(`${shop.url}${path}`)
  t.diagnostic(`${bytes} bytes for ${[...page.matchAll(/id="dish-/g)].length} dishes`)
  assert.ok(bytes <= 60_000, String(bytes))

  const { page: window, site } = await openWindow(t, shop.port, { width: 390, height: 844 })
  await window.addInitScript(() => {
    Object.assign(globalThis, { shift: 0 })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
        const { shift = 0 } = globalThis as { shift?: number }
        if (!hadRecentInput) Object.assign(globalThis, { shift: shift + value })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const path of ['/order/1', '/order/1/dish/801', '/order/1/cart']) {
    await window.goto(`${site}${path}`, { waitUntil: 'networkidle' })
    await window.mouse.wheel(0, 4000)
    await window.waitForLoadState('networkidle')
    const shift = await window.evaluate(() => (globalThis as { shift?: number }).shift ?? 1)
    assert.ok(shift <= 0.05, `${path} moves by ${shift}`)
  }
})

/** The bytes of a compressed body, which `fetch` would decompress. */
async function sizeOf(address: string): Promise<number> {
  const sent = request(address, { headers: { 'Accept-Encoding': 'gzip', Accept: 'text/html' } }).end()
  const [response] = await once(sent, 'response')
  assert.equal(response.headers['content-encoding'], 'gzip')
  return (await buffer(response)).length
}

test('with a script a guest searches while typing, sees the price of each choice, and adds without leaving the menu', {
  skip: withoutBrowser,
}, async t => {
  const shop = await busyShop(t)
  const { page, site } = await openWindow(t, shop.port, { width: 390, height: 844 })
  await page.goto(`${site}/order/1`)
  await page.fill('#q', 'acucar')
  assert.equal(await page.locator('.dish:visible').count(), 0)
  assert.ok(await page.locator('#nothing-found').isVisible())
  await page.fill('#q', 'NATA')
  assert.equal(await page.locator('#dish-801').isVisible(), true)
  await page.fill('#q', '')
  assert.ok((await page.locator('.dish:visible').count()) > 50)

  await page.locator('#dish-801 a').click()
  const sheet = page.locator('dialog.dish-sheet')
  await sheet.locator('h1').waitFor()
  assert.match(page.url(), /\/order\/1\/dish\/801$/)
  assert.equal(await sheet.locator('#price').innerText(), '€1.60')
  assert.equal(await sheet.locator('.only-plain').isVisible(), false)
  await sheet.locator('input[value="8012"]').check()
  await page.locator('dialog #price', { hasText: '€8.40' }).waitFor()
  await sheet.locator('#quantity').fill('2')
  await page.locator('dialog #price', { hasText: '€16.80' }).waitFor()
  await sheet.locator('.primary').click()
  await page.locator('#cart', { hasText: '2 dishes' }).waitFor()
  await sheet.waitFor({ state: 'hidden' })
  assert.match(page.url(), /\/order\/1$/)
  assert.match(await page.locator('#added').innerText(), /Pastel de nata/)
  assert.match(await page.locator('#cart').innerText(), /€16\.80/)

  const strict = page.locator('#dish-501 a')
  if ((await strict.count()) === 0) throw new Error('dish 501 is not on the menu')
  await strict.click()
  await sheet.locator('h1').waitFor()
  await page.goBack()
  await sheet.waitFor({ state: 'hidden' })
  assert.match(page.url(), /\/order\/1$/)
  await strict.click()
  await sheet.locator('h1').waitFor()
  await page.reload()
  assert.equal(await page.locator('main #one-dish').count(), 1, 'its own page')
  await page.goBack()
  await page.locator('.cats').waitFor()

  await page.locator('.cats a').last().click()
  await page.locator('.cats a[aria-current]').waitFor()
  await page.locator('#cart a').click()
  await page.locator('.lines').waitFor()
  assert.equal(await page.locator('.grand .num').innerText(), '€16.80')
})

test('the menu, a dish and the cart can be used on each screen, in three languages, by keyboard and with a cart', {
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
      ['menu', '/order/1?avoid=1&avoid=3'],
      ['dish', '/order/1/dish/501'],
    ] as const) {
      await page.goto(`${site}${path}`)
      assert.equal(await page.locator('html').getAttribute('lang'), language)
      await assertUsableEverywhere(page, `guest-${name}-${language}`)
    }
    await page.goto(`${site}/t/${tableCode}`)
    await page.locator('#dish-801 a').press('Enter')
    const sheet = page.locator('dialog.dish-sheet')
    await sheet.locator('.primary').press('Enter')
    await sheet.waitFor({ state: 'hidden' })
    await page.locator('#cart').waitFor()
    await assertUsableEverywhere(page, `guest-menu-with-cart-${language}`)
    await page.locator('#dish-801 a').click()
    await sheet.locator('h1').waitFor()
    await assertUsableEverywhere(page, `guest-sheet-${language}`)
    await page.goto(`${site}/t/${tableCode}/cart`)
    await assertUsableEverywhere(page, `guest-cart-${language}`)
  }
})
