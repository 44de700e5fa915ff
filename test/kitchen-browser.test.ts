import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertUsableEverywhere, openWindow, type WindowOptions, withoutBrowser } from './support/browser.ts'
import { pairDevice } from './support/log-in.ts'
import { orderOf, pizza, pizzeria, salad } from './support/pizzeria.ts'
import { openShop, type Shop } from './support/shop.ts'
import { until } from './support/until.ts'
import { wallBefore } from './support/wall.ts'

const skip = { skip: withoutBrowser }

/** A screen with all stations that has been set up; `port`: that of a proxy to load it through. */
async function openScreen(
  t: TestContext,
  shop: Shop,
  { port = shop.port, ...options }: WindowOptions & { port?: number } = {},
) {
  const device = pairDevice(shop, 'kitchen')
  const window = await openWindow(t, port, { cookie: device.cookie, ...options })
  await window.page.goto(`${window.site}/kitchen`)
  await window.page.getByText(/^Live/).waitFor()
  return { ...window, device }
}

const ticket = (page: Page, id: number) => page.locator(`#ticket-${id}`)
const allergic = (item: { item_id: number; qty: number }) => ({ ...item, notes: 'Nut allergy <b>!' })
const doneEvents = (shop: Shop) =>
  shop.rows(`SELECT ticket_id AS ticket, line_id AS line FROM ticket_event WHERE what = 'done' ORDER BY seq`)

test('a screen shows new and changed tickets without a reload, marked until somebody touches them', skip, async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { page, site } = await openScreen(t, shop)
  await page.getByText('No open tickets').waitFor()
  await page.getByText('No sound yet').waitFor()
  await page.getByRole('button', { name: 'Start shift' }).click()
  await page.getByText('No sound yet').waitFor({ state: 'hidden' })
  await page.getByText('The screen may go dark').filter({ visible: true }).click()
  await page.getByText(/^iPad/).waitFor()
  await page.getByRole('button', { name: 'It stays awake' }).click()
  await page.locator('#setup').waitFor({ state: 'hidden' })

  await page.evaluate(() => document.body.setAttribute('data-same-page', ''))
  await shop.order(orderOf(pizza(2, 1), salad))
  await ticket(page, 1).getByText('Extra dough').waitFor()
  const fresh = page.getByRole('button', { name: 'Seen: 2 new' })
  await fresh.waitFor()
  await ticket(page, 1).getByText('New', { exact: true }).waitFor()
  await ticket(page, 1).locator('header').click()
  await page.getByRole('button', { name: 'Seen: 1 new' }).click()
  await page.locator('.fresh').first().waitFor({ state: 'detached' })
  await page.locator('[data-same-page]').waitFor()

  await page.reload()
  await page.getByText(/^Live/).waitFor()
  assert.equal(await page.locator('.fresh').count(), 0, 'what was touched stays so over a reload')
  shop.store.edit(1 as never, { remove: [1], add: [], customer: {} } as never)
  await ticket(page, 1).getByText('Changed').waitFor()
  await ticket(page, 1).locator('li.void').waitFor()

  await shop.order(orderOf(allergic(pizza())))
  const seen = ticket(page, 3).getByRole('button', { name: 'Allergy read' })
  await seen.click()
  await page.waitForTimeout(500)
  await ticket(page, 3).getByRole('button', { name: 'Done', exact: true }).click()
  await ticket(page, 3).waitFor({ state: 'detached' })
  assert.match(await page.locator('#recent').innerText(), /Done lately/)
  await page.getByText('Done lately').click()
  await page.locator('#recent').getByRole('button', { name: 'Recall' }).first().click()
  await ticket(page, 3).waitFor()
  await page.getByText('Done lately').click()
  assert.ok(page.url().startsWith(`${site}/kitchen`))
  await assertUsableEverywhere(page, 'kitchen-station')
})

