import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { restaurant } from '../examples/demo.ts'
import { random as randomOf } from '../examples/practice/random.ts'
import { parseDraft } from '../store/ordering/draft.ts'
import { writeRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { expectedOrder, type RestaurantFile } from './support/independent-calculation.ts'
import { logIn } from './support/log-in.ts'
import { listen, orderOf, pizza, pizzeria, salad, water } from './support/pizzeria.ts'
import { type Menu, orderFrom } from './support/random-order.ts'
import { accepted } from './support/refusals.ts'
import { openShop } from './support/shop.ts'

const demo = () => ({ restaurant: writeRestaurantFile(restaurant()) })
const nata = { item_id: 801, variation_id: 8012, qty: 1 }

test('new orders appear in the list by themselves, with what is late, unpaid or sent twice', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, demo())
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'staff', 'Ana').cookie })
  await page.goto(`${site}/office/orders`)
  await page.getByText('No open orders. New ones appear here by themselves.').waitFor()
  const sound = page.getByRole('button', { name: 'Sound' })
  await sound.click()
  assert.equal(await sound.getAttribute('aria-pressed'), 'true')

  const customer = { name: 'Rui <b>Costa</b>', phone: '+351 912 345 678' }
  const order = { location_id: 1, customer, items: [nata, { item_id: 1, qty: 2, notes: 'No salt' }] }
  for (const _ of [1, 2]) assert.equal((await shop.order(order)).status, 201)
  await page.getByText('Looks like ORD-000001 sent twice').waitFor()
  assert.match(await page.getByRole('row', { name: /ORD-000002/ }).innerText(), /Rui <b>Costa<\/b>[\s\S]*unpaid/)
  await assertUsableEverywhere(page, 'orders')

  await page.getByRole('button', { name: 'Cancel this one' }).click()
  await page.getByText('Order cancelled.').waitFor()
  assert.equal(shop.store.orderBook.byId(2)?.cancelReason, 'sent twice')
  await page.getByRole('link', { name: 'Orders' }).first().click()
  await page.getByRole('link', { name: 'Unpaid 1' }).waitFor()
  await page.getByRole('link', { name: /^All/ }).click()
  assert.equal(await page.getByRole('row', { name: /ORD-00000[12]/ }).count(), 2)
  await page.getByRole('link', { name: /ORD-000002/ }).waitFor()
})

test('an order is found by its number, phone, name, dish, total and time, with what was looked for kept', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { headers } = logIn(shop, 'staff')
  const read = async (query: string, language = 'en') => {
    const asked = { headers: { ...headers, 'Accept-Language': language } }
    const response = await fetch(`${shop.url}/office/orders?${query}`, asked)
    const text = await response.text()
    return { status: response.status, text, numbers: text.match(/(?<=>ORD-00000)\d/g) ?? [] }
  }
  const from = (customer: object, ...items: unknown[]) => accepted(parseDraft({ ...orderOf(...items), customer }))
  accepted(shop.store.orders.place(from({ name: 'Ana Sousa', phone: '+351 912 345 678' }, pizza(), salad), 'pos'))
  accepted(shop.store.orders.place(from({ name: 'Rui' }, water), 'pos'))
  const time = new Date(shop.clock.now()).toISOString().slice(11, 16)
  for (const [query, numbers] of [
    ['q=ORD-000002', ['2']],
    ['q=2', ['2']],
    ['q=345%20678', ['1']],
    ['q=SOUS', ['1']],
    ['q=water', ['2']],
    ['q=anchovies', []],
    ['q=%2B%2B', []],
    ['total=15', ['1']],
    ['total=15,00&q=ana', ['1']],
    ['total=15&q=rui', []],
    [`at=${time}`, ['2', '1']],
    [`at=${time}&channel=phone`, []],
    ['at=2020-01-01T00:00', []],
  ] as const) {
    assert.deepEqual((await read(query)).numbers, numbers, query)
  }
  const wrong = await read('total=dear&q=%22%3E%3Cscript%3E')
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /value="dear"[\s\S]*This is not an amount/)
  assert.match(wrong.text, /value="&quot;&gt;&lt;script&gt;"/)
  assert.match((await read('at=soon', 'de')).text, /Das ist keine Zeit/)
})

