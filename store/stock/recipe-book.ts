import type { Db } from '../file/open.ts'
import type { LocationId, StockId } from '../terms/ids.ts'
import { groupBy } from '../terms/rows.ts'
import type { Ingredient, RecipeKind, Recipes } from './recipes.ts'

interface RecipeRow {
  locationId: LocationId
  stockId: StockId
  kind: RecipeKind
  targetId: number
  qtyMilli: number
  onHand: number
}

/** The recipes of a location, and for which of them too little is on hand for one unit, as of the moment of reading. */
export interface StockedRecipes {
  recipes: Recipes
  lacks(kind: RecipeKind, id: number): boolean
}

/** Returns the function that reads the recipes of all locations that keep stock. */
export function recipeReader(db: Db): () => Map<LocationId, StockedRecipes> {
  const selectRecipes = db.prepare<[], RecipeRow>(
    `SELECT location_id AS locationId, stock_id AS stockId, kind, target_id AS targetId, qty_milli AS qtyMilli,
            on_hand_micro AS onHand
       FROM recipe_line JOIN stock_item ON stock_item.id = stock_id
      WHERE stock_item.position IS NOT NULL ORDER BY stock_id, recipe_line.position`,
  )
  return () => {
    const byLocation = groupBy(selectRecipes.all(), row => row.locationId)
    return new Map([...byLocation].map(([locationId, rows]) => [locationId, stockedRecipes(rows)]))
  }
}

function stockedRecipes(rows: RecipeRow[]): StockedRecipes {
  const byKind = { item: new Map(), variation: new Map(), modifier: new Map() } as const satisfies Record<
    RecipeKind,
    Map<number, Ingredient[]>
  >
  const lacking = { item: new Set<number>(), variation: new Set<number>(), modifier: new Set<number>() }
  const portions = new Map<StockId, Set<number>>()
  for (const { stockId, kind, targetId, qtyMilli, onHand } of rows) {
    const recipe: Map<number, Ingredient[]> = byKind[kind]
    recipe.set(targetId, [...(recipe.get(targetId) ?? []), { stockId, qtyMilli }])
    const portion = qtyMilli * 1000
    if (onHand < portion) lacking[kind].add(targetId)
    portions.set(stockId, (portions.get(stockId) ?? new Set()).add(portion))
  }
  return {
    recipes: {
      ...byKind,
      portions: new Map([...portions].map(([id, amounts]) => [id, [...amounts].sort((a, b) => a - b)])),
    },
    lacks: (kind, id) => lacking[kind].has(id),
  }
}
