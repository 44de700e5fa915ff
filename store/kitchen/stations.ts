import type { Db } from '../file/open.ts'
import type { Channel, ServiceMode } from '../terms/channels.ts'
import type { CategoryId, ItemId, LocationId, StationId } from '../terms/ids.ts'
import { groupBy } from '../terms/rows.ts'
import { inOrderOfTrial, type Kitchen, type RoutingRule } from './routing.ts'

interface StationRow {
  id: StationId
  locationId: LocationId
  title: string
  isDefault: number
}
interface RuleRow {
  id: number
  locationId: LocationId
  priority: number
  itemId: ItemId | null
  categoryId: CategoryId | null
  channel: Channel | null
  mode: ServiceMode | null
  stations: string
}

/** Returns the function that reads the kitchens of all locations that have one. */
export function kitchenReader(db: Db): () => Map<LocationId, Kitchen> {
  const selectStations = db.prepare<[], StationRow>(
    `SELECT id, location_id AS locationId, title, is_default AS isDefault FROM station WHERE active = 1 ORDER BY id`,
  )
  const selectRules = db.prepare<[], RuleRow>(
    `SELECT id, location_id AS locationId, priority, item_id AS itemId, category_id AS categoryId, channel,
            service_mode AS mode, stations
       FROM routing_rule`,
  )
  const selectItems = db.prepare<[], { id: ItemId; categoryId: CategoryId }>(
    'SELECT id, category_id AS categoryId FROM item',
  )

  return () => {
    const kitchens = new Map<LocationId, Kitchen>()
    const rows = groupBy(selectStations.all(), row => row.locationId)
    if (rows.size === 0) return kitchens
    const rules = groupBy(selectRules.all(), row => row.locationId)
    const categoryOf = new Map(selectItems.all().map(({ id, categoryId }) => [id, categoryId]))

    for (const [locationId, found] of rows) {
      const stations = found.map(({ id, title }) => ({ id, title }))
      const fallback = found.find(({ isDefault }) => isDefault === 1) ?? found[0]
      if (!fallback) continue
      const active = new Set(stations.map(({ id }) => id))
      const own = (rules.get(locationId) ?? []).map(row => ruleOf(row, active, fallback.id))
      kitchens.set(locationId, {
        stations,
        fallback: { id: fallback.id, title: fallback.title },
        rules: inOrderOfTrial(own),
        categoryOf,
      })
    }
    return kitchens
  }
}

/** A rule whose stations are all closed sends its lines to the fallback station, because they are for the kitchen. */
function ruleOf({ stations: list, ...row }: RuleRow, active: Set<StationId>, fallback: StationId): RoutingRule {
  const named: StationId[] = JSON.parse(list)
  const open = named.filter(id => active.has(id))
  return { ...row, stations: named.length > 0 && open.length === 0 ? [fallback] : open }
}
