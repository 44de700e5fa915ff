import { orderNumber } from '../../display/order.ts'
import { parseDraft } from '../../store/ordering/draft.ts'
import { faultTitles } from '../../store/terms/faults.ts'
import { isRefused } from '../../store/terms/refusal.ts'
import { bucketOf, callerAddress } from '../http/address.ts'
import { isAnnouncedAs, parseJson, readBody } from '../http/body.ts'
import type { App, Handler } from '../http/handler.ts'
import { type Exchange, type Reply, refuse } from '../http/reply.ts'

/**
 * POST /v1/restaurant/orders: creates an order (section 4.3). The checks are made in the order of decision A1. The
 * response is sent once the order is safely on disk.
 */
export const createOrder: Handler = (app, { exchange, head }) => {
  const bucket = bucketOf(callerAddress(exchange.request, app.trustedProxies))
  const wait = app.orderLimit.secondsToWait(bucket)
  // At once, not later: such a response ends the connection, and no request behind it may be begun.
  if (wait > 0) return refuseForNow(wait)
  if (!isAnnouncedAs('application/json', exchange, head)) return refuse('UNSUPPORTED_MEDIA_TYPE')
  return placeOrder(app, exchange, bucket)
}

async function placeOrder(
  { clock, writer, orderLimit, log }: App,
  exchange: Exchange,
  bucket: string,
): Promise<Reply | undefined> {
  const body = await readBody(exchange)
  if (!body.ok) return body.reason === 'too large' ? refuse('PAYLOAD_TOO_LARGE') : undefined

  const json = parseJson(body.bytes)
  if (!json) return { kind: 'faults', faults: [{ title: faultTitles.invalidJson, pointer: null }] }
  const draft = parseDraft(json.value)
  if (isRefused(draft)) return { kind: 'faults', faults: draft.faults }

  const placed = await writer.place({ draft, source: 'api', bucket }, exchange.response)
  if (!isRefused(placed)) {
    const { id, number, locationId } = placed
    log.info('order placed', { request: exchange.id, order: id, number: orderNumber(number), location: locationId })
    return { kind: 'json text', status: 201, text: `{"data":${placed.json}}` }
  }
  switch (placed.refused) {
    case 'unknown location':
      return refuse('UNKNOWN_LOCATION')
    case 'takes no orders': {
      const { why, until } = placed
      const faults = [{ title: faultTitles[why], pointer: '/location_id' }]
      return { kind: 'faults', faults, headers: until === null ? [] : retryAfter((until - clock.now()) / 1000) }
    }
    case 'order limit':
      return refuseForNow(orderLimit.secondsToWait(bucket))
    case 'faults':
      return { kind: 'faults', faults: placed.faults }
    case 'text':
    case 'attempt used':
    case 'other total':
    case 'unknown table':
    case 'wanted time':
    case 'not delivered there':
    case 'below minimum':
    case 'invalid percent':
    case 'invalid amount':
    case 'not offered':
    case 'detail missing':
      throw new Error(`an order of the API was refused for details that it cannot have: ${placed.refused}`)
    default:
      return placed satisfies never
  }
}

/** 429 says when to come back (decision A6). */
function refuseForNow(seconds: number): Reply {
  return refuse('RATE_LIMITED', retryAfter(seconds))
}

function retryAfter(seconds: number): string[] {
  return ['Retry-After', String(Math.max(1, Math.ceil(seconds)))]
}
