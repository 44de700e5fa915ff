import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { guestKinds, modesOfKind } from '../../store/guests/switches.ts'
import type { OrderDetails } from '../../store/ordering/details.ts'
import { parseDraft } from '../../store/ordering/draft.ts'
import type { WantedPrinter } from '../../store/printing/printers.ts'
import type { LocationId, OrderId, StationId, StockId, TableId, TicketId } from '../../store/terms/ids.ts'
import { root } from './folders.ts'
import { heldClock } from './held-clock.ts'
import { logIn, pairDevice } from './log-in.ts'
import { accepted } from './refusals.ts'
import { openShop, type Shop, type ShopOptions } from './shop.ts'
import { until } from './until.ts'

/** The code of its first table. */
export const tableCode = 'ABCDEF2345'

/** In the address of the status page of an order at that table, which staff have not confirmed yet. */
export const statusToken = 'guest-status-page-of-the-busy-shop-000000000'.slice(0, 43)

/** In the address of the number of an order at its kiosk. */
export const kioskToken = 'k'.repeat(43)

export interface BusyOptions extends Omit<ShopOptions, 'restaurant' | 'clock'> {
  /** Changes each text that a person or a program may write freely; by default none. */
  written?: (text: string) => string
}

/**
 * The demo restaurant on its second evening, with something of everything that a page may show: orders in each state and those of
 * a closed day, payments, a refund and a credit, cash, dishes that are off, stock that is low, people, devices, an endpoint that
 * received some events and lost others, a location that is busy and one whose orders are paused, and a closed station.
 */
