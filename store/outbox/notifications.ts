import { randomBytes } from 'node:crypto'
import type { Db } from '../file/open.ts'
import type { Noting } from '../people/activity.ts'
import type { Clock } from '../terms/clock.ts'
import { deliveryLog } from './delivery-log.ts'
import { endpoints } from './endpoints.ts'
import { outbox, type Targets } from './outbox.ts'
import { secrets } from './secrets.ts'

/** Everything that the file keeps about webhooks. `random` returns the given number of random bytes. */
export function webhooks(db: Db, clock: Clock, noting: Noting, random: (bytes: number) => Buffer = randomBytes) {
  const selectRevision = db.prepare<[], number>('SELECT webhooks FROM revision').pluck()
  const advance = db.prepare('UPDATE revision SET webhooks = webhooks + 1')
  let loaded: { revision: number; targets: Targets; keys: Buffer[] } | undefined

  function markChanged(): void {
    advance.run()
    loaded = undefined
  }

  const parts = {
    endpoints: endpoints(db, clock, markChanged, noting),
    secrets: secrets(db, clock, markChanged, noting),
    log: deliveryLog(db, clock),
  }

  function current() {
    if (!loaded) {
      // The revision first: a change in between then causes one unnecessary read instead of a missed one.
      const revision = selectRevision.get() ?? 0
      const keys = parts.secrets.keys()
      const all = parts.endpoints.list()
      loaded = {
        revision,
        keys,
        targets: {
          active: all.filter(({ paused }) => !paused),
          paused: all.filter(({ paused }) => paused),
          selection: new Set(parts.endpoints.selection()),
          signatures: keys.length,
        },
      }
    }
    return loaded
  }

  return {
    ...parts,
    outbox: outbox(db, clock, () => current().targets, random),

    /** The endpoints that receive events now. */
    active: () => current().targets.active,

    /** The keys that sign now, newest first. */
    keys: () => current().keys,

    /** Called when the file has changed: drops what is in memory if it is no longer current. */
    reload(): void {
      if (loaded && selectRevision.get() !== loaded.revision) loaded = undefined
    },
  }
}