test('an order is confirmed, paid in cash with change, given back and completed by pages, without script', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, demo())
  const { id } = accepted(shop.store.orders.place(accepted(parseDraft({ location_id: 1, items: [nata] })), 'api'))
  const { cookie } = logIn(shop, 'manager', 'Ana')
  const { page, site } = await openWindow(t, shop.port, { cookie, javaScriptEnabled: false, locale: 'de-DE' })
  await page.goto(`${site}/office/orders/${id}`)
  await page.getByRole('button', { name: 'Bestätigen' }).click()
  await page.getByText('Bestellung bestätigt.').waitFor()

  await page.locator('#pay-amount').fill('5,00')
  await page.getByLabel('Bar erhalten').fill('4')
  await page.getByRole('button', { name: 'Bar', exact: true }).click()
  assert.match(await page.getByRole('alert').innerText(), /weniger als der Betrag/)
  assert.equal(await page.locator('#pay-amount').inputValue(), '5,00')
  await page.getByLabel('Bar erhalten').fill('20')
  await page.getByRole('button', { name: 'Bar', exact: true }).click()
  assert.equal(await page.locator('.change').innerText(), 'Rückgeld: 15,00\u00a0€')
  await page.locator('#pay-amount').fill('99')
  await page.getByRole('button', { name: 'Karte' }).click()
  assert.match(await page.getByRole('alert').innerText(), /3,40\u00a0€/)
  await page.getByRole('button', { name: 'Abschließen' }).click()
  assert.match(await page.getByRole('alert').innerText(), /3,40\u00a0€/)
  await page.getByRole('button', { name: 'Bar 5,00\u00a0€', exact: true }).click()
  assert.equal(await page.locator('.change').innerText(), 'Rückgeld: 1,60\u00a0€')

  const storno = page.locator('details', { has: page.locator('summary[aria-label*="3,40"]') })
  await storno.locator('summary').click()
  await storno.getByLabel('Grund').fill('verzählt')
  await storno.getByRole('button').click()
  await page.getByText('Zahlung storniert.').waitFor()
  assert.equal(await storno.count(), 0)
  await page.getByRole('button', { name: 'Karte' }).click()
  await page.getByRole('button', { name: 'Abschließen' }).click()
  assert.match(await page.getByRole('alert').innerText(), /in der Küche noch offen/)
  await page.getByRole('button', { name: /^Bon \d+.*: Fertig/ }).click()
  await page.getByText('Bon fertig gemeldet.').waitFor()
  await page.getByRole('button', { name: /: Zurückholen/ }).click()
  await page.getByText('Bon zurückgeholt.').waitFor()
  await page.getByRole('button', { name: /^Bon \d+.*: Fertig/ }).click()
  await page.getByRole('button', { name: 'Abschließen' }).click()
  await page.getByText('Gutschrift geben …').click()
  await page.locator('#credit-amount').fill('1')
  await page.locator('#credit-reason').fill('zu kalt')
  await page.getByRole('button', { name: 'Gutschrift geben' }).click()
  await page.locator('#refund-reason').fill('zu kalt')
  await page.getByRole('button', { name: 'Erstatten', exact: true }).click()
  await page.getByText('Beglichen').waitFor()

  const { balance, paid, due } = shop.store.payments.standing(id)
  assert.deepEqual([balance, paid, due], [0, 740, 740])
  assert.equal(shop.store.orderBook.byId(id)?.status, 'completed')
  assert.deepEqual(
    shop.store.payments.entries(id).map(({ kind, amount, method }) => [kind, amount, method]),
    [
      ['charge', 840, null],
      ['payment', -500, 'cash'],
      ['payment', -340, 'cash'],
      ['payment_void', 340, 'cash'],
      ['payment', -340, 'card'],
      ['credit', -100, null],
      ['refund', 100, 'card'],
    ],
  )
  assert.deepEqual(new Set(shop.store.activity({ orderId: id }, 50).map(({ actor }) => actor.name)).has('Ana'), true)
})

