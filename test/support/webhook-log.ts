import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { isRefused } from '../../store/terms/refusal.ts'
import { authority, type Got } from './receivers.ts'
import { why } from './refusals.ts'
import { withStore } from './store.ts'

// Compares the delivery log of a file with the deliveries that a receiver got.

/** Adds an endpoint to a file, as the command does. */
export function addEndpoint(file: string, url: string): void {
  const added = withStore(file, ({ webhooks }) => webhooks.endpoints.add(url))
  if (isRefused(added)) throw new Error(why(added))
}

/** The environment that lets a server deliver to the tests' receivers. The certificate of their authority is written into `folder`. */
export function environmentForReceivers(folder: string): Record<string, string> {
  const certificates = join(folder, 'authority.pem')
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

/** Whether no attempt is pending or in progress. */
export function areEnded(file: string): boolean {
  return attemptsIn(file).every(({ state }) => state === 'received' || state === 'lost')
}

/** The id of every delivery that a receiver got. */
export function idsOf(got: Got[]): string[] {
  return got.map(({ headers }) => String(headers['webhook-id']))
}

/**
 * The contradictions between a receiver and the file, a sentence each: events that came twice, that came although they are
 * pending in the file or not in it, and that did not come although the file says so.
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
