import { randomBytes } from 'node:crypto'
import type { Db } from '../file/open.ts'
import type { Noting } from '../people/activity.ts'
import type { Clock } from '../terms/clock.ts'
import { deliveryLog } from './delivery-log.ts'
import { endpoints } from './endpoints.ts'
import { outbox, type Targets } from './outbox.ts'
import { secrets } from './secrets.ts'

/** All that the file keeps of webhooks. `random` returns so many random bytes. */
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
      // The revision first: what changes meanwhile is then read once more than needed, and not once less.
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

    /** The endpoints that are told of events now. */
    active: () => current().targets.active,

    /** The keys that sign now, newest first. */
    keys: () => current().keys,

    /** Forgets what is in memory if the file has something else, because something in the file has changed. */
    reload(): void {
      if (loaded && selectRevision.get() !== loaded.revision) loaded = undefined
    },
  }
}
