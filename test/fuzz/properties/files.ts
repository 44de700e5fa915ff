import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Command, Outcome } from '../../../commands/command.ts'
import { checkRestaurant, exportRestaurant, importRestaurant } from '../../../commands/restaurant.ts'
import { readConfiguration } from '../../../configuration.ts'
import type { Finding } from '../../../store/terms/finding.ts'
import { expectedLocations, expectedMenu } from '../../support/independent-calculation.ts'
import { holdsForAll } from '../../support/property.ts'
import type { Shop } from '../../support/shop.ts'
import { api, getOf, postOf } from '../../support/wire.ts'
import { assertDescribed, assertPointsInto } from '../answers.ts'
import type { Furnished } from '../furnish.ts'
import { bodyOf, shown } from '../line.ts'
import { parsed } from '../order-requests.ts'
import { restaurantFiles } from '../restaurant-files.ts'
import { assertMixed, assertUntroubled, openFuzzed } from '../shop.ts'

/** How many things are ordered at a location. */
const MOST_ORDERS = 3

// The bounds of decision A8 on the options of a line.
const LARGEST_OPTION_QTY = 99
const MOST_OPTIONS = 50

/** Each file is refused with its problems and leaves the restaurant alone, or becomes one that holds what it shows. */
export async function files(t: TestContext): Promise<void> {
  const { shop, store, seen, caller } = await openFuzzed(t)
  const guest = caller()
  const { configuration } = readConfiguration({})
  async function run(command: Command, args: string[], input: Buffer = Buffer.alloc(0)): Promise<Outcome> {
    store.refresh()
    const call = { args, options: {}, configuration, clock: shop.clock, store: () => store, input: async () => input }
    return command.run(call)
  }
  const exported = async () => (await run(exportRestaurant, [])).text
  const count = { files: 0, accepted: 0, menus: 0, ordered: 0, beyond: 0 }

  const runs = await holdsForAll(restaurantFiles(6), 20, async files => {
    for (const bytes of files) {
      shop.execute('DELETE FROM unavailable')
      count.files++
      const before = { text: await exported(), version: seen.version() }
      const outcome = await run(importRestaurant, ['-'], bytes)
      if (outcome.code !== 0) {
        assertProblems(outcome, parsed(bytes)?.value)
        assert.equal(await exported(), before.text, shown(bytes))
        assert.equal(seen.version(), before.version, 'a refused file leaves the restaurant alone')
        continue
      }
      count.accepted++
      const written = await exported()
      const again = await run(importRestaurant, ['-'], Buffer.from(written))
      assert.equal(again.code, 0, `${again.text} in ${written}`)
      assert.equal(await exported(), written, 'an export that is imported again changes nothing')
      assert.equal((await run(checkRestaurant, [])).code, 0)
      await visit(parsed(bytes)?.value as Furnished)
    }
    assertUntroubled(shop)
  })

  /** Reads all that the restaurant shows, and orders some of it. */
  async function visit(file: Furnished): Promise<void> {
    const locations = (await get('/locations')) as { id: number }[]
    assert.deepEqual(locations, expectedLocations(file))
    for (const { id } of locations) {
      let menu = (await get(`/locations/${id}/menu`)) as Menu
      count.menus++
      if (isAmple(file)) assert.deepEqual(menu, expectedMenu(file, id))
      for (let nth = 0; nth < MOST_ORDERS; nth++) {
        const items = menu.categories.flatMap(category => category.items)
        const item = items[(count.files + nth * 5) % items.length]
        if (!item) break
        await orderOne(id, item)
        menu = (await get(`/locations/${id}/menu`)) as Menu
      }
    }
  }

  async function orderOne(location: number, item: MenuItem): Promise<void> {
    const ordered = orderOf(location, item)
    const answer = await guest.ask(postOf(shop, { body: JSON.stringify(ordered) }))
    assert.ok(answer)
    assertDescribed('POST', `${api}/orders`, answer)
    if (answer.status === 201) {
      seen.assertAsAnswered((bodyOf(answer) as { data: unknown }).data)
      count.ordered++
      return
    }
    const { errors } = bodyOf(answer) as { errors: { source: { pointer: string } }[] }
    const told = () => `${answer.bytes} to ${JSON.stringify(ordered)} of ${JSON.stringify(item)}`
    // Beyond the bounds of an order, or of what is left: the menu looks at a dish and its options one by one.
    switch (errors[0]?.source.pointer) {
      case '/items':
        assert.ok(isTooDear(item), told())
        break
      case '/items/0/modifiers':
        assert.ok(ordered.items[0].modifiers.length > MOST_OPTIONS, told())
        break
      case '/items/0':
        assert.ok(isShort(shop, ordered), told())
        break
      default:
        assert.fail(told())
    }
    count.beyond++
  }

  async function get(path: string): Promise<unknown> {
    const answer = await guest.ask(getOf(shop, `${api}${path}`), { method: 'GET' })
    assert.equal(answer?.status, 200)
    assertDescribed('GET', `${api}${path}`, answer)
    return (bodyOf(answer) as { data: unknown }).data
  }

  t.diagnostic(
    `${runs} restaurants, ${count.files} files: ${count.accepted} accepted, ${count.files - count.accepted} refused; ` +
      `${count.menus} menus read, ${count.ordered} orders placed, ${count.beyond} beyond what there is or may be`,
  )
  assertMixed(count.accepted, count.files)
}

