import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { LocationId } from '../store/terms/ids.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn } from './support/log-in.ts'
import { openShop } from './support/shop.ts'
import { withStore } from './support/store.ts'
import { until } from './support/until.ts'

const skip = withoutBrowser

test('settings are changed on the page; what is refused is shown again with the reason, and nothing of it is set', {
  skip,
}, async t => {
  const shop = await openShop(t)
  const { page, site } = await openWindow(t, shop.port, {
    cookie: logIn(shop, 'owner').cookie,
    javaScriptEnabled: false,
  })
  await page.goto(`${site}/office/settings`)
  await page.getByLabel('Name of the restaurant').fill('<b>Casa Nova</b>')
  await page.getByLabel('Time zone').fill('Europe/Atlantis')
  await page.getByRole('button', { name: 'Save' }).first().click()
  assert.match(await page.locator('.wrong').innerText(), /Europe\/Atlantis.*not a time zone/)
  assert.equal(await page.getByLabel('Name of the restaurant').inputValue(), '<b>Casa Nova</b>')
  assert.notEqual(shop.store.settings.all()['site.title'], '<b>Casa Nova</b>')
  await page.getByLabel('Time zone').fill('Europe/Lisbon')
  await page.getByLabel('takeaway').check()
  await page.getByLabel('Minutes for which the pick-up board shows').fill('5')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByText('Saved.').waitFor()
  assert.equal(shop.store.settings.all()['site.title'], '<b>Casa Nova</b>')
  assert.equal(shop.store.settings.all()['kitchen.when_paid'], 'takeaway')
  assert.equal(shop.store.settings.all()['board.minutes'], '5')
  assert.equal(await page.locator('nav b').count(), 0)
  await page.getByLabel('Orders', { exact: true }).fill('0')
  await page.getByRole('button', { name: 'Save' }).last().click()
  assert.match(await page.locator('.wrong').innerText(), /whole number/)
  await page.getByLabel('Orders', { exact: true }).fill('7')
  await page.getByRole('button', { name: 'Save' }).last().click()
  assert.equal(shop.store.settings.current().ordersLimit, 7)
})

test('a manager changes settings, but not limits, and downloads no backup', async t => {
  const shop = await openShop(t)
  const manager = logIn(shop, 'manager')
  const send = (path: string, fields: Record<string, string>) =>
    fetch(`${shop.url}/office/settings${path}`, {
      method: 'POST',
      headers: manager.headers,
      body: new URLSearchParams(fields),
      redirect: 'manual',
    }).then(({ status }) => status)
  assert.equal(await send('', { title: 'A', timezone: 'UTC', depleteAt: 'placed' }), 303)
  assert.equal(await send('/limits', { orders: '1', seconds: '1' }), 403)
  assert.equal(await send('/backups/now', {}), 303)
  await until(() => shop.rows('SELECT * FROM backup WHERE ended_at IS NOT NULL').length === 1, 'no backup was made')
  const list = await (await fetch(`${shop.url}/office/settings/backups`, { headers: manager.headers })).text()
  assert.match(list, /test-\d{4}-\d\d-\d\d-\d{6}\.db/)
  assert.doesNotMatch(list, /Download: test/)
  const download = (headers: Record<string, string>) => fetch(`${shop.url}/office/settings/backups/1`, { headers })
  assert.equal((await download(manager.headers)).status, 403)
  const file = await download(logIn(shop, 'owner').headers)
  assert.equal(file.headers.get('cache-control'), 'no-store')
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename.*test-/)
  // It is restored by starting with it.
  const restored = join(temporaryFolder(t), 'restored.db')
  writeFileSync(restored, Buffer.from(await file.arrayBuffer()))
  const { problems, items } = withStore(restored, store => ({
    problems: store.health().problems,
    items: store.catalogue.current().menu(1 as LocationId)?.items.size,
  }))
  assert.deepEqual(problems, [])
  assert.equal(items, shop.store.catalogue.current().menu(1 as LocationId)?.items.size)
})

test('a backup that failed at night is an alarm on the page until one is made', { skip }, async t => {
  const clock = heldClock('2026-07-02T03:59:00Z')
  const shop = await openShop(t, { clock, settings: { 'backup.hour': '4', 'site.timezone': 'UTC' } })
  const folder = join(dirname(shop.file), 'backups')
  await until(() => shop.rows('SELECT * FROM backup WHERE ended_at IS NOT NULL').length === 1, 'no backup was made')
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'owner').cookie })
  await page.goto(`${site}/office/settings/backups`)
  await page.getByText('nightly').first().waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)

  // As a disk does that was unplugged.
  renameSync(folder, `${folder}-away`)
  writeFileSync(folder, '')
  clock.set('2026-07-02T04:00:10Z')
  // The page shows it by itself.
  const alarm = page.getByRole('alert')
  await alarm.waitFor()
  assert.match(await alarm.innerText(), /was not made[\s\S]*EEXIST/)
  await assertUsableEverywhere(page, 'backups')

  rmSync(folder)
  mkdirSync(folder)
  await page.getByRole('button', { name: 'Make a backup now' }).click()
  await page.locator('#backups').getByText('by hand').waitFor()
  await alarm.waitFor({ state: 'detached' })
})

test('the examination says what doctor finds, and the activity who did what', { skip }, async t => {
  const shop = await openShop(t)
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'owner', 'Ana').cookie })
  await page.goto(`${site}/office/settings`)
  await assertUsableEverywhere(page, 'settings')
  await page.getByLabel('Name of the restaurant').fill('Da Ana')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByRole('link', { name: 'Examination' }).click()
  await page.getByRole('button', { name: 'Examine now' }).click()
  await page.getByText('Servery is well.').waitFor()
  shop.execute(`UPDATE orders SET placed_at = 99999999999999`)
  shop.execute(`UPDATE location SET timezone = 'Europe/Atlantis'`)
  await page.getByRole('button', { name: 'Examine now' }).click()
  await page.getByText('this system does not know Europe/Atlantis').first().waitFor()
  await assertUsableEverywhere(page, 'examination')

  await page.goto(`${site}/office/settings/activity`)
  await page.getByLabel('Who').fill('ana')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  assert.match(page.url(), /by=ana/)
  assert.deepEqual(await page.locator('tbody td:nth-child(2)').allInnerTexts(), ['Ana'])
  assert.match(await page.locator('tbody').innerText(), /setting changed\s+site\.title: \S+ → Da Ana/)
  await assertUsableEverywhere(page, 'activity')
  await page.getByLabel('Order').fill('999')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText('There is no such order.').waitFor()
})
