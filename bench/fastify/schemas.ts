const id = { type: 'integer' }
const text = { type: 'string' }
const money = { type: 'number' }
const flag = { type: 'integer', enum: [0, 1] }
const optional = (type: 'string' | 'integer' | 'number') => ({ type: [type, 'null'] })
const list = (items: object) => ({ type: 'array', items })
const object = (properties: Record<string, object>) => ({ type: 'object', properties })
const answer = (data: object) => object({ data })

const location = object({
  id,
  code: text,
  title: text,
  currency: text,
  timezone: text,
  service_modes: list(text),
  opening_hours: { type: 'object', additionalProperties: true },
  tax_rate: optional('number'),
})

const item = object({
  id,
  title: text,
  description: optional('string'),
  price: money,
  has_variations: flag,
  image: optional('string'),
  prep_time_minutes: optional('integer'),
  calories: optional('integer'),
  spice_level: optional('integer'),
  is_alcohol: flag,
  variations: list(object({ id, title: text, price: money, is_default: flag })),
  modifier_groups: list(
    object({
      id,
      title: text,
      selection_type: text,
      is_required: flag,
      min_select: id,
      max_select: id,
      free_quantity: id,
      modifiers: list(object({ id, title: text, price: money, is_default: flag, max_quantity: optional('integer') })),
    }),
  ),
  allergens: list(object({ id, title: text, presence: text })),
})

const order = object({
  id,
  order_number: text,
  location_id: id,
  channel: text,
  status: text,
  fulfillment_status: optional('string'),
  subtotal: money,
  discount_total: money,
  tax_total: money,
  service_charge: money,
  delivery_fee: money,
  grand_total: money,
  currency: text,
  notes: optional('string'),
  placed_at: text,
  items: list(
    object({
      id,
      item_id: id,
      variation_id: optional('integer'),
      name_snapshot: text,
      qty: money,
      unit_price: money,
      modifiers_total: money,
      line_total: money,
      notes: optional('string'),
    }),
  ),
})

export const locationsSchema = { response: { 200: answer(list(location)) } }

export const menuSchema = {
  params: { type: 'object', required: ['locationId'], properties: { locationId: { type: 'integer', minimum: 1 } } },
  response: {
    200: answer(object({ location_id: id, categories: list(object({ id, title: text, items: list(item) })) })),
  },
}

export const orderSchema = {
  body: {
    type: 'object',
    required: ['location_id', 'items'],
    properties: {
      location_id: { type: 'integer', minimum: 1 },
      channel: text,
      service_mode: { type: ['string', 'null'], maxLength: 50 },
      notes: { type: ['string', 'null'], maxLength: 1000 },
      customer: {
        type: ['object', 'null'],
        properties: {
          name: { type: ['string', 'null'], maxLength: 255 },
          phone: { type: ['string', 'null'], maxLength: 255 },
          email: { type: ['string', 'null'], maxLength: 255, pattern: '^[^\\s@]+@[^\\s@]+$' },
        },
      },
      items: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: {
          type: 'object',
          required: ['item_id', 'qty'],
          properties: {
            item_id: id,
            variation_id: optional('integer'),
            qty: { type: 'number', exclusiveMinimum: 0, maximum: 999 },
            notes: { type: ['string', 'null'], maxLength: 1000 },
            modifiers: {
              type: ['array', 'null'],
              maxItems: 50,
              items: {
                type: 'object',
                required: ['modifier_id'],
                properties: { modifier_id: id, qty: { type: 'integer', minimum: 1, maximum: 99 } },
              },
            },
          },
        },
      },
    },
  },
  response: { 201: answer(order) },
}
