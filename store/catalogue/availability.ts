import type { Db } from '../file/open.ts'
import type { Noting } from '../people/activity.ts'
import type { Clock } from '../terms/clock.ts'
import type { ItemId, LocationId, ModifierId, VariationId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'

/** What can be taken off the menu separately: a dish, a size or an option (decision D9). */
export type MenuPart =
  | { kind: 'item'; id: ItemId }
  | { kind: 'variation'; id: VariationId }
  | { kind: 'modifier'; id: ModifierId }

/** A part of the menu that a person has taken off, at one location or (null) everywhere. */
export type Unavailable = MenuPart & {
  title: string
  /** The dish of a size or the group of an option; null for a dish, and for a part that no longer belongs to any. */
  of: string | null
  /** The dish of a size. */
  itemId: ItemId | null
  locationId: LocationId | null
  since: number
  /** When it comes back automatically (UTC milliseconds); null: only when a person puts it back. */
  until: number | null
  /** The name of the actor; null: from before actors were recorded. */
  actor: string | null
}

interface Entry {
  kind: MenuPart['kind']
  id: number
  /** The location; 0 is everywhere. */
  place: number
}

/** The 86 list: which dishes, sizes and options are off for now, and where (decisions D1 and D9). */
export function availability(
  db: Db,
  clock: Clock,
  markChanged: () => void,
  { actor, note, siteZone }: Noting & { siteZone(): string },
) {
  const nameOf = {
    item: db.prepare<[number], string>(`SELECT 'item ' || id || ' ' || title FROM item WHERE id = ?`).pluck(),
    variation: db
      .prepare<[number], string>(
        `SELECT 'size ' || variation.id || ' ' || variation.title || coalesce(' of ' || item.title, '')
           FROM variation LEFT JOIN item ON item.id = item_id WHERE variation.id = ?`,
      )
      .pluck(),
    modifier: db.prepare<[number], string>(`SELECT 'option ' || id || ' ' || title FROM modifier WHERE id = ?`).pluck(),
  }
  const zoneOf = db.prepare<[LocationId], string>('SELECT timezone FROM location WHERE id = ?').pluck()
  const selectAll = db.prepare<[number], Unavailable>(
    `SELECT kind, target_id AS id, coalesce(item.title, variation.title, modifier.title) AS title,
            coalesce(dish.title, modifier_group.title) AS "of", dish.id AS itemId,
            nullif(location_id, 0) AS locationId, since_at AS since, until_at AS until, actor
       FROM unavailable
       LEFT JOIN item ON kind = 'item' AND item.id = target_id
       LEFT JOIN variation ON kind = 'variation' AND variation.id = target_id
       LEFT JOIN item AS dish ON dish.id = variation.item_id
       LEFT JOIN modifier ON kind = 'modifier' AND modifier.id = target_id
       LEFT JOIN modifier_group ON modifier_group.id = modifier.group_id
      WHERE until_at IS NULL OR until_at > ? ORDER BY location_id, kind, target_id`,
  )
  const forgetPast = db.prepare<[number]>('DELETE FROM unavailable WHERE until_at <= ?')
  const switchOff = db.prepare<Entry & { now: number; until: number | null; actor: string }>(
    `INSERT INTO unavailable (kind, target_id, location_id, since_at, until_at, actor)
     VALUES (@kind, @id, @place, @now, @until, @actor)
     ON CONFLICT (kind, target_id, location_id) DO UPDATE SET until_at = excluded.until_at, actor = excluded.actor`,
  )
  const switchOn = db.prepare<Entry>(
    'DELETE FROM unavailable WHERE kind = @kind AND target_id = @id AND location_id = @place',
  )
  const selectEntry = db.prepare<Entry, { until: number | null }>(
    'SELECT until_at AS until FROM unavailable WHERE kind = @kind AND target_id = @id AND location_id = @place',
  )

  /** Puts something on the list until an instant or (null) indefinitely, or takes it off, with the actor; in one transaction. */
  const change = db.transaction(
    (part: MenuPart, locationId: LocationId | null, wanted: { until: number | null } | undefined) => {
      const name = nameOf[part.kind].get(part.id)
      if (name === undefined) return unknown(part)
      const zone = locationId === null ? undefined : zoneOf.get(locationId)
      if (locationId !== null && zone === undefined) {
        return { refused: 'unknown location', location: locationId } satisfies Refusal
      }
      const now = clock.now()
      const until = wanted?.until ?? null
      if (until !== null && until <= now) {
        return { refused: 'time has passed', until, timezone: zone ?? siteZone() } satisfies Refusal
      }
      forgetPast.run(now)
      const entry: Entry = { ...part, place: locationId ?? 0 }
      const before = selectEntry.get(entry)
      if (stateText(before) === stateText(wanted)) return undefined
      if (wanted) switchOff.run({ ...entry, now, until: wanted.until, actor: actor().name })
      else switchOn.run(entry)
      markChanged()
      note({
        what: wanted ? 'taken off the menu' : 'put back on the menu',
        subject: `${name}, ${locationId === null ? 'everywhere' : `location ${locationId}`}`,
        was: stateText(before),
        became: stateText(wanted),
      })
      return undefined
    },
  )

  return {
    /** What is off now; what is off everywhere comes first. */
    list: (): Unavailable[] => selectAll.all(clock.now()),

    /** Takes a part of the menu off at a location or (null) everywhere, until an instant or (null) until a person puts it back. */
    off: (part: MenuPart, locationId: LocationId | null, until: number | null): Refusal | undefined =>
      change.immediate(part, locationId, { until }),

    /** Puts a part of the menu back at a location, or (null) ends what applies everywhere. */
    on: (part: MenuPart, locationId: LocationId | null): Refusal | undefined =>
      change.immediate(part, locationId, undefined),
  }
}

function unknown(part: MenuPart): Refusal {
  switch (part.kind) {
    case 'item':
      return { refused: 'unknown item', item: part.id }
    case 'variation':
      return { refused: 'unknown size', size: part.id }
    case 'modifier':
      return { refused: 'unknown option', option: part.id }
  }
}

function stateText(entry: { until: number | null } | undefined): string {
  if (!entry) return 'on'
  return entry.until === null ? 'off' : `off until ${new Date(entry.until).toISOString()}`
}
