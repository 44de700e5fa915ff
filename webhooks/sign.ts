import { createHmac } from 'node:crypto'

/**
 * The two headers that sign a delivery (section 6): `webhook-signature` with one signature for each key, in their order,
 * over id, timestamp and body; and the legacy header by the first key, over the body alone. None without a key.
 */
export function signatureHeaders(
  keys: readonly Buffer[],
  delivery: { id: string; timestamp: number; body: Buffer },
): Record<string, string> {
  const [newest] = keys
  if (!newest) return {}
  const { id, timestamp, body } = delivery
  const signatures = keys.map(
    key => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`,
  )
  return {
    'webhook-signature': signatures.join(' '),
    'X-Restaurant-Signature': `sha256=${createHmac('sha256', newest).update(body).digest('hex')}`,
  }
}
