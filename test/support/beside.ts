import type { TestContext } from 'node:test'
import { parseRestaurantFile } from '../../store/restaurant-file/restaurant-file.ts'
import { openStore, type Store } from '../../store/store.ts'
import type { Shop } from './shop.ts'

/** A second store on a running shop's file, as a maintenance command has: the server is not notified of its changes. */
export interface Beside extends Store {
  /** Imports a restaurant. Items that are 86'd stay off the menu, unless `lifts` is set. */
  importRestaurant(restaurant: unknown, lifts?: 'every 86'): void
}

/** Opens a shop's file a second time. Closed after the test. */
export function beside(t: TestContext, shop: Shop): Beside {
  const store = openStore(shop.file, { clock: shop.clock, create: false, busyMs: 5000 })
  t.after(store.close)
  return {
    ...store,
    importRestaurant(restaurant, lifts) {
      const { file, problems } = parseRestaurantFile(JSON.stringify(restaurant))
      if (problems.length > 0) throw new Error(JSON.stringify(problems, null, 1))
      if (lifts) shop.execute('DELETE FROM unavailable')
      store.importCatalogue(file)
    },
  }
}
