import { between, chance, type Draw, pick, some, times } from '../support/arbitraries.ts'
import type { LocationRecord, RestaurantFile } from '../support/independent-calculation.ts'

/** A restaurant whose branches have kitchens and stock, of which the calculation of test/support/independent-calculation.ts knows nothing. */
export type Furnished = Omit<RestaurantFile, 'locations'> & { locations: (LocationRecord & KitchenAndStock)[] }

interface KitchenAndStock {
  stations?: { id: number; title: string; is_default?: boolean; active?: boolean }[]
  routing?: { id: number; priority?: number; item?: number; category?: number; channel?: string; stations: number[] }[]
  stock?: {
    id: number
    title: string
    unit?: string
    on_hand?: number | null
    low_at?: number | null
    recipe: RecipeLine[]
  }[]
}

type RecipeLine = { item: number; qty: number } | { variation: number; qty: number } | { modifier: number; qty: number }

// No order within the bounds of decision A8 takes as much.
const AMPLE = 1_000_000_000

/**
 * Gives every branch stations, rules and stock. `isAmple`: nothing runs out; else some of it is there for a few orders,
 * or not at all.
 */
export function furnished(draw: Draw, restaurant: RestaurantFile, isAmple: boolean): Furnished {
  const items = (restaurant.categories ?? []).flatMap(category => category.items ?? [])
  const modifiers = (restaurant.modifier_groups ?? []).flatMap(group => group.modifiers ?? [])
  let last = 0
  const nextId = () => ++last

  function kitchenAndStock(): KitchenAndStock {
    const stations = times(between(draw, 0, 3), index => ({
      id: nextId(),
      title: `Station ${index + 1}`,
      ...(index === 0 && chance(draw, 60) && { is_default: true }),
      ...(chance(draw, 15) && { active: false }),
    }))
    const routing = times(stations.length === 0 ? 0 : between(draw, 0, 3), () => {
      const item = chance(draw, 50) ? pick(draw, items) : undefined
      const category = chance(draw, 40) ? pick(draw, restaurant.categories ?? []) : undefined
      return {
        id: nextId(),
        ...(chance(draw, 50) && { priority: between(draw, 0, 3) }),
        ...(item && { item: item.id }),
        ...(category && { category: category.id }),
        ...(chance(draw, 30) && { channel: pick(draw, ['web', 'phone', 'takeaway', 'delivery']) }),
        stations: some(draw, stations).map(({ id }) => id),
      }
    })
    const stock = times(between(draw, 0, 3), index => ({
      id: nextId(),
      title: `Stock ${index + 1}`,
      ...(chance(draw, 50) && { unit: pick(draw, ['kg', 'piece', 'l']) }),
      on_hand: isAmple ? AMPLE : pick(draw, [0, 0.5, 1, 3, 20, AMPLE]),
      ...(chance(draw, 40) && { low_at: pick(draw, [null, 0, 2.5]) }),
      recipe: [
        ...some(draw, items, 25).map(({ id }) => ({ item: id, qty: portion(draw) })),
        ...some(
          draw,
          items.flatMap(({ variations }) => variations ?? []),
          25,
        ).map(({ id }) => ({ variation: id, qty: portion(draw) })),
        ...some(draw, modifiers, 20).map(({ id }) => ({ modifier: id, qty: portion(draw) })),
      ],
    }))
    return { stations, routing, stock }
  }
  return {
    ...restaurant,
    locations: (restaurant.locations ?? []).map(location => ({ ...location, ...kitchenAndStock() })),
  }
}

const portion = (draw: Draw): number => pick(draw, [1, 0.25, 0.001, 1])
