import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { LocationId, OrderId } from '../store/terms/ids.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn } from './support/log-in.ts'
import { orderOf, pizza, pizzeria, salad, water } from './support/pizzeria.ts'
import { accepted } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'

const here = 1 as LocationId
const first = 1 as OrderId

/** Prices include 13 % tax; no kitchen. */
const restaurant = () =>
  pizzeria({ tax_rate: 13, prices_include_tax: true, stations: [], routing: [], stock: [], address: 'Rua 1' })

/** A day with a paid, an unpaid and a cancelled order. */
async function aDay(shop: Shop): Promise<void> {
  await shop.order(orderOf(pizza(2), water))
  await shop.order(orderOf(salad))
  await shop.order(orderOf(pizza()))
  accepted(shop.store.payments.pay(first, { amount: 2000, method: 'cash' }))
  accepted(shop.store.payments.pay(first, { amount: 200, method: 'card' }))
  accepted(shop.store.move(3 as OrderId, 'cancel', { reason: 'nobody came' }))
}

const factsOf = (page: Page) => page.locator('main').innerText()

for (const javaScriptEnabled of [true, false]) {
  test(`an evening's money ${javaScriptEnabled ? 'with' : 'without'} script: float, cash out, a count, and the close of the day`, {
    skip: withoutBrowser,
  }, async t => {
    const clock = heldClock('2026-11-20T21:00:00Z')
    const shop = await openShop(t, { restaurant: restaurant(), clock })
    await aDay(shop)
    const ana = logIn(shop, 'manager', 'Ana')
    const { page, site } = await openWindow(t, shop.port, { cookie: ana.cookie, javaScriptEnabled })

    await page.goto(`${site}/office/money`)
    assert.match(
      await factsOf(page),
      /Sold\s+€27\.00\s+2 orders\s+Taken\s+€22\.00\s+2 payments\s+Still to be paid\s+€5\.00/,
    )
    assert.match(await factsOf(page), /not a fiscal cash register/)
    await page.getByRole('link', { name: 'Enter the float' }).click()
    await page.getByLabel('€50.00').fill('2')
    await page.getByLabel('€1.00').fill('30')
    await page.getByRole('button', { name: 'Save' }).click()
    assert.match(await page.locator('[role=status]:not(#alarms)').innerText(), /Entered: float, €130\.00\./)

    await page.getByRole('link', { name: 'Pay out' }).click()
    await page.getByLabel('Amount (EUR)').fill('twelve')
    await page.getByLabel('Reason').fill('ice')
    await page.getByRole('button', { name: 'Save' }).click()
    assert.match(await factsOf(page), /Write an amount like 12\.50/)
    assert.equal(await page.getByLabel('Reason').inputValue(), 'ice', 'what was typed is kept')
    await page.getByLabel('Amount (EUR)').fill('12,50')
    await page.getByRole('button', { name: 'Save' }).click()
    assert.match(await factsOf(page), /Should be in the drawer\s+€137\.50/)

    await page.getByRole('link', { name: 'Count', exact: true }).click()
    await page.getByLabel('Or the sum (EUR)').fill('137.00')
    await page.getByRole('button', { name: 'Save' }).click()
    assert.match(
      await page.locator('[role=status]:not(#alarms)').innerText(),
      /€137\.00 was counted, €137\.50 should be there: -€0\.50/,
    )
    if (javaScriptEnabled) await assertUsableEverywhere(page, 'money')

    await page.getByRole('link', { name: 'Close today' }).click()
    if (javaScriptEnabled) await assertUsableEverywhere(page, 'money-close')
    await page.getByLabel('€50.00').fill('2')
    await page.getByLabel('€10.00').fill('3')
    await page.getByLabel('€0.50').fill('14')
    await page.getByLabel('What stays in the drawer').fill('200')
    await page.getByLabel('Note').fill('half a euro is missing')
    await page.getByRole('button', { name: 'Close the day' }).click()
    assert.match(await factsOf(page), /Only €?137\.00.* was counted/)
    assert.equal(await page.getByLabel('€10.00').inputValue(), '3')
    await page.getByLabel('What stays in the drawer').fill('100')
    await page.getByRole('button', { name: 'Close the day' }).click()

    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Close 1, Fri, 20 Nov 2026')
    const sheet = await page.locator('#close').innerText()
    assert.match(sheet, /Pizzeria\s+A\s+Rua 1[\s\S]*Closed by Ana, Fri, 20 Nov 2026, 21:00/)
    assert.match(sheet, /Counted\s+€137\.00\s+Difference\s+-€0\.50\s+Left for the next day\s+€100\.00/)
    assert.match(sheet, /Not a fiscal document/)
    if (javaScriptEnabled) await assertUsableEverywhere(page, 'money-closed')

    // The next morning the drawer begins with what was left.
    clock.set('2026-11-21T10:00:00Z')
    await page.goto(`${site}/office/money`)
    assert.match(await factsOf(page), /Left by the last close\s+€100\.00/)
  })
}

