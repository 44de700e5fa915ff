import { modeText } from '../../../display/terms.ts'
import { type GuestKind, guestKinds } from '../../../store/guests/switches.ts'
import type { LocationEntry } from '../../../store/restaurant-file/restaurant-file.ts'
import type { LocationId } from '../../../store/terms/ids.ts'
import type { Address } from '../../html/link.ts'
import type { App } from '../../http/handler.ts'
import type { Exchange } from '../../http/reply.ts'
import type { View } from '../../page/view.ts'
import { addressesOf } from '../addresses.ts'
import { menuAt } from '../menu/menu.ts'
import { printedMenu } from '../print/sheets.ts'
import { words } from '../words/guests.ts'

/** Something that is missing before guests can order, and the page where a person adds it. */
export interface Gap {
  text: string
  to?: { address: Address; label: string }
}

/** What is missing for the kinds of guests' pages that are on: first for the whole site, then for each location. */
export function gapsOf(app: App, exchange: Exchange, view: View): Gap[] {
  const w = words[view.language]
  const { store } = app
  const { guests } = store.settings.current()
  const on = guestKinds.filter(kind => guests[kind])
  if (on.length === 0) return []
  const offered = store.guestSwitches.list().filter(({ kind }) => guests[kind])
  const found: Gap[] = on
    .filter(kind => offered.every(each => each.kind !== kind))
    .map(kind => ({ text: w.noMode(w[kind]) }))
  if (addressesOf(app, exchange)[0].isOnlyHere) found.push({ text: w.onlyHere })
  for (const location of store.restaurant().locations) {
    const here = offered.filter(({ locationId }) => locationId === location.id)
    if (here.length > 0) found.push(...gapsAt(app, view, location, here))
  }
  return found
}

type Offered = ReturnType<App['store']['guestSwitches']['list']>

function gapsAt(app: App, view: View, location: LocationEntry, offered: Offered): Gap[] {
  const { store } = app
  const { language, link } = view
  const w = words[language]
  const { id, title } = location
  const locationId = id as LocationId
  if (!location.published) return [{ text: w.notPublished(title) }]
  const file = { address: link('/office/menu/file'), label: w.toFile }
  const found: Gap[] = []
  const offers = (kind: GuestKind) => offered.some(each => each.kind === kind)

  const served = location.service_modes
  const modes = new Set(offered.flatMap(each => each.modes))
  for (const mode of modes) {
    const isServed = served.length === 0 || served.includes(mode)
    if (!isServed) found.push({ text: w.notServed(title, modeText(mode, language)), to: file })
  }
  const hours = Object.keys(location.opening_periods ?? location.opening_hours)
  if (hours.length === 0) found.push({ text: w.noHours(title), to: file })
  const catalogue = store.catalogue.current()
  if (!catalogue.kitchen(locationId)) found.push({ text: w.noStation(title), to: file })
  if (catalogue.menu(locationId)?.items.size === 0) found.push({ text: w.noDishes(title) })
  if (modes.has('delivery') && location.delivery_zones.length === 0) found.push({ text: w.noZones(title), to: file })

  if (offers('qr')) {
    const tables = store.tableCodes.list(locationId)
    const without = tables.filter(({ code }) => code === null).length
    const cards = { address: link('/office/print/tables', { location: id }), label: w.toCards }
    if (tables.length === 0) found.push({ text: w.noTables(title), to: file })
    else if (without > 0) found.push({ text: w.noCodes(title, without), to: cards })
  }
  const kiosks = store.devices.list().filter(({ role, endedAt }) => role === 'kiosk' && endedAt === null)
  if (offers('kiosk') && !kiosks.some(kiosk => kiosk.locationId === id)) {
    found.push({
      text: w.noKiosk(title),
      to: { address: link('/office/devices', { role: 'kiosk' }), label: w.toDevices },
    })
  }

  const menu = menuAt(app, id)
  const dishes = menu ? printedMenu(menu).flatMap(section => section.dishes) : []
  const unknown = dishes.filter(({ entry }) => entry.allergens.length === 0).length
  if (unknown > 0) {
    const sheet = { address: link('/office/print/allergens', { location: id }), label: w.toSheet }
    found.push({ text: w.unknownAllergens(title, unknown), to: sheet })
  }
  return found
}
