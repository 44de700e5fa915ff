import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { openStore } from '../store/store.ts'
import { systemClock } from '../store/terms/clock.ts'
import type { LocationId } from '../store/terms/ids.ts'
import { temporaryFolder } from './support/folders.ts'
import { type Fields, fieldsOf, guest, openToGuests, saidBy } from './support/guest.ts'
import { heldClock } from './support/held-clock.ts'
import { eventsOf, listen, pizzeria, ticketsOf } from './support/pizzeria.ts'
import { startProgram } from './support/program.ts'
import { accepted } from './support/refusals.ts'
import { importInto, openShop, type Shop } from './support/shop.ts'

// A Thursday.
const now = Date.parse('2025-11-20T18:00:00Z')
const base = '/order/1'
const pizza = { id: 1 }
const salad = { id: 2 }

const place = {
  tables: [
    { id: 1, title: 'Terrace 1' },
    { id: 2, title: 'Terrace 2' },
  ],
  opening_periods: { thu: [{ open: '17:00', close: '22:00' }] },
  delivery_fee: 4,
  minimum_delivery: 9,
  delivery_zones: [{ id: 1, title: 'Near', postcodes: ['4050'], fee: 2, minimum: 12 }],
}

async function openPlace(t: Parameters<typeof openShop>[0], location: Record<string, unknown> = {}) {
  const clock = heldClock(now)
  const shop = await openShop(t, { restaurant: pizzeria({ ...place, ...location }), clock })
  const codes = openToGuests(shop)
  return { shop, clock, codes }
}

const countOrders = (shop: Pick<Shop, 'rows'>) => Number(shop.rows('SELECT count(*) AS n FROM orders')[0]?.n)

test('an order to take away is placed from the cart, reaches the kitchen, and is announced as one of the storefront', async t => {
  const { shop } = await openPlace(t)
  listen(shop)
  const ana = guest(shop)
  const fields = await ana.fill(base, pizza, { id: 4, fields: { size: '2' } })
  assert.deepEqual([fields.shown, fields.mode], ['40000', 'takeaway'])
  const unnamed = await ana.place(base, fields)
  assert.equal(unnamed.status, 422)
  assert.match(saidBy(unnamed), /Not ordered yet\. Enter your name\./)
  const placed = await ana.place(base, { ...fields, name: ' Ana ', notes: 'No <b>onions</b>' })
  assert.equal(placed.status, 303)
  const [order] = shop.rows('SELECT * FROM orders')
  assert.deepEqual(
    [order?.source, order?.channel, order?.mode, order?.customer_name, order?.customer_phone, order?.grand_total_minor],
    ['storefront', 'web', 'takeaway', 'Ana', null, 4000],
  )
  assert.deepEqual(
    ticketsOf(shop, 1).map(({ station, state }) => [station, state]),
    [
      ['Oven', 'open'],
      ['Pass', 'open'],
    ],
  )
  assert.deepEqual(eventsOf(shop), [
    { type: 'order.placed', data: { id: 1, location_id: 1, channel: 'web', source: 'storefront' } },
  ])
  const status = await ana.get(placed.location ?? '')
  assert.equal(status.status, 200)
  assert.match(saidBy(status), /Your number 1 .*In the kitchen.*€40\.00 to pay at the counter/)
  assert.doesNotMatch(status.text, /Ana|onions<|<b>onions/)
  // The cart is empty afterwards.
  assert.match(saidBy(await ana.get(`${base}/checkout`)), /Your order is empty/)
})

test('ten presses at once, a reload, two tabs and a lost response make one order, and all lead to the same page', async t => {
  const { shop } = await openPlace(t)
  const ana = guest(shop)
  const first: Fields = { ...(await ana.fill(base, pizza)), name: 'Ana' }
  const second = fieldsOf(await ana.get(`${base}/checkout`))
  assert.equal(second.attempt, first.attempt, 'two tabs with the same cart')
  const pages = await Promise.all(Array.from({ length: 10 }, () => ana.place(base, first)))
  assert.deepEqual([...new Set(pages.map(({ status }) => status))], [303])
  assert.equal(new Set(pages.map(({ location }) => location)).size, 1)
  const again = await ana.place(base, { ...second, name: 'Ana' })
  assert.equal(again.location, pages[0]?.location)
  assert.equal(countOrders(shop), 1)
  // The same dishes once more are a new order.
  const next = await ana.fill(base, pizza)
  assert.notEqual(next.attempt, first.attempt)
  assert.equal((await ana.place(base, { ...next, name: 'Ana' })).status, 303)
  assert.equal(countOrders(shop), 2)
})

