import { restaurant } from '../examples/demo.ts'
import { openStore } from '../store/store.ts'
import { systemClock } from '../store/terms/clock.ts'

export interface Restaurant {
  file: string
  token: string
}

/**
 * Makes a database file with the demo restaurant in it, open to more orders than any benchmark can send. Its kitchen and
 * stock are left out: the stock would not last, and `bench:after-order` measures what they cost.
 */
export function demoRestaurant(file: string): Restaurant {
  const store = openStore(file, { clock: systemClock, create: true, busyMs: 5000 })
  const demo = restaurant()
  const locations = demo.locations.map(location => ({ ...location, stations: [], routing: [], stock: [] }))
  store.importCatalogue({ ...demo, locations })
  store.settings.set('api.module_enabled', 'on')
  store.settings.set('api.enabled', 'on')
  store.settings.set('orders.limit', '1000000000')
  store.settings.set('orders.limit_window_s', '1')
  const token = store.token.generate()
  store.close()
  return { file, token }
}

const path = '/api/index.php/v1/restaurant'

/** A request for the menu of the demo's first location, as the bytes that are sent. */
export function menuRequest(token: string, headers: string[] = []): Buffer {
  return Buffer.from(
    [
      `GET ${path}/locations/1/menu HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      ...headers,
      '',
      '',
    ].join('\r\n'),
  )
}

const order = {
  location_id: 1,
  channel: 'takeaway',
  notes: 'We are at the back door.',
  customer: { name: 'Ana Sousa', phone: '+351 912 345 678' },
  items: [
    { item_id: 1, qty: 2, modifiers: [{ modifier_id: 11 }, { modifier_id: 12 }, { modifier_id: 13 }] },
    { item_id: 303, variation_id: 3031, qty: 1, notes: 'No egg, please.' },
    { item_id: 801, variation_id: 8012, qty: 1 },
  ],
}

/** An order of three lines and three modifiers, as the bytes that are sent. */
export function orderRequest(token: string, { notes = order.notes, headers = [] as string[] } = {}): Buffer {
  const body = JSON.stringify({ ...order, notes })
  const head = [
    `POST ${path}/orders HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}
