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
  isActive: number
}
interface Closing {
  stationId: StationId
  toId: StationId
  untilAt: number | null
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

/**
 * Returns the function that reads the kitchens of all locations that have one, as they are at an instant, and when the closed
 * stations among them open (UTC milliseconds).
 */
export function kitchenReader(db: Db): (instant: number) => { kitchens: Map<LocationId, Kitchen>; ends: number[] } {
  const selectStations = db.prepare<[], StationRow>(
    `SELECT id, location_id AS locationId, title, is_default AS isDefault, active AS isActive FROM station ORDER BY id`,
  )
  const selectClosings = db.prepare<[number], Closing>(
    `SELECT station_id AS stationId, to_station_id AS toId, until_at AS untilAt FROM station_closed
      WHERE until_at IS NULL OR until_at > ?`,
  )
  const selectRules = db.prepare<[], RuleRow>(
    `SELECT id, location_id AS locationId, priority, item_id AS itemId, category_id AS categoryId, channel,
            service_mode AS mode, stations
       FROM routing_rule`,
  )
  const selectItems = db.prepare<[], { id: ItemId; categoryId: CategoryId }>(
    'SELECT id, category_id AS categoryId FROM item',
  )

  return instant => {
    const kitchens = new Map<LocationId, Kitchen>()
    const rows = groupBy(selectStations.all(), row => row.locationId)
    if (rows.size === 0) return { kitchens, ends: [] }
    const closings = selectClosings.all(instant)
    const closedFor = new Map(closings.map(({ stationId, toId }) => [stationId, toId]))
    const rules = groupBy(selectRules.all(), row => row.locationId)
    const categoryOf = new Map(selectItems.all().map(({ id, categoryId }) => [id, categoryId]))

    for (const [locationId, all] of rows) {
      const active = all.filter(({ isActive }) => isActive === 1)
      const usual = active.find(({ isDefault }) => isDefault === 1) ?? active[0]
      if (!usual) continue
      const ids = new Set(active.map(({ id }) => id))
      const lastId = openStation(usual.id, closedFor, ids) ?? usual.id
      const openInstead = (id: StationId) => openStation(id, closedFor, ids) ?? lastId
      const fallback = active.find(({ id }) => id === lastId) ?? usual
      const own = (rules.get(locationId) ?? []).map(row => ruleOf(row, ids, openInstead, lastId))
      kitchens.set(locationId, {
        stations: active.map(({ id, title }) => ({ id, title })),
        fallback: { id: fallback.id, title: fallback.title },
        rules: inOrderOfTrial(own),
        categoryOf,
      })
    }
    return { kitchens, ends: closings.flatMap(({ untilAt }) => untilAt ?? []) }
  }
}

/** The station that prepares the dishes of this one now; undefined: the stand-ins lead to no active station, or in a circle. */
function openStation(
  id: StationId,
  closedFor: ReadonlyMap<StationId, StationId>,
  active: ReadonlySet<StationId>,
): StationId | undefined {
  const passed = new Set<StationId>()
  let at = id
  for (let next = closedFor.get(at); next !== undefined; next = closedFor.get(at)) {
    passed.add(at)
    if (passed.has(next)) return undefined
    at = next
  }
  return active.has(at) ? at : undefined
}

/** A rule whose stations are all inactive sends its lines to the fallback station, because they must be prepared somewhere. */
function ruleOf(
  { stations: list, ...row }: RuleRow,
  active: ReadonlySet<StationId>,
  openInstead: (id: StationId) => StationId,
  lastId: StationId,
): RoutingRule {
  const named: StationId[] = JSON.parse(list)
  const open = new Set(named.filter(id => active.has(id)).map(openInstead))
  return { ...row, stations: named.length > 0 && open.size === 0 ? [lastId] : [...open] }
}
