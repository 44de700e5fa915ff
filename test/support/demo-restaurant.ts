import { join } from 'node:path'
import { restaurant } from '../../examples/demo.ts'
import { openStore } from '../../store/store.ts'
import { systemClock } from '../../store/terms/clock.ts'

export interface Restaurant {
  file: string
  token: string
}

// In millionths of a piece or a kilogram: nothing runs out before the night is over.
const ON_HAND = 900_000 * 1_000_000

/** Makes the restaurant's file in a folder. An address may place as many orders as it likes. */
export function restaurantIn(folder: string): Restaurant {
  const file = join(folder, 'friday.db')
  const store = openStore(file, { clock: systemClock, create: true, busyMs: 5000 })
  try {
    store.importCatalogue(restaurant())
    for (const { id } of store.shelf.list()) store.shelf.change(id, 'set', ON_HAND, null)
    store.settings.set('api.module_enabled', 'on')
    store.settings.set('api.enabled', 'on')
    store.settings.set('orders.limit', '1000000000')
    store.settings.set('orders.limit_window_s', '1')
    return { file, token: store.token.generate() }
  } finally {
    store.close()
  }
}
