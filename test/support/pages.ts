import { deflateRawSync } from 'node:zlib'
import type { App } from '../../routes/http/handler.ts'
import { table } from '../../routes/index.ts'
import { kioskToken, statusToken, tableCode } from './busy-shop.ts'
import { type LoggedIn, logIn, pairDevice } from './log-in.ts'
import type { Shop } from './shop.ts'

// The table of the server, which needs its app only when a request comes.
const routes = table({ basePath: '' } as App, () => undefined).flatMap(({ prefix, routes, refusals }) =>
  routes.flatMap(({ method, path }) =>
    typeof path === 'string' && refusals !== 'json' ? [{ method, path: `${prefix}${path}` }] : [],
  ),
)

/** The path of each page in the table of routes, such as "/office/orders/:id". */
export const pagePaths = routes.flatMap(({ method, path }) => (method === 'GET' ? [path] : []))

/** The path of each form. */
export const formPaths = routes.flatMap(({ method, path }) => (method === 'POST' ? [path] : []))

/** Addresses of the busy shop (busy-shop.ts) for pages whose paths have variable parts, or that show more with a query. */
const examples: Record<string, string[]> = {
  '/kiosk/dish/:id': ['/kiosk/dish/201'],
  '/kiosk/done/:token': [`/kiosk/done/${kioskToken}`],
  '/office/integrations/deliveries/:id': ['/office/integrations/deliveries/1'],
  '/office/kitchen': ['/office/kitchen', '/office/kitchen?location=2'],
  '/office/menu': [`/office/menu?saved=${Date.parse('2026-11-20T19:00:00Z')}`],
  '/office/menu/dish': ['/office/menu/dish?id=303'],
  '/office/menu/group': ['/office/menu/group?id=1'],
  '/office/menu/off': ['/office/menu/off?item=303&location=1'],
  '/office/menu/section': ['/office/menu/section?id=1'],
  '/office/money/close': ['/office/money/close?location=1&date=2026-11-21'],
  '/office/money/closes/:location/:number': ['/office/money/closes/1/1'],
  '/office/money/drawer': [
    '/office/money/drawer?location=1&kind=count',
    '/office/money/drawer?location=1&kind=paid_out',
  ],
  '/office/orders/:orderId': ['/office/orders/6', '/office/orders/1', '/office/orders/5', '/office/orders/8'],
  '/office/orders/:orderId/edit': ['/office/orders/6/edit'],
  '/office/orders/:orderId/print': ['/office/orders/6/print'],
  '/office/orders/:orderId/tickets/:ticketId': ['/office/orders/6/tickets/8'],
  '/office/printers/:id': ['/office/printers/5'],
  '/office/settings/backups/:id': ['/office/settings/backups/1'],
  '/office/staff/:id': ['/office/staff/2'],
  '/o/:token': [`/o/${statusToken}`],
  '/o/:token/now': [`/o/${statusToken}/now`],
  '/office/tables/:table': ['/office/tables/1'],
  '/order/:location/checkout': ['/order/1/checkout'],
  '/order/:location/place': ['/order/1/place'],
  '/order/:location': ['/order/1?avoid=1&avoid=3', '/order/2', '/order/1?q=po'],
  '/order/:location/cart': ['/order/1/cart'],
  '/order/:location/dish/:id': ['/order/1/dish/1', '/order/1/dish/404', '/order/1/dish/201?quantity=x'],
  '/t/:code': [`/t/${tableCode}`],
  '/t/:code/checkout': [`/t/${tableCode}/checkout`],
  '/t/:code/place': [`/t/${tableCode}/place`],
  '/t/:code/cart': [`/t/${tableCode}/cart`],
  '/t/:code/dish/:id': [`/t/${tableCode}/dish/801`],
}

/** Addresses of the busy shop at a path of the table, the most telling first. */
export function examplesOf(path: string): string[] {
  const addresses = examples[path] ?? [path]
  if (addresses.some(address => address.includes(':')))
    throw new Error(`test/support/pages.ts has no example of ${path}`)
  return addresses
}

/** A form as a page offers it. */
export interface OfferedForm {
  /** The route that it is sent to, such as "/office/orders/:id". */
  path: string
  action: string
  isMultipart: boolean
  /** Its fields with what they would be sent with. Of buttons and choices there is each one. */
  fields: { name: string; value: string }[]
}

/** The forms of a page that change something. */
export function formsIn(page: string): OfferedForm[] {
  return [...page.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, start = '', content = '']) => {
    const { method, action = '', enctype } = attributesIn(start)
    if (method !== 'post') return []
    const path = formPaths.find(known => isAt(known, action.split('?')[0] ?? ''))
    if (path === undefined) throw new Error(`a form is sent to ${action}, which is no route`)
    const controls = content.matchAll(/<(input|select|textarea|button|option)\b([^>]*)>(?:([^<]*)<\/textarea>)?/g)
    let select = ''
    const fields = [...controls].flatMap(([, tag, attributes = '', text]) => {
      const { name, value = '' } = attributesIn(attributes)
      if (tag === 'select') select = name ?? ''
      const sent = tag === 'option' ? select : tag === 'select' ? undefined : name
      return sent ? [{ name: sent, value: text === undefined ? value : unescaped(text) }] : []
    })
    return [{ path, action, isMultipart: enctype === 'multipart/form-data', fields }]
  })
}

/** Whether a path of the table leads to an address without its query. */
export function isAt(path: string, address: string): boolean {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+').replaceAll('.', '\\.')}$`).test(address)
}

function attributesIn(tag: string): Record<string, string> {
  return Object.fromEntries(
    [...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, unescaped(value)]),
  )
}

const escapes: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#13': '\r', amp: '&' }

function unescaped(text: string): string {
  return text.replaceAll(/&(#?\w+);/g, (whole, name) => escapes[name] ?? whole)
}

/** Who may look at a page, the ones with the least rights first. */
export type Visitor = 'nobody' | 'kiosk' | 'board' | 'till' | 'kitchen' | 'staff' | 'manager' | 'owner'

/** The cookie of a cart with one dish of the busy shop, as a guest's browser has it. */
const cart = `cart=${deflateRawSync(JSON.stringify([1, null, 1, [[801, 8011, 1, null]]])).toString('base64url')}`

/** What each of them sends. Guests have something in their carts. */
export function visitors(shop: Shop): Record<Visitor, Pick<LoggedIn, 'cookie' | 'headers'>> {
  return {
    nobody: { cookie: cart, headers: { Cookie: cart, Origin: new URL(shop.url).origin } },
    kiosk: guestAt(pairDevice(shop, 'kiosk')),
    board: pairDevice(shop, 'board'),
    till: pairDevice(shop, 'till'),
    kitchen: pairDevice(shop, 'kitchen'),
    staff: logIn(shop, 'staff', 'Cid'),
    manager: logIn(shop, 'manager', 'Dora'),
    owner: logIn(shop, 'owner', 'Olga'),
  }
}

/** A guest who has started at a kiosk and chosen a dish. */
export function guestAt({
  cookie,
  headers,
}: Pick<LoggedIn, 'cookie' | 'headers'>): Pick<LoggedIn, 'cookie' | 'headers'> {
  const started = `${cookie}; kiosk_guest=${'k'.repeat(43)}; ${cart}`
  return { cookie: started, headers: { ...headers, Cookie: started } }
}
