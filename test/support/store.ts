import { openStore, type Store } from '../../store/store.ts'
import { type Clock, systemClock } from '../../store/terms/clock.ts'

/** Opens the store of a file, as a maintenance command does, and closes it after `use`. */
export function withStore<T>(
  file: string,
  use: (store: Store) => T,
  { create = false, clock = systemClock }: { create?: boolean; clock?: Clock } = {},
): T {
  const store = openStore(file, { clock, create, busyMs: 5000 })
  try {
    return use(store)
  } finally {
    store.close()
  }
}