/** Whether nothing runs out, so that the second calculation of test/support/independent-calculation.ts, which knows of no stock, holds. */
function isAmple({ locations = [] }: Partial<Furnished>): boolean {
  return locations.every(({ stock = [] }) => stock.every(({ on_hand }) => (on_hand ?? 0) >= 1_000_000))
}

/** Fails unless a refusal says what is wrong with a document, and where. */
function assertProblems({ json }: Outcome, document: unknown): void {
  const { problems } = json as { problems: Finding[] }
  assert.ok(problems.length > 0)
  for (const { pointer, message } of problems) {
    assert.ok(message.length > 3 && !/undefined|NaN|\[object/.test(message), message)
    assertPointsInto(document, pointer)
  }
}

interface Menu {
  categories: { items: MenuItem[] }[]
}
interface MenuItem {
  id: number
  price: number
  variations: { id: number; price: number }[]
  modifier_groups: { min_select: number; modifiers: { id: number; price: number; max_quantity: number | null }[] }[]
}

/** An order of one of an item, in its last size, with no more options than it needs: read off the menu alone. */
function orderOf(location: number, { id, variations, modifier_groups }: MenuItem): Ordered {
  const modifiers = modifier_groups.flatMap(({ min_select, modifiers }) => {
    let left = min_select
    return modifiers.flatMap(modifier => {
      const units = Math.min(left, modifier.max_quantity ?? left)
      left -= units
      const entries = Math.ceil(units / LARGEST_OPTION_QTY)
      return Array.from({ length: entries }, (_, nth) => ({
        modifier_id: modifier.id,
        qty: Math.min(LARGEST_OPTION_QTY, units - nth * LARGEST_OPTION_QTY),
      }))
    })
  })
  return {
    location_id: location,
    items: [{ item_id: id, qty: 1, variation_id: variations.at(-1)?.id ?? null, modifiers }],
  }
}

interface Ordered {
  location_id: number
  items: [{ item_id: number; qty: 1; variation_id: number | null; modifiers: { modifier_id: number; qty: number }[] }]
}

/** Whether a dish and the options that it needs together take more of something than there is. */
function isShort(shop: Shop, { location_id, items: [line] }: Ordered): boolean {
  const recipes = shop.rows(
    `SELECT stock_id, kind, target_id, qty_milli * 1000 AS qty, on_hand_micro AS on_hand
       FROM recipe_line JOIN stock_item ON stock_item.id = stock_id
      WHERE location_id = ? AND stock_item.position IS NOT NULL`,
    location_id,
  )
  const sized = recipes.some(({ kind, target_id }) => kind === 'variation' && target_id === line.variation_id)
  const unitsOf: Record<string, (id: unknown) => number> = {
    item: id => Number(id === line.item_id && !sized),
    variation: id => Number(id === line.variation_id),
    modifier: id =>
      line.modifiers.filter(({ modifier_id }) => modifier_id === id).reduce((sum, { qty }) => sum + qty, 0),
  }
  const left = new Map<unknown, number>()
  for (const { stock_id, kind, target_id, qty, on_hand } of recipes) {
    const taken = Number(qty) * (unitsOf[String(kind)]?.(target_id) ?? 0)
    left.set(stock_id, (left.get(stock_id) ?? Number(on_hand)) - taken)
  }
  return [...left.values()].some(amount => amount < 0)
}

/** Whether one of an item, with all that may be added to its price, may be more than the largest order (decision A8). */
function isTooDear({ price, variations, modifier_groups }: MenuItem): boolean {
  const options = modifier_groups.flatMap(({ min_select, modifiers }) =>
    modifiers.map(option => option.price * min_select),
  )
  const dearest = [price, ...variations.map(size => size.price)].reduce((a, b) => Math.max(a, b), 0)
  return options.reduce((a, b) => a + b, dearest) * 4 > 9_999_999
}
