import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { reportNames } from '../display/report.ts'
import { restaurant } from '../examples/demo.ts'
import { practice } from '../examples/practice/practice.ts'
import { niceTicks } from '../routes/html/chart.ts'
import { writeRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import type { OrderId } from '../store/terms/ids.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { servery } from './support/commands.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn } from './support/log-in.ts'
import { orderOf, pizza, pizzeria, salad, water } from './support/pizzeria.ts'
import { holdsForAll } from './support/property.ts'
import { accepted } from './support/refusals.ts'
import { openShop } from './support/shop.ts'

test('every report is a picture with a table below, in each language, alone and compared with the week before', async t => {
  const clock = heldClock('2026-11-13T12:00:00Z')
  const shop = await openShop(t, { restaurant: pizzeria({ tax_rate: 13 }), clock })
  for (const day of ['2026-11-13', '2026-11-20']) {
    clock.set(`${day}T12:00:00Z`)
    await shop.order(orderOf(pizza(2, 1), water))
    await shop.order(orderOf(salad))
    const id = shop.store.orderBook.last(1)[0]?.id as OrderId
    accepted(shop.store.move(id, 'cancel', { reason: '<script>alert(1)</script>' }))
    accepted(shop.store.payments.pay((id - 1) as OrderId, { amount: 500, method: 'cash' }))
  }
  const ana = logIn(shop, 'manager', 'Ana')
  for (const name of reportNames) {
    for (const [language, compare] of [
      ['en', ''],
      ['de', '1'],
      ['pt', '1'],
    ] as const) {
      const url = `${shop.url}/office/reports?report=${name}&from=2026-11-20&to=2026-11-20&location=1&compare=${compare}`
      const response = await fetch(url, { headers: { ...ana.headers, 'Accept-Language': language } })
      const text = await response.text()
      assert.equal(response.status, 200, `${name} ${text}`)
      assert.match(text, /<svg [^>]*role="img"[^>]*><title>[^<]+<\/title>[\s\S]*<\/svg>[\s\S]*<table/, name)
      assert.doesNotMatch(text, /<script>|undefined|NaN|Infinity| style=/, name)
    }
  }
})

test('the bars of a report are as long as its figures, and the page has every figure of the command', async t => {
  const clock = heldClock('2026-11-20T12:00:00Z')
  const shop = await openShop(t, { restaurant: pizzeria({ tax_rate: 13 }), clock })
  await shop.order(orderOf(pizza(7, 2), water, water))
  await shop.order(orderOf(salad, salad, salad))
  const { headers } = logIn(shop, 'owner')
  const dates = ['--from', '2026-11-20', '--to', '2026-11-20']
  const { rows } = JSON.parse((await servery(shop.file, ['report', 'items', ...dates, '--json'])).stdout)
  const query = 'report=items&from=2026-11-20&to=2026-11-20'
  const text = await (await fetch(`${shop.url}/office/reports?${query}`, { headers })).text()
  const widths = [...text.matchAll(/<rect class="bar" x="0" y="\d+" width="([\d.]+)%"/g)].map(match => Number(match[1]))
  const amounts: number[] = rows.map(({ amount }: { amount: number }) => amount)
  const largest = Math.max(...amounts)
  assert.deepEqual(
    widths,
    amounts.map(amount => Math.round((amount / largest) * 10_000) / 100),
  )
  for (const { name, amount, lines } of rows) {
    assert.match(
      text,
      new RegExp(`<td class="">${name}</td>\\s*<td class="num">${lines}</td>[\\s\\S]*?€${amount.toFixed(2)}`),
    )
  }
})

