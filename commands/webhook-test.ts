import { endingText, schemesOf } from '../display/delivery.ts'
import { type EndpointId, parseId } from '../store/terms/ids.ts'
import { deliverer } from '../webhooks/deliver.ts'
import { deliveryOf } from '../webhooks/message.ts'
import { type CommandCall, type Outcome, positive, refused } from './command.ts'

/**
 * `webhooks test ID`: makes one attempt with an event that says it is a test, by the same path as any other, and shows
 * what was sent and what came back. It stands in the log, but not among the lost events.
 */
export async function test(call: CommandCall): Promise<Outcome | undefined> {
  const [name, ...rest] = call.args
  const id = parseId<EndpointId>(positive(name))
  if (id === undefined || rest.length > 0) return undefined
  const { webhooks } = call.store()
  const endpoint = webhooks.endpoints.byId(id)
  if (!endpoint) return refused(`There is no endpoint ${id}. See: webhooks endpoints`)

  const attempt = webhooks.outbox.startTest(endpoint)
  const keys = webhooks.keys()
  const delivery = deliveryOf(attempt, keys)
  const deliver = deliverer({ allowed: call.configuration.webhookNetworks, elapsed: call.clock.elapsed })
  const { headers, ...ending } = await deliver(delivery)
  webhooks.outbox.end(attempt.id, ending)

  const { pathname, search } = new URL(delivery.url)
  const sent = [
    `POST ${pathname}${search} HTTP/1.1`,
    ...Object.entries(delivery.headers).map(([header, value]) => `${header}: ${value}`),
    '',
    delivery.body.toString('utf8'),
  ]
  const came = [
    ending.status === null ? [] : [`HTTP ${ending.status}`],
    headers.flatMap((header, index) => (index % 2 === 0 ? [`${header}: ${headers[index + 1]}`] : [])),
    ending.response.length === 0 ? [] : ['', ending.response.toString('utf8')],
  ].flat()
  const end = ending.received ? 'Received' : 'LOST'
  const text = [
    'Sent:',
    ...indented(sent),
    came.length === 0 ? 'Nothing came back.' : 'Came back:',
    ...indented(came),
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
  return { ok: ending.received, text, json }
}

// What a stranger's server answers must not steer the terminal that shows it.
function indented(lines: string[]): string[] {
  return lines
    .flatMap(line => line.split(/\r?\n/))
    .map(line => `  ${line.replace(/[^\P{Cc}\t]/gu, '\uFFFD')}`.trimEnd())
}

function pairs(headers: string[]): string[][] {
  return headers.flatMap((header, index) => (index % 2 === 0 ? [[header, headers[index + 1] ?? '']] : []))
}
