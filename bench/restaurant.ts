import { restaurant } from '../examples/demo.ts'
import { demoRestaurant, type Restaurant } from '../test/support/demo-restaurant.ts'
import { api } from '../test/support/wire.ts'

/** Makes a file with the demo restaurant without kitchen and stock, because `bench:after-order` measures what they cost. */
export function restaurantWithoutKitchen(file: string): Restaurant {
  const demo = restaurant()
  const locations = demo.locations.map(location => ({ ...location, stations: [], routing: [], stock: [] }))
  return demoRestaurant(file, { ...demo, locations })
}

/** The bytes of a request for the menu of the demo's first location. */
export function menuRequest(token: string, headers: string[] = []): Buffer {
  return Buffer.from(
    [
      `GET ${api}/locations/1/menu HTTP/1.1`,
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

/** The bytes of an order of three lines and three modifiers. */
export function orderRequest(token: string, { notes = order.notes, headers = [] as string[] } = {}): Buffer {
  const body = JSON.stringify({ ...order, notes })
  const head = [
    `POST ${api}/orders HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}