test('when the response to an order is lost, the checkout names the order, and ordering the same again leads to it', async t => {
  const { shop } = await openPlace(t)
  const ana = guest(shop)
  const sent: Fields = { ...(await ana.fill(base, pizza)), name: 'Ana' }
  const before = new Map(ana.cookies)
  const { location } = await ana.place(base, sent)
  const lose = () => {
    ana.cookies.clear()
    for (const [key, cookie] of before) ana.cookies.set(key, cookie)
  }

  lose()
  const reloaded = await ana.get(`${base}/checkout`)
  assert.match(saidBy(reloaded), /Your order with the number 1 has arrived/)
  assert.ok(reloaded.text.includes(`href="${location}`), reloaded.text)
  const again = await ana.place(base, { ...fieldsOf(reloaded), name: 'Ana' })
  assert.equal(again.location, location)
  assert.equal(countOrders(shop), 1)
  assert.doesNotMatch(saidBy(await ana.get(`${base}/checkout`)), /has arrived/)

  // With another name it is not the same: the guest sees the first one, and then may want both.
  lose()
  const renamed = await ana.place(base, { ...fieldsOf(await ana.get(`${base}/checkout`)), name: 'Bea' })
  assert.equal(renamed.status, 422)
  assert.ok(renamed.text.includes(`href="${location}`), renamed.text)
  assert.equal(countOrders(shop), 1)
  const both = await ana.place(base, { ...fieldsOf(renamed), name: 'Bea' })
  assert.equal(both.status, 303)
  assert.notEqual(both.location, location)
  assert.equal(countOrders(shop), 2)
})

