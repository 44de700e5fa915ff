import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import type { Page } from 'playwright-core'
import { restaurant } from '../examples/demo.ts'
import type { Order } from '../store/ordering/order.ts'
import { writeRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { errorsIn, served } from './faults/serving.ts'
import { hostName, openWindow, type WindowOptions, withoutBrowser } from './support/browser.ts'
import { demoRestaurant } from './support/demo-restaurant.ts'
import { temporaryFolder } from './support/folders.ts'
import { openToGuests } from './support/guest.ts'
import { expectedOrder, type RestaurantFile } from './support/independent-calculation.ts'
import { logIn, pairDevice } from './support/log-in.ts'
import { withStore } from './support/store.ts'
import { wallBefore } from './support/wall.ts'

// The demo restaurant, open at any hour.
const always = { opening_hours: {}, opening_periods: null, closed_dates: [] }
const demo = restaurant()
const described = {
  ...demo,
  locations: demo.locations.map(location => ({ ...location, ...always })),
} as typeof demo
const asWritten = writeRestaurantFile(described) as unknown as RestaurantFile

/** A line of an order, as the API takes it. */
interface Line {
  item_id: number
  variation_id?: number
  qty: number
  modifiers?: { modifier_id: number; qty: number }[]
}

// Of the grill: chicken with a size, heat, side and sauces; skewers, well done. Of the bar: lemonade, beer for adults.
const chicken: Line = {
  item_id: 501,
  variation_id: 5012,
  qty: 2,
  modifiers: [
    { modifier_id: 53, qty: 1 },
    { modifier_id: 25, qty: 1 },
    { modifier_id: 11, qty: 2 },
    { modifier_id: 12, qty: 1 },
  ],
}
const skewer: Line = { item_id: 504, qty: 3, modifiers: [{ modifier_id: 33, qty: 1 }] }
const lemonade: Line = { item_id: 1004, variation_id: 10042, qty: 1 }
const beer: Line = { item_id: 1101, variation_id: 11012, qty: 2 }

const grill = 1
const bar = 4
const stationOf = new Map([
  [chicken, grill],
  [skewer, grill],
  [lemonade, bar],
  [beer, bar],
])

/** A window in which somebody orders. */
interface Guest {
  page: Page
  base: string
  mode: 'takeaway' | 'dine_in' | 'qr'
  /** What was ordered in this window, with the addresses of the status pages. */
  orders: { number: number; lines: Line[]; address: string }[]
}

async function openEvening(t: TestContext) {
  const { file } = demoRestaurant(join(temporaryFolder(t), 'evening.db'), described)
  const execute = (sql: string) => {
    const db = new Database(file)
    db.exec(sql)
    db.close()
  }
  const url = `http://${hostName}`
  const people = withStore(file, store => {
    const shop = { store, execute, url }
    const table = openToGuests(shop).get('Terrace 1')
    const screens = [1, 2, 3].map(() => pairDevice(shop, 'kitchen').cookie)
    const [board, kiosk] = [pairDevice(shop, 'board').cookie, pairDevice(shop, 'kiosk').cookie]
    return { table, screens, board, kiosk, manager: logIn(shop, 'manager').cookie }
  })
  return { file, ...people, program: await served(t, file, { environment: { HOSTS: hostName } }) }
}

/** Puts a dish into the cart as a guest does: finds it on the menu, chooses, and presses the button. */
async function choose({ page, base }: Guest, { item_id, variation_id, qty, modifiers = [] }: Line): Promise<void> {
  await page.locator(`.dish > a[href*="${base}/dish/${item_id}"]`).click()
  const form = page.locator('form.choices')
  await form.waitFor()
  if (variation_id !== undefined) await form.locator(`[name="size"][value="${variation_id}"]`).check()
  for (const option of modifiers) {
    const one = form.locator(`[name^="one-"][value="${option.modifier_id}"]`)
    const count = form.locator(`[name="some-${option.modifier_id}"]`)
    if ((await one.count()) > 0) await one.check()
    else if ((await count.getAttribute('type')) === 'checkbox') await count.check()
    else await count.fill(String(option.qty))
  }
  await form.locator('[name="quantity"]').fill(String(qty))
  await form.locator('.add .primary').click()
  await form.waitFor({ state: 'hidden' })
  await page.locator('#cart').waitFor()
}

/** Fills a cart, and goes on to the button that orders. */
async function fillCart(guest: Guest, lines: Line[]): Promise<void> {
  const { page, base, mode } = guest
  await page.goto(new URL(base, page.url()).href)
  const begins = page.locator(`.start-modes [value="${mode}"]`)
  if ((await begins.count()) > 0) await begins.click()
  for (const line of lines) await choose(guest, line)
  await page.locator('#cart a').click()
  const way = page.locator(`[name="act"][value="mode"]`)
  if ((await way.count()) > 0) await page.locator(`[name="mode"][value="${mode}"]`).click()
  await page.locator('nav.cart a.primary').click()
  await page.locator('button.place').waitFor()
  const name = page.locator('[name="name"]')
  if ((await name.count()) > 0) await name.fill('Zé')
}

/** Presses the button that orders, and keeps the number that the guest is told. */
async function place(guest: Guest, lines: Line[]): Promise<number> {
  const { page } = guest
  await page.locator('button.place').click()
  const number = Number(await page.locator('h1.number b').innerText())
  guest.orders.push({ number, lines, address: page.url().replace('/kiosk/done/', '/o/').replace(/\?.*/, '') })
  return number
}

async function order(guest: Guest, lines: Line[]): Promise<number> {
  await fillCart(guest, lines)
  return place(guest, lines)
}

/** Fails unless an order has the dishes, the table and the prices of an independent calculation; returns its total. */
function assertAsOrdered(arrived: Order, mode: Guest['mode'], lines: Line[]): number {
  const body = { location_id: 1, service_mode: mode, items: lines }
  const expected = expectedOrder(asWritten, body, arrived.placedAt)
  assert.ok(expected.status === 201)
  const { grand_total, items } = expected.order
  assert.deepEqual(
    arrived.lines.map(({ itemId, variationId, qtyMilli, lineTotal, modifiers }) => [
      [itemId, variationId, qtyMilli / 1000, lineTotal / 100],
      modifiers.map(({ id, qty }) => [Number(id), qty]),
    ]),
    items.map(({ item_id, variation_id, qty, line_total, modifiers }) => [
      [item_id, variation_id, qty, line_total],
      modifiers.map(each => [each.modifier_id, each.qty]),
    ]),
  )
  assert.deepEqual([arrived.mode, arrived.tableTitle], [mode, mode === 'qr' ? 'Terrace 1' : null])
  assert.equal(arrived.grandTotal / 100, grand_total)
  return grand_total
}

test('through an evening with a cut and a crash, every order of four guests arrives once, and every screen tells the truth', {
  skip: withoutBrowser,
  timeout: 240_000,
}, async t => {
  const evening = await openEvening(t)
  const { file } = evening
  let { program } = evening
  const errors: string[] = []

  async function open(port: number, path: string, options: WindowOptions): Promise<Page> {
    const { page, site } = await openWindow(t, port, options)
    page.on('response', response => {
      if (response.status() >= 500) errors.push(`${response.status()} ${response.url()}`)
    })
    await page.goto(`${site}${path}`)
    return page
  }

  const phoneSize = { width: 390, height: 844 }
  const guestAt = async (base: string, mode: Guest['mode'], options: WindowOptions): Promise<Guest> => ({
    page: await open(program.port, base, { ...phoneSize, ...options }),
    base,
    mode,
    orders: [],
  })
  const plain = await guestAt('/order/1', 'takeaway', { javaScriptEnabled: false })
  const portuguese = await guestAt('/order/1', 'takeaway', { locale: 'pt-PT' })
  const table = await guestAt(`/t/${evening.table}`, 'qr', {})
  const kiosk = await guestAt('/kiosk', 'dine_in', { width: 1080, height: 1920, cookie: evening.kiosk })
  const guests = [plain, portuguese, table, kiosk]

  // All screens of the staff are behind the cable that is pulled.
  const cable = await wallBefore(t, program.port)
  const screen = (path: string, cookie = '') => open(cable.port, path, { cookie })
  const [atGrill, atBar, pass] = [
    await screen(`/kitchen?stations=${grill}`, evening.screens[0]),
    await screen(`/kitchen?stations=${bar}`, evening.screens[1]),
    await screen('/kitchen/pass', evening.screens[2]),
  ]
  const board = await screen('/board', evening.board)
  const kitchen = [atGrill, atBar, pass]
  const office = await open(program.port, '/office/orders', { cookie: evening.manager })

  const numbersOn = async (page: Page, where: string) =>
    (await page.locator(where).allInnerTexts()).map(text => Number.parseInt(text, 10)).sort((a, b) => a - b)

  /** Presses the button of each card once. */
  async function pressAll(page: Page, button: string): Promise<void> {
    const cards = page.locator('.ticket').filter({ has: page.locator(button) })
    for (let left = await cards.count(); left > 0; left = await cards.count()) {
      const card = page.locator(`[id="${await cards.first().getAttribute('id')}"]`)
      await card.locator(button).click()
      await card.waitFor({ state: 'detached' })
      // What follows at once at the same place is taken for a double tap.
      await page.waitForTimeout(500)
    }
  }

  /** Waits until each screen shows the orders that it must, each once. */
  async function show(page: Page, where: string, lists: () => number[]): Promise<void> {
    let shown: number[] = []
    for (const end = Date.now() + 20_000; Date.now() < end; await page.waitForTimeout(100)) {
      shown = await numbersOn(page, where)
      if (String(shown) === String(lists())) return
    }
    assert.deepEqual(shown, lists(), `${page.url()} ${where}`)
  }

  const all = () => guests.flatMap(({ orders }) => orders).sort((a, b) => a.number - b.number)
  const numbers = (orders: { number: number }[]) => orders.map(({ number }) => number)
  const fetched = () => numbers(all()).filter(number => !numbers(table.orders).includes(number))
  const bumped = new Set<string>()
  const ofStation = (station: number) => () =>
    numbers(all().filter(({ lines }) => lines.some(line => stationOf.get(line) === station))).filter(
      number => !bumped.has(`${station} ${number}`),
    )

  async function showsAll(): Promise<void> {
    await show(atGrill, '.ticket .number', ofStation(grill))
    await show(atBar, '.ticket .number', ofStation(bar))
    await show(pass, '#kitchen .number', () => numbers(all()))
    await show(board, '#preparing li', fetched)
  }

  // 20:00: everybody orders. The first order of a table is confirmed by staff before the kitchen gets it.
  await Promise.all([
    order(plain, [chicken, lemonade]),
    order(portuguese, [skewer, lemonade]),
    order(table, [chicken, beer]),
    order(kiosk, [beer, skewer]),
  ])
  await table.page.getByText('We have your order and will confirm it in a moment').waitFor()
  await office.goto(office.url())
  await office.getByRole('button', { name: 'Confirm' }).click()
  await showsAll()

  // 20:30: the cable is pulled. Guests order on, and the grill presses a ticket.
  cable.become('silent')
  const oldest = atGrill.locator('.ticket').first()
  const pressed = Number.parseInt(await oldest.locator('.number').innerText(), 10)
  await oldest.locator('.bump').click()
  await Promise.all([order(plain, [beer]), order(table, [lemonade, skewer]), order(kiosk, [chicken])])
  for (const page of kitchen) await page.getByText('NOT LIVE since').filter({ visible: true }).first().waitFor()
  await board.getByText('This board is not up to date').filter({ visible: true }).waitFor()
  await atGrill.getByText('Not sent', { exact: true }).waitFor()

  // 20:40: the server is killed while a guest orders, who is told that it is not known whether the order arrived.
  await fillCart(portuguese, [lemonade, chicken])
  const killed = await program.end('SIGKILL')
  await portuguese.page.locator('button.place').click()
  await portuguese.page.getByText('NÃO ENVIADO').waitFor()
  await table.page.getByText('No connection').waitFor()
  await kiosk.page.getByRole('alert').getByText('No connection').waitFor()
  program = await served(t, file, { environment: { HOSTS: hostName, PORT: String(program.port) } })
  await place(portuguese, [lemonade, chicken])
  cable.become('open')

  // The press of the grill is sent now, and every screen is right again.
  for (const page of kitchen) await page.locator('#not-live').waitFor({ state: 'hidden' })
  await board.getByText('This board is not up to date').waitFor({ state: 'hidden' })
  await table.page.getByText('No connection').waitFor({ state: 'detached' })
  bumped.add(`${grill} ${pressed}`)
  await showsAll()

  // 22:00: the stations finish everything, and every guest reads that it is ready.
  for (const page of [atGrill, atBar]) {
    await pressAll(page, '.bump')
    await page.getByText('No open tickets').waitFor()
  }
  await show(pass, '#ready .number', () => numbers(all()))
  await show(board, '#ready li', fetched)
  for (const { page } of [portuguese, table]) await page.locator('.stage', { hasText: /^(Ready|Pronto)$/ }).waitFor()

  const ordered = withStore(file, store => store.orderBook.last(100))
  assert.equal(ordered.length, all().length, 'every order has arrived once')
  for (const { mode, orders } of guests) {
    for (const { number, lines, address } of orders) {
      const arrived = ordered.find(each => each.number === number)
      assert.ok(arrived)
      const total = assertAsOrdered(arrived, mode, lines)
      await plain.page.goto(address)
      assert.equal(await plain.page.locator('h1.number b').innerText(), String(number))
      assert.equal(await plain.page.locator('.stage').innerText(), 'Ready')
      assert.ok((await plain.page.locator('.pay').innerText()).startsWith(`€${total.toFixed(2)} to pay`))
    }
  }

  // The pass hands everything over.
  await pressAll(pass, 'button:text-is("Hand over")')
  await show(pass, '#ready .number', () => [])
  await show(board, '#ready li', () => [])
  await table.page.getByText('Enjoy!').waitFor()
  const ended = await program.end('SIGTERM')
  assert.deepEqual(errorsIn([...killed.logged, ...ended.logged]), [])
  assert.deepEqual(errors, [])
})
