import type { DiningTable, Location, Menu } from '../../store/catalogue/catalogue.ts'
import { type GuestKind, sourceOfKind } from '../../store/guests/switches.ts'
import type { ServiceMode, Source } from '../../store/terms/channels.ts'
import type { LocationId } from '../../store/terms/ids.ts'
import type { App, Call, Caller, Handler } from '../http/handler.ts'
import { type Reply, refuse } from '../http/reply.ts'
import { kioskOff } from './kiosk-frame.ts'
import { offPage } from './off.ts'

/** Where and how a guest orders: on the storefront of a location, at a table, or at a kiosk (decision 059). */
export interface Setting {
  kind: GuestKind
  /** The source of its orders (decision G2). */
  source: Source
  /** The path of its menu below the base path, such as "/order/1"; its other pages are below that. */
  base: string
  location: Location
  /** What can be ordered now. */
  menu: Menu
  /** The same menu including what is sold out. */
  whole: Menu
  /** The table whose code is in the address; null on the storefront and at a kiosk. */
  table: DiningTable | null
  /** The service modes that the guest can choose from, at least one. */
  modes: ServiceMode[]
}

/** Handles a request of a guest within a setting. */
export type GuestHandler = (app: App, call: Call<Caller>, setting: Setting) => Reply | Promise<Reply | undefined>

/** Finds the setting of a request to one kind of pages for its handler. Where ordering is not switched on, a page says so. */
export function within(kind: GuestKind, handler: GuestHandler): Handler {
  return (app, call) => {
    const place = placeOf(app, kind, call)
    if (!place) return kind === 'qr' ? offPage(app, call, 'code') : refuse('NOT_FOUND')
    const setting = settingAt(app, kind, place)
    if (setting) return handler(app, call, setting)
    return kind === 'kiosk' ? kioskOff(app, call) : offPage(app, call, 'off')
  }
}

interface Place {
  locationId: LocationId
  table: DiningTable | null
  base: string
}

function placeOf({ store }: App, kind: GuestKind, { parameters, caller }: Call<Caller>): Place | undefined {
  switch (kind) {
    case 'storefront': {
      const { locations } = store.catalogue.current()
      const location = locations.find(({ id }) => String(id) === parameters.location)
      return location && { locationId: location.id, table: null, base: `/order/${location.id}` }
    }
    case 'qr': {
      const { code = '' } = parameters
      const found = store.tableCodes.find(code)
      // The code as it was typed, because cookies belong to this path.
      return found && { locationId: found.locationId, table: { id: found.id, title: found.title }, base: `/t/${code}` }
    }
    case 'kiosk':
      return caller.kind === 'device'
        ? { locationId: caller.device.locationId, table: null, base: '/kiosk' }
        : undefined
  }
}

/** The setting at a place; undefined where it is not switched on, or the location is not published. */
export function settingAt({ store }: App, kind: GuestKind, { locationId, table, base }: Place): Setting | undefined {
  const catalogue = store.catalogue.current()
  const [menu, whole] = [catalogue.menu(locationId), catalogue.menuWithSoldOut(locationId)]
  if (!menu || !whole || !store.settings.current().guests[kind]) return undefined
  const { location } = menu
  const modes = store.guestSwitches.modesAt(locationId, kind).filter(mode => isServed(location, mode))
  if (modes.length === 0) return undefined
  return { kind, source: sourceOfKind[kind], base, location, menu, whole, table, modes }
}

/** Whether a location serves a mode. A location that names no modes serves all of them. */
function isServed({ serviceModes }: Location, mode: ServiceMode): boolean {
  return serviceModes.length === 0 || serviceModes.includes(mode)
}
