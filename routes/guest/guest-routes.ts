import type { GuestKind } from '../../store/guests/switches.ts'
import { everybody } from '../access/everybody.ts'
import { device } from '../access/person.ts'
import type { Access, Caller } from '../http/handler.ts'
import { type Route, route } from '../http/router.ts'
import { changeCart, readCartPage } from './cart-page.ts'
import { placeOrder, readCheckout } from './checkout.ts'
import { addDish, readDish } from './dish.ts'
import { endKiosk, onceStarted, readKiosk, readKioskDone, readKioskNow, startKiosk } from './kiosk.ts'
import { kioskBase } from './kiosk-frame.ts'
import { readLocations } from './locations.ts'
import { readMenu } from './menu.ts'
import { type GuestHandler, within } from './setting.ts'
import { cancelOrder, readStatus, readStatusNow } from './status.ts'

/** The guests' pages: the same ones on the storefront of each location, at each table, and on kiosks (decision 059). */
export function guestRoutes(): Route[] {
  return [
    route('GET', '/order', everybody, readLocations),
    ...pagesOf('storefront', '/order/:location', everybody),
    ...pagesOf('qr', '/t/:code', everybody),
    route('GET', '/o/:token', everybody, readStatus),
    route('GET', '/o/:token/now', everybody, readStatusNow),
    route('POST', '/o/:token/cancel', everybody, cancelOrder),
    ...pagesOf('kiosk', kioskBase, device('kiosk')),
    ...kioskRoutes(),
  ]
}

/** The routes of one kind of pages, below its path. */
function pagesOf<C extends Caller>(kind: GuestKind, base: string, access: Access<C>): Route[] {
  const isKiosk = kind === 'kiosk'
  const at = (method: Route['method'], path: string, handler: GuestHandler) =>
    route<Caller>(
      method,
      `${base}${path}`,
      access,
      within(kind, isKiosk && path !== '' ? onceStarted(handler) : handler),
    )
  return [
    at('GET', '', isKiosk ? readKiosk : readMenu),
    at('GET', '/dish/:id', readDish),
    at('POST', '/dish/:id', addDish),
    at('GET', '/cart', readCartPage),
    at('POST', '/cart', changeCart),
    at('GET', '/checkout', readCheckout),
    at('GET', '/place', readCheckout),
    at('POST', '/place', placeOrder),
  ]
}

/** The routes that only kiosks have: the start and the end of a guest's turn, the number of an order, and the state for the script. */
function kioskRoutes(): Route[] {
  const access = device('kiosk')
  return [
    route('GET', `${kioskBase}/now`, access, readKioskNow),
    route('POST', `${kioskBase}/start`, access, within('kiosk', startKiosk)),
    route('POST', `${kioskBase}/end`, access, endKiosk),
    route('GET', `${kioskBase}/done/:token`, access, within('kiosk', onceStarted(readKioskDone))),
  ]
}
