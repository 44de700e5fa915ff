import type { Channel, ServiceMode } from '../terms/channels.ts'
import type { CategoryId, ItemId, StationId } from '../terms/ids.ts'

/** The stations of a location, at least one, and its routing rules. */
export interface Kitchen {
  /** The active stations, lowest id first. */
  stations: Station[]
  /** The station of lines that no rule matches: the default station, else the one with the lowest id; while that is closed, its stand-in. */
  fallback: Station
  /** In the order in which they are tried; the first match wins. Closed stations in them are replaced by their stand-ins. */
  rules: RoutingRule[]
  categoryOf: ReadonlyMap<ItemId, CategoryId>
}

export interface Station {
  id: StationId
  title: string
}

/** Which lines go to which stations. A null condition matches everything. */
export interface RoutingRule {
  id: number
  priority: number
  itemId: ItemId | null
  categoryId: CategoryId | null
  channel: Channel | null
  mode: ServiceMode | null
  /** Empty: not for the kitchen. */
  stations: StationId[]
}

/** What the rules depend on besides the dish. */
export interface OrderKind {
  channel: Channel
  mode: ServiceMode | null
}

/** Rules in the order in which they are tried: priority, then how specific they are, then id (decision E2). */
export function inOrderOfTrial(rules: RoutingRule[]): RoutingRule[] {
  return rules.toSorted((a, b) => a.priority - b.priority || specificity(b) - specificity(a) || a.id - b.id)
}

function specificity({ itemId, categoryId, channel, mode }: RoutingRule): number {
  return (
    Number(itemId !== null) * 8 + Number(categoryId !== null) * 4 + Number(mode !== null) * 2 + Number(channel !== null)
  )
}

/** The rule that matches a dish, or undefined. */
export function ruleFor(kitchen: Kitchen, itemId: ItemId, { channel, mode }: OrderKind): RoutingRule | undefined {
  const categoryId = kitchen.categoryOf.get(itemId)
  return kitchen.rules.find(
    rule =>
      (rule.itemId === null || rule.itemId === itemId) &&
      (rule.categoryId === null || rule.categoryId === categoryId) &&
      (rule.mode === null || rule.mode === mode) &&
      (rule.channel === null || rule.channel === channel),
  )
}

/** Those of the routed lines whose indexes are chosen, without stations that have none of them. */
export function routedPart(
  routed: ReadonlyMap<StationId, number[]>,
  isChosen: (index: number) => boolean,
): Map<StationId, number[]> {
  const part = new Map<StationId, number[]>()
  for (const [station, indexes] of routed) {
    const chosen = indexes.filter(isChosen)
    if (chosen.length > 0) part.set(station, chosen)
  }
  return part
}

/**
 * The indexes of the lines for each station's ticket. Empty if there is nothing for the kitchen. A line that no rule matches
 * goes to the fallback station, so that no line is lost.
 */
export function routeLines(kitchen: Kitchen, lines: { itemId: ItemId }[], kind: OrderKind): Map<StationId, number[]> {
  const routed = new Map<StationId, number[]>()
  for (const [index, { itemId }] of lines.entries()) {
    for (const station of ruleFor(kitchen, itemId, kind)?.stations ?? [kitchen.fallback.id]) {
      const indexes = routed.get(station)
      if (indexes) indexes.push(index)
      else routed.set(station, [index])
    }
  }
  return routed
}