test('staff mark all tickets of an order as done; refunds, credits and voids need a manager', async t => {
  const shop = await openShop(t, demo())
  const items = [{ item_id: 1, qty: 1 }, nata, { item_id: 1101, variation_id: 11012, qty: 1 }]
  const { id } = accepted(shop.store.orders.place(accepted(parseDraft({ location_id: 1, items })), 'pos'))
  accepted(shop.store.payments.pay(id, { amount: 500, method: 'cash' }))
  accepted(shop.store.payments.pay(id, { amount: 100, method: 'card' }))
  accepted(shop.store.payments.refund(id, { amount: 300, method: 'cash' }))
  const { headers } = logIn(shop, 'staff', 'Ana')
  const post = (act: string, fields: Record<string, string>) =>
    fetch(`${shop.url}/office/orders/${id}/${act}`, {
      method: 'POST',
      headers: { ...headers, Accept: 'text/html' },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
  const read = async () => (await fetch(`${shop.url}/office/orders/${id}`, { headers })).text()
  const before = await read()
  assert.match(before, /Void the payment of €1\.00/)
  assert.doesNotMatch(before, /Void the payment of €5\.00/, 'a part of it was refunded')
  assert.ok(shop.store.kitchen.ofOrder(id).length > 1)
  assert.match(before, /Mark all as done/)
  assert.equal((await post('bump', { seen: '0', ticket: '' })).status, 303)
  assert.ok(shop.store.kitchen.ofOrder(id).every(({ state }) => state === 'done'))
  assert.doesNotMatch(await read(), /Mark all as done/)
  const entries = shop.store.payments.entries(id)
  for (const act of ['refund', 'credit', 'void']) {
    const { status } = await post(act, { seen: '0', amount: '1', method: 'cash', reason: 'x', entry: '3' })
    assert.equal(status, 403, act)
  }
  assert.deepEqual(shop.store.payments.entries(id), entries)
})

test('an order that is shown to two people is not changed by the one who has not seen what the other did', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, demo())
  const { id } = accepted(shop.store.orders.place(accepted(parseDraft({ location_id: 1, items: [nata] })), 'pos'))
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'staff', 'Ana').cookie })
  await page.goto(`${site}/office/orders/${id}`)
  await assertUsableEverywhere(page, 'order')
  accepted(shop.store.move(id, 'confirm'))
  await page.getByText('Cancel the order…').click()
  await page.getByLabel('Reason').fill('never came')
  await page.getByLabel('Wasted', { exact: true }).check()
  await page.getByRole('button', { name: 'Cancel ORD-000001' }).click()
  await page.getByText('Since you opened it:').waitFor()
  assert.match(
    await page.getByRole('alert').first().innerText(),
    /order confirmed · placed, in kitchen → confirmed, in kitchen/,
  )
  assert.equal(await page.getByLabel('Reason').inputValue(), 'never came')
  assert.equal(shop.store.orderBook.byId(id)?.status, 'confirmed')
  await assertUsableEverywhere(page, 'order-changed')

  await page.getByRole('button', { name: 'Cancel ORD-000001' }).click()
  await page.getByText('Cancelled because').waitFor()
  const order = shop.store.orderBook.byId(id)
  assert.deepEqual([order?.status, order?.cancelReason], ['cancelled', 'never came'])
  assert.equal(await page.getByRole('button', { name: 'Confirm' }).count(), 0)
})

