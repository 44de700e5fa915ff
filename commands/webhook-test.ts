import { endingText, schemesOf } from '../display/delivery.ts'
import { deliverer } from '../webhooks/deliver.ts'
import { deliveryOf } from '../webhooks/message.ts'
import { type CommandCall, type Outcome, refused } from './command.ts'
import { endpointNamed } from './names.ts'

/**
 * `webhooks test ID`: makes one attempt with an event that is marked as a test, by the same code as any other, and shows the
 * request and the response. The attempt is in the delivery log, but not among the lost events.
 */
export async function test(call: CommandCall): Promise<Outcome> {
  const { webhooks } = call.store()
  const endpoint = endpointNamed(call.store(), call.args[0] ?? '')
  if (typeof endpoint === 'string') return refused(endpoint)

  const attempt = webhooks.outbox.startTest(endpoint)
  const keys = webhooks.keys()
  const delivery = deliveryOf(attempt, keys)
  const deliver = deliverer({ allowed: call.configuration.webhookNetworks, elapsed: call.clock.elapsed })
  const ending = await deliver(delivery)
  const { headers } = ending
  webhooks.outbox.end(attempt.id, ending)

  const { pathname, search } = new URL(delivery.url)
  const sent = [
    `POST ${pathname}${search} HTTP/1.1`,
    ...Object.entries(delivery.headers).map(([header, value]) => `${header}: ${value}`),
    '',
    delivery.body.toString('utf8'),
  ]
  const response = [
    ending.status === null ? [] : [`HTTP ${ending.status}`],
    headers.flatMap((header, index) => (index % 2 === 0 ? [`${header}: ${headers[index + 1]}`] : [])),
    ending.response.length === 0 ? [] : ['', ending.response.toString('utf8')],
  ].flat()
  const end = ending.received ? 'Received' : 'LOST'
  const text = [
    'Sent:',
    ...indented(sent),
    response.length === 0 ? 'No response.' : 'Response:',
    ...indented(response),
    `${end}: ${endingText(ending)} after ${ending.tookMs} ms.`,
  ].join('\n')
  const json = {
    delivery_id: attempt.deliveryId,
    received: ending.received,
    status: ending.status,
    reason: ending.reason,
    ms: ending.tookMs,
    signed: keys.length > 0,
    schemes: schemesOf(keys.length),
    sent: { url: delivery.url, headers: delivery.headers, body: delivery.body.toString('utf8') },
    answer: { headers: pairs(headers), body: ending.response.toString('utf8') },
  }
  return { code: ending.received ? 0 : 1, text, json }
}

// The response of another server must not control the terminal.
function indented(lines: string[]): string[] {
  return lines
    .flatMap(line => line.split(/\r?\n/))
    .map(line => `  ${line.replace(/[^\P{Cc}\t]/gu, '\uFFFD')}`.trimEnd())
}

function pairs(headers: string[]): string[][] {
  return headers.flatMap((header, index) => (index % 2 === 0 ? [[header, headers[index + 1] ?? '']] : []))
}
