import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { orderJson } from '../../display/order.ts'
import { parseJson } from '../../routes/http/body.ts'
import type { Menu } from '../../store/catalogue/catalogue.ts'
import { noDetails } from '../../store/ordering/details.ts'
import { parseDraft } from '../../store/ordering/draft.ts'
import type { Order } from '../../store/ordering/order.ts'
import { priceOrder } from '../../store/ordering/pricing.ts'
import { openStore } from '../../store/store.ts'
import { businessDate, systemClock, timeZone } from '../../store/terms/clock.ts'
import type { OrderId, OrderLineId } from '../../store/terms/ids.ts'
import { isRefused } from '../../store/terms/refusal.ts'
import { answerStarter } from '../child.ts'

// Reads and prices orders and builds responses with Servery's functions, but checks no token, logs nothing and stores nothing.
const { file } = JSON.parse(process.argv[2] ?? '') as { file: string }
const store = openStore(file, { clock: systemClock, create: false, busyMs: 5000 })
const catalogue = store.catalogue.current()
const menus = new Map(catalogue.locations.map(({ id }) => [id, catalogue.menu(id) as Menu]))
const { timezone } = store.settings.current()
store.close()
let last = 0

function answerTo(bytes: Buffer): Buffer {
  const draft = parseDraft(parseJson(bytes)?.value)
  if (isRefused(draft)) throw new Error(JSON.stringify(draft.faults))
  const menu = menus.get(draft.locationId) as Menu
  const placedAt = systemClock.now()
  const wall = timeZone(menu.location.timezone).at(placedAt)
  const priced = priceOrder(draft, menu, wall)
  if (isRefused(priced)) throw new Error(JSON.stringify(priced.faults))
  const { location, promotion, lines } = priced
  const id = ++last
  const order: Order = {
    id: id as OrderId,
    number: id % 1_000_000,
    locationId: location.id,
    source: 'api',
    channel: draft.channel,
    serviceMode: draft.serviceMode,
    mode: priced.mode,
    status: 'placed',
    fulfillmentStatus: null,
    currency: location.currency,
    exponent: location.exponent,
    subtotal: priced.subtotal,
    discountTotal: priced.discountTotal,
    serviceCharge: priced.serviceCharge,
    deliveryFee: priced.deliveryFee,
    taxTotal: priced.taxTotal,
    grandTotal: priced.grandTotal,
    taxPpm: location.taxPpm,
    taxLines: priced.taxLines,
    pricesIncludeTax: location.pricesIncludeTax,
    serviceChargePpm: location.serviceChargePpm,
    serviceChargeTaxable: location.serviceChargeTaxable,
    deliveryFeeTaxable: location.deliveryFeeTaxable,
    promotion,
    manualDiscount: null,
    ...noDetails,
    notes: draft.notes,
    customer: draft.customer,
    cancelReason: null,
    placedAt,
    businessDate: businessDate(wall, location.dayStartsAt),
    lines: lines.map((line, index) => Object.assign(line, { id: index as OrderLineId })),
  }
  return Buffer.from(JSON.stringify({ data: orderJson(order, timezone) }))
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    const bytes = answerTo(Buffer.concat(chunks))
    const headers = ['Cache-Control', 'no-store', 'Content-Type', 'application/json; charset=utf-8']
    response.writeHead(201, [...headers, 'Content-Length', String(bytes.length)])
    response.end(bytes)
  })
})
server.listen(0, '127.0.0.1', () => answerStarter((server.address() as AddressInfo).port))
