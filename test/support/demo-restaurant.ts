import { join } from 'node:path'
import { restaurant } from '../../examples/demo.ts'
import type { RestaurantFile } from '../../store/restaurant-file/restaurant-file.ts'
import type { Store } from '../../store/store.ts'
import { why } from './refusals.ts'
import { withStore } from './store.ts'

/** A restaurant's database file, and the token of its API. */
export interface Restaurant {
  file: string
  token: string
}

// In millionths of a piece or a kilogram: more than any test or benchmark uses.
const ON_HAND = 900_000 * 1_000_000

/** Makes a database file with the demo restaurant or another one that never refuses an order for lack of stock. */
export function demoRestaurant(file: string, described: RestaurantFile = restaurant()): Restaurant {
  return withStore(
    file,
    store => {
      store.importCatalogue(described)
      return { file, token: openForOrders(store) }
    },
    { create: true },
  )
}

/** Makes the demo restaurant's database file in a folder. */
export function restaurantIn(folder: string): Restaurant {
  return demoRestaurant(join(folder, 'friday.db'))
}

/** Switches the API on, with stock for every order and without an order limit, and returns a new token. */
export function openForOrders({ shelf, settings, token }: Store): string {
  for (const { id } of shelf.list()) {
    const refusal = shelf.change(id, 'set', ON_HAND, null)
    if (refusal) throw new Error(why(refusal))
  }
  settings.set('api.module_enabled', 'on')
  settings.set('api.enabled', 'on')
  settings.set('orders.limit', '1000000000')
  settings.set('orders.limit_window_s', '1')
  return token.generate()
}
