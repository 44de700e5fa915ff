import { refusalText } from '../../display/refusal.ts'
import { isRefused } from '../../store/terms/refusal.ts'
import { bodyOf } from '../../webhooks/event.ts'
import type { Shop } from './shop.ts'

/**
 * A pizzeria with a kitchen and stock: pizza (item 1, extra dough is modifier 1) goes to the oven and the pass,
 * salad (2) and cake in two sizes (4) to the fallback, water (3) nowhere. Pizza takes 0.250 kg of dough, extra dough 0.100.
 */
export function pizzeria(location: Record<string, unknown> = {}) {
  return {
    site: { title: 'Pizzeria', timezone: 'UTC' },
    modifier_groups: [
      {
        id: 1,
        title: 'Extras',
        selection_type: 'multiple',
        modifiers: [
          { id: 1, title: 'Extra dough', price: 1 },
          { id: 2, title: 'Basil', price: 0 },
        ],
      },
    ],
    categories: [
      {
        id: 1,
        title: 'Food',
        items: [
          { id: 1, title: 'Pizza', price: 10, modifier_groups: [{ id: 1 }] },
          { id: 2, title: 'Salad', price: 5 },
          {
            id: 4,
            title: 'Cake',
            price: 3,
            variations: [
              { id: 1, title: 'Slice', price: 3, is_default: true },
              { id: 2, title: 'Whole', price: 30 },
            ],
          },
        ],
      },
      { id: 2, title: 'Drinks', items: [{ id: 3, title: 'Water', price: 2 }] },
    ],
    locations: [
      {
        id: 1,
        code: 'A',
        title: 'A',
        currency: 'EUR',
        timezone: 'UTC',
        stations: [
          { id: 1, title: 'Oven' },
          { id: 2, title: 'Pass', is_default: true },
        ],
        routing: [
          { id: 1, item: 1, stations: [1, 2] },
          { id: 2, category: 2, stations: [] },
        ],
        stock: [
          {
            id: 1,
            title: 'Dough',
            unit: 'kg',
            on_hand: 2,
            low_at: 0.5,
            recipe: [
              { item: 1, qty: 0.25 },
              { modifier: 1, qty: 0.1 },
            ],
          },
        ],
        ...location,
      },
    ],
  }
}

export const pizza = (qty = 1, extra = 0) => ({
  item_id: 1,
  qty,
  ...(extra > 0 && { modifiers: [{ modifier_id: 1, qty: extra }] }),
})
export const salad = { item_id: 2, qty: 1 }
export const water = { item_id: 3, qty: 1 }

export const orderOf = (...items: unknown[]) => ({ location_id: 1, items })

/** Adds a webhook endpoint to a shop that cannot be reached. */
export function listen(shop: Shop): void {
  const added = shop.store.webhooks.endpoints.add('https://127.0.0.1:9/')
  if (isRefused(added)) throw new Error(refusalText(added))
}

/** The type and data of every event so far, in order. */
export function eventsOf(shop: Pick<Shop, 'rows'>): { type: string; data: Record<string, unknown> }[] {
  return shop.rows('SELECT facts FROM webhook_event ORDER BY id').map(({ facts }) => {
    const body = bodyOf({ deliveryId: 'msg_test', event: JSON.parse(String(facts)), dispatchedAt: 0 })
    const { type, data } = JSON.parse(body.toString())
    return { type, data }
  })
}

/** The tickets of an order as "Oven: 2 Pizza" and their state, in the order in which they were opened. */
export function ticketsOf(shop: Pick<Shop, 'rows'>, orderId: number): Record<string, unknown>[] {
  return shop.rows(
    `SELECT ticket.id, station.title AS station, ticket.state, batch,
            group_concat(order_line.name || ' ' || ticket_item.state, ', ' ORDER BY line_id) AS lines
       FROM ticket JOIN station ON station.id = station_id JOIN ticket_item ON ticket_id = ticket.id
       JOIN order_line ON order_line.id = line_id
      WHERE ticket.order_id = ? GROUP BY ticket.id ORDER BY ticket.id`,
    orderId,
  )
}