test('the same attempt with other contents is refused, and so is the attempt of another browser', async t => {
  const { shop } = await openPlace(t)
  const ana = guest(shop)
  const fields = { ...(await ana.fill(base, pizza)), name: 'Ana' }
  await ana.place(base, fields)
  const other = await ana.place(base, { ...fields, lines: '[{"item_id":2,"qty":1}]', shown: '5000' })
  assert.equal(other.status, 422)
  assert.match(saidBy(other), /already sent an order from this page, and this one is not the same/)
  const eve = guest(shop)
  await eve.fill(base, salad)
  const stolen = await eve.place(base, fields)
  assert.deepEqual([stolen.status, stolen.location], [422, null])
  assert.doesNotMatch(stolen.text, /\/o\//)
  assert.equal(countOrders(shop), 1)
})

test('a price that has changed is shown and asked once more, and a forged one is not charged', async t => {
  const { shop } = await openPlace(t)
  const ana = guest(shop)
  const fields = { ...(await ana.fill(base, pizza)), name: 'Ana' }
  shop.store.importCatalogue(dearer())
  const asked = await ana.place(base, fields)
  assert.equal(asked.status, 422)
  assert.match(saidBy(asked), /The price has changed\. It is €11\.00 now/)
  assert.match(asked.text, /value="Ana"/)
  for (const shown of ['1', '0', '-1', '', 'x', '10000.5', '1e4']) {
    assert.equal((await ana.place(base, { ...fields, shown })).status, 422, shown)
  }
  assert.equal(countOrders(shop), 0)
  assert.equal((await ana.place(base, { ...fieldsOf(asked), name: 'Ana' })).status, 303)
  assert.deepEqual(shop.rows('SELECT grand_total_minor AS total FROM orders'), [{ total: 1100 }])

  function dearer() {
    const file = shop.store.restaurant()
    const [dish] = file.categories[0]?.items ?? []
    if (dish) dish.price = 11_000
    return file
  }
})

test('a dish that ran out is named and the rest stays; of the last portion only one of two guests gets it', async t => {
  const { shop } = await openPlace(t)
  const guests = [guest(shop), guest(shop)]
  const forms: Fields[] = []
  for (const each of guests) forms.push({ ...(await each.fill(base, pizza, salad)), name: 'G' })
  const dough = shop.store.shelf.change(1 as never, 'set', 250_000, null, 2_000_000)
  accepted(dough)
  const pages = await Promise.all(guests.map((each, index) => each.place(base, forms[index] ?? {})))
  assert.deepEqual(pages.map(({ status }) => status).sort(), [303, 422])
  const refused = pages.find(({ status }) => status === 422)
  assert.match(
    saidBy(refused ?? { text: '' }),
    /Not ordered yet\. Pizza can no longer be ordered like this.*the rest stays/,
  )
  assert.equal(countOrders(shop), 1)
})

test('an order sent as the clock passes closing time, while paused, or after the switch was turned off is refused', async t => {
  const { shop, clock } = await openPlace(t)
  const ana = guest(shop)
  const fields = { ...(await ana.fill(base, pizza)), name: 'Ana' }
  clock.set('2025-11-20T21:59:59.999Z')
  clock.pass(1)
  const late = await ana.place(base, { ...fields, at: '' })
  assert.equal(late.status, 422)
  assert.match(saidBy(late), /We are closed now\. .*not placed/)
  clock.set(now)
  accepted(shop.store.pauses.pause(1 as LocationId, null))
  assert.match(saidBy(await ana.place(base, { ...fields, at: '' })), /We take no orders at the moment/)
  accepted(shop.store.pauses.resume(1 as LocationId))
  accepted(shop.store.settings.set('guests.storefront', 'off'))
  assert.equal((await ana.place(base, fields)).status, 404)
  accepted(shop.store.settings.set('guests.storefront', 'on'))
  accepted(shop.store.guestSwitches.set(1 as LocationId, 'storefront', ['delivery']))
  assert.equal((await ana.place(base, fields)).status, 422)
  assert.equal(countOrders(shop), 0)
})

test('an order can be wanted at a quarter of an hour of today within the opening hours, and at no other time', async t => {
  const { shop } = await openPlace(t)
  const ana = guest(shop)
  const fields = { ...(await ana.fill(base, pizza)), name: 'Ana' }
  const page = await ana.get(`${base}/checkout`)
  const offered = [...page.text.matchAll(/<option value="(\d+)"/g)].map(([, value]) =>
    new Date(Number(value)).toISOString().slice(11, 16),
  )
  assert.deepEqual([offered[0], offered.at(-1)], ['18:30', '21:45'])
  for (const at of ['2025-11-20T23:00Z', '2025-11-20T17:30Z', '2025-11-21T18:00Z', '2025-11-27T18:00Z']) {
    const refused = await ana.place(base, { ...fields, at: String(Date.parse(at)) })
    assert.match(saidBy(refused), /This time is no longer possible/, at)
  }
  assert.equal((await ana.place(base, { ...fields, at: 'soon' })).status, 422)
  assert.equal((await ana.place(base, { ...fields, at: String(Date.parse('2025-11-20T20:00Z')) })).status, 303)
  assert.deepEqual(shop.rows('SELECT wanted_at AS at, fulfillment_status AS state FROM orders'), [
    { at: Date.parse('2025-11-20T20:00Z'), state: 'pending' },
  ])
})

test('a delivery needs a name, a phone number and an address, and has the fee and the minimum of its zone', async t => {
  const { shop } = await openPlace(t)
  const ana = guest(shop)
  const { lines } = await ana.fill(base, pizza)
  await ana.choose(base, { act: 'mode', mode: 'delivery' })
  await ana.choose(base, { act: 'postcode', postcode: '4050' })
  const early = await ana.get(`${base}/checkout`)
  assert.deepEqual([early.status, early.location], [303, `${base}/cart`], 'the cart says what is missing')
  const known = { name: 'Ana', phone: '+351 912 345 678', address: 'Rua 1' }
  const fields: Fields = { ...(await ana.fill(base, pizza)), ...known }
  assert.equal(fields.shown, '22000')
  const refused = await ana.place(base, { ...fields, lines: lines ?? '' })
  assert.equal(refused.status, 422)
  assert.match(saidBy(refused), /Deliveries there start at 12/)
  for (const missing of ['name', 'phone', 'address', 'postcode']) {
    const page = await ana.place(base, { ...fields, [missing]: ' ' })
    assert.equal(page.status, 422, missing)
  }
  assert.equal((await ana.place(base, { ...fields, postcode: '1000' })).status, 422)
  assert.equal((await ana.place(base, fields)).status, 303)
  const [order] = shop.rows('SELECT * FROM orders')
  assert.deepEqual(
    [order?.delivery_fee_minor, order?.delivery_address, order?.delivery_postcode, order?.customer_phone],
    [200, 'Rua 1', '4050', '+351 912 345 678'],
  )
  assert.equal(countOrders(shop), 1)
})

test('without delivery zones, a delivery of a guest has the fee and the minimum of its location', async t => {
  const { shop } = await openPlace(t, { delivery_zones: [] })
  const ana = guest(shop)
  const { lines = '' } = await ana.fill(base, salad)
  await ana.choose(base, { act: 'mode', mode: 'delivery' })
  const known = { name: 'Ana', phone: '912 345 678', address: 'Rua 1' }
  const fields: Fields = { ...(await ana.fill(base, pizza)), ...known }
  assert.equal(fields.shown, '19000')
  const refused = await ana.place(base, { ...fields, lines, shown: '9000' })
  assert.equal(refused.status, 422)
  assert.match(saidBy(refused), /Deliveries there start at 9/)
  assert.equal((await ana.place(base, fields)).status, 303)
  assert.deepEqual(shop.rows('SELECT delivery_fee_minor AS fee FROM orders'), [{ fee: 400 }])
})

test('a postcode that is refused at checkout is corrected there, and nothing that the guest wrote is lost', async t => {
  const { shop } = await openPlace(t)
  const ana = guest(shop)
  await ana.fill(base, pizza, pizza)
  await ana.choose(base, { act: 'mode', mode: 'delivery' })
  await ana.choose(base, { act: 'postcode', postcode: '4050-123' })
  const known = { name: 'Ana', phone: '912 345 678', address: 'Rua 1', notes: 'Second floor' }
  const fields: Fields = { ...fieldsOf(await ana.get(`${base}/checkout`)), ...known }
  let last: Fields = {}
  for (const [postcode, reason] of [
    ['', /Enter the postcode/],
    ['1000-001', /no delivery to 1000-001/],
  ] as const) {
    const refused = await ana.place(base, { ...fields, postcode })
    assert.equal(refused.status, 422)
    assert.match(saidBy(refused), reason)
    assert.match(refused.text, /<label for="postcode">Postcode<\/label><input id="postcode"[^>]*required/)
    const corrected = { ...fieldsOf(refused), postcode: '4050 123' }
    for (const [name, text] of Object.entries(known)) assert.equal(fieldsOf(refused)[name], text)
    // Elsewhere it costs another fee, so the guest is asked once more.
    const asked = await ana.place(base, corrected)
    assert.match(saidBy(asked), /The price has changed\. It is €22\.00 now/)
    assert.equal(fieldsOf(asked).postcode, '4050 123')
    last = fieldsOf(asked)
  }
  const placed = await ana.place(base, last)
  assert.equal(placed.status, 303)
  assert.deepEqual(shop.rows('SELECT delivery_postcode AS code, customer_name AS name FROM orders'), [
    { code: '4050 123', name: 'Ana' },
  ])
})

test('a mode that was switched off is named, another one is chosen by the guest, and what they wrote stays', async t => {
  const { shop } = await openPlace(t)
  const ana = guest(shop)
  await ana.fill(base, pizza, pizza)
  await ana.choose(base, { act: 'mode', mode: 'delivery' })
  await ana.choose(base, { act: 'postcode', postcode: '4050' })
  const known = { name: 'Ana', phone: '912 345 678', address: 'Rua 1', notes: 'Second floor' }
  const form = await ana.get(`${base}/checkout`)
  assert.doesNotMatch(form.text, /call it out/, 'nobody calls a name out at a door')
  const fields = { ...fieldsOf(form), ...known }
  accepted(shop.store.guestSwitches.set(1 as LocationId, 'storefront', ['takeaway', 'dine_in']))

  const cart = await ana.get(`${base}/cart`)
  assert.match(saidBy(cart), /“Delivery” is no longer offered\. Please choose again\./)
  assert.doesNotMatch(cart.text, /aria-pressed="true"|\/checkout|class="grand"/, 'it is not another mode by itself')
  assert.equal((await ana.get(`${base}/checkout`)).location, `${base}/cart`)

  const gone = await ana.place(base, fields)
  assert.equal(gone.status, 422)
  assert.match(saidBy(gone), /Not ordered yet\. “Delivery” is no longer offered/)
  const asked = await ana.place(base, { ...fieldsOf(gone), mode: 'takeaway' })
  assert.match(saidBy(asked), /Not ordered yet\. Please check the new price/)
  const again = fieldsOf(asked)
  assert.deepEqual([again.name, again.notes, again.mode, again.shown], ['Ana', 'Second floor', 'takeaway', '20000'])
  assert.equal(countOrders(shop), 0)
  assert.equal((await ana.place(base, again)).status, 303)
  assert.deepEqual(shop.rows('SELECT mode, delivery_address AS address FROM orders'), [
    { mode: 'takeaway', address: null },
  ])
})

test('two tabs of a first visit make one order, and a dish that was added in one while the other ordered stays', async t => {
  const { shop } = await openPlace(t)
  const ana = guest(shop)
  await ana.post(`${base}/dish/1`, { quantity: '2' })
  const before = new Map(ana.cookies)
  const first: Fields = { ...fieldsOf(await ana.get(`${base}/checkout`)), name: 'Ana' }
  ana.cookies.clear()
  for (const [key, cookie] of before) ana.cookies.set(key, cookie)
  const second = fieldsOf(await ana.get(`${base}/checkout`))
  assert.equal(second.attempt, first.attempt)

  await ana.post(`${base}/dish/1`, { quantity: '1' })
  await ana.post(`${base}/dish/2`, { quantity: '1' })
  const placed = await ana.place(base, first)
  assert.equal(placed.status, 303)
  const left: { item_id: number; qty: number }[] = JSON.parse(fieldsOf(await ana.get(`${base}/checkout`)).lines ?? '')
  assert.deepEqual(
    left.map(({ item_id, qty }) => [item_id, qty]),
    [
      [1, 1],
      [2, 1],
    ],
  )
  assert.equal(countOrders(shop), 1)
})

test('two tabs that add the first dish at the same instant order it once', async t => {
  const { shop } = await openPlace(t)
  const ana = guest(shop)
  await ana.get(`${base}/dish/1`)
  const opened = new Map(ana.cookies)
  const forms: Fields[] = []
  for (const _tab of ['first', 'second']) {
    // Neither tab has the response of the other when it sends its form.
    ana.cookies.clear()
    for (const [key, cookie] of opened) ana.cookies.set(key, cookie)
    forms.push({ ...(await ana.fill(base, pizza)), name: 'Ana' })
  }
  const pages = await Promise.all(forms.map(form => ana.place(base, form)))
  assert.deepEqual(
    pages.map(({ status, location }) => [status, location]),
    [1, 2].map(() => [303, pages[0]?.location]),
  )
  assert.equal(countOrders(shop), 1)
})

test('forged options, dishes, quantities and tables are refused, and texts of any kind are kept as texts', async t => {
  const { shop, codes } = await openPlace(t)
  const ana = guest(shop)
  const fields = { ...(await ana.fill(base, pizza)), name: 'Ana' }
  for (const lines of [
    '[{"item_id":1,"qty":1,"modifiers":[{"modifier_id":9}]}]',
    '[{"item_id":99,"qty":1}]',
    '[{"item_id":4,"qty":1,"variation_id":77}]',
    '[{"item_id":1,"qty":5000}]',
    '[{"item_id":1,"qty":-1}]',
    '[]',
    'nonsense',
    '[1]',
  ]) {
    const { status } = await ana.place(base, { ...fields, lines })
    assert.ok(status === 422 || status === 400, `${lines}: ${status}`)
  }
  for (const [name, value] of [
    ['table', '2'],
    ['tableId', '2'],
    ['price', '0'],
    ['kind', 'qr'],
  ] as const) {
    assert.equal((await ana.place(base, { ...fields, [name]: value })).status, 400, name)
  }
  assert.equal((await ana.place(base, { ...fields, mode: 'qr' })).status, 400)
  assert.equal((await ana.place('/t/AAAAAAAAAA', fields)).status, 404)
  assert.equal(countOrders(shop), 0)
  const nasty = `<script>alert(1)</script>"'\u202e`
  const placed = await ana.place(base, { ...fields, name: nasty, notes: nasty })
  assert.equal(placed.status, 303)
  assert.deepEqual(shop.rows('SELECT customer_name AS name, notes FROM orders'), [{ name: nasty, notes: nasty }])
  assert.doesNotMatch((await ana.get(placed.location ?? '')).text, /<script>alert/)
  assert.equal(codes.size, 2)
})

test('from one table 20 orders come in 5 minutes, from one address 60, and the order limit of the API is another one', async t => {
  const { shop, codes, clock } = await openPlace(t, { stock: [] })
  const table = `/t/${codes.get('Terrace 1')}`
  const other = `/t/${codes.get('Terrace 2')}`
  const order = async (at: string) => {
    const one = guest(shop)
    return (await one.place(at, await one.fill(at, salad))).status
  }
  for (let n = 1; n <= 20; n++) assert.equal(await order(table), 303, String(n))
  const one = guest(shop)
  const refused = await one.place(table.toLowerCase(), await one.fill(table.toLowerCase(), salad))
  assert.equal(refused.status, 422)
  assert.match(saidBy(refused), /Many orders came from here/)
  assert.equal(await order(other), 303)
  assert.equal((await shop.order({ location_id: 1, items: [{ item_id: 2, qty: 1 }] })).status, 201)
  const first = guest(shop)
  const form = { ...(await first.fill(base, salad)), name: 'A' }
  for (let n = 1; n <= 60; n++) {
    assert.equal(
      (await first.place(base, { ...form, attempt: `attempt-of-this-number-${1000 + n}` })).status,
      303,
      String(n),
    )
  }
  assert.equal((await first.place(base, { ...form, attempt: 'attempt-of-this-number-2000' })).status, 422)
  assert.equal((await shop.order({ location_id: 1, items: [{ item_id: 2, qty: 1 }] })).status, 201)
  clock.pass(300_000)
  assert.equal(await order(table), 303)
})

test('a browser without cookies is told so, and nothing is ordered', async t => {
  const { shop } = await openPlace(t)
  const ana = guest(shop)
  const fields = { ...(await ana.fill(base, salad)), name: 'Ana' }
  ana.cookies.clear()
  const refused = await ana.place(base, fields)
  assert.equal(refused.status, 422)
  assert.match(saidBy(refused), /keeps no cookies/)
  assert.equal(countOrders(shop), 0)
})

test('the server dies between the press and its response: one order, and pressing again leads to it', {
  timeout: 120_000,
}, async t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, pizzeria())
  const store = openStore(file, { clock: systemClock, create: false, busyMs: 5000 })
  openToGuests({ store })
  t.after(store.close)
  let program = await startProgram(file)
  t.after(() => program.child.kill('SIGKILL'))
  const ana = guest({ url: `http://127.0.0.1:${program.port}` })
  const fields = { ...(await ana.fill(base, salad)), name: 'Ana' }
  const cookies = new Map(ana.cookies)
  for (let kill = 1; kill <= 3; kill++) {
    const sent = ana.place(base, fields).catch(() => undefined)
    // At some point on the way: before, during or after the commit.
    await new Promise(resolve => setTimeout(resolve, 4 * kill))
    await program.end('SIGKILL')
    await sent
    program = await startProgram(file, { environment: { PORT: '0' } })
    store.refresh()
    assert.ok(store.orderBook.last(5).length <= 1)
    const again = guest({ url: `http://127.0.0.1:${program.port}` })
    for (const [key, cookie] of cookies) again.cookies.set(key, cookie)
    const placed = await again.place(base, fields)
    assert.equal(placed.status, 303)
    assert.match(saidBy(await again.get(placed.location ?? '')), /Your number 1 /)
    assert.equal(store.orderBook.last(5).length, 1)
  }
  await program.end('SIGTERM')
})
