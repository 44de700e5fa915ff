import type { Db } from '../file/open.ts'
import type { Noting } from '../people/activity.ts'
import type { GuestKind, ServiceMode, Source } from '../terms/channels.ts'
import type { LocationId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'

export { type GuestKind, guestKinds } from '../terms/channels.ts'

/** The service modes that each kind of guests' pages can offer. */
export const modesOfKind: Record<GuestKind, readonly ServiceMode[]> = {
  storefront: ['takeaway', 'delivery', 'dine_in'],
  qr: ['qr'],
  kiosk: ['dine_in', 'takeaway'],
}

/** The source of the orders of each kind (decision G2). */
export const sourceOfKind: Record<GuestKind, Source> = { storefront: 'storefront', qr: 'qr', kiosk: 'storefront' }

/** The service modes in which guests can order by themselves on one kind of pages at a location. */
export interface GuestModes {
  locationId: LocationId
  kind: GuestKind
  /** In the order of `modesOfKind`, at least one. */
  modes: ServiceMode[]
}

/**
 * The switches of the guests' pages of each location, kind and service mode; all are off until somebody turns them on (G1). Each
 * kind also has a switch for the whole site, which is a setting.
 */
export function guestSwitches(db: Db, { note }: Noting) {
  const selectTitle = db.prepare<[LocationId], string>('SELECT title FROM location WHERE id = ?').pluck()
  const selectModes = db
    .prepare<[LocationId, GuestKind], ServiceMode>('SELECT mode FROM guest_mode WHERE location_id = ? AND kind = ?')
    .pluck()
  const selectPlaces = db.prepare<[], { locationId: LocationId; kind: GuestKind }>(
    `SELECT DISTINCT location_id AS locationId, kind FROM guest_mode JOIN location ON location.id = location_id
      ORDER BY position, location_id, kind`,
  )
  const remove = db.prepare<[LocationId, GuestKind]>('DELETE FROM guest_mode WHERE location_id = ? AND kind = ?')
  const insert = db.prepare<[LocationId, GuestKind, ServiceMode]>(
    'INSERT INTO guest_mode (location_id, kind, mode) VALUES (?, ?, ?)',
  )

  function modesAt(id: LocationId, kind: GuestKind): ServiceMode[] {
    const on = selectModes.all(id, kind)
    return modesOfKind[kind].filter(mode => on.includes(mode))
  }

  const change = db.transaction((id: LocationId, kind: GuestKind, wanted: readonly ServiceMode[]) => {
    const title = selectTitle.get(id)
    if (title === undefined) return { refused: 'unknown location', location: id } satisfies Refusal
    const before = modesAt(id, kind)
    const modes = modesOfKind[kind].filter(mode => wanted.includes(mode))
    if (before.join() === modes.join()) return undefined
    remove.run(id, kind)
    for (const mode of modes) insert.run(id, kind, mode)
    const text = (list: ServiceMode[]) => [kind, ...list].join(' ')
    note({
      what: 'guest ordering changed',
      subject: `location ${id} ${title}`,
      was: text(before),
      became: text(modes),
    })
    return undefined
  })

  return {
    /** The modes of a kind that are on at a location, whether or not the kind is on for the site. */
    modesAt,

    /** Every location and kind that has a mode that is on. */
    list: (): GuestModes[] =>
      selectPlaces.all().map(({ locationId, kind }) => ({ locationId, kind, modes: modesAt(locationId, kind) })),

    /** Turns these modes of a kind on at a location, and its others off. Modes that the kind cannot have are ignored. */
    set: (id: LocationId, kind: GuestKind, modes: readonly ServiceMode[]): Refusal<'unknown location'> | undefined =>
      change.immediate(id, kind, modes),
  }
}
