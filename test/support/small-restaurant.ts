/** A small restaurant that is sufficient for most tests; `location` changes its only location. */
export function smallRestaurant(location: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
  return {
    site: { title: 'Test', timezone: 'UTC' },
    allergens: [{ id: 1, title: 'Gluten' }],
    modifier_groups: [
      {
        id: 1,
        title: 'Extras',
        selection_type: 'multiple',
        max_select: 4,
        free_quantity: 1,
        modifiers: [
          { id: 1, title: 'Egg', price: 1.5, max_quantity: 2 },
          { id: 2, title: 'Cheese', price: 0.75 },
        ],
      },
      {
        id: 2,
        title: 'Side',
        selection_type: 'single',
        is_required: true,
        modifiers: [
          { id: 3, title: 'Fries', price: 0, is_default: true },
          { id: 4, title: 'Salad', price: 1 },
        ],
      },
    ],
    categories: [
      {
        id: 1,
        title: 'Mains',
        items: [
          { id: 1, title: 'Soup', price: 6, allergens: [{ id: 1, presence: 'may_contain' }] },
          { id: 2, title: 'Burger', price: 12.5, modifier_groups: [{ id: 1 }] },
          { id: 3, title: 'Steak', price: 20, modifier_groups: [{ id: 2 }] },
        ],
      },
      {
        id: 2,
        title: 'Drinks',
        items: [
          {
            id: 4,
            title: 'Latte',
            price: 3,
            variations: [
              { id: 1, title: 'Small', price: 3, is_default: true },
              { id: 2, title: 'Large', price: 4 },
            ],
          },
        ],
      },
    ],
    locations: [{ id: 1, code: 'ONE', title: 'One', currency: 'USD', timezone: 'UTC', tax_rate: 8.25, ...location }],
    ...more,
  }
}
