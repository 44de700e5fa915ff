import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { refusalText } from '../../display/refusal.ts'
import { openStore } from '../../store/store.ts'
import { systemClock } from '../../store/terms/clock.ts'
import { isRefused } from '../../store/terms/refusal.ts'
import { temporaryFolder } from './folders.ts'
import { authority, type Got } from './receivers.ts'

// Whether what a file says of its webhooks is what a receiver saw of them.

/** Adds an endpoint to a file, as the command does. */
export function addEndpoint(file: string, url: string): void {
  const store = openStore(file, { clock: systemClock, create: false, busyMs: 5000 })
  try {
    const added = store.webhooks.endpoints.add(url)
    if (isRefused(added)) throw new Error(refusalText(added))
  } finally {
    store.close()
  }
}

/** What a server needs in its environment to tell the tests' receivers anything. */
export function environmentForReceivers(t: TestContext): Record<string, string> {
  const certificates = join(temporaryFolder(t), 'authority.pem')
  writeFileSync(certificates, authority.cert)
  return { NODE_EXTRA_CA_CERTS: certificates, WEBHOOK_ALLOW_NETWORKS: '127.0.0.1/32' }
}

export interface Attempt {
  delivery: string
  orderId: number
  state: 'pending' | 'started' | 'received' | 'lost'
  reason: string | null
}

/** Every attempt in a file, the oldest first. */
export function attemptsIn(file: string): Attempt[] {
  const db = new Database(file, { readonly: true })
  try {
    return db
      .prepare<[], Attempt>(
        `SELECT delivery_id AS delivery, order_id AS orderId, state, reason
           FROM webhook_attempt JOIN webhook_event ON webhook_event.id = event_id ORDER BY webhook_attempt.id`,
      )
      .all()
  } finally {
    db.close()
  }
}

/** Whether no attempt is still to be made or under way. */
export function areEnded(file: string): boolean {
  return attemptsIn(file).every(({ state }) => state === 'received' || state === 'lost')
}

/** The ids of the events that a receiver got, one for each time. */
export function idsOf(got: Got[]): string[] {
  return got.map(({ headers }) => String(headers['webhook-id']))
}

/**
 * What a file says that a receiver knows better, a sentence each: events that came twice, that came although the file still
 * has them waiting, and that did not come although the file says so. Events of orders that are not in the file, too.
 */
export function doubtsOf(file: string, got: Got[]): string[] {
  const attempts = new Map(attemptsIn(file).map(attempt => [attempt.delivery, attempt]))
  const times = new Map<string, number>()
  for (const id of idsOf(got)) times.set(id, (times.get(id) ?? 0) + 1)
  return [
    ...[...times].flatMap(([id, count]) => {
      const attempt = attempts.get(id)
      if (!attempt) return [`${id} was received, and is not in the file`]
      if (count > 1) return [`${id} was received ${count} times`]
      return attempt.state === 'pending' ? [`${id} was received, and waits in the file`] : []
    }),
    ...[...attempts.values()]
      .filter(({ delivery, state }) => state === 'received' && !times.has(delivery))
      .map(({ delivery }) => `${delivery} was never received, though the file says so`),
  ]
}