test('a download is the CSV of the command, marked as UTF-8 and with a name', async t => {
  const clock = heldClock('2026-11-20T12:00:00Z')
  const shop = await openShop(t, { restaurant: pizzeria(), clock })
  await shop.order(orderOf(pizza()))
  accepted(shop.store.move(1 as OrderId, 'cancel', { reason: '=HYPERLINK("x")' }))
  const { headers } = logIn(shop, 'manager')
  for (const name of ['days', 'tax', 'entries', 'cancelled']) {
    const response = await fetch(
      `${shop.url}/office/reports/csv?report=${name}&from=2026-11-20&to=2026-11-20&location=1`,
      { headers },
    )
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(response.headers.get('content-disposition') ?? '', new RegExp(`${name}-2026-11-20-2026-11-20\\.csv`))
    const bytes = Buffer.from(await response.arrayBuffer())
    const dates = ['--from', '2026-11-20', '--to', '2026-11-20', '--location', '1', '--csv']
    const { stdout } = await servery(shop.file, ['report', name, ...dates])
    assert.equal(bytes.toString(), `\ufeff${stdout}`)
    if (name === 'cancelled') assert.match(stdout, /'=HYPERLINK/)
  }
})

test('a period that cannot be reported is refused with a sentence, and what was typed is kept', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { headers } = logIn(shop, 'manager')
  for (const [query, status, why] of [
    ['from=2026-02-30', 422, /not a date/],
    ['from=2026-11-20&to=2026-11-19', 422, /is before 2026-11-20/],
    ['report=entries&from=2026-01-01&to=2026-11-19', 422, /at most 31 days/],
    ['location=7', 422, /no location 7/],
    ['location=%00', 422, /no location/],
    ['report=nothing', 404, /./],
    ['report=constructor', 404, /./],
    ['channel=pigeon', 404, /./],
  ] as const) {
    for (const path of ['', '/csv']) {
      const response = await fetch(`${shop.url}/office/reports${path}?${query}`, { headers })
      assert.equal(response.status, status, query)
      assert.match(await response.text(), why)
    }
  }
  const kept = await fetch(`${shop.url}/office/reports?from=2026-11-20&to=2026-11-19`, { headers })
  assert.match(await kept.text(), /name="to" type="date" value="2026-11-19"/)
})

test('reports can be chosen, filtered and compared without script, and are usable by everybody', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: writeRestaurantFile(restaurant()) })
  accepted(practice(shop.store, { days: 9, seed: 'reports' }))
  const { cookie } = logIn(shop, 'manager')
  const { page, site } = await openWindow(t, shop.port, { cookie, javaScriptEnabled: false })
  await page.goto(`${site}/office/reports`)
  await page.getByRole('link', { name: 'Last week', exact: true }).click()
  await page.getByLabel('Location').selectOption({ index: 1 })
  await page.getByLabel('Channel').selectOption('phone')
  await page.getByLabel('Compare with the week before').check()
  await page.getByRole('button', { name: 'Show' }).click()
  const { searchParams } = new URL(page.url())
  const first = String(shop.store.catalogue.current().locations[0]?.id)
  assert.deepEqual(
    ['report', 'location', 'channel', 'compare'].map(name => searchParams.get(name)),
    ['summary', first, 'phone', '1'],
  )
  await page.getByRole('link', { name: 'Hours', exact: true }).click()
  assert.equal(await page.getByLabel('Channel').inputValue(), 'phone', 'the filters stay')
  assert.equal(await page.getByRole('img', { name: 'Hours' }).count(), 1)
  assert.match(await page.locator('main').innerText(), /Hours, .* to .*\n/)

  const window = await openWindow(t, shop.port, { cookie })
  const period = new URLSearchParams({
    from: searchParams.get('from') ?? '',
    to: searchParams.get('to') ?? '',
    location: first,
  })
  for (const report of ['summary', 'weekdays', 'items', 'days']) {
    await window.page.goto(`${window.site}/office/reports?${period}&report=${report}&compare=1`)
    await assertUsableEverywhere(window.page, `reports-${report}`)
  }
})

test('ticks are 1, 2 or 5 times a power of ten apart and enclose every value', async () => {
  const cents = { max: 99_999_999_999 }
  const values = fc.tuple(fc.nat(cents), fc.nat(cents)).map(([low, high]) => [-low / 100, high / 100] as const)
  await holdsForAll(values, 500, async ([low, high]) => {
    const ticks = niceTicks(low, high)
    const [first = 0, second = 0] = ticks
    const last = ticks.at(-1) ?? 0
    assert.ok(ticks.includes(0), 'the base line is one of them')
    assert.ok(first <= low && last >= high)
    assert.ok(ticks.length >= 2 && ticks.length <= 8, `${ticks.length}`)
    const step = second - first
    const leading = step / 10 ** Math.floor(Math.log10(step) + 1e-9)
    assert.ok(
      [1, 2, 5, 10].some(each => Math.abs(leading - each) < 1e-6),
      `${step}`,
    )
  })
})
