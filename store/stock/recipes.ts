import type { ItemId, ModifierId, StockId, VariationId } from '../terms/ids.ts'

/** What can have a recipe. */
export const recipeKinds = ['item', 'variation', 'modifier'] as const
export type RecipeKind = (typeof recipeKinds)[number]

/** Quantities of stock are counted in millionths of their unit. */
export const MICRO = 1_000_000

/** The maximum quantity of anything, in its unit: far more than a kitchen has, and exact in all sums (decision E3). */
export const LARGEST_STOCK = 1_000_000_000

/** The recipes of a location's items, variations and modifiers. */
export interface Recipes {
  item: ReadonlyMap<ItemId, Ingredient[]>
  variation: ReadonlyMap<VariationId, Ingredient[]>
  modifier: ReadonlyMap<ModifierId, Ingredient[]>
  /** How much of a stock item one unit of each thing made from it needs: millionths, ascending, each once. */
  portions: ReadonlyMap<StockId, number[]>
}

export interface Ingredient {
  stockId: StockId
  /** Thousandths of the stock item's unit, for one unit of what is made from it. */
  qtyMilli: number
}

/** The parts of an order line that stock depends on. */
export interface Portion {
  itemId: ItemId
  variationId: VariationId | null
  qtyMilli: number
  modifiers: { id: ModifierId; qty: number }[]
}

/** How much of each stock item something takes: millionths of its unit, which is exact for every quantity and recipe. */
export type Demand = Map<StockId, number>

/**
 * What a line takes (decision E3): quantity × (the recipe of the variation if it has one, else of the item, + of its
 * modifiers).
 */
export function demandOf({ itemId, variationId, qtyMilli, modifiers }: Portion, recipes: Recipes): Demand {
  const demand: Demand = new Map()
  const add = (ingredients: Ingredient[] | undefined, times: number) => {
    for (const { stockId, qtyMilli: each } of ingredients ?? []) {
      demand.set(stockId, (demand.get(stockId) ?? 0) + times * each)
    }
  }
  const ofVariation = variationId === null ? undefined : recipes.variation.get(variationId)
  add(ofVariation ?? recipes.item.get(itemId), qtyMilli)
  for (const { id, qty } of modifiers) add(recipes.modifier.get(id), qtyMilli * qty)
  return demand
}

/** Adds one demand to another, a number of times (-1 subtracts it). */
export function addDemand(total: Demand, more: Demand, times = 1): void {
  for (const [stockId, qty] of more) total.set(stockId, (total.get(stockId) ?? 0) + times * qty)
}

/**
 * Whether something on the menu runs out or comes back when what is on hand goes from one amount to another: whether one
 * unit of it could be made before and cannot after, or vice versa (decision D1).
 */
export function changesMenu(portions: number[] | undefined, before: number, after: number): boolean {
  return portions?.some(portion => portion <= before !== portion <= after) ?? false
}
