import assert from 'node:assert/strict'
import test from 'node:test'
import { restaurant } from '../examples/demo.ts'
import { type Random, random } from '../examples/practice/random.ts'
import type { Item, Menu } from '../store/catalogue/catalogue.ts'
import { writeRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import type { LocationId } from '../store/terms/ids.ts'
import { type Fields, fieldsOf, guest, openToGuests, saidBy } from './support/guest.ts'
import { heldClock } from './support/held-clock.ts'
import { expectedOrder, type RestaurantFile } from './support/independent-calculation.ts'
import { openShop } from './support/shop.ts'

const CARTS = Number(process.env.PROPERTY_RUNS ?? 60)
const WEEK = 7 * 86_400_000

/** A dish with a size, a quantity and options, as its form sends them. */
function chosen(item: Item, by: Random): Fields {
  const size = item.variations[by.between(0, Math.max(0, item.variations.length - 1))]
  const options = item.groups.flatMap(({ id, selectionType, minSelect, maxSelect, modifiers }): [string, string][] => {
    const most = Math.min(modifiers.length, selectionType === 'single' ? 1 : maxSelect || modifiers.length)
    const count = by.between(minSelect, Math.max(minSelect, most))
    const first = by.between(0, modifiers.length - 1)
    const picked = [...modifiers, ...modifiers].slice(first, first + count)
    return picked.map(each => (selectionType === 'single' ? [`one-${id}`, String(each.id)] : [`some-${each.id}`, '1']))
  })
  return { quantity: String(by.between(1, 4)), ...(size && { size: String(size.id) }), ...Object.fromEntries(options) }
}

test('the total on the page, that of the order and that of an independent calculation agree for random carts', async t => {
  const file = writeRestaurantFile(restaurant()) as unknown as RestaurantFile
  // A Saturday evening, with everything that the demo has at that time.
  const saturday = Date.parse('2026-11-21T20:00:00Z')
  const clock = heldClock(saturday)
  const shop = await openShop(t, { restaurant: file, clock })
  openToGuests(shop)
  const { menu } = shop.store.catalogue.current()
  const { items, location } = menu(1 as LocationId) as Menu
  const by = random('carts of guests')
  const postcodes = location.deliveryZones.flatMap(zone => zone.postcodes)
  const modes = new Set<string>()
  let orders = 0
  for (let carts = 0; orders < CARTS; carts++) {
    assert.ok(carts < 2 * CARTS, 'most carts can be ordered')
    // Before it closes, the next Saturday comes.
    if (carts % 1000 === 0) clock.set(saturday + (carts / 1000) * WEEK)
    clock.pass(10_000)
    const phone = guest(shop)
    const base = '/order/1'
    for (let lines = by.between(1, 4); lines > 0; lines--) {
      const item = by.pick([...items.values()] as [Item])
      const added = await phone.post(`${base}/dish/${item.id}`, chosen(item, by))
      // What is left of a dish may be less.
      assert.ok(added.status === 303 || added.status === 422, added.text)
    }
    const mode = by.pick(['takeaway', 'delivery', 'dine_in'])
    await phone.choose(base, { act: 'mode', mode })
    if (mode === 'delivery' && postcodes.length > 0)
      await phone.choose(base, { act: 'postcode', postcode: by.pick(postcodes as [string]) })
    const checkout = await phone.get(`${base}/checkout`)
    if (checkout.status !== 200 || !checkout.text.includes('name="attempt"')) continue
    const known = { name: 'Ana', phone: '912345678', address: 'Rua 1' }
    const fields = fieldsOf(checkout)
    const needed = Object.fromEntries(Object.entries(known).filter(([name]) => name in fields))
    const placed = await phone.place(base, { ...fields, ...needed })
    if (placed.status !== 303) {
      assert.match(saidBy(placed), /Deliveries there start at|can no longer be ordered/)
      continue
    }
    const [order] = shop.store.orderBook.last(1)
    assert.ok(order)
    modes.add(mode)
    const body = {
      location_id: 1,
      service_mode: mode,
      items: order.lines.map(({ itemId, variationId, qtyMilli, modifiers }) => ({
        item_id: itemId,
        variation_id: variationId,
        qty: qtyMilli / 1000,
        modifiers: modifiers.map(({ id, qty }) => ({ modifier_id: id, qty })),
      })),
    }
    const zone = location.deliveryZones.find(each => each.postcodes.includes(order.deliveryPostcode ?? ''))
    const inZone = structuredClone(file)
    // The API has no addresses: the fee of a zone is that of the location for the calculation.
    if (zone) Object.assign(inZone.locations?.[0] ?? {}, { delivery_fee: zone.fee / 10 ** location.exponent })
    const expected = expectedOrder(inZone, body, order.placedAt)
    assert.equal(expected.status, 201)
    if (expected.status !== 201) return
    const total = Math.round(expected.order.grand_total * 10 ** location.exponent)
    assert.deepEqual([Number(fields.shown) / 10, order.grandTotal], [total, total], JSON.stringify(body))
    // What the guest read is the same amount.
    const text = `€${(total / 100).toFixed(2)}`
    assert.ok(saidBy(checkout).includes(text), text)
    assert.ok(saidBy(await phone.get(placed.location ?? '')).includes(text), text)
    orders++
  }
  assert.equal(modes.size, 3)
  assert.deepEqual(shop.store.audit.all(), [])
  t.diagnostic(`${orders} carts were ordered and compared`)
})