test('an order sent twice is cancelled in one tap; a payment that is sent twice is booked once', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { headers } = logIn(shop, 'manager', 'Ana')
  listen(shop)
  const draft = accepted(parseDraft({ ...orderOf(pizza(), salad), customer: { phone: '912 345 678' } }))
  const first = accepted(shop.store.orders.place(draft, 'api'))
  const second = accepted(shop.store.orders.place(draft, 'api'))
  const post = (path: string, fields: Record<string, string>) =>
    fetch(`${shop.url}/office/orders/${path}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
  const shown = await (await fetch(`${shop.url}/office/orders/${second.id}`, { headers })).text()
  assert.match(shown, /This looks like ORD-000001, sent a second time/)
  assert.match(shown, /Webhook deliveries[\s\S]*order\.placed[\s\S]*https:\/\/127\.0\.0\.1:9/)
  const [, reason = ''] =
    /name="reason" value="([^"]+)"><button class="button danger">Cancel this one/.exec(shown) ?? []
  assert.equal((await post(`${second.id}/cancel`, { seen: '0', reason })).status, 303)
  assert.equal(shop.store.orderBook.byId(second.id)?.cancelReason, 'sent twice')

  const payment = { seen: '0', attempt: 'a-1', amount: '15', given: '', method: 'card' }
  for (const _ of [1, 2]) assert.equal((await post(`${first.id}/pay`, payment)).status, 303)
  assert.equal(shop.store.payments.entries(first.id).length, 2)
  for (const [path, fields] of [
    [`${first.id}/pay`, { ...payment, attempt: 'a-2', amount: 'all' }],
    [`${first.id}/pay`, { ...payment, attempt: 'a-3', seen: 'x' }],
    [`${first.id}/void`, { seen: '0', entry: 'x', reason: 'x' }],
    [`${first.id}/void`, { seen: '0', entry: '2' }],
    [`${first.id}/refund`, { seen: '0', amount: '15', method: 'card', reason: ' ' }],
    [`${first.id}/bump`, { seen: '0', ticket: '999' }],
    [`${first.id}/cancel`, { seen: '0' }],
  ] as const) {
    assert.match(String((await post(path, fields)).status), /^4(09|22)$/, path)
  }
  assert.equal((await post('99/confirm', { seen: '0' })).status, 404)
  assert.equal((await post(`${first.id}/devour`, { seen: '0' })).status, 404)
  assert.equal((await post(`${first.id}/confirm`, { seen: '0', extra: '1' })).status, 400)
  assert.equal(shop.store.payments.entries(first.id).length, 2)
})

test('an order is changed by a page that shows the new total first: a line replaced, one added, a discount', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: pizzeria({ tables: [] }) })
  const draft = accepted(parseDraft({ ...orderOf(pizza(), salad), customer: { name: 'Ana' } }))
  const { id } = accepted(shop.store.orders.place(draft, 'pos'))
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'staff', 'Eva').cookie })
  await page.goto(`${site}/office/orders/${id}`)
  await page.getByRole('link', { name: 'Change the order' }).click()
  await page.getByText('Nothing is changed yet.').waitFor()
  await page.getByLabel('Remove Salad').check()
  await page.getByText('€5.00 less to pay than before').waitFor()
  await page.getByRole('button', { name: 'Change Pizza' }).click()
  await page.getByLabel('Quantity').fill('2')
  await page.getByLabel('Extra dough').fill('1')
  await page.getByRole('button', { name: 'Add to the order' }).click()
  await page.getByText('€7.00 more to pay than before').waitFor()
  await page.getByLabel('Dish or number').fill('water')
  await page.keyboard.press('Enter')
  await page.getByText('€9.00 more to pay than before').waitFor()
  await page.getByText('Discount', { exact: true }).first().click()
  await page.locator('#discount').selectOption('Amount')
  await page.getByLabel('How much').fill('4')
  await page.getByRole('button', { name: 'Save the changes' }).click()
  assert.match(await page.getByRole('alert').innerText(), /reason/)
  await page.getByLabel('Reason').fill('waited long')
  await page.getByRole('button', { name: 'Show the new total' }).click()
  await page.getByText('€5.00 more to pay than before').waitFor()
  await assertUsableEverywhere(page, 'edit')
  const shown = await page.getByRole('row', { name: /Grand total/ }).innerText()

  // Somebody else takes a payment meanwhile.
  accepted(shop.store.payments.pay(id, { amount: 500, method: 'cash' }))
  await page.getByRole('button', { name: 'Save the changes' }).click()
  await page.getByText('Since you opened it:').waitFor()
  assert.equal(shop.store.orderBook.byId(id)?.grandTotal, 1500)
  await page.getByRole('button', { name: 'Save the changes' }).click()
  await page.getByText('Order edited.').waitFor()
  const order = shop.store.orderBook.byId(id)
  assert.deepEqual(
    order?.lines.map(({ name, qtyMilli, modifiers }) => [name, qtyMilli, modifiers.length]),
    [
      ['Pizza', 2000, 1],
      ['Water', 1000, 0],
    ],
  )
  // 2 × (10 + 1) + 2 − 4
  assert.deepEqual([order?.grandTotal, order?.customer.name], [2000, 'Ana'])
  assert.match(shown, /€20\.00/)
  await page.getByText('€15.00 to pay').first().waitFor()
})

test('an edit that cannot be made says why and keeps what was typed, without script', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { id } = accepted(shop.store.orders.place(accepted(parseDraft(orderOf(salad))), 'pos'))
  const { cookie } = logIn(shop, 'staff', 'Eva')
  const { page, site } = await openWindow(t, shop.port, { cookie, javaScriptEnabled: false, locale: 'pt-PT' })
  await page.goto(`${site}/office/orders/${id}/edit`)
  await page.getByLabel('Retirar Salad').check()
  await page.getByText('Cliente e notas').click()
  await page.getByLabel('Nome').fill('Rui')
  await page.getByRole('button', { name: 'Guardar as alterações' }).click()
  assert.match(await page.getByRole('alert').innerText(), /pelo menos uma linha/)
  assert.ok(await page.getByLabel('Retirar Salad').isChecked())
  assert.equal(await page.getByLabel('Nome').inputValue(), 'Rui')
  await page.getByLabel('Retirar Salad').uncheck()
  await page.getByText('Desconto', { exact: true }).first().click()
  await page.locator('#discount').selectOption('amount')
  await page.locator('#value').fill('1')
  await page.locator('#reason').fill('esperou')
  await page.getByRole('button', { name: 'Guardar as alterações' }).click()
  assert.match(await page.getByRole('alert').innerText(), /O novo total é 4,00/)
  assert.equal(shop.store.orderBook.byId(id)?.grandTotal, 500)
  accepted(shop.store.move(id, 'cancel', { reason: 'left' }))
  await page.getByRole('button', { name: 'Guardar as alterações' }).click()
  await page.getByText('Desde que o abriu:').waitFor()
  await page.goto(`${site}/office/orders/${id}/edit`)
  assert.equal(page.url(), `${site}/office/orders/${id}`)
  assert.equal(shop.store.orderBook.byId(id)?.customer.name, null)
})

test('the list, the page and the receipt of an order show the totals of an independent calculation', async t => {
  const file = demo().restaurant
  const shop = await openShop(t, { restaurant: file, settings: { 'orders.limit': '1000' } })
  const { headers } = logIn(shop, 'staff')
  const read = async (path: string) => {
    const html = await (await fetch(`${shop.url}${path}`, { headers })).text()
    const cells = [...html.matchAll(/<t[dh][^>]*>([\s\S]*?)<\/t[dh]>/g)]
    return cells.map(([, cell = '']) => cell.replace(/<small[\s\S]*?<\/small>|<[^>]+>/g, '').trim())
  }
  const random = randomOf('totals')
  const menus = new Map<number, Menu>()
  for (const id of [1, 2]) menus.set(id, (await shop.get(`/locations/${id}/menu`)).body.data)
  for (let count = 0; count < 25; count++) {
    const place = random.pick([1, 2] as const)
    const wanted = orderFrom(place, menus.get(place) ?? { categories: [] }, random)
    const { status, body } = await shop.order(wanted)
    assert.equal(status, 201)
    const placed = shop.store.orderBook.byId(body.data.id)
    const expected = expectedOrder(file as RestaurantFile, wanted, placed?.placedAt ?? 0)
    assert.ok(expected.status === 201 && placed)
    const { order } = expected
    const money = (amount: number) =>
      new Intl.NumberFormat('en-GB', { style: 'currency', currency: order.currency }).format(amount)
    const afterLabel = (cells: string[], label: string) => cells[cells.indexOf(label) + 1]
    for (const path of [`/office/orders/${placed.id}`, `/office/orders/${placed.id}/print`]) {
      const cells = await read(path)
      assert.equal(afterLabel(cells, 'Subtotal'), money(order.subtotal))
      assert.equal(afterLabel(cells, 'Grand total'), money(order.grand_total))
      if (order.delivery_fee > 0) assert.equal(afterLabel(cells, 'Delivery fee'), money(order.delivery_fee))
      if (order.service_charge > 0) assert.equal(afterLabel(cells, 'Service charge'), money(order.service_charge))
      if (order.discount_total > 0) assert.equal(afterLabel(cells, 'Discount'), money(-order.discount_total))
      const taxes = cells.flatMap((cell, index) => (/^Tax/.test(cell) ? [cells[index + 1]] : []))
      assert.deepEqual(
        taxes,
        order.tax_lines.map(({ tax }) => money(tax)),
      )
      for (const line of order.items) assert.ok(cells.includes(money(line.line_total)), String(line.line_total))
    }
    const [total] = (await read('/office/orders?all=1')).slice(9, 10)
    assert.equal(total, money(order.grand_total))
  }
})

test('no form of an order or the till fails on random bytes, and none of them changes the order', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { headers } = logIn(shop, 'manager')
  const { id } = accepted(shop.store.orders.place(accepted(parseDraft(orderOf(pizza(), salad))), 'pos'))
  const before = JSON.stringify([shop.store.orderBook.byId(id), shop.store.payments.entries(id)])
  const names = [
    'do',
    'lines',
    'seen',
    'sheet',
    'find',
    'amount',
    'method',
    'reason',
    'entry',
    'remove',
    'value',
    'discount',
    'mode',
    'table',
    'at',
    'one-1',
    'some-1',
    'quantity',
    'size',
    'shown',
    'attempt',
    'given',
    'stock',
  ]
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer().map(String),
    fc.json(),
    fc.constantFrom(
      'place',
      'save',
      'enter',
      'change:0',
      'less:0',
      'more:9',
      'replace:1',
      'dish:1',
      'put',
      'cash:-1',
      'cash:1e9',
      '1e309',
      '[{"item_id":1,"qty":1}]',
      'percent',
      'delivery',
      '99:99',
    ),
  )
  const paths = [
    'till',
    `orders/${id}/edit`,
    ...['pay', 'refund', 'credit', 'void', 'cancel', 'complete'].map(act => `orders/${id}/${act}`),
  ]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), fc.dictionary(fc.constantFrom(...names), odd), async (path, fields) => {
      const seen = path === 'till' ? {} : { seen: '77' }
      const body = new URLSearchParams({ ...fields, ...seen })
      const { status } = await fetch(`${shop.url}/office/${path}`, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
      })
      assert.ok([200, 303, 400, 409, 422].includes(status), `${path} ${body} ${status}`)
    }),
    { numRuns: 300 },
  )
  assert.equal(JSON.stringify([shop.store.orderBook.byId(id), shop.store.payments.entries(id)]), before)
})

test('a receipt is for paper of 80 mm, and says that it is no tax document', { skip: withoutBrowser }, async t => {
  const shop = await openShop(t, demo())
  accepted(shop.store.orders.place(accepted(parseDraft({ location_id: 1, items: [nata] })), 'pos'))
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'staff', 'Ana').cookie })
  await page.goto(`${site}/office/orders/1`)
  await page.getByRole('link', { name: 'Print', exact: true }).click()
  await page.getByText('Not a tax document').waitFor()
  await assertUsableEverywhere(page, 'receipt')
  const paper = await page.pdf({ preferCSSPageSize: true })
  const [, points] = /MediaBox \[0 0 ([\d.]+) /.exec(paper.toString('latin1')) ?? []
  assert.equal(Math.round((Number(points) / 72) * 25.4), 80)
})
