import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import test from 'node:test'
import type { MenuPart } from '../store/catalogue/availability.ts'
import { parseEdit } from '../store/ordering/edit-draft.ts'
import type { LocationId, ModifierId, VariationId } from '../store/terms/ids.ts'
import { servery } from './support/commands.ts'
import { heldClock } from './support/held-clock.ts'
import { type Answer, openShop, type Shop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const UNAVAILABLE = 'One of the items is no longer available.'
const OPTION = 'A selected option is not available.'

const size = (id: number): MenuPart => ({ kind: 'variation', id: id as VariationId })
const option = (id: number): MenuPart => ({ kind: 'modifier', id: id as ModifierId })
const here = 1 as LocationId

/** The small restaurant with a second branch, in Berlin. */
function twoBranches() {
  const two = smallRestaurant()
  two.locations.push({ ...two.locations[0], id: 2, code: 'TWO', title: 'Two', timezone: 'Europe/Berlin' } as never)
  return two
}

const orderOf = (item: number, more: object = {}, location = 1) => ({
  location_id: location,
  items: [{ item_id: item, qty: 1, ...more }],
})
const latte = (variation_id: number, location = 1) => orderOf(4, { variation_id }, location)
const burger = (modifier_id: number) => orderOf(2, { modifiers: [{ modifier_id }] })
const steak = (modifier_id: number) => orderOf(3, { modifiers: [{ modifier_id }] })

/** Each dish of a menu with the ids of its sizes and options. */
async function shape(shop: Shop, location = 1): Promise<Record<number, { sizes: number[]; options: number[] }>> {
  const { body } = await shop.get(`/locations/${location}/menu`)
  const ids = (parts: { id: number }[]) => parts.map(({ id }) => id)
  const items = body.data.categories.flatMap((category: { items: unknown[] }) => category.items)
  return Object.fromEntries(
    items.map(
      (item: { id: number; variations: { id: number }[]; modifier_groups: { modifiers: { id: number }[] }[] }) => [
        item.id,
        { sizes: ids(item.variations), options: item.modifier_groups.flatMap(({ modifiers }) => ids(modifiers)) },
      ],
    ),
  )
}

function faultsOf({ status, body, text }: Answer): [title: string, pointer: string][] {
  assert.equal(status, 400, text)
  return body.errors.map((error: { title: string; source: { pointer: string } }) => [error.title, error.source.pointer])
}

test('a size that is 86d is absent and refused, and the last one takes its dish along (decision D9)', async t => {
  const shop = await openShop(t, { restaurant: twoBranches() })
  const before = await shop.get('/locations/1/menu')

  assert.equal(shop.store.availability.off(size(2), here, null), undefined)
  assert.deepEqual((await shape(shop))[4], { sizes: [1], options: [] })
  assert.deepEqual((await shape(shop, 2))[4], { sizes: [1, 2], options: [] })
  assert.notEqual((await shop.get('/locations/1/menu')).headers.get('etag'), before.headers.get('etag'))
  assert.deepEqual(faultsOf(await shop.order(latte(2))), [[UNAVAILABLE, '/items/0/variation_id']])
  assert.equal((await shop.order(latte(1))).status, 201)
  assert.equal((await shop.order(latte(2, 2))).status, 201)

  shop.store.availability.off(size(1), null, null)
  assert.deepEqual([(await shape(shop))[4], (await shape(shop, 2))[4]], [undefined, { sizes: [2], options: [] }])
  assert.deepEqual(faultsOf(await shop.order(orderOf(4))), [[UNAVAILABLE, '/items/0/item_id']])

  shop.store.availability.on(size(1), null)
  shop.store.availability.on(size(2), here)
  assert.equal((await shop.get('/locations/1/menu')).headers.get('etag'), before.headers.get('etag'))
})

test('an option that is 86d is absent and refused, and takes along a dish that cannot do without (decision D9)', async t => {
  const shop = await openShop(t)
  const { availability } = shop.store
  availability.off(option(2), null, null)
  assert.deepEqual((await shape(shop))[2]?.options, [1])
  assert.deepEqual(faultsOf(await shop.order(burger(2))), [[OPTION, '/items/0/modifiers/0/modifier_id']])
  assert.equal((await shop.order(burger(1))).status, 201)

  availability.off(option(1), null, null)
  assert.deepEqual((await shape(shop))[2], { sizes: [], options: [] }, 'a burger needs no extras')
  availability.off(option(3), null, null)
  assert.deepEqual((await shape(shop))[3]?.options, [4])
  assert.equal((await shop.order(steak(4))).status, 201)
  availability.off(option(4), null, null)
  assert.equal((await shape(shop))[3], undefined, 'a steak needs a side')
  assert.deepEqual(faultsOf(await shop.order(steak(4))), [[UNAVAILABLE, '/items/0/item_id']])
})

test('a size and an option come back by themselves at their minute (decision D9)', async t => {
  const clock = heldClock('2026-11-20T18:00:00Z')
  const shop = await openShop(t, { clock })
  const whole = await shape(shop)
  shop.store.availability.off(size(2), null, Date.parse('2026-11-20T19:00Z'))
  shop.store.availability.off(option(3), here, Date.parse('2026-11-20T20:00Z'))
  clock.set('2026-11-20T18:59:59.999Z')
  assert.deepEqual(faultsOf(await shop.order(latte(2))), [[UNAVAILABLE, '/items/0/variation_id']])
  clock.set('2026-11-20T19:00:00Z')
  assert.equal((await shop.order(latte(2))).status, 201)
  assert.deepEqual(faultsOf(await shop.order(steak(3)))[0], [OPTION, '/items/0/modifiers/0/modifier_id'])
  clock.set('2026-11-20T20:00:00Z')
  assert.equal((await shop.order(steak(3))).status, 201)
  assert.deepEqual(await shape(shop), whole)
})

test('a line with an 86d size cannot be added to an order that took its stock', async t => {
  const shop = await openShop(t)
  await shop.order(orderOf(1))
  shop.store.availability.off(size(2), null, null)
  const { edit, orderBook } = shop.store
  const order = orderBook.byId(1)
  assert.ok(order)
  const { edit: wanted } = parseEdit(JSON.stringify({ add: latte(2).items }))
  const result = edit(order.id, wanted)
  assert.deepEqual(result, { refused: 'faults', faults: [{ title: UNAVAILABLE, pointer: '/add/0/variation_id' }] })
})

test('availability takes sizes and options by their names or ids, and lists since when they are off and who did it', async t => {
  const shop = await openShop(t)
  const off = (what: string) => servery(shop.file, ['availability', 'all', what, 'off'])
  assert.match((await off('large')).stdout, /^Size 2 is off everywhere\./)
  assert.match((await off('Latte (Small)')).stdout, /^Size 1 is off everywhere\./)
  assert.match((await off('cheese')).stdout, /^Option 2 is off everywhere\./)
  assert.match((await off('option:3')).stdout, /^Option 3 is off everywhere\./)
  assert.match((await off('size:9')).stderr, /There is no item "size:9"/)
  const several = await off('a')
  assert.equal(several.code, 1)
  assert.match(several.stderr, /size:1 \(Small, Latte\)/)
  assert.match(several.stderr, /option:4 \(Salad, Side\)/)

  const listed = JSON.parse((await servery(shop.file, ['availability', '--json'])).stdout)
  assert.deepEqual(
    listed.map(({ item_id, variation_id, modifier_id, title, of, by }: Record<string, unknown>) => ({
      ids: [item_id, variation_id, modifier_id],
      title,
      of,
      by,
    })),
    [
      { ids: [null, null, 2], title: 'Cheese', of: 'Extras', by: userInfo().username },
      { ids: [null, null, 3], title: 'Fries', of: 'Side', by: userInfo().username },
      { ids: [4, 1, null], title: 'Small', of: 'Latte', by: userInfo().username },
      { ids: [4, 2, null], title: 'Large', of: 'Latte', by: userInfo().username },
    ],
  )
  const DAY = 86_400_000
  const twoDaysAgo = new Date(Date.now() - 2 * DAY)
  shop.execute(`UPDATE unavailable SET since_at = ${twoDaysAgo.getTime()} WHERE kind = 'variation' AND target_id = 1;
    UPDATE unavailable SET since_at = 0 WHERE kind = 'variation' AND target_id = 2`)
  const { stdout } = await servery(shop.file, ['availability'])
  const weekday = twoDaysAgo.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })
  assert.match(
    stdout,
    new RegExp(`^all +size:1 +Small +of Latte +since ${weekday} +by ${userInfo().username} +until it`, 'm'),
  )
  assert.match(stdout, /^all +size:2 +Large +of Latte +since 1970-01-01 /m)
  assert.match(stdout, /^all +option:2 +Cheese +of Extras +since (\d\d:\d\d|[A-Z][a-z]+day) /m)
  assert.match((await servery(shop.file, ['availability', 'all', 'large', 'on'])).stdout, /^Size 2 is on everywhere\./)
})

test('an 86 of a size or an option that does not exist is refused', async t => {
  const { store } = await openShop(t)
  assert.deepEqual(store.availability.off(size(99), null, null), { refused: 'unknown size', size: 99 })
  assert.deepEqual(store.availability.on(option(99), here), { refused: 'unknown option', option: 99 })
})
