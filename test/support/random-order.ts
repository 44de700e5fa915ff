import type { Random } from '../../examples/practice/random.ts'

/** The members of a menu that an order needs (section 4.2). */
export interface Menu {
  categories: { items: MenuItem[] }[]
}

interface MenuItem {
  id: number
  variations: { id: number }[]
  modifier_groups: {
    selection_type: string
    min_select: number
    max_select: number | null
    modifiers: { id: number }[]
  }[]
}

/** A valid order of one to four lines: with a size if the item has sizes, and every group within its limits. */
export function orderFrom(locationId: number, menu: Menu, by: Random): object {
  const items = menu.categories.flatMap(category => category.items) as [MenuItem, ...MenuItem[]]
  return {
    location_id: locationId,
    channel: by.pick(['web', 'phone', 'takeaway', 'delivery']),
    customer: by.percent(50) ? { name: 'José Almeida', phone: '+351 912 345 678' } : undefined,
    notes: by.percent(20) ? 'Jalapeños apart, please 🌶' : undefined,
    items: Array.from({ length: by.between(1, 4) }, () => {
      const item = by.pick(items)
      const sizes = item.variations.map(({ id }) => id)
      return {
        item_id: item.id,
        qty: by.percent(80) ? by.between(1, 3) : 0.5,
        variation_id: sizes.length > 0 ? by.pick(sizes as [number]) : undefined,
        modifiers: item.modifier_groups.flatMap(group => {
          const most = group.selection_type === 'single' ? 1 : group.max_select || group.modifiers.length
          const count = by.between(group.min_select, Math.min(most, group.modifiers.length, group.min_select + 2))
          const first = by.between(0, group.modifiers.length - 1)
          return [...group.modifiers, ...group.modifiers]
            .slice(first, first + count)
            .map(({ id }) => ({ modifier_id: id, qty: 1 }))
        }),
      }
    }),
  }
}