export async function busyShop(
  t: TestContext,
  { written = text => text, ...options }: BusyOptions = {},
): Promise<Shop> {
  const clock = heldClock('2026-11-20T19:00:00Z')
  const shop = await openShop(t, { ...options, restaurant: demoWith(written), clock })
  const { id, name, headers: asAna } = logIn(shop, 'owner', written('Ana'))
  const ana = { kind: 'staff', id, name } as const
  const { act } = shop.writer
  const alfama = 1 as LocationId

  const place = (items: unknown[], details: OrderDetails = {}, more: object = {}) => {
    const customer = { name: written('Rui'), phone: written('912 345 678'), email: 'rui@example.com' }
    const body = { location_id: 1, customer, notes: written('No nuts'), items, ...more }
    return accepted(shop.store.orders.place(accepted(parseDraft(body)), 'pos', details)).id
  }
  const pasteis = { item_id: 1, qty: 2, notes: written('Well done'), modifiers: [{ modifier_id: 11 }] }
  const nata = { item_id: 801, variation_id: 8012, qty: 1 }
  const beer = { item_id: 1101, variation_id: 11012, qty: 3 }
  const balance = (order: OrderId) => shop.store.orderList.these([order])[0]?.balance ?? 0
  const pay = async (order: OrderId, method: 'cash' | 'card', amount = balance(order)) =>
    accepted(await act(ana, 'pay', order, { amount, method, note: written('at the bar') }))

  accepted(await act(ana, 'enterCash', alfama, { kind: 'float', counted: 10_000, note: written('morning') }))
  const first = place([pasteis, beer], { tableId: 1 as TableId })
  await pay(first, 'cash')
  for (const { id } of shop.rows('SELECT id FROM ticket')) accepted(await act(ana, 'bump', id as TicketId, null))
  accepted(await act(ana, 'move', first, 'complete', {}))
  accepted(await act(ana, 'credit', first, { amount: 200, note: written('cold') }))
  const second = place([nata, beer])
  await pay(second, 'card')
  accepted(await act(ana, 'refund', second, { amount: 300, method: 'cash', note: written('one beer less') }))
  accepted(await act(ana, 'enterCash', alfama, { kind: 'paid_out', counted: 500, note: written('ice') }))
  const closing = { date: '2026-11-20', counted: 12_000, left: 10_000, note: written('a coin is missing') }
  accepted(await act(ana, 'closeDay', alfama, closing))

  clock.pass(24 * 3_600_000)
  accepted(await act(ana, 'addEndpoint', 'https://127.0.0.1:9/hook'))
  accepted(await act(ana, 'addEndpoint', 'https://127.0.0.1:9/paused'))
  accepted(await act(ana, 'pauseEndpoint', 2 as never, true))
  const guests = { location_id: 1, customer: { name: written('Eva'), phone: written('913 000 111') }, items: [nata] }
  for (const _ of [1, 2]) {
    const { status, text } = await shop.order(guests)
    if (status !== 201) throw new Error(text)
  }
  const cancelled = place([beer])
  accepted(await act(ana, 'move', cancelled, 'cancel', { reason: written('left') }))
  const changed = place([pasteis, nata, beer], { tableId: 2 as TableId })
  await pay(changed, 'card', 500)
  const discount = { percentPpm: 100_000, reason: written('regular') }
  accepted(
    await act(ana, 'edit', changed, {
      remove: [],
      add: [],
      notes: written('In a hurry'),
      customer: {},
      discount,
    } as never),
  )
  place([nata], { isHeld: true, wantedAt: clock.now() + 3_600_000, isInsisted: true })
  place([beer], { address: written('Rua Nova 1'), postcode: '1100' }, { channel: 'delivery' })

  accepted(await act(ana, 'enterCash', alfama, { kind: 'count', counted: 10_000, note: written('between') }))
  accepted(await act(ana, 'takeOffMenu', { kind: 'item', id: 404 as never }, null, null))
  accepted(await act(ana, 'takeOffMenu', { kind: 'variation', id: 2011 as never }, alfama, clock.now() + 7_200_000))
  accepted(await act(ana, 'changeStock', 1 as StockId, 'waste', 11_500_000, written('spoiled'), null))
  accepted(await act(ana, 'changeStock', 4 as StockId, 'set', 0, null, null))
  accepted(await act(ana, 'pauseOrders', 2 as LocationId, null))
  accepted(await act(ana, 'beginBusy', alfama, 20))
  accepted(await act(ana, 'closeStation', 3 as StationId, 2 as StationId))
  accepted(await act(ana, 'setStationBackup', 1 as StationId, 2 as StationId))
  for (const kind of guestKinds) {
    accepted(await act(ana, 'setSetting', `guests.${kind}`, 'on'))
    for (const { id } of shop.store.catalogue.current().locations) {
      accepted(await act(ana, 'setGuestModes', id, kind, modesOfKind[kind]))
    }
  }
  accepted(await act(ana, 'setSetting', 'guests.upsell', '801,1101'))
  accepted(await act(ana, 'makeTableCodes', alfama))
  shop.execute(`UPDATE table_code SET code = '${tableCode}' WHERE table_id = 1`)
  const body = { location_id: 1, service_mode: 'qr', notes: written('No ice'), items: [nata] }
  const guest = { kind: 'qr', token: statusToken, browser: null, tableCode } as const
  const atTable = { tableId: 1 as TableId, guest }
  accepted(shop.store.orders.place(accepted(parseDraft(body)), 'qr', atTable))
  shop.execute('DELETE FROM table_code WHERE table_id = 4')
  const atKiosk = parseDraft({ location_id: 1, service_mode: 'takeaway', items: [nata] })
  const ofKiosk = { kind: 'kiosk', token: kioskToken, browser: null } as const
  accepted(shop.store.orders.place(accepted(atKiosk), 'storefront', { guest: ofKiosk }))
  logIn(shop, 'manager', written('Ben'))
  shop.store.staff.end(logIn(shop, 'staff', written('Gil')).name)
  for (const role of ['kitchen', 'board', 'kiosk'] as const) pairDevice(shop, role)
  const grill: WantedPrinter = {
    title: written('Grill'),
    locationId: 2 as LocationId,
    protocol: 'star',
    widthMm: 80,
    columns: 48,
    characters: 'western',
    prints: 'on request',
    stations: [],
  }
  const printer = accepted(await act(ana, 'addPrinter', grill, null))
  for (const ticket of [8, 9] as TicketId[]) {
    await act(ana, 'printOnRequest', printer.id, { kind: 'ticket', ticket }, `wish ${ticket}`)
  }
  shop.execute(
    `UPDATE print_job SET state = 'failed', problem = '${written('510').replaceAll("'", "''")}' WHERE ticket_id = 8`,
  )
  shop.execute(`UPDATE device SET title = '${written('Bar').replaceAll("'", "''")}'`)
  accepted(await act(ana, 'offerPairing', { title: written('New'), role: 'till', locationId: alfama, stationId: null }))
  shop.execute(`UPDATE session SET user_agent = '${written('Firefox').replaceAll("'", "''")}'`)

  await fetch(`${shop.url}/office/settings/backups/now`, {
    method: 'POST',
    headers: asAna,
    body: new URLSearchParams(),
  })
  await until(() => shop.store.backups.list().some(({ endedAt }) => endedAt !== null))

  // Nothing listens at the endpoint. One event was received as its receiver would have done it.
  await until(() => !shop.store.webhooks.outbox.hasUnfinished())
  const [attempt] = shop.rows("SELECT id FROM webhook_attempt WHERE reason <> 'the endpoint was paused'")
  const response = { status: 200, reason: null, tookMs: 38, response: Buffer.from(written('ok')) }
  const headers = ['Content-Type', 'text/html', 'X-Name', written('receiver')]
  await shop.writer.chore('endDelivery', attempt?.id as never, { received: true, ...response, headers })
  await fetch(`${shop.url}/api/index.php/v1/restaurant/orders`, { method: 'POST' })
  return shop
}

/** How long the free texts of a restaurant file may be. */
const longest: Record<string, number> = { title: 200, description: 2000, address: 500, unit: 20, number: 20, phone: 50 }

/** The file of the demo restaurant, with its texts as `written` leaves them. */
function demoWith(written: (text: string) => string): unknown {
  const source = readFileSync(join(root, 'examples/demo-restaurant.json'), 'utf8')
  return JSON.parse(source, (key, value) => {
    const most = longest[key]
    return most !== undefined && typeof value === 'string' ? written(value).slice(0, most) : value
  })
}
