import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Location, type Menu, totalOf } from '../examples/total.ts'
import { instant, order, restaurant } from './support/arbitraries.ts'
import { beside } from './support/beside.ts'
import { heldClock } from './support/held-clock.ts'
import { holdsForAll } from './support/property.ts'
import { openShop } from './support/shop.ts'

/** A restaurant and orders there, each at an instant of its own. */
const evenings = restaurant().chain(shown =>
  fc.record({
    restaurant: fc.constant(shown),
    orders: fc.array(fc.tuple(instant(shown), order(shown)), { minLength: 30, maxLength: 30, size: 'max' }),
  }),
)

// PROPERTY_RUNS=400 makes it about 10,000 orders.
test('the total that a client calculates from the locations and the menu is what the order then costs', async t => {
  const clock = heldClock(0)
  const shop = await openShop(t, { clock, restaurant: null, settings: { 'orders.limit': '1000000000' } })
  const { importRestaurant } = beside(t, shop)
  const compared = { orders: 0, discounts: 0, charges: 0, fees: 0, severalRates: 0, discountsOverRates: 0 }

  await holdsForAll(evenings, 20, async ({ restaurant, orders }) => {
    importRestaurant(restaurant, 'every 86')
    const locations: (Location & { id: number })[] = (await shop.get('/locations')).body.data
    const menus = new Map<number, Menu>()
    for (const { id } of locations) menus.set(id, (await shop.get(`/locations/${id}/menu`)).body.data)

    for (const [at, sent] of orders) {
      clock.set(at)
      const body = JSON.parse(JSON.stringify(sent))
      const response = await shop.order(body)
      if (response.status !== 201) continue
      const { data } = response.body
      const location = locations.find(({ id }) => id === data.location_id)
      const menu = menus.get(data.location_id)
      assert.ok(location && menu)
      const { subtotal, discount_total, tax_total, service_charge, delivery_fee, grand_total, tax_lines } = data
      assert.deepEqual(
        totalOf(location, menu, body, new Date(at)),
        { subtotal, discount_total, tax_total, service_charge, delivery_fee, grand_total, tax_lines },
        JSON.stringify({ at, body }),
      )

      compared.orders += 1
      if (discount_total > 0) compared.discounts += 1
      if (service_charge > 0) compared.charges += 1
      if (delivery_fee > 0) compared.fees += 1
      if (tax_lines.length > 1) compared.severalRates += 1
      if (tax_lines.length > 1 && discount_total > 0) compared.discountsOverRates += 1
    }
  })
  t.diagnostic(JSON.stringify(compared))
  for (const [what, count] of Object.entries(compared)) assert.ok(count > 10, `${count} ${what}`)
})