test('behind a silent network the screen says that it is not live, keeps presses, and sends each once when the network is back', {
  ...skip,
  timeout: 120_000,
}, async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  for (const _ of [1, 2]) await shop.order(orderOf(salad, { ...salad, qty: 2 }))
  const wall = await wallBefore(t, shop.port)
  const { page } = await openScreen(t, shop, { port: wall.port })
  await ticket(page, 2).waitFor()

  wall.become('silent')
  await ticket(page, 1).locator('li button').first().click()
  await ticket(page, 2).getByRole('button', { name: 'Done', exact: true }).click()
  assert.equal(await ticket(page, 1).locator('li[data-becomes="done"]').count(), 1)
  await page.getByText('NOT LIVE since').filter({ visible: true }).first().waitFor()
  await ticket(page, 2).getByText('Not sent').waitFor()
  await page.getByText(/2 not sent/).waitFor()
  assert.equal(await page.locator('.ticket').count(), 2, 'the board stays readable')
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/kitchen-not-live.png` })
  assert.equal(doneEvents(shop).length, 0)
  await shop.order(orderOf(salad))

  wall.become('502')
  await page.waitForTimeout(2500)
  assert.equal(await page.locator('.ticket').count(), 2, 'the page of a proxy is no board')
  wall.become('open')
  await page.locator('#not-live').waitFor({ state: 'hidden' })
  await ticket(page, 3).waitFor()
  await ticket(page, 2).waitFor({ state: 'detached' })
  await ticket(page, 1).locator('li.done').waitFor()
  await page
    .getByText(/not sent/i)
    .filter({ visible: true })
    .first()
    .waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText(/^Live/).waitFor()
  const events = doneEvents(shop)
  assert.deepEqual(
    events.filter(({ line }) => line !== null),
    [...new Map(events.filter(({ line }) => line !== null).map(event => [event.line, event])).values()],
    'no line was bumped twice',
  )
  assert.deepEqual(
    events.filter(({ line }) => line === null),
    [{ ticket: 2, line: null }],
  )
  assert.equal(events.filter(({ line }) => line !== null).length, 3)
})

test('what was pressed without a connection is still there after a reload, and is sent in order', skip, async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  await shop.order(orderOf(allergic(salad)))
  const { page, context } = await openScreen(t, shop)
  await context.route('**/kitchen/act?*', route => route.abort())
  await ticket(page, 1).getByRole('button', { name: 'Allergy read' }).click()
  await page.waitForTimeout(500)
  await ticket(page, 1).getByRole('button', { name: 'Done', exact: true }).click()
  await page.getByText(/2 not sent/).waitFor()
  await page.reload()
  await page.getByText(/2 not sent/).waitFor()
  await ticket(page, 1).getByText('Not sent').waitFor()
  await context.unroute('**/kitchen/act?*')
  await ticket(page, 1).waitFor({ state: 'detached' })
  assert.equal(doneEvents(shop).length, 2, 'the ticket and its line, once')
})

test('quick presses of neighbouring lines all count, and a second one of the same button does not', skip, async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const cake = { item_id: 4, qty: 1 }
  await shop.order(orderOf(salad, cake, { ...salad, qty: 2 }, { ...cake, qty: 2 }, { ...salad, qty: 3 }))
  const { page } = await openScreen(t, shop)
  const lines = ticket(page, 1).locator('li button')
  await ticket(page, 1).locator('header').click()
  const boxes = await Promise.all([0, 1, 2, 3].map(async at => (await lines.nth(at).boundingBox()) ?? assert.fail()))
  const middle = boxes.map(({ x, y, width, height }) => [x + width / 2, y + height / 2] as const)
  const [first = middle[0] as readonly [number, number]] = middle
  await page.mouse.click(...first)
  await page.mouse.click(...first)
  for (const place of middle.slice(1)) {
    await page.waitForTimeout(150)
    await page.mouse.click(...place)
  }
  await until(() => doneEvents(shop).length === 4)
  assert.deepEqual(
    await ticket(page, 1).locator('li.done, li[data-becomes="done"]').count(),
    4,
    'the second press has not recalled the first line',
  )

  // The next ticket moves to the place of the one that is done.
  for (const _ of [2, 3]) await shop.order(orderOf(salad))
  await ticket(page, 3).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await ticket(page, 2).locator('header').scrollIntoViewIfNeeded()
  await ticket(page, 2).getByRole('button', { name: 'Done', exact: true }).click()
  await ticket(page, 2).waitFor({ state: 'detached' })
  assert.equal(await ticket(page, 3).count(), 1)
})

test(
  'no ticket is split between columns, the board keeps its scroll position, and tickets out of view are not marked as seen',
  skip,
  async t => {
    const shop = await openShop(t, { restaurant: pizzeria() })
    const notes = 'Please keep everything for the last of us on a plate of its own. '.repeat(3)
    await shop.order(orderOf(...[1, 2, 3, 4, 5, 6].map(qty => ({ ...salad, qty, notes }))))
    for (let count = 0; count < 30; count++) await shop.order(orderOf(salad))
    const { page } = await openScreen(t, shop)
    await ticket(page, 31).waitFor()
    for (const [width, height] of [
      [1024, 600],
      [1280, 800],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      const board = (await page.locator('#board').boundingBox()) ?? assert.fail()
      const seen = Math.min(board.y + board.height, height) - board.y
      assert.ok(seen >= 0.6 * height, `${width} × ${height}: ${seen} px`)
      const bump = (await ticket(page, 1).locator('.bump').boundingBox()) ?? assert.fail()
      const last = (await ticket(page, 1).locator('li').last().boundingBox()) ?? assert.fail()
      assert.ok(Math.abs(bump.y - (last.y + last.height)) < 3 && Math.abs(bump.x - last.x) < 3)
    }

    // Marking the tickets in view as seen leaves out the rest.
    await page.setViewportSize({ width: 1024, height: 600 })
    await page.getByText(/^\d+ more →$/).click()
    const seen = page.getByRole('button', { name: /^Seen: \d+ new$/ })
    await seen.click()
    await page.getByRole('button', { name: /^\d+ new: show$/ }).click()
    await seen.click()
    assert.ok((await page.locator('.ticket .fresh').count()) > 0)
  },
)

test(
  'a press that was taken back and repeated without a connection counts, and one that is never accepted does not block others',
  skip,
  async t => {
    const shop = await openShop(t, { restaurant: pizzeria() })
    for (const _ of [1, 2]) await shop.order(orderOf(salad, { ...salad, qty: 2 }))
    const { page, context } = await openScreen(t, shop)
    await context.route('**/kitchen/act?*', route => route.abort())
    const line = ticket(page, 1).locator('li button').first()
    for (const becomes of ['done', 'recall', 'done']) {
      await line.click()
      await ticket(page, 1).locator(`li[data-becomes="${becomes}"]`).waitFor()
      await page.waitForTimeout(500)
    }
    await context.unroute('**/kitchen/act?*')
    await ticket(page, 1).locator('li.done').waitFor()
    assert.equal(doneEvents(shop).length, 2)

    await context.route('**/kitchen/act?*', (route, request) => {
      const isFirst = /ticket=1&/.test(request.postData() ?? '')
      return isFirst ? route.fulfill({ status: 400, contentType: 'text/html', body: '<p>Bad' }) : route.continue()
    })
    await ticket(page, 1).locator('.bump').click()
    await page.waitForTimeout(500)
    await ticket(page, 2).locator('.bump').click()
    await page.getByText(/could not accept this\. Check the ticket/).waitFor()
    await ticket(page, 2).waitFor({ state: 'detached' })
    assert.equal(await ticket(page, 1).count(), 1)
  },
)

test('a device that has slept does not show an old board as live', skip, async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const wall = await wallBefore(t, shop.port)
  const { page } = await openScreen(t, shop, { port: wall.port })
  wall.become('502')
  await page.evaluate(() => {
    const { now } = Date
    Date.now = () => now() + 60_000
  })
  await page.getByText('NOT LIVE since').filter({ visible: true }).first().waitFor({ timeout: 5000 })
  await shop.order(orderOf(salad))
  wall.become('open')
  await ticket(page, 1).waitFor()
  await page.locator('#not-live').waitFor({ state: 'hidden' })
})

test('a screen that is no longer paired says so', skip, async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { page, device } = await openScreen(t, shop)
  shop.store.devices.end(device.id)
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await page.getByText(/This screen is no longer paired/).waitFor()
})

test('a bump bar or a keyboard can select, acknowledge, bump and recall', skip, async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  await shop.order(orderOf(allergic(salad)))
  for (let count = 0; count < 11; count++) await shop.order(orderOf(salad))
  const { page } = await openScreen(t, shop)
  const { keyboard } = page
  const selected = () => page.locator('[data-selected]').getAttribute('data-ticket')
  await keyboard.press('2')
  assert.equal(await selected(), '2')
  await keyboard.press('1')
  await page.waitForTimeout(1100)
  await keyboard.type('12')
  assert.equal(await selected(), '12')
  await keyboard.press('ArrowLeft')
  assert.equal(await selected(), '11')
  await page.waitForTimeout(1100)
  await keyboard.press('1')
  await keyboard.press('Enter')
  await page.getByText(/Read the note first/).waitFor()
  await keyboard.press('a')
  await ticket(page, 1).getByRole('button', { name: 'Done', exact: true }).waitFor()
  await until(() => shop.rows('SELECT acknowledged_at FROM ticket WHERE id = 1 AND acknowledged_at > 0').length === 1)
  await keyboard.press('Enter')
  await ticket(page, 1).waitFor({ state: 'detached' })
  await keyboard.press('r')
  await ticket(page, 1).waitFor()
  await keyboard.press('3')
  await keyboard.press('Escape')
  assert.equal(await page.locator('[data-selected]').count(), 0)

  // A button that was reached by Tab keeps the focus although the card is drawn again.
  const button = ticket(page, 2).locator('li button')
  await button.focus()
  await keyboard.press('Enter')
  await ticket(page, 2).waitFor({ state: 'detached' })
  await ticket(page, 3).locator('.bump').focus()
  await shop.order(orderOf(salad))
  await ticket(page, 13).waitFor()
  assert.equal(await page.evaluate(() => document.activeElement?.closest('.ticket')?.id), 'ticket-3')
})