test('a close is printed the same again, after its orders, its location and the site have changed', async t => {
  const clock = heldClock('2026-11-20T21:00:00Z')
  const shop = await openShop(t, { restaurant: restaurant(), clock })
  await aDay(shop)
  accepted(shop.store.till.closeDay(here, { date: '2026-11-20', counted: 2000, left: 0, note: '<b>"&' }))
  const { headers } = logIn(shop, 'owner')
  async function sheet(language: string): Promise<string | undefined> {
    const response = await fetch(`${shop.url}/office/money/closes/1/1`, {
      headers: { ...headers, 'Accept-Language': language },
    })
    return /<article[\s\S]*<\/article>/.exec(await response.text())?.[0]
  }
  const before = [await sheet('en'), await sheet('de'), await sheet('pt')]
  assert.match(before[1] ?? '', /Kein Steuerbeleg/)
  assert.match(before[0] ?? '', /&lt;b&gt;&quot;&amp;/)
  accepted(shop.store.payments.refund(first, { amount: 500, method: 'cash' }))
  accepted(shop.store.move(2 as OrderId, 'cancel', { reason: 'gone' }))
  shop.store.settings.set('site.title', 'Other')
  shop.execute(`UPDATE location SET title = 'Elsewhere', timezone = 'Asia/Tokyo', address = NULL`)
  clock.set('2027-03-01T21:00:00Z')
  const headersAgain = logIn(shop, 'owner').headers
  Object.assign(headers, headersAgain)
  assert.deepEqual([await sheet('en'), await sheet('de'), await sheet('pt')], before)
})

test('a second press enters and closes once, and somebody else who closes the same day is told so, with what they typed', async t => {
  const clock = heldClock('2026-11-20T21:00:00Z')
  const shop = await openShop(t, { restaurant: restaurant(), clock })
  const [ana, rui] = [logIn(shop, 'manager', 'Ana'), logIn(shop, 'owner', 'Rui')]
  const send = (path: string, person: typeof ana, fields: Record<string, string>) =>
    fetch(`${shop.url}/office/money/${path}`, {
      method: 'POST',
      headers: person.headers,
      body: new URLSearchParams({ location: '1', ...fields }),
      redirect: 'manual',
    })
  const out = { kind: 'paid_out', sum: '5', reason: 'ice', attempt: 'one' }
  const entered = [await send('drawer', ana, out), await send('drawer', ana, out)]
  assert.deepEqual(
    entered.map(({ status, headers }) => [status, headers.get('location')]),
    [1, 2].map(() => [303, '/office/money?location=1&entered=1']),
  )
  const close = { date: '2026-11-20', sum: '0', left: '', note: 'mine', attempt: 'two' }
  const [one, two] = await Promise.all([send('close', ana, close), send('close', ana, close)])
  assert.deepEqual([one.status, two.status], [303, 303])
  assert.equal(one.headers.get('location'), two.headers.get('location'))
  const other = await send('close', rui, { ...close, sum: '12', note: 'and mine', attempt: 'three' })
  assert.equal(other.status, 422)
  const text = await other.text()
  assert.match(text, /already closed, by close 1/)
  assert.match(text, /value="and mine"/)
  assert.match(text, /value="12"/)
  assert.deepEqual(shop.rows('SELECT count(*) AS n FROM day_close'), [{ n: 1 }])
})

test('forms with odd values are refused with a sentence or not found, and write nothing', async t => {
  const shop = await openShop(t, { restaurant: restaurant() })
  const { headers } = logIn(shop, 'manager')
  const send = async (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields)
    return (await fetch(`${shop.url}/office/money/${path}`, { method: 'POST', headers, body, redirect: 'manual' }))
      .status
  }
  const future = await fetch(`${shop.url}/office/money/close?date=2099-01-01`, { headers })
  assert.equal(future.status, 404)
  const out = { location: '1', kind: 'paid_out', sum: '5', reason: 'ice', attempt: 'a' }
  const close = { location: '1', date: '2026-11-20', sum: '', left: '', note: '', attempt: 'a' }
  for (const [path, fields, status] of [
    ['drawer', { ...out, location: '7' }, 404],
    ['drawer', { ...out, location: '__proto__' }, 404],
    ['drawer', { ...out, kind: 'steal' }, 404],
    ['drawer', { ...out, sum: '' }, 422],
    ['drawer', { ...out, sum: '-5' }, 422],
    ['drawer', { ...out, sum: '99999999999' }, 422],
    ['drawer', { ...out, reason: ' ' }, 422],
    ['drawer', { ...out, reason: 'x'.repeat(201) }, 422],
    ['drawer', { ...out, attempt: '' }, 422],
    ['drawer', { ...out, kind: 'float', sum: '', 'piece-300': '1' }, 422],
    ['drawer', { ...out, kind: 'float', sum: '', 'piece-500': '1.5' }, 422],
    ['drawer', { ...out, kind: 'count', 'piece-500': '1' }, 422],
    ['drawer', { ...out, more: '1' }, 400],
    ['close', { ...close, date: '2026-02-30' }, 404],
    ['close', { ...close, date: '2999-01-01' }, 422],
    ['close', { ...close, left: 'all' }, 422],
    ['close', { ...close, note: 'a\0b' }, 422],
  ] as const) {
    assert.equal(await send(path, fields), status, JSON.stringify(fields))
  }
  assert.deepEqual(shop.rows('SELECT * FROM drawer'), [])
  assert.deepEqual(shop.rows('SELECT * FROM day_close'), [])
})
