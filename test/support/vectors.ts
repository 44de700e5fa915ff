import { readFileSync } from 'node:fs'
import type { GroupRecord, ItemRecord, LocationRecord, RestaurantFile } from './independent-calculation.ts'

interface VectorFile {
  vectors: {
    id: string
    title: string
    location: {
      currency: string
      tax: number | null
      incl?: boolean
      sc?: number
      sc_tax?: boolean
      df?: number
      df_free?: number
      df_tax?: boolean
    }
    order: {
      channel?: string
      service_mode?: string
      discount?: Discount
      lines: VectorLine[]
    }
    expected: ExpectedTotals
    expected_lines: ExpectedLineAmounts[]
  }[]
}

interface Discount {
  percent?: number
  amount?: number
}

interface VectorLine {
  qty?: number
  unit: number
  name?: string
  free?: { [group: string]: number }
  mods?: { id: string; price: number; qty?: number; group?: string }[]
}

export interface ExpectedTotals {
  subtotal: number
  discount_total: number
  tax_total: number
  service_charge: number
  delivery_fee: number
  grand_total: number
}

export interface ExpectedLineAmounts {
  qty: number
  unit_price: number
  modifiers_total: number
  line_total: number
}

export interface PricingVector {
  id: string
  title: string
  restaurant: RestaurantFile
  body: { location_id: number; items: object[]; channel?: string; service_mode?: string }
  instant: number
  expected: ExpectedTotals
  expectedLines: ExpectedLineAmounts[]
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8'))

/** A Friday evening. */
const EVENING = Date.UTC(2026, 10, 20, 19, 42)

const branch: Omit<LocationRecord, 'currency'> = {
  id: 1,
  code: 'ONE',
  title: 'The only branch',
  timezone: 'Europe/Lisbon',
  service_modes: ['dine_in', 'takeaway', 'delivery', 'qr'],
  opening_hours: { mon: { open: '12:00', close: '23:00' } },
}

const promotionOf = (discount: Discount | undefined) =>
  discount && { promotions: [{ id: 1, title: 'Discount', ...discount }] }

/** The worked examples, each as the smallest restaurant that sells the order, and the order as a client would send it. */
export function pricingVectors(): PricingVector[] {
  const file: VectorFile = read('pricing-vectors.json')
  return file.vectors.map(vector => {
    const groups: GroupRecord[] = []
    const items: ItemRecord[] = []
    const lines: object[] = []
    let modifiers = 0

    for (const line of vector.order.lines) {
      const item: ItemRecord = {
        id: items.length + 1,
        title: line.name ?? `Dish ${items.length + 1}`,
        price: line.unit,
      }
      const sent: { [key: string]: unknown } = { item_id: item.id, qty: line.qty ?? 1 }

      const sized = /^(.+) \((.+)\)$/.exec(line.name ?? '')
      if (sized?.[1] && sized[2]) {
        item.title = sized[1]
        item.price = line.unit + 1
        item.variations = [{ id: item.id, title: sized[2], price: line.unit }]
        sent.variation_id = item.id
      }

      const byName = new Map<string, GroupRecord>()
      const selections: object[] = []
      for (const modifier of line.mods ?? []) {
        const name = modifier.group ?? 'g'
        let group = byName.get(name)
        if (!group) {
          group = {
            id: groups.length + 1,
            title: name,
            selection_type: 'multiple',
            free_quantity: line.free?.[name] ?? 0,
            modifiers: [],
          }
          byName.set(name, group)
          groups.push(group)
        }
        modifiers += 1
        group.modifiers?.push({ id: modifiers, title: modifier.id, price: modifier.price })
        selections.push({
          modifier_id: modifiers,
          ...(modifier.qty !== undefined && { qty: modifier.qty }),
        })
      }
      if (selections.length > 0) {
        item.modifier_groups = [...byName.values()].map(({ id }) => ({ id }))
        sent.modifiers = selections
      }
      items.push(item)
      lines.push(sent)
    }

    const { location, order } = vector
    const priced: LocationRecord = {
      ...branch,
      currency: location.currency,
      tax_rate: location.tax,
      prices_include_tax: location.incl ?? false,
      service_charge_rate: location.sc ?? 0,
      service_charge_taxable: location.sc_tax ?? true,
      delivery_fee: location.df ?? 0,
      free_delivery_from: location.df_free ?? null,
      delivery_fee_taxable: location.df_tax ?? false,
      ...promotionOf(order.discount),
    }

    return {
      id: vector.id,
      title: vector.title,
      restaurant: {
        site: { title: vector.title, timezone: 'Europe/Lisbon' },
        modifier_groups: groups,
        categories: [{ id: 1, title: 'Everything', items }],
        locations: [priced],
      },
      body: {
        location_id: 1,
        items: lines,
        ...(order.channel !== undefined && { channel: order.channel }),
        ...(order.service_mode !== undefined && { service_mode: order.service_mode }),
      },
      instant: EVENING,
      expected: vector.expected,
      expectedLines: vector.expected_lines,
    }
  })
}

interface TaxVectorFile {
  vectors: {
    id: string
    title: string
    location: Pick<
      LocationRecord,
      | 'currency'
      | 'tax_rate'
      | 'takeaway_tax_rate'
      | 'prices_include_tax'
      | 'service_charge_rate'
      | 'delivery_fee'
      | 'delivery_fee_taxable'
    > & { classes: { [id: string]: { rate: number; takeaway_rate: number | null } } }
    order: {
      mode: string | null
      discount?: Discount
      lines: { qty: number; unit: number; class?: number }[]
    }
    expected: ExpectedTotals & { by_rate: TaxLine[] }
  }[]
}

interface TaxLine {
  rate: number
  base: number
  tax: number
}

export interface TaxVector extends Omit<PricingVector, 'expectedLines'> {
  expectedTaxLines: TaxLine[]
}

/** The worked examples of decision C8, in the same form. Every second dish has the tax class of its category. */
export function taxVectors(): TaxVector[] {
  const file: TaxVectorFile = read('tax-vectors.json')
  return file.vectors.map(({ id, title, location, order, expected }) => {
    const { classes, ...terms } = location
    const { by_rate, ...totals } = expected
    const used = order.lines.flatMap(line => line.class ?? [])
    const taxClasses = [...new Set([...Object.keys(classes).map(Number), ...used])]
    return {
      id,
      title,
      restaurant: {
        site: { title, timezone: 'Europe/Lisbon' },
        tax_classes: taxClasses.map(taxClass => ({ id: taxClass, title: `Class ${taxClass}` })),
        categories: order.lines.map((line, index) => {
          const inherits = index % 2 === 1
          const taxClass = line.class ?? null
          const dish = { id: index + 1, title: `Dish ${index + 1}`, price: line.unit }
          return {
            id: index + 1,
            title: `Category ${index + 1}`,
            tax_class: inherits ? taxClass : null,
            items: [{ ...dish, tax_class: inherits ? null : taxClass }],
          }
        }),
        locations: [
          {
            ...branch,
            ...terms,
            tax_rates: Object.entries(classes).map(([taxClass, rates]) => ({ tax_class: Number(taxClass), ...rates })),
            ...promotionOf(order.discount),
          },
        ],
      },
      body: {
        location_id: 1,
        items: order.lines.map(({ qty }, index) => ({ item_id: index + 1, qty })),
        ...(order.mode !== null && { service_mode: order.mode }),
      },
      instant: EVENING,
      expected: totals,
      expectedTaxLines: by_rate,
    }
  })
}
