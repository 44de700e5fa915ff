import type { Attempt } from '../store/outbox/outbox.ts'
import type { Delivery } from './deliver.ts'
import { bodyOf, timestampOf } from './event.ts'
import { signatureHeaders } from './sign.ts'

/** What an attempt sends: the headers and body of section 6, signed with every key. */
export function deliveryOf(attempt: Attempt, keys: readonly Buffer[]): Delivery {
  const { url, deliveryId: id } = attempt
  const timestamp = timestampOf(attempt)
  const body = bodyOf(attempt)
  return {
    url,
    body,
    headers: {
      Host: new URL(url).host,
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
      'User-Agent': 'Servery',
      Connection: 'close',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      ...signatureHeaders(keys, { id, timestamp, body }),
    },
  }
}
